// SPDX-License-Identifier: MIT
// OBJ in, points out: polygons become fans, every mistake is named with its line, and files are
// byte for byte as VTK and PLY specify.
#include "io/points/points.h"
#include "io/raster/surface.h"
#include "support/fixture.h"

#include <stdio.h>
#include <stdlib.h>

static void put(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static wadi_result read_text(fixture* f, const char* text, wadi_io_surface* out)
{
    put("mesh.obj", text);
    return wadi_io_surface_read(f->context, "mesh.obj", WADI_IO_UP_Y, out);
}

static const char pyramid[] = "# a pyramid over a square\r\n"
                              "o Pyramid\r\n"
                              "v 0 0 0\r\nv 2 0 0\nv 2 0 -2\nv 0 0 -2\nv 1 3 -1 0.5 0.5 0.5\n"
                              "vt 0 0\nvn 0 1 0\ns off\nusemtl Clay\n"
                              "f 4/1/1 3/1/1 2/1/1 1/1/1   # below\n"
                              "f 1//1 2//1 5//1\n"
                              "\tf 2 3 5\n"
                              "f -3 -2 -1\n"
                              "f 4 1 5\n";

static void polygons_become_fans(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_surface surface;
    CHECK_OK(f.context, read_text(&f, pyramid, &surface));
    assert_int_equal(surface.mesh.vertex_count, 5);
    assert_int_equal(surface.mesh.triangle_count, 6);
    CHECK_NEAR(surface.mesh.positions[4][0], 1.0, 0.0);
    CHECK_NEAR(surface.mesh.positions[4][1], 1.0, 0.0); // north is -z of the file
    CHECK_NEAR(surface.mesh.positions[4][2], 3.0, 0.0);
    wadi_mesh_report report;
    CHECK_OK(f.context, wadi_mesh_inspect(f.context, &surface.mesh, &report));
    assert_int_equal(report.open_edges + report.turned_edges, 0);
    CHECK_NEAR(report.volume, 4.0, 1e-12);
    wadi_io_surface_free(&surface);
    CHECK_OK(f.context, wadi_io_surface_read(f.context, "mesh.obj", WADI_IO_UP_Z, &surface));
    CHECK_NEAR(surface.mesh.positions[4][2], -1.0, 0.0);
    wadi_io_surface_free(&surface);
    fixture_close(&f);
}

static void mistakes_are_named_with_their_line(void** state)
{
    (void)state;
    static const struct
    {
        const char* text;
        const char* said;
    } cases[] = {
        {"v 0 0\n", "mesh.obj:1: a vertex is"},
        {"v 0 0 nan\n", "got 'nan'"},
        {"v 0 0 1\nv 0 0 2\nf 1 2\n", "mesh.obj:3: the face has 2 corners"},
        {"v 0 0 1\nf 1 1 2\n", "mesh.obj:2: the face uses vertex 2; vertices defined so far: 1"},
        {"v 0 0 1\nf 1 0 1\n", "uses vertex 0"},
        {"v 0 0 1\nf 1 -2 1\n", "uses vertex -2"},
        {"v 0 0 1\nf 1 x 1\n", "mesh.obj:2: a face is 'f'"},
        {"v 0 0 1\nf 1 1.5 1\n", "got '1.5 1'"},
        {"v 0 0 1\n", "has no faces"},
        {"", "has no faces"},
    };
    fixture f;
    fixture_open(&f, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        wadi_io_surface surface;
        CHECK_FAILS(f.context, WADI_ERROR_FORMAT, cases[i].said,
                    read_text(&f, cases[i].text, &surface));
        assert_null(surface.positions);
    }
    wadi_io_surface surface;
    CHECK_FAILS(f.context, WADI_ERROR_IO, "cannot open none.obj",
                wadi_io_surface_read(f.context, "none.obj", WADI_IO_UP_Y, &surface));
    fixture_close(&f);
}

// --- points ---

static const double positions[2][3] = {{1.0, 2.0, 3.0}, {-0.5, 0.25, 1e-3}};
static const double speeds[2][3] = {{0.0, 0.0, -9.81}, {1.0, 0.0, 0.0}};
static const int32_t layers[2] = {1, -2};
static const wadi_io_column columns[] = {{.name = "speed", .components = 3, .real = speeds[0]},
                                         {.name = "layer", .components = 1, .whole = layers}};
static const wadi_io_points points = {
    .count = 2, .positions = positions, .columns = columns, .column_count = 2};

static size_t slurp(const char* path, char* text, size_t size)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(text, 1, size - 1, file);
    (void)fclose(file);
    text[length] = '\0';
    return length;
}

// Values of an array of a .vtp by its name, by the offset that the header gives.
static const char* vtp_array(const char* text, const char* name, uint64_t* bytes)
{
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "Name=\"%s\"", name);
    const char* at = strstr(text, wanted);
    assert_non_null(at);
    at = strstr(at, "offset=\"");
    assert_non_null(at);
    const long offset = strtol(at + strlen("offset=\""), NULL, 10);
    const char* data = strstr(text, "<AppendedData encoding=\"raw\">\n_");
    assert_non_null(data);
    data += (long)strlen("<AppendedData encoding=\"raw\">\n_") + offset;
    memcpy(bytes, data, sizeof *bytes);
    return data + sizeof *bytes;
}

// ---- STL ---------------------------------------------------------------------------------------

static const char corner_stl[] = "solid corner of a box\r\n"
                                 " facet normal 0 0 1\n  outer loop\n"
                                 "   vertex 0 0 0.5\n   vertex 1e0 0 0.5\n\tvertex 0 2 0.5\n"
                                 "  endloop\n endfacet\n"
                                 " facet normal 0 -1 0\n  outer loop\n"
                                 "   vertex 0 0 0.5\n   vertex 0 0 -1\n   vertex 1 0 0.5\n"
                                 "  endloop\n endfacet\n"
                                 "endsolid corner of a box\n";

static void put_word(FILE* file, uint32_t word)
{
    for (int k = 0; k < 4; ++k)
    {
        (void)fputc((int)(word >> (8 * k) & 255), file);
    }
}

// The same as corner_stl; its header begins as that of a text.
static void put_binary(const char* path, int32_t triangles)
{
    static const float corners[2][3][3] = {{{0, 0, 0.5f}, {1, 0, 0.5f}, {0, 2, 0.5f}},
                                           {{0, 0, 0.5f}, {0, 0, -1}, {1, 0, 0.5f}}};
    char header[80] = "solid that is none";
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    (void)fwrite(header, 1, sizeof header, file);
    put_word(file, (uint32_t)triangles);
    for (int k = 0; k < 2 * 12; ++k)
    {
        uint32_t word = 0;
        const int number = k % 12 - 3;
        if (number >= 0)
        {
            memcpy(&word, &corners[k / 12][number / 3][number % 3], sizeof word);
        }
        put_word(file, word);
        if (k % 12 == 11)
        {
            (void)fputc(0, file);
            (void)fputc(0, file);
        }
    }
    assert_int_equal(fclose(file), 0);
}

static void stl_is_read_as_text_and_binary(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    put("text.stl", corner_stl);
    put_binary("binary.stl", 2);
    wadi_io_surface text;
    wadi_io_surface binary;
    CHECK_OK(f.context, wadi_io_surface_read(f.context, "text.stl", WADI_IO_UP_Z, &text));
    CHECK_OK(f.context, wadi_io_surface_read(f.context, "binary.stl", WADI_IO_UP_Z, &binary));
    assert_int_equal(text.mesh.triangle_count, 2);
    assert_int_equal(binary.mesh.triangle_count, 2);
    assert_memory_equal(text.positions, binary.positions, 6 * 3 * sizeof(double));
    CHECK_NEAR(text.mesh.positions[2][1], 2.0, 0.0);
    CHECK_NEAR(text.mesh.positions[4][2], -1.0, 0.0);
    wadi_io_surface_free(&text);
    CHECK_OK(f.context, wadi_io_surface_read(f.context, "text.stl", WADI_IO_UP_Y, &text));
    CHECK_NEAR(text.mesh.positions[4][1], 1.0, 0.0);
    wadi_io_surface_free(&text);
    wadi_io_surface_free(&binary);
    fixture_close(&f);
}

static void mistakes_in_stl_are_named(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_surface surface;
    put("bad.stl", "solid\n outer loop\n vertex 0 0\n");
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "bad.stl:3: a corner is",
                wadi_io_surface_read(f.context, "bad.stl", WADI_IO_UP_Z, &surface));
    put("bad.stl", "solid\nouter loop\nvertex 0 0 1\nvertex 0 1 1\nendloop\n");
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "bad.stl:5: the triangle has 2 corners",
                wadi_io_surface_read(f.context, "bad.stl", WADI_IO_UP_Z, &surface));
    put("bad.stl", "solid\nouter loop\nvertex 0 0 1\nvertex 0 1 1\nouter loop\n"
                   "vertex 0 0 1\nvertex 0 1 1\nvertex 1 1 1\nendloop\n");
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "bad.stl:5: the triangle has 2 corners",
                wadi_io_surface_read(f.context, "bad.stl", WADI_IO_UP_Z, &surface));
    put("bad.stl", "solid nothing\nendsolid\n");
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "has no triangles",
                wadi_io_surface_read(f.context, "bad.stl", WADI_IO_UP_Z, &surface));
    put("bad.stl", "solid\nouter loop\nvertex 0 0 1\nvertex 0 1 1\nvertex 1 1 1\nendloop\n");
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "bad.stl:6: the file ends without 'endsolid'",
                wadi_io_surface_read(f.context, "bad.stl", WADI_IO_UP_Z, &surface));
    put_binary("bad.stl", 3); // one is missing
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT,
                "its 184 bytes are not the 234 of a binary STL file with 3 triangles",
                wadi_io_surface_read(f.context, "bad.stl", WADI_IO_UP_Z, &surface));
    put_binary("bad.stl", 1); // 50 bytes more than that
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "its 184 bytes are not the 134 of a binary",
                wadi_io_surface_read(f.context, "bad.stl", WADI_IO_UP_Z, &surface));
    assert_null(surface.positions);
    fixture_close(&f);
}

static void vtp_arrays_lie_where_the_header_says(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    CHECK_OK(f.context, wadi_io_points_write(f.context, &points, "grains.vtp"));
    char text[8192];
    const size_t length = slurp("grains.vtp", text, sizeof text);
    assert_non_null(strstr(text, "NumberOfPoints=\"2\" NumberOfVerts=\"2\""));
    uint64_t bytes = 0;
    assert_memory_equal(vtp_array(text, "position", &bytes), positions, sizeof positions);
    assert_int_equal(bytes, sizeof positions);
    assert_memory_equal(vtp_array(text, "speed", &bytes), speeds, sizeof speeds);
    assert_int_equal(bytes, sizeof speeds);
    assert_memory_equal(vtp_array(text, "layer", &bytes), layers, sizeof layers);
    assert_int_equal(bytes, sizeof layers);
    static const int64_t connectivity[] = {0, 1};
    static const int64_t offsets[] = {1, 2};
    assert_memory_equal(vtp_array(text, "connectivity", &bytes), connectivity, 16);
    assert_memory_equal(vtp_array(text, "offsets", &bytes), offsets, 16);
    static const char end[] = "\n  </AppendedData>\n</VTKFile>\n";
    assert_string_equal(text + length - strlen(end), end);
    fixture_close(&f);
}

static void ply_has_one_record_a_point(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    CHECK_OK(f.context, wadi_io_points_write(f.context, &points, "grains.ply"));
    char text[4096];
    const size_t length = slurp("grains.ply", text, sizeof text);
    assert_non_null(strstr(text, "element vertex 2\nproperty float x\nproperty float y\n"
                                 "property float z\nproperty float speed_x\n"
                                 "property float speed_y\nproperty float speed_z\n"
                                 "property int layer\nend_header\n"));
    const char* data = strstr(text, "end_header\n") + strlen("end_header\n");
    assert_int_equal((size_t)(text + length - data), 2 * 28);
    float second[6];
    memcpy(second, data + 28, sizeof second);
    CHECK_NEAR((double)second[0], -0.5, 0.0);
    CHECK_NEAR((double)second[3], 1.0, 0.0);
    int32_t layer = 0;
    memcpy(&layer, data + 52, sizeof layer);
    assert_int_equal(layer, -2);
    fixture_close(&f);
}

static void a_series_has_its_times(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const wadi_io_frame frames[] = {{0.0, "out/a_0.vtp"}, {0.125, "a_1.vtp"}};
    CHECK_OK(f.context, wadi_io_series_write(f.context, frames, 2, "a.pvd"));
    char text[1024];
    (void)slurp("a.pvd", text, sizeof text);
    assert_non_null(strstr(text, "<DataSet timestep=\"0\" part=\"0\" file=\"a_0.vtp\"/>"));
    assert_non_null(strstr(text, "<DataSet timestep=\"0.125\" part=\"0\" file=\"a_1.vtp\"/>"));
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, ".vtp (ParaView)",
                wadi_io_points_write(f.context, &points, "grains.xyz"));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_become_fans),
        cmocka_unit_test(mistakes_are_named_with_their_line),
        cmocka_unit_test(stl_is_read_as_text_and_binary),
        cmocka_unit_test(mistakes_in_stl_are_named),
        cmocka_unit_test(vtp_arrays_lie_where_the_header_says),
        cmocka_unit_test(ply_has_one_record_a_point),
        cmocka_unit_test(a_series_has_its_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
