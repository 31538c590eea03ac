// SPDX-License-Identifier: MIT
#include "maps/render/colour_kernels.h"

#include "core/dmath.h"

static inline float colour_encode(float linear)
{
    const float least = linear > 0.0f ? linear : 0.0f;
    const float c = least < 1.0f ? least : 1.0f;
    const float curve = 1.055f * wadi_powf(c > 0.001f ? c : 0.001f, 1.0f / 2.4f) - 0.055f;
    return c <= 0.0031308f ? 12.92f * c : curve;
}

// The dither of half a step hides bands in skies.
static inline float colour_dither(uint32_t channel)
{
    uint32_t h = channel * 0x9E3779B1u;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    return (float)(int32_t)(h >> 8) * 0x1p-24f;
}

static void colour_row_encode(const float* channels, uint32_t first, int32_t count,
                              uint8_t* restrict out)
{
#pragma omp simd
    for (int32_t i = 0; i < count; ++i)
    {
        const float byte =
            254.999f * colour_encode(channels[i]) + colour_dither(first + (uint32_t)i);
        out[i] = (uint8_t)(int32_t)byte;
    }
}

#define COLOUR_KERNELS                                                                             \
    {                                                                                              \
        colour_row_encode                                                                          \
    }

const colour_kernels WADI_ISA_BUILD(colour_kernels) = COLOUR_KERNELS;
