// SPDX-License-Identifier: MIT
// GeoTIFFs as other programs write them: heights in feet, masks beside the heights, complex numbers
// and projections that stretch lengths.
// links: GDAL::GDAL
#include "io/sample.h"
#include "support/notes.h"

#include "io/raster/rows.h"

#include <gdal.h>

enum
{
    SIDE = 4
};

typedef struct foreign
{
    GDALDataType type;
    const char* unit;
    const char* wkt;
    double west; // [units of the coordinates]
    double north;
} foreign;

static const char mercator[] =
    "PROJCS[\"Mercator\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,"
    "298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],"
    "PROJECTION[\"Mercator_1SP\"],PARAMETER[\"central_meridian\",0],PARAMETER[\"scale_factor\",1],"
    "PARAMETER[\"false_easting\",0],PARAMETER[\"false_northing\",0],UNIT[\"metre\",1]]";

static const char utm[] =
    "PROJCS[\"UTM 32\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,"
    "298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],"
    "PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"latitude_of_origin\",0],"
    "PARAMETER[\"central_meridian\",9],PARAMETER[\"scale_factor\",0.9996],"
    "PARAMETER[\"false_easting\",500000],PARAMETER[\"false_northing\",0],UNIT[\"metre\",1]]";

// Heights in feet above a datum, over metres on the map.
static const char compound[] =
    "COMPD_CS[\"both\",PROJCS[\"UTM 32\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\","
    "6378137,298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],"
    "PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"latitude_of_origin\",0],"
    "PARAMETER[\"central_meridian\",9],PARAMETER[\"scale_factor\",0.9996],"
    "PARAMETER[\"false_easting\",500000],PARAMETER[\"false_northing\",0],UNIT[\"metre\",1]],"
    "VERT_CS[\"NAVD88 height (ftUS)\",VERT_DATUM[\"North American Vertical Datum 1988\",2005],"
    "UNIT[\"US survey foot\",0.304800609601219],AXIS[\"Up\",UP],AUTHORITY[\"EPSG\",\"6360\"]]]";

static const foreign plain = {GDT_Float32, "", utm, 500000.0, 5000000.0};

// Heights of 100, 101 ... on cells of 30 m.
static GDALDatasetH foreign_create(const char* path, const foreign* file)
{
    float values[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        values[i] = 100.0f + (float)i;
    }
    double affine[6] = {file->west, 30.0, 0.0, file->north, 0.0, -30.0};
    const char* const options[] = {"GEOTIFF_VERSION=1.1", NULL}; // which has vertical systems
    GDALAllRegister();
    GDALDatasetH out = GDALCreate(GDALGetDriverByName("GTiff"), path, SIDE, SIDE, 1, file->type,
                                  (char**)(uintptr_t)options);
    assert_non_null(out);
    GDALRasterBandH band = GDALGetRasterBand(out, 1);
    assert_int_equal(GDALSetGeoTransform(out, affine), CE_None);
    assert_int_equal(GDALSetProjection(out, file->wkt), CE_None);
    assert_int_equal(GDALSetRasterUnitType(band, file->unit), CE_None);
    assert_int_equal(
        GDALRasterIO(band, GF_Write, 0, 0, SIDE, SIDE, values, SIDE, SIDE, GDT_Float32, 0, 0),
        CE_None);
    return out;
}

static void foreign_write(const char* path, const foreign* file)
{
    GDALClose(foreign_create(path, file));
}

static void heights_in_feet_become_metres(void** state)
{
    (void)state;
    static const struct
    {
        const char* unit;
        double metres;
    } units[] = {{"ft", 0.3048},
                 {"US survey foot", 1200.0 / 3937.0},
                 {"cm", 0.01},
                 {"m", 1.0},
                 {"metre", 1.0}};
    notes said;
    wadi_context* context = notes_open(&said);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i)
    {
        foreign file = plain;
        file.unit = units[i].unit;
        foreign_write("feet.tif", &file);
        wadi_io_raster raster;
        said.last[0] = '\0';
        CHECK_OK(context, wadi_io_raster_read(context, "feet.tif", 0.0, true, &raster));
        CHECK_NEAR((double)raster.values[5], 105.0 * units[i].metres, 1e-5);
        assert_int_equal(strstr(said.last, "turned into metres") != NULL, units[i].metres != 1.0);
        wadi_io_raster_free(&raster);
        // maps keep their unit
        CHECK_OK(context, wadi_io_raster_read(context, "feet.tif", 0.0, false, &raster));
        CHECK_NEAR((double)raster.values[5], 105.0, 0.0);
        assert_string_equal(raster.read_unit, units[i].unit);
        wadi_io_raster_free(&raster);
        // a caller who says what they are is right
        const wadi_io_reading reading = {.scale = 2.0};
        CHECK_OK(context, wadi_io_raster_read_as(context, "feet.tif", &reading, true, &raster));
        CHECK_NEAR((double)raster.values[5], 210.0, 0.0);
        wadi_io_raster_free(&raster);
    }
    wadi_context_destroy(context);
}

// Converted as they are, numbers of feet have their unit in the sidecar.
static void feet_of_sidecars_become_metres(void** state)
{
    (void)state;
    notes said;
    wadi_context* context = notes_open(&said);
    foreign file = plain;
    file.unit = "ft";
    foreign_write("feet.tif", &file);
    static const char* const copies[] = {"feet.r32", "feet.png"};
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; ++i)
    {
        wadi_io_raster raster;
        CHECK_OK(context, wadi_io_raster_read(context, "feet.tif", 0.0, false, &raster));
        raster.unit = raster.read_unit;
        CHECK_OK(context, wadi_io_raster_write(context, &raster, copies[i]));
        wadi_io_raster_free(&raster);
        said.last[0] = '\0';
        CHECK_OK(context, wadi_io_raster_read(context, copies[i], 0.0, true, &raster));
        CHECK_NEAR((double)raster.values[5], 105.0 * 0.3048, 1e-3);
        assert_string_equal(raster.read_unit, "m");
        assert_non_null(strstr(said.last, "turned into metres"));
        wadi_io_raster_free(&raster);
        // maps keep their unit
        CHECK_OK(context, wadi_io_raster_read(context, copies[i], 0.0, false, &raster));
        CHECK_NEAR((double)raster.values[5], 105.0, 1e-3);
        assert_string_equal(raster.read_unit, "ft");
        wadi_io_raster_free(&raster);
    }
    wadi_context_destroy(context);
}

// The mark of no data that a file does not declare is one in feet too, not a height of -3048 m.
static void marks_in_feet_are_no_heights(void** state)
{
    (void)state;
    static const float marks[] = {-9999.0f, -32767.0f, -32768.0f};
    fixture f;
    fixture_open(&f, 1);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; ++i)
    {
        foreign file = plain;
        file.unit = "ft";
        GDALDatasetH out = foreign_create("marks.tif", &file);
        float mark = marks[i];
        assert_int_equal(GDALRasterIO(GDALGetRasterBand(out, 1), GF_Write, 2, 1, 1, 1, &mark, 1, 1,
                                      GDT_Float32, 0, 0),
                         CE_None);
        GDALClose(out);
        wadi_io_raster raster;
        CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "ft, a usual mark of no data",
                    wadi_io_raster_read(f.context, "marks.tif", 0.0, true, &raster));
    }
    wadi_io_rows rows;
    const wadi_io_reading reading = {.cell = 0.0};
    float values[SIDE];
    CHECK_OK(f.context, wadi_io_rows_open(f.context, "marks.tif", &reading, &rows));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "column 2, row 1 is -32768 of its unit",
                wadi_io_rows_read(f.context, &rows, 1, 1, values));
    wadi_io_rows_close(&rows);
    fixture_close(&f);
}

// A coordinate system with feet upwards would contradict the heights in metres.
static void a_datum_in_feet_is_left_out(void** state)
{
    (void)state;
    notes said;
    wadi_context* context = notes_open(&said);
    foreign file = plain;
    file.wkt = compound;
    foreign_write("compound.tif", &file);
    wadi_io_raster raster;
    CHECK_OK(context, wadi_io_raster_read(context, "compound.tif", 0.0, false, &raster));
    assert_non_null(strstr(raster.georef.wkt, "VERT_CS"));
    wadi_io_raster_free(&raster);
    CHECK_OK(context, wadi_io_raster_read(context, "compound.tif", 0.0, true, &raster));
    CHECK_NEAR((double)raster.values[5], 105.0 * 1200.0 / 3937.0, 1e-5);
    assert_null(strstr(raster.georef.wkt, "VERT_CS"));
    assert_non_null(strstr(raster.georef.wkt, "Transverse_Mercator"));
    wadi_io_raster_free(&raster);
    wadi_context_destroy(context);
}

static void rows_in_feet_become_metres(void** state)
{
    (void)state;
    notes said;
    wadi_context* context = notes_open(&said);
    foreign file = plain;
    file.unit = "ft";
    foreign_write("feet.tif", &file);
    wadi_io_rows rows;
    const wadi_io_reading reading = {.cell = 0.0};
    float values[SIDE];
    CHECK_OK(context, wadi_io_rows_open(context, "feet.tif", &reading, &rows));
    CHECK_OK(context, wadi_io_rows_read(context, &rows, 1, 1, values));
    CHECK_NEAR((double)values[1], 105.0 * 0.3048, 1e-5);
    assert_string_equal(rows.header.read_unit, "m");
    assert_non_null(strstr(said.last, "turned into metres"));
    wadi_io_rows_close(&rows);
    wadi_context_destroy(context);
}

static void cells_behind_a_mask_have_no_data(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const unsigned char hidden[SIDE * SIDE] = {0, 0, 255, 255, 0, 255, 255, 255,
                                               1, 1, 1,   1,   1, 1,   1,   1};
    GDALDatasetH file = foreign_create("masked.tif", &plain);
    assert_int_equal(GDALCreateDatasetMaskBand(file, GMF_PER_DATASET), CE_None);
    assert_int_equal(GDALRasterIO(GDALGetMaskBand(GDALGetRasterBand(file, 1)), GF_Write, 0, 0, SIDE,
                                  SIDE, (void*)(uintptr_t)hidden, SIDE, SIDE, GDT_Byte, 0, 0),
                     CE_None);
    GDALClose(file);
    wadi_io_raster raster;
    wadi_io_rows rows;
    const wadi_io_reading reading = {.cell = 0.0};
    float row[SIDE];
    CHECK_OK(f.context, wadi_io_raster_read(f.context, "masked.tif", 0.0, true, &raster));
    CHECK_OK(f.context, wadi_io_rows_open(f.context, "masked.tif", &reading, &rows));
    for (int y = 0; y < SIDE; ++y)
    {
        CHECK_OK(f.context, wadi_io_rows_read(f.context, &rows, y, 1, row));
        for (int x = 0; x < SIDE; ++x)
        {
            const int i = y * SIDE + x;
            assert_int_equal(isnan(raster.values[i]) != 0, hidden[i] == 0);
            assert_int_equal(isnan(row[x]) != 0, hidden[i] == 0);
        }
    }
    wadi_io_rows_close(&rows);
    wadi_io_raster_free(&raster);
    fixture_close(&f);
}

static void complex_numbers_are_no_heights(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    foreign file = plain;
    file.type = GDT_CFloat32;
    foreign_write("complex.tif", &file);
    wadi_io_raster raster;
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "complex.tif holds complex numbers",
                wadi_io_raster_read(f.context, "complex.tif", 0.0, true, &raster));
    fixture_close(&f);
}

// With a scale of 0 all heights would be one.
static void a_scale_of_0_is_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    GDALDatasetH file = foreign_create("scale.tif", &plain);
    assert_int_equal(GDALSetRasterScale(GDALGetRasterBand(file, 1), 0.0), CE_None);
    GDALClose(file);
    wadi_io_raster raster;
    wadi_io_rows rows;
    const wadi_io_reading reading = {.cell = 0.0};
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "scale.tif has a scale of 0 for its heights",
                wadi_io_raster_read(f.context, "scale.tif", 0.0, true, &raster));
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "scale.tif has a scale of 0 for its heights",
                wadi_io_rows_open(f.context, "scale.tif", &reading, &rows));
    fixture_close(&f);
}

// World files of other programs have rotations that are left of rounding.
static void only_real_rotations_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (int i = 0; i < 2; ++i)
    {
        const double turn = i == 0 ? 1e-9 : 0.03;
        double affine[6] = {500000.0, 30.0, turn, 5000000.0, -turn, -30.0};
        GDALDatasetH file = foreign_create("turned.tif", &plain);
        assert_int_equal(GDALSetGeoTransform(file, affine), CE_None);
        GDALClose(file);
        wadi_io_raster raster;
        const wadi_result result = wadi_io_raster_read(f.context, "turned.tif", 0.0, true, &raster);
        assert_int_equal(result, i == 0 ? WADI_OK : WADI_ERROR_FORMAT);
        assert_true(i == 1 || (raster.georef.affine[2] == 0.0 && raster.georef.affine[4] == 0.0));
        assert_true(i == 0 || strstr(wadi_error_detail(f.context), "not north up") != NULL);
        wadi_io_raster_free(&raster);
    }
    fixture_close(&f);
}

static void write_text(const char* path, const char* mark, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fprintf(file, "%s%s", mark, text) > 0);
    assert_int_equal(fclose(file), 0);
}

// GDAL reads no projection behind a byte order mark, and says nothing.
static void a_projection_behind_a_byte_order_mark_is_read(void** state)
{
    (void)state;
    notes said;
    wadi_context* context = notes_open(&said);
    wadi_io_raster raster;
    write_text("marked.asc", "",
               "ncols 2\nnrows 2\nxllcorner 500000\nyllcorner 5000000\ncellsize 30\n1 2\n3 4\n");
    write_text("marked.prj", "\xEF\xBB\xBF", utm);
    CHECK_OK(context, wadi_io_raster_read(context, "marked.asc", 0.0, true, &raster));
    assert_non_null(strstr(raster.georef.wkt, "UTM"));
    assert_string_equal(said.last, "");
    wadi_io_raster_free(&raster);
    write_text("marked.prj", "", "not a projection");
    CHECK_OK(context, wadi_io_raster_read(context, "marked.asc", 0.0, true, &raster));
    assert_string_equal(raster.georef.wkt, "");
    assert_non_null(strstr(said.last, "marked.prj is no projection in ESRI's text form"));
    wadi_io_raster_free(&raster);
    wadi_context_destroy(context);
}

// Mercator's cells of 30 m at 60 N are 30 cos(60) / (1 - e^2 sin(60)^2)^(1/2) m wide; those of UTM
// are 30 m.
static void stretched_cells_are_noted(void** state)
{
    (void)state;
    notes said;
    wadi_context* context = notes_open(&said);
    foreign file = {GDT_Float32, "m", mercator, 900000.0, 8362758.55};
    wadi_io_raster raster;
    foreign_write("mercator.tif", &file);
    CHECK_OK(context, wadi_io_raster_read(context, "mercator.tif", 0.0, true, &raster));
    assert_non_null(strstr(
        said.last, "cells of 30 x 30 m in its coordinates are 15.04 x 15.04 m on the ground"));
    wadi_io_raster_free(&raster);
    said.last[0] = '\0';
    foreign_write("utm.tif", &plain);
    CHECK_OK(context, wadi_io_raster_read(context, "utm.tif", 0.0, true, &raster));
    assert_string_equal(said.last, "");
    wadi_io_raster_free(&raster);
    wadi_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_in_feet_become_metres),
        cmocka_unit_test(feet_of_sidecars_become_metres),
        cmocka_unit_test(a_datum_in_feet_is_left_out),
        cmocka_unit_test(rows_in_feet_become_metres),
        cmocka_unit_test(marks_in_feet_are_no_heights),
        cmocka_unit_test(cells_behind_a_mask_have_no_data),
        cmocka_unit_test(complex_numbers_are_no_heights),
        cmocka_unit_test(a_scale_of_0_is_refused),
        cmocka_unit_test(only_real_rotations_are_refused),
        cmocka_unit_test(a_projection_behind_a_byte_order_mark_is_read),
        cmocka_unit_test(stretched_cells_are_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
