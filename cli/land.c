// SPDX-License-Identifier: MIT
#include "cli/land.h"

#include "cli/fields.h"
#include "cli/trace.h"
#include "io/raster/geo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cli_land
{
    wadi_context* context;
    wadi_io_raster raster; // as read
    wadi_io_grid grid;     // the working grid
    float* surface;        // the raster on the working grid
    int32_t* before;       // surface of the new terrain, in integer units
    wadi_terrain* terrain;
    wadi_io_tags tags;
};

static int64_t land_cells(const cli_land* land)
{
    return (int64_t)land->grid.width * land->grid.height;
}

static cli_status land_out_of_memory(const cli_land* land)
{
    return cli_fail(CLI_FAILED, "out of memory for %d x %d cells; try a smaller grid",
                    land->grid.width, land->grid.height);
}

cli_status cli_land_allocate(const cli_land* land, float** out)
{
    *out = malloc((size_t)land_cells(land) * sizeof **out);
    return *out != NULL ? CLI_DONE : land_out_of_memory(land);
}

// A projected map does not fill its grid: what leaves it is booked by the side that it crosses.
static cli_status land_set_void_sides(cli_land* land)
{
    wadi_context* context = land->context;
    const wadi_io_grid* grid = &land->grid;
    uint8_t* sides = malloc((size_t)land_cells(land));
    if (sides == NULL)
    {
        return land_out_of_memory(land);
    }
    wadi_result result =
        wadi_io_grid_sides(context, grid, grid->width, grid->height, &grid->georef, sides);
    result =
        result == WADI_OK ? wadi_terrain_set_void_sides(land->terrain, sides, grid->width) : result;
    free(sides);
    return cli_check(context, result);
}

static cli_status land_make_terrain(cli_land* land, uint64_t seed)
{
    wadi_context* context = land->context;
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = land->grid.width;
    def.height = land->grid.height;
    def.cell_size = land->grid.cell;
    def.seed = seed;
    CLI_TRY(cli_check(context, wadi_terrain_create(context, &def, &land->terrain)));
    CLI_TRY(cli_check(context, wadi_terrain_set_georef(land->terrain, &land->grid.georef)));
    CLI_TRY(cli_check(context, wadi_terrain_set_layer(land->terrain, WADI_LAYER_SURFACE,
                                                      land->surface, land->grid.width)));
    return land_set_void_sides(land);
}

// Store the initial surface of all cells.
static cli_status land_store_surface(cli_land* land)
{
    land->before = malloc((size_t)land_cells(land) * sizeof *land->before);
    if (land->before == NULL)
    {
        return land_out_of_memory(land);
    }
    int64_t i = 0;
    for (int32_t y = 0; y < land->grid.height; ++y)
    {
        for (int32_t x = 0; x < land->grid.width; ++x, ++i)
        {
            land->before[i] = wadi_terrain_units(land->terrain, WADI_LAYER_SURFACE, x, y);
        }
    }
    return CLI_DONE;
}

static cli_status land_fill(cli_land* land, const char* path, const cli_heights* heights,
                            uint64_t seed)
{
    wadi_context* context = land->context;
    wadi_io_reading reading;
    CLI_TRY(cli_heights_read(context, heights, &reading));
    CLI_TRY(
        cli_check(context, wadi_io_raster_read_as(context, path, &reading, true, &land->raster)));
    CLI_TRY(cli_check(context, wadi_io_grid_of(context, &land->raster, &land->grid)));
    CLI_TRY(cli_land_allocate(land, &land->surface));
    CLI_TRY(
        cli_check(context, wadi_io_grid_read(context, &land->raster, &land->grid, land->surface)));
    CLI_TRY(land_make_terrain(land, seed));
    return land_store_surface(land);
}

cli_status cli_land_open(wadi_context* context, const char* path, const cli_heights* heights,
                         uint64_t seed, cli_land** out)
{
    *out = NULL;
    cli_land* land = calloc(1, sizeof *land);
    if (land == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory");
    }
    land->context = context;
    cli_trace_command(&land->tags, NULL);
    cli_trace_input(&land->tags, context, path);
    const cli_status status = land_fill(land, path, heights, seed);
    if (status != CLI_DONE)
    {
        cli_land_close(land);
        return status;
    }
    *out = land;
    return CLI_DONE;
}

void cli_land_close(cli_land* land)
{
    if (land != NULL)
    {
        wadi_terrain_destroy(land->terrain);
        wadi_io_grid_free(&land->grid);
        wadi_io_raster_free(&land->raster);
        wadi_io_tags_free(&land->tags);
        free(land->before);
        free(land->surface);
        free(land);
    }
}

wadi_io_tags* cli_land_tags(cli_land* land)
{
    return &land->tags;
}

wadi_terrain* cli_land_terrain(cli_land* land)
{
    return land->terrain;
}

cli_status cli_land_set_sea(cli_land* land, const char* level)
{
    double metres;
    if (level == NULL)
    {
        return CLI_DONE;
    }
    CLI_TRY(cli_quantity(land->context, "--sea", level, "m", -WADI_HEIGHT_LIMIT, WADI_HEIGHT_LIMIT,
                         &metres));
    return cli_check(land->context, wadi_terrain_set_sea_level(land->terrain, NULL, &metres, 1));
}

const float* cli_land_surface(const cli_land* land)
{
    return land->surface;
}

// Read a map, which has to have a value on the land if both say where they lie.
static cli_status land_read(cli_land* land, const char* path, bool weighs, float* out)
{
    wadi_io_raster raster;
    const wadi_io_reading reading = {.weighs = weighs, .quiet = true};
    wadi_context* context = land->context;
    // a map without a cell size takes that of the ground
    CLI_TRY(cli_check(context, wadi_io_raster_read_as(context, path, &reading, false, &raster)));
    wadi_result result = wadi_io_grid_read(context, &raster, &land->grid, out);
    result = result == WADI_OK
                 ? wadi_io_grid_check_cover(context, path, &raster, &land->grid, land->surface, out)
                 : result;
    wadi_io_raster_free(&raster);
    return cli_check(context, result);
}

cli_status cli_land_read(cli_land* land, const char* path, float* out)
{
    return land_read(land, path, false, out);
}

cli_status cli_land_read_weights(cli_land* land, const char* path, float* out)
{
    return land_read(land, path, true, out);
}

void cli_land_note_lacks(const cli_land* land, const char* path, const float* values)
{
    const float* surface = cli_land_surface(land);
    const int64_t cells = (int64_t)land->grid.width * land->grid.height;
    int64_t valid = 0;
    int64_t lacks = 0;
    for (int64_t i = 0; i < cells; ++i)
    {
        valid += isnan(surface[i]) ? 0 : 1;
        lacks += !isnan(surface[i]) && isnan(values[i]) ? 1 : 0;
    }
    if (lacks > 0)
    {
        wadi_log_line(wadi_terrain_context(land->terrain),
                      "%s has no value for %lld of %lld cells with a height, and counts as 0 there",
                      path, (long long)lacks, (long long)valid);
    }
}

// A raster for output without values: grid, georeference and nodata of `grid`. Borrowed.
static wadi_io_raster land_target(const cli_land* land, cli_grid grid)
{
    wadi_io_raster target = land->raster;
    target.values = NULL;
    target.tags = &land->tags;
    if (grid == CLI_GRID_WORKING)
    {
        target.width = land->grid.width;
        target.height = land->grid.height;
        target.dx = land->grid.cell;
        target.dy = land->grid.cell;
        target.geographic = false;
        target.georef = land->grid.georef;
    }
    return target;
}

static cli_status land_allocate_target(wadi_io_raster* target)
{
    target->values =
        malloc((size_t)target->width * (size_t)target->height * sizeof *target->values);
    return target->values != NULL ? CLI_DONE
                                  : cli_fail(CLI_FAILED, "out of memory for %d x %d cells",
                                             target->width, target->height);
}

// Resample values from the working grid to the output grid.
static wadi_result land_resample(const cli_land* land, const float* values, cli_grid grid,
                                 float* out)
{
    if (grid == CLI_GRID_WORKING)
    {
        memcpy(out, values, (size_t)land_cells(land) * sizeof *out);
        return WADI_OK;
    }
    return wadi_io_grid_write(land->context, &land->grid, values, &land->raster, out);
}

cli_status cli_land_write(cli_land* land, const float* values, cli_grid grid, const char* name,
                          const char* unit, const char* path)
{
    wadi_io_raster target = land_target(land, grid);
    target.name = name;
    target.unit = unit;
    target.is_map = true; // the surface has a function of its own
    CLI_TRY(land_allocate_target(&target));
    wadi_result result = land_resample(land, values, grid, target.values);
    result = result == WADI_OK ? wadi_io_raster_write(land->context, &target, path) : result;
    free(target.values);
    return cli_check(land->context, result);
}

// Height change since the terrain was made. The difference is computed in integer units: float
// surfaces at 4000 m would round it to 0.2 mm.
static void land_height_change(const cli_land* land, float* change)
{
    int64_t i = 0;
    for (int32_t y = 0; y < land->grid.height; ++y)
    {
        for (int32_t x = 0; x < land->grid.width; ++x, ++i)
        {
            const int64_t now = wadi_terrain_units(land->terrain, WADI_LAYER_SURFACE, x, y);
            change[i] = isnan(land->surface[i])
                            ? NAN
                            : (float)(now - land->before[i]) / (float)WADI_UNITS_PER_METRE;
        }
    }
}

// Add the change to the raster as read. Where the change has no data (next to cells without data)
// or is zero, the cell keeps its value.
static void land_add_change(const float* read, int64_t cells, float* change)
{
    for (int64_t i = 0; i < cells; ++i)
    {
        change[i] = isnan(change[i]) || change[i] == 0.0f ? read[i] : read[i] + change[i];
    }
}

cli_status cli_land_write_surface(cli_land* land, cli_grid grid, const char* path)
{
    float* change;
    CLI_TRY(cli_land_allocate(land, &change));
    land_height_change(land, change);
    wadi_io_raster target = land_target(land, grid);
    target.name = "surface";
    target.unit = "m";
    target.is_map = false;
    const cli_status status = land_allocate_target(&target);
    if (status != CLI_DONE)
    {
        free(change);
        return status;
    }
    wadi_result result = land_resample(land, change, grid, target.values);
    free(change);
    land_add_change(grid == CLI_GRID_WORKING ? land->surface : land->raster.values,
                    (int64_t)target.width * target.height, target.values);
    result = result == WADI_OK ? wadi_io_raster_write(land->context, &target, path) : result;
    free(target.values);
    return cli_check(land->context, result);
}
