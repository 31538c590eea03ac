// SPDX-License-Identifier: MIT
// Inner loop of the parcels. saltation_kernel.c includes it and is compiled once per instruction
// set; the compiler vectorizes the loops over lanes (lockstep/lanes.h).
#include "processes/wind/saltation_law.h"

#include "core/prefetch.h"
#include "core/random.h"
#include "lockstep/lanes.h"

#include <string.h>

// A loop over lanes in vector instructions. Without the pragma clang unrolls it before it looks for
// vectors, and finds none.
#define KERNEL_EACH _Pragma("omp simd") for (int l = 0; l < SALTATION_LANES; ++l)
// Lane by lane: lanes that meet the same cell, and loads by index.
#define KERNEL_IN_TURN for (int l = 0; l < SALTATION_LANES; ++l)

// Intermediate values of a step, by lane.
typedef struct kernel_scratch
{
    uint32_t word[SALTATION_LANES]; // random, 16 bits
    float before[SALTATION_LANES];  // height before the step
    float ground[SALTATION_LANES];
    float slope_x[SALTATION_LANES];
    float slope_y[SALTATION_LANES];
    float strike[SALTATION_LANES]; // impact speed normal to the ground
    float near[SALTATION_LANES];   // ground contact: 1 on the ground, 0 above the saltation layer
    float ahead[SALTATION_LANES];  // wind factor of the ground ahead
    float speedup[SALTATION_LANES];
    float free[SALTATION_LANES]; // speedup before the upper cap
    float sand[SALTATION_LANES]; // of the cell
    int32_t cell[SALTATION_LANES];
    int32_t skin[SALTATION_LANES];
    sand_grip grip[SALTATION_LANES];
    float ex[SALTATION_LANES]; // unit vector along the wind
    float ey[SALTATION_LANES];
    int32_t gain[SALTATION_LANES];  // of the load
    int32_t moves[SALTATION_LANES]; // mask, -1: this lane takes the step
    int32_t bare;                   // 1: a lane has been over bare rock
} kernel_scratch;

static inline float kernel_low(float a, float b)
{
    return a < b ? a : b;
}

static inline float kernel_high(float a, float b)
{
    return a > b ? a : b;
}

// Offset that moves x back onto a periodic grid; 0 if x is on the grid.
static inline float kernel_wrap(float x, float size, float wrap)
{
    return (x < 0.0f ? wrap : 0.0f) - (x >= size ? wrap : 0.0f);
}

// Position along an axis, wrapped once and clamped to the grid.
static inline float kernel_on_axis(float x, float size, float wrap)
{
    return lanes_clamp(x + kernel_wrap(x, size, wrap), size - 0.001f);
}

// One Philox call per lane gives 16 random bits for each step of two strides.
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

// Equation 1: move. A lane that leaves the grid is stopped.
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
        next->before[l] = lanes->z[l];
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

// Prefetch the sums that the end of the step writes: 1024 x 1024 cells do not fit in the cache.
static inline void kernel_fetch(const saltation_sums* sums, const kernel_scratch* next)
{
    KERNEL_IN_TURN
    {
        wadi_prefetch(&sums->sand[next->cell[l]]);
    }
}

// Levels of two adjacent cells, read with one load.
typedef struct kernel_pair
{
    float west;
    float east;
} kernel_pair;

// Levels of the four cells around a position, and its offset from the north-western centre.
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
    KERNEL_IN_TURN
    {
        memcpy(&corners->north[l], level + at[l], sizeof corners->north[l]);
        memcpy(&corners->south[l], below + at[l], sizeof corners->south[l]);
    }
}

// Surface level and gradient, bilinear between cell centres.
static inline void kernel_surface(const saltation_law* law, const saltation_ground* ground,
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

// Equation 2: contact with the ground removes the inward normal component of the velocity.
static inline void kernel_contact(const saltation_law* law, saltation_lanes* lanes,
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

// Read the sand and the look-ahead factor of the cell.
static inline void kernel_read_bed(const saltation_ground* ground, kernel_scratch* next)
{
    saltation_bed bed[SALTATION_LANES];
    KERNEL_IN_TURN
    {
        bed[l] = ground->bed[next->cell[l]];
    }
    KERNEL_EACH
    {
        next->sand[l] = bed[l].sand;
        next->ahead[l] = bed[l].ahead;
    }
}

// Equations 3 and 4: slopes climbed speed the wind up, rising ground ahead slows it.
static inline void kernel_speed_up(const saltation_law* law, saltation_lanes* lanes,
                                   kernel_scratch* next)
{
    KERNEL_EACH
    {
        const float climb = kernel_low(lanes->z[l] - next->before[l], law->max_slope);
        float f = next->ahead[l];
        for (int i = 0; i < SALTATION_SCALES; ++i)
        {
            const float memory = lanes->memory[i][l];
            const float mean = memory + law->remember[i] * (climb - memory);
            lanes->memory[i][l] = lanes_pickf(next->moves[l], mean, memory);
            f += law->memory_gain[i] * lanes->memory[i][l];
        }
        next->free[l] = kernel_high(f, 0.0f);
        next->speedup[l] = lanes_clamp(f, law->max_speedup);
    }
}

// Read the threshold factor and the stress share of each lane's cell.
static inline void kernel_skin(const saltation_ground* ground, kernel_scratch* next)
{
    KERNEL_IN_TURN
    {
        next->skin[l] = ground->skin[next->cell[l]];
    }
}

// Read the direction of the wind in the cell of each lane.
static inline void kernel_aim(const saltation_ground* ground, kernel_scratch* next)
{
    KERNEL_EACH
    {
        const saltation_aim aim = ground->aim[next->cell[l]];
        next->ex[l] = aim.ex;
        next->ey[l] = aim.ey;
    }
}

// Read how the cell of each lane holds its sand.
static inline void kernel_grip(const saltation_ground* ground, kernel_scratch* next)
{
    KERNEL_IN_TURN
    {
        next->grip[l] = ground->grip[next->cell[l]];
    }
}

// Equations 5 and 6: the load relaxes towards the capacity, in whole units. Sand that is `held` is
// lifted up to a lower capacity.
static inline void kernel_exchange(const saltation_law* law, saltation_lanes* lanes,
                                   kernel_scratch* next, bool held)
{
    int32_t bare = next->bare;
#pragma omp simd reduction(| : bare)
    for (int l = 0; l < SALTATION_LANES; ++l)
    {
        const float sand = next->sand[l];
        const float threshold = law->threshold * ((float)(next->skin[l] >> 16) * (1.0f / 256.0f));
        const float stress = (float)(next->skin[l] & 0xFFFF) * (1.0f / 16384.0f);

        const float f = next->speedup[l];
        const float excess = kernel_high(f * f - threshold, 0.0f) * stress;
        const float bed = lanes_pickf(-(int32_t)(sand < law->bare), law->hard_bed, 1.0f);
        const float settles = lanes_pickf(-(int32_t)(lanes->left[l] < law->finish), 0.0f, 1.0f);
        const float most = law->capacity * next->near[l] * bed * settles;
        const float capacity = law->capacity * next->near[l] * excess * bed * settles;

        const float load = (float)lanes->load[l];
        const float step = (capacity - load) * law->adjust;
        float raised = step;
        float supply = law->take * sand;
        if (held)
        {
            const float least = threshold * next->grip[l].threshold;
            const float lifts = kernel_high(f * f - least, 0.0f) * stress * next->grip[l].share;
            raised = (kernel_low(most * lifts, capacity) - load) * law->adjust;
            supply = kernel_low(supply, next->grip[l].most);
        }
        const float laid = kernel_low(step * law->settle, 0.0f);
        const float gain = kernel_low(kernel_high(raised, laid), supply);
        bare |= (int32_t)(sand < law->bare) & -next->moves[l];
        const int32_t active = -(int32_t)(lanes->warmup[l] <= 0) & -(int32_t)(sand >= 0.0f);
        next->gain[l] = lanes_round(gain) & active & next->moves[l];
        lanes->load[l] += next->gain[l];
        lanes->warmup[l] += next->moves[l];
        // a parcel over a void is stopped, as at an edge
        lanes->active[l] &= (int32_t)(sand >= 0.0f);
    }
    next->bare = bare;
}

// Equation 8: drag accelerates the parcel towards the wind; turbulence moves it crosswind.
static inline void kernel_drive(const saltation_law* law, saltation_lanes* lanes,
                                const kernel_scratch* next)
{
    KERNEL_EACH
    {
        // the sum of two random bytes; sums over many steps are close to normal
        const int32_t sum = (int32_t)((next->word[l] >> 8) + (next->word[l] & 0xFFu));
        const float noise = law->jitter * ((float)sum - 255.0f);
        const saltation_aim aim = {next->ex[l], next->ey[l]};
        const float u = lanes->u[l] + law->back * (aim.ex - lanes->u[l]) - aim.ey * noise;
        const float v = lanes->v[l] + law->back * (aim.ey - lanes->v[l]) + aim.ex * noise;
        const float w = lanes->w[l] + law->back * (-law->fall - lanes->w[l]);
        lanes->u[l] = lanes_pickf(next->moves[l], u, lanes->u[l]);
        lanes->v[l] = lanes_pickf(next->moves[l], v, lanes->v[l]);
        lanes->w[l] = lanes_pickf(next->moves[l], w, lanes->w[l]);
    }
}

// Scatter lane by lane: two lanes may be over the same cell.
static inline void kernel_scatter(const saltation_sums* sums, const saltation_lanes* lanes,
                                  const kernel_scratch* next)
{
    int64_t sum[SALTATION_LANES];
    KERNEL_EACH
    {
        const uint32_t load = (uint32_t)(lanes->load[l] & next->moves[l]) / SALTATION_LOAD_PART;
        sum[l] = (int64_t)load - (int64_t)next->gain[l] * SALTATION_LAID;
    }
    KERNEL_IN_TURN
    {
        sums->sand[next->cell[l]] += sum[l];
    }
}

static inline void kernel_sample(const saltation_law* law, const saltation_sums* sums,
                                 const saltation_lanes* lanes, const kernel_scratch* next)
{
    KERNEL_IN_TURN
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

// Equation 7: impacts of sand wear bare rock, most at convex edges. Few lanes are over rock, so
// this loop is scalar.
static inline void kernel_wear(const saltation_law* law, const saltation_ground* ground,
                               const saltation_sums* sums, const saltation_lanes* lanes,
                               const kernel_scratch* next)
{
    KERNEL_IN_TURN
    {
        const float sand = next->sand[l];
        if (!(next->strike[l] > 0.0f) || sand >= law->bare || sand < 0.0f)
        {
            continue;
        }
        const saltation_aim aim = {next->ex[l], next->ey[l]};
        const float x = lanes->x[l] + 2.0f * aim.ex;
        const float y = lanes->y[l] + 2.0f * aim.ey;
        const int32_t column = (int32_t)kernel_on_axis(x, law->width, law->wrap_x);
        const int32_t row = (int32_t)kernel_on_axis(y, law->height, law->wrap_y);
        const float there = ground->level[(row + 1) * law->stride + column + 1];
        const float slope = aim.ex * next->slope_x[l] + aim.ey * next->slope_y[l];
        const float edge = kernel_high(slope - 0.5f * (there - next->ground[l]), 0.0f);
        const float f = kernel_low(next->free[l], SALTATION_FREE_SPEEDUP);
        const float impact = next->strike[l] * f;
        const float bare = 1.0f - sand / law->bare;
        const float worn = law->wear * bare * impact * impact * f * (1.0f + law->edge_wear * edge) *
                           ((float)lanes->load[l] + law->fresh);
        // unbiased random rounding: round up with the probability of the fraction
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
        next.ex[l] = own.ex;
        next.ey[l] = own.ey;
    }
    for (int step = 0; step < SALTATION_STRIDE; ++step)
    {
        kernel_draw(lanes->word[step], clock, &next);
        kernel_move(&own, lanes, &next);
        kernel_fetch(sums, &next);
        kernel_surface(&own, ground, lanes, &next);
        kernel_contact(&own, lanes, &next);
        kernel_read_bed(ground, &next);
        kernel_speed_up(&own, lanes, &next);
        if (own.has_skin)
        {
            kernel_skin(ground, &next);
        }
        if (own.has_aim)
        {
            kernel_aim(ground, &next);
        }
        if (own.has_grip)
        {
            kernel_grip(ground, &next);
            kernel_exchange(&own, lanes, &next, true);
        }
        else
        {
            kernel_exchange(&own, lanes, &next, false);
        }
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
