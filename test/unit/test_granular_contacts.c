// SPDX-License-Identifier: MIT
// The table of contacts: its forces are those of the next step, and reading it changes nothing.
// Walls that move, and the forces on them.
#include "support/soil.h"

#include <wadi/grain_contacts.h>

#include <math.h>

enum
{
    CROWD = 300,
    MOST = 4096
};

// Unequal grains, a half of them bonded, thrown onto a floor between walls in a world that is
// periodic to the north.
static void crowd_open(soil* s, int32_t threads, int32_t chunk, int32_t law)
{
    soil_open(s, threads, CROWD);
    s->params.chunk = chunk;
    s->params.law = law;
    s->params.gravity_z = -50.0;
    s->params.period_y = 0.12;
    s->material_count = 2;
    s->materials[0].bond_tension = 1e6;
    s->materials[0].bond_cohesion = 1e6;
    soil_scatter(s, CROWD, (double[3]){0.12, 0.12, 0.25}, 0.004, 0.009, 3);
    for (int32_t i = 0; i < CROWD; ++i)
    {
        s->list[i].velocity[2] = -3.0;
        s->list[i].material = i % 2;
    }
    soil_make(s);
    CHECK_OK(s->f.context, wadi_grains_bond(s->grains, 0.5, NULL));
    soil_floor(s);
    (void)soil_wall(s, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0);
    (void)soil_wall(s, 0.12, 0.0, 0.0, -1.0, 0.0, 0.0);
    soil_run(s, 9000);
}

static int64_t crowd_contacts(soil* s, wadi_grain_contact* out)
{
    int64_t count = 0;
    CHECK_OK(s->f.context, wadi_grains_contacts(s->grains, out, MOST, &count));
    print_message("%lld contacts\n", (long long)count);
    assert_true(count > 300 && count < MOST);
    return count;
}

// Force of a contact on its first grain.
static void contact_force(const wadi_grain_contact* contact, double out[3])
{
    for (int c = 0; c < 3; ++c)
    {
        out[c] = contact->normal_force * contact->normal[c] + contact->tangential[c];
    }
}

// ---- two grains ------------------------------------------------------------------------

static void two_grains_press_as_hertz(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 2);
    s.params.law = WADI_GRAIN_LAW_HERTZ;
    s.params.step = 1e-9;
    s.materials[0].restitution = 1.0;
    soil_add(&s, 0.0, 0.0, 0.0, 0.005);
    soil_add(&s, 0.00995, 0.0, 0.0, 0.005);
    soil_make(&s);
    wadi_grain_contact contact;
    int64_t count = 0;
    CHECK_OK(s.f.context, wadi_grains_contacts(s.grains, &contact, 1, &count));
    assert_int_equal(count, 1);
    assert_int_equal(contact.kind, WADI_GRAIN_CONTACT_TOUCH);
    assert_int_equal(contact.first, 0);
    assert_int_equal(contact.second, 1);
    assert_true(fabs(contact.normal[0] + 1.0) < 1e-12);
    assert_true(fabs(contact.overlap - 5e-5) < 1e-12);
    assert_true(fabs(contact.point[0] - 0.004975) < 1e-12);
    assert_true(fabs(contact.normal_force - 0.6285) < 0.001); // Hertz 1882, E 5e7 Pa, nu 0.25
    wadi_grain_load loads[2];
    wadi_grain_loads(s.list, 2, &contact, 1, loads);
    const double volume = 4.0 / 3.0 * 3.14159265358979323846 * 0.005 * 0.005 * 0.005;
    assert_true(fabs(loads[1].stress[0][0] * volume / (0.004975 * contact.normal_force) - 1.0) <
                1e-9);
    assert_true(loads[0].contacts == 1 && loads[0].bonds == 0);
    soil_close(&s);
}

// ---- a crowd ---------------------------------------------------------------------------

// Sums of contact forces, with weight, are what a step adds to momentum.
static void forces_are_those_of_the_next_step(int32_t law)
{
    static wadi_grain_contact contacts[MOST];
    static double sums[CROWD][3];
    static wadi_grain before[CROWD];
    soil s;
    crowd_open(&s, 1, 64, law);
    memcpy(before, s.list, sizeof before);
    memset(sums, 0, sizeof sums);
    const int64_t count = crowd_contacts(&s, contacts);
    int32_t kinds[WADI_GRAIN_CONTACT_COUNT] = {0};
    double largest = 0.0;
    for (int64_t k = 0; k < count; ++k)
    {
        double force[3];
        contact_force(&contacts[k], force);
        kinds[contacts[k].kind] += 1;
        for (int c = 0; c < 3; ++c)
        {
            sums[contacts[k].first][c] += force[c];
            if (contacts[k].kind != WADI_GRAIN_CONTACT_WALL)
            {
                sums[contacts[k].second][c] -= force[c];
            }
            largest = fabs(force[c]) > largest ? fabs(force[c]) : largest;
        }
    }
    print_message("%d touches, %d bonds, %d on walls\n", kinds[WADI_GRAIN_CONTACT_TOUCH],
                  kinds[WADI_GRAIN_CONTACT_BOND], kinds[WADI_GRAIN_CONTACT_WALL]);
    assert_true(kinds[WADI_GRAIN_CONTACT_TOUCH] > 100 && kinds[WADI_GRAIN_CONTACT_BOND] > 10 &&
                kinds[WADI_GRAIN_CONTACT_WALL] > 30);
    const double step = wadi_grains_step(s.grains);
    soil_run(&s, 1);
    for (int32_t i = 0; i < CROWD; ++i)
    {
        for (int c = 0; c < 3; ++c)
        {
            const double gained = s.list[i].velocity[c] - before[i].velocity[c];
            const double force = soil_mass(&s, i) * (gained / step + (c == 2 ? 50.0 : 0.0));
            assert_true(fabs(force - sums[i][c]) < 1e-8 * largest);
        }
    }
    soil_close(&s);
}

static void forces_of_springs_are_those_of_the_next_step(void** state)
{
    (void)state;
    forces_are_those_of_the_next_step(WADI_GRAIN_LAW_LINEAR);
}

static void forces_of_hertz_are_those_of_the_next_step(void** state)
{
    (void)state;
    forces_are_those_of_the_next_step(WADI_GRAIN_LAW_HERTZ);
}

static void the_table_does_not_depend_on_threads_or_chunks(void** state)
{
    (void)state;
    static wadi_grain_contact first[MOST];
    static wadi_grain_contact second[MOST];
    soil s;
    crowd_open(&s, 1, 4096, WADI_GRAIN_LAW_LINEAR);
    const uint64_t hash = wadi_grains_hash(s.grains);
    const int64_t count = crowd_contacts(&s, first);
    assert_true(wadi_grains_hash(s.grains) == hash);
    soil t;
    crowd_open(&t, 3, 16, WADI_GRAIN_LAW_LINEAR);
    assert_int_equal(crowd_contacts(&t, second), count);
    assert_memory_equal(first, second, (size_t)count * sizeof *first);

    // one world was read, the other was not
    (void)crowd_contacts(&s, first);
    soil_run(&s, 200);
    soil_run(&t, 200);
    assert_true(wadi_grains_hash(s.grains) == wadi_grains_hash(t.grains));
    soil_close(&t);
    soil_close(&s);
}

// ---- walls -----------------------------------------------------------------------------

static void the_force_on_a_wall_is_that_of_its_contacts(void** state)
{
    (void)state;
    static wadi_grain_contact contacts[MOST];
    soil s;
    crowd_open(&s, 3, 16, WADI_GRAIN_LAW_LINEAR);
    const int64_t count = crowd_contacts(&s, contacts);
    double sum[3] = {0.0, 0.0, 0.0};
    for (int64_t k = 0; k < count; ++k)
    {
        double force[3];
        contact_force(&contacts[k], force);
        const bool floor = contacts[k].kind == WADI_GRAIN_CONTACT_WALL && contacts[k].second == 0;
        for (int c = 0; c < 3; ++c)
        {
            sum[c] -= floor ? force[c] : 0.0;
        }
    }
    soil_run(&s, 1);
    double force[3];
    CHECK_OK(s.f.context, wadi_grains_wall_force(s.grains, 0, force));
    assert_true(force[2] < 0.0);
    for (int c = 0; c < 3; ++c)
    {
        assert_true(fabs(force[c] - sum[c]) < 1e-9 * fabs(force[2]));
    }
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "there is no wall 9",
                wadi_grains_wall_force(s.grains, 9, force));
    soil_close(&s);
}

// Restitution of a grain at a wall that the wall, or the grain, runs into at 0.5 m/s.
static double piston_restitution(bool moves)
{
    soil s;
    soil_open(&s, 1, 1);
    soil_add(&s, 0.02, 0.0, 0.0, 0.01)->velocity[0] = moves ? 0.0 : -0.5;
    soil_make(&s);
    const int32_t wall = soil_wall(&s, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0);
    const double step = wadi_grains_step(s.grains);
    for (int32_t i = 0; i * step < 0.1; ++i)
    {
        const double speed = moves ? 0.5 : 0.0;
        CHECK_OK(s.f.context,
                 wadi_grains_move_wall(s.grains, wall, (double[3]){i * step * speed, 0.0, 0.0},
                                       (double[3]){speed, 0.0, 0.0}));
        soil_run(&s, 1);
    }
    const double e = (s.list[0].velocity[0] - (moves ? 0.5 : 0.0)) / 0.5;
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "finite",
                wadi_grains_move_wall(s.grains, wall, (double[3]){(double)NAN, 0.0, 0.0},
                                      (double[3]){0.0, 0.0, 0.0}));
    soil_close(&s);
    return e;
}

// A piston hits a grain at rest as a grain hits a wall at rest.
static void a_piston_hits_a_grain(void** state)
{
    (void)state;
    const double rests = piston_restitution(false);
    const double moves = piston_restitution(true);
    print_message("restitution %.6f at a wall at rest, %.6f at a piston\n", rests, moves);
    assert_true(rests > 0.44 && rests < 0.55);
    assert_true(fabs(moves - rests) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_grains_press_as_hertz),
        cmocka_unit_test(forces_of_springs_are_those_of_the_next_step),
        cmocka_unit_test(forces_of_hertz_are_those_of_the_next_step),
        cmocka_unit_test(the_table_does_not_depend_on_threads_or_chunks),
        cmocka_unit_test(the_force_on_a_wall_is_that_of_its_contacts),
        cmocka_unit_test(a_piston_hits_a_grain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
