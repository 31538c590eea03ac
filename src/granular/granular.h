// SPDX-License-Identifier: MIT
// The inside of a world of grains; only src/granular looks at it.
//
// Grains are sorted along columns of space, so that near means near in memory. A chunk is a stretch
// of that order, cut anywhere; it owns the pairs of which it has the first grain. In a step each
// chunk pushes (copies own grains and those of later chunks they may touch, adds up forces), and is
// moved (what all chunks pushed is collected and integrated) once all have pushed that touch it.
// Forces are whole numbers, so neither chunks, nor the order of grains, nor when lists are built
// anew shows in a result.
#pragma once

#include "core/facets.h"
#include "core/internal.h"
#include "granular/granular_kernels.h"

#include <wadi/grains.h>

#include <stdatomic.h>

enum
{
    GRANULAR_WALLS = WADI_GRAIN_MAX_WALLS + 1, // the ground is the last
    GRANULAR_GROUND = WADI_GRAIN_MAX_WALLS,
    GRANULAR_MOST_LOCAL = UINT16_MAX + 1 // grains that a pair can name
};

// A stretch of grains and what they may touch.
typedef struct granular_chunk
{
    int32_t begin; // places of its own grains
    int32_t end;
    int32_t* halo; // places of the others
    int32_t halo_count;
    int32_t halo_capacity;
    int32_t halo_first;  // of its rows among all halo rows
    int32_t after_first; // of the later chunks it touches, in `after`
    int32_t after_count;
    int32_t awaited; // chunks that touch it, itself among them

    granular_pair* pairs; // by first grain; then bonds that broke since
    int32_t pair_count;
    int32_t pair_capacity; // a multiple of GRANULAR_GROUP
    int32_t* rows;         // first pair of each own grain, and one past the last
    uint16_t* touching;
    uint16_t* bridged; // by group, bit k: a liquid bridge spans pair k

    // what pairs that touch remember, in their order and without gaps
    granular_slip* slips;
    granular_roll* rolls; // NULL without rolling friction
    int32_t slip_first;   // room before it, and behind the last, is for contacts to be born
    int32_t slip_count;
    int32_t slip_capacity;
    int32_t slip_wanted; // what there was no room for: the step of this chunk is still to come
    int32_t* ranks;      // by group: touching pairs before it, as granular_slips_rank() left them

    bool settled; // all asleep, and its rows are those of the last step

    double middle[3]; // that short floats are counted from
    bool wraps[3];    // pairs must look across the seam
    float band;

    // of the last step
    double peak;
    int64_t touches;
    int64_t bridges;
    int32_t broken;
    double moved[2][3]; // box of displacements since the list was built
    double strayed2;    // largest squared distance from the reference displacement
} granular_chunk;

// Columns along z on a grid in x and y, in strips.
typedef struct granular_grid
{
    double origin[2];
    double size[2]; // of a column
    int32_t columns[2];
    int32_t strip;  // columns across a strip
    int32_t* first; // place of the first grain of each column, and one past the last
    int32_t capacity;
} granular_grid;

// Positions for the search, in the order of grains.
typedef struct granular_points
{
    float* x;
    float* y;
    float* z;
    float* r;
} granular_points;

// What a worker needs by itself.
typedef struct granular_scratch
{
    granular_body* bodies;
    granular_wet* wet;
    float (*near)[4];
    granular_row* rows;
    int32_t* found;
    int32_t* memory;
    int32_t* born;
    uint16_t* now;
    granular_touch* touches;
    int32_t* local; // number in the chunk by place, or 0
} granular_scratch;

typedef struct granular_wall
{
    bool present;
    double point[3];
    double normal[3]; // of length 1
    double velocity[3];
    int32_t kind;
    double steep;         // most height over distance
    granular_slip* slips; // by place
    granular_roll* rolls;
} granular_wall;

struct wadi_grains
{
    wadi_context* context;
    wadi_grains_params params;
    wadi_grain_material materials[WADI_GRAIN_MAX_MATERIALS];
    int32_t material_count;
    const granular_kernels* kernels;

    // law; kinds are materials, then the same as mud
    int32_t kinds;
    granular_contact* contacts;
    granular_cement* cements;
    bool rolls;
    double limit; // [s]
    double step;
    int32_t sleep_at;
    double scale; // units of force in a newton
    double cap;   // [N]
    double inverse_period[2];

    // grains by place
    int32_t count;
    granular_body* bodies;
    granular_body* sorted;  // the next order
    granular_trace* traces; // by place, in the room of `sorted`
    int32_t* ids;           // by place
    int32_t* sorted_ids;
    int32_t* places;   // by id
    uint32_t* leaning; // by place, bit w: touches wall w
    uint32_t* walled;  // by place, bit w: may do so before all have moved by granular_margin()
    uint32_t* sorted_leaning;
    int32_t* order;      // place before by place
    int32_t* moved;      // place by place before
    int32_t* column;     // of each grain before sorting
    double* wetness;     // by id
    double* shares;      // of their material's bond strength, by id; NULL: 1
    double (*forces)[3]; // from outside, by id [N]; NULL: none
    granular_wet* wet;   // by id; NULL: no water was ever set
    double bridge_widen; // Willett: 1 + half the angle
    double largest;      // radius

    double gap; // [m] across which a list names two grains
    granular_grid grid;
    granular_points points;
    granular_scratch* scratch; // by worker
    int32_t workers;
    int32_t local_capacity;
    int32_t found_capacity;

    // list, and the one before
    granular_chunk* chunks;
    granular_chunk* before;
    int32_t chunk_count;
    granular_row* halo_rows;
    int32_t halo_capacity;
    int32_t* halo_start; // of the rows that push each grain, and one past the last
    int32_t* halo_slots;
    int32_t* after;         // chunks that chunks touch
    _Atomic int32_t* waits; // by chunk: pushes of this step that are still to come
    bool stale;
    double reference[3]; // displacement that all have in common
    double wandered2;    // largest squared displacement since the list was built, or more

    granular_bond* bonds; // by first place
    granular_bond* sorted_bonds;
    int32_t* bond_start; // by place, and one past the last
    int32_t bond_count;
    int32_t sorted_bond_count;
    int32_t bond_capacity;

    granular_wall walls[GRANULAR_WALLS];
    wadi_facets ground;
    granular_slip* sorted_slips; // one wall's, while sorting
    granular_roll* sorted_rolls;

    int64_t steps;
    int64_t rebuilds;
    int64_t broken;
    int64_t touches;
    int64_t bridges;
    bool failed;
};

// ---- law: granular_law.c -----------------------------------------------------------------

wadi_result granular_law_create(wadi_grains* grains);
// Step limit, step, sleep and unit of force, whenever bodies or bonds change what they rest on.
wadi_result granular_law_set_step(wadi_grains* grains);
void granular_law_set_sleep(wadi_grains* grains); // calm steps before a grain sleeps

// ---- order and lists: granular_sort.c, granular_list.c, granular_carry.c -----------------------

// Distance of centres within which a list names two grains.
static inline double granular_reach(const wadi_grains* grains)
{
    return 2.0 * grains->largest + grains->gap;
}

// Put grains in the order of columns into `sorted` and its kin.
void granular_sort(wadi_grains* grains);
// A new list over the grains as they are.
wadi_result granular_list_build(wadi_grains* grains);
wadi_result granular_list_reserve(wadi_grains* grains); // scratch and halo rows
int32_t granular_column(const granular_grid* grid, int32_t x, int32_t y);
// What lasting contacts remember goes from `before` to `chunks`.
wadi_result granular_carry(wadi_grains* grains);
// Number of the pair of two places a < b in a list of chunks; -1: it is not there.
int32_t granular_list_find(const granular_chunk* chunk, int32_t a, int32_t b);
void granular_chunk_free(wadi_context* context, granular_chunk* chunk);
wadi_result granular_chunk_grow(wadi_grains* grains, granular_chunk* chunk, int32_t pairs,
                                int32_t halo);

// Bit p of flags that are kept by group of pairs.
static inline bool granular_flag(const uint16_t* flags, int32_t p)
{
    return (flags[p / GRANULAR_GROUP] >> (p % GRANULAR_GROUP) & 1) != 0;
}

static inline void granular_set_flag(uint16_t* flags, int32_t p)
{
    flags[p / GRANULAR_GROUP] |= (uint16_t)(1u << (p % GRANULAR_GROUP));
}

// Pair p has something to remember.
static inline bool granular_remembers(const granular_chunk* chunk, int32_t p)
{
    return granular_flag(chunk->touching, p) || granular_flag(chunk->bridged, p);
}

// ---- what contacts remember: granular_slips.c ---------------------------------------------

// Room for so many, a few to come, and more to be born; what is remembered stays.
wadi_result granular_slips_reserve(wadi_grains* grains, granular_chunk* chunk, int32_t wanted);
// Have room for `born` contacts behind the last, and as much before the first; false: there is
// none, and `slip_wanted` says how much it takes.
bool granular_slips_open(granular_chunk* chunk, int32_t born);
// Find `ranks`; returns how many pairs touch.
int32_t granular_slips_rank(granular_chunk* chunk);

// Where a pair that touches keeps what it remembers.
static inline int32_t granular_slip_of(const granular_chunk* chunk, int32_t p)
{
    const int32_t group = p / GRANULAR_GROUP;
    const uint32_t before = chunk->touching[group] & ((1u << (p % GRANULAR_GROUP)) - 1u);
    return chunk->slip_first + chunk->ranks[group] + __builtin_popcount(before);
}

// No pair of a new list touches yet, nor has a bridge.
static inline void granular_clear_flags(granular_chunk* chunk)
{
    const size_t size = (size_t)(chunk->pair_capacity / GRANULAR_GROUP) * sizeof(uint16_t);
    memset(chunk->touching, 0, size);
    memset(chunk->bridged, 0, size);
    chunk->slip_count = 0;
}

// Place of a local number.
static inline int32_t granular_place(const granular_chunk* chunk, int32_t local)
{
    const int32_t own = chunk->end - chunk->begin;
    return local < own ? chunk->begin + local : chunk->halo[local - own];
}

// ---- walls, bonds, motion ----------------------------------------------------------------

// Contacts of a chunk's own grains with wall w; returns how many.
int32_t granular_wall_find(wadi_grains* grains, int32_t w, const granular_chunk* chunk,
                           granular_touch* touches);
void granular_walls_sort(wadi_grains* grains);
// Note who is near which wall.
void granular_walls_meet(wadi_grains* grains);

static inline double granular_margin(const wadi_grains* grains)
{
    return 2.0 * grains->params.skin * grains->largest;
}

// Room for so many bonds.
wadi_result granular_bonds_reserve(wadi_grains* grains, int64_t count);
// Bonds by first place, of the sorted grains; broken ones are left out.
void granular_bonds_sort(wadi_grains* grains);
// Bonds of a chunk that broke in the last step become pairs.
void granular_bonds_release(wadi_grains* grains, granular_chunk* chunk);
double granular_bonds_limit(const wadi_grains* grains); // [s] of stability, endless without bonds

// ---- water: granular_water.c, granular_bridges.c -----------------------------------------

// Inverse mass of a grain without water.
double granular_dry_inverse(const wadi_grains* grains, int32_t place);
// Strength of all bonds, and who is mud, by the wetness that is set.
void granular_bonds_wet(wadi_grains* grains);
// Widest gap that a bridge of so much liquid spans [m].
double granular_bridge_span(const wadi_grains* grains, double liquid);
// Liquid bridges of a chunk's pairs, into the rows of `work`.
void granular_bridges_push(const wadi_grains* grains, granular_chunk* chunk,
                           const granular_work* work);

// What grains lean on, or what holds them together, has changed: forces are to be found anew.
void granular_unsettle(wadi_grains* grains);
// Rows of a chunk's grains and of its halo, from where all are now; false: nothing was done for
// want of room for `slip_wanted`.
bool granular_push(wadi_grains* grains, granular_chunk* chunk, granular_scratch* scratch);
// A step of a chunk's own grains.
void granular_move(wadi_grains* grains, granular_chunk* chunk);
// After all have moved: whether the list still holds.
void granular_judge(wadi_grains* grains);
// A list for the grains as they are, if the last has become stale.
wadi_result granular_refresh(wadi_grains* grains);
