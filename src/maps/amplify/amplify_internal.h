// SPDX-License-Identifier: MIT
// Internals of the finer window, for src/maps/amplify only.
#pragma once

#include "core/internal.h"
#include "core/octave.h"
#include "terrain/ground.h"

#include <wadi/amplify.h>

// A position: metres east and north of the terrain's south-west corner.
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
    double ex, ey;        // unit vector along the wind, east and north
    double wavelength;    // of ripples in this wind [m]
    const float* shelter; // of the terrain's cells
    wadi_octave bend;     // noise that bends ripple crests, long and short
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

double wadi_amplify_ground(const amplify_job* job, amplify_place at); // surface [m], smooth
double wadi_amplify_sand(const amplify_job* job, amplify_place at);   // thickness [m]
double wadi_amplify_cover(const amplify_job* job, amplify_place at);
double wadi_amplify_shelter(const amplify_job* job, amplify_place at);
bool wadi_amplify_is_void(const amplify_job* job, amplify_place at);
// Surface with crests sharpened to the intersection of their slopes.
double wadi_amplify_crest(const amplify_job* job, amplify_place at);

// ---- amplify_ripples.c -------------------------------------------------------------------------

void wadi_amplify_ripples_begin(amplify_job* job);
// Height of ripples over the sand, mean 0 [m].
double wadi_amplify_ripples(const amplify_job* job, amplify_place at);

// ---- amplify_tongues.c -------------------------------------------------------------------------

// Height of the sand tongues behind plants and stones [m].
double wadi_amplify_tongues(const amplify_job* job, amplify_place at);
