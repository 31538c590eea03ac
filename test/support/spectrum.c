// SPDX-License-Identifier: MIT
#include "support/spectrum.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

static const double spectrum_turn = 6.283185307179586;

// Fast Fourier transform of `count` (a power of two) numbers, `step` apart.
static void spectrum_transform(double complex* z, int32_t count, int32_t step)
{
    for (int32_t i = 1, j = 0; i < count; ++i)
    {
        int32_t bit = count >> 1;
        for (; (j & bit) != 0; bit >>= 1)
        {
            j ^= bit;
        }
        j ^= bit;
        if (i < j)
        {
            const double complex swap = z[i * step];
            z[i * step] = z[j * step];
            z[j * step] = swap;
        }
    }
    for (int32_t half = 1; half < count; half *= 2)
    {
        for (int32_t k = 0; k < half; ++k)
        {
            const double angle = -spectrum_turn * k / (2.0 * half);
            const double complex w = cos(angle) + (double complex)I * sin(angle);
            for (int32_t i = k; i < count; i += 2 * half)
            {
                const double complex odd = w * z[(i + half) * step];
                z[(i + half) * step] = z[i * step] - odd;
                z[i * step] += odd;
            }
        }
    }
}

static double spectrum_window(int32_t i, int32_t size, int periodic)
{
    return periodic ? 1.0 : 0.5 - 0.5 * cos(spectrum_turn * (i + 0.5) / size);
}

static double complex* spectrum_of(const float* values, int32_t size, int periodic)
{
    double complex* z = malloc((size_t)size * (size_t)size * sizeof *z);
    double mean = 0.0;
    for (int32_t i = 0; i < size * size; ++i)
    {
        mean += (double)values[i] / ((double)size * size);
    }
    for (int32_t i = 0; i < size * size; ++i)
    {
        z[i] = ((double)values[i] - mean) * spectrum_window(i % size, size, periodic) *
               spectrum_window(i / size, size, periodic);
    }
    for (int32_t i = 0; i < size; ++i)
    {
        spectrum_transform(z + i * size, size, 1);
    }
    for (int32_t i = 0; i < size; ++i)
    {
        spectrum_transform(z + i, size, size);
    }
    return z;
}

double spectrum_slope(const float* values, int32_t size, double shortest, double longest,
                      int periodic)
{
    double complex* z = spectrum_of(values, size, periodic);
    double* power = calloc((size_t)size, sizeof *power);
    double* modes = calloc((size_t)size, sizeof *modes);
    for (int32_t i = 0; i < size * size; ++i)
    {
        const int32_t x = i % size <= size / 2 ? i % size : i % size - size;
        const int32_t y = i / size <= size / 2 ? i / size : i / size - size;
        const int32_t k = (int32_t)(sqrt((double)x * x + (double)y * y) + 0.5);
        power[k] += creal(z[i]) * creal(z[i]) + cimag(z[i]) * cimag(z[i]);
        modes[k] += 1.0;
    }
    double weight = 0.0;
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int32_t k = 1; k < size / 2; ++k)
    {
        const double wavelength = (double)size / k;
        if (wavelength >= shortest && wavelength <= longest && power[k] > 0.0)
        {
            const double x = log(k);
            const double y = log(power[k] / modes[k]);
            weight += 1.0 / k;
            sx += x / k;
            sy += y / k;
            sxx += x * x / k;
            sxy += x * y / k;
        }
    }
    free(modes);
    free(power);
    free(z);
    return -(weight * sxy - sx * sy) / (weight * sxx - sx * sx);
}

void spectrum_bands(const float* values, int32_t size, double x, double y, double* bands,
                    int32_t count)
{
    double complex* z = spectrum_of(values, size, 1);
    for (int32_t b = 0; b < count; ++b)
    {
        bands[b] = 0.0;
    }
    for (int32_t i = 1; i < size * size; ++i)
    {
        const double kx = i % size <= size / 2 ? i % size : i % size - size;
        const double ky = i / size <= size / 2 ? i / size : i / size - size;
        const double k = hypot(kx, ky);
        const int32_t band = (int32_t)floor(2.0 * log2(k) + 1e-9);
        if (fabs(kx * x + ky * y) > 0.8660254 * k && band < count)
        {
            bands[band] += creal(z[i]) * creal(z[i]) + cimag(z[i]) * cimag(z[i]);
        }
    }
    free(z);
}

spectrum_band spectrum_ring(const float* values, int32_t size, double shortest, double longest,
                            double within)
{
    double complex* z = spectrum_of(values, size, 0);
    const double window = 0.375 * 0.375; // mean square of the window
    const double all = (double)size * size;
    double modes = 0.0;
    double power = 0.0;
    for (int32_t i = 1; i < size * size; ++i)
    {
        const double kx = i % size <= size / 2 ? i % size : size - i % size;
        const double ky = i / size <= size / 2 ? i / size : size - i / size;
        const double wavelength = size / hypot(kx, ky);
        const double off = atan2(fmin(kx, ky), fmax(kx, ky)) * 360.0 / spectrum_turn;
        if (wavelength >= shortest && wavelength <= longest && off <= within)
        {
            power += (creal(z[i]) * creal(z[i]) + cimag(z[i]) * cimag(z[i])) / (all * all * window);
            modes += 1.0;
        }
    }
    free(z);
    return (spectrum_band){power, modes > 0.0 ? power / modes : 0.0};
}
