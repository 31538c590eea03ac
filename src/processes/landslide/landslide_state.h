// SPDX-License-Identifier: MIT
// State of the process "landslide" between slides, and the account of its slides.
#pragma once

#include "processes/landslide/landslide_internal.h"
#include "processes/landslide/runner.h"

// Account of the slides, for the report.
typedef struct landslide_account
{
    double grains;
    double diameter; // [m]
    double step;     // [s]
    double time;     // [s]
    double steps;
    double grain_steps;
    double overlap;  // share of a radius
    double moving;   // share of grains, at the end
    double released; // [m3]
    double areas;
    double largest;  // [m2]
    double number;   // start "storm": of the largest slide
    double first;    // start "storm": number of the slide that `runout` and `fall` belong to
    double runout;   // [m]
    double fall;     // [m]
    double farthest; // largest horizontal displacement of a grain [m]

    // start "soaking"
    double soaked;  // time of the water [s]
    double slept;   // part of it while all grains slept [s]
    double failed;  // time of the water at failure [s]; NaN: none
    double wakes;   // times that water woke grains
    double gained;  // water gained by the soil since it was cut out [m3]
    double holds;   // water in the soil of the last slide [m3]
    double rained;  // [m3]
    double runoff;  // [m3]
    double drained; // into the rock [m3]
    double dried;   // into the air [m3]
    double residual;

    // depth-averaged flow
    double entrained;  // [m3]
    double thickest;   // [m]
    double fastest;    // [m/s]
    double flow_steps; // steps x cells
    double hummocks;

    // blocks
    double rotation;  // largest [degree]
    double secondary; // that turned on surfaces in blocks
} landslide_account;

enum
{
    LANDSLIDE_PEAKS = 7 // maps of flows
};

// A mound of blocks.
typedef struct landslide_hummock
{
    int64_t cell;    // names it
    double at[2];    // column and row of its middle
    double width;    // of a circle of its area [cells]
    double along[2]; // unit vector of its long axis
    double stretch;  // root of the ratio of its axes
} landslide_hummock;

typedef struct landslide_blocks
{
    int32_t* owner;          // by cell: mound, or below 0 its surroundings; 0: none
    landslide_hummock* list; // room for all
} landslide_blocks;

// Debris that enters, of start "inflow".
typedef struct landslide_inflow
{
    double* rows; // table: second, discharge [m3/s]; NULL: none
    int32_t count;
    int32_t* cells; // where it enters; NULL: no such flow is at work
    int32_t cell_count;
    int64_t owed; // has come, but is not in the flow yet [units x cells]
} landslide_inflow;

typedef struct landslide_state
{
    wadi_terrain* terrain;
    wadi_landslide_params params;
    uint32_t stream;

    double (*corners)[2];
    int32_t corner_count;
    landslide_inflow inflow;
    float* depth;       // input; NULL: none
    float* stability;   // factor of safety at the last advance
    int64_t* released;  // [units] since the start
    float* failure;     // number of the last slide that began in a cell; 0: none
    float* hour;        // of its failure, after the begin of its storm [h]
    int64_t failures;   // slides of storms since the start
    int32_t* before;    // surface [units]
    int64_t* change[2]; // lowering and raising since the start [units]
    float* speed;       // [m/s]
    landslide_account account;
    landslide_account before_slide; // account before the current slide
    double waiting;                 // time in which nothing moved [yr]
    double clock;                   // time at the end of the last step [s]
    double until;                   // world's clock at that time [yr]
    double given;                   // part of the step that was given to the slide [s]; 0: no step
    double slid;                    // time of the slide at the begin of the step [s]

    slide_source source; // of the current slide, or of all slides of a storm
    slide_source own;    // start "storm", grains: of the slide that moves
    double begun;        // start "storm", grains: time of the process at its begin [s]
    slide slide;
    bool at_work;         // `slide` or `flow` is in progress
    runner* flow;         // NULL: the slide has grains
    int64_t flow_fresh;   // units that have entered since the books were written
    int64_t flow_held;    // units that the flow holds and the ledger knows [units x cells]
    int32_t* lifted;      // by cell: soil and rock of the flow [units]; NULL: grains
    int64_t lifted_units; // their sum [units x cells]
    int32_t next;         // start "storm": slides that have begun to move
    bool flowing;         // start "storm": one of them is on its way
    landslide_blocks blocks;
    runner* trial;  // for the runs of an ensemble; NULL: none
    float* share;   // of these runs that reach a cell
    float* volumes; // of the source around a cell [m3]; NULL but while it is released
    int64_t slides; // flows since the start
    float* peaks[LANDSLIDE_PEAKS]; // maps of flows, in their order; NULL: the model has none
    bool is_stale;                 // the region or the cause has changed since the slide began
    bool is_put_off;               // the last step was stopped while its grains settled
    bool is_told;                  // that the region holds no cell, or no soil
    wadi_watch watch;              // called for frames; NULL: none
    void* watcher;
} landslide_state;

// ---- maps and tables: landslide_maps.c ---------------------------------------------------

enum
{
    LANDSLIDE_MAP_DEPTH, // the only input
    LANDSLIDE_MAP_STABILITY,
    LANDSLIDE_MAP_SOURCE,
    LANDSLIDE_MAP_WEAR,
    LANDSLIDE_MAP_DEPOSIT,
    LANDSLIDE_MAP_SPEED,
    LANDSLIDE_MAP_SLIDE,
    LANDSLIDE_MAP_HOUR,
    LANDSLIDE_MAP_HEIGHT, // from here on: the peaks
    LANDSLIDE_MAP_PRESSURE,
    LANDSLIDE_MAP_ARRIVAL,
    LANDSLIDE_MAP_REACH,
    LANDSLIDE_MAP_RUNOUT,
    LANDSLIDE_MAP_ANGLE,
    LANDSLIDE_MAP_VOLUME,
    LANDSLIDE_MAP_COUNT,

    LANDSLIDE_TABLE_OUTLINE = 0,
    LANDSLIDE_TABLE_INFLOW,
    LANDSLIDE_TABLE_COUNT,

    LANDSLIDE_INFLOW_SECOND = 0,
    LANDSLIDE_INFLOW_DISCHARGE,
    LANDSLIDE_INFLOW_COLUMNS,

    LANDSLIDE_FLOWS = 1 << WADI_LANDSLIDE_RUNNER | 1 << WADI_LANDSLIDE_AUTO, // models
    LANDSLIDE_MOVES = LANDSLIDE_FLOWS | 1 << WADI_LANDSLIDE_GRAINS
};

extern const wadi_map_info wadi_landslide_maps[LANDSLIDE_MAP_COUNT];
extern const wadi_table_info wadi_landslide_tables[LANDSLIDE_TABLE_COUNT];

wadi_result wadi_landslide_map(void* user, int32_t index, float* out);
wadi_result wadi_landslide_set_map(void* user, int32_t index, const float* values);
wadi_result wadi_landslide_set_table(void* user, int32_t index, const double* values, int32_t rows);

// ---- books and figures: landslide_report.c -----------------------------------------------

// Copy the surface before a slide is laid down; then add its change to the maps.
void wadi_landslide_snapshot(landslide_state* state);
void wadi_landslide_compare(landslide_state* state);
// The next cell that the slide may have changed; from -1, -1 after the last.
int64_t wadi_landslide_next(const landslide_state* state, int64_t cell);
// Compute the run-out of the slide that was laid down.
void wadi_landslide_measure(landslide_state* state);
// Update the account by the current slide.
void wadi_landslide_account_for(landslide_state* state);

// May slides of the model be flows?
static inline bool wadi_landslide_may_flow(const wadi_landslide_params* params)
{
    return params->model == WADI_LANDSLIDE_RUNNER || params->model == WADI_LANDSLIDE_AUTO;
}
// Maps of run-out, its angle and volume, which grains have too.
static inline bool wadi_landslide_has_peak(const wadi_landslide_params* params, int32_t map)
{
    return wadi_landslide_may_flow(params) ||
           (params->model == WADI_LANDSLIDE_GRAINS && map >= LANDSLIDE_MAP_RUNOUT &&
            map <= LANDSLIDE_MAP_VOLUME);
}
// Paint a slide of the list, or all, with number and hour: landslide.c.
void wadi_landslide_paint(landslide_state* state, const slide_failure* f);
void wadi_landslide_paint_all(landslide_state* state);

// ---- depth-averaged flow: landslide_flow.c -----------------------------------------------

// Does the soil that was found move as a flow?
bool wadi_landslide_flows(const landslide_state* state);
// Tell the log where grains are too coarse for the soil.
void wadi_landslide_flow_note(const landslide_state* state);
// Create the flow, and run its ensemble.
wadi_result wadi_landslide_flow_begin(landslide_state* state);
void wadi_landslide_flow_drop(landslide_state* state);
// Set soil of a cell in motion, at most what is there.
void wadi_landslide_flow_lift(landslide_state* state, runner* flow, int64_t cell, int32_t units,
                              double friction);
// Friction of a flow of this volume [m3], and the part that grows with the speed:
// landslide_friction.c.
double wadi_landslide_flow_friction(const wadi_landslide_params* params, double volume);
double wadi_landslide_flow_turbulence(const wadi_landslide_params* params);
// Compute the volume of the connected source around each of its cells.
wadi_result wadi_landslide_volumes(landslide_state* state);
// Run the ensemble of the slide that begins. Changes no layer.
wadi_result wadi_landslide_flow_ensemble(landslide_state* state);
// Commit the motion of a flow to the layers.
void wadi_landslide_flow_book(landslide_state* state);
// Write run-out, its ratio to the fall, and volume [units x cells] of a slide to the maps of a
// cell.
void wadi_landslide_flow_paint(landslide_state* state, int64_t cell, int64_t units);
// Lay down the flow, and measure it.
void wadi_landslide_flow_lay(landslide_state* state);
// Run up to `seconds` after its begin, or until it rests.
void wadi_landslide_flow_run(landslide_state* state, double seconds, bool* stopped);
bool wadi_landslide_flow_is_over(const landslide_state* state);
// Lay down what flows.
void wadi_landslide_flow_finish(landslide_state* state);
void wadi_landslide_flow_account_for(landslide_state* state);
void wadi_landslide_held(const void* user, int64_t held[WADI_MAX_MATERIALS]);
// List a flow in progress; a reading archive creates it.
wadi_result wadi_landslide_flow_archive(landslide_state* state, wadi_archive* archive);

// ---- mounds in deposits: landslide_hummocks.c --------------------------------------------

wadi_result wadi_landslide_hummocks_create(landslide_state* state);
void wadi_landslide_hummocks_drop(landslide_state* state);
// Heap up the mounds of a flow that is about to lie down. Keeps its mass to the unit.
void wadi_landslide_hummocks(landslide_state* state);

// ---- slides of a storm as flows: landslide_queue.c ---------------------------------------

// Is the flow that of a storm, whose slides move one after the other, each at its hour?
bool wadi_landslide_queues(const landslide_state* state);
// Set a slide of the list in motion in `flow`, with the scatter of the friction.
void wadi_landslide_queue_release(landslide_state* state, int32_t index, runner* flow,
                                  double scatter);
// Run the slides whose hour lies within `seconds` of the storm, each to its end.
void wadi_landslide_queue_run(landslide_state* state, double seconds, bool* stopped);
bool wadi_landslide_queue_is_over(const landslide_state* state);
void wadi_landslide_queue_finish(landslide_state* state);
// Count the slides of a storm that have begun, and tell the log of those that have not.
void wadi_landslide_queue_close(landslide_state* state);

// ---- slides of a storm as grains: landslide_release.c ------------------------------------

// Are the grains at work those of a storm, whose slides move one after the other?
bool wadi_landslide_releases(const landslide_state* state);
wadi_result wadi_landslide_release_begin(landslide_state* state);
// Memory for the soil of one slide.
wadi_result wadi_landslide_release_allocate(landslide_state* state);
// Run the slides whose hour lies within `seconds` of the storm, each to its end.
wadi_result wadi_landslide_release_run(landslide_state* state, double seconds, bool* stopped);
// After an error: the slide that was on its way has not begun.
void wadi_landslide_release_forget(landslide_state* state);
bool wadi_landslide_release_is_over(const landslide_state* state);
void wadi_landslide_release_finish(landslide_state* state);
// Write grains back to the layers, and measure their run-out.
void wadi_landslide_lay_grains(landslide_state* state);

// ---- debris that enters: landslide_inflow.c ----------------------------------------------

// Does debris enter by a hydrograph?
bool wadi_landslide_inflows(const landslide_state* state);
wadi_result wadi_landslide_inflow_set(landslide_state* state, const double* values, int32_t rows);
// Find the cells where it enters.
wadi_result wadi_landslide_inflow_place(landslide_state* state);
void wadi_landslide_inflow_drop(landslide_state* state);
// Pour what has entered since a time of the flow [s]. Returns it [units x cells].
int64_t wadi_landslide_inflow_pour(const landslide_state* state, runner* flow, double since,
                                   double friction, int64_t* owed);
// Friction of the debris that enters.
double wadi_landslide_inflow_friction(const landslide_state* state);
// Does debris enter after a time of the flow?
bool wadi_landslide_inflow_lasts(const landslide_state* state, double time);
wadi_result wadi_landslide_inflow_archive(landslide_state* state, wadi_archive* archive);

// ---- blocks: landslide_slump.c -----------------------------------------------------------

// Let all blocks of model "slump" turn. The layers hold the result at once.
wadi_result wadi_landslide_slump(landslide_state* state, const slide_region* region);

// landslide_archive.c: state between steps, and a slide in progress.
wadi_result wadi_landslide_archive(void* user, wadi_archive* archive);

int32_t wadi_landslide_work(const void* user, wadi_work* rows);
int32_t wadi_landslide_figures(const void* user, wadi_figure* rows);
