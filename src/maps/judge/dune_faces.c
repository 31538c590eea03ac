// SPDX-License-Identifier: MIT
// Steepest slopes of a dune field: the 99th percentile over sloping cells.
#include "core/dmath.h"
#include "core/internal.h"
#include "maps/judge/dune_forms_internal.h"
#include "terrain/field2d.h"

enum
{
    FACES_BINS = 900 // each a tenth of a degree
};

static const double faces_level = 1.0;  // [degree] least slope of a sloping cell
static const double faces_share = 0.99; // percentile

// Slope by central differences; NaN if a neighbour is missing.
static double faces_slope(const wadi_field2d* f, int32_t x, int32_t y)
{
    const double east = dune_level(f, x + 1, y) - dune_level(f, x - 1, y);
    const double south = dune_level(f, x, y + 1) - dune_level(f, x, y - 1);
    const double gx = east / (2.0 * dune_cell_width(f, y));
    const double gy = south / (2.0 * f->dy);
    return wadi_atan2(sqrt(gx * gx + gy * gy), 1.0) * dune_degree;
}

static double faces_quantile(const int64_t bins[FACES_BINS], int64_t count)
{
    int64_t below = 0;
    for (int32_t b = 0; b < FACES_BINS; ++b)
    {
        below += bins[b];
        if (count > 0 && (double)below >= faces_share * (double)count)
        {
            return (b + 0.5) * 90.0 / FACES_BINS;
        }
    }
    return 0.0;
}

double wadi_dune_faces(const wadi_field2d* field)
{
    int64_t bins[FACES_BINS] = {0};
    int64_t count = 0;
    for (int32_t y = 0; y < field->height; ++y)
    {
        for (int32_t x = 0; x < field->width; ++x)
        {
            const double slope = faces_slope(field, x, y);
            if (slope > faces_level)
            {
                const int32_t bin = (int32_t)(slope / 90.0 * FACES_BINS);
                ++bins[bin < FACES_BINS ? bin : FACES_BINS - 1];
                ++count;
            }
        }
    }
    return faces_quantile(bins, count);
}
