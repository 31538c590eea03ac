// SPDX-License-Identifier: MIT
// Passes of a step of inertial shallow water (docs/theory/flood.md). Loops without branches over
// rows of a tile. Sums are grouped so that mirrored and turned water has mirrored and turned bits.
#include "lockstep/lanes.h"
#include "processes/flood/inertial_kernels.h"

#include <math.h>

static const float inertial_gravity = 9.81f;
static const float inertial_slow = 1e-3f;     // water on a level stands when it is slower [m/s]
static const float inertial_thinnest = 1e-5f; // depth in divisions [m]

static LANES_INLINE float inertial_higher(float a, float b)
{
    return a > b ? a : b;
}

static LANES_INLINE float inertial_lower(float a, float b)
{
    return a < b ? a : b;
}

static LANES_INLINE int32_t inertial_top(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// Difference of two heights, which may lie 65 km apart.
static LANES_INLINE int32_t inertial_apart(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

// ---- 1: discharge ------------------------------------------------------------------------------

// h^(-7/3): a guess of h^(-1/3) from the bits of h, and three steps of Newton's method on it.
static LANES_INLINE float inertial_thinness(float depth)
{
    const uint32_t bits = wadi_bits_of_float(depth);
    const uint32_t third = (bits >> 2) + (bits >> 4) + (bits >> 6) + (bits >> 8) + (bits >> 10);
    float y = wadi_float_of_bits(0x549ce000u - third);
    for (int32_t k = 0; k < 3; ++k)
    {
        y = y * (4.0f - depth * (y * y * y)) * (1.0f / 3.0f);
    }
    const float cube = y * y * y;
    return cube * cube * y;
}

// The root q >= 0 of q (1 + drag |(q, across)|) = pushed. Newton's method comes down to it from
// above; in steady flow `before` is the root already.
static LANES_INLINE float inertial_rub(float pushed, float before, float across, float drag)
{
    const float most = 2.0f * pushed / (1.0f + sqrtf(1.0f + 4.0f * drag * pushed));
    float q = inertial_lower(before, most);
    for (int32_t k = 0; k < 2; ++k)
    {
        const float speed = sqrtf(q * q + across * across) + 1e-20f;
        const float wrong = q + drag * speed * q - pushed;
        q = q - wrong / (1.0f + drag * (speed + q * q / speed));
        q = inertial_lower(inertial_higher(q, 0.0f), most);
    }
    return q;
}

// Depth at an edge. Over the higher of both cells it is `crest` (Bates et al. 2010), which is half
// the rise of the ground too little where the ground is a slope: 2 % in a channel across the grid.
// Deep water has the mean depth; over a crest that is shallow it makes no difference.
static LANES_INLINE float inertial_depth(float crest, float rise, float fall)
{
    const float over = inertial_higher(crest, inertial_thinnest);
    const float less = inertial_higher(0.5f * (fabsf(rise) - fabsf(fall)), 0.0f);
    const float deep = over * over;
    return over + less * (deep / (deep + 4.0f * (less * less)));
}

// The fourth difference of discharge along, which is large where neighbours take turns and small in
// smooth currents. An edge without discharge is dry, a wall or at rest; in its place stands the one
// before it.
static LANES_INLINE float inertial_uneven(const float* along, ptrdiff_t i, ptrdiff_t on)
{
    const float q = along[i];
    const float back = along[i - on] != 0.0f ? along[i - on] : q;
    const float fore = along[i + on] != 0.0f ? along[i + on] : q;
    const float further_back = along[i - 2 * on] != 0.0f ? along[i - 2 * on] : back;
    const float further_fore = along[i + 2 * on] != 0.0f ? along[i + 2 * on] : fore;
    return (further_back + further_fore) - 4.0f * (back + fore) + 6.0f * q;
}

typedef struct inertial_edge
{
    float discharge;
    float velocity;
} inertial_edge;

// Discharge over the edge between i and j; `along` is its plane, `side` leads to the neighbours
// across.
static LANES_INLINE inertial_edge inertial_push_edge(const inertial_planes* p,
                                                     const inertial_step* s, const float* along,
                                                     const float* across, ptrdiff_t i, ptrdiff_t j,
                                                     ptrdiff_t side)
{
    const int32_t here = p->bed[i] + p->mass[i];
    const int32_t there = p->bed[j] + p->mass[j];
    const int32_t fall = inertial_apart(there, here);
    const int32_t thick =
        inertial_apart(inertial_top(here, there), inertial_top(p->bed[i], p->bed[j]));
    const int32_t rise = inertial_apart(p->bed[j], p->bed[i]);
    const float depth =
        inertial_depth((float)thick * s->metre, (float)rise * s->metre, (float)fall * s->metre);

    const float q = along[i];
    const float c = 0.25f * ((across[i - side] + across[i]) + (across[j - side] + across[j]));
    const float next = q - s->damping * inertial_uneven(along, i, j - i) -
                       s->push * depth * ((float)fall * s->slope);

    const float rough = 0.5f * (fabsf(p->rough[i]) + fabsf(p->rough[j]));
    const float drag = s->push * rough * rough * inertial_thinness(depth);
    const float sign = next < 0.0f ? -1.0f : 1.0f;
    const float rubbed = inertial_rub(sign * next, inertial_higher(sign * q, 0.0f), c, drag);

    // no faster than the greatest Froude number, and no creep on a level
    const float most = s->froude * depth * sqrtf(inertial_gravity * depth);
    const float all = inertial_higher(sqrtf(rubbed * rubbed + c * c), most);
    const float kept = rubbed * (most / inertial_higher(all, 1e-20f));
    const int32_t moves = (kept >= inertial_slow * depth) | (fall > 1) | (fall < -1);
    const float from = sign > 0.0f ? p->rough[i] : p->rough[j];
    const float to = sign > 0.0f ? p->rough[j] : p->rough[i];
    const int32_t opens = (from > 0.0f) & (to != 0.0f);
    const int32_t wet = (float)thick * s->metre > s->film;
    const float out = sign * kept * (float)(moves & wet & opens);
    return (inertial_edge){out, out / depth};
}

static void inertial_push_kernel(const inertial_planes* p, const inertial_step* s, ptrdiff_t first,
                                 int32_t count, float* fastest)
{
    const inertial_planes at = *p;
    const inertial_step law = *s;
    for (int32_t row = 0; row < INERTIAL_TILE_HEIGHT; ++row)
    {
        const ptrdiff_t start = first + row * at.stride;
#pragma omp simd
        for (int32_t x = 0; x < count; ++x)
        {
            const ptrdiff_t i = start + x;
            const inertial_edge u =
                inertial_push_edge(&at, &law, at.qx, at.qy, i, i + 1, at.stride);
            const inertial_edge v =
                inertial_push_edge(&at, &law, at.qy, at.qx, i, i + at.stride, 1);
            at.nx[i] = u.discharge;
            at.ny[i] = v.discharge;
            at.ux[i] = u.velocity;
            at.uy[i] = v.velocity;
            fastest[x] =
                inertial_higher(fastest[x], inertial_higher(fabsf(u.velocity), fabsf(v.velocity)));
        }
    }
}

// ---- 2: flow -----------------------------------------------------------------------------------

// Share of the wanted flow out of a cell that it can give: all but a thousandth, which pays for
// rounding to floats, and a unit for each of its edges, which pays for rounding to units.
static LANES_INLINE float inertial_grant(const inertial_planes* p, const inertial_step* s,
                                         ptrdiff_t i)
{
    const float out =
        ((inertial_higher(p->nx[i], 0.0f) + inertial_higher(-p->nx[i - 1], 0.0f)) +
         (inertial_higher(p->ny[i], 0.0f) + inertial_higher(-p->ny[i - p->stride], 0.0f))) *
        s->share;
    const float has = inertial_higher(0.999f * (float)p->mass[i] - 4.0f, 0.0f);
    return out > has ? has / inertial_higher(out, 1e-20f) : 1.0f;
}

// Flow over one edge in whole units. Parts of a unit are rounded up in some steps and down in
// others, so that their mean is right.
static LANES_INLINE int32_t inertial_whole(float discharge, const inertial_step* s)
{
    const int32_t units = (int32_t)(fabsf(discharge) * s->share + s->dither);
    return discharge < 0.0f ? -units : units;
}

// Greatest speed and hazard, from the velocities over the edges.
static LANES_INLINE void inertial_map_speed(const inertial_planes* p, const inertial_step* s,
                                            ptrdiff_t i)
{
    const float u = 0.5f * (p->ux[i - 1] + p->ux[i]);
    const float v = 0.5f * (p->uy[i - p->stride] + p->uy[i]);
    const float fast = u * u + v * v;
    const float depth = (float)p->mass[i] * s->metre;
    p->fast[i] = inertial_higher(p->fast[i], depth > s->film ? fast : 0.0f);
    p->hazard[i] = inertial_higher(p->hazard[i], depth * (sqrtf(fast) + 0.5f));
}

static void inertial_flow_kernel(const inertial_planes* p, const inertial_step* s, ptrdiff_t first,
                                 int32_t count)
{
    const inertial_planes at = *p;
    const inertial_step law = *s;
    float grant[INERTIAL_TILE_HEIGHT + 1][INERTIAL_RUN_WIDTH + 1];
    for (int32_t row = 0; row <= INERTIAL_TILE_HEIGHT; ++row)
    {
        const ptrdiff_t start = first + row * at.stride;
#pragma omp simd
        for (int32_t x = 0; x < count; ++x)
        {
            grant[row][x] = inertial_grant(&at, &law, start + x);
        }
        grant[row][count] = inertial_grant(&at, &law, start + count);
    }
    for (int32_t row = 0; row < INERTIAL_TILE_HEIGHT; ++row)
    {
        const ptrdiff_t start = first + row * at.stride;
#pragma omp simd
        for (int32_t x = 0; x < count; ++x)
        {
            const ptrdiff_t i = start + x;
            const float own = grant[row][x];
            const float x_flow = at.nx[i] * (at.nx[i] > 0.0f ? own : grant[row][x + 1]);
            const float y_flow = at.ny[i] * (at.ny[i] > 0.0f ? own : grant[row + 1][x]);
            at.qx[i] = x_flow;
            at.qy[i] = y_flow;
            at.fx[i] = inertial_whole(x_flow, &law);
            at.fy[i] = inertial_whole(y_flow, &law);
            inertial_map_speed(&at, &law, i);
        }
    }
}

// ---- 3: depth ----------------------------------------------------------------------------------

// Cells beyond the first ring of a periodic edge are walls that copy flows; they gather no water.
static void inertial_settle_kernel(const inertial_planes* p, const inertial_step* s,
                                   ptrdiff_t first, int32_t count, int32_t* deepest)
{
    const inertial_planes at = *p;
    const inertial_step law = *s;
    for (int32_t row = 0; row < INERTIAL_TILE_HEIGHT; ++row)
    {
        const ptrdiff_t start = first + row * at.stride;
#pragma omp simd
        for (int32_t x = 0; x < count; ++x)
        {
            const ptrdiff_t i = start + x;
            const int32_t came = (at.fx[i - 1] - at.fx[i]) + (at.fy[i - at.stride] - at.fy[i]);
            const int32_t mass =
                at.mass[i] + (at.rough[i] != 0.0f ? came : 0) + (at.rough[i] > 0.0f ? law.rain : 0);
            const float high = (float)mass;
            at.mass[i] = mass;
            at.depth[i] = inertial_higher(at.depth[i], high);
            at.dawn[i] = inertial_lower(at.dawn[i], high >= law.arrival ? law.time : INFINITY);
            at.duration[i] += high >= law.arrival ? law.step : 0.0f;
            deepest[x] = inertial_top(deepest[x], at.rough[i] != 0.0f ? mass : 0);
        }
    }
}
