// SPDX-License-Identifier: MIT
// Local time steps of inertial shallow water: where it is shallow and slow, a tile's step is 2, 4
// or 8 times the shortest (Osher & Sanders 1983 for conservation laws; Sanders 2008 for floods).
//
// A tile's own limit and that of its eight neighbours hold, so what flows over a border is stable
// with the longer of both steps, and fast water stays within the neighbours for a cycle.
#include "processes/flood/inertial.h"

#include <math.h>

static const double levels_fall = 9.81; // [m/s2]
static const double levels_calm = 0.1;  // depth whose waves bound the step at least [m]

// Waves of the depth, and 5/3 of the velocity, at which floods move by Manning's law.
double wadi_inertial_stable_step(const inertial* w, int32_t deepest, float fastest)
{
    const double depth = fmax((double)deepest / WADI_UNITS_PER_METRE, levels_calm);
    const double wave = fmax(sqrt(levels_fall * depth), 5.0 / 3.0 * (double)fastest);
    return w->law.courant * w->cell / wave;
}

static int32_t levels_own(const inertial* w, int32_t tile, double step)
{
    const double most = wadi_inertial_stable_step(w, w->deepest[tile], w->fastest[tile]);
    int32_t level = 0;
    while (level < w->law.levels && ldexp(step, level + 1) <= most)
    {
        ++level;
    }
    return level;
}

static uint8_t levels_lower(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

// The least of a tile and its active neighbours in a line of them: `on` leads to them.
static void levels_spread(uint8_t* line, int32_t count, int32_t on)
{
    uint8_t before = line[0];
    for (int32_t k = 0; k < count; ++k)
    {
        const uint8_t own = line[k * on];
        const uint8_t after = k + 1 < count ? line[(k + 1) * on] : own;
        line[k * on] = levels_lower(own, levels_lower(before, after));
        before = own;
    }
}

// Tiles at both ends of a periodic axis hold the same cells, as in the choice of tiles.
static void levels_join(uint8_t* line, int32_t count, int32_t on)
{
    const int32_t ends[3] = {0, count - 1, count > 1 ? count - 2 : 0};
    uint8_t least = line[0];
    for (int32_t k = 1; k < WADI_COUNT(ends); ++k)
    {
        least = levels_lower(least, line[ends[k] * on]);
    }
    for (int32_t k = 0; k < WADI_COUNT(ends); ++k)
    {
        line[ends[k] * on] = least;
    }
}

static void levels_of_lines(const inertial* w)
{
    for (int32_t row = 0; row < w->rows; ++row)
    {
        levels_spread(&w->level[row * w->columns], w->columns, 1);
    }
    for (int32_t column = 0; column < w->columns; ++column)
    {
        levels_spread(&w->level[column], w->rows, w->columns);
    }
    for (int32_t row = 0; row < w->rows && w->wraps_x; ++row)
    {
        levels_join(&w->level[row * w->columns], w->columns, 1);
    }
    for (int32_t column = 0; column < w->columns && w->wraps_y; ++column)
    {
        levels_join(&w->level[column], w->rows, w->columns);
    }
}

int32_t wadi_inertial_choose_levels(inertial* w, double step)
{
    const int32_t tiles = w->columns * w->rows;
    if (w->law.levels == 0)
    {
        return 0;
    }
    for (int32_t tile = 0; tile < tiles; ++tile)
    {
        w->level[tile] =
            (uint8_t)(w->active[tile] != 0 ? levels_own(w, tile, step) : w->law.levels);
    }
    levels_of_lines(w);
    int32_t most = 0;
    for (int32_t tile = 0; tile < tiles; ++tile)
    {
        most = w->active[tile] != 0 && w->level[tile] > most ? w->level[tile] : most;
    }
    wadi_inertial_list_tiles(w);
    return most;
}
