// SPDX-License-Identifier: MIT
// Spectral slope of a square of ground.
#pragma once

#include <stdint.h>

// Fit beta in the power k^-beta of single modes (two dimensions) to radial means over wavelengths
// from `shortest` to `longest` cells; each octave has the same weight. `size` is a power of two.
// Without `periodic` a Hann window is applied.
double spectrum_slope(const float* values, int32_t size, double shortest, double longest,
                      int periodic);

// Power of the modes whose normal lies within 30 degrees of (x, y), x east and y south, in half
// octaves: band i holds wavelengths from size x 2^(-i/2) down to size x 2^(-(i+1)/2) cells.
void spectrum_bands(const float* values, int32_t size, double x, double y, double* bands,
                    int32_t count);

typedef struct spectrum_band
{
    double sum;  // variance of the windowed values, over the mean square of the window
    double mean; // per mode
} spectrum_band;

// Modes with wavelengths of `shortest` to `longest` cells, whose normal lies within `within`
// degrees of one of the grid's axes. A Hann window is applied.
spectrum_band spectrum_ring(const float* values, int32_t size, double shortest, double longest,
                            double within);
