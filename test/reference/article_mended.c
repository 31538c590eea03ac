// SPDX-License-Identifier: MIT
// The kernel with its defects repaired: the reference for statistics. Mended are
//   - the normal: diagonals push along their own direction;
//   - the mass: a droplet carries matter, not a concentration that evaporation and the droplet's
//   end destroy;
//   - the edges: a neighbour that is missing is as high as the cell itself, and what leaves over an
//     edge is counted;
//   - the start: anywhere in a cell, not always in its corner;
//   - the step: the capacity is a fall per unit of time, so that it does not depend on the step,
//   and
//     a droplet takes at most half of the fall to the next cell on its way (the published kernel
//     jumps over up to 111 cells and digs the whole fall where it starts).
#include "article_hydraulic.h"

#include <math.h>

typedef struct mended_map
{
    float* h;
    int32_t size;
    float scale;
} mended_map;

typedef struct mended_drop
{
    float x;
    float y;
    float u;
    float v;
    float volume;
    double load; // height x cells
} mended_drop;

static float mended_fall(const mended_map* map, int32_t x, int32_t y, int32_t dx, int32_t dy)
{
    const int32_t nx = x + dx;
    const int32_t ny = y + dy;
    const int inside = nx >= 0 && ny >= 0 && nx < map->size && ny < map->size;
    return inside ? map->h[y * map->size + x] - map->h[ny * map->size + nx] : 0.0f;
}

static void mended_normal(const mended_map* map, int32_t x, int32_t y, float* nx, float* ny)
{
    *nx = 0.0f;
    *ny = 0.0f;
    for (int32_t dy = -1; dy <= 1; ++dy)
    {
        for (int32_t dx = -1; dx <= 1; ++dx)
        {
            const float distance = sqrtf((float)(dx * dx + dy * dy));
            if (distance > 0.0f)
            {
                const float slope = map->scale * mended_fall(map, x, y, dx, dy) / distance;
                const float weight = distance > 1.0f ? 0.10f : 0.15f;
                const float lean = weight * slope / sqrtf(1.0f + slope * slope) / distance;
                *nx += lean * (float)dx;
                *ny += lean * (float)dy;
            }
        }
    }
}

static float mended_random(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)(*state >> 40) * 0x1p-24f;
}

// Move; 0 when the droplet has left the map.
static int mended_move(const mended_map* map, const article_params* p, mended_drop* d)
{
    float nx;
    float ny;
    mended_normal(map, (int32_t)d->x, (int32_t)d->y, &nx, &ny);
    d->u += p->step * nx / (d->volume * p->density);
    d->v += p->step * ny / (d->volume * p->density);
    d->x += p->step * d->u;
    d->y += p->step * d->v;
    d->u *= 1.0f - p->step * p->friction;
    d->v *= 1.0f - p->step * p->friction;
    const float size = (float)map->size;
    return d->x >= 0.0f && d->y >= 0.0f && d->x < size && d->y < size;
}

// Give a cell `amount`; returns what it really got after rounding to float.
static double mended_put(mended_map* map, int32_t cell, double amount, article_outcome* sum)
{
    const float before = map->h[cell];
    map->h[cell] = (float)((double)before + amount);
    const double got = (double)map->h[cell] - (double)before;
    *(got > 0.0 ? &sum->deposited : &sum->eroded) += fabs(got);
    return got;
}

static void mended_transfer(mended_map* map, const article_params* p, int32_t from, mended_drop* d,
                            article_outcome* sum)
{
    const float published_step = 1.2f;
    const int32_t to = (int32_t)d->y * map->size + (int32_t)d->x;
    const float fall = fmaxf(map->h[from] - map->h[to], 0.0f);
    const float pace = sqrtf(d->u * d->u + d->v * d->v);
    const float full = d->volume * d->volume * pace * fall * published_step / p->step;
    const float cells = fmaxf(1.0f, pace * p->step / (1.0f - p->step * p->friction));
    const double want = (double)(p->step * p->deposition) * ((double)full - d->load);
    d->load -= mended_put(map, from, -fmin(want, 0.5 * (double)(fall / cells)), sum);
    d->volume *= 1.0f - p->step * p->evaporation;
}

static void mended_descend(mended_map* map, const article_params* p, mended_drop d,
                           article_outcome* sum)
{
    while (d.volume > p->min_volume)
    {
        const int32_t from = (int32_t)d.y * map->size + (int32_t)d.x;
        sum->steps += 1;
        if (!mended_move(map, p, &d))
        {
            sum->exported += d.load;
            return;
        }
        mended_transfer(map, p, from, &d, sum);
    }
    mended_put(map, (int32_t)d.y * map->size + (int32_t)d.x, d.load, sum);
}

article_outcome article_erode_mended(float* heights, int32_t size, const article_params* params,
                                     int64_t droplets, uint32_t seed)
{
    article_outcome sum = {0};
    mended_map map = {heights, size, params->scale};
    uint64_t state = (uint64_t)seed * 0x9E3779B97F4A7C15u + 1u;
    (void)mended_random(&state);
    for (int64_t i = 0; i < droplets; ++i)
    {
        const float x = mended_random(&state) * (float)size;
        const float y = mended_random(&state) * (float)size;
        mended_descend(&map, params, (mended_drop){.x = x, .y = y, .volume = 1.0f}, &sum);
    }
    return sum;
}
