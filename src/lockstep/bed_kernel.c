// SPDX-License-Identifier: MIT
// Row kernels of the bed. The compiler vectorises their loops, and all builds give the same bits
// (lockstep/lanes.h).
#include "lockstep/bed_internal.h"
#include "lockstep/grant.h"
#include "lockstep/lanes.h"

#include <math.h>
#include <string.h>

// 1 / sqrt(x) to 5e-6: an estimate from the bits of x (Lomont 2003) and two Newton steps. A packed
// normal has 16 bits only; sqrt and division took three quarters of the time of freezing.
static inline float freeze_root(float x)
{
    const float half = 0.5f * x;
    float y = wadi_float_of_bits(0x5F375A86u - (wadi_bits_of_float(x) >> 1));
    y = y * (1.5f - half * y * y);
    return y * (1.5f - half * y * y);
}

// Horizontal part of the unit normal of the slope between two levels one spacing apart.
static inline float freeze_normal(int32_t from, int32_t to, float slope)
{
    // in half units the difference of any two heights fits an int32
    const int missing = (from == PARTICLE_MISSING) | (to == PARTICLE_MISSING);
    const int32_t fall = (int32_t)((uint32_t)(from >> 1) - (uint32_t)(to >> 1));
    const float s = slope * (float)fall;
    const float normal = s * freeze_root(1.0f + s * s);
    return missing != 0 ? 0.0f : normal;
}

static inline int32_t freeze_pack(float nx, float ny)
{
    const int32_t x = lanes_round(nx * PARTICLE_NORMAL_SCALE);
    const int32_t y = lanes_round(ny * PARTICLE_NORMAL_SCALE);
    return (int32_t)(((uint32_t)y << 16) | ((uint32_t)x & 0xFFFFu));
}

// Normals between the cells of one row and towards the row south of it, with one cell on either
// side. The normal between two cells is computed once: half of a cell's eight come from the row
// before, with the sign reversed.
typedef struct freeze_normals
{
    float east[BED_TILE + 1]; // [i]: from cell i - 1 to cell i
    float south[BED_TILE];
    float south_east[BED_TILE + 1]; // [i]: from cell i - 1
    float south_west[BED_TILE + 1]; // [i]: from cell i
} freeze_normals;

static inline void freeze_row(const int32_t* own, const int32_t* south, int32_t count, float axis,
                              float diagonal, freeze_normals* out)
{
    for (int32_t i = 0; i <= count; ++i)
    {
        out->east[i] = freeze_normal(own[i - 1], own[i], axis);
        out->south_east[i] = freeze_normal(own[i - 1], south[i], diagonal);
        out->south_west[i] = freeze_normal(own[i], south[i - 1], diagonal);
    }
    for (int32_t i = 0; i < count; ++i)
    {
        out->south[i] = freeze_normal(own[i], south[i], axis);
    }
}

// What cells keep of a row, beside their sums. With the cells themselves in the loop clang computes
// one at a time for WebAssembly.
typedef struct freeze_tops
{
    float level[BED_TILE];
    int32_t normal[BED_TILE];
} freeze_tops;

// The article's weights: 0.15 along the axes, 0.10 / sqrt 2 along the diagonals.
static inline void freeze_cells(const int32_t* own, const freeze_normals* before,
                                const freeze_normals* normals, int32_t count, int32_t datum,
                                particle_cell* out)
{
    const float weight = 0.10f * 0.70710678f;
    freeze_tops tops;
    for (int32_t i = 0; i < count; ++i)
    {
        const float ew = normals->east[i] + normals->east[i + 1];
        const float ns = normals->south[i] + before->south[i];
        const float falling = normals->south_east[i + 1] + before->south_east[i];
        const float rising = normals->south_west[i] + before->south_west[i + 1];
        const float nx = 0.15f * ew + weight * (falling - rising);
        const float ny = 0.15f * ns + weight * (falling + rising);
        const int32_t packed = freeze_pack(nx, ny);
        tops.level[i] = (float)(int32_t)((uint32_t)own[i] - (uint32_t)datum);
        tops.normal[i] = own[i] == PARTICLE_MISSING ? PARTICLE_NORMAL_VOID : packed;
    }
    for (int32_t i = 0; i < count; ++i)
    {
        out[i].level = tops.level[i];
        out[i].normal = tops.normal[i];
    }
}

static void bed_freeze_kernel(const bed_freeze_tile* tile)
{
    const float axis = 2.0f * tile->cells_per_unit;
    const float diagonal = axis * 0.70710678f; // the distance is sqrt 2 cells
    freeze_normals normals[2];
    const int32_t* own = tile->levels - tile->stride;
    freeze_row(own, own + tile->stride, tile->columns, axis, diagonal, &normals[1]);
    for (int32_t y = 0; y < tile->rows; ++y)
    {
        own += tile->stride;
        freeze_row(own, own + tile->stride, tile->columns, axis, diagonal, &normals[y & 1]);
        freeze_cells(own, &normals[(y + 1) & 1], &normals[y & 1], tile->columns, tile->datum,
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

// PARTICLE_MISSING is the least int32, so a maximum ignores it; for the minimum it is replaced by
// the greatest.
static inline int32_t plan_present(int32_t level)
{
    return level == PARTICLE_MISSING ? INT32_MAX : level;
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

// Limits of the change of each cell [half units].
typedef struct plan_room
{
    int32_t up[BED_CHUNK];   // >= 0
    int32_t down[BED_CHUNK]; // <= 0
} plan_room;

static inline void plan_measure(const bed_plan_rows* rows, int32_t begin, int32_t count,
                                int32_t slack, plan_room* room)
{
    const int32_t* const north = rows->north + begin;
    const int32_t* const own = rows->own + begin;
    const int32_t* const south = rows->south + begin;
    for (int32_t i = 0; i < count; ++i)
    {
        // half units avoid overflow; a cell without neighbours counts as its own
        const int32_t lowest = plan_lowest(north, own, south, i);
        const int32_t highest = plan_highest(north, own, south, i);
        const int32_t floor = lowest == INT32_MAX ? own[i] : lowest;
        const int32_t roof = highest == PARTICLE_MISSING ? own[i] : highest;
        const uint32_t half = (uint32_t)(own[i] >> 1);
        const int32_t up = (int32_t)((uint32_t)(roof >> 1) - half + (uint32_t)slack);
        const int32_t down = (int32_t)((uint32_t)(floor >> 1) - half - (uint32_t)slack);
        room->up[i] = plan_high(up, 0);
        room->down[i] = plan_low(down, 0);
    }
}

static int32_t bed_plan_kernel(const bed_plan_rows* rows, int32_t begin, int32_t count,
                               int32_t slack)
{
    plan_room room;
    plan_measure(rows, begin, count, slack, &room);
    particle_cell* restrict const cells = rows->cells + begin;
    float* restrict const visits = rows->visits + begin;
    int32_t* restrict const changes = rows->changes + begin;
    int32_t spilled[BED_CHUNK];
    int32_t any = 0;
#if defined(__wasm__)
#pragma clang loop vectorize_width(4) // in place of 2, as many as a vector has 64-bit entries
#endif
    for (int32_t i = 0; i < count; ++i)
    {
        const int64_t sum = cells[i].sum;
        const int64_t matter = particle_matter(sum);
        const int64_t over = matter - 2 * (int64_t)room.up[i];
        const int64_t under = matter - 2 * (int64_t)room.down[i];
        const int64_t excess = over > 0 ? over : 0;
        const int64_t deficit = under < 0 ? under : 0;
        const int64_t spill = excess < BED_SPILL_MOST ? excess : BED_SPILL_MOST;
        visits[i] += (float)particle_visits(sum);
        changes[i] = (int32_t)(matter - excess);
        cells[i].sum = excess - spill;
        spilled[i] = (int32_t)(spill + deficit);
        any |= spilled[i];
    }
    if (any != 0)
    {
        memcpy(rows->spills + begin, spilled, (size_t)count * sizeof *spilled);
    }
    return any != 0;
}

static int64_t bed_change_kernel(const bed_change_row* row)
{
    int64_t moved = 0;
#pragma omp simd reduction(+ : moved)
    for (int32_t x = 0; x < row->count; ++x)
    {
        const int32_t change = row->changes[x];
        const int32_t taken = change < 0 ? -change : 0;
        const int32_t laid = change > 0 ? change : 0;
        row->levels[x] += change;
        row->wear[x] += (float)taken;
        row->deposit[x] += (float)laid;
        moved += taken + laid;
    }
    return moved;
}

// Matter that a cell can give to a demand: loose matter, then rock scaled by its softness, down to
// the lowest neighbour at most.
static inline int64_t grant_held(int64_t demand, int64_t loose, double soft, int64_t room)
{
    const double rock = demand > loose ? soft * (double)(demand - loose) : 0.0;
    const int64_t gives = (demand < loose ? demand : loose) + (int64_t)rock;
    return gives < room ? gives : room;
}

// Up to BED_CHUNK cells of a row.
typedef struct grant_chunk
{
    int64_t demand[BED_CHUNK];
    int64_t held[BED_CHUNK];
} grant_chunk;

// Returns 0 when no cell is short.
static inline int32_t grant_measure(const bed_grant_row* row, int32_t begin, int32_t count,
                                    grant_chunk* out)
{
    int64_t loose[BED_CHUNK] = {0};
    for (int32_t i = 0; i < row->loose_count; ++i)
    {
        for (int32_t x = 0; x < count; ++x)
        {
            loose[x] += row->loose[i][begin + x];
        }
    }
    int32_t is_short = 0;
    for (int32_t x = 0; x < count; ++x)
    {
        const int32_t c = begin + x;
        const int64_t demand = -row->cells[c].sum;
        const int32_t own = row->own[c];
        const int32_t lowest = plan_lowest(row->north, row->own, row->south, c);
        const double soft = (65535 - (double)row->hardness[c]) / 65535.0 * row->rock_softness;
        const int64_t room = lowest < own ? (int64_t)own - lowest : 0;
        out->demand[x] = demand;
        out->held[x] = grant_held(demand, loose[x], soft, room);
        is_short |= (int32_t)(demand > out->held[x]);
    }
    return is_short;
}

static void bed_grant_kernel(const bed_grant_row* row)
{
    grant_chunk chunk;
    for (int32_t begin = 0; begin < row->count; begin += BED_CHUNK)
    {
        const int32_t n = row->count - begin < BED_CHUNK ? row->count - begin : BED_CHUNK;
        const int32_t is_short = grant_measure(row, begin, n, &chunk);
        for (int32_t x = 0; x < n; ++x)
        {
            const uint64_t high = row->grants[begin + x];
            row->cells[begin + x].sum = (int64_t)(high << 32 | (uint32_t)row->aside[begin + x]);
            row->grants[begin + x] = GRANT_ALL;
        }
        for (int32_t x = 0; is_short != 0 && x < n; ++x)
        {
            row->grants[begin + x] = grant_of(chunk.demand[x], chunk.held[x]);
        }
    }
}

const bed_kernels WADI_ISA_BUILD(bed_kernels) = {bed_freeze_kernel, bed_plan_kernel,
                                                 bed_change_kernel, bed_grant_kernel};
