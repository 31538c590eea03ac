// SPDX-License-Identifier: MIT
// The minimum cut of a grid against all subsets of 4 x 4 cells, and against augmenting paths.
#include "support/fixture.h"

#include "core/random.h"
#include "laws/slopes/slide_cut.h"

#include <stdlib.h>

enum
{
    MOST_CELLS = 400,
    SMALL = 16
};

typedef struct grid
{
    fixture f;
    slide_cut* cut;
    int32_t width;
    int32_t height;
    int64_t drive[MOST_CELLS];
    int64_t rim[MOST_CELLS][SLIDE_CUT_SIDES];
} grid;

static void grid_rim(const void* user, int64_t cell, int64_t rim[SLIDE_CUT_SIDES])
{
    const grid* g = user;
    memcpy(rim, g->rim[cell], sizeof g->rim[cell]);
}

// Random drives of both signs, and resistances that differ with direction.
static void grid_fill(grid* g, uint64_t seed, int64_t drive, int64_t rim)
{
    for (int64_t c = 0; c < (int64_t)g->width * g->height; ++c)
    {
        const wadi_philox a = wadi_random(seed, 1, (uint64_t)c, 0);
        g->drive[c] = (int64_t)(a.v[0] % (uint32_t)(2 * drive + 1)) - drive;
        for (int side = 0; side < SLIDE_CUT_SIDES; ++side)
        {
            const wadi_philox b = wadi_random(seed, 2, (uint64_t)c, (uint32_t)side);
            const bool inside = wadi_slide_cut_neighbour(g->cut, c, side) >= 0;
            g->rim[c][side] = inside ? (int64_t)(b.v[0] % (uint32_t)(rim + 1)) : 0;
        }
    }
}

static void grid_open(grid* g, int32_t width, int32_t height, bool wraps)
{
    fixture_open(&g->f, 1);
    g->width = width;
    g->height = height;
    const bool both[2] = {wraps, wraps};
    CHECK_OK(g->f.context, wadi_slide_cut_create(g->f.context, width, height, both, &g->cut));
}

static void grid_close(grid* g)
{
    wadi_slide_cut_destroy(g->cut);
    fixture_close(&g->f);
}

static void grid_find(grid* g, bool inside[MOST_CELLS])
{
    const int32_t* cells;
    int64_t count;
    CHECK_OK(g->f.context, wadi_slide_cut_find(g->cut, g->drive, grid_rim, g, &cells, &count));
    memset(inside, 0, MOST_CELLS * sizeof *inside);
    for (int64_t i = 0; i < count; ++i)
    {
        assert_true(i == 0 || cells[i] > cells[i - 1]);
        inside[cells[i]] = true;
    }
}

static int64_t grid_gain(const grid* g, uint32_t set)
{
    int64_t sum = 0;
    for (int c = 0; c < SMALL; ++c)
    {
        for (int side = 0; side < SLIDE_CUT_SIDES && (set >> c & 1u) != 0; ++side)
        {
            const int64_t to = wadi_slide_cut_neighbour(g->cut, c, side);
            sum -= to >= 0 && (set >> to & 1u) == 0 ? g->rim[c][side] : 0;
        }
        sum += (set >> c & 1u) != 0 ? g->drive[c] : 0;
    }
    return sum;
}

// The set of greatest gain that is part of all others of that gain.
static uint32_t grid_try_all(const grid* g)
{
    uint32_t best = 0;
    int64_t most = 0;
    for (uint32_t set = 1; set < 1u << SMALL; ++set)
    {
        const int64_t gain = grid_gain(g, set);
        best = gain > most ? set : gain == most ? best & set : best;
        most = gain > most ? gain : most;
    }
    return best;
}

static void the_cut_is_the_best_of_all_subsets(void** state)
{
    (void)state;
    int64_t moved = 0;
    for (uint64_t seed = 0; seed < 24; ++seed)
    {
        grid g = {0};
        bool inside[MOST_CELLS];
        grid_open(&g, 4, 4, seed % 4 == 3);
        grid_fill(&g, seed, 20, (int64_t)(1 + seed % 6)); // small numbers: many ties
        grid_find(&g, inside);
        const uint32_t best = grid_try_all(&g);
        for (int c = 0; c < SMALL; ++c)
        {
            assert_int_equal(inside[c], (int)(best >> c & 1u));
            moved += inside[c] ? 1 : 0;
        }
        grid_close(&g);
    }
    assert_true(moved > 50 && moved < 24 * SMALL - 50);
}

// ---- augmenting paths --------------------------------------------------------------------

typedef struct paths
{
    int64_t source[MOST_CELLS];
    int64_t sink[MOST_CELLS];
    int64_t room[MOST_CELLS][SLIDE_CUT_SIDES];
    int32_t from[MOST_CELLS]; // -2: not seen; -1: from the source
    int32_t side[MOST_CELLS];
    int32_t queue[MOST_CELLS];
} paths;

// Breadth-first search from the source; returns a cell that the sink takes from, or -1.
static int32_t paths_search(const grid* g, paths* p)
{
    const int32_t cells = g->width * g->height;
    int32_t end = 0;
    for (int32_t c = 0; c < cells; ++c)
    {
        p->from[c] = p->source[c] > 0 ? -1 : -2;
        p->queue[end] = c;
        end += p->source[c] > 0 ? 1 : 0;
    }
    for (int32_t next = 0; next < end; ++next)
    {
        const int32_t c = p->queue[next];
        if (p->sink[c] > 0)
        {
            return c;
        }
        for (int side = 0; side < SLIDE_CUT_SIDES; ++side)
        {
            const int64_t to = wadi_slide_cut_neighbour(g->cut, c, side);
            if (to >= 0 && p->room[c][side] > 0 && p->from[to] == -2)
            {
                p->from[to] = c;
                p->side[to] = side;
                p->queue[end++] = (int32_t)to;
            }
        }
    }
    return -1;
}

static void paths_augment(paths* p, int32_t last)
{
    int64_t amount = p->sink[last];
    int32_t c = last;
    for (; p->from[c] >= 0; c = p->from[c])
    {
        const int64_t room = p->room[p->from[c]][p->side[c]];
        amount = room < amount ? room : amount;
    }
    amount = p->source[c] < amount ? p->source[c] : amount;
    p->source[c] -= amount;
    p->sink[last] -= amount;
    for (c = last; p->from[c] >= 0; c = p->from[c])
    {
        p->room[p->from[c]][p->side[c]] -= amount;
        p->room[c][(p->side[c] + SLIDE_CUT_SIDES / 2) % SLIDE_CUT_SIDES] += amount;
    }
}

static void augmenting_paths_find_the_same_cut(void** state)
{
    (void)state;
    static paths p;
    int64_t moved = 0;
    for (uint64_t seed = 0; seed < 12; ++seed)
    {
        static grid g;
        bool inside[MOST_CELLS];
        g = (grid){0};
        grid_open(&g, 20, 17, seed % 3 == 2);
        grid_fill(&g, 100 + seed, 1000, (int64_t)(100 + 60 * seed));
        grid_find(&g, inside);
        for (int32_t c = 0; c < g.width * g.height; ++c)
        {
            p.source[c] = g.drive[c] > 0 ? g.drive[c] : 0;
            p.sink[c] = g.drive[c] < 0 ? -g.drive[c] : 0;
        }
        memcpy(p.room, g.rim, sizeof p.room);
        for (int32_t c = paths_search(&g, &p); c >= 0; c = paths_search(&g, &p))
        {
            paths_augment(&p, c);
        }
        for (int32_t c = 0; c < g.width * g.height; ++c)
        {
            assert_int_equal(inside[c], p.from[c] != -2);
            moved += inside[c] ? 1 : 0;
        }
        grid_close(&g);
    }
    assert_true(moved > 100);
}

static void ground_without_drive_stands(void** state)
{
    (void)state;
    static grid g;
    bool inside[MOST_CELLS];
    grid_open(&g, 20, 20, false);
    grid_find(&g, inside);
    for (int c = 0; c < MOST_CELLS; ++c)
    {
        assert_false(inside[c]);
    }
    g.drive[210] = 1; // nothing holds it
    grid_find(&g, inside);
    assert_true(inside[210] && !inside[211]);
    g.rim[210][0] = 1; // as much as drives it, on ground that stands
    g.drive[211] = -1;
    grid_find(&g, inside);
    assert_true(!inside[210]);
    grid_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cut_is_the_best_of_all_subsets),
        cmocka_unit_test(augmenting_paths_find_the_same_cut),
        cmocka_unit_test(ground_without_drive_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
