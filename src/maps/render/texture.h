// SPDX-License-Identifier: MIT
// Small irregularities of colour: smooth noise over the cells of the relief.
#pragma once

#include "maps/render/colour.h"

// Random number in [0, 1) of a point of a lattice.
static inline float texture_random(int32_t x, int32_t y, uint32_t key)
{
    uint32_t h = (uint32_t)x * 0x9E3779B1u + (uint32_t)y * 0x85EBCA77u + key;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 12;
    h *= 0x297A2D39u;
    h ^= h >> 15;
    return (float)(int32_t)(h >> 8) * 0x1p-24f;
}

// smooth(0, 1, t) for t in [0, 1): without limits, which GCC 12 does not vectorise here.
static inline float texture_ease(float t)
{
    return t * t * (3.0f - 2.0f * t);
}

// Smooth noise in [0, 1] with one random number every `length` cells.
static inline float texture_noise(float x, float y, float length, uint32_t key)
{
    const float u = x / length;
    const float v = y / length;
    const int32_t i = (int32_t)u;
    const int32_t j = (int32_t)v;
    const float a = texture_ease(u - (float)i);
    const float b = texture_ease(v - (float)j);
    const float n00 = texture_random(i, j, key);
    const float n10 = texture_random(i + 1, j, key);
    const float n01 = texture_random(i, j + 1, key);
    const float n11 = texture_random(i + 1, j + 1, key);
    const float north = n00 + a * (n10 - n00);
    const float south = n01 + a * (n11 - n01);
    return north + b * (south - north);
}

// The same noise less 1/2, and its slope in a direction [per length].
typedef struct texture_bump
{
    float height, slope;
} texture_bump;

static inline texture_bump texture_relief(float x, float y, float length, uint32_t key, float dx,
                                          float dy)
{
    const float u = x / length;
    const float v = y / length;
    const int32_t i = (int32_t)u;
    const int32_t j = (int32_t)v;
    const float s = u - (float)i;
    const float t = v - (float)j;
    const float a = texture_ease(s);
    const float b = texture_ease(t);
    const float n00 = texture_random(i, j, key);
    const float east = texture_random(i + 1, j, key) - n00;
    const float south = texture_random(i, j + 1, key) - n00;
    const float cross = texture_random(i + 1, j + 1, key) - n00 - east - south;
    const float along = 6.0f * s * (1.0f - s) * (east + b * cross);
    const float down = 6.0f * t * (1.0f - t) * (south + a * cross);
    return (texture_bump){n00 + a * east + b * (south + a * cross) - 0.5f, along * dx + down * dy};
}

// Noise in [0, 1] along a line, by places in lengths.
static inline float texture_line(float u, uint32_t key)
{
    const int32_t i = (int32_t)u;
    const float a = texture_ease(u - (float)i);
    const float n0 = texture_random(i, 0, key);
    return n0 + a * (texture_random(i + 1, 0, key) - n0);
}
