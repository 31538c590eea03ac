// SPDX-License-Identifier: MIT
// Spreading of the changes of a batch of saltation: exact, never below the sand there is, not on
// thin sand, not up a slip face, but along it.
#include "processes/wind/saltation_state.h"
#include "support/fixture.h"

enum
{
    WIDTH = 40,
    HEIGHT = 70, // three blocks of rows
    METRE = 65536
};

typedef struct sandbox
{
    fixture f;
    wadi_terrain* terrain;
    saltation* s;
} sandbox;

// A wind from the west over sand that `level` gives in metres.
static void sandbox_open(sandbox* box, wadi_edge edge, double (*level)(int32_t x, int32_t y))
{
    fixture_open(&box->f, 2);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = 2.0;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = edge;
    }
    CHECK_OK(box->f.context, wadi_terrain_create(box->f.context, &def, &box->terrain));
    float sand[WIDTH * HEIGHT];
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        sand[i] = (float)level(i % WIDTH, i / WIDTH);
    }
    CHECK_OK(box->f.context,
             wadi_terrain_set_layer(box->terrain, WADI_LAYER_SEDIMENT, sand, WIDTH));
    const wadi_wind_params params = wadi_wind_params_default();
    void* state;
    CHECK_OK(box->f.context, wadi_saltation_api.create(box->terrain, &params, 1, &state));
    box->s = state;
    const wind_spell wind = {270.0, 10.0, 1.0};
    wadi_saltation_law_set(box->s, &wind, 0.1);
    wadi_saltation_freeze(box->s);
}

static void sandbox_close(sandbox* box)
{
    wadi_saltation_api.destroy(box->s);
    wadi_terrain_destroy(box->terrain);
    fixture_close(&box->f);
}

static double level_plain(int32_t x, int32_t y)
{
    (void)x;
    (void)y;
    return 2.0;
}

// Thin and thick sand in patches.
static double level_patches(int32_t x, int32_t y)
{
    return (x / 5 + y / 7) % 3 == 0 ? 0.04 : 0.06 + 0.01 * ((x * 7 + y * 3) % 11);
}

// A slip face along the columns 20 to 25, 60 % steep.
static double level_face(int32_t x, int32_t y)
{
    (void)y;
    return x < 20 ? 10.0 : x < 26 ? 10.0 - 1.2 * (x - 20) : 2.8;
}

// Random changes: gains, and losses of up to all the sand.
static int64_t fill_changes(const saltation* s)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const uint32_t word = (uint32_t)i * 2654435761u;
        const int32_t sand = s->ground->loose[0][i];
        s->change[i] = (word >> 31) != 0 ? (int32_t)(word >> 16 & 0x7FFFu) : -sand;
        sum += s->change[i];
    }
    return sum;
}

static int64_t check_changes(const saltation* s)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        assert_true(s->change[i] >= -s->ground->loose[0][i]);
        sum += s->change[i];
    }
    return sum;
}

static void spreading_is_exact_and_takes_no_more_than_there_is(void** state)
{
    (void)state;
    static const wadi_edge edges[2] = {WADI_EDGE_PERIODIC, WADI_EDGE_OPEN};
    for (int k = 0; k < 4; ++k)
    {
        sandbox box;
        sandbox_open(&box, edges[k % 2], k < 2 ? level_patches : level_face);
        const int64_t before = fill_changes(box.s);
        wadi_saltation_spread(box.s);
        assert_int_equal(check_changes(box.s), before);
        sandbox_close(&box);
    }
}

static void thin_sand_is_left_alone(void** state)
{
    (void)state;
    sandbox box;
    sandbox_open(&box, WADI_EDGE_PERIODIC, level_patches);
    (void)fill_changes(box.s);
    int32_t before[WIDTH * HEIGHT];
    memcpy(before, box.s->change, sizeof before);
    wadi_saltation_spread(box.s);
    int32_t moved = 0;
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const bool thin = box.s->ground->loose[0][i] < METRE / 20;
        assert_true(!thin || box.s->change[i] == before[i]);
        moved += box.s->change[i] != before[i] ? 1 : 0;
    }
    assert_true(moved > WIDTH * HEIGHT / 8);
    sandbox_close(&box);
}

// The change that a metre on one cell leaves at another one.
static int32_t spread_from(sandbox* box, int32_t x, int32_t y, int32_t to_x, int32_t to_y)
{
    memset(box->s->change, 0, WIDTH * HEIGHT * sizeof *box->s->change);
    box->s->change[y * WIDTH + x] = METRE;
    wadi_saltation_spread(box->s);
    return box->s->change[to_y * WIDTH + to_x];
}

// Three passes of 1 2 1 are 1 6 15 20 15 6 1 over 64, also around edges and between blocks of rows.
static void plain_sand_is_spread_by_the_binomial(void** state)
{
    (void)state;
    static const int32_t parts[4] = {20, 15, 6, 1};
    sandbox box;
    sandbox_open(&box, WADI_EDGE_PERIODIC, level_plain);
    for (int32_t d = 0; d < 4; ++d)
    {
        const double share = METRE * parts[d] / 64.0 * 20.0 / 64.0;
        CHECK_NEAR((double)spread_from(&box, 0, 31, (WIDTH - d) % WIDTH, 31), share, 8.0);
        CHECK_NEAR((double)spread_from(&box, 0, 31, 0, 31 + d), share, 8.0);
        CHECK_NEAR((double)spread_from(&box, 5, 0, 5, (HEIGHT - d) % HEIGHT), share, 8.0);
    }
    sandbox_close(&box);
}

static void slip_faces_are_spread_along_their_brink_only(void** state)
{
    (void)state;
    sandbox box;
    sandbox_open(&box, WADI_EDGE_OPEN, level_face);
    for (int32_t x = 21; x < 25; ++x)
    {
        assert_int_equal(spread_from(&box, x, 30, x - 1, 30), 0);
        assert_int_equal(spread_from(&box, x, 30, x + 1, 30), 0);
        CHECK_NEAR((double)spread_from(&box, x, 30, x, 31), METRE * 15.0 / 64.0, 8.0);
    }
    sandbox_close(&box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spreading_is_exact_and_takes_no_more_than_there_is),
        cmocka_unit_test(thin_sand_is_left_alone),
        cmocka_unit_test(plain_sand_is_spread_by_the_binomial),
        cmocka_unit_test(slip_faces_are_spread_along_their_brink_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
