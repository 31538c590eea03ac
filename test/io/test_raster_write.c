// SPDX-License-Identifier: MIT
// Writing rasters: a raster written is read back unchanged, and a failed write leaves the old file.
#include "io/sample.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
    WIDTH = 37,
    HEIGHT = 23
};

static const struct
{
    const char* path;
    bool exact; // float heights; else within half a step of 16 bits
    bool place; // keeps coordinates
} formats[] = {
    {"out.tif", true, true},  {"out.asc", true, true},  {"out.nc", true, true},
    {"out.exr", true, true},  {"out.r32", true, true},  {"out.r16", false, true},
    {"out.png", false, true}, {"OUT.TIFF", true, true},
};

static void check_same_ground(const wadi_io_raster* a, const wadi_io_raster* b, double tolerance)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (int32_t i = 0; i < a->width * a->height; ++i)
    {
        assert_int_equal(isnan(a->values[i]), isnan(b->values[i]));
        if (!isnan(a->values[i]))
        {
            CHECK_NEAR((double)b->values[i], (double)a->values[i], tolerance);
        }
    }
    CHECK_NEAR(b->dx, a->dx, 1e-9);
    CHECK_NEAR(b->dy, a->dy, 1e-9);
}

static void every_format_brings_back_the_ground(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float values[WIDTH * HEIGHT];
    const wadi_io_raster raster = sample_raster(values, WIDTH, HEIGHT);
    const sample_numbers numbers = sample_count(&raster);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i)
    {
        wadi_io_raster back;
        CHECK_OK(f.context, wadi_io_raster_write(f.context, &raster, formats[i].path));
        CHECK_OK(f.context, wadi_io_raster_read(f.context, formats[i].path, 0.0, true, &back));
        check_same_ground(&raster, &back,
                          formats[i].exact ? 0.0 : 0.51 * (numbers.max - numbers.min) / 65534.0);
        assert_true(back.georef.valid);
        for (int k = 0; k < 6; ++k)
        {
            CHECK_NEAR(back.georef.affine[k], raster.georef.affine[k], 1e-6);
        }
        assert_non_null(strstr(back.georef.wkt, "UTM"));
        wadi_io_raster_free(&back);
    }
    fixture_close(&f);
}

static void pixel_is_point_and_nodata_survive(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_raster raster;
    wadi_io_raster back;
    CHECK_OK(f.context, wadi_io_raster_read(f.context, SAMPLE_SCENES "bernese-alps-256.tif", 0.0,
                                            true, &raster));
    CHECK_OK(f.context, wadi_io_raster_write(f.context, &raster, "point.tif"));
    CHECK_OK(f.context, wadi_io_raster_read(f.context, "point.tif", 0.0, true, &back));
    assert_true(back.point);
    assert_true(back.geographic);
    CHECK_NEAR(back.nodata, -32767.0, 0.0);
    assert_memory_equal(back.georef.affine, raster.georef.affine, sizeof raster.georef.affine);
    assert_string_equal(back.georef.wkt, raster.georef.wkt);
    check_same_ground(&raster, &back, 0.0);
    wadi_io_raster_free(&raster);
    wadi_io_raster_free(&back);
    fixture_close(&f);
}

static void flat_ground_and_single_cells_survive_16_bits(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    static const char* const paths[] = {"flat.r16", "flat.png"};
    float values[6] = {12.5f, 12.5f, 12.5f, 12.5f, 12.5f, 12.5f};
    wadi_io_raster raster = sample_raster(values, 1, 1);
    for (int i = 0; i < 4; ++i)
    {
        for (int k = 0; k < 6; ++k)
        {
            values[k] = 12.5f;
        }
        raster.width = i < 2 ? 1 : 3;
        raster.height = i < 2 ? 1 : 2;
        wadi_io_raster back;
        CHECK_OK(f.context, wadi_io_raster_write(f.context, &raster, paths[i % 2]));
        CHECK_OK(f.context, wadi_io_raster_read(f.context, paths[i % 2], 0.0, true, &back));
        check_same_ground(&raster, &back, 0.0);
        wadi_io_raster_free(&back);
    }
    fixture_close(&f);
}

// Read the number behind a key.
static double sidecar_number(const char* path, const char* key)
{
    char text[4096] = "";
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    const char* at = strstr(text, key);
    assert_non_null(at);
    return strtod(at + strlen(key) + 3, NULL);
}

static void sidecars_hold_what_engines_ask_for(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float values[] = {100.0f, 611.9921875f, 300.0f, 200.0f};
    wadi_io_raster raster = sample_raster((float[4]){0}, 2, 2);
    raster.values = values;
    CHECK_OK(f.context, wadi_io_raster_write(f.context, &raster, "engine.r16"));
    CHECK_NEAR(sidecar_number("engine.r16.json", "min_m"), 100.0, 1e-9);
    CHECK_NEAR(sidecar_number("engine.r16.json", "max_m"), 611.9921875, 1e-9);
    CHECK_NEAR(sidecar_number("engine.r16.json", "cell_size_m"), 5.0, 1e-9);
    // 65535 steps of 1/128 m: the range of 512 m that Unreal has at a scale of 100
    CHECK_NEAR(sidecar_number("engine.r16.json", "scale_z"), 100.0, 1e-3);
    CHECK_NEAR(sidecar_number("engine.r16.json", "scale_x"), 500.0, 1e-9);
    CHECK_NEAR(sidecar_number("engine.r16.json", "location_z"), 35600.0, 1.0);
    CHECK_NEAR(sidecar_number("engine.r16.json", "nearest_size"), 127.0, 0.0);
    // Unity's corners are the middles of cells: one cell's length between two of them
    CHECK_NEAR(sidecar_number("engine.r16.json", "terrain_width"), 5.0, 1e-9);
    CHECK_NEAR(sidecar_number("engine.r16.json", "terrain_length"), 5.0, 1e-9);
    CHECK_NEAR(sidecar_number("engine.r16.json", "terrain_height"), 511.9921875, 1e-6);
    fixture_close(&f);
}

static int64_t count_files(const char* folder)
{
    DIR* entries = opendir(folder);
    assert_non_null(entries);
    int64_t count = 0;
    while (readdir(entries) != NULL)
    {
        ++count;
    }
    (void)closedir(entries);
    return count;
}

static void check_text(const char* path, const char* text)
{
    char bytes[64] = "";
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
    (void)fclose(file);
    assert_string_equal(bytes, text);
}

// Files may grow to 600 bytes here, as if the disk were full.
static void a_full_disk_leaves_the_old_file(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float values[WIDTH * HEIGHT];
    const wadi_io_raster raster = sample_raster(values, WIDTH, HEIGHT);
    static const char* const paths[] = {"full/a.tif", "full/a.asc", "full/a.png",
                                        "full/a.r16", "full/a.r32", "full/a.exr",
                                        "full/a.obj", "full/a.ply", "full/a.nc"};
    (void)mkdir("full", 0700);
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    (void)signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i)
    {
        sample_write_text(paths[i], "precious");
        const int64_t files = count_files("full");
        const struct rlimit tight = {.rlim_cur = 600, .rlim_max = old.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
        const wadi_result result = wadi_io_raster_write(f.context, &raster, paths[i]);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        if (result != WADI_ERROR_IO || strstr(wadi_error_detail(f.context), paths[i]) == NULL)
        {
            fail_msg("%s: %s: %s", paths[i], wadi_result_name(result),
                     wadi_error_detail(f.context));
        }
        assert_null(strchr(wadi_error_detail(f.context), '\n'));
        check_text(paths[i], "precious");
        assert_int_equal(count_files("full"), files);
    }
    fixture_close(&f);
}

static void failed_writes_name_their_cause(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float values[6];
    const wadi_io_raster raster = sample_raster(values, 3, 2);
    CHECK_FAILS(f.context, WADI_ERROR_IO, "no/such/folder/a.tif",
                wadi_io_raster_write(f.context, &raster, "no/such/folder/a.tif"));
    CHECK_FAILS(f.context, WADI_ERROR_IO, "/proc/a.tif",
                wadi_io_raster_write(f.context, &raster, "/proc/a.tif"));
    wadi_io_raster degrees = raster;
    degrees.geographic = true;
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "--grid working",
                wadi_io_raster_write(f.context, &degrees, "degrees.png"));
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "a.xyz",
                wadi_io_raster_write(f.context, &raster, "a.xyz"));
    fixture_close(&f);
}

static void pictures_are_png_of_8_bits(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    uint8_t rgb[5 * 4 * 3];
    for (size_t i = 0; i < sizeof rgb; ++i)
    {
        rgb[i] = (uint8_t)(4 * i);
    }
    CHECK_OK(f.context, wadi_io_picture_write(f.context, rgb, 5, 4, "picture.png"));
    unsigned char header[26] = {0};
    FILE* file = fopen("picture.png", "rb");
    assert_non_null(file);
    assert_int_equal(fread(header, 1, sizeof header, file), sizeof header);
    (void)fclose(file);
    assert_memory_equal(header + 1, "PNG", 3);
    assert_int_equal(header[19], 5); // width
    assert_int_equal(header[23], 4); // height
    assert_int_equal(header[24], 8); // bits
    assert_int_equal(header[25], 2); // RGB
    CHECK_FAILS(f.context, WADI_ERROR_IO, "no/folder/p.png",
                wadi_io_picture_write(f.context, rgb, 5, 4, "no/folder/p.png"));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_brings_back_the_ground),
        cmocka_unit_test(pixel_is_point_and_nodata_survive),
        cmocka_unit_test(flat_ground_and_single_cells_survive_16_bits),
        cmocka_unit_test(sidecars_hold_what_engines_ask_for),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(failed_writes_name_their_cause),
        cmocka_unit_test(pictures_are_png_of_8_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
