// SPDX-License-Identifier: MIT
// The inside of a world of water; only src/sph looks at it.
//
// Particles are sorted along columns of space, so that near means near in memory. A chunk is a
// stretch of that order, cut anywhere; it owns the pairs of which it has the first particle. A step
// has two passes over chunks: push (copy own particles and those of others within reach, add up
// forces) and move (collect what all chunks pushed, integrate). Forces are whole numbers, so
// neither chunks, nor the order of particles, nor when lists are built anew shows in a result.
#pragma once

#include "core/facets.h"
#include "core/internal.h"
#include "sph/sph_kernels.h"

#include <wadi/sph.h>

enum
{
    SPH_UNIT_BITS = 23, // a full particle has 2^22 to 2^23 units
    SPH_WALLS = WADI_SPH_MAX_WALLS + 1,
    SPH_GROUND = WADI_SPH_MAX_WALLS, // the last wall
    SPH_MOST_LOCAL = UINT16_MAX + 1, // particles that a pair can name
    SPH_OVERREAD = 16                // points behind the last that a search may read
};

// What neighbours do not see of a particle.
typedef struct sph_state
{
    double v[3]; // half a step behind x (leapfrog)
    uint32_t id;
    int32_t units; // of water; 0: it is gone
    int32_t drop;  // 1: it falls by itself
    int32_t spare;
} sph_state;

// A stretch of particles and what is within their reach.
typedef struct sph_chunk
{
    int32_t begin; // places of its own particles
    int32_t end;
    int32_t* halo; // places of the others
    int32_t halo_count;
    int32_t halo_capacity;
    int32_t halo_first; // of its rows among all halo rows
    uint16_t* others;   // neighbours by first particle
    int32_t other_count;
    int32_t other_capacity; // a multiple of SPH_GROUP
    int32_t* first;         // of each own particle, and one past the last
    int32_t first_capacity;

    // of the last step
    double strayed2; // largest squared distance since the list was built
    double fastest2;
    double lightest; // density
    double heaviest;
    int64_t met;    // neighbours of its particles, if they were counted
    int32_t uneven; // particles that are no full ones
    int32_t gone;   // particles that are to be removed
} sph_chunk;

// Columns along z on a grid in x and y, in strips.
typedef struct sph_grid
{
    double origin[2];
    double size[2]; // of a column: half the reach, or more
    int32_t columns[2];
    int32_t strip;  // columns across a strip
    int32_t* first; // place of the first particle of each column, and one past the last
    int32_t capacity;
} sph_grid;

// Positions for the search, by place.
typedef struct sph_points
{
    float* x;
    float* y;
    float* z;
} sph_points;

// What a worker needs by itself.
typedef struct sph_scratch
{
    sph_body* bodies;
    double* shares;
    sph_row* rows;
    int32_t* local; // number in the chunk by place, or 0
} sph_scratch;

typedef struct sph_wall
{
    double point[3];
    double normal[3]; // of length 1
    double velocity[3];
    double drag;
} sph_wall;

// A sphere and what it got.
typedef struct sph_sphere
{
    wadi_sph_sphere is;
    int64_t room; // units of water
    int64_t drunk;
    int64_t force[3];   // summed over steps, units
    double momentum[3]; // of the water it drank [N s]
} sph_sphere;

// A particle near a sphere, or so near that it may be before the list is built anew.
typedef struct sph_meeting
{
    int32_t place;
    uint32_t id;
    double d[3];      // from the particle to the centre of the sphere
    double r;         // its length
    double weight;    // share of the water around the sphere
    int64_t solid;    // share of the space around the particle that the sphere takes, 2^-40
    int64_t force[3]; // on the sphere
} sph_meeting;

struct wadi_sph
{
    wadi_context* context;
    wadi_sph_params params;
    const sph_kernels* kernels;
    int32_t workers;

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
    int32_t* line;   // places in order of birth
    int32_t* order;  // place before by place
    int32_t* moved;  // place by place before
    int32_t* column; // of each particle before sorting
    sph_row* own;    // by place
    double (*built)[3];
    int32_t* halo_start; // of the rows that push each particle, and one past the last
    sph_points points;
    sph_grid grid;
    sph_scratch* scratch; // by worker
    int32_t local_capacity;

    sph_chunk* chunks;
    int32_t chunk_count;
    int32_t chunk_capacity;
    sph_row* halo_rows;
    int32_t* halo_slots;
    int32_t halo_capacity;
    double skin; // of the lists there are [m]
    bool stale;
    bool uneven; // some particles are no full ones

    sph_wall walls[SPH_WALLS];
    uint32_t present; // bit w: wall w is there
    wadi_facets ground;
    bool rains;
    wadi_sph_rain rain;

    sph_sphere* spheres;
    int32_t sphere_count;
    int32_t sphere_capacity;
    int32_t* meeting_start; // by sphere, and one past the last
    sph_meeting* meetings;
    int32_t meeting_capacity;
    bool met;       // meetings are those of the spheres and the places there are
    int64_t* solid; // share of the space around each particle that spheres take, 2^-40

    int64_t steps;
    int64_t rebuilds;
    uint32_t next_id;
    int64_t added; // units of water
    int64_t rained;
    int64_t out;
    int64_t drunk;
    double owed; // rain that makes no full drop yet, share
    double fastest;
    bool failed;
};

// ---- memory: sph_memory.c ----------------------------------------------------------------

wadi_result sph_reserve(wadi_sph* sph, int64_t count);
wadi_result sph_reserve_chunks(wadi_sph* sph); // for the particles there are
wadi_result sph_reserve_pairs(wadi_sph* sph);  // for the lists there are
wadi_result sph_chunk_grow(wadi_sph* sph, sph_chunk* chunk, int32_t others, int32_t halo);
void sph_memory_free(wadi_sph* sph);

// ---- order and lists: sph_sort.c, sph_list.c -----------------------------------------------

void sph_sort(wadi_sph* sph);
int32_t sph_column(const sph_grid* grid, int32_t x, int32_t y);
int32_t sph_cell(const sph_grid* grid, int axis, double x);
// Numbers along an axis of the columns within two of `at`, each once; returns how many.
int32_t sph_near_columns(const wadi_sph* sph, int axis, int32_t at, int32_t out[5]);
wadi_result sph_list_build(wadi_sph* sph);

// ---- walls and ground: sph_walls.c ----------------------------------------------------------

// What walls do to a chunk's own particles.
void sph_walls_push(const wadi_sph* sph, const sph_chunk* chunk, sph_row* rows);
// Let neither a velocity nor the one a kick ahead bring x nearer to a wall than a particle can be.
void sph_walls_hold(const wadi_sph* sph, const double x[3], double v[3], double ahead[3]);

// ---- motion, rain, spheres ------------------------------------------------------------------

double sph_pressure(const wadi_sph* sph, double density);
void sph_body_settle(const wadi_sph* sph, sph_body* body); // what pushes, from density
sph_row sph_collect(const wadi_sph* sph, int32_t place);   // all that pushed a particle
// A step brings its rain when all that can fail is done: what is tried again rains once.
wadi_result sph_rain_reserve(wadi_sph* sph);
void sph_rain_fall(wadi_sph* sph);
// There must be room for it.
void sph_append(wadi_sph* sph, const sph_body* body, const double v[3], bool drop);
// Take away the particles whose water is gone.
void sph_remove(wadi_sph* sph);
wadi_result sph_spheres_push(wadi_sph* sph);
void sph_spheres_drink(wadi_sph* sph);
// A list for the particles as they are, if the last has become stale.
wadi_result sph_refresh(wadi_sph* sph);
