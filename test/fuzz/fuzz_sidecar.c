// SPDX-License-Identifier: MIT
// Sidecars: the input is the JSON beside a raster of 2 x 2 cells of 16 bits.
#include "io/raster/geo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static bool fuzz_write(const char* path, const void* data, size_t size)
{
    FILE* file = fopen(path, "wb");
    const bool done = file != NULL && fwrite(data, 1, size, file) == size;
    return file != NULL && fclose(file) == 0 && done;
}

static void fuzz_check(wadi_context* context, const char* path)
{
    wadi_io_raster raster;
    wadi_io_grid grid;
    if (wadi_io_raster_read(context, path, 0.0, true, &raster) != WADI_OK)
    {
        return;
    }
    for (int i = 0; i < 4; ++i)
    {
        if (fabs((double)raster.values[i]) > WADI_HEIGHT_LIMIT)
        {
            abort();
        }
    }
    if (wadi_io_grid_of(context, &raster, &grid) == WADI_OK)
    {
        wadi_io_grid_free(&grid);
    }
    wadi_io_raster_free(&raster);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const uint8_t cells[8] = {0, 0, 1, 0, 0, 1, 255, 255};
    wadi_context* context = NULL;
    char path[64];
    char beside[80];
    (void)snprintf(path, sizeof path, "/tmp/wadi-fuzz-%ld.r16", (long)getpid());
    (void)snprintf(beside, sizeof beside, "%s.json", path);
    if (wadi_context_create(NULL, &context) == WADI_OK)
    {
        if (fuzz_write(path, cells, sizeof cells) && fuzz_write(beside, data, size))
        {
            fuzz_check(context, path);
        }
        (void)unlink(path);
        (void)unlink(beside);
        wadi_context_destroy(context);
    }
    return 0;
}
