// SPDX-License-Identifier: MIT
// The flood of depressions, all at once and one by one, against its equation solved by relaxation.
#include "support/fixture.h"

#include "core/random.h"
#include "laws/flow/flow_flood_internal.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MOST = 150 * 147,
    ROW = 150 + 2
};

typedef struct land
{
    int32_t width;
    int32_t height;
    bool wraps_x;
    bool wraps_y;
    int32_t rise[2];
    uint8_t valid[MOST];
    uint32_t outlets[MOST];
    int64_t outlet_count;
    int32_t surface[(150 + 2) * (147 + 2)]; // padded
    int32_t level[(150 + 2) * (147 + 2)];   // by relaxation
    int32_t out[(150 + 2) * (147 + 2)];
} land;

static land ground;

static int64_t at(const land* l, int32_t x, int32_t y)
{
    return (int64_t)(y + 1) * (l->width + 2) + x + 1;
}

// The cell at a place, across periodic edges; -1 where there is none.
static int64_t cell_at(const land* l, int32_t x, int32_t y)
{
    x = l->wraps_x ? (x + l->width) % l->width : x;
    y = l->wraps_y ? (y + l->height) % l->height : y;
    const bool in = x >= 0 && x < l->width && y >= 0 && y < l->height;
    return in && l->valid[(int64_t)y * l->width + x] != 0 ? at(l, x, y) : -1;
}

// ---- ground ------------------------------------------------------------------------------

// Ground of a kind: 0 noise of few levels, 1 hollows of many sizes, 2 a bowl, 3 a slope.
static int32_t height_of(const land* l, int kind, uint64_t seed, int32_t x, int32_t y)
{
    const wadi_philox random =
        wadi_random(seed, 1, (uint64_t)y * (uint64_t)l->width + (uint64_t)x, 0);
    const int32_t rough = (int32_t)(random.v[0] % 40);
    const int32_t dx = 2 * x - l->width;
    const int32_t dy = 2 * y - l->height;
    const int32_t wave = abs(x % 32 - 16) * abs(y % 24 - 12) + abs(x % 50 - 25) * 9;
    return kind == 0   ? rough % 9
           : kind == 1 ? wave * 20 + rough
           : kind == 2 ? (dx * dx + dy * dy) / 8 + rough % 3
                       : 100 * y + rough;
}

static void fill_ghosts(land* l)
{
    for (int32_t y = -1; y <= l->height; ++y)
    {
        for (int32_t x = -1; x <= l->width; ++x)
        {
            const int64_t cell = cell_at(l, x, y);
            l->surface[at(l, x, y)] = cell >= 0 ? l->surface[cell] : FLOW_WALL;
        }
    }
}

// `outlets` of the cells, drawn; or one of two edges.
static void make_land(land* l, int kind, uint64_t seed, bool holes, int32_t outlets)
{
    l->outlet_count = 0;
    for (int32_t y = 0; y < l->height; ++y)
    {
        for (int32_t x = 0; x < l->width; ++x)
        {
            const int64_t c = (int64_t)y * l->width + x;
            const wadi_philox random = wadi_random(seed, 2, (uint64_t)c, 0);
            l->valid[c] = !holes || random.v[0] % 19 != 0 ? 1 : 0;
            l->surface[at(l, x, y)] = height_of(l, kind, seed, x, y);
            const bool drawn =
                outlets > 0 ? random.v[1] % (uint32_t)(l->width * l->height) < (uint32_t)outlets
                            : x == 0;
            if (l->valid[c] != 0 && (drawn || (outlets > 0 && x == 5 && y == 7)))
            {
                l->outlets[l->outlet_count++] = (uint32_t)at(l, x, y);
            }
        }
    }
    fill_ghosts(l);
}

// ---- the equation ------------------------------------------------------------------------

static bool relax(land* l, int32_t x, int32_t y)
{
    const int64_t c = cell_at(l, x, y);
    bool changed = false;
    for (int32_t dy = -1; dy <= 1 && c >= 0; ++dy)
    {
        for (int32_t dx = -1; dx <= 1; ++dx)
        {
            const int64_t n = cell_at(l, x + dx, y + dy);
            if (n >= 0 && n != c && l->level[n] != FLOW_WALL)
            {
                const int32_t over = l->level[n] + l->rise[dx != 0 && dy != 0 ? 1 : 0];
                const int32_t level = over > l->surface[c] ? over : l->surface[c];
                changed |= level < l->level[c];
                l->level[c] = level < l->level[c] ? level : l->level[c];
            }
        }
    }
    return changed;
}

// R = max(h, min of neighbours + rise), from above.
static void solve(land* l)
{
    for (int64_t i = 0; i < (int64_t)(l->width + 2) * (l->height + 2); ++i)
    {
        l->level[i] = FLOW_WALL;
    }
    for (int64_t i = 0; i < l->outlet_count; ++i)
    {
        l->level[l->outlets[i]] = l->surface[l->outlets[i]];
    }
    bool changed = true;
    for (int32_t pass = 0; changed; ++pass)
    {
        changed = false;
        for (int32_t i = 0; i < l->width * l->height; ++i)
        {
            const int32_t c = pass % 2 == 0 ? i : l->width * l->height - 1 - i;
            changed |= relax(l, c % l->width, c / l->width);
        }
    }
}

// ---- tests -------------------------------------------------------------------------------

static void check_flood(land* l, wadi_flow_flood* flood, wadi_context* context)
{
    const wadi_flow_flood_job job = {.surface = l->surface,
                                     .outlets = l->outlets,
                                     .outlet_count = l->outlet_count,
                                     .rise_axis = l->rise[0],
                                     .rise_diagonal = l->rise[1],
                                     .out = l->out};
    memset(l->out, 0, sizeof l->out);
    CHECK_OK(context, wadi_flow_flood_run(flood, &job));
    for (int32_t i = 0; i < l->width * l->height; ++i)
    {
        const int64_t c = cell_at(l, i % l->width, i / l->width);
        if (c >= 0)
        {
            // what no outlet can be reached from keeps its height
            const int32_t level = l->level[c] != FLOW_WALL ? l->level[c] : l->surface[c];
            assert_int_equal(l->out[c], level);
        }
    }
}

enum
{
    BEYOND = 64 // bytes after a room that a flood leaves alone
};

// What was in the room before a run counts for nothing.
static void scribble(uint8_t* room, size_t bytes, int seed)
{
    for (size_t i = 0; i < bytes && room != NULL; ++i)
    {
        room[i] = (uint8_t)(i * 37 + (size_t)seed);
    }
}

// All at once, since nothing is known of the ground; one by one, as after a flood of little
// ground; and all at once again.
static void check_land_in(land* l, int32_t threads, uint8_t* room)
{
    fixture f;
    fixture_open(&f, threads);
    const wadi_flow_flood_def def = {.context = f.context,
                                     .width = l->width,
                                     .height = l->height,
                                     .wraps_x = l->wraps_x,
                                     .wraps_y = l->wraps_y,
                                     .valid = l->valid,
                                     .room = room};
    const size_t bytes = wadi_flow_flood_room(l->width, l->height);
    const int64_t wet[3] = {MOST, 0, MOST};
    wadi_flow_flood* flood;
    scribble(room, bytes + BEYOND, 3);
    CHECK_OK(f.context, wadi_flow_flood_create(&def, &flood));
    for (int run = 0; run < 3; ++run)
    {
        flood->wet_count = run > 0 ? wet[run] : flood->wet_count;
        scribble(room, bytes, run);
        check_flood(l, flood, f.context);
        for (size_t i = bytes; i < bytes + BEYOND && room != NULL; ++i)
        {
            assert_int_equal(room[i], (uint8_t)(i * 37 + 3));
        }
    }
    wadi_flow_flood_destroy(flood);
    fixture_close(&f);
}

// In memory of the flood, and in a room of the caller.
static void check_land(land* l, int32_t threads)
{
    uint8_t* room = malloc(wadi_flow_flood_room(l->width, l->height) + BEYOND);
    assert_non_null(room);
    check_land_in(l, threads, NULL);
    check_land_in(l, threads, room);
    free(room);
}

static void floods_solve_their_equation(void** state)
{
    (void)state;
    static const int32_t sizes[3][2] = {{150, 147}, {63, 64}, {1, 90}};
    static const int32_t rises[3][2] = {{1, 1}, {0, 0}, {7, 10}};
    for (int i = 0; i < 48; ++i)
    {
        land* l = &ground;
        l->width = sizes[i % 3][0];
        l->height = sizes[i % 3][1];
        l->wraps_x = i / 3 % 2 != 0 && l->width > 2;
        l->wraps_y = i / 6 % 2 != 0;
        memcpy(l->rise, rises[i / 12 % 3], sizeof l->rise);
        make_land(l, i % 4, (uint64_t)i, i % 5 == 0, i % 7 == 0 ? 0 : i % 6);
        solve(l);
        check_land(l, 1 + i % 4);
    }
}

// Bed of a canal that winds between walls and falls from its begin in the north-west, where the
// outlet is, to one pit at its other end. A bay beside that end lies higher than the outlet.
static int32_t canal_bed(const land* l, int32_t x, int32_t y)
{
    const int32_t turn = y / 2;
    const int32_t end = turn % 2 == 0 ? l->width - 1 : 0; // where it goes on to the south
    const int32_t along = turn % 2 == 0 ? x : l->width - 1 - x;
    if (y > l->height - 3)
    {
        return x == l->width / 2 && y == l->height - 2 ? 25000 : 40000;
    }
    if (y % 2 == 0)
    {
        return 20000 - turn * (l->width + 1) - along;
    }
    return x == end ? 20000 - turn * (l->width + 1) - l->width : 40000;
}

// A lake that is so long that the tilt of its water exceeds the first margin.
static void long_lakes_get_a_wider_margin(void** state)
{
    (void)state;
    land* l = &ground;
    *l = (land){.width = 150, .height = 147, .rise = {1, 1}, .outlet_count = 1};
    for (int32_t y = 0; y < l->height; ++y)
    {
        for (int32_t x = 0; x < l->width; ++x)
        {
            l->valid[(int64_t)y * l->width + x] = 1;
            l->surface[at(l, x, y)] = canal_bed(l, x, y);
        }
    }
    l->outlets[0] = (uint32_t)at(l, 0, 0);
    fill_ghosts(l);
    solve(l);
    assert_true(l->level[at(l, l->width / 2, l->height - 2)] > 25000);
    check_land(l, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floods_solve_their_equation),
        cmocka_unit_test(long_lakes_get_a_wider_margin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
