// SPDX-License-Identifier: MIT
#include "support/moments.h"

moments moments_of(const double* values, int32_t count, int32_t stride)
{
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        sum += values[i * stride];
    }
    const double mean = sum / count;
    double squares = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        const double d = values[i * stride] - mean;
        squares += d * d;
    }
    return (moments){mean, squares / (count - 1) / count};
}
