// SPDX-License-Identifier: MIT
// Process `earth` from a scene: bodies of soil become grains, a series does not change results,
// bits do not depend on threads, and mistakes are refused with their place.
#include "io/points/grain_file.h"
#include "scene/earth_scene.h"

#include <stdio.h>

#define SCENE                                                                                      \
    "wadi: 1\nseed: 4\nterrain: {flat: 2 m, size: [8, 8], cell: 50 cm, edges: closed}\nsteps:\n"
#define SAND "friction: 0.5, bond_tension: 0 Pa, bond_cohesion: 0 Pa"
#define DROP                                                                                       \
    SCENE "  - earth: {for: 0.2 s, most: 300, rain: 30 mm/h, soil: [{mesh: cube.obj, up: z, " SAND \
          ", saturation: 0.5}, {mesh: core.obj, up: z, bond_modulus: 1 MPa}]"

static void put_box(const char* path, double low, double high)
{
    const double x[2] = {low, high};
    const double z[2] = {low + 1.5, high + 1.5};
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 8; ++i)
    {
        (void)fprintf(file, "v %g %g %g\n", x[i % 2], x[i / 2 % 2], z[i / 4]);
    }
    (void)fputs("f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n", file);
    assert_int_equal(fclose(file), 0);
}

static int put_boxes(void** state)
{
    (void)state;
    put_box("cube.obj", 1.0, 2.0);
    put_box("core.obj", 1.25, 1.75);
    return 0;
}

// The scene of a text lies in the folder of the test, where the meshes are.
static wadi_result try_text(earth_scene* e, const char* text, int32_t threads)
{
    return earth_scene_try(e, NULL, text, NULL, threads);
}

static void bodies_become_grains(void** state)
{
    (void)state;
    earth_scene e;
    CHECK_OK(e.f.context, try_text(&e, DROP "}\n", 1));
    int32_t of[2] = {0, 0};
    for (int32_t i = 0; i < e.count; ++i)
    {
        of[e.grains[i].material] += 1;
        assert_true(e.grains[i].position[2] > 2.0); // the ground is at 2 m
    }
    // the core is an eighth of the cube
    CHECK_NEAR((double)of[1] / e.count, 0.125, 0.01);
    assert_true(e.count > 200 && e.count <= 300);
    // half of the pores of 7/8 of a cubic metre of soil, to the share that spheres fill
    CHECK_NEAR(earth_scene_figure(&e, "soil_water"), 0.5 * 0.4 * 0.875, 0.05);
    assert_true(earth_scene_figure(&e, "water_residual") == 0.0);
    assert_true(earth_scene_figure(&e, "bonds") > 0.0);
    earth_scene_close(&e);
}

static void frames_and_threads_change_no_bit(void** state)
{
    (void)state;
    static const char series[] = DROP ", series: [{write: a.pvd, every: 0.03 s}]}\n";
    uint64_t first = 0;
    for (int32_t threads = 1; threads <= 3; ++threads)
    {
        earth_scene e;
        CHECK_OK(e.f.context, try_text(&e, threads == 2 ? DROP "}\n" : series, threads));
        const uint64_t hash = wadi_terrain_hash(wadi_run_terrain(e.run));
        first = threads == 1 ? hash : first;
        // frames at 0, 0.03 ... 0.18 s, which a run without any does not show
        assert_int_equal(e.frames, threads == 2 ? 0 : 7);
        assert_true(hash == first);
        earth_scene_close(&e);
    }
}

static void grains_come_from_a_file(void** state)
{
    (void)state;
    const wadi_grain two[] = {{.position = {1.0, 1.0, 2.5}, .radius = 0.25, .wetness = 0.125},
                              {.position = {3.0, 1.0, 2.25}, .radius = 0.25, .material = 1}};
    earth_scene e;
    fixture f;
    fixture_open(&f, 1);
    CHECK_OK(f.context, wadi_io_grains_write(f.context, two, 2, NULL, "two.ply"));
    fixture_close(&f);
    CHECK_OK(e.f.context, try_text(&e,
                                   SCENE "  - earth: {for: 1 ms, grains: two.ply, soil: [{" SAND
                                         "}, {fixed: true}]}\n",
                                   1));
    assert_int_equal(e.count, 2);
    CHECK_NEAR(e.grains[0].wetness, 0.125, 1e-6);
    assert_true(e.grains[0].velocity[2] < 0.0);
    CHECK_NEAR(e.grains[1].position[2], 2.25, 0.0);
    earth_scene_close(&e);
}

// Three grains in a row: the middle one, without strength, is bonded to none.
static void strengths_come_from_a_file(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        FILE* file = fopen("row.ply", "w");
        assert_non_null(file);
        (void)fputs("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float "
                    "y\nproperty float z\nproperty float radius\nproperty float strength\n"
                    "end_header\n",
                    file);
        (void)fprintf(file, "1 1 3 0.25 1\n1.5 1 3 0.25 %d\n2 1 3 0.25 0.5\n", k);
        assert_int_equal(fclose(file), 0);
        earth_scene e;
        CHECK_OK(e.f.context,
                 try_text(&e, SCENE "  - earth: {for: 1 ms, grains: row.ply, soil: [{}]}\n", 1));
        assert_true(earth_scene_figure(&e, "bonds") == 2.0 * k);
        earth_scene_close(&e);
    }
}

static void mistakes_are_refused(void** state)
{
    (void)state;
    static const earth_mistake cases[] = {
        {"  - earth: {soil: [{mesh: none.obj}]}\n", "cannot open none.obj"},
        {"  - earth: {soil: []}\n", "t.yaml:5:13: 'soil' takes a list of 1 to 16"},
        {"  - earth: {soil: [{mesh: cube.obj, densty: 1}]}\n", "did you mean 'density'"},
        {"  - earth: {soil: [{mesh: cube.obj, density: 1 s}]}\n",
         "t.yaml:5:46: grain material.density"},
        {"  - earth: {soil: [{mesh: cube.obj, saturation: 2}]}\n", "saturation"},
        {"  - earth: {soil: [{mesh: cube.obj, up: x}]}\n", "t.yaml:5:41: up is 'x'"},
        {"  - earth: {soil: [{density: 2000}]}\n", "a body of soil needs a mesh"},
        {"  - earth: {grains: two.ply}\n", "grains from 'two.ply' need 'soil'"},
        {"  - earth: {grains: two.ply, soil: [{mesh: cube.obj}]}\n", "leave one out"},
        {"  - earth: {grains: none.ply, soil: [{density: 2000}]}\n", "cannot open none.ply"},
        {"  - earth: {series: [{write: a.pvd}]}\n",
         "a series shows bodies of soil, but earth has none"},
        {"  - earth: {soil: [{mesh: cube.obj}], series: [{write: a.gif}]}\n",
         "a series is 'write'"},
        {"  - earth: {soil: [{mesh: cube.obj}], series: [{render: a.pvd}]}\n",
         "a series is 'write'"},
        {"  - earth: {soil: [{mesh: cube.obj}], series: [{write: ../a.pvd}]}\n",
         "outside the output folder"},
        {"  - earth: {soil: [{mesh: cube.obj}], series: [{write: a.pvd, every: 0 s}]}\n",
         "give a time above 0"},
        {"  - earth: {soil: [{mesh: cube.obj}], series: [{write: a.pvd, every: 1 us}]}\n",
         "frames, more than 10000"},
        {"  - earth: {soil: [{mesh: cube.obj, up: z}], step: 0.5 s}\n", "step"},
        {"  - talus: {soil: [{mesh: cube.obj}]}\n", "unknown key 'soil' in 'talus'"},
    };
    earth_scene_check_mistakes(SCENE, cases, sizeof cases / sizeof cases[0]);
}

// The ends of ranges that no other parameter narrows are accepted, as `wadi describe earth` says.
static void ends_of_ranges_are_accepted(void** state)
{
    (void)state;
    static const char* const names[] = {"friction",    "rain",        "rain_from", "rain_until",
                                        "evaporation", "water_step",  "exchange",  "acceleration",
                                        "interval",    "sleep_speed", "bond_reach"};
    for (size_t k = 0; k < 2 * (sizeof names / sizeof names[0]); ++k)
    {
        const wadi_field* field = wadi_field_find(&wadi_earth_fields, names[k / 2]);
        char text[512];
        earth_scene e;
        assert_non_null(field);
        (void)snprintf(text, sizeof text,
                       SCENE "  - earth: {for: 1 us, most: 8, %s: %.17g, soil: [{mesh: cube.obj, "
                             "up: z, " SAND "}]}\n",
                       field->name, k % 2 == 0 ? field->min : field->max);
        CHECK_OK(e.f.context, try_text(&e, text, 1));
        earth_scene_close(&e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_of_ranges_are_accepted),
        cmocka_unit_test(bodies_become_grains),
        cmocka_unit_test(frames_and_threads_change_no_bit),
        cmocka_unit_test(grains_come_from_a_file),
        cmocka_unit_test(strengths_come_from_a_file),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, put_boxes, NULL);
}
