// SPDX-License-Identifier: MIT
// What feeds the streams: rain, and rivers that enter the map with water and load.
//
// - rivers: places, hydrographs and loads (streams_inflow.c), and those that another process made
//   (streams_guests.c)
// - showers: rain by relief and wind (streams_showers.c)
// - climate: rain by years, and seasons and storms within a year (streams_climate.c)
#pragma once

#include <wadi/archive.h>
#include <wadi/model.h>
#include <wadi/terrain.h>

#include <stdint.h>

typedef struct streams streams;

enum
{
    STREAM_MOST_SEASONS = 64
};

// What `gates` has of a cell; 0: no river enters there.
enum
{
    STREAM_GATE = 1, // a river enters
    STREAM_BANK = 2  // beside it, in its bed: no outlet either
};

// A river that enters at a cell; its rows follow one another in the table.
typedef struct stream_river
{
    int64_t cell;
    int32_t first; // row
    int32_t count;
    int64_t water; // of the present step [units of discharge]
} stream_river;

// A river of the terrain, which another process has made.
typedef struct stream_guest
{
    int64_t cell;
    int64_t water; // [units of discharge]
    int32_t banks; // half the width of its bed [cells]
} stream_guest;

// A part of the year, and the discharge in it over the mean.
typedef struct stream_season
{
    float share;
    float factor;
} stream_season;

typedef struct stream_supply
{
    double* inflow; // rows of the table
    stream_river* rivers;
    int32_t river_count;
    stream_guest* guests; // of the last step; they follow from the terrain
    int32_t guest_count;
    uint8_t* gates; // STREAM_GATE, STREAM_BANK; NULL: no river enters
    double* climate;
    int32_t climate_count;
    stream_season seasons[STREAM_MOST_SEASONS];
    int32_t season_count;
    double factor;  // of the rain of the present step
    float* showers; // orographic rain of the present step [m/yr]; NULL: as given
    float* lift;    // work (streams_showers.c)
    float* gaps;    // work: heights of ground without data, and weights; NULL: none

    bool checked;    // rivers do not enter under the sea
    bool started;    // a step has run
    double until;    // the year up to which rivers have brought their loads
    double rain_sum; // volumes since creation [m3]
    double inflow_sum;
    double outflow_sum; // over edges, and into the sea
    double evaporated_sum;
    double rain_now; // of the present step [m3/yr]
} stream_supply;

void wadi_streams_supply_free(streams* s);
// The tables of the process; `index` counts in them.
wadi_result wadi_streams_set_table(void* user, int32_t index, const double* rows, int32_t count);
wadi_result wadi_streams_supply_archive(streams* s, wadi_archive* archive);

// streams_inflow.c
void wadi_streams_drop_inflow(streams* s);
wadi_result wadi_streams_set_inflow(streams* s, const double* rows, int32_t count);
int64_t wadi_streams_water(double discharge); // [m3/s], in units of discharge
bool wadi_streams_has_inflow(const streams* s, const wadi_river* river); // does a row replace it?
// Read what rivers bring in a step. Fails with WADI_ERROR_RANGE where one enters under the sea
// before the first step, and where land without an outlet has no room for their load.
wadi_result wadi_streams_read_inflow(streams* s, const wadi_span* span);
void wadi_streams_bring_load(streams* s, const wadi_span* span); // to the loads of their cells
void wadi_streams_bring_water(streams* s);
double wadi_streams_gain(const streams* s); // rain and rivers of the step [units of discharge]
void wadi_streams_sum_water(streams* s);    // once a step: rain and rivers since creation

// streams_guests.c
wadi_result wadi_streams_read_guests(streams* s); // rivers of the terrain, at the begin of a step
void wadi_streams_drop_guests(streams* s);
wadi_result wadi_streams_set_gates(streams* s); // of all rivers; then the outline

// streams_showers.c: rain of a step, where it depends on the wind
wadi_result wadi_streams_read_showers(streams* s);

// streams_climate.c
wadi_result wadi_streams_set_climate(streams* s, const double* rows, int32_t count);
wadi_result wadi_streams_set_seasons(streams* s, const double* rows, int32_t count);
void wadi_streams_read_climate(streams* s, const wadi_span* span);

// Multiply the paces of a row by what seasons change them.
void wadi_streams_vary_row(const streams* s, int64_t first);
