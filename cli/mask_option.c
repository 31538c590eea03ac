// SPDX-License-Identifier: MIT
#include "cli/mask_option.h"

#include "cli/fields.h"

#include <wadi/scene.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MASK_TEXT = 128
};

static int64_t mask_cells(cli_land* land)
{
    const wadi_terrain* terrain = cli_land_terrain(land);
    return (int64_t)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
}

// Copy a part of the text; false if it is too long.
static bool mask_cut(const char* from, size_t length, char out[MASK_TEXT])
{
    if (length >= MASK_TEXT)
    {
        return false;
    }
    memcpy(out, from, length);
    out[length] = '\0';
    return true;
}

static cli_status mask_number(wadi_context* context, const wadi_mask_band* band, const char* what,
                              const char* text, double* out)
{
    return text[0] == '\0' ? CLI_DONE
                           : cli_quantity(context, what, text, wadi_quantity_unit(&band->quantity),
                                          -1e9, 1e9, out);
}

// FROM..TO~FADE, where each may be left out.
static cli_status mask_read_range(wadi_context* context, const char* text, wadi_mask_band* band)
{
    char from[MASK_TEXT];
    char to[MASK_TEXT];
    const char* dots = strstr(text, "..");
    const char* fade = strchr(text, '~');
    const char* end = fade != NULL ? fade : text + strlen(text);
    if (dots == NULL || dots > end || !mask_cut(text, (size_t)(dots - text), from) ||
        !mask_cut(dots + 2, (size_t)(end - dots - 2), to))
    {
        return cli_fail(CLI_USAGE,
                        "--mask: '%s' is no range; expected FROM..TO, such as 20deg..40deg", text);
    }
    CLI_TRY(mask_number(context, band, "--mask", from, &band->from));
    CLI_TRY(mask_number(context, band, "--mask", to, &band->to));
    CLI_TRY(mask_number(context, band, "--mask", fade != NULL ? fade + 1 : "", &band->fade));
    const wadi_mask mask = {.bands = band, .band_count = 1, .strength = 1.0};
    return cli_check_usage(context, wadi_mask_check(context, &mask));
}

// A layer or derived map of that name; false if there is none.
static bool mask_find_quantity(wadi_context* context, const char* text, size_t length,
                               wadi_quantity* out)
{
    char name[MASK_TEXT];
    return mask_cut(text, length, name) && strchr(name, '.') == NULL &&
           wadi_quantity_parse(context, name, out) == WADI_OK;
}

static cli_status mask_multiply(cli_land* land, const char* text, float* values, float* weights)
{
    wadi_terrain* terrain = cli_land_terrain(land);
    wadi_context* context = wadi_terrain_context(terrain);
    const int64_t cells = mask_cells(land);
    const size_t length = strcspn(text, "=");
    wadi_mask_band band = {.from = -(double)INFINITY, .to = (double)INFINITY};
    if (mask_find_quantity(context, text, length, &band.quantity))
    {
        CLI_TRY(text[length] == '=' ? mask_read_range(context, text + length + 1, &band)
                                    : CLI_DONE);
        CLI_TRY(cli_check(context, wadi_terrain_quantity(terrain, &band.quantity, values)));
    }
    else if (text[length] == '=')
    {
        return cli_fail(CLI_USAGE,
                        "--mask '%s': there is no layer or derived map '%.*s'; expected a file or "
                        "such as slope, height, curvature, sediment",
                        text, (int)length, text);
    }
    else
    {
        CLI_TRY(cli_land_read_weights(land, text, values));
        for (int64_t i = 0; i < cells; ++i)
        {
            if (values[i] < 0.0f || values[i] > 1.0f)
            {
                return cli_fail(CLI_USAGE, "mask '%s' has the value %g; weights must lie in [0, 1]",
                                text, (double)values[i]);
            }
        }
    }
    wadi_mask_weigh(&band, values, cells, weights);
    return CLI_DONE;
}

static cli_status mask_fill(cli_land* land, const cli_list* masks, double strength, float* values,
                            float* weights)
{
    const int64_t cells = mask_cells(land);
    for (int64_t i = 0; i < cells; ++i)
    {
        weights[i] = (float)strength;
    }
    for (int32_t i = 0; i < masks->count; ++i)
    {
        CLI_TRY(mask_multiply(land, masks->items[i], values, weights));
    }
    return CLI_DONE;
}

cli_status cli_mask_give(cli_land* land, wadi_solver* solver, const cli_list* masks,
                         const char* strength)
{
    wadi_context* context = wadi_terrain_context(cli_land_terrain(land));
    double share = 1.0;
    if (strength != NULL)
    {
        CLI_TRY(cli_quantity(context, "--strength", strength, "1", 0.0, 1.0, &share));
    }
    if (masks->count == 0 && strength == NULL)
    {
        return CLI_DONE;
    }
    float* buffer = malloc(2 * (size_t)mask_cells(land) * sizeof *buffer);
    if (buffer == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for a mask");
    }
    float* weights = buffer + mask_cells(land);
    cli_status status = mask_fill(land, masks, share, buffer, weights);
    if (status == CLI_DONE)
    {
        status = cli_check(context, wadi_solver_set_mask(solver, weights));
    }
    free(buffer);
    return status;
}
