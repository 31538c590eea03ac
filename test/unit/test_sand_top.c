// SPDX-License-Identifier: MIT
// The top of the sand: the book of coarse grains, sand that dries, and what they do under the
// models dunes (flux and slab) and wind.
#include "core/archive.h"
#include "laws/sand/sand_skin.h"
#include "laws/sand/sand_top_state.h"
#include "support/fixture.h"

#include <math.h>

enum
{
    WIDTH = 80,
    HEIGHT = 40,
    CELLS = WIDTH * HEIGHT
};

// ---- the law ---------------------------------------------------------------------------------

static wadi_terrain* sand_field(fixture* f, wadi_edge edge, double depth)
{
    wadi_terrain* terrain = fixture_plain(f, WIDTH, HEIGHT, 2.0, edge);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, depth));
    return terrain;
}

static int64_t coarse_sum(const sand_top* top)
{
    int64_t sum = 0;
    for (int64_t cell = 0; cell < CELLS; ++cell)
    {
        sum += top->coarse[cell];
    }
    return sum;
}

static void live(sand_top* top, double years)
{
    const sand_top_span span = {.years = (float)years};
    for (int32_t y = 0; y < HEIGHT; ++y)
    {
        wadi_sand_top_age_row(top, y, &span);
    }
    wadi_sand_top_slide(top);
}

static void reshape(wadi_terrain* terrain, sand_top* top, double depth)
{
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, depth));
    live(top, 0.0);
}

// A layer of 10 mm over sand with a tenth of coarse grains: 40 mm of erosion bring 4 mm more.
// Deposits hide it, and it comes back to the last unit. No grain is lost.
static void erosion_coarsens_and_burial_hides(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = sand_field(f, WADI_EDGE_PERIODIC, 2.0);
    const sand_top_law law = {.coarse_share = 0.1, .coarse_depth = 0.01, .coarse_drag = 90.0};
    sand_top* top;
    CHECK_OK(f->context, wadi_sand_top_create(terrain, &law, &top));
    reshape(terrain, top, 2.0);
    const int64_t sum = coarse_sum(top);
    CHECK_NEAR((double)sum / CELLS / 65536.0, 0.2, 1e-4);
    CHECK_NEAR((double)wadi_sand_top_value(top, SAND_TOP_COARSE, 7), 0.1, 0.01);
    reshape(terrain, top, 1.96);
    CHECK_NEAR((double)wadi_sand_top_value(top, SAND_TOP_COARSE, 7), 0.5, 0.01);
    const sand_grip grip = wadi_sand_top_grip(top, 7);
    CHECK_NEAR((double)grip.share, 0.5, 0.01);
    CHECK_NEAR((double)grip.threshold, (1.0 - 0.25) * (1.0 + 22.5 * 0.5), 0.2);
    const int32_t lag = top->lag[7];
    reshape(terrain, top, 1.965);
    CHECK_NEAR((double)wadi_sand_top_value(top, SAND_TOP_COARSE, 7), 0.25, 0.01);
    reshape(terrain, top, 4.0);
    assert_true(wadi_sand_top_value(top, SAND_TOP_COARSE, 7) == 0.0f);
    assert_true(wadi_sand_top_grip(top, 7).threshold == 1.0f);
    reshape(terrain, top, 1.96);
    assert_int_equal(top->lag[7], lag);
    assert_int_equal(top->cap[7], 0);
    reshape(terrain, top, 0.5);
    assert_int_equal(top->lag[7], top->layer);
    assert_true(wadi_sand_top_grip(top, 7).share == 0.0f);
    assert_true(coarse_sum(top) == sum);
    wadi_sand_top_destroy(top);
    wadi_terrain_destroy(terrain);
}

// Where less sand is left than coarse grains, they move to the lowest neighbour, and none is lost.
static void grains_slide_with_their_sand(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = sand_field(f, WADI_EDGE_CLOSED, 1.0);
    const sand_top_law law = {.coarse_share = 0.5, .coarse_depth = 0.01, .coarse_drag = 90.0};
    sand_top* top;
    CHECK_OK(f->context, wadi_sand_top_create(terrain, &law, &top));
    static float sand[CELLS];
    static float rock[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sand[i] = i == 5 * WIDTH + 5 ? 0.2f : 1.0f;
        rock[i] = i == 5 * WIDTH + 5 ? 3.0f : i == 6 * WIDTH + 5 ? -1.0f : 0.0f;
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, WIDTH));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, WIDTH));
    const int64_t sum = coarse_sum(top);
    const int32_t before = top->coarse[6 * WIDTH + 5];
    wadi_sand_top_slide(top);
    CHECK_NEAR((double)top->coarse[5 * WIDTH + 5], 0.2 * 65536.0, 1.0);
    CHECK_NEAR((double)(top->coarse[6 * WIDTH + 5] - before), 0.3 * 65536.0, 1.0);
    assert_true(coarse_sum(top) == sum);
    wadi_sand_top_destroy(top);
    wadi_terrain_destroy(terrain);
}

// Without rain y^2 + 2 skin y grows by 2 D a year; with rain it comes to D / rains. Time adds up.
static void sand_dries_as_the_root_of_time(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = sand_field(f, WADI_EDGE_OPEN, 2.0);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_MOISTURE, 0.5));
    sand_top_law law = {.dry_rate = 0.02, .dry_depth = 0.01};
    sand_top* top;
    CHECK_OK(f->context, wadi_sand_top_create(terrain, &law, &top));
    sand_skin_law skin = {.plant_drag = 16.0, .wet_gain = 2.4, .top = top};
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    reshape(terrain, top, 2.0);
    CHECK_NEAR((double)wadi_sand_skin(&skin, ground, 3).threshold, 1.0 + 10.56 * pow(0.5, 0.68),
               0.01);
    for (int i = 0; i < 10; ++i)
    {
        live(top, 1e-3);
    }
    CHECK_NEAR((double)top->dry[3], sqrt(2.0 * 0.02 * 0.01 + 1e-4) - 0.01, 1e-5);
    assert_true(wadi_sand_skin(&skin, ground, 3).threshold == 1.0f);
    // erosion of it uncovers the moist sand
    reshape(terrain, top, 2.0 - 0.0122);
    CHECK_NEAR((double)top->dry[3], 1.6e-4, 3e-5);
    assert_true(wadi_sand_skin(&skin, ground, 3).threshold > 7.0f);
    wadi_sand_top_destroy(top);
    law.dry_rain = 20.0;
    CHECK_OK(f->context, wadi_sand_top_create(terrain, &law, &top));
    const double balance = sqrt(0.02 / 20.0 + 1e-4) - 0.01;
    CHECK_NEAR((double)top->dry[3], balance, 1e-6);
    reshape(terrain, top, 3.0);
    live(top, 1.0);
    CHECK_NEAR((double)top->dry[3], balance, 1e-5);
    wadi_sand_top_destroy(top);
    wadi_terrain_destroy(terrain);
}

// ---- the models ------------------------------------------------------------------------------

typedef struct top_value
{
    const char* name;
    double value;
} top_value;

static const char* const models[3][2] = {{"dunes", "flux"}, {"dunes", "slab"}, {"wind", NULL}};

static wadi_solver* make_model(fixture* f, int32_t model, wadi_terrain* terrain,
                               const top_value* values, int32_t count)
{
    const wadi_process* process = wadi_process_find(f->context, models[model][0]);
    void* params = test_calloc(1, process->fields->params_size);
    wadi_fields_init(process->fields, params);
    if (models[model][1] != NULL)
    {
        CHECK_OK(f->context, wadi_field_set_text(f->context, process->fields, "model",
                                                 models[model][1], params));
    }
    if (model == 1)
    {
        CHECK_OK(f->context,
                 wadi_field_set(f->context, process->fields, "slab_thickness", 0.02, params));
    }
    for (int32_t i = 0; i < count; ++i)
    {
        CHECK_OK(f->context, wadi_field_set(f->context, process->fields, values[i].name,
                                            values[i].value, params));
    }
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, process, params, 0, &solver));
    test_free(params);
    return solver;
}

static double map_mean(wadi_solver* solver, const char* map)
{
    static float values[CELLS];
    double sum = 0.0;
    CHECK_OK(NULL, wadi_solver_map(solver, map, values));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sum += (double)values[i];
    }
    return sum / CELLS;
}

static double sand_left(const wadi_terrain* terrain)
{
    return wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT) / (4.0 * CELLS);
}

// A plain that the wind blows bare from an open edge: with a tenth of coarse grains it stops.
// A cover of 0.15 raises the threshold of 7.07 m/s to 14.2 m/s, so a wind of 14 m/s stops there.
static void lag_stops_erosion(void** state)
{
    fixture* f = *state;
    for (int32_t model = 0; model < 3; ++model)
    {
        double lost[2];
        for (int32_t coarse = 0; coarse < 2; ++coarse)
        {
            const top_value values[] = {{"speed", 14.0},
                                        {"blowing", 1.0},
                                        {"coarse_depth", coarse == 1 ? 0.01 : 0.0},
                                        {"coarse_share", 0.1}};
            wadi_terrain* terrain = sand_field(f, WADI_EDGE_OPEN, 2.0);
            wadi_solver* solver = make_model(f, model, terrain, values, 4);
            CHECK_OK(f->context, wadi_solver_advance(solver, 0.2));
            CHECK_OK(f->context, wadi_solver_finish(solver));
            lost[coarse] = 2.0 - sand_left(terrain);
            print_message("%s %s: %.3f m lost, cover %.3f\n", models[model][0],
                          models[model][1] != NULL ? models[model][1] : "", lost[coarse],
                          map_mean(solver, "coarse"));
            wadi_solver_destroy(solver);
            fixture_check_ledger(terrain);
            wadi_terrain_destroy(terrain);
        }
        assert_true(lost[1] < 0.2 * lost[0]);
    }
}

// Moist sand that dries is blown away as fast as it dries, far slower than dry sand.
static void moist_sand_is_lost_as_it_dries(void** state)
{
    fixture* f = *state;
    for (int32_t model = 0; model < 3; ++model)
    {
        double lost[3];
        for (int32_t kind = 0; kind < 3; ++kind)
        {
            const top_value values[] = {{"speed", 12.0},
                                        {"blowing", 1.0},
                                        {"dry_rate", kind == 1 ? 0.02 : 0.0},
                                        {"dry_rain", 0.0}};
            wadi_terrain* terrain = sand_field(f, WADI_EDGE_OPEN, 2.0);
            CHECK_OK(f->context,
                     wadi_terrain_fill_layer(terrain, WADI_LAYER_MOISTURE, kind == 2 ? 0.0 : 0.3));
            wadi_solver* solver = make_model(f, model, terrain, values, 4);
            CHECK_OK(f->context, wadi_solver_advance(solver, 0.1));
            CHECK_OK(f->context, wadi_solver_finish(solver));
            lost[kind] = 2.0 - sand_left(terrain);
            wadi_solver_destroy(solver);
            fixture_check_ledger(terrain);
            wadi_terrain_destroy(terrain);
        }
        print_message("%s %s: moist %.4f, drying %.4f, dry %.4f m lost\n", models[model][0],
                      models[model][1] != NULL ? models[model][1] : "", lost[0], lost[1], lost[2]);
        assert_true(lost[0] == 0.0);
        assert_true(lost[1] > 0.005 && lost[1] < 0.95 * lost[2]);
    }
}

// ---- bits ------------------------------------------------------------------------------------

static const top_value all_on[] = {
    {"crust_gain", 1.0},    {"crust_growth", 0.5},  {"crust_abrasion", 0.1}, {"crust_depth", 0.05},
    {"coarse_depth", 0.02}, {"coarse_share", 0.05}, {"dry_rate", 0.02},      {"blowing", 1.0},
    {"inflow", 0.5},        {"direction", 250.0},   {"speed", 13.0},         {"dry_rain", 10.0},
};

static wadi_solver* make_all(fixture* f, int32_t model)
{
    wadi_terrain* terrain = sand_field(f, WADI_EDGE_OPEN, 2.0);
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 2.0, 3);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_MOISTURE, 0.1));
    wadi_solver* solver =
        make_model(f, model, terrain, all_on, (int32_t)(sizeof all_on / sizeof all_on[0]));
    static float values[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        values[i] = (float)(i * 37 % 101) / 100.0f;
    }
    CHECK_OK(f->context, wadi_solver_set_map(solver, "crust_start", values));
    CHECK_OK(f->context, wadi_solver_set_map(solver, "coarse_share", values));
    return solver;
}

static wadi_solver* make_flux(fixture* f)
{
    return make_all(f, 0);
}

static wadi_solver* make_slab(fixture* f)
{
    return make_all(f, 1);
}

static wadi_solver* make_wind(fixture* f)
{
    return make_all(f, 2);
}

static fixture_make* const makers[3] = {make_flux, make_slab, make_wind};

static void cuts_and_threads_change_nothing(void** state)
{
    (void)state;
    for (int32_t model = 0; model < 3; ++model)
    {
        fixture_check_cuts(makers[model], 0.1);
    }
}

// A solver that is saved and read goes on with the same bits.
static void restarts_change_nothing(void** state)
{
    fixture* f = *state;
    for (int32_t model = 0; model < 3; ++model)
    {
        wadi_solver* solver = makers[model](f);
        wadi_terrain* terrain = wadi_solver_terrain(solver);
        CHECK_OK(f->context, wadi_solver_advance(solver, 0.1));
        wadi_terrain* copy;
        CHECK_OK(f->context, wadi_terrain_clone(terrain, &copy));
        wadi_bytes bytes = {.context = f->context};
        CHECK_OK(f->context, wadi_solver_save(solver, wadi_bytes_write, &bytes));
        wadi_solver* other;
        CHECK_OK(f->context, wadi_solver_load(copy, wadi_bytes_read, &bytes, &other));
        wadi_bytes_free(&bytes);
        CHECK_OK(f->context, wadi_solver_advance(solver, 0.1));
        CHECK_OK(f->context, wadi_solver_advance(other, 0.1));
        assert_true(wadi_solver_hash(solver) == wadi_solver_hash(other));
        assert_true(wadi_terrain_hash(terrain) == wadi_terrain_hash(copy));
        wadi_solver_destroy(other);
        wadi_terrain_destroy(copy);
        wadi_solver_destroy(solver);
        fixture_check_ledger(terrain);
        wadi_terrain_destroy(terrain);
    }
}

// On a torus that is shifted, the same grains slide as far: no way is longer in the order of cells.
static void grains_slide_alike_everywhere(void** state)
{
    fixture* f = *state;
    const sand_top_law law = {.coarse_share = 0.5, .coarse_depth = 0.01, .coarse_drag = 90.0};
    static float rock[CELLS];
    static float sand[CELLS];
    static int32_t known[2][CELLS];
    for (int32_t turn = 0; turn < 2; ++turn)
    {
        wadi_terrain* terrain = sand_field(f, WADI_EDGE_PERIODIC, 2.0);
        sand_top* top;
        CHECK_OK(f->context, wadi_sand_top_create(terrain, &law, &top));
        for (int32_t i = 0; i < CELLS; ++i)
        {
            const int32_t x = (i % WIDTH + 37 * turn) % WIDTH;
            const int32_t y = (i / WIDTH + 13 * turn) % HEIGHT;
            rock[y * WIDTH + x] = (float)(i * 37 % 101);
            sand[y * WIDTH + x] = (float)(i * 53 % 97) / 60.0f;
        }
        CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, WIDTH));
        CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, WIDTH));
        for (int32_t k = 0; k < 3; ++k)
        {
            wadi_sand_top_slide(top);
        }
        for (int32_t i = 0; i < CELLS; ++i)
        {
            const int32_t x = (i % WIDTH + 37 * turn) % WIDTH;
            const int32_t y = (i / WIDTH + 13 * turn) % HEIGHT;
            const int32_t at = y * WIDTH + x;
            assert_true(turn == 0 || known[0][i] == top->coarse[at]);
            assert_true(turn == 0 || known[1][i] == top->lag[at]);
            known[0][i] = top->coarse[at];
            known[1][i] = top->lag[at];
        }
        wadi_sand_top_destroy(top);
        wadi_terrain_destroy(terrain);
    }
}

// Shares beyond 0 and 1 and cells without a value are refused, and the state stays as it was.
static void maps_hold_shares(void** state)
{
    fixture* f = *state;
    static const char* const names[2] = {"crust_start", "coarse_share"};
    static const float wrong[3] = {-0.1f, 1.1f, NAN};
    static float values[CELLS];
    for (int32_t model = 0; model < 3; ++model)
    {
        wadi_solver* solver = makers[model](f);
        wadi_terrain* terrain = wadi_solver_terrain(solver);
        for (int32_t i = 0; i < 6; ++i)
        {
            values[5 * WIDTH + 7] = wrong[i % 3];
            const uint64_t hash = wadi_solver_hash(solver);
            assert_int_equal(wadi_solver_set_map(solver, names[i / 3], values), WADI_ERROR_RANGE);
            assert_non_null(strstr(wadi_error_detail(f->context), "at column 7, row 5"));
            assert_true(wadi_solver_hash(solver) == hash);
            values[5 * WIDTH + 7] = 1.0f;
            CHECK_OK(f->context, wadi_solver_set_map(solver, names[i / 3], values));
        }
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_slide_alike_everywhere),
        cmocka_unit_test(maps_hold_shares),
        cmocka_unit_test(erosion_coarsens_and_burial_hides),
        cmocka_unit_test(grains_slide_with_their_sand),
        cmocka_unit_test(sand_dries_as_the_root_of_time),
        cmocka_unit_test(lag_stops_erosion),
        cmocka_unit_test(moist_sand_is_lost_as_it_dries),
        cmocka_unit_test(cuts_and_threads_change_nothing),
        cmocka_unit_test(restarts_change_nothing),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
