// SPDX-License-Identifier: MIT
// The article's hydraulic kernel, one droplet after the other, written from its text ("Simple
// Particle-Based Hydraulic Erosion", 2020; docs/theory/droplets.md lists what it leaves out).
//
// Two variants. `literal` keeps the published defects and is the reference for speed; `mended` has
// them corrected and is the reference for the statistics of the "paper" preset.
#pragma once

#include <stdint.h>

// Constants of the article; lengths in cells, heights in [0, 1].
typedef struct article_params
{
    float step;
    float density;
    float evaporation;
    float deposition;
    float min_volume;
    float friction;
    float scale; // cells that a height of 1 is high
} article_params;

article_params article_params_default(void);

// Result of a run; volumes in units of height x cells.
typedef struct article_outcome
{
    int64_t steps;
    double eroded;
    double deposited;
    double exported; // left over an edge, or was dropped by a defect
} article_outcome;

// Height at (x, y) is heights[y * size + x]; `size` cells along each side.
// Layered Perlin noise as the article starts from: 15 octaves, persistence 0.6, one wave per map,
// scaled to [0, 1].
void article_noise(float* heights, int32_t size, uint32_t seed);

article_outcome article_erode_literal(float* heights, int32_t size, const article_params* params,
                                      int64_t droplets, uint32_t seed);
article_outcome article_erode_mended(float* heights, int32_t size, const article_params* params,
                                     int64_t droplets, uint32_t seed);
