// SPDX-License-Identifier: MIT
// Deterministic elementary functions. They use + - * / and sqrt only, each correctly rounded by
// IEEE 754, so the bits do not depend on the C library, the compiler or the processor. Plain C that
// compilers vectorise. Double versions are good to about 1e-15 relative, float versions to about
// 2e-7; test/unit/test_dmath.c tests these bounds.
#pragma once

#include <stdint.h>
#include <string.h>

double wadi_exp(double x);
double wadi_log(double x);           // x > 0
double wadi_pow(double x, double y); // x > 0; 0^y = 0 for y > 0
double wadi_sin(double x);           // |x| <= 1e6
double wadi_cos(double x);
double wadi_atan2(double y, double x);

static inline float wadi_float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t wadi_bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// 2^x for float x; clamped to [-126, 126]. Cephes-style minimax polynomial on [-0.5, 0.5].
static inline float wadi_exp2f(float x)
{
    x = x < -126.0f ? -126.0f : x;
    x = x > 126.0f ? 126.0f : x;
    // round to nearest by the magic number 1.5 * 2^23: exact, branch-free, vectorises
    const float rounded = (x + 12582912.0f) - 12582912.0f;
    const float f = x - rounded;
    float p = 1.535336188319500e-4f;
    p = p * f + 1.339887440266574e-3f;
    p = p * f + 9.618437357674640e-3f;
    p = p * f + 5.550332471162809e-2f;
    p = p * f + 2.402264791363012e-1f;
    p = p * f + 6.931472028550421e-1f;
    p = p * f + 1.0f;
    return p * wadi_float_of_bits((uint32_t)((int32_t)rounded + 127) << 23);
}

// log2(x) for normal x > 0.
static inline float wadi_log2f(float x)
{
    const uint32_t bits = wadi_bits_of_float(x);
    // split at sqrt(1/2) so that the mantissa lies in [0.7071, 1.4142)
    const int32_t exponent = (int32_t)(bits - 0x3F3504F3u) >> 23;
    const float m = wadi_float_of_bits(bits - ((uint32_t)exponent << 23));
    const float t = (m - 1.0f) / (m + 1.0f);
    const float t2 = t * t;
    float p = 0.4349561800f;
    p = p * t2 + 0.5768015700f;
    p = p * t2 + 0.9617966939f;
    p = p * t2 + 2.8853900817f;
    return p * t + (float)exponent;
}

static inline float wadi_expf(float x)
{
    return wadi_exp2f(x * 1.44269504088896f);
}

// x^y for normal x > 0.
static inline float wadi_powf(float x, float y)
{
    return wadi_exp2f(y * wadi_log2f(x));
}
