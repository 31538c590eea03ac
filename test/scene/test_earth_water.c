// SPDX-License-Identifier: MIT
// Water as particles in scenes of process `earth`: alone and with soil that absorbs it; the water
// balance closes to the last unit, bits do not depend on threads, and mistakes are refused with
// their place.
#include "scene/earth_scene.h"

#include <stdio.h>

#define SCENE                                                                                      \
    "wadi: 1\nseed: 4\nterrain: {flat: 2 m, size: [8, 8], cell: 25 cm, edges: {west: closed, "     \
    "south: closed, north: closed, east: open}}\nsteps:\n"
#define POOL "water: {spacing: 0.2 m, blocks: [[0 m, 0 m, 2 m, 1 m, 2 m, 2.6 m]]}"
#define RAIN                                                                                       \
    "water: {spacing: 0.1 m, rain_rate: 100000 mm/h, rain_height: 3.6 m, rain_speed: 4 m/s, "      \
    "rain_west: 0.9 m, rain_east: 1.7 m, rain_south: 0.9 m, rain_north: 1.7 m"
#define CUBE                                                                                       \
    "for: 0.5 s, most: 100, step: 1 ms, soil: [{mesh: cube.obj, up: z, fixed: true, "              \
    "conductivity: 1e-6 m/s}]"

// Water over grain mass of full pores: porosity 0.4, density 2650 kg/m3.
static const double full_pores = 0.4 / 0.6 * 1000.0 / 2650.0;

static int put_cube(void** state)
{
    (void)state;
    FILE* file = fopen("cube.obj", "w");
    assert_non_null(file);
    for (int i = 0; i < 8; ++i)
    {
        (void)fprintf(file, "v %g %g %g\n", i % 2 == 0 ? 1.0 : 1.6, i / 2 % 2 == 0 ? 1.0 : 1.6,
                      i < 4 ? 2.0 : 2.6);
    }
    (void)fputs("f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n", file);
    assert_int_equal(fclose(file), 0);
    return 0;
}

static double drained(const earth_scene* e)
{
    return earth_scene_figure(e, "particle_added") + earth_scene_figure(e, "particle_rain") -
           earth_scene_figure(e, "particle_water") - earth_scene_figure(e, "particle_out") -
           earth_scene_figure(e, "particle_drunk");
}

static void water_alone_runs_over_an_open_side(void** state)
{
    (void)state;
    uint64_t first = 0;
    for (int32_t threads = 1; threads <= 3; ++threads)
    {
        earth_scene e;
        earth_scene_open(&e, NULL,
                         SCENE "  - earth: {for: 1 s, " POOL ", series: [{write: a.pvd, every: 0.5 "
                               "s}]}\n",
                         NULL, threads);
        const uint64_t hash = wadi_terrain_hash(wadi_run_terrain(e.run));
        first = threads == 1 ? hash : first;
        assert_true(hash == first);
        assert_int_equal(e.frames, 3);
        assert_true(e.count > 0 && e.count < 150);
        assert_int_equal(e.count, (int32_t)earth_scene_figure(&e, "particles"));
        assert_int_equal(e.grains[0].material, WADI_GRAIN_WATER);
        CHECK_NEAR(earth_scene_figure(&e, "particle_added"), 1.2, 1e-6);
        assert_true(earth_scene_figure(&e, "particle_out") > 0.05);
        assert_true(drained(&e) == 0.0);
        assert_true(earth_scene_figure(&e, "particle_residual") == 0.0);
        earth_scene_close(&e);
    }
}

// Drops fall on a block of clay: the water absorbed by its grains equals the seepage inflow to the
// last unit, the top fills, and the rest runs off.
static void soil_absorbs_rain_until_it_is_full(void** state)
{
    (void)state;
    uint64_t first = 0;
    for (int32_t threads = 1; threads <= 2; ++threads)
    {
        earth_scene e;
        earth_scene_open(&e, NULL, SCENE "  - earth: {" CUBE ", " RAIN "}}\n", NULL, threads);
        const double drunk = earth_scene_figure(&e, "particle_drunk");
        print_message("rain %g m3, drunk %g, still there %g\n",
                      earth_scene_figure(&e, "particle_rain"), drunk,
                      earth_scene_figure(&e, "particle_water"));
        assert_true(drunk > 0.0 && earth_scene_figure(&e, "soil_water") == drunk);
        assert_true(earth_scene_figure(&e, "particle_residual") == 0.0 && drained(&e) == 0.0);
        assert_true(earth_scene_figure(&e, "particle_water") > 0.0);
        double fullest = 0.0;
        int32_t inside = 0;
        for (int32_t i = 0; i < e.count; ++i)
        {
            const wadi_grain* g = &e.grains[i];
            const bool is_water = g->material == WADI_GRAIN_WATER;
            const double* x = g->position;
            fullest = !is_water && g->wetness > fullest ? g->wetness : fullest;
            inside +=
                is_water && x[0] > 1.1 && x[0] < 1.5 && x[1] > 1.1 && x[1] < 1.5 && x[2] < 2.45;
        }
        CHECK_NEAR(fullest, full_pores, 0.01);
        assert_int_equal(inside, 0);
        const uint64_t hash = wadi_terrain_hash(wadi_run_terrain(e.run));
        first = threads == 1 ? hash : first;
        assert_true(hash == first);
        earth_scene_close(&e);
    }
}

// Over 1 m by the whole terrain's 2 m, for a quarter of a second.
static void as_much_rain_falls_as_its_rate_and_time_say(void** state)
{
    (void)state;
    earth_scene e;
    earth_scene_open(
        &e, NULL,
        SCENE
        "  - earth: {for: 0.5 s, water: {spacing: 0.1 m, blocks: [[0 m, 0 m, 2 "
        "m, 0.5 m, 0.5 m, 2.2 m]], rain_west: 0.5 m, rain_east: 1.5 m, rain_rate: 1440000 mm/h, "
        "rain_height: 3.6 m, rain_speed: 4 m/s, rain_from: 0.1 s, rain_until: "
        "0.35 s}}\n",
        NULL, 1);
    CHECK_NEAR(earth_scene_figure(&e, "particle_rain"), 0.4 * 2.0 * 0.25, 0.004);
    earth_scene_close(&e);
}

// Soil falls freely from 2 m under a jet of rain that it absorbs. Afterwards soil and water
// together have the momentum of the jet and the impulse of gravity, and no more.
static void absorbed_water_adds_its_momentum_once(void** state)
{
    (void)state;
    const double time = 0.1;
    const double fast = 8.0;
    earth_scene e;
    earth_scene_open(
        &e, NULL,
        "wadi: 1\nseed: 4\nterrain: {flat: 0 m, size: [8, 8], cell: 25 cm}\nsteps:\n"
        "  - earth: {for: 0.1 s, most: 100, sleep_speed: 0 m/s, soil: [{mesh: "
        "cube.obj, up: z, conductivity: 1e-6 m/s}], water: {spacing: 0.05 m, rain_rate: "
        "3600000 mm/h, rain_height: 2.75 m, rain_speed: 8 m/s, rain_west: 1.1 m, "
        "rain_east: 1.5 m, rain_south: 1.1 m, rain_north: 1.5 m}}\n",
        NULL, 1);
    const double rain = 1000.0 * earth_scene_figure(&e, "particle_rain");
    const double drunk = 1000.0 * earth_scene_figure(&e, "particle_drunk");
    const double free_water = 1000.0 * earth_scene_figure(&e, "particle_water");
    const double particles = earth_scene_figure(&e, "particles");
    double soil = 0.0;
    double momentum = 0.0; // downwards
    for (int32_t i = 0; i < e.count; ++i)
    {
        const wadi_grain* g = &e.grains[i];
        const bool is_water = g->material == WADI_GRAIN_WATER;
        const double dry = is_water ? 0.0 : 2650.0 * 4.18879 * pow(g->radius, 3.0);
        soil += dry;
        momentum -= (is_water ? free_water / particles : dry * (1.0 + g->wetness)) * g->velocity[2];
    }
    const double expected = rain * fast + 9.81 * time * (soil + 0.5 * rain);
    print_message("rain %g kg, drunk %g, soil %g; momentum %g, expected %g\n", rain, drunk, soil,
                  momentum, expected);
    assert_true(drunk * fast > 0.1 * expected);
    CHECK_NEAR(momentum, expected, 0.02 * expected);
    earth_scene_close(&e);
}

static void soil_begins_as_wet_as_it_is_given(void** state)
{
    (void)state;
    earth_scene e;
    earth_scene_open(&e, NULL,
                     SCENE "  - earth: {for: 1e-6 s, most: 100, soil: [{mesh: cube.obj, up: z, "
                           "fixed: true, saturation: 0.5}]}\n",
                     NULL, 1);
    assert_true(e.count > 10);
    for (int32_t i = 0; i < e.count; ++i)
    {
        CHECK_NEAR(e.grains[i].wetness, 0.5 * full_pores, 1e-6);
    }
    earth_scene_close(&e);
}

// A pool on dry soil: in the first exchange a grain under it absorbs the whole volume of its pores.
static void grains_under_water_fill_at_once(void** state)
{
    (void)state;
    earth_scene e;
    earth_scene_open(&e, NULL,
                     SCENE
                     "  - earth: {for: 2 ms, most: 400, step: 1 ms, soil: [{mesh: cube.obj, up: z, "
                     "fixed: true, conductivity: 1e-6 m/s}], water: {spacing: 0.1 m, blocks: "
                     "[[0.9 m, 0.9 m, 2.5 m, 1.7 m, 1.7 m, 2.9 m]]}}\n",
                     NULL, 1);
    double fullest = 0.0;
    for (int32_t i = 0; i < e.count; ++i)
    {
        const bool is_water = e.grains[i].material == WADI_GRAIN_WATER;
        fullest = !is_water ? fmax(fullest, e.grains[i].wetness) : fullest;
    }
    CHECK_NEAR(fullest, full_pores, 0.01 * full_pores);
    earth_scene_close(&e);
}

static void a_map_shows_free_water(void** state)
{
    (void)state;
    earth_scene e;
    earth_scene_open(&e, NULL, SCENE "  - earth: {for: 1 ms, " POOL "}\n", NULL, 1);
    float map[64];
    wadi_solver* solver = wadi_run_solver(e.run, &wadi_earth_process);
    CHECK_OK(e.f.context, wadi_solver_map(solver, "free_water", map));
    double volume = 0.0;
    for (int i = 0; i < 64; ++i)
    {
        volume += 0.0625 * (double)map[i];
    }
    CHECK_NEAR(volume, 1.2, 1e-4);
    assert_true(map[7] == 0.0f && map[0] > 0.0f);
    CHECK_OK(e.f.context, wadi_solver_map(solver, "water", map));
    assert_true(map[0] == 0.0f);
    earth_scene_close(&e);
}

static void mistakes_are_refused(void** state)
{
    (void)state;
    static const earth_mistake cases[] = {
        {"  - earth: {water: {}}\n", "neither soil nor a block"},
        {"  - earth: {water: {blocks: []}}\n", "t.yaml:5:21: 'blocks' takes a list of 1 to 64"},
        {"  - earth: {water: {blocks: [[0 m, 1 m]]}}\n", "between two corners"},
        {"  - earth: {water: {blocks: [[0 m, 0 m, 0 m, 1 m, 1 m, 1 s]]}}\n", "t.yaml:5:56"},
        {"  - earth: {water: {blocks: [[0 m, 0 m, 3 m, 1 m, 1 m, 2 m]]}}\n", "holds no particle"},
        {"  - earth: {water: {spacng: 1 m}}\n", "did you mean 'spacing'"},
        {"  - earth: {water: {spacing: 1 s}}\n", "t.yaml:5:30: sph.spacing"},
        {"  - earth: {water: {rain_rate: -1 mm/h}}\n", "water.rain_rate"},
        {"  - earth: {acceleration: 2, " POOL "}\n", "acceleration is 2 but must be 1"},
        {"  - earth: {" CUBE ", exchange: 0.1 ms, " RAIN "}}\n", "make exchange at least"},
        {"  - earth: {" CUBE ", " RAIN ", density: 900 kg/m3}}\n", "must have 1000"},
        {"  - talus: {water: {}}\n", "unknown key 'water' in 'talus'"},
    };
    earth_scene_check_mistakes(SCENE, cases, sizeof cases / sizeof cases[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_alone_runs_over_an_open_side),
        cmocka_unit_test(soil_absorbs_rain_until_it_is_full),
        cmocka_unit_test(as_much_rain_falls_as_its_rate_and_time_say),
        cmocka_unit_test(absorbed_water_adds_its_momentum_once),
        cmocka_unit_test(soil_begins_as_wet_as_it_is_given),
        cmocka_unit_test(grains_under_water_fill_at_once),
        cmocka_unit_test(a_map_shows_free_water),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, put_cube, NULL);
}
