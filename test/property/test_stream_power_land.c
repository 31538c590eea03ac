// SPDX-License-Identifier: MIT
// labels: fast
// The model "stream_power" on lands of all kinds: books, water, standing water, closed land, hard
// rock, cuts of the time, saved states, and grids of one cell.
#include "support/fixture.h"

#include "core/archive.h"

#include <wadi/hydraulic.h>

#include <stdlib.h>

enum
{
    WIDTH = 45,
    HEIGHT = 38,
    CELLS = WIDTH * HEIGHT
};

#define CELL 40.0

typedef struct land
{
    wadi_edge edges[4];
    bool voids;
    bool sea;  // over a part of the land
    bool beds; // of hardness 0, 0.5 and 1, and loose matter
    bool rain; // by a map with half of the land dry
} land;

static const land lands[] = {
    {{WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN}, .beds = true},
    {{WADI_EDGE_OPEN, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED}, .voids = true},
    {{WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED}, .beds = true},
    {{WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC},
     .rain = true},
    {{WADI_EDGE_OPEN, WADI_EDGE_PERIODIC, WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC}, .sea = true},
    {{WADI_EDGE_CLOSED, WADI_EDGE_OPEN, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED},
     .voids = true,
     .sea = true,
     .beds = true,
     .rain = true},
    {{WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED}, .sea = true},
    {{WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN}, .voids = true, .rain = true},
};

enum
{
    LANDS = sizeof lands / sizeof lands[0]
};

#define SEA_LEVEL 60.0

static wadi_hydraulic_params preset(wadi_context* context)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    CHECK_OK(context,
             wadi_process_apply_preset(context, &wadi_hydraulic_process, "stream_power", &params));
    return params;
}

static wadi_solver* solver_on(wadi_terrain* terrain, const wadi_hydraulic_params* params)
{
    wadi_solver* solver = NULL;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_hydraulic_process, params, 0, &solver));
    return solver;
}

static wadi_terrain* ground(fixture* f, const wadi_edge* edges, int32_t width, int32_t height)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = width;
    def.height = height;
    def.cell_size = CELL;
    def.seed = 3;
    memcpy(def.edges, edges, sizeof def.edges);
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    return terrain;
}

// Bumps of some cells, which leave hollows, with noise.
static wadi_terrain* make_land(fixture* f, const land* l)
{
    wadi_terrain* terrain = ground(f, l->edges, WIDTH, HEIGHT);
    float values[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double x = i % WIDTH;
        const double y = i / WIDTH;
        const double rough = (double)(i * 7919 % 1009) / 1009.0;
        values[i] = (float)(120.0 + 50.0 * sin(0.9 * x + 0.4 * y) * cos(0.7 * y) +
                            40.0 * sin(0.21 * x) * sin(0.17 * y) + 20.0 * rough);
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, values, WIDTH));
    if (l->beds)
    {
        for (int32_t i = 0; i < CELLS; ++i)
        {
            values[i] = 0.5f * (float)(i / 5 % 3);
        }
        CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_HARDNESS, values, WIDTH));
        fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 2.0, 9);
    }
    if (l->voids)
    {
        fixture_holes(terrain);
    }
    if (l->sea)
    {
        const double level = SEA_LEVEL;
        CHECK_OK(f->context, wadi_terrain_set_sea_level(terrain, NULL, &level, 1));
    }
    return terrain;
}

// East of the middle no rain falls.
static void set_rain(wadi_solver* solver, const land* l)
{
    float rain[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        rain[i] = i % WIDTH > WIDTH / 2 ? 0.0f : 0.3f + 0.02f * (float)(i / WIDTH);
    }
    if (l->rain)
    {
        CHECK_OK(wadi_terrain_context(wadi_solver_terrain(solver)),
                 wadi_solver_set_map(solver, "rain", rain));
    }
}

static wadi_solver* make_solver(wadi_terrain* terrain, const land* l)
{
    wadi_hydraulic_params params = preset(wadi_terrain_context(terrain));
    params.sediment_erodibility = l->beds ? 3.0 : 1.0;
    wadi_solver* solver = solver_on(terrain, &params);
    set_rain(solver, l);
    return solver;
}

static int32_t surface_at(const wadi_terrain* terrain, int32_t cell)
{
    const int32_t width = wadi_terrain_width(terrain);
    return wadi_terrain_units(terrain, WADI_LAYER_SURFACE, cell % width, cell / width);
}

static void live(wadi_solver* solver, double years)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    CHECK_OK(wadi_terrain_context(terrain), wadi_solver_advance(solver, years));
    CHECK_OK(wadi_terrain_context(terrain), wadi_terrain_advance_clock(terrain, years));
}

static void end(fixture* f, wadi_solver* solver)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(f);
}

// ---- books ---------------------------------------------------------------------------------

static double sum_out(const wadi_terrain* terrain, int32_t material)
{
    const wadi_ledger_row row = fixture_ledger_row(terrain, material);
    double sum = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        sum += row.out[side];
    }
    return sum;
}

// What the land loses has left it, and all rain leaves.
static void matter_and_water_are_kept(void** state)
{
    (void)state;
    for (int i = 0; i < LANDS; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = make_land(&f, &lands[i]);
        wadi_solver* solver = make_solver(terrain, &lands[i]);
        const double before = wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
        for (int step = 0; step < 40; ++step)
        {
            live(solver, 1000.0);
            fixture_check_ledger(terrain);
        }
        const double out = sum_out(terrain, WADI_MATERIAL_SEDIMENT);
        const double loss = before - wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
        const double worn = fixture_ledger_row(terrain, WADI_MATERIAL_ROCK).eroded;
        const double rain = fixture_figure(solver, "rain");
        print_message("land %d: %.4g m3 left, of %.4g m3 of rock worn; %.6g m3 of rain\n", i, out,
                      worn, rain);
        CHECK_NEAR(loss, out, 1e-9 * before);
        assert_true(worn > 1e6);
        assert_true(rain > 0.0);
        CHECK_NEAR(fixture_figure(solver, "outflow"), rain, 1e-12 * rain);
        assert_true(out > 0.0 || i == 2 || i == 3 || i == 6); // which have no open edge
        assert_true(out == 0.0 || (i != 2 && i != 3));
        end(&f, solver);
    }
}

// ---- standing water ------------------------------------------------------------------------

typedef struct basins
{
    int64_t level[CELLS]; // to which water rises until it finds a way out; INT64_MAX: none
} basins;

static int32_t beside(const land* l, int32_t cell, int32_t k)
{
    int32_t x = cell % WIDTH + k % 3 - 1;
    int32_t y = cell / WIDTH + k / 3 - 1;
    const bool turns_x = l->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool turns_y = l->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    x = turns_x ? (x + WIDTH) % WIDTH : x;
    y = turns_y ? (y + HEIGHT) % HEIGHT : y;
    return k == 4 || x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT ? -1 : y * WIDTH + x;
}

static bool has_data(const wadi_terrain* terrain, int32_t cell)
{
    return wadi_terrain_is_valid(terrain, cell % WIDTH, cell / WIDTH);
}

static int64_t sea_of(const land* l)
{
    return l->sea ? (int64_t)(SEA_LEVEL * WADI_UNITS_PER_METRE) : INT32_MIN;
}

static bool is_outlet(const wadi_terrain* terrain, const land* l, int32_t cell)
{
    const int32_t x = cell % WIDTH;
    const int32_t y = cell / WIDTH;
    const bool at[4] = {y == 0, x == WIDTH - 1, y == HEIGHT - 1, x == 0};
    bool out = surface_at(terrain, cell) == sea_of(l);
    for (int side = 0; side < 4; ++side)
    {
        out = out || (at[side] && l->edges[side] == WADI_EDGE_OPEN);
    }
    for (int32_t k = 0; k < 9; ++k)
    {
        const int32_t n = beside(l, cell, k);
        out = out || (n >= 0 && !has_data(terrain, n));
    }
    return out;
}

// Sweeps lower the levels until none falls.
static void find_basins(const wadi_terrain* terrain, const land* l, basins* b)
{
    int32_t lowest = 0;
    bool closed = true;
    for (int32_t c = 0; c < CELLS; ++c)
    {
        const int64_t top = surface_at(terrain, c) > sea_of(l) ? surface_at(terrain, c) : sea_of(l);
        const bool out = has_data(terrain, c) && is_outlet(terrain, l, c);
        b->level[c] = out ? top : INT64_MAX;
        closed = closed && !out;
        lowest = surface_at(terrain, c) < surface_at(terrain, lowest) ? c : lowest;
    }
    if (closed)
    {
        b->level[lowest] =
            surface_at(terrain, lowest) > sea_of(l) ? surface_at(terrain, lowest) : sea_of(l);
    }
    for (bool falls = true; falls;)
    {
        falls = false;
        for (int32_t c = 0; c < CELLS; ++c)
        {
            const int64_t h = surface_at(terrain, c);
            for (int32_t k = 0; k < 9 && has_data(terrain, c); ++k)
            {
                const int32_t n = beside(l, c, k);
                int64_t level = n >= 0 && has_data(terrain, n) ? b->level[n] : INT64_MAX;
                level = level > h ? level : h;
                falls = falls || level < b->level[c];
                b->level[c] = level < b->level[c] ? level : b->level[c];
            }
        }
    }
}

// Lakes stand level at their spills, found by brute force; nothing is worn.
static void lakes_stand_level_at_their_spills(void** state)
{
    (void)state;
    for (int i = 0; i < LANDS; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = make_land(&f, &lands[i]);
        wadi_hydraulic_params params = preset(f.context);
        params.erodibility = 0.0;
        wadi_solver* solver = solver_on(terrain, &params);
        live(solver, 1000.0);
        static basins b;
        find_basins(terrain, &lands[i], &b);
        int32_t wet = 0;
        for (int32_t c = 0; c < CELLS; ++c)
        {
            const int64_t depth = b.level[c] - surface_at(terrain, c);
            const bool lake = has_data(terrain, c) && b.level[c] > sea_of(&lands[i]);
            const int32_t held =
                wadi_terrain_units(terrain, WADI_LAYER_WATER, c % WIDTH, c / WIDTH);
            assert_true(held == (lake ? depth : 0));
            wet += held > 0 ? 1 : 0;
        }
        print_message("land %d: %d cells of lakes\n", i, wet);
        assert_true(wet > 10);
        end(&f, solver);
    }
}

// Loads fill standing water up to its level: that of the sea by a unit more, or it would be sea
// without a bottom. Standing water is not worn.
static void loads_fill_standing_water_to_its_level(void** state)
{
    (void)state;
    for (int i = 0; i < LANDS; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = make_land(&f, &lands[i]);
        wadi_solver* solver = make_solver(terrain, &lands[i]);
        const bool closed = i == 2 || i == 3 || i == 6; // the fill is level there: see below
        int32_t raised = 0;
        int32_t full = 0;
        for (int step = 0; step < 25; ++step)
        {
            static basins b;
            static int32_t before[CELLS];
            find_basins(terrain, &lands[i], &b);
            for (int32_t c = 0; c < CELLS; ++c)
            {
                before[c] = surface_at(terrain, c);
            }
            live(solver, 1000.0);
            for (int32_t c = 0; c < CELLS; ++c)
            {
                if (!has_data(terrain, c) || b.level[c] <= before[c])
                {
                    continue;
                }
                const int64_t now = surface_at(terrain, c);
                const int64_t top = b.level[c] + (b.level[c] == sea_of(&lands[i]) ? 1 : 0);
                assert_true(now >= before[c]);
                assert_true(now <= top || closed);
                raised += now > before[c] ? 1 : 0;
                full += now == top ? 1 : 0;
            }
        }
        print_message("land %d: %d times raised, %d times full\n", i, raised, full);
        assert_true(raised > 100);
        assert_true(full > 0);
        end(&f, solver);
    }
}

// A river that enters the sea builds land there. Cells that have been filled are land and lead its
// load on: none is lost in them.
static void deltas_grow_into_the_sea(void** state)
{
    (void)state;
    static const land shore = {
        {WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_OPEN, WADI_EDGE_CLOSED}, .sea = true};
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = ground(&f, shore.edges, WIDTH, HEIGHT);
    float heights[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % WIDTH;
        const int32_t y = i / WIDTH;
        const int32_t off = x < WIDTH / 2 ? WIDTH / 2 - x : x - WIDTH / 2;
        heights[i] = (float)(y < 15 ? 65.0 + 6.0 * (15 - y) + 4.0 * off : 55.0);
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, WIDTH));
    const double level = SEA_LEVEL;
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, NULL, &level, 1));
    wadi_solver* solver = make_solver(terrain, &shore);
    live(solver, 12e3);
    int32_t new_land = 0;
    for (int32_t c = 15 * WIDTH; c < CELLS; ++c)
    {
        new_land += surface_at(terrain, c) > sea_of(&shore) ? 1 : 0;
        assert_true(surface_at(terrain, c) != sea_of(&shore));
    }
    print_message("%d of %d cells of the sea are land\n", new_land, CELLS - 15 * WIDTH);
    assert_true(new_land > 100 && new_land < 700);
    assert_true(fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).out[WADI_SIDE_VOID] == 0.0);
    end(&f, solver);
}

// ---- closed land ---------------------------------------------------------------------------

// All that is worn fills the lowest place to one level, and what is left over when that comes to a
// rim fills the hollow beyond it to another one. Nothing settles on the way here.
static void closed_land_fills_to_one_level(void** state)
{
    (void)state;
    static const int closed[] = {2, 3, 6};
    for (int k = 0; k < 3; ++k)
    {
        const int i = closed[k];
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = make_land(&f, &lands[i]);
        wadi_hydraulic_params params = preset(f.context);
        params.settling = 0.0;
        params.lake_settling = 0.0;
        wadi_solver* solver = solver_on(terrain, &params);
        const double volume = wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
        int32_t filled = 0;
        for (int step = 0; step < 30; ++step)
        {
            static int32_t before[CELLS];
            for (int32_t c = 0; c < CELLS; ++c)
            {
                before[c] = surface_at(terrain, c);
            }
            live(solver, 1000.0);
            int32_t tops[2] = {INT32_MIN, INT32_MIN}; // of the land filled, and of a hollow
            int32_t count = 0;
            for (int pass = 0; pass < 2; ++pass)
            {
                for (int32_t c = 0; c < CELLS; ++c)
                {
                    const int32_t now = surface_at(terrain, c);
                    const bool lower = pass == 0 || now < tops[0] - 1;
                    tops[pass] = now > before[c] && lower && now > tops[pass] ? now : tops[pass];
                }
            }
            for (int32_t c = 0; c < CELLS; ++c)
            {
                const int32_t now = surface_at(terrain, c);
                assert_true(now <= before[c] || now >= tops[0] - 1 ||
                            (now <= tops[1] && now >= tops[1] - 1));
                count += now > before[c] ? 1 : 0;
            }
            assert_true(count > 0);
            filled = count > filled ? count : filled;
        }
        print_message("land %d: %d cells filled\n", i, filled);
        assert_true(filled > 20);
        assert_true(wadi_terrain_volume(terrain, WADI_LAYER_SURFACE) == volume);
        end(&f, solver);
    }
}

// ---- hard rock and dry land ----------------------------------------------------------------

static void hard_rock_and_dry_land_do_not_wear(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    const land l = {.edges = {WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN},
                    .beds = true,
                    .rain = true};
    wadi_terrain* terrain = make_land(&f, &l);
    wadi_terrain* old = NULL;
    CHECK_OK(f.context, wadi_terrain_clone(terrain, &old));
    wadi_solver* solver = make_solver(terrain, &l);
    bool dry[CELLS];
    memset(dry, 1, sizeof dry);
    for (int step = 0; step < 30; ++step)
    {
        float flow[CELLS];
        live(solver, 1000.0);
        CHECK_OK(f.context, wadi_solver_map(solver, "discharge", flow));
        for (int32_t c = 0; c < CELLS; ++c)
        {
            dry[c] = dry[c] && flow[c] == 0.0f;
        }
    }
    int32_t counts[4] = {0};
    for (int32_t c = 0; c < CELLS; ++c)
    {
        const int32_t x = c % WIDTH;
        const int32_t y = c / WIDTH;
        const bool worn = wadi_terrain_units(terrain, WADI_LAYER_BEDROCK, x, y) <
                          wadi_terrain_units(old, WADI_LAYER_BEDROCK, x, y);
        const bool hard = wadi_terrain_units(old, WADI_LAYER_HARDNESS, x, y) == 65535;
        counts[(hard ? 2 : 0) + (dry[c] ? 1 : 0)] += 1;
        assert_false(worn && (hard || dry[c]));
        counts[3] += worn ? 1 : 0;
    }
    print_message("%d cells of %d worn, %d hard, %d dry\n", counts[3], CELLS, counts[2], counts[1]);
    assert_true(counts[3] > 200 && counts[2] > 100 && counts[1] > 100);
    wadi_terrain_destroy(old);
    end(&f, solver);
}

// ---- time ----------------------------------------------------------------------------------

static int chosen;

static wadi_solver* make_chosen(fixture* f)
{
    return make_solver(make_land(f, &lands[chosen]), &lands[chosen]);
}

static void any_cut_of_the_years_gives_the_same_bits(void** state)
{
    (void)state;
    for (chosen = 0; chosen < LANDS; ++chosen)
    {
        fixture_check_cuts(make_chosen, 24e3);
    }
}

static void a_restored_land_goes_on(void** state)
{
    (void)state;
    for (chosen = 0; chosen < LANDS; ++chosen)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_solver* solver = make_chosen(&f);
        live(solver, 10500.0);
        wadi_bytes bytes = {.context = f.context};
        wadi_terrain* terrain = wadi_solver_terrain(solver);
        CHECK_OK(f.context, wadi_terrain_save(terrain, wadi_bytes_write, &bytes));
        CHECK_OK(f.context, wadi_solver_save(solver, wadi_bytes_write, &bytes));
        wadi_terrain* other = NULL;
        wadi_solver* copy = NULL;
        CHECK_OK(f.context, wadi_terrain_load(f.context, wadi_bytes_read, &bytes, &other));
        CHECK_OK(f.context, wadi_solver_load(other, wadi_bytes_read, &bytes, &copy));
        wadi_bytes_free(&bytes);
        live(solver, 9500.0);
        live(copy, 9500.0);
        assert_true(wadi_terrain_hash(terrain) == wadi_terrain_hash(other));
        assert_true(wadi_solver_hash(solver) == wadi_solver_hash(copy));
        wadi_solver_destroy(copy);
        wadi_terrain_destroy(other);
        end(&f, solver);
    }
}

// ---- turns ---------------------------------------------------------------------------------

enum
{
    SQUARE = 64
};

static double wear_turned(int turns)
{
    static float plain[SQUARE * SQUARE];
    static float heights[SQUARE * SQUARE];
    fixture f;
    fixture_open(&f, 2);
    const wadi_noise_params noise = wadi_noise_params_default();
    CHECK_OK(f.context, wadi_noise_fill(f.context, &noise, 7, SQUARE, SQUARE, 60.0, plain));
    for (int turn = 0; turn < turns; ++turn)
    {
        for (int32_t i = 0; i < SQUARE * SQUARE; ++i)
        {
            heights[i % SQUARE * SQUARE + SQUARE - 1 - i / SQUARE] = plain[i];
        }
        memcpy(plain, heights, sizeof plain);
    }
    wadi_terrain* terrain = fixture_plain(&f, SQUARE, SQUARE, 60.0, WADI_EDGE_OPEN);
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, plain, SQUARE));
    const double before = wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
    const wadi_hydraulic_params params = preset(f.context);
    wadi_solver* solver = solver_on(terrain, &params);
    live(solver, 60e3);
    const double wear = before - wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
    end(&f, solver);
    return wear / (60.0 * 60.0 * SQUARE * SQUARE);
}

static void a_turned_land_wears_alike(void** state)
{
    (void)state;
    const double plain = wear_turned(0);
    for (int turns = 1; turns < 4; ++turns)
    {
        const double wear = wear_turned(turns);
        print_message("turned %d times: %.2f m, not turned %.2f m\n", turns, wear, plain);
        assert_true(plain > 5.0);
        assert_true(fabs(wear / plain - 1.0) < 0.03);
    }
}

// ---- small and level grids -----------------------------------------------------------------

static void small_grids_run(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{1, 1}, {1, 17}, {17, 1}, {2, 2}, {2, 9}, {3, 3}};
    for (int i = 0; i < 6 * WADI_EDGE_COUNT; ++i)
    {
        const wadi_edge edge = (wadi_edge)(i / 6);
        const wadi_edge edges[4] = {edge, edge, edge, edge};
        const int32_t width = sizes[i % 6][0];
        const int32_t height = sizes[i % 6][1];
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = ground(&f, edges, width, height);
        fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 100.0, 4);
        const double before = wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
        const wadi_hydraulic_params params = preset(f.context);
        wadi_solver* solver = solver_on(terrain, &params);
        live(solver, 20e3);
        const double rain = params.rain * CELL * CELL * width * height * 20e3;
        CHECK_NEAR(fixture_figure(solver, "rain"), rain, 1e-9 * rain);
        CHECK_NEAR(fixture_figure(solver, "outflow"), rain, 1e-9 * rain);
        const double after = wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
        assert_true(edge == WADI_EDGE_OPEN ? after <= before : after == before);
        end(&f, solver);
    }
}

// Level ground, ground at the level of the sea and ground below it stay as they are.
static void level_ground_is_at_rest(void** state)
{
    (void)state;
    static const double seas[] = {-50.0, 0.0, 50.0};
    for (int i = 0; i < 3 * WADI_EDGE_COUNT; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = fixture_plain(&f, 20, 16, CELL, (wadi_edge)(i / 3));
        CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, NULL, &seas[i % 3], 1));
        const wadi_hydraulic_params params = preset(f.context);
        wadi_solver* solver = solver_on(terrain, &params);
        live(solver, 20e3);
        for (int32_t c = 0; c < 20 * 16; ++c)
        {
            assert_int_equal(surface_at(terrain, c), 0);
            assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_WATER, c % 20, c / 20), 0);
        }
        const double rain = fixture_figure(solver, "rain");
        CHECK_NEAR(rain, params.rain * CELL * CELL * 20 * 16 * 20e3, 1.0);
        CHECK_NEAR(fixture_figure(solver, "outflow"), rain, 1.0);
        end(&f, solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matter_and_water_are_kept),
        cmocka_unit_test(lakes_stand_level_at_their_spills),
        cmocka_unit_test(loads_fill_standing_water_to_its_level),
        cmocka_unit_test(deltas_grow_into_the_sea),
        cmocka_unit_test(closed_land_fills_to_one_level),
        cmocka_unit_test(hard_rock_and_dry_land_do_not_wear),
        cmocka_unit_test(any_cut_of_the_years_gives_the_same_bits),
        cmocka_unit_test(a_restored_land_goes_on),
        cmocka_unit_test(a_turned_land_wears_alike),
        cmocka_unit_test(small_grids_run),
        cmocka_unit_test(level_ground_is_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
