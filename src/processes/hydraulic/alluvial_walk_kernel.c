// SPDX-License-Identifier: MIT
// A parcel has eight candidates on a ring around its place, turned by a random angle for each move,
// and levels are read between the centres of cells; otherwise channels lock to the grid. Slope and
// momentum rule by the Froude number: docs/theory/alluvial.md, "Ways".
//
// A move waits for the one before it, so the parcels of a team move in turns: while one waits, the
// processor is busy with the next.
#include "processes/hydraulic/alluvial_walk.h"

#include "core/dmath.h"
#include "lockstep/lanes.h"

#include <math.h>
#include <string.h>

#define WALK_LEAST_SLOPE_SHARE 0.05f
#define WALK_OLD 0.4f // share of the last move in the direction of momentum

typedef struct walk_state
{
    float x; // [cells]
    float y;
    float water; // at the place
    float bed;
    float dx; // the last move [cells]
    float dy;
    int32_t column; // padded cell
    int32_t row;
    int64_t index; // of it
} walk_state;

// Numbers of the four corners around a place: (water, bed) in the north, then in the south.
typedef float walk_four __attribute__((vector_size(16)));
typedef double walk_two __attribute__((vector_size(16))); // two pairs of floats, only copied

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
    float u[ALLUVIAL_WAYS]; // east of the centre of cell `at` [cells]
    float v[ALLUVIAL_WAYS];
    int32_t at[ALLUVIAL_WAYS]; // padded cells
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
    walk_four low;
    walk_four high;
    memcpy(&low, v, sizeof low);
    memcpy(&high, v + 4, sizeof high);
    const walk_four sum = low + high;
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

static inline int64_t walk_index(const alluvial_walk* w, float x, float y)
{
    const int32_t column = (int32_t)(x + (float)ALLUVIAL_PAD);
    const int32_t row = (int32_t)(y + (float)ALLUVIAL_PAD);
    return (int64_t)row * w->stride + column;
}

static inline double walk_pair(const float* from)
{
    double pair;
    memcpy(&pair, from, sizeof pair);
    return pair;
}

// (water, bed) of a cell, and of the one south of it.
static inline walk_four walk_column(const float* north, int32_t down)
{
    const walk_two pairs = {walk_pair(north), walk_pair(north + down)};
    walk_four four;
    memcpy(&four, &pairs, sizeof four);
    return four;
}

// Cells whose centres lie around the candidates, and the distances from the first of them.
static inline void walk_find(const alluvial_walk* w, const walk_state* s, const float* turn,
                             walk_ring* ring)
{
    const float base_x = s->x + ((float)ALLUVIAL_PAD - 0.5f);
    const float base_y = s->y + ((float)ALLUVIAL_PAD - 0.5f);
#pragma omp simd
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        const float x = base_x + turn[i];
        const float y = base_y + turn[ALLUVIAL_WAYS + i];
        const int32_t column = (int32_t)x;
        const int32_t row = (int32_t)y;
        ring->dx[i] = turn[i];
        ring->dy[i] = turn[ALLUVIAL_WAYS + i];
        ring->at[i] = row * w->stride + column;
        ring->u[i] = x - (float)column;
        ring->v[i] = y - (float)row;
    }
}

// Levels at the candidates, between the centres of cells.
static inline void walk_read(const alluvial_walk* w, const walk_state* s, const float* turn,
                             walk_ring* ring)
{
    const float* first = &w->places->water;
    const int32_t size = (int32_t)(sizeof(alluvial_place) / sizeof(float));
    const int32_t down = w->stride * size;
    walk_find(w, s, turn, ring);
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        const float* corner = first + (ptrdiff_t)ring->at[i] * size;
        const walk_four west = walk_column(corner, down);
        const walk_four east = walk_column(corner + size, down);
        const walk_four middle = west + ring->u[i] * (east - west);
        ring->water[i] = middle[0] + ring->v[i] * (middle[2] - middle[0]);
        ring->bed[i] = middle[1] + ring->v[i] * (middle[3] - middle[1]);
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
#pragma omp simd
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        const float share = v[i] * scale;
        v[i] = share * share;
    }
}

// Parcels that move together. What is one number for each parcel is an array, so that roots and
// quotients of all are found at once; those of parcels that have left are of no use.
typedef struct walk_team
{
    walk_state states[ALLUVIAL_TEAM];
    walk_ring rings[ALLUVIAL_TEAM];
    _Alignas(64) float east[ALLUVIAL_TEAM]; // flow
    float south[ALLUVIAL_TEAM];
    float narrow[ALLUVIAL_TEAM]; // unit discharge of the channel
    float last_x[ALLUVIAL_TEAM]; // direction of the last move
    float last_y[ALLUVIAL_TEAM];
    float ahead_x[ALLUVIAL_TEAM]; // direction of momentum
    float ahead_y[ALLUVIAL_TEAM];
    float slope_x[ALLUVIAL_TEAM]; // sums over the ring of falls times distances
    float slope_y[ALLUVIAL_TEAM];
    float speed[ALLUVIAL_TEAM];
    float by_fall[ALLUVIAL_TEAM]; // sums over the ring, then weights of its shares
    float by_ahead[ALLUVIAL_TEAM];
    uint64_t dice[ALLUVIAL_TEAM];
    int32_t moving[ALLUVIAL_TEAM]; // those that have not left
    int32_t count;
} walk_team;

// The channels of the flow, and the directions of momentum.
static inline void walk_head(const alluvial_walk* w, walk_team* team)
{
    const float gather = w->gather;
    const float part = w->share;
#pragma omp simd
    for (int32_t i = 0; i < ALLUVIAL_TEAM; ++i)
    {
        const float east = team->east[i];
        const float south = team->south[i];
        const float flow = sqrtf(east * east + south * south);
        const float unit = flow > 0.0f ? (1.0f - WALK_OLD) / flow : 0.0f;
        team->narrow[i] = alluvial_channel(flow, gather, part);
        team->ahead_x[i] = east * unit + WALK_OLD * team->last_x[i];
        team->ahead_y[i] = south * unit + WALK_OLD * team->last_y[i];
    }
}

// Falls to the candidates of a parcel, their directions along its momentum, and the depths.
static inline void walk_look(const alluvial_walk* w, int32_t parcel, walk_team* team)
{
    const walk_state* s = &team->states[parcel];
    walk_ring* ring = &team->rings[parcel];
    const float ahead_x = team->ahead_x[parcel];
    const float ahead_y = team->ahead_y[parcel];
    const float water = s->water;
    const float bed = s->bed;
    float slope_x[ALLUVIAL_WAYS];
    float slope_y[ALLUVIAL_WAYS];
#pragma omp simd
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        const float top = water > ring->water[i] ? water : ring->water[i];
        const float sill = bed > ring->bed[i] ? bed : ring->bed[i];
        const float fall = water - ring->water[i];
        const float ahead = ring->dx[i] * ahead_x + ring->dy[i] * ahead_y;
        const int32_t open = top - sill > 1e-6f ? -1 : 0;
        ring->room[i] = top - sill > 1e-6f ? top - sill : 1e-6f;
        ring->fall[i] = lanes_pickf(open, fall > 0.0f ? fall : 0.0f, 0.0f);
        ring->ahead[i] = lanes_pickf(open, ahead > 0.0f ? ahead : 0.0f, 0.0f);
        slope_x[i] = fall * ring->dx[i];
        slope_y[i] = fall * ring->dy[i];
    }
    team->slope_x[parcel] = walk_sum(slope_x);
    team->slope_y[parcel] = walk_sum(slope_y);
    team->speed[parcel] = w->places[s->index].speed;
    if ((w->kinds[s->index] & ALLUVIAL_NEAR) != 0)
    {
        walk_wall_off(w, s, ring);
    }
    for (int32_t k = 0; k < w->focus; ++k)
    {
        walk_square(ring->fall);
        walk_square(ring->ahead);
    }
    team->by_fall[parcel] = walk_sum(ring->fall);
    team->by_ahead[parcel] = walk_sum(ring->ahead);
}

// How much fall and direction count.
static inline void walk_balance(walk_team* team)
{
    // fall of the plane through the ring over a cell
    const float gain = 2.0f / (ALLUVIAL_WAYS * ALLUVIAL_STRIDE * ALLUVIAL_STRIDE);
#pragma omp simd
    for (int32_t i = 0; i < ALLUVIAL_TEAM; ++i)
    {
        const float fall_x = team->slope_x[i] * gain;
        const float fall_y = team->slope_y[i] * gain;
        const float fall = sqrtf(fall_x * fall_x + fall_y * fall_y);
        const float speed = team->speed[i];
        const float drive = 9.81f * fall;
        const float all = drive + speed * speed;
        const float share = all > 0.0f ? drive / all : 1.0f;
        const float gamma = share > WALK_LEAST_SLOPE_SHARE ? share : WALK_LEAST_SLOPE_SHARE;
        const float falls = team->by_fall[i];
        const float aheads = team->by_ahead[i];
        team->by_fall[i] = falls > 0.0f ? gamma / falls : 0.0f;
        team->by_ahead[i] = aheads > 0.0f ? (1.0f - gamma) / aheads : 0.0f;
    }
}

// Weights of the candidates by fall, direction and depth.
static inline void walk_weigh(const alluvial_walk* w, float by_fall, float by_ahead,
                              walk_ring* ring)
{
#pragma omp simd
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        ring->weight[i] = by_fall * ring->fall[i] + by_ahead * ring->ahead[i];
    }
    if (w->depth_power == 1.0f)
    {
#pragma omp simd
        for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
        {
            ring->weight[i] *= ring->room[i];
        }
        return;
    }
#pragma omp simd
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
    // what is left never rises, so the candidate is the last one with a weight before it falls
    // below 0
    float rests[ALLUVIAL_WAYS];
    rests[0] = (float)(dice >> 40) * 0x1p-24f * all;
    for (int32_t i = 1; i < ALLUVIAL_WAYS; ++i)
    {
        rests[i] = rests[i - 1] - v[i - 1];
    }
    int32_t pick = 0;
#pragma omp simd reduction(max : pick)
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        const int32_t here = (v[i] > 0.0f ? -1 : 0) & (rests[i] >= 0.0f ? -1 : 0) & i;
        pick = here > pick ? here : pick;
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

// The cell of a parcel, and what it stands for outside the map: -1.
static inline int32_t walk_cell(const alluvial_walk* w, const walk_state* s)
{
    const int32_t row = s->row - ALLUVIAL_PAD;
    const int32_t column = s->column - ALLUVIAL_PAD;
    const bool inside = row >= 0 && row < w->height && column >= 0 && column < w->width;
    return inside ? row * w->width + column : -1;
}

static inline void walk_enter(const alluvial_walk* w, walk_state* s)
{
    s->column = (int32_t)(s->x + (float)ALLUVIAL_PAD);
    s->row = (int32_t)(s->y + (float)ALLUVIAL_PAD);
    s->index = (int64_t)s->row * w->stride + s->column;
}

static inline walk_state walk_start(const alluvial_walk* w, const alluvial_way* way)
{
    walk_state s = {.x = way->x, .y = way->y};
    walk_enter(w, &s);
    const alluvial_place* place = &w->places[s.index];
    s.water = place->water;
    s.bed = place->bed;
    return s;
}

// Move to a candidate.
static inline void walk_move(const alluvial_walk* w, int32_t to, int32_t parcel, walk_team* team)
{
    const walk_ring* ring = &team->rings[parcel];
    walk_state* s = &team->states[parcel];
    s->dx = ring->dx[to];
    s->dy = ring->dy[to];
    s->x = walk_wrap(s->x + s->dx, (float)w->width, w->wraps_x);
    s->y = walk_wrap(s->y + s->dy, (float)w->height, w->wraps_y);
    walk_enter(w, s);
    s->water = ring->water[to];
    s->bed = ring->bed[to];
    team->last_x[parcel] = s->dx * (1.0f / ALLUVIAL_STRIDE);
    team->last_y[parcel] = s->dy * (1.0f / ALLUVIAL_STRIDE);
}

// Note where a parcel is. True: it moves on.
static inline bool walk_note(const alluvial_walk* w, const walk_state* s, float flow,
                             alluvial_way* way)
{
    way->nodes[way->count++] = (alluvial_node){
        .cell = walk_cell(w, s),
        .water = s->water,
        .bed = s->bed,
        .flow = flow,
        .east = s->dx,
        .south = s->dy,
    };
    way->end = w->kinds[s->index] & (ALLUVIAL_NEAR - 1);
    return way->end == ALLUVIAL_WALK;
}

// Note places, and keep the parcels that move on.
static inline void walk_note_team(const alluvial_walk* w, alluvial_way* ways, walk_team* team)
{
    for (int32_t j = 0; j < team->count; ++j)
    {
        const int32_t i = team->moving[j];
        walk_flow(w, &team->states[i], &team->east[i], &team->south[i]);
    }
    walk_head(w, team);
    int32_t left = 0;
    for (int32_t j = 0; j < team->count; ++j)
    {
        const int32_t i = team->moving[j];
        team->moving[left] = i;
        left += walk_note(w, &team->states[i], team->narrow[i], &ways[i]) ? 1 : 0;
    }
    team->count = left;
}

// Move by one step each. Stage by stage, so that all are at the same one.
static inline void walk_move_team(const alluvial_walk* w, const alluvial_way* ways, int32_t k,
                                  walk_team* team)
{
    for (int32_t j = 0; j < team->count; ++j)
    {
        const int32_t i = team->moving[j];
        const uint64_t dice = walk_mix(ways[i].key + (uint64_t)k * UINT64_C(0x9E3779B97F4A7C15));
        const int32_t turn = (int32_t)(dice & (ALLUVIAL_TURNS - 1));
        team->dice[i] = dice;
        walk_read(w, &team->states[i], w->stencil + (ptrdiff_t)turn * 2 * ALLUVIAL_WAYS,
                  &team->rings[i]);
    }
    for (int32_t j = 0; j < team->count; ++j)
    {
        walk_look(w, team->moving[j], team);
    }
    walk_balance(team);
    for (int32_t j = 0; j < team->count; ++j)
    {
        const int32_t i = team->moving[j];
        walk_weigh(w, team->by_fall[i], team->by_ahead[i], &team->rings[i]);
    }
    for (int32_t j = 0; j < team->count; ++j)
    {
        const int32_t i = team->moving[j];
        walk_move(w, walk_pick(w, &team->rings[i], team->dice[i]), i, team);
    }
}

static void walk_run(const alluvial_walk* w, alluvial_way* ways, int32_t count, int32_t most)
{
    walk_team team = {.count = count};
    for (int32_t i = 0; i < count; ++i)
    {
        team.states[i] = walk_start(w, &ways[i]);
        team.moving[i] = i;
    }
    for (int32_t k = 0; k < most && team.count > 0; ++k)
    {
        walk_note_team(w, ways, &team);
        walk_move_team(w, ways, k, &team);
    }
}

const alluvial_kernels WADI_ISA_BUILD(alluvial_kernels) = {walk_run};
