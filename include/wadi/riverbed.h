// SPDX-License-Identifier: MIT
/// \file riverbed.h
/// Riverbeds that particles cut into the ground: parameters of the process "riverbed". Model
/// `graded` is a river in equilibrium with its sediment load (docs/theory/graded.md). Model `paper`
/// is the method of Warszawski & Nikiel, unchanged (docs/theory/riverbed.md). wadi_riverbed_fields
/// has range, unit, meaning and source of every member. Lengths "in cells" are lengths of the
/// paper; `paper_cell` sets the length of such a cell.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum wadi_riverbed_model
{
    WADI_RIVERBED_GRADED, ///< a river that grades its bed, transports its load and deposits it
    WADI_RIVERBED_PAPER,  ///< particles that remove matter and deposit none
    WADI_RIVERBED_MODEL_COUNT
} wadi_riverbed_model;

/// Side over which a graded river leaves the terrain.
typedef enum wadi_riverbed_outlet
{
    WADI_RIVERBED_NORTH, ///< as wadi_side
    WADI_RIVERBED_EAST,
    WADI_RIVERBED_SOUTH,
    WADI_RIVERBED_WEST,
    WADI_RIVERBED_AHEAD, ///< over the side that the emitter faces
    WADI_RIVERBED_ANY,   ///< over the nearest side by cost, but not the emitter's
    WADI_RIVERBED_OUTLET_COUNT
} wadi_riverbed_outlet;

/// Course of a graded river around its axis.
typedef enum wadi_riverbed_path_kind
{
    WADI_RIVERBED_SWING,    ///< sine-generated curve: equal bends to both sides
    WADI_RIVERBED_TROCHOID, ///< Eq 1 of the paper: tight bends on one side
    WADI_RIVERBED_FREE,     ///< bends that migrate by their curvature and are cut off
    WADI_RIVERBED_PATH_COUNT
} wadi_riverbed_path_kind;

/// Source of the particles' places, directions and phases.
typedef enum wadi_riverbed_draw
{
    WADI_RIVERBED_RANDOM, ///< random numbers from the terrain's seed
    WADI_RIVERBED_EVEN,   ///< van der Corput sequences: an even cover without random numbers
    WADI_RIVERBED_DRAW_COUNT
} wadi_riverbed_draw;

/// Phase at which particles start to circle.
typedef enum wadi_riverbed_phase
{
    WADI_RIVERBED_COMMON, ///< all at `first_angle`: one winding bed
    WADI_RIVERBED_SPREAD, ///< each at another phase: a band as wide as the circle
    WADI_RIVERBED_PHASE_COUNT
} wadi_riverbed_phase;

/// Meaning of the hardness layer.
typedef enum wadi_riverbed_reading
{
    WADI_RIVERBED_HARDNESS,       ///< cut x (1 - hardness) in rock, full cut in sediment
    WADI_RIVERBED_SUSCEPTIBILITY, ///< Eq 3 as printed: cut x layer, in any material
    WADI_RIVERBED_READING_COUNT
} wadi_riverbed_reading;

/// Condition that ends a particle on the terrain.
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

    int32_t model; ///< a wadi_riverbed_model

    // emitter
    int32_t side;      ///< a wadi_side: north, east, south, west
    double position;   ///< of the window's centre along the side [1]
    double width;      ///< of the window [cells]
    double direction;  ///< clockwise from the inward normal [degree]
    double spread;     ///< largest deviation from `direction` to either side [degree]
    int32_t quantity;  ///< total number of particles
    double rate;       ///< [particles/yr]
    int32_t draw;      ///< a wadi_riverbed_draw
    double paper_cell; ///< length of a cell of the paper [m]; 0: a cell of the terrain

    // graded river
    double discharge;    ///< bankfull [m3/s]; sets width, depth and length of bends
    int32_t outlet;      ///< a wadi_riverbed_outlet
    double growth;       ///< time in which the amplitude of the bends grows [yr]
    int32_t path;        ///< a wadi_riverbed_path_kind
    double swing;        ///< largest angle between the course and its axis [degree]
    double bend_length;  ///< length of a double bend along the course [widths]
    double irregularity; ///< variation among bends; 0: all alike [1]
    double migration;    ///< path free: way of a bend of 2.5 widths' radius in `growth` [widths]
    double chute;        ///< path free: a chute this much steeper than the course is taken [1]
    double wash;     ///< path free: fine load that enters [widths2 x depth per unit of migration]
    double levee;    ///< path free: height of the levees that floods build [depths]
    double silting;  ///< path free: time in which oxbow lakes silt up [units of migration]
    double steering; ///< weight of high ground in the route of the axis [1]
    double incision; ///< lowering of the outlet [depths]
    double breach;   ///< share of a barrier that is cut; the rest holds a lake [1]
    double load;     ///< sediment that enters with a batch [widths2 x depth]
    double wall;     ///< angle at which walls of the hardest rock stand [degree]; 0: repose
    double repose;   ///< angle of repose of the banks [degree]
    int32_t batches; ///< in `growth`
    double stride;   ///< length of a particle's step [radii of its zone of erosion]

    // particles of the paper
    double size;        ///< s: radius of the zone of erosion [cells]
    double step;        ///< v: step length of the circle's centre [cells]
    bool rotation;      ///< off: particles follow the centre
    double radius;      ///< r: radius of the circle [cells]
    double turn;        ///< omega: rotation per step [degree]
    int32_t phase;      ///< a wadi_riverbed_phase
    double first_angle; ///< beta at the start, clockwise from the direction [degree]

    // erosion
    double kappa;      ///< lowering by a stamp 1 cell thick [m]
    int32_t reading;   ///< a wadi_riverbed_reading
    int32_t collision; ///< a wadi_riverbed_collision
    double climb;      ///< slope that ends a particle [1]
    int32_t together;  ///< particles of one batch; they do not see each other's cuts
    double max_step;   ///< step length [yr]; 0: graded: growth; paper: 1 yr

    // water
    bool water;       ///< fill the bed with water
    double freeboard; ///< paper: depth of the water level below the original ground [m]
} wadi_riverbed_params;

WADI_API extern const wadi_field_table wadi_riverbed_fields;
WADI_API extern const wadi_process wadi_riverbed_process;
WADI_API wadi_riverbed_params wadi_riverbed_params_default(void);

#ifdef __cplusplus
}
#endif
