// SPDX-License-Identifier: MIT
// A terrain without an outlet keeps its sediment: load that reaches the lowest cell fills the
// ground around it to a level surface, like a playa.
#include "processes/hydraulic/parcel.h"

// Volume of a fill to a level [units x cells], and the number of cells at or below it.
static int64_t sink_volume(const parcel_level* level, int64_t fill, int64_t* count)
{
    int64_t volume = 0;
    *count = 0;
    for (int32_t y = 0; y < level->height; ++y)
    {
        const int32_t* h = level->surface + parcel_padded_index(level, 0, y);
        for (int32_t x = 0; x < level->width; ++x)
        {
            const bool below = h[x] <= fill;
            volume += below ? fill - h[x] : 0;
            *count += below ? 1 : 0;
        }
    }
    return volume;
}

// Highest level that the volume can fill: doubled steps up, then bisection.
static int64_t sink_find_level(const parcel_level* level, int64_t bottom, int64_t volume)
{
    int64_t count;
    int64_t step = 1;
    while (sink_volume(level, bottom + step, &count) <= volume)
    {
        step *= 2;
    }
    int64_t low = bottom;         // the volume reaches it
    int64_t high = bottom + step; // the volume does not reach it
    while (high - low > 1)
    {
        const int64_t middle = low + (high - low) / 2;
        const bool fits = sink_volume(level, middle, &count) <= volume;
        low = fits ? middle : low;
        high = fits ? high : middle;
    }
    return low;
}

// The lowest cell now. The sink was the lowest at the last flood and may not be any more.
static int64_t sink_lowest(const parcel_level* level)
{
    int32_t lowest = PARCEL_WALL;
    for (int32_t y = 0; y < level->height; ++y)
    {
        const int32_t* h = level->surface + parcel_padded_index(level, 0, y);
        for (int32_t x = 0; x < level->width; ++x)
        {
            lowest = h[x] < lowest ? h[x] : lowest;
        }
    }
    return lowest;
}

void wadi_parcel_sink_pour(parcel_level* level)
{
    const int64_t volume =
        atomic_exchange_explicit(&level->load[level->now][level->sink], 0, memory_order_relaxed);
    if (volume == 0)
    {
        return;
    }
    const int64_t bottom = sink_lowest(level);
    const int64_t fill = sink_find_level(level, bottom, volume);
    int64_t count;
    int64_t rest = volume - sink_volume(level, fill, &count);
    for (int32_t y = 0; y < level->height; ++y)
    {
        int32_t* h = level->surface + parcel_padded_index(level, 0, y);
        for (int32_t x = 0; x < level->width; ++x)
        {
            if (h[x] <= fill)
            {
                // the remainder is less than one unit per cell
                const int32_t amount = (int32_t)(fill - h[x]) + (rest > 0 ? 1 : 0);
                rest -= rest > 0 ? 1 : 0;
                wadi_ground_put(level->ground, (int64_t)y * level->width + x, amount,
                                &level->tally);
                h[x] += amount;
            }
        }
    }
    wadi_parcel_level_refresh_ghosts(level, level->surface);
}
