// SPDX-License-Identifier: MIT
// Creep and slides of one row. Included once by parcel_kernels_*.c for each instruction set.
//
// Both are exchanges between pairs of neighbours. Either cell of a pair computes the same float
// product from the same numbers and truncates it to the same integer, so what one loses the other
// gains, exactly, although each cell writes only itself.
#include "hydraulic/parcel_kernels.h"

// A difference of heights with something that is not there.
#define PARCEL_NO_PAIR (1 << 30)

static inline int32_t parcel_creep_flux(int32_t difference, float weight, float rate,
                                        float steepness, float grip)
{
    const int32_t size = difference < 0 ? -difference : difference;
    const float height = (float)size;
    const float slope = height * steepness;
    const float square = slope * slope;
    const float nearness = square < 0.95f ? square : 0.95f;
    float coefficient = rate / (1.0f - nearness);
    coefficient = coefficient < 0.12f ? coefficient : 0.12f; // stable with eight neighbours
    const int32_t flux = (int32_t)(coefficient * weight * grip * height);
    return size >= PARCEL_NO_PAIR ? 0 : difference < 0 ? -flux : flux;
}

// Nonlinear creep (Roering, Kirchner & Dietrich 1999): flux = D S / (1 - (S/S_c)^2), over eight
// neighbours with the weights 4/6 and 1/6 that make the Laplacian isotropic.
static void parcel_creep_kernel(const parcel_creep_row* row)
{
    const ptrdiff_t s = row->stride;
    const ptrdiff_t step[8] = {1, s, -1, -s, s + 1, s - 1, -s - 1, -s + 1};
    const int32_t* restrict h = row->surface;
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
                const float narrow = k < 4 ? row->steepness : row->steepness * 0.70710678f;
                sum += parcel_creep_flux(h[x] - h[x + step[k]], weight, row->rate, narrow, 1.0f);
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
            const float narrow = k < 4 ? row->steepness : row->steepness * 0.70710678f;
            const int32_t difference = h[x] - h[x + step[k]];
            const float giver = difference > 0 ? grip[x] : grip[x + step[k]];
            sum += parcel_creep_flux(difference, weight, row->rate, narrow, giver);
        }
        change[x] = -sum;
    }
}

// Excess of a pair above what holds, as float; 0 where it holds, or where a cell is missing.
static inline float parcel_slide_excess(int32_t difference, int32_t hold)
{
    return difference > hold && difference < PARCEL_NO_PAIR ? (float)(difference - hold) : 0.0f;
}

static bool parcel_slide_rates_kernel(const parcel_slide_row* row)
{
    const ptrdiff_t s = row->stride;
    const ptrdiff_t step[8] = {1, s, -1, -s, s + 1, s - 1, -s - 1, -s + 1};
    const int32_t* restrict h = row->surface;
    const int32_t* restrict r = row->route_surface;
    float* restrict rate = row->rate;
    int32_t any = 0;
    for (int32_t x = 0; x < row->count; ++x)
    {
        float largest = 0.0f;
        float sum = 0.0f;
        for (int k = 0; k < 8; ++k)
        {
            float excess = parcel_slide_excess(h[x] - h[x + step[k]], row->hold[k >> 2]);
            if (r != NULL)
            {
                const bool wet = r[x + step[k]] - h[x + step[k]] > row->wet_depth;
                excess = wet ? excess : 0.0f;
            }
            largest = excess > largest ? excess : largest;
            sum += excess;
        }
        const bool wet = r == NULL || r[x] - h[x] > row->wet_depth;
        const float part = wet && sum > 0.0f ? row->share * largest / sum : 0.0f;
        rate[x] = part;
        any |= part > 0.0f ? 1 : 0;
    }
    return any != 0;
}

static void parcel_slide_exchange_kernel(const parcel_slide_row* row)
{
    const ptrdiff_t s = row->stride;
    const ptrdiff_t step[8] = {1, s, -1, -s, s + 1, s - 1, -s - 1, -s + 1};
    const int32_t* restrict h = row->surface;
    const int32_t* restrict r = row->route_surface;
    const float* restrict rate = row->rate;
    int32_t* restrict change = row->change;
    for (int32_t x = 0; x < row->count; ++x)
    {
        int32_t sum = 0;
        for (int k = 0; k < 8; ++k)
        {
            const int32_t difference = h[x] - h[x + step[k]];
            const int32_t hold = row->hold[k >> 2];
            const bool pair = r == NULL || (r[x] - h[x] > row->wet_depth &&
                                            r[x + step[k]] - h[x + step[k]] > row->wet_depth);
            const float down = pair ? parcel_slide_excess(difference, hold) : 0.0f;
            const float up = pair ? parcel_slide_excess(-difference, hold) : 0.0f;
            sum += (int32_t)(up * rate[x + step[k]]) - (int32_t)(down * rate[x]);
        }
        change[x] = sum;
    }
}
