// SPDX-License-Identifier: MIT
#include "support/surge.h"

#include <math.h>

static const double surge_hour = 3600.0 / 31557600.0; // [yr]

void surge_open(surge* s, int32_t width, int32_t height, double cell, wadi_edge edge,
                surge_ground* ground, const void* shape)
{
    *s = (surge){.width = width, .height = height, .cell = cell};
    fixture_open(&s->f, 2);
    s->terrain = fixture_plain(&s->f, width, height, cell, edge);
    float* z = test_calloc((size_t)width * (size_t)height, sizeof *z);
    for (int32_t i = 0; i < width * height; ++i)
    {
        z[i] = (float)ground((i % width + 0.5) * cell, (height - i / width - 0.5) * cell, shape);
    }
    CHECK_OK(s->f.context, wadi_terrain_set_layer(s->terrain, WADI_LAYER_BEDROCK, z, width));
    test_free(z);
    s->params = wadi_flood_params_default();
    s->params.model = WADI_FLOOD_INERTIAL;
    s->params.discharge = 0.0;
    s->params.longest = 1e5;
}

void surge_close(surge* s)
{
    wadi_solver_destroy(s->solver);
    wadi_terrain_destroy(s->terrain);
    fixture_close(&s->f);
}

void surge_create(surge* s)
{
    CHECK_OK(s->f.context,
             wadi_solver_create(s->terrain, &wadi_flood_process, &s->params, 0, &s->solver));
}

void surge_hydrograph(surge* s, const double* rows, int32_t count)
{
    CHECK_OK(s->f.context, wadi_solver_set_table(s->solver, "hydrograph", rows, count));
}

void surge_fill(surge* s, double level)
{
    float* depth = test_calloc((size_t)s->width * (size_t)s->height, sizeof *depth);
    for (int32_t i = 0; i < s->width * s->height; ++i)
    {
        const double bed =
            fixture_metres(s->terrain, WADI_LAYER_SURFACE, i % s->width, i / s->width);
        depth[i] = (float)fmax(level - bed, 0.0);
    }
    CHECK_OK(s->f.context, wadi_terrain_set_layer(s->terrain, WADI_LAYER_WATER, depth, s->width));
    test_free(depth);
}

void surge_run(surge* s, double hours)
{
    if (s->solver == NULL)
    {
        surge_create(s);
    }
    fixture_live(s->solver, hours * surge_hour);
}

double surge_depth(const surge* s, int32_t column, int32_t row)
{
    return fixture_metres(s->terrain, WADI_LAYER_WATER, column, row);
}

double surge_level(const surge* s, int32_t column, int32_t row)
{
    return surge_depth(s, column, row) +
           fixture_metres(s->terrain, WADI_LAYER_SURFACE, column, row);
}

double surge_hills(double x, double y, const void* shape)
{
    (void)shape;
    return 5.0 + 0.01 * x + 2.0 * sin(0.031 * x + 0.4) * cos(0.043 * y) + 0.3 * sin(0.2 * y + x);
}

wadi_solver* surge_on_rough(fixture* f, const wadi_flood_params* params)
{
    wadi_terrain* terrain = fixture_rough(f, SURGE_ROUGH, SURGE_ROUGH, 5);
    fixture_holes(terrain);
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_flood_process, params, 0, &solver));
    return solver;
}
