// SPDX-License-Identifier: MIT
// Turns of bands in a wave (streams_turns.c), as where the arrays lie in a file: land, maps and
// books have the same bits as with each turn on the whole grid, on any number of threads.
#include "support/fixture.h"

#include "core/context.h"

#include <stdlib.h>
#include <string.h>

enum
{
    WIDTH = 50,
    HEIGHT = 1100, // 34 bands, more than a wave has
};

// A lake as long as the grid, a few cells wide, between slopes that are high in the middle of it:
// loads fill it there and run on to where other bands bring theirs.
typedef struct land
{
    const char* name;
    wadi_edge across; // of the sides in the north and south
    double deep;      // [m] the lake
    double high;      // [m] rise of the slopes over a cell, in the middle
    double rough;     // [m]
    double years;
    double sea; // [m]; 0: none
    double hard;
    double evaporation; // [m/yr]
    bool plains;
} land;

static const land lands[] = {
    {"shallow", WADI_EDGE_OPEN, 1.59, 18.6, 0.5, 5000.0, 0.0, 0.0, 0.0, false},
    {"gentle", WADI_EDGE_OPEN, 1.07, 3.7, 2.4, 2300.0, 0.0, 0.0, 0.0, false},
    {"deep", WADI_EDGE_OPEN, 3.21, 6.3, 2.5, 5500.0, 0.0, 0.0, 0.0, false},
    {"around", WADI_EDGE_PERIODIC, 1.59, 18.6, 0.5, 5000.0, 0.0, 0.0, 0.0, false},
    {"sea", WADI_EDGE_OPEN, 3.0, 6.0, 2.5, 2000.0, 59.5, 0.0, 0.0, false},
    {"hard", WADI_EDGE_OPEN, 2.0, 12.0, 2.0, 3000.0, 0.0, 0.5, 0.0, false},
    {"playas", WADI_EDGE_OPEN, 4.0, 3.0, 8.0, 1000.0, 0.0, 0.0, 1.2, false},
    {"plains", WADI_EDGE_OPEN, 2.0, 3.0, 2.0, 50.0, 0.0, 0.0, 0.0, true},
};

static double chance(uint32_t i)
{
    uint32_t h = i * 2654435761u;
    h = (h ^ h >> 15) * 2246822519u;
    h = (h ^ h >> 13) * 3266489917u;
    return (double)(h ^ h >> 16) / 4294967296.0;
}

static double height_of(const land* l, int32_t x, int32_t y)
{
    const double sill = 60.0;
    const double side = fmax(fabs(x - 0.5 * WIDTH) - 2.0, 0.0);
    const double far = (double)y / HEIGHT - 0.5;
    const bool ring = l->across == WADI_EDGE_PERIODIC;
    const bool ends = !ring && (y < 8 || y >= HEIGHT - 8);
    const bool spills = ring && y == HEIGHT / 4 && x < WIDTH / 2;
    if (side <= 0.0 || spills)
    {
        return ends || spills ? sill : sill - l->deep;
    }
    return sill + 1.0 + side * (0.5 + l->high * exp(-far * far / 0.0025)) +
           l->rough * chance((uint32_t)(y * WIDTH + x));
}

static wadi_terrain* make_land(fixture* f, const land* l)
{
    static float heights[WIDTH * HEIGHT];
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = 60.0;
    def.seed = 5;
    def.edges[WADI_SIDE_EAST] = WADI_EDGE_CLOSED;
    def.edges[WADI_SIDE_NORTH] = def.edges[WADI_SIDE_SOUTH] = l->across;
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        heights[i] = (float)height_of(l, i % WIDTH, i / WIDTH);
    }
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, WIDTH));
    if (l->hard > 0.0)
    {
        fixture_noise(terrain, WADI_LAYER_HARDNESS, 0.0, l->hard, 8);
    }
    if (l->sea > 0.0)
    {
        const double year = 0.0;
        CHECK_OK(f->context, wadi_terrain_set_sea_level(terrain, &year, &l->sea, 1));
    }
    return terrain;
}

typedef struct outcome
{
    uint64_t land;
    uint64_t solver;
} outcome;

static outcome run(const land* l, bool paged, int32_t threads)
{
    fixture f;
    fixture_open(&f, threads);
    f.context->paged = paged;
    wadi_terrain* terrain = make_land(&f, l);
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_STREAMS;
    params.max_step = l->years;
    params.lake_evaporation = l->evaporation;
    params.plains = l->plains;
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    fixture_advance(solver, l->years);
    fixture_check_ledger(terrain);
    const outcome out = {wadi_terrain_hash(terrain), wadi_solver_hash(solver)};
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return out;
}

static void check_wave(const land* l, int32_t threads)
{
    const outcome whole = run(l, false, threads);
    const outcome wave = run(l, true, threads);
    if (wave.land != whole.land || wave.solver != whole.solver)
    {
        fail_msg("other bits on land '%s', %d threads", l->name, (int)threads);
    }
}

static void a_wave_gives_the_same_bits(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lands / sizeof lands[0]; ++i)
    {
        check_wave(&lands[i], 1);
    }
}

static void threads_share_a_wave(void** state)
{
    (void)state;
    check_wave(&lands[0], 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wave_gives_the_same_bits),
        cmocka_unit_test(threads_share_a_wave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
