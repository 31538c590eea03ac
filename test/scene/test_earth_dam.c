// SPDX-License-Identifier: MIT
// labels: slow
// Scene `water-dam`: the dam-break wave moves gravel, and water flows through and over the gravel.
#include "scene/earth_scene.h"

static void gravel_is_washed_along(void** state)
{
    (void)state;
    static const char* const overrides[] = {"earth.for=0.55 s", NULL};
    earth_scene e;
    earth_scene_open(&e, "water-dam", NULL, overrides, 1);
    double came = 0.0;
    double beyond = 0.0;
    int32_t soil = 0;
    int32_t water = 0;
    for (int32_t i = 0; i < e.count; ++i)
    {
        const wadi_grain* g = &e.grains[i];
        const bool is_water = g->material == WADI_GRAIN_WATER;
        soil += !is_water;
        water += is_water;
        came += is_water ? 0.0 : g->position[0] - e.before[i].position[0];
        beyond += is_water && g->position[0] > 1.1;
    }
    print_message("%d grains came %.3g m on average, %.3g of the water is behind the crest\n", soil,
                  came / soil, beyond / water);
    assert_true(came / soil > 0.025);
    assert_true(beyond / water > 0.02);
    assert_true(earth_scene_figure(&e, "particle_residual") == 0.0);
    assert_true(earth_scene_figure(&e, "particle_water") ==
                earth_scene_figure(&e, "particle_added"));
    earth_scene_close(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gravel_is_washed_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
