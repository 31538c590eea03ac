// SPDX-License-Identifier: MIT
// Internal interface of grains (discrete element method); only src/bodies/grains includes it.
//
// Grains stand on the neighbour list of bodies/engine/list.h. A step has two parts for each chunk.
// First its forces are computed: from copies of its own grains and of its halo. Then, once all
// chunks that share grains with it have done so, its grains are integrated. Forces are whole
// numbers, so neither chunks, nor the order of grains, nor the time of a rebuild changes a result.
#pragma once

#include "bodies/engine/list.h"
#include "bodies/engine/stream.h"
#include "bodies/engine/walls.h"
#include "bodies/grains/granular_clump.h"
#include "bodies/grains/granular_flow.h"
#include "bodies/grains/granular_kernels.h"
#include "bodies/grains/granular_mesh.h"
#include "core/internal.h"

#include <wadi/grains.h>

#include <stdatomic.h>

enum
{
    GRANULAR_WALLS = WADI_GRAIN_MAX_WALLS + 1, // the ground is the last
    GRANULAR_GROUND = WADI_GRAIN_MAX_WALLS,
    GRANULAR_TOUCHES = 4 * GRANULAR_MESH_TOUCHES // room for contacts with meshes
};

// What a chunk's grains push a mesh with.
typedef struct granular_mesh_push
{
    int64_t force[3];
    int64_t torque[3]; // see granular_mesh_state
    int64_t touches;
} granular_mesh_push;

// A stretch of grains and what they may touch.
typedef struct granular_chunk
{
    wadi_chunk base;
    int32_t after_first; // of the later chunks it touches, in `after`
    int32_t after_count;
    int32_t awaited; // chunks that touch it, itself among them

    granular_pair* pairs; // by first grain; then bonds that broke since
    uint16_t* touching;
    uint16_t* bridged; // by group, bit k: a liquid bridge spans pair k

    // state of contacts, in the order of their pairs and without gaps
    granular_slip* slips;
    granular_roll* rolls; // NULL without rolling friction
    int32_t slip_first;   // free room before it, and behind the last, is for new contacts
    int32_t slip_count;
    int32_t slip_capacity;
    int32_t slip_wanted; // capacity that was missing: the step of this chunk must be repeated
    int32_t* ranks; // by group: touching pairs before it, as wadi_granular_slips_rank() left them

    bool settled;       // all asleep, and its rows are those of the last step
    bool beside_moving; // a mesh that moves may touch one of its grains
    granular_mesh_push pushed[GRANULAR_MESHES];

    double middle[3]; // origin of float positions
    bool wraps[3];    // pairs need the nearest periodic image
    float band;

    // of the last step
    double peak;
    int64_t touches;
    int64_t bridges;
    int64_t pressed[GRANULAR_WALLS][3]; // units of force on each wall
    int32_t broken;
    double moved[2][3]; // bounding box of displacements since the list was built
    double strayed2;    // largest squared distance from the reference displacement
} granular_chunk;

// Scratch memory of one worker.
typedef struct granular_scratch
{
    granular_body* bodies; // of the halo
    granular_wet* wet;
    float (*near)[4];
    granular_row* rows;
    bool fresh;      // the rows are those of the chunk in this step
    bool mixed;      // its grains and halo are of several kinds
    int32_t calmest; // of them
    int32_t* found;
    int32_t* memory;
    int32_t* born;
    uint16_t* now;
    granular_touch* touches;
    granular_push* pushes;          // of contacts with meshes
    granular_candidate* candidates; // triangles near one grain
} granular_scratch;

typedef struct granular_wall
{
    wadi_wall plane; // of the ground, without meaning but for its velocity, 0
    int32_t kind;
    double steep;         // most height over distance
    double shifted;       // way of the wall since the list was built [m]
    int64_t pressed[3];   // units of force on it in the last step
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

    // grains by place
    int32_t count;
    int32_t room; // in all arrays by place and id
    granular_body* bodies;
    granular_body* sorted;  // the next order
    granular_row* kept;     // force and torque of each grain from its own chunk, in the room of
                            // `sorted`
    granular_origin* built; // by place, behind them
    int32_t* ids;           // by place
    int32_t* sorted_ids;
    int32_t* places; // by id
    int64_t* names;  // by id: see grain_flow.h
    int64_t next_name;
    int32_t* same;     // by id: the id
    uint32_t* leaning; // by place, bit w: touches wall w
    uint32_t* walled;  // by place, bit w: may do so before all have moved by granular_margin()
    uint32_t* sorted_leaning;
    double* wetness;     // by id
    double* shares;      // of their material's bond strength, by id; NULL: 1
    double (*forces)[3]; // from outside, by id [N]; NULL: none
    granular_wet* wet;   // by id; NULL: water was never set
    double bridge_widen; // Willett: 1 + half the angle

    wadi_list list;
    granular_chunk* before;    // of the list before
    granular_scratch* scratch; // by worker
    int32_t local_capacity;
    int32_t found_capacity;
    int32_t* after; // chunks that chunks touch
    int32_t after_capacity;
    _Atomic int32_t* waits; // by chunk: pushes of this step that are still to come
    bool stale;
    double reference[3]; // displacement common to all grains
    double wandered2;    // largest squared displacement since the list was built, or more

    granular_bond* bonds; // by first place
    granular_bond* sorted_bonds;
    int32_t* bond_start; // by place, and one past the last
    int32_t bond_count;
    int32_t sorted_bond_count;
    int32_t bond_capacity;

    granular_wall walls[GRANULAR_WALLS];
    uint32_t present; // bit w: wall w exists
    wadi_facets ground;
    granular_mesh* meshes; // GRANULAR_MESHES of them; NULL: there never was one
    int32_t mesh_count;    // and one past the last that was added
    granular_beside beside;
    granular_slip* sorted_slips; // one wall's, while sorting
    granular_roll* sorted_rolls;

    granular_clumps* clumps; // NULL: all grains are single spheres
    int32_t* clump_of;       // by id: number of its clump, -1: none; without clumps, of no meaning

    granular_flow flow;
    bool tied;       // no grain comes or goes
    bool keeps_rows; // forces of grains are read after a step
    bool bare;       // the memory of grains is missing, and there are none
    int64_t steps;
    int64_t rebuilds;
    int64_t broken;
    int64_t touches;
    int64_t bridges;
    bool failed;
};

// ---- law: granular_law.c -----------------------------------------------------------------

wadi_result wadi_granular_law_create(wadi_grains* grains);
// Step limit, step, sleep and unit of force. Call after a change of bodies or bonds.
wadi_result wadi_granular_law_set_step(wadi_grains* grains);
// Stiffest contact that two of these radii can have; Hertz: where they overlap by a twentieth.
double wadi_granular_law_stiffest(const wadi_grains* grains);
// Longest stable step of grains with this mass.
double wadi_granular_law_limit(const wadi_grains* grains, double mass);
// Change the friction of a material; springs of contacts are kept.
void wadi_granular_law_set_friction(wadi_grains* grains, int32_t material, double friction);
// Largest force that its unit is chosen for [N], a power of two.
double wadi_granular_law_cap(const wadi_grains* grains, bool bonded);
void wadi_granular_law_set_sleep(wadi_grains* grains); // calm steps before a grain sleeps

// ---- order and lists: granular_list.c, granular_carry.c, granular_memory.c ----------------

static inline granular_chunk* granular_chunk_at(const wadi_grains* grains, int64_t number)
{
    return (granular_chunk*)grains->list.chunks + number;
}

extern const wadi_list_kind wadi_granular_list_kind;
// Write grains in the order of columns into `sorted`, `sorted_ids` and `sorted_leaning`.
void wadi_granular_sort(wadi_grains* grains);
// Build a new list from the positions of the grains.
wadi_result wadi_granular_list_build(wadi_grains* grains);
// Copy the state of contacts from the chunks of the list before to those of the list.
wadi_result wadi_granular_carry_contacts(wadi_grains* grains);
// Number of the pair of two places a < b in a list of chunks; -1: it is not there.
int32_t wadi_granular_list_find(const granular_chunk* chunk, int32_t a, int32_t b);
wadi_result wadi_granular_memory_create(wadi_grains* grains);
wadi_result wadi_granular_memory_reserve(wadi_grains* grains); // what a new list needs
// Let there be `count` grains; their state has to be set anew when there was too little room.
wadi_result wadi_granular_memory_fit(wadi_grains* grains, int32_t count);
void wadi_granular_memory_free(wadi_grains* grains);

// Bit p of flags that are kept by group of pairs.
static inline bool granular_flag(const uint16_t* flags, int32_t p)
{
    return (flags[p / GRANULAR_GROUP] >> (p % GRANULAR_GROUP) & 1) != 0;
}

static inline void granular_set_flag(uint16_t* flags, int32_t p)
{
    flags[p / GRANULAR_GROUP] |= (uint16_t)(1u << (p % GRANULAR_GROUP));
}

// Pair p has a contact or a bridge.
static inline bool granular_has_state(const granular_chunk* chunk, int32_t p)
{
    return granular_flag(chunk->touching, p) || granular_flag(chunk->bridged, p);
}

// ---- stored state of contacts: granular_slips.c -------------------------------------------

// Room for `wanted` contacts and some more; the state of contacts is kept.
wadi_result wadi_granular_slips_reserve(wadi_grains* grains, granular_chunk* chunk, int32_t wanted);
// Make room for `born` contacts behind the last, and as much before the first. On false there is
// not enough memory, and `slip_wanted` is the capacity that is needed.
bool wadi_granular_slips_make_room(granular_chunk* chunk, int32_t born);
// Compute `ranks`; returns the number of pairs in contact.
int32_t wadi_granular_slips_rank(granular_chunk* chunk);

// Index of the state of a pair in contact.
static inline int32_t granular_slip_of(const granular_chunk* chunk, int32_t p)
{
    const int32_t group = p / GRANULAR_GROUP;
    const uint32_t before = chunk->touching[group] & ((1u << (p % GRANULAR_GROUP)) - 1u);
    return chunk->slip_first + chunk->ranks[group] + __builtin_popcount(before);
}

// Clear contacts and bridges of a new list.
static inline void granular_clear_flags(granular_chunk* chunk)
{
    const size_t size = (size_t)(chunk->base.pair_capacity / GRANULAR_GROUP) * sizeof(uint16_t);
    if (size > 0)
    {
        memset(chunk->touching, 0, size);
        memset(chunk->bridged, 0, size);
    }
    chunk->slip_count = 0;
}

// ---- one step: granular_step.c -------------------------------------------------------------

// A step without progress reports, for worlds whose walls move.
wadi_result wadi_granular_step(wadi_grains* grains);

// ---- walls, bonds, motion ----------------------------------------------------------------

// Contacts of a chunk's own grains with wall w; returns how many.
int32_t wadi_granular_wall_find(wadi_grains* grains, int32_t w, const granular_chunk* chunk,
                                granular_touch* touches);
void wadi_granular_walls_sort(wadi_grains* grains);
// For each grain, set the walls that it may touch before the next list.
void wadi_granular_walls_find_near(wadi_grains* grains);

static inline double granular_margin(const wadi_grains* grains)
{
    return 2.0 * grains->params.skin * grains->list.largest;
}

// Room for so many bonds.
wadi_result wadi_granular_bonds_reserve(wadi_grains* grains, int64_t count);
// Bonds by first place, of the sorted grains; broken ones are left out.
void wadi_granular_bonds_sort(wadi_grains* grains);
// Bonds of a chunk that broke in the last step become pairs.
void wadi_granular_bonds_to_pairs(wadi_grains* grains, granular_chunk* chunk);
double
wadi_granular_bonds_limit(const wadi_grains* grains); // [s] of stability, endless without bonds

// ---- coming and going: granular_change.c, granular_flow.c --------------------------------------

// Place, velocity and spin are numbers, and so small that products of them are.
bool wadi_granular_is_moderate(const double x[3], const double v[3], const double w[3],
                               double radius);
wadi_result wadi_granular_check_grain(const wadi_grains* grains, const wadi_grain* grain,
                                      int32_t number);
wadi_result wadi_granular_check_period(const wadi_grains* grains); // against the largest grain
wadi_result wadi_granular_check_reach(const wadi_grains* grains, double reach); // of a clump
granular_body wadi_granular_body_of(const wadi_grains* grains, const wadi_grain* grain);
// Whether a grain may come into a world under way.
wadi_result wadi_granular_check_newcomer(const wadi_grains* grains, const wadi_grain* grain,
                                         int32_t number);
wadi_result wadi_granular_check_free(const wadi_grains* grains); // grains may come and go
wadi_result wadi_granular_change(wadi_grains* grains, const granular_change* change);
// Write a saved state without a seal, after a change: `ids` are the new ids, -1 of those that go.
void wadi_granular_save_changed(const wadi_grains* grains, const granular_change* change,
                                const int32_t* ids, wadi_stream* writer);
int64_t wadi_granular_units(const wadi_grains* grains, int32_t place); // of mass
int64_t wadi_granular_units_of(const wadi_grains* grains, const wadi_grain* grain);
void wadi_granular_books_open(wadi_grains* grains);  // with the grains that are there
wadi_result wadi_granular_flow(wadi_grains* grains); // before a step
uint64_t wadi_granular_flow_hash(const wadi_grains* grains, uint64_t hash);
// Whether a ball overlaps no wall, ground or mesh.
bool wadi_granular_walls_leave_room(const wadi_grains* grains, const double x[3], double radius);
bool wadi_granular_meshes_leave_room(const wadi_grains* grains, const double x[3], double radius);
wadi_result wadi_granular_meshes_ready(wadi_grains* grains); // poses and cells, at this step

// ---- clumps: granular_clumps.c, granular_clump_move.c, granular_clump_save.c ------------------

// Shapes of a world; clumps are added by wadi_granular_clumps_fill(), once its grains are there.
wadi_result wadi_granular_clumps_create(wadi_grains* grains, const wadi_grain_clumps* from);
void wadi_granular_clumps_free(wadi_grains* grains);
// Check clumps and lay out their spheres as grains, from `out` on.
wadi_result wadi_granular_clumps_lay(const wadi_grains* grains, const wadi_grain_clumps* from,
                                     wadi_grain* out);
// Make clumps of grains from id `first` on.
wadi_result wadi_granular_clumps_fill(wadi_grains* grains, const wadi_grain_clumps* from,
                                      int32_t first);
// State of a clump as it is made.
granular_clump wadi_granular_clump_of(const wadi_grains* grains, const wadi_grain_clump* from,
                                      int32_t first);
// Room for so many clumps.
wadi_result wadi_granular_clumps_reserve(wadi_grains* grains, int32_t count);
// Which grain belongs to which clump, and the mass of each, from the list.
void wadi_granular_clumps_bind(wadi_grains* grains);
// All spheres of a clump go, or none.
wadi_result wadi_granular_clumps_check_whole(const wadi_grains* grains, const bool* gone);
// Refuse what clumps cannot do.
wadi_result wadi_granular_clumps_refuse(const wadi_grains* grains, const char* what);
// Set places and velocities of a clump's spheres.
void wadi_granular_clump_pose(wadi_grains* grains, const granular_clump* clump);
// Spheres of a clump, as they would be laid.
void wadi_granular_clump_spheres(const wadi_grains* grains, const granular_clump* clump,
                                 double (*out)[4]);
double wadi_granular_clump_mass(const wadi_grains* grains, const granular_clump* clump);
// Rate of turn about the axes of the world, by the rows of its rotation [rad/s].
void wadi_granular_clump_spin(const wadi_grains* grains, const granular_clump* clump,
                              const double rows[3][3], double out[3]);
// Integrate the motion of all clumps over one step.
void wadi_granular_clumps_move(wadi_grains* grains);
void wadi_granular_clumps_stop(wadi_grains* grains); // all rest
// Add the displacements of their spheres to the box and the largest one of all grains.
void wadi_granular_clumps_measure(const wadi_grains* grains, double low[3], double high[3],
                                  double* strayed2);
// Clumps in saved states: they are written with their new ids; returns how many.
int32_t wadi_granular_clumps_save(const wadi_grains* grains, const granular_change* change,
                                  const int32_t* ids, int32_t stay, wadi_stream* writer);
// Saved clumps are of shapes and grains that are there.
bool wadi_granular_clumps_fit(const wadi_grains* grains, const unsigned char* bytes, int32_t count,
                              int32_t grain_count);
void wadi_granular_clumps_restore(wadi_grains* grains, const unsigned char* bytes, int32_t count);
uint64_t wadi_granular_clumps_hash(const wadi_grains* grains, uint64_t hash);

// Number of the clump that a grain belongs to, by id; -1: none.
static inline int32_t granular_clump_of_id(const wadi_grains* grains, int32_t id)
{
    return grains->clumps != NULL ? grains->clump_of[id] : -1;
}

static inline const granular_shape* granular_shape_of(const wadi_grains* grains,
                                                      const granular_clump* clump)
{
    return &grains->clumps->shapes[clump->shape];
}

// ---- meshes: granular_mesh.c, granular_mesh_touch.c -----------------------------------------

void wadi_granular_meshes_pose(wadi_grains* grains); // where they are at the current step
// A grain could meet a triangle in the next step that was not near it: a new list is needed.
bool wadi_granular_meshes_strayed(const wadi_grains* grains);
void wadi_granular_meshes_creep(wadi_grains* grains); // count the way of a step
// Triangles near the grains of a new list; contacts go on.
wadi_result wadi_granular_meshes_find_near(wadi_grains* grains);
// Contacts of one grain, into `made` and `touches` with room for GRANULAR_MESH_TOUCHES; their
// number is returned. `list` has room for the triangles near it. Nothing is kept.
int32_t wadi_granular_meshes_touch(const wadi_grains* grains, int32_t place,
                                   granular_candidate* list, granular_hold* made,
                                   granular_touch* touches);
// Contacts of a chunk's own grains with meshes.
void wadi_granular_meshes_add_forces(wadi_grains* grains, granular_chunk* chunk,
                                     granular_scratch* scratch, granular_work* work);
void wadi_granular_meshes_collect(wadi_grains* grains); // forces on meshes, after a step
// Forget contacts with a mesh.
void wadi_granular_holds_drop(wadi_grains* grains, int32_t mesh);
void wadi_granular_meshes_free(wadi_grains* grains);

// ---- saved numbers: granular_saved.c ----------------------------------------------------------

// The springs of a contact are such as contacts have.
bool wadi_granular_is_spring(const wadi_grains* grains, const granular_slip* slip,
                             const granular_roll* roll);

// ---- meshes in saved states: granular_mesh_save.c ---------------------------------------------

// Returns the number of contacts; `ids` as in wadi_granular_save_changed().
int64_t wadi_granular_meshes_save(const wadi_grains* grains, const int32_t* ids,
                                  wadi_stream* writer);
size_t wadi_granular_meshes_size(int64_t meshes, int64_t holds); // in bytes
// Contacts in saved bytes have springs that can be, and name grains, of `count`, and meshes that
// are there.
bool wadi_granular_holds_fit(const wadi_grains* grains, int32_t count, const unsigned char* bytes,
                             int64_t meshes, int64_t holds);
// The meshes in saved bytes, at this step, are those of this world.
wadi_result wadi_granular_meshes_check(const wadi_grains* grains, const unsigned char* bytes,
                                       int64_t meshes, int64_t steps);
void wadi_granular_meshes_restore(wadi_grains* grains, const unsigned char* bytes, int64_t meshes);
// Contacts with meshes of grains in the order of ids: the next list makes room for them.
wadi_result wadi_granular_holds_restore(wadi_grains* grains, const unsigned char* bytes,
                                        int64_t meshes, int64_t holds);
uint64_t wadi_granular_meshes_hash(const wadi_grains* grains, uint64_t hash);

// ---- water: granular_water.c, granular_bridges.c -----------------------------------------

// Inverse mass of a grain without water.
double wadi_granular_dry_inverse(const wadi_grains* grains, int32_t place);
// Set the strength of all bonds, and the grains that are mud, from wetness.
void wadi_granular_bonds_apply_wetness(wadi_grains* grains);
// Widest gap that a bridge of so much liquid spans [m].
double wadi_granular_bridge_span(const wadi_grains* grains, double liquid);
// For a pair in contact or with a bridge: add the force of the bridge to the rows of `work`; false
// if it has none or it breaks.
bool wadi_granular_bridge_add(const wadi_grains* grains, const granular_work* work,
                              granular_pair pair);
// Add the forces of liquid bridges of a chunk's pairs to the rows of `work`.
void wadi_granular_bridges_add_forces(const wadi_grains* grains, granular_chunk* chunk,
                                      const granular_work* work);

// Walls, ground or bonds have changed: forces of sleeping chunks must be computed again.
void wadi_granular_invalidate_forces(wadi_grains* grains);
// Compute the forces on a chunk's grains and on its halo. False: nothing was done, because room for
// `slip_wanted` contacts is missing.
bool wadi_granular_compute_forces(wadi_grains* grains, granular_chunk* chunk,
                                  granular_scratch* scratch);
// Copy the rows of a chunk's own grains, if it has computed them, to where they are kept.
void wadi_granular_keep_rows(wadi_grains* grains, const granular_chunk* chunk,
                             const granular_scratch* scratch);
// Integrate the motion of a chunk's own grains over one step, by these rows; NULL: those kept.
void wadi_granular_integrate(wadi_grains* grains, granular_chunk* chunk, const granular_row* rows);
// After all chunks have moved: is the list still valid?
void wadi_granular_check_skin(wadi_grains* grains);
// Build a new list if the last has become stale.
wadi_result wadi_granular_update_list(wadi_grains* grains);
