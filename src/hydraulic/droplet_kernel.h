// SPDX-License-Identifier: MIT
// The droplets' inner loop. Included once per instruction set by droplet_kernel_*.c, which name the
// functions; the compiler makes vectors of the loops over lanes. Only + - * / sqrt and conversions,
// each rounded as IEEE 754 says, so that all builds agree to the bit.
#include "hydraulic/droplet_law.h"

#include "core/dmath.h"

#include <math.h>

// What the parts of a step hand on.
typedef struct kernel_scratch
{
    float x[DROPLET_LANES]; // where the droplet would be
    float y[DROPLET_LANES];
    float u[DROPLET_LANES];
    float v[DROPLET_LANES];
    int32_t far[DROPLET_LANES];    // 1: moves at least half a cell
    int32_t inside[DROPLET_LANES]; // 1: on the grid
    int32_t to[DROPLET_LANES];     // cell
    float level[DROPLET_LANES];    // of the ground there
    float share[DROPLET_LANES];    // of a demand that the cell it leaves can meet
    int32_t normal[DROPLET_LANES];
    int32_t from[DROPLET_LANES];  // the cell that the step leaves
    int32_t taken[DROPLET_LANES]; // of its matter
    int32_t water[DROPLET_LANES];
} kernel_scratch;

// `a` where mask is -1, `b` where it is 0. Bits instead of `?:`, which gcc 12 turns into branches
// and then makes no vectors of (20 instead of 6 ns a step).
static inline int32_t kernel_pick(int32_t mask, int32_t a, int32_t b)
{
    return (a & mask) | (b & ~mask);
}

static inline float kernel_pickf(int32_t mask, float a, float b)
{
    return wadi_float_of_bits((wadi_bits_of_float(a) & (uint32_t)mask) |
                              (wadi_bits_of_float(b) & ~(uint32_t)mask));
}

static inline float kernel_clamp(float x, float high)
{
    const float low = x > 0.0f ? x : 0.0f;
    return low < high ? low : high;
}

// Classical mechanics: slide along the normal, then friction.
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

        // outside, any cell does, for the step then waits for the slow path
        const int32_t column = (int32_t)kernel_clamp(x, right - 1.0f);
        const int32_t row = (int32_t)kernel_clamp(y, bottom - 1.0f);
        next->to[l] = row * law->width + column;
        const int32_t in_x = x >= 0.0f && x < right ? 1 : 0;
        const int32_t in_y = y >= 0.0f && y < bottom ? 1 : 0;
        next->inside[l] = in_x & in_y;
    }
}

static inline void kernel_look(const droplet_ground* ground, kernel_scratch* next)
{
    // two views of one array of pairs: 32-bit indices then reach every pair of up to 2^30 cells
    const float* levels = &ground->level;
    const int32_t* normals = &ground->normal;
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        next->level[l] = levels[2 * next->to[l]];
        next->normal[l] = normals[2 * next->to[l]];
    }
}

// On ground that may refuse, see how much of a demand each cell can meet.
static inline void kernel_ask(const float* shares, const droplet_lanes* lanes, kernel_scratch* next)
{
    for (int l = 0; shares != NULL && l < DROPLET_LANES; ++l)
    {
        next->share[l] = shares[lanes->cell[l]];
    }
}

// Mass transfer with the cell that the droplet leaves, in whole units, and evaporation. Lanes that
// are not active compute like the others and keep what they had.
static inline void kernel_transfer(const droplet_law* law, droplet_lanes* lanes,
                                   kernel_scratch* next)
{
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        const int32_t active = -lanes->active[l];
        const int32_t landed = -(int32_t)(next->normal[l] != DROPLET_NORMAL_VOID);
        const int32_t moves = active & landed & -next->inside[l];

        const float u = next->u[l];
        const float v = next->v[l];
        const float volume = lanes->volume[l];
        const int32_t load = lanes->load[l];
        const float pace = sqrtf(u * u + v * v);
        // frozen ground, but for what this droplet itself did to the cell and to the one before
        const int32_t from = lanes->cell[l];
        const int32_t to = next->to[l];
        const int32_t stays = -(int32_t)(to == from);
        const int32_t returns = -(int32_t)(to == lanes->before[l]);
        const float known = kernel_pickf(stays, lanes->level[l], lanes->before_level[l]);
        const float level = kernel_pickf(stays | returns, known, next->level[l]);
        const float fall = lanes->level[l] - level;
        const float asked = droplet_exchange(law, volume, pace, fall, (float)load * law->burden);
        const float met = asked < 0.0f ? asked : asked * next->share[l];
        const float want = met + lanes->rest[l];
        const int32_t whole = (int32_t)(want + (want < 0.0f ? -0.5f : law->rounding));
        const int32_t gain = whole > -load ? whole : -load;
        const int32_t taken = gain & moves;

        const float cut = lanes->level[l] - (float)taken * law->memory;
        const int32_t enters = ~stays & moves;
        const int32_t parts = (int32_t)(volume * DROPLET_WATER_PARTS + 0.5f);
        next->taken[l] = taken;
        next->water[l] = parts & enters;
        next->from[l] = from;
        lanes->useful[l] += (next->far[l] | (int32_t)(taken != 0)) & moves;
        lanes->steps[l] -= moves;

        const float left = volume * law->keep;
        lanes->volume[l] = kernel_pickf(moves, left, volume);
        lanes->pull[l] = kernel_pickf(moves, lanes->pull[l] * law->grow, lanes->pull[l]);
        lanes->rest[l] = kernel_pickf(moves, (want - (float)gain) * law->memory, lanes->rest[l]);
        lanes->load[l] = load + taken;
        lanes->x[l] = kernel_pickf(active, next->x[l], lanes->x[l]);
        lanes->y[l] = kernel_pickf(active, next->y[l], lanes->y[l]);
        lanes->u[l] = kernel_pickf(active, u, lanes->u[l]);
        lanes->v[l] = kernel_pickf(active, v, lanes->v[l]);
        lanes->before[l] = kernel_pick(enters, from, lanes->before[l]);
        lanes->before_level[l] = kernel_pickf(enters, cut, lanes->before_level[l]);
        lanes->cell[l] = kernel_pick(moves, to, from);
        lanes->level[l] = kernel_pickf(enters, level, cut);
        lanes->normal[l] = kernel_pick(moves, next->normal[l], lanes->normal[l]);
        lanes->crossing[l] += moves - active;
        lanes->active[l] = (int32_t)(left > law->min_volume) & moves;
    }
}

// One lane after the other: two may meet in a cell.
static inline void kernel_scatter(const kernel_scratch* next, int64_t* sums)
{
    for (int l = 0; l < DROPLET_LANES; ++l)
    {
        sums[next->from[l]] += droplet_entry(next->taken[l], next->water[l]);
    }
}

void KERNEL_STEPS(const droplet_law* law, const droplet_ground* ground, const float* shares,
                  int64_t* sums, droplet_lanes* lanes, int32_t count)
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
        kernel_look(ground, &next);
        kernel_ask(shares, &state, &next);
        kernel_transfer(&own, &state, &next);
        kernel_scatter(&next, sums);
    }
    *lanes = state;
}

// Horizontal part of the unit normal of a slope that falls by `fall` half units over `length`.
static inline float freeze_lean(int32_t from, int32_t to, float slope)
{
    // half units: the difference of any two heights then fits an int32
    const int missing = (from == DROPLET_MISSING) | (to == DROPLET_MISSING);
    const int32_t fall = (int32_t)((uint32_t)(from >> 1) - (uint32_t)(to >> 1));
    const float s = slope * (float)fall;
    const float lean = s / sqrtf(1.0f + s * s);
    return missing != 0 ? 0.0f : lean;
}

static inline int32_t freeze_pack(float nx, float ny)
{
    const int32_t x = droplet_round(nx * DROPLET_NORMAL_SCALE);
    const int32_t y = droplet_round(ny * DROPLET_NORMAL_SCALE);
    return (int32_t)(((uint32_t)y << 16) | ((uint32_t)x & 0xFFFFu));
}

// Leans between the cells of one row and towards the row south of it, of a stretch of cells and one
// on either side. What a cell leans towards its neighbour the neighbour leans back: half of the
// eight are those of the row before, with the sign turned.
typedef struct freeze_leans
{
    float east[DROPLET_TILE + 1]; // [i]: from cell i - 1 to cell i
    float south[DROPLET_TILE];
    float south_east[DROPLET_TILE + 1]; // [i]: from cell i - 1
    float south_west[DROPLET_TILE + 1]; // [i]: from cell i
} freeze_leans;

static inline void freeze_row(const int32_t* own, const int32_t* south, int32_t count, float axis,
                              float diagonal, freeze_leans* out)
{
    for (int32_t i = 0; i <= count; ++i)
    {
        out->east[i] = freeze_lean(own[i - 1], own[i], axis);
        out->south_east[i] = freeze_lean(own[i - 1], south[i], diagonal);
        out->south_west[i] = freeze_lean(own[i], south[i - 1], diagonal);
    }
    for (int32_t i = 0; i < count; ++i)
    {
        out->south[i] = freeze_lean(own[i], south[i], axis);
    }
}

// The article's weights: 0.15 along the axes, 0.10 / sqrt 2 along the diagonals.
static inline void freeze_cells(const int32_t* own, const freeze_leans* before,
                                const freeze_leans* leans, int32_t count, int32_t datum,
                                droplet_ground* out)
{
    const float weight = 0.10f * 0.70710678f;
    for (int32_t i = 0; i < count; ++i)
    {
        const float ew = leans->east[i] + leans->east[i + 1];
        const float ns = leans->south[i] + before->south[i];
        const float falling = leans->south_east[i + 1] + before->south_east[i];
        const float rising = leans->south_west[i] + before->south_west[i + 1];
        const float nx = 0.15f * ew + weight * (falling - rising);
        const float ny = 0.15f * ns + weight * (falling + rising);
        out[i].level = (float)(int32_t)((uint32_t)own[i] - (uint32_t)datum);
        out[i].normal = own[i] == DROPLET_MISSING ? DROPLET_NORMAL_VOID : freeze_pack(nx, ny);
    }
}

void KERNEL_FREEZE(const droplet_freeze_tile* tile)
{
    const float axis = 2.0f * tile->cells_per_unit;
    const float diagonal = axis * 0.70710678f; // the same fall over sqrt 2 cells
    freeze_leans leans[2];
    const int32_t* own = tile->levels - tile->stride;
    freeze_row(own, own + tile->stride, tile->columns, axis, diagonal, &leans[1]);
    for (int32_t y = 0; y < tile->rows; ++y)
    {
        own += tile->stride;
        freeze_row(own, own + tile->stride, tile->columns, axis, diagonal, &leans[y & 1]);
        freeze_cells(own, &leans[(y + 1) & 1], &leans[y & 1], tile->columns, tile->datum,
                     tile->out + y * tile->out_stride);
    }
}

static inline int32_t plan_low(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t plan_high(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// DROPLET_MISSING is the least int32, so it never wins a maximum; for the minimum it is made the
// greatest.
static inline int32_t plan_present(int32_t level)
{
    return level == DROPLET_MISSING ? INT32_MAX : level;
}

// Lowest and highest neighbour of cell x.
static inline int32_t plan_lowest(const int32_t* north, const int32_t* own, const int32_t* south,
                                  int32_t x)
{
    const int32_t n = plan_low(plan_low(plan_present(north[x - 1]), plan_present(north[x])),
                               plan_present(north[x + 1]));
    const int32_t s = plan_low(plan_low(plan_present(south[x - 1]), plan_present(south[x])),
                               plan_present(south[x + 1]));
    const int32_t beside = plan_low(plan_present(own[x - 1]), plan_present(own[x + 1]));
    return plan_low(plan_low(n, s), beside);
}

static inline int32_t plan_highest(const int32_t* north, const int32_t* own, const int32_t* south,
                                   int32_t x)
{
    const int32_t n = plan_high(plan_high(north[x - 1], north[x]), north[x + 1]);
    const int32_t s = plan_high(plan_high(south[x - 1], south[x]), south[x + 1]);
    return plan_high(plan_high(n, s), plan_high(own[x - 1], own[x + 1]));
}

// What a stretch of cells may gain and lose at most.
typedef struct plan_room
{
    int32_t up[DROPLET_CHUNK];   // >= 0
    int32_t down[DROPLET_CHUNK]; // <= 0
} plan_room;

static inline void plan_measure(const droplet_plan_rows* rows, int32_t begin, int32_t count,
                                int32_t slack, plan_room* room)
{
    const int32_t* const north = rows->north + begin;
    const int32_t* const own = rows->own + begin;
    const int32_t* const south = rows->south + begin;
    for (int32_t i = 0; i < count; ++i)
    {
        // half units, so that no difference overflows; a cell that stands alone is its own
        // neighbour
        const int32_t lowest = plan_lowest(north, own, south, i);
        const int32_t highest = plan_highest(north, own, south, i);
        const int32_t floor = lowest == INT32_MAX ? own[i] : lowest;
        const int32_t roof = highest == DROPLET_MISSING ? own[i] : highest;
        const uint32_t half = (uint32_t)(own[i] >> 1);
        const int32_t up = (int32_t)((uint32_t)(roof >> 1) - half + (uint32_t)slack);
        const int32_t down = (int32_t)((uint32_t)(floor >> 1) - half - (uint32_t)slack);
        room->up[i] = plan_high(up, 0);
        room->down[i] = plan_low(down, 0);
    }
}

int32_t KERNEL_PLAN(const droplet_plan_rows* rows, int32_t begin, int32_t count, int32_t slack)
{
    plan_room room;
    plan_measure(rows, begin, count, slack, &room);
    int64_t* restrict const sums = rows->sums + begin;
    float* restrict const flow = rows->flow + begin;
    int32_t* restrict const changes = rows->changes + begin;
    int32_t* restrict const spills = rows->spills + begin;
    int64_t spilled = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        const int64_t sum = sums[i];
        const int64_t matter = droplet_matter(sum);
        const int64_t over = matter - 2 * (int64_t)room.up[i];
        const int64_t under = matter - 2 * (int64_t)room.down[i];
        const int64_t excess = over > 0 ? over : 0;
        const int64_t debt = under < 0 ? under : 0;
        const int64_t spill = excess < DROPLET_SPILL_MOST ? excess : DROPLET_SPILL_MOST;
        flow[i] += (float)droplet_water(sum);
        changes[i] = (int32_t)(matter - excess);
        sums[i] = excess - spill;
        spills[i] = (int32_t)(spill + debt);
        spilled |= spill + debt;
    }
    return spilled != 0;
}
