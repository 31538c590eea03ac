// SPDX-License-Identifier: MIT
// The sea is the ground below its level that is connected to an edge of the grid or a void. Waves
// run up from there over connected ground below the run-up, so far as a beach of slope 1:50 would
// go: land behind a dune gets no sand.
#include "laws/sand/sand_shore_state.h"

#include "core/internal.h"
#include "terrain/sea.h"

static const double shore_flattest = 0.02; // [1] slope of a beach

int32_t wadi_sand_shore_reach(const wadi_ground* ground, double runup)
{
    const double reach = runup / shore_flattest / ground->cell_size;
    return reach < 1e6 ? (int32_t)reach + 1 : 1000000;
}

static wadi_result shore_allocate(sand_shore* shore)
{
    WADI_ALLOC(shore->context, shore->dry, shore->ground->cells, "beaches");
    WADI_ALLOC(shore->context, shore->queue, shore->ground->cells, "beaches");
    return wadi_sand_shore_ring_create(shore);
}

wadi_result wadi_sand_shore_create(wadi_terrain* terrain, const sand_shore_law* law,
                                   sand_shore** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    *out = NULL;
    if (law->supply <= 0.0 && law->storm.speed <= 0.0)
    {
        return WADI_OK;
    }
    sand_shore* shore;
    WADI_ALLOC(context, shore, 1, "beaches");
    *shore = (sand_shore){.context = context,
                          .terrain = terrain,
                          .ground = ground,
                          .given = (int32_t)(law->level * WADI_UNITS_PER_METRE),
                          .usual = (int32_t)(law->runup * WADI_UNITS_PER_METRE) + 1,
                          .supply = law->supply * WADI_UNITS_PER_METRE,
                          .usual_reach = wadi_sand_shore_reach(ground, law->runup),
                          .storm = law->storm};
    const wadi_result result = shore_allocate(shore);
    if (result != WADI_OK)
    {
        wadi_sand_shore_destroy(shore);
        return result;
    }
    *out = shore;
    return WADI_OK;
}

void wadi_sand_shore_destroy(sand_shore* shore)
{
    if (shore != NULL)
    {
        wadi_free(shore->context, shore->dry);
        wadi_free(shore->context, shore->queue);
        wadi_free(shore->context, shore->ring);
        wadi_free(shore->context, shore->seeds);
        wadi_free(shore->context, shore);
    }
}

// ---- where waves reach
// ---------------------------------------------------------------------------

// Height of a cell above the sea [units].
static int64_t shore_above(const sand_shore* shore, int64_t cell)
{
    return (int64_t)wadi_ground_surface(shore->ground, cell) - shore->level;
}

// Steps from the water line of a cell that is reached from one with `before` steps; -1: it is not.
static int32_t shore_steps(const sand_shore* shore, int64_t cell, int32_t before)
{
    const int64_t above = shore_above(shore, cell);
    if (above <= 0 && before == 0)
    {
        return 0;
    }
    return above > 0 && above < shore->runup && before < shore->reach ? before + 1 : -1;
}

// Reach a cell that this window owns, or reach it in fewer steps than it has.
static void shore_visit(sand_shore* shore, int64_t cell, int32_t before, int64_t rise,
                        int64_t* last)
{
    const int32_t now = shore->dry[cell];
    if ((now < 0 || now > before + 1) && shore->ground->valid[cell] != 0 && rise < shore->steep)
    {
        const int32_t steps = shore_steps(shore, cell, before);
        if (steps >= 0 && wadi_ground_owns(shore->ground, cell))
        {
            shore->dry[cell] = steps;
            shore->queue[(*last)++] = (int32_t)cell;
        }
    }
}

int64_t wadi_sand_shore_neighbour(const wadi_ground* ground, int64_t cell, int side)
{
    static const int32_t steps[4][2] = {
        [WADI_SIDE_NORTH] = {0, -1},
        [WADI_SIDE_EAST] = {1, 0},
        [WADI_SIDE_SOUTH] = {0, 1},
        [WADI_SIDE_WEST] = {-1, 0},
    };
    int32_t x = (int32_t)(cell % ground->width) + steps[side][0];
    int32_t y = (int32_t)(cell / ground->width) + steps[side][1];
    const bool inside = x >= 0 && y >= 0 && x < ground->width && y < ground->height;
    if (!inside && ground->edges[side] != WADI_EDGE_PERIODIC)
    {
        return -1;
    }
    x = (x + ground->width) % ground->width;
    y = (y + ground->height) % ground->height;
    return (int64_t)y * ground->width + x;
}

void wadi_sand_shore_begin(sand_shore* shore, int64_t* last)
{
    for (int64_t cell = 0; cell < shore->ground->cells; ++cell)
    {
        shore->dry[cell] = -1;
    }
    *last = 0;
    const wadi_ground* ground = shore->ground;
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        bool outlet = false;
        for (int side = 0; side < 4 && !outlet; ++side)
        {
            const int64_t next = wadi_sand_shore_neighbour(ground, cell, side);
            outlet = next < 0 || ground->valid[next] == 0;
        }
        if (outlet && shore_above(shore, cell) <= 0)
        {
            shore_visit(shore, cell, 0, 0, last);
        }
    }
}

void wadi_sand_shore_visit_around(sand_shore* shore, int64_t cell, sand_shore_pass pass,
                                  int64_t* last)
{
    const int64_t here = shore_above(shore, cell);
    for (int side = 0; side < 4; ++side)
    {
        const int64_t next = wadi_sand_shore_neighbour(shore->ground, cell, side);
        const int64_t above = next >= 0 ? shore_above(shore, next) : 0;
        if (next >= 0 && (pass == SAND_SHORE_BEACH || above <= 0))
        {
            const int64_t foot = here > shore->surge ? here : shore->surge;
            const int64_t rise = above > foot ? above - foot : 0;
            shore_visit(shore, next, shore->dry[cell], rise, last);
        }
    }
}

// Breadth first, so that a cell has the fewest steps: all of the sea, then the beach.
int64_t wadi_sand_shore_spread(sand_shore* shore)
{
    int64_t last;
    wadi_sand_shore_begin(shore, &last);
    for (int pass = SAND_SHORE_SEA; pass <= SAND_SHORE_BEACH; ++pass)
    {
        for (int64_t i = 0; i < last; ++i)
        {
            wadi_sand_shore_visit_around(shore, shore->queue[i], (sand_shore_pass)pass, &last);
        }
    }
    return last;
}

int32_t wadi_sand_shore_level(const sand_shore* shore, double year)
{
    int32_t level;
    return wadi_terrain_sea_units(shore->terrain, year, &level) ? level : shore->given;
}

// Raise a cell of the beach: relaxation towards the run-up, with the rate `supply` at the level of
// the sea.
static void shore_raise(const sand_shore* shore, int64_t cell, double years, wadi_tally* tally)
{
    const double left = (double)(shore->runup - shore_above(shore, cell));
    const double share = years * shore->supply / shore->runup;
    const int32_t amount = (int32_t)(left * share / (1.0 + share));
    wadi_ground_put(shore->ground, cell, amount, tally);
    tally->in[WADI_MATERIAL_SEDIMENT] += amount;
}

static void shore_raise_all(const sand_shore* shore, double years, wadi_tally* tally)
{
    const wadi_owned owned = wadi_ground_owned(shore->ground);
    for (int32_t y = owned.y; y < owned.end_y; ++y)
    {
        for (int32_t x = owned.x; x < owned.end_x; ++x)
        {
            const int64_t cell = (int64_t)y * shore->ground->width + x;
            if (shore->dry[cell] > 0)
            {
                shore_raise(shore, cell, years, tally);
            }
        }
    }
}

wadi_result wadi_sand_shore_feed(sand_shore* shore, double from, double years, wadi_tally* tally)
{
    if (shore == NULL || shore->supply <= 0.0)
    {
        return WADI_OK;
    }
    shore->level = wadi_sand_shore_level(shore, from);
    shore->surge = 0;
    shore->runup = shore->usual;
    shore->reach = shore->usual_reach;
    shore->steep = INT64_MAX;
    if (shore->ground->part != NULL)
    {
        WADI_TRY(wadi_sand_shore_spread_windows(shore));
    }
    else
    {
        (void)wadi_sand_shore_spread(shore);
    }
    shore_raise_all(shore, years, tally);
    return wadi_ground_refresh(shore->ground) ? WADI_OK : wadi_partition_lost(shore->context);
}

void wadi_sand_shore_clear(const sand_shore* shore)
{
    const int64_t cells = shore != NULL && shore->supply > 0.0 ? shore->ground->cells : 0;
    for (int64_t cell = 0; cell < cells; ++cell)
    {
        if (shore->dry[cell] > 0)
        {
            shore->ground->vegetation[cell] = 0;
        }
    }
}
