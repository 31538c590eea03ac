// SPDX-License-Identifier: MIT
#include "support/fixture.h"

#include "core/random.h"

#include <stdlib.h>

static void (*fixture_hook)(wadi_context* context);

void fixture_on_open(void (*hook)(wadi_context* context))
{
    fixture_hook = hook;
}

void fixture_open(fixture* f, int32_t threads)
{
    *f = (fixture){0};
    wadi_context_def def = wadi_context_def_default();
    def.threads = threads;
    def.allocator = counted_allocator(&f->memory);
    assert_int_equal(wadi_context_create(&def, &f->context), WADI_OK);
    if (fixture_hook != NULL)
    {
        fixture_hook(f->context);
    }
}

void fixture_close(fixture* f)
{
    assert_int_equal(wadi_memory_used(f->context), 0);
    wadi_context_destroy(f->context);
    assert_int_equal(f->memory.live_blocks, 0);
    assert_int_equal(f->memory.live_bytes, 0);
    assert_int_equal(f->memory.bad_releases, 0);
}

int fixture_open_group(void** state)
{
    static fixture f;
    fixture_open(&f, 2);
    *state = &f;
    return 0;
}

int fixture_close_group(void** state)
{
    fixture_close(*state);
    return 0;
}

wadi_terrain* fixture_plain(fixture* f, int32_t width, int32_t height, double cell_size,
                            wadi_edge edge)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = width;
    def.height = height;
    def.cell_size = cell_size;
    def.edges[0] = def.edges[1] = def.edges[2] = def.edges[3] = edge;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    return terrain;
}

wadi_terrain* fixture_flat(fixture* f, int32_t width, int32_t height)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = width;
    def.height = height;
    def.cell_size = 10.0;
    def.seed = 1;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    return terrain;
}

static float* fixture_buffer(const wadi_terrain* terrain)
{
    const size_t cells = (size_t)wadi_terrain_width(terrain) * (size_t)wadi_terrain_height(terrain);
    float* values = malloc(cells * sizeof *values);
    assert_non_null(values);
    return values;
}

void fixture_noise(wadi_terrain* terrain, wadi_layer layer, double low, double high, uint64_t seed)
{
    float* values = fixture_buffer(terrain);
    const int32_t width = wadi_terrain_width(terrain);
    const int64_t cells = (int64_t)width * wadi_terrain_height(terrain);
    for (int64_t i = 0; i < cells; ++i)
    {
        const wadi_philox r = wadi_random(seed, 0, (uint64_t)i, (uint32_t)layer);
        values[i] = (float)(low + (high - low) * (double)wadi_unit_float(r.v[0]));
    }
    CHECK_OK(wadi_terrain_context(terrain), wadi_terrain_set_layer(terrain, layer, values, width));
    free(values);
}

// A plane that slopes to the south-east, with bumps of a few cells and noise.
static void fixture_set_hills(wadi_terrain* terrain, uint64_t seed)
{
    float* values = fixture_buffer(terrain);
    const int32_t width = wadi_terrain_width(terrain);
    const int32_t height = wadi_terrain_height(terrain);
    for (int32_t y = 0; y < height; ++y)
    {
        for (int32_t x = 0; x < width; ++x)
        {
            const uint64_t bump = (uint64_t)(y / 5) << 32 | (uint32_t)(x / 7);
            const double hill = (double)wadi_unit_float(wadi_random(seed, 1, bump, 0).v[0]);
            const uint64_t cell = (uint64_t)y << 32 | (uint32_t)x;
            const double rough = (double)wadi_unit_float(wadi_random(seed, 2, cell, 0).v[0]);
            const double tilt = 1.0 - 0.5 * ((double)x / width + (double)y / height);
            values[y * width + x] = (float)(400.0 * tilt + 150.0 * hill + 50.0 * rough);
        }
    }
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, values, width));
    free(values);
}

wadi_terrain* fixture_rough(fixture* f, int32_t width, int32_t height, uint64_t seed)
{
    wadi_terrain* terrain = fixture_flat(f, width, height);
    fixture_set_hills(terrain, seed);
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 3.0, seed);
    fixture_noise(terrain, WADI_LAYER_HARDNESS, 0.0, 0.8, seed);
    return terrain;
}

wadi_terrain* fixture_falling(fixture* f, int32_t width, int32_t height, int side, double fall)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = width;
    def.height = height;
    for (int other = 0; other < 4; ++other)
    {
        def.edges[other] = other == side ? WADI_EDGE_OPEN : WADI_EDGE_CLOSED;
    }
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    float* rock = fixture_buffer(terrain);
    for (int32_t i = 0; i < width * height; ++i)
    {
        const int32_t x = i % width;
        const int32_t y = i / width;
        const int32_t away[4] = {y, width - 1 - x, height - 1 - y, x}; // from each side
        rock[i] = (float)(fall * away[side] + 0.05 * (i * 7919 % 101) / 101.0);
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, width));
    free(rock);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    return terrain;
}

void fixture_holes(wadi_terrain* terrain)
{
    const int32_t width = wadi_terrain_width(terrain);
    const int32_t height = wadi_terrain_height(terrain);
    const size_t cells = (size_t)width * (size_t)height;
    uint8_t* valid = malloc(cells);
    assert_non_null(valid);
    memset(valid, 1, cells);
    for (int32_t y = height / 3; y < height / 2; ++y)
    {
        memset(valid + (ptrdiff_t)y * width + width / 2, 0, (size_t)(width / 4));
        memset(valid + (ptrdiff_t)y * width, 0, (size_t)(width / 8));
    }
    CHECK_OK(wadi_terrain_context(terrain), wadi_terrain_set_valid(terrain, valid, width));
    free(valid);
}

void fixture_advance(wadi_solver* solver, double years)
{
    wadi_context* context = wadi_terrain_context(wadi_solver_terrain(solver));
    CHECK_OK(context, wadi_solver_fit(solver, years));
    CHECK_OK(context, wadi_solver_advance(solver, years));
}

void fixture_live(wadi_solver* solver, double years)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    wadi_context* context = wadi_terrain_context(terrain);
    CHECK_OK(context, wadi_solver_advance(solver, years));
    CHECK_OK(context, wadi_terrain_advance_clock(terrain, years));
    CHECK_OK(context, wadi_solver_finish(solver));
    fixture_check_ledger(terrain);
}

void fixture_check_cuts(fixture_make* make, double years)
{
    static const int cuts[] = {1, 7, 50};
    uint64_t ground = 0;
    uint64_t solved = 0;
    for (int i = 0; i < 3; ++i)
    {
        fixture f;
        fixture_open(&f, 1 + i);
        wadi_solver* solver = make(&f);
        wadi_terrain* terrain = wadi_solver_terrain(solver);
        for (int k = 0; k < cuts[i]; ++k)
        {
            CHECK_OK(f.context, wadi_solver_advance(solver, years / cuts[i]));
            CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, years / cuts[i]));
        }
        ground = i == 0 ? wadi_terrain_hash(terrain) : ground;
        solved = i == 0 ? wadi_solver_hash(solver) : solved;
        assert_true(ground == wadi_terrain_hash(terrain));
        assert_true(solved == wadi_solver_hash(solver));
        fixture_check_ledger(terrain);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

double fixture_figure(const wadi_solver* solver, const char* name)
{
    wadi_figure rows[32];
    const int32_t count = wadi_solver_figures(solver, rows, 32);
    for (int32_t i = 0; i < count; ++i)
    {
        if (strcmp(rows[i].name, name) == 0)
        {
            return rows[i].value;
        }
    }
    fail_msg("no figure '%s'", name);
    return 0.0;
}

wadi_ledger_row fixture_ledger_row(const wadi_terrain* terrain, int32_t material)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    assert_true(wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS) > material);
    return rows[material];
}

double fixture_metres(const wadi_terrain* terrain, wadi_layer layer, int32_t x, int32_t y)
{
    return (double)wadi_terrain_units(terrain, layer, x, y) / WADI_UNITS_PER_METRE;
}

void fixture_check_ledger(const wadi_terrain* terrain)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    for (int32_t i = 0; i < count; ++i)
    {
        if (rows[i].residual_units != 0 || rows[i].residual != 0.0)
        {
            fail_msg("%s: the ledger has a residual of %lld units (%g m3)", rows[i].material,
                     (long long)rows[i].residual_units, rows[i].residual);
        }
    }
}
