// SPDX-License-Identifier: MIT
#include "terrain/ground.h"

void wadi_ground_nearest_valid(const wadi_ground* ground, int32_t* source, int32_t* queue)
{
    int32_t end = 0;
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        source[cell] = ground->valid[cell] != 0 ? (int32_t)cell : -1;
        if (source[cell] >= 0)
        {
            queue[end++] = (int32_t)cell;
        }
    }
    for (int32_t next = 0; next < end; ++next)
    {
        const int32_t x = queue[next] % ground->width;
        const int32_t y = queue[next] / ground->width;
        const int32_t around[4] = {y > 0 ? queue[next] - ground->width : -1,
                                   x + 1 < ground->width ? queue[next] + 1 : -1,
                                   y + 1 < ground->height ? queue[next] + ground->width : -1,
                                   x > 0 ? queue[next] - 1 : -1};
        for (int k = 0; k < 4; ++k)
        {
            if (around[k] >= 0 && source[around[k]] < 0)
            {
                source[around[k]] = source[queue[next]];
                queue[end++] = around[k];
            }
        }
    }
}
