// SPDX-License-Identifier: MIT
// Start places of droplets under a rain map: each cell is hit in proportion to its rain.
#pragma once

#include <wadi/context.h>

#include <stdint.h>

typedef struct droplet_rain
{
    int32_t width; // [cells]
    int32_t height;
    double* rows;  // [height] sums of rain over rows up to the end of each
    double* cells; // [width x height] sums over the cells of a row up to the end of each
} droplet_rain;

// Sum up a map; void cells count as the mean of the others, and drops on them are dropped as under
// even rain. Fails with WADI_ERROR_RANGE for rain that is negative or not finite.
wadi_result wadi_droplet_rain_set(wadi_context* context, droplet_rain* rain, int32_t width,
                                  int32_t height, const uint8_t* valid, const float* map);
void wadi_droplet_rain_free(wadi_context* context, droplet_rain* rain);

// Move a place that is even over the map to where it is even over the rain [cells]. False where no
// rain falls at all.
bool wadi_droplet_rain_place(const droplet_rain* rain, float* x, float* y);
