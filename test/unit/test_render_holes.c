// SPDX-License-Identifier: MIT
// Voids in pictures: what stays land, and what a void takes.
#include "maps/render/holes.h"
#include "support/fixture.h"

#include <math.h>

enum
{
    SIDE = 48
};

static float ground[SIDE * SIDE];
static uint8_t filled[SIDE * SIDE]; // by the last call below

static bool filled_is_land(fixture* f, int32_t refined, int32_t x, int32_t y)
{
    static float copy[SIDE * SIDE];
    memcpy(copy, ground, sizeof copy);
    render_relief relief = {
        .context = f->context, .width = SIDE, .height = SIDE, .refined = refined, .ground = copy};
    CHECK_OK(f->context, wadi_holes_fill(&relief));
    memcpy(filled, relief.hole, sizeof filled);
    wadi_free(f->context, relief.hole);
    return !isnan(copy[y * SIDE + x]);
}

static void block(int32_t x, int32_t y, int32_t width, int32_t height, float value)
{
    for (int32_t i = 0; i < width * height; ++i)
    {
        ground[(y + i / width) * SIDE + x + i % width] = value;
    }
}

// A large void at the border takes posts and spits of one and two cells of the land; land three
// cells wide stays, and so do cells at the border of the map and at holes inside the land.
static void voids_take_posts(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (int32_t refined = 1; refined <= 2; ++refined)
    {
        const int32_t post = 2 * refined;
        const int32_t pier = 3 * refined;
        block(0, 0, SIDE, SIDE, 100.0f);
        block(24, 0, 24, SIDE, NAN);
        block(36, 8, post, post, 100.0f);
        block(36, 24, pier, pier, 100.0f);
        block(20, 40, 10, post, 100.0f);
        block(8, 10, 6, 6, NAN); // two holes, filled, and a strip between them that stays
        block(14 + refined, 10, 6, 6, NAN);
        assert_false(filled_is_land(&f, refined, 36, 8));
        assert_true(filled_is_land(&f, refined, 36, 24));
        assert_true(filled_is_land(&f, refined, 36 + pier - 1, 24 + pier - 1));
        assert_false(filled_is_land(&f, refined, 29, 40));
        assert_true(filled_is_land(&f, refined, 23, 40));
        assert_true(filled_is_land(&f, refined, 23, 0));
        assert_true(filled_is_land(&f, refined, 0, 0));
        assert_true(filled_is_land(&f, refined, 12, 12));
        assert_int_equal(filled[12 * SIDE + 12], 1);
        assert_int_equal(filled[12 * SIDE + 14], 0);
    }
    fixture_close(&f);
}

// Data that are a narrow strip are the land, not a sliver of it.
static void a_narrow_strip_stays(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    block(0, 0, SIDE, SIDE, NAN);
    block(0, 20, SIDE, 2, 100.0f);
    assert_true(filled_is_land(&f, 1, 30, 20));
    fixture_close(&f);
}

// Mountains around a gap of a twelfth of the map, at whose border it has a mouth: part of it would
// stand on walls as high as the map. `mouth` is the width of the gap at the border.
static void mountains_with_gap(int32_t mouth, float rim)
{
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        ground[i] = 100.0f + (float)(i / SIDE); // the lowest ground is in the north
    }
    block(16, 26, 16, 12, NAN);
    for (int32_t x = 15; x <= 32; ++x)
    {
        ground[25 * SIDE + x] = rim;
    }
    block(24 - mouth / 2, 38, mouth, SIDE - 38, NAN);
}

// A void that land encloses is bridged though it touches the border, as it is inside the map. One
// that opens to the border for more than a quarter of its outline stays open, and so does one with
// a shore as low as the lowest ground: the sea.
static void a_gap_in_mountains_is_bridged(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (int32_t refined = 1; refined <= 2; ++refined)
    {
        mountains_with_gap(4, 130.0f);
        assert_true(filled_is_land(&f, refined, 24, 32));
        assert_true(filled_is_land(&f, refined, 24, SIDE - 1));
        assert_int_equal(filled[32 * SIDE + 24], 1);
        mountains_with_gap(30, 130.0f);
        assert_false(filled_is_land(&f, refined, 24, 32));
        mountains_with_gap(4, 130.0f);
        for (int32_t i = 0; i < SIDE * SIDE; ++i)
        {
            ground[i] = isnan(ground[i]) ? NAN : 100.0f; // a plain around the sea, and
        }
        ground[0] = 900.0f; // a mountain
        assert_false(filled_is_land(&f, refined, 24, 32));
    }
    fixture_close(&f);
}

// A seam of voids along the border, as wide as one or two cells, is bridged, and it does not open
// a hole that it touches; a wider one is the end of the map.
static void seams_along_the_border_are_bridged(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (int32_t refined = 1; refined <= 2; ++refined)
    {
        for (int32_t wide = 1; wide <= 3; ++wide)
        {
            mountains_with_gap(4, 130.0f);
            block(SIDE - wide * refined, 0, wide * refined, SIDE, NAN);
            assert_int_equal(filled_is_land(&f, refined, SIDE - 1, 20), wide < 3);
            assert_true(filled_is_land(&f, refined, SIDE - 1 - 3 * refined, 20));
            mountains_with_gap(4, 130.0f);
            block(0, SIDE - wide * refined, SIDE, wide * refined, NAN);
            assert_int_equal(filled_is_land(&f, refined, 24, 32), wide < 3);
        }
        block(0, 0, SIDE, SIDE, 100.0f);
        block(24, 0, 24, SIDE, NAN); // a seam leads to the end of the map
        block(0, 0, 24, refined, NAN);
        assert_true(filled_is_land(&f, refined, 10, 0));
        assert_false(filled_is_land(&f, refined, 36, 24));
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(voids_take_posts),
        cmocka_unit_test(a_narrow_strip_stays),
        cmocka_unit_test(a_gap_in_mountains_is_bridged),
        cmocka_unit_test(seams_along_the_border_are_bridged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
