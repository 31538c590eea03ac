// SPDX-License-Identifier: MIT
// seconds: 2
// Land matured coarse to fine: it drains, keeps its relief and its books, has the same bits with
// any number of threads, and shows no edges of coarse cells.
#include "support/fixture.h"
#include "support/parcels.h"

#include <wadi/run.h>

#include <stdlib.h>

enum
{
    SIDE = 256
};

typedef struct mature_result
{
    uint64_t hash;
    double index;
    double relief;  // over that of the noise
    float* heights; // of the land
    double bend[4]; // mean |second difference| along x, by column modulo 4 [m]
} mature_result;

static wadi_hydraulic_params streams_of(void)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.max_step = 4000.0;
    return params;
}

static void make_scene(wadi_context* context, wadi_scene** scene, int32_t side, double mature)
{
    CHECK_OK(context, wadi_scene_create(context, scene));
    wadi_scene_set_seed(*scene, 23);
    const wadi_scene_grid grid = {.width = side, .height = side, .cell_size = 30.0};
    CHECK_OK(context, wadi_scene_set_grid(*scene, &grid));
    const wadi_noise_params noise = wadi_noise_params_default();
    const wadi_scene_ground ground = {
        .source = {.kind = wadi_source_kind_find("noise"), .params = &noise}, .weight = 1.0};
    CHECK_OK(context, wadi_scene_add_ground(*scene, &ground));
    const wadi_hydraulic_params params = streams_of();
    const wadi_step step = {.kind = WADI_STEP_PROCESS,
                            .process = {.process = &wadi_hydraulic_process,
                                        .params = &params,
                                        .years = 4000.0,
                                        .mature = mature}};
    CHECK_OK(context, wadi_scene_add_step(*scene, &step));
}

static double relief_of(const float* heights)
{
    float low = heights[0];
    float high = heights[0];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        low = heights[i] < low ? heights[i] : low;
        high = heights[i] > high ? heights[i] : high;
    }
    return (double)(high - low);
}

static void read_heights(wadi_terrain* terrain, float* out)
{
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        out[i] = (float)wadi_terrain_units(terrain, WADI_LAYER_SURFACE, i % SIDE, i / SIDE) /
                 WADI_UNITS_PER_METRE;
    }
}

static mature_result mature(int32_t threads, double years)
{
    fixture f;
    fixture_open(&f, threads);
    wadi_scene* scene;
    make_scene(f.context, &scene, SIDE, years);
    const wadi_host host = {0};
    wadi_run* run;
    CHECK_OK(f.context, wadi_run_create(scene, &host, &run));
    wadi_terrain* terrain = wadi_run_terrain(run);
    mature_result result = {.heights = malloc(SIDE * SIDE * sizeof(float))};
    read_heights(terrain, result.heights);
    const double before = relief_of(result.heights);
    CHECK_OK(f.context, wadi_run_next(run));
    assert_true(wadi_terrain_clock(terrain) == 4000.0);
    fixture_check_ledger(terrain);
    read_heights(terrain, result.heights);
    result.relief = relief_of(result.heights) / before;
    result.hash = wadi_run_hash(run);
    const wadi_field2d field = {.heights = result.heights,
                                .width = SIDE,
                                .height = SIDE,
                                .stride = SIDE,
                                .dx = 30.0,
                                .dy = 30.0};
    CHECK_OK(f.context, wadi_land_erosion_index(f.context, &field, &result.index));
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
    return result;
}

// Mean bend of the ground along x, by column modulo 4: lines of coarse cells would stand out.
static void measure_bends(mature_result* r)
{
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int32_t x = i % SIDE;
        if (x > 3 && x < SIDE - 4)
        {
            const float* h = &r->heights[i];
            r->bend[x % 4] += fabs((double)(h[-1] - 2.0f * h[0] + h[1])) / (SIDE * SIDE / 4.0);
        }
    }
}

static void noise_drains_coarse_to_fine(void** state)
{
    (void)state;
    mature_result plain = mature(1, 0.0);
    mature_result one = mature(1, 800e3);
    mature_result three = mature(3, 800e3);
    measure_bends(&one);
    print_message("index %.3f (%.3f without), relief kept %.2f, bends %.3f %.3f %.3f %.3f m\n",
                  one.index, plain.index, one.relief, one.bend[0], one.bend[1], one.bend[2],
                  one.bend[3]);
    assert_true(one.hash == three.hash);
    assert_true(one.hash != plain.hash);
    assert_true(one.index >= 0.95 && plain.index < 0.7);
    assert_true(one.relief >= 0.5);
    for (int k = 1; k < 4; ++k)
    {
        assert_true(fabs(one.bend[k] / one.bend[0] - 1.0) < 0.1);
    }
    free(plain.heights);
    free(one.heights);
    free(three.heights);
}

static uint64_t hash_of_small_land(double years)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene;
    make_scene(f.context, &scene, 48, years);
    const wadi_host host = {0};
    wadi_run* run;
    CHECK_OK(f.context, wadi_run_create(scene, &host, &run));
    CHECK_OK(f.context, wadi_run_next(run));
    fixture_check_ledger(wadi_run_terrain(run));
    const uint64_t hash = wadi_terrain_hash(wadi_run_terrain(run));
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
    return hash;
}

// A map of 48 cells is too small for coarse cells four times as wide, and has those twice as wide.
static void small_land_matures_on_the_finer_level(void** state)
{
    (void)state;
    assert_true(hash_of_small_land(80e3) != hash_of_small_land(0.0));
}

static void other_steps_cannot_mature(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene;
    CHECK_OK(f.context, wadi_scene_create(f.context, &scene));
    const wadi_talus_params talus = wadi_talus_params_default();
    wadi_step step = {
        .kind = WADI_STEP_PROCESS,
        .process = {
            .process = &wadi_talus_process, .params = &talus, .years = 10.0, .mature = 1e3}};
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "model streams", wadi_scene_add_step(scene, &step));
    const wadi_hydraulic_params parcels = parcels_params();
    step.process.process = &wadi_hydraulic_process;
    step.process.params = &parcels;
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "model streams", wadi_scene_add_step(scene, &step));
    const wadi_hydraulic_params params = streams_of();
    step.process.params = &params;
    step.process.mature = -1.0;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "mature", wadi_scene_add_step(scene, &step));
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_land_matures_on_the_finer_level),
        cmocka_unit_test(other_steps_cannot_mature),
        cmocka_unit_test(noise_drains_coarse_to_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
