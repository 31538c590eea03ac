// SPDX-License-Identifier: MIT
#include "support/water.h"

#include <math.h>

void water_open(water* w, int32_t threads, int32_t capacity)
{
    *w = (water){.capacity = capacity};
    fixture_open(&w->f, threads);
    w->params = wadi_sph_params_default();
    w->list = test_calloc((size_t)capacity, sizeof *w->list);
}

void water_close(water* w)
{
    wadi_sph_destroy(w->sph);
    test_free(w->list);
    fixture_close(&w->f);
}

void water_make(water* w)
{
    CHECK_OK(w->f.context, wadi_sph_create(w->f.context, &w->params, &w->sph));
}

int32_t water_wall(water* w, double px, double py, double pz, double nx, double ny, double nz)
{
    const wadi_sph_wall wall = {.point = {px, py, pz}, .normal = {nx, ny, nz}};
    int32_t number;
    CHECK_OK(w->f.context, wadi_sph_add_wall(w->sph, &wall, &number));
    return number;
}

void water_trough(water* w, double length, double drag)
{
    const wadi_sph_wall bed = {.normal = {0.0, 0.0, 1.0}, .drag = drag};
    int32_t number;
    CHECK_OK(w->f.context, wadi_sph_add_wall(w->sph, &bed, &number));
    water_wall(w, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0);
    water_wall(w, length, 0.0, 0.0, -1.0, 0.0, 0.0);
}

void water_fill(water* w, double x0, double y0, double z0, double x1, double y1, double z1)
{
    const double low[3] = {x0, y0, z0};
    const double high[3] = {x1, y1, z1};
    CHECK_OK(w->f.context, wadi_sph_fill(w->sph, low, high, NULL));
}

void water_read(water* w)
{
    w->count = wadi_sph_count(w->sph);
    assert_true(w->count <= w->capacity);
    wadi_sph_read(w->sph, w->list);
}

void water_run(water* w, int64_t steps)
{
    CHECK_OK(w->f.context, wadi_sph_advance(w->sph, steps));
    water_read(w);
}

void water_pass(water* w, double seconds)
{
    water_run(w, (int64_t)llround(seconds / wadi_sph_summarize(w->sph).step));
}
