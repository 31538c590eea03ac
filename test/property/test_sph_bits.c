// SPDX-License-Identifier: MIT
// The same bits with any threads, chunks, skin, instruction set and after a restart; conservation
// of momentum without external forces; the ledger of water closes.
#include "support/water.h"

#include "bodies/water/sph.h"

#include <stdlib.h>

enum
{
    STEPS = 160,
    CUT = 90,
    MOST = 4000,
    STONES = 24
};

// Parameters of execution that must not change the result.
typedef struct manner
{
    int32_t threads;
    int32_t chunk;
    double skin;
    wadi_isa isa;
} manner;

typedef void world_fn(water* w, const manner* m);

static void begin(water* w, const manner* m)
{
    water_open(w, m->threads, MOST);
    w->params.chunk = m->chunk;
    w->params.skin = m->skin;
    w->params.gravity_z = -40.0; // shortens the test
}

// A dam break in a periodic slice.
static void repeating_world(water* w, const manner* m)
{
    begin(w, m);
    w->params.period_y = 0.7;
    w->params.gravity_y = 3.0;
    water_make(w);
    w->sph->kernels = sph_kernels_of(m->isa);
    w->sph->list.kernels = list_kernels_of(m->isa);
    water_fill(w, 0.0, 0.0, 0.0, 1.0, 0.7, 1.0);
    water_trough(w, 2.0, 1.0);
}

static void set_hills(water* w)
{
    float heights[6 * 5];
    for (int32_t i = 0; i < 30; ++i)
    {
        heights[i] = -0.05f * (float)((i * 7) % 5);
    }
    const wadi_sph_ground ground = {.heights = heights,
                                    .width = 6,
                                    .height = 5,
                                    .cell_size = 0.4,
                                    .west = -0.2,
                                    .south = -0.2,
                                    .drag = 0.5};
    CHECK_OK(w->f.context, wadi_sph_set_ground(w->sph, &ground));
}

static void set_stones(water* w)
{
    wadi_sph_sphere stones[STONES];
    for (int32_t i = 0; i < STONES; ++i)
    {
        stones[i] = (wadi_sph_sphere){.position = {0.2 + 0.25 * (i % 6), 0.2 + 0.35 * (i / 6), 0.1},
                                      .velocity = {0.5, 0.0, 0.1},
                                      .radius = 0.05 + 0.01 * (i % 3),
                                      .room = i % 4 == 0 ? 1.3e-3 : 0.0};
    }
    CHECK_OK(w->f.context, wadi_sph_set_spheres(w->sph, stones, STONES));
}

// Rain on absorbing stones in a puddle on hills; water leaves at one side.
static void rainy_world(water* w, const manner* m)
{
    begin(w, m);
    water_make(w);
    w->sph->kernels = sph_kernels_of(m->isa);
    w->sph->list.kernels = list_kernels_of(m->isa);
    water_fill(w, 0.0, 0.0, 0.05, 1.6, 1.4, 0.45);
    set_hills(w);
    water_wall(w, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0);
    const wadi_sph_rain rain = {
        .high = {1.6, 1.4}, .height = 0.9, .rate = 1.0, .velocity = {0.0, 0.0, -5.0}, .seed = 3};
    CHECK_OK(w->f.context, wadi_sph_set_rain(w->sph, &rain));
    CHECK_OK(w->f.context, wadi_sph_set_bounds(w->sph, (double[3]){-1.0, -0.1, -1.0},
                                               (double[3]){1.65, 1.5, 3.0}));
    set_stones(w);
}

static void check_books(const water* w)
{
    const wadi_sph_books books = wadi_sph_account(w->sph);
    assert_true(books.residual == 0);
    assert_true(books.rain > 0.0 && books.out > 0.0 && books.drunk > 0.0);
}

static uint64_t run(world_fn* make, manner m)
{
    water w;
    make(&w, &m);
    water_run(&w, STEPS);
    if (make == rainy_world)
    {
        check_books(&w);
        assert_true(w.sph->uneven);  // drops and partly absorbed particles
        assert_true(w.sph->crowded); // by stones
    }
    const uint64_t hash = wadi_sph_hash(w.sph);
    water_close(&w);
    return hash;
}

// Save after CUT steps and continue with other execution parameters.
static uint64_t run_in_two(world_fn* make, manner first, manner second)
{
    water w;
    make(&w, &first);
    water_run(&w, CUT);
    const size_t size = wadi_sph_save_size(w.sph);
    void* bytes = test_calloc(size, 1);
    wadi_sph_save(w.sph, bytes);
    wadi_sph_sphere stones[STONES];
    for (int32_t i = 0; i < w.sph->sphere_count; ++i)
    {
        stones[i] = w.sph->spheres[i].is;
        stones[i].room = (double)w.sph->spheres[i].room * wadi_sph_account(w.sph).unit;
    }
    const int32_t count = w.sph->sphere_count;
    water_close(&w);

    make(&w, &second);
    water_run(&w, 17);
    CHECK_OK(w.f.context, wadi_sph_restore(w.sph, bytes, size));
    CHECK_OK(w.f.context, wadi_sph_set_spheres(w.sph, stones, count));
    water_run(&w, STEPS - CUT);
    const uint64_t hash = wadi_sph_hash(w.sph);
    water_close(&w);
    test_free(bytes);
    return hash;
}

static void check_world(world_fn* make)
{
    const manner plain = {1, 4096, 0.2, WADI_ISA_BASE};
    const uint64_t expected = run(make, plain);
    const manner others[] = {
        {2, 4096, 0.2, WADI_ISA_BASE},
        {3, 100, 0.2, WADI_ISA_BASE},
        {8, 33, 0.1, WADI_ISA_BASE},
        {1, 512, 0.5, WADI_ISA_BASE},
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
    assert_true(run_in_two(make, plain, others[1]) == expected);
}

static void bits_stay_in_a_repeating_world(void** state)
{
    (void)state;
    check_world(repeating_world);
}

static void bits_stay_in_rain(void** state)
{
    (void)state;
    check_world(rainy_world);
}

// ---- momentum ----------------------------------------------------------------------------

// Two bodies of water collide around stones without external forces. The momentum of the stones is
// included.
static void momentum_is_kept(void** state)
{
    (void)state;
    water w;
    water_open(&w, 2, MOST);
    w.params.gravity_z = 0.0;
    w.params.chunk = 200;
    water_make(&w);
    wadi_sph_particle list[2 * 343] = {{.id = 0}};
    for (int32_t i = 0; i < 686; ++i)
    {
        const int32_t k = i % 343;
        const bool right = i >= 343;
        list[i].position[0] = 0.1 * (k % 7) + (right ? 0.75 : 0.0);
        list[i].position[1] = 0.1 * (k / 7 % 7) + (right ? 0.17 : 0.0);
        list[i].position[2] = 0.1 * (k / 49);
        list[i].velocity[0] = right ? -2.0 : 3.0;
        list[i].velocity[2] = right ? 0.5 : 0.0;
    }
    CHECK_OK(w.f.context, wadi_sph_add(w.sph, list, 686));
    set_stones(&w);
    const wadi_sph_summary before = wadi_sph_summarize(w.sph);
    water_run(&w, 300);
    const wadi_sph_summary after = wadi_sph_summarize(w.sph);
    wadi_sph_touch touches[STONES];
    wadi_sph_read_touches(w.sph, touches);
    double given[3] = {0.0, 0.0, 0.0};
    double drunk = 0.0;
    for (int32_t s = 0; s < STONES; ++s)
    {
        drunk += touches[s].drunk;
        for (int c = 0; c < 3; ++c)
        {
            given[c] += touches[s].impulse[c];
        }
    }
    const double size = sqrt(2.0 * before.kinetic * 686.0); // of m = 1 kg each
    assert_true(after.kinetic < 0.9 * before.kinetic && drunk > 1e-3 && fabs(given[0]) > 0.1);
    for (int c = 0; c < 3; ++c)
    {
        CHECK_NEAR(after.momentum[c] + given[c], before.momentum[c], 1e-10 * size);
    }
    water_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_stay_in_a_repeating_world),
        cmocka_unit_test(bits_stay_in_rain),
        cmocka_unit_test(momentum_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
