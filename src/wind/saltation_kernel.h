// SPDX-License-Identifier: MIT
// The parcels' inner loop. Included once per instruction set by saltation_kernels_*.c; the compiler
// makes vectors of the loops over lanes (see particle/lanes.h).
#include "wind/saltation_law.h"

#include "core/prefetch.h"
#include "core/random.h"
#include "particle/lanes.h"

#include <string.h>

#define KERNEL_EACH for (int l = 0; l < SALTATION_LANES; ++l)

// What the parts of a step hand on.
typedef struct kernel_scratch
{
    uint32_t word[SALTATION_LANES]; // random, 16 bits
    float climbed[SALTATION_LANES]; // height before the step
    float ground[SALTATION_LANES];
    float slope_x[SALTATION_LANES];
    float slope_y[SALTATION_LANES];
    float strike[SALTATION_LANES]; // inward speed that the ground took
    float near[SALTATION_LANES];   // weight of the ground: 1 on it, 0 above the layer
    float ahead[SALTATION_LANES];  // what the ground ahead leaves of the wind
    float speedup[SALTATION_LANES];
    float free[SALTATION_LANES]; // speedup without its upper cap
    float sand[SALTATION_LANES]; // of the cell
    int32_t cell[SALTATION_LANES];
    int32_t skin[SALTATION_LANES];
    int32_t gain[SALTATION_LANES];  // of the load
    int32_t moves[SALTATION_LANES]; // -1: this lane takes the step
    int32_t bare;                   // 1: some lane has flown over bare rock
} kernel_scratch;

static inline float kernel_low(float a, float b)
{
    return a < b ? a : b;
}

static inline float kernel_high(float a, float b)
{
    return a > b ? a : b;
}

// What brings x back by one length of the grid, if edges are periodic.
static inline float kernel_wrap(float x, float size, float wrap)
{
    return (x < 0.0f ? wrap : 0.0f) - (x >= size ? wrap : 0.0f);
}

// Place along an axis, wrapped once and then held on the grid.
static inline float kernel_on_axis(float x, float size, float wrap)
{
    return lanes_clamp(x + kernel_wrap(x, size, wrap), size - 0.001f);
}

// One Philox call a lane gives half a word for each step of two strides.
static inline void kernel_random(const saltation_law* law, saltation_lanes* lanes, uint32_t clock)
{
    KERNEL_EACH
    {
        const wadi_philox words =
            wadi_philox4x32(lanes->id[l], 0, clock, law->stream, law->seed_low, law->seed_high);
        for (int i = 0; i < SALTATION_STRIDE; ++i)
        {
            lanes->word[i][l] = words.v[i];
        }
    }
}

static inline void kernel_draw(const uint32_t* word, uint32_t clock, kernel_scratch* next)
{
    const uint32_t shift = 16u * (clock & 1u);
    KERNEL_EACH
    {
        next->word[l] = word[l] >> shift & 0xFFFFu;
    }
}

// Equation 1: fly. A lane that leaves the grid stops where it is.
static inline void kernel_move(const saltation_law* law, saltation_lanes* lanes,
                               kernel_scratch* next)
{
    KERNEL_EACH
    {
        const float x = lanes->x[l] + lanes->u[l];
        const float y = lanes->y[l] + lanes->v[l];
        const float wrap_x =
            (x < 0.0f ? law->wrap_x : 0.0f) - (x >= law->width ? law->wrap_x : 0.0f);
        const float wrap_y =
            (y < 0.0f ? law->wrap_y : 0.0f) - (y >= law->height ? law->wrap_y : 0.0f);
        const float to_x = x + wrap_x;
        const float to_y = y + wrap_y;
        const int32_t in_x = (int32_t)(to_x >= 0.0f) & (int32_t)(to_x < law->width);
        const int32_t in_y = (int32_t)(to_y >= 0.0f) & (int32_t)(to_y < law->height);
        const int32_t goes = -lanes->active[l];
        const int32_t moves = goes & -(in_x & in_y);
        next->moves[l] = moves;
        next->climbed[l] = lanes->z[l];
        lanes->active[l] = -moves;
        lanes->x[l] = lanes_pickf(goes, to_x, lanes->x[l]);
        lanes->y[l] = lanes_pickf(goes, to_y, lanes->y[l]);
        lanes->z[l] += lanes_pickf(moves, lanes->w[l], 0.0f);
        lanes->left[l] += moves;
        lanes->steps[l] -= moves;
        const int32_t column = (int32_t)lanes_clamp(lanes->x[l], law->width - 0.001f);
        const int32_t row = (int32_t)lanes_clamp(lanes->y[l], law->height - 0.001f);
        next->cell[l] = (row + 1) * law->stride + column + 1;
    }
}

// The sums of the cells, for when the step is done: on 1024 x 1024 cells they come from far.
static inline void kernel_fetch(const saltation_sums* sums, const kernel_scratch* next)
{
    KERNEL_EACH
    {
        wadi_prefetch(&sums->sand[next->cell[l]]);
    }
}

// Two cells side by side, as one load fetches them.
typedef struct kernel_pair
{
    float west;
    float east;
} kernel_pair;

// The four cells around a place, and how far it lies from the north-western one.
typedef struct kernel_corners
{
    kernel_pair north[SALTATION_LANES];
    kernel_pair south[SALTATION_LANES];
    float fx[SALTATION_LANES];
    float fy[SALTATION_LANES];
} kernel_corners;

static inline void kernel_find_corners(const saltation_law* law, const float* level,
                                       const saltation_lanes* lanes, kernel_corners* corners)
{
    int32_t at[SALTATION_LANES];
    KERNEL_EACH
    {
        const float x = lanes_clamp(lanes->x[l], law->width - 0.001f) + 0.5f;
        const float y = lanes_clamp(lanes->y[l], law->height - 0.001f) + 0.5f;
        const int32_t column = (int32_t)x;
        const int32_t row = (int32_t)y;
        corners->fx[l] = x - (float)column;
        corners->fy[l] = y - (float)row;
        at[l] = row * law->stride + column;
    }
    const float* below = level + law->stride;
    KERNEL_EACH
    {
        memcpy(&corners->north[l], level + at[l], sizeof corners->north[l]);
        memcpy(&corners->south[l], below + at[l], sizeof corners->south[l]);
    }
}

// Surface and its gradient, bilinear between the centres of cells.
static inline void kernel_look(const saltation_law* law, const saltation_ground* ground,
                               const saltation_lanes* lanes, kernel_scratch* next)
{
    kernel_corners corners;
    kernel_find_corners(law, ground->level, lanes, &corners);
    KERNEL_EACH
    {
        const kernel_pair north = corners.north[l];
        const kernel_pair south = corners.south[l];
        const float fx = corners.fx[l];
        const float fy = corners.fy[l];
        const float north_rise = north.east - north.west;
        const float south_rise = south.east - south.west;
        const float west_rise = south.west - north.west;
        const float east_rise = south.east - north.east;
        next->slope_x[l] = north_rise + fy * (south_rise - north_rise);
        next->slope_y[l] = west_rise + fx * (east_rise - west_rise);
        const float north_level = north.west + fx * north_rise;
        const float south_level = south.west + fx * south_rise;
        next->ground[l] = north_level + fy * (south_level - north_level);
    }
}

// Equation 2: the ground takes the inward part of the velocity, and nothing else.
static inline void kernel_touch(const saltation_law* law, saltation_lanes* lanes,
                                kernel_scratch* next)
{
    KERNEL_EACH
    {
        const float gx = next->slope_x[l];
        const float gy = next->slope_y[l];
        const float h = next->ground[l];
        const float z = kernel_low(kernel_high(lanes->z[l], h), h + law->lid);
        const float inward = lanes->u[l] * gx + lanes->v[l] * gy - lanes->w[l];
        const int32_t strikes = next->moves[l] & -(int32_t)(lanes->z[l] <= h);
        const float q = lanes_pickf(strikes, kernel_high(inward, 0.0f), 0.0f);
        const float k = q / (1.0f + gx * gx + gy * gy);
        lanes->u[l] -= k * gx;
        lanes->v[l] -= k * gy;
        lanes->w[l] = kernel_low(lanes->w[l] + k, law->max_slope);
        lanes->z[l] = lanes_pickf(next->moves[l], z, lanes->z[l]);
        next->strike[l] = q;
        const float near = lanes_clamp(1.0f - (z - h) * law->layer, 1.0f);
        next->near[l] = near * near;
    }
}

// What the cell has, and what it has before it.
static inline void kernel_look_down(const saltation_ground* ground, kernel_scratch* next)
{
    saltation_bed bed[SALTATION_LANES];
    KERNEL_EACH
    {
        bed[l] = ground->bed[next->cell[l]];
    }
    KERNEL_EACH
    {
        next->sand[l] = bed[l].sand;
        next->ahead[l] = bed[l].ahead;
    }
}

// Equations 3 and 4: the wind is faster the more it has climbed, slower the more it has before it.
static inline void kernel_speed_up(const saltation_law* law, saltation_lanes* lanes,
                                   kernel_scratch* next)
{
    KERNEL_EACH
    {
        const float climb = kernel_low(lanes->z[l] - next->climbed[l], law->max_slope);
        float f = next->ahead[l];
        for (int i = 0; i < SALTATION_SCALES; ++i)
        {
            const float memory = lanes->memory[i][l];
            const float felt = memory + law->remember[i] * (climb - memory);
            lanes->memory[i][l] = lanes_pickf(next->moves[l], felt, memory);
            f += law->memory_gain[i] * lanes->memory[i][l];
        }
        next->free[l] = kernel_high(f, 0.0f);
        next->speedup[l] = lanes_clamp(f, law->max_speedup);
    }
}

// What holds the sand: the same everywhere, or by cell.
static inline void kernel_skin(const saltation_ground* ground, kernel_scratch* next)
{
    KERNEL_EACH
    {
        next->skin[l] = ground->skin[next->cell[l]];
    }
}

// Equations 5 and 6: the load goes towards the capacity, in whole units.
static inline void kernel_exchange(const saltation_law* law, saltation_lanes* lanes,
                                   kernel_scratch* next)
{
    KERNEL_EACH
    {
        const float sand = next->sand[l];
        const float threshold = law->threshold * ((float)(next->skin[l] >> 16) * (1.0f / 256.0f));
        const float stress = (float)(next->skin[l] & 0xFFFF) * (1.0f / 16384.0f);

        const float f = next->speedup[l];
        const float excess = kernel_high(f * f - threshold, 0.0f) * stress;
        const float bed = lanes_pickf(-(int32_t)(sand < law->bare), law->hard_bed, 1.0f);
        const float settles = lanes_pickf(-(int32_t)(lanes->left[l] < law->finish), 0.0f, 1.0f);
        const float capacity = law->capacity * next->near[l] * excess * bed * settles;

        const float load = (float)lanes->load[l];
        const float want = (capacity - load) * law->adjust;
        const float gain = kernel_low(kernel_high(want, want * law->settle), law->take * sand);
        next->bare |= (int32_t)(sand < law->bare) & -next->moves[l];
        const int32_t speaks = -(int32_t)(lanes->mute[l] <= 0) & -(int32_t)(sand >= 0.0f);
        next->gain[l] = lanes_round(gain) & speaks & next->moves[l];
        lanes->load[l] += next->gain[l];
        lanes->mute[l] += next->moves[l];
        // over a void a parcel stops, as at an edge
        lanes->active[l] &= (int32_t)(sand >= 0.0f);
    }
}

// Equation 8: the wind takes the parcel back, and turbulence moves it across.
static inline void kernel_drive(const saltation_law* law, saltation_lanes* lanes,
                                const kernel_scratch* next)
{
    KERNEL_EACH
    {
        // the sum of two bytes: near enough to normal, since many of them add up on the way
        const int32_t sum = (int32_t)((next->word[l] >> 8) + (next->word[l] & 0xFFu));
        const float noise = law->jitter * ((float)sum - 255.0f);
        const float u = lanes->u[l] + law->back * (law->ex - lanes->u[l]) - law->ey * noise;
        const float v = lanes->v[l] + law->back * (law->ey - lanes->v[l]) + law->ex * noise;
        const float w = lanes->w[l] + law->back * (-law->fall - lanes->w[l]);
        lanes->u[l] = lanes_pickf(next->moves[l], u, lanes->u[l]);
        lanes->v[l] = lanes_pickf(next->moves[l], v, lanes->v[l]);
        lanes->w[l] = lanes_pickf(next->moves[l], w, lanes->w[l]);
    }
}

// One lane after the other: two may meet in a cell.
static inline void kernel_scatter(const saltation_sums* sums, const saltation_lanes* lanes,
                                  const kernel_scratch* next)
{
    int64_t sum[SALTATION_LANES];
    KERNEL_EACH
    {
        const uint32_t load = (uint32_t)(lanes->load[l] & next->moves[l]) / SALTATION_LOAD_PART;
        sum[l] = (int64_t)load - (int64_t)next->gain[l] * SALTATION_LAID;
    }
    KERNEL_EACH
    {
        sums->sand[next->cell[l]] += sum[l];
    }
}

static inline void kernel_sample(const saltation_law* law, const saltation_sums* sums,
                                 const saltation_lanes* lanes, const kernel_scratch* next)
{
    KERNEL_EACH
    {
        saltation_sample* sample = &sums->samples[next->cell[l]];
        const int32_t load = (lanes->load[l] & next->moves[l]) / SALTATION_LOAD_PART;
        const float one = (float)(-next->moves[l]) * 256.0f;
        sample->load += load;
        sample->flux_x += (int32_t)((float)load * lanes->u[l]);
        sample->flux_y += (int32_t)((float)load * lanes->v[l]);
        sample->speed += (int32_t)(one * next->speedup[l]);
        sample->contacts += (int32_t)(one * next->near[l]);
        sample->along += (int32_t)(one * (law->ex * lanes->u[l] + law->ey * lanes->v[l]));
        sample->visits -= next->moves[l];
    }
}

// Equation 7: sand that strikes bare rock wears it, convex edges most. Few lanes fly over rock, so
// this looks at them one by one.
static inline void kernel_wear(const saltation_law* law, const saltation_ground* ground,
                               const saltation_sums* sums, const saltation_lanes* lanes,
                               const kernel_scratch* next)
{
    KERNEL_EACH
    {
        const float sand = next->sand[l];
        if (!(next->strike[l] > 0.0f) || sand >= law->bare || sand < 0.0f)
        {
            continue;
        }
        const float x = lanes->x[l] + 2.0f * law->ex;
        const float y = lanes->y[l] + 2.0f * law->ey;
        const int32_t column = (int32_t)kernel_on_axis(x, law->width, law->wrap_x);
        const int32_t row = (int32_t)kernel_on_axis(y, law->height, law->wrap_y);
        const float there = ground->level[(row + 1) * law->stride + column + 1];
        const float slope = law->ex * next->slope_x[l] + law->ey * next->slope_y[l];
        const float edge = kernel_high(slope - 0.5f * (there - next->ground[l]), 0.0f);
        const float f = kernel_low(next->free[l], SALTATION_FREE_SPEEDUP);
        const float blow = next->strike[l] * f;
        const float bare = 1.0f - sand / law->bare;
        const float worn = law->wear * bare * blow * blow * f * (1.0f + law->edge_wear * edge) *
                           ((float)lanes->load[l] + law->fresh);
        // without bias: the fraction is the chance of one unit more
        const float chance = wadi_unit_float(next->word[l] * 0x9E3779B1u);
        const float whole = kernel_low(worn, 1.0e6f) + chance;
        sums->wear[next->cell[l]] += (int32_t)whole;
        sums->worn_rows[next->cell[l] / law->stride - 1] = 1;
    }
}

static void saltation_fly_kernel(const saltation_law* law, const saltation_ground* ground,
                                 const saltation_sums* sums, saltation_lanes* lanes, uint32_t clock)
{
    const saltation_law own = *law;
    kernel_scratch next;
    if (clock % 2 == 0)
    {
        kernel_random(&own, lanes, clock / 2);
    }
    next.bare = 0;
    KERNEL_EACH
    {
        next.skin[l] = ground->skin[0];
    }
    for (int step = 0; step < SALTATION_STRIDE; ++step)
    {
        kernel_draw(lanes->word[step], clock, &next);
        kernel_move(&own, lanes, &next);
        kernel_fetch(sums, &next);
        kernel_look(&own, ground, lanes, &next);
        kernel_touch(&own, lanes, &next);
        kernel_look_down(ground, &next);
        kernel_speed_up(&own, lanes, &next);
        if (own.has_skin)
        {
            kernel_skin(ground, &next);
        }
        kernel_exchange(&own, lanes, &next);
        kernel_scatter(sums, lanes, &next);
        if (own.wear > 0.0f && next.bare != 0)
        {
            kernel_wear(&own, ground, sums, lanes, &next);
        }
        if (own.sampled)
        {
            kernel_sample(&own, sums, lanes, &next);
        }
        kernel_drive(&own, lanes, &next);
    }
}
