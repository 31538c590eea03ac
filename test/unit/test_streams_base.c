// SPDX-License-Identifier: MIT
// Base levels of the model "streams" against the definition: the lowest of the heights of all
// outlets, each raised by the way to it along axes and diagonals.
#include "support/fixture.h"

#include "core/random.h"
#include "processes/hydraulic/streams.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOST = 40 * 40 // cells
};

// What base levels read of a model.
typedef struct land
{
    streams s;
    wadi_ground ground;
    int32_t surface[42 * 42];
    uint8_t rim[MOST];
    int32_t base[MOST];
    int32_t ring[160];
} land;

static uint32_t draw(uint64_t cell, uint32_t key)
{
    return wadi_random(7, key, cell, 0).v[0];
}

// Heights of up to `relief` units, with an outlet on each cell of the edges but one in `gaps`; a
// hole makes the model go over the whole map.
static void land_set(land* l, int32_t width, int32_t height, uint32_t relief, uint32_t gaps)
{
    streams* s = &l->s;
    *s = (streams){.width = width, .height = height, .stride = width + 2, .cell = 30.0};
    s->cells = (int64_t)width * height;
    s->ground = &l->ground;
    s->surface = l->surface;
    s->rim = l->rim;
    s->bases = l->base;
    s->ring = l->ring;
    l->ground.all_valid = true;
    for (int32_t side = 0; side < 4; ++side)
    {
        l->ground.edges[side] = WADI_EDGE_OPEN;
    }
    for (int32_t c = 0; c < width * height; ++c)
    {
        const int32_t x = c % width;
        const int32_t y = c / width;
        const bool edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
        l->surface[stream_padded(s, x, y)] = (int32_t)(draw((uint64_t)c, 1) % relief);
        l->rim[c] = edge && draw((uint64_t)c, 2) % gaps != 0 ? 1 : 0;
    }
}

static int64_t way(int32_t dx, int32_t dy, const int64_t* rise)
{
    const int64_t less = dx < dy ? dx : dy;
    const int64_t diagonal = rise[1] < 2 * rise[0] ? rise[1] : 2 * rise[0];
    return (dx + dy - 2 * less) * rise[0] + less * diagonal;
}

static int64_t level_of(const land* l, int32_t cell, const int64_t* rise)
{
    const streams* s = &l->s;
    int64_t best = INT64_MAX;
    for (int32_t c = 0; c < s->cells; ++c)
    {
        if (l->rim[c] != 0)
        {
            const int32_t dx = abs(c % s->width - cell % s->width);
            const int32_t dy = abs(c / s->width - cell / s->width);
            const int64_t level =
                l->surface[stream_padded(s, c % s->width, c / s->width)] + way(dx, dy, rise);
            best = level < best ? level : best;
        }
    }
    return best;
}

static void check(land* l, double slope)
{
    l->s.params.outside_slope = slope;
    const double axis = slope * 30.0 * WADI_UNITS_PER_METRE;
    const int64_t rise[2] = {(int64_t)fmin(axis, 1e9),
                             (int64_t)fmin(axis * 1.41421356237309515, 1e9)};
    assert_int_equal(wadi_streams_base(&l->s), WADI_OK);
    for (int32_t c = 0; c < l->s.cells; ++c)
    {
        if (l->rim[c] != 0)
        {
            assert_int_equal(wadi_streams_base_of(&l->s, c), level_of(l, c, rise));
        }
    }
}

static void levels_are_the_lowest_ways(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{40, 40}, {37, 11}, {3, 5}, {3, 3}, {1, 7}, {9, 2}};
    static const double slopes[] = {0.0, 1e-5, 2e-5, 0.05, 1000.0};
    land* l = calloc(1, sizeof *l);
    for (size_t i = 0; i < WADI_COUNT(sizes); ++i)
    {
        for (size_t k = 0; k < WADI_COUNT(slopes); ++k)
        {
            for (uint32_t gaps = 2; gaps < 1000; gaps *= 10)
            {
                land_set(l, sizes[i][0], sizes[i][1], 20000000, gaps);
                check(l, slopes[k]);
                l->ground.all_valid = false; // over the whole map
                check(l, slopes[k]);
            }
        }
    }
    free(l);
}

// Many levels of little relief: it takes less to go over the map than over all pairs.
static void gentle_edges_are_the_same(void** state)
{
    (void)state;
    land* l = calloc(1, sizeof *l);
    land_set(l, 40, 40, 200000, 1000);
    check(l, 0.05);
    check(l, 10.0);
    free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_the_lowest_ways),
        cmocka_unit_test(gentle_edges_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
