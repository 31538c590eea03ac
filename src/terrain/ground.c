// SPDX-License-Identifier: MIT
#include "terrain/ground.h"

// The plain case, one loose layer of sediment on rock, without branches: 12 % of an erosion run
// went into single verbs here.
static void ground_change_plain(int32_t* restrict rock, int32_t* restrict loose, int32_t count,
                                const int32_t* restrict change, wadi_tally* tally)
{
    int64_t put = 0;
    int64_t from_loose = 0;
    int64_t from_rock = 0;
#pragma omp simd reduction(+ : put, from_loose, from_rock)
    for (int32_t x = 0; x < count; ++x)
    {
        const int32_t laid = change[x] > 0 ? change[x] : 0;
        const int32_t taken = change[x] < 0 ? -change[x] : 0;
        const int32_t first = taken < loose[x] ? taken : loose[x];
        loose[x] += laid - first;
        rock[x] -= taken - first;
        put += laid;
        from_loose += first;
        from_rock += taken - first;
    }
    tally->deposited[WADI_MATERIAL_SEDIMENT] += put;
    tally->eroded[WADI_MATERIAL_SEDIMENT] += from_loose;
    tally->eroded[WADI_MATERIAL_ROCK] += from_rock;
    tally->converted[WADI_MATERIAL_ROCK] -= from_rock;
    tally->converted[WADI_MATERIAL_SEDIMENT] += from_rock;
}

void wadi_ground_change_row(const wadi_ground* ground, int64_t first, int32_t count,
                            const int32_t* change, wadi_tally* tally)
{
    if (ground->loose_count == 1 && ground->material[0] == WADI_MATERIAL_SEDIMENT)
    {
        ground_change_plain(ground->bedrock + first, ground->loose[0] + first, count, change,
                            tally);
        return;
    }
    for (int32_t x = 0; x < count; ++x)
    {
        if (change[x] < 0)
        {
            wadi_ground_take_promised(ground, first + x, -change[x], tally);
        }
        else if (change[x] > 0)
        {
            wadi_ground_put(ground, first + x, change[x], tally);
        }
    }
}
