// SPDX-License-Identifier: MIT
// Graded rivers: ledger, hard rock, order of particles and emitters, edges, voids, junctions,
// paths, slopes, banks, water, maps.
#include "support/river.h"
#include "support/slope.h"

#include "process/solver.h"

#include <stdlib.h>

enum
{
    SIDE = 192,
    CELLS = SIDE * SIDE
};

static river_land small(void)
{
    return (river_land){.size = SIDE, .cell = 4.0, .slope = 0.006, .roughness = 0.1, .seed = 1};
}

static wadi_riverbed_params stream(void)
{
    wadi_riverbed_params params = wadi_riverbed_params_default();
    params.discharge = 25.0;
    return params;
}

typedef struct world
{
    fixture f;
    wadi_terrain* terrain;
    wadi_graded* graded;
} world;

static void world_open(world* w, const river_land* land, int32_t threads)
{
    *w = (world){.terrain = NULL};
    fixture_open(&w->f, threads);
    w->terrain = river_terrain(&w->f, land);
}

static void world_run(world* w, const river_land* land, const wadi_riverbed_params* params)
{
    const riverbed_emitter emitter = river_emitter(land, params->discharge);
    w->graded = river_run(w->terrain, params, &emitter, 1);
}

static void world_close(world* w)
{
    wadi_graded_destroy(w->graded);
    wadi_terrain_destroy(w->terrain);
    fixture_close(&w->f);
}

static const graded_river* river_of(const world* w)
{
    return &w->graded->rivers[0];
}

static wadi_ledger_row row_of(const world* w, int32_t material)
{
    return fixture_ledger_row(w->terrain, material);
}

// ---- rock ---------------------------------------------------------------------------------------

static void rock_of_hardness_one_keeps_its_bytes(void** state)
{
    (void)state;
    world w;
    river_land land = small();
    land.band = 1.0; // middle third; soft before and after
    world_open(&w, &land, 2);
    CHECK_OK(w.f.context, wadi_terrain_fill_layer(w.terrain, WADI_LAYER_SEDIMENT, 0.4));
    const wadi_ground* ground = wadi_terrain_ground(w.terrain);
    int32_t* before = test_malloc(CELLS * sizeof *before);
    memcpy(before, ground->bedrock, CELLS * sizeof *before);
    const wadi_riverbed_params params = stream();
    world_run(&w, &land, &params);
    int32_t soft = 0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        assert_true(ground->hardness[i] < 65535 || ground->bedrock[i] == before[i]);
        soft += ground->bedrock[i] < before[i];
    }
    assert_true(soft > 100);
    assert_true(row_of(&w, WADI_MATERIAL_SEDIMENT).residual_units == 0);
    test_free(before);
    world_close(&w);
}

// Target heights of the bed with the particles of every step in reverse order.
static void the_order_of_particles_does_not_matter(void** state)
{
    (void)state;
    world w;
    const river_land land = small();
    world_open(&w, &land, 1);
    const wadi_riverbed_params params = stream();
    world_run(&w, &land, &params);
    const graded_corridor* corridor = &w.graded->corridor;
    int32_t* asked = test_malloc((size_t)corridor->count * sizeof *asked);
    int64_t sum = 0;
    for (int64_t i = 0; i < corridor->count; ++i)
    {
        asked[i] = wadi_graded_thickness(w.graded, &corridor->cells[i]);
        sum += asked[i];
    }
    assert_true(sum > 1000 * GRADED_PARTS);
    const int32_t count = params.together;
    for (int32_t k = 0; k < 2 * river_of(&w)->steps; ++k) // rows of x and y
    {
        float* row = river_of(&w)->swarm + (int64_t)k * count;
        for (int32_t p = 0; p < count / 2; ++p)
        {
            const float other = row[p];
            row[p] = row[count - 1 - p];
            row[count - 1 - p] = other;
        }
    }
    for (int64_t i = 0; i < corridor->count; ++i)
    {
        assert_int_equal(wadi_graded_thickness(w.graded, &corridor->cells[i]), asked[i]);
    }
    test_free(asked);
    world_close(&w);
}

static void threads_change_no_byte(void** state)
{
    (void)state;
    uint64_t hash[3];
    for (int32_t i = 0; i < 3; ++i)
    {
        world w;
        river_land land = small();
        land.band = 0.5;
        world_open(&w, &land, 1 + i);
        const wadi_riverbed_params params = stream();
        world_run(&w, &land, &params);
        hash[i] = wadi_terrain_hash(w.terrain);
        world_close(&w);
    }
    assert_true(hash[1] == hash[0] && hash[2] == hash[0]);
}

// The order could matter where rock has not been cut down to the floor yet: it does not.
static void half_the_step_carves_hard_rock_alike(void** state)
{
    (void)state;
    double carved[2];
    for (int i = 0; i < 2; ++i)
    {
        world w;
        const river_land land = small();
        world_open(&w, &land, 2);
        CHECK_OK(w.f.context, wadi_terrain_fill_layer(w.terrain, WADI_LAYER_HARDNESS, 0.97));
        wadi_riverbed_params params = stream();
        params.stride = i == 0 ? 0.5 : 0.25;
        const riverbed_emitter emitter = river_emitter(&land, params.discharge);
        CHECK_OK(w.f.context, wadi_graded_create(w.terrain, &params, 0, &w.graded));
        CHECK_OK(w.f.context, wadi_graded_set_emitters(w.graded, &emitter, 1));
        CHECK_OK(w.f.context,
                 wadi_graded_advance(w.graded, &(wadi_span){.years = 0.3 * params.growth}));
        wadi_terrain_changed(w.terrain);
        assert_true(wadi_graded_excess(w.graded) > 0.3);
        carved[i] = row_of(&w, WADI_MATERIAL_ROCK).eroded;
        world_close(&w);
    }
    assert_true(carved[0] > 0.0);
    assert_true(fabs(carved[1] / carved[0] - 1.0) < 0.02);
}

// ---- emitters and edges -------------------------------------------------------------------------

static riverbed_emitter emitter_at(double x, double y, double discharge)
{
    return (riverbed_emitter){.x = x, .y = y, .discharge = discharge};
}

static void rivers_join(void** state)
{
    (void)state;
    uint64_t hash[2];
    for (int order = 0; order < 2; ++order)
    {
        world w;
        const river_land land = small();
        world_open(&w, &land, 2);
        const wadi_riverbed_params params = stream();
        riverbed_emitter emitters[2];
        emitters[order] = emitter_at(-0.5, 60.0, 50.0);
        emitters[1 - order] = emitter_at(-0.5, 130.0, 25.0);
        w.graded = river_run(w.terrain, &params, emitters, 2);
        const graded_river* main = &w.graded->rivers[0];
        const graded_river* side = &w.graded->rivers[1];
        assert_true(side->end == GRADED_JOINS && side->meets == 0 && main->end == GRADED_LEAVES);
        for (int32_t i = 0; i * GRADED_STATION < main->capacity; ++i)
        {
            assert_true(main->intake[i] == 0); // no load remains
        }
        assert_int_equal(w.graded->dead, 0);
        CHECK_NEAR(main->axis[main->axis_count - 1].discharge, 75.0, 1e-9);
        CHECK_NEAR(main->axis[0].discharge, 50.0, 1e-9);
        CHECK_NEAR(side->nodes[side->count - 1].level, main->nodes[side->into_node].level, 0.05);
        const river_measures m = river_measure(w.graded);
        assert_true(m.core > 300);
        assert_int_equal(m.pits, 0); // the smaller one drains through the larger
        hash[order] = wadi_terrain_hash(w.terrain);
        world_close(&w);
    }
    assert_true(hash[0] == hash[1]); // the order of the table does not matter
}

// Three rivers on rough land with hills 150 m high, with or without voids: the ledger closes and
// every river ends at a side, in a void or in another river.
static void rivers_end_somewhere_on_any_land(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; ++seed)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = fixture_rough(&f, 96, 80, seed);
        if (seed % 2 == 0)
        {
            fixture_holes(terrain);
        }
        wadi_riverbed_params params = wadi_riverbed_params_default();
        params.batches = 20;
        params.outlet = seed % 3 == 0 ? WADI_RIVERBED_ANY : WADI_RIVERBED_EAST;
        const riverbed_emitter emitters[] = {emitter_at(-0.5, 20.0, 60.0),
                                             emitter_at(-0.5, 60.0, 30.0),
                                             emitter_at(40.0, 40.0, 10.0)};
        wadi_graded* graded = river_run(terrain, &params, emitters, 3);
        assert_int_equal(graded->dead, 0);
        for (int32_t i = 0; i < 3; ++i)
        {
            assert_true(graded->rivers[i].count > 0 && graded->rivers[i].end != GRADED_STOPS);
        }
        wadi_graded_destroy(graded);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

static wadi_terrain* closed_outlet(fixture* f)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = SIDE;
    def.cell_size = 4.0;
    def.edges[WADI_SIDE_EAST] = WADI_EDGE_CLOSED;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    return terrain;
}

// Closed world: no outflow, so no inflow either; particles that arrive start again.
static void a_closed_outlet_keeps_the_load(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = closed_outlet(&f);
    const wadi_riverbed_params params = stream();
    const riverbed_emitter emitter = emitter_at(-0.5, 96.0, 25.0);
    wadi_graded* graded = river_run(terrain, &params, &emitter, 1);
    const wadi_ledger_row sediment = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(sediment.out[WADI_SIDE_EAST] == 0.0 && sediment.transit > 0.0);
    assert_true(graded->rivers[0].held > 0);
    wadi_graded_destroy(graded);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void rivers_end_at_voids(void** state)
{
    (void)state;
    world w;
    const river_land land = small();
    world_open(&w, &land, 1);
    uint8_t* valid = test_malloc(CELLS);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        valid[i] = i % SIDE < 150;
    }
    CHECK_OK(w.f.context, wadi_terrain_set_valid(w.terrain, valid, SIDE));
    const wadi_riverbed_params params = stream();
    world_run(&w, &land, &params);
    assert_true(river_of(&w)->end == GRADED_LEAVES && river_of(&w)->side == WADI_SIDE_VOID);
    const wadi_ledger_row sediment = row_of(&w, WADI_MATERIAL_SEDIMENT);
    assert_true(sediment.out[WADI_SIDE_VOID] > 0.0 && sediment.out[WADI_SIDE_EAST] == 0.0);
    world_close(&w);

    // the same where the voids lie beyond the map
    uint8_t* sides = test_malloc(CELLS);
    memset(sides, WADI_SIDE_EAST, CELLS);
    world_open(&w, &land, 1);
    CHECK_OK(w.f.context, wadi_terrain_set_valid(w.terrain, valid, SIDE));
    CHECK_OK(w.f.context, wadi_terrain_set_void_sides(w.terrain, sides, SIDE));
    world_run(&w, &land, &params);
    const wadi_ledger_row again = row_of(&w, WADI_MATERIAL_SEDIMENT);
    assert_true(again.out[WADI_SIDE_EAST] == sediment.out[WADI_SIDE_VOID]);
    assert_true(again.out[WADI_SIDE_VOID] == 0.0);
    world_close(&w);
    test_free(sides);
    test_free(valid);
}

static void outlets_can_be_chosen(void** state)
{
    (void)state;
    static const int32_t outlets[] = {WADI_RIVERBED_AHEAD, WADI_RIVERBED_SOUTH, WADI_RIVERBED_ANY};
    wadi_side left[3];
    for (int i = 0; i < 3; ++i)
    {
        world w;
        river_land land = small();
        land.azimuth = 60.0; // more to the south; the emitter in the west faces east
        world_open(&w, &land, 1);
        wadi_riverbed_params params = stream();
        params.outlet = outlets[i];
        const riverbed_emitter emitter = emitter_at(-0.5, 96.0, 25.0);
        w.graded = river_run(w.terrain, &params, &emitter, 1);
        left[i] = river_of(&w)->side;
        world_close(&w);
    }
    assert_int_equal(left[0], WADI_SIDE_EAST);
    assert_int_equal(left[1], WADI_SIDE_SOUTH);
    assert_int_equal(left[2], WADI_SIDE_SOUTH);
}

// Position of the lowest ground of a window on any side, in cells; voids are ignored.
static void rivers_come_in_at_the_lowest_place_of_any_side(void** state)
{
    (void)state;
    for (int32_t side = 0; side < 4; ++side)
    {
        world w;
        river_land land = small();
        land.slope = land.roughness = 0.0;
        world_open(&w, &land, 1);
        const bool upright = side == WADI_SIDE_EAST || side == WADI_SIDE_WEST;
        float* heights = test_malloc(CELLS * sizeof *heights);
        for (int32_t i = 0; i < CELLS; ++i)
        {
            heights[i] = 0.1f * (float)abs((upright ? i / SIDE : i % SIDE) - 70);
        }
        CHECK_OK(w.f.context, wadi_terrain_set_layer(w.terrain, WADI_LAYER_BEDROCK, heights, SIDE));
        wadi_riverbed_params params = stream();
        params.side = side;
        params.width = 80.0; // 55 to 135
        params.batches = 4;
        const riverbed_emitter emitter = wadi_riverbed_emitter_on_side(w.terrain, &params, 1.0);
        w.graded = river_run(w.terrain, &params, &emitter, 1);
        const riverbed_point at = river_of(&w)->axis[0].at;
        CHECK_NEAR(upright ? at.y : at.x, 70.0, 1.0);
        test_free(heights);
        world_close(&w);
    }
}

// A deep valley at the outlet: the axis leaves there without a loop.
static void axes_leave_by_deep_valleys(void** state)
{
    (void)state;
    world w;
    river_land land = small();
    land.roughness = 0.0;
    world_open(&w, &land, 1);
    float* heights = test_malloc(CELLS * sizeof *heights);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        heights[i] = (float)(SIDE - i % SIDE) + 5.0f * (float)abs(i / SIDE - 96);
    }
    CHECK_OK(w.f.context, wadi_terrain_set_layer(w.terrain, WADI_LAYER_BEDROCK, heights, SIDE));
    test_free(heights);
    wadi_riverbed_params params = stream();
    params.batches = 4;
    const riverbed_emitter emitter = emitter_at(-0.5, 96.0, 25.0);
    w.graded = river_run(w.terrain, &params, &emitter, 1);
    const graded_river* river = river_of(&w);
    const double length = river->axis_count * river->spacing;
    assert_true(length < 1.2 * SIDE * land.cell);
    assert_true(river->end == GRADED_LEAVES && river->side == WADI_SIDE_EAST);
    world_close(&w);
}

static void two_windows_around_one_spot_are_in_any_order(void** state)
{
    (void)state;
    uint64_t hash[2];
    for (int order = 0; order < 2; ++order)
    {
        world w;
        river_land land = small();
        land.azimuth = 37.0; // one side of a window is lower
        world_open(&w, &land, 2);
        wadi_riverbed_params params = stream();
        params.batches = 6;
        riverbed_emitter emitters[2] = {emitter_at(-0.5, 60.0, 25.0), emitter_at(-0.5, 60.0, 25.0)};
        emitters[order].width = 60.0;
        w.graded = river_run(w.terrain, &params, emitters, 2);
        hash[order] = wadi_terrain_hash(w.terrain);
        world_close(&w);
    }
    assert_true(hash[0] == hash[1]);
}

// Refusals: no ground below the window, or a river too narrow for its number of nodes.
static void rivers_without_a_place_are_refused(void** state)
{
    (void)state;
    world w;
    river_land land = small();
    world_open(&w, &land, 1);
    uint8_t* valid = test_malloc(CELLS);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        valid[i] = i % SIDE > 20;
    }
    CHECK_OK(w.f.context, wadi_terrain_set_valid(w.terrain, valid, SIDE));
    test_free(valid);
    const wadi_riverbed_params params = stream();
    const riverbed_emitter dry = emitter_at(-0.5, 96.0, 25.0);
    const uint64_t before = wadi_terrain_hash(w.terrain);
    CHECK_OK(w.f.context, wadi_graded_create(w.terrain, &params, 0, &w.graded));
    CHECK_OK(w.f.context, wadi_graded_set_emitters(w.graded, &dry, 1));
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "cells without data",
                wadi_graded_advance(w.graded, &(wadi_span){.years = 1.0}));
    assert_true(wadi_terrain_hash(w.terrain) == before);
    world_close(&w);

    land.cell = 30000.0;
    world_open(&w, &land, 1);
    const riverbed_emitter trickle = emitter_at(-0.5, 96.0, 1e-3);
    CHECK_OK(w.f.context, wadi_graded_create(w.terrain, &params, 0, &w.graded));
    CHECK_OK(w.f.context, wadi_graded_set_emitters(w.graded, &trickle, 1));
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "0.126 m wide",
                wadi_graded_advance(w.graded, &(wadi_span){.years = 1.0}));
    world_close(&w);
}

// New emitters start their own growth and discard the state of the previous ones.
static void new_emitters_begin_anew(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = closed_outlet(&f);
    wadi_riverbed_params params = stream();
    params.batches = 10;
    const riverbed_emitter emitters[] = {emitter_at(-0.5, 96.0, 25.0),
                                         emitter_at(-0.5, 50.0, 25.0)};
    wadi_graded* graded = river_run(terrain, &params, &emitters[0], 1);
    const wadi_ledger_row before = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(before.transit > 0.0);
    CHECK_OK(f.context, wadi_graded_set_emitters(graded, &emitters[1], 1));
    const wadi_ledger_row after = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(after.transit == 0.0 && after.lost == 0.0);
    CHECK_NEAR(after.deposited - before.deposited, before.transit, 1e-9 * before.transit);
    CHECK_OK(f.context, wadi_graded_advance(graded, &(wadi_span){.years = 0.5 * params.growth}));
    wadi_terrain_changed(terrain);
    fixture_check_ledger(terrain);
    assert_int_equal(graded->batch, 5);
    wadi_graded_destroy(graded);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// State of the rivers of a solver.
static const wadi_graded* graded_in(const wadi_solver* solver)
{
    return solver->state;
}

// Another discharge is another river: it is laid anew, and what the former one carried, its maps
// and its sums go on. A restore between the change and the next step is no event.
static void another_discharge_begins_another_river(void** state)
{
    (void)state;
    const river_land land = small();
    uint64_t hash[2];
    for (int restores = 0; restores < 2; ++restores)
    {
        world w;
        world_open(&w, &land, 1);
        wadi_riverbed_params params = stream();
        params.batches = 10;
        wadi_solver* solver;
        CHECK_OK(w.f.context,
                 wadi_solver_create(w.terrain, &wadi_riverbed_process, &params, 0, &solver));
        CHECK_OK(w.f.context, wadi_solver_advance(solver, params.growth));
        CHECK_NEAR(graded_in(solver)->rivers[0].axis[0].width, 20.0, 1e-9);
        const int64_t particles = graded_in(solver)->particles;
        params.swing *= 0.5; // the same river with other bends goes on
        CHECK_OK(w.f.context, wadi_solver_change(solver, &params));
        assert_null(graded_in(solver)->next);
        params.discharge = 100.0;
        CHECK_OK(w.f.context, wadi_solver_change(solver, &params));
        if (restores == 1)
        {
            wadi_solver* copy = slope_restore(solver, w.terrain);
            wadi_solver_destroy(solver);
            solver = copy;
        }
        CHECK_OK(w.f.context, wadi_solver_advance(solver, params.growth));
        CHECK_NEAR(graded_in(solver)->rivers[0].axis[0].width, 40.0, 1e-9);
        assert_true(graded_in(solver)->particles >= 2 * particles);
        CHECK_OK(w.f.context, wadi_solver_settle(solver));
        fixture_check_ledger(w.terrain);
        hash[restores] = wadi_terrain_hash(w.terrain) + wadi_solver_hash(solver);
        wadi_solver_destroy(solver);
        world_close(&w);
    }
    assert_true(hash[0] == hash[1]);
}

// ---- courses ------------------------------------------------------------------------------------

static river_measures course_of(const river_land* land, const wadi_riverbed_params* params)
{
    world w;
    world_open(&w, land, 1);
    world_run(&w, land, params);
    const river_measures m = river_measure(w.graded);
    world_close(&w);
    return m;
}

static void steep_land_makes_straight_rivers(void** state)
{
    (void)state;
    river_land land = small();
    const wadi_riverbed_params params = stream();
    assert_true(course_of(&land, &params).sinuosity > 1.3);
    land.slope = 0.06;
    assert_true(course_of(&land, &params).sinuosity < 1.05);
}

static void bends_need_a_swing_and_bars_need_bends(void** state)
{
    (void)state;
    const river_land land = small();
    wadi_riverbed_params params = stream();
    const river_measures bent = course_of(&land, &params);
    params.swing = 0.0;
    const river_measures straight = course_of(&land, &params);
    assert_true(straight.sinuosity < 1.02);
    assert_true(straight.share_out > bent.share_out + 0.1); // no bars: the canal exports all load
}

// Sharp bends to one hand and gentle ones to the other; the swing parameter acts on both equally.
static void trochoids_bend_to_one_side(void** state)
{
    (void)state;
    double ratio[WADI_RIVERBED_PATH_COUNT];
    for (int32_t path = 0; path < WADI_RIVERBED_PATH_COUNT; ++path)
    {
        world w;
        river_land land = small();
        land.roughness = 0.0;
        world_open(&w, &land, 1);
        wadi_riverbed_params params = stream();
        params.path = path;
        params.irregularity = 0.0;
        params.swing = 40.0;
        world_run(&w, &land, &params);
        double most[2] = {0.0, 0.0};
        for (int32_t i = river_of(&w)->count / 4; i < 3 * river_of(&w)->count / 4; ++i)
        {
            const double turn = river_of(&w)->nodes[i].turn;
            most[turn > 0.0] = fmax(most[turn > 0.0], fabs(turn));
        }
        ratio[path] = fmax(most[0], most[1]) / fmin(most[0], most[1]);
        world_close(&w);
    }
    assert_true(ratio[WADI_RIVERBED_SWING] < 1.3);
    assert_true(ratio[WADI_RIVERBED_TROCHOID] > 2.0);
}

// A straight course through a hill of 12 m erodes more than one around it.
static void rivers_go_round_hills(void** state)
{
    (void)state;
    double carved[2];
    for (int i = 0; i < 2; ++i)
    {
        world w;
        const river_land land = small();
        world_open(&w, &land, 1);
        float* heights = test_malloc(CELLS * sizeof *heights);
        for (int32_t c = 0; c < CELLS; ++c)
        {
            const double x = (c % SIDE - 96) / 15.0;
            const double y = (c / SIDE - 96) / 15.0;
            heights[c] = (float)(100.0 - 0.024 * (c % SIDE) + 12.0 * exp(-x * x - y * y));
        }
        CHECK_OK(w.f.context, wadi_terrain_set_layer(w.terrain, WADI_LAYER_SURFACE, heights, SIDE));
        test_free(heights);
        wadi_riverbed_params params = stream();
        params.steering = i;
        world_run(&w, &land, &params);
        carved[i] = river_measure(w.graded).carved;
        world_close(&w);
    }
    assert_true(carved[0] > 1.5 * carved[1]);
}

// ---- banks and water ----------------------------------------------------------------------------

// Steepest slope between adjacent cells of the bed, as a tangent.
static double steepest(const world* w)
{
    const wadi_ground* ground = wadi_terrain_ground(w->terrain);
    double most = 0.0;
    for (int32_t i = SIDE + 1; i < CELLS - SIDE - 1; ++i)
    {
        const int32_t slot = w->graded->corridor.slot[i];
        if (slot != 0 && fabsf(w->graded->corridor.cells[slot - 1].eta) < 1.0f && i % SIDE > 0 &&
            i % SIDE < SIDE - 1)
        {
            static const int32_t beside[] = {1, -1, SIDE, -SIDE};
            for (int d = 0; d < 4; ++d)
            {
                const int32_t rise =
                    wadi_ground_surface(ground, i + beside[d]) - wadi_ground_surface(ground, i);
                most = fmax(most, graded_metres(rise) / ground->cell_size);
            }
        }
    }
    return most;
}

// Through a ridge of 15 m.
static void banks_rest(void** state)
{
    (void)state;
    world w;
    river_land land = small();
    land.ridge = 15.0;
    world_open(&w, &land, 2);
    wadi_riverbed_params params = stream();
    params.steering = 0.0;
    world_run(&w, &land, &params);
    assert_true(steepest(&w) < tan((params.repose + 1.0) * M_PI / 180.0));
    assert_int_equal(river_measure(w.graded).pits, 0);
    world_close(&w);
}

static void water_stands_at_bankfull(void** state)
{
    (void)state;
    for (int poured = 0; poured < 2; ++poured)
    {
        world w;
        const river_land land = small();
        world_open(&w, &land, 1);
        wadi_riverbed_params params = stream();
        params.water = poured != 0;
        world_run(&w, &land, &params);
        const wadi_ground* ground = wadi_terrain_ground(w.terrain);
        int32_t wet = 0;
        for (int64_t i = 0; i < CELLS; ++i)
        {
            const int32_t slot = w.graded->corridor.slot[i];
            assert_int_equal(ground->water[i], poured != 0 ? w.graded->depth[i] : 0);
            if (w.graded->depth[i] > 0)
            {
                assert_true(slot != 0);
                assert_int_equal(wadi_ground_surface(ground, i) + w.graded->depth[i],
                                 w.graded->corridor.cells[slot - 1].level);
                ++wet;
            }
        }
        assert_true(wet > 1000);
        world_close(&w);
    }
}

// Two halves: the second replaces the water of the first, and the course continues.
static void rivers_grow_in_parts(void** state)
{
    (void)state;
    world w;
    const river_land land = small();
    world_open(&w, &land, 1);
    const wadi_riverbed_params params = stream();
    const riverbed_emitter emitter = river_emitter(&land, params.discharge);
    CHECK_OK(w.f.context, wadi_graded_create(w.terrain, &params, 0, &w.graded));
    CHECK_OK(w.f.context, wadi_graded_set_emitters(w.graded, &emitter, 1));
    double length[3];
    for (int i = 0; i < 3; ++i)
    {
        CHECK_OK(w.f.context,
                 wadi_graded_advance(w.graded, &(wadi_span){.years = 0.5 * params.growth}));
        wadi_terrain_changed(w.terrain);
        fixture_check_ledger(w.terrain);
        length[i] = river_of(&w)->count;
    }
    assert_int_equal(w.graded->batch, params.batches);
    assert_true(length[1] > 1.05 * length[0] && length[2] == length[1]);
    const wadi_ledger_row water = row_of(&w, WADI_MATERIAL_WATER);
    assert_true(water.lost > 0.0 && fabs(water.in - water.lost - water.after) < 1e-6 * water.in);
    world_close(&w);
}

// ---- maps ---------------------------------------------------------------------------------------

static void maps_agree_with_the_river(void** state)
{
    (void)state;
    world w;
    const river_land land = small();
    world_open(&w, &land, 1);
    const wadi_riverbed_params params = stream();
    world_run(&w, &land, &params);
    float* map = test_malloc((size_t)RIVERBED_MAP_COUNT * CELLS * sizeof *map);
    for (int32_t i = 0; i < RIVERBED_MAP_COUNT; ++i)
    {
        wadi_graded_map(w.graded, i, map + (size_t)i * CELLS);
    }
    const wadi_ground* ground = wadi_terrain_ground(w.terrain);
    int32_t old = 0;
    for (int32_t c = 0; c < CELLS; ++c)
    {
        const double surface = graded_metres(wadi_ground_surface(ground, c));
        const float* at = map + c;
        const double depth = (double)at[(size_t)RIVERBED_MAP_DEPTH * CELLS];
        CHECK_NEAR((double)at[(size_t)RIVERBED_MAP_LEVEL * CELLS], surface + depth, 1e-4);
        assert_true((at[(size_t)RIVERBED_MAP_BED * CELLS] > 0.0f) ==
                    (at[(size_t)RIVERBED_MAP_LOAD * CELLS] > 0.0f));
        assert_true(at[(size_t)RIVERBED_MAP_BED * CELLS] <= 1.0f);
        old += at[(size_t)RIVERBED_MAP_AGE * CELLS] > 0.5f;
    }
    assert_true(old > 100); // beds abandoned half the growth ago
    test_free(map);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rock_of_hardness_one_keeps_its_bytes),
        cmocka_unit_test(the_order_of_particles_does_not_matter),
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(half_the_step_carves_hard_rock_alike),
        cmocka_unit_test(rivers_join),
        cmocka_unit_test(rivers_end_somewhere_on_any_land),
        cmocka_unit_test(a_closed_outlet_keeps_the_load),
        cmocka_unit_test(rivers_end_at_voids),
        cmocka_unit_test(outlets_can_be_chosen),
        cmocka_unit_test(rivers_come_in_at_the_lowest_place_of_any_side),
        cmocka_unit_test(axes_leave_by_deep_valleys),
        cmocka_unit_test(two_windows_around_one_spot_are_in_any_order),
        cmocka_unit_test(rivers_without_a_place_are_refused),
        cmocka_unit_test(new_emitters_begin_anew),
        cmocka_unit_test(another_discharge_begins_another_river),
        cmocka_unit_test(steep_land_makes_straight_rivers),
        cmocka_unit_test(bends_need_a_swing_and_bars_need_bends),
        cmocka_unit_test(trochoids_bend_to_one_side),
        cmocka_unit_test(rivers_go_round_hills),
        cmocka_unit_test(banks_rest),
        cmocka_unit_test(water_stands_at_bankfull),
        cmocka_unit_test(rivers_grow_in_parts),
        cmocka_unit_test(maps_agree_with_the_river),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
