// SPDX-License-Identifier: MIT
#include "support/soil.h"

#include "core/random.h"

#include <math.h>
#include <stdlib.h>

void soil_open(soil* s, int32_t threads, int32_t capacity)
{
    *s = (soil){.material_count = 1, .capacity = capacity};
    fixture_open(&s->f, threads);
    s->params = wadi_grains_params_default();
    s->params.gravity_z = 0.0;
    for (int32_t i = 0; i < SOIL_MOST_MATERIALS; ++i)
    {
        s->materials[i] = wadi_grain_material_default();
    }
    s->list = test_calloc((size_t)capacity, sizeof *s->list);
}

void soil_close(soil* s)
{
    wadi_grains_destroy(s->grains);
    test_free(s->list);
    fixture_close(&s->f);
}

wadi_grain* soil_add(soil* s, double x, double y, double z, double radius)
{
    assert_true(s->count < s->capacity);
    wadi_grain* grain = &s->list[s->count++];
    *grain = (wadi_grain){.position = {x, y, z}, .radius = radius};
    return grain;
}

void soil_make(soil* s)
{
    CHECK_OK(s->f.context, wadi_grains_create(s->f.context, &s->params, s->materials,
                                              s->material_count, s->list, s->count, &s->grains));
}

void soil_tilt(soil* s, double degrees)
{
    const double angle = degrees * 3.14159265358979323846 / 180.0;
    s->params.gravity_x = 9.81 * sin(angle);
    s->params.gravity_z = -9.81 * cos(angle);
}

int32_t soil_wall(soil* s, double px, double py, double pz, double nx, double ny, double nz)
{
    const wadi_grain_wall wall = {.point = {px, py, pz}, .normal = {nx, ny, nz}};
    int32_t number;
    CHECK_OK(s->f.context, wadi_grains_add_wall(s->grains, &wall, &number));
    return number;
}

int32_t soil_floor(soil* s)
{
    return soil_wall(s, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
}

void soil_run(soil* s, int64_t steps)
{
    CHECK_OK(s->f.context, wadi_grains_advance(s->grains, steps));
    wadi_grains_read(s->grains, s->list);
}

void soil_pass(soil* s, double seconds)
{
    soil_run(s, (int64_t)llround(seconds / wadi_grains_summarize(s->grains).step));
}

double soil_mass(const soil* s, int32_t id)
{
    const double r = s->list[id].radius;
    return s->materials[s->list[id].material].density * 4.0 / 3.0 * 3.14159265358979323846 * r * r *
           r;
}

static bool soil_is_free(const soil* s, const double at[3], double radius)
{
    for (int32_t i = 0; i < s->count; ++i)
    {
        double square = 0.0;
        for (int c = 0; c < 3; ++c)
        {
            const double d = at[c] - s->list[i].position[c];
            square += d * d;
        }
        const double reach = radius + s->list[i].radius;
        if (square < reach * reach)
        {
            return false;
        }
    }
    return true;
}

void soil_scatter(soil* s, int32_t count, const double size[3], double least, double most,
                  uint32_t seed)
{
    for (uint32_t trial = 0; s->count < count; ++trial)
    {
        assert_true(trial < 2000000);
        const wadi_philox p = wadi_random(seed, 0, trial, 0);
        const wadi_philox q = wadi_random(seed, 1, trial, 0);
        const double radius = least + (most - least) * wadi_unit_double(q.v[0], q.v[1]);
        double at[3];
        for (int c = 0; c < 3; ++c)
        {
            at[c] = radius + (size[c] - 2.0 * radius) * wadi_unit_double(p.v[c], q.v[2 + c % 2]);
        }
        if (soil_is_free(s, at, radius))
        {
            soil_add(s, at[0], at[1], at[2], radius);
        }
    }
}

static double soil_jitter(uint32_t entity, uint32_t axis, double radius)
{
    const wadi_philox p = wadi_random(1, axis, entity, 0);
    return 0.01 * radius * (wadi_unit_double(p.v[0], p.v[1]) - 0.5);
}

void soil_pack(soil* s, const double low[3], const double high[3], double radius, bool round)
{
    const double d = 2.0 * radius * 1.01;
    const double middle[2] = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])};
    const double reach = 0.5 * (high[0] - low[0]) - radius;
    const int32_t nx = (int32_t)((high[0] - low[0]) / d);
    const int32_t ny = (int32_t)((high[1] - low[1]) / (d * sqrt(0.75)));
    const int32_t nz = (int32_t)((high[2] - low[2]) / (d * sqrt(2.0 / 3.0)));
    for (int32_t k = 0; k < nx * ny * nz; ++k)
    {
        const int32_t ix = k % nx;
        const int32_t iy = k / nx % ny;
        const int32_t iz = k / nx / ny;
        const double x = low[0] + radius + d * (ix + 0.5 * ((iy + iz) & 1));
        const double y = low[1] + radius + d * (sqrt(0.75) * iy + 0.2887 * (iz & 1));
        const double z = low[2] + radius + d * sqrt(2.0 / 3.0) * iz;
        const bool inside = x < high[0] - radius && y < high[1] - radius &&
                            (!round || hypot(x - middle[0], y - middle[1]) < reach);
        if (inside)
        {
            const uint32_t n = (uint32_t)s->count;
            soil_add(s, x + soil_jitter(n, 0, radius), y + soil_jitter(n, 1, radius),
                     z + soil_jitter(n, 2, radius), radius);
        }
    }
}

// Highest grain of a strip on either side of the middle.
static double soil_crest(const soil* s, double from, double to)
{
    double top = 0.0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const double at = fabs(s->list[i].position[0]);
        const double z = s->list[i].position[2];
        top = at >= from && at < to && z > top ? z : top;
    }
    return top;
}

double soil_slope(const soil* s, double from, double to, double strip)
{
    double n = 0.0;
    double sx = 0.0;
    double sz = 0.0;
    double sxx = 0.0;
    double sxz = 0.0;
    for (double x = from; x + strip < to; x += strip)
    {
        const double z = soil_crest(s, x, x + strip);
        n += 1.0;
        sx += x;
        sz += z;
        sxx += x * x;
        sxz += x * z;
    }
    return atan((sx * sz - n * sxz) / (n * sxx - sx * sx)) * 180.0 / 3.14159265358979323846;
}
