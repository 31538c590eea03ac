// SPDX-License-Identifier: MIT
// Grains that come and go while a world runs: books, names, room, and the same bits.
#include "support/mesh_forms.h"
#include "support/soil.h"

#include <wadi/grain_flow.h>
#include <wadi/wet_grains.h>

#include <math.h>

enum
{
    FLOW_ROOM = 6000
};

static void books_close(const wadi_grains* grains)
{
    const wadi_grain_books b = wadi_grains_books(grains);
    assert_int_equal(b.first.grains + b.come.grains - b.gone.grains, b.present.grains);
    assert_int_equal(b.first.units + b.come.units - b.gone.units, b.present.units);
    assert_int_equal(b.present.grains, wadi_grains_count(grains));
}

static void names_rise(const wadi_grains* grains)
{
    const int32_t count = wadi_grains_count(grains);
    int64_t* names = test_calloc((size_t)count + 1, sizeof *names);
    wadi_grains_names(grains, names);
    for (int32_t id = 1; id < count; ++id)
    {
        assert_true(names[id] > names[id - 1]);
    }
    test_free(names);
}

// ---- by hand -----------------------------------------------------------------------------------

enum
{
    HEAP = 300,
    EXTRA = 40
};

static void heap(soil* s, int32_t extra)
{
    soil_open(s, 2, HEAP + EXTRA);
    s->params.gravity_z = -9.81;
    s->params.chunk = 32;
    soil_scatter(s, HEAP, (const double[3]){0.12, 0.12, 0.15}, 0.004, 0.005, 3);
    for (int k = 0; k < extra; ++k)
    {
        (void)soil_add(s, 5.0 + 0.1 * k, 0.0, 1.0, 0.005);
    }
    soil_make(s);
    (void)soil_floor(s);
    (void)soil_wall(s, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0);
}

// A heap does not notice that far grains come, fall and go: each grain moves by the same bits.
static void others_do_not_notice(void** state)
{
    (void)state;
    soil alone;
    soil with;
    bool gone[HEAP + EXTRA] = {false};
    heap(&alone, 0);
    heap(&with, EXTRA);
    const int64_t part = 400;
    soil_run(&alone, part);
    soil_run(&with, part);
    for (int k = 0; k < EXTRA; ++k)
    {
        gone[HEAP + k] = true;
    }
    CHECK_OK(with.f.context, wadi_grains_remove(with.grains, gone));
    books_close(with.grains);
    soil_run(&alone, part);
    soil_run(&with, part);
    wadi_grain far[3 * HEAP];
    for (int k = 0; k < 3 * HEAP; ++k)
    {
        far[k] = (wadi_grain){.position = {5.0 + 0.1 * k, 0.0, 1.0}, .radius = 0.004};
    }
    CHECK_OK(with.f.context, wadi_grains_insert(with.grains, far, 3 * HEAP));
    books_close(with.grains);
    names_rise(with.grains);
    wadi_grain* all = test_calloc((size_t)(4 * HEAP), sizeof *all);
    CHECK_OK(with.f.context, wadi_grains_advance(with.grains, part));
    soil_run(&alone, part);
    wadi_grains_read(with.grains, all);
    for (int k = 0; k < HEAP; ++k)
    {
        assert_memory_equal(all[k].position, alone.list[k].position, sizeof all[k].position);
        assert_memory_equal(all[k].spin, alone.list[k].spin, sizeof all[k].spin);
    }
    int64_t names[4 * HEAP];
    wadi_grains_names(with.grains, names);
    assert_int_equal(names[HEAP - 1], HEAP - 1);
    assert_int_equal(names[HEAP], HEAP + EXTRA); // names of those that left are not used again
    soil_close(&alone);
    soil_close(&with);
    test_free(all);
}

// Bonds of those that go end, the others hold; a grain without its support falls, though it slept.
static void what_is_left_falls(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 6);
    s.params.gravity_z = -9.81;
    s.params.sleep_speed = 1e-3;
    for (int k = 0; k < 6; ++k)
    {
        (void)soil_add(&s, 0.0, 0.0, 0.01 + 0.02 * k, 0.01);
    }
    soil_make(&s);
    (void)soil_floor(&s);
    CHECK_OK(s.f.context, wadi_grains_bond(s.grains, 0.1, NULL));
    soil_pass(&s, 1.0);
    assert_int_equal(wadi_grains_asleep(s.grains), 6);
    assert_int_equal(wadi_grains_summarize(s.grains).bonds, 5);
    const bool gone[6] = {false, false, true, false, false, false};
    CHECK_OK(s.f.context, wadi_grains_remove(s.grains, gone));
    assert_int_equal(wadi_grains_summarize(s.grains).bonds, 3);
    soil_pass(&s, 1.0);
    print_message("the fourth of six came down from 0.07 to %.4f m\n", s.list[2].position[2]);
    assert_true(fabs(s.list[2].position[2] - 0.05) < 1e-3);
    assert_int_equal(wadi_grains_count(s.grains), 5);
    const bool all[5] = {true, true, true, true, true};
    CHECK_OK(s.f.context, wadi_grains_remove(s.grains, all));
    CHECK_OK(s.f.context, wadi_grains_advance(s.grains, 10));
    const wadi_grain again = {.position = {0.0, 0.0, 1.0}, .radius = 0.01};
    CHECK_OK(s.f.context, wadi_grains_insert(s.grains, &again, 1));
    soil_run(&s, 1000);
    assert_true(s.list[0].position[2] < 1.0);
    books_close(s.grains);
    soil_close(&s);
}

// ---- feeders and sinks -------------------------------------------------------------------------

static const double RATE = 0.4; // kg/s
static const double SIZES[2] = {0.004, 0.007};

// A feeder over a sloping mesh, with a sink at its foot.
static void chute(soil* s, int32_t threads, double step)
{
    soil_open(s, threads, FLOW_ROOM);
    s->params.gravity_z = -9.81;
    s->params.step = step;
    s->params.chunk = threads == 1 ? 4096 : 64;
    s->materials[0].stiffness = 2e4;
    (void)soil_add(s, 0.0, 0.0, 0.05, SIZES[1]);
    soil_make(s);
    CHECK_OK(s->f.context, wadi_grains_expect(s->grains, SIZES[0], SIZES[1]));
    mesh_form* form = mesh_form_new();
    mesh_form_sheet(form, (const double[3]){-0.2, -0.2, 0.2}, (const double[3]){0.6, 0.0, -0.3},
                    (const double[3]){0.0, 0.4, 0.0}, 7, 5);
    int32_t number;
    CHECK_OK(s->f.context, wadi_grains_add_mesh(s->grains, &form->mesh, 0, NULL, &number));
    test_free(form);
    const wadi_grain_feeder feeder = {.low = {-0.15, -0.1, 0.15},
                                      .high = {0.0, 0.1, 0.4},
                                      .mass_rate = RATE,
                                      .from = 0.1,
                                      .until = 0.9,
                                      .every = 0.01,
                                      .radius_low = SIZES[0],
                                      .radius_high = SIZES[1],
                                      .exponent = -2.5,
                                      .velocity = {0.0, 0.0, -0.5},
                                      .scatter = 0.1,
                                      .seed = 11};
    const wadi_grain_sink sink = {.low = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY},
                                  .high = {(double)INFINITY, (double)INFINITY, -0.2},
                                  .every = 0.02};
    CHECK_OK(s->f.context, wadi_grains_add_feeder(s->grains, &feeder, &number));
    CHECK_OK(s->f.context, wadi_grains_add_sink(s->grains, &sink, &number));
}

static void feeders_keep_their_rate(void** state)
{
    (void)state;
    soil s;
    chute(&s, 2, 0.0);
    double overlap = 0.0;
    wadi_grain_tally fed;
    for (int k = 1; k <= 15; ++k)
    {
        CHECK_OK(s.f.context,
                 wadi_grains_advance(s.grains, llrint(0.1 / wadi_grains_step(s.grains))));
        const wadi_grains_summary sum = wadi_grains_summarize(s.grains);
        overlap = fmax(overlap, sum.overlap);
        books_close(s.grains);
        CHECK_OK(s.f.context, wadi_grains_fed(s.grains, 0, &fed));
        const double due = RATE * fmin(fmax(sum.time - 0.1, 0.0), 0.8);
        assert_true(fabs(fed.mass - due) < RATE * 0.011 + 0.004);
    }
    wadi_grain_tally sunk;
    CHECK_OK(s.f.context, wadi_grains_sunk(s.grains, 0, &sunk));
    print_message("%lld grains came, %.4f kg of %.4f, and %lld went; %d are left, overlap %.3f\n",
                  (long long)fed.grains, fed.mass, 0.8 * RATE, (long long)sunk.grains,
                  wadi_grains_count(s.grains), overlap);
    assert_true(sunk.grains > fed.grains / 2);
    assert_int_equal(sunk.grains, wadi_grains_books(s.grains).gone.grains);
    assert_int_equal(fed.units, wadi_grains_books(s.grains).come.units);
    names_rise(s.grains);
    soil_close(&s);
}

// No grain is laid into another, or into a wall: without speed nothing has moved after a step.
static void newcomers_overlap_nothing(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, FLOW_ROOM);
    (void)soil_add(&s, 0.1, 0.1, 0.1, 0.02);
    soil_make(&s);
    CHECK_OK(s.f.context, wadi_grains_expect(s.grains, 0.01, 0.02));
    (void)soil_floor(&s);
    mesh_form* form = mesh_form_new();
    mesh_form_sheet(form, (const double[3]){0.0, 0.0, 0.0}, (const double[3]){0.2, 0.0, 0.2},
                    (const double[3]){0.0, 0.2, 0.0}, 3, 3);
    int32_t number;
    CHECK_OK(s.f.context, wadi_grains_add_mesh(s.grains, &form->mesh, 0, NULL, &number));
    const wadi_grain_feeder feeder = {.low = {0.0, 0.0, 0.0},
                                      .high = {0.2, 0.2, 0.2},
                                      .number_rate = 1e6,
                                      .every = 1e-9,
                                      .radius_low = 0.01,
                                      .radius_high = 0.02,
                                      .seed = 5};
    CHECK_OK(s.f.context, wadi_grains_add_feeder(s.grains, &feeder, &number));
    soil_run(&s, 60);
    const int32_t count = wadi_grains_count(s.grains);
    const wadi_grains_summary sum = wadi_grains_summarize(s.grains);
    print_message("%d grains found room, kinetic energy %.1e J\n", count, sum.kinetic);
    assert_true(count > 80);
    assert_true(sum.kinetic == 0.0 && sum.overlap <= 0.0);
    soil_close(&s);
    test_free(form);
}

// Threads, cuts of time, and a restart in the middle in a world with few grains.
static void flow_bits_are_the_same(void** state)
{
    (void)state;
    soil s;
    chute(&s, 1, 0.0);
    const double step = wadi_grains_step(s.grains);
    const int64_t half = (int64_t)(0.35 / step);
    soil_run(&s, half);
    const size_t size = wadi_grains_save_size(s.grains);
    void* bytes = test_calloc(1, size);
    wadi_grains_save(s.grains, bytes);
    const int32_t then = wadi_grains_count(s.grains);
    soil_run(&s, half);
    const uint64_t expected = wadi_grains_hash(s.grains);
    assert_true(wadi_grains_count(s.grains) > then && then > 20);
    CHECK_OK(s.f.context, wadi_grains_restore(s.grains, bytes, size));
    assert_int_equal(wadi_grains_count(s.grains), then);
    soil_run(&s, half);
    assert_true(wadi_grains_hash(s.grains) == expected);
    soil_close(&s);

    chute(&s, 3, 0.0);
    CHECK_OK(s.f.context, wadi_grains_restore(s.grains, bytes, size));
    for (int k = 0; k < 7; ++k)
    {
        soil_run(&s, half / 7);
    }
    soil_run(&s, half - half / 7 * 7);
    assert_true(wadi_grains_hash(s.grains) == expected);
    books_close(s.grains);
    soil_close(&s);
    test_free(bytes);
}

static void bad_flows_are_refused(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 2);
    (void)soil_add(&s, 0.0, 0.0, 1.0, 0.01);
    soil_make(&s);
    int32_t number;
    wadi_grain grain = {.position = {0.0, 0.0, 0.0}, .radius = 0.02};
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "made for 0.01 m",
                wadi_grains_insert(s.grains, &grain, 1));
    grain.radius = 0.001;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "needs a step of",
                wadi_grains_insert(s.grains, &grain, 1));
    grain.radius = 0.01;
    grain.material = 3;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "material 3",
                wadi_grains_insert(s.grains, &grain, 1));
    wadi_grain_feeder feeder = {.radius_low = 0.01, .radius_high = 0.01, .every = 1.0};
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "expected one above 0",
                wadi_grains_add_feeder(s.grains, &feeder, &number));
    feeder.mass_rate = 1.0;
    feeder.low[0] = 1.0;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "finite corners",
                wadi_grains_add_feeder(s.grains, &feeder, &number));
    const wadi_grain_sink sink = {.every = 0.0};
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "times above 0",
                wadi_grains_add_sink(s.grains, &sink, &number));
    soil_run(&s, 1);
    CHECK_FAILS(s.f.context, WADI_ERROR_STATE, "before the first",
                wadi_grains_expect(s.grains, 0.01, 0.02));
    soil_close(&s);
}

static void wet_grains_stay(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const wadi_wet_grains_params params = wadi_wet_grains_params_default();
    const wadi_grains_params solid = wadi_grains_params_default();
    const wadi_wet_material material = wadi_wet_material_default();
    const wadi_grain grain = {.position = {0.0, 0.0, 1.0}, .radius = 0.01};
    wadi_wet_grains* wet;
    CHECK_OK(f.context,
             wadi_wet_grains_create(f.context, &params, &solid, &material, 1, &grain, 1, &wet));
    wadi_grains* grains = wadi_wet_grains_solid(wet);
    const bool gone = true;
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "water seeps", wadi_grains_remove(grains, &gone));
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "water seeps", wadi_grains_insert(grains, &grain, 1));
    wadi_wet_grains_destroy(wet);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_do_not_notice),    cmocka_unit_test(what_is_left_falls),
        cmocka_unit_test(feeders_keep_their_rate), cmocka_unit_test(newcomers_overlap_nothing),
        cmocka_unit_test(flow_bits_are_the_same),  cmocka_unit_test(bad_flows_are_refused),
        cmocka_unit_test(wet_grains_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
