// SPDX-License-Identifier: MIT
// Grains in files: grains written are read back, in text and in both byte orders; every mistake is
// named; a series has stable names and an index that is complete after each frame.
#include "io/points/grain_file.h"
#include "io/points/points_read.h"
#include "io/series.h"
#include "support/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void put(const char* path, const void* bytes, size_t size)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void put_text(const char* path, const char* text)
{
    put(path, text, strlen(text));
}

static void slurp(const char* path, char* text, size_t size)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    (void)fclose(file);
}

static const wadi_grain two[] = {
    {.position = {1.5, 2.0, 3.25}, .velocity = {0.5, 0.0, -2.0}, .radius = 0.25, .wetness = 0.125},
    {.position = {-1.0, 0.5, 0.75}, .radius = 0.5, .material = 2},
};

static wadi_result read_grains(fixture* f, const char* text)
{
    wadi_grain* grains;
    double* strengths;
    int32_t count;
    put_text("bad.ply", text);
    const wadi_result result =
        wadi_io_grains_read(f->context, "bad.ply", 3, &grains, &strengths, &count);
    free(grains);
    free(strengths);
    return result;
}

static void grains_written_are_read_back(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    CHECK_OK(f.context, wadi_io_grains_write(f.context, two, 2, NULL, "two.ply"));
    wadi_grain* grains;
    double* strengths;
    int32_t count;
    CHECK_OK(f.context, wadi_io_grains_read(f.context, "two.ply", 3, &grains, &strengths, &count));
    assert_int_equal(count, 2);
    for (int i = 0; i < 2; ++i)
    {
        assert_memory_equal(grains[i].position, two[i].position, sizeof two[i].position);
        CHECK_NEAR(grains[i].radius, two[i].radius, 0.0);
        CHECK_NEAR(grains[i].wetness, two[i].wetness, 0.0);
        assert_int_equal(grains[i].material, two[i].material);
        CHECK_NEAR(strengths[i], 1.0, 0.0);
    }
    free(grains);
    free(strengths);
    fixture_close(&f);
}

static void text_and_high_bytes_first_are_read(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    static const wadi_io_property wanted[] = {
        {"a", true, 0.0}, {"c", false, 7.0}, {"b", true, 0.0}};
    static const char header[] = "ply\nformat %s 1.0\ncomment made by hand\nelement vertex 2\n"
                                 "property short b\nproperty uchar unasked\nproperty double a\n"
                                 "element face 1\nproperty list uchar int vertex_indices\n"
                                 "end_header\n";
    char text[512];
    (void)snprintf(text, sizeof text, header, "ascii");
    put_text("a.ply", strcat(text, "-2 9 1.5\n 300\t255 -0.25\n3 0 1 2\n"));
    // -2, 9, 1.5 and 300, 255, -0.25, big-endian
    static const unsigned char data[] = {0xFF, 0xFE, 9,   0x3F, 0xF8, 0, 0, 0, 0, 0, 0,
                                         0x01, 0x2C, 255, 0xBF, 0xD0, 0, 0, 0, 0, 0, 0};
    const int length = snprintf(text, sizeof text, header, "binary_big_endian");
    memcpy(text + length, data, sizeof data);
    put("b.ply", text, (size_t)length + sizeof data);
    for (int i = 0; i < 2; ++i)
    {
        double* rows;
        int32_t count;
        CHECK_OK(f.context, wadi_io_points_read(f.context, i == 0 ? "a.ply" : "b.ply", wanted, 3,
                                                &rows, &count));
        static const double right[] = {1.5, 7.0, -2.0, -0.25, 7.0, 300.0};
        assert_int_equal(count, 2);
        assert_memory_equal(rows, right, sizeof right);
        free(rows);
    }
    fixture_close(&f);
}

#define PLY_HEAD "ply\nformat ascii 1.0\nelement vertex 1\n"
#define PLY_XYZR "property float x\nproperty float y\nproperty float z\nproperty float radius\n"

static void mistakes_are_named(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    static const struct
    {
        const char* text;
        const char* words;
    } cases[] = {
        {"", "bad.ply is not a PLY file"},
        {"obj\n", "bad.ply is not a PLY file"},
        {"ply\nformat text 1.0\n", "bad.ply:2: the format is ascii"},
        {"ply\nelement vertex 1\nend_header\n", "no format in the header"},
        {"ply\nformat ascii 1.0\nend_header\n", "no points"},
        {"ply\nformat ascii 1.0\nelement face 1\n",
         "bad.ply:3: the first element must be 'element vertex'"},
        {"ply\nformat ascii 1.0\nelement vertex 0\n", "bad.ply:3: the number of points"},
        {PLY_HEAD "property list uchar int x\n", "bad.ply:4: a property of a point is"},
        {PLY_HEAD "colour red\n", "bad.ply:4: expected format, element"},
        {PLY_HEAD "property float x\n", "bad.ply:5: the file ends before its header does"},
        {PLY_HEAD "property float x\nend_header\n0\n", "no property 'y'; expected exactly one"},
        {PLY_HEAD PLY_XYZR "property float x\nend_header\n", "more than one property 'x'"},
        {PLY_HEAD PLY_XYZR "end_header\n", "ends before its points do"},
        {PLY_HEAD PLY_XYZR "end_header\n0 0 0\n", "point 1 of 1 is cut short"},
        {PLY_HEAD PLY_XYZR "end_header\n0 0 zero 1\n", "point 1 of 1 is cut short or contains"},
        {"ply\nformat binary_little_endian 1.0\nelement vertex 1\n" PLY_XYZR "end_header\nabc",
         "point 1 of 1 is cut short"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        CHECK_FAILS(f.context, WADI_ERROR_FORMAT, cases[i].words, read_grains(&f, cases[i].text));
    }
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "grain 1 has radius 0",
                read_grains(&f, PLY_HEAD PLY_XYZR "end_header\n0 0 0 0\n"));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "grain 1 has layer 4; expected a whole number, 1 to 3",
                read_grains(&f, PLY_HEAD PLY_XYZR "property int layer\nend_header\n0 0 0 1 4\n"));
    CHECK_FAILS(
        f.context, WADI_ERROR_RANGE, "grain 1 has wetness -1",
        read_grains(&f, PLY_HEAD PLY_XYZR "property float wetness\nend_header\n0 0 0 1 -1\n"));
    const unsigned char nan[] = {0, 0, 0xC0, 0x7F};
    char text[256];
    const int length = snprintf(text, sizeof text,
                                "ply\nformat binary_little_endian 1.0\nelement vertex 1\n"
                                "%send_header\n",
                                PLY_XYZR);
    for (int i = 0; i < 4; ++i)
    {
        memcpy(text + length + 4 * i, nan, 4);
    }
    put("bad.ply", text, (size_t)length + 16);
    wadi_grain* grains;
    double* strengths;
    int32_t count;
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "point 1 of 1 has a value that is not finite",
                wadi_io_grains_read(f.context, "bad.ply", 1, &grains, &strengths, &count));
    CHECK_FAILS(f.context, WADI_ERROR_IO, "cannot open none.ply",
                wadi_io_grains_read(f.context, "none.ply", 1, &grains, &strengths, &count));
    fixture_close(&f);
}

static void a_series_has_an_index_after_each_frame(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_series series = {.context = f.context, .path = "slide.pvd"};
    char text[1024];
    for (int i = 0; i < 3; ++i)
    {
        CHECK_OK(f.context, wadi_io_series_add(&series, 0.5 * i, two, 2, NULL));
        slurp("slide.pvd", text, sizeof text);
        char last[80];
        (void)snprintf(last, sizeof last,
                       "<DataSet timestep=\"%g\" part=\"0\" file=\"slide-%04d.vtp\"/>\n  </Coll",
                       0.5 * i, i);
        assert_non_null(strstr(text, last));
        (void)snprintf(last, sizeof last, "slide-%04d.vtp", i);
        assert_int_equal(access(last, R_OK), 0);
    }
    slurp("slide-0002.vtp", text, sizeof text);
    assert_non_null(strstr(text, "Name=\"velocity\" NumberOfComponents=\"3\""));
    wadi_io_series_close(&series);
    fixture_close(&f);
}

// Each point is a vertex cell of its own. VTK reads cell k from connectivity[offsets[k - 1]] up to
// offsets[k]: the ends 1, 2, ... of the cells, not their beginnings.
static void vertices_of_a_frame_end_one_after_the_other(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_series series = {.context = f.context, .path = "ends.pvd"};
    CHECK_OK(f.context, wadi_io_series_add(&series, 0.0, two, 2, NULL));
    static char text[4096];
    slurp("ends-0000.vtp", text, sizeof text);
    const char* declared = strstr(text, "Name=\"offsets\"");
    const char* data = strstr(text, "<AppendedData encoding=\"raw\">");
    assert_true(declared != NULL && data != NULL);
    const long at = strtol(strstr(declared, "offset=\"") + 8, NULL, 10);
    const char* array = strchr(data, '_') + 1 + at;
    static const unsigned char ends[] = {16, 0, 0, 0, 0, 0, 0, 0, // bytes of the array
                                         1,  0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
    assert_memory_equal(array, ends, sizeof ends);
    wadi_io_series_close(&series);
    fixture_close(&f);
}

static void a_series_of_pictures_keeps_its_frame(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_grain_picture_params params = wadi_grain_picture_params_default();
    params.width = 64;
    params.height = 48;
    params.samples = 1;
    wadi_io_series series = {.context = f.context, .path = "slide.png"};
    CHECK_OK(f.context, wadi_io_series_add(&series, 0.0, two, 2, &params));
    const double high = series.high[0];
    wadi_grain moved[2] = {two[0], two[1]};
    moved[0].position[0] += 100.0;
    CHECK_OK(f.context, wadi_io_series_add(&series, 1.0, moved, 2, &params));
    CHECK_NEAR(series.high[0], high, 0.0);
    assert_int_equal(access("slide-0001.png", R_OK), 0);
    wadi_io_series_close(&series);

    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "slide.gif: frames are written as",
                wadi_io_series_check(f.context, "slide.gif"));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_written_are_read_back),
        cmocka_unit_test(text_and_high_bytes_first_are_read),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(a_series_has_an_index_after_each_frame),
        cmocka_unit_test(vertices_of_a_frame_end_one_after_the_other),
        cmocka_unit_test(a_series_of_pictures_keeps_its_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
