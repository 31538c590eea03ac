// SPDX-License-Identifier: MIT
// The droplets' inner loop, compiled once for each instruction set. It uses lanes
// (lockstep/lanes.h), so that all builds give the same bits.
#include "core/prefetch.h"
#include "lockstep/lanes.h"
#include "processes/articles/droplets/droplet_kernels.h"

#include <math.h>

// A round runs once, or on limited ground twice: it sums up demands, then takes shares of them.
enum
{
    KERNEL_FREE,
    KERNEL_DEMAND,
    KERNEL_LIMITED
};

// What a step reads and writes of the cells.
typedef struct kernel_ground
{
    particle_cell* cells;
    const float* shares; // KERNEL_LIMITED
    int64_t* demands;    // KERNEL_DEMAND
} kernel_ground;

// Intermediate results of a step.
typedef struct kernel_scratch
{
    float x[DROPLET_LANES]; // position after the step
    float y[DROPLET_LANES];
    float u[DROPLET_LANES];
    float v[DROPLET_LANES];
    int32_t far[DROPLET_LANES];    // 1: moves at least half a cell
    int32_t inside[DROPLET_LANES]; // 1: on the grid
    int32_t to[DROPLET_LANES];     // cell
    float level[DROPLET_LANES];    // of the ground in cell `to`
    float share[DROPLET_LANES];    // of a demand that the cell left can meet
    int32_t normal[DROPLET_LANES];
    int32_t from[DROPLET_LANES];  // the cell that the step leaves
    int32_t taken[DROPLET_LANES]; // from it [units]
    int64_t entry[DROPLET_LANES]; // of that cell's sum
} kernel_scratch;

// Newtonian motion: acceleration along the normal, then friction.
static inline void kernel_move(const droplet_law* law, const droplet_lanes* lanes,
                               kernel_scratch* next)
{
    const float right = (float)law->width;
    const float bottom = (float)law->height;
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        const int32_t normal = lanes->normal[l];
        const float nx = (float)((int32_t)((uint32_t)normal << 16) >> 16);
        const float ny = (float)(normal >> 16);
        const float u = lanes->u[l] + lanes->pull[l] * nx;
        const float v = lanes->v[l] + lanes->pull[l] * ny;
        const float x = lanes->x[l] + law->step * u;
        const float y = lanes->y[l] + law->step * v;
        next->x[l] = x;
        next->y[l] = y;
        next->u[l] = u * law->drag;
        next->v[l] = v * law->drag;
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

// Read the cells that the step leads to. The next step leaves them: their demands and shares lie in
// arrays of their own, which are prefetched.
static LANES_INLINE void kernel_look(const kernel_ground* ground, int mode, kernel_scratch* next)
{
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        const int32_t to = next->to[l];
        const particle_cell* cell = &ground->cells[to];
        next->level[l] = cell->level;
        next->normal[l] = cell->normal;
        if (mode == KERNEL_DEMAND)
        {
            wadi_prefetch(&ground->demands[to]);
        }
        if (mode == KERNEL_LIMITED)
        {
            wadi_prefetch(&ground->shares[to]);
        }
    }
}

// In a limited round, read the share of a demand that each cell can meet.
static LANES_INLINE void kernel_read_shares(const kernel_ground* ground, int mode,
                                            const droplet_lanes* lanes, kernel_scratch* next)
{
    for (int l = 0; mode == KERNEL_LIMITED && l < DROPLET_LANES; ++l)
    {
        next->share[l] = ground->shares[lanes->cell[l]];
    }
}

// Rounding of amounts taken. Demands are rounded up, as no demand may be less than the later
// transfer, and transfers of limited rounds down.
static LANES_INLINE float kernel_rounding(int mode)
{
    return mode == KERNEL_FREE ? 0.5f : mode == KERNEL_DEMAND ? 1.0f : 0.0f;
}

// Mass transfer with the cell that the droplet leaves, in whole units. A free droplet keeps
// fractions of a unit and its own changes of the last two cells; demands are those of empty
// droplets. Inactive lanes compute the same but keep their old values.
static LANES_INLINE void kernel_transfer(const droplet_law* law, int mode, droplet_lanes* lanes,
                                         kernel_scratch* next)
{
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        const int32_t landed = -(int32_t)(next->normal[l] != PARTICLE_NORMAL_VOID);
        const int32_t moves = -lanes->active[l] & landed & -next->inside[l];
        const float u = next->u[l];
        const float v = next->v[l];
        const float pace = sqrtf(u * u + v * v);
        const int32_t load = mode == KERNEL_DEMAND ? 0 : lanes->load[l];
        // frozen ground, corrected by this droplet's own changes of the cell and the one before
        const int32_t from = lanes->cell[l];
        const int32_t to = next->to[l];
        const int32_t stays = -(int32_t)(to == from);
        const int32_t enters = ~stays & moves;
        float level = next->level[l];
        if (mode == KERNEL_FREE)
        {
            const int32_t returns = -(int32_t)(to == lanes->before[l]);
            const float known = lanes_pickf(stays, lanes->level[l], lanes->before_level[l]);
            level = lanes_pickf(stays | returns, known, level);
        }
        const float fall = lanes->level[l] - level;
        const float asked = droplet_exchange(law, lanes->volume[l], pace, fall, (float)load);
        float met = asked;
        if (mode == KERNEL_LIMITED)
        {
            met = asked < 0.0f ? asked : asked * next->share[l];
        }
        const float want = met + lanes->rest[l];
        const int32_t whole = (int32_t)(want + (want < 0.0f ? -0.5f : kernel_rounding(mode)));
        const int32_t gain = whole > -load ? whole : -load;
        const int32_t taken = gain & moves;
        next->taken[l] = taken;
        next->from[l] = from;
        if (mode == KERNEL_FREE)
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
        if (mode != KERNEL_DEMAND)
        {
            const int32_t parts = (int32_t)(lanes->volume[l] * DROPLET_WATER_PARTS + 0.5f);
            next->entry[l] = particle_entry(taken, parts & enters);
            lanes->useful[l] += (next->far[l] | (int32_t)(taken != 0)) & moves;
            lanes->steps[l] -= moves;
            lanes->load[l] = load + taken;
        }
    }
}

// Motion and evaporation of the lanes that moved.
static LANES_INLINE void kernel_arrive(const droplet_law* law, droplet_lanes* lanes,
                                       const kernel_scratch* next)
{
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        const int32_t active = -lanes->active[l];
        const int32_t landed = -(int32_t)(next->normal[l] != PARTICLE_NORMAL_VOID);
        const int32_t moves = active & landed & -next->inside[l];
        const float volume = lanes->volume[l];
        const float left = volume * law->keep;
        lanes->volume[l] = lanes_pickf(moves, left, volume);
        lanes->pull[l] = lanes_pickf(moves, lanes->pull[l] * law->grow, lanes->pull[l]);
        lanes->x[l] = lanes_pickf(active, next->x[l], lanes->x[l]);
        lanes->y[l] = lanes_pickf(active, next->y[l], lanes->y[l]);
        lanes->u[l] = lanes_pickf(active, next->u[l], lanes->u[l]);
        lanes->v[l] = lanes_pickf(active, next->v[l], lanes->v[l]);
        lanes->cell[l] = lanes_pick(moves, next->to[l], lanes->cell[l]);
        lanes->normal[l] = lanes_pick(moves, next->normal[l], lanes->normal[l]);
        lanes->crossing[l] += moves - active;
        lanes->active[l] = (int32_t)(left > law->min_volume) & moves;
    }
}

// One lane at a time, because two may be in the same cell. The cell left is still in cache.
static LANES_INLINE void kernel_scatter(const kernel_scratch* next, int mode,
                                        const kernel_ground* ground)
{
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        if (mode == KERNEL_DEMAND)
        {
            ground->demands[next->from[l]] -= next->taken[l];
        }
        else
        {
            ground->cells[next->from[l]].sum += next->entry[l];
        }
    }
}

static LANES_INLINE void kernel_run(const droplet_law* law, const kernel_ground* ground, int mode,
                                    droplet_lanes* lanes, int32_t count)
{
    const droplet_law own = *law;
    const kernel_ground cells = *ground;
    droplet_lanes state = *lanes;
    kernel_scratch next;
    for (int32_t step = 0; step < count; ++step)
    {
        kernel_move(&own, &state, &next);
        kernel_look(&cells, mode, &next);
        kernel_read_shares(&cells, mode, &state, &next);
        kernel_transfer(&own, mode, &state, &next);
        kernel_arrive(&own, &state, &next);
        kernel_scatter(&next, mode, &cells);
    }
    *lanes = state;
}

static void droplet_steps(const droplet_law* law, particle_cell* cells, const float* shares,
                          int64_t* demands, droplet_lanes* lanes, int32_t count)
{
    const kernel_ground ground = {cells, shares, demands};
    if (demands != NULL)
    {
        kernel_run(law, &ground, KERNEL_DEMAND, lanes, count);
    }
    else if (shares != NULL)
    {
        kernel_run(law, &ground, KERNEL_LIMITED, lanes, count);
    }
    else
    {
        kernel_run(law, &ground, KERNEL_FREE, lanes, count);
    }
}

const droplet_kernels WADI_ISA_BUILD(droplet_kernels) = {droplet_steps};
