// SPDX-License-Identifier: MIT
// The rivers of a terrain: their list, owners, copies, saves and hashes.
#include "support/fixture.h"

#include "core/archive.h"
#include "terrain/rivers.h"

enum
{
    MOST = 8
};

static int32_t rivers_of(const wadi_terrain* terrain, wadi_river out[MOST])
{
    memset(out, 0, MOST * sizeof *out);
    return wadi_terrain_rivers(terrain, out, MOST);
}

static void a_new_terrain_has_no_rivers(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 3, 3);
    wadi_river list[MOST];
    assert_int_equal(rivers_of(terrain, list), 0);
    CHECK_OK(f.context, wadi_terrain_set_rivers(terrain, NULL, 0));
    assert_int_equal(wadi_terrain_rivers(terrain, NULL, 0), 0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Each owner replaces its own, in an order that does not depend on who was last.
static void owners_keep_their_rivers_apart(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 3, 3);
    const wadi_river a[] = {{0, 10, 5, 2}, {0, 11, 6, 2}};
    const wadi_river b[] = {{0, 20, 7, 2}};
    wadi_river list[MOST];
    CHECK_OK(f.context, wadi_rivers_publish(terrain, 9, b, 1));
    CHECK_OK(f.context, wadi_rivers_publish(terrain, 4, a, 2));
    const uint64_t hash = wadi_terrain_hash(terrain);
    CHECK_OK(f.context, wadi_rivers_publish(terrain, 9, b, 1));
    CHECK_OK(f.context, wadi_rivers_publish(terrain, 4, a, 2));
    CHECK_OK(f.context, wadi_rivers_publish(terrain, 9, b, 1));
    assert_true(wadi_terrain_hash(terrain) == hash);
    assert_int_equal(rivers_of(terrain, list), 3);
    assert_true(list[0].discharge == 5.0 && list[1].discharge == 6.0 && list[2].discharge == 7.0);
    CHECK_OK(f.context, wadi_rivers_publish(terrain, 4, a, 1));
    assert_int_equal(rivers_of(terrain, list), 2);
    CHECK_OK(f.context, wadi_rivers_publish(terrain, 9, NULL, 0));
    assert_int_equal(rivers_of(terrain, list), 1);
    assert_true(list[0].y == 10.0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A river that enters where one of another owner does is the same river.
static void a_river_is_not_listed_twice(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 3, 3);
    const wadi_river first[] = {{0, 10, 5, 0}, {0, 14, 6, 0}};
    const wadi_river again = {1, 11, 8, 2};
    wadi_river list[MOST];
    CHECK_OK(f.context, wadi_rivers_publish(terrain, 4, first, 2));
    CHECK_OK(f.context, wadi_rivers_publish(terrain, 2, &again, 1));
    assert_int_equal(rivers_of(terrain, list), 2);
    assert_true(list[0].discharge == 8.0 && list[1].discharge == 6.0);
    // the caller replaces all of them
    CHECK_OK(f.context, wadi_terrain_set_rivers(terrain, first, 1));
    assert_int_equal(rivers_of(terrain, list), 1);
    assert_true(list[0].discharge == 5.0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void senseless_rivers_are_refused_and_change_nothing(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 3, 3);
    const wadi_river good = {0, 10, 5, 2};
    CHECK_OK(f.context, wadi_terrain_set_rivers(terrain, &good, 1));
    const uint64_t hash = wadi_terrain_hash(terrain);
    const wadi_river bad[][2] = {{{0, 10, 5, 2}, {2e9, 10, 5, 2}},
                                 {{0, 10, 5, 2}, {0, (double)NAN, 5, 2}},
                                 {{0, 10, 5, 2}, {0, 10, -1, 2}},
                                 {{0, 10, 5, 2}, {0, 10, 2e6, 2}},
                                 {{0, 10, 5, 2}, {0, 10, 5, -1}}};
    for (int i = 0; i < 5; ++i)
    {
        CHECK_FAILS(f.context, WADI_ERROR_RANGE, "river 2",
                    wadi_terrain_set_rivers(terrain, bad[i], 2));
    }
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "rivers", wadi_terrain_set_rivers(terrain, &good, -1));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "NULL", wadi_terrain_set_rivers(terrain, NULL, 1));
    assert_true(wadi_terrain_hash(terrain) == hash);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void rivers_are_copied_hashed_and_saved(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 3, 3);
    const uint64_t dry = wadi_terrain_hash(terrain);
    const wadi_river a = {0, 10, 5, 2};
    const wadi_river b = {0, 20, 7, 2};
    CHECK_OK(f.context, wadi_rivers_publish(terrain, 9, &b, 1));
    CHECK_OK(f.context, wadi_rivers_publish(terrain, 4, &a, 1));
    const uint64_t wet = wadi_terrain_hash(terrain);
    assert_true(wet != dry);

    wadi_terrain* copy;
    CHECK_OK(f.context, wadi_terrain_clone(terrain, &copy));
    assert_true(wadi_terrain_hash(copy) == wet);
    wadi_terrain_destroy(copy);

    wadi_bytes bytes = {.context = f.context};
    CHECK_OK(f.context, wadi_terrain_save(terrain, wadi_bytes_write, &bytes));
    CHECK_OK(f.context, wadi_terrain_load(f.context, wadi_bytes_read, &bytes, &copy));
    assert_true(wadi_terrain_hash(copy) == wet);
    // owners are saved too
    CHECK_OK(f.context, wadi_rivers_publish(copy, 4, NULL, 0));
    wadi_river list[MOST];
    assert_int_equal(rivers_of(copy, list), 1);
    assert_true(list[0].y == 20.0 && list[0].discharge == 7.0 && list[0].reach == 2.0);
    wadi_bytes_free(&bytes);
    wadi_terrain_destroy(copy);

    CHECK_OK(f.context, wadi_terrain_set_rivers(terrain, NULL, 0));
    assert_true(wadi_terrain_hash(terrain) == dry);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_terrain_has_no_rivers),
        cmocka_unit_test(owners_keep_their_rivers_apart),
        cmocka_unit_test(a_river_is_not_listed_twice),
        cmocka_unit_test(senseless_rivers_are_refused_and_change_nothing),
        cmocka_unit_test(rivers_are_copied_hashed_and_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
