// SPDX-License-Identifier: MIT
// Elevation files: the first byte picks the extension, the rest is the file. What is read as ground
// lies within the range of heights and finds a working grid, or fails in one line.
// NetCDF is left out: it is HDF5 that would be fuzzed, and it falls in ways that are not ours.
#include "io/raster/geo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static const char* fuzz_extension(uint8_t first)
{
    static const struct
    {
        char letter;
        const char* extension;
    } extensions[] = {{'t', "tif"}, {'a', "asc"}, {'p', "png"}, {'h', "hgt"},
                      {'r', "r16"}, {'s', "r32"}, {'e', "exr"}, {'x', "anything"}};
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; ++i)
    {
        if (extensions[i].letter == (char)first)
        {
            return extensions[i].extension;
        }
    }
    return extensions[first % 8].extension;
}

static bool fuzz_write(const char* path, const uint8_t* data, size_t size)
{
    FILE* file = fopen(path, "wb");
    const bool done = file != NULL && fwrite(data, 1, size, file) == size;
    return file != NULL && fclose(file) == 0 && done;
}

static void fuzz_check(wadi_context* context, const wadi_io_raster* raster)
{
    const int64_t cells = (int64_t)raster->width * raster->height;
    for (int64_t i = 0; i < cells; ++i)
    {
        if (fabs((double)raster->values[i]) > WADI_HEIGHT_LIMIT)
        {
            abort();
        }
    }
    wadi_io_grid grid;
    if (wadi_io_grid_of(context, raster, &grid) == WADI_OK)
    {
        if (!(grid.cell > 0.0) || grid.width < 1 || grid.height < 1)
        {
            abort();
        }
        wadi_io_grid_free(&grid);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    wadi_context* context = NULL;
    wadi_io_raster raster;
    char path[64];
    if (size < 1 || wadi_context_create(NULL, &context) != WADI_OK)
    {
        return 0;
    }
    (void)snprintf(path, sizeof path, "/tmp/wadi-fuzz-%ld.%s", (long)getpid(),
                   fuzz_extension(data[0]));
    if (fuzz_write(path, data + 1, size - 1))
    {
        const double cell = strstr(path, ".r") != NULL || strstr(path, ".p") != NULL ? 10.0 : 0.0;
        if (wadi_io_raster_read(context, path, cell, true, &raster) == WADI_OK)
        {
            fuzz_check(context, &raster);
            wadi_io_raster_free(&raster);
        }
        else if (raster.values != NULL || strchr(wadi_error_detail(context), '\n') != NULL)
        {
            abort();
        }
    }
    (void)unlink(path);
    wadi_context_destroy(context);
    return 0;
}
