// SPDX-License-Identifier: MIT
// The model "alluvial" of running water: rivers that build fans, deltas and braided plains.
// docs/theory/alluvial.md has the equations.
//
// A step of the world's clock is cut into rounds, whose number follows from the load that rivers
// bring in the step. A round has these stages:
//
// - flood: the discharge of each river, and the parcels that bring it (alluvial_flood.c)
// - freeze: the ground, the water and its capacity as all parcels of the round see them
//   (alluvial_freeze.c)
// - walk: parcels find their ways (alluvial_walk_kernel.c); they depend on nothing else of the
// round
// - feed: where rivers bring what their flow can carry, their parcels get it (alluvial_feed.c)
// - exchange: along its way each parcel takes and lays down load; how often each cell was visited
// is
//   known by then, so that all visitors together cannot take more than there is
//   (alluvial_exchange.c)
// - apply: sums of whole units change the ground; water and flow move to what parcels have found
//   (alluvial_apply.c); load that rolls down across the flow (alluvial_across.c)
#pragma once

#include "core/internal.h"
#include "processes/hydraulic/alluvial_walk.h"
#include "processes/hydraulic/hydraulic_internal.h"

enum
{
    ALLUVIAL_COARSE,
    ALLUVIAL_FINE,
    ALLUVIAL_GRAINS // kinds of load
};

// The water that rivers have brought since creation, and where it went.
enum
{
    ALLUVIAL_BROUGHT,
    ALLUVIAL_LEFT,     // over open edges, and into cells without data
    ALLUVIAL_INTO_SEA, // of standing water, whether it goes on from there or not
    ALLUVIAL_SUNK,     // by `infiltration` and `seepage`
    ALLUVIAL_STRAYED,  // of lost parcels: it stays in hollows and dries up
    ALLUVIAL_WATERS
};

enum
{
    ALLUVIAL_ROWS = 16, // per block of a parallel pass
    ALLUVIAL_MOST_ROUNDS = 1 << 20,
    ALLUVIAL_SORTED = 65535 // all of it coarse
};

#define ALLUVIAL_SECONDS 31557600.0 // of a year

// A river that enters at a place; its rows follow one another in the table.
typedef struct alluvial_river
{
    double x; // [cells] from the north-west corner
    double y;
    int64_t cell;
    int32_t first; // row
    int32_t count;
    double flood;                   // [m3/s] mean flood of the step
    int64_t load;                   // [units x cells] of the step
    double swing;                   // state: size of floods, of unit variance
    int64_t carry[ALLUVIAL_GRAINS]; // state: of parcels that got lost, for the next round
    double swell;                   // of the round: flood over the mean flood
    double swelled;                 // of the step up to the end of the round: sum of `swell`
    double swells;                  // of the step
    int64_t brought;                // of the step [units x cells]
    int64_t water;                  // of the step [units x cells]; 0 where streams book it
    int64_t poured;                 // of that, up to the end of the round
    double spread;                  // [cells] half the width of the mouth
    float parcel;                   // [m3/s] discharge of a parcel
    int64_t handed;                 // of the step [units x cells]: what leaves the reach
} alluvial_river;

// A parcel of water of one river in one round.
typedef struct alluvial_parcel
{
    int32_t river;
    int32_t count;                 // nodes of its path
    uint8_t end;                   // kind of the cell where it left; ALLUVIAL_WALK: it is lost
    int64_t load[ALLUVIAL_GRAINS]; // [units x cells]
    int64_t water;                 // of the books [units x cells], at the begin of its way
} alluvial_parcel;

// Sums of a round in a cell.
typedef struct alluvial_sums
{
    int64_t east; // flow
    int64_t south;
    int64_t level;  // [units] of water, over the datum
    int64_t passed; // load [units x cells]
    int32_t levels;
    int32_t taken; // [units]
    int32_t laid[ALLUVIAL_GRAINS];
} alluvial_sums;

// What a round offers to each visitor of a cell.
typedef struct alluvial_offer
{
    float capacity; // load at equilibrium over volume of water [1]
    float falls;    // share of the fine load that falls in a move
    int32_t give;   // [units] most that a visitor takes
    int32_t room;   // [units] most that it lays down
} alluvial_offer;

// A reach of streams that is alluvial (streams_plains.c): parcels walk in it only.
typedef struct alluvial_reach
{
    const uint8_t* cells; // 1 inside; NULL: the whole map
    const int32_t* still; // [units] level of lakes and of the sea, or less than any ground
} alluvial_reach;

// The plain before an open edge, which goes on beyond it.
typedef struct alluvial_rim
{
    float height; // [m] over the datum, at the edge
    float fall;   // [m] a cell outwards, at least 0
} alluvial_rim;

// Columns and rows that a round passes over.
typedef struct alluvial_box
{
    int32_t west;
    int32_t east; // and the one after its last
    int32_t north;
    int32_t south;
} alluvial_box;

// Columns of a row; none if `west` is `east` or more.
typedef struct alluvial_span
{
    int32_t west;
    int32_t east; // the one after the last
} alluvial_span;

typedef struct alluvial
{
    wadi_terrain* terrain;
    wadi_context* context;
    wadi_ground* ground;
    wadi_hydraulic_params params;
    uint32_t stream; // key of random numbers
    uint64_t seed;

    int32_t width;
    int32_t height;
    int32_t stride; // of padded arrays
    int64_t cells;
    double cell; // [m]

    double* inflow; // rows of the table
    alluvial_river* rivers;
    int32_t river_count;

    // state
    int32_t* level; // [units] surface of the water, or the ground
    float* east;    // [m2/s] unit discharge
    float* south;
    uint16_t* coarse; // [1/65535] coarse share of the ground's top
    int32_t* wear;    // [units] since creation
    int32_t* deposit;
    int64_t rounds;                 // since creation
    int64_t carry[ALLUVIAL_GRAINS]; // [units x cells] the same of all, while there is no river
    double years;
    double until; // the year up to which rivers have brought their loads
    bool started;
    bool noted_dry; // that no river comes; not kept with the state
    bool noted_rivers;
    bool noted_wide;                // that floods are wider than the map
    bool noted_long;                // that a step takes long
    int64_t water[ALLUVIAL_WATERS]; // since creation [units x cells]
    double moves;
    double parcels;
    double lost;

    // of a step
    alluvial_reach reach;
    alluvial_box box;
    int64_t steps;  // its rounds
    double seconds; // of flood in a round
    int64_t feed;   // [units x cells] most that rivers may bring by their capacity, of the step
    bool has_sea;
    int32_t sea;        // [units]
    int32_t datum;      // [units]
    alluvial_rim* rims; // by side, then along it

    // of a round
    alluvial_surface* surfaces; // padded
    alluvial_flow* flows;       // padded
    float* narrow;              // padded [m2/s] unit discharge of the channel in a cell
    float* speeds;              // padded [m/s]
    uint8_t* kinds;             // padded
    uint8_t* gates;             // 1: a river enters here or beside it
    uint8_t* cliffs;            // 1: a wall of rock
    alluvial_offer* offers;
    int32_t workers;
    int32_t** visits;       // by worker, then cell; with ALLUVIAL_TOUCHED; 0 between rounds
    alluvial_sums** sums;   // by worker, then cell; 0 between rounds
    int64_t* passed;        // of all workers
    int32_t* grants;        // [1/65536] share of what a cell would give across
    alluvial_span* visited; // by row: from the first cell with a visitor to the last
    uint8_t* scarce;        // by row: 1 where a cell would give more load across than it has
    alluvial_parcel* fleet;
    alluvial_node* nodes; // `longest` for each parcel
    int32_t longest;
    int32_t fleet_count;
    int32_t fleet_room; // parcels for which there is memory
    int32_t* over_east; // [units] load that rolls to the next cell
    int32_t* over_south;
    int32_t** latest; // by worker: the last node of a lost parcel in a cell
    float* stencil;
    // share of a flood's water that `infiltration` leaves after so many moves; NULL: all
    float* kept;
    alluvial_walk walk;
    wadi_tally tally;
    wadi_tally* tallies; // by worker
} alluvial;

static inline int64_t alluvial_padded(const alluvial* a, int32_t x, int32_t y)
{
    return (int64_t)(y + ALLUVIAL_PAD) * a->stride + x + ALLUVIAL_PAD;
}

// Level of standing water on a cell; less than any ground where there is none.
static inline int32_t alluvial_still(const alluvial* a, int64_t c)
{
    return a->reach.still != NULL ? a->reach.still[c] : a->has_sea ? a->sea : INT32_MIN;
}

// Share of its water that a parcel has after so many moves.
static inline float alluvial_kept(const alluvial* a, const alluvial_node* nodes, int32_t moves)
{
    const float left = a->params.seepage > 0.0 && moves > 0 ? nodes[moves - 1].left : 1.0f;
    return a->kept != NULL ? a->kept[moves] * left : left;
}

// The rim at a place along a side.
static inline const alluvial_rim* alluvial_rim_at(const alluvial* a, int32_t side, int32_t at)
{
    return &a->rims[(ptrdiff_t)side * (a->width > a->height ? a->width : a->height) + at];
}

// alluvial.c: as a part of another model, with maps of wear and deposit and rivers of its own
wadi_result wadi_alluvial_create(wadi_terrain* terrain, const wadi_hydraulic_params* params,
                                 uint32_t stream, alluvial** out);
void wadi_alluvial_destroy(alluvial* a);
void wadi_alluvial_run(alluvial* a); // the rounds of a step, and its books
// Lay down at most `amount` on a cell, as far as it has room below the highest height.
// Returns how much it is.
int64_t wadi_alluvial_settle_cell(alluvial* a, int64_t c, int64_t amount);
bool wadi_alluvial_is_sound(const alluvial* a); // Can floods go on from this state?

// alluvial_rivers.c
wadi_result wadi_alluvial_set_table(void* user, int32_t index, const double* rows, int32_t count);
int32_t wadi_alluvial_nearest(const alluvial* a, double x, double y); // river, or -1: none
int64_t wadi_alluvial_room(const alluvial* a, int64_t cell); // [units] below the highest height
wadi_result wadi_alluvial_read_rivers(alluvial* a, const wadi_span* span);
double wadi_alluvial_rounds(const alluvial* a, double seconds); // that the loads of rivers take
void wadi_alluvial_set_flood(const alluvial* a, alluvial_river* river, double mean); // [m3/s]
// Take room for other rivers and their parcels; carry and swing are those of the nearest before.
wadi_result wadi_alluvial_set_rivers(alluvial* a, alluvial_river* rivers, int32_t count);

// alluvial_flood.c
int64_t wadi_alluvial_share(int64_t amount, int32_t index, int32_t count); // one of equal shares
void wadi_alluvial_swell(alluvial* a); // before the rounds of a step
void wadi_alluvial_flood(alluvial* a, int64_t round);

// alluvial_feed.c
void wadi_alluvial_feed(alluvial* a); // after the walk and the offers

// alluvial_water.c
int64_t wadi_alluvial_water_units(const alluvial* a, double volume);    // [m3]
wadi_result wadi_alluvial_check_water(const alluvial* a, double until); // Do books hold it?
bool wadi_alluvial_is_water(const alluvial* a);                         // of a saved state
void wadi_alluvial_pour(alluvial* a, int32_t river, int64_t water);     // of a round
// Where the water of a parcel goes that walked over `count` nodes.
void wadi_alluvial_book_water(alluvial* a, const alluvial_parcel* parcel,
                              const alluvial_node* nodes, int32_t count);
int32_t wadi_alluvial_water_figures(const alluvial* a, wadi_figure* rows);

// alluvial_edges.c
void wadi_alluvial_read_edges(alluvial* a); // once a step: `rims`
// [m] from the bed of the nearest cell down to the ground at (x, y), beyond open edges.
float wadi_alluvial_beyond(const alluvial* a, int32_t x, int32_t y, float bed);

// alluvial_cliffs.c
void wadi_alluvial_find_cliffs(alluvial* a); // once a step, after gates
// Ground and water at the foot of a cliff [units]. False: its foot is bare.
bool wadi_alluvial_foot(const alluvial* a, int64_t c, int32_t* bed, int32_t* water);

// alluvial_freeze.c
void wadi_alluvial_set_box(alluvial* a); // once a step, before kinds
void wadi_alluvial_mark(alluvial* a);    // once a step: kinds of cells
void wadi_alluvial_freeze(alluvial* a);
void wadi_alluvial_offer(alluvial* a); // after the walk: what each visitor gets

// alluvial_exchange.c
void wadi_alluvial_exchange(alluvial* a);

// alluvial_apply.c
void wadi_alluvial_apply(alluvial* a);

// alluvial_across.c
void wadi_alluvial_roll(alluvial* a);
