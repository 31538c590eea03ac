// SPDX-License-Identifier: MIT
// Files that are lists: grains (PLY), meshes (OBJ) and winds (CSV). Each input goes to all three
// readers; what one of them accepts must be what it promises.
#include "io/points/grain_file.h"
#include "io/raster/surface.h"
#include "io/table.h"

#include "laws/wind/wind_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum
{
    FUZZ_LAYERS = 3,
    FUZZ_ROWS = 16
};

static void fuzz_demand(bool holds)
{
    if (!holds)
    {
        abort();
    }
}

static void fuzz_grains(wadi_context* context, const char* path)
{
    wadi_grain* grains;
    double* strengths;
    int32_t count;
    const wadi_result result =
        wadi_io_grains_read(context, path, FUZZ_LAYERS, &grains, &strengths, &count);
    fuzz_demand(result == WADI_OK || (grains == NULL && strengths == NULL));
    for (int32_t i = 0; result == WADI_OK && i < count; ++i)
    {
        const wadi_grain* grain = &grains[i];
        fuzz_demand(grain->radius > 0.0 && grain->wetness >= 0.0 && strengths[i] >= 0.0);
        fuzz_demand(grain->material >= 0 && grain->material < FUZZ_LAYERS);
        fuzz_demand(isfinite(grain->position[0]) && isfinite(grain->position[2]));
    }
    free(grains);
    free(strengths);
}

static void fuzz_mesh(wadi_context* context, const char* path)
{
    wadi_io_surface surface;
    if (wadi_io_surface_read(context, path, WADI_IO_UP_Y, &surface) == WADI_OK)
    {
        const wadi_mesh* mesh = &surface.mesh;
        for (int32_t i = 0; i < mesh->triangle_count; ++i)
        {
            for (int k = 0; k < 3; ++k)
            {
                const int32_t vertex = mesh->triangles[i][k];
                fuzz_demand(vertex >= 0 && vertex < mesh->vertex_count);
            }
        }
    }
    wadi_io_surface_free(&surface);
}

static void fuzz_winds(wadi_context* context, const char* path)
{
    double rows[FUZZ_ROWS * 4];
    for (int32_t t = 0; t <= WIND_TABLE_SCHEDULE; ++t)
    {
        int32_t count;
        if (wadi_io_table_read(context, path, &wadi_wind_tables[t], rows, FUZZ_ROWS, &count) ==
            WADI_OK)
        {
            fuzz_demand(count >= 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    wadi_context* context = NULL;
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/wadi-fuzz-%ld.list", (long)getpid());
    FILE* file = fopen(path, "wb");
    const bool done = file != NULL && fwrite(data, 1, size, file) == size;
    if (file != NULL && fclose(file) == 0 && done && wadi_context_create(NULL, &context) == WADI_OK)
    {
        fuzz_grains(context, path);
        fuzz_mesh(context, path);
        fuzz_winds(context, path);
        wadi_context_destroy(context);
    }
    (void)unlink(path);
    return 0;
}
