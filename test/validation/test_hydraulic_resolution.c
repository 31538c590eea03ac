// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 11
// One terrain at 256, 512 and 1024 cells a side: the same rain changes it alike.
#include "support/fixture.h"
#include "support/parcels.h"

#include <stdlib.h>

enum
{
    FINEST = 1024,
    COARSEST = 256
};

static const double EXTENT = 15360.0; // m

// Mean over blocks of `factor` x `factor` cells.
static float* average(const float* fine, int32_t side, int32_t factor)
{
    const int32_t small = side / factor;
    float* out = calloc((size_t)small * (size_t)small, sizeof *out);
    for (int32_t y = 0; y < side; ++y)
    {
        for (int32_t x = 0; x < side; ++x)
        {
            out[(y / factor) * small + x / factor] += fine[y * side + x] / (float)(factor * factor);
        }
    }
    return out;
}

static float* finest_noise(fixture* f)
{
    wadi_noise_params params = wadi_noise_params_default();
    float* out = malloc((size_t)FINEST * FINEST * sizeof *out);
    CHECK_OK(f->context,
             wadi_noise_fill(f->context, &params, 2, FINEST, FINEST, EXTENT / FINEST, out));
    return out;
}

// Change of the surface after the default run [m], averaged to COARSEST cells a side.
static float* change_at(fixture* f, const float* noise, int32_t side)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = side;
    def.height = side;
    def.cell_size = EXTENT / side;
    def.seed = 2;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    float* heights = average(noise, FINEST, FINEST / side);
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, side));
    const wadi_hydraulic_params params = parcels_params();
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    CHECK_OK(f->context, wadi_solver_advance(solver, parcels_years()));
    wadi_view view;
    CHECK_OK(f->context, wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view));
    for (int64_t i = 0; i < (int64_t)side * side; ++i)
    {
        heights[i] = view.data[i] - heights[i];
    }
    CHECK_OK(f->context, wadi_terrain_release(terrain, WADI_LAYER_SURFACE));
    float* out = average(heights, side, side / COARSEST);
    free(heights);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    return out;
}

static double mean_of(const float* values)
{
    double sum = 0.0;
    for (int32_t i = 0; i < COARSEST * COARSEST; ++i)
    {
        sum += (double)values[i];
    }
    return sum / (COARSEST * COARSEST);
}

static double correlation(const float* a, const float* b)
{
    const double mean_a = mean_of(a);
    const double mean_b = mean_of(b);
    double ab = 0.0;
    double aa = 0.0;
    double bb = 0.0;
    for (int32_t i = 0; i < COARSEST * COARSEST; ++i)
    {
        const double da = (double)a[i] - mean_a;
        const double db = (double)b[i] - mean_b;
        ab += da * db;
        aa += da * da;
        bb += db * db;
    }
    return ab / sqrt(aa * bb);
}

static void three_resolutions_agree(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    float* noise = finest_noise(&f);
    float* change[3] = {change_at(&f, noise, 256), change_at(&f, noise, 512),
                        change_at(&f, noise, 1024)};
    for (int i = 0; i < 2; ++i)
    {
        const double r = correlation(change[i], change[2]);
        const double ratio = mean_of(change[i]) / mean_of(change[2]);
        print_message("%d cells against 1024: correlation %.4f, mean change %.3f\n", 256 << i, r,
                      ratio);
        assert_true(r >= 0.98);
        assert_true(fabs(ratio - 1.0) <= 0.08);
    }
    for (int i = 0; i < 3; ++i)
    {
        free(change[i]);
    }
    free(noise);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(three_resolutions_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
