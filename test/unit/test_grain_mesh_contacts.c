// SPDX-License-Identifier: MIT
// Meshes in the table of contacts and in fields, with feeders, sinks, planes that move, and worlds
// that are saved and restored between.
#include "support/mesh_forms.h"
#include "support/soil.h"

#include <wadi/grain_contacts.h>
#include <wadi/grain_fields.h>
#include <wadi/grain_flow.h>

#include <math.h>

enum
{
    MOST = 4096,
    STEPS = 5000
};

static wadi_grain_contact table[MOST];
static wadi_grain_contact again[MOST];

static int64_t list_contacts(soil* s, wadi_grain_contact* out)
{
    int64_t count = 0;
    CHECK_OK(s->f.context, wadi_grains_contacts(s->grains, out, MOST, &count));
    assert_true(count < MOST);
    return count;
}

static int32_t add_form(soil* s, mesh_form* form, const wadi_grain_motion* motion)
{
    int32_t number;
    CHECK_OK(s->f.context, wadi_grains_add_mesh(s->grains, &form->mesh, 0, motion, &number));
    test_free(form);
    return number;
}

static void add_flow(soil* s)
{
    const wadi_grain_feeder feeder = {.low = {-0.03, -0.03, 0.12},
                                      .high = {0.03, 0.03, 0.16},
                                      .number_rate = 2000.0,
                                      .every = 2e-3,
                                      .radius_low = 0.004,
                                      .radius_high = 0.006,
                                      .velocity = {0.0, 0.0, -1.0}};
    const wadi_grain_sink sink = {{-9.0, -9.0, -9.0}, {9.0, 9.0, -0.05}, 3e-3};
    int32_t number;
    CHECK_OK(s->f.context, wadi_grains_add_feeder(s->grains, &feeder, &number));
    CHECK_OK(s->f.context, wadi_grains_add_sink(s->grains, &sink, &number));
}

// A funnel that shakes over a plate that is lifted, a feeder above and a sink below.
static void pour_open(soil* s, int32_t threads, int32_t chunk, double skin)
{
    soil_open(s, threads, MOST);
    s->params.gravity_z = -9.81;
    s->params.chunk = chunk;
    s->params.skin = skin;
    s->materials[0].stiffness = 2e3;
    s->materials[0].rolling_friction = 0.05;
    (void)soil_add(s, 0.0, 0.0, 0.03, 0.006);
    soil_make(s);
    CHECK_OK(s->f.context, wadi_grains_expect(s->grains, 0.004, 0.006));
    mesh_form* funnel = mesh_form_new();
    mesh_form_ring(funnel, 2, 0.0, 0.02, 0.05, 0.06, 12);
    mesh_form_ring(funnel, 2, 0.05, 0.06, 0.2, 0.06, 12);
    const wadi_grain_motion shakes = {.swing = {0.0, 0.0, 0.002}, .frequency = 100.0};
    (void)add_form(s, funnel, &shakes);
    (void)soil_wall(s, 0.0, 0.0, -0.02, 0.0, 0.0, 1.0);
    add_flow(s);
}

static void lift(soil* s, int64_t steps)
{
    const double up[3] = {0.0, 0.0, 0.05};
    const double step = wadi_grains_step(s->grains);
    for (int64_t k = 0; k < steps; ++k)
    {
        const int64_t now = wadi_grains_summarize(s->grains).steps;
        const double point[3] = {0.0, 0.0, -0.02 + 0.05 * step * (double)now};
        CHECK_OK(s->f.context, wadi_grains_move_wall(s->grains, 0, point, up));
        CHECK_OK(s->f.context, wadi_grains_advance(s->grains, 1));
    }
}

static void sum_forces(int64_t count, int32_t mesh, double out[3], int64_t* touches)
{
    memset(out, 0, 3 * sizeof *out);
    *touches = 0;
    for (int64_t k = 0; k < count; ++k)
    {
        const wadi_grain_contact* c = &table[k];
        if (c->kind == WADI_GRAIN_CONTACT_WALL && c->second == WADI_GRAIN_FIRST_MESH + mesh)
        {
            *touches += 1;
            for (int a = 0; a < 3; ++a)
            {
                out[a] -= c->normal_force * c->normal[a] + c->tangential[a];
            }
        }
    }
}

// The table has the forces of the next step, on the plate and on the funnel, which moves.
static void table_has_the_forces_on_meshes(void** state)
{
    (void)state;
    soil s;
    pour_open(&s, 1, 4096, 0.25);
    lift(&s, STEPS);
    const int64_t count = list_contacts(&s, table);
    CHECK_OK(s.f.context, wadi_grains_advance(s.grains, 1));
    wadi_grain_mesh_reading funnel;
    CHECK_OK(s.f.context, wadi_grains_read_mesh(s.grains, 0, &funnel));
    double force[3];
    int64_t touches;
    sum_forces(count, 0, force, &touches);
    print_message("%lld contacts, %lld with the funnel, which push it by %.3f N\n",
                  (long long)count, (long long)touches, force[2]);
    assert_true(touches > 5 && touches == funnel.touches);
    for (int c = 0; c < 3; ++c)
    {
        assert_true(fabs(force[c] - funnel.force[c]) < 1e-9);
    }
    double plate[3];
    CHECK_OK(s.f.context, wadi_grains_wall_force(s.grains, 0, plate));
    double pressed = 0.0;
    for (int64_t k = 0; k < count; ++k)
    {
        const bool is_plate = table[k].kind == WADI_GRAIN_CONTACT_WALL && table[k].second == 0;
        pressed -=
            is_plate ? table[k].normal_force * table[k].normal[2] + table[k].tangential[2] : 0.0;
    }
    assert_true(plate[2] < -1e-3 && fabs(pressed - plate[2]) < 1e-9);
    soil_close(&s);
}

// A ball in a valley of two sheets: two contacts with one mesh, in the order of their normals.
static void valley_has_two_contacts(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 1);
    s.params.gravity_z = -9.81;
    (void)soil_add(&s, 0.0, 0.003, 0.01 * sqrt(2.0), 0.01);
    soil_make(&s);
    mesh_form* valley = mesh_form_new();
    mesh_form_sheet(valley, (const double[3]){-0.1, -0.1, 0.1}, (const double[3]){0.1, 0.0, -0.1},
                    (const double[3]){0.0, 0.2, 0.0}, 1, 2);
    mesh_form_sheet(valley, (const double[3]){0.0, -0.1, 0.0}, (const double[3]){0.1, 0.0, 0.1},
                    (const double[3]){0.0, 0.2, 0.0}, 1, 2);
    (void)add_form(&s, valley, NULL);
    soil_pass(&s, 0.5);
    assert_int_equal(list_contacts(&s, table), 2);
    double up = 0.0;
    for (int k = 0; k < 2; ++k)
    {
        assert_int_equal(table[k].second, WADI_GRAIN_FIRST_MESH);
        assert_true(fabs(table[k].point[2] - 0.01 / sqrt(2.0)) < 1e-4);
        up += table[k].normal_force * table[k].normal[2] + table[k].tangential[2];
    }
    assert_true(table[0].normal[0] < -0.7 && table[1].normal[0] > 0.7);
    assert_true(fabs(up / (9.81 * soil_mass(&s, 0)) - 1.0) < 1e-3);
    wadi_grain_load load;
    wadi_grain_loads(s.list, 1, table, 2, &load);
    assert_int_equal(load.contacts, 2);
    const double volume = 4.0 / 3.0 * 3.14159265358979323846 * 1e-6;
    assert_true(load.stress[2][2] * volume > 0.0);

    // fields carry the weight to the mesh
    const wadi_grain_grid grid = {
        .low = {-0.075, -0.075, -0.075}, .cell_size = 0.15, .cells = {1, 1, 1}, .width = 0.02};
    wadi_grain_cell cell;
    CHECK_OK(s.f.context, wadi_grain_fields(s.grains, &grid, &cell));
    assert_true(fabs(cell.wall[2] / (9.81 * cell.density) - 1.0) < 1e-3);
    assert_true(fabs(cell.coordination - 2.0) < 1e-12);
    soil_close(&s);
}

// A look changes nothing, and is the same for all threads and chunks, also in the midst of feeding.
static void looks_have_the_same_bits(void** state)
{
    (void)state;
    soil s;
    pour_open(&s, 1, 4096, 0.25);
    lift(&s, STEPS);
    const uint64_t hash = wadi_grains_hash(s.grains);
    const int64_t count = list_contacts(&s, table);
    assert_true(wadi_grains_hash(s.grains) == hash);
    lift(&s, 500);
    const uint64_t end = wadi_grains_hash(s.grains);
    soil_close(&s);

    pour_open(&s, 3, 64, 0.1);
    for (int k = 0; k < STEPS / 100; ++k)
    {
        lift(&s, 100);
        (void)list_contacts(&s, again);
    }
    assert_true(wadi_grains_hash(s.grains) == hash);
    assert_int_equal(list_contacts(&s, again), count);
    assert_memory_equal(table, again, (size_t)count * sizeof *table);
    lift(&s, 500);
    assert_true(wadi_grains_hash(s.grains) == end);
    soil_close(&s);
}

static void* save(const soil* s, size_t* size)
{
    *size = wadi_grains_save_size(s->grains);
    void* bytes = test_malloc(*size);
    wadi_grains_save(s->grains, bytes);
    return bytes;
}

// A funnel that moves farther in a step than the search for its triangles reaches, with grains that
// come: its contacts are carried over each time.
static void fast_meshes_are_restored(void** state)
{
    (void)state;
    soil s;
    soil other;
    size_t size;
    uint64_t hash = 0;
    for (int k = 0; k < 2; ++k)
    {
        pour_open(&s, 1, 256, k == 0 ? 1.0 : 0.01);
        lift(&s, 1000);
        const wadi_grain_motion quick = {
            .velocity = {0.0, 0.0, -1.0}, .swing = {0.0, 0.0, 0.004}, .frequency = 300.0};
        CHECK_OK(s.f.context, wadi_grains_move_mesh(s.grains, 0, &quick));
        lift(&s, 60);
        void* bytes = save(&s, &size);
        pour_open(&other, 3, 64, 0.01);
        CHECK_OK(other.f.context, wadi_grains_restore(other.grains, bytes, size));
        test_free(bytes);
        assert_true(wadi_grains_hash(other.grains) == wadi_grains_hash(s.grains));
        lift(&s, 300);
        lift(&other, 300);
        assert_true(wadi_grains_hash(other.grains) == wadi_grains_hash(s.grains));
        assert_true(k == 0 || wadi_grains_hash(s.grains) == hash);
        hash = wadi_grains_hash(s.grains);
        const int64_t count = list_contacts(&s, table);
        assert_int_equal(list_contacts(&other, again), count);
        assert_memory_equal(table, again, (size_t)count * sizeof *table);
        const wadi_grain_books books = wadi_grains_books(other.grains);
        assert_true(books.come.grains > 50 &&
                    books.first.units + books.come.units == books.gone.units + books.present.units);
        soil_close(&other);
        soil_close(&s);
    }
}

// A flipped byte anywhere is found.
static void damage_is_found(void** state)
{
    (void)state;
    soil s;
    size_t size;
    pour_open(&s, 1, 256, 0.25);
    lift(&s, STEPS);
    unsigned char* bytes = save(&s, &size);
    const uint64_t hash = wadi_grains_hash(s.grains);
    for (size_t at = 0; at < size; at += size / 97)
    {
        bytes[at] ^= 0x40;
        assert_true(wadi_grains_restore(s.grains, bytes, size) != WADI_OK);
        bytes[at] ^= 0x40;
    }
    assert_true(wadi_grains_hash(s.grains) == hash);
    CHECK_OK(s.f.context, wadi_grains_restore(s.grains, bytes, size));
    assert_true(wadi_grains_hash(s.grains) == hash);
    test_free(bytes);
    soil_close(&s);
}

// A plane whose surface moves, slower than wakes a grain at once, drags one that sleeps on it.
static void slow_belts_wake_grains(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 1);
    s.params.gravity_z = -9.81;
    s.params.sleep_speed = 1e-3;
    s.params.sleep_acceleration = 1.0;
    s.materials[0].rolling_friction = 0.1;
    (void)soil_add(&s, 0.0, 0.0, 0.01, 0.01);
    soil_make(&s);
    const int32_t belt = soil_floor(&s);
    soil_pass(&s, 1.0);
    assert_int_equal(wadi_grains_asleep(s.grains), 1);
    const double point[3] = {0.0, 0.0, 0.0};
    const double speed[3] = {2e-3, 0.0, 0.0};
    CHECK_OK(s.f.context, wadi_grains_move_wall(s.grains, belt, point, speed));
    soil_pass(&s, 1.0);
    print_message("dragged by %.3f mm\n", 1e3 * s.list[0].position[0]);
    assert_true(s.list[0].position[0] > 1e-3);
    soil_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_has_the_forces_on_meshes),
        cmocka_unit_test(valley_has_two_contacts),
        cmocka_unit_test(looks_have_the_same_bits),
        cmocka_unit_test(fast_meshes_are_restored),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(slow_belts_wake_grains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
