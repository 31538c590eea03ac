// SPDX-License-Identifier: MIT
// Triangle meshes as walls of grains, against planes and closed forms.
#include "support/mesh_forms.h"
#include "support/soil.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static int32_t add(soil* s, const mesh_form* form, const wadi_grain_motion* motion)
{
    int32_t number;
    CHECK_OK(s->f.context, wadi_grains_add_mesh(s->grains, &form->mesh, 0, motion, &number));
    return number;
}

static wadi_grain_mesh_reading look(const soil* s, int32_t mesh)
{
    wadi_grain_mesh_reading reading;
    CHECK_OK(s->f.context, wadi_grains_read_mesh(s->grains, mesh, &reading));
    return reading;
}

// A sheet from -1 to 1 m on z = 0 of n x n fields, tilted by `slope` radians about y.
static mesh_form* sheet(int32_t n, double slope)
{
    mesh_form* form = mesh_form_new();
    const double c = cos(slope);
    const double t = sin(slope);
    mesh_form_sheet(form, (const double[3]){-c, -1.0, -t}, (const double[3]){2.0 * c, 0.0, 2.0 * t},
                    (const double[3]){0.0, 2.0, 0.0}, n, n);
    return form;
}

// ---- planes ------------------------------------------------------------------------------------

// A ball that falls on a slope, slips, rolls and leaves the origin by half a metre.
static void roll(soil* s, int32_t law, double slope, const mesh_form* form, double way[200][3])
{
    soil_open(s, 1, 2);
    s->params.law = law;
    s->params.gravity_z = -9.81;
    s->materials[0].rolling_friction = 0.01;
    wadi_grain* ball = soil_add(s, 0.0003, 0.0007, 0.02, 0.012);
    ball->velocity[0] = 0.7;
    ball->velocity[1] = 0.31;
    ball->spin[2] = 20.0;
    soil_make(s);
    if (form != NULL)
    {
        (void)add(s, form, NULL);
    }
    else
    {
        (void)soil_wall(s, 0.0, 0.0, 0.0, -sin(slope), 0.0, cos(slope));
    }
    for (int k = 0; k < 200; ++k)
    {
        soil_pass(s, 0.004);
        memcpy(way[k], s->list[0].position, sizeof way[k]);
    }
    soil_close(s);
}

// The sheet has edges every 7 cm, also diagonal ones, and corners of eight triangles.
static void mesh_plane_is_a_plane(void** state)
{
    (void)state;
    static double plane[200][3];
    static double mesh[200][3];
    for (int k = 0; k < 4; ++k)
    {
        soil s;
        const double slope = k < 2 ? 0.0 : 0.2;
        mesh_form* form = sheet(29, slope);
        roll(&s, k % 2, slope, NULL, plane);
        roll(&s, k % 2, slope, form, mesh);
        double most = 0.0;
        for (int i = 0; i < 600; ++i)
        {
            most = fmax(most, fabs(plane[i / 3][i % 3] - mesh[i / 3][i % 3]));
        }
        print_message("law %d, slope %.1f: way %.3f m, off a plane's by %.1e m\n", k % 2, slope,
                      fabs(mesh[199][0]), most);
        assert_true(fabs(mesh[199][1]) > 0.15);
        assert_true(most < 1e-11);
        test_free(form);
    }
}

// ---- edges, corners, valleys -------------------------------------------------------------------

// A ball comes to rest on a form; returns how deep it presses, in units of m g / k.
static double press(const mesh_form* form, double x, double y, double z, double* force)
{
    soil s;
    soil_open(&s, 1, 1);
    s.params.gravity_z = -9.81;
    s.materials[0].restitution = 0.05;
    (void)soil_add(&s, x, y, z, 0.01);
    soil_make(&s);
    const int32_t mesh = add(&s, form, NULL);
    soil_pass(&s, 0.5);
    const double mass = soil_mass(&s, 0);
    const double weight = mass * 9.81 / s.materials[0].stiffness;
    const double depth = (z - s.list[0].position[2]) / weight;
    assert_true(fabs(s.list[0].position[0] - x) < 1e-9);
    *force = look(&s, mesh).force[2] / (-9.81 * mass);
    soil_close(&s);
    return depth;
}

static void edges_and_corners_push_once(void** state)
{
    (void)state;
    // two roofs that meet in a ridge along y, of four triangles; a pyramid; a valley of 90 degrees
    mesh_form* ridge = mesh_form_new();
    mesh_form_sheet(ridge, (const double[3]){-0.1, -0.1, -0.1}, (const double[3]){0.1, 0.0, 0.1},
                    (const double[3]){0.0, 0.2, 0.0}, 1, 2);
    mesh_form_sheet(ridge, (const double[3]){0.0, -0.1, 0.0}, (const double[3]){0.1, 0.0, -0.1},
                    (const double[3]){0.0, 0.2, 0.0}, 1, 2);
    mesh_form* tip = mesh_form_new();
    mesh_form_ring(tip, 2, -0.1, 0.1, 0.0, 0.0, 8);
    mesh_form* valley = mesh_form_new();
    mesh_form_sheet(valley, (const double[3]){-0.1, -0.1, 0.1}, (const double[3]){0.1, 0.0, -0.1},
                    (const double[3]){0.0, 0.2, 0.0}, 1, 2);
    mesh_form_sheet(valley, (const double[3]){0.0, -0.1, 0.0}, (const double[3]){0.1, 0.0, 0.1},
                    (const double[3]){0.0, 0.2, 0.0}, 1, 2);
    double force[4];
    const double at_edge = press(ridge, 0.0, 0.013, 0.01, &force[0]);
    const double at_middle = press(ridge, 0.0, 0.0, 0.01, &force[1]);
    const double at_tip = press(tip, 0.0, 0.0, 0.01, &force[2]);
    const double in_valley = press(valley, 0.0, 0.003, 0.01 * sqrt(2.0), &force[3]);
    print_message("presses in by %.6f on an edge, %.6f where edges cross, %.6f on a tip, %.6f in a "
                  "valley\n",
                  at_edge, at_middle, at_tip, in_valley);
    assert_true(fabs(at_edge - 1.0) < 1e-3);
    assert_true(fabs(at_middle - 1.0) < 1e-3);
    assert_true(fabs(at_tip - 1.0) < 1e-3);
    // two springs at 45 degrees, 1 / (2 sin^2); friction's springs, 2/7 as stiff, help
    assert_true(fabs(in_valley - 1.0 / (1.0 + 2.0 / 7.0)) < 2e-2);
    for (int k = 0; k < 4; ++k)
    {
        assert_true(fabs(force[k] - 1.0) < 1e-6);
    }
    test_free(ridge);
    test_free(tip);
    test_free(valley);
}

// A grain that is pressed in by a sixth of its radius reaches over the edge of the face below it,
// at 25 degrees from that face: too much to be one smooth surface. Only the face pushes.
static void deep_grain_is_pushed_once(void** state)
{
    (void)state;
    mesh_form* flat = sheet(2, 0.0);
    mesh_form* ridge = mesh_form_new();
    mesh_form_sheet(ridge, (const double[3]){-0.1, -0.1, 0.0}, (const double[3]){0.1, 0.0, 0.0},
                    (const double[3]){0.0, 0.2, 0.0}, 1, 2);
    mesh_form_sheet(ridge, (const double[3]){0.0, -0.1, 0.0}, (const double[3]){0.0, 0.0, -0.1},
                    (const double[3]){0.0, 0.2, 0.0}, 1, 2);
    // beside an edge between two faces, and beside a corner where six or more meet
    static const double places[2][2] = {{-0.004, 0.03}, {-0.003, -0.001}};
    for (int k = 0; k < 4; ++k)
    {
        soil s;
        soil_open(&s, 1, 1);
        (void)soil_add(&s, places[k % 2][0], places[k % 2][1], 0.0085, 0.01);
        soil_make(&s);
        const int32_t mesh = add(&s, k < 2 ? flat : ridge, NULL);
        soil_run(&s, 1);
        const wadi_grain_mesh_reading reading = look(&s, mesh);
        assert_int_equal(reading.touches, 1);
        assert_true(fabs(reading.force[2] / (-s.materials[0].stiffness * 0.0015) - 1.0) < 1e-6);
        assert_true(fabs(reading.force[0]) + fabs(reading.force[1]) <
                    1e-9 * fabs(reading.force[2]));
        soil_close(&s);
    }
    test_free(flat);
    test_free(ridge);
}

// ---- motion ------------------------------------------------------------------------------------

// A ball that rolls on a turntable goes round at 2/7 of its rate, whatever its size and speed.
static void ball_on_a_turntable_turns_at_two_sevenths(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 1);
    s.params.gravity_z = -9.81;
    s.materials[0].rolling_friction = 0.0;
    s.materials[0].friction = 1.0;
    wadi_grain* ball = soil_add(&s, 0.2, 0.0, 0.01, 0.01);
    ball->velocity[0] = 0.05;
    ball->spin[1] = 0.05 / 0.01;
    soil_make(&s);
    mesh_form* form = sheet(11, 0.0);
    const double rate = 3.0;
    const wadi_grain_motion motion = {.axis = {0.0, 0.0, 2.0}, .spin = rate};
    const int32_t mesh = add(&s, form, &motion);
    soil_pass(&s, 0.3); // it has begun to roll
    const double before = atan2(s.list[0].velocity[1], s.list[0].velocity[0]);
    soil_pass(&s, 1.0);
    double turned = atan2(s.list[0].velocity[1], s.list[0].velocity[0]) - before;
    turned += turned < 0.0 ? 2.0 * PI : 0.0;
    print_message("turns at %.4f of the table's rate, expected %.4f\n", turned / rate, 2.0 / 7.0);
    assert_true(fabs(turned / rate - 2.0 / 7.0) < 2e-3);
    const wadi_grain_mesh_reading reading = look(&s, mesh);
    const double angle = rate * wadi_grains_summarize(s.grains).time;
    assert_true(fabs(reading.turn[1][0] - sin(angle)) < 1e-12);
    assert_true(fabs(reading.turn[0][0] - cos(angle)) < 1e-12);
    soil_close(&s);
    test_free(form);
}

enum
{
    PUSHED = 6
};

// A slippery blade pushes balls that cannot roll over a floor: its force is friction x weight.
static void pusher_feels_the_friction(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, PUSHED);
    s.params.gravity_z = -9.81;
    s.material_count = 2;
    s.materials[0].friction = 0.3;
    s.materials[0].rolling_friction = 1.0;
    s.materials[1].friction = 0.0;
    for (int k = 0; k < PUSHED; ++k)
    {
        (void)soil_add(&s, 0.012 + 0.001 * k, 0.03 * k, 0.0099, 0.01);
    }
    soil_make(&s);
    mesh_form* floor = mesh_form_new();
    mesh_form_sheet(floor, (const double[3]){-0.5, -0.5, 0.0}, (const double[3]){2.0, 0.0, 0.0},
                    (const double[3]){0.0, 1.0, 0.0}, 40, 9);
    mesh_form* blade = mesh_form_new();
    mesh_form_sheet(blade, (const double[3]){0.0, -0.5, -0.1}, (const double[3]){0.0, 1.0, 0.0},
                    (const double[3]){0.0, 0.0, 0.2}, 7, 3);
    const int32_t ground = add(&s, floor, NULL);
    const wadi_grain_motion motion = {.velocity = {0.2, 0.0, 0.0}};
    int32_t pusher;
    CHECK_OK(s.f.context, wadi_grains_add_mesh(s.grains, &blade->mesh, 1, &motion, &pusher));
    soil_pass(&s, 1.0);
    const double friction = 0.3 * (double)PUSHED * soil_mass(&s, 0) * 9.81;
    const wadi_grain_mesh_reading first = look(&s, pusher);
    soil_pass(&s, 1.0);
    const wadi_grain_mesh_reading last = look(&s, pusher);
    const wadi_grain_mesh_reading under = look(&s, ground);
    print_message("force %.6f of friction, work %.6f of friction x way, ground %.6f\n",
                  -last.force[0] / friction, (last.work - first.work) / (0.2 * friction),
                  under.force[0] / friction);
    assert_true(fabs(last.force[0] / friction + 1.0) < 1e-3);
    assert_true(fabs(under.force[0] / friction - 1.0) < 1e-3);
    assert_true(fabs((last.work - first.work) / (0.2 * friction) - 1.0) < 1e-3);
    assert_int_equal(last.touches, PUSHED);
    // torque about the blade's own point: the balls lie at y = 0 to 0.15 m
    assert_true(fabs(last.torque[2] / (0.075 * friction) - 1.0) < 1e-3);
    assert_true(fabs(last.centre[0] - 0.2 * wadi_grains_summarize(s.grains).time) < 1e-12);
    // all that the meshes and gravity did is in the momentum of the balls
    double momentum = 0.0;
    for (int k = 0; k < PUSHED; ++k)
    {
        momentum += soil_mass(&s, k) * s.list[k].velocity[0];
    }
    assert_true(fabs(momentum + last.impulse[0] + under.impulse[0]) < 1e-9);
    soil_close(&s);
    test_free(floor);
    test_free(blade);
}

// A plate below a sleeping ball shakes it awake; the motion may change under way.
static void moving_mesh_wakes_grains(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 1);
    s.params.gravity_z = -9.81;
    s.params.sleep_speed = 1e-3;
    (void)soil_add(&s, 0.0, 0.0, 0.01, 0.01);
    soil_make(&s);
    mesh_form* form = sheet(3, 0.0);
    const int32_t mesh = add(&s, form, NULL);
    soil_pass(&s, 1.0);
    assert_int_equal(wadi_grains_asleep(s.grains), 1);
    const wadi_grain_motion lift = {.velocity = {0.0, 0.0, 0.1}};
    CHECK_OK(s.f.context, wadi_grains_move_mesh(s.grains, mesh, &lift));
    soil_pass(&s, 1.0);
    assert_true(fabs(s.list[0].position[2] - 0.11) < 1e-3);
    const wadi_grain_motion shake = {.swing = {0.0, 0.0, 0.01}, .frequency = 1.0};
    CHECK_OK(s.f.context, wadi_grains_move_mesh(s.grains, mesh, &shake));
    soil_pass(&s, 0.25);
    assert_true(fabs(s.list[0].position[2] - 0.12) < 1e-3);
    CHECK_OK(s.f.context, wadi_grains_remove_mesh(s.grains, mesh));
    soil_pass(&s, 0.5);
    assert_true(s.list[0].position[2] < -0.5);
    soil_close(&s);
    test_free(form);
}

// ---- same bits ---------------------------------------------------------------------------------

enum
{
    TUMBLING = 300
};

// Grains in a drum that turns, with a second mesh that shakes in it.
static void tumble(soil* s, int32_t threads, int32_t chunk, double skin)
{
    soil_open(s, threads, TUMBLING);
    s->params.gravity_z = -9.81;
    s->params.chunk = chunk;
    s->params.skin = skin;
    soil_scatter(s, TUMBLING, (const double[3]){0.1, 0.1, 0.1}, 0.003, 0.005, 7);
    for (int32_t k = 0; k < TUMBLING; ++k)
    {
        s->list[k].position[0] -= 0.05;
        s->list[k].position[2] -= 0.05;
    }
    soil_make(s);
    mesh_form* drum = mesh_form_new();
    mesh_form_ring(drum, 1, 0.0, 0.08, 0.1, 0.08, 24);
    mesh_form_ring(drum, 1, 0.0, 0.0, 0.0, 0.08, 24);
    mesh_form_ring(drum, 1, 0.1, 0.08, 0.1, 0.0, 24);
    mesh_form* blade = mesh_form_new();
    mesh_form_sheet(blade, (const double[3]){-0.02, 0.02, -0.06},
                    (const double[3]){0.04, 0.0, 0.01}, (const double[3]){0.0, 0.05, 0.0}, 2, 2);
    const wadi_grain_motion turn = {.axis = {0.0, 1.0, 0.0}, .spin = 4.0};
    const wadi_grain_motion shake = {.axis = {1.0, 1.0, 0.0},
                                     .centre = {0.0, 0.0, -0.06},
                                     .swing = {0.002, 0.0, 0.003},
                                     .sway = 0.2,
                                     .frequency = 9.0};
    (void)add(s, drum, &turn);
    (void)add(s, blade, &shake);
    test_free(drum);
    test_free(blade);
}

static void mesh_bits_are_the_same(void** state)
{
    (void)state;
    soil s;
    tumble(&s, 1, 4096, 0.25);
    const double step = wadi_grains_step(s.grains);
    const int64_t half = (int64_t)(0.15 / step);
    soil_run(&s, half);
    const size_t size = wadi_grains_save_size(s.grains);
    void* bytes = test_calloc(1, size);
    wadi_grains_save(s.grains, bytes);
    soil_run(&s, half);
    const uint64_t expected = wadi_grains_hash(s.grains);
    const wadi_grain_mesh_reading drum = look(&s, 0);
    print_message("%lld touches on the drum\n", (long long)drum.touches);
    assert_true(drum.touches > 20 && look(&s, 1).touches > 0);
    soil_close(&s);

    tumble(&s, 3, 16, 0.6);
    soil_run(&s, 7);
    CHECK_OK(s.f.context, wadi_grains_restore(s.grains, bytes, size));
    for (int k = 0; k < 5; ++k)
    {
        soil_run(&s, half / 5);
    }
    soil_run(&s, half - half / 5 * 5);
    assert_true(wadi_grains_hash(s.grains) == expected);
    const wadi_grain_mesh_reading again = look(&s, 0);
    assert_memory_equal(&again, &drum, sizeof drum);
    soil_close(&s);

    ((unsigned char*)bytes)[size - 60] ^= 1;
    tumble(&s, 1, 4096, 0.25);
    CHECK_FAILS(s.f.context, WADI_ERROR_FORMAT, "checksum",
                wadi_grains_restore(s.grains, bytes, size));
    soil_close(&s);
    test_free(bytes);
}

// ---- refusals ----------------------------------------------------------------------------------

static void bad_meshes_are_refused(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 1);
    (void)soil_add(&s, 0.0, 0.0, 1.0, 0.01);
    soil_make(&s);
    mesh_form* form = sheet(2, 0.0);
    int32_t number;
    wadi_grain_motion motion = {.spin = 1.0};
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "axis of length 0",
                wadi_grains_add_mesh(s.grains, &form->mesh, 0, &motion, &number));
    motion = (wadi_grain_motion){.velocity = {(double)NAN, 0.0, 0.0}};
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "no number",
                wadi_grains_add_mesh(s.grains, &form->mesh, 0, &motion, &number));
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "material 1",
                wadi_grains_add_mesh(s.grains, &form->mesh, 1, NULL, &number));
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "no mesh 0",
                wadi_grains_remove_mesh(s.grains, 0));
    for (int k = 0; k < WADI_GRAIN_MAX_MESHES; ++k)
    {
        assert_int_equal(add(&s, form, NULL), k);
    }
    CHECK_FAILS(s.f.context, WADI_ERROR_STATE, "remove one first",
                wadi_grains_add_mesh(s.grains, &form->mesh, 0, NULL, &number));
    CHECK_OK(s.f.context, wadi_grains_remove_mesh(s.grains, 3));
    assert_int_equal(add(&s, form, NULL), 3);
    form->triangles[0][1] = form->triangles[0][0];
    form->mesh.triangle_count = 1;
    CHECK_OK(s.f.context, wadi_grains_remove_mesh(s.grains, 3));
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "has an area",
                wadi_grains_add_mesh(s.grains, &form->mesh, 0, NULL, &number));
    soil_close(&s);
    test_free(form);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mesh_plane_is_a_plane),
        cmocka_unit_test(edges_and_corners_push_once),
        cmocka_unit_test(deep_grain_is_pushed_once),
        cmocka_unit_test(ball_on_a_turntable_turns_at_two_sevenths),
        cmocka_unit_test(pusher_feels_the_friction),
        cmocka_unit_test(moving_mesh_wakes_grains),
        cmocka_unit_test(mesh_bits_are_the_same),
        cmocka_unit_test(bad_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
