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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(voids_take_posts),
        cmocka_unit_test(a_narrow_strip_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
