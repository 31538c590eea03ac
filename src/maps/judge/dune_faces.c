// SPDX-License-Identifier: MIT
// Steepest slopes of a dune field: the 99th percentile over sloping cells, and how frequent slopes
// near it are.
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
static const double faces_rare = 0.999; // the same of the steepest slopes

// Histogram of the slopes of sloping cells.
typedef struct faces_count
{
    int64_t bins[FACES_BINS];
    int64_t all;
} faces_count;

// Slope by central differences; NaN if a neighbour is missing.
static double faces_slope(const wadi_field2d* f, int32_t x, int32_t y)
{
    const double east = dune_level(f, x + 1, y) - dune_level(f, x - 1, y);
    const double south = dune_level(f, x, y + 1) - dune_level(f, x, y - 1);
    const double gx = east / (2.0 * dune_cell_width(f, y));
    const double gy = south / (2.0 * f->dy);
    return wadi_atan2(sqrt(gx * gx + gy * gy), 1.0) * dune_degree;
}

static double faces_quantile(const faces_count* count, double share)
{
    int64_t below = 0;
    for (int32_t b = 0; b < FACES_BINS; ++b)
    {
        below += count->bins[b];
        if (count->all > 0 && (double)below >= share * (double)count->all)
        {
            return (b + 0.5) * 90.0 / FACES_BINS;
        }
    }
    return 0.0;
}

// Number of cells with slopes from one to another share of a slope.
static double faces_between(const faces_count* count, double face, double from, double to)
{
    double sum = 0.0;
    for (int32_t b = 0; b < FACES_BINS; ++b)
    {
        const double share = (b + 0.5) * 90.0 / FACES_BINS / face;
        sum += share > from && share <= to ? (double)count->bins[b] : 0.0;
    }
    return sum;
}

static void faces_fill(const wadi_field2d* field, faces_count* count)
{
    for (int32_t y = 0; y < field->height; ++y)
    {
        for (int32_t x = 0; x < field->width; ++x)
        {
            const double slope = faces_slope(field, x, y);
            if (slope > faces_level)
            {
                const int32_t bin = (int32_t)(slope / 90.0 * FACES_BINS);
                ++count->bins[bin < FACES_BINS ? bin : FACES_BINS - 1];
                ++count->all;
            }
        }
    }
}

void wadi_dune_faces(const wadi_field2d* field, wadi_dune_forms* out)
{
    faces_count count = {0};
    faces_fill(field, &count);
    out->face = faces_quantile(&count, faces_share);
    if (out->face > 0.0)
    {
        const double gentler = faces_between(&count, out->face, 0.7, 0.85);
        out->rest = faces_between(&count, out->face, 0.85, 1.05) / fmax(gentler, 1.0);
        out->tail = faces_quantile(&count, faces_rare) / out->face;
    }
}
