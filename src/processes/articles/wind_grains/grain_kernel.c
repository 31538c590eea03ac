// SPDX-License-Identifier: MIT
// The grains' inner loop, compiled once for each instruction set. It is written in lanes
// (lockstep/lanes.h), so that all builds agree to the bit.
#include "core/prefetch.h"
#include "lockstep/lanes.h"
#include "processes/articles/wind_grains/grain_kernels.h"

#include <math.h>
#include <string.h>

// Intermediate values of a step, by lane.
typedef struct kernel_scratch
{
    float z[GRAIN_LANES];
    float speed[GRAIN_LANES];
    int32_t slides[GRAIN_LANES];   // 1: was in contact when the step began
    int32_t inside[GRAIN_LANES];   // 1: still on the grid
    int32_t to[GRAIN_LANES];       // cell
    int32_t found[GRAIN_LANES][4]; // words of that grain_cell: one type, so that they go as vectors
    int32_t from[GRAIN_LANES];
    uint32_t grant[GRAIN_LANES]; // of the cell that the step leaves
    int32_t demand[GRAIN_LANES]; // of the cell that the step leaves
    int32_t taken[GRAIN_LANES];  // net, likewise
    int32_t stirs[GRAIN_LANES];  // cascades of that cell
    int32_t rubs[GRAIN_LANES];
} kernel_scratch;

// Slide or fly, and drift back to the prevailing wind. Sliding is the article's equation 1,
// (v x n) x n = n (v . n) - v, with the normal n = (-lean, 1) not yet of length 1.
static inline void kernel_move(const grain_law* law, grain_lanes* lanes, kernel_scratch* next)
{
    const float right = (float)law->width;
    const float bottom = (float)law->height;
#pragma omp simd // clang unrolls it else, and finds no vectors
    for (int l = 0; l < GRAIN_LANES; ++l)
    {
        const int32_t slides = -(int32_t)(lanes->z[l] <= lanes->level[l]);
        const int32_t active = -lanes->active[l];
        const float z = lanes_pickf(slides, lanes->level[l], lanes->z[l]);
        const float lean_x = lanes->lean_x[l];
        const float lean_y = lanes->lean_y[l];
        const float u0 = lanes->u[l];
        const float v0 = lanes->v[l];
        const float w0 = lanes->w[l];
        const float along =
            (w0 - lean_x * u0 - lean_y * v0) / (1.0f + lean_x * lean_x + lean_y * lean_y);
        const float slide_u = u0 + law->step * (-lean_x * along - u0);
        const float slide_v = v0 + law->step * (-lean_y * along - v0);
        const float slide_w = w0 + law->step * (along - w0);
        const float u1 = lanes_pickf(slides, slide_u, u0);
        const float v1 = lanes_pickf(slides, slide_v, v0);
        const float w1 = lanes_pickf(slides, slide_w, w0 - law->gravity);
        const float u = u1 + law->drive * (law->wind_x - u1);
        const float v = v1 + law->drive * (law->wind_y - v1);
        const float w = w1 - law->drive * w1;
        const float x = lanes->x[l] + law->step * u;
        const float y = lanes->y[l] + law->step * v;
        next->z[l] = z + law->rise * w;
        next->speed[l] = sqrtf(u * u + v * v + w * w);
        next->slides[l] = slides;
        lanes->u[l] = lanes_pickf(active, u, u0);
        lanes->v[l] = lanes_pickf(active, v, v0);
        lanes->w[l] = lanes_pickf(active, w, w0);
        lanes->x[l] = lanes_pickf(active, x, lanes->x[l]);
        lanes->y[l] = lanes_pickf(active, y, lanes->y[l]);
        lanes->z[l] = lanes_pickf(active, next->z[l], lanes->z[l]);

        // outside, any cell does, for the step then waits for the slow path
        const int32_t column = (int32_t)lanes_clamp(x, right - 1.0f);
        const int32_t row = (int32_t)lanes_clamp(y, bottom - 1.0f);
        next->to[l] = (row + 1) * law->stride + column + 1;
        const int32_t in_x = x >= 0.0f && x < right ? 1 : 0;
        const int32_t in_y = y >= 0.0f && y < bottom ? 1 : 0;
        next->inside[l] = -(in_x & in_y);
    }
}

static LANES_INLINE void kernel_look(const grain_cell* cells, bool granted, const grain_sums* sums,
                                     const grain_lanes* lanes, kernel_scratch* next)
{
    for (int l = 0; l < GRAIN_LANES; ++l)
    {
        memcpy(next->found[l], &cells[next->to[l]], sizeof next->found[l]);
        // the next step adds to the sums of this cell
        wadi_prefetch(&sums->cells[next->to[l]]);
    }
    for (int l = 0; granted && l < GRAIN_LANES; ++l)
    {
        next->grant[l] = (uint32_t)sums->cells[lanes->cell[l]].demand;
    }
}

// Lift, rub or lay down, in whole units. Lanes that do not move compute like the others and keep
// what they had. The demand does not depend on the load, so both runs of a batch demand the same.
static LANES_INLINE void kernel_transfer(const grain_law* law, bool granted, grain_lanes* lanes,
                                         kernel_scratch* next)
{
#pragma omp simd
    for (int l = 0; l < GRAIN_LANES; ++l)
    {
        const int32_t active = -lanes->active[l];
        const int32_t sand = lanes->sand[l];
        const float level = wadi_float_of_bits((uint32_t)next->found[l][0]);
        const float lean_x = wadi_float_of_bits((uint32_t)next->found[l][1]);
        const float lean_y = wadi_float_of_bits((uint32_t)next->found[l][2]);
        const int32_t found = next->found[l][3];
        const int32_t moves = active & next->inside[l] & -(int32_t)(found != GRAIN_VOID);
        const int32_t touches = -(int32_t)(next->z[l] <= level);
        const int32_t bare = -(int32_t)(sand == GRAIN_BARE);
        const int32_t load = lanes->load[l];

        // lift and deposition exclude each other: a step rounds one of them
        const float force = next->speed[l] * (level - next->z[l]);
        const int32_t lifts = touches & ~bare & moves;
        const int32_t falls = ~touches & moves;
        const float lift = law->lift * force;
        const float up = lanes->rest[l] + (lift < GRAIN_MOST ? lift : GRAIN_MOST);
        const float down = lanes->fallen[l] + law->fall * (float)load; // `fall` is at most 1/4
        const float want = lanes_pickf(touches, up, down);
        const int32_t whole = lanes_round(want);
        const float rest = want - (float)whole;
        const int32_t most = lanes_pick(touches, sand, load);
        const int32_t fits = whole < most ? whole : most;
        const int32_t some = fits & -(int32_t)(fits > 0);
        const int32_t demand = some & lifts;
        const int32_t lays = some & falls;
        const int32_t takes = granted ? grant_take(demand, next->grant[l]) : demand;
        // odd units go ahead and behind in turn
        const int32_t ahead = (lays + (load & 1)) >> 1 & -(int32_t)(lays > 0);

        const float mass = law->mass + law->light * (float)load;
        const float rubbed = law->rub * force * mass;
        const float dust = lanes->dust[l] + lanes_pickf(touches & bare, rubbed, 0.0f);
        const int32_t rubs = (int32_t)(dust < GRAIN_MOST ? dust : GRAIN_MOST);

        next->from[l] = lanes->cell[l];
        next->demand[l] = demand;
        next->taken[l] = takes - lays + ahead - lanes->laid[l];
        next->stirs[l] = lanes->stirs[l] + (1 & moves & ~(touches & bare));
        next->rubs[l] = rubs & moves;

        lanes->laid[l] = ahead;
        lanes->stirs[l] = 1 & moves & ~touches;
        lanes->steps[l] -= moves;
        lanes->contacts[l] -= moves & next->slides[l];
        lanes->lifted[l] += takes;
        lanes->load[l] = load + takes - lays;
        lanes->rest[l] = lanes_pickf(lifts, rest, lanes->rest[l]);
        lanes->fallen[l] = lanes_pickf(falls, rest, lanes->fallen[l]);
        lanes->dust[l] = lanes_pickf(moves, dust - (float)rubs, lanes->dust[l]);
        lanes->cell[l] = lanes_pick(moves, next->to[l], lanes->cell[l]);
        lanes->level[l] = lanes_pickf(moves, level, lanes->level[l]);
        lanes->lean_x[l] = lanes_pickf(moves, lean_x, lanes->lean_x[l]);
        lanes->lean_y[l] = lanes_pickf(moves, lean_y, lanes->lean_y[l]);
        lanes->sand[l] = lanes_pick(moves, found, sand);
        lanes->crossing[l] += moves - active;
        lanes->active[l] = (int32_t)(next->speed[l] >= 0.01f) & moves;
    }
}

// Add to the sums lane by lane, as two lanes may be over the same cell. Both sums of a cell make
// one vector of 16 bytes. Only the first run sums up demand.
static LANES_INLINE void kernel_scatter(const kernel_scratch* next, bool granted,
                                        const grain_sums* sums)
{
    grain_sum adds[GRAIN_LANES];
    for (int l = 0; l < GRAIN_LANES; ++l)
    {
        adds[l].moved = particle_entry(next->taken[l], next->stirs[l]);
        adds[l].demand = granted ? 0 : next->demand[l];
    }
    for (int l = 0; l < GRAIN_LANES; ++l)
    {
        const int32_t from = next->from[l];
        sums->cells[from].moved += adds[l].moved;
        sums->cells[from].demand += adds[l].demand;
        sums->flags[from >> GRAIN_CHUNK_BITS] = 1;
    }
    int32_t rubs = 0;
    for (int l = 0; l < GRAIN_LANES; ++l)
    {
        rubs |= next->rubs[l];
    }
    for (int l = 0; rubs != 0 && l < GRAIN_LANES; ++l)
    {
        sums->rubs[next->from[l]] += next->rubs[l];
    }
}

// One run of a batch, the first or the one with grants.
static LANES_INLINE void kernel_run(const grain_law* law, const grain_cell* cells, bool granted,
                                    const grain_sums* sums, grain_lanes* lanes, int32_t count)
{
    const grain_law own = *law;
    const grain_sums out = *sums;
    grain_lanes state = *lanes;
    kernel_scratch next;
    for (int32_t step = 0; step < count; ++step)
    {
        kernel_move(&own, &state, &next);
        kernel_look(cells, granted, &out, &state, &next);
        kernel_transfer(&own, granted, &state, &next);
        kernel_scatter(&next, granted, &out);
    }
    *lanes = state;
}

static void grain_steps(const grain_law* law, const grain_cell* cells, const grain_sums* sums,
                        bool granted, grain_lanes* lanes, int32_t count)
{
    if (granted)
    {
        kernel_run(law, cells, true, sums, lanes, count);
    }
    else
    {
        kernel_run(law, cells, false, sums, lanes, count);
    }
}

// ---- chunks of cells ----------------------------------------------------------------------------

// Sand that cell i gives to its neighbour n, less what it gets. Each of the two computes the same
// number with the other sign, so nothing is lost and no order matters. An eighth of the donor's
// sand at most goes each way.
static inline int32_t cascade_flow(const grain_slope* slope, int32_t i, int32_t n, float stable)
{
    const int32_t fall = (int32_t)((uint32_t)slope->levels[i] - (uint32_t)slope->levels[n]);
    const int32_t gives = -(int32_t)(fall > 0);
    // beside a cell that is not there, a fall may be INT32_MIN, which has no other sign
    const int32_t drop = fall > 0 ? fall : (int32_t)(0u - (uint32_t)fall);
    const float steep = (float)drop - stable;
    const float half = 0.5f * (steep > 0.0f ? steep : 0.0f);
    const int32_t sand = lanes_pick(gives, slope->sand[i], slope->sand[n]);
    const float most = (float)sand;
    const float rate = slope->rates[i] + slope->rates[n];
    const float low = rate > 0.0f ? rate : 0.0f;
    const float share = low < GRAIN_CASCADE_MOST ? low : GRAIN_CASCADE_MOST;
    const int32_t whole = (int32_t)((half < most ? half : most) * share + slope->dither);
    const int32_t eighth = sand >> 3;
    const int32_t part = whole < eighth ? whole : eighth;
    const int32_t moves = part & -(int32_t)(steep > 0.0f) & -(int32_t)(low > 0.0f);
    return lanes_pick(gives, moves, -moves);
}

static void grain_cascade(const grain_slope* slope, int32_t begin, int32_t count, int32_t* changes)
{
    const grain_slope own = *slope;
    const int32_t w = own.stride;
    const float axis = own.stable;
    const float diagonal = own.stable * 1.41421356f;
    for (int32_t i = begin; i < begin + count; ++i)
    {
        const int32_t ew = cascade_flow(&own, i, i - 1, axis) + cascade_flow(&own, i, i + 1, axis);
        const int32_t ns = cascade_flow(&own, i, i - w, axis) + cascade_flow(&own, i, i + w, axis);
        const int32_t north =
            cascade_flow(&own, i, i - w - 1, diagonal) + cascade_flow(&own, i, i - w + 1, diagonal);
        const int32_t south =
            cascade_flow(&own, i, i + w - 1, diagonal) + cascade_flow(&own, i, i + w + 1, diagonal);
        changes[i - begin] = -(ew + ns + north + south);
    }
}

// Fall from one cell to the next [units]; a neighbour that is not there is as high as the cell.
static inline int32_t freeze_rise(int32_t own, int32_t other)
{
    const int32_t there = -(int32_t)(other != PARTICLE_MISSING);
    return (int32_t)((uint32_t)other - (uint32_t)own) & there;
}

static void grain_freeze(const grain_slope* slope, int32_t begin, int32_t count, grain_cell* out)
{
    const int32_t w = slope->stride;
    const int32_t* const levels = slope->levels;
    const float half = 0.5f * slope->cells_per_unit;
    for (int32_t i = begin; i < begin + count; ++i)
    {
        const int32_t own = levels[i];
        const int32_t sand = slope->sand[i];
        const int32_t missing = -(int32_t)(own == PARTICLE_MISSING);
        const float east = (float)freeze_rise(own, levels[i + 1]);
        const float west = (float)freeze_rise(own, levels[i - 1]);
        const float south = (float)freeze_rise(own, levels[i + w]);
        const float north = (float)freeze_rise(own, levels[i - w]);
        const int32_t loose = lanes_pick(-(int32_t)(sand > 0), sand, GRAIN_BARE);
        out[i - begin].level = (float)(int32_t)((uint32_t)own - (uint32_t)slope->datum);
        out[i - begin].lean_x = half * (east - west);
        out[i - begin].lean_y = half * (south - north);
        out[i - begin].sand = lanes_pick(missing, GRAIN_VOID, loose);
    }
}

const grain_kernels WADI_ISA_BUILD(grain_kernels) = {grain_steps, grain_cascade, grain_freeze};
