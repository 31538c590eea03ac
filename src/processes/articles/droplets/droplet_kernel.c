// SPDX-License-Identifier: MIT
// The droplets' inner loop, compiled once for each instruction set. It uses lanes
// (lockstep/lanes.h), so that all builds give the same bits.
#include "lockstep/lanes.h"
#include "processes/articles/droplets/droplet_kernels.h"

#include <math.h>

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

static inline void kernel_look(const particle_cell* cells, kernel_scratch* next)
{
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        const particle_cell* cell = &cells[next->to[l]];
        next->level[l] = cell->level;
        next->normal[l] = cell->normal;
    }
}

// In a limited round, read the share of a demand that each cell can meet.
static inline void kernel_read_shares(const float* shares, const droplet_lanes* lanes,
                                      kernel_scratch* next)
{
    for (int l = 0; shares != NULL && l < DROPLET_LANES; ++l)
    {
        next->share[l] = shares[lanes->cell[l]];
    }
}

// Mass transfer with the cell that the droplet leaves, in whole units, and evaporation. Inactive
// lanes compute the same but keep their old values.
static inline void kernel_transfer(const droplet_law* law, droplet_lanes* lanes,
                                   kernel_scratch* next)
{
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        const int32_t active = -lanes->active[l];
        const int32_t landed = -(int32_t)(next->normal[l] != PARTICLE_NORMAL_VOID);
        const int32_t moves = active & landed & -next->inside[l];

        const float u = next->u[l];
        const float v = next->v[l];
        const float volume = lanes->volume[l];
        const int32_t load = lanes->load[l];
        const float pace = sqrtf(u * u + v * v);
        // frozen ground, corrected by this droplet's own changes of the cell and the one before
        const int32_t from = lanes->cell[l];
        const int32_t to = next->to[l];
        const int32_t stays = -(int32_t)(to == from);
        const int32_t returns = -(int32_t)(to == lanes->before[l]);
        const float known = lanes_pickf(stays, lanes->level[l], lanes->before_level[l]);
        const float level = lanes_pickf(stays | returns, known, next->level[l]);
        const float fall = lanes->level[l] - level;
        const float asked =
            droplet_exchange(law, volume, pace, fall, (float)load * law->load_weight);
        const float met = asked < 0.0f ? asked : asked * next->share[l];
        const float want = met + lanes->rest[l];
        const int32_t whole = (int32_t)(want + (want < 0.0f ? -0.5f : law->rounding));
        const int32_t gain = whole > -load ? whole : -load;
        const int32_t taken = gain & moves;

        const float cut = lanes->level[l] - (float)taken * law->memory;
        const int32_t enters = ~stays & moves;
        const int32_t parts = (int32_t)(volume * DROPLET_WATER_PARTS + 0.5f);
        next->entry[l] = particle_entry(taken, parts & enters);
        next->from[l] = from;
        lanes->useful[l] += (next->far[l] | (int32_t)(taken != 0)) & moves;
        lanes->steps[l] -= moves;

        const float left = volume * law->keep;
        lanes->volume[l] = lanes_pickf(moves, left, volume);
        lanes->pull[l] = lanes_pickf(moves, lanes->pull[l] * law->grow, lanes->pull[l]);
        lanes->rest[l] = lanes_pickf(moves, (want - (float)gain) * law->memory, lanes->rest[l]);
        lanes->load[l] = load + taken;
        lanes->x[l] = lanes_pickf(active, next->x[l], lanes->x[l]);
        lanes->y[l] = lanes_pickf(active, next->y[l], lanes->y[l]);
        lanes->u[l] = lanes_pickf(active, u, lanes->u[l]);
        lanes->v[l] = lanes_pickf(active, v, lanes->v[l]);
        lanes->before[l] = lanes_pick(enters, from, lanes->before[l]);
        lanes->before_level[l] = lanes_pickf(enters, cut, lanes->before_level[l]);
        lanes->cell[l] = lanes_pick(moves, to, from);
        lanes->level[l] = lanes_pickf(enters, level, cut);
        lanes->normal[l] = lanes_pick(moves, next->normal[l], lanes->normal[l]);
        lanes->crossing[l] += moves - active;
        lanes->active[l] = (int32_t)(left > law->min_volume) & moves;
    }
}

// One lane at a time, because two may be in the same cell. The cell left is still in cache.
static inline void kernel_scatter(const kernel_scratch* next, particle_cell* cells)
{
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        cells[next->from[l]].sum += next->entry[l];
    }
}

static inline void kernel_scatter_demands(const kernel_scratch* next, int64_t* demands)
{
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        demands[next->from[l]] += next->entry[l];
    }
}

static void droplet_steps(const droplet_law* law, particle_cell* cells, const float* shares,
                          int64_t* demands, droplet_lanes* lanes, int32_t count)
{
    const droplet_law own = *law;
    droplet_lanes state = *lanes;
    kernel_scratch next;
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        next.share[l] = 1.0f;
    }
    for (int32_t step = 0; step < count; ++step)
    {
        kernel_move(&own, &state, &next);
        kernel_look(cells, &next);
        kernel_read_shares(shares, &state, &next);
        kernel_transfer(&own, &state, &next);
        if (demands == NULL)
        {
            kernel_scatter(&next, cells);
        }
        else
        {
            kernel_scatter_demands(&next, demands);
        }
    }
    *lanes = state;
}

const droplet_kernels WADI_ISA_BUILD(droplet_kernels) = {droplet_steps};
