// SPDX-License-Identifier: MIT
#include "io/raster/stretch.h"

#include <math.h>

// Old cells that contribute to a new cell along one axis. The weight is a tent as wide as the
// coarser grid's cells, with a half width of at least one old cell: linear interpolation when
// enlarging, overlapping means when shrinking. Features stay in place to a fraction of a cell.
typedef struct stretch_span
{
    int32_t first;
    int32_t last;
    double centre; // [old cells]
    double reach;  // [old cells] half width of the tent
} stretch_span;

static stretch_span stretch_span_of(int32_t cell, int32_t from, int32_t to)
{
    const double ratio = (double)from / (double)to;
    const double centre = ((double)cell + 0.5) * ratio - 0.5;
    const double reach = ratio > 1.0 ? ratio : 1.0;
    const double first = ceil(centre - reach);
    const double last = floor(centre + reach);
    return (stretch_span){first < 0.0 ? 0 : (int32_t)first,
                          last > (double)(from - 1) ? from - 1 : (int32_t)last, centre, reach};
}

static double stretch_weight(const stretch_span* span, int32_t cell)
{
    const double weight = 1.0 - fabs((double)cell - span->centre) / span->reach;
    return weight > 0.0 ? weight : 0.0;
}

static float stretch_cell(const float* from, int32_t width, const stretch_span* columns,
                          const stretch_span* rows)
{
    double sum = 0.0;
    double weights = 0.0;
    double all = 0.0;
    for (int32_t y = rows->first; y <= rows->last; ++y)
    {
        for (int32_t x = columns->first; x <= columns->last; ++x)
        {
            const double weight = stretch_weight(rows, y) * stretch_weight(columns, x);
            const float value = from[(int64_t)y * width + x];
            all += weight;
            weights += isnan(value) ? 0.0 : weight;
            sum += isnan(value) ? 0.0 : weight * (double)value;
        }
    }
    return weights > 0.0 && 2.0 * weights >= all ? (float)(sum / weights) : NAN;
}

void wadi_io_stretch(const float* from, int32_t from_width, int32_t from_height, float* to,
                     int32_t to_width, int32_t to_height)
{
    for (int32_t y = 0; y < to_height; ++y)
    {
        const stretch_span rows = stretch_span_of(y, from_height, to_height);
        for (int32_t x = 0; x < to_width; ++x)
        {
            const stretch_span columns = stretch_span_of(x, from_width, to_width);
            to[(int64_t)y * to_width + x] = stretch_cell(from, from_width, &columns, &rows);
        }
    }
}
