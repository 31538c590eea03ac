// SPDX-License-Identifier: MIT
// A program whose locale has a decimal comma writes the same files, byte for byte.
#include "io/sample.h"
#include "support/comma.h"

enum
{
    SIDE = 12,
    LONGEST = 1 << 20
};

static const char* const kinds[] = {"tif", "asc", "png", "png.json", "r32.json", "obj", "ply"};

static void write_all(wadi_context* context, const char* stem)
{
    float values[SIDE * SIDE];
    wadi_io_raster raster = sample_raster(values, SIDE, SIDE);
    raster.dx = 2.5;
    raster.dy = 2.5;
    raster.georef.affine[1] = 2.5;
    raster.georef.affine[5] = -2.5;
    values[0] = 0.1f;
    static const char* const written[] = {"tif", "asc", "png", "r32", "obj", "ply"};
    for (size_t i = 0; i < sizeof written / sizeof written[0]; ++i)
    {
        char path[64];
        (void)snprintf(path, sizeof path, "%s.%s", stem, written[i]);
        CHECK_OK(context, wadi_io_raster_write(context, &raster, path));
    }
}

static size_t read_bytes(const char* stem, const char* kind, unsigned char* bytes)
{
    char path[64];
    (void)snprintf(path, sizeof path, "%s.%s", stem, kind);
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, LONGEST, file);
    assert_int_equal(fclose(file), 0);
    return size;
}

static void files_are_the_same_with_a_comma(void** state)
{
    (void)state;
    static unsigned char point[LONGEST];
    static unsigned char comma[LONGEST];
    fixture f;
    fixture_open(&f, 1);
    write_all(f.context, "point");
    if (!comma_enter())
    {
        print_message("no locale with a comma can be made here: install the package locales\n");
        fixture_close(&f);
        skip();
    }
    write_all(f.context, "comma");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
    {
        const size_t size = read_bytes("point", kinds[i], point);
        assert_true(size > 0);
        assert_int_equal(read_bytes("comma", kinds[i], comma), size);
        assert_memory_equal(comma, point, size);
    }
    wadi_io_raster back;
    CHECK_OK(f.context, wadi_io_raster_read(f.context, "comma.asc", 0.0, true, &back));
    CHECK_NEAR(back.dx, 2.5, 0.0);
    CHECK_NEAR((double)back.values[0], (double)0.1f, 0.0);
    wadi_io_raster_free(&back);
    comma_leave();
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_the_same_with_a_comma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
