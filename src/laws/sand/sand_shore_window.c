// SPDX-License-Identifier: MIT
// Beaches in windows of a grid. Each window finds the sea and the beach of the cells that it owns,
// beginning at those of its halo that others have reached, and all exchange what they have found,
// until no window finds more: rounds as many as the way of the sea, then of the waves, crosses from
// window to window. Cells have the fewest steps, in whatever order they are found.
#include "laws/sand/sand_shore_state.h"

#include "core/internal.h"

#include <stdlib.h>

// ---- making ------------------------------------------------------------------------------------

// Collect cells of the halo beside owned ones; NULL counts them.
static int32_t window_ring(const wadi_ground* ground, int32_t* ring)
{
    const wadi_owned owned = wadi_ground_owned(ground);
    int32_t count = 0;
    for (int32_t y = owned.y - 1; y <= owned.end_y; ++y)
    {
        const bool beyond = y < owned.y || y == owned.end_y;
        const int32_t step = beyond ? 1 : owned.end_x - owned.x + 1; // corners touch no owned cell
        for (int32_t x = owned.x - (beyond ? 0 : 1); x < owned.end_x + (beyond ? 0 : 1); x += step)
        {
            if (x >= 0 && y >= 0 && x < ground->width && y < ground->height)
            {
                if (ring != NULL)
                {
                    ring[count] = y * ground->width + x;
                }
                count += 1;
            }
        }
    }
    return count;
}

wadi_result wadi_sand_shore_ring_create(sand_shore* shore)
{
    if (shore->ground->part == NULL)
    {
        return WADI_OK;
    }
    shore->ring_count = window_ring(shore->ground, NULL);
    WADI_ALLOC(shore->context, shore->ring, shore->ring_count + 1, "beaches");
    WADI_ALLOC(shore->context, shore->seeds, shore->ring_count + 1, "beaches");
    (void)window_ring(shore->ground, shore->ring);
    return WADI_OK;
}

// ---- rounds ------------------------------------------------------------------------------------

static int window_compare(const void* left, const void* right)
{
    const sand_shore_seed* a = left;
    const sand_shore_seed* b = right;
    return a->steps != b->steps ? (a->steps < b->steps ? -1 : 1)
                                : (a->cell > b->cell) - (a->cell < b->cell);
}

// Reached cells of the ring, those with the fewest steps first.
static int32_t window_seeds(const sand_shore* shore)
{
    int32_t count = 0;
    for (int32_t i = 0; i < shore->ring_count; ++i)
    {
        const int32_t steps = shore->dry[shore->ring[i]];
        if (steps >= 0)
        {
            shore->seeds[count++] = (sand_shore_seed){steps, shore->ring[i]};
        }
    }
    qsort(shore->seeds, (size_t)count, sizeof *shore->seeds, window_compare);
    return count;
}

// Go on from cells of the queue from `at` on and from the ring, always from the one with the fewest
// steps: a cell that is reached in a round is not reached in fewer steps later in it, so it is in
// the queue once.
static void window_round(sand_shore* shore, sand_shore_pass pass, int64_t at, int64_t* last)
{
    const int32_t seeds = window_seeds(shore);
    int32_t seed = 0;
    while (at < *last || seed < seeds)
    {
        const bool outside = seed < seeds && (at == *last || shore->seeds[seed].steps <=
                                                                 shore->dry[shore->queue[at]]);
        const int64_t cell = outside ? shore->seeds[seed++].cell : shore->queue[at++];
        wadi_sand_shore_visit_around(shore, cell, pass, last);
    }
}

// Does any window go on? Then the halo is fetched.
static wadi_result window_exchange(const sand_shore* shore, bool here, bool* goes_on)
{
    const wadi_partition* part = shore->ground->part;
    void* const layers[] = {shore->dry};
    const int32_t bytes[] = {(int32_t)sizeof *shore->dry};
    *goes_on = wadi_partition_any(part, here);
    return !*goes_on || wadi_partition_get(part, layers, bytes, 1)
               ? WADI_OK
               : wadi_partition_lost(shore->context);
}

// The sea: the queue keeps its cells.
static wadi_result window_sea(sand_shore* shore, int64_t* last)
{
    bool goes_on = true;
    wadi_sand_shore_begin(shore, last);
    for (int64_t at = 0; goes_on;)
    {
        window_round(shore, SAND_SHORE_SEA, at, last);
        WADI_TRY(window_exchange(shore, *last > at, &goes_on));
        at = *last;
    }
    return WADI_OK;
}

wadi_result wadi_sand_shore_spread_windows(sand_shore* shore)
{
    int64_t sea;
    WADI_TRY(window_sea(shore, &sea));
    bool goes_on = true;
    for (int64_t at = 0; goes_on; at = sea)
    {
        int64_t last = sea;
        window_round(shore, SAND_SHORE_BEACH, at, &last);
        WADI_TRY(window_exchange(shore, last > sea, &goes_on));
    }
    return WADI_OK;
}
