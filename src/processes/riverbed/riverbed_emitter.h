// SPDX-License-Identifier: MIT
// Emitters: windows on a side of the terrain or inside it that emit particles at a yearly rate, up
// to a total quantity. All lengths here are in cells of the terrain; x goes east, y south, and cell
// centres have integer coordinates.
#pragma once

#include <wadi/riverbed.h>

// A place or a direction [cells].
typedef struct riverbed_point
{
    double x;
    double y;
} riverbed_point;

typedef struct riverbed_emitter
{
    double x; // centre of the window
    double y;
    double width;   // normal to `facing`
    double facing;  // direction that the window faces [radian], from east to south
    double heading; // mean direction of particles [radian]
    double spread;  // [radian]
    double rate;    // [particles/yr]
    int64_t quantity;
    double discharge; // bankfull [m3/s]
    int64_t emitted;
    int64_t kept; // emitted and cut; a refused advance returns to this number
} riverbed_emitter;

// Initial state of a particle.
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

// Cell of the paper, in cells of the terrain.
double wadi_riverbed_scale(const wadi_terrain* terrain, const wadi_riverbed_params* params);

// Van der Corput sequence: digits of `index` in a base, reversed behind the point; in [0, 1).
double wadi_riverbed_mirror(uint64_t index, uint32_t base);

// The window given by the parameters; `scale` is the cell of the paper in cells of the terrain.
riverbed_emitter wadi_riverbed_emitter_on_side(const wadi_terrain* terrain,
                                               const wadi_riverbed_params* params, double scale);
// Replace `*out` by a copy.
wadi_result wadi_riverbed_emitters_copy(wadi_context* context, const riverbed_emitter* emitters,
                                        int32_t count, riverbed_emitter** out);
// Windows from the rows of the table, in metres and degrees; free them with wadi_free(). Fails with
// WADI_ERROR_RANGE if a window lies off the terrain; the message names the row.
wadi_result wadi_riverbed_emitters_of_table(const wadi_terrain* terrain, const double* values,
                                            int32_t rows, riverbed_emitter** out);

// Number of particles to emit until `years` after the start.
int64_t wadi_riverbed_emitter_due(const riverbed_emitter* emitter, double years);

// Initial state of particle `number` of emitter `index`. It depends on these arguments only.
riverbed_start wadi_riverbed_emitter_start(const riverbed_emitter* emitter,
                                           const wadi_riverbed_params* params, uint64_t seed,
                                           uint32_t stream, int32_t index, int64_t number);
