// SPDX-License-Identifier: MIT
/// \file riverbed.h
/// Riverbeds that rolling particles stamp into the ground: parameters of the process "riverbed".
/// docs/theory/riverbed.md has the equations; wadi_riverbed_fields has range, unit, meaning and
/// source of every member. Lengths "in cells" are the paper's; `paper_cell` says how long one is.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Where the emitter's window draws places, directions and phases from.
typedef enum wadi_riverbed_draw
{
    WADI_RIVERBED_RANDOM, ///< by the terrain's seed
    WADI_RIVERBED_EVEN,   ///< van der Corput sequences: no random numbers, an even cover
    WADI_RIVERBED_DRAW_COUNT
} wadi_riverbed_draw;

/// Phase at which particles start to circle.
typedef enum wadi_riverbed_phase
{
    WADI_RIVERBED_COMMON, ///< all at `first_angle`: one winding bed
    WADI_RIVERBED_SPREAD, ///< each at its own: a band as wide as the circle
    WADI_RIVERBED_PHASE_COUNT
} wadi_riverbed_phase;

/// How the layer of hardness is read.
typedef enum wadi_riverbed_reading
{
    WADI_RIVERBED_HARDNESS,       ///< cut x (1 - hardness), loose matter in full
    WADI_RIVERBED_SUSCEPTIBILITY, ///< Eq 3 to the letter: cut x layer, whatever lies there
    WADI_RIVERBED_READING_COUNT
} wadi_riverbed_reading;

/// When the ground stops a particle.
typedef enum wadi_riverbed_collision
{
    WADI_RIVERBED_NEVER,
    WADI_RIVERBED_CLIMB,  ///< where its path rises more steeply than `climb`
    WADI_RIVERBED_ALWAYS, ///< at its first step on the terrain
    WADI_RIVERBED_COLLISION_COUNT
} wadi_riverbed_collision;

typedef struct wadi_riverbed_params
{
    uint32_t cookie; ///< Set by wadi_riverbed_params_default(). Do not touch.

    // emitter
    int32_t side;      ///< a wadi_side: north, east, south, west
    double position;   ///< of the window's centre along the side [1]
    double width;      ///< of the window [cells]
    double direction;  ///< off the inward normal, clockwise [degree]
    double spread;     ///< directions differ by up to this to either hand [degree]
    int32_t quantity;  ///< particles in all
    double rate;       ///< [particles/yr]
    int32_t draw;      ///< a wadi_riverbed_draw
    double paper_cell; ///< length that the paper calls a cell [m]; 0: a cell of the terrain

    // particles
    double size;        ///< s: radius of the zone of erosion [cells]
    double step;        ///< v: way of the centre of the circle in a step [cells]
    bool rotation;      ///< off: particles follow the centre
    double radius;      ///< r: of the circle [cells]
    double turn;        ///< omega: rotation in a step [degree]
    int32_t phase;      ///< a wadi_riverbed_phase
    double first_angle; ///< beta at the start [degree], clockwise from the direction

    // erosion
    double kappa;      ///< lowering by a stamp 1 cell thick [m]
    int32_t reading;   ///< a wadi_riverbed_reading
    int32_t collision; ///< a wadi_riverbed_collision
    double climb;      ///< rise over run that stops a particle [1]
    int32_t together;  ///< particles that do not see each other's cuts, with collision climb

    // water
    bool water;       ///< let the bed stand full
    double freeboard; ///< of the water's level below the ground before it was cut [m]
} wadi_riverbed_params;

WADI_API extern const wadi_field_table wadi_riverbed_fields;
WADI_API extern const wadi_process wadi_riverbed_process;
WADI_API wadi_riverbed_params wadi_riverbed_params_default(void);

#ifdef __cplusplus
}
#endif
