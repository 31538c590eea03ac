// SPDX-License-Identifier: MIT
// Creep and slides of one row. Included once by parcel_kernels_*.c for each instruction set.
//
// Both are exchanges between pairs of neighbours. Either cell of a pair computes the same float
// product from the same numbers and truncates it to the same integer, so what one loses the other
// gains, exactly, although each cell writes only itself.
#include "hydraulic/parcel_kernels.h"

// A difference of heights with something that is not there.
#define PARCEL_NO_PAIR (1 << 30)

// Height of a neighbour above a cell; level with it where there is none.
static inline float parcel_creep_rise(int32_t there, int32_t here)
{
    const int32_t rise = there - here;
    return (float)(rise < PARCEL_NO_PAIR && rise > -PARCEL_NO_PAIR ? rise : 0);
}

// 1 / (1 - (S/S_c)^2) from the gradient of the eight neighbours (Horn 1981), which does not know
// where the axes are. Pair by pair instead, ground would fail along the steepest of eight
// directions first and flanks become octagons: their aspects had a harmonic at 45 degrees of
// 0.06-0.09, against under 0.02 with this.
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

// Excess of a pair above what holds, as float; 0 where it holds, or where a cell is missing.
static inline float parcel_slide_excess(int32_t difference, int32_t hold)
{
    const bool slides = difference > hold && difference < PARCEL_NO_PAIR;
    return (float)(slides ? difference - hold : 0);
}

// Largest excess and sum of excesses of a cell. The eight neighbours are written out: compilers
// vectorise the loop over x only then.
static inline float parcel_slide_largest(const int32_t* h, int32_t x, ptrdiff_t s, int32_t axis,
                                         int32_t diagonal, float* sum)
{
    const int32_t here = h[x];
    const float e0 = parcel_slide_excess(here - h[x + 1], axis);
    const float e1 = parcel_slide_excess(here - h[x + s], axis);
    const float e2 = parcel_slide_excess(here - h[x - 1], axis);
    const float e3 = parcel_slide_excess(here - h[x - s], axis);
    const float e4 = parcel_slide_excess(here - h[x + s + 1], diagonal);
    const float e5 = parcel_slide_excess(here - h[x + s - 1], diagonal);
    const float e6 = parcel_slide_excess(here - h[x - s - 1], diagonal);
    const float e7 = parcel_slide_excess(here - h[x - s + 1], diagonal);
    const float m01 = e0 > e1 ? e0 : e1;
    const float m23 = e2 > e3 ? e2 : e3;
    const float m45 = e4 > e5 ? e4 : e5;
    const float m67 = e6 > e7 ? e6 : e7;
    const float m03 = m01 > m23 ? m01 : m23;
    const float m47 = m45 > m67 ? m45 : m67;
    *sum = ((e0 + e1) + (e2 + e3)) + ((e4 + e5) + (e6 + e7));
    return m03 > m47 ? m03 : m47;
}

static bool parcel_slide_rates_kernel(const parcel_slide_row* row)
{
    const ptrdiff_t s = row->stride;
    const int32_t* restrict h = row->surface;
    const int32_t* restrict loose = row->loose;
    float* restrict rate = row->rate;
    const int32_t axis = row->hold[0];
    const int32_t diagonal = row->hold[1];
    const float share = row->share;
    int32_t any = 0;
    if (loose == NULL)
    {
#pragma omp simd reduction(| : any)
        for (int32_t x = 0; x < row->count; ++x)
        {
            float sum;
            const float largest = parcel_slide_largest(h, x, s, axis, diagonal, &sum);
            rate[x] = share * largest / (sum > 1.0f ? sum : 1.0f);
            any |= sum > 0.0f ? 1 : 0;
        }
        return any != 0;
    }
#pragma omp simd reduction(| : any)
    for (int32_t x = 0; x < row->count; ++x)
    {
        float sum;
        const float largest = parcel_slide_largest(h, x, s, axis, diagonal, &sum);

        // a hair less than there is, so that roundings cannot add up to more
        const float wanted = share * largest;
        const float most = 0.9999f * (float)loose[x];
        rate[x] = (wanted < most ? wanted : most) / (sum > 1.0f ? sum : 1.0f);
        any |= sum > 0.0f ? 1 : 0;
    }
    return any != 0;
}

// What the cell at `step` gives minus what it gets.
static inline int32_t parcel_slide_gain(const int32_t* h, const float* rate, int32_t x,
                                        ptrdiff_t step, int32_t hold)
{
    const int32_t difference = h[x + step] - h[x];
    const int32_t gain = (int32_t)(parcel_slide_excess(difference, hold) * rate[x + step]);
    const int32_t loss = (int32_t)(parcel_slide_excess(-difference, hold) * rate[x]);
    return gain - loss;
}

static void parcel_slide_exchange_kernel(const parcel_slide_row* row)
{
    const ptrdiff_t s = row->stride;
    const int32_t* restrict h = row->surface;
    const float* restrict rate = row->rate;
    int32_t* restrict change = row->change;
    const int32_t axis = row->hold[0];
    const int32_t diagonal = row->hold[1];
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        change[x] =
            parcel_slide_gain(h, rate, x, 1, axis) + parcel_slide_gain(h, rate, x, s, axis) +
            parcel_slide_gain(h, rate, x, -1, axis) + parcel_slide_gain(h, rate, x, -s, axis) +
            parcel_slide_gain(h, rate, x, s + 1, diagonal) +
            parcel_slide_gain(h, rate, x, s - 1, diagonal) +
            parcel_slide_gain(h, rate, x, -s - 1, diagonal) +
            parcel_slide_gain(h, rate, x, -s + 1, diagonal);
    }
}
