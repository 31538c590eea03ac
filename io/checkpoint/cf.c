// SPDX-License-Identifier: MIT
#include "io/checkpoint/cf.h"

#include "io/libraries/gdal_functions.h"
#include "io/libraries/netcdf_functions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

wadi_result wadi_io_cf_check(wadi_context* context, int status)
{
    return status == NC_NOERR
               ? WADI_OK
               : wadi_context_fail(context, status == NC_ENOMEM ? WADI_ERROR_MEMORY : WADI_ERROR_IO,
                                   "NetCDF: %s", nc_strerror(status));
}

// A grid in a file.
typedef struct cf_grid
{
    wadi_context* context;
    wadi_terrain* terrain;
    int file;
    int dimensions[2]; // y, x
    int32_t width;
    int32_t height;
    double cell;
    wadi_georef georef;
    bool has_map;    // a grid mapping, `crs`
    bool is_degrees; // coordinates are longitude and latitude
} cf_grid;

static wadi_result cf_text(const cf_grid* grid, int variable, const char* name, const char* text)
{
    return wadi_io_cf_check(grid->context,
                            nc_put_att_text(grid->file, variable, name, strlen(text), text));
}

// ---- coordinates --------------------------------------------------------------------------------

// Metres from the south-west corner without a georeference that is north up.
static double cf_place(const cf_grid* grid, bool along_x, int32_t index)
{
    const double* a = grid->georef.affine;
    const double at = (double)index + 0.5;
    if (grid->has_map)
    {
        return along_x ? a[0] + a[1] * at : a[3] + a[5] * at;
    }
    return grid->cell * (along_x ? at : (double)grid->height - at);
}

static wadi_result cf_axis(cf_grid* grid, bool along_x)
{
    const int32_t count = along_x ? grid->width : grid->height;
    const char* name = along_x ? "x" : "y";
    int* dimension = &grid->dimensions[along_x ? 1 : 0];
    int variable;
    const char* degrees[2] = {"latitude", "longitude"};
    const char* metres[2] = {"projection_y_coordinate", "projection_x_coordinate"};
    const char* standard = grid->is_degrees ? degrees[along_x] : metres[along_x];
    const char* unit = !grid->is_degrees ? "m" : along_x ? "degrees_east" : "degrees_north";
    WADI_IO_CF_TRY(
        wadi_io_cf_check(grid->context, nc_def_dim(grid->file, name, (size_t)count, dimension)));
    WADI_IO_CF_TRY(wadi_io_cf_check(
        grid->context, nc_def_var(grid->file, name, NC_DOUBLE, 1, dimension, &variable)));
    WADI_IO_CF_TRY(cf_text(grid, variable, "standard_name", standard));
    WADI_IO_CF_TRY(cf_text(grid, variable, "units", unit));
    WADI_IO_CF_TRY(cf_text(grid, variable, "axis", along_x ? "X" : "Y"));
    double* values = malloc((size_t)count * sizeof *values);
    if (values == NULL)
    {
        return wadi_context_fail(grid->context, WADI_ERROR_MEMORY, "out of memory for coordinates");
    }
    for (int32_t i = 0; i < count; ++i)
    {
        values[i] = cf_place(grid, along_x, i);
    }
    const int status = nc_put_var_double(grid->file, variable, values);
    free(values);
    return wadi_io_cf_check(grid->context, status);
}

static wadi_result cf_number(const cf_grid* grid, int variable, const char* name, double value)
{
    return wadi_io_cf_check(grid->context,
                            nc_put_att_double(grid->file, variable, name, NC_DOUBLE, 1, &value));
}

// CF wants its own name of the projection beside the text of the system. It has one for transverse
// Mercator, which UTM zones are; other projections have the text alone.
static wadi_result cf_projection(const cf_grid* grid, int variable, OGRSpatialReferenceH system)
{
    static const char* const rows[][2] = {
        {"latitude_of_projection_origin", SRS_PP_LATITUDE_OF_ORIGIN},
        {"longitude_of_central_meridian", SRS_PP_CENTRAL_MERIDIAN},
        {"scale_factor_at_central_meridian", SRS_PP_SCALE_FACTOR},
        {"false_easting", SRS_PP_FALSE_EASTING},
        {"false_northing", SRS_PP_FALSE_NORTHING},
    };
    const char* projection = OSRGetAttrValue(system, "PROJECTION", 0);
    if (projection == NULL || strcmp(projection, SRS_PT_TRANSVERSE_MERCATOR) != 0)
    {
        return WADI_OK;
    }
    WADI_IO_CF_TRY(cf_text(grid, variable, "grid_mapping_name", "transverse_mercator"));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
    {
        const double value = OSRGetNormProjParm(system, rows[i][1], 0.0, NULL);
        WADI_IO_CF_TRY(cf_number(grid, variable, rows[i][0], value));
    }
    return WADI_OK;
}

// The coordinate system: as WKT 2, which CF wants; as GDAL's spatial_ref; by name; its ellipsoid.
static wadi_result cf_system(const cf_grid* grid, int variable, OGRSpatialReferenceH system)
{
    static const char* const options[] = {"FORMAT=WKT2_2018", NULL};
    char* text = NULL;
    const bool told = OSRExportToWktEx(system, &text, options) == OGRERR_NONE;
    const wadi_result result = cf_text(grid, variable, "crs_wkt", told ? text : grid->georef.wkt);
    CPLFree(text);
    WADI_IO_CF_TRY(result);
    WADI_IO_CF_TRY(cf_text(grid, variable, "spatial_ref", grid->georef.wkt));
    WADI_IO_CF_TRY(grid->is_degrees
                       ? cf_text(grid, variable, "grid_mapping_name", "latitude_longitude")
                       : cf_projection(grid, variable, system));
    OGRErr failed = OGRERR_NONE;
    const double axis = OSRGetSemiMajor(system, &failed);
    const double flattening = OSRGetInvFlattening(system, NULL);
    if (failed != OGRERR_NONE || flattening <= 0.0)
    {
        return WADI_OK; // no ellipsoid is known
    }
    WADI_IO_CF_TRY(cf_number(grid, variable, "semi_major_axis", axis));
    return cf_number(grid, variable, "inverse_flattening", flattening);
}

// The attributes of CF, and those that GDAL, QGIS and rioxarray read beside them.
static wadi_result cf_map(const cf_grid* grid)
{
    int variable;
    char transform[256];
    const double* a = grid->georef.affine;
    (void)snprintf(transform, sizeof transform, "%.17g %.17g %.17g %.17g %.17g %.17g", a[0], a[1],
                   a[2], a[3], a[4], a[5]);
    WADI_IO_CF_TRY(
        wadi_io_cf_check(grid->context, nc_def_var(grid->file, "crs", NC_INT, 0, NULL, &variable)));
    if (grid->georef.wkt[0] != '\0')
    {
        WADI_IO_CF_TRY(wadi_io_gdal_need(grid->context));
        OGRSpatialReferenceH system = OSRNewSpatialReference(grid->georef.wkt);
        const wadi_result result = cf_system(grid, variable, system);
        OSRDestroySpatialReference(system);
        WADI_IO_CF_TRY(result);
    }
    return cf_text(grid, variable, "GeoTransform", transform);
}

// ---- layers -------------------------------------------------------------------------------------

// What is known of a layer besides its name.
typedef struct cf_layer
{
    wadi_layer layer;
    const char* standard; // name of the CF table; NULL: none
    const char* doc;
    const char* unit;
} cf_layer;

static wadi_result cf_define(const cf_grid* grid, const char* name, const cf_layer* about,
                             int* variable)
{
    const float none = NAN;
    const int file = grid->file;
    WADI_IO_CF_TRY(wadi_io_cf_check(
        grid->context, nc_def_var(file, name, NC_FLOAT, 2, grid->dimensions, variable)));
    WADI_IO_CF_TRY(
        wadi_io_cf_check(grid->context, nc_def_var_fill(file, *variable, NC_FILL, &none)));
    WADI_IO_CF_TRY(wadi_io_cf_check(grid->context, nc_def_var_deflate(file, *variable, 1, 1, 1)));
    WADI_IO_CF_TRY(cf_text(grid, *variable, "long_name", about->doc));
    WADI_IO_CF_TRY(cf_text(grid, *variable, "units", about->unit));
    if (about->standard != NULL)
    {
        WADI_IO_CF_TRY(cf_text(grid, *variable, "standard_name", about->standard));
    }
    return grid->has_map ? cf_text(grid, *variable, "grid_mapping", "crs") : WADI_OK;
}

static wadi_result cf_fill(const cf_grid* grid, int variable, const wadi_view* view)
{
    float* row = malloc((size_t)grid->width * sizeof *row);
    wadi_result result = row != NULL ? WADI_OK
                                     : wadi_context_fail(grid->context, WADI_ERROR_MEMORY,
                                                         "out of memory for a row of a layer");
    for (int32_t y = 0; y < grid->height && result == WADI_OK; ++y)
    {
        for (int32_t x = 0; x < grid->width; ++x)
        {
            const bool valid = wadi_terrain_is_valid(grid->terrain, x, y);
            row[x] = valid ? view->data[y * view->stride + x] : NAN;
        }
        const size_t start[2] = {(size_t)y, 0};
        const size_t count[2] = {1, (size_t)grid->width};
        result = wadi_io_cf_check(grid->context,
                                  nc_put_vara_float(grid->file, variable, start, count, row));
    }
    free(row);
    return result;
}

static wadi_result cf_layer_add(const cf_grid* grid, const char* name, const cf_layer* about)
{
    int variable;
    wadi_view view;
    WADI_IO_CF_TRY(cf_define(grid, name, about, &variable));
    WADI_IO_CF_TRY(wadi_terrain_borrow(grid->terrain, about->layer, &view));
    const wadi_result result = cf_fill(grid, variable, &view);
    const wadi_result released = wadi_terrain_release(grid->terrain, about->layer);
    return result == WADI_OK ? released : result;
}

// Names of variables may not hold every character, nor those of other variables.
static void cf_name(const char* layer, int32_t index, char name[64])
{
    static const char* const taken[] = {"x",          "y",           "crs",        "wadi_state",
                                        "wadi_scene", "wadi_report", "surface",    "bedrock",
                                        "water",      "hardness",    "vegetation", "moisture"};
    bool plain = layer[0] != '\0';
    for (const char* c = layer; *c != '\0'; ++c)
    {
        plain = plain && ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' ||
                          (c > layer && *c >= '0' && *c <= '9'));
    }
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; ++i)
    {
        plain = plain && strcmp(layer, taken[i]) != 0;
    }
    if (plain)
    {
        (void)snprintf(name, 64, "%s", layer);
    }
    else
    {
        (void)snprintf(name, 64, "loose_%d", index);
    }
}

static wadi_result cf_loose(const cf_grid* grid)
{
    for (int32_t i = 0; i < wadi_terrain_loose_count(grid->terrain); ++i)
    {
        const wadi_layer layer = WADI_LAYER_LOOSE + i;
        const char* own = wadi_terrain_layer_name(grid->terrain, layer);
        char name[64];
        char doc[128];
        cf_name(own, i, name);
        (void)snprintf(doc, sizeof doc, "thickness of the loose layer %s", own);
        const cf_layer about = {layer, NULL, doc, "m"};
        WADI_IO_CF_TRY(cf_layer_add(grid, name, &about));
    }
    return WADI_OK;
}

wadi_result wadi_io_cf_layers(wadi_context* context, int file, wadi_terrain* terrain)
{
    static const cf_layer layers[] = {
        {WADI_LAYER_SURFACE, "surface_altitude", "elevation of the ground", "m"},
        {WADI_LAYER_BEDROCK, "bedrock_altitude", "elevation of the top of the rock", "m"},
        {WADI_LAYER_WATER, NULL, "depth of water above the ground", "m"},
        {WADI_LAYER_HARDNESS, NULL, "hardness: 0 soft, 1 not erodible", "1"},
        {WADI_LAYER_VEGETATION, "vegetation_area_fraction", "cover of plants", "1"},
        {WADI_LAYER_MOISTURE, NULL, "share of the pore space that is filled with water", "1"},
    };
    cf_grid grid = {.context = context,
                    .terrain = terrain,
                    .file = file,
                    .width = wadi_terrain_width(terrain),
                    .height = wadi_terrain_height(terrain),
                    .cell = wadi_terrain_cell_size(terrain),
                    .georef = wadi_terrain_georef(terrain)};
    const double* a = grid.georef.affine;
    grid.has_map = grid.georef.valid && a[2] == 0.0 && a[4] == 0.0;
    grid.is_degrees = grid.has_map && strncmp(grid.georef.wkt, "GEOG", 4) == 0;
    WADI_IO_CF_TRY(cf_axis(&grid, false));
    WADI_IO_CF_TRY(cf_axis(&grid, true));
    if (grid.has_map)
    {
        WADI_IO_CF_TRY(cf_map(&grid));
    }
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; ++i)
    {
        const char* name = wadi_terrain_layer_name(terrain, layers[i].layer);
        WADI_IO_CF_TRY(cf_layer_add(&grid, name, &layers[i]));
    }
    return cf_loose(&grid);
}
