// SPDX-License-Identifier: MIT
// A part of a grid that is computed alone: with a wide margin it has the bits of the whole grid for
// models that reach a few cells; other models run on it as on a grid of its own; its noise is that
// of the whole grid.
#include "support/fixture.h"

#include "terrain/ground.h"

#include <stdlib.h>

enum
{
    WIDTH = 150,
    HEIGHT = 140
};

static void assert_ok(const wadi_context* context, wadi_result result)
{
    if (result != WADI_OK)
    {
        fail_msg("%s", wadi_error_detail(context));
    }
}

// The grid that is cut.
typedef struct world
{
    int32_t width;
    int32_t height;
    wadi_edge across; // of the eastern and western edge
    wadi_edge along;
} world;

static wadi_windows_def def_of(const world* w)
{
    wadi_windows_def def = wadi_windows_def_default();
    def.width = w->width;
    def.height = w->height;
    def.edges[WADI_SIDE_WEST] = w->across;
    def.edges[WADI_SIDE_EAST] = w->across;
    def.edges[WADI_SIDE_NORTH] = w->along;
    def.edges[WADI_SIDE_SOUTH] = w->along;
    return def;
}

// A context for a part.
static wadi_context* part_context(const fixture* f, const world* w, int32_t x, int32_t y,
                                  int32_t width, int32_t height)
{
    const wadi_windows_def cut = def_of(w);
    wadi_context_def def = wadi_context_def_default();
    wadi_context* context = NULL;
    assert_ok(f->context,
              wadi_windows_alone(f->context, &cut, x, y, width, height, &def.partition));
    def.threads = 2;
    assert_int_equal(wadi_context_create(&def, &context), WADI_OK);
    return context;
}

static float* noise_of(wadi_context* context, int32_t width, int32_t height)
{
    wadi_noise_params params = wadi_noise_params_default();
    params.relief = 80.0;
    params.wavelength = 500.0;
    float* values = malloc((size_t)width * (size_t)height * sizeof *values);
    assert_ok(context, wadi_noise_fill(context, &params, 7, width, height, 10.0, values));
    return values;
}

// `from`: the context in which its noise is made.
static wadi_terrain* make_terrain(wadi_context* context, wadi_context* from, int32_t width,
                                  int32_t height, const wadi_edge edges[4])
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = width;
    def.height = height;
    def.seed = 11;
    memcpy(def.edges, edges, sizeof def.edges);
    wadi_terrain* terrain;
    assert_ok(context, wadi_terrain_create(context, &def, &terrain));
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    float* values = noise_of(from, ground->width, ground->height);
    assert_ok(context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, values, ground->width));
    free(values);
    assert_ok(context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 0.5));
    return terrain;
}

static wadi_terrain* terrain_of(wadi_context* context, const world* w)
{
    const wadi_windows_def def = def_of(w);
    return make_terrain(context, context, w->width, w->height, def.edges);
}

static void live(wadi_terrain* terrain, const char* name, const void* params, double years)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_solver* solver;
    assert_ok(context,
              wadi_solver_create(terrain, wadi_process_find(context, name), params, 0, &solver));
    fixture_live(solver, years);
    wadi_solver_destroy(solver);
}

// Weathering and slides, uplift with a dome, and creep: all reach a few cells.
static void live_near(wadi_terrain* terrain)
{
    wadi_talus_params talus = wadi_talus_params_default();
    talus.sweeps = 4;
    live(terrain, "talus", &talus, 1.0);
    live(terrain, "uplift", NULL, 100.0);
    live(terrain, "soil", NULL, 5.0);
}

static int32_t height_at(const wadi_ground* ground, int32_t x, int32_t y)
{
    return wadi_ground_surface(ground, (int64_t)y * ground->width + x);
}

// Cells of the part, `rim` cells within it, that differ from those of the whole grid.
static int32_t differences(const wadi_terrain* part, const wadi_terrain* whole, int32_t rim)
{
    const wadi_ground* here = wadi_terrain_ground_const(part);
    const wadi_ground* there = wadi_terrain_ground_const(whole);
    int32_t count = 0;
    for (int32_t y = rim; y < here->height - rim; ++y)
    {
        for (int32_t x = rim; x < here->width - rim; ++x)
        {
            count += height_at(here, x, y) !=
                     height_at(there, wadi_ground_column(here, x), wadi_ground_row(here, y));
        }
    }
    return count;
}

static void check_near(wadi_edge edge, int32_t x, int32_t y)
{
    fixture f;
    fixture_open(&f, 2);
    const world w = {WIDTH, HEIGHT, edge, edge};
    wadi_terrain* whole = terrain_of(f.context, &w);
    wadi_terrain* still = terrain_of(f.context, &w);
    wadi_context* context = part_context(&f, &w, x, y, 90, 80);
    wadi_terrain* part = terrain_of(context, &w);
    live_near(whole);
    live_near(part);
    assert_int_equal(differences(part, whole, 30), 0);
    assert_true(differences(part, still, 30) > 500); // land changed
    assert_true(differences(part, whole, 0) > 0);    // the rim does not know its neighbours
    wadi_terrain_destroy(part);
    wadi_context_destroy(context);
    wadi_terrain_destroy(still);
    wadi_terrain_destroy(whole);
    fixture_close(&f);
}

static void test_near(void** state)
{
    (void)state;
    check_near(WADI_EDGE_OPEN, 20, 30);
    check_near(WADI_EDGE_PERIODIC, 20, 30);
    check_near(WADI_EDGE_PERIODIC, -40, 100); // around both edges
}

// Streams on a part are those of a grid with its cells, open where the part was cut.
static void test_water(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const world w = {WIDTH, HEIGHT, WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC};
    wadi_context* context = part_context(&f, &w, 0, 20, 90, 80);
    wadi_terrain* part = terrain_of(context, &w);
    const wadi_edge edges[4] = {WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_CLOSED};
    wadi_terrain* plain = make_terrain(f.context, context, 90, 80, edges);
    const wadi_ground* ground = wadi_terrain_ground_const(part);
    const wadi_ground* copy = wadi_terrain_ground_const(plain);
    live(part, "hydraulic", NULL, 500.0);
    live(plain, "hydraulic", NULL, 500.0);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        assert_int_equal(wadi_ground_surface(ground, c), wadi_ground_surface(copy, c));
    }
    wadi_terrain_destroy(part);
    wadi_terrain_destroy(plain);
    wadi_context_destroy(context);
    fixture_close(&f);
}

// All parts take the range of noise from one lattice: of all cells of a small grid, so they have
// its bits; of some cells of a large one, so they agree with each other.
static void test_noise(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    const world small = {WIDTH, HEIGHT, WADI_EDGE_OPEN, WADI_EDGE_OPEN};
    wadi_context* context = part_context(&f, &small, 40, 50, 60, 70);
    float* whole = noise_of(f.context, WIDTH, HEIGHT);
    float* part = noise_of(context, 60, 70);
    for (int32_t i = 0; i < 60 * 70; ++i)
    {
        assert_true(part[i] == whole[(50 + i / 60) * WIDTH + 40 + i % 60]);
    }
    wadi_context_destroy(context);
    free(part);

    const world large = {60000, 3000, WADI_EDGE_OPEN, WADI_EDGE_OPEN};
    context = part_context(&f, &large, 50000, 1000, 40, 30);
    part = noise_of(context, 40, 30);
    wadi_context* other = part_context(&f, &large, 50020, 990, 40, 30);
    float* shifted = noise_of(other, 40, 30);
    for (int32_t y = 0; y < 20; ++y)
    {
        assert_memory_equal(part + (ptrdiff_t)y * 40 + 20, shifted + (ptrdiff_t)(y + 10) * 40,
                            20 * sizeof *part);
    }
    wadi_context_destroy(other);
    wadi_context_destroy(context);
    free(shifted);
    free(part);
    free(whole);
    fixture_close(&f);
}

static void check_part(const wadi_partition* part, int32_t x, int32_t y, int32_t width,
                       int32_t height)
{
    assert_int_equal(part->x, x);
    assert_int_equal(part->y, y);
    assert_int_equal(part->owned_width, width);
    assert_int_equal(part->owned_height, height);
}

static void test_places(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const world w = {100, 80, WADI_EDGE_PERIODIC, WADI_EDGE_OPEN};
    const wadi_windows_def def = def_of(&w);
    wadi_partition part;
    assert_ok(f.context, wadi_windows_alone(f.context, &def, -10, -10, 30, 30, &part));
    check_part(&part, 90, 0, 30, 20);
    assert_ok(f.context, wadi_windows_alone(f.context, &def, 250, 70, 30, 30, &part));
    check_part(&part, 50, 70, 30, 10);
    assert_ok(f.context, wadi_windows_alone(f.context, &def, -10, 0, 120, 200, &part));
    check_part(&part, 0, 0, 100, 80);
    assert_int_equal(wadi_windows_alone(f.context, &def, 0, 80, 5, 5, &part), WADI_ERROR_RANGE);
    assert_int_equal(wadi_windows_alone(f.context, &def, 0, -5, 5, 5, &part), WADI_ERROR_RANGE);
    assert_int_equal(wadi_windows_alone(f.context, &def, 0, 0, 0, 5, &part), WADI_ERROR_RANGE);
    assert_int_equal(part.width, 0);
    fixture_close(&f);
}

// Places in the world are told before a model goes wrong with them.
static void test_tables(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const world w = {WIDTH, HEIGHT, WADI_EDGE_OPEN, WADI_EDGE_OPEN};
    wadi_context* context = part_context(&f, &w, 20, 20, 90, 80);
    wadi_terrain* part = terrain_of(context, &w);
    wadi_solver* solver;
    assert_ok(context,
              wadi_solver_create(part, wadi_process_find(context, "hydraulic"), NULL, 0, &solver));
    const double rivers[] = {505.0, 505.0, 0.0, 12.0, 400.0, 0.0};
    assert_int_equal(wadi_solver_set_table(solver, "inflow", rivers, 1), WADI_ERROR_ARGUMENT);
    assert_non_null(strstr(wadi_error_detail(context), "gives places in the world"));
    const double climate[] = {0.0, 1.0, 1500.0, 0.5};
    assert_ok(context, wadi_solver_set_table(solver, "climate", climate, 2));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(part);
    wadi_context_destroy(context);
    fixture_close(&f);
}

// New parameters carry the state over, also in a part around an edge.
static void test_change(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const world w = {WIDTH, HEIGHT, WADI_EDGE_PERIODIC, WADI_EDGE_OPEN};
    wadi_context* context = part_context(&f, &w, -30, 20, 90, 80);
    wadi_terrain* part = terrain_of(context, &w);
    wadi_talus_params params = wadi_talus_params_default();
    wadi_solver* solver;
    assert_ok(context,
              wadi_solver_create(part, wadi_process_find(context, "talus"), &params, 0, &solver));
    fixture_live(solver, 100.0);
    const uint64_t before = wadi_terrain_hash(part);
    params.sweeps = 3;
    assert_ok(context, wadi_solver_change(solver, &params));
    assert_true(wadi_terrain_hash(part) == before);
    fixture_live(solver, 100.0);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(part);
    wadi_context_destroy(context);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near),   cmocka_unit_test(test_water),  cmocka_unit_test(test_noise),
        cmocka_unit_test(test_places), cmocka_unit_test(test_tables), cmocka_unit_test(test_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
