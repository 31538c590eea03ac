// SPDX-License-Identifier: MIT
#include "support/dune_crests.h"

#include "support/check.h"
#include "support/dunes.h"

#include <stdlib.h>

static int32_t crests_wrap(int32_t i, int32_t size)
{
    return (i % size + size) % size;
}

// Mean over three cells along (dx, dy).
static void crests_blur(const double* from, double* to, int32_t width, int32_t height, int32_t dx,
                        int32_t dy)
{
    for (int32_t y = 0; y < height; ++y)
    {
        for (int32_t x = 0; x < width; ++x)
        {
            const int32_t before = crests_wrap(y - dy, height) * width + crests_wrap(x - dx, width);
            const int32_t after = crests_wrap(y + dy, height) * width + crests_wrap(x + dx, width);
            to[y * width + x] = (from[before] + from[y * width + x] + from[after]) / 3.0;
        }
    }
}

void dune_crests_add(dune_crests* crests, const wadi_terrain* terrain)
{
    const int32_t width = wadi_terrain_width(terrain);
    const int32_t height = wadi_terrain_height(terrain);
    double* level = dunes_levels(terrain);
    double* blurred = test_malloc((size_t)width * (size_t)height * sizeof *blurred);
    crests_blur(level, blurred, width, height, 1, 0);
    crests_blur(blurred, level, width, height, 0, 1);
    for (int32_t y = 0; y < height; ++y)
    {
        for (int32_t x = 0; x < width; ++x)
        {
            const double east = level[y * width + crests_wrap(x + 1, width)] -
                                level[y * width + crests_wrap(x - 1, width)];
            const double south = level[crests_wrap(y + 1, height) * width + x] -
                                 level[crests_wrap(y - 1, height) * width + x];
            crests->xx += east * east;
            crests->xy += east * south;
            crests->yy += south * south;
        }
    }
    test_free(blurred);
    test_free(level);
}

double dune_crests_turn(const dune_crests* crests, double x, double y)
{
    const double degree = 57.29577951308232;
    const double normal = 0.5 * atan2(2.0 * crests->xy, crests->xx - crests->yy) * degree;
    const double turn = normal - atan2(y, x) * degree;
    return turn - 180.0 * floor(turn / 180.0 + 0.5);
}

double dune_crests_order(const dune_crests* crests)
{
    const double difference = crests->xx - crests->yy;
    return sqrt(difference * difference + 4.0 * crests->xy * crests->xy) /
           (crests->xx + crests->yy);
}

double dune_crests_rule(double between, double ratio)
{
    const double degree = 0.017453292519943295;
    double best = 0.0;
    double most = -1.0;
    for (double normal = -90.0; normal < 90.0; normal += 0.25)
    {
        const double crossed = ratio * fabs(cos((normal + between / 2.0) * degree)) +
                               fabs(cos((normal - between / 2.0) * degree));
        best = crossed > most ? normal : best;
        most = crossed > most ? crossed : most;
    }
    return best;
}

static int crests_compare(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

// Bilinear height between cells.
static double crests_level(const double* level, int32_t width, int32_t height, double x, double y)
{
    const int32_t column = (int32_t)floor(x);
    const int32_t row = (int32_t)floor(y);
    const double fx = x - column;
    const double fy = y - row;
    const double* north = level + crests_wrap(row, height) * width;
    const double* south = level + crests_wrap(row + 1, height) * width;
    const int32_t west = crests_wrap(column, width);
    const int32_t east = crests_wrap(column + 1, width);
    return (1.0 - fy) * ((1.0 - fx) * north[west] + fx * north[east]) +
           fy * ((1.0 - fx) * south[west] + fx * south[east]);
}

double dune_descent(const wadi_terrain* terrain, double x, double y, double share)
{
    const int32_t width = wadi_terrain_width(terrain);
    const int32_t height = wadi_terrain_height(terrain);
    const double cell = wadi_terrain_cell_size(terrain);
    double* level = dunes_levels(terrain);
    double* descent = test_malloc((size_t)width * (size_t)height * sizeof *descent);
    for (int32_t i = 0; i < width * height; ++i)
    {
        const double beside = crests_level(level, width, height, i % width + x, i / width + y);
        descent[i] = (level[i] - beside) / cell;
    }
    qsort(descent, (size_t)width * (size_t)height, sizeof *descent, crests_compare);
    const double found = descent[(int32_t)(share * (double)(width * height))];
    test_free(level);
    test_free(descent);
    return atan(found) * 57.29577951308232;
}
