// SPDX-License-Identifier: MIT
#include "lockstep/particle.h"

#include "core/random.h"

#include <math.h>

// The additive recurrence R2 (Roberts 2018), of which any run of indices covers the unit square
// evenly, with a random offset and jitter within a cell.
void wadi_particle_place(const particle_places* places, int64_t index, float* x, float* y)
{
    const wadi_philox turn = wadi_random(places->seed, places->stream, UINT64_MAX, 0);
    const wadi_philox shake = wadi_random(places->seed, places->stream, (uint64_t)index, 0);
    const double px = wadi_unit_double((uint32_t)((uint64_t)index * 0xC13FA9A902A6328Fu >> 32),
                                       (uint32_t)((uint64_t)index * 0xC13FA9A902A6328Fu));
    const double py = wadi_unit_double((uint32_t)((uint64_t)index * 0x91E10DA5C79E7B1Cu >> 32),
                                       (uint32_t)((uint64_t)index * 0x91E10DA5C79E7B1Cu));
    const double width = (double)places->width;
    const double height = (double)places->height;
    const double fx =
        px + wadi_unit_double(turn.v[0], turn.v[1]) + (double)wadi_unit_float(shake.v[0]) / width;
    const double fy =
        py + wadi_unit_double(turn.v[2], turn.v[3]) + (double)wadi_unit_float(shake.v[1]) / height;

    // multiples of 2^-22 keep the product below the width in float, for any width
    const double grain = 4194304.0;
    *x = (float)(floor((fx - floor(fx)) * grain) / grain * width);
    *y = (float)(floor((fy - floor(fy)) * grain) / grain * height);
}

int wadi_particle_apply_edge(const particle_axis* axis, float* place, float* speed)
{
    const float size = (float)axis->size;
    const wadi_side side = *place < 0.0f ? axis->low : axis->high;
    if (*place >= 0.0f && *place < size)
    {
        return PARTICLE_INSIDE;
    }
    if (axis->edges[side] == WADI_EDGE_OPEN)
    {
        return (int)side;
    }
    const float last = size * (1.0f - 0x1p-22f); // below size after rounding
    if (axis->edges[side] == WADI_EDGE_PERIODIC)
    {
        *place -= size * floorf(*place / size);
    }
    else
    {
        *place = side == axis->low ? -*place : 2.0f * size - *place;
        *speed = -*speed;
    }
    // a particle that leaves by more than the whole grid stops at the wall
    *place = *place < last ? *place : last;
    *place = *place > 0.0f ? *place : 0.0f;
    return PARTICLE_INSIDE;
}
