// SPDX-License-Identifier: MIT
#include "golden_water.h"

#include <wadi/sph.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    WATER_STEPS = 150
};

static void water_check(const wadi_context* context, wadi_result result)
{
    if (result != WADI_OK)
    {
        (void)fprintf(stderr, "golden: %s\n", wadi_error_detail(context));
        exit(EXIT_FAILURE);
    }
}

static void water_walls(wadi_context* context, wadi_sph* sph)
{
    static const wadi_sph_wall walls[] = {{.normal = {0.1, 0.0, 1.0}, .drag = 0.7},
                                          {.normal = {1.0, 0.0, 0.0}},
                                          {.point = {1.0, 0.0, 0.0}, .normal = {-1.0, 0.0, 0.0}}};
    for (size_t w = 0; w < sizeof walls / sizeof walls[0]; ++w)
    {
        int32_t number;
        water_check(context, wadi_sph_add_wall(sph, &walls[w], &number));
    }
}

// A dam breaks in rain around two stones, one of which absorbs water.
void golden_water(wadi_context* context)
{
    wadi_sph_params params = wadi_sph_params_default();
    params.period_y = 0.8;
    wadi_sph* sph;
    water_check(context, wadi_sph_create(context, &params, &sph));
    water_walls(context, sph);
    const double low[3] = {0.0, 0.0, 0.0};
    const double high[3] = {0.6, 0.8, 1.0};
    water_check(context, wadi_sph_fill(sph, low, high, NULL));
    const wadi_sph_rain rain = {
        .high = {1.0, 0.8}, .height = 1.3, .rate = 1.0, .velocity = {0.0, 0.0, -6.0}, .seed = 4};
    water_check(context, wadi_sph_set_rain(sph, &rain));
    const wadi_sph_sphere stones[2] = {
        {.position = {0.55, 0.4, 0.2}, .velocity = {0.3, 0.0, 0.0}, .radius = 0.08, .room = 2.5e-3},
        {.position = {0.7, 0.1, 0.1}, .radius = 0.05}};
    water_check(context, wadi_sph_set_spheres(sph, stones, 2));
    water_check(context, wadi_sph_advance(sph, WATER_STEPS));
    (void)printf("water/dam %016" PRIx64 "\n", wadi_sph_hash(sph));
    wadi_sph_destroy(sph);
}
