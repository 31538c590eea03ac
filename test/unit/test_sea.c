// SPDX-License-Identifier: MIT
// The level of the sea: its table, interpolation, copies, saves and hashes.
#include "support/fixture.h"

#include "core/archive.h"
#include "terrain/ground.h"
#include "terrain/sea.h"

static const double sea_years[] = {-100.0, 0.0, 1000.0, 3000.0};
static const double sea_levels[] = {5.0, 0.0, -120.0, 10.0};

static double level_at(const wadi_terrain* terrain, double year)
{
    double level = -1e9;
    assert_true(wadi_terrain_sea_level(terrain, year, &level));
    return level;
}

static void a_new_terrain_has_no_sea(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 3, 3);
    double level = 7.0;
    int32_t units = 7;
    assert_false(wadi_terrain_sea_level(terrain, 0.0, &level));
    assert_false(wadi_terrain_sea_units(terrain, 0.0, &units));
    assert_true(level == 7.0 && units == 7);
    assert_int_equal(wadi_terrain_sea_table(terrain, NULL, NULL, 0), 0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void the_level_is_interpolated_between_years_and_stays_outside_them(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 3, 3);
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, sea_years, sea_levels, 4));
    assert_true(level_at(terrain, -1e6) == 5.0);
    assert_true(level_at(terrain, -100.0) == 5.0);
    assert_true(level_at(terrain, -50.0) == 2.5);
    assert_true(level_at(terrain, 0.0) == 0.0);
    assert_true(level_at(terrain, 250.0) == -30.0);
    assert_true(level_at(terrain, 1000.0) == -120.0);
    assert_true(level_at(terrain, 2000.0) == -55.0);
    assert_true(level_at(terrain, 3000.0) == 10.0);
    assert_true(level_at(terrain, 1e8) == 10.0);
    int32_t units;
    assert_true(wadi_terrain_sea_units(terrain, 250.0, &units));
    assert_int_equal(units, -30 * WADI_UNITS_PER_METRE);

    double years[4];
    double levels[4] = {0.0, 0.0, 0.0, 99.0};
    assert_int_equal(wadi_terrain_sea_table(terrain, years, levels, 3), 4);
    assert_true(years[2] == 1000.0 && levels[2] == -120.0 && levels[3] == 99.0);

    // one row needs no year
    static const double one = -3.25;
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, NULL, &one, 1));
    assert_true(level_at(terrain, 12345.0) == -3.25);
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, NULL, NULL, 0));
    double level;
    assert_false(wadi_terrain_sea_level(terrain, 0.0, &level));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void senseless_tables_are_refused_and_change_nothing(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 3, 3);
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, sea_years, sea_levels, 4));
    const uint64_t hash = wadi_terrain_hash(terrain);
    static const double same[] = {0.0, 0.0};
    static const double far[] = {0.0, 2e9};
    static const double deep[] = {0.0, -4e4};
    const double odd[] = {0.0, (double)NAN};
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "row 2",
                wadi_terrain_set_sea_level(terrain, same, sea_levels, 2));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "row 2",
                wadi_terrain_set_sea_level(terrain, far, sea_levels, 2));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "row 2",
                wadi_terrain_set_sea_level(terrain, sea_years, deep, 2));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "row 2",
                wadi_terrain_set_sea_level(terrain, sea_years, odd, 2));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "row 2",
                wadi_terrain_set_sea_level(terrain, odd, sea_levels, 2));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "rows",
                wadi_terrain_set_sea_level(terrain, sea_years, sea_levels, -1));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "no years",
                wadi_terrain_set_sea_level(terrain, NULL, sea_levels, 2));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "no levels",
                wadi_terrain_set_sea_level(terrain, sea_years, NULL, 2));
    assert_true(wadi_terrain_hash(terrain) == hash);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void the_sea_is_copied_hashed_and_saved(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 3, 3);
    const uint64_t dry = wadi_terrain_hash(terrain);
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, sea_years, sea_levels, 4));
    const uint64_t wet = wadi_terrain_hash(terrain);
    assert_true(wet != dry);
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, sea_years, sea_levels, 3));
    assert_true(wadi_terrain_hash(terrain) != wet);
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, NULL, NULL, 0));
    assert_true(wadi_terrain_hash(terrain) == dry);
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, sea_years, sea_levels, 4));

    wadi_terrain* copy;
    CHECK_OK(f.context, wadi_terrain_clone(terrain, &copy));
    assert_true(wadi_terrain_hash(copy) == wet);
    wadi_terrain_destroy(copy);

    wadi_bytes bytes = {.context = f.context};
    CHECK_OK(f.context, wadi_terrain_save(terrain, wadi_bytes_write, &bytes));
    CHECK_OK(f.context, wadi_terrain_load(f.context, wadi_bytes_read, &bytes, &copy));
    assert_true(wadi_terrain_hash(copy) == wet);
    assert_true(level_at(copy, 2000.0) == -55.0);
    wadi_bytes_free(&bytes);
    wadi_terrain_destroy(copy);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_terrain_has_no_sea),
        cmocka_unit_test(the_level_is_interpolated_between_years_and_stays_outside_them),
        cmocka_unit_test(senseless_tables_are_refused_and_change_nothing),
        cmocka_unit_test(the_sea_is_copied_hashed_and_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
