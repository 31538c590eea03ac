// SPDX-License-Identifier: MIT
#include "cli/normals.h"

#include <math.h>
#include <stdlib.h>

wadi_result cli_normals_draw(wadi_context* context, const float* normals, bool flip,
                             const wadi_io_raster* picture, const char* path)
{
    const int64_t cells = (int64_t)picture->width * picture->height;
    const float green = flip ? -1.0f : 1.0f;
    uint8_t* rgb = malloc((size_t)cells * 3);
    if (rgb == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for %s", path);
    }
    for (int64_t i = 0; i < 3 * cells; ++i)
    {
        const float flat = i % 3 == 2 ? 1.0f : 0.0f;
        const float value = isnan(normals[i]) ? flat : normals[i] * (i % 3 == 1 ? green : 1.0f);
        rgb[i] = (uint8_t)(127.5f + 127.5f * value + 0.5f);
    }
    const wadi_result result = wadi_io_picture_write_tagged(context, rgb, picture->width,
                                                            picture->height, picture->tags, path);
    free(rgb);
    return result;
}
