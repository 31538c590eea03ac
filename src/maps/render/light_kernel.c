// SPDX-License-Identifier: MIT
#include "maps/render/light_kernels.h"

#include <math.h>

// Arc tangent of t >= 0, to 0.3 degrees.
static inline float light_arctan(float t)
{
    const float inner = t / (1.0f + 0.28f * t * t);
    const float outer = 1.5707963f - t / (t * t + 0.28f);
    return t < 1.0f ? inner : outer;
}

// Light of one sixteenth of the sky above the horizon `t`, on ground that leans by `lean` towards
// it and looks up by `up`: the integral of radiance times cosine over altitude.
static inline float light_sector(float t, float lean, float up)
{
    const float open = 1.0f / (1.0f + t * t);
    const float level = 0.7853982f - 0.5f * light_arctan(t) - 0.5f * t * open;
    const float glow = lean * level + 0.5f * up * open;
    return glow > 0.0f ? glow : 0.0f;
}

static void light_row_sky(const light_sky_row* row)
{
    const float* restrict rises = row->rise;
    const light_slope* restrict slopes = row->slopes;
    light_dome* restrict domes = row->domes;
    const float along_x = row->along_x;
    const float along_y = row->along_y;
    const float weight = row->weight;
    const int32_t count = row->count;
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        const light_slope g = slopes[x];
        const float up = 1.0f / sqrtf(1.0f + g.x * g.x + g.y * g.y);
        const float lean = -(g.x * along_x + g.y * along_y) * up;
        const float t = rises[x] > 0.0f ? rises[x] : 0.0f;
        domes[x].glow += weight * light_sector(t, lean, up);
        domes[x].seen += (1.0f / LIGHT_DIRECTIONS) / (1.0f + t * t);
    }
}

#define LIGHT_KERNELS                                                                              \
    {                                                                                              \
        light_row_sky                                                                              \
    }

const light_kernels WADI_ISA_BUILD(light_kernels) = LIGHT_KERNELS;
