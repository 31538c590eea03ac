// SPDX-License-Identifier: MIT
#include "io/points/grain_file.h"

#include "io/points/points.h"
#include "io/points/points_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- out ---

// Columns of a file of grains in one allocation.
typedef struct grain_columns
{
    double (*positions)[3];
    double (*velocities)[3];
    double* radii;
    double* wetness;
    int32_t* layers;
} grain_columns;

static bool grain_split(const wadi_grain* grains, int32_t count, grain_columns* out)
{
    const size_t n = (size_t)count;
    double* block = malloc(n * (8 * sizeof(double) + sizeof(int32_t)));
    if (block == NULL)
    {
        return false;
    }
    *out = (grain_columns){.positions = (double(*)[3])block,
                           .velocities = (double(*)[3])(block + 3 * n),
                           .radii = block + 6 * n,
                           .wetness = block + 7 * n,
                           .layers = (int32_t*)(block + 8 * n)};
    for (int32_t i = 0; i < count; ++i)
    {
        memcpy(out->positions[i], grains[i].position, sizeof grains[i].position);
        memcpy(out->velocities[i], grains[i].velocity, sizeof grains[i].velocity);
        out->radii[i] = grains[i].radius;
        out->wetness[i] = grains[i].wetness;
        out->layers[i] = grains[i].material + 1;
    }
    return true;
}

wadi_result wadi_io_grains_write(wadi_context* context, const wadi_grain* grains, int32_t count,
                                 const wadi_io_tags* tags, const char* path)
{
    grain_columns at;
    if (!grain_split(grains, count, &at))
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for %d grains", count);
    }
    const wadi_io_column columns[] = {
        {.name = "radius", .components = 1, .real = at.radii},
        {.name = "layer", .components = 1, .whole = at.layers},
        {.name = "wetness", .components = 1, .real = at.wetness},
        {.name = "velocity", .components = 3, .real = at.velocities[0]},
    };
    const wadi_io_points points = {.count = count,
                                   .positions = (const double(*)[3])at.positions,
                                   .columns = columns,
                                   .column_count = sizeof columns / sizeof columns[0],
                                   .tags = tags};
    const wadi_result result = wadi_io_points_write(context, &points, path);
    free(at.positions);
    return result;
}

// --- in ---

enum
{
    GRAIN_X,
    GRAIN_Y,
    GRAIN_Z,
    GRAIN_RADIUS,
    GRAIN_LAYER,
    GRAIN_WETNESS,
    GRAIN_STRENGTH,
    GRAIN_PROPERTIES
};

static const wadi_io_property grain_properties[GRAIN_PROPERTIES] = {
    [GRAIN_X] = {"x", true, 0.0},
    [GRAIN_Y] = {"y", true, 0.0},
    [GRAIN_Z] = {"z", true, 0.0},
    [GRAIN_RADIUS] = {"radius", true, 0.0},
    [GRAIN_LAYER] = {"layer", false, 1.0},
    [GRAIN_WETNESS] = {"wetness", false, 0.0},
    [GRAIN_STRENGTH] = {"strength", false, 1.0},
};

static wadi_result grain_check(wadi_context* context, const char* path, int32_t number,
                               int32_t layers, const double* row)
{
    static const double most[GRAIN_PROPERTIES] = {1e9, 1e9, 1e9, 1e3, 0.0, 100.0, 1e3};
    for (int32_t i = 0; i < GRAIN_PROPERTIES; ++i)
    {
        const double high = i == GRAIN_LAYER ? (double)layers : most[i];
        const double low = i < GRAIN_RADIUS ? -high : i == GRAIN_LAYER ? 1.0 : 0.0;
        const bool is_none = i == GRAIN_RADIUS && row[i] == 0.0;
        const bool is_broken = i == GRAIN_LAYER && row[i] != floor(row[i]);
        if (!(row[i] >= low && row[i] <= high) || is_none || is_broken)
        {
            return wadi_context_fail(context, WADI_ERROR_RANGE,
                                     "%s: grain %d has %s %g; expected %s %g to %g", path,
                                     number + 1, grain_properties[i].name, row[i],
                                     i == GRAIN_LAYER    ? "a whole number,"
                                     : i == GRAIN_RADIUS ? "metres, above"
                                                         : "a number,",
                                     low, high);
        }
    }
    return WADI_OK;
}

static wadi_result grain_take(wadi_context* context, const char* path, int32_t layers,
                              const double* rows, int32_t count, wadi_grain* out, double* strengths)
{
    for (int32_t i = 0; i < count; ++i)
    {
        const double* row = rows + (size_t)i * GRAIN_PROPERTIES;
        const wadi_result result = grain_check(context, path, i, layers, row);
        if (result != WADI_OK)
        {
            return result;
        }
        out[i] = (wadi_grain){.position = {row[GRAIN_X], row[GRAIN_Y], row[GRAIN_Z]},
                              .radius = row[GRAIN_RADIUS],
                              .wetness = row[GRAIN_WETNESS],
                              .material = (int32_t)row[GRAIN_LAYER] - 1};
        strengths[i] = row[GRAIN_STRENGTH];
    }
    return WADI_OK;
}

wadi_result wadi_io_grains_read(wadi_context* context, const char* path, int32_t layers,
                                wadi_grain** out, double** strengths, int32_t* count)
{
    *out = NULL;
    *strengths = NULL;
    double* rows;
    wadi_result result =
        wadi_io_points_read(context, path, grain_properties, GRAIN_PROPERTIES, &rows, count);
    if (result != WADI_OK)
    {
        return result;
    }
    wadi_grain* grains = malloc((size_t)*count * sizeof *grains);
    double* shares = malloc((size_t)*count * sizeof *shares);
    result = grains != NULL && shares != NULL
                 ? grain_take(context, path, layers, rows, *count, grains, shares)
                 : wadi_context_fail(context, WADI_ERROR_MEMORY, "%s: out of memory for %d grains",
                                     path, *count);
    free(rows);
    if (result != WADI_OK)
    {
        free(grains);
        free(shares);
        *count = 0;
        return result;
    }
    *out = grains;
    *strengths = shares;
    return WADI_OK;
}
