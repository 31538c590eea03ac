// SPDX-License-Identifier: MIT
// Displacements of subdivided points.
#pragma once

#include "core/random.h"

enum
{
    SUBDIVISION_STREAM = 0x53756264,
    SUBDIVISION_MARGIN = 4 // points around the grid; a finer level needs 4 / 2 + 1 of them
};

// Nearly Gaussian displacement of a point, standard deviation 1, from its position and level.
static inline float subdivision_draw(uint64_t seed, int32_t level, int32_t i, int32_t j)
{
    const uint64_t place = (uint64_t)(uint32_t)j << 32 | (uint32_t)i;
    const wadi_philox r = wadi_random(seed, SUBDIVISION_STREAM, place, (uint32_t)level);
    const float sum = wadi_unit_float(r.v[0]) + wadi_unit_float(r.v[1]) + wadi_unit_float(r.v[2]) +
                      wadi_unit_float(r.v[3]);
    return (sum - 2.0f) * 1.7320508f; // four uniform numbers have variance 4 / 12
}
