// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 6
// Grains in batches compared with grains one after another under the same law, on 10 seeds of sand
// from noise, with the constants of the article and of its released code: lifted, deposited and
// exported sand and remaining relief agree.
#include "support/grain_run.h"
#include "support/moments.h"

#include "article_wind.h"

enum
{
    SIZE = 128,
    CELLS = SIZE * SIZE,
    SEEDS = 10
};

static const double grains_per_cell = 40.0;
static const double height = 80.0; // the article's 1 [cells]

typedef enum figure
{
    LIFTED,
    DEPOSITED,
    EXPORTED,
    RELIEF,
    FIGURES
} figure;

static const char* const figure_names[FIGURES] = {"lifted", "deposited", "exported", "relief"};

typedef struct sample
{
    double values[FIGURES]; // volumes in units of height x cells, relief in heights
} sample;

enum
{
    SAMPLE_DOUBLES = sizeof(sample) / sizeof(double)
};

static sample sample_serial(uint32_t seed, const article_wind_params* params)
{
    static float noise[CELLS];
    static double rock[CELLS];
    static double sand[CELLS];
    article_wind_noise(noise, SIZE, seed);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        rock[i] = 0.0;
        sand[i] = (double)noise[i];
    }
    const int64_t grains = (int64_t)(grains_per_cell * sqrt(2.0) * SIZE);
    const article_wind_outcome sum = article_blow_mended(rock, sand, SIZE, params, grains, seed);
    double low = sand[0];
    double high = sand[0];
    for (int32_t i = 1; i < CELLS; ++i)
    {
        low = fmin(low, sand[i]);
        high = fmax(high, sand[i]);
    }
    return (sample){{sum.lifted, sum.deposited, sum.exported, high - low}};
}

static sample sample_batches(uint32_t seed, const char* preset)
{
    const grain_job job = {SIZE, 1.0, grains_per_cell, seed, grain_preset(preset)};
    const grain_land_look look = grain_look(&job, NULL);
    return (sample){{look.flux / height, look.deposited / height, look.exported / height,
                     look.relief / height}};
}

static void compare(const char* preset, const article_wind_params* params)
{
    sample serial[SEEDS];
    sample batches[SEEDS];
    for (uint32_t i = 0; i < SEEDS; ++i)
    {
        serial[i] = sample_serial(i + 1, params);
        batches[i] = sample_batches(i + 1, preset);
    }
    for (int which = 0; which < FIGURES; ++which)
    {
        const moments a = moments_of(&serial[0].values[which], SEEDS, SAMPLE_DOUBLES);
        const moments b = moments_of(&batches[0].values[which], SEEDS, SAMPLE_DOUBLES);
        print_message("%s, %s: serial %.5g, batches %.5g, %+.1f %%\n", preset, figure_names[which],
                      a.mean, b.mean, 100.0 * (b.mean / a.mean - 1.0));
        CHECK_NEAR(b.mean, a.mean, 3.0 * sqrt(a.variance + b.variance));
        // closer than the scatter between seeds, because both run on the same ground
        CHECK_NEAR(b.mean / a.mean, 1.0, 0.06);
    }
}

static void batches_agree_with_the_text(void** state)
{
    (void)state;
    const article_wind_params params = article_wind_params_text();
    compare("paper", &params);
}

static void slow_batches_agree_with_the_release(void** state)
{
    (void)state;
    const article_wind_params params = article_wind_params_release();
    compare("paper-repo", &params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_agree_with_the_text),
        cmocka_unit_test(slow_batches_agree_with_the_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
