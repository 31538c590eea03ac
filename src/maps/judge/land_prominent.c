// SPDX-License-Identifier: MIT
// Prominent minima by 0-dimensional persistence: cells are joined in rising order, and where two
// depressions meet, the one with the higher bottom ends. The rim is the lowest depression.
#include "maps/judge/land_forms_internal.h"

#include "core/radix_heap.h"
#include "core/union_find.h"

enum
{
    SORT_DIGITS = 2048
};

// One pass of a radix sort by the digit at `shift`.
static void prominent_sort_pass(const uint64_t* from, uint64_t* to, int64_t count, int shift)
{
    int64_t begin[SORT_DIGITS] = {0};
    for (int64_t i = 0; i < count; ++i)
    {
        ++begin[from[i] >> shift & (SORT_DIGITS - 1)];
    }
    int64_t sum = 0;
    for (int d = 0; d < SORT_DIGITS; ++d)
    {
        const int64_t here = begin[d];
        begin[d] = sum;
        sum += here;
    }
    for (int64_t i = 0; i < count; ++i)
    {
        to[begin[from[i] >> shift & (SORT_DIGITS - 1)]++] = from[i];
    }
}

void wadi_land_sort(uint64_t* entries, uint64_t* spare, int64_t count)
{
    prominent_sort_pass(entries, spare, count, 32);
    prominent_sort_pass(spare, entries, count, 43);
    prominent_sort_pass(entries, spare, count, 54);
    memcpy(entries, spare, (size_t)count * sizeof *entries);
}

typedef struct prominent_run
{
    const land_grid* grid;
    float sign;
    double least;
    uint64_t* rising;
    uint64_t* spare;
    int32_t* parent; // of cells, and of the rim behind them; -1: not joined yet
    int64_t found;
} prominent_run;

// Height of the lowest cell of a depression, which is its root.
static double prominent_bottom(const prominent_run* run, int32_t root)
{
    return root == (int32_t)run->grid->cells ? -(double)INFINITY
                                             : (double)(run->sign * run->grid->z[root]);
}

static void prominent_join(prominent_run* run, int32_t cell, int32_t other)
{
    const int32_t theirs = wadi_root_of(run->parent, other);
    const int32_t own = wadi_root_of(run->parent, cell);
    if (theirs == own)
    {
        return;
    }
    const bool ends = prominent_bottom(run, theirs) <= prominent_bottom(run, own);
    const int32_t end = ends ? own : theirs;
    run->parent[end] = ends ? theirs : own;
    const double depth = (double)(run->sign * run->grid->z[cell]) - prominent_bottom(run, end);
    run->found += depth > run->least ? 1 : 0;
}

static void prominent_rise(prominent_run* run)
{
    const land_grid* grid = run->grid;
    const int32_t rim = (int32_t)grid->cells;
    for (int64_t i = 0; i < grid->cells; ++i)
    {
        run->parent[i] = -1;
    }
    run->parent[rim] = rim;
    for (int64_t q = 0; q < grid->valid; ++q)
    {
        const int32_t cell = (int32_t)(run->rising[q] & 0xFFFFFFFFu);
        run->parent[cell] = cell;
        for (int k = 0; k < 8; ++k)
        {
            const int64_t n = land_neighbour(grid, cell, k);
            const int32_t other = n < 0 ? rim : (int32_t)n;
            if (run->parent[other] >= 0)
            {
                prominent_join(run, cell, other);
            }
        }
    }
}

static wadi_result prominent_run_all(prominent_run* run)
{
    const land_grid* grid = run->grid;
    WADI_ALLOC(grid->context, run->rising, grid->valid, "a sorted ground");
    WADI_ALLOC(grid->context, run->spare, grid->valid, "a sorted ground");
    WADI_ALLOC(grid->context, run->parent, grid->cells + 1, "depressions");
    int64_t count = 0;
    for (int64_t i = 0; i < grid->cells; ++i)
    {
        if (!isnan(grid->z[i]))
        {
            run->rising[count++] =
                (uint64_t)wadi_radix_key(run->sign * grid->z[i]) << 32 | (uint64_t)i;
        }
    }
    wadi_land_sort(run->rising, run->spare, count);
    prominent_rise(run);
    return WADI_OK;
}

wadi_result wadi_land_prominent(const land_grid* grid, float sign, double least, int64_t* out)
{
    prominent_run run = {.grid = grid, .sign = sign, .least = least};
    const wadi_result result = prominent_run_all(&run);
    wadi_free(grid->context, run.rising);
    wadi_free(grid->context, run.spare);
    wadi_free(grid->context, run.parent);
    *out = run.found;
    return result;
}
