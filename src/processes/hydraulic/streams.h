// SPDX-License-Identifier: MIT
// The model "streams" of running water: rain gathers in streams, which wear and fill their beds.
// docs/theory/streams.md has the equations.
//
// A step has these stages, and nothing but the ground is kept from one to the next:
//
// - creep: soil and rock move down slopes (streams_creep.c)
// - flood: level of lakes, and a way out of each hollow (flow_flood.h)
// - routes: the cell to which each cell drains, and an order from the divides down
//   (streams_routes.c)
// - solve: wear and deposition of all streams at once, exact for any step (streams_solve.c)
// - apply: the same in whole units, with floors and banks of valleys (streams_apply.c)
//
// Arrays named padded have one cell more on each side (flow_flood.h); the others have one element
// per cell.
#pragma once

#include "core/internal.h"
#include "laws/flow/flow_flood.h"
#include "processes/hydraulic/hydraulic_internal.h"

enum
{
    STREAM_SCRATCH = 5, // arrays of a line
    STREAM_ROWS = 16,   // per block of a parallel pass
    STREAM_STAYS = 8,   // `to` of a cell that drains to no other: an outlet
    STREAM_VOID = 255,  // `rim` of a cell without data
    STREAM_SEA = 254,   // `rim` of a cell under the sea
    STREAM_WATER = 1024 // units of discharge per m3/yr
};

// Compass order of neighbours, clockwise from east; y grows to the south.
static const int32_t stream_dx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int32_t stream_dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

// Ground ends here [units].
#define STREAM_BOTTOM ((int64_t)(-WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE))

// Unknowns of the solve by cell. Down the order: load = a + b x change; then the change of the cell
// is a + b x (change of its receiver); up the order: the change itself in a. [units]
typedef struct stream_node
{
    double a;
    double b;
} stream_node;

// Rates of one step.
typedef struct stream_rates
{
    double years;
    double wear;      // K W0 dt / L2
    float exponent;   // m - 1
    float head;       // Q_c [m3/yr]
    double fall;      // settling velocity x dt... G P in [m/yr]
    double lake_fall; // the same in standing water
    double floor;     // largest b, share of the change that the floor beside a stream takes part in
    float water;      // m3/yr per unit of discharge
} stream_rates;

typedef struct streams
{
    wadi_terrain* terrain;
    wadi_context* context;
    wadi_ground* ground;
    wadi_hydraulic_params params;
    uint32_t stream; // key of random numbers

    int32_t width;
    int32_t height;
    int32_t stride; // of padded arrays
    int64_t cells;
    double cell;       // [m]
    int32_t datum;     // [units] subtracted from heights, so that they are >= 0
    ptrdiff_t step[8]; // padded offset of neighbours
    int64_t move[8];   // offset of neighbours inside
    bool has_outlet;
    bool has_sea;
    int32_t sea_level; // [units] above the datum
    bool at_bottom;    // some ground is within a kilometre of STREAM_BOTTOM
    bool plain;        // all rock of hardness 0: nothing to look up

    int32_t* surface; // padded [units] h
    int32_t* spill;   // padded [units] R: h, or level of the water over it
    int32_t* top;     // padded [units] h, or the level of the sea
    uint8_t* rim;     // 0 inside, 1 + wadi_side, STREAM_VOID or STREAM_SEA
    uint8_t* outline; // the same without the sea
    uint8_t* inside;  // 1: all eight neighbours are there, at the usual offsets
    uint8_t* wet;     // 1 where the bed is under water
    uint8_t* to;      // direction of the receiver drawn
    uint8_t* ways;    // directions of both receivers of water: a | b << 4
    float* share;     // of the water that goes to b
    uint8_t* waits;   // donors not visited yet
    uint8_t* starts;  // 1: no donor
    int32_t* order;   // all cells with ground, each after its donors
    int64_t count;
    int32_t* donor; // the donor with most water, or -1
    int64_t* water; // discharge [units]
    float* pace;    // F: wear for a drop of 1
    float* settle;  // phi: share of the load that is deposited
    int32_t* drop;  // [units] from the receiver to the cell, <= 0
    stream_node* node;
    int64_t* load;     // [units x cells] on its way through a cell
    int32_t* change;   // [units] scratch
    int32_t* flux;     // [units] scratch of creep: over the face after a cell
    uint8_t* fixed;    // 1: a cell of the rim that keeps its level
    float* scratch;    // of creep: STREAM_SCRATCH lines for each worker
    int32_t longest;   // cells of a line, at most
    float* soft;       // share of its wear that the rock of a cell allows; NULL if plain
    uint32_t* outlets; // padded indices
    int64_t outlet_count;
    int64_t sink; // without any outlet the lowest cell, else -1
    wadi_flow_flood* flood;

    float* rain;      // [m/yr], or NULL
    float* discharge; // [m3/yr] of the last step
    int32_t* wear;    // [units] gross, since creation
    int32_t* deposit; // [units] gross, since creation
    double mean_rain; // [m/yr]
    double years;     // since creation
    double visits;    // cells processed
    int64_t step_index;
    stream_rates rates;
    wadi_tally tally;
    wadi_tally* tallies; // by worker
} streams;

static inline int64_t stream_padded(const streams* s, int32_t x, int32_t y)
{
    return (int64_t)(y + 1) * s->stride + x + 1;
}

static inline int64_t stream_padded_of(const streams* s, int64_t cell)
{
    return stream_padded(s, (int32_t)(cell % s->width), (int32_t)(cell / s->width));
}

// The cell in a direction, across periodic edges; -1 beyond other edges and where there is none.
int64_t wadi_streams_across(const streams* s, int64_t cell, int32_t direction);

static inline int64_t stream_neighbour(const streams* s, int64_t cell, int32_t direction)
{
    return s->inside[cell] != 0 ? cell + s->move[direction]
                                : wadi_streams_across(s, cell, direction);
}

// Add to a map of gross wear or deposits, which stops at 32 767 m.
static inline void stream_count(int32_t* sum, int64_t amount)
{
    const int64_t all = *sum + amount;
    *sum = all < INT32_MAX ? (int32_t)all : INT32_MAX;
}

// Deeper water is a lake; less is a stream, or the tilt of the flood [units].
#define STREAM_SHALLOW (WADI_UNITS_PER_METRE / 100)

// streams_ground.c
void wadi_streams_outline(streams* s);                  // once
wadi_result wadi_streams_read(streams* s, double year); // heights, softness and sea of a step
void wadi_streams_cover(streams* s);                    // `top`
void wadi_streams_ghosts(const streams* s, int32_t* padded);

// streams_settle.c
int64_t wadi_streams_settle(streams* s, int64_t mouth, int64_t load); // returns what stays afloat
void wadi_streams_pour(streams* s); // load of the sink, to a level surface

// the stages
void wadi_streams_creep(streams* s);
wadi_result wadi_streams_routes(streams* s);
void wadi_streams_solve(streams* s);
void wadi_streams_apply(streams* s);

// streams_solve.c: cells that the change of a stream moves: its own, and a share of those beside it
double wadi_streams_cells_of(const streams* s, int64_t cell);
