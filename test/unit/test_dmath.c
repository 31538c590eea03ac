// SPDX-License-Identifier: MIT
// Deterministic functions against the C library in long double, and the proof that the compiler
// does not contract a * b + c into one rounding.
#include "support/check.h"

#include "core/dmath.h"
#include "core/float_order.h"

#include <float.h>

typedef double unary(double x);
typedef long double unary_exact(long double x);

// Largest error over `count` points spread evenly over [low, high], relative to max(|exact|,
// least).
static double worst_error(unary* f, unary_exact* exact, double low, double high, double least)
{
    enum
    {
        COUNT = 100000
    };
    double worst = 0.0;
    for (int i = 0; i <= COUNT; ++i)
    {
        const double x = low + (high - low) * i / COUNT;
        const long double want = exact((long double)x);
        const long double scale = fmaxl(fabsl(want), (long double)least);
        const double error = (double)(fabsl((long double)f(x) - want) / scale);
        worst = error > worst ? error : worst;
    }
    return worst;
}

// Measured: exp 1.8e-16, log 3.9e-16 near 1, sin and cos 1.7e-16.
static void double_functions_keep_their_bounds(void** state)
{
    (void)state;
    assert_true(worst_error(wadi_exp, expl, -700.0, 700.0, 0.0) < 5e-16);
    assert_true(worst_error(wadi_log, logl, 1e-6, 1.0, 1e-3) < 8e-16);
    assert_true(worst_error(wadi_log, logl, 1.0, 1e9, 1e-3) < 8e-16);
    assert_true(worst_error(wadi_sin, sinl, -10.0, 10.0, 1.0) < 4e-16);
    assert_true(worst_error(wadi_cos, cosl, -10.0, 10.0, 1.0) < 4e-16);
#if !defined(_WIN32) // whose sinl and cosl use pi to 66 bits
    assert_true(worst_error(wadi_sin, sinl, -1e6, 1e6, 1.0) < 4e-16);
    assert_true(worst_error(wadi_cos, cosl, -1e6, 1e6, 1.0) < 4e-16);
#endif
}

// Measured: 1.8e-15.
static void powers_keep_their_bound(void** state)
{
    (void)state;
    for (int i = 1; i <= 1000; ++i)
    {
        for (int j = -20; j <= 20; ++j)
        {
            const double x = 0.037 * i;
            const double y = 0.173 * j;
            const double want = (double)powl((long double)x, (long double)y);
            CHECK_NEAR(wadi_pow(x, y) / want, 1.0, 5e-15);
        }
    }
}

static void angles_keep_their_bound(void** state)
{
    (void)state;
    for (int i = 0; i < 36000; ++i)
    {
        const double a = (i - 18000) * 3.14159265358979 / 18000.0;
        const double y = 3.0 * sin(a);
        const double x = 3.0 * cos(a);
        CHECK_NEAR(wadi_atan2(y, x), (double)atan2l((long double)y, (long double)x), 1e-15);
    }
    assert_true(wadi_atan2(0.0, 0.0) == 0.0);
    CHECK_NEAR(wadi_atan2(0.0, -1.0), 3.14159265358979323846, 1e-15);
    CHECK_NEAR(wadi_atan2(1.0, 0.0), 1.57079632679489661923, 1e-15);
}

static void ends_of_the_range(void** state)
{
    (void)state;
    assert_true(wadi_exp(0.0) == 1.0);
    assert_true(wadi_exp(-800.0) == 0.0);
    assert_true(wadi_exp(-740.0) > 0.0 && wadi_exp(-740.0) < DBL_MIN); // subnormal
    assert_true(isfinite(wadi_exp(800.0)));
    assert_true(isnan(wadi_exp((double)NAN)));
    assert_true(wadi_log(1.0) == 0.0);
    assert_true(isinf(wadi_log(0.0)) && wadi_log(0.0) < 0.0);
    CHECK_NEAR(wadi_log(0x1p-1074), -744.44007192138126, 1e-12);
    assert_true(wadi_pow(0.0, 2.0) == 0.0);
    assert_true(wadi_pow(0.0, 0.0) == 1.0);
    assert_true(wadi_sin(0.0) == 0.0);
    assert_true(wadi_cos(0.0) == 1.0);
}

// Measured: exp2f 9.2e-8, log2f 6.8e-8.
static void float_functions_keep_their_bounds(void** state)
{
    (void)state;
    double exp_worst = 0.0;
    double log_worst = 0.0;
    for (int i = 0; i <= 100000; ++i)
    {
        const float x = -30.0f + 60.0f * (float)i / 100000.0f;
        const double e = (double)wadi_exp2f(x) / exp2((double)x) - 1.0;
        exp_worst = fmax(exp_worst, fabs(e));
        const float v = 1e-3f + 1e3f * (float)i / 100000.0f;
        const double l = (double)wadi_log2f(v) - log2((double)v);
        log_worst = fmax(log_worst, fabs(l) / fmax(1.0, fabs(log2((double)v))));
    }
    assert_true(exp_worst < 2e-7);
    assert_true(log_worst < 2e-7);
    assert_true(wadi_exp2f(-1000.0f) > 0.0f);
    assert_true(isfinite(wadi_exp2f(1000.0f)));
    CHECK_NEAR((double)wadi_powf(2.5f, 0.55f), pow(2.5, 0.55), 1e-6);
    CHECK_NEAR((double)wadi_expf(-1.5f), exp(-1.5), 1e-6);
}

// (1 + e)(1 - e) rounds to 1 when e^2 is below half a unit in the last place; a fused multiply-add
// keeps -e^2. The operands are volatile so that nothing is folded at compile time.
static void nothing_is_contracted(void** state)
{
    (void)state;
    volatile double a = 1.0 + 0x1p-27;
    volatile double b = 1.0 - 0x1p-27;
    volatile double c = -1.0;
    const double x = a;
    const double y = b;
    const double z = c;
    assert_true(x * y + z == 0.0);
    assert_true(fma(x, y, z) != 0.0);

    volatile float fa = 1.0f + 0x1p-13f;
    volatile float fb = 1.0f - 0x1p-13f;
    const float u = fa;
    const float v = fb;
    assert_true(u * v - 1.0f == 0.0f);
}

// Vectors turned by an angle: compilers may fuse these products where they do not fuse others.
static void rotations_are_not_contracted(void** state)
{
    (void)state;
    double from[64];
    double to[64];
    for (int i = 0; i < 64; ++i)
    {
        from[i] = wadi_sin((double)i);
    }
    volatile double c = 0.8;
    volatile double s = 0.6;
    const double cosine = c;
    const double sine = s;
    for (int i = 0; i < 64; i += 2)
    {
        to[i] = from[i] * cosine - from[i + 1] * sine;
        to[i + 1] = from[i + 1] * cosine + from[i] * sine;
    }
    for (int i = 0; i < 64; i += 2)
    {
        volatile double products[] = {from[i] * c, from[i + 1] * s, from[i + 1] * c, from[i] * s};
        assert_true(to[i] == products[0] - products[1]);
        assert_true(to[i + 1] == products[2] + products[3]);
    }
}

// Whole numbers that stand for floats have the order of these, -0 that of 0, and turn back into
// them.
static void floats_keep_their_order(void** state)
{
    (void)state;
    const float values[] = {-INFINITY, -3e38f, -2.0f,  -1.0f, -1e-30f, -1e-42f, -0.0f,
                            0.0f,      1e-42f, 1e-30f, 1.0f,  2.0f,    3e38f,   INFINITY};
    const int count = (int)(sizeof values / sizeof values[0]);
    for (int i = 0; i < count; ++i)
    {
        assert_true(wadi_float_of_order(wadi_order_of_float(values[i])) == values[i]);
        for (int j = 0; j < count; ++j)
        {
            const bool less = wadi_order_of_float(values[i]) < wadi_order_of_float(values[j]);
            assert_int_equal(less, values[i] < values[j]);
        }
    }
    assert_false(signbit(wadi_float_of_order(wadi_order_of_float(-0.0f))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_functions_keep_their_bounds),
        cmocka_unit_test(powers_keep_their_bound),
        cmocka_unit_test(angles_keep_their_bound),
        cmocka_unit_test(ends_of_the_range),
        cmocka_unit_test(float_functions_keep_their_bounds),
        cmocka_unit_test(nothing_is_contracted),
        cmocka_unit_test(rotations_are_not_contracted),
        cmocka_unit_test(floats_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
