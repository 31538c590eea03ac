// SPDX-License-Identifier: MIT
// The inside of the finer window; only src/amplify looks at it.
#pragma once

#include "core/internal.h"
#include "synthesis/octave.h"
#include "terrain/ground.h"

#include <wadi/amplify.h>

// A place: metres east and north of the terrain's south-west corner.
typedef struct amplify_place
{
    double x;
    double y;
} amplify_place;

typedef struct amplify_job
{
    wadi_context* context;
    wadi_terrain* terrain;
    const wadi_ground* ground;
    wadi_amplify_params params;
    double ex, ey;        // unit vector that the wind blows along, to the east and to the north
    double wavelength;    // of ripples in this wind [m]
    const float* shelter; // of the terrain's cells
    wadi_octave bend;     // of crests of ripples, long and short
    wadi_octave kink;
    int32_t columns;
    int32_t rows;
    float* out;
} amplify_job;

static inline double amplify_smooth(double t)
{
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return t * t * (3.0 - 2.0 * t);
}

// ---- amplify_ground.c: the terrain between its cells -------------------------------------------

double amplify_ground(const amplify_job* job, amplify_place at); // surface [m], smooth
double amplify_sand(const amplify_job* job, amplify_place at);   // thickness [m]
double amplify_cover(const amplify_job* job, amplify_place at);
double amplify_shelter(const amplify_job* job, amplify_place at);
bool amplify_is_void(const amplify_job* job, amplify_place at);
// Surface whose crests are as sharp as their two slopes make them.
double amplify_crest(const amplify_job* job, amplify_place at);

// ---- amplify_ripples.c -------------------------------------------------------------------------

void amplify_ripples_begin(amplify_job* job);
// Height of ripples over the sand, mean 0 [m].
double amplify_ripples(const amplify_job* job, amplify_place at);

// ---- amplify_tongues.c -------------------------------------------------------------------------

// Sand that plants and stones gather [m].
double amplify_tongues(const amplify_job* job, amplify_place at);
