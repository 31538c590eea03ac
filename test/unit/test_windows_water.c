// SPDX-License-Identifier: MIT
// Water in windows of a grid gives the bits of the whole grid: terrain, books, state of the solver,
// maps and figures, with all that feeds streams, for any cut, edges, threads, and saved states.
#include "support/fixture.h"
#include "support/windows_land.h"

#include "terrain/ground.h"

#include <stdlib.h>

enum
{
    MOST_ROWS = 8, // of the ledger
    MOST_FIGURES = 12
};

typedef enum water_kind
{
    WATER_STREAMS, // with the rest at its defaults
    WATER_SEA,     // streams, uplift and slides beside a sea
    WATER_FED,     // a map of rain, rivers, climate, seasons, and lakes that evaporate
    WATER_PLAINS,  // streams that build plains
    WATER_PARCELS,
    WATER_DROPLETS,
    WATER_ALLUVIAL,
    WATER_POWER,    // stream_power with a map of rain
    WATER_POWER_SEA // with uplift and slides beside a sea
} water_kind;

static bool is_power(water_kind kind)
{
    return kind == WATER_POWER || kind == WATER_POWER_SEA;
}

static bool has_sea(water_kind kind)
{
    return kind == WATER_SEA || kind == WATER_POWER_SEA;
}

// What a run leaves.
typedef struct outcome
{
    uint64_t terrain;
    uint64_t solver; // of water
    uint64_t map;
    wadi_ledger_row ledger[MOST_ROWS];
    int32_t rows;
    double figures[MOST_FIGURES];
    int32_t figure_count;
    double work;
    unsigned char* state; // as it was saved
    size_t size;
    size_t room;
} outcome;

typedef struct work
{
    water_kind kind;
    int32_t width;
    int32_t height;
    wadi_edge across; // of the eastern and western edge
    wadi_edge along;
    bool voids;
    bool beds;
    bool rivers;  // of the terrain, which streams take in
    bool changes; // parameters, half way
    bool edits;   // a heap in one window, half way
    int32_t threads;
    outcome* out;
    const outcome* from; // a saved state to begin with; NULL: none
    outcome* between;    // the state within the first advance; NULL: not saved
    bool waits;          // a state that was saved there
} work;

static wadi_result keep_bytes(void* user, const void* bytes, size_t size)
{
    outcome* out = user;
    if (out->room < out->size + size)
    {
        // cmocka's own memory is for one thread
        out->room = 2 * (out->size + size);
        out->state = realloc(out->state, out->room);
    }
    memcpy(out->state + out->size, bytes, size);
    out->size += size;
    return WADI_OK;
}

typedef struct reader
{
    const outcome* from;
    size_t at;
} reader;

static wadi_result give_bytes(void* user, void* bytes, size_t size)
{
    reader* r = user;
    if (r->from->size - r->at < size)
    {
        return WADI_ERROR_IO;
    }
    memcpy(bytes, r->from->state + r->at, size);
    r->at += size;
    return WADI_OK;
}

// ---- the ground ---------------------------------------------------------------------------------

// Hollows of all sizes, for lakes.
static float rock_of(int32_t x, int32_t y)
{
    return 200.0f * windows_land_noise(1, x / 40, y / 40) +
           60.0f * windows_land_noise(2, x / 11, y / 11) + 8.0f * windows_land_noise(3, x, y);
}

static float rock_with_voids_of(int32_t x, int32_t y)
{
    const bool hole = (x / 19 + y / 17) % 13 == 3 && windows_land_noise(7, x, y) < 0.6f;
    return hole ? NAN : rock_of(x, y);
}

static float sand_of(int32_t x, int32_t y)
{
    return windows_land_noise(3, x, y) < 0.3f ? 0.0f : 4.0f * windows_land_noise(4, x, y);
}

static float hardness_of(int32_t x, int32_t y)
{
    return 0.6f * windows_land_noise(5, x / 5, y / 5);
}

static float rain_of(int32_t x, int32_t y)
{
    return 2.0f * windows_land_noise(6, x / 30, y / 30);
}

static wadi_result fill_all(wadi_terrain* terrain, const work* w)
{
    wadi_result result =
        windows_land_fill(terrain, WADI_LAYER_BEDROCK, w->voids ? rock_with_voids_of : rock_of);
    result = result == WADI_OK ? windows_land_fill(terrain, WADI_LAYER_SEDIMENT, sand_of) : result;
    if (w->beds && result == WADI_OK)
    {
        const wadi_stratum beds[] = {{9.0, 0.1}, {4.0, 0.8}, {1.0, 0.3}};
        result = wadi_terrain_set_strata(terrain, beds, 3, NULL, 0);
    }
    else if (w->voids && result == WADI_OK)
    {
        result = windows_land_fill(terrain, WADI_LAYER_HARDNESS, hardness_of);
    }
    if (w->rivers && result == WADI_OK)
    {
        const wadi_river river = {.x = 1900.0, .y = 1900.0, .discharge = 50.0};
        result = wadi_terrain_set_rivers(terrain, &river, 1);
    }
    if (has_sea(w->kind) && result == WADI_OK)
    {
        const double years[] = {0.0, 2000.0};
        const double levels[] = {60.0, 90.0};
        result = wadi_terrain_set_sea_level(terrain, years, levels, 2);
    }
    return result;
}

static windows_land land_of(const work* w)
{
    return (windows_land){
        .width = w->width, .height = w->height, .across = w->across, .along = w->along};
}

static wadi_result make_terrain(wadi_context* context, const work* w, wadi_terrain** out)
{
    const windows_land land = land_of(w);
    const wadi_result result = windows_land_create(context, &land, 20.0, out);
    return result == WADI_OK ? fill_all(*out, w) : result;
}

// ---- the work of a window, or of the whole grid -------------------------------------------------

typedef struct solvers
{
    wadi_solver* list[3];
    int32_t count;
} solvers;

static wadi_hydraulic_params params_of(water_kind kind)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = kind == WATER_PARCELS    ? WADI_HYDRAULIC_PARCELS
                   : kind == WATER_DROPLETS ? WADI_HYDRAULIC_DROPLETS
                   : kind == WATER_ALLUVIAL ? WADI_HYDRAULIC_ALLUVIAL
                   : is_power(kind)         ? WADI_HYDRAULIC_STREAM_POWER
                                            : WADI_HYDRAULIC_STREAMS;
    switch (kind)
    {
    case WATER_DROPLETS:
        params.droplet_span = 1000.0;
        params.droplets_per_cell = 1.0;
        break;
    case WATER_ALLUVIAL:
        break;
    default:
        params.max_step = kind == WATER_PLAINS ? 20.0 : 500.0;
    }
    params.lake_evaporation = kind == WATER_FED ? 0.9 : 0.0;
    params.orographic = kind == WATER_FED ? 0.5 : 0.0;
    params.plains = kind == WATER_PLAINS;
    return params;
}

static double years_of(water_kind kind)
{
    return kind == WATER_PLAINS ? 60.0 : kind == WATER_ALLUVIAL ? 2.0 : 1000.0;
}

static wadi_result give_rivers(wadi_solver* solver, const work* w)
{
    const double x = 1.5 * 20.0; // from the south-west corner
    const double y = (w->height / 2 + 0.5) * 20.0;
    const double rivers[] = {x, y, 0.0, 12.0, 4000.0, 0.0};
    return wadi_solver_set_table(solver, "inflow", rivers, 1);
}

static wadi_result give_all(wadi_solver* solver, const work* w)
{
    float* rain = windows_land_values(wadi_solver_terrain(solver), rain_of);
    wadi_result result = wadi_solver_set_map(solver, "rain", rain);
    free(rain);
    if (w->kind == WATER_POWER)
    {
        return result;
    }
    const double climate[] = {0.0, 1.0, 1500.0, 0.5};
    const double seasons[] = {0.7, 0.4, 0.3, 2.4};
    result = result == WADI_OK ? wadi_solver_set_table(solver, "climate", climate, 2) : result;
    result = result == WADI_OK ? wadi_solver_set_table(solver, "seasons", seasons, 2) : result;
    return result == WADI_OK ? give_rivers(solver, w) : result;
}

static wadi_result add_solver(wadi_terrain* terrain, const char* name, const void* params,
                              solvers* to)
{
    const wadi_process* process = wadi_process_find(wadi_terrain_context(terrain), name);
    return wadi_solver_create(terrain, process, params, 0, &to->list[to->count++]);
}

static wadi_result add_all(wadi_terrain* terrain, const work* w, solvers* to)
{
    const wadi_hydraulic_params params = params_of(w->kind);
    wadi_result result = add_solver(terrain, "hydraulic", &params, to);
    if (result == WADI_OK && (w->kind == WATER_FED || w->kind == WATER_POWER))
    {
        result = give_all(to->list[0], w);
    }
    if (result == WADI_OK && (w->kind == WATER_PLAINS || w->kind == WATER_ALLUVIAL))
    {
        result = give_rivers(to->list[0], w);
    }
    if (result == WADI_OK && has_sea(w->kind))
    {
        result = add_solver(terrain, "uplift", NULL, to);
        result = result == WADI_OK ? add_solver(terrain, "talus", NULL, to) : result;
    }
    return result;
}

static wadi_result load_all(wadi_terrain* terrain, const work* w, reader* r, solvers* to)
{
    wadi_result result = WADI_OK;
    const int32_t count = has_sea(w->kind) ? 3 : 1;
    for (; to->count < count && result == WADI_OK; ++to->count)
    {
        result = wadi_solver_load(terrain, give_bytes, r, &to->list[to->count]);
    }
    return result;
}

static wadi_result change(wadi_solver* solver, const work* w)
{
    wadi_hydraulic_params params = params_of(w->kind);
    params.rain = 2.0;
    return wadi_solver_change(solver, &params);
}

// A heap on a cell far from the first window, whose owner alone changes its ground.
static wadi_result edit(wadi_terrain* terrain)
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    const float heap = 90.0f;
    wadi_result result = WADI_OK;
    for (int64_t cell = 0; cell < ground->cells && result == WADI_OK; ++cell)
    {
        const int32_t x = (int32_t)(cell % ground->width);
        const int32_t y = (int32_t)(cell / ground->width);
        const wadi_rectangle one = {x, y, 1, 1};
        const bool is_here = wadi_ground_owns(ground, cell) &&
                             wadi_ground_column(ground, x) == 150 &&
                             wadi_ground_row(ground, y) == 160;
        result = is_here ? wadi_terrain_set_rectangle(terrain, WADI_LAYER_SEDIMENT, one, &heap, 1)
                         : WADI_OK;
    }
    return result;
}

static wadi_result advance(wadi_solver* solver, const work* w, int32_t tick)
{
    return tick == 0 && w->waits ? wadi_solver_catch_up(solver)
                                 : wadi_solver_advance(solver, years_of(w->kind));
}

static wadi_result advance_all(wadi_terrain* terrain, const work* w, const solvers* all)
{
    wadi_result result = WADI_OK;
    for (int32_t tick = 0; tick < 2 && result == WADI_OK; ++tick)
    {
        for (int32_t i = 0; i < all->count && result == WADI_OK; ++i)
        {
            result = advance(all->list[i], w, tick);
        }
        result =
            result == WADI_OK ? wadi_terrain_advance_clock(terrain, years_of(w->kind)) : result;
        result = result == WADI_OK && tick == 0 && w->changes ? change(all->list[0], w) : result;
        result = result == WADI_OK && tick == 0 && w->edits ? edit(terrain) : result;
    }
    return result;
}

// A number for the owned cells of a map, summed over all windows.
static wadi_result map_number(wadi_solver* solver, uint64_t* out)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    const wadi_owned owned = wadi_ground_owned(ground);
    float* values = malloc((size_t)ground->cells * sizeof *values);
    const wadi_result result = wadi_solver_map(solver, "wear", values);
    int64_t sum = 0;
    for (int32_t y = owned.y; y < owned.end_y; ++y)
    {
        for (int32_t x = owned.x; x < owned.end_x; ++x)
        {
            const float value = values[(int64_t)y * ground->width + x];
            const int64_t weight = wadi_ground_number(ground, x, y) % 8191 + 1;
            sum += isnan(value) ? 0 : weight * (int64_t)((double)value * 65536.0);
        }
    }
    free(values);
    (void)wadi_partition_sum(ground->part, &sum, 1);
    *out = (uint64_t)sum;
    return result;
}

// ---- between two steps --------------------------------------------------------------------------

typedef struct pause
{
    const wadi_terrain* terrain;
    const solvers* all;
    outcome* to; // of the first window; NULL: its bytes are not asked for
    int32_t calls;
} pause;

// All windows save at the same place; the first one writes.
static wadi_result save_between(void* user)
{
    pause* p = user;
    outcome scrap = {0};
    outcome* to = p->to != NULL ? p->to : &scrap;
    p->calls += 1;
    wadi_result result = p->calls == 1 ? wadi_terrain_save(p->terrain, keep_bytes, to) : WADI_OK;
    for (int32_t i = 0; i < p->all->count && p->calls == 1 && result == WADI_OK; ++i)
    {
        result = wadi_solver_save(p->all->list[i], keep_bytes, to);
    }
    return scrap.size == 0 ? result : WADI_ERROR_STATE;
}

// Each of two advances has two steps.
static wadi_result advance_and_pause(wadi_terrain* terrain, const work* w, const solvers* all,
                                     bool first)
{
    pause p = {terrain, all, first ? w->between : NULL, 0};
    if (w->between == NULL)
    {
        return advance_all(terrain, w, all);
    }
    wadi_context_set_between(wadi_terrain_context(terrain), save_between, &p);
    const wadi_result result = advance_all(terrain, w, all);
    wadi_context_set_between(wadi_terrain_context(terrain), NULL, NULL);
    return result == WADI_OK && p.calls != 2 ? WADI_ERROR_STATE : result;
}

// ---- what is left -------------------------------------------------------------------------------

// All windows ask, and one of them keeps the answers.
static wadi_result take_outcome(wadi_terrain* terrain, const solvers* all, outcome* out, bool first)
{
    outcome scrap = {0};
    outcome* to = first ? out : &scrap;
    wadi_figure figures[WADI_MODEL_MAX_ROWS];
    wadi_work rows[WADI_MODEL_MAX_ROWS] = {{0}};
    to->terrain = wadi_terrain_hash(terrain);
    to->solver = wadi_solver_hash(all->list[0]);
    to->rows = wadi_terrain_ledger(terrain, to->ledger, MOST_ROWS);
    to->figure_count = wadi_solver_figures(all->list[0], figures, MOST_FIGURES);
    for (int32_t i = 0; i < to->figure_count; ++i)
    {
        to->figures[i] = figures[i].value;
    }
    (void)wadi_solver_work(all->list[0], rows, WADI_MODEL_MAX_ROWS);
    to->work = rows[0].count;
    wadi_result result = map_number(all->list[0], &to->map);
    result = result == WADI_OK ? wadi_terrain_save(terrain, keep_bytes, to) : result;
    for (int32_t i = 0; i < all->count && result == WADI_OK; ++i)
    {
        result = wadi_solver_save(all->list[i], keep_bytes, to);
    }
    return first || scrap.size == 0 ? result : WADI_ERROR_STATE; // only the first window writes
}

static wadi_result live(wadi_context* context, int32_t index, void* user)
{
    const work* w = user;
    wadi_terrain* terrain = NULL;
    solvers all = {0};
    reader r = {w->from, 0};
    wadi_result result = w->from != NULL ? wadi_terrain_load(context, give_bytes, &r, &terrain)
                                         : make_terrain(context, w, &terrain);
    if (result == WADI_OK)
    {
        result = w->from != NULL ? load_all(terrain, w, &r, &all) : add_all(terrain, w, &all);
    }
    result = result == WADI_OK ? advance_and_pause(terrain, w, &all, index == 0) : result;
    result = result == WADI_OK ? take_outcome(terrain, &all, w->out, index == 0) : result;
    for (int32_t i = 0; i < all.count; ++i)
    {
        wadi_solver_destroy(all.list[i]);
    }
    wadi_terrain_destroy(terrain);
    return result;
}

// ---- comparing ----------------------------------------------------------------------------------

static wadi_windows_def cut_of(const work* w, int32_t columns, int32_t rows, bool in_turn)
{
    const windows_land land = land_of(w);
    return windows_land_cut(&land, columns, rows, in_turn ? 8 : 4, in_turn);
}

static outcome whole(fixture* f, const work* w)
{
    outcome out = {0};
    work one = *w;
    one.out = &out;
    CHECK_OK(f->context, live(f->context, 0, &one));
    return out;
}

static outcome windows(fixture* f, const work* w, int32_t columns, int32_t rows, bool in_turn)
{
    outcome out = {0};
    work one = *w;
    one.out = &out;
    const wadi_windows_def def = cut_of(w, columns, rows, in_turn);
    CHECK_OK(f->context, wadi_windows_run(f->context, &def, live, &one));
    return out;
}

static void check_same(const outcome* a, const outcome* b, bool same_work)
{
    assert_true(a->terrain == b->terrain);
    assert_true(a->solver == b->solver);
    assert_true(a->map != 0 && a->map == b->map);
    assert_int_equal(a->rows, b->rows);
    for (int32_t m = 0; m < a->rows; ++m)
    {
        assert_int_equal(b->ledger[m].residual_units, 0);
        assert_true(a->ledger[m].eroded == b->ledger[m].eroded);
        assert_true(a->ledger[m].lost == b->ledger[m].lost);
        assert_true(a->ledger[m].in == b->ledger[m].in);
        for (int side = 0; side < WADI_SIDE_COUNT; ++side)
        {
            assert_true(a->ledger[m].out[side] == b->ledger[m].out[side]);
        }
    }
    assert_int_equal(a->figure_count, b->figure_count);
    for (int32_t i = 0; i < a->figure_count; ++i)
    {
        assert_true(a->figures[i] == b->figures[i]);
    }
    assert_true(a->work > 0.0 && a->work == b->work);
    assert_int_equal(a->size, b->size);
    // the count of cells that slides looked at depends on the cut
    assert_true(!same_work || memcmp(a->state, b->state, a->size) == 0);
}

static void check_cut(fixture* f, const work* w, const outcome* plain, int32_t columns,
                      int32_t rows, bool in_turn)
{
    outcome out = windows(f, w, columns, rows, in_turn);
    check_same(plain, &out, !has_sea(w->kind));
    free(out.state);
}

static void check_work(work w)
{
    fixture f;
    fixture_open(&f, 1);
    outcome plain = whole(&f, &w);
    check_cut(&f, &w, &plain, 1, 1, false);
    check_cut(&f, &w, &plain, 3, 3, false);
    fixture_close(&f);
    fixture_open(&f, 3);
    check_cut(&f, &w, &plain, 2, 3, true);
    fixture_close(&f);
    free(plain.state);
}

static void streams_in_windows(void** state)
{
    (void)state;
    check_work((work){WATER_STREAMS, 189, 201, WADI_EDGE_OPEN, WADI_EDGE_CLOSED, .voids = true});
    check_work((work){WATER_STREAMS, 187, 190, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, .beds = true,
                      .changes = true});
    check_work((work){WATER_STREAMS, 190, 187, WADI_EDGE_OPEN, WADI_EDGE_PERIODIC, .rivers = true});
}

// The ground is gathered again when anybody has changed it since the last step, if in one window
// only.
static void an_edit_between_steps_of_streams(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    work w = {WATER_STREAMS, 189, 201, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .edits = true};
    outcome plain = whole(&f, &w);
    check_cut(&f, &w, &plain, 3, 3, true);
    w.edits = false;
    outcome without = whole(&f, &w);
    assert_true(without.terrain != plain.terrain);
    free(plain.state);
    free(without.state);
    fixture_close(&f);
}

static void a_coast_that_rises_in_windows(void** state)
{
    (void)state;
    check_work((work){WATER_SEA, 189, 201, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .voids = true});
    check_work((work){WATER_SEA, 201, 186, WADI_EDGE_PERIODIC, WADI_EDGE_CLOSED, .voids = false});
}

// It is computed on parts of the grid: nothing is gathered.
static void stream_power_in_windows(void** state)
{
    (void)state;
    check_work((work){WATER_POWER, 189, 201, WADI_EDGE_OPEN, WADI_EDGE_CLOSED, .voids = true});
    check_work((work){WATER_POWER, 187, 190, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, .beds = true,
                      .changes = true});
    check_work((work){WATER_POWER, 190, 187, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, .beds = true});
    check_work((work){WATER_POWER_SEA, 189, 201, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .voids = true});
    check_work(
        (work){WATER_POWER_SEA, 201, 186, WADI_EDGE_PERIODIC, WADI_EDGE_CLOSED, .voids = false});
}

static void slow_all_that_feeds_streams_in_windows(void** state)
{
    (void)state;
    check_work((work){WATER_FED, 189, 201, WADI_EDGE_OPEN, WADI_EDGE_CLOSED, .voids = false});
    check_work((work){WATER_PLAINS, 189, 186, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .voids = false});
}

static void slow_other_models_of_water_in_windows(void** state)
{
    (void)state;
    check_work((work){WATER_PARCELS, 186, 189, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .voids = true});
    check_work(
        (work){WATER_DROPLETS, 187, 186, WADI_EDGE_OPEN, WADI_EDGE_PERIODIC, .voids = false});
    check_work((work){WATER_ALLUVIAL, 189, 187, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .voids = false});
}

// ---- saved states -------------------------------------------------------------------------------

// A state that windows saved goes on in other windows and in the whole grid, and the other way
// round.
static void a_state_goes_on_in_any_cut(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const water_kind kinds[] = {WATER_SEA, WATER_FED, WATER_POWER_SEA, WATER_POWER};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
    {
        work w = {kinds[i], 190, 131, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .voids = false};
        outcome half = windows(&f, &w, 3, 2, false);
        outcome plain_half = whole(&f, &w);
        w.from = &plain_half;
        outcome plain = whole(&f, &w);
        outcome from_whole = windows(&f, &w, 1, 2, true);
        w.from = &half;
        outcome on_whole = whole(&f, &w);
        outcome in_windows = windows(&f, &w, 2, 1, true);
        check_same(&plain, &from_whole, false);
        check_same(&plain, &on_whole, false);
        check_same(&plain, &in_windows, false);
        outcome* all[] = {&half, &plain_half, &plain, &from_whole, &on_whole, &in_windows};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k)
        {
            free(all[k]->state);
        }
    }
    fixture_close(&f);
}

// A state that is saved within an advance is the same for any cut, and goes on in any.
static void a_state_between_two_steps_goes_on(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    outcome way_of_whole = {0};
    outcome way = {0};
    work w = {WATER_STREAMS, 190, 131, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .between = &way_of_whole};
    outcome plain = whole(&f, &w);
    w.between = &way;
    outcome cut = windows(&f, &w, 3, 2, true);
    check_same(&plain, &cut, true);
    assert_true(way.size > 0);
    assert_int_equal(way.size, way_of_whole.size);
    assert_memory_equal(way.state, way_of_whole.state, way.size);
    w.between = NULL;
    w.from = &way;
    w.waits = true;
    outcome on_whole = whole(&f, &w);
    outcome in_windows = windows(&f, &w, 2, 1, false);
    check_same(&plain, &on_whole, true);
    check_same(&plain, &in_windows, true);
    outcome* all[] = {&way_of_whole, &way, &plain, &cut, &on_whole, &in_windows};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k)
    {
        free(all[k]->state);
    }
    fixture_close(&f);
}

// A saved state that is cut short fails in all windows, and nothing is left.
static void a_state_cut_short_fails(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    work w = {WATER_STREAMS, 130, 131, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .voids = false};
    outcome half = windows(&f, &w, 2, 2, false);
    half.size -= 100;
    w.from = &half;
    outcome out = {0};
    w.out = &out;
    const wadi_windows_def def = cut_of(&w, 2, 1, true);
    assert_int_equal(wadi_windows_run(f.context, &def, live, &w), WADI_ERROR_IO);
    free(half.state);
    fixture_close(&f);
}

// ---- failures -----------------------------------------------------------------------------------

static wadi_result run_bad_rain(wadi_context* context, int32_t index, void* user)
{
    (void)index;
    wadi_terrain* terrain = NULL;
    solvers all = {0};
    wadi_result result = make_terrain(context, user, &terrain);
    result = result == WADI_OK ? add_solver(terrain, "hydraulic", NULL, &all) : result;
    float* rain = result == WADI_OK ? windows_land_values(terrain, rain_of) : NULL;
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    for (int64_t c = 0; c < ground->cells && rain != NULL; ++c)
    {
        const int32_t x = wadi_ground_column(ground, (int32_t)(c % ground->width));
        rain[c] = x == 100 ? -1.0f : rain[c];
    }
    result = result == WADI_OK ? wadi_solver_set_map(all.list[0], "rain", rain) : result;
    result = result == WADI_OK ? wadi_solver_advance(all.list[0], 500.0) : result;
    free(rain);
    wadi_solver_destroy(all.list[0]);
    wadi_terrain_destroy(terrain);
    return result;
}

// Failures of the whole grid have its columns and rows, and end all windows.
static void failures_name_the_whole_grid(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    work w = {WATER_STREAMS, 130, 131, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .voids = false};
    for (int turn = 0; turn < 2; ++turn)
    {
        const wadi_windows_def def = cut_of(&w, 2, 2, turn == 1);
        CHECK_FAILS(f.context, WADI_ERROR_RANGE,
                    "rain at column 100, row 0 is -1 m/yr but must lie in [0, 1e8]",
                    wadi_windows_run(f.context, &def, run_bad_rain, &w));
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_in_windows),
        cmocka_unit_test(an_edit_between_steps_of_streams),
        cmocka_unit_test(a_coast_that_rises_in_windows),
        cmocka_unit_test(stream_power_in_windows),
        cmocka_unit_test(slow_all_that_feeds_streams_in_windows),
        cmocka_unit_test(slow_other_models_of_water_in_windows),
        cmocka_unit_test(a_state_goes_on_in_any_cut),
        cmocka_unit_test(a_state_between_two_steps_goes_on),
        cmocka_unit_test(a_state_cut_short_fails),
        cmocka_unit_test(failures_name_the_whole_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
