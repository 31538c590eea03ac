// SPDX-License-Identifier: MIT
// Channels across a river: lines at right angles to the straight way between the ends of the main
// course, over all of the mask, whether its parts touch or not.
#include "maps/judge/river_forms_internal.h"

enum
{
    SECTIONS_GAP = 3 // half cells; a shorter gap does not part channels
};

#define SECTIONS_MARGIN 0.1 // share of the way that is left out at each end
#define SECTIONS_STEP 0.5   // [cells] along a line

static bool sections_wet(const river_grid* grid, double x, double y)
{
    const int32_t column = (int32_t)floor(x + 0.5);
    const int32_t row = (int32_t)floor(y + 0.5);
    return column >= 0 && row >= 0 && column < grid->width && row < grid->height &&
           (grid->mask[row * grid->width + column] & 1) != 0;
}

// Channels that a line through `at`, along the unit vector `across`, meets.
static int32_t sections_count(const river_grid* grid, river_point at, river_point across)
{
    const double reach = grid->width + grid->height;
    int32_t channels = 0;
    int32_t dry = SECTIONS_GAP;
    for (double far = -reach; far <= reach; far += SECTIONS_STEP)
    {
        const bool wet = sections_wet(grid, at.x + far * across.x, at.y + far * across.y);
        channels += wet && dry >= SECTIONS_GAP ? 1 : 0;
        dry = wet ? 0 : dry + 1;
    }
    return channels;
}

double wadi_river_sections(const river_grid* grid, const river_course* course)
{
    const river_point from = course->points[0];
    const river_point to = course->points[course->count - 1];
    const double length =
        sqrt((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y));
    if (!(length > 0.0))
    {
        return (double)NAN;
    }
    const river_point along = {(to.x - from.x) / length, (to.y - from.y) / length};
    const river_point across = {-along.y, along.x};
    double sum = 0.0;
    int32_t lines = 0;
    for (double far = SECTIONS_MARGIN * length; far <= (1.0 - SECTIONS_MARGIN) * length; far += 1.0)
    {
        const river_point at = {from.x + far * along.x, from.y + far * along.y};
        sum += sections_count(grid, at, across);
        ++lines;
    }
    return lines > 0 ? sum / lines : (double)NAN;
}
