// SPDX-License-Identifier: MIT
// The kernels of riverbed_build, compiled for each instruction set.
#include "processes/articles/stamps/riverbed_stamp.h"

#include <math.h>

// Squared distances along a row to the stamp's centre; they are the same for all rows.
typedef struct kernel_lanes
{
    float squares[RIVERBED_LANES];
} kernel_lanes;

static inline kernel_lanes kernel_lanes_at(float first, float x)
{
    kernel_lanes lanes;
#pragma omp simd simdlen(RIVERBED_LANES)
    for (int32_t lane = 0; lane < RIVERBED_LANES; ++lane)
    {
        const float dx = (first + (float)lane) - x;
        lanes.squares[lane] = dx * dx;
    }
    return lanes;
}

// Eight cells of a row. Cells out of reach have a negative radicand, which counts as 0. A branch
// for them would cost more than the lanes.
static inline void kernel_row(int32_t* restrict row, const kernel_lanes* restrict lanes,
                              float chord)
{
#pragma omp simd simdlen(RIVERBED_LANES)
    for (int32_t lane = 0; lane < RIVERBED_LANES; ++lane)
    {
        const float radicand = chord - lanes->squares[lane];
        const float thickness = sqrtf(radicand > 0.0f ? radicand : 0.0f);
        row[lane] += (int32_t)(thickness * (float)RIVERBED_PARTS + 0.5f);
    }
}

// Eight rows of a stamp, all columns; s2 minus the squared row distance is constant along a row.
static inline void kernel_rows(const riverbed_stamps* stamps, int32_t i, int32_t from, int32_t rows)
{
    const float first = (float)(1 - stamps->reach);
    float chords[RIVERBED_LANES];
#pragma omp simd simdlen(RIVERBED_LANES)
    for (int32_t k = 0; k < RIVERBED_LANES; ++k)
    {
        const float dy = (first + (float)(from + k)) - stamps->y[i];
        chords[k] = stamps->squared - dy * dy;
    }
    for (int32_t column = 0; column < stamps->span; column += RIVERBED_LANES)
    {
        const kernel_lanes lanes = kernel_lanes_at(first + (float)column, stamps->x[i]);
        int32_t* row = stamps->sums + stamps->corner[i] + from * stamps->stride + column;
        for (int32_t k = 0; k < rows; ++k)
        {
            kernel_row(row, &lanes, chords[k]);
            row += stamps->stride;
        }
    }
}

static inline void kernel_stamp(const riverbed_stamps* stamps, int32_t i)
{
    const int32_t all = 2 * stamps->reach;
    for (int32_t from = 0; from < all; from += RIVERBED_LANES)
    {
        const int32_t rows = all - from < RIVERBED_LANES ? all - from : RIVERBED_LANES;
        kernel_rows(stamps, i, from, rows);
    }
}

static void kernel_stamps(const riverbed_stamps* stamps)
{
    // Consecutive stamps of a particle overlap, and loading bytes just stored at another alignment
    // stalls. So stamps RIVERBED_APART places apart in the queue alternate.
    const int32_t turns = stamps->count / RIVERBED_APART;
    for (int32_t turn = 0; turn < turns; ++turn)
    {
        for (int32_t place = 0; place < RIVERBED_APART; ++place)
        {
            kernel_stamp(stamps, place * turns + turn);
        }
    }
    for (int32_t i = turns * RIVERBED_APART; i < stamps->count; ++i)
    {
        kernel_stamp(stamps, i);
    }
}

// ---- places ------------------------------------------------------------------------------

typedef struct kernel_places
{
    double x[RIVERBED_STRETCH];
    double y[RIVERBED_STRETCH];
    int32_t corner[RIVERBED_STRETCH];
    float beyond_x[RIVERBED_STRETCH];
    float beyond_y[RIVERBED_STRETCH];
    int32_t touches[RIVERBED_STRETCH];
} kernel_places;

// Same as riverbed_path_at(), for many steps at a time.
static inline void kernel_walk(const riverbed_stretch* stretch, kernel_places* places)
{
    const riverbed_path path = *stretch->path;
    const riverbed_point* restrict turns = stretch->orbit->turns + stretch->first;
#pragma omp simd
    for (int32_t i = 0; i < stretch->count; ++i)
    {
        const int32_t n = stretch->first + i;
        const double x = path.start.x + n * path.stride.x;
        const double y = path.start.y + n * path.stride.y;
        places->x[i] = x + (path.arm.x * turns[i].x - path.arm.y * turns[i].y);
        places->y[i] = y + (path.arm.x * turns[i].y + path.arm.y * turns[i].x);
    }
}

// Floor of a value above -65536.
static inline int32_t kernel_floor(double value)
{
    return (int32_t)(value + 65536.0) - 65536;
}

// The fraction within a cell does not depend on the tile, so adjacent tiles agree to the bit.
static inline void kernel_split(const riverbed_stretch* stretch, kernel_places* places)
{
    const riverbed_stretch s = *stretch;
#pragma omp simd
    for (int32_t i = 0; i < s.count; ++i)
    {
        const double x = places->x[i];
        const double y = places->y[i];
        const int32_t column = kernel_floor(x);
        const int32_t row = kernel_floor(y);
        places->beyond_x[i] = (float)(x - column);
        places->beyond_y[i] = (float)(y - row);
        places->corner[i] = row * s.stride + column + s.origin;
        places->touches[i] = (x > s.left) & (y > s.top) & (x < s.right) & (y < s.bottom);
    }
}

// Without a branch: every stamp is written, and overwritten by the next if it does not count.
static int32_t kernel_place(const riverbed_stretch* stretch, int32_t* corner, float* x, float* y)
{
    kernel_places places;
    int32_t count = 0;
    kernel_walk(stretch, &places);
    kernel_split(stretch, &places);
    for (int32_t i = 0; i < stretch->count; ++i)
    {
        corner[count] = places.corner[i];
        x[count] = places.beyond_x[i];
        y[count] = places.beyond_y[i];
        count += places.touches[i];
    }
    return count;
}

const riverbed_build WADI_ISA_BUILD(riverbed_build) = {kernel_stamps, kernel_place};
