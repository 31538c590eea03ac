// SPDX-License-Identifier: MIT
#include "cli/tile_name.h"

#include "cli/convert_cut.h"

#include <stdio.h>
#include <string.h>

bool cli_tile_is_pattern(const char* file)
{
    return strpbrk(file, "{}") != NULL;
}

// Characters of a place {x} or {y} at the begin of a text; 0: there is none.
static size_t name_place(const char* at)
{
    return strncmp(at, "{x}", 3) == 0 || strncmp(at, "{y}", 3) == 0 ? 3 : 0;
}

cli_status cli_tile_check_pattern(const char* origin, const char* file)
{
    bool sound = strstr(file, "{x}") != NULL && strstr(file, "{y}") != NULL;
    for (const char* at = file; *at != '\0' && sound;)
    {
        const size_t place = name_place(at);
        sound = place > 0 || (*at != '{' && *at != '}');
        at += place > 0 ? place : 1;
    }
    return sound ? CLI_DONE
                 : cli_fail(CLI_USAGE,
                            "%s: '%s' is no pattern of tiles: it needs {x} and {y}, the column and "
                            "the row of a tile, and no other braces, such as height_{x}_{y}.tif",
                            origin, file);
}

static void name_fill(const char* file, int32_t x, int32_t y, char* out, size_t size)
{
    size_t used = 0;
    for (const char* at = file; *at != '\0' && used + 1 < size;)
    {
        const size_t place = name_place(at);
        const int count = place > 0 ? snprintf(out + used, size - used, "%d", at[1] == 'x' ? x : y)
                                    : snprintf(out + used, size - used, "%c", *at);
        used += (size_t)count;
        at += place > 0 ? place : 1;
    }
    out[used < size ? used : size - 1] = '\0';
}

void cli_tile_name(const char* file, int32_t x, int32_t y, char* out, size_t size)
{
    if (cli_tile_is_pattern(file))
    {
        name_fill(file, x, y, out, size);
    }
    else
    {
        cli_cut_tile_name(file, x, y, out, size);
    }
}

wadi_georef cli_tile_georef(const wadi_frame* grid, int32_t x, int32_t y)
{
    wadi_georef georef = grid->georef;
    if (!georef.valid)
    {
        const double cell = grid->cell_size;
        georef = (wadi_georef){
            .valid = true, .affine = {0.0, cell, 0.0, cell * grid->height, 0.0, -cell}, .wkt = ""};
    }
    cli_georef_shift(&georef, x, y);
    return georef;
}
