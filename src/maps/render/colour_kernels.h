// SPDX-License-Identifier: MIT
// Colours of rows of pixels as bytes, compiled once for each instruction set.
#pragma once

#include "core/isa.h"

#include <stdint.h>

typedef struct colour_kernels
{
    // sRGB bytes of linear channels; `first` is the number of the first channel in the picture
    void (*encode)(const float* channels, uint32_t first, int32_t count, uint8_t* out);
} colour_kernels;

WADI_ISA_KERNELS(colour_kernels)
