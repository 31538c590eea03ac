// SPDX-License-Identifier: MIT
// The wind kernel as published, its defects included: the reference for speed.
//
// The article's listing calls a surfaceNormal() that it does not show. As released, it blends the
// normals of four cells, each the sum of four triangles, and reads up to two rows past the map;
// only those reads are made safe here, by a rim of zeros, which costs no time.
#include "article_wind.h"

#include <math.h>
#include <stdlib.h>

enum
{
    LITERAL_RIM = 2
};

article_wind_params article_wind_params_text(void)
{
    return (article_wind_params){0.25f, 1.0f, 1.0f, 0.0001f, 0.0001f, 0.005f, 0.01f, 80.0f, 0.01f};
}

article_wind_params article_wind_params_release(void)
{
    const float along = 1.41421356f; // twice the unit vector of (1, 1)
    return (article_wind_params){0.25f, along, along, 0.002f, 0.01f, 0.005f, 0.05f, 80.0f, 0.01f};
}

typedef struct literal_map
{
    double* h; // inside a rim
    double* s;
    int32_t size; // without the rim
    int32_t stride;
    double scale;
} literal_map;

typedef struct literal_vec3
{
    float x; // along the map's first axis
    float y; // up
    float z;
} literal_vec3;

typedef struct literal_grain
{
    float x;
    float z;
    float height;
    literal_vec3 speed;
    double sediment;
} literal_grain;

static int32_t literal_index(const literal_map* map, float x, float z)
{
    return ((int32_t)z + LITERAL_RIM) * map->stride + (int32_t)x + LITERAL_RIM;
}

static literal_vec3 literal_cross(literal_vec3 a, literal_vec3 b)
{
    return (literal_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static float literal_length(literal_vec3 v)
{
    return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

// Sum of the four triangles around a cell, as the released code adds them up.
static literal_vec3 literal_cell_normal(const literal_map* map, int32_t i)
{
    const double* h = map->h;
    const double* s = map->s;
    const int32_t w = map->stride;
    const double own = h[i] + s[i];
    const float east = (float)(map->scale * (h[i + 1] + s[i + 1] - own));
    const float west = (float)(map->scale * (h[i - 1] + s[i - 1] - own));
    const float south = (float)(map->scale * (h[i + w] + s[i + w] - own));
    const float north = (float)(map->scale * (h[i - w] + s[i - w] - own));
    const literal_vec3 to[5] = {{1.0f, east, 0.0f},
                                {0.0f, north, -1.0f},
                                {-1.0f, west, 0.0f},
                                {0.0f, south, 1.0f},
                                {1.0f, east, 0.0f}};
    literal_vec3 n = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 4; ++k)
    {
        const literal_vec3 part = literal_cross(to[k], to[k + 1]);
        n = (literal_vec3){n.x + part.x, n.y + part.y, n.z + part.z};
    }
    const float length = literal_length(n);
    return (literal_vec3){n.x / length, n.y / length, n.z / length};
}

static literal_vec3 literal_mix(literal_vec3 a, literal_vec3 b, float t)
{
    return (literal_vec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

static literal_vec3 literal_normal(const literal_map* map, float x, float z)
{
    const int32_t i = literal_index(map, x, z);
    const literal_vec3 north =
        literal_mix(literal_cell_normal(map, i), literal_cell_normal(map, i + 1), x - floorf(x));
    const literal_vec3 south =
        literal_mix(literal_cell_normal(map, i + map->stride),
                    literal_cell_normal(map, i + map->stride + 1), x - floorf(x));
    return literal_mix(north, south, z - floorf(z));
}

// The bounds are those of the grain's place, not of cell i.
static void literal_cascade(literal_map* map, const article_wind_params* p, const literal_grain* g,
                            int32_t i)
{
    static const int32_t nx[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
    static const int32_t nz[8] = {-1, 0, 1, -1, 1, -1, 0, 1};
    double* s = map->s;
    for (int m = 0; m < 8; ++m)
    {
        const int32_t x = (int32_t)g->x + nx[m];
        const int32_t z = (int32_t)g->z + nz[m];
        if (x < 0 || z < 0 || x >= map->size || z >= map->size)
        {
            continue;
        }
        const int32_t n = i + nz[m] * map->stride + nx[m];
        const float diff = (float)(map->h[i] + s[i] - (map->h[n] + s[n]));
        const float excess = fabsf(diff) - p->roughness;
        if (excess <= 0.0f)
        {
            continue;
        }
        const double half = (double)excess / 2.0;
        const double transfer = diff > 0.0f ? fmin(s[i], half) : -fmin(s[n], half);
        s[i] -= (double)(p->step * p->settling) * transfer;
        s[n] += (double)(p->step * p->settling) * transfer;
    }
}

static void literal_move(const literal_map* map, const article_wind_params* p, literal_grain* g,
                         article_wind_outcome* sum)
{
    const int32_t i = literal_index(map, g->x, g->z);
    if ((double)g->height < map->h[i] + map->s[i])
    {
        g->height = (float)(map->h[i] + map->s[i]);
    }
    const literal_vec3 n = literal_normal(map, g->x, g->z);
    if ((double)g->height > map->h[i] + map->s[i])
    {
        g->speed.y -= p->step * 0.01f;
    }
    else
    {
        const literal_vec3 a = literal_cross(literal_cross(g->speed, n), n);
        g->speed.x += p->step * a.x;
        g->speed.y += p->step * a.y;
        g->speed.z += p->step * a.z;
        sum->contacts += 1;
    }
    g->speed.x += 0.1f * p->step * (p->wind_x - g->speed.x);
    g->speed.y += 0.1f * p->step * (0.0f - g->speed.y);
    g->speed.z += 0.1f * p->step * (p->wind_y - g->speed.z);
    g->x += p->step * g->speed.x;
    g->z += p->step * g->speed.z;
    g->height += p->step * g->speed.y;
    sum->steps += 1;
}

static void literal_touch(literal_map* map, const article_wind_params* p, literal_grain* g,
                          int32_t i, double depth, article_wind_outcome* sum)
{
    double* s = map->s;
    const double force = (double)literal_length(g->speed) * depth;
    const double rub = (double)(p->step * p->abrasion) * force * g->sediment;
    const double lift = (double)(p->step * p->suspension) * force;
    if (s[i] <= 0.0)
    {
        s[i] = 0.0;
        map->h[i] -= rub;
        s[i] += rub;
        sum->abraded += rub;
    }
    else if (s[i] > lift)
    {
        s[i] -= lift;
        g->sediment += lift;
        sum->lifted += lift;
        literal_cascade(map, p, g, i);
    }
    else
    {
        sum->destroyed += s[i];
        s[i] = 0.0;
    }
}

static void literal_drop(literal_map* map, const article_wind_params* p, literal_grain* g,
                         int32_t from, int32_t to, article_wind_outcome* sum)
{
    const double rate = (double)(p->step * p->suspension);
    const double before = g->sediment;
    g->sediment -= rate * g->sediment;
    map->s[to] += 0.5 * rate * g->sediment;
    map->s[from] += 0.5 * rate * g->sediment;
    sum->deposited += rate * g->sediment;
    sum->destroyed += before - g->sediment - rate * g->sediment;
    literal_cascade(map, p, g, to);
    literal_cascade(map, p, g, from);
}

static void literal_fly(literal_map* map, const article_wind_params* p, literal_grain* g,
                        article_wind_outcome* sum)
{
    const float size = (float)map->size;
    do
    {
        const int32_t from = literal_index(map, g->x, g->z);
        literal_move(map, p, g, sum);
        if (!(g->x >= 0.0f && g->z >= 0.0f && g->x < size && g->z < size))
        {
            break;
        }
        const int32_t to = literal_index(map, g->x, g->z);
        const double depth = map->h[to] + map->s[to] - (double)g->height;
        if (depth >= 0.0)
        {
            literal_touch(map, p, g, from, depth, sum);
        }
        else
        {
            literal_drop(map, p, g, from, to, sum);
        }
    } while (literal_length(g->speed) >= 0.01f);
    sum->exported += g->sediment;
}

static uint32_t literal_random(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static literal_grain literal_spawn(const article_wind_params* p, int32_t size, uint32_t* state)
{
    const int32_t shift = (int32_t)(literal_random(state) % (uint32_t)(2 * size));
    literal_grain g = {.speed = {p->wind_x, 0.0f, p->wind_y}};
    g.x = shift < size ? (float)shift : 1.0f;
    g.z = shift < size ? 1.0f : (float)(shift - size);
    return g;
}

static void literal_copy(const literal_map* map, double* inner, double* outer, int into_map)
{
    for (int32_t y = 0; y < map->size; ++y)
    {
        for (int32_t x = 0; x < map->size; ++x)
        {
            double* in = &inner[(y + LITERAL_RIM) * map->stride + x + LITERAL_RIM];
            double* out = &outer[y * map->size + x];
            *(into_map ? in : out) = *(into_map ? out : in);
        }
    }
}

article_wind_outcome article_blow_literal(double* rock, double* sand, int32_t size,
                                          const article_wind_params* params, int64_t grains,
                                          uint32_t seed)
{
    article_wind_outcome sum = {0};
    const int32_t stride = size + 2 * LITERAL_RIM;
    const size_t cells = (size_t)stride * (size_t)stride;
    literal_map map = {calloc(cells, sizeof(double)), calloc(cells, sizeof(double)), size, stride,
                       (double)params->scale};
    if (map.h != NULL && map.s != NULL)
    {
        literal_copy(&map, map.h, rock, 1);
        literal_copy(&map, map.s, sand, 1);
        for (int64_t i = 0; i < grains; ++i)
        {
            literal_grain g = literal_spawn(params, size, &seed);
            literal_fly(&map, params, &g, &sum);
        }
        literal_copy(&map, map.h, rock, 0);
        literal_copy(&map, map.s, sand, 0);
    }
    free(map.h);
    free(map.s);
    return sum;
}
