// SPDX-License-Identifier: MIT
#include "core/dmath.h"

#include <math.h>

static double dmath_scale(double x, int exponent)
{
    // 2^exponent built from bits, in two factors so that subnormal results round once
    const int half = exponent / 2;
    const uint64_t a = (uint64_t)(1023 + half) << 52;
    const uint64_t b = (uint64_t)(1023 + exponent - half) << 52;
    double fa;
    double fb;
    memcpy(&fa, &a, sizeof fa);
    memcpy(&fb, &b, sizeof fb);
    return x * fa * fb;
}

double wadi_exp(double x)
{
    if (!(x > -745.0))
    {
        return x < 0.0 ? 0.0 : x; // underflow, or NaN
    }
    if (x > 709.0)
    {
        x = 709.0;
    }

    // x = n ln 2 + r, |r| <= 0.347; ln 2 in two parts so that n * high is exact
    const double n = floor(x * 1.4426950408889634074 + 0.5);
    const double r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;

    // Taylor series to r^13: the next term is below 4e-18
    double p = 1.0 / 6227020800.0;
    static const double inverse[] = {1.0 / 479001600.0,
                                     1.0 / 39916800.0,
                                     1.0 / 3628800.0,
                                     1.0 / 362880.0,
                                     1.0 / 40320.0,
                                     1.0 / 5040.0,
                                     1.0 / 720.0,
                                     1.0 / 120.0,
                                     1.0 / 24.0,
                                     1.0 / 6.0,
                                     0.5,
                                     1.0,
                                     1.0};
    for (int i = 0; i < 13; ++i)
    {
        p = p * r + inverse[i];
    }
    return dmath_scale(p, (int)n);
}

double wadi_log(double x)
{
    if (!(x > 0.0))
    {
        return (double)-INFINITY;
    }

    // x = m 2^e with m in [sqrt(1/2), sqrt(2)); subnormals are lifted first
    int shift = 0;
    if (x < 2.2250738585072014e-308)
    {
        x *= 0x1p54;
        shift = -54;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023 + shift;
    bits = (bits & 0x000FFFFFFFFFFFFFu) | 0x3FF0000000000000u;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951)
    {
        m *= 0.5;
        exponent += 1;
    }

    // ln m = 2 atanh(s) = 2 (s + s^3/3 + ...), s = (m-1)/(m+1), s^2 <= 0.0295: 12 terms
    const double s = (m - 1.0) / (m + 1.0);
    const double s2 = s * s;
    double p = 0.0;
    for (int k = 23; k >= 1; k -= 2)
    {
        p = p * s2 + 1.0 / (double)k;
    }
    const double e = (double)exponent;
    return e * 6.93147180369123816490e-01 + (2.0 * s * p + e * 1.90821492927058770002e-10);
}

double wadi_pow(double x, double y)
{
    return x > 0.0 ? wadi_exp(y * wadi_log(x)) : (y == 0.0 ? 1.0 : 0.0);
}

// sin(r) and cos(r) for |r| <= pi/4, Taylor to r^17 and r^16.
static double dmath_sin_core(double r)
{
    const double r2 = r * r;
    double p = 0.0;
    for (int k = 16; k >= 2; k -= 2)
    {
        p = (1.0 + p) * (-r2 / (double)(k * (k + 1)));
    }
    return r + r * p;
}

static double dmath_cos_core(double r)
{
    const double r2 = r * r;
    double p = 0.0;
    for (int k = 18; k >= 2; k -= 2)
    {
        p = (1.0 + p) * (-r2 / (double)(k * (k - 1)));
    }
    return 1.0 + p;
}

// Quadrant of x and the remainder, with pi/2 in three parts (Cody & Waite 1980).
static int dmath_quadrant(double x, double* rest)
{
    const double n = floor(x * 6.36619772367581382433e-01 + 0.5);
    *rest = ((x - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11) -
            n * 2.02226624879595063154e-21;
    return (int)((int64_t)n & 3);
}

double wadi_sin(double x)
{
    double r;
    const int quadrant = dmath_quadrant(x, &r);
    const double value = (quadrant & 1) != 0 ? dmath_cos_core(r) : dmath_sin_core(r);
    return (quadrant & 2) != 0 ? -value : value;
}

double wadi_cos(double x)
{
    double r;
    const int quadrant = dmath_quadrant(x, &r);
    const double value = (quadrant & 1) != 0 ? dmath_sin_core(r) : dmath_cos_core(r);
    return quadrant == 1 || quadrant == 2 ? -value : value;
}

// atan(x) for 0 <= x <= 1: halve the angle twice, then the series; x^2 <= 0.0396: 13 terms.
static double dmath_atan_core(double x)
{
    x = x / (1.0 + sqrt(1.0 + x * x));
    x = x / (1.0 + sqrt(1.0 + x * x));
    const double x2 = x * x;
    double p = 0.0;
    for (int k = 25; k >= 1; k -= 2)
    {
        p = 1.0 / (double)k - p * x2;
    }
    return 4.0 * x * p;
}

double wadi_atan2(double y, double x)
{
    const double ax = fabs(x);
    const double ay = fabs(y);
    if (ax == 0.0 && ay == 0.0)
    {
        return 0.0;
    }
    double angle =
        ay <= ax ? dmath_atan_core(ay / ax) : 1.57079632679489661923 - dmath_atan_core(ax / ay);
    angle = x < 0.0 ? 3.14159265358979323846 - angle : angle;
    return y < 0.0 ? -angle : angle;
}
