// SPDX-License-Identifier: MIT
// A land of a file for streams_cells.h.
#pragma once

#include "support/streams_cells.h"

#include "io/raster/raster.h"

static inline float cells_nearest(const float* row, int32_t width, int32_t x)
{
    for (int32_t d = 0; d < width; ++d)
    {
        const float a = row[x - d > 0 ? x - d : 0];
        const float b = row[x + d < width ? x + d : width - 1];
        if (!isnan(a) || !isnan(b))
        {
            return isnan(a) ? b : a;
        }
    }
    return 0.0f;
}

// The square in the middle of a file, whose cells count as `cell`. Voids take the nearest value of
// their row.
static inline cells_land cells_file(fixture* f, const char* path, int32_t side, double cell)
{
    wadi_io_raster raster = {0};
    CHECK_OK(f->context, wadi_io_raster_read(f->context, path, 0.0, true, &raster));
    assert_true(raster.width >= side && raster.height >= side);
    cells_land land = cells_flat(side, cell);
    const int32_t left = (raster.width - side) / 2;
    const int32_t top = (raster.height - side) / 2;
    for (int32_t y = 0; y < side; ++y)
    {
        const float* row = raster.values + (int64_t)(top + y) * raster.width;
        for (int32_t x = 0; x < side; ++x)
        {
            land.heights[y * side + x] = cells_nearest(row, raster.width, left + x);
        }
    }
    wadi_io_raster_free(&raster);
    return land;
}
