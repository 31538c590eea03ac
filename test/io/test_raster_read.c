// SPDX-License-Identifier: MIT
// Reading elevation models: real ones with known numbers, the dialects of text formats, and files
// that must be refused with advice.
#include "io/sample.h"

#include <stdint.h>
#include <sys/stat.h>

static const struct
{
    const char* file;
    double cell; // [m] given by hand; 0: as in the file
    int32_t width;
    int32_t height;
    sample_numbers numbers;
    double dx;
    bool geographic;
    bool point;
} crops[] = {
    {SAMPLE_SCENES "bernese-alps-256.tif",
     0.0,
     256,
     256,
     {269, 2709, 1374.61932, 12367},
     1.0 / 1200,
     true,
     true},
    {SAMPLE_DATA "taal-256.tif",
     0.0,
     256,
     256,
     {10, 2567, 1119.38393, 961},
     1.0 / 1200,
     true,
     false},
    {SAMPLE_SCENES "new-zealand-192x160.tif",
     0.0,
     192,
     160,
     {0, 4140.3325, 569.22413, 25957},
     1000,
     false,
     false},
    {SAMPLE_DATA "st-helens-128.tif",
     0.0,
     128,
     128,
     {1658.5, 2212.4080, 1850.03998, 0},
     10,
     false,
     false},
    {SAMPLE_DATA "eno-river-192.tif",
     0.0,
     192,
     192,
     {192.8143, 228.2456, 210.79233, 0},
     1.0 / 10800,
     true,
     false},
    {SAMPLE_SCENES "bijou-gullies-5m.asc",
     0.0,
     105,
     77,
     {1673.0679, 1729.8650, 1709.86473, 0},
     4.988744589,
     false,
     false},
    {SAMPLE_DATA "puget-sound-257.png",
     160.0,
     257,
     257,
     {670, 14127, 5131.96201, 0},
     160,
     false,
     false},
    {SAMPLE_DATA "pyrenees-256.tif",
     0.0,
     256,
     256,
     {627, 2462, 1323.90011, 1663},
     1.0 / 1200,
     true,
     true},
    {SAMPLE_DATA "tidal-marsh-150x120.asc",
     0.0,
     150,
     120,
     {-1.81418, 1.53425, 1.03023, 1021},
     2,
     false,
     false},
    {SAMPLE_DATA "st-helens-dome-2004.tif",
     0.0,
     160,
     208,
     {1718.18707, 2538.09912, 2057.50831, 0},
     10,
     false,
     false},
    {SAMPLE_DATA "st-helens-dome-2007.tif",
     0.0,
     160,
     208,
     {1718.18707, 2538.09912, 2085.61884, 0},
     10,
     false,
     false},
};

static void real_ground_has_its_known_numbers(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (size_t i = 0; i < sizeof crops / sizeof crops[0]; ++i)
    {
        wadi_io_raster raster;
        CHECK_OK(f.context,
                 wadi_io_raster_read(f.context, crops[i].file, crops[i].cell, true, &raster));
        assert_int_equal(raster.width, crops[i].width);
        assert_int_equal(raster.height, crops[i].height);
        sample_check_numbers(&raster, &crops[i].numbers);
        CHECK_NEAR(raster.dx, crops[i].dx, 1e-9);
        assert_int_equal(raster.geographic, crops[i].geographic);
        assert_int_equal(raster.point, crops[i].point);
        wadi_io_raster_free(&raster);
    }
    fixture_close(&f);
}

// Four cells, 1 2 / 3 4, in every spelling found in files.
static const char* const spellings[] = {
    "ncols 2\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\nNODATA_value -9999\n1 2\n3 4\n",
    "NCOLS 2\nNROWS 2\nXLLCORNER 10\nYLLCORNER 20\nCELLSIZE 2\nNODATA_VALUE -9999\n1 2\n3 4\n",
    "ncols 2\nnrows 2\nxllcenter 11\nyllcenter 21\ncellsize 2\n1.0e0 2.0E+00\n+3 4e0\n",
    "ncols 2\r\nnrows 2\r\nxllcorner 10\r\nyllcorner 20\r\ncellsize 2\r\n1 2\r\n3 4\r\n",
    ("ncols 2\nnrows 2\nxllcorner 10,0\nyllcorner 20,0\ncellsize 2,0\nNODATA_value -9999\n"
     "1,0 2,0\n3,0 4,0\n"),
};

static void esri_text_is_read_in_all_its_spellings(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; ++i)
    {
        sample_write_text("spelling.asc", spellings[i]);
        wadi_io_raster raster;
        CHECK_OK(f.context, wadi_io_raster_read(f.context, "spelling.asc", 0.0, true, &raster));
        for (int cell = 0; cell < 4; ++cell)
        {
            CHECK_NEAR((double)raster.values[cell], 1.0 + cell, 0.0);
        }
        CHECK_NEAR(raster.dx, 2.0, 0.0);
        CHECK_NEAR(raster.georef.affine[0], 10.0, 0.0);
        CHECK_NEAR(raster.georef.affine[3], 24.0, 0.0);
        wadi_io_raster_free(&raster);
    }
    fixture_close(&f);
}

static void srtm_lies_where_its_name_says(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const size_t side = 1201;
    unsigned char* bytes = calloc(side * side, 2);
    assert_non_null(bytes);
    bytes[0] = 0x01; // 256 + 44 m in the north-west, high byte first
    bytes[1] = 0x2C;
    bytes[2] = 0x80; // -32768: no data
    sample_write_bytes("N42E001.hgt", bytes, side * side * 2);
    free(bytes);
    wadi_io_raster raster;
    CHECK_OK(f.context, wadi_io_raster_read(f.context, "N42E001.hgt", 0.0, true, &raster));
    assert_true(raster.geographic);
    CHECK_NEAR((double)raster.values[0], 300.0, 0.0);
    assert_true(isnan(raster.values[1]));
    // samples lie on whole degrees, so cells reach half a cell beyond
    CHECK_NEAR(raster.georef.affine[0], 1.0 - 0.5 / 1200, 1e-9);
    CHECK_NEAR(raster.georef.affine[3], 43.0 + 0.5 / 1200, 1e-9);
    wadi_io_raster_free(&raster);
    fixture_close(&f);
}

// A window of a real tile, copied into an otherwise empty tile at its old place, is read with its
// old heights, longitude and latitude.
static void a_real_srtm_tile_has_its_heights_and_place(void** state)
{
    (void)state;
    enum
    {
        SIDE = 1201,
        COLUMN = 704,
        ROW = 896
    };
    static unsigned char bytes[SIDE * SIDE][2];
    fixture f;
    fixture_open(&f, 1);
    wadi_io_raster window;
    CHECK_OK(f.context,
             wadi_io_raster_read(f.context, SAMPLE_DATA "pyrenees-256.tif", 0.0, true, &window));
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int32_t x = i % SIDE - COLUMN;
        const int32_t y = i / SIDE - ROW;
        const bool inside = x >= 0 && x < window.width && y >= 0 && y < window.height;
        const float height = inside ? window.values[y * window.width + x] : NAN;
        const uint32_t word = isnan(height) ? 0x8000u : (uint32_t)height;
        bytes[i][0] = (unsigned char)(word >> 8);
        bytes[i][1] = (unsigned char)(word & 0xFF);
    }
    sample_write_bytes("N42E001.hgt", bytes, sizeof bytes);
    wadi_io_raster tile;
    CHECK_OK(f.context, wadi_io_raster_read(f.context, "N42E001.hgt", 0.0, true, &tile));
    sample_check_numbers(&tile,
                         &(sample_numbers){627, 2462, 1323.90011, SIDE * SIDE - 256 * 256 + 1663});
    CHECK_NEAR(tile.georef.affine[0] + COLUMN * tile.dx, window.georef.affine[0], 1e-9);
    CHECK_NEAR(tile.georef.affine[3] - ROW * tile.dy, window.georef.affine[3], 1e-9);
    wadi_io_raster_free(&tile);
    wadi_io_raster_free(&window);
    fixture_close(&f);
}

static void raw_heights_find_their_size(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const unsigned char bytes[12] = {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 0, 1};
    sample_write_bytes("land_3x2.r16", bytes, sizeof bytes);
    wadi_io_raster raster;
    CHECK_OK(f.context, wadi_io_raster_read(f.context, "land_3x2.r16", 4.0, true, &raster));
    assert_int_equal(raster.width, 3);
    assert_int_equal(raster.height, 2);
    CHECK_NEAR((double)raster.values[3], 4.0, 0.0);
    CHECK_NEAR((double)raster.values[5], 256.0, 0.0);
    wadi_io_raster_free(&raster);
    // the same bytes, high byte first
    sample_write_text("land_3x2.r16.json", "{\"cell_size_m\": 4, \"byte_order\": \"big endian\"}");
    CHECK_OK(f.context, wadi_io_raster_read(f.context, "land_3x2.r16", 0.0, true, &raster));
    CHECK_NEAR((double)raster.values[0], 256.0, 0.0);
    CHECK_NEAR((double)raster.values[5], 1.0, 0.0);
    wadi_io_raster_free(&raster);
    assert_int_equal(remove("land_3x2.r16.json"), 0);
    sample_write_bytes("land.r16", bytes, 8);
    CHECK_OK(f.context, wadi_io_raster_read(f.context, "land.r16", 4.0, true, &raster));
    assert_int_equal(raster.width, 2);
    wadi_io_raster_free(&raster);
    sample_write_bytes("land.r16", bytes, sizeof bytes);
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "NAME_WxH.r16",
                wadi_io_raster_read(f.context, "land.r16", 4.0, true, &raster));
    fixture_close(&f);
}

static const struct
{
    const char* text;
    wadi_result code;
    const char* message;
} bad_texts[] = {
    {"", WADI_ERROR_FORMAT, "not a readable raster"},
    {"hello\n", WADI_ERROR_FORMAT, "not a readable raster"},
    {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\n1 2\n3\n", WADI_ERROR_FORMAT,
     "cut short"},
    {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\nNODATA_value -9\n-9 -9\n-9 -9\n",
     WADI_ERROR_FORMAT, "no cell with data"},
    {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\n1 2\n1e30 4\n", WADI_ERROR_RANGE,
     "column 0, row 1"},
    {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\n1 -1e30\n3 4\n", WADI_ERROR_RANGE,
     "column 1, row 0"},
    {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\n1 2\n3 40000\n", WADI_ERROR_RANGE,
     "40000 m"},
    {"ncols 0\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\n\n", WADI_ERROR_FORMAT,
     "not a readable raster"},
    {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 0\n1 2\n3 4\n", WADI_ERROR_FORMAT,
     "cells of 0 x 0; expected a size above 0"},
    {"ncols 2\nnrows 2\nxllcorner 7\nyllcorner 46\ncellsize 0.0008333333333\n1 2\n3 4\n",
     WADI_ERROR_FORMAT, "degrees"},
};

static void bad_texts_are_refused_in_one_line(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (size_t i = 0; i < sizeof bad_texts / sizeof bad_texts[0]; ++i)
    {
        sample_write_text("bad.asc", bad_texts[i].text);
        wadi_io_raster raster;
        CHECK_FAILS(f.context, bad_texts[i].code, bad_texts[i].message,
                    wadi_io_raster_read(f.context, "bad.asc", 0.0, true, &raster));
        assert_null(strchr(wadi_error_detail(f.context), '\n'));
        assert_non_null(strstr(wadi_error_detail(f.context), "bad.asc"));
        assert_null(raster.values);
    }
    fixture_close(&f);
}

static void files_that_are_no_ground_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_raster raster;
    CHECK_FAILS(f.context, WADI_ERROR_IO, "No such file",
                wadi_io_raster_read(f.context, "nowhere.tif", 0.0, true, &raster));
    CHECK_FAILS(f.context, WADI_ERROR_IO, "is a folder",
                wadi_io_raster_read(f.context, WADI_SOURCE_DIR, 0.0, true, &raster));
    CHECK_FAILS(
        f.context, WADI_ERROR_FORMAT, "--cell",
        wadi_io_raster_read(f.context, SAMPLE_DATA "puget-sound-257.png", 0.0, true, &raster));
    CHECK_FAILS(
        f.context, WADI_ERROR_ARGUMENT, "leave --cell out",
        wadi_io_raster_read(f.context, SAMPLE_DATA "st-helens-128.tif", 3.0, true, &raster));
    fixture_close(&f);
}

// The headers are whole in all of these; the cells are not.
static void files_cut_short_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    static const char* const files[][2] = {{SAMPLE_DATA "st-helens-128.tif", "cut.tif"},
                                           {SAMPLE_SCENES "bernese-alps-256.tif", "cut.tif"},
                                           {SAMPLE_DATA "puget-sound-257.png", "cut.png"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i)
    {
        struct stat status;
        assert_int_equal(stat(files[i][0], &status), 0);
        for (int eighth = 4; eighth < 8; ++eighth)
        {
            sample_cut(files[i][0], files[i][1], (size_t)status.st_size * (size_t)eighth / 8);
            wadi_io_raster raster;
            CHECK_FAILS(
                f.context, WADI_ERROR_FORMAT, files[i][1],
                wadi_io_raster_read(f.context, files[i][1], 10.0 * (i == 2), true, &raster));
        }
    }
    fixture_close(&f);
}

// libnetcdf would read missing cells as 0.
static void a_short_netcdf_file_is_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_raster raster;
    CHECK_OK(f.context,
             wadi_io_raster_read(f.context, SAMPLE_DATA "st-helens-128.tif", 0.0, true, &raster));
    CHECK_OK(f.context, wadi_io_raster_write(f.context, &raster, "whole.nc"));
    wadi_io_raster_free(&raster);
    struct stat status;
    assert_int_equal(stat("whole.nc", &status), 0);
    const size_t size = (size_t)status.st_size;
    const size_t cuts[] = {size / 8, size / 2, size - 1000, size - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; ++i)
    {
        sample_cut("whole.nc", "cut.nc", cuts[i]);
        CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "is it cut short?",
                    wadi_io_raster_read(f.context, "cut.nc", 0.0, true, &raster));
    }
    sample_cut("whole.nc", "cut.nc", 300); // within the header
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "invalid NetCDF header",
                wadi_io_raster_read(f.context, "cut.nc", 0.0, true, &raster));
    CHECK_OK(f.context, wadi_io_raster_read(f.context, "whole.nc", 0.0, true, &raster));
    wadi_io_raster_free(&raster);
    fixture_close(&f);
}

// With any one byte of a NetCDF header wrong, the reader returns heights within the range, or fails
// with a message of one line.
static void a_damaged_netcdf_header_is_no_crash(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float values[6];
    const wadi_io_raster small = sample_raster(values, 3, 2);
    CHECK_OK(f.context, wadi_io_raster_write(f.context, &small, "small.nc"));
    unsigned char whole[8192];
    FILE* file = fopen("small.nc", "rb");
    assert_non_null(file);
    const size_t size = fread(whole, 1, sizeof whole, file);
    assert_int_equal(fclose(file), 0);
    for (size_t at = 0; at < size; at += 3)
    {
        const unsigned char was = whole[at];
        whole[at] ^= 0x41;
        sample_write_bytes("damaged.nc", whole, size);
        whole[at] = was;
        wadi_io_raster raster;
        if (wadi_io_raster_read(f.context, "damaged.nc", 10.0, true, &raster) == WADI_OK)
        {
            assert_true(fabs(sample_count(&raster).max) <= WADI_HEIGHT_LIMIT);
            wadi_io_raster_free(&raster);
        }
        else
        {
            assert_null(strchr(wadi_error_detail(f.context), '\n'));
        }
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_ground_has_its_known_numbers),
        cmocka_unit_test(esri_text_is_read_in_all_its_spellings),
        cmocka_unit_test(srtm_lies_where_its_name_says),
        cmocka_unit_test(a_real_srtm_tile_has_its_heights_and_place),
        cmocka_unit_test(raw_heights_find_their_size),
        cmocka_unit_test(bad_texts_are_refused_in_one_line),
        cmocka_unit_test(files_that_are_no_ground_are_refused),
        cmocka_unit_test(files_cut_short_are_refused),
        cmocka_unit_test(a_short_netcdf_file_is_refused),
        cmocka_unit_test(a_damaged_netcdf_header_is_no_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
