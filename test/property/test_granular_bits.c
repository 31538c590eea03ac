// SPDX-License-Identifier: MIT
// The same bits with any threads, chunks, skin, instruction set and after a restart; conservation
// of momentum and angular momentum without external forces.
#include "support/soil.h"

#include "bodies/grains/granular.h"

#include <stdlib.h>

enum
{
    CROWD = 400,
    STEPS = 2000,
    CUT = 1400
};

// Parameters of execution that must not change the result.
typedef struct manner
{
    int32_t threads;
    int32_t chunk;
    double skin;
    wadi_isa isa;
} manner;

typedef void world_fn(soil* s, const manner* m);

static void crowd_materials(soil* s)
{
    s->material_count = 2;
    s->materials[1].stiffness = 8e4;
    s->materials[1].friction = 0.2;
    s->materials[1].rolling_friction = 0.05;
    for (int i = 0; i < 2; ++i)
    {
        s->materials[i].bond_modulus = 2e6;
        s->materials[i].bond_tension = i == 0 ? 3e5 : 1e4;
        s->materials[i].bond_cohesion = i == 0 ? 2e5 : 5e3;
    }
}

static void crowd_begin(soil* s, const manner* m)
{
    soil_open(s, m->threads, CROWD);
    s->params.chunk = m->chunk;
    s->params.skin = m->skin;
    s->params.step = 1.8e-5;
    s->params.gravity_z = -200.0; // shortens the test
    crowd_materials(s);
}

static void crowd_finish(soil* s, const manner* m)
{
    for (int32_t i = 0; i < s->count; ++i)
    {
        s->list[i].material = i % 2;
        s->list[i].velocity[2] = -8.0;
        s->list[i].spin[i % 3] = 20.0;
        s->list[i].wetness = i % 7 == 0 ? 0.25 : 0.02;
    }
    soil_make(s);
    s->grains->kernels = granular_kernels_of(m->isa);
    s->grains->list.kernels = list_kernels_of(m->isa);
}

// Clusters of bonded grains fall on a floor in a periodic world.
static void repeating_world(soil* s, const manner* m)
{
    crowd_begin(s, m);
    s->params.period_x = 0.12;
    s->params.period_y = 0.1;
    s->params.gravity_x = 2.0;
    s->params.sleep_speed = 0.5;
    s->params.sleep_acceleration = 100.0;
    s->params.sleep_time = 1e-4;
    soil_scatter(s, CROWD, (double[3]){0.12, 0.1, 0.25}, 0.004, 0.011, 7);
    crowd_finish(s, m);
    soil_floor(s);
    CHECK_OK(s->f.context, wadi_grains_bond(s->grains, 0.2, NULL));
}

static void set_hills(soil* s)
{
    float heights[6 * 5];
    for (int32_t i = 0; i < 30; ++i)
    {
        heights[i] = -0.01f * (float)((i * 7) % 5);
    }
    const wadi_grain_ground ground = {.heights = heights,
                                      .width = 6,
                                      .height = 5,
                                      .cell_size = 0.03,
                                      .west = -0.03,
                                      .south = -0.02,
                                      .material = 1};
    CHECK_OK(s->f.context, wadi_grains_set_ground(s->grains, &ground));
}

// Elastic spheres between walls on rough ground.
static void walled_world(soil* s, const manner* m)
{
    crowd_begin(s, m);
    s->params.step = 1.4e-5;
    s->params.law = WADI_GRAIN_LAW_HERTZ;
    soil_scatter(s, CROWD, (double[3]){0.12, 0.1, 0.25}, 0.004, 0.011, 8);
    crowd_finish(s, m);
    set_hills(s);
    soil_wall(s, 0.0, 0.0, 0.0, 1.0, 0.2, 0.0);
    soil_wall(s, 0.12, 0.0, 0.0, -1.0, 0.0, 0.3);
}

static uint64_t run(world_fn* make, manner m)
{
    soil s;
    make(&s, &m);
    soil_run(&s, STEPS);
    const wadi_grains_summary sum = wadi_grains_summarize(s.grains);
    assert_true(sum.touches > CROWD / 4);
    assert_true(make != repeating_world || (sum.broken > 20 && sum.bonds > 10 && sum.asleep > 3));
    const uint64_t hash = wadi_grains_hash(s.grains);
    soil_close(&s);
    return hash;
}

// Save after CUT steps and continue with other execution parameters.
static uint64_t run_in_two(world_fn* make, manner first, manner second)
{
    soil s;
    make(&s, &first);
    soil_run(&s, CUT);
    const size_t size = wadi_grains_save_size(s.grains);
    void* bytes = test_calloc(size, 1);
    wadi_grains_save(s.grains, bytes);
    soil_close(&s);

    make(&s, &second);
    soil_run(&s, 17);
    CHECK_OK(s.f.context, wadi_grains_restore(s.grains, bytes, size));
    soil_run(&s, STEPS - CUT);
    const uint64_t hash = wadi_grains_hash(s.grains);
    soil_close(&s);
    test_free(bytes);
    return hash;
}

static void check_world(world_fn* make)
{
    const manner plain = {1, 4096, 0.25, WADI_ISA_BASE};
    const uint64_t expected = run(make, plain);
    const manner others[] = {
        {2, 4096, 0.25, WADI_ISA_BASE}, {3, 100, 0.25, WADI_ISA_BASE}, {8, 33, 0.2, WADI_ISA_BASE},
        {1, 512, 0.5, WADI_ISA_BASE},   {2, 64, 0.12, WADI_ISA_BASE},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    {
        assert_true(run(make, others[i]) == expected);
    }
    for (wadi_isa isa = WADI_ISA_BASE; isa < WADI_ISA_COUNT; ++isa)
    {
        const manner m = {1, 200, 0.3, isa};
        assert_true(!wadi_isa_runs(isa) || run(make, m) == expected);
    }
    assert_true(run_in_two(make, plain, plain) == expected);
    assert_true(run_in_two(make, (manner){2, 50, 0.3, WADI_ISA_BASE}, others[1]) == expected);
}

static void bits_stay_in_a_repeating_world(void** state)
{
    (void)state;
    check_world(repeating_world);
}

static void bits_stay_between_walls(void** state)
{
    (void)state;
    check_world(walled_world);
}

// ---- momentum ----------------------------------------------------------------------------

typedef struct momenta
{
    double linear[3];
    double angular[3]; // about the origin
    double size;       // sum of |m v|
    double turn;       // sum of |m r v| and of |I w|
} momenta;

static void add_grain(momenta* sum, const soil* s, int32_t id)
{
    const wadi_grain* g = &s->list[id];
    const double mass = soil_mass(s, id);
    const double inertia = 0.4 * mass * g->radius * g->radius;
    for (int c = 0; c < 3; ++c)
    {
        const int a = (c + 1) % 3;
        const int b = (c + 2) % 3;
        sum->linear[c] += mass * g->velocity[c];
        sum->angular[c] +=
            mass * (g->position[a] * g->velocity[b] - g->position[b] * g->velocity[a]);
        sum->angular[c] += inertia * g->spin[c];
        sum->size += mass * fabs(g->velocity[c]);
        sum->turn += mass * fabs(g->position[a] * g->velocity[b]) + inertia * fabs(g->spin[c]);
    }
}

static momenta momenta_of(const soil* s)
{
    momenta sum = {0};
    for (int32_t i = 0; i < s->count; ++i)
    {
        add_grain(&sum, s, i);
    }
    return sum;
}

// A cloud of grains collapses, half of it bonded, without external forces.
static void momentum_is_kept(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 2, CROWD);
    s.params.chunk = 100;
    s.params.skin = 0.3;
    crowd_materials(&s);
    s.materials[0].bond_tension = 4e3;
    s.materials[0].bond_cohesion = 2e3;
    soil_scatter(&s, CROWD, (double[3]){0.2, 0.2, 0.2}, 0.004, 0.011, 9);
    for (int32_t i = 0; i < s.count; ++i)
    {
        for (int c = 0; c < 3; ++c)
        {
            s.list[i].velocity[c] = 10.0 * (0.1 - s.list[i].position[c]) + 0.1 * c;
            s.list[i].spin[c] = (double)(i % (5 + c)) * 10.0;
        }
    }
    soil_make(&s);
    CHECK_OK(s.f.context, wadi_grains_bond(s.grains, 0.1, NULL));
    const momenta before = momenta_of(&s);
    soil_run(&s, 1000);
    const momenta after = momenta_of(&s);
    assert_true(wadi_grains_summarize(s.grains).broken > 10);
    for (int c = 0; c < 3; ++c)
    {
        CHECK_NEAR(after.linear[c], before.linear[c], 1e-10 * before.size);
        CHECK_NEAR(after.angular[c], before.angular[c], 1e-10 * before.turn);
    }
    soil_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_stay_in_a_repeating_world),
        cmocka_unit_test(bits_stay_between_walls),
        cmocka_unit_test(momentum_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
