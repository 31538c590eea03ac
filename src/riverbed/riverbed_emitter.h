// SPDX-License-Identifier: MIT
// Emitters: windows on a side of the terrain or anywhere in it that let particles out, so many a
// year until their quantity is spent. All lengths here are in cells of the terrain; x goes east, y
// south, and a cell's centre is at whole numbers.
#pragma once

#include <wadi/riverbed.h>

typedef struct riverbed_emitter
{
    double x; // centre of the window
    double y;
    double width;   // across the direction that it faces
    double facing;  // where the window looks [radian], from east to south
    double heading; // mean direction of particles [radian]
    double spread;  // [radian]
    double rate;    // [particles/yr]
    int64_t quantity;
    double discharge; // bankfull [m3/s]
    int64_t emitted;
    int64_t kept; // emitted, and their cuts made: what a refused advance goes back to
} riverbed_emitter;

// What a particle starts with.
typedef struct riverbed_start
{
    double x;
    double y;
    double heading; // alpha [radian]
    double phase;   // beta - alpha, in turns
} riverbed_start;

// Columns of the table `emitters`.
enum
{
    RIVERBED_EMITTER_X,
    RIVERBED_EMITTER_Y,
    RIVERBED_EMITTER_WIDTH,
    RIVERBED_EMITTER_AZIMUTH,
    RIVERBED_EMITTER_SPREAD,
    RIVERBED_EMITTER_QUANTITY,
    RIVERBED_EMITTER_RATE,
    RIVERBED_EMITTER_DISCHARGE,
    RIVERBED_EMITTER_COLUMNS
};

// What a model has done, for rates.
typedef struct riverbed_work
{
    int64_t particles;
    int64_t steps;
} riverbed_work;

// The paper's cell in cells of the terrain.
double wadi_riverbed_scale(const wadi_terrain* terrain, const wadi_riverbed_params* params);

// Van der Corput: the digits of `index` in some base, mirrored at the point; in [0, 1).
double wadi_riverbed_mirror(uint64_t index, uint32_t base);

// The one window that the parameters describe; `scale` is the paper's cell in cells.
riverbed_emitter wadi_riverbed_emitter_on_side(const wadi_terrain* terrain,
                                               const wadi_riverbed_params* params, double scale);
// A window from a row of the table, in metres and degrees.
riverbed_emitter wadi_riverbed_emitter_of_row(const wadi_terrain* terrain, const double* row);

// Particles that are due `years` after the start and have not come out.
int64_t wadi_riverbed_emitter_due(const riverbed_emitter* emitter, double years);

// Particle `number` of emitter `index`: a function of these alone.
riverbed_start wadi_riverbed_emitter_start(const riverbed_emitter* emitter,
                                           const wadi_riverbed_params* params, uint64_t seed,
                                           uint32_t stream, int32_t index, int64_t number);
