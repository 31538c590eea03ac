// SPDX-License-Identifier: MIT
#include "io/series.h"

#include "io/points/grain_file.h"
#include "io/points/points.h"
#include "io/raster/raster.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum
{
    SERIES_PATH = 4352 // folder and file name
};

static const char* series_ending(const char* path)
{
    const char* dot = strrchr(path, '.');
    return dot != NULL ? dot : "";
}

static bool series_ends(const char* path, const char* ending)
{
    return strcasecmp(series_ending(path), ending) == 0;
}

bool wadi_io_series_is_picture(const char* path)
{
    return series_ends(path, ".png");
}

wadi_result wadi_io_series_check(wadi_context* context, const char* path)
{
    const bool known = series_ends(path, ".pvd") || series_ends(path, ".vtp") ||
                       series_ends(path, ".ply") || series_ends(path, ".png");
    return known ? WADI_OK
                 : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                     "%s: frames are written as .pvd or .vtp (ParaView), .ply "
                                     "(Blender) or .png",
                                     path);
}

void wadi_io_series_name(const char* path, int32_t frame, char* name, size_t size)
{
    const char* ending = series_ending(path);
    const int stem = (int)(strlen(path) - strlen(ending));
    const char* kept = series_ends(path, ".pvd") ? ".vtp" : ending;
    (void)snprintf(name, size, "%.*s-%04d%s", stem, path, frame, kept);
}

// --- pictures ---

// Box around the grains with a horizontal margin of a quarter of their extent on each side.
static void series_fit_box(wadi_io_series* series, const wadi_grain* grains, int32_t count)
{
    for (int a = 0; a < 3; ++a)
    {
        double low = (double)INFINITY;
        double high = -(double)INFINITY;
        for (int32_t i = 0; i < count; ++i)
        {
            const double x = grains[i].position[a];
            low = x - grains[i].radius < low ? x - grains[i].radius : low;
            high = x + grains[i].radius > high ? x + grains[i].radius : high;
        }
        const double room = a < 2 ? 0.25 * (high - low) : 0.0;
        series->low[a] = low - room;
        series->high[a] = high + room;
    }
}

static wadi_result series_draw(const wadi_io_series* series, const wadi_grain* grains,
                               int32_t count, const wadi_grain_picture_params* params,
                               const char* path)
{
    uint8_t* rgb = malloc((size_t)params->width * (size_t)params->height * 3);
    if (rgb == NULL)
    {
        return wadi_context_fail(series->context, WADI_ERROR_MEMORY,
                                 "out of memory for a picture of %d x %d pixels", params->width,
                                 params->height);
    }
    wadi_result result =
        wadi_grain_picture_on_ground(series->context, series->ground, grains, count,
                                     series->colours, series->low, series->high, params, rgb);
    result = result == WADI_OK ? wadi_io_picture_write_tagged(series->context, rgb, params->width,
                                                              params->height, series->tags, path)
                               : result;
    free(rgb);
    return result;
}

// --- the series ---

static wadi_result series_reserve(wadi_io_series* series)
{
    if (series->count < series->capacity)
    {
        return WADI_OK;
    }
    const int32_t larger = series->capacity > 0 ? 2 * series->capacity : 64;
    double* times = realloc(series->times, (size_t)larger * sizeof *times);
    if (times == NULL)
    {
        return wadi_context_fail(series->context, WADI_ERROR_MEMORY, "out of memory for %d frames",
                                 larger);
    }
    series->times = times;
    series->capacity = larger;
    return WADI_OK;
}

static wadi_result series_write_index(const wadi_io_series* series)
{
    const size_t count = (size_t)series->count;
    wadi_io_frame* frames = malloc(count * (sizeof *frames + SERIES_PATH));
    if (frames == NULL)
    {
        return wadi_context_fail(series->context, WADI_ERROR_MEMORY, "out of memory for %d frames",
                                 series->count);
    }
    char* names = (char*)(frames + count);
    for (size_t i = 0; i < count; ++i)
    {
        wadi_io_series_name(series->path, (int32_t)i, names + i * SERIES_PATH, SERIES_PATH);
        frames[i] = (wadi_io_frame){series->times[i], names + i * SERIES_PATH};
    }
    const wadi_result result =
        wadi_io_series_write(series->context, frames, series->count, series->path);
    free(frames);
    return result;
}

wadi_result wadi_io_series_add(wadi_io_series* series, double seconds, const wadi_grain* grains,
                               int32_t count, const wadi_grain_picture_params* picture)
{
    wadi_result result = series_reserve(series);
    if (result != WADI_OK)
    {
        return result;
    }
    char name[SERIES_PATH];
    wadi_io_series_name(series->path, series->count, name, sizeof name);
    if (wadi_io_series_is_picture(series->path))
    {
        if (series->count == 0 && !series->has_box)
        {
            series_fit_box(series, grains, count);
        }
        result = series_draw(series, grains, count, picture, name);
    }
    else
    {
        result = wadi_io_grains_write(series->context, grains, count, series->tags, name);
    }
    if (result == WADI_OK)
    {
        series->times[series->count++] = seconds;
    }
    return result == WADI_OK && series_ends(series->path, ".pvd") ? series_write_index(series)
                                                                  : result;
}

void wadi_io_series_close(wadi_io_series* series)
{
    free(series->times);
    *series = (wadi_io_series){0};
}
