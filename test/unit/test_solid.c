// SPDX-License-Identifier: MIT
// Checks of meshes, ray casting compared with geometry, and filling by volume.
#include "bodies/solid/solid.h"
#include "support/fixture.h"

#include <stdlib.h>

#include <wadi/solid.h>

enum
{
    RINGS = 12,
    SECTORS = 24,
    BALL_VERTICES = 2 + (RINGS - 1) * SECTORS,
    BALL_TRIANGLES = 2 * (RINGS - 1) * SECTORS
};

// --- meshes ---

static const int32_t box_triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                             {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                             {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

typedef struct box
{
    double positions[8][3];
    int32_t triangles[12][3];
    wadi_mesh mesh;
} box;

static void box_make(box* out, double x, double y, double z, double w, double d, double h)
{
    const double low[3] = {x, y, z};
    const double size[3] = {w, d, h};
    for (int v = 0; v < 8; ++v)
    {
        for (int a = 0; a < 3; ++a)
        {
            out->positions[v][a] = low[a] + ((v >> a & 1) != 0 ? size[a] : 0.0);
        }
    }
    memcpy(out->triangles, box_triangles, sizeof box_triangles);
    out->mesh = (wadi_mesh){.positions = (const double(*)[3])out->positions,
                            .vertex_count = 8,
                            .triangles = (const int32_t(*)[3])out->triangles,
                            .triangle_count = 12};
}

typedef struct ball
{
    double positions[BALL_VERTICES][3];
    int32_t triangles[BALL_TRIANGLES][3];
    wadi_mesh mesh;
} ball;

static int32_t ball_vertex(int ring, int sector)
{
    return ring == 0       ? 0
           : ring == RINGS ? BALL_VERTICES - 1
                           : 1 + (ring - 1) * SECTORS + sector % SECTORS;
}

// A convex body around (0, 0, 0) inscribed in the box with half axes a, b, c.
static void ball_make(ball* out, double a, double b, double c)
{
    const double pi = 3.14159265358979;
    int32_t count = 0;
    for (int ring = 0; ring <= RINGS; ++ring)
    {
        for (int s = 0; s < SECTORS; ++s)
        {
            double* p = out->positions[ball_vertex(ring, s)];
            p[0] = a * sin(pi * ring / RINGS) * cos(2.0 * pi * s / SECTORS);
            p[1] = b * sin(pi * ring / RINGS) * sin(2.0 * pi * s / SECTORS);
            p[2] = c * cos(pi * ring / RINGS);
            const int32_t corner[4] = {ball_vertex(ring, s), ball_vertex(ring + 1, s),
                                       ball_vertex(ring + 1, s + 1), ball_vertex(ring, s + 1)};
            if (ring > 0 && ring < RINGS)
            {
                memcpy(out->triangles[count++],
                       ((const int32_t[3]){corner[0], corner[1], corner[3]}), sizeof(int32_t[3]));
            }
            if (ring < RINGS - 1)
            {
                memcpy(out->triangles[count++],
                       ((const int32_t[3]){corner[1], corner[2], corner[3]}), sizeof(int32_t[3]));
            }
        }
    }
    assert_int_equal(count, BALL_TRIANGLES);
    out->mesh = (wadi_mesh){.positions = (const double(*)[3])out->positions,
                            .vertex_count = BALL_VERTICES,
                            .triangles = (const int32_t(*)[3])out->triangles,
                            .triangle_count = BALL_TRIANGLES};
}

static wadi_mesh_report inspect(fixture* f, const wadi_mesh* mesh)
{
    wadi_mesh_report report;
    CHECK_OK(f->context, wadi_mesh_inspect(f->context, mesh, &report));
    return report;
}

static void a_box_is_closed_and_measured(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    box b;
    box_make(&b, 100.0, -3.0, 7.0, 2.0, 1.5, 4.0);
    wadi_mesh_report report = inspect(&f, &b.mesh);
    assert_int_equal(report.open_edges + report.turned_edges + report.crowded_edges, 0);
    assert_int_equal(report.flat_triangles, 0);
    CHECK_NEAR(report.volume, 12.0, 1e-12);
    CHECK_NEAR(report.high[2], 11.0, 0.0);
    for (int t = 0; t < 12; ++t)
    {
        const int32_t first = b.triangles[t][0];
        b.triangles[t][0] = b.triangles[t][1];
        b.triangles[t][1] = first;
    }
    report = inspect(&f, &b.mesh);
    assert_int_equal(report.turned_edges, 0);
    CHECK_NEAR(report.volume, -12.0, 1e-12);
    fixture_close(&f);
}

static void holes_and_turned_faces_are_found(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    box b;
    box_make(&b, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0);
    b.mesh.triangle_count = 11;
    wadi_mesh_report report = inspect(&f, &b.mesh);
    assert_int_equal(report.open_edges, 3);
    assert_int_equal(report.turned_edges, 0);
    CHECK_NEAR(report.edge[0][0], 1.0, 0.0); // all edges of the missing face are at x = 1
    b.mesh.triangle_count = 12;
    b.triangles[11][0] = 5;
    b.triangles[11][2] = 3;
    report = inspect(&f, &b.mesh);
    assert_int_equal(report.open_edges, 0);
    assert_int_equal(report.turned_edges, 3);
    fixture_close(&f);
}

// Exporters of flat shading write the corners of every face separately.
static void corners_of_their_own_are_welded(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    box b;
    box_make(&b, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0);
    double positions[36][3];
    int32_t triangles[12][3];
    for (int i = 0; i < 36; ++i)
    {
        memcpy(positions[i], b.positions[b.triangles[i / 3][i % 3]], sizeof positions[i]);
        triangles[i / 3][i % 3] = i;
    }
    const wadi_mesh mesh = {.positions = (const double(*)[3])positions,
                            .vertex_count = 36,
                            .triangles = (const int32_t(*)[3])triangles,
                            .triangle_count = 12};
    const wadi_mesh_report report = inspect(&f, &mesh);
    assert_int_equal(report.open_edges, 0);
    CHECK_NEAR(report.volume, 6.0, 1e-12);
    fixture_close(&f);
}

static void bad_meshes_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    box b;
    box_make(&b, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0);
    wadi_mesh_report report;
    b.positions[4][1] = (double)NAN;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "vertex 5",
                wadi_mesh_inspect(f.context, &b.mesh, &report));
    b.positions[4][1] = 0.0;
    b.triangles[2][1] = 8;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "names vertex 9",
                wadi_mesh_inspect(f.context, &b.mesh, &report));
    b.mesh.triangle_count = 0;
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "no triangles",
                wadi_mesh_inspect(f.context, &b.mesh, &report));
    fixture_close(&f);
}

// --- rays ---

static int64_t votes_of(fixture* f, const solid_voxels* voxels, const wadi_mesh* mesh,
                        int64_t count[8])
{
    const int64_t total = solid_voxel_count(voxels);
    uint8_t* inside = calloc((size_t)total, 1);
    assert_non_null(inside);
    wadi_solid_cast(f->context, voxels, mesh, inside);
    memset(count, 0, 8 * sizeof *count);
    for (int64_t i = 0; i < total; ++i)
    {
        ++count[inside[i]];
    }
    free(inside);
    return total;
}

// Rays through faces, edges and corners: voxel centres lie on all of them.
static void rays_through_edges_count_once(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 3);
    box b;
    box_make(&b, 2.5, 2.5, 2.5, 4.0, 4.0, 4.0);
    const solid_voxels voxels = {.size = 1.0, .count = {9, 9, 9}};
    int64_t count[8];
    const int64_t total = votes_of(&f, &voxels, &b.mesh, count);
    // of the centres on two opposite faces those on the lower one belong to the box, for every axis
    assert_int_equal(count[7], 4 * 4 * 4);
    assert_int_equal(count[0], total - 64);
    fixture_close(&f);
}

static void three_axes_agree_on_a_body(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    static ball b;
    ball_make(&b, 3.0, 2.0, 1.5);
    const solid_voxels voxels = {.low = {-3.2, -2.2, -1.7}, .size = 0.1, .count = {64, 44, 34}};
    int64_t count[8];
    (void)votes_of(&f, &voxels, &b.mesh, count);
    // rays along the three axes differ in rounding only for centres on a face
    assert_true(count[1] + count[2] + count[3] + count[4] + count[5] + count[6] <= 2);
    const wadi_mesh_report report = inspect(&f, &b.mesh);
    assert_int_equal(report.open_edges + report.turned_edges, 0);
    CHECK_NEAR((double)count[7] * 1e-3, report.volume, 0.005 * report.volume);
    fixture_close(&f);
}

// --- fillings ---

static wadi_filling* fill(fixture* f, const wadi_filling_params* params, uint64_t seed,
                          const wadi_mesh* layers, int32_t count)
{
    wadi_filling* filling = NULL;
    CHECK_OK(f->context, wadi_filling_create(f->context, params, seed, layers, count, &filling));
    return filling;
}

static void check_apart(const wadi_grain* grains, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        for (int32_t j = i + 1; j < count; ++j)
        {
            double distance2 = 0.0;
            for (int a = 0; a < 3; ++a)
            {
                const double d = grains[i].position[a] - grains[j].position[a];
                distance2 += d * d;
            }
            assert_true(sqrt(distance2) >= (grains[i].radius + grains[j].radius) * (1.0 - 1e-12));
        }
    }
}

// Grains x volume per grain is the mesh's volume; grains do not overlap and lie in the body.
static void grains_fill_the_volume(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    static ball b;
    ball_make(&b, 3.0, 2.0, 1.5);
    for (int packing = 0; packing < WADI_PACKING_COUNT; ++packing)
    {
        wadi_filling_params params = wadi_filling_params_default();
        params.packing = packing;
        params.diameter = 0.31;
        wadi_filling* filling = fill(&f, &params, 1, &b.mesh, 1);
        const wadi_filling_layer layer = wadi_filling_layer_at(filling, 0);
        int32_t count = 0;
        const wadi_grain* grains = wadi_filling_grains(filling, &count);
        assert_int_equal(count, layer.grains);
        CHECK_NEAR(layer.grains * layer.room, layer.mesh.volume, 1e-9);
        const double wide = packing == WADI_PACKING_DENSE ? 0.31 : 0.31 * 1.2;
        const double room = wide * wide * wide * (packing == WADI_PACKING_DENSE ? sqrt(0.5) : 1.0);
        CHECK_NEAR(layer.room, room, 0.51 * room / count + 1e-6);
        check_apart(grains, count);
        for (int32_t i = 0; i < count; ++i)
        {
            const double* p = grains[i].position;
            const double r = sqrt(p[0] * p[0] / 9.0 + p[1] * p[1] / 4.0 + p[2] * p[2] / 2.25);
            assert_true(r < 1.0 + 0.25 * 0.31);
            assert_true(grains[i].radius <= 0.155 && grains[i].radius >= 0.155 * 0.9 - 1e-9);
        }
        wadi_filling_destroy(filling);
    }
    fixture_close(&f);
}

// Where two layers overlap, the later one is filled.
static void later_layers_hold(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    box rock;
    box clay;
    box_make(&rock, 0.0, 0.0, 0.0, 4.0, 3.0, 2.0);
    box_make(&clay, 2.0, -1.0, -1.0, 4.0, 5.0, 4.0);
    const wadi_mesh layers[2] = {rock.mesh, clay.mesh};
    wadi_filling_params params = wadi_filling_params_default();
    params.diameter = 0.25;
    wadi_filling* filling = fill(&f, &params, 7, layers, 2);
    CHECK_NEAR(wadi_filling_layer_at(filling, 0).volume, 12.0, 0.2);
    CHECK_NEAR(wadi_filling_layer_at(filling, 1).volume, 80.0, 1e-9);
    int32_t count = 0;
    const wadi_grain* grains = wadi_filling_grains(filling, &count);
    for (int32_t i = 0; i < count; ++i)
    {
        assert_true((grains[i].position[0] < 2.0 + 0.13) == (grains[i].material == 0) ||
                    fabs(grains[i].position[0] - 2.0) < 0.13);
    }
    wadi_filling_destroy(filling);

    box_make(&clay, -1.0, -1.0, -1.0, 9.0, 9.0, 9.0);
    const wadi_mesh covered[2] = {rock.mesh, clay.mesh};
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "cover all of it",
                wadi_filling_create(f.context, &params, 7, covered, 2, &filling));
    fixture_close(&f);
}

static void fillings_are_refused_with_reasons(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    box b;
    box_make(&b, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0);
    wadi_filling* filling = NULL;
    wadi_filling_params params = wadi_filling_params_default();
    params.diameter = 0.1;
    params.most = 1000;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "raise `most`",
                wadi_filling_create(f.context, &params, 0, &b.mesh, 1, &filling));
    assert_null(filling);
    params.diameter = 1e-3;
    params.most = 50000000;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "voxels",
                wadi_filling_create(f.context, &params, 0, &b.mesh, 1, &filling));
    params.diameter = 2.0;
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "less than half a grain",
                wadi_filling_create(f.context, &params, 0, &b.mesh, 1, &filling));
    params.diameter = 0.2;
    b.mesh.triangle_count = 11;
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "layer 1 is open: 3 edges",
                wadi_filling_create(f.context, &params, 0, &b.mesh, 1, &filling));
    b.mesh.triangle_count = 12;
    b.triangles[11][0] = 5;
    b.triangles[11][2] = 3;
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "face opposite ways",
                wadi_filling_create(f.context, &params, 0, &b.mesh, 1, &filling));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "give 1 to",
                wadi_filling_create(f.context, &params, 0, &b.mesh, 0, &filling));
    fixture_close(&f);
}

// The same seed gives the same bits at any number of threads; `most` alone determines the diameter.
static void threads_do_not_count(void** state)
{
    (void)state;
    static ball b;
    ball_make(&b, 3.0, 2.0, 1.5);
    static wadi_grain kept[5000];
    int32_t kept_count = 0;
    static const int32_t threads[] = {1, 2, 3, 8};
    for (int i = 0; i < 4; ++i)
    {
        fixture f;
        fixture_open(&f, threads[i]);
        wadi_filling_params params = wadi_filling_params_default();
        params.most = 5000;
        wadi_filling* filling = fill(&f, &params, 3, &b.mesh, 1);
        int32_t count = 0;
        const wadi_grain* grains = wadi_filling_grains(filling, &count);
        assert_in_range(count, 4990, 5000);
        if (i == 0)
        {
            kept_count = count;
            memcpy(kept, grains, (size_t)count * sizeof *kept);
        }
        assert_int_equal(count, kept_count);
        assert_memory_equal(grains, kept, (size_t)count * sizeof *kept);
        wadi_filling_destroy(filling);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_closed_and_measured),
        cmocka_unit_test(holes_and_turned_faces_are_found),
        cmocka_unit_test(corners_of_their_own_are_welded),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(rays_through_edges_count_once),
        cmocka_unit_test(three_axes_agree_on_a_body),
        cmocka_unit_test(grains_fill_the_volume),
        cmocka_unit_test(later_layers_hold),
        cmocka_unit_test(fillings_are_refused_with_reasons),
        cmocka_unit_test(threads_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
