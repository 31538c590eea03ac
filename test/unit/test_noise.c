// SPDX-License-Identifier: MIT
#include "support/check.h"

#include <stdlib.h>

#include <wadi/synthesis.h>

enum
{
    SIZE = 256
};

static wadi_context* context_with(int32_t threads)
{
    wadi_context_def def = wadi_context_def_default();
    def.threads = threads;
    wadi_context* context = NULL;
    CHECK_OK(context, wadi_context_create(&def, &context));
    return context;
}

static float* noise(wadi_context* context, const wadi_noise_params* params, uint64_t seed,
                    int32_t width, int32_t height, double cell)
{
    float* out = malloc((size_t)width * (size_t)height * sizeof *out);
    assert_non_null(out);
    CHECK_OK(context, wadi_noise_fill(context, params, seed, width, height, cell, out));
    return out;
}

static uint64_t hash_of(const float* values, size_t count)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hash = (hash ^ bits) * 0x100000001B3u;
    }
    return hash;
}

// The lowest cell is exactly base and the highest base + relief, for every kind.
static void noise_fills_its_range(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    for (int32_t kind = 0; kind < WADI_NOISE_COUNT; ++kind)
    {
        wadi_noise_params params = wadi_noise_params_default();
        params.kind = kind;
        params.base = 412.3;
        params.relief = 1777.7;
        float* out = noise(context, &params, 3, 131, 77, 60.0);
        float low = out[0];
        float high = out[0];
        for (int32_t i = 0; i < 131 * 77; ++i)
        {
            low = fminf(low, out[i]);
            high = fmaxf(high, out[i]);
        }
        assert_true(low == 412.3f);
        assert_true(high == (float)(412.3 + 1777.7));
        free(out);
    }
    wadi_context_destroy(context);
}

// Golden: the bits are the same for any thread count, compiler and optimisation level.
static void noise_is_deterministic(void** state)
{
    (void)state;
    static const uint64_t golden[2][WADI_NOISE_COUNT] = {
        {0x437896C23F47A14Au, 0xD7677A1692D81269u, 0x44C030BB74EA025Au},
        {0x739F30E53F0A0071u, 0xDF47E6EF801DA182u, 0xE9A0F999EDAA6257u}};
    static const int32_t threads[] = {1, 2, 3, 8};
    for (int t = 0; t < 4; ++t)
    {
        wadi_context* context = context_with(threads[t]);
        for (int32_t kind = 0; kind < WADI_NOISE_COUNT; ++kind)
        {
            for (int tile = 0; tile < 2; ++tile)
            {
                wadi_noise_params params = wadi_noise_params_default();
                params.kind = kind;
                params.relief = 1800.0; // independent of the default
                params.tileable = tile == 1;
                float* out = noise(context, &params, 42, 300, 61, 30.0);
                const uint64_t hash = hash_of(out, 300 * 61);
                if (hash != golden[tile][kind])
                {
                    fail_msg("kind %d tile %d: hash 0x%016llXu", (int)kind, tile,
                             (unsigned long long)hash);
                }
                free(out);
            }
        }
        wadi_context_destroy(context);
    }
}

static void noise_depends_on_the_seed(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    const wadi_noise_params params = wadi_noise_params_default();
    float* a = noise(context, &params, 1, 64, 64, 120.0);
    float* b = noise(context, &params, (uint64_t)1 << 32 | 1u, 64, 64, 120.0);
    double product = 0.0;
    double squares[2] = {0.0, 0.0};
    for (int i = 0; i < 64 * 64; ++i)
    {
        const double x = (double)a[i] - 900.0;
        const double y = (double)b[i] - 900.0;
        product += x * y;
        squares[0] += x * x;
        squares[1] += y * y;
    }
    assert_true(fabs(product) < 0.5 * sqrt(squares[0] * squares[1]));
    free(a);
    free(b);
    wadi_context_destroy(context);
}

// Power of wave k along the rows, summed over all rows.
static double row_power(const float* field, int k)
{
    double power = 0.0;
    for (int row = 0; row < SIZE; ++row)
    {
        double re = 0.0;
        double im = 0.0;
        for (int i = 0; i < SIZE; ++i)
        {
            const double angle = 6.283185307179586 * k * i / SIZE;
            re += (double)field[row * SIZE + i] * cos(angle);
            im += (double)field[row * SIZE + i] * sin(angle);
        }
        power += re * re + im * im;
    }
    return power;
}

// A sum of octaves with gain 2^-H has the spectrum of fractional Brownian motion: along a line the
// power falls as k^-(2H + 1).
static void fbm_has_its_spectrum(void** state)
{
    (void)state;
    static const double hurst[] = {0.5, 0.75, 1.0};
    wadi_context* context = context_with(2);
    for (int h = 0; h < 3; ++h)
    {
        wadi_noise_params params = wadi_noise_params_default();
        params.tileable = true; // periodic, so the sum over rows is the spectrum without a window
        params.gain = pow(2.0, -hurst[h]);
        params.wavelength = SIZE * 30.0 / 2.0;
        double slope = 0.0;
        for (uint64_t seed = 1; seed <= 4; ++seed)
        {
            float* field = noise(context, &params, seed, SIZE, SIZE, 30.0);
            double sums[4] = {0.0, 0.0, 0.0, 0.0};
            for (int k = 5; k <= 40; ++k)
            {
                const double x = log(k);
                const double y = log(row_power(field, k));
                const double weight = 1.0 / k; // equal weight per octave
                sums[0] += weight;
                sums[1] += weight * x;
                sums[2] += weight * y;
                sums[3] += weight * x * y;
            }
            double xx = 0.0;
            for (int k = 5; k <= 40; ++k)
            {
                const double x = log(k) - sums[1] / sums[0];
                xx += x * x / k;
            }
            slope += 0.25 * (sums[3] - sums[1] * sums[2] / sums[0]) / xx;
            free(field);
        }
        CHECK_NEAR(slope, -(2.0 * hurst[h] + 1.0), 0.3);
    }
    wadi_context_destroy(context);
}

// A tileable field is seamless: the step across the border is like any other, and a grid of twice
// the extent repeats it exactly where cells coincide.
static void tileable_noise_wraps(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    for (int32_t kind = 0; kind < WADI_NOISE_COUNT; ++kind)
    {
        wadi_noise_params params = wadi_noise_params_default();
        params.tileable = true;
        params.kind = kind;
        params.octaves = 3;
        float* field = noise(context, &params, 9, 96, 80, 150.0);
        double inside = 0.0;
        double across = 0.0;
        for (int row = 0; row < 80; ++row)
        {
            for (int i = 0; i < 96; ++i)
            {
                const double step =
                    fabs((double)field[row * 96 + i] - (double)field[row * 96 + (i + 1) % 96]);
                inside = i < 95 ? fmax(inside, step) : inside;
                across = i == 95 ? fmax(across, step) : across;
            }
        }
        assert_true(across <= inside);
        free(field);
    }
    wadi_context_destroy(context);
}

// The same hills at twice the cell size: the mean of 2 x 2 cells is the coarse field.
static void noise_is_the_same_at_any_resolution(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    for (int32_t kind = 0; kind < WADI_NOISE_COUNT; ++kind)
    {
        wadi_noise_params params = wadi_noise_params_default();
        params.kind = kind;
        float* fine = noise(context, &params, 5, 2 * SIZE, 2 * SIZE, 30.0);
        float* coarse = noise(context, &params, 5, SIZE, SIZE, 60.0);
        double square = 0.0;
        for (int y = 0; y < SIZE; ++y)
        {
            for (int x = 0; x < SIZE; ++x)
            {
                const float* f = fine + 4 * y * SIZE + 2 * x;
                const double mean = 0.25 * ((double)f[0] + (double)f[1] + (double)f[2 * SIZE] +
                                            (double)f[2 * SIZE + 1]);
                const double difference = mean - (double)coarse[y * SIZE + x];
                square += difference * difference;
            }
        }

        // measured: 4 m (fbm), 8 m (ridged) of 1800 m relief
        assert_true(sqrt(square) / SIZE < 0.01 * params.relief);
        free(fine);
        free(coarse);
    }
    wadi_context_destroy(context);
}

// Slopes are isotropic: no harmonic of the aspect at 90 or 45 degrees stands out.
static void noise_has_no_grain(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    for (int32_t kind = 0; kind < WADI_NOISE_COUNT; ++kind)
    {
        double harmonic[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
        double count = 0.0;
        for (uint64_t seed = 1; seed <= 10; ++seed)
        {
            wadi_noise_params params = wadi_noise_params_default();
            params.kind = kind;
            float* f = noise(context, &params, seed, SIZE, SIZE, 60.0);
            for (int y = 1; y + 1 < SIZE; ++y)
            {
                for (int x = 1; x + 1 < SIZE; ++x)
                {
                    const float* c = f + y * SIZE + x;
                    const double angle =
                        atan2((double)(c[SIZE] - c[-SIZE]), (double)(c[1] - c[-1]));
                    harmonic[0][0] += cos(4.0 * angle);
                    harmonic[0][1] += sin(4.0 * angle);
                    harmonic[1][0] += cos(8.0 * angle);
                    harmonic[1][1] += sin(8.0 * angle);
                    count += 1.0;
                }
            }
            free(f);
        }
        assert_true(hypot(harmonic[0][0], harmonic[0][1]) / count < 0.02);
        assert_true(hypot(harmonic[1][0], harmonic[1][1]) / count < 0.02);
    }
    wadi_context_destroy(context);
}

static void small_grids_are_filled(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    const wadi_noise_params params = wadi_noise_params_default();
    float* one = noise(context, &params, 1, 1, 1, 30.0);
    assert_true(one[0] == (float)params.base);
    float* six = noise(context, &params, 1, 2, 3, 30.0);
    assert_true(isfinite(six[5]));
    free(one);
    free(six);
    assert_int_equal(wadi_memory_used(context), 0);
    wadi_context_destroy(context);
}

static void bad_parameters_are_refused(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    float out[4];
    wadi_noise_params params = wadi_noise_params_default();
    params.octaves = 0;
    CHECK_FAILS(context, WADI_ERROR_RANGE, "octaves",
                wadi_noise_fill(context, &params, 1, 2, 2, 30.0, out));
    params = wadi_noise_params_default();
    params.gain = (double)NAN;
    CHECK_FAILS(context, WADI_ERROR_RANGE, "gain",
                wadi_noise_fill(context, &params, 1, 2, 2, 30.0, out));
    params = wadi_noise_params_default();
    params.cookie = 0;
    CHECK_FAILS(context, WADI_ERROR_PARAMS, "noise",
                wadi_noise_fill(context, &params, 1, 2, 2, 30.0, out));
    params = wadi_noise_params_default();
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "0 x 2",
                wadi_noise_fill(context, &params, 1, 0, 2, 30.0, out));
    CHECK_FAILS(context, WADI_ERROR_RANGE, "cell size",
                wadi_noise_fill(context, &params, 1, 2, 2, 0.0, out));
    CHECK_FAILS(context, WADI_ERROR_RANGE, "9000",
                wadi_noise_fill(context, &params, 1, 2, 2, 4500.0, out));
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "NULL",
                wadi_noise_fill(context, &params, 1, 2, 2, 30.0, NULL));
    params.base = 32000.0;
    CHECK_FAILS(context, WADI_ERROR_RANGE, "32767",
                wadi_noise_fill(context, &params, 1, 2, 2, 30.0, out));
    wadi_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_fills_its_range),
        cmocka_unit_test(noise_is_deterministic),
        cmocka_unit_test(noise_depends_on_the_seed),
        cmocka_unit_test(fbm_has_its_spectrum),
        cmocka_unit_test(tileable_noise_wraps),
        cmocka_unit_test(noise_is_the_same_at_any_resolution),
        cmocka_unit_test(noise_has_no_grain),
        cmocka_unit_test(small_grids_are_filled),
        cmocka_unit_test(bad_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
