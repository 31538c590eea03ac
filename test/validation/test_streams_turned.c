// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 120
// Model "streams" makes the same kind of land at any angle of the grid: a round land cut from
// noise, the same turned by 37 degrees, and mirrored, have the same statistics after the default
// years. The land is wide enough for 20 peaks and more: the index is 1 from ten peaks over no pit
// on, so on a land of 7 km it would count whether one of its eight peaks is worn off.
#include "support/fixture.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SIDE = 384,
    FINE = 3, // cells of the noise a cell of the land
    WHOLE = FINE * SIDE,
    CELLS = SIDE * SIDE,
    SEEDS = 4
};

#define CELL 30.0
#define RADIUS 188.0 // of the land [cells]

typedef struct turn
{
    const char* name;
    double angle; // [degree]
    bool mirrored;
    uint64_t seed; // of the random numbers of streams
} turn;

static const turn turns[] = {
    {"as it is", 0.0, false, 0},
    {"turned by 37 degrees", 37.0, false, 100},
    {"mirrored", 0.0, true, 200},
    {"other random numbers", 0.0, false, 300},
};

enum
{
    TURNS = sizeof turns / sizeof turns[0]
};

// Noise between its cells [m].
static float noise_at(const float* noise, double x, double y)
{
    const int32_t i = (int32_t)x;
    const int32_t j = (int32_t)y;
    const double u = x - i;
    const double v = y - j;
    const float* at = noise + j * WHOLE + i;
    return (float)((1.0 - v) * ((1.0 - u) * (double)at[0] + u * (double)at[1]) +
                   v * ((1.0 - u) * (double)at[WHOLE] + u * (double)at[WHOLE + 1]));
}

// A disc of land; outside there are no data.
static void turned_land(const turn* t, const float* noise, float* heights, uint8_t* valid)
{
    const double c = cos(t->angle / 57.29577951308232);
    const double s = sin(t->angle / 57.29577951308232);
    const double middle = 0.5 * (SIDE - 1);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double x = (t->mirrored ? -1.0 : 1.0) * (i % SIDE - middle);
        const double y = i / SIDE - middle;
        valid[i] = x * x + y * y < RADIUS * RADIUS;
        heights[i] = valid[i] != 0 ? noise_at(noise, FINE * (middle + c * x - s * y) + 1.3,
                                              FINE * (middle + s * x + c * y) + 1.3)
                                   : 0.0f;
    }
}

static wadi_land_forms worn(fixture* f, const turn* t, const float* heights, const uint8_t* valid,
                            uint64_t seed)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIDE;
    def.height = SIDE;
    def.cell_size = CELL;
    def.seed = seed + t->seed;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, SIDE));
    CHECK_OK(f->context, wadi_terrain_set_valid(terrain, valid, SIDE));
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_hydraulic_process, NULL, 0, &solver));
    fixture_live(solver, wadi_hydraulic_process.default_years);
    wadi_solver_destroy(solver);
    wadi_view view;
    CHECK_OK(f->context, wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view));
    const wadi_land land = {.surface = {.heights = view.data,
                                        .width = SIDE,
                                        .height = SIDE,
                                        .stride = view.stride,
                                        .dx = CELL,
                                        .dy = CELL},
                            .before = heights};
    wadi_land_forms forms;
    CHECK_OK(f->context, wadi_land_forms_measure(f->context, &land, &forms));
    CHECK_OK(f->context, wadi_terrain_release(terrain, WADI_LAYER_SURFACE));
    wadi_terrain_destroy(terrain);
    return forms;
}

// Measures, and by how much their means over the seeds may differ: about twice what other random
// numbers change, or what one would see.
typedef struct bound
{
    const char* name;
    size_t offset;
    double most;
} bound;

#define BOUND(member, most)                                                                        \
    {                                                                                              \
#member, offsetof(wadi_land_forms, member), most                                           \
    }

static const bound bounds[] = {
    BOUND(erosion_index, 0.01), BOUND(prominent, 0.1),       BOUND(theta_chi, 0.06),
    BOUND(chi_r2, 0.03),        BOUND(slope, 0.5),           BOUND(flat, 0.02),
    BOUND(ridge_valley, 0.08),  BOUND(curvature_skew, 0.08), BOUND(dimples, 0.5),
    BOUND(corner, 0.04),        BOUND(straight8, 0.03),      BOUND(ridge_straight8, 0.03),
    BOUND(octal, 0.02),         BOUND(relief_kept, 0.03),
};

static double member(const wadi_land_forms* forms, const bound* b)
{
    return *(const double*)(const void*)((const char*)forms + b->offset);
}

static void check_kind(int32_t kind)
{
    static float noise[WHOLE * WHOLE];
    static float heights[CELLS];
    static uint8_t valid[CELLS];
    static wadi_land_forms forms[TURNS][SEEDS];
    fixture f;
    fixture_open(&f, 2);
    wadi_noise_params params = wadi_noise_params_default();
    params.kind = kind;
    for (uint32_t seed = 0; seed < SEEDS; ++seed)
    {
        CHECK_OK(f.context,
                 wadi_noise_fill(f.context, &params, 40 + seed, WHOLE, WHOLE, CELL / FINE, noise));
        for (int t = 0; t < TURNS; ++t)
        {
            turned_land(&turns[t], noise, heights, valid);
            forms[t][seed] = worn(&f, &turns[t], heights, valid, seed);
        }
    }
    fixture_close(&f);
    for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; ++k)
    {
        double mean[TURNS] = {0.0};
        for (int i = 0; i < TURNS * SEEDS; ++i)
        {
            mean[i / SEEDS] += member(&forms[i / SEEDS][i % SEEDS], &bounds[k]) / SEEDS;
        }
        print_message("%-16s %8.4f, turned %+.4f, mirrored %+.4f, chance %+.4f\n", bounds[k].name,
                      mean[0], mean[1] - mean[0], mean[2] - mean[0], mean[3] - mean[0]);
        for (int t = 1; t < TURNS; ++t)
        {
            assert_true(fabs(mean[t] - mean[0]) <= bounds[k].most);
        }
    }
}

static void fbm_has_the_same_statistics_when_turned(void** state)
{
    (void)state;
    check_kind(WADI_NOISE_FBM);
}

static void ridged_noise_has_the_same_statistics_when_turned(void** state)
{
    (void)state;
    check_kind(WADI_NOISE_RIDGED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fbm_has_the_same_statistics_when_turned),
        cmocka_unit_test(ridged_noise_has_the_same_statistics_when_turned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
