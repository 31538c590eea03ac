// SPDX-License-Identifier: MIT
// Row kernels of the ripples as plain loops, which compilers vectorize.
#include "maps/amplify/amplify_kernels.h"

#include <math.h>

// Waves weaken towards a defect, where their sum is 0: below this share of full strength.
static const float profile_whole = 0.55f;

static void amplify_row_wave(const amplify_wave* wave)
{
    const float across = wave->y * wave->y;
    const float start = wave->fy * wave->y;
    float* restrict re = wave->sums.re;
    float* restrict im = wave->sums.im;
    float* restrict weight = wave->sums.weight;
    float* restrict size = wave->sums.size;
    const amplify_wave w = *wave;
#pragma omp simd
    for (int32_t i = 0; i < w.count; ++i)
    {
        const float x = w.x + (float)i * w.step;
        float cosine;
        float sine;
        amplify_circle(start + w.fx * x, &cosine, &sine);
        const float far = 1.0f - (x * x + across) * w.per_area;
        const float near = far > 0.0f ? far * far : 0.0f;
        re[i] += near * (w.re * cosine - w.im * sine);
        im[i] += near * (w.im * cosine + w.re * sine);
        weight[i] += near;
        size[i] += near * w.size;
    }
}

// Angle of a vector in turns, within [-1/2, 1/2]; minimax polynomial, error 1e-7.
static inline float profile_turns(float x, float y)
{
    const float ax = x < 0.0f ? -x : x;
    const float ay = y < 0.0f ? -y : y;
    const float most = ax > ay ? ax : ay;
    const float least = ax > ay ? ay : ax;
    const float t = least / (most > 1e-30f ? most : 1e-30f);
    const float u = t * t;
    float a = 1.245464294e-3f;
    a = a * u - 5.872599240e-3f;
    a = a * u + 1.332788267e-2f;
    a = a * u - 2.145473187e-2f;
    a = a * u + 3.163979922e-2f;
    a = a * u - 5.304057240e-2f;
    a = a * u + 1.591548361e-1f;
    a = a * t;
    a = ay > ax ? 0.25f - a : a;
    a = x < 0.0f ? 0.5f - a : a;
    return y < 0.0f ? -a : a;
}

static inline float profile_smooth(float t)
{
    return t * t * (3.0f - 2.0f * t);
}

static void amplify_row_profile(const amplify_profile* profile)
{
    const float* restrict re = profile->sums.re;
    const float* restrict im = profile->sums.im;
    const float* restrict weight = profile->sums.weight;
    const float* restrict size = profile->sums.size;
    float* restrict out = profile->out;
    const float windward = 1.0f / profile->crest;
    const float lee = 1.0f / (1.0f - profile->crest);
    const float crest = profile->crest;
    const int32_t count = profile->count;
#pragma omp simd
    for (int32_t i = 0; i < count; ++i)
    {
        const float turns = profile_turns(re[i], im[i]);
        const float phase = turns < 0.0f ? turns + 1.0f : turns;
        const float rise = phase < crest ? phase * windward : (1.0f - phase) * lee;
        const float per = 1.0f / (weight[i] > 1e-12f ? weight[i] : 1e-12f);
        const float strength = sqrtf(re[i] * re[i] + im[i] * im[i]) * per / profile_whole;
        const float whole = profile_smooth(strength < 1.0f ? strength : 1.0f);
        out[i] = size[i] * per * whole * (profile_smooth(rise) - 0.5f);
    }
}

#define AMPLIFY_KERNELS                                                                            \
    {                                                                                              \
        amplify_row_wave, amplify_row_profile                                                      \
    }

const amplify_kernels WADI_ISA_BUILD(amplify_kernels) = AMPLIFY_KERNELS;
