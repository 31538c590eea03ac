// SPDX-License-Identifier: MIT
// The droplets' inner loop, compiled once for each instruction set. It uses lanes
// (lockstep/lanes.h), so that all builds give the same bits.
#include "lockstep/grant.h"
#include "lockstep/lanes.h"
#include "processes/articles/droplets/droplet_kernels.h"

#include <math.h>
#include <string.h>

enum
{
    KERNEL_UNROLL = 8 // lanes of a scalar loop
};

// What is read of a cell: the bits of its level, and its normal. clang collects every second 32-bit
// entry of an array one by one for WebAssembly, but cuts 64-bit entries in vectors.
#if defined(__wasm__)
typedef uint64_t kernel_ground;
#else
typedef struct kernel_ground
{
    int32_t level;
    int32_t normal;
} kernel_ground;
#endif

static LANES_INLINE int32_t kernel_level_of(kernel_ground ground)
{
#if defined(__wasm__)
    return (int32_t)ground;
#else
    return ground.level;
#endif
}

static LANES_INLINE int32_t kernel_normal_of(kernel_ground ground)
{
#if defined(__wasm__)
    return (int32_t)(ground >> 32);
#else
    return ground.normal;
#endif
}

// Intermediate results of a step.
typedef struct kernel_scratch
{
    _Alignas(DROPLET_ALIGN) int32_t far[DROPLET_LANES]; // 1: moves at least half a cell
    int32_t inside[DROPLET_LANES];                      // 1: on the grid
    int32_t to[DROPLET_LANES];                          // cell
    kernel_ground ground[DROPLET_LANES];                // of cell `to`
    uint32_t grant[DROPLET_LANES];                      // of cell `to`
    int32_t from[DROPLET_LANES];                        // the cell that the step leaves
    int64_t entry[DROPLET_LANES];                       // of that cell's sum
} kernel_scratch;

// Newtonian motion of active lanes: acceleration along the normal, then friction.
static inline void kernel_move(const droplet_law* law, droplet_lanes* restrict lanes,
                               kernel_scratch* restrict next)
{
    const float right = (float)law->width;
    const float bottom = (float)law->height;
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        const int32_t active = -lanes->active[l];
        const int32_t normal = lanes->normal[l];
        const float nx = (float)((int32_t)((uint32_t)normal << 16) >> 16);
        const float ny = (float)(normal >> 16);
        const float u = lanes->u[l] + lanes->pull[l] * nx;
        const float v = lanes->v[l] + lanes->pull[l] * ny;
        const float x = lanes->x[l] + law->step * u;
        const float y = lanes->y[l] + law->step * v;
        lanes->x[l] = lanes_pickf(active, x, lanes->x[l]);
        lanes->y[l] = lanes_pickf(active, y, lanes->y[l]);
        lanes->u[l] = lanes_pickf(active, u * law->drag, lanes->u[l]);
        lanes->v[l] = lanes_pickf(active, v * law->drag, lanes->v[l]);
        next->far[l] = u * u + v * v >= law->far2 ? 1 : 0;

        // outside the grid any cell will do, because the step then waits for the slow path
        const int32_t column = (int32_t)lanes_clamp(x, right - 1.0f);
        const int32_t row = (int32_t)lanes_clamp(y, bottom - 1.0f);
        next->to[l] = row * law->width + column;
        const int32_t in_x = x >= 0.0f && x < right ? 1 : 0;
        const int32_t in_y = y >= 0.0f && y < bottom ? 1 : 0;
        next->inside[l] = in_x & in_y;
    }
}

// Read the cells that the step leads to. Level and normal are copied together, and the inner loop
// is unrolled: these scalar copies were half of the instructions.
static LANES_INLINE void kernel_look(const particle_cell* cells, const uint32_t* grants,
                                     droplet_mode mode, kernel_scratch* restrict next)
{
    for (int first = 0; first < DROPLET_LANES; first += KERNEL_UNROLL)
    {
        for (int l = first; l < first + KERNEL_UNROLL; ++l)
        {
            const int64_t to = lanes_scalar(next->to[l]);
            memcpy(&next->ground[l], &cells[to], sizeof *next->ground);
            if (mode == DROPLET_GRANTED)
            {
                next->grant[l] = grants[to];
            }
        }
    }
}

// Whole units of an exchange. Where a droplet keeps no fractions, it takes no more than it wants,
// so that one that hardly takes anything comes to rest.
static LANES_INLINE int32_t kernel_round(droplet_mode mode, float want)
{
    return mode == DROPLET_FREE || want < 0.0f ? lanes_round(want) : (int32_t)want;
}

// Evaporation and arrival of a lane, if it moves.
static LANES_INLINE void kernel_arrive(const droplet_law* law, int l, int32_t moves,
                                       droplet_lanes* restrict lanes,
                                       const kernel_scratch* restrict next)
{
    const float volume = lanes->volume[l];
    const float left = volume * law->keep;
    lanes->volume[l] = lanes_pickf(moves, left, volume);
    lanes->pull[l] = lanes_pickf(moves, lanes->pull[l] * law->grow, lanes->pull[l]);
    lanes->cell[l] = lanes_pick(moves, next->to[l], lanes->cell[l]);
    lanes->normal[l] = lanes_pick(moves, kernel_normal_of(next->ground[l]), lanes->normal[l]);
    lanes->crossing[l] += moves + lanes->active[l];
    lanes->active[l] = (int32_t)(left > law->min_volume) & moves;
}

// Mass transfer with the cell that the droplet leaves, in whole units. A free droplet keeps
// fractions of a unit and its own changes of the last two cells; demands are those of empty
// droplets, which bound those of the second run. Inactive lanes compute the same but keep their old
// values.
static LANES_INLINE void kernel_transfer(const droplet_law* law, droplet_mode mode,
                                         droplet_lanes* restrict lanes,
                                         kernel_scratch* restrict next)
{
#if defined(__wasm__)
// clang takes two lanes at a time, as many as a vector has 64-bit entries
#pragma clang loop vectorize_width(4)
#endif
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        const int32_t normal = kernel_normal_of(next->ground[l]);
        const int32_t landed = -(int32_t)(normal != PARTICLE_NORMAL_VOID);
        const int32_t moves = -lanes->active[l] & landed & -next->inside[l];
        const float u = lanes->u[l];
        const float v = lanes->v[l];
        const float pace = sqrtf(u * u + v * v);
        const float volume = lanes->volume[l];
        const int32_t load = mode == DROPLET_DEMAND ? 0 : lanes->load[l];
        // frozen ground, corrected by this droplet's own changes of the cell and the one before
        const int32_t from = lanes->cell[l];
        const int32_t to = next->to[l];
        const int32_t stays = -(int32_t)(to == from);
        const int32_t enters = ~stays & moves;
        float level = wadi_float_of_bits((uint32_t)kernel_level_of(next->ground[l]));
        if (mode == DROPLET_FREE)
        {
            const int32_t returns = -(int32_t)(to == lanes->before[l]);
            const float known = lanes_pickf(stays, lanes->level[l], lanes->before_level[l]);
            level = lanes_pickf(stays | returns, known, level);
        }
        const float fall = lanes->level[l] - level;
        const float asked = droplet_exchange(law, volume, pace, fall, (float)load);
        const float want = asked + lanes->rest[l];
        const int32_t whole = kernel_round(mode, want);
        const int32_t gain = whole > -load ? whole : -load;
        int32_t given = gain;
        if (mode == DROPLET_GRANTED)
        {
            const int32_t part = grant_take(gain > 0 ? gain : 0, lanes->grant[l]);
            given = gain > 0 ? part : gain;
            lanes->grant[l] =
                (uint32_t)lanes_pick(moves, (int32_t)next->grant[l], (int32_t)lanes->grant[l]);
        }
        const int32_t taken = given & moves;
        next->from[l] = from;
        if (mode == DROPLET_FREE)
        {
            const float cut = lanes->level[l] - (float)taken;
            lanes->before[l] = lanes_pick(enters, from, lanes->before[l]);
            lanes->before_level[l] = lanes_pickf(enters, cut, lanes->before_level[l]);
            lanes->level[l] = lanes_pickf(enters, level, cut);
            lanes->rest[l] = lanes_pickf(moves, want - (float)gain, lanes->rest[l]);
        }
        else
        {
            lanes->level[l] = lanes_pickf(enters, level, lanes->level[l]);
            lanes->rest[l] = lanes_pickf(moves, 0.0f, lanes->rest[l]);
        }
        next->entry[l] = -(int64_t)taken;
        if (mode != DROPLET_DEMAND)
        {
            const int32_t parts = (int32_t)(volume * DROPLET_WATER_PARTS + 0.5f);
            next->entry[l] = particle_entry(taken, parts & enters);
            lanes->useful[l] += (next->far[l] | (int32_t)(taken != 0)) & moves;
            lanes->steps[l] -= moves;
            lanes->load[l] = load + taken;
        }
        kernel_arrive(law, l, moves, lanes, next);
    }
}

// One lane at a time, because two may be in the same cell. The cell left is still in cache.
static LANES_INLINE void kernel_scatter(const kernel_scratch* restrict next, particle_cell* cells)
{
    for (int first = 0; first < DROPLET_LANES; first += KERNEL_UNROLL)
    {
        for (int l = first; l < first + KERNEL_UNROLL; ++l)
        {
            cells[lanes_scalar(next->from[l])].sum += next->entry[l];
        }
    }
}

static LANES_INLINE void kernel_run(const droplet_law* law, particle_cell* cells,
                                    const uint32_t* grants, droplet_mode mode,
                                    droplet_lanes* restrict lanes, int32_t count)
{
    const droplet_law own = *law;
    kernel_scratch next;
    for (int32_t step = 0; step < count; ++step)
    {
        kernel_move(&own, lanes, &next);
        kernel_look(cells, grants, mode, &next);
        kernel_transfer(&own, mode, lanes, &next);
        kernel_scatter(&next, cells);
    }
}

static void droplet_steps(const droplet_law* law, particle_cell* cells, const uint32_t* grants,
                          droplet_mode mode, droplet_lanes* lanes, int32_t count)
{
    switch (mode)
    {
    case DROPLET_DEMAND:
        kernel_run(law, cells, NULL, DROPLET_DEMAND, lanes, count);
        break;
    case DROPLET_GRANTED:
        kernel_run(law, cells, grants, DROPLET_GRANTED, lanes, count);
        break;
    default:
        kernel_run(law, cells, NULL, DROPLET_FREE, lanes, count);
    }
}

const droplet_kernels WADI_ISA_BUILD(droplet_kernels) = {droplet_steps};
