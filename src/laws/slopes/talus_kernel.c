// SPDX-License-Identifier: MIT
// Row kernels of talus.
//
// Around a cell lie eight triangles, each with an axis neighbour and a diagonal one. The slope of a
// triangle is that of the plane through its corners if that descends into it, otherwise that of the
// steeper edge (Tarboton 1997, D-infinity). On a plane of any azimuth the steepest of the eight has
// the slope of the plane. The steepest of the eight directions would have 92 % of it at 22.5
// degrees, and piles would become octagons 2 degrees steeper between the axes and the diagonals.
#include "laws/slopes/talus_kernels.h"

#include <math.h>

static inline float talus_larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float talus_smaller(float a, float b)
{
    return a < b ? a : b;
}

// ---- reading -----------------------------------------------------------------------------

// Heights of a patch are clamped to 2^30 units (16 km) around the base, so that no difference
// overflows.
static inline int32_t talus_height(int32_t surface, int32_t base)
{
    const int32_t half = (surface >> 1) - (base >> 1); // cannot overflow
    const int32_t height = (int32_t)((uint32_t)surface - (uint32_t)base);
    return half >= TALUS_WALL / 2    ? TALUS_WALL - 1
           : half <= -TALUS_WALL / 2 ? 1 - TALUS_WALL
                                     : height;
}

static void talus_read_kernel(const talus_read_row* row)
{
    const int32_t* restrict rock = row->rock;
    const int32_t* restrict loose = row->loose;
    int32_t* restrict surface = row->surface;
    const int32_t base = row->base;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        surface[x] = talus_height(rock[x] + loose[x], base);
    }
}

// ---- fluxes ------------------------------------------------------------------------------

// Drop to each neighbour [units].
typedef struct talus_drops
{
    float e, s, w, n, se, sw, nw, ne;
} talus_drops;

static inline talus_drops talus_drops_at(const int32_t* h, int32_t x, ptrdiff_t s)
{
    return (talus_drops){
        (float)(h[x] - h[x + 1]),     (float)(h[x] - h[x + s]),     (float)(h[x] - h[x - 1]),
        (float)(h[x] - h[x - s]),     (float)(h[x] - h[x + s + 1]), (float)(h[x] - h[x + s - 1]),
        (float)(h[x] - h[x - s - 1]), (float)(h[x] - h[x - s + 1]),
    };
}

// Downward gradient in a triangle, along its axis and across it.
typedef struct talus_gradient
{
    float along;
    float across;
} talus_gradient;

// `axis` and `diagonal` are the drops to the two corners. A gradient that points outside the
// triangle is replaced by that of the nearer edge.
static inline talus_gradient talus_gradient_of(float axis, float diagonal)
{
    const float edge = 0.5f * talus_larger(diagonal, 0.0f);
    return (talus_gradient){talus_larger(axis, edge),
                            talus_smaller(talus_larger(diagonal - axis, 0.0f), edge)};
}

static inline float talus_square(float axis, float diagonal)
{
    const talus_gradient g = talus_gradient_of(axis, diagonal);
    return g.along * g.along + g.across * g.across;
}

// Weights of one triangle for its two neighbours, such that matter moves along the gradient.
typedef struct talus_triangle
{
    float square; // of the slope
    float axis;
    float diagonal;
} talus_triangle;

static inline talus_triangle talus_triangle_of(float axis, float diagonal, float hold_square)
{
    const talus_gradient g = talus_gradient_of(axis, diagonal);
    const float square = g.along * g.along + g.across * g.across;
    const float excess = talus_larger(square - hold_square, 0.0f);
    return (talus_triangle){square, excess * (g.along - g.across), excess * g.across};
}

static inline float talus_steeper(talus_triangle a, talus_triangle b)
{
    return talus_larger(a.square, b.square);
}

static inline int32_t talus_part(float weight, float rate)
{
    return (int32_t)(weight * rate);
}

// Slopes at which the cells of a vector stop and start sliding, by tangents of their own:
// tan(a + b) = (tan a + tan b) / (1 - tan a tan b).
static inline void talus_set_limits(const talus_flux_row* row, int32_t begin)
{
    if (row->tangents == NULL)
    {
        return; // hold and start are those of all cells
    }
    const float* restrict tangents = row->tangents + begin;
    float* restrict hold = row->hold + begin;
    float* restrict start = row->start + begin;
    const float scale = row->scale;
    const float widening = row->widening;
#pragma omp simd
    for (int32_t x = 0; x < TALUS_LANES; ++x)
    {
        const float t = tangents[x];
        hold[x] = scale * t;
        start[x] = scale * ((t + widening) / (1.0f - t * widening));
    }
}

// Slopes below which no cell of a vector slides. Tangents give a bound without a division, since
// most vectors are stable.
static inline void talus_find_least(const talus_flux_row* row, int32_t begin, float* least)
{
    const float* tangents = row->tangents != NULL ? row->tangents : row->start;
    const float scale = row->tangents != NULL ? row->scale : 1.0f;
    const float widening = row->tangents != NULL ? row->widening : 0.0f;
    for (int32_t x = 0; x < TALUS_LANES; ++x)
    {
        least[x] = scale * (tangents[begin + x] + widening);
    }
}

// Conservative test that no triangle is too steep. The slope of a triangle grows with both of its
// drops, so the greatest axis drop with the greatest diagonal drop is an upper bound, at an eighth
// of the work. On a field of dunes hardly a vector that fails it is stable.
static inline bool talus_is_stable(const talus_flux_row* row, int32_t begin)
{
    const ptrdiff_t s = row->stride;
    const int32_t* restrict h = row->surface + begin;
    float start[TALUS_LANES];
    talus_find_least(row, begin, start);
    // margin for rounding; rock also needs slopes somewhat below `start`
    const float share = row->flat ? 0.75f : 0.9999f;
    int32_t any = 0;
#pragma omp simd reduction(| : any)
    for (int32_t x = 0; x < TALUS_LANES; ++x)
    {
        const int32_t low_x = h[x - 1] < h[x + 1] ? h[x - 1] : h[x + 1];
        const int32_t low_y = h[x - s] < h[x + s] ? h[x - s] : h[x + s];
        const int32_t low_n = h[x - s - 1] < h[x - s + 1] ? h[x - s - 1] : h[x - s + 1];
        const int32_t low_s = h[x + s - 1] < h[x + s + 1] ? h[x + s - 1] : h[x + s + 1];
        const int32_t axis = h[x] - (low_x < low_y ? low_x : low_y);
        const int32_t diagonal = h[x] - (low_n < low_s ? low_n : low_s);
        const float least = share * start[x] * start[x];
        any |= talus_square((float)axis, (float)diagonal) > least ? 1 : 0;
    }
    return any == 0;
}

static inline void talus_clear_fluxes(const talus_flux_row* row, int32_t begin)
{
    for (int32_t x = begin; x < begin + TALUS_LANES; ++x)
    {
        row->given[x] = 0;
    }
    for (int k = 0; k < TALUS_NEIGHBOURS; ++k)
    {
        for (int32_t x = begin; x < begin + TALUS_LANES; ++x)
        {
            row->flux[k][x] = 0;
        }
    }
}

static inline void talus_clear_slopes(const talus_flux_row* row, int32_t begin)
{
    for (int32_t x = begin; x < begin + TALUS_LANES; ++x)
    {
        row->slope[x] = 0.0f;
    }
}

// Slopes and fluxes of one vector of cells; true if matter moves.
static inline bool talus_compute_fluxes(const talus_flux_row* row, int32_t begin)
{
    const ptrdiff_t s = row->stride;
    const int32_t* restrict h = row->surface + begin;
    const int32_t* restrict loose = row->loose + begin;
    const float* restrict hold = row->hold + begin;
    const float* restrict start = row->start + begin;
    float* restrict slope = row->slope + begin;
    int32_t* restrict to_e = row->flux[TALUS_EAST] + begin;
    int32_t* restrict to_s = row->flux[TALUS_SOUTH] + begin;
    int32_t* restrict to_w = row->flux[TALUS_WEST] + begin;
    int32_t* restrict to_n = row->flux[TALUS_NORTH] + begin;
    int32_t* restrict to_se = row->flux[TALUS_SOUTH_EAST] + begin;
    int32_t* restrict to_sw = row->flux[TALUS_SOUTH_WEST] + begin;
    int32_t* restrict to_nw = row->flux[TALUS_NORTH_WEST] + begin;
    int32_t* restrict to_ne = row->flux[TALUS_NORTH_EAST] + begin;
    int32_t* restrict given = row->given + begin;
    const float share = row->share;
    int32_t any = 0;
#pragma omp simd reduction(| : any)
    for (int32_t x = 0; x < TALUS_LANES; ++x)
    {
        const float square = hold[x] * hold[x];
        const talus_drops d = talus_drops_at(h, x, s);
        const talus_triangle ene = talus_triangle_of(d.e, d.ne, square);
        const talus_triangle ese = talus_triangle_of(d.e, d.se, square);
        const talus_triangle wnw = talus_triangle_of(d.w, d.nw, square);
        const talus_triangle wsw = talus_triangle_of(d.w, d.sw, square);
        const talus_triangle nne = talus_triangle_of(d.n, d.ne, square);
        const talus_triangle nnw = talus_triangle_of(d.n, d.nw, square);
        const talus_triangle sse = talus_triangle_of(d.s, d.se, square);
        const talus_triangle ssw = talus_triangle_of(d.s, d.sw, square);

        const float along = talus_larger(talus_steeper(ene, ese), talus_steeper(wnw, wsw));
        const float across = talus_larger(talus_steeper(nne, nnw), talus_steeper(sse, ssw));
        slope[x] = sqrtf(talus_larger(along, across));

        // summed in an order that is symmetric under reflection
        const float e = ene.axis + ese.axis;
        const float w = wnw.axis + wsw.axis;
        const float n = nne.axis + nnw.axis;
        const float u = sse.axis + ssw.axis;
        const float ne = ene.diagonal + nne.diagonal;
        const float nw = wnw.diagonal + nnw.diagonal;
        const float se = ese.diagonal + sse.diagonal;
        const float sw = wsw.diagonal + ssw.diagonal;
        const float sum = ((e + w) + (n + u)) + ((ne + nw) + (se + sw));

        // margin so that rounding cannot give more than the cell has
        const float wanted = share * (slope[x] - hold[x]);
        const float most = talus_smaller(wanted, 0.9999f * (float)loose[x]);
        const float amount = slope[x] > start[x] ? most : 0.0f;
        const float rate = amount / talus_larger(sum, 1.0f);
        to_e[x] = talus_part(e, rate);
        to_s[x] = talus_part(u, rate);
        to_w[x] = talus_part(w, rate);
        to_n[x] = talus_part(n, rate);
        to_se[x] = talus_part(se, rate);
        to_sw[x] = talus_part(sw, rate);
        to_nw[x] = talus_part(nw, rate);
        to_ne[x] = talus_part(ne, rate);
        given[x] = ((to_e[x] + to_s[x]) + (to_w[x] + to_n[x])) +
                   ((to_se[x] + to_sw[x]) + (to_nw[x] + to_ne[x]));
        any |= given[x];
    }
    return any != 0;
}

static uint32_t talus_steep_kernel(const talus_flux_row* row)
{
    uint32_t steep = 0;
    for (uint32_t left = row->awake; left != 0; left &= left - 1u)
    {
        const int32_t v = __builtin_ctz(left);
        steep |= talus_is_stable(row, v * TALUS_LANES) ? 0 : 1u << v;
    }
    return steep;
}

// True if a cell of a vector has more than a unit of loose matter: others give nothing.
static inline bool talus_is_laden(const talus_flux_row* row, int32_t begin)
{
    const int32_t* restrict loose = row->loose + begin;
    int32_t any = 0;
#pragma omp simd reduction(| : any)
    for (int32_t x = 0; x < TALUS_LANES; ++x)
    {
        any |= loose[x] >> 1;
    }
    return any != 0;
}

static uint32_t talus_flux_kernel(const talus_flux_row* row)
{
    uint32_t computed = 0;
    uint32_t moves = 0;
    for (uint32_t left = row->awake; left != 0; left &= left - 1u)
    {
        const int32_t v = __builtin_ctz(left);
        const int32_t begin = v * TALUS_LANES;
        if (row->flat || talus_is_laden(row, begin))
        {
            talus_set_limits(row, begin);
            computed |= 1u << v;
            moves |= talus_compute_fluxes(row, begin) ? 1u << v : 0;
        }
    }
    // the fluxes of other vectors are 0 unless they are left from the row before
    for (uint32_t left = row->stale & ~computed; left != 0; left &= left - 1u)
    {
        talus_clear_fluxes(row, __builtin_ctz(left) * TALUS_LANES);
    }
    for (int32_t v = 0; row->flat && v < row->count / TALUS_LANES; ++v)
    {
        if ((computed >> v & 1u) == 0)
        {
            talus_clear_slopes(row, v * TALUS_LANES);
        }
    }
    return moves;
}

// ---- sums -------------------------------------------------------------------------------

static void talus_sum_kernel(const talus_sum_row* row)
{
    const int32_t* restrict e = row->flux[TALUS_EAST];
    const int32_t* restrict s = row->flux[TALUS_SOUTH];
    const int32_t* restrict w = row->flux[TALUS_WEST];
    const int32_t* restrict n = row->flux[TALUS_NORTH];
    const int32_t* restrict se = row->flux[TALUS_SOUTH_EAST];
    const int32_t* restrict sw = row->flux[TALUS_SOUTH_WEST];
    const int32_t* restrict nw = row->flux[TALUS_NORTH_WEST];
    const int32_t* restrict ne = row->flux[TALUS_NORTH_EAST];
    const int32_t* restrict given = row->given;
    int32_t* restrict north = row->north;
    int32_t* restrict here = row->here;
    int32_t* restrict south = row->south;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        north[x] += n[x] + ne[x - 1] + nw[x + 1];
        here[x] += e[x - 1] + w[x + 1] - given[x];
        south[x] += s[x] + se[x - 1] + sw[x + 1];
    }
}

static uint32_t talus_take_kernel(const talus_take_row* row)
{
    uint32_t changed = 0;
    for (uint32_t left = row->vectors; left != 0; left &= left - 1u)
    {
        const int32_t v = __builtin_ctz(left);
        int32_t* restrict change = row->change + v * TALUS_LANES;
        int32_t* restrict out = row->out + v * TALUS_LANES;
        int32_t any = 0;
#pragma omp simd reduction(| : any)
        for (int32_t x = 0; x < TALUS_LANES; ++x)
        {
            any |= change[x];
            out[x] = change[x];
            change[x] = 0;
        }
        changed |= any != 0 ? 1u << v : 0;
    }
    return changed;
}

// ---- rock -------------------------------------------------------------------------------

static bool talus_break_kernel(const talus_break_row* row)
{
    const int32_t* restrict surface = row->surface;
    const int32_t* restrict loose = row->loose;
    const float* restrict slope = row->slope;
    int32_t* restrict breaks = row->breaks;
    const float share = row->share;
    const float hold = row->hold;
    const float start = row->start;
    int32_t any = 0;
#pragma omp simd reduction(| : any)
    for (int32_t x = 0; x < row->count; ++x)
    {
        const float wanted = share * (slope[x] - hold) - (float)loose[x];
        const float excess = slope[x] > start ? wanted : 0.0f;
        const float most = surface[x] != TALUS_WALL ? excess : 0.0f;
        breaks[x] = (int32_t)talus_larger(most, 0.0f);
        any |= breaks[x];
    }
    return any != 0;
}

const talus_kernels WADI_ISA_BUILD(talus_kernels) = {
    talus_read_kernel, talus_steep_kernel, talus_flux_kernel,
    talus_sum_kernel,  talus_take_kernel,  talus_break_kernel,
};
