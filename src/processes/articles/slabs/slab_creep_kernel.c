// SPDX-License-Identifier: MIT
// Sand that a row of cells gives to its two steepest neighbours, and the sums of these gifts.
#include "processes/articles/slabs/slab_creep_kernels.h"

#define CREEP_DIAGONAL 0.70710678f // 1 / sqrt(2)

// The two steepest ways down so far.
typedef struct creep_ways
{
    float slope[2]; // [units/cell]
    int32_t way[2];
} creep_ways;

static inline void creep_consider(creep_ways* ways, int32_t way, float slope)
{
    const bool first = slope > ways->slope[0];
    const bool second = slope > ways->slope[1];
    ways->slope[1] = first ? ways->slope[0] : second ? slope : ways->slope[1];
    ways->way[1] = first ? ways->way[0] : second ? way : ways->way[1];
    ways->slope[0] = first ? slope : ways->slope[0];
    ways->way[0] = first ? way : ways->way[0];
}

static inline creep_ways creep_ways_at(const creep_plan_row* row, int32_t x)
{
    const int32_t h = row->here[x];
    creep_ways ways = {{0.0f, 0.0f}, {0, 0}};
    creep_consider(&ways, CREEP_EAST, (float)(h - row->here[x + 1]));
    creep_consider(&ways, CREEP_WEST, (float)(h - row->here[x - 1]));
    creep_consider(&ways, CREEP_SOUTH, (float)(h - row->south[x]));
    creep_consider(&ways, CREEP_NORTH, (float)(h - row->north[x]));
    creep_consider(&ways, CREEP_SOUTH_EAST, (float)(h - row->south[x + 1]) * CREEP_DIAGONAL);
    creep_consider(&ways, CREEP_NORTH_WEST, (float)(h - row->north[x - 1]) * CREEP_DIAGONAL);
    creep_consider(&ways, CREEP_SOUTH_WEST, (float)(h - row->south[x - 1]) * CREEP_DIAGONAL);
    creep_consider(&ways, CREEP_NORTH_EAST, (float)(h - row->north[x + 1]) * CREEP_DIAGONAL);
    return ways;
}

// Grains set rolling go a fixed way, so fewer of them cross to a cell that lies further off; no
// more than a quarter of the fall, or giver and receiver would swap places from step to step.
static inline int32_t creep_amount(float moving, float slope, int32_t way)
{
    const float share = moving * (way >= CREEP_SOUTH_EAST ? CREEP_DIAGONAL : 1.0f);
    return (int32_t)(slope * (share < 0.25f ? share : 0.25f));
}

static void creep_plan_kernel(const creep_plan_row* row)
{
    const creep_gifts* gifts = &row->gifts;
    int32_t* restrict way0 = gifts->way[0];
    int32_t* restrict way1 = gifts->way[1];
    int32_t* restrict amount0 = gifts->amount[0];
    int32_t* restrict amount1 = gifts->amount[1];
    const creep_plan_row plan = *row;
#pragma omp simd
    for (int32_t x = 0; x < plan.count; ++x)
    {
        const creep_ways ways = creep_ways_at(&plan, x);
        const float moving = plan.rate * (float)plan.struck[x];
        const int32_t sand = plan.sand[x];
        const int32_t wanted0 = creep_amount(moving, ways.slope[0], ways.way[0]);
        const int32_t wanted1 = creep_amount(moving, ways.slope[1], ways.way[1]);
        const int32_t first = wanted0 < sand ? wanted0 : sand;
        const int32_t rest = sand - first;
        way0[x] = ways.way[0];
        way1[x] = ways.way[1];
        amount0[x] = first;
        amount1[x] = wanted1 < rest ? wanted1 : rest;
    }
}

// Outflow of the cell at `x` of a row in one direction.
static inline int32_t creep_given(const creep_gifts* gifts, int32_t x, int32_t way)
{
    return (gifts->way[0][x] == way ? gifts->amount[0][x] : 0) +
           (gifts->way[1][x] == way ? gifts->amount[1][x] : 0);
}

static void creep_sum_kernel(const creep_sum_row* row)
{
    const creep_gifts n = row->north;
    const creep_gifts h = row->here;
    const creep_gifts s = row->south;
    int32_t* restrict change = row->change;
    const int32_t count = row->count;
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        const int32_t beside =
            creep_given(&h, x - 1, CREEP_EAST) + creep_given(&h, x + 1, CREEP_WEST);
        const int32_t above = creep_given(&n, x, CREEP_SOUTH) +
                              creep_given(&n, x - 1, CREEP_SOUTH_EAST) +
                              creep_given(&n, x + 1, CREEP_SOUTH_WEST);
        const int32_t below = creep_given(&s, x, CREEP_NORTH) +
                              creep_given(&s, x - 1, CREEP_NORTH_EAST) +
                              creep_given(&s, x + 1, CREEP_NORTH_WEST);
        change[x] = beside + above + below - h.amount[0][x] - h.amount[1][x];
    }
}

const slab_creep_kernels WADI_ISA_BUILD(slab_creep_kernels) = {
    creep_plan_kernel,
    creep_sum_kernel,
};
