// SPDX-License-Identifier: MIT
#include "cli/statistics.h"

#include <math.h>
#include <string.h>

static uint64_t statistics_mix(uint64_t hash, uint64_t word)
{
    // one multiply-xorshift round per word (constants of splitmix64, Steele et al. 2014)
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9u;
    return hash ^ (hash >> 31);
}

static uint32_t statistics_bits(float value)
{
    uint32_t bits;
    value = value == 0.0f ? 0.0f : value;
    memcpy(&bits, &value, sizeof bits);
    return isnan(value) ? 0x7FC00000u : bits;
}

cli_statistics cli_statistics_of(const float* values, int32_t width, int32_t height)
{
    cli_statistics s = {.cells = (int64_t)width * height, .min = (double)NAN, .max = (double)NAN};
    s.hash = statistics_mix(0x9E3779B97F4A7C15u, (uint64_t)width << 32 | (uint32_t)height);
    double sum = 0.0;
    for (int64_t i = 0; i < s.cells; ++i)
    {
        const double value = (double)values[i];
        s.hash = statistics_mix(s.hash, statistics_bits(values[i]));
        s.voids += isnan(value) ? 1 : 0;
        // fmin and fmax ignore NaN
        s.min = fmin(s.min, value);
        s.max = fmax(s.max, value);
        sum += isnan(value) ? 0.0 : value;
    }
    s.mean = s.voids < s.cells ? sum / (double)(s.cells - s.voids) : (double)NAN;
    return s;
}

static void difference_add(cli_difference* d, double change)
{
    d->both += 1;
    d->differing += change != 0.0 ? 1 : 0;
    d->max_abs = fmax(d->max_abs, fabs(change));
    d->mean += change;
    d->rms += change * change;
    d->raised += fmax(change, 0.0);
    d->lowered += fmax(-change, 0.0);
}

cli_difference cli_difference_of(const float* a, const float* b, int64_t cells)
{
    cli_difference d = {.cells = cells};
    for (int64_t i = 0; i < cells; ++i)
    {
        const bool void_a = isnan(a[i]) != 0;
        const bool void_b = isnan(b[i]) != 0;
        d.voids_a += void_a ? 1 : 0;
        d.voids_b += void_b ? 1 : 0;
        d.voids_unlike += void_a != void_b ? 1 : 0;
        if (!void_a && !void_b)
        {
            difference_add(&d, (double)b[i] - (double)a[i]);
        }
    }
    d.differing += d.voids_unlike;
    d.mean = d.both > 0 ? d.mean / (double)d.both : 0.0;
    d.rms = d.both > 0 ? sqrt(d.rms / (double)d.both) : 0.0;
    return d;
}
