// SPDX-License-Identifier: MIT
// Colours in linear light, and their conversion to and from sRGB.
#pragma once

#include <wadi/render.h>

typedef struct rgb
{
    float r;
    float g;
    float b;
} rgb;

static inline rgb rgb_scale(rgb a, float s)
{
    return (rgb){a.r * s, a.g * s, a.b * s};
}

static inline rgb rgb_add(rgb a, rgb b)
{
    return (rgb){a.r + b.r, a.g + b.g, a.b + b.b};
}

static inline rgb rgb_times(rgb a, rgb b)
{
    return (rgb){a.r * b.r, a.g * b.g, a.b * b.b};
}

static inline rgb rgb_mix(rgb a, rgb b, float share)
{
    return (rgb){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g), a.b + share * (b.b - a.b)};
}

// Two comparisons without a branch, each of which is one instruction. NaN becomes `low`.
static inline float clamp(float x, float low, float high)
{
    const float least = x > low ? x : low;
    return least < high ? least : high;
}

static inline float clamp01(float x)
{
    return clamp(x, 0.0f, 1.0f);
}

// 0 below `from`, 1 above `to`, smooth between. The inverse of constant limits is a constant.
static inline float smooth(float from, float to, float x)
{
    const float t = clamp01((x - from) * (1.0f / (to - from)));
    return t * t * (3.0f - 2.0f * t);
}

// Linear colour of 0xRRGGBB.
rgb wadi_rgb_of_hex(uint32_t hex);

// Linear up to 0.6, then a shoulder that approaches 1: bright sand and snow keep their shading, mid
// tones their colour.
static inline float rgb_shoulder(float x)
{
    const float over = x - 0.6f;
    return over > 0.0f ? 0.6f + 0.4f * over / (over + 0.4f) : x;
}

// Tone mapping. Applied to each sample before averaging, so that edges against bright sky stay
// smooth.
static inline rgb rgb_tone(rgb light)
{
    return (rgb){rgb_shoulder(light.r), rgb_shoulder(light.g), rgb_shoulder(light.b)};
}

// Write pixels as sRGB; the number of the first one seeds a dither that hides bands in skies.
void wadi_rgb_encode(const rgb* colours, uint32_t pixel, int32_t count, uint8_t* out);

// Colour of a ramp at `share` in [0, 1].
rgb wadi_rgb_ramp(wadi_render_ramp ramp, float share);
