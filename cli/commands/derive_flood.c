// SPDX-License-Identifier: MIT
#include "cli/commands/derive_flood.h"

#include "cli/help.h"
#include "cli/output.h"
#include "cli/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FLOOD_ROW_LENGTH = 320, // bytes of a table row: 15 numbers of at most 20
    FLOOD_PATH_LENGTH = 4096
};

static const struct
{
    wadi_flood_layer layer;
    const char* name;
} flood_maps[] = {
    {WADI_FLOOD_LEVEL, "level"},
    {WADI_FLOOD_OVERTOPPED, "overtopped"},
    {WADI_FLOOD_ROUTE, "route"},
};

void cli_flood_help(void)
{
    (void)printf("    flood [m]\n");
    cli_help_paragraph("depth of a flood of one discharge along its way down, by Manning's law; "
                       "wants --from and --discharge",
                       12);
    (void)printf("\nPARAMETERS OF A FLOOD (--set)\n");
    cli_help_fields(&wadi_flood_fields);
}

// ---- options -----------------------------------------------------------------------------

cli_status cli_flood_refuse(const cli_flood_options* options, bool takes_settings)
{
    const bool given = options->from != NULL || options->discharge != NULL ||
                       options->maps != NULL || options->route != NULL ||
                       (options->settings.count > 0 && !takes_settings);
    return given
               ? cli_fail(CLI_USAGE, "--from, --discharge, --maps and --route are for 'wadi derive "
                                     "flood'; --set is for that and 'wadi derive stability'")
               : CLI_DONE;
}

// Parse "X,Y" or "X,Y,X2,Y2"; a point becomes a line of length 0.
static cli_status flood_read_from(wadi_context* context, const char* text,
                                  wadi_flood_params* params)
{
    double* const ends[4] = {&params->from_x, &params->from_y, &params->to_x, &params->to_y};
    int count = 0;
    for (const char* rest = text; rest != NULL && count < 4; ++count)
    {
        char number[64] = "";
        const size_t length = strcspn(rest, ",");
        (void)strncat(number, rest, length < sizeof number ? length : sizeof number - 1);
        CLI_TRY(cli_quantity(context, "--from", number, "m", -1e9, 1e9, ends[count]));
        rest = rest[length] == ',' ? rest + length + 1 : NULL;
    }
    if (count == 2)
    {
        params->to_x = params->from_x;
        params->to_y = params->from_y;
        return CLI_DONE;
    }
    return count == 4 ? CLI_DONE
                      : cli_fail(CLI_USAGE,
                                 "--from '%s' is neither a point X,Y nor a line X,Y,X2,Y2", text);
}

cli_status cli_flood_check_maps(const cli_flood_options* options, const char* other)
{
    for (size_t i = 0; options->maps != NULL && i < sizeof flood_maps / sizeof flood_maps[0]; ++i)
    {
        char path[FLOOD_PATH_LENGTH];
        (void)snprintf(path, sizeof path, "%s/%s.tif", options->maps, flood_maps[i].name);
        CLI_TRY(cli_output_check_apart(other, path, "has the name of a map of --maps"));
    }
    return CLI_DONE;
}

cli_status cli_flood_params(wadi_context* context, const cli_flood_options* options,
                            wadi_flood_params* params)
{
    *params = wadi_flood_params_default();
    if (options->from == NULL || options->discharge == NULL)
    {
        return cli_fail(CLI_USAGE, "a flood needs its inflow: --from X,Y --discharge 100m3/s");
    }
    CLI_TRY(flood_read_from(context, options->from, params));
    CLI_TRY(cli_quantity(context, "--discharge", options->discharge, "m3/s", 1e-6, 1e7,
                         &params->discharge));
    CLI_TRY(cli_fields_set(context, &wadi_flood_fields, &options->settings, params));
    if (options->maps != NULL)
    {
        CLI_TRY(cli_output_check_folder(options->maps));
    }
    return options->route != NULL ? cli_output_check(options->route) : CLI_DONE;
}

// ---- the table ---------------------------------------------------------------------------

static const char flood_header[] =
    "distance_m,x_m,y_m,map_x,map_y,bed_m,stage_m,depth_m,width_m,area_m2,velocity_m_s,slope,"
    "froude,left_bank_m,right_bank_m,overtopped\n";

// Print a bank's crest; the column stays empty without a bank.
static int flood_print_bank(char* text, size_t size, double crest)
{
    return isnan(crest) ? snprintf(text, size, ",") : snprintf(text, size, "%.3f,", crest);
}

static int flood_print_row(char* text, const wadi_io_raster* raster, const wadi_field2d* field,
                           double dx, const wadi_flood_station* s)
{
    const double* a = raster->georef.affine;
    const double column = s->x / dx;
    const double row = field->height - s->y / field->dy;
    int used = snprintf(text, FLOOD_ROW_LENGTH,
                        "%.2f,%.2f,%.2f,%.8g,%.8g,%.3f,%.3f,%.3f,%.2f,%.2f,%.3f,%.6f,%.3f,",
                        s->distance, s->x, s->y, a[0] + a[1] * column + a[2] * row,
                        a[3] + a[4] * column + a[5] * row, s->bed, s->stage, s->stage - s->bed,
                        s->width, s->area, s->velocity, s->slope, s->froude);
    used += flood_print_bank(text + used, (size_t)(FLOOD_ROW_LENGTH - used), s->left_bank);
    used += flood_print_bank(text + used, (size_t)(FLOOD_ROW_LENGTH - used), s->right_bank);
    return used + snprintf(text + used, (size_t)(FLOOD_ROW_LENGTH - used), "%d\n", s->overtopped);
}

static cli_status flood_write_route(const cli_flood_options* options, const wadi_flood* flood,
                                    const wadi_io_raster* raster, const wadi_field2d* field)
{
    int32_t count;
    const wadi_flood_station* stations = wadi_flood_stations(flood, &count);
    const double dx = field->dx_of_row != NULL ? field->dx_of_row[field->height / 2] : field->dx;
    char* text = malloc(sizeof flood_header + (size_t)count * FLOOD_ROW_LENGTH);
    if (text == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory");
    }
    int64_t used = snprintf(text, sizeof flood_header, "%s", flood_header);
    for (int32_t i = 0; i < count; ++i)
    {
        used += flood_print_row(text + used, raster, field, dx, &stations[i]);
    }
    const cli_status status = cli_output_write(options->route, text);
    free(text);
    return status == CLI_DONE ? cli_trace_write(raster->tags, options->route) : status;
}

// ---- maps and summary --------------------------------------------------------------------

static cli_status flood_write_maps(wadi_context* context, const cli_flood_options* options,
                                   const wadi_flood* flood, const wadi_io_raster* raster,
                                   float* values)
{
    wadi_io_raster map = *raster;
    map.values = values;
    map.has_nodata = true; // dry cells of the map of levels
    map.nodata = (double)NAN;
    for (size_t i = 0; i < sizeof flood_maps / sizeof flood_maps[0]; ++i)
    {
        char path[FLOOD_PATH_LENGTH];
        (void)snprintf(path, sizeof path, "%s/%s.tif", options->maps, flood_maps[i].name);
        CLI_TRY(cli_check(context, wadi_flood_map(flood, flood_maps[i].layer, values)));
        map.name = flood_maps[i].name;
        map.unit = "m";
        CLI_TRY(cli_check(context, wadi_io_raster_write(context, &map, path)));
    }
    return CLI_DONE;
}

static void flood_print_summary(const wadi_flood* flood)
{
    int32_t count;
    const wadi_flood_station* s = wadi_flood_stations(flood, &count);
    double deepest = 0.0;
    double sum = 0.0;
    int32_t over = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        deepest = fmax(deepest, s[i].stage - s[i].bed);
        sum += s[i].stage - s[i].bed;
        over += s[i].overtopped ? 1 : 0;
    }
    const double length = s[count - 1].distance;
    (void)printf("route            %.6g m, from %.6g m down to %.6g m\n", length, s[0].bed,
                 s[count - 1].bed);
    (void)printf("depth            mean %.3g m, most %.3g m\n", sum / count, deepest);
    (void)printf("overtopped       %.3g m of the banks' length\n", length * over / count);
}

static cli_status flood_write(wadi_context* context, const cli_flood_options* options,
                              const wadi_flood* flood, const wadi_io_raster* raster,
                              const wadi_field2d* field, float* depth)
{
    if (options->maps != NULL)
    {
        CLI_TRY(flood_write_maps(context, options, flood, raster, depth));
    }
    if (options->route != NULL)
    {
        CLI_TRY(flood_write_route(options, flood, raster, field));
    }
    flood_print_summary(flood);
    return cli_check(context, wadi_flood_map(flood, WADI_FLOOD_DEPTH, depth));
}

cli_status cli_flood_derive(wadi_context* context, const cli_flood_options* options,
                            const wadi_flood_params* params, const wadi_io_raster* raster,
                            const wadi_field2d* field, float* depth)
{
    wadi_flood* flood;
    CLI_TRY(cli_check(context, wadi_flood_create(context, field, params, &flood)));
    const cli_status status = flood_write(context, options, flood, raster, field, depth);
    wadi_flood_destroy(flood);
    return status;
}
