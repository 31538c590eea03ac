// SPDX-License-Identifier: MIT
// The inside of the process "landslide": what it keeps between slides, and what it says of them.
#pragma once

#include "landslide/landslide_internal.h"

// What the last slide was, for the report.
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
    double runout;   // [m]
    double fall;     // [m]
    double farthest; // way of a grain, level [m]

    // soil that soaks
    double soaked;  // time of the water [s]
    double slept;   // part of it while all grains slept [s]
    double failed;  // water's time when soil gave way [s]; NaN: it has not
    double wakes;   // times that water woke grains
    double gained;  // water that soil holds more than when it was cut out [m3]
    double holds;   // water of the last soil that soaked [m3]
    double rained;  // [m3]
    double runoff;  // [m3]
    double drained; // into the rock [m3]
    double dried;   // into the air [m3]
    double residual;
} landslide_account;

typedef struct landslide_state
{
    wadi_terrain* terrain;
    wadi_landslide_params params;
    uint32_t stream;

    double (*corners)[2];
    int32_t corner_count;
    float* depth;       // input; NULL: none
    float* stability;   // as the last advance found it
    int64_t* released;  // [units] since the start
    int32_t* before;    // surface [units]
    int64_t* change[2]; // lowering and raising since the start [units]
    float* speed;       // [m/s]
    landslide_account account;
    landslide_account before_slide; // account when the slide began that is on its way
    double waiting;                 // time in which nothing moved [yr]

    slide_source source; // of the slide that is on its way
    slide slide;
    bool at_work;     // there is one
    wadi_watch watch; // NULL: nobody does
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
    LANDSLIDE_MAP_COUNT,
    LANDSLIDE_TABLE_COUNT = 1
};

extern const wadi_map_info landslide_maps[LANDSLIDE_MAP_COUNT];
extern const wadi_table_info landslide_tables[LANDSLIDE_TABLE_COUNT];

wadi_result landslide_map(void* user, int32_t index, float* out);
wadi_result landslide_set_map(void* user, int32_t index, const float* values);
wadi_result landslide_set_table(void* user, int32_t index, const double* values, int32_t rows);

// ---- books and figures: landslide_report.c -----------------------------------------------

// Surface as it is before a slide is laid down, and the change once it has been.
void landslide_snapshot(landslide_state* state);
void landslide_compare(landslide_state* state);
// How far the slide that was laid down has run.
void landslide_measure(landslide_state* state);
// What the slide on its way comes to so far.
void landslide_account_for(landslide_state* state);

int32_t landslide_work(const void* user, wadi_work* out, int32_t capacity);
int32_t landslide_figures(const void* user, wadi_figure* out, int32_t capacity);
