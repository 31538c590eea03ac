// SPDX-License-Identifier: MIT
// Meshes: every cell with data is a vertex, voids are holes, normals of faces point up.
#include "io/sample.h"

// 3 x 3 cells, the middle one void: of 8 triangles only the two that avoid it are left.
static wadi_io_raster mesh_sample(float values[9])
{
    wadi_io_raster out = sample_raster(values, 3, 3);
    for (int i = 0; i < 9; ++i)
    {
        values[i] = i == 4 ? NAN : 10.0f * (float)i;
    }
    return out;
}

static void obj_has_holes_and_looks_up(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float values[9];
    const wadi_io_raster raster = mesh_sample(values);
    CHECK_OK(f.context, wadi_io_raster_write(f.context, &raster, "mesh.obj"));
    double v[9][3];
    int vertices = 0;
    int faces = 0;
    char line[128];
    FILE* file = fopen("mesh.obj", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
    {
        int a = 0;
        int b = 0;
        int c = 0;
        if (line[0] == 'v')
        {
            assert_int_equal(
                sscanf(line, "v %lf %lf %lf", &v[vertices][0], &v[vertices][1], &v[vertices][2]),
                3);
            ++vertices;
        }
        else if (sscanf(line, "f %d %d %d", &a, &b, &c) == 3)
        {
            const double* p = v[a - 1];
            const double* q = v[b - 1];
            const double* r = v[c - 1];
            const double up = (q[2] - p[2]) * (r[0] - p[0]) - (q[0] - p[0]) * (r[2] - p[2]);
            CHECK_NEAR(up, 25.0, 1e-9); // twice the area of half a cell of 5 m
            ++faces;
        }
    }
    (void)fclose(file);
    assert_int_equal(vertices, 8);
    assert_int_equal(faces, 2);
    CHECK_NEAR(v[0][0], -5.0, 0.0); // north-west corner
    CHECK_NEAR(v[0][2], -5.0, 0.0);
    CHECK_NEAR(v[7][1], 80.0, 0.0);
    fixture_close(&f);
}

static void ply_holds_what_its_header_says(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float values[9];
    const wadi_io_raster raster = mesh_sample(values);
    CHECK_OK(f.context, wadi_io_raster_write(f.context, &raster, "mesh.ply"));
    unsigned char bytes[1024];
    FILE* file = fopen("mesh.ply", "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes - 1, file);
    (void)fclose(file);
    bytes[size] = '\0';
    const char* text = (const char*)bytes;
    assert_non_null(strstr(text, "element vertex 8\n"));
    assert_non_null(strstr(text, "element face 2\n"));
    const char* body = strstr(text, "end_header\n") + strlen("end_header\n");
    assert_int_equal(size - (size_t)(body - text), 8 * 12 + 2 * 13);
    const unsigned char faces[26] = {3, 0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0,
                                     3, 4, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0};
    assert_memory_equal(body + 8 * 12, faces, sizeof faces);
    fixture_close(&f);
}

static void degrees_make_no_mesh(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float values[9];
    wadi_io_raster raster = mesh_sample(values);
    raster.geographic = true;
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "--grid working",
                wadi_io_raster_write(f.context, &raster, "degrees.obj"));
    assert_false(sample_exists("degrees.obj"));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_has_holes_and_looks_up),
        cmocka_unit_test(ply_holds_what_its_header_says),
        cmocka_unit_test(degrees_make_no_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
