// SPDX-License-Identifier: MIT
// The model "stream_power": the stream power law along the steepest ways, with deposition. All of
// it runs in windows of a grid: whatever goes from cell to cell along the ways goes on across
// windows by notes (power_relay.c), and no result depends on the order in which cells are visited.
#pragma once

#include "processes/hydraulic/hydraulic_internal.h"

#include "core/internal.h"

// What a cell is, found anew in each step.
enum
{
    POWER_GHOST = 1, // another window owns it
    POWER_RIM = 2,   // at the rim of the arrays: its neighbours are not simply beside it
    POWER_NONE = 4,  // no data
    POWER_OUTLET = 8,
    POWER_DEEP = 16, // an outlet at the level of the sea, which has room for everything
    POWER_EVEN = 32  // wears like rock of hardness 0, however deep
};

// Where its water goes: a direction of flow.h, and whether it is wet.
enum
{
    POWER_ENDS = 8, // nowhere: an outlet, or the lowest cell of closed land
    POWER_VOID = 9,
    POWER_WAY = 15,
    POWER_WET = 16 // under a lake or the sea
};

// Directions of flow.h, in columns and rows.
static const int32_t power_dx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int32_t power_dy[8] = {0, -1, -1, -1, 0, 1, 1, 1};

// News of a cell for a window that has it in its halo, or matter for a cell of another window.
typedef struct power_note
{
    int64_t cell;  // number in the whole grid
    int64_t value; // a level, an amount, or the bits of a double
    int64_t stage; // level of water
} power_note;

// A window beside this one, and what it will be told.
typedef struct power_link
{
    int32_t window;
    wadi_box box; // its own cells
    power_note* notes;
    int64_t count;
    int64_t room;
} power_link;

typedef struct power_relay
{
    const wadi_partition* part; // NULL: the whole grid
    power_link* links;
    int32_t link_count;
    wadi_part* parts;
    unsigned char* bytes;
    int64_t bytes_room;
    power_note* got; // what has come
    int64_t got_count;
    int64_t got_room;
} power_relay;

// A list of cells that grows.
typedef struct power_cells
{
    int32_t* at;
    int64_t count;
    int64_t room;
} power_cells;

typedef struct power
{
    wadi_terrain* terrain;
    wadi_context* context;
    wadi_ground* ground;
    wadi_hydraulic_params params;
    uint32_t stream;
    int32_t width; // of the window with its halo
    int32_t height;
    int64_t cells;
    wadi_owned owned;
    int64_t move[8]; // to the neighbour in each direction
    power_relay relay;

    float* rain;    // [m/yr], or NULL
    double units;   // of water for each m3/yr
    int64_t shower; // units that fall on a cell in a year without a map

    int32_t* surface; // [units]
    uint32_t* level;  // to which the water would rise on its way out, with the tilt: a key
    uint8_t* place;   // POWER_GHOST ...
    uint8_t* way;     // POWER_ENDS ...
    uint8_t* waits;   // donors that have not given yet
    int64_t* water;   // discharge [units]
    double* base;     // F, then the height that donors fall to [units]
    int64_t* load;    // = base: later the load, then what is laid down
    int32_t*
        stage; // level of water; where it is dry the surface, then as float the share laid down
    power_cells ready; // cells to be visited
    power_cells border;
    uint32_t* sent;  // levels of the border cells that others know
    bool all_memory; // false: the lists could not grow

    // of a step
    double years;
    uint32_t step;
    bool has_sea;
    int32_t sea;                  // level [units]; INT32_MIN without one
    int64_t sink;                 // the lowest cell of land without outlets, or -1
    bool has_outlet;              // in any window
    int32_t lowest;               // outlet of all windows [units]
    double mean_rain;             // [m/yr]
    int64_t pool;                 // load that has come to the sink
    int64_t out[WADI_SIDE_COUNT]; // water [units]
    int64_t ended;
    wadi_tally tally;
    wadi_tally* tallies; // by worker
    int64_t* rows;       // 2 for each own row, for the fill

    // sums
    int32_t* wear;
    int32_t* deposit;
    double run_years;
    double rain_sum; // [m3]
    double outflow_sum;
    int64_t visits; // of cells
    bool noted;     // rivers of the terrain that this model does not know
} power;

// Levels are compared as unsigned numbers.
static inline uint32_t power_key(int32_t height)
{
    return (uint32_t)height + 0x80000000u;
}

static inline int32_t power_height(uint32_t key)
{
    return (int32_t)(key - 0x80000000u);
}

#define POWER_FAR UINT32_MAX   // not reached by the flood
#define POWER_MOST_RAIN 1000.0 // of a map [m/yr]

// Surface of a cell, or of the sea above it.
static inline int32_t power_top(const power* p, int64_t cell)
{
    return p->surface[cell] > p->sea ? p->surface[cell] : p->sea;
}

int64_t wadi_power_across(const power* p, int64_t cell, int32_t direction);

// The neighbour in a direction; -1 beyond an edge. It may have no data.
static inline int64_t power_beside(const power* p, int64_t cell, int32_t direction)
{
    return (p->place[cell] & POWER_RIM) == 0 ? cell + p->move[direction]
                                             : wadi_power_across(p, cell, direction);
}

static inline bool power_flows_to(const power* p, int64_t from, int32_t direction)
{
    return (p->way[from] & POWER_WAY) == direction;
}

static inline int32_t power_back(int32_t direction)
{
    return (direction + 4) & 7;
}

// An outlet that keeps its height: the lowest ones, and all with an `outside_slope` of 1000.
static inline bool power_stays(const power* p, int64_t cell)
{
    return (p->way[cell] & POWER_WAY) == POWER_ENDS &&
           (p->params.outside_slope >= 1000.0 || power_top(p, cell) <= p->lowest);
}

// Number of a cell in the whole grid.
static inline int64_t power_number(const power* p, int64_t cell)
{
    return wadi_ground_number(p->ground, (int32_t)(cell % p->width), (int32_t)(cell / p->width));
}

void wadi_power_push(power* p, power_cells* list, int64_t cell);

// Arrays that a part of a step is about to use, where they lie in a file: the system reads each of
// them in one go, and nothing else, since what follows the ways jumps.
enum
{
    POWER_USES_SURFACE = 1,
    POWER_USES_LEVEL = 2,
    POWER_USES_PLACE = 4,
    POWER_USES_WAY = 8,
    POWER_USES_WAITS = 16,
    POWER_USES_WATER = 32,
    POWER_USES_LOAD = 64, // or `base`
    POWER_USES_STAGE = 128,
    POWER_USES_WEAR = 256,
    POWER_USES_DEPOSIT = 512,
    POWER_USES_GROUND = 1024, // rock and loose layers
    POWER_USES_HARDNESS = 2048,
    POWER_USES_LAKES = 4096 // layer of water
};

// Enter a part of a step, named as for wadi_stage().
void wadi_power_enter(const power* p, const char* stage, uint32_t uses);

// Side over which an outlet drains.
wadi_side wadi_power_side(const power* p, int64_t cell);

// ---- the parts of a step, in their order -------------------------------------------------------

// Surface, places of cells, sea and rain.
wadi_result wadi_power_read(power* p, const wadi_span* span);
// Levels of water on its way out, and the ways.
wadi_result wadi_power_flood(power* p);
wadi_result wadi_power_find_ways(power* p);
// Discharge, down the ways.
wadi_result wadi_power_gather(power* p);
// Wear, up the ways.
wadi_result wadi_power_climb(power* p);
// Loads, down the ways.
wadi_result wadi_power_carry(power* p);
// What comes to the lowest cell of closed land fills it as water would.
wadi_result wadi_power_fill(power* p);

// ---- between windows ---------------------------------------------------------------------------

wadi_result wadi_power_relay_open(power* p);
void wadi_power_relay_close(power* p);
// Give a note to the window that owns a ghost.
wadi_result wadi_power_tell_owner(power* p, int64_t ghost, const power_note* note);
// Give a note on an own cell to all windows that own one of the ghosts beside it.
wadi_result wadi_power_tell_around(power* p, int64_t cell, int64_t value, int64_t stage);
// Exchange the notes. `all`: how many, of all windows. They lie in `got`.
wadi_result wadi_power_exchange(power* p, int64_t* all);
// The cell of a note: an own one, or a ghost beside one.
int64_t wadi_power_place_of(const power* p, int64_t number);
// Give a layer of the halo the values of its owners.
wadi_result wadi_power_refresh(power* p, void* layer, int32_t bytes);
