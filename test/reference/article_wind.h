// SPDX-License-Identifier: MIT
// The article's wind kernel, one grain after the other, written from its text ("Simple
// Particle-Based Wind Erosion", 2020; docs/theory/wind-grains.md lists what it leaves out).
//
// Two variants. `literal` keeps the published defects and is the reference for speed; `mended` has
// them corrected and is the reference for the statistics of the grain presets.
#pragma once

#include <stdint.h>

// Constants of the article; horizontal lengths in cells, heights in units of `scale` cells.
typedef struct article_wind_params
{
    float step;
    float wind_x; // prevailing wind [cells per unit of time]
    float wind_y;
    float suspension;
    float abrasion;
    float roughness; // stable difference of two neighbours
    float settling;
    float scale;      // cells that a height of 1 is high
    float grain_mass; // of a fresh grain; mended only
} article_wind_params;

article_wind_params article_wind_params_text(void);    // as the article prints them
article_wind_params article_wind_params_release(void); // as the released code has them

// Result of a run; volumes in units of height x cells.
typedef struct article_wind_outcome
{
    int64_t steps;
    int64_t contacts; // steps that slid
    double lifted;
    double deposited;
    double abraded;
    double exported;  // left over an edge
    double destroyed; // by a defect
} article_wind_outcome;

// Layered Perlin noise as the wind article starts from: 8 octaves, scaled to [0, 1].
void article_wind_noise(float* heights, int32_t size, uint32_t seed);

// Rock and sand at (x, y) are rock[y * size + x] and sand[...]; `size` cells along each side.
// `literal` blows towards +x, +y, whatever the wind: it starts its grains at those two edges.
article_wind_outcome article_blow_literal(double* rock, double* sand, int32_t size,
                                          const article_wind_params* params, int64_t grains,
                                          uint32_t seed);
article_wind_outcome article_blow_mended(double* rock, double* sand, int32_t size,
                                         const article_wind_params* params, int64_t grains,
                                         uint32_t seed);
