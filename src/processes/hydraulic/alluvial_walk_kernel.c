// SPDX-License-Identifier: MIT
// A parcel has eight candidates on a ring around its place, turned by a random angle for each move,
// and levels are read between the centres of cells; otherwise channels lock to the grid. Slope and
// momentum rule by the Froude number: docs/theory/alluvial.md, "Ways".
//
// A team of parcels moves together, with one parcel in each lane; a sum over the candidates of a
// parcel then adds vectors. A lane whose parcel has left takes the next one.
#include "processes/hydraulic/alluvial_columns_kernel.h"
#include "processes/hydraulic/alluvial_walk.h"

#include "core/dmath.h"
#include "lockstep/lanes.h"

#include <math.h>
#include <string.h>

#define WALK_LEAST_SLOPE_SHARE 0.05f
#define WALK_OLD 0.4f // share of the last move in the direction of momentum

#if defined(__GNUC__)
#define WALK_IN_MEMORY(array) __asm__("" : "+m"(array))
#else
#define WALK_IN_MEMORY(array) ((void)0)
#endif

enum
{
    WALK_LANES = ALLUVIAL_TEAM,
    WALK_FOUR = 4 // numbers of a column
};

typedef float walk_lanes[WALK_LANES];

// Candidates.
typedef struct walk_ring
{
    _Alignas(64) walk_lanes dx[ALLUVIAL_WAYS]; // [cells]
    walk_lanes dy[ALLUVIAL_WAYS];
    walk_lanes water[ALLUVIAL_WAYS];
    walk_lanes bed[ALLUVIAL_WAYS];
    walk_lanes fall[ALLUVIAL_WAYS];
    walk_lanes ahead[ALLUVIAL_WAYS];
    walk_lanes room[ALLUVIAL_WAYS]; // depth
    walk_lanes weight[ALLUVIAL_WAYS];
} walk_ring;

// Parcels that move together. Lanes without a parcel stay where they are.
typedef struct walk_team
{
    walk_ring ring;
    _Alignas(64) walk_lanes x; // [cells]
    walk_lanes y;
    walk_lanes water; // at the place
    walk_lanes bed;
    walk_lanes dx; // the last move [cells]
    walk_lanes dy;
    walk_lanes narrow; // unit discharge of the channel
    walk_lanes last_x; // direction of the last move
    walk_lanes last_y;
    walk_lanes ahead_x; // direction of momentum
    walk_lanes ahead_y;
    walk_lanes slope_x; // sums over the ring of falls times distances
    walk_lanes slope_y;
    walk_lanes speed;
    walk_lanes by_fall; // sums over the ring, then weights of its shares
    walk_lanes by_ahead;
    walk_lanes chance;         // [0, 1) of the choice
    walk_lanes sum;            // of weights
    int32_t index[WALK_LANES]; // padded cell
    int32_t cell[WALK_LANES];  // -1: outside the map
    int32_t turn[WALK_LANES];
    int32_t moves[WALK_LANES];  // -1: the parcel moves; 0: it is new, or there is none
    uint64_t clock[WALK_LANES]; // of the random numbers of the next move
    uint64_t dice[WALK_LANES];
    alluvial_way* ways[WALK_LANES]; // NULL: none
    uint8_t near[WALK_LANES];       // not 0: walls are near
    int32_t walls;                  // parcels near them
    int32_t busy;
} walk_team;

static inline uint64_t walk_mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

// In a fixed order, so that all builds give the same bits.
static inline float walk_sum(const walk_lanes* v, int32_t lane)
{
    const float a = (v[0][lane] + v[4][lane]) + (v[2][lane] + v[6][lane]);
    const float b = (v[1][lane] + v[5][lane]) + (v[3][lane] + v[7][lane]);
    return a + b;
}

static inline int32_t walk_index(const alluvial_walk* w, float x, float y)
{
    const int32_t column = (int32_t)(x + (float)ALLUVIAL_PAD);
    const int32_t row = (int32_t)(y + (float)ALLUVIAL_PAD);
    return row * w->stride + column;
}

// ---- the ring ----------------------------------------------------------------------------

// Distances to the candidates.
static inline void walk_turn(const alluvial_walk* w, walk_team* team)
{
    walk_ring* ring = &team->ring;
    for (int32_t first = 0; first < WALK_LANES; first += COLUMNS_LANES)
    {
        for (int32_t i = 0; i < 2 * ALLUVIAL_WAYS; i += WALK_FOUR)
        {
            columns_lane turned[WALK_FOUR];
            columns_read(w->stencil + i, team->turn + first, 2 * ALLUVIAL_WAYS, turned);
            walk_lanes* const to =
                i < ALLUVIAL_WAYS ? ring->dx + i : ring->dy + (i - ALLUVIAL_WAYS);
            for (int32_t k = 0; k < WALK_FOUR; ++k)
            {
                columns_store(to[k] + first, turned[k]);
            }
        }
    }
}

// Cells whose centres lie around places, and the distances from the first of them.
typedef struct walk_corners
{
    _Alignas(64) walk_lanes u; // east of the centre of cell `at` [cells]
    walk_lanes v;
    int32_t at[WALK_LANES]; // padded cells
} walk_corners;

static inline void walk_find(const alluvial_walk* w, const walk_team* team, const float* dx,
                             const float* dy, walk_corners* corners)
{
    const int32_t stride = w->stride;
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        const float x = (team->x[l] + ((float)ALLUVIAL_PAD - 0.5f)) + dx[l];
        const float y = (team->y[l] + ((float)ALLUVIAL_PAD - 0.5f)) + dy[l];
        const int32_t column = (int32_t)x;
        const int32_t row = (int32_t)y;
        corners->at[l] = row * stride + column;
        corners->u[l] = x - (float)column;
        corners->v[l] = y - (float)row;
    }
    // cells are read from memory one by one: to take them out of vectors is slower
    WALK_IN_MEMORY(corners->at);
}

// Pairs of numbers of four cells around each of COLUMNS_LANES places: in the north, then in the
// south.
static inline void walk_columns(const alluvial_walk* w, const float* pairs, const int32_t* at,
                                columns_lane* north, columns_lane* south)
{
    columns_read(pairs, at, 2, north);
    columns_read(pairs + (ptrdiff_t)2 * w->stride, at, 2, south);
}

// Levels at a candidate, between the centres of cells.
static inline void walk_read(const alluvial_walk* w, const walk_corners* corners, float* water,
                             float* bed)
{
    for (int32_t first = 0; first < WALK_LANES; first += COLUMNS_LANES)
    {
        columns_lane north[WALK_FOUR];
        columns_lane south[WALK_FOUR];
        walk_columns(w, &w->surfaces->water, corners->at + first, north, south);
        const columns_lane u = columns_load(corners->u + first);
        const columns_lane v = columns_load(corners->v + first);
        const columns_lane north_water = north[0] + u * (north[2] - north[0]);
        const columns_lane south_water = south[0] + u * (south[2] - south[0]);
        const columns_lane north_bed = north[1] + u * (north[3] - north[1]);
        const columns_lane south_bed = south[1] + u * (south[3] - south[1]);
        columns_store(water + first, north_water + v * (south_water - north_water));
        columns_store(bed + first, north_bed + v * (south_bed - north_bed));
    }
}

// Unit discharges between the centres of cells.
static inline void walk_flow(const alluvial_walk* w, const walk_team* team, float* east,
                             float* south)
{
    static const walk_lanes nowhere = {0.0f};
    walk_corners corners;
    walk_find(w, team, nowhere, nowhere, &corners);
    for (int32_t first = 0; first < WALK_LANES; first += COLUMNS_LANES)
    {
        columns_lane at[WALK_FOUR];
        columns_lane below[WALK_FOUR];
        walk_columns(w, &w->flows->east, corners.at + first, at, below);
        const columns_lane u = columns_load(corners.u + first);
        const columns_lane v = columns_load(corners.v + first);
        const columns_lane a = (1.0f - u) * (1.0f - v);
        const columns_lane b = u * (1.0f - v);
        const columns_lane c = (1.0f - u) * v;
        const columns_lane d = u * v;
        columns_store(east + first, (a * at[0] + b * at[2]) + (c * below[0] + d * below[2]));
        columns_store(south + first, (a * at[1] + b * at[3]) + (c * below[1] + d * below[3]));
    }
}

// The channels of the flow, and the directions of momentum.
static inline void walk_head(const alluvial_walk* w, walk_team* team)
{
    const float gather = w->gather;
    const float part = w->share;
    _Alignas(64) walk_lanes all_east;
    walk_lanes all_south;
    walk_flow(w, team, all_east, all_south);
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        const float east = all_east[l];
        const float south = all_south[l];
        const float flow = sqrtf(east * east + south * south);
        const float unit = flow > 0.0f ? (1.0f - WALK_OLD) / flow : 0.0f;
        team->narrow[l] = alluvial_channel(flow, gather, part);
        team->ahead_x[l] = east * unit + WALK_OLD * team->last_x[l];
        team->ahead_y[l] = south * unit + WALK_OLD * team->last_y[l];
    }
}

// ---- weights -----------------------------------------------------------------------------

// Fall to a candidate, its direction along the momentum, and the depth.
static inline void walk_look_at(walk_team* team, int32_t i, float* slope_x, float* slope_y)
{
    walk_ring* ring = &team->ring;
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        const float water = team->water[l];
        const float bed = team->bed[l];
        const float there = ring->water[i][l];
        const float top = water > there ? water : there;
        const float sill = bed > ring->bed[i][l] ? bed : ring->bed[i][l];
        const float fall = water - there;
        const float ahead = ring->dx[i][l] * team->ahead_x[l] + ring->dy[i][l] * team->ahead_y[l];
        const int32_t open = top - sill > 1e-6f ? -1 : 0;
        ring->room[i][l] = top - sill > 1e-6f ? top - sill : 1e-6f;
        ring->fall[i][l] = lanes_pickf(open, fall > 0.0f ? fall : 0.0f, 0.0f);
        ring->ahead[i][l] = lanes_pickf(open, ahead > 0.0f ? ahead : 0.0f, 0.0f);
        slope_x[l] = fall * ring->dx[i][l];
        slope_y[l] = fall * ring->dy[i][l];
    }
}

static inline void walk_sum_all(const walk_lanes* v, float* sum)
{
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        sum[l] = walk_sum(v, l);
    }
}

static inline void walk_look(walk_team* team)
{
    _Alignas(64) walk_lanes slope_x[ALLUVIAL_WAYS];
    _Alignas(64) walk_lanes slope_y[ALLUVIAL_WAYS];
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        walk_look_at(team, i, slope_x[i], slope_y[i]);
    }
    walk_sum_all((const walk_lanes*)slope_x, team->slope_x);
    walk_sum_all((const walk_lanes*)slope_y, team->slope_y);
}

// No way leads into a wall.
static inline void walk_wall_off(const alluvial_walk* w, int32_t lane, walk_team* team)
{
    walk_ring* ring = &team->ring;
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        const int32_t there =
            walk_index(w, team->x[lane] + ring->dx[i][lane], team->y[lane] + ring->dy[i][lane]);
        const float open = (w->kinds[there] & (ALLUVIAL_NEAR - 1)) == ALLUVIAL_WALL ? 0.0f : 1.0f;
        ring->fall[i][lane] *= open;
        ring->ahead[i][lane] *= open;
        ring->water[i][lane] += (1.0f - open) * 1e6f;
    }
}

static inline void walk_wall_off_all(const alluvial_walk* w, walk_team* team)
{
    for (int32_t l = 0; l < WALK_LANES && team->walls > 0; ++l)
    {
        if (team->near[l] != 0)
        {
            walk_wall_off(w, l, team);
        }
    }
}

// Square shares of the whole, so that the best candidates stand out.
static inline void walk_square(walk_lanes* v)
{
    _Alignas(64) walk_lanes scale;
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        const float all = walk_sum((const walk_lanes*)v, l);
        scale[l] = all > 0.0f ? 1.0f / all : 0.0f;
    }
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
#pragma omp simd
        for (int32_t l = 0; l < WALK_LANES; ++l)
        {
            const float share = v[i][l] * scale[l];
            v[i][l] = share * share;
        }
    }
}

// How much fall and direction count.
static inline void walk_balance(walk_team* team)
{
    // fall of the plane through the ring over a cell
    const float gain = 2.0f / (ALLUVIAL_WAYS * ALLUVIAL_STRIDE * ALLUVIAL_STRIDE);
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        const float fall_x = team->slope_x[l] * gain;
        const float fall_y = team->slope_y[l] * gain;
        const float fall = sqrtf(fall_x * fall_x + fall_y * fall_y);
        const float speed = team->speed[l];
        const float drive = 9.81f * fall;
        const float all = drive + speed * speed;
        const float share = all > 0.0f ? drive / all : 1.0f;
        const float gamma = share > WALK_LEAST_SLOPE_SHARE ? share : WALK_LEAST_SLOPE_SHARE;
        const float falls = team->by_fall[l];
        const float aheads = team->by_ahead[l];
        team->by_fall[l] = falls > 0.0f ? gamma / falls : 0.0f;
        team->by_ahead[l] = aheads > 0.0f ? (1.0f - gamma) / aheads : 0.0f;
    }
}

// Weights of a candidate by fall, direction and depth.
static inline void walk_weigh(const alluvial_walk* w, walk_team* team, int32_t i)
{
    walk_ring* ring = &team->ring;
    const float power = w->depth_power;
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        ring->weight[i][l] =
            team->by_fall[l] * ring->fall[i][l] + team->by_ahead[l] * ring->ahead[i][l];
    }
    if (power == 1.0f)
    {
#pragma omp simd
        for (int32_t l = 0; l < WALK_LANES; ++l)
        {
            ring->weight[i][l] *= ring->room[i][l];
        }
        return;
    }
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        ring->weight[i][l] *= wadi_powf(ring->room[i][l], power);
    }
}

// ---- the move ----------------------------------------------------------------------------

// The choice of each parcel among its candidates so far.
typedef struct walk_choice
{
    _Alignas(64) walk_lanes rest; // of the sum of weights; it never rises
    walk_lanes dx;
    walk_lanes dy;
    walk_lanes water;
    walk_lanes bed;
} walk_choice;

// The last candidate with a weight before the rest falls below 0.
static inline void walk_prefer(const walk_ring* ring, int32_t i, walk_choice* choice)
{
    for (int32_t first = 0; first < WALK_LANES; first += COLUMNS_LANES)
    {
#pragma omp simd
        for (int32_t l = first; l < first + COLUMNS_LANES; ++l)
        {
            const float weight = ring->weight[i][l];
            const int32_t here = (weight > 0.0f ? -1 : 0) & (choice->rest[l] >= 0.0f ? -1 : 0);
            choice->dx[l] = lanes_pickf(here, ring->dx[i][l], choice->dx[l]);
            choice->dy[l] = lanes_pickf(here, ring->dy[i][l], choice->dy[l]);
            choice->water[l] = lanes_pickf(here, ring->water[i][l], choice->water[l]);
            choice->bed[l] = lanes_pickf(here, ring->bed[i][l], choice->bed[l]);
            choice->rest[l] -= weight;
        }
    }
}

static inline void walk_take_lower(const alluvial_walk* w, const walk_team* team, int32_t i,
                                   float* low, walk_choice* choice)
{
    const walk_ring* ring = &team->ring;
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        const float rough = (float)(int32_t)(team->dice[l] >> (7 * i) & 127) * (1.0f / 128.0f);
        const float level = ring->water[i][l] + w->noise * rough;
        const int32_t here = (team->sum[l] > 0.0f ? 0 : -1) & (level < low[l] ? -1 : 0);
        low[l] = lanes_pickf(here, level, low[l]);
        choice->dx[l] = lanes_pickf(here, ring->dx[i][l], choice->dx[l]);
        choice->dy[l] = lanes_pickf(here, ring->dy[i][l], choice->dy[l]);
        choice->water[l] = lanes_pickf(here, ring->water[i][l], choice->water[l]);
        choice->bed[l] = lanes_pickf(here, ring->bed[i][l], choice->bed[l]);
    }
}

// Where no candidate is open: the lowest, with a little noise.
static inline void walk_pick_lowest(const alluvial_walk* w, const walk_team* team,
                                    walk_choice* choice)
{
    _Alignas(64) walk_lanes low;
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        low[l] = 1e30f;
    }
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        walk_take_lower(w, team, i, low, choice);
    }
}

// Choose a candidate by chance, in proportion to weights.
static inline void walk_pick(const alluvial_walk* w, walk_team* team)
{
    const walk_ring* ring = &team->ring;
    walk_choice choice;
    memcpy(choice.dx, ring->dx[0], sizeof choice.dx);
    memcpy(choice.dy, ring->dy[0], sizeof choice.dy);
    memcpy(choice.water, ring->water[0], sizeof choice.water);
    memcpy(choice.bed, ring->bed[0], sizeof choice.bed);
    walk_sum_all((const walk_lanes*)ring->weight, team->sum);
    float least = team->sum[0];
#pragma omp simd reduction(min : least)
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        choice.rest[l] = team->chance[l] * team->sum[l];
        least = team->sum[l] < least ? team->sum[l] : least;
    }
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        walk_prefer(ring, i, &choice);
    }
    if (!(least > 0.0f))
    {
        walk_pick_lowest(w, team, &choice);
    }
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        const int32_t moves = team->moves[l];
        team->dx[l] = lanes_pickf(moves, choice.dx[l], team->dx[l]);
        team->dy[l] = lanes_pickf(moves, choice.dy[l], team->dy[l]);
        team->water[l] = lanes_pickf(moves, choice.water[l], team->water[l]);
        team->bed[l] = lanes_pickf(moves, choice.bed[l], team->bed[l]);
    }
}

static inline void walk_wrap(float* x, float size)
{
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        const float over = x[l] >= size ? x[l] - size : x[l];
        const float moved = x[l] < 0.0f ? x[l] + size : over;
        // sums may be rounded up, and a move is longer than a map of one cell
        const float low = moved >= 0.0f ? moved : 0.0f;
        x[l] = low < size ? low : 0.0f;
    }
}

// The cells of parcels.
static inline void walk_enter(const alluvial_walk* w, walk_team* team)
{
    const int32_t stride = w->stride;
    const int32_t width = w->width;
    const int32_t height = w->height;
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        const int32_t column = (int32_t)(team->x[l] + (float)ALLUVIAL_PAD);
        const int32_t row = (int32_t)(team->y[l] + (float)ALLUVIAL_PAD);
        const int32_t x = column - ALLUVIAL_PAD;
        const int32_t y = row - ALLUVIAL_PAD;
        const int32_t inside =
            (x >= 0 ? -1 : 0) & (x < width ? -1 : 0) & (y >= 0 ? -1 : 0) & (y < height ? -1 : 0);
        team->index[l] = row * stride + column;
        team->cell[l] = lanes_pick(inside, y * width + x, -1);
    }
}

static inline void walk_move(const alluvial_walk* w, walk_team* team)
{
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        const int32_t moves = team->moves[l];
        team->x[l] = lanes_pickf(moves, team->x[l] + team->dx[l], team->x[l]);
        team->y[l] = lanes_pickf(moves, team->y[l] + team->dy[l], team->y[l]);
        team->last_x[l] = team->dx[l] * (1.0f / ALLUVIAL_STRIDE);
        team->last_y[l] = team->dy[l] * (1.0f / ALLUVIAL_STRIDE);
    }
    if (w->wraps_x != 0)
    {
        walk_wrap(team->x, (float)w->width);
    }
    if (w->wraps_y != 0)
    {
        walk_wrap(team->y, (float)w->height);
    }
    walk_enter(w, team);
}

static inline void walk_roll(walk_team* team)
{
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        team->dice[l] = walk_mix(team->clock[l]);
        team->clock[l] += (uint64_t)(int64_t)team->moves[l] & UINT64_C(0x9E3779B97F4A7C15);
    }
#pragma omp simd
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        team->turn[l] = (int32_t)(team->dice[l] & (ALLUVIAL_TURNS - 1));
        team->chance[l] = (float)(int32_t)(team->dice[l] >> 40) * 0x1p-24f;
    }
}

static inline void walk_step(const alluvial_walk* w, walk_team* team)
{
    walk_ring* ring = &team->ring;
    walk_roll(team);
    walk_turn(w, team);
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        walk_corners corners;
        walk_find(w, team, ring->dx[i], ring->dy[i], &corners);
        walk_read(w, &corners, ring->water[i], ring->bed[i]);
    }
    walk_look(team);
    walk_wall_off_all(w, team);
    for (int32_t k = 0; k < w->focus; ++k)
    {
        walk_square(ring->fall);
        walk_square(ring->ahead);
    }
    walk_sum_all((const walk_lanes*)ring->fall, team->by_fall);
    walk_sum_all((const walk_lanes*)ring->ahead, team->by_ahead);
    walk_balance(team);
    for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
    {
        walk_weigh(w, team, i);
    }
    walk_pick(w, team);
    walk_move(w, team);
}

// ---- parcels -----------------------------------------------------------------------------

// A lane takes a parcel at its start, or stays at a start without one.
static inline void walk_take(const alluvial_walk* w, alluvial_way* way, const alluvial_way* start,
                             int32_t lane, walk_team* team)
{
    const int32_t index = walk_index(w, start->x, start->y);
    team->ways[lane] = way;
    team->moves[lane] = 0;
    team->near[lane] = 0;
    team->clock[lane] = start->key;
    team->x[lane] = start->x;
    team->y[lane] = start->y;
    team->water[lane] = w->surfaces[index].water;
    team->bed[lane] = w->surfaces[index].bed;
    team->dx[lane] = 0.0f;
    team->dy[lane] = 0.0f;
    team->last_x[lane] = 0.0f;
    team->last_y[lane] = 0.0f;
    team->busy += way != NULL ? 1 : 0;
}

// Note where a parcel is. True: it moves on.
static inline bool walk_note(const alluvial_walk* w, walk_team* team, int32_t lane, int32_t most,
                             int32_t* visits)
{
    alluvial_way* way = team->ways[lane];
    const int32_t cell = team->cell[lane];
    way->nodes[way->count++] = (alluvial_node){
        .cell = cell,
        .water = team->water[lane],
        .bed = team->bed[lane],
        .flow = team->narrow[lane],
        .east = team->dx[lane],
        .south = team->dy[lane],
    };
    const int32_t index = team->index[lane];
    const uint8_t kind = w->kinds[index];
    team->speed[lane] = w->speeds[index];
    team->near[lane] = kind & ALLUVIAL_NEAR;
    team->walls += kind >= ALLUVIAL_NEAR ? 1 : 0;
    way->end = kind & (ALLUVIAL_NEAR - 1);
    if (way->end == ALLUVIAL_WALK)
    {
        visits[cell] += 1;
        return way->count < most;
    }
    if (cell >= 0)
    {
        visits[cell] |= ALLUVIAL_TOUCHED;
    }
    return false;
}

static void walk_run(const alluvial_walk* w, alluvial_way* ways, int32_t count, int32_t most,
                     int32_t* visits)
{
    walk_team team = {.busy = 0};
    int32_t next = 0;
    for (int32_t l = 0; l < WALK_LANES; ++l)
    {
        walk_take(w, next < count ? &ways[next] : NULL, &ways[next < count ? next : 0], l, &team);
        next += 1;
    }
    walk_enter(w, &team);
    while (team.busy > 0)
    {
        walk_head(w, &team);
        team.walls = 0;
        for (int32_t l = 0; l < WALK_LANES; ++l)
        {
            if (team.ways[l] == NULL)
            {
                continue;
            }
            if (team.moves[l] == 0)
            {
                team.moves[l] = -1; // not each time: vectors that are read wait for single stores
            }
            if (!walk_note(w, &team, l, most, visits))
            {
                team.busy -= 1;
                walk_take(w, next < count ? &ways[next] : NULL, &ways[next < count ? next : 0], l,
                          &team);
                next += 1;
            }
        }
        walk_step(w, &team);
    }
}

const alluvial_kernels WADI_ISA_BUILD(alluvial_kernels) = {walk_run};
