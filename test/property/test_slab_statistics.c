// SPDX-License-Identifier: MIT
// labels: slow
// gap: preset `paper` as it is, all cells at once
// The preset `paper` of dunes and the plain version of the article's slabs agree over ten seeds
// within three standard errors in relief and sand flux, if cells release their slabs in eight
// turns. All at once, each slab flies over ground on which no other has landed, and the result is
// rougher.
#include "plain_slab.h"
#include "support/fixture.h"
#include "support/moments.h"

enum
{
    SIZE = 96,
    CELLS = SIZE * SIZE,
    SEEDS = 10,
    STEPS = 60
};

typedef struct slab_figures
{
    double relief; // standard deviation of the surface [m]
    double flux;   // sand x distance over the area [m2], all steps
} slab_figures;

// Noise of 2 m on 4 m of sand, the same for both versions [m].
static void statistics_sand(float* sand, uint32_t seed)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        seed = seed * 1664525u + 1013904223u;
        sand[i] = 3.0f + (float)(seed >> 8) * (2.0f / 16777216.0f);
    }
}

static double statistics_relief(const double* sand)
{
    double sum = 0.0;
    double square = 0.0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sum += sand[i] / CELLS;
        square += sand[i] * sand[i] / CELLS;
    }
    return sqrt(square - sum * sum);
}

// Wind parameters without the features that the plain version lacks.
static wadi_dunes_params statistics_params(int32_t turns)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    CHECK_OK(NULL, wadi_process_apply_preset(NULL, &wadi_dunes_process, "paper", &params));
    params.speed = 6.0;
    params.warp = 0.0;
    params.speedup = 0.0;
    params.slab_turns = turns;
    return params;
}

static slab_figures statistics_plain(const wadi_dunes_params* p, uint32_t seed)
{
    float noise[CELLS];
    double* sand = test_malloc(CELLS * sizeof *sand);
    statistics_sand(noise, seed);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sand[i] = (double)noise[i];
    }
    plain_slab plain = {.size = SIZE,
                        .sand = sand,
                        .hop = p->slab_hop * p->speed / p->slab_wind,
                        .slab = p->slab_thickness,
                        .repose = p->repose,
                        .reptation = p->slab_reptation,
                        .state = seed};
    for (int32_t i = 0; i < STEPS; ++i)
    {
        plain_slab_step(&plain);
    }
    const slab_figures figures = {statistics_relief(sand), plain.carried / CELLS};
    test_free(sand);
    return figures;
}

static wadi_terrain* statistics_terrain(fixture* f, uint32_t seed)
{
    float noise[CELLS];
    statistics_sand(noise, seed);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = 1.0;
    def.seed = seed;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = WADI_EDGE_PERIODIC;
    }
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, noise, SIZE));
    return terrain;
}

static slab_figures statistics_ours(const wadi_dunes_params* p, uint32_t seed)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = statistics_terrain(&f, seed);
    wadi_solver* dunes;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_dunes_process, p, 0, &dunes));
    const double hop = p->slab_hop * 10.0 / p->slab_wind;
    const double years = STEPS * p->slab_thickness * hop / (p->slab_settle_sand * p->flux);
    CHECK_OK(f.context, wadi_solver_advance(dunes, years));
    CHECK_OK(f.context, wadi_solver_finish(dunes));
    float* flux = test_malloc(CELLS * sizeof *flux);
    CHECK_OK(f.context, wadi_solver_map(dunes, "flux_x", flux));
    double* sand = test_malloc(CELLS * sizeof *sand);
    slab_figures figures = {0.0, 0.0};
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sand[i] = (double)wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, i % SIZE, i / SIZE) /
                  WADI_UNITS_PER_METRE;
        figures.flux += (double)flux[i] * years / CELLS;
    }
    figures.relief = statistics_relief(sand);
    test_free(sand);
    test_free(flux);
    wadi_solver_destroy(dunes);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return figures;
}

static double statistics_compare(const char* name, const double* ours, const double* plain)
{
    const moments a = moments_of(ours, SEEDS, 2);
    const moments b = moments_of(plain, SEEDS, 2);
    const double errors = fabs(a.mean - b.mean) / sqrt(a.variance + b.variance);
    print_message("%s: %.4f, plain %.4f, %.1f standard errors apart\n", name, a.mean, b.mean,
                  errors);
    return errors;
}

// Compare the library and the plain version, each over ten seeds.
static void statistics_agree(int32_t turns)
{
    const wadi_dunes_params params = statistics_params(turns);
    slab_figures ours[SEEDS];
    slab_figures plain[SEEDS];
    for (int32_t i = 0; i < SEEDS; ++i)
    {
        ours[i] = statistics_ours(&params, 100u + (uint32_t)i);
        plain[i] = statistics_plain(&params, 200u + (uint32_t)i);
    }
    const double relief = statistics_compare("relief [m]", &ours[0].relief, &plain[0].relief);
    const double flux = statistics_compare("sand x way [m2]", &ours[0].flux, &plain[0].flux);
    assert_true(relief <= 3.0);
    assert_true(flux <= 3.0);
}

static void slabs_in_turns_agree_with_the_plain_version(void** state)
{
    (void)state;
    statistics_agree(8);
}

static void slabs_agree_with_the_plain_version(void** state)
{
    (void)state;
    statistics_agree(wadi_dunes_params_default().slab_turns);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slabs_in_turns_agree_with_the_plain_version),
    };
    const struct CMUnitTest gaps[] = {
        cmocka_unit_test(slabs_agree_with_the_plain_version),
    };
    (void)argv;
    return argc > 1 ? cmocka_run_group_tests(gaps, NULL, NULL)
                    : cmocka_run_group_tests(tests, NULL, NULL);
}
