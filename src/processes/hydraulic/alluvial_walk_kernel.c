// SPDX-License-Identifier: MIT
// A parcel has eight candidates on a ring around its place, turned by a random angle for each move,
// and levels are read between the centres of cells; otherwise channels lock to the grid. Slope and
// momentum rule by the Froude number: docs/theory/alluvial.md, "Ways".
#include "processes/hydraulic/alluvial_walk.h"

#include "core/dmath.h"
#include "lockstep/lanes.h"

#include <math.h>

#define WALK_LEAST_SLOPE_SHARE 0.05f
#define WALK_OLD 0.4f // share of the last move in the direction of momentum

typedef struct walk_state
{
    float x; // [cells]
    float y;
    float water; // at the place
    float bed;
    float last_x; // direction of the last move
    float last_y;
    int64_t index; // padded cell
} walk_state;

// Eight candidates.
typedef struct walk_ring
{
    _Alignas(64) float dx[ALLUVIAL_WAYS]; // [cells]
    float dy[ALLUVIAL_WAYS];
    float water[ALLUVIAL_WAYS];
    float bed[ALLUVIAL_WAYS];
    float fall[ALLUVIAL_WAYS];
    float ahead[ALLUVIAL_WAYS];
    float room[ALLUVIAL_WAYS];
    float weight[ALLUVIAL_WAYS];
} walk_ring;

static inline uint64_t walk_mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

// In a fixed order, so that all builds give the same bits.
static inline float walk_sum(const float* v)
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

static inline int64_t walk_index(const alluvial_walk* w, float x, float y)
{
    const int32_t column = (int32_t)(x + (float)ALLUVIAL_PAD);
    const int32_t row = (int32_t)(y + (float)ALLUVIAL_PAD);
    return (int64_t)row * w->stride + column;
}

// Levels at the candidates, between the centres of cells.
static inline void walk_read(const alluvial_walk* w, const walk_state* s, const float* turn,
                             walk_ring* ring)
{
    const float base_x = s->x + ((float)ALLUVIAL_PAD - 0.5f);
    const float base_y = s->y + ((float)ALLUVIAL_PAD - 0.5f);
    const float* first = &w->places->water;
    const int32_t size = (int32_t)(sizeof(alluvial_place) / sizeof(float));
    const int32_t down = w->stride * size;
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        const float dx = turn[i];
        const float dy = turn[ALLUVIAL_WAYS + i];
        const float x = base_x + dx;
        const float y = base_y + dy;
        const int32_t column = (int32_t)x;
        const int32_t row = (int32_t)y;
        const float u = x - (float)column;
        const float v = y - (float)row;
        const int64_t at = ((int64_t)row * w->stride + column) * size;
        const float north = first[at] + u * (first[at + size] - first[at]);
        const float south = first[at + down] + u * (first[at + down + size] - first[at + down]);
        const float north_bed = first[at + 1] + u * (first[at + size + 1] - first[at + 1]);
        const float south_bed =
            first[at + down + 1] + u * (first[at + down + size + 1] - first[at + down + 1]);
        ring->dx[i] = dx;
        ring->dy[i] = dy;
        ring->water[i] = north + v * (south - north);
        ring->bed[i] = north_bed + v * (south_bed - north_bed);
    }
}

// Unit discharge between the centres of cells.
static inline void walk_flow(const alluvial_walk* w, const walk_state* s, float* east, float* south)
{
    const float x = s->x + ((float)ALLUVIAL_PAD - 0.5f);
    const float y = s->y + ((float)ALLUVIAL_PAD - 0.5f);
    const int32_t column = (int32_t)x;
    const int32_t row = (int32_t)y;
    const float u = x - (float)column;
    const float v = y - (float)row;
    const alluvial_place* at = w->places + (int64_t)row * w->stride + column;
    const alluvial_place* below = at + w->stride;
    const float a = (1.0f - u) * (1.0f - v);
    const float b = u * (1.0f - v);
    const float c = (1.0f - u) * v;
    const float d = u * v;
    *east = (a * at[0].east + b * at[1].east) + (c * below[0].east + d * below[1].east);
    *south = (a * at[0].south + b * at[1].south) + (c * below[0].south + d * below[1].south);
}

static inline void walk_wall_off(const alluvial_walk* w, const walk_state* s, walk_ring* ring)
{
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        const int64_t there = walk_index(w, s->x + ring->dx[i], s->y + ring->dy[i]);
        const float open = (w->kinds[there] & (ALLUVIAL_NEAR - 1)) == ALLUVIAL_WALL ? 0.0f : 1.0f;
        ring->fall[i] *= open;
        ring->ahead[i] *= open;
        ring->water[i] += (1.0f - open) * 1e6f;
    }
}

// Square shares of the whole, so that the best candidates stand out.
static inline void walk_square(float* v)
{
    const float all = walk_sum(v);
    const float scale = all > 0.0f ? 1.0f / all : 0.0f;
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        const float share = v[i] * scale;
        v[i] = share * share;
    }
}

// Weights by fall and by direction, for flow (east, south).
static inline void walk_weigh(const alluvial_walk* w, const walk_state* s, float east, float south,
                              walk_ring* ring)
{
    const float flow = sqrtf(east * east + south * south);
    const float unit = flow > 0.0f ? (1.0f - WALK_OLD) / flow : 0.0f;
    const float ahead_x = east * unit + WALK_OLD * s->last_x;
    const float ahead_y = south * unit + WALK_OLD * s->last_y;
    float slope_x[ALLUVIAL_WAYS];
    float slope_y[ALLUVIAL_WAYS];
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        const float top = s->water > ring->water[i] ? s->water : ring->water[i];
        const float sill = s->bed > ring->bed[i] ? s->bed : ring->bed[i];
        const float room = top - sill > 1e-6f ? top - sill : 0.0f;
        const float open = room > 0.0f ? 1.0f : 0.0f;
        const float fall = s->water - ring->water[i];
        const float ahead = ring->dx[i] * ahead_x + ring->dy[i] * ahead_y;
        ring->room[i] = room > 1e-6f ? room : 1e-6f;
        ring->fall[i] = open * (fall > 0.0f ? fall : 0.0f);
        ring->ahead[i] = open * (ahead > 0.0f ? ahead : 0.0f);
        slope_x[i] = fall * ring->dx[i];
        slope_y[i] = fall * ring->dy[i];
    }
    if ((w->kinds[s->index] & ALLUVIAL_NEAR) != 0)
    {
        walk_wall_off(w, s, ring);
    }
    // fall of the plane through the ring over a cell
    const float gain = 2.0f / (ALLUVIAL_WAYS * ALLUVIAL_STRIDE * ALLUVIAL_STRIDE);
    const float fall_x = walk_sum(slope_x) * gain;
    const float fall_y = walk_sum(slope_y) * gain;
    const float fall = sqrtf(fall_x * fall_x + fall_y * fall_y);
    const float speed = w->places[s->index].speed;
    const float drive = 9.81f * fall;
    const float all = drive + speed * speed;
    const float share = all > 0.0f ? drive / all : 1.0f;
    const float gamma = share > WALK_LEAST_SLOPE_SHARE ? share : WALK_LEAST_SLOPE_SHARE;
    for (int32_t k = 0; k < w->focus; ++k)
    {
        walk_square(ring->fall);
        walk_square(ring->ahead);
    }
    const float falls = walk_sum(ring->fall);
    const float aheads = walk_sum(ring->ahead);
    const float by_fall = falls > 0.0f ? gamma / falls : 0.0f;
    const float by_ahead = aheads > 0.0f ? (1.0f - gamma) / aheads : 0.0f;
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        ring->weight[i] = by_fall * ring->fall[i] + by_ahead * ring->ahead[i];
    }
    if (w->depth_power == 1.0f)
    {
        for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
        {
            ring->weight[i] *= ring->room[i];
        }
        return;
    }
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        ring->weight[i] *= wadi_powf(ring->room[i], w->depth_power);
    }
}

// Where no candidate is open: the lowest, with a little noise.
static inline int32_t walk_lowest(const alluvial_walk* w, const walk_ring* ring, uint64_t dice)
{
    int32_t best = 0;
    float low = 1e30f;
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        const float rough = (float)(dice >> (7 * i) & 127) * (1.0f / 128.0f);
        const float level = ring->water[i] + w->noise * rough;
        best = level < low ? i : best;
        low = level < low ? level : low;
    }
    return best;
}

static inline int32_t walk_pick(const alluvial_walk* w, const walk_ring* ring, uint64_t dice)
{
    const float* v = ring->weight;
    const float all = walk_sum(v);
    if (!(all > 0.0f))
    {
        return walk_lowest(w, ring, dice);
    }
    float rest = (float)(dice >> 40) * 0x1p-24f * all;
    int32_t pick = -1;
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        pick = v[i] > 0.0f && rest >= 0.0f ? i : pick;
        rest -= v[i];
    }
    return pick;
}

static inline float walk_wrap(float x, float size, int32_t wraps)
{
    const float moved = x < 0.0f ? x + size : x >= size ? x - size : x;
    // sums may be rounded up, and a move is longer than a map of one cell
    const float inside = moved >= 0.0f && moved < size ? moved : 0.0f;
    return wraps != 0 ? inside : x;
}

static inline int32_t walk_cell(const alluvial_walk* w, int64_t index)
{
    const int32_t row = (int32_t)(index / w->stride) - ALLUVIAL_PAD;
    const int32_t column = (int32_t)(index % w->stride) - ALLUVIAL_PAD;
    const bool inside = row >= 0 && row < w->height && column >= 0 && column < w->width;
    return inside ? row * w->width + column : -1;
}

static inline void walk_start(const alluvial_walk* w, walk_state* s)
{
    s->index = walk_index(w, s->x, s->y);
    const alluvial_place* place = &w->places[s->index];
    s->water = place->water;
    s->bed = place->bed;
}

static int32_t walk_run(const alluvial_walk* w, float x, float y, uint64_t key,
                        alluvial_node* nodes, int32_t most, uint8_t* end)
{
    walk_state s = {.x = x, .y = y};
    walk_start(w, &s);
    walk_ring ring;
    float dx = 0.0f;
    float dy = 0.0f;
    for (int32_t k = 0; k < most; ++k)
    {
        float east;
        float south;
        walk_flow(w, &s, &east, &south);
        nodes[k] = (alluvial_node){
            .cell = walk_cell(w, s.index),
            .water = s.water,
            .bed = s.bed,
            .flow = alluvial_channel(sqrtf(east * east + south * south), w->gather, w->share),
            .east = dx,
            .south = dy,
        };
        *end = w->kinds[s.index] & (ALLUVIAL_NEAR - 1);
        if (*end != ALLUVIAL_WALK)
        {
            return k + 1;
        }
        const uint64_t dice = walk_mix(key + (uint64_t)k * UINT64_C(0x9E3779B97F4A7C15));
        const int32_t turn = (int32_t)(dice & (ALLUVIAL_TURNS - 1));
        walk_read(w, &s, w->stencil + (ptrdiff_t)turn * 2 * ALLUVIAL_WAYS, &ring);
        walk_weigh(w, &s, east, south, &ring);
        const int32_t way = walk_pick(w, &ring, dice);
        dx = ring.dx[way];
        dy = ring.dy[way];
        s.x = walk_wrap(s.x + dx, (float)w->width, w->wraps_x);
        s.y = walk_wrap(s.y + dy, (float)w->height, w->wraps_y);
        s.index = walk_index(w, s.x, s.y);
        s.water = ring.water[way];
        s.bed = ring.bed[way];
        s.last_x = dx * (1.0f / ALLUVIAL_STRIDE);
        s.last_y = dy * (1.0f / ALLUVIAL_STRIDE);
    }
    *end = ALLUVIAL_WALK;
    return most;
}

const alluvial_kernels WADI_ISA_BUILD(alluvial_kernels) = {walk_run};
