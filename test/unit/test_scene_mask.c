// SPDX-License-Identifier: MIT
// Masks of scenes: weights of bands and regions, their product, edits and processes under a mask.
#include "support/play.h"

#include <wadi/run.h>

#define NONE ((double)INFINITY)

static wadi_mask_band band_of(wadi_context* context, const char* name, double from, double to,
                              double fade)
{
    wadi_mask_band band = {.from = from, .to = to, .fade = fade};
    CHECK_OK(context, wadi_quantity_parse(context, name, &band.quantity));
    return band;
}

static void a_band_has_limits_and_a_rim(void** state)
{
    (void)state;
    const float values[] = {-1.0f, 0.0f, 1.0f, 5.0f, 9.0f, 10.0f, 11.0f, NAN};
    const wadi_mask_band hard = {.from = 0.0, .to = 10.0};
    float weights[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    wadi_mask_weigh(&hard, values, 8, weights);
    const float expected[] = {0, 1, 1, 1, 1, 1, 0, 0};
    assert_memory_equal(weights, expected, sizeof weights);

    const wadi_mask_band soft = {.from = 0.0, .to = 10.0, .fade = 2.0};
    float rim[8] = {1, 1, 1, 1, 1, 1, 0.5f, 1};
    wadi_mask_weigh(&soft, values, 8, rim);
    assert_true(rim[0] == 0.0f && rim[1] == 0.0f && rim[3] == 1.0f && rim[5] == 0.0f);
    assert_true(rim[2] == 0.5f && rim[4] == 0.5f && rim[6] == 0.0f); // half way into the rim

    const wadi_mask_band upper = {.from = 9.0, .to = NONE};
    float above[8] = {1, 1, 1, 1, 0.5f, 1, 1, 1};
    wadi_mask_weigh(&upper, values, 8, above);
    assert_true(above[3] == 0.0f && above[4] == 0.5f && above[6] == 1.0f && above[7] == 0.0f);

    const wadi_mask_band direct = {.from = -NONE, .to = NONE};
    const float shares[] = {-1.0f, 0.25f, 2.0f, NAN};
    float taken[4] = {1, 0.5f, 1, 1};
    wadi_mask_weigh(&direct, shares, 4, taken);
    assert_true(taken[0] == 0.0f && taken[1] == 0.125f && taken[2] == 1.0f && taken[3] == 0.0f);
}

static void masks_are_checked(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_mask_band bands[WADI_MAX_MASK_BANDS + 1] = {0};
    wadi_mask mask = wadi_mask_default();
    CHECK_OK(f.context, wadi_mask_check(f.context, &mask));
    mask.bands = bands;
    mask.band_count = 1;
    bands[0] = band_of(f.context, "slope", 3.0, 2.0, 0.0);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "lower limit first",
                wadi_mask_check(f.context, &mask));
    bands[0].to = (double)NAN;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "lower limit", wadi_mask_check(f.context, &mask));
    bands[0] = band_of(f.context, "slope", 2.0, 3.0, -1.0);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "fades over -1", wadi_mask_check(f.context, &mask));
    bands[0] = band_of(f.context, "slope", 2.0, 3.0, 1.1);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "are nearer", wadi_mask_check(f.context, &mask));
    bands[0].fade = 1.0;
    CHECK_OK(f.context, wadi_mask_check(f.context, &mask));
    bands[0] = band_of(f.context, "slope", 2.0, NONE, 1e6);
    CHECK_OK(f.context, wadi_mask_check(f.context, &mask));
    bands[0] = band_of(f.context, "slope", -NONE, NONE, 1.0);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "'from' or 'to'", wadi_mask_check(f.context, &mask));
    mask.band_count = WADI_MAX_MASK_BANDS + 1;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "9 bands", wadi_mask_check(f.context, &mask));
    mask.band_count = 0;
    const double bad[] = {-0.1, 1.1, (double)NAN};
    for (size_t i = 0; i < 3; ++i)
    {
        mask.strength = bad[i];
        CHECK_FAILS(f.context, WADI_ERROR_RANGE, "strength", wadi_mask_check(f.context, &mask));
    }
    fixture_close(&f);
}

// ---- edits --------------------------------------------------------------------------------------

// Ground of the test: a ramp that rises by 1 m from column to column, cells of 1 m.
static wadi_scene* open_scene(fixture* f)
{
    wadi_scene* scene;
    CHECK_OK(f->context, wadi_scene_create(f->context, &scene));
    const wadi_scene_grid grid = {.width = 20, .height = 10, .cell_size = 1.0};
    CHECK_OK(f->context, wadi_scene_set_grid(scene, &grid));
    double params[8];
    wadi_scene_ground ground = {.weight = 1.0};
    ground.source.kind = wadi_source_kind_find("ramp");
    ground.source.params = params;
    const wadi_field_table* fields = ground.source.kind->fields;
    wadi_fields_init(fields, params);
    CHECK_OK(f->context, wadi_field_set(f->context, fields, "slope", 1.0, params));
    CHECK_OK(f->context, wadi_field_set(f->context, fields, "azimuth", 90.0, params));
    CHECK_OK(f->context, wadi_scene_add_ground(scene, &ground));
    return scene;
}

static void raise_under(fixture* f, wadi_scene* scene, const wadi_mask* mask)
{
    double params[4];
    const wadi_edit_kind* kind = wadi_edit_kind_find("raise");
    wadi_fields_init(kind->fields, params);
    CHECK_OK(f->context, wadi_field_set(f->context, kind->fields, "height", 8.0, params));
    const wadi_step step = {.kind = WADI_STEP_EDIT,
                            .edit = {.kind = kind, .params = params, .mask = mask}};
    CHECK_OK(f->context, wadi_scene_add_step(scene, &step));
}

// Height of the middle row after all steps, less the ramp.
static void run_scene(fixture* f, wadi_scene* scene, double out[20])
{
    const wadi_host host = {0};
    wadi_run* run;
    CHECK_OK(f->context, wadi_run_create(scene, &host, &run));
    CHECK_OK(f->context, wadi_run_check(run));
    while (!wadi_run_is_done(run))
    {
        CHECK_OK(f->context, wadi_run_next(run));
    }
    for (int32_t x = 0; x < 20; ++x)
    {
        out[x] = fixture_metres(wadi_run_terrain(run), WADI_LAYER_BEDROCK, x, 5) - (x + 0.5);
    }
    fixture_check_ledger(wadi_run_terrain(run));
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
}

static void parts_of_a_mask_are_multiplied(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_mask_band bands[] = {band_of(f.context, "height", 4.0, NONE, 0.0),
                              band_of(f.context, "surface", -NONE, 12.0, 0.0),
                              band_of(f.context, "slope", 40.0, 50.0, 0.0)};
    wadi_mask mask = wadi_mask_default();
    mask.bands = bands;
    mask.band_count = 3;
    mask.strength = 0.5;
    double rise[20];
    wadi_scene* scene = open_scene(&f);
    raise_under(&f, scene, &mask);
    run_scene(&f, scene, rise);
    for (int32_t x = 0; x < 20; ++x)
    {
        CHECK_NEAR(rise[x], x >= 4 && x < 12 ? 4.0 : 0.0, 1e-4);
    }
    mask.inverted = true;
    scene = open_scene(&f);
    raise_under(&f, scene, &mask);
    run_scene(&f, scene, rise);
    for (int32_t x = 0; x < 20; ++x)
    {
        CHECK_NEAR(rise[x], x >= 4 && x < 12 ? 0.0 : 4.0, 1e-4);
    }
    fixture_close(&f);
}

static void a_map_of_a_process_that_has_not_run_is_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_mask_band band = band_of(f.context, "hydraulic.flow", 1.0, NONE, 0.0);
    wadi_mask mask = wadi_mask_default();
    mask.bands = &band;
    mask.band_count = 1;
    wadi_scene* scene = open_scene(&f);
    double params[4];
    const wadi_edit_kind* kind = wadi_edit_kind_find("raise");
    wadi_fields_init(kind->fields, params);
    const wadi_step step = {.kind = WADI_STEP_EDIT,
                            .edit = {.kind = kind, .params = params, .mask = &mask}};
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "hydraulic.flow does not exist yet",
                wadi_scene_add_step(scene, &step));
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

// ---- sessions -----------------------------------------------------------------------------------

// Masks of edits and processes are in the record; a change that names none keeps the one there is.
static void a_session_records_masks(void** state)
{
    (void)state;
    play p;
    uint64_t hash;
    play_open(&p, 0);
    wadi_mask_band bands[] = {band_of(p.f.context, "slope", 2.0, 60.0, 3.0),
                              band_of(p.f.context, "height", -NONE, 90.0, 0.0)};
    wadi_mask mask = wadi_mask_default();
    mask.bands = bands;
    mask.band_count = 2;
    mask.strength = 0.7;
    double params[128];
    const wadi_process* talus = wadi_process_find(NULL, "talus");
    wadi_fields_init(talus->fields, params);
    const wadi_scene_process step = {.process = talus, .params = params, .mask = &mask};
    CHECK_OK(p.f.context, wadi_session_start(p.session, &step));
    const wadi_edit_kind* kind = wadi_edit_kind_find("raise");
    double amount[4];
    wadi_fields_init(kind->fields, amount);
    const wadi_edit edit = {.kind = kind, .params = amount, .mask = &mask};
    CHECK_OK(p.f.context, wadi_session_edit(p.session, &edit, false));
    play_advance(&p, 1);
    mask.inverted = true;
    CHECK_OK(p.f.context, wadi_session_edit(p.session, &edit, false));
    play_start(&p, "talus", "repose", 20.0);
    play_advance(&p, 1);
    CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
    assert_true(hash == play_record_hash(&p));
    play_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_band_has_limits_and_a_rim),
        cmocka_unit_test(masks_are_checked),
        cmocka_unit_test(parts_of_a_mask_are_multiplied),
        cmocka_unit_test(a_map_of_a_process_that_has_not_run_is_refused),
        cmocka_unit_test(a_session_records_masks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
