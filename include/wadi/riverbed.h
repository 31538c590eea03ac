// SPDX-License-Identifier: MIT
/// \file riverbed.h
/// Riverbeds that particles cut into the ground: parameters of the process "riverbed". Mode
/// `graded` is a river at its grade that carries its load (docs/theory/graded.md); mode `paper` is
/// Warszawski & Nikiel's stamp to the letter (docs/theory/riverbed.md). wadi_riverbed_fields has
/// range, unit, meaning and source of every member. Lengths "in cells" are the paper's;
/// `paper_cell` says how long one is.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum wadi_riverbed_mode
{
    WADI_RIVERBED_GRADED, ///< a river that grades its bed, carries its load and lays it down
    WADI_RIVERBED_PAPER,  ///< particles whose stamps take matter away and put it nowhere
    WADI_RIVERBED_MODE_COUNT
} wadi_riverbed_mode;

/// Where a graded river leaves the terrain.
typedef enum wadi_riverbed_outlet
{
    WADI_RIVERBED_NORTH, ///< as wadi_side
    WADI_RIVERBED_EAST,
    WADI_RIVERBED_SOUTH,
    WADI_RIVERBED_WEST,
    WADI_RIVERBED_AHEAD, ///< over the side that its emitter faces
    WADI_RIVERBED_ANY,   ///< over any but the one that its emitter lies on
    WADI_RIVERBED_OUTLET_COUNT
} wadi_riverbed_outlet;

/// Course of a graded river about its axis.
typedef enum wadi_riverbed_path_kind
{
    WADI_RIVERBED_SWING,    ///< sine-generated: even bends to both hands
    WADI_RIVERBED_TROCHOID, ///< the paper's Eq 1: tight bends on one side
    WADI_RIVERBED_PATH_COUNT
} wadi_riverbed_path_kind;

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

    int32_t mode; ///< a wadi_riverbed_mode

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

    // graded river
    double discharge;    ///< bankfull [m3/s]; sets width, depth and length of bends
    int32_t outlet;      ///< a wadi_riverbed_outlet
    double growth;       ///< time in which the swing grows from the first course to the last [yr]
    int32_t path;        ///< a wadi_riverbed_path_kind
    double swing;        ///< largest angle between the course and its axis [degree]
    double bend_length;  ///< length of a double bend along the course [widths]
    double irregularity; ///< of bends; 0: all alike [1]
    double steering;     ///< weight of high ground when the axis is laid [1]
    double incision;     ///< lowering of the outlet [depths]
    double load;         ///< that comes in with a batch [widths2 x depth]
    double repose;       ///< banks steeper than that slide [degree]
    int32_t batches;     ///< in `growth`
    double stride;       ///< way of a particle in a step [radii of its zone of erosion]

    // particles of the paper
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
    int32_t together;  ///< particles that do not see each other's cuts: a batch

    // water
    bool water;       ///< let the bed stand full
    double freeboard; ///< paper: of the water's level below the ground before it was cut [m]
} wadi_riverbed_params;

WADI_API extern const wadi_field_table wadi_riverbed_fields;
WADI_API extern const wadi_process wadi_riverbed_process;
WADI_API wadi_riverbed_params wadi_riverbed_params_default(void);

#ifdef __cplusplus
}
#endif
