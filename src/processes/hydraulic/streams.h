// SPDX-License-Identifier: MIT
// The model "streams" of running water: rain gathers in streams, which wear and fill their beds.
// docs/theory/streams.md has the equations.
//
// A step has these stages, and nothing but the ground is kept from one to the next:
//
// - creep: soil and rock move down slopes (streams_creep.c, streams_creep_walls.c)
// - flood: level of lakes, and a way out of each hollow (flow_flood.h)
// - routes: the cell to which each cell drains, and an order from the divides down
//   (streams_routes.c)
// - banks: beds of rivers wider than a cell (streams_banks.c)
// - solve: wear and deposition of all streams at once, exact for any step (streams_solve.c)
// - apply: the same in whole units, with floors and banks of valleys (streams_apply.c)
//
// Arrays named padded have one cell more on each side (flow_flood.h); the others have one element
// per cell. Two arrays share memory where one is done with when the other begins.
#pragma once

#include "core/internal.h"
#include "laws/flow/flow_flood.h"
#include "processes/hydraulic/hydraulic_internal.h"
#include "processes/hydraulic/streams_kernels.h"
#include "processes/hydraulic/streams_lakes.h"
#include "processes/hydraulic/streams_plains.h"
#include "processes/hydraulic/streams_supply.h"

#include <string.h>

enum
{
    STREAM_SCRATCH = 6,   // arrays of a block of lines
    STREAM_ROWS = 16,     // per block of a parallel pass
    STREAM_BAND = 32,     // rows of a band (streams_order.c)
    STREAM_ROUNDS = 8,    // of a sweep over all bands
    STREAM_TURNS = 16,    // of a sweep: the even bands have one in each round, then the odd ones
    STREAM_FRONT = 65536, // cells of the front of a delta that one cell builds, at most
    STREAM_FALLS = 16384, // squares of distances up to which falls at rest are kept
    STREAM_SLACK = 16,    // slopes slide when they are steeper than at rest by one part in so many
    STREAM_AHEAD = 12,    // cells by which sweeps load ahead
    STREAM_STAYS = 8,     // `to` of a cell that drains to no other: an outlet
    STREAM_VOID = 255,    // `rim` of a cell without data
    STREAM_DEEP = 254,    // `rim` of a sea of unknown depth: ground exactly at its level
    STREAM_SEA = 253,     // `rim` of a cell under the sea; those from here on are no land
    STREAM_PLAYA = 252,   // `rim` of a cell of a lake that spills nowhere (streams_lakes.c)
    STREAM_WATER = 1024   // units of discharge per m3/yr
};

// What streams do to a cell.
enum
{
    STREAM_OUTLET,     // nothing: an outlet, or no data
    STREAM_BED,        // they wear and fill it
    STREAM_LAKE,       // loads settle in it
    STREAM_SEA_BED,    // the same
    STREAM_PLAYA_BED,  // the same, in a lake that spills nowhere
    STREAM_SEEN = 0x80 // marks water that a load has reached
};

// Compass order of neighbours, clockwise from east; y grows to the south.
static const int32_t stream_dx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int32_t stream_dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

#define STREAM_SECONDS 31557600.0 // of a year

// Height of ground without data and without any in its row and column [m].
#define STREAM_NO_HEIGHT -1e30f

// Ground ends here [units].
#define STREAM_BOTTOM ((int64_t)(-WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE))

// Unknowns of the solve by cell. Down the order: load = a + b x change; then the change of the cell
// is a + b x (change of its receiver); up the order: the change itself in a. [units]
typedef struct stream_node
{
    double a;
    double b;
} stream_node;

// A cell of the front of a delta, and where it is from the cell at the top (streams_settle.c).
typedef struct stream_front_cell
{
    int32_t cell;
    int32_t amount; // [units] laid down
    int16_t dx;
    int16_t dy;
} stream_front_cell;

// Sums over a row.
typedef struct stream_row
{
    double rain; // [m/yr] over cells of land
    int64_t land;
    int32_t low; // [units]
    int32_t high;
    int64_t out[WADI_SIDE_COUNT]; // discharge over each side [units]
    int64_t ended;                // discharge that ends in the sea or in the sink [units]
    int64_t wide;                 // cells of rivers wider than a cell
} stream_row;

// Rates of one step.
typedef struct stream_rates
{
    double years;
    double wear;      // K W0 dt / L2
    float exponent;   // m - 1
    float head;       // q_c [m3/yr]
    float own;        // discharge of a cell on which no stream has gathered yet [m3/yr]
    double fall;      // settling velocity x dt... G P in [m/yr]
    double lake_fall; // the same in standing water
    double rest;      // fall over a cell of loose matter at rest under water [units]
    double floor;     // largest b, share of the change that the floor beside a stream takes part in
    float water;      // m3/yr per unit of discharge
    double wide;      // least discharge of rivers wider than a cell [m3/yr]
    float river;      // their width over the root of their discharge [cells]; 0: none
} stream_rates;

typedef struct stream_banks stream_banks;
typedef struct stream_walls stream_walls;

// Rows that one thread visits at a time, and its part of the order (streams_order.c).
typedef struct stream_band
{
    int32_t index;
    int64_t first;               // its first cell
    int64_t last;                // and the one after its last
    int32_t* order;              // its cells, each after its donors; room for all of them
    int64_t count;               // of `order`
    int64_t ends[STREAM_ROUNDS]; // of `order` by round
    int64_t late;                // cells that wait for the next round, at the end of `order`
    int64_t held[2];             // cells in the inboxes from the bands before and after
    uint8_t late_flag;
    int64_t head;    // of the ring of cells that are too steep (streams_foreset.c)
    int64_t waiting; // in it
    int64_t slides;  // of a step
    int64_t mouths;  // streams that enter lakes, and cells of the sea with a load, in a turn
} stream_band;

struct streams
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
    bool at_once;      // the ground gets each change of a bed, not the net change of the step

    int32_t* surface; // padded [units] h
    int32_t* spill;   // padded [units] R: h, or level of the water over it
    int32_t* top;     // padded [units] h, or the level of the sea
    uint8_t* rim;     // 0 inside, 1 + wadi_side, or STREAM_PLAYA, _SEA, _DEEP, _VOID
    uint8_t* outline; // the same without the sea
    int32_t* base;    // [units] base level of outlets: by cell; NULL: see `ring`
    int32_t* bases;   // memory for it
    int32_t* ring;    // the same of the cells at the edges of the map, clockwise
    uint8_t* inside;  // 1: all eight neighbours are there, at the usual offsets
    uint8_t* wet;     // 1 where the bed is under water
    uint8_t* kind;    // STREAM_BED or another, from `solve` on; in place of `ways`
    uint8_t* to;      // direction of the receiver drawn
    uint8_t* ways;    // directions of both receivers of water: a | b << 4
    float* share;     // of the water that goes to b
    uint8_t* waits;   // donors not visited yet
    int32_t* order;   // of bands, one after the other
    stream_band* bands;
    int32_t band_count;
    bool ring_of_bands; // the first is next to the last
    int32_t* inbox;     // two rows of cells for each band
    stream_band rest;   // what no round visited
    uint64_t* pages;    // by worker, for wadi_pages; NULL: the arrays lie in memory
    int64_t page_words;
    int32_t* shores; // by turn and place (streams_shores.c); NULL: the arrays lie in memory
    int64_t count;   // cells with ground
    uint8_t* donor;  // direction of the donor with most water, or STREAM_STAYS
    int64_t* water;  // discharge [units]
    float* carrier;  // [m3/yr] most water that the load of a cell came with
    float* pace;     // F: wear for a drop of 1; in place of `share`
    float* settle;   // phi: share of the load that is deposited; in place of `carrier`
    int32_t* bed;    // [units] the ground, as streams change it
    int32_t* drop; // [units] <= 0: from a cell to its receiver; in a lake from the water to the bed
    stream_node* node;
    int64_t* load;            // [units x cells] on its way through a cell
    int32_t* landed;          // [units] part of `load` that crept into a stream, to lie on its bed
    int32_t* change;          // [units] scratch of creep and `apply`; in place of `settle`
    stream_front_cell* front; // scratch of settling loads
    double* falls;            // [units] falls at rest, by the square of the distance [cells]
    int32_t* remains;         // the order of `rest`
    int64_t remains_room;
    void* room;        // work of one stage after the other: creep, the flood, then `node`
    int32_t* along;    // [units] creep along rows, over the face after a cell; in `room`
    int32_t* across;   // the same along columns
    int32_t* spare;    // [units] what a cell can lose over one of its four faces; in `room`
    float* ease;       // share of the creep that the rock of a cell allows; in `room`
    uint8_t* fixed;    // CREEP_FIXED, CREEP_OUTLET, or 0 inside; in place of `waits`
    float* scratch;    // of creep: STREAM_SCRATCH blocks of lines for each worker
    int32_t* units;    // of creep: a block of lines for each worker
    uint8_t* held;     // of creep: a block of lines for each worker
    int32_t longest;   // cells of a line, at most
    float* soft;       // share of its wear that the rock of a cell allows; NULL if plain
    float* ones;       // a row of them, for plain rock
    uint32_t* outlets; // padded indices; later the mouths of a turn, by band. In place of `share`
    int64_t outlet_count;
    int64_t afloat; // [units x cells] what a full sea could not take
    int64_t sink;   // without any outlet the lowest cell, else -1
    wadi_flow_flood* flood;

    float* rain;      // [m/yr], or NULL
    float* discharge; // [m3/yr]; in creep that of the last step
    int32_t* wear;    // [units] gross, since creation
    int32_t* deposit; // [units] gross, since creation
    double mean_rain; // [m/yr]
    stream_row* rows;
    double years;  // since creation
    double visits; // cells processed
    double slides; // of the fronts of deltas
    int64_t step_index;
    stream_rates rates;
    wadi_tally tally;
    wadi_tally* tallies; // by worker
    stream_supply supply;
    stream_lakes* lakes;   // NULL: no lake evaporates
    stream_plains* plains; // NULL: no alluvial reaches
    stream_banks* banks;   // NULL: no river has been wider than a cell
    stream_walls* walls;   // scratch of creep
};

// Heights [m] of cells without data, for the wind (streams_gaps.c). `weight` is work.
void wadi_streams_fill_gaps(const streams* s, float* heights, float* weight);

static inline int64_t stream_padded(const streams* s, int32_t x, int32_t y)
{
    return (int64_t)(y + 1) * s->stride + x + 1;
}

static inline int64_t stream_padded_of(const streams* s, int64_t cell)
{
    return stream_padded(s, (int32_t)(cell % s->width), (int32_t)(cell / s->width));
}

// The side over which matter leaves from an outlet: the sea of unknown depth is one too.
static inline wadi_side stream_side(uint8_t rim)
{
    return rim == STREAM_DEEP ? WADI_SIDE_VOID : (wadi_side)(rim - 1);
}

// The cell in a direction, across periodic edges; -1 beyond other edges.
int64_t wadi_streams_beside(const streams* s, int64_t cell, int32_t direction);

// The same, and -1 where there is no ground.
int64_t wadi_streams_across(const streams* s, int64_t cell, int32_t direction);

static inline int64_t stream_neighbour(const streams* s, int64_t cell, int32_t direction)
{
    return s->inside[cell] != 0 ? cell + s->move[direction]
                                : wadi_streams_across(s, cell, direction);
}

// An outlet at an open edge, or beside cells without data.
static inline bool stream_is_outlet(const streams* s, int64_t cell)
{
    return s->to[cell] == STREAM_STAYS && s->rim[cell] != 0 && s->rim[cell] < STREAM_PLAYA;
}

// The first byte from `x` on, of `count`, that is not 0; `count` if all are.
static inline int32_t stream_first_set(const uint8_t* bytes, int32_t x, int32_t count)
{
    uint64_t any = 0;
    for (; x + 8 <= count && any == 0; x += any == 0 ? 8 : 0)
    {
        memcpy(&any, bytes + x, sizeof any);
    }
    while (x < count && bytes[x] == 0)
    {
        x += 1;
    }
    return x;
}

// q / (q + q_c): 0 on slopes, 1 in rivers.
static inline double stream_channel(const streams* s, int64_t cell)
{
    const float q = s->discharge[cell];
    return (double)(q / (q + s->rates.head));
}

static inline void stream_lay(const streams* s, int64_t cell, int64_t amount, wadi_tally* tally)
{
    s->bed[cell] += (int32_t)amount;
    if (s->at_once)
    {
        wadi_ground_put(s->ground, cell, (int32_t)amount, tally);
        hydraulic_count(&s->deposit[cell], (int32_t)amount);
    }
}

// Of the discharge of a cell so many times the rain on it are no stream yet: they count as water of
// a slope in the power of the wear law, so that slopes of large cells wear like those of small
// ones. Fitted to noise on cells of 30, 60 and 120 m.
#define STREAM_OWN 0.75

// Is a cell on the way of a river through its alluvial reach? Streams leave it alone.
static inline bool stream_is_caught(const streams* s, int64_t cell)
{
    return s->plains != NULL && s->plains->caught[cell] != 0;
}

// Deeper water is a lake; less is a stream, or the tilt of the flood [units].
#define STREAM_SHALLOW (WADI_UNITS_PER_METRE / 100)

// streams_ground.c
void wadi_streams_outline(streams* s);                        // once
wadi_result wadi_streams_read(streams* s, double year);       // heights, softness and sea of a step
void wadi_streams_cover(streams* s);                          // `top`
wadi_result wadi_streams_base(streams* s);                    // `base` or `ring`
int32_t wadi_streams_base_of(const streams* s, int64_t cell); // of an outlet
// Add `change` of cells of a row from `first` to the ground and to the maps of wear and deposits.
void wadi_streams_change_run(const streams* s, int64_t first, int32_t count, wadi_tally* tally);
void wadi_streams_ghosts(const streams* s, int32_t* padded);

// streams_creep_walls.c
wadi_result wadi_streams_walls_create(streams* s);
void wadi_streams_walls_free(streams* s);

// streams_settle.c
int64_t wadi_streams_settle(streams* s, int64_t mouth, int64_t load); // returns what stays afloat
void wadi_streams_rest(streams* s);                                   // what has found no place

// streams_foreset.c
// Slides under water: of `bed` and `drop`, not yet of the ground.
void wadi_streams_foresets(streams* s);

// streams_turns.c. A sweep visits all cells, each after its donors, or up: before them. Bands have
// turns; bands of the same turn are never neighbours, and neighbours have turns in order. A visit
// may read and write what is next to its cells.

// How far from the cells of a list an array is read.
typedef enum stream_reach
{
    STREAM_AT,     // there
    STREAM_BESIDE, // in the rows beside too
    STREAM_LISTED, // it holds the lists
    STREAM_PADDED  // of passes over rows: a padded array
} stream_reach;

// An array that visits read.
typedef struct stream_array
{
    const void* cells;
    size_t size; // of an element
    stream_reach reach;
} stream_array;

// `cells` gets a stretch of the order, whose cells are those of one turn of a band, or some of the
// rest (NULL).
typedef void stream_visit_fn(streams* s, stream_band* band, const int32_t* cells, int64_t count,
                             int32_t worker);

typedef struct stream_turns
{
    streams* s;
    bool up;
    stream_visit_fn* cells;
    const stream_array* arrays; // up to one without cells
    const int32_t* shores; // by turn and place: the last place that must have had this turn before
                           // the next one of the place; NULL: the one after it
    // Before any turn of a band or of those beside it; may be NULL.
    void (*begin)(streams* s, stream_band* band);
    // Sweeps have one of their own, which calls `cells`.
    void (*visit)(const struct stream_turns* turns, stream_band* band, int32_t turn,
                  int32_t worker);
    // After a turn, on one thread: the places before `done` have had it. May be NULL.
    void (*after)(const struct stream_turns* turns, int32_t turn, int32_t done);
} stream_turns;

wadi_result wadi_streams_turns_create(streams* s); // once
// Bands have places in the order in which they begin: from the first on, or from both ends where
// the first is next to the last. Neighbours are at most one place apart.
int32_t wadi_streams_places(const streams* s);
int32_t wadi_streams_place_of(const streams* s, int32_t band);
void wadi_streams_take_turns(const stream_turns* turns);
void wadi_streams_sweep(stream_turns* turns); // all turns, and the rest
// The cells of a list are visited next: read their pages where they lie in a file.
void wadi_streams_expect(const streams* s, const stream_array* arrays, const int32_t* cells,
                         int64_t count, int32_t worker);

// streams_pass.c. A pass over all rows, `grain` of them in a block, which reads or writes these
// arrays, up to one without cells.
void wadi_streams_pass(const streams* s, const stream_array* arrays, int32_t grain,
                       wadi_rows_fn* fn, void* user);
// Row `y` of all is next in a pass of one thread: where the arrays lie in a file, read those to
// come.
void wadi_streams_ahead(const streams* s, const stream_array* arrays, int32_t y);

// streams_rest.c, where the arrays lie in a file: an order of the rest by place. It needs `room`.
void wadi_streams_order_rest(streams* s);

// streams_shores.c, where the arrays lie in a file: `shores` of `apply`, or NULL. Does the load of
// a cell settle in a lake that bands touch which have not had this turn?
const int32_t* wadi_streams_find_shores(streams* s);
bool wadi_streams_is_open_shore(const stream_turns* turns, int64_t cell, int32_t done);

// streams_order.c
wadi_result wadi_streams_cut_bands(streams* s); // once
int32_t wadi_streams_band_of(const streams* s, int64_t cell);
stream_donors_row wadi_streams_donors_row(const streams* s, int64_t first);
void wadi_streams_hand_on(streams* s, const stream_band* band, int64_t cell);
wadi_result wadi_streams_sort(streams* s); // order and discharge

// streams_banks.c. The width of a river [m] by its discharge; cells within reach of wide rivers;
// then, between the rates and the solution, what these take from their banks.
void wadi_streams_banks_free(streams* s);
double wadi_streams_width(const streams* s, int64_t cell);
wadi_result wadi_streams_find_banks(streams* s);
void wadi_streams_cut_banks(streams* s);

// the stages
void wadi_streams_creep(streams* s);
wadi_result wadi_streams_routes(streams* s);
void wadi_streams_solve(streams* s);
void wadi_streams_apply(streams* s);

// streams_solve.c: cells that the change of a stream moves: its own, and a share of those beside it
double wadi_streams_cells_of(const streams* s, int64_t cell);
