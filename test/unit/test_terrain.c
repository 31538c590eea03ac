// SPDX-License-Identifier: MIT
// Terrains: definitions, edges, materials, names, georeference, clock, clones and the state hash.
#include "support/fixture.h"

#include "terrain/ground.h"

static void expect_refused(fixture* f, const wadi_terrain_def* def, wadi_result code,
                           const char* text)
{
    wadi_terrain* terrain = (wadi_terrain*)0x1; // must be overwritten
    CHECK_FAILS(f->context, code, text, wadi_terrain_create(f->context, def, &terrain));
    assert_null(terrain);
}

static void sizes_out_of_range_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    static const int32_t bad_sizes[] = {0, -1, 65537, INT32_MIN};
    for (size_t i = 0; i < 4; ++i)
    {
        wadi_terrain_def def = wadi_terrain_def_default();
        def.width = bad_sizes[i];
        expect_refused(&f, &def, WADI_ERROR_RANGE, "65536");
        def = wadi_terrain_def_default();
        def.height = bad_sizes[i];
        expect_refused(&f, &def, WADI_ERROR_RANGE, "65536");
    }
    static const double bad_cells[] = {0.0, -1.0, 1e-4, 1e7, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < 6; ++i)
    {
        wadi_terrain_def def = wadi_terrain_def_default();
        def.cell_size = bad_cells[i];
        expect_refused(&f, &def, WADI_ERROR_RANGE, "cell size");
    }
    wadi_terrain_def def = wadi_terrain_def_default();
    def.loose_count = WADI_MAX_LOOSE + 1;
    expect_refused(&f, &def, WADI_ERROR_RANGE, "loose layers");
    def.loose_count = 0;
    expect_refused(&f, &def, WADI_ERROR_RANGE, "loose layers");
    def = wadi_terrain_def_default();
    def.cookie += 1;
    expect_refused(&f, &def, WADI_ERROR_PARAMS, "wadi_terrain_def_default");
    fixture_close(&f);
}

static void edges_must_fit_together(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (int side = 0; side < 4; ++side)
    {
        wadi_terrain_def def = wadi_terrain_def_default();
        def.edges[side] = WADI_EDGE_PERIODIC;
        expect_refused(&f, &def, WADI_ERROR_ARGUMENT, "periodic");
        def.edges[(side + 2) % 4] = WADI_EDGE_PERIODIC;
        wadi_terrain* terrain = NULL;
        CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
        assert_int_equal(wadi_terrain_edge(terrain, (wadi_side)side), WADI_EDGE_PERIODIC);
        assert_int_equal(wadi_terrain_edge(terrain, (wadi_side)((side + 1) % 4)), WADI_EDGE_OPEN);
        assert_int_equal(wadi_terrain_edge(terrain, WADI_SIDE_VOID), WADI_EDGE_OPEN);
        wadi_terrain_destroy(terrain);
    }
    wadi_terrain_def def = wadi_terrain_def_default();
    def.edges[0] = WADI_EDGE_COUNT;
    expect_refused(&f, &def, WADI_ERROR_RANGE, "edge 0");
    fixture_close(&f);
}

static void a_new_terrain_is_flat_and_valid(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 1, 3);
    assert_int_equal(wadi_terrain_width(terrain), 1);
    assert_int_equal(wadi_terrain_height(terrain), 3);
    assert_true(wadi_terrain_cell_size(terrain) == 10.0);
    assert_int_equal(wadi_terrain_valid_count(terrain), 3);
    assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_SURFACE, 0, 2), 0);
    assert_false(wadi_terrain_is_valid(terrain, 1, 0));
    assert_false(wadi_terrain_is_valid(terrain, 0, -1));
    assert_true(wadi_terrain_clock(terrain) == 0.0);
    assert_ptr_equal(wadi_terrain_context(terrain), f.context);
    wadi_terrain_destroy(terrain);
    wadi_terrain_destroy(NULL);
    fixture_close(&f);
}

static void materials_are_checked(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 2, 2);
    assert_int_equal(wadi_terrain_material_count(terrain), 3);
    assert_string_equal(wadi_terrain_material(terrain, WADI_MATERIAL_WATER)->name, "water");
    assert_null(wadi_terrain_material(terrain, 3));
    assert_null(wadi_terrain_material(terrain, -1));

    wadi_material clay = *wadi_terrain_material(terrain, WADI_MATERIAL_SEDIMENT);
    memcpy(clay.name, "clay", 5);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "material 4",
                wadi_terrain_set_material(terrain, 4, &clay));
    CHECK_OK(f.context, wadi_terrain_set_material(terrain, 3, &clay));
    assert_int_equal(wadi_terrain_material_count(terrain), 4);
    clay.porosity = 1.0;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "material 3",
                wadi_terrain_set_material(terrain, 3, &clay));
    clay.porosity = (double)NAN;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "material 3",
                wadi_terrain_set_material(terrain, 3, &clay));
    clay.porosity = 0.5;
    memset(clay.name, 'x', sizeof clay.name); // no terminating zero
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "material 3",
                wadi_terrain_set_material(terrain, 3, &clay));
    assert_string_equal(wadi_terrain_material(terrain, 3)->name, "clay");
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void loose_layers_have_names(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = 4;
    def.height = 4;
    def.loose_count = 2;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    assert_int_equal(wadi_terrain_layer(terrain, "sediment"), WADI_LAYER_SEDIMENT);
    assert_int_equal(wadi_terrain_layer(terrain, "height"), WADI_LAYER_SURFACE);
    assert_int_equal(wadi_terrain_layer(terrain, "lava"), -1);
    CHECK_OK(f.context, wadi_terrain_set_loose(terrain, 1, "topsoil", WADI_MATERIAL_SEDIMENT));
    assert_int_equal(wadi_terrain_layer(terrain, "topsoil"), WADI_LAYER_LOOSE + 1);
    assert_string_equal(wadi_terrain_layer_name(terrain, WADI_LAYER_LOOSE + 1), "topsoil");
    assert_null(wadi_terrain_layer_name(terrain, WADI_LAYER_LOOSE + 2));
    assert_null(wadi_terrain_layer_name(terrain, 9));
    assert_null(wadi_terrain_layer_name(terrain, -1));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "bedrock",
                wadi_terrain_set_loose(terrain, 1, "bedrock", WADI_MATERIAL_SEDIMENT));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "material 2",
                wadi_terrain_set_loose(terrain, 1, "soup", WADI_MATERIAL_WATER));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "loose layer 2",
                wadi_terrain_set_loose(terrain, 2, "soup", WADI_MATERIAL_SEDIMENT));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "1 to 31",
                wadi_terrain_set_loose(terrain, 1, "", WADI_MATERIAL_SEDIMENT));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static const wadi_georef somewhere = {true, {1.0, 30.0, 0.0, 2.0, 0.0, -30.0}, "LOCAL_CS[\"x\"]"};

static void the_georeference_rides_along(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 2, 2);
    assert_false(wadi_terrain_georef(terrain).valid);
    assert_string_equal(wadi_terrain_georef(terrain).wkt, "");
    CHECK_OK(f.context, wadi_terrain_set_georef(terrain, &somewhere));

    wadi_terrain* clone = NULL;
    CHECK_OK(f.context, wadi_terrain_clone(terrain, &clone));
    wadi_terrain_destroy(terrain); // the clone has its own copy
    const wadi_georef got = wadi_terrain_georef(clone);
    assert_true(got.valid);
    assert_memory_equal(got.affine, somewhere.affine, sizeof got.affine);
    assert_string_equal(got.wkt, somewhere.wkt);

    CHECK_OK(f.context, wadi_terrain_set_georef(clone, &got)); // aliased argument
    assert_string_equal(wadi_terrain_georef(clone).wkt, somewhere.wkt);
    wadi_terrain_destroy(clone);
    fixture_close(&f);
}

static void the_clock_only_moves_forward(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 2, 2);
    CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, 100.0));
    CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, 0.5));
    CHECK_NEAR(wadi_terrain_clock(terrain), 100.5, 1e-9);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "clock", wadi_terrain_advance_clock(terrain, -1.0));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "clock",
                wadi_terrain_advance_clock(terrain, (double)NAN));
    CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, 1e8));
    CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, 1e8));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "285 million",
                wadi_terrain_advance_clock(terrain, 1e8));
    wadi_terrain_destroy(terrain);
    // as far at once as a solver can go
    terrain = fixture_flat(&f, 2, 2);
    CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, 2.8e8));
    CHECK_NEAR(wadi_terrain_clock(terrain), 2.8e8, 1e-3);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void a_clone_is_equal_and_apart(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, 17, 13, 5);
    fixture_holes(terrain);
    CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, 3.0));
    wadi_terrain* clone = NULL;
    CHECK_OK(f.context, wadi_terrain_clone(terrain, &clone));
    const uint64_t hash = wadi_terrain_hash(terrain);
    assert_true(wadi_terrain_hash(clone) == hash);
    fixture_check_ledger(clone);
    CHECK_OK(f.context, wadi_terrain_fill_layer(clone, WADI_LAYER_WATER, 1.0));
    assert_true(wadi_terrain_hash(clone) != hash);
    assert_true(wadi_terrain_hash(terrain) == hash);
    wadi_terrain_destroy(clone);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// One unit in one cell of any layer, the mask, the clock or the random state changes the hash.
static void the_hash_sees_everything(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, 9, 7, 5);
    wadi_ground* ground = wadi_terrain_ground(terrain);
    uint64_t last = wadi_terrain_hash(terrain);
    assert_true(last == wadi_terrain_hash(terrain));
    for (int what = 0; what < 9; ++what)
    {
        ground->bedrock[5] += what == 0 ? 1 : 0;
        ground->loose[0][6] += what == 1 ? 1 : 0;
        ground->water[62] += what == 2 ? 1 : 0;
        ground->hardness[0] ^= what == 3 ? 1 : 0;
        ground->vegetation[1] ^= what == 4 ? 1 : 0;
        ground->moisture[2] ^= what == 5 ? 1 : 0;
        ground->valid[3] = what == 6 ? 0 : ground->valid[3];
        if (what == 7)
        {
            CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, 1e-3));
        }
        if (what == 8)
        {
            wadi_tally tally = {.eroded = {1}};
            wadi_terrain_book(terrain, "rain", &tally);
        }
        const uint64_t hash = wadi_terrain_hash(terrain);
        assert_true(hash != last);
        last = hash;
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_out_of_range_are_refused),
        cmocka_unit_test(edges_must_fit_together),
        cmocka_unit_test(a_new_terrain_is_flat_and_valid),
        cmocka_unit_test(materials_are_checked),
        cmocka_unit_test(loose_layers_have_names),
        cmocka_unit_test(the_georeference_rides_along),
        cmocka_unit_test(the_clock_only_moves_forward),
        cmocka_unit_test(a_clone_is_equal_and_apart),
        cmocka_unit_test(the_hash_sees_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
