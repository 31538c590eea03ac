// SPDX-License-Identifier: MIT
// Internal interface of water (smoothed particle hydrodynamics); only src/bodies/water includes it.
//
// Particles stand on the neighbour list of bodies/engine/list.h. A step has two passes over chunks:
// forces (from copies of own particles and of the halo), then motion (sum the forces of all chunks,
// integrate). Forces are whole numbers, so neither chunks, nor the order of particles, nor the time
// of a rebuild changes a result.
#pragma once

#include "bodies/engine/list.h"
#include "bodies/engine/walls.h"
#include "bodies/water/sph_kernels.h"
#include "core/internal.h"

#include <wadi/sph.h>

enum
{
    SPH_UNIT_BITS = 23, // a full particle has 2^22 to 2^23 units
    SPH_SOLID_MOST =
        3 << 28, // three quarters of the space, denser than any packing of equal spheres
    SPH_WALLS = WADI_SPH_MAX_WALLS + 1,
    SPH_GROUND = WADI_SPH_MAX_WALLS, // the last wall
    SPH_MIRRORS = 4
};

// Data of a particle that its neighbours do not need.
typedef struct sph_state
{
    double v[3]; // half a step behind x (leapfrog)
    uint32_t id;
    int32_t units; // of water; 0: removed
    int32_t drop;  // 1: a drop in free fall
    int32_t solid; // share of the space around that spheres take, 2^-30
} sph_state;

// A run of particles and the others within their reach.
typedef struct sph_chunk
{
    wadi_chunk base;
    uint16_t* others; // neighbours by first particle

    // of the last step
    double strayed2; // largest squared distance since the list was built
    double fastest2;
    double lightest; // density
    double heaviest;
    int64_t met;    // neighbours of its particles, if they were counted
    int32_t uneven; // particles below full mass
    int32_t gone;   // particles that are to be removed
} sph_chunk;

// Scratch memory of one worker.
typedef struct sph_scratch
{
    sph_body* bodies;
    double* shares;
    sph_row* rows;
} sph_scratch;

typedef struct sph_wall
{
    wadi_wall plane;
    double drag;
} sph_wall;

// A sphere, and the force, momentum and water it has received.
typedef struct sph_sphere
{
    wadi_sph_sphere is;
    int64_t room; // units of water
    int64_t drunk;
    int64_t force[3];   // summed over steps, units
    double momentum[3]; // of the water it absorbed [N s]
    double filled;      // share of the space around that spheres leave filled with water
    double excess;      // water beyond it, as a share of all water there
    double pace;        // speed of the water past it, as a share of the speed of sound
} sph_sphere;

// A particle within reach of a sphere, now or possibly before the next list.
typedef struct sph_contact
{
    int32_t place;
    uint32_t id;
    double d[3];      // from the particle to the centre of the sphere
    double r;         // its length
    double weight;    // share of the water around the sphere
    int64_t solid;    // share of the space around the particle taken by the sphere, 2^-40
    int64_t force[3]; // on the sphere
} sph_contact;

struct wadi_sph
{
    wadi_context* context;
    wadi_sph_params params;
    const sph_kernels* kernels;

    // law
    double h;
    double reach;     // 2h
    double mass;      // of a full particle
    double unit;      // of water, a power of two, so that volumes add up exactly [m3]
    int32_t full;     // units in a full particle
    double stiffness; // B of Tait's equation [Pa]
    double step;
    double force_scale; // units in a newton
    double rate_scale;  // units in a kg/m3/s
    sph_law law;
    double low[3]; // bounds
    double high[3];

    // particles by place
    int32_t count;
    int32_t capacity;
    sph_body* bodies;
    sph_body* sorted; // the next order
    sph_state* states;
    sph_state* sorted_states;
    int32_t* line; // places in order of birth
    sph_row* own;  // by place
    double (*built)[3];
    uint32_t* beside; // by place, bit w: wall w may act on it before there is a new list
    wadi_list list;
    sph_scratch* scratch; // by worker
    int32_t local_capacity;
    double skin; // of the current lists [m]
    bool stale;
    bool uneven; // some particles are below full mass

    sph_wall walls[SPH_WALLS];
    uint32_t present; // bit w: wall w exists
    wadi_facets ground;
    bool rains;
    wadi_sph_rain rain;

    sph_sphere* spheres;
    int32_t sphere_count;
    int32_t sphere_capacity;
    int32_t* contact_start; // by sphere, and one past the last
    sph_contact* meetings;
    int32_t contact_capacity;
    bool met;        // contacts belong to the current spheres and order of particles
    bool crowded;    // spheres take room from some particles
    int64_t* solid;  // share of the space around each particle taken by spheres, 2^-40
    int64_t* taken;  // the part of it that is taken from water and not from air
    int64_t* excess; // share x water that has no room between the spheres, 2^-40
    int64_t* pace;   // share x speed of the water past the spheres, 2^-40 of the speed of sound

    int64_t steps;
    int64_t rebuilds;
    uint32_t next_id;
    int64_t added; // units of water
    int64_t rained;
    int64_t out;
    int64_t drunk;
    double owed; // rain carried over to the next drop, as a share of a drop
    double fastest;
    bool failed;
};

// ---- memory: sph_memory.c ----------------------------------------------------------------

wadi_result wadi_sph_reserve(wadi_sph* sph, int64_t count);
wadi_result wadi_sph_reserve_local(wadi_sph* sph); // for the current list
void wadi_sph_memory_free(wadi_sph* sph);

// ---- order and lists: sph_list.c -----------------------------------------------------------

extern const wadi_list_kind wadi_sph_list_kind;

static inline sph_chunk* sph_chunk_at(const wadi_sph* sph, int64_t number)
{
    return (sph_chunk*)sph->list.chunks + number;
}

void wadi_sph_sort(wadi_sph* sph);

// ---- room of spheres: sph_room.c --------------------------------------------------------------

// Share of the space around each particle that spheres take, from the sums of their contacts.
void wadi_sph_room_update(wadi_sph* sph);
// The same around the particles of a box of n[0] x n[1] x n[2] that is to be filled.
void wadi_sph_room_in_box(const wadi_sph* sph, const double low[3], const int64_t n[3],
                          int32_t* solid);

// ---- walls and ground: sph_walls.c ----------------------------------------------------------

// Add the forces of walls on a chunk's own particles.
void wadi_sph_walls_add_forces(const wadi_sph* sph, const sph_chunk* chunk, sph_row* rows);
// Limit the velocity of a particle, and the velocity predicted one kick ahead, so that it keeps the
// least distance from walls.
void wadi_sph_walls_limit_velocity(const wadi_sph* sph, int32_t place, double v[3],
                                   double ahead[3]);
// With a new list: the walls that may act on each particle before the next.
void wadi_sph_walls_find_beside(wadi_sph* sph);
// Planes within reach of a place: walls, and that of the ground below.
typedef struct sph_mirrors
{
    int32_t count;
    double d[SPH_MIRRORS]; // distances of the place
    double n[SPH_MIRRORS][3];
} sph_mirrors;

sph_mirrors wadi_sph_walls_mirrors(const wadi_sph* sph, const double x[3], double reach);

// ---- folds of the ground: sph_folds.c ---------------------------------------------------------

// Integrals of the kernel over the ground within reach of a particle.
typedef struct sph_fold
{
    double push[3]; // of its gradient
    double bear[3]; // of its gradient times the work of gravity on the way there
    double inside;  // of the kernel
    double shear;   // of the gradient over the distance
} sph_fold;

// Whether the ground within reach of a place is more than the plane below it; then *fold is set.
bool wadi_sph_fold_sum(const wadi_sph* sph, const double x[3], sph_fold* fold);

// ---- motion, rain, spheres ------------------------------------------------------------------

double wadi_sph_pressure(const wadi_sph* sph, double density);
// Share of the space around a particle that is left to water; exactly 1 without spheres.
static inline double sph_porosity(const sph_state* state)
{
    return 1.0 - 0x1p-30 * (double)state->solid;
}
// Pressure term from the density of the water itself.
void wadi_sph_body_set_pressure(const wadi_sph* sph, sph_body* body, double porosity);
sph_row wadi_sph_sum_forces(const wadi_sph* sph, int32_t place); // sum over all chunks
// Rain is added at the end of a step, after all calls that can fail, so that a repeated step adds
// its rain once.
wadi_result wadi_sph_rain_reserve(wadi_sph* sph);
void wadi_sph_rain_add_drops(wadi_sph* sph);
// There must be room for it.
void wadi_sph_append(wadi_sph* sph, const sph_body* body, const double v[3], bool drop);
// Remove the particles without water.
void wadi_sph_remove(wadi_sph* sph);
// Let spheres take their room in the water, before forces are computed.
wadi_result wadi_sph_spheres_take_room(wadi_sph* sph);
void wadi_sph_spheres_add_forces(wadi_sph* sph);
void wadi_sph_spheres_absorb(wadi_sph* sph);
// Build a new list if the last has become stale.
wadi_result wadi_sph_update_list(wadi_sph* sph);
