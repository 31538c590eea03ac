// SPDX-License-Identifier: MIT
// The pool of active grains. All work on it is serial and in index order, so it does not depend on
// the number of threads.
#include "core/random.h"
#include "processes/articles/wind_grains/grain_state.h"

#include <math.h>
#include <string.h>

enum
{
    POOL_TILE_SHIFT = 5, // grains are sorted by tiles of 32 x 32 cells
    POOL_CROWD = 4       // at most one new grain per batch for so many cells of width and height
};

// Where grain number `index` enters: places are spread evenly over the upwind edges, in proportion
// to the inflow of wind (golden ratio recurrence), with a random offset within a cell.
static void pool_place(const wadi_grains* grains, int64_t index, float* x, float* y)
{
    const grain_law* law = &grains->law;
    const wadi_philox turn = wadi_random(grains->seed, grains->stream, UINT64_MAX, 0);
    const wadi_philox shake = wadi_random(grains->seed, grains->stream, (uint64_t)index, 0);
    const uint64_t spread = (uint64_t)index * 0x9E3779B97F4A7C15u + ((uint64_t)turn.v[0] << 32);
    const double west = fabs((double)law->wind_x) * law->height;
    const double north = fabs((double)law->wind_y) * law->width;
    const double at = wadi_unit_double((uint32_t)(spread >> 32), (uint32_t)spread);
    const double along = at * (west + north);
    const double inward = (double)wadi_unit_float(shake.v[0]);
    const bool across = along < west;
    const double share = across ? along / west : (along - west) / north;
    const double px = across ? inward : share * law->width;
    const double py = across ? share * law->height : inward;
    // from the far side where the wind blows against the axis; 2^-22 keeps it below the size
    const double right = law->width * (1.0 - 0x1p-22);
    const double bottom = law->height * (1.0 - 0x1p-22);
    const double fx = law->wind_x < 0.0f && across ? law->width - px : px;
    const double fy = law->wind_y < 0.0f && !across ? law->height - py : py;
    *x = (float)(fx < right ? fx : right);
    *y = (float)(fy < bottom ? fy : bottom);
}

// If the cell has no data, the grain enters at the first cell downwind that has.
static bool pool_land(const wadi_grains* grains, grain* g)
{
    const grain_law* law = &grains->law;
    const float pace = sqrtf(law->wind_x * law->wind_x + law->wind_y * law->wind_y);
    while (g->x >= 0.0f && g->y >= 0.0f && g->x < (float)law->width && g->y < (float)law->height)
    {
        g->cell = grain_padded(&grains->land, (int32_t)g->x, (int32_t)g->y);
        if (grains->land.frozen[g->cell].sand != GRAIN_VOID)
        {
            return true;
        }
        g->x += law->wind_x / pace;
        g->y += law->wind_y / pace;
    }
    return false;
}

static void pool_spawn(wadi_grains* grains)
{
    grain g = {.u = grains->law.wind_x, .v = grains->law.wind_y};
    pool_place(grains, grains->spawned, &g.x, &g.y);
    grains->spawned += 1;
    if (pool_land(grains, &g))
    {
        g.z = grains->land.frozen[g.cell].level;
        grains->pool[grains->live++] = g;
        grains->started += 1;
    }
}

static void pool_resume(wadi_grains* grains, int64_t* due)
{
    for (int32_t i = 0; i<grains->live&& * due> 0; ++i)
    {
        if (grains->pool[i].state == GRAIN_PARKED)
        {
            grains->pool[i].state = GRAIN_FLIES;
            grains->started += 1;
            *due -= 1;
        }
    }
}

// A full pool released at once would cross the terrain as one front of grains.
int32_t wadi_grain_pool_crowd(const grain_law* law)
{
    return (law->width + law->height) / POOL_CROWD + 1;
}

void wadi_grain_pool_fill(wadi_grains* grains, int64_t* due)
{
    pool_resume(grains, due);
    const int32_t crowd = wadi_grain_pool_crowd(&grains->law);
    for (int32_t i = 0; i<crowd&& * due> 0 && grains->live < grains->capacity; ++i)
    {
        pool_spawn(grains);
        *due -= 1;
    }
}

void wadi_grain_pool_compact(wadi_grains* grains)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < grains->live; ++i)
    {
        if (grains->pool[i].state != GRAIN_ENDED)
        {
            grains->pool[kept++] = grains->pool[i];
        }
    }
    grains->live = kept;
}

static int32_t pool_tile(const grain_law* law, const grain* g)
{
    const int32_t across = (law->stride >> POOL_TILE_SHIFT) + 1;
    const int32_t row = g->cell / law->stride;
    const int32_t column = g->cell % law->stride;
    return (row >> POOL_TILE_SHIFT) * across + (column >> POOL_TILE_SHIFT);
}

int32_t wadi_grain_pool_tiles(const grain_law* law)
{
    return ((law->stride >> POOL_TILE_SHIFT) + 1) * (((law->height + 2) >> POOL_TILE_SHIFT) + 1);
}

// Counting sort by tile, stable.
void wadi_grain_pool_sort(wadi_grains* grains)
{
    const int32_t tiles = wadi_grain_pool_tiles(&grains->law);
    int32_t* starts = grains->tile_starts;
    memset(starts, 0, (size_t)(tiles + 1) * sizeof *starts);
    for (int32_t i = 0; i < grains->live; ++i)
    {
        starts[pool_tile(&grains->law, &grains->pool[i]) + 1] += 1;
    }
    for (int32_t t = 0; t < tiles; ++t)
    {
        starts[t + 1] += starts[t];
    }
    for (int32_t i = 0; i < grains->live; ++i)
    {
        const grain* g = &grains->pool[i];
        grains->spare[starts[pool_tile(&grains->law, g)]++] = *g;
    }
    wadi_grain_pool_swap(grains);
}

void wadi_grain_pool_swap(wadi_grains* grains)
{
    grain* other = grains->spare;
    grains->spare = grains->pool;
    grains->pool = other;
}

void wadi_grain_pool_sample(wadi_grains* grains, int32_t steps)
{
    const grain_land* land = &grains->land;
    const float time = (float)steps * grains->law.step;
    memset(grains->airborne, 0, (size_t)land->total * sizeof *grains->airborne);
    for (int32_t i = 0; i < grains->live; ++i)
    {
        const grain* g = &grains->pool[i];
        const float load = (float)g->load;
        grains->track[g->cell] += g->z <= land->frozen[g->cell].level ? 1.0f : 0.0f;
        grains->samples[g->cell] += 1.0f;
        grains->speed[g->cell] += sqrtf(g->u * g->u + g->v * g->v);
        grains->flux_x[g->cell] += load * g->u * time;
        grains->flux_y[g->cell] += load * g->v * time;
        grains->airborne[g->cell] += load;
    }
}

int64_t wadi_grain_pool_load(const wadi_grains* grains)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < grains->live; ++i)
    {
        sum += grains->pool[i].load;
    }
    return sum;
}
