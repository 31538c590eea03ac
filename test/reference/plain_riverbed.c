// SPDX-License-Identifier: MIT
#include "plain_riverbed.h"

#include <math.h>
#include <stdbool.h>

// Eq 2 and 3.
static void stamp(const plain_riverbed* bed, double x, double y)
{
    const double s = bed->size;
    for (int32_t j = (int32_t)ceil(y - s); j <= (int32_t)floor(y + s); ++j)
    {
        for (int32_t i = (int32_t)ceil(x - s); i <= (int32_t)floor(x + s); ++i)
        {
            const double radicand = s * s - (i - x) * (i - x) - (j - y) * (j - y);
            if (i >= 0 && j >= 0 && i < bed->width && j < bed->height && radicand > 0.0)
            {
                const int64_t cell = (int64_t)j * bed->width + i;
                bed->ground[cell] -= bed->kappa * sqrt(radicand) * bed->susceptibility[cell];
            }
        }
    }
}

int64_t plain_riverbed_roll(const plain_riverbed* bed, double x, double y)
{
    const double reach = bed->radius + bed->size;
    double beta = 0.0;
    bool entered = false;
    for (int64_t steps = 0;; ++steps)
    {
        x += bed->step; // Eq 1
        beta += bed->turn;
        const double px = x + bed->radius * cos(beta);
        const double py = y + bed->radius * sin(beta);
        const bool inside =
            px >= -0.5 && py >= -0.5 && px < bed->width - 0.5 && py < bed->height - 0.5;
        if (!inside && (entered || x > bed->width - 0.5 + reach))
        {
            return steps;
        }
        entered = inside;
        stamp(bed, px, py);
    }
}
