// SPDX-License-Identifier: MIT
// Ground water and the sea under the models of sand: moisture by height, how deep wind cuts, and
// the sand that waves bring ashore.
#include "laws/sand/sand_shore.h"
#include "laws/sand/sand_skin.h"
#include "support/fixture.h"
#include "support/grid_marks.h"

#include <stdlib.h>

enum
{
    SIZE = 64
};

static const char* const models[] = {"flux", "slab", "wind"};

// Sand is saturated at the ground water, half moist in the middle of the fringe and dry above it;
// below nothing is lifted.
static void sand_dries_with_height(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = fixture_flat(f, 4, 3);
    sand_skin_law law = {.wet_gain = 1.0, .fringe = 0.4};
    static const double depths[] = {-0.1, 0.0, 0.2, 0.4, 3.0};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; ++i)
    {
        law.water = -depths[i];
        const sand_skin skin = wadi_sand_skin(&law, wadi_terrain_ground_const(terrain), 3);
        const double moisture = depths[i] < 0.4 ? 1.0 - depths[i] / 0.4 : 0.0;
        assert_true(skin.stress == (depths[i] < 0.0 ? 0.0f : 1.0f));
        CHECK_NEAR((double)skin.threshold, depths[i] < 0.0 ? 1.0 : 1.0 + 3.0 * pow(moisture, 0.68),
                   1e-4);
    }
    wadi_terrain_destroy(terrain);
}

static wadi_solver* sand_solver(fixture* f, wadi_terrain* terrain, const char* model,
                                const char* const* names, const double* values, int32_t count)
{
    const bool parcels = strcmp(model, "wind") == 0;
    const wadi_process* process = wadi_process_find(f->context, parcels ? "wind" : "dunes");
    void* params = test_calloc(1, process->fields->params_size);
    wadi_fields_init(process->fields, params);
    if (!parcels)
    {
        CHECK_OK(f->context,
                 wadi_field_set_text(f->context, process->fields, "model", model, params));
    }
    for (int32_t i = 0; i < count; ++i)
    {
        CHECK_OK(f->context,
                 wadi_field_set(f->context, process->fields, names[i], values[i], params));
    }
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, process, params, 0, &solver));
    test_free(params);
    return solver;
}

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

// Low surface, 10th percentile, after ten years of wind over 3 m of sand with ground water at 1 m.
// In a step the wind cuts deeper into a few cells where it enters.
static double cut_down(fixture* f, const char* model, double fringe)
{
    static const char* const names[] = {"water_level", "water_fringe"};
    const double values[] = {1.0, fringe};
    wadi_terrain* terrain = fixture_plain(f, SIZE, SIZE, 2.0, WADI_EDGE_OPEN);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 3.0));
    wadi_solver* solver = sand_solver(f, terrain, model, names, values, 2);
    CHECK_OK(f->context, wadi_solver_advance(solver, 10.0));
    CHECK_OK(f->context, wadi_solver_finish(solver));
    static double levels[SIZE * SIZE];
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        levels[i] = fixture_metres(terrain, WADI_LAYER_SEDIMENT, i % SIZE, i / SIZE);
    }
    qsort(levels, SIZE * SIZE, sizeof levels[0], compare);
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    return levels[SIZE * SIZE / 10];
}

// Without ground water the wind strips the rock. With it the wind stops where the threshold of
// moist sand is its own speed: at a moisture of 3.1 %, almost at the top of the fringe.
static void wind_cuts_down_to_moist_sand(void** state)
{
    fixture* f = *state;
    for (size_t m = 0; m < sizeof models / sizeof models[0]; ++m)
    {
        const double dry = cut_down(f, models[m], 0.0);
        const double moist = cut_down(f, models[m], 0.5);
        print_message("%s: cut down to %.2f m, with ground water at 1 m to %.2f m\n", models[m],
                      dry, moist);
        assert_true(dry < 0.3);
        assert_true(moist > 1.2 && moist < 1.6);
    }
}

// The law of the threshold, turned round: sand down to that moisture may be lifted.
static void sand_above_moist_sand_is_what_the_law_says(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = fixture_flat(f, 4, 3);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    sand_skin_law law = {.wet_gain = 1.0, .fringe = 0.4, .water = -0.5};
    static const double moistures[] = {0.0, 0.03, 0.5, 1.0};
    for (size_t i = 0; i < sizeof moistures / sizeof moistures[0]; ++i)
    {
        const float stress = (float)(1.0 + 3.0 * pow(moistures[i], 0.68));
        const double above = 0.5 - 0.4 * (1.0 - moistures[i]);
        CHECK_NEAR((double)wadi_sand_skin_above_moist(&law, ground, 3, stress, 1e8f),
                   above * WADI_UNITS_PER_METRE, 4.0);
    }
    law.water = 0.1; // the ground lies below: nothing
    assert_true(wadi_sand_skin_above_moist(&law, ground, 3, 9.0f, 1e8f) == 0.0f);
    law.fringe = 0.0;
    assert_true(wadi_sand_skin_above_moist(&law, ground, 3, 1.0f, 1e8f) == SAND_GRIP_FREE);
    wadi_terrain_destroy(terrain);
}

// Hills that the wind strips down to moist sand above ground water: no cell is cut below it, to
// trap sand in the next step.
static void cells_above_ground_water_take_no_turns(void** state)
{
    fixture* f = *state;
    static float heights[SIZE * SIZE];
    static float sand[SIZE * SIZE];
    wadi_noise_params noise = wadi_noise_params_default();
    noise.relief = 5.0;
    noise.wavelength = 90.0;
    noise.octaves = 2;
    CHECK_OK(f->context, wadi_noise_fill(f->context, &noise, 4, SIZE, SIZE, 2.0, heights));
    wadi_terrain* terrain = fixture_plain(f, SIZE, SIZE, 2.0, WADI_EDGE_OPEN);
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, SIZE));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 3.0));
    static const char* const names[] = {"water_level", "water_fringe", "direction"};
    static const double values[] = {4.5, 0.4, 17.0};
    wadi_solver* solver = sand_solver(f, terrain, "flux", names, values, 3);
    fixture_advance(solver, 3.0);
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        sand[i] = (float)fixture_metres(terrain, WADI_LAYER_SEDIMENT, i % SIZE, i / SIZE);
        heights[i] += sand[i];
    }
    const double turns = grid_marks_alternating(heights, sand, SIZE, SIZE);
    print_message("above ground water %.3f of the sand cells alternate\n", turns);
    assert_true(turns <= 0.03);
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
}

// A beach of slope 1:40 from the sea in the west, with a hollow below the sea behind a ridge.
static void draw_beach(fixture* f, wadi_terrain* terrain)
{
    static float rock[SIZE * SIZE];
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        const double x = i % SIZE;
        rock[i] = x > 50.0 ? -1.0f : x > 44.0 ? 6.0f : (float)((x - 16.5) * 2.0 / 40.0);
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIZE));
    wadi_terrain_changed(terrain);
}

// The sea raises the beach by the law, and neither itself nor the hollow.
static void waves_bring_sand_up_to_their_run_up(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = fixture_plain(f, SIZE, SIZE, 2.0, WADI_EDGE_CLOSED);
    draw_beach(f, terrain);
    const sand_shore_law law = {.level = 0.0, .runup = 1.0, .supply = 0.5};
    sand_shore* shore = NULL;
    wadi_tally tally = {0};
    CHECK_OK(f->context, wadi_sand_shore_create(terrain, &law, &shore));
    wadi_sand_shore_feed(shore, 0.0, 0.1, &tally);
    for (int32_t x = 0; x < SIZE; ++x)
    {
        const double level = (x - 16.5) * 2.0 / 40.0;
        const bool beach = x <= 44 && level > 0.0 && level < 1.0;
        const double raised = beach ? 0.5 * 0.1 * (1.0 - level) / 1.05 : 0.0;
        CHECK_NEAR(fixture_metres(terrain, WADI_LAYER_SEDIMENT, x, 20), raised, 1e-4);
    }
    assert_true(tally.in[WADI_MATERIAL_SEDIMENT] > 0);
    assert_true(tally.in[WADI_MATERIAL_SEDIMENT] == tally.deposited[WADI_MATERIAL_SEDIMENT]);
    wadi_sand_shore_destroy(shore);
    wadi_terrain_destroy(terrain);
}

// Waves feed a bare beach, and an onshore wind takes their sand inland.
static void beaches_feed_the_wind(void** state)
{
    fixture* f = *state;
    static const char* const names[] = {"shore_supply", "water_fringe"};
    static const double values[] = {1.0, 0.2};
    for (size_t m = 0; m < sizeof models / sizeof models[0]; ++m)
    {
        wadi_terrain* terrain = fixture_plain(f, SIZE, SIZE, 2.0, WADI_EDGE_OPEN);
        draw_beach(f, terrain);
        wadi_solver* solver = sand_solver(f, terrain, models[m], names, values, 2);
        CHECK_OK(f->context, wadi_solver_advance(solver, 3.0));
        CHECK_OK(f->context, wadi_solver_finish(solver));
        double inland = 0.0;
        for (int32_t i = 0; i < SIZE * SIZE; ++i)
        {
            const int32_t x = i % SIZE;
            inland +=
                x > 40 ? 4.0 * fixture_metres(terrain, WADI_LAYER_SEDIMENT, x, i / SIZE) : 0.0;
        }
        const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
        print_message("%s: waves brought %.0f m3, of which %.0f m3 lie inland\n", models[m], row.in,
                      inland);
        assert_true(row.in > 500.0 && inland > 0.02 * row.in);
        fixture_check_ledger(terrain);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sand_dries_with_height),
        cmocka_unit_test(sand_above_moist_sand_is_what_the_law_says),
        cmocka_unit_test(wind_cuts_down_to_moist_sand),
        cmocka_unit_test(cells_above_ground_water_take_no_turns),
        cmocka_unit_test(waves_bring_sand_up_to_their_run_up),
        cmocka_unit_test(beaches_feed_the_wind),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
