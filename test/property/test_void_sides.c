// SPDX-License-Identifier: MIT
// Void cells beyond the sides of a map: what falls into them is booked by side for every process,
// and nothing else changes; they are copied, saved and hashed, and forgotten once they have data.
#include "support/choice.h"
#include "support/registered.h"

#include "core/archive.h"

enum
{
    RIM = 3, // width of the voids around the land [cells]
    SIZE = 24
};

// The land lies in the middle; beyond a corner the north and the south count.
static uint8_t side_of(int32_t x, int32_t y, int32_t width, int32_t height)
{
    const bool north = y < RIM;
    const bool south = y >= height - RIM;
    const bool west = x < RIM;
    const bool east = x >= width - RIM;
    return north   ? WADI_SIDE_NORTH
           : south ? WADI_SIDE_SOUTH
           : west  ? WADI_SIDE_WEST
           : east  ? WADI_SIDE_EAST
                   : WADI_SIDE_VOID;
}

// Sides of all cells, in rows one cell longer than the grid's. Rivers enter from the west, so some
// tests need ground there.
static uint8_t* surround(fixture* f, wadi_terrain* terrain, bool west)
{
    const int32_t width = wadi_terrain_width(terrain);
    const int32_t height = wadi_terrain_height(terrain);
    const size_t bytes = (size_t)(width + 1) * (size_t)height;
    uint8_t* sides = test_malloc(bytes);
    uint8_t* valid = test_malloc(bytes);
    memset(sides, 77, bytes);
    for (int32_t y = 0; y < height; ++y)
    {
        for (int32_t x = 0; x < width; ++x)
        {
            const int64_t i = (int64_t)y * (width + 1) + x;
            sides[i] = side_of(x, y, width, height);
            sides[i] = west || sides[i] != WADI_SIDE_WEST ? sides[i] : WADI_SIDE_VOID;
            valid[i] = sides[i] == WADI_SIDE_VOID ? 1 : 0;
            sides[i] = valid[i] != 0 ? 99 : sides[i]; // cells with data are skipped
        }
    }
    CHECK_OK(f->context, wadi_terrain_set_valid(terrain, valid, width + 1));
    test_free(valid);
    return sides;
}

// ---- every process -----------------------------------------------------------------------------

static void check_books(const wadi_terrain* plain, const wadi_terrain* marked, bool sinks)
{
    for (int32_t m = 0; m < wadi_terrain_material_count(plain); ++m)
    {
        const wadi_ledger_row a = fixture_ledger_row(plain, m);
        const wadi_ledger_row b = fixture_ledger_row(marked, m);
        double before = a.out[WADI_SIDE_VOID];
        double after = b.out[WADI_SIDE_VOID];
        for (int side = 0; side < WADI_SIDE_VOID; ++side)
        {
            assert_true(b.out[side] >= a.out[side]); // parcels also pass over voids to the edge
            before += a.out[side];
            after += b.out[side];
        }
        CHECK_NEAR(after, before, 1e-9 * before);
        assert_true(sinks || b.out[WADI_SIDE_VOID] == 0.0);
        assert_true(a.residual_units == 0 && b.residual_units == 0);
    }
}

static void check_process(const choice* c)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* plain = fixture_rough(&f, CHOICE_WIDTH, CHOICE_HEIGHT, 5);
    uint8_t* sides = surround(&f, plain, false);
    wadi_terrain* marked;
    CHECK_OK(f.context, wadi_terrain_clone(plain, &marked));
    CHECK_OK(f.context, wadi_terrain_set_void_sides(marked, sides, wadi_terrain_width(marked) + 1));
    choice_run(c, plain, 0.1);
    choice_run(c, marked, 0.1);
    // what sinks in the sea of unknown depth is booked as void too
    check_books(plain, marked, strcmp(c->process->name, "coast") == 0);
    for (int32_t y = 0; y < wadi_terrain_height(plain); ++y)
    {
        for (int32_t x = 0; x < wadi_terrain_width(plain); ++x)
        {
            assert_int_equal(wadi_terrain_units(plain, WADI_LAYER_BEDROCK, x, y),
                             wadi_terrain_units(marked, WADI_LAYER_BEDROCK, x, y));
            assert_int_equal(wadi_terrain_units(plain, WADI_LAYER_SEDIMENT, x, y),
                             wadi_terrain_units(marked, WADI_LAYER_SEDIMENT, x, y));
        }
    }
    test_free(sides);
    wadi_terrain_destroy(plain);
    wadi_terrain_destroy(marked);
    fixture_close(&f);
}

static void losses_into_voids_are_booked_by_side(void** state)
{
    (void)state;
    choice_for_each(check_process);
}

// Ground that falls to one side gives to that side.
static void check_direction(const char* model, wadi_side side, int32_t size)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, size, size, 30.0, WADI_EDGE_OPEN);
    float* slope = test_malloc(sizeof *slope * (size_t)(size * size));
    for (int32_t i = 0; i < size * size; ++i)
    {
        const int32_t x = i % (size);
        const int32_t y = i / (size);
        const int32_t to[4] = {y, size - x, size - y, x};
        slope[i] = 10.0f * (float)to[side];
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, slope, size));
    uint8_t* sides = surround(&f, terrain, true);
    CHECK_OK(f.context, wadi_terrain_set_void_sides(terrain, sides, size + 1));
    const wadi_process* process = wadi_process_find(choice_registry, "hydraulic");
    char params[4096];
    wadi_fields_init(process->fields, params);
    CHECK_OK(f.context, wadi_field_set_text(f.context, process->fields, "model", model, params));
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, process, params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, 2000.0));
    CHECK_OK(f.context, wadi_solver_finish(solver));
    const wadi_ledger_row water = fixture_ledger_row(terrain, WADI_MATERIAL_WATER);
    double sum = 0.0;
    for (int k = 0; k < WADI_SIDE_COUNT; ++k)
    {
        sum += water.out[k];
    }
    assert_true(water.out[WADI_SIDE_VOID] == 0.0 && water.out[side] > 0.8 * sum && sum > 0.0);
    wadi_solver_destroy(solver);
    test_free(sides);
    test_free(slope);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void water_leaves_over_the_side_that_it_flows_to(void** state)
{
    (void)state;
    for (int side = 0; side < 4; ++side)
    {
        check_direction("streams", (wadi_side)side, 48);
        check_direction("parcels", (wadi_side)side, 144); // with a coarse level
    }
}

// ---- the state of a terrain --------------------------------------------------------------------

static wadi_terrain* reload(fixture* f, const wadi_terrain* terrain)
{
    wadi_bytes bytes = {.context = f->context};
    wadi_terrain* out;
    CHECK_OK(f->context, wadi_terrain_save(terrain, wadi_bytes_write, &bytes));
    CHECK_OK(f->context, wadi_terrain_load(f->context, wadi_bytes_read, &bytes, &out));
    wadi_bytes_free(&bytes);
    return out;
}

static void sides_are_copied_saved_and_hashed(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, SIZE, SIZE, 6);
    uint8_t* sides = surround(&f, terrain, true);
    const uint64_t plain = wadi_terrain_hash(terrain);
    CHECK_OK(f.context, wadi_terrain_set_void_sides(terrain, sides, SIZE + 1));
    const uint64_t marked = wadi_terrain_hash(terrain);
    assert_true(marked != plain);
    wadi_terrain* again = reload(&f, terrain);
    wadi_terrain* copy;
    CHECK_OK(f.context, wadi_terrain_clone(again, &copy));
    assert_true(wadi_terrain_hash(again) == marked && wadi_terrain_hash(copy) == marked);
    assert_int_equal(wadi_terrain_valid_count(copy), wadi_terrain_valid_count(terrain));
    CHECK_OK(f.context, wadi_terrain_set_void_sides(copy, NULL, 0));
    assert_true(wadi_terrain_hash(copy) == plain);
    wadi_terrain_destroy(again);
    wadi_terrain_destroy(copy);
    test_free(sides);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A void that had data in between is a hole, so that the state does not depend on the way there.
static void cells_with_data_lose_their_side(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, SIZE, SIZE, 6);
    uint8_t* sides = surround(&f, terrain, true);
    CHECK_OK(f.context, wadi_terrain_set_void_sides(terrain, sides, SIZE + 1));
    const uint64_t marked = wadi_terrain_hash(terrain);
    const float height = 5.0f;
    const wadi_rectangle corner = {0, 0, 1, 1};
    CHECK_OK(f.context,
             wadi_terrain_set_rectangle(terrain, WADI_LAYER_SURFACE, corner, &height, 1));
    wadi_terrain* again = reload(&f, terrain);
    assert_true(wadi_terrain_hash(again) == wadi_terrain_hash(terrain));
    assert_true(wadi_terrain_is_valid(again, 0, 0) && !wadi_terrain_is_valid(again, 1, 0));
    wadi_terrain_destroy(again);
    const float none = NAN;
    CHECK_OK(f.context, wadi_terrain_set_rectangle(terrain, WADI_LAYER_SURFACE, corner, &none, 1));
    const uint64_t hole = wadi_terrain_hash(terrain);
    assert_true(hole != marked);
    sides[0] = WADI_SIDE_VOID;
    CHECK_OK(f.context, wadi_terrain_set_void_sides(terrain, sides, SIZE + 1));
    assert_true(wadi_terrain_hash(terrain) == hole);
    test_free(sides);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void wrong_sides_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, SIZE, SIZE, 6);
    uint8_t* sides = surround(&f, terrain, true);
    sides[1] = WADI_SIDE_COUNT;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "(1, 0)",
                wadi_terrain_set_void_sides(terrain, sides, SIZE + 1));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "23",
                wadi_terrain_set_void_sides(terrain, sides, SIZE - 1));
    test_free(sides);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_into_voids_are_booked_by_side),
        cmocka_unit_test(water_leaves_over_the_side_that_it_flows_to),
        cmocka_unit_test(sides_are_copied_saved_and_hashed),
        cmocka_unit_test(cells_with_data_lose_their_side),
        cmocka_unit_test(wrong_sides_are_refused),
    };
    choice_registry = registered_open();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    registered_close();
    return failed;
}
