// SPDX-License-Identifier: MIT
#include "terrain/ground.h"

#include "core/isa.h"
#include "terrain/ground_kernels.h"

// The plain case: one loose layer of sediment on rock, without branches.
static bool ground_is_plain(const wadi_ground* ground)
{
    return ground->loose_count == 1 && ground->material[0] == WADI_MATERIAL_SEDIMENT;
}

static void ground_exchange_plain(int32_t* restrict rock, int32_t* restrict loose, int32_t count,
                                  const int32_t* restrict taken, const int32_t* restrict laid,
                                  wadi_tally* tally)
{
    int64_t put = 0;
    int64_t from_loose = 0;
    int64_t from_rock = 0;
#pragma omp simd reduction(+ : put, from_loose, from_rock)
    for (int32_t x = 0; x < count; ++x)
    {
        const int32_t first = taken[x] < loose[x] ? taken[x] : loose[x];
        const int32_t rest = taken[x] - first;
        loose[x] += laid[x] - first;
        rock[x] -= rest;
        put += laid[x];
        from_loose += first;
        from_rock += rest;
    }
    tally->deposited[WADI_MATERIAL_SEDIMENT] += put;
    tally->eroded[WADI_MATERIAL_SEDIMENT] += from_loose;
    tally->eroded[WADI_MATERIAL_ROCK] += from_rock;
    tally->converted[WADI_MATERIAL_ROCK] -= from_rock;
    tally->converted[WADI_MATERIAL_SEDIMENT] += from_rock;
}

void wadi_ground_exchange_row(const wadi_ground* ground, int64_t first, int32_t count,
                              const int32_t* taken, const int32_t* laid, wadi_tally* tally)
{
    if (ground_is_plain(ground))
    {
        ground_exchange_plain(ground->bedrock + first, ground->loose[0] + first, count, taken, laid,
                              tally);
        if (ground->strata != NULL)
        {
            wadi_strata_update_hardness(ground, first, count);
        }
        return;
    }
    for (int32_t x = 0; x < count; ++x)
    {
        wadi_ground_take_exact(ground, first + x, taken[x], tally);
        wadi_ground_put(ground, first + x, laid[x], tally);
    }
}

// Fast path: where the loose layer covers all erosion, only that layer is read and written.
static bool ground_change_loose(const wadi_ground* ground, int64_t first, int32_t count,
                                const int32_t* change, wadi_tally* tally)
{
    ground_stretch stretch = {.loose = ground->loose[0] + first, .change = change, .count = count};
    if (!ground_is_plain(ground) || !ground_kernels_of(wadi_isa_best())->change(&stretch))
    {
        return false;
    }
    tally->deposited[WADI_MATERIAL_SEDIMENT] += stretch.laid;
    tally->eroded[WADI_MATERIAL_SEDIMENT] += stretch.taken;
    return true;
}

void wadi_ground_change_row(const wadi_ground* ground, int64_t first, int32_t count,
                            const int32_t* change, wadi_tally* tally)
{
    if (ground_change_loose(ground, first, count, change, tally))
    {
        return;
    }
    enum
    {
        STRETCH = 256
    };
    int32_t taken[STRETCH];
    int32_t laid[STRETCH];
    for (int32_t begin = 0; begin < count; begin += STRETCH)
    {
        const int32_t n = count - begin < STRETCH ? count - begin : STRETCH;
        for (int32_t x = 0; x < n; ++x)
        {
            const int32_t amount = change[begin + x];
            taken[x] = amount < 0 ? -amount : 0;
            laid[x] = amount > 0 ? amount : 0;
        }
        wadi_ground_exchange_row(ground, first + begin, n, taken, laid, tally);
    }
}

void wadi_ground_remove(const wadi_ground* ground, int64_t cell, int32_t amount, wadi_tally* tally)
{
    int32_t left = amount;
    for (int32_t i = ground->loose_count - 1; i >= 0 && left > 0; --i)
    {
        const int32_t part = left < ground->loose[i][cell] ? left : ground->loose[i][cell];
        ground->loose[i][cell] -= part;
        tally->eroded[ground->material[i]] += part;
        tally->lost[ground->material[i]] += part;
        left -= part;
    }
    ground->bedrock[cell] -= left;
    tally->eroded[WADI_MATERIAL_ROCK] += left;
    tally->lost[WADI_MATERIAL_ROCK] += left;
    if (ground->strata != NULL)
    {
        wadi_strata_update_hardness(ground, cell, 1);
    }
}

int32_t wadi_terrain_take(wadi_terrain* terrain, int32_t x, int32_t y, int32_t amount,
                          wadi_tally* tally)
{
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    return wadi_ground_take(ground, (int64_t)y * ground->width + x, amount, tally);
}

void wadi_terrain_put(wadi_terrain* terrain, int32_t x, int32_t y, int32_t amount,
                      wadi_tally* tally)
{
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    wadi_ground_put(ground, (int64_t)y * ground->width + x, amount, tally);
}
