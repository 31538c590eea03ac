// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 6
// Droplets in rounds compared with droplets one after another under the same law, on 10 seeds of
// the article's noise: erosion, deposition, export and remaining relief agree.
#include "processes/articles/droplets/droplet_state.h"
#include "support/fixture.h"
#include "support/moments.h"

#include "article_hydraulic.h"

enum
{
    SIZE = 128,
    CELLS = SIZE * SIZE,
    DROPLETS = CELLS / 2,
    SEEDS = 10
};

static const double cell_size = 10.0;
static const double unit = 600.0; // the article's height 1: 60 cells [m]

typedef enum figure
{
    ERODED,
    DEPOSITED,
    EXPORTED,
    RELIEF,
    FIGURES
} figure;

static const char* const figure_names[FIGURES] = {"eroded", "deposited", "exported", "relief"};

typedef struct sample
{
    double values[FIGURES]; // volumes in units of height x cells
    double wear;            // mean lowering of the ground
} sample;

enum
{
    SAMPLE_DOUBLES = sizeof(sample) / sizeof(double)
};

static double sample_relief(const float* heights)
{
    float low = heights[0];
    float high = heights[0];
    for (int32_t i = 1; i < CELLS; ++i)
    {
        low = fminf(low, heights[i]);
        high = fmaxf(high, heights[i]);
    }
    return (double)(high - low);
}

static double sample_wear(const float* before, const float* after)
{
    double sum = 0.0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sum += fmax(0.0, (double)(before[i] - after[i]));
    }
    return sum / CELLS;
}

static sample sample_serial(uint32_t seed)
{
    float before[CELLS];
    float heights[CELLS];
    article_noise(before, SIZE, seed);
    memcpy(heights, before, sizeof heights);
    const article_params params = article_params_default();
    const article_outcome sum = article_erode_mended(heights, SIZE, &params, DROPLETS, seed);
    return (sample){{sum.eroded, sum.deposited, sum.exported, sample_relief(heights)},
                    sample_wear(before, heights)};
}

static wadi_terrain* sample_terrain(fixture* f, const float* heights, uint32_t seed)
{
    float metres[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        metres[i] = heights[i] * (float)unit;
    }
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = cell_size;
    def.seed = seed;
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, metres, SIZE));
    return terrain;
}

static sample sample_read(wadi_terrain* terrain, const float* before)
{
    float after[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t level = wadi_terrain_units(terrain, WADI_LAYER_SURFACE, i % SIZE, i / SIZE);
        after[i] = (float)((double)level / WADI_UNITS_PER_METRE / unit);
    }
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    const wadi_ledger_row* sediment = &rows[WADI_MATERIAL_SEDIMENT];
    double out = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        out += sediment->out[side];
    }
    const double volume = unit * cell_size * cell_size;
    const double eroded = rows[WADI_MATERIAL_ROCK].eroded + sediment->eroded;
    return (sample){
        {eroded / volume, sediment->deposited / volume, out / volume, sample_relief(after)},
        sample_wear(before, after)};
}

static sample sample_rounds(uint32_t seed, double step)
{
    fixture f;
    fixture_open(&f, 2);
    float before[CELLS];
    article_noise(before, SIZE, seed);
    wadi_terrain* terrain = sample_terrain(&f, before, seed);
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.droplets_per_cell = (double)DROPLETS / CELLS;
    params.droplet_step = step;
    wadi_droplets* droplets;
    CHECK_OK(f.context, wadi_droplets_create(terrain, &params, 1.0, 1, &droplets));
    CHECK_OK(f.context, wadi_droplets_advance(droplets, &(wadi_span){.years = 1.0}));
    wadi_terrain_changed(terrain);
    fixture_check_ledger(terrain);
    assert_int_equal(wadi_droplets_work(droplets).droplets, DROPLETS);
    const sample result = sample_read(terrain, before);
    wadi_droplets_destroy(droplets);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return result;
}

static void rounds_agree_with_the_serial_law(void** state)
{
    (void)state;
    sample serial[SEEDS];
    sample rounds[SEEDS];
    for (uint32_t i = 0; i < SEEDS; ++i)
    {
        serial[i] = sample_serial(i + 1);
        rounds[i] = sample_rounds(i + 1, 1.2);
    }
    for (int which = 0; which < FIGURES; ++which)
    {
        const moments a = moments_of(&serial[0].values[which], SEEDS, SAMPLE_DOUBLES);
        const moments b = moments_of(&rounds[0].values[which], SEEDS, SAMPLE_DOUBLES);
        print_message("%s: serial %.4f, rounds %.4f, %+.1f %%\n", figure_names[which], a.mean,
                      b.mean, 100.0 * (b.mean / a.mean - 1.0));
        CHECK_NEAR(b.mean, a.mean, 3.0 * sqrt(a.variance + b.variance));
        // closer than the scatter between seeds, because both run on the same ground
        CHECK_NEAR(b.mean / a.mean, 1.0, 0.12);
    }
}

static void slow_half_the_step_is_the_same_wear(void** state)
{
    (void)state;
    double whole = 0.0;
    double half = 0.0;
    for (uint32_t seed = 1; seed <= 3; ++seed)
    {
        whole += sample_rounds(seed, 1.2).wear;
        half += sample_rounds(seed, 0.6).wear;
    }
    print_message("wear: %.5f at step 1.2, %.5f at 0.6\n", whole / 3.0, half / 3.0);
    CHECK_NEAR(half / whole, 1.0, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_agree_with_the_serial_law),
        cmocka_unit_test(slow_half_the_step_is_the_same_wear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
