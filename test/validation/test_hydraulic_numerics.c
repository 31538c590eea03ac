// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 11
// Numerics do not shape the land: batches and the orientation of the grid change little.
#include "support/hill_wear.h"
#include "support/parcels.h"

#include <stdlib.h>

enum
{
    BLOCK = 16, // cells over which change is averaged
    BLOCKS = HILL_SIDE / BLOCK
};

static void block_means(const float* wear, bool mirrored, double* out)
{
    memset(out, 0, BLOCKS * BLOCKS * sizeof *out);
    for (int32_t i = 0; i < HILL_CELLS; ++i)
    {
        const int32_t x = mirrored ? HILL_SIDE - 1 - i % HILL_SIDE : i % HILL_SIDE;
        out[i / HILL_SIDE / BLOCK * BLOCKS + x / BLOCK] += (double)wear[i] / (BLOCK * BLOCK);
    }
}

static double correlation(const double* a, const double* b, int32_t count)
{
    double sa = 0.0;
    double sb = 0.0;
    double saa = 0.0;
    double sbb = 0.0;
    double sab = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        sa += a[i];
        sb += b[i];
        saa += a[i] * a[i];
        sbb += b[i] * b[i];
        sab += a[i] * b[i];
    }
    return (count * sab - sa * sb) / sqrt((count * saa - sa * sa) * (count * sbb - sb * sb));
}

// Measured: 0.1-5.8 %. Seed 1 is in test_hydraulic_capture.c.
static void slow_more_batches_change_little(void** state)
{
    (void)state;
    for (uint32_t seed = 2; seed <= 6; ++seed)
    {
        hill_check_batches(seed, parcels_years());
    }
}

// An eighth of the years has an eighth of the batches. Measured: 2.1-7.5 %.
static void short_runs_change_little_too(void** state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 6; ++seed)
    {
        hill_check_batches(seed, 50000.0);
    }
}

static void mirrored_land_wears_alike(void** state)
{
    (void)state;
    const double years = parcels_years();
    const hill_run plainly = {1, years, 50, false};
    const hill_run turned = {1, years, 50, true};
    float* wear = malloc(HILL_CELLS * sizeof *wear);
    double plain[BLOCKS * BLOCKS];
    double mirrored[BLOCKS * BLOCKS];
    hill_wear(&plainly, wear);
    block_means(wear, false, plain);
    hill_wear(&turned, wear);
    block_means(wear, true, mirrored);
    const double alike = correlation(plain, mirrored, BLOCKS * BLOCKS);
    block_means(wear, false, mirrored); // the control: not turned back
    const double other = correlation(plain, mirrored, BLOCKS * BLOCKS);
    print_message("blocks correlate by %.3f, turned the wrong way by %.3f\n", alike, other);
    assert_true(alike > 0.95);
    assert_true(other < 0.95);
    free(wear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_more_batches_change_little),
        cmocka_unit_test(short_runs_change_little_too),
        cmocka_unit_test(mirrored_land_wears_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
