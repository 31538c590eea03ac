// SPDX-License-Identifier: MIT
// Creep of one row. Included by parcel_kernel.c.
//
// Creep is an exchange between pairs of neighbours. Both cells of a pair compute the same float
// product and truncate it to the same integer, so matter is conserved exactly although each cell
// writes only itself.
#include "processes/hydraulic/parcel_kernels.h"

// Differences of height from here on involve a wall.
#define PARCEL_NO_PAIR (1 << 30)

// Height of a neighbour above a cell; 0 if the neighbour is a wall.
static inline float parcel_creep_rise(int32_t there, int32_t here)
{
    const int32_t rise = there - here;
    return (float)(rise < PARCEL_NO_PAIR && rise > -PARCEL_NO_PAIR ? rise : 0);
}

// 1 / (1 - (S/S_c)^2) from the isotropic gradient of the eight neighbours (Horn 1981). With the
// slope of each pair instead, ground fails first along the steepest of eight directions and flanks
// become octagons: their aspects had a harmonic at 45 degrees of 0.06-0.09, now under 0.02.
static void parcel_creep_ease_kernel(const parcel_creep_row* row)
{
    const ptrdiff_t s = row->stride;
    const int32_t* restrict h = row->surface;
    float* restrict ease = row->ease;
    const float scale = 0.125f * row->steepness;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const int32_t here = h[x];
        const float north_west = parcel_creep_rise(h[x - s - 1], here);
        const float north_east = parcel_creep_rise(h[x - s + 1], here);
        const float south_west = parcel_creep_rise(h[x + s - 1], here);
        const float south_east = parcel_creep_rise(h[x + s + 1], here);
        const float east = 2.0f * parcel_creep_rise(h[x + 1], here) + (north_east + south_east);
        const float west = 2.0f * parcel_creep_rise(h[x - 1], here) + (north_west + south_west);
        const float north = 2.0f * parcel_creep_rise(h[x - s], here) + (north_west + north_east);
        const float south = 2.0f * parcel_creep_rise(h[x + s], here) + (south_west + south_east);
        const float slope_x = (east - west) * scale;
        const float slope_y = (south - north) * scale;
        const float square = slope_x * slope_x + slope_y * slope_y;
        ease[x] = 1.0f / (1.0f - (square < 0.95f ? square : 0.95f));
    }
}

static inline int32_t parcel_creep_flux(int32_t difference, float weight, float rate, float mine,
                                        float theirs, float grip)
{
    const int32_t size = difference < 0 ? -difference : difference;
    const float eased = rate * (mine > theirs ? mine : theirs);
    const float coefficient = eased < 0.12f ? eased : 0.12f; // stable with eight neighbours
    const int32_t flux = (int32_t)(coefficient * weight * grip * (float)size);
    return size >= PARCEL_NO_PAIR ? 0 : difference < 0 ? -flux : flux;
}

// Nonlinear creep (Roering, Kirchner & Dietrich 1999): flux = D S / (1 - (S/S_c)^2), over eight
// neighbours with the weights 4/6 and 1/6 that make the Laplacian isotropic.
static void parcel_creep_kernel(const parcel_creep_row* row)
{
    const ptrdiff_t s = row->stride;
    const ptrdiff_t step[8] = {1, s, -1, -s, s + 1, s - 1, -s - 1, -s + 1};
    const int32_t* restrict h = row->surface;
    const float* restrict ease = row->ease;
    const float* restrict grip = row->grip;
    int32_t* restrict change = row->change;
    if (grip == NULL)
    {
#pragma omp simd
        for (int32_t x = 0; x < row->count; ++x)
        {
            int32_t sum = 0;
            for (int k = 0; k < 8; ++k)
            {
                const float weight = k < 4 ? 4.0f / 6.0f : 1.0f / 6.0f;
                sum += parcel_creep_flux(h[x] - h[x + step[k]], weight, row->rate, ease[x],
                                         ease[x + step[k]], 1.0f);
            }
            change[x] = -sum;
        }
        return;
    }
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        int32_t sum = 0;
        for (int k = 0; k < 8; ++k)
        {
            const float weight = k < 4 ? 4.0f / 6.0f : 1.0f / 6.0f;
            const int32_t difference = h[x] - h[x + step[k]];
            const float mine = grip[x];
            const float theirs = grip[x + step[k]];
            const float giver = difference > 0 ? mine : theirs;
            sum +=
                parcel_creep_flux(difference, weight, row->rate, ease[x], ease[x + step[k]], giver);
        }
        change[x] = -sum;
    }
}
