// SPDX-License-Identifier: MIT
// The articles' starts: min/max normalised layers of gradient noise (Perlin 2002).
#include "article_hydraulic.h"
#include "article_wind.h"

#include <math.h>

typedef struct article_layers_of
{
    uint32_t octaves;
    float persistence;
} article_layers_of;

static const article_layers_of article_water_layers = {15, 0.6f};
static const article_layers_of article_wind_layers = {8, 0.5f};

static uint32_t article_hash(uint32_t x, uint32_t y, uint32_t seed)
{
    uint32_t h = seed ^ (x * 0x9E3779B1u) ^ (y * 0x85EBCA77u);
    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12)) * 0x297A2D39u;
    return h ^ (h >> 15);
}

// Component of one of eight lattice gradients along (dx, dy).
static float article_gradient(int32_t x, int32_t y, uint32_t seed, float dx, float dy)
{
    static const float directions[8][2] = {
        {1, 0},  {0.70710678f, 0.70710678f},   {0, 1},  {-0.70710678f, 0.70710678f},
        {-1, 0}, {-0.70710678f, -0.70710678f}, {0, -1}, {0.70710678f, -0.70710678f}};
    const float* d = directions[article_hash((uint32_t)x, (uint32_t)y, seed) & 7u];
    return d[0] * dx + d[1] * dy;
}

static float article_fade(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

static float article_perlin(float x, float y, uint32_t seed)
{
    const int32_t ix = (int32_t)floorf(x);
    const int32_t iy = (int32_t)floorf(y);
    const float fx = x - (float)ix;
    const float fy = y - (float)iy;
    const float a = article_gradient(ix, iy, seed, fx, fy);
    const float b = article_gradient(ix + 1, iy, seed, fx - 1.0f, fy);
    const float c = article_gradient(ix, iy + 1, seed, fx, fy - 1.0f);
    const float d = article_gradient(ix + 1, iy + 1, seed, fx - 1.0f, fy - 1.0f);
    const float u = article_fade(fx);
    const float top = a + u * (b - a);
    const float bottom = c + u * (d - c);
    return top + article_fade(fy) * (bottom - top);
}

static float article_layers(article_layers_of of, float x, float y, uint32_t seed)
{
    float sum = 0.0f;
    float amplitude = 1.0f;
    float frequency = 1.0f;
    for (uint32_t octave = 0; octave < of.octaves; ++octave)
    {
        sum += amplitude * article_perlin(x * frequency, y * frequency, seed + octave);
        amplitude *= of.persistence;
        frequency *= 2.0f;
    }
    return sum;
}

static void article_normalise(float* heights, int64_t cells)
{
    float low = heights[0];
    float high = heights[0];
    for (int64_t i = 1; i < cells; ++i)
    {
        low = fminf(low, heights[i]);
        high = fmaxf(high, heights[i]);
    }
    for (int64_t i = 0; i < cells; ++i)
    {
        heights[i] = (heights[i] - low) / (high - low);
    }
}

static void article_fill(article_layers_of of, float* heights, int32_t size, uint32_t seed)
{
    const float cell = 1.0f / (float)size;
    for (int32_t y = 0; y < size; ++y)
    {
        for (int32_t x = 0; x < size; ++x)
        {
            heights[(int64_t)y * size + x] =
                article_layers(of, ((float)x + 0.5f) * cell, ((float)y + 0.5f) * cell, seed * 101u);
        }
    }
    article_normalise(heights, (int64_t)size * size);
}

void article_noise(float* heights, int32_t size, uint32_t seed)
{
    article_fill(article_water_layers, heights, size, seed);
}

void article_wind_noise(float* heights, int32_t size, uint32_t seed)
{
    article_fill(article_wind_layers, heights, size, seed);
}
