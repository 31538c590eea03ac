// SPDX-License-Identifier: MIT
// The pool of active droplets, of fixed size. New droplets take the places of ended ones. All work
// is serial and in index order, so the pool does not depend on the number of threads.
#include "processes/articles/droplets/droplet_state.h"

#include <math.h>

enum
{
    POOL_TILE_SHIFT = 5 // droplets are sorted by tiles of 32 x 32 cells
};

// Spawn a droplet. Rain on a void cell is dropped.
static void pool_spawn(wadi_droplets* droplets)
{
    droplet d = {.volume = 1.0f, .pull = droplets->law.pull};
    wadi_particle_place(&droplets->places, droplets->spawned, &d.x, &d.y);
    droplets->spawned += 1;
    if (droplets->rain.rows != NULL && !wadi_droplet_rain_place(&droplets->rain, &d.x, &d.y))
    {
        return;
    }
    d.cell = (int32_t)d.y * droplets->law.width + (int32_t)d.x;
    if (droplets->bed->ground->valid[d.cell] != 0)
    {
        droplets->pool[droplets->live++] = d;
        droplets->bed->workers[0].tally.in[WADI_MATERIAL_WATER] += droplets->water;
        droplets->work.droplets += 1;
    }
}

void wadi_droplet_pool_fill(wadi_droplets* droplets, int64_t* due)
{
    for (; *due > 0 && droplets->live < droplets->capacity; --*due)
    {
        pool_spawn(droplets);
    }
}

void wadi_droplet_pool_compact(wadi_droplets* droplets)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < droplets->live; ++i)
    {
        if (!droplet_has_ended(&droplets->pool[i]))
        {
            droplets->pool[kept++] = droplets->pool[i];
        }
    }
    droplets->live = kept;
}

static int32_t pool_tile(const wadi_droplets* droplets, const droplet* d)
{
    const int32_t across = ((droplets->law.width - 1) >> POOL_TILE_SHIFT) + 1;
    const int32_t row = d->cell / droplets->law.width;
    const int32_t column = d->cell % droplets->law.width;
    return (row >> POOL_TILE_SHIFT) * across + (column >> POOL_TILE_SHIFT);
}

// Counting sort by tile, stable.
void wadi_droplet_pool_sort(wadi_droplets* droplets)
{
    const int32_t across = ((droplets->law.width - 1) >> POOL_TILE_SHIFT) + 1;
    const int32_t down = ((droplets->law.height - 1) >> POOL_TILE_SHIFT) + 1;
    int32_t* starts = droplets->tile_starts;
    for (int32_t t = 0; t <= across * down; ++t)
    {
        starts[t] = 0;
    }
    for (int32_t i = 0; i < droplets->live; ++i)
    {
        starts[pool_tile(droplets, &droplets->pool[i]) + 1] += 1;
    }
    for (int32_t t = 0; t < across * down; ++t)
    {
        starts[t + 1] += starts[t];
    }
    for (int32_t i = 0; i < droplets->live; ++i)
    {
        const droplet* d = &droplets->pool[i];
        droplets->spare[starts[pool_tile(droplets, d)]++] = *d;
    }
    droplet* sorted = droplets->spare;
    droplets->spare = droplets->pool;
    droplets->pool = sorted;
}

void wadi_droplet_pool_sample(wadi_droplets* droplets)
{
    for (int32_t i = 0; i < droplets->live; ++i)
    {
        const droplet* d = &droplets->pool[i];
        droplets->momentum[d->cell] += d->volume * sqrtf(d->u * d->u + d->v * d->v);
        droplets->passing[d->cell] += d->volume;
    }
}

int64_t wadi_droplet_pool_load(const wadi_droplets* droplets)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < droplets->live; ++i)
    {
        sum += droplets->pool[i].load;
    }
    return sum;
}
