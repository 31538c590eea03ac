// SPDX-License-Identifier: MIT
#include "support/plain.h"

#include "core/archive.h"

#include <math.h>

plain_land plain_falling(int32_t size, double fall)
{
    return (plain_land){.width = size, .height = size, .fall = fall, .hole = -1};
}

wadi_hydraulic_params plain_params(void)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_ALLUVIAL;
    params.flood_parcels = 40;
    return params;
}

wadi_terrain* plain_terrain(fixture* f, const plain_land* land)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = land->width;
    def.height = land->height;
    def.cell_size = PLAIN_CELL;
    def.edges[WADI_SIDE_NORTH] = WADI_EDGE_CLOSED;
    def.edges[WADI_SIDE_SOUTH] = WADI_EDGE_CLOSED;
    def.edges[WADI_SIDE_WEST] = WADI_EDGE_CLOSED;
    def.edges[WADI_SIDE_EAST] = land->east;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    const int32_t cells = land->width * land->height;
    float* rock = test_calloc((size_t)cells, sizeof *rock);
    float* loose = test_calloc((size_t)cells, sizeof *loose);
    for (int32_t i = 0; i < cells; ++i)
    {
        const int32_t x = i % land->width;
        const double over = land->rock == NULL ? 0.0 : land->rock(x, i / land->width);
        loose[i] = over > 0.0 ? 0.0f : 20.0f;
        rock[i] = x == land->hole
                      ? NAN
                      : (float)(-land->fall * PLAIN_CELL * x + (over > 0.0 ? 20.0 + over : 0.0));
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, land->width));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, loose, land->width));
    test_free(rock);
    test_free(loose);
    return terrain;
}

wadi_solver* plain_river(wadi_terrain* terrain, const wadi_hydraulic_params* params, double x,
                         double y, double discharge, double load)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_solver* solver = NULL;
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_hydraulic_process, params, 0, &solver));
    const double row[6] = {x, y, 0.0, discharge, load, 0.0};
    CHECK_OK(context, wadi_solver_set_table(solver, "inflow", row, 1));
    return solver;
}

wadi_solver* plain_restored(wadi_solver* solver, double years)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_bytes ground = {.context = context};
    wadi_bytes kept = {.context = context};
    CHECK_OK(context, wadi_terrain_save(terrain, wadi_bytes_write, &ground));
    CHECK_OK(context, wadi_solver_save(solver, wadi_bytes_write, &kept));
    wadi_terrain* copy = NULL;
    wadi_solver* other = NULL;
    CHECK_OK(context, wadi_terrain_load(context, wadi_bytes_read, &ground, &copy));
    CHECK_OK(context, wadi_solver_load(copy, wadi_bytes_read, &kept, &other));
    wadi_bytes_free(&ground);
    wadi_bytes_free(&kept);
    assert_true(wadi_solver_hash(solver) == wadi_solver_hash(other));
    fixture_live(solver, years);
    fixture_live(other, years);
    assert_true(wadi_terrain_hash(terrain) == wadi_terrain_hash(copy));
    assert_true(wadi_solver_hash(solver) == wadi_solver_hash(other));
    return other;
}

void plain_close(wadi_solver* solver)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}
