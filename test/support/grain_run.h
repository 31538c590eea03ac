// SPDX-License-Identifier: MIT
// A run of the article's wind grains over noise, and measures of the resulting land. The wind of
// both presets blows along the grid's diagonal, so profiles are taken along diagonals.
#pragma once

#include "support/fixture.h"

typedef struct grain_job
{
    int32_t size;     // cells along a side, of 1 m
    double amplitude; // of the noise, in heights of 80 cells
    double grains;    // per cell of width across the wind
    uint32_t seed;
    wadi_wind_params params;
} grain_job;

// Parameters of a preset of the process "wind".
wadi_wind_params grain_preset(const char* name);

typedef struct grain_land_look
{
    double relief;  // highest over lowest [cells]
    double dunes;   // sqrt(12) x standard deviation, without wavelengths over 32 cells [cells]
    double lee;     // 95th percentile of the downwind slope where it descends [degree]
    double texture; // mean |slope| [1]
    double spacing; // mean distance of crests along the wind [cells]
    double flux;    // sand lifted [cells cubed]
    double exported;
    double deposited;
} grain_land_look;

// Run a job on one thread and measure its land. `surface` may be NULL; otherwise it gets size x
// size heights [cells].
grain_land_look grain_look(const grain_job* job, float* surface);
