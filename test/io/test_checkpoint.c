// SPDX-License-Identifier: MIT
// A checkpoint is a map too: GDAL, and with it QGIS, opens its layers with place, coordinate
// system, units and voids, and its metadata are those of CF, by which xarray and ParaView find the
// axes.
// links: GDAL::GDAL PkgConfig::NETCDF
#include "support/fixture.h"

#include "io/checkpoint/checkpoint.h"
#include "io/scene/scene_yaml.h"

#include <gdal.h>
#include <netcdf.h>
#include <ogr_srs_api.h>
#include <stdlib.h>

#include <cpl_conv.h>

enum
{
    WIDTH = 60,
    HEIGHT = 40,
    ZONE = 32632 // UTM 32 N
};

static const double affine[6] = {500000.0, 25.0, 0.0, 5201000.0, 0.0, -25.0};

static const char scene_text[] = "wadi: 1\n"
                                 "seed: 3\n"
                                 "terrain: {size: [60, 40], cell: 25 m, noise: {relief: 500 m}}\n"
                                 "layers: {sediment: {constant: 1 m}}\n"
                                 "steps: [{talus: {for: 1 yr}}]\n";

typedef struct map
{
    fixture f;
    wadi_scene* scene;
    wadi_run* run;
} map;

static void set_georef(map* m)
{
    OGRSpatialReferenceH system = OSRNewSpatialReference(NULL);
    char* wkt = NULL;
    assert_int_equal(OSRImportFromEPSG(system, ZONE), OGRERR_NONE);
    assert_int_equal(OSRExportToWkt(system, &wkt), OGRERR_NONE);
    wadi_georef georef = {.valid = true, .wkt = wkt};
    memcpy(georef.affine, affine, sizeof affine);
    CHECK_OK(m->f.context, wadi_terrain_set_georef(wadi_run_terrain(m->run), &georef));
    CPLFree(wkt);
    OSRDestroySpatialReference(system);
}

// Run a scene and write its state to state.nc.
static void map_open(map* m, bool has_georef)
{
    fixture_open(&m->f, 1);
    GDALAllRegister();
    CHECK_OK(m->f.context, wadi_io_scene_parse(m->f.context, "s.yaml", scene_text,
                                               strlen(scene_text), NULL, 0, &m->scene));
    const wadi_host host = {0};
    CHECK_OK(m->f.context, wadi_run_create(m->scene, &host, &m->run));
    CHECK_OK(m->f.context, wadi_run_next(m->run));
    fixture_holes(wadi_run_terrain(m->run));
    if (has_georef)
    {
        set_georef(m);
    }
    const wadi_io_checkpoint_notes notes = {.scene = scene_text,
                                            .path = "s.yaml",
                                            .folder = "/",
                                            .relative = "./",
                                            .grid_file = "",
                                            .file = "state.nc",
                                            .report = ""};
    CHECK_OK(m->f.context, wadi_io_checkpoint_write(m->run, &notes, "state.nc"));
}

static void map_close(map* m)
{
    wadi_run_destroy(m->run);
    wadi_scene_destroy(m->scene);
    fixture_close(&m->f);
}

// ---- GDAL ---------------------------------------------------------------------------------------

static void check_values(const map* m, GDALRasterBandH band, wadi_layer layer)
{
    wadi_terrain* terrain = wadi_run_terrain(m->run);
    static float values[HEIGHT][WIDTH];
    assert_int_equal(
        GDALRasterIO(band, GF_Read, 0, 0, WIDTH, HEIGHT, values, WIDTH, HEIGHT, GDT_Float32, 0, 0),
        CE_None);
    wadi_view view;
    CHECK_OK(m->f.context, wadi_terrain_borrow(terrain, layer, &view));
    for (int32_t y = 0; y < HEIGHT; ++y)
    {
        for (int32_t x = 0; x < WIDTH; ++x)
        {
            // row 0 is in the north in both
            const float own = view.data[y * view.stride + x];
            const bool valid = wadi_terrain_is_valid(terrain, x, y);
            assert_true(valid ? values[y][x] >= own && values[y][x] <= own : isnan(values[y][x]));
        }
    }
    CHECK_OK(m->f.context, wadi_terrain_release(terrain, layer));
}

static void check_layer(const map* m, const char* name, wadi_layer layer, const char* unit,
                        const double place[6])
{
    char path[64];
    double found[6];
    int has_none;
    (void)snprintf(path, sizeof path, "NETCDF:\"state.nc\":%s", name);
    GDALDatasetH file = GDALOpen(path, GA_ReadOnly);
    assert_non_null(file);
    assert_int_equal(GDALGetRasterXSize(file), WIDTH);
    assert_int_equal(GDALGetRasterYSize(file), HEIGHT);
    assert_int_equal(GDALGetGeoTransform(file, found), CE_None);
    for (int i = 0; i < 6; ++i)
    {
        CHECK_NEAR(found[i], place[i], 1e-6);
    }
    GDALRasterBandH band = GDALGetRasterBand(file, 1);
    assert_string_equal(GDALGetRasterUnitType(band), unit);
    assert_true(isnan(GDALGetRasterNoDataValue(band, &has_none)) && has_none != 0);
    check_values(m, band, layer);
    GDALClose(file);
}

static const struct
{
    const char* name;
    wadi_layer layer;
    const char* unit;
    const char* standard; // name of CF; NULL: it has none
} layers[] = {
    {"surface", WADI_LAYER_SURFACE, "m", "surface_altitude"},
    {"bedrock", WADI_LAYER_BEDROCK, "m", "bedrock_altitude"},
    {"sediment", WADI_LAYER_SEDIMENT, "m", NULL},
    {"water", WADI_LAYER_WATER, "m", NULL},
    {"hardness", WADI_LAYER_HARDNESS, "1", NULL},
    {"vegetation", WADI_LAYER_VEGETATION, "1", "vegetation_area_fraction"},
    {"moisture", WADI_LAYER_MOISTURE, "1", NULL},
};

static void gdal_opens_the_layers_in_their_place(void** state)
{
    (void)state;
    map m;
    map_open(&m, true);
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; ++i)
    {
        check_layer(&m, layers[i].name, layers[i].layer, layers[i].unit, affine);
    }
    GDALDatasetH file = GDALOpen("NETCDF:\"state.nc\":surface", GA_ReadOnly);
    OGRSpatialReferenceH wanted = OSRNewSpatialReference(NULL);
    assert_int_equal(OSRImportFromEPSG(wanted, ZONE), OGRERR_NONE);
    assert_true(OSRIsSame(GDALGetSpatialRef(file), wanted));
    OSRDestroySpatialReference(wanted);
    GDALClose(file);
    map_close(&m);
}

// Without a georeference x and y are metres from the south-west corner.
static void gdal_places_land_without_a_georeference(void** state)
{
    (void)state;
    const double place[6] = {0.0, 25.0, 0.0, 1000.0, 0.0, -25.0};
    map m;
    map_open(&m, false);
    check_layer(&m, "surface", WADI_LAYER_SURFACE, "m", place);
    map_close(&m);
}

// ---- CF -----------------------------------------------------------------------------------------

static void check_text(int file, int variable, const char* name, const char* begin)
{
    static char text[8192];
    size_t size;
    assert_int_equal(nc_inq_attlen(file, variable, name, &size), NC_NOERR);
    assert_true(size + 1 < sizeof text);
    assert_int_equal(nc_get_att_text(file, variable, name, text), NC_NOERR);
    text[size] = '\0';
    if (strncmp(text, begin, strlen(begin)) != 0)
    {
        fail_msg("%s is '%s', not '%s'", name, text, begin);
    }
}

static int variable_of(int file, const char* name)
{
    int variable;
    assert_int_equal(nc_inq_varid(file, name, &variable), NC_NOERR);
    return variable;
}

static void check_axis(int file, const char* name, const char* standard, double first, double step,
                       size_t count)
{
    const int variable = variable_of(file, name);
    double values[WIDTH];
    check_text(file, variable, "standard_name", standard);
    check_text(file, variable, "units", "m");
    assert_int_equal(nc_get_var_double(file, variable, values), NC_NOERR);
    for (size_t i = 0; i < count; ++i)
    {
        CHECK_NEAR(values[i], first + step * (double)i, 1e-6); // centres of cells
    }
}

static void check_layer_attributes(int file)
{
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; ++i)
    {
        const int variable = variable_of(file, layers[i].name);
        int dimensions[2];
        int axes[2];
        float none;
        assert_int_equal(nc_inq_vardimid(file, variable, dimensions), NC_NOERR);
        assert_int_equal(nc_inq_dimid(file, "y", &axes[0]), NC_NOERR);
        assert_int_equal(nc_inq_dimid(file, "x", &axes[1]), NC_NOERR);
        assert_memory_equal(dimensions, axes, sizeof axes);
        check_text(file, variable, "units", layers[i].unit);
        check_text(file, variable, "long_name", "");
        check_text(file, variable, "grid_mapping", "crs");
        assert_int_equal(nc_get_att_float(file, variable, "_FillValue", &none), NC_NOERR);
        assert_true(isnan(none));
        if (layers[i].standard != NULL)
        {
            check_text(file, variable, "standard_name", layers[i].standard);
        }
    }
}

static void the_metadata_are_those_of_cf(void** state)
{
    (void)state;
    map m;
    int file;
    double number;
    map_open(&m, true);
    assert_int_equal(nc_open("state.nc", NC_NOWRITE, &file), NC_NOERR);
    check_text(file, NC_GLOBAL, "Conventions", "CF-1.8");
    check_axis(file, "x", "projection_x_coordinate", 500012.5, 25.0, WIDTH);
    check_axis(file, "y", "projection_y_coordinate", 5200987.5, -25.0, HEIGHT);
    check_layer_attributes(file);
    const int crs = variable_of(file, "crs");
    check_text(file, crs, "grid_mapping_name", "transverse_mercator");
    check_text(file, crs, "crs_wkt", "PROJCRS[\"WGS 84 / UTM zone 32N\""); // WKT 2
    check_text(file, crs, "spatial_ref", "PROJCS[\"WGS 84 / UTM zone 32N\"");
    assert_int_equal(nc_get_att_double(file, crs, "longitude_of_central_meridian", &number),
                     NC_NOERR);
    CHECK_NEAR(number, 9.0, 1e-9);
    assert_int_equal(nc_get_att_double(file, crs, "inverse_flattening", &number), NC_NOERR);
    CHECK_NEAR(number, 298.257223563, 1e-6);
    assert_int_equal(nc_close(file), NC_NOERR);
    map_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gdal_opens_the_layers_in_their_place),
        cmocka_unit_test(gdal_places_land_without_a_georeference),
        cmocka_unit_test(the_metadata_are_those_of_cf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
