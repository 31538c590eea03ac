// SPDX-License-Identifier: MIT
// The ground of a window: its halo, and sums over the cells that it owns.
#include "terrain/terrain.h"

bool wadi_ground_refresh_with(const wadi_ground* ground, void* more, int32_t more_bytes)
{
    void* layers[WADI_MAX_LOOSE + 3];
    int32_t bytes[WADI_MAX_LOOSE + 3];
    int32_t count = 0;
    layers[count++] = ground->bedrock;
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        layers[count++] = ground->loose[i];
    }
    if (ground->strata != NULL)
    {
        layers[count++] = ground->strata->top;
    }
    for (int32_t i = 0; i < count; ++i)
    {
        bytes[i] = (int32_t)sizeof(int32_t);
    }
    if (more != NULL)
    {
        layers[count] = more;
        bytes[count++] = more_bytes;
    }
    return wadi_partition_get(ground->part, layers, bytes, count);
}

bool wadi_ground_refresh(const wadi_ground* ground)
{
    return wadi_ground_refresh_with(ground, NULL, 0);
}

bool wadi_ground_refresh_all(const wadi_ground* ground)
{
    void* const layers[] = {ground->water, ground->hardness, ground->vegetation, ground->moisture};
    static const int32_t bytes[] = {4, 2, 2, 2};
    return wadi_ground_refresh(ground) && wadi_partition_get(ground->part, layers, bytes, 4);
}

int64_t wadi_ground_owned_sum(const wadi_ground* ground, const int32_t* heights)
{
    // 2^31 units in each of 2^32 cells fit
    const wadi_owned owned = wadi_ground_owned(ground);
    int64_t sum = 0;
    for (int32_t y = owned.y; y < owned.end_y; ++y)
    {
        for (int32_t x = owned.x; x < owned.end_x; ++x)
        {
            sum += heights[(int64_t)y * ground->width + x];
        }
    }
    return sum;
}

int64_t wadi_ground_owned_valid(const wadi_ground* ground)
{
    const wadi_owned owned = wadi_ground_owned(ground);
    int64_t count = 0;
    for (int32_t y = owned.y; y < owned.end_y; ++y)
    {
        for (int32_t x = owned.x; x < owned.end_x; ++x)
        {
            count += ground->valid[(int64_t)y * ground->width + x];
        }
    }
    return count;
}

double wadi_terrain_map_sum(const wadi_terrain* terrain, const int64_t* map)
{
    const wadi_ground* ground = &terrain->ground;
    double sum = 0.0;
    if (ground->part == NULL)
    {
        for (int64_t i = 0; i < ground->cells; ++i)
        {
            sum += (double)map[i];
        }
        return sum;
    }

    // whole numbers, so that the windows' sums can be added in any order
    const wadi_owned owned = wadi_ground_owned(ground);
    wadi_wide here = 0;
    for (int32_t y = owned.y; y < owned.end_y; ++y)
    {
        for (int32_t x = owned.x; x < owned.end_x; ++x)
        {
            here += map[(int64_t)y * ground->width + x];
        }
    }
    return (double)wadi_terrain_of_windows(terrain, here);
}
