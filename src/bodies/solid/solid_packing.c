// SPDX-License-Identifier: MIT
// Sites for grains: a cubic grid, or hexagonal close packing (triangular layers in the order ABAB).
#include "bodies/solid/solid.h"

#include <math.h>

#define PACKING_ROW 0.86602540378443865   // height of a row of triangles over its side
#define PACKING_SHEET 0.81649658092772603 // sqrt(2 / 3): distance of sheets

solid_packing wadi_solid_packing_over(int32_t kind, double diameter, double jitter,
                                      const double low[3], const double high[3])
{
    const bool dense = kind == WADI_PACKING_DENSE;
    // wide enough that two grains displaced towards each other do not overlap
    const double wide = dense ? diameter : diameter * (1.0 + 2.0 * jitter);
    solid_packing packing = {
        .kind = kind,
        .pitch = {wide, dense ? wide * PACKING_ROW : wide, dense ? wide * PACKING_SHEET : wide}};
    for (int a = 0; a < 3; ++a)
    {
        // half a pitch inside the box, so that a box of a whole number of pitches is filled up to
        // its walls
        packing.low[a] = low[a] + 0.5 * packing.pitch[a];
        packing.count[a] = 1 + (int32_t)floor((high[a] - low[a]) / packing.pitch[a]);
    }
    return packing;
}

int64_t wadi_solid_packing_sites(const solid_packing* packing)
{
    return (int64_t)packing->count[0] * packing->count[1] * packing->count[2];
}

double wadi_solid_packing_room(const solid_packing* packing)
{
    return packing->pitch[0] * packing->pitch[1] * packing->pitch[2];
}

// By how much row j of sheet k is shifted along x, and sheet k along y [pitches].
static double packing_shift_x(const solid_packing* packing, int64_t j, int64_t k)
{
    return packing->kind == WADI_PACKING_DENSE ? 0.5 * (double)((j + k) & 1) : 0.0;
}

static double packing_shift_y(const solid_packing* packing, int64_t k)
{
    return packing->kind == WADI_PACKING_DENSE ? (double)(k & 1) / 3.0 : 0.0;
}

static void packing_at(const solid_packing* packing, int64_t i, int64_t j, int64_t k, double out[3])
{
    out[0] = packing->low[0] + ((double)i + packing_shift_x(packing, j, k)) * packing->pitch[0];
    out[1] = packing->low[1] + ((double)j + packing_shift_y(packing, k)) * packing->pitch[1];
    out[2] = packing->low[2] + (double)k * packing->pitch[2];
}

void wadi_solid_packing_place(const solid_packing* packing, int64_t site, double out[3])
{
    const int64_t row = site / packing->count[0];
    packing_at(packing, site % packing->count[0], row % packing->count[1], row / packing->count[1],
               out);
}

static int64_t packing_round(double x, int32_t count)
{
    const double nearest = floor(x + 0.5);
    return nearest <= 0.0 ? 0 : nearest >= count - 1 ? count - 1 : (int64_t)nearest;
}

typedef struct packing_search
{
    double distance2;
    int64_t site;
} packing_search;

// Try the nearest site of a row.
static void packing_try(const solid_packing* packing, const double point[3], int64_t j, int64_t k,
                        packing_search* best)
{
    const double x = (point[0] - packing->low[0]) / packing->pitch[0];
    const int64_t i = packing_round(x - packing_shift_x(packing, j, k), packing->count[0]);
    double at[3];
    packing_at(packing, i, j, k, at);
    double distance2 = 0.0;
    for (int a = 0; a < 3; ++a)
    {
        distance2 += (at[a] - point[a]) * (at[a] - point[a]);
    }
    if (distance2 < best->distance2)
    {
        best->distance2 = distance2;
        best->site = (k * packing->count[1] + j) * packing->count[0] + i;
    }
}

int64_t wadi_solid_packing_nearest(const solid_packing* packing, const double point[3])
{
    const int64_t k =
        packing_round((point[2] - packing->low[2]) / packing->pitch[2], packing->count[2]);
    packing_search best = {.distance2 = (double)INFINITY};
    for (int64_t sheet = k > 0 ? k - 1 : 0; sheet <= k + 1 && sheet < packing->count[2]; ++sheet)
    {
        const double y = (point[1] - packing->low[1]) / packing->pitch[1];
        const int64_t j = packing_round(y - packing_shift_y(packing, sheet), packing->count[1]);
        for (int64_t row = j > 0 ? j - 1 : 0; row <= j + 1 && row < packing->count[1]; ++row)
        {
            packing_try(packing, point, row, sheet, &best);
        }
    }
    return best.site;
}
