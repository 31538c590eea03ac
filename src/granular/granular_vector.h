// SPDX-License-Identifier: MIT
// Three numbers, and arrays of them side by side for kernels. By value and without loops: gcc 12
// makes vectors of a loop over lanes only when nothing inside it is an array.
#pragma once

#include "granular/granular_kernels.h"

#include <math.h>

// A loop over lanes makes vectors only when all that it calls is inlined, however large.
#define GRANULAR_INLINE inline __attribute__((always_inline))

enum
{
    LANES = GRANULAR_LANES,
    GROUP = GRANULAR_GROUP
};

// Four short floats that every processor has instructions for.
typedef float vec_near __attribute__((vector_size(16)));

static GRANULAR_INLINE vec_near vec_near_load(const float* from)
{
    vec_near v;
    memcpy(&v, from, sizeof v);
    return v;
}

static GRANULAR_INLINE void vec_near_store(vec_near v, float* to)
{
    memcpy(to, &v, sizeof v);
}

typedef struct vec
{
    double x;
    double y;
    double z;
} vec;

typedef struct vec_lanes
{
    double x[LANES];
    double y[LANES];
    double z[LANES];
} vec_lanes;

typedef struct vec_units
{
    int64_t x[LANES];
    int64_t y[LANES];
    int64_t z[LANES];
} vec_units;

static GRANULAR_INLINE vec vec_load(const double v[3])
{
    return (vec){v[0], v[1], v[2]};
}

static GRANULAR_INLINE void vec_store(vec v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static GRANULAR_INLINE vec vec_get(const vec_lanes* lanes, int k)
{
    return (vec){lanes->x[k], lanes->y[k], lanes->z[k]};
}

static GRANULAR_INLINE void vec_set(vec_lanes* lanes, int k, vec v)
{
    lanes->x[k] = v.x;
    lanes->y[k] = v.y;
    lanes->z[k] = v.z;
}

static GRANULAR_INLINE vec vec_add(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static GRANULAR_INLINE vec vec_sub(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static GRANULAR_INLINE vec vec_scale(double s, vec a)
{
    return (vec){s * a.x, s * a.y, s * a.z};
}

static GRANULAR_INLINE double vec_dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static GRANULAR_INLINE double vec_size(vec a)
{
    return sqrt(vec_dot(a, a));
}

static GRANULAR_INLINE vec vec_cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static GRANULAR_INLINE vec vec_pick(bool first, vec a, vec b)
{
    return (vec){first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z};
}

// What is left of a vector across n.
static GRANULAR_INLINE vec vec_across(vec n, vec a)
{
    return vec_sub(a, vec_scale(vec_dot(a, n), n));
}

// Turned into the plane across n, and as long as `length`. A vector along n has nowhere to turn to.
static GRANULAR_INLINE vec vec_lay(vec n, vec a, double length)
{
    const vec flat = vec_across(n, a);
    const double size = vec_size(flat);
    return vec_scale(length / (size > 1e-150 ? size : 1e-150), flat);
}

// In units of force: see granular_round().
static GRANULAR_INLINE void vec_count(vec_units* units, int k, double scale, vec v)
{
    units->x[k] = granular_round(scale * v.x);
    units->y[k] = granular_round(scale * v.y);
    units->z[k] = granular_round(scale * v.z);
}

static GRANULAR_INLINE vec vec_nearest(const granular_work* work, vec d)
{
    return (vec){granular_nearest(d.x, work->period[0], work->inverse_period[0]),
                 granular_nearest(d.y, work->period[1], work->inverse_period[1]), d.z};
}

// Add lane k to what pushes a grain; `sign` is 1 for the first grain and -1 for the second.
static GRANULAR_INLINE void vec_scatter(granular_row* row, const vec_units* force,
                                        const vec_units* turn, int32_t k, int64_t sign)
{
    row->force[0] += sign * force->x[k];
    row->force[1] += sign * force->y[k];
    row->force[2] += sign * force->z[k];
    row->turn[0] += turn->x[k];
    row->turn[1] += turn->y[k];
    row->turn[2] += turn->z[k];
}
