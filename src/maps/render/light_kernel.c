// SPDX-License-Identifier: MIT
#include "maps/render/light_kernels.h"

#include "maps/render/texture.h"

#include <math.h>
#include <stddef.h>

// Two rows of a coarser map between which a row lies, and the share of the second.
typedef struct light_between
{
    ptrdiff_t near;
    ptrdiff_t beside;
    float share;
} light_between;

static inline light_between light_find_rows(const light_rise_row* row)
{
    const int32_t columns = light_coarser(row->width);
    const int32_t last = light_coarser(row->height) - 1;
    const int32_t near = row->y / LIGHT_COARSER;
    const float at = ((float)(row->y % LIGHT_COARSER) + 0.5f) / LIGHT_COARSER - 0.5f;
    const int32_t beside = near + (at < 0.0f ? -1 : 1);
    const int32_t inside = beside < 0 ? 0 : (beside > last ? last : beside);
    return (light_between){(ptrdiff_t)near * columns, (ptrdiff_t)inside * columns, fabsf(at)};
}

// Interpolate a row of a coarser map; `out` has LIGHT_COARSER numbers for each of its cells.
static inline void light_refine(const light_rise_row* row, const float* coarse, float* restrict out)
{
    const light_between rows = light_find_rows(row);
    const float* restrict a = coarse + rows.near;
    const float* restrict b = coarse + rows.beside;
    const int32_t columns = light_coarser(row->width);
    float* restrict blend = row->scratch + 2 * LIGHT_COARSER * (ptrdiff_t)columns + 1;
#pragma omp simd
    for (int32_t x = 0; x < columns; ++x)
    {
        blend[x] = (1.0f - rows.share) * a[x] + rows.share * b[x];
    }
    blend[-1] = blend[0];
    blend[columns] = blend[columns - 1];
#pragma omp simd
    for (int32_t x = 0; x < columns; ++x)
    {
        out[4 * x] = 0.625f * blend[x] + 0.375f * blend[x - 1];
        out[4 * x + 1] = 0.875f * blend[x] + 0.125f * blend[x - 1];
        out[4 * x + 2] = 0.875f * blend[x] + 0.125f * blend[x + 1];
        out[4 * x + 3] = 0.625f * blend[x] + 0.375f * blend[x + 1];
    }
}

// Begin with the horizon of the coarser map, or a level one.
static void light_begin_rise(const light_rise_row* row)
{
    const ptrdiff_t cells = LIGHT_COARSER * (ptrdiff_t)light_coarser(row->width);
    const bool coarse = row->coarse.lift != NULL;
    float* restrict lift = row->scratch;
    float* restrict near = row->scratch + cells;
    if (coarse)
    {
        light_refine(row, row->coarse.lift, lift);
        light_refine(row, row->coarse.near, near);
    }
    const float* restrict here = row->heights + (ptrdiff_t)row->y * row->width;
    float* restrict out = row->out;
#pragma omp simd
    for (int32_t x = 0; x < row->width; ++x)
    {
        const float rise = coarse ? lift[x] - here[x] * near[x] : 0.0f;
        out[x] = rise > 0.0f ? rise : 0.0f;
    }
    for (int32_t x = 0; row->here.lift != NULL && x < row->width; ++x)
    {
        row->here.lift[x] = out[x] > 0.0f ? lift[x] : 0.0f;
        row->here.near[x] = out[x] > 0.0f ? near[x] : 0.0f;
    }
}

// The ground at a distance: two rows around it, and the weights of four cells.
typedef struct light_sample
{
    const float* north;
    const float* south;
    float w00, w10, w01, w11;
    float inverse; // of the distance, in the unit of heights
} light_sample;

static inline float light_lift(const light_sample* s, int32_t west, int32_t east)
{
    const float z = s->w00 * s->north[west] + s->w10 * s->north[east] + s->w01 * s->south[west] +
                    s->w11 * s->south[east];
    return z * s->inverse;
}

// A void is no ground: comparisons with NaN are false.
static inline void light_raise_cell(const light_rise_row* row, const light_sample* s, float here,
                                    int32_t x, int32_t shift)
{
    const int32_t last = row->width - 1;
    const int32_t west = x + shift < 0 ? 0 : x + shift;
    const int32_t east = x + shift + 1 > last ? last : x + shift + 1;
    const float lift = light_lift(s, west, east);
    const float rise = lift - here * s->inverse;
    if (rise > row->out[x])
    {
        row->out[x] = rise;
        if (row->here.lift != NULL)
        {
            row->here.lift[x] = lift;
            row->here.near[x] = s->inverse;
        }
    }
}

// The cells from which ground lies within the map.
static inline void light_raise_near(const light_rise_row* row, const light_sample* sample,
                                    const float* restrict here, int32_t begin, int32_t end,
                                    int32_t shift)
{
    const light_sample s = *sample;
    float* restrict out = row->out;
#pragma omp simd
    for (int32_t x = begin; x < end; ++x)
    {
        const float rise = light_lift(&s, x + shift, x + shift + 1) - here[x] * s.inverse;
        out[x] = rise > out[x] ? rise : out[x];
    }
}

static inline void light_raise_far(const light_rise_row* row, const light_sample* sample,
                                   const float* restrict here, int32_t begin, int32_t end,
                                   int32_t shift)
{
    const light_sample s = *sample;
    float* restrict out = row->out;
    float* restrict lifts = row->here.lift;
    float* restrict nears = row->here.near;
#pragma omp simd
    for (int32_t x = begin; x < end; ++x)
    {
        const float lift = light_lift(&s, x + shift, x + shift + 1);
        const float rise = lift - here[x] * s.inverse;
        const float old = out[x];
        out[x] = rise > old ? rise : old;
        lifts[x] = rise > old ? lift : lifts[x];
        nears[x] = rise > old ? s.inverse : nears[x];
    }
}

// Raise the horizon to the ground at a distance. `shift` columns lie between cells and ground.
static void light_raise(const light_rise_row* row, const light_sample* s, int32_t shift)
{
    const float* here = row->heights + (ptrdiff_t)row->y * row->width;
    const int32_t width = row->width;
    const int32_t begin = shift < 0 ? -shift : 0;
    const int32_t end = shift >= 0 ? width - 1 - shift : width;
    const int32_t west = -1 - shift;
    const int32_t east = width - 1 - shift;
    (row->here.lift != NULL ? light_raise_far : light_raise_near)(row, s, here, begin, end, shift);

    // half a cell beyond the border the ground goes on
    if (west >= 0 && west < width)
    {
        light_raise_cell(row, s, here[west], west, shift);
    }
    if (east >= 0 && east < width)
    {
        light_raise_cell(row, s, here[east], east, shift);
    }
}

static void light_row_rise(const light_rise_row* row)
{
    light_begin_rise(row);
    for (int32_t i = 0; i < row->samples; ++i)
    {
        const float distance = row->distances[i];
        const float x = distance * row->along_x;
        const float y = distance * row->along_y;
        const float left = floorf(x);
        const float top = floorf(y);
        const int32_t north = row->y + (int32_t)top;
        if (north < -1 || north >= row->height)
        {
            continue;
        }
        const int32_t a = north < 0 ? 0 : north;
        const int32_t b = north + 1 < row->height ? north + 1 : north;
        const float u = x - left;
        const float v = y - top;
        const light_sample sample = {row->heights + (ptrdiff_t)a * row->width,
                                     row->heights + (ptrdiff_t)b * row->width,
                                     (1.0f - u) * (1.0f - v),
                                     u * (1.0f - v),
                                     (1.0f - u) * v,
                                     u * v,
                                     1.0f / (distance * row->cell)};
        light_raise(row, &sample, (int32_t)left);
    }
}

// Arc tangent of t >= 0, to 0.3 degrees.
static inline float light_arctan(float t)
{
    const float inner = t / (1.0f + 0.28f * t * t);
    const float outer = 1.5707963f - t / (t * t + 0.28f);
    return t < 1.0f ? inner : outer;
}

// Light of one sixteenth of the sky above the horizon `t`, on ground that leans by `lean` towards
// it and looks up by `up`: the integral of radiance times cosine over altitude. `open` is the
// squared cosine of the horizon.
static inline float light_sector(float t, float open, float lean, float up)
{
    const float level = 0.7853982f - 0.5f * light_arctan(t) - 0.5f * t * open;
    const float glow = lean * level + 0.5f * up * open;
    return glow > 0.0f ? glow : 0.0f;
}

static void light_row_sky(const light_sky_row* row)
{
    const float* restrict rises = row->rise;
    const float* restrict slope_x = row->slope_x;
    const float* restrict slope_y = row->slope_y;
    const float* restrict ups = row->up;
    float* restrict glow = row->glow;
    float* restrict seen = row->seen;
    const float along_x = row->along_x;
    const float along_y = row->along_y;
    const float weight = row->weight;
    const int32_t count = row->count;
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        const float t = rises[x];
        const float open = 1.0f / (1.0f + t * t);
        const float lean = -(slope_x[x] * along_x + slope_y[x] * along_y) * ups[x];
        glow[x] += weight * light_sector(t, open, lean, ups[x]);
        seen[x] += (1.0f / LIGHT_DIRECTIONS) * open;
    }
}

// A row of noise with one random number every `length` cells. GCC 12 vectorises it only where the
// first column is not known and no other noise is in the loop.
static inline void light_fill_noise(const light_noise_row* row, float length, uint32_t key,
                                    float* restrict out)
{
    const float v = (float)row->y;
    const int32_t first = row->x;
    const int32_t count = row->count;
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        out[x] = texture_noise((float)(first + x), v, length, key);
    }
}

static void light_row_noise(const light_noise_row* row)
{
    float* restrict broad = row->broad;
    float* restrict fine = row->fine;
    float* restrict second = row->scratch;
    const int32_t count = row->count;
    light_fill_noise(row, 37.0f, 1u, broad);
    light_fill_noise(row, 13.0f, 2u, second);
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        broad[x] = (broad[x] + 0.6f * second[x]) / 0.8f - 1.0f;
    }
    light_fill_noise(row, 5.0f, 3u, fine);
    light_fill_noise(row, 2.2f, 4u, second);
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        fine[x] = (fine[x] + 0.8f * second[x]) / 0.9f - 1.0f;
    }
}

// Noise drawn out along the fall line: its places are distances across one of four directions, and
// heights. `turn`: 0 east and west, 1 north-east, 2 north and south, 3 north-west.
static inline float light_streak(float x, float y, float z, int32_t turn)
{
    const float half = 0.70710678f;
    const float along = turn == 0 ? x : (turn == 2 ? y : half * (turn == 1 ? x + y : x - y));
    return texture_noise(along + 4096.0f, z, 2.6f, 12u);
}

// Cracks lie across the nearest two of the directions. `turn` of a slope: that across its aspect.
static inline float light_crack(float x, float y, float z, float sx, float sy)
{
    const float ax = fabsf(sx);
    const float ay = fabsf(sy);
    const float less = ax < ay ? ax : ay;
    const float more = ax < ay ? ay : ax;
    const float share = less / (more + 1e-6f); // 0: along an axis, 1: along a diagonal
    const int32_t axis = ax < ay ? 0 : 2;
    const int32_t diagonal = sx * sy > 0.0f ? 3 : 1;
    const float a = light_streak(x, y, z, axis);
    const float b = light_streak(x, y, z, diagonal);
    const float n = a + texture_ease(share) * (b - a);
    return 2.0f * n - 1.0f;
}

// Places of noise: numbers that fit a whole number, voids too, whose noise is not used.
static inline float light_place(float value, float origin)
{
    const float low = value > -origin ? value : -origin;
    return (low < 1e6f ? low : 1e6f) + origin;
}

static void light_row_crags(const light_crag_row* row)
{
    const float y = (float)row->y;
    const float* restrict ground = row->ground;
    const float* restrict slope_x = row->slope_x;
    const float* restrict slope_y = row->slope_y;
    const float* restrict broad = row->broad;
    float* restrict crack = row->crack;
    float* restrict stratum = row->stratum;
    const float bed = row->bed;
    const float thin = 1.0f / bed;
    const int32_t count = row->count;
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        const float across = (float)x;
        const float z = light_place(ground[x] * 0.16f, 8192.0f);
        crack[x] = light_crack(across, y, z, slope_x[x], slope_y[x]);
        const float dip = 0.11f * across - 0.06f * y + 1.2f * bed * broad[x];
        stratum[x] =
            2.0f * texture_line(light_place((ground[x] + dip) * thin, 65536.0f), 13u) - 1.0f;
    }
}

#define LIGHT_KERNELS                                                                              \
    {                                                                                              \
        light_row_rise, light_row_sky, light_row_noise, light_row_crags                            \
    }

const light_kernels WADI_ISA_BUILD(light_kernels) = LIGHT_KERNELS;
