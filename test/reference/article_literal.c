// SPDX-License-Identifier: MIT
// The kernel as published, its defects included: the reference for speed.
//
// The article's listing calls a surfaceNormal() that it does not show. As released, it gives all
// four diagonal neighbours the direction (+1, +1) and reads one cell past the map at its edges;
// matter is lost when water evaporates and when a droplet leaves. Only the reads past the map are
// made safe here, by a rim of zeros, which costs no time.
#include "article_hydraulic.h"

#include <math.h>
#include <stdlib.h>

article_params article_params_default(void)
{
    return (article_params){1.2f, 1.0f, 0.001f, 0.1f, 0.01f, 0.05f, 60.0f};
}

typedef struct literal_map
{
    float* h;       // inside a rim of one cell
    int32_t size;   // without the rim
    int32_t stride; // size + 2
    float scale;
} literal_map;

typedef struct literal_vec
{
    float x;
    float y;
} literal_vec;

static float literal_at(const literal_map* map, int32_t x, int32_t y)
{
    return map->h[(y + 1) * map->stride + x + 1];
}

// weight x the horizontal part of unit(S dh, length, 0), as in the article's sum of its normal.
static float literal_lean(float weight, float rise, float length)
{
    return weight * rise / sqrtf(rise * rise + length * length);
}

static literal_vec literal_normal(const literal_map* map, int32_t x, int32_t y)
{
    const float root2 = 1.41421356f;
    const float s = map->scale;
    const float h = literal_at(map, x, y);
    literal_vec n;
    n.x = literal_lean(0.15f, s * (h - literal_at(map, x + 1, y)), 1.0f);
    n.x += literal_lean(0.15f, s * (literal_at(map, x - 1, y) - h), 1.0f);
    n.y = literal_lean(0.15f, s * (h - literal_at(map, x, y + 1)), 1.0f);
    n.y += literal_lean(0.15f, s * (literal_at(map, x, y - 1) - h), 1.0f);

    // the sign defect: every diagonal pushes along (+1, +1)
    for (int32_t dy = -1; dy <= 1; dy += 2)
    {
        for (int32_t dx = -1; dx <= 1; dx += 2)
        {
            const float rise = s * (h - literal_at(map, x + dx, y + dy)) / root2;
            const float lean = 0.1f * rise / sqrtf(2.0f * rise * rise + 2.0f);
            n.x += lean;
            n.y += lean;
        }
    }
    return n;
}

static uint32_t literal_random(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void literal_descend(literal_map* map, const article_params* p, literal_vec pos,
                            article_outcome* sum)
{
    literal_vec speed = {0.0f, 0.0f};
    float volume = 1.0f;
    float sediment = 0.0f;
    while (volume > p->min_volume)
    {
        const int32_t ix = (int32_t)pos.x;
        const int32_t iy = (int32_t)pos.y;
        const literal_vec n = literal_normal(map, ix, iy);
        speed.x += p->step * n.x / (volume * p->density);
        speed.y += p->step * n.y / (volume * p->density);
        pos.x += p->step * speed.x;
        pos.y += p->step * speed.y;
        speed.x *= 1.0f - p->step * p->friction;
        speed.y *= 1.0f - p->step * p->friction;
        sum->steps += 1;

        const float size = (float)map->size;
        if (!(pos.x >= 0.0f && pos.y >= 0.0f && pos.x < size && pos.y < size))
        {
            break;
        }
        const float fall =
            literal_at(map, ix, iy) - literal_at(map, (int32_t)pos.x, (int32_t)pos.y);
        const float pace = sqrtf(speed.x * speed.x + speed.y * speed.y);
        const float equilibrium = fmaxf(volume * pace * fall, 0.0f);
        const float driving = equilibrium - sediment;
        sediment += p->step * p->deposition * driving;
        const float moved = p->step * volume * p->deposition * driving;
        map->h[(iy + 1) * map->stride + ix + 1] -= moved;
        *(moved > 0.0f ? &sum->eroded : &sum->deposited) += (double)fabsf(moved);
        volume *= 1.0f - p->step * p->evaporation;
    }
}

static void literal_copy(literal_map* map, float* heights, int into_map)
{
    for (int32_t y = 0; y < map->size; ++y)
    {
        for (int32_t x = 0; x < map->size; ++x)
        {
            float* inner = &map->h[(y + 1) * map->stride + x + 1];
            float* outer = &heights[y * map->size + x];
            *(into_map ? inner : outer) = *(into_map ? outer : inner);
        }
    }
}

article_outcome article_erode_literal(float* heights, int32_t size, const article_params* params,
                                      int64_t droplets, uint32_t seed)
{
    article_outcome sum = {0};
    const int32_t stride = size + 2;
    literal_map map = {calloc((size_t)stride * (size_t)stride, sizeof(float)), size, stride,
                       params->scale};
    if (map.h == NULL)
    {
        return sum;
    }
    literal_copy(&map, heights, 1);
    for (int64_t i = 0; i < droplets; ++i)
    {
        const float x = (float)(literal_random(&seed) % (uint32_t)size);
        const float y = (float)(literal_random(&seed) % (uint32_t)size);
        literal_descend(&map, params, (literal_vec){x, y}, &sum);
    }
    literal_copy(&map, heights, 0);
    free(map.h);
    sum.exported = sum.eroded - sum.deposited;
    return sum;
}
