// SPDX-License-Identifier: MIT
// Kernels of the model "streams" over runs of cells, compiled once for each instruction set, and
// their arguments.
#pragma once

#include "core/isa.h"
#include <stdint.h>

// Wear of the corner of a diagonal step over that of the bed. Measured on a dome: 0 leaves both
// corners above the stream on 48 % of such steps, 1 on 15 %, 3 on 11 %, 100 on 12 %.
#define STREAM_CORNER 3.0

// How far below the bed of a stream its corner may lie: a share of the fall to its receiver.
static inline int32_t stream_corner_fall(int64_t falls, double share)
{
    return falls > 0 ? (int32_t)((double)falls * share) : 0;
}

enum
{
    CREEP_LANES = 32, // lines that are solved side by side
    CREEP_FIXED = 1,  // `fixed` of a cell that keeps its level: what creeps into it leaves
    CREEP_OUTLET = 2  // and of an outlet above its base level, which may fall
};

// Constants of the faces of one axis.
typedef struct creep_rates
{
    float rate;   // D dt / L2, for two sweeps at once
    float mud;    // the same of loose matter under water
    float scale;  // units of height over a cell to slope / S_c
    float hidden; // square of the slope below the grid, by square of the second difference
    int32_t sea;  // [units]
} creep_rates;

// A run of faces, each between a cell and the next of its line.
typedef struct creep_run
{
    creep_rates rates;
    int32_t count;
    const int32_t* h;     // padded, at the cell before the first face [units]
    ptrdiff_t ahead;      // padded offset of the cell after a face
    ptrdiff_t aside;      // and of cells beside the line
    ptrdiff_t next;       // offset of the cell after a face in the arrays below
    const float* ease;    // share of the flux that the rock of a cell allows; 0 keeps its level
    const int32_t* spare; // [units] what a cell can lose over one face
    const int32_t* water; // [units] depth
    float* conduct;       // result: change of the flux by the difference of heights
    float* flux;          // result: explicit flux [units]
} creep_run;

// Lines side by side: element `at` of lane `i` is [at * CREEP_LANES + i].
typedef struct creep_lines
{
    int32_t count; // cells of a line
    int32_t lanes; // lines in use
    bool wraps;
    const uint8_t* fixed; // of lane 0; CREEP_FIXED: a cell that keeps its level
    ptrdiff_t fixed_step; // to the next cell of the lines
    const float* conduct;
    const float* flux;
    const float* enters; // flux into the first cells
    float* upper;        // work
    float* right;        // result: change of each cell
    float* wrap;         // work of periodic lines
} creep_lines;

// Receivers of a row. Padded arrays point at its first cell.
typedef struct stream_routes_row
{
    int32_t count;
    ptrdiff_t stride;       // of padded arrays
    const int32_t* spill;   // padded [units]
    const int32_t* surface; // padded [units]
    int32_t shallow;        // [units] deeper water is a lake
    uint64_t first;         // number of the first cell, and the other keys of random numbers
    uint64_t seed;
    uint32_t stream;
    uint32_t step_index;
    uint8_t* to; // results, as in `streams`
    uint8_t* ways;
    uint8_t* wet;
    float* share;
} stream_routes_row;

// Donors of a run of cells whose eight neighbours are there. Arrays point at the first cell.
typedef struct stream_donors_row
{
    int32_t count;
    ptrdiff_t width;
    const uint8_t* to;
    const uint8_t* ways;
    const uint8_t* wet;
    const float* discharge;
    uint8_t* waits; // result of `waits`: their number, and bit 7 where a stream enters a lake
    uint8_t* donor; // result of `donors`: direction of the one with most water
} stream_donors_row;

typedef struct stream_rate_constants
{
    float wear;      // K W0 dt / L2
    float exponent;  // m - 1
    float head;      // q_c [m3/yr]
    float own;       // what rains on a cell and beside it is not gathered yet [m3/yr]
    float cell;      // [m]
    float fall;      // G P L [m2/yr]
    float lake_fall; // the same in standing water, by the area of a cell [m3/yr]
    float floor;     // largest b
    float river;     // width of a river over the root of its discharge [cells]
    int32_t shallow; // [units]
    int32_t has_sea;
} stream_rate_constants;

// Rates of a row. Padded arrays point at its first cell.
typedef struct stream_rates_row
{
    const stream_rate_constants* constants;
    int32_t count;
    ptrdiff_t stride;       // of padded arrays
    const int32_t* spill;   // padded [units]
    const int32_t* surface; // padded [units]
    const uint8_t* to;
    const uint8_t* wet;
    const float* discharge; // [m3/yr]
    const float* soft;
    float* pace;   // results, as in `streams`
    float* settle; // holds `carrier` [m3/yr] before
    int32_t* bed;
    int32_t* drop;
} stream_rates_row;

// Heights of a row of ground with one loose layer.
typedef struct stream_heights_row
{
    int32_t count;
    const int32_t* rock;  // [units]
    const int32_t* loose; // [units]
    const uint8_t* valid;
    int32_t* out;
    int32_t low; // results, of valid cells
    int32_t high;
} stream_heights_row;

// What creeps into channels joins the loads of their streams: a share goes on, and the rest is to
// land on the bed.
typedef struct creep_flush_row
{
    int32_t count;
    float flushing;
    float head;             // q_c [m3/yr]
    const float* discharge; // [m3/yr]
    const int32_t* water;   // [units] depth
    const uint8_t* rim;
    int32_t keep;    // -1: add to loads and what is to land, 0: they begin
    int64_t* load;   // result [units]
    int32_t* landed; // result [units]: the part of it that is to lie on the bed
    int32_t* gains;  // [units] less by the loads
} creep_flush_row;

// The layer of water of a row gets what lakes hold.
typedef struct stream_lakes_row
{
    int32_t count;
    const uint8_t* rim;
    uint8_t sea; // `rim` from here on is no land
    const uint8_t* wet;
    const int32_t* drop; // [units] from the water to the bed
    int32_t* water;      // [units]
    int64_t risen;       // results: sums of what lakes gained and lost
    int64_t fallen;
} stream_lakes_row;

enum
{
    SWEEP_AHEAD = 12,       // cells by which sweeps load ahead
    SWEEP_FAR = 24,         // the same of the directions, which say what else to load
    STREAM_CODE_USUAL = 64, // of codes: the kernel may visit the cell
    STREAM_CODE_BED = 128   // streams wear and fill it
};

// Codes for `apply` of a run of cells. Arrays point at the first cell.
typedef struct stream_codes_row
{
    int32_t count;
    ptrdiff_t width;
    const uint8_t* kind; // `bed`, `lake` or others
    uint8_t bed;
    uint8_t lake;
    const uint8_t* to;
    const uint8_t* donor;
    const uint8_t* inside;
    uint8_t* code; // result; bits 0 to 3: the neighbours along axes that share in the changes of a
                   // stream, 4 and 5: those to the left and right of its way
} stream_codes_row;

// Cells of a run under water that stand too high above a neighbour. Arrays point at the first cell;
// all eight neighbours of each are in memory.
typedef struct stream_steep_row
{
    int32_t count;
    ptrdiff_t width;
    uint8_t water; // `kind` of water from here on
    const uint8_t* kind;
    const int32_t* bed; // [units]
    int32_t rest[2];    // [units] fall at rest along an axis and a diagonal
    int32_t slack;      // [units]
    uint8_t* steep;     // result: 0 or 1
} stream_steep_row;

// A stretch of the order for `apply`.
typedef struct stream_apply_run
{
    const int32_t* cells;
    int64_t count;
    ptrdiff_t width;
    int64_t move[8];
    const uint8_t* code;
    const uint8_t* kind;
    uint8_t dry; // `kind` of a bed
    const uint8_t* to;
    const uint8_t* donor;
    const float* discharge; // [m3/yr]
    float head;             // q_c [m3/yr]
    const double* node;     // a cell's change is at twice its number
    double floor;           // share of a change that the floor takes part in, for a channel of 1
    double corner_fall;     // share of the fall to the receiver down to which a corner is worn
    int32_t* bed;
    const int32_t* landed; // [units] part of the load that comes down first
    int64_t* load;
} stream_apply_run;

typedef struct stream_kernels
{
    const char* name;
    void (*routes)(const stream_routes_row* row);
    void (*waits)(const stream_donors_row* row);
    void (*donors)(const stream_donors_row* row);
    void (*rates)(const stream_rates_row* row);
    void (*faces)(const creep_run* run);
    void (*solve)(const creep_lines* lines);
    // whole units over faces, from the changes of the cells before and after them
    void (*round)(int32_t count, float most, const float* conduct, const float* flux,
                  const float* change, const float* next, int32_t* out);
    // fluxes over faces, bounded by what the cells before and after them can spare
    void (*bound)(int32_t count, const int32_t* spare, const int32_t* next, int32_t* flux);
    // Lower the levels of a run of cells to those of the row beside them, plus the rise from there
    // along an axis and a diagonal; `beside` has a cell more at both ends.
    void (*base)(int32_t count, const int32_t* rise, const int32_t* beside, int32_t* level);
    void (*heights)(stream_heights_row* row);
    // Heights above the datum; INT32_MAX without data.
    void (*level)(int32_t count, int32_t datum, const uint8_t* valid, int32_t* height);
    // What cells can lose over one of four faces, on rock of hardness 0.
    void (*spare)(int32_t count, const int32_t* water, const int32_t* loose, int32_t* spare);
    void (*flush)(const creep_flush_row* row);
    // Add changes to the maps of gross wear and deposits.
    void (*count)(int32_t count, const int32_t* change, int32_t* wear, int32_t* deposit);
    void (*lakes)(stream_lakes_row* row);
    void (*codes)(const stream_codes_row* row);
    void (*steep)(const stream_steep_row* row);
    int64_t (*apply)(const stream_apply_run* run); // returns the number of cells that were usual
} stream_kernels;

WADI_ISA_KERNELS(stream_kernels)
