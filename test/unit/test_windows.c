// SPDX-License-Identifier: MIT
// A grid in windows gives the bits of the whole grid: terrain, ledger, saved state, for any cut,
// halo and edges, at once and in turn.
#include "support/fixture.h"
#include "support/windows_land.h"

#include "core/random.h"
#include "terrain/ground.h"

#include <stdlib.h>

enum
{
    MOST_ROWS = 8 // of the ledger
};

// What a run leaves.
typedef struct outcome
{
    uint64_t terrain;
    uint64_t solvers; // of all their hashes
    wadi_ledger_row ledger[MOST_ROWS];
    int32_t rows;
    unsigned char* state; // as it was saved
    size_t size;
    size_t room;
    double mean; // a figure
} outcome;

typedef enum work_kind
{
    WORK_TALUS,
    WORK_UPLIFT,
    WORK_SOIL,
    WORK_SLABS,
    WORK_ALL
} work_kind;

typedef struct work
{
    work_kind kind;
    windows_land land;
    bool masked;
    const wadi_dunes_params* slabs;
    bool lone;                     // slabs by the process below
    const double (*local_wind)[7]; // NULL: none
    const double (*vortex)[6];
    const double (*eddies)[7];
    double years; // of each of two ticks; 0: 250
    outcome* out;
    const outcome* from; // a saved state to begin with; NULL: none
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

// ---- a process of which some parameters are for the whole grid ----------------------------------

// Slabs that say so of coarse grains.
static struct
{
    wadi_process process;
    wadi_model models[WADI_DUNES_MODEL_COUNT];
    wadi_model_api api;
} lone;

static const char* lone_windows(const void* params)
{
    return ((const wadi_dunes_params*)params)->coarse_depth > 0.0 ? "a test says so" : NULL;
}

static void lone_make(const wadi_process* dunes)
{
    memcpy(lone.models, dunes->models, sizeof lone.models);
    lone.api = *lone.models[WADI_DUNES_SLAB].api;
    lone.api.windows = lone_windows;
    lone.models[WADI_DUNES_SLAB].api = &lone.api;
    lone.process = *dunes;
    lone.process.name = "lone";
    lone.process.models = lone.models;
}

static wadi_result lone_register(wadi_context* context)
{
    return wadi_process_find(context, "lone") != NULL
               ? WADI_OK
               : wadi_process_register(context, &lone.process);
}

// ---- the work of a window, or of the whole grid -------------------------------------------------

typedef struct solvers
{
    wadi_solver* list[3];
    int32_t count;
} solvers;

static wadi_result add_solver(wadi_terrain* terrain, const char* name, const void* params,
                              solvers* to)
{
    const wadi_process* process = wadi_process_find(wadi_terrain_context(terrain), name);
    return wadi_solver_create(terrain, process, params, 0, &to->list[to->count++]);
}

static wadi_result add_uplift(wadi_terrain* terrain, solvers* to)
{
    wadi_uplift_params params = wadi_uplift_params_default();
    params.rate = 2.0;
    params.noise = 0.5;
    params.noise_wavelength = 150.0;
    params.dome_rate = 3.0;
    params.dome_x = 20.0; // its flank lies beyond the western edge
    params.dome_y = 300.0;
    params.dome_length = 400.0;
    params.dome_width = 250.0;
    params.dome_azimuth = 30.0;
    const wadi_result result = add_solver(terrain, "uplift", &params, to);
    const double fault[2][8] = {{1, 100, 90, 4, -1, 60, 0, 900}, {1, 900, 1100, 3, 0, 20, 500, 0}};
    return result == WADI_OK
               ? wadi_solver_set_table(to->list[to->count - 1], "faults", &fault[0][0], 2)
               : result;
}

static wadi_result add_slabs(wadi_terrain* terrain, const work* w, solvers* to)
{
    wadi_result result = add_solver(terrain, w->lone ? "lone" : "dunes", w->slabs, to);
    wadi_solver* slabs = to->list[to->count - 1];
    result = result == WADI_OK && w->local_wind != NULL
                 ? wadi_solver_set_table(slabs, "local_winds", w->local_wind[0], 1)
                 : result;
    result = result == WADI_OK && w->vortex != NULL
                 ? wadi_solver_set_table(slabs, "vortices", w->vortex[0], 1)
                 : result;
    return result == WADI_OK && w->eddies != NULL
               ? wadi_solver_set_table(slabs, "eddies", w->eddies[0], 1)
               : result;
}

static float weight_of(int32_t x, int32_t y)
{
    return windows_land_noise(10, x / 30, y / 30);
}

static wadi_result set_mask(wadi_terrain* terrain, wadi_solver* solver)
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    float* weights = malloc((size_t)ground->cells * sizeof *weights);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        weights[i] = weight_of(wadi_ground_column(ground, (int32_t)(i % ground->width)),
                               wadi_ground_row(ground, (int32_t)(i / ground->width)));
    }
    const wadi_result result = wadi_solver_set_mask(solver, weights);
    free(weights);
    return result;
}

static wadi_result add_all(wadi_terrain* terrain, const work* w, solvers* to)
{
    wadi_result result = w->kind == WORK_SLABS ? add_slabs(terrain, w, to) : WADI_OK;
    if (w->kind == WORK_TALUS || w->kind == WORK_ALL)
    {
        wadi_talus_params params = wadi_talus_params_default();
        params.rock_repose = 60.0;
        params.repose = 30.0; // with plants and without, limits of slopes differ in the last bit
        params.sweeps =
            w->kind == WORK_TALUS && (w->land.beds || w->land.hills || w->masked) ? 40 : 0;
        result = add_solver(terrain, "talus", &params, to);
        result = result == WADI_OK && w->masked ? set_mask(terrain, to->list[0]) : result;
    }
    if ((w->kind == WORK_UPLIFT || w->kind == WORK_ALL) && result == WADI_OK)
    {
        result = add_uplift(terrain, to);
    }
    if ((w->kind == WORK_SOIL || w->kind == WORK_ALL) && result == WADI_OK)
    {
        wadi_soil_cover_params params = wadi_soil_cover_params_default();
        result = add_solver(terrain, "soil", &params, to);
    }
    return result;
}

static wadi_result load_solvers(wadi_terrain* terrain, int32_t count, reader* r, solvers* to)
{
    wadi_result result = WADI_OK;
    for (; to->count < count && result == WADI_OK; ++to->count)
    {
        result = wadi_solver_load(terrain, give_bytes, r, &to->list[to->count]);
    }
    return result;
}

static int32_t solvers_of(work_kind kind)
{
    return kind == WORK_ALL ? 3 : 1;
}

static wadi_result advance_all(wadi_terrain* terrain, const solvers* all, double years)
{
    wadi_result result = WADI_OK;
    for (int32_t tick = 0; tick < 2 && result == WADI_OK; ++tick)
    {
        for (int32_t i = 0; i < all->count && result == WADI_OK; ++i)
        {
            result = wadi_solver_advance(all->list[i], years);
        }
        result = result == WADI_OK ? wadi_terrain_advance_clock(terrain, years) : result;
    }
    return result;
}

static wadi_result take_outcome(wadi_terrain* terrain, const solvers* all, outcome* out, bool first)
{
    // all windows ask, and one of them keeps the answers
    outcome scrap = {0};
    outcome* to = first ? out : &scrap;
    to->terrain = wadi_terrain_hash(terrain);
    to->solvers = 0;
    for (int32_t i = 0; i < all->count; ++i)
    {
        to->solvers = to->solvers * 31 + wadi_solver_hash(all->list[i]);
    }
    to->rows = wadi_terrain_ledger(terrain, to->ledger, MOST_ROWS);
    wadi_figure figures[WADI_MODEL_MAX_ROWS];
    to->mean = wadi_solver_figures(all->list[0], figures, 8) > 1 ? figures[1].value : 0.0;
    wadi_result result = wadi_terrain_save(terrain, keep_bytes, to);
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
    wadi_result result = w->lone ? lone_register(context) : WADI_OK;
    if (result == WADI_OK)
    {
        result = w->from != NULL ? wadi_terrain_load(context, give_bytes, &r, &terrain)
                                 : windows_land_make(context, &w->land, &terrain);
    }
    if (result == WADI_OK)
    {
        result = w->from != NULL ? load_solvers(terrain, solvers_of(w->kind), &r, &all)
                                 : add_all(terrain, w, &all);
    }
    const double years = w->years > 0.0 ? w->years : 250.0;
    result = result == WADI_OK ? advance_all(terrain, &all, years) : result;
    result = result == WADI_OK ? take_outcome(terrain, &all, w->out, index == 0) : result;
    for (int32_t i = 0; i < all.count; ++i)
    {
        wadi_solver_destroy(all.list[i]);
    }
    wadi_terrain_destroy(terrain);
    return result;
}

// ---- comparing ----------------------------------------------------------------------------------

static outcome whole(fixture* f, const work* w)
{
    outcome out = {0};
    work one = *w;
    one.out = &out;
    CHECK_OK(f->context, live(f->context, 0, &one));
    return out;
}

static outcome windows(fixture* f, const work* w, const wadi_windows_def* def)
{
    outcome out = {0};
    work one = *w;
    one.out = &out;
    CHECK_OK(f->context, wadi_windows_run(f->context, def, live, &one));
    return out;
}

static void check_same(const outcome* a, const outcome* b, bool same_work)
{
    assert_true(a->terrain == b->terrain);
    assert_true(a->solvers == b->solvers);
    assert_int_equal(a->rows, b->rows);
    for (int32_t m = 0; m < a->rows; ++m)
    {
        assert_int_equal(b->ledger[m].residual_units, 0);
        assert_true(a->ledger[m].eroded == b->ledger[m].eroded);
        assert_true(a->ledger[m].edited == b->ledger[m].edited);
        for (int side = 0; side < WADI_SIDE_COUNT; ++side)
        {
            assert_true(a->ledger[m].out[side] == b->ledger[m].out[side]);
        }
    }
    assert_true(a->mean == b->mean);
    assert_int_equal(a->size, b->size);
    // the saved count of cells that talus looked at depends on the cut
    assert_true(!same_work || memcmp(a->state, b->state, a->size) == 0);
}

static void check_cut(fixture* f, const work* w, const outcome* plain, int32_t columns,
                      int32_t rows, int32_t halo, bool in_turn)
{
    const wadi_windows_def def = windows_land_cut(&w->land, columns, rows, halo, in_turn);
    outcome out = windows(f, w, &def);
    check_same(plain, &out, w->kind != WORK_TALUS && w->kind != WORK_ALL);
    free(out.state);
}

static void check_work(work w)
{
    fixture f;
    fixture_open(&f, 2);
    outcome plain = whole(&f, &w);
    assert_true(w.kind != WORK_SLABS || plain.ledger[1].eroded > 0.0);
    // one window along an axis differs from several by its edges, which a mask does not touch
    for (int32_t columns = 1; columns <= 2 && !w.masked; ++columns)
    {
        check_cut(&f, &w, &plain, columns, 1, 4, columns == 2);
    }
    check_cut(&f, &w, &plain, 3, 3, 7, false);
    check_cut(&f, &w, &plain, 3, 2, 16, true);
    free(plain.state);
    fixture_close(&f);
}

static void talus_in_windows(void** state)
{
    (void)state;
    check_work(
        (work){WORK_TALUS, .land = {189, 201, WADI_EDGE_OPEN, WADI_EDGE_CLOSED, .voids = true}});
    check_work(
        (work){WORK_TALUS, .land = {187, 190, WADI_EDGE_PERIODIC, WADI_EDGE_OPEN, .plants = true}});
    check_work((work){WORK_TALUS,
                      .land = {200, 186, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, .beds = true}});
}

// What is held back is booked once, and fractions of a unit have the numbers of the whole grid.
static void masks_in_windows(void** state)
{
    (void)state;
    check_work((work){
        WORK_TALUS, {189, 201, WADI_EDGE_OPEN, WADI_EDGE_PERIODIC, .voids = true}, .masked = true});
}

// On long slopes cells give as much as they get: they do not change, and must not fall asleep.
static void long_slopes_in_windows(void** state)
{
    (void)state;
    const work w = {WORK_TALUS, .land = {400, 300, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .hills = true}};
    fixture f;
    fixture_open(&f, 2);
    outcome plain = whole(&f, &w);
    check_cut(&f, &w, &plain, 2, 2, 8, false);
    check_cut(&f, &w, &plain, 3, 2, 16, true);
    free(plain.state);
    fixture_close(&f);
}

static void uplift_in_windows(void** state)
{
    (void)state;
    check_work(
        (work){WORK_UPLIFT, .land = {189, 201, WADI_EDGE_OPEN, WADI_EDGE_CLOSED, .voids = true}});
    check_work((work){WORK_UPLIFT,
                      .land = {187, 190, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, .beds = true}});
}

static void soil_in_windows(void** state)
{
    (void)state;
    check_work((work){
        WORK_SOIL, {189, 201, WADI_EDGE_OPEN, WADI_EDGE_CLOSED, .voids = true}, .years = 50.0});
    check_work((work){
        WORK_SOIL, {187, 190, WADI_EDGE_PERIODIC, WADI_EDGE_OPEN, .beds = true}, .years = 50.0});
    check_work((work){WORK_SOIL,
                      .land = {190, 187, WADI_EDGE_OPEN, WADI_EDGE_PERIODIC, .voids = false},
                      .years = 50.0});
}

// Wind over cliffs and past voids, and slabs that fly far.
static void slow_slabs_in_windows(void** state)
{
    (void)state;
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = WADI_DUNES_SLAB;
    params.direction = 307.0;
    params.slab_wear = 1000.0;
    work w = {WORK_SLABS, .land = {189, 201, WADI_EDGE_OPEN, WADI_EDGE_CLOSED, .voids = true},
              .slabs = &params, .years = 0.13};
    params.inflow = 0.7;
    check_work(w);
    // hops further than windows are wide, across both edges
    params.inflow = 0.0;
    params.slab_hop = 150.0;
    params.slab_settle_rock = 0.05;
    params.slab_turns = 2;
    w = (work){WORK_SLABS,
               .land = {187, 190, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, .dunes = true}};
    w.land.plants = true;
    w.slabs = &params;
    w.years = 1.7;
    check_work(w);
}

// Low dunes: the wind of a window comes from cells around it, not from the whole grid.
static void slow_slabs_in_small_windows(void** state)
{
    (void)state;
    static const double local[1][7] = {{700.0, 600.0, 400.0, 100.0, 200.0, 12.0, 1.0}};
    static const double vortex[1][6] = {{30.0, 900.0, 300.0, 0.0, 100.0, 4.0}};
    static const double eddies[1][7] = {{0.0, 0.0, 0.0, 0.0, 100.0, 3.0, 90.0}};
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = WADI_DUNES_SLAB;
    params.warp_wide = 100.0;
    params.plant_growth = 0.5;
    params.crust_gain = 1.0;
    params.crust_growth = 1.0;
    work w = {WORK_SLABS, .land = {500, 310, WADI_EDGE_PERIODIC, WADI_EDGE_OPEN, .voids = false},
              .slabs = &params};
    w.land.dunes = true;
    w.land.plants = true;
    w.local_wind = local;
    w.vortex = vortex;
    w.eddies = eddies;
    w.years = 0.13;
    fixture f;
    fixture_open(&f, 2);
    outcome plain = whole(&f, &w);
    check_cut(&f, &w, &plain, 8, 5, 4, false);
    check_cut(&f, &w, &plain, 2, 2, 11, true);
    free(plain.state);
    fixture_close(&f);
}

// A few turns of both, so that every build sees them.
static void slabs_in_windows(void** state)
{
    (void)state;
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = WADI_DUNES_SLAB;
    params.warp_wide = 60.0;
    params.inflow = 0.7;
    work w = {WORK_SLABS, .land = {310, 190, WADI_EDGE_PERIODIC, WADI_EDGE_OPEN, .voids = false},
              .slabs = &params};
    w.land.dunes = true;
    w.years = 0.13;
    fixture f;
    fixture_open(&f, 1);
    for (int part = 0; part < 2; ++part)
    {
        outcome plain = whole(&f, &w);
        assert_true(plain.ledger[1].eroded > 0.0);
        check_cut(&f, &w, &plain, 5, 3, 4, part == 1);
        free(plain.state);
        w.land.voids = true;
        w.land.across = WADI_EDGE_CLOSED;
    }
    fixture_close(&f);
}

// Parameters for the whole grid: gathered in the first window.
static void slabs_are_gathered(void** state)
{
    (void)state;
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = WADI_DUNES_SLAB;
    params.coarse_depth = 0.1;
    work w = {WORK_SLABS, .land = {130, 200, WADI_EDGE_PERIODIC, WADI_EDGE_OPEN, .voids = false},
              .slabs = &params};
    w.land.dunes = true;
    w.lone = true;
    w.years = 0.05;
    fixture f;
    fixture_open(&f, 1);
    lone_make(wadi_process_find(f.context, "dunes"));
    outcome plain = whole(&f, &w);
    check_cut(&f, &w, &plain, 2, 3, 4, false);
    check_cut(&f, &w, &plain, 1, 2, 4, true);
    free(plain.state);
    fixture_close(&f);
}

// Change the parameters of a solver to those of coarse grains, and go on.
static wadi_result change_to_coarse(wadi_context* context, int32_t index, void* user)
{
    const work* w = user;
    wadi_dunes_params params = *w->slabs;
    params.coarse_depth = 0.1;
    params.coarse_share = 0.3;
    wadi_terrain* terrain = NULL;
    solvers all = {0};
    wadi_result result = w->lone ? lone_register(context) : WADI_OK;
    result = result == WADI_OK ? windows_land_make(context, &w->land, &terrain) : result;
    result = result == WADI_OK ? add_slabs(terrain, w, &all) : result;
    result = result == WADI_OK ? advance_all(terrain, &all, w->years) : result;
    result = result == WADI_OK ? wadi_solver_change(all.list[0], &params) : result;
    result = result == WADI_OK ? advance_all(terrain, &all, w->years) : result;
    result = result == WADI_OK ? take_outcome(terrain, &all, w->out, index == 0) : result;
    wadi_solver_destroy(all.list[0]);
    wadi_terrain_destroy(terrain);
    return result;
}

static void slabs_change_in_windows(void** state)
{
    (void)state;
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = WADI_DUNES_SLAB;
    work w = {WORK_SLABS,
              {130, 200, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .dunes = true},
              .slabs = &params,
              .years = 0.05};
    fixture f;
    fixture_open(&f, 1);
    outcome plain = {0};
    outcome cut = {0};
    const wadi_windows_def def = windows_land_cut(&w.land, 2, 2, 4, false);
    w.out = &plain;
    CHECK_OK(f.context, change_to_coarse(f.context, 0, &w));
    w.out = &cut;
    CHECK_OK(f.context, wadi_windows_run(f.context, &def, change_to_coarse, &w));
    check_same(&plain, &cut, true);
    // a state in one window cannot be parted while a solver lives
    lone_make(wadi_process_find(f.context, "dunes"));
    w.lone = true;
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT,
                "lone cannot change in windows between parameters for parts of the grid and "
                "those for the whole grid; settle and destroy this solver, and create another",
                wadi_windows_run(f.context, &def, change_to_coarse, &w));
    free(plain.state);
    free(cut.state);
    fixture_close(&f);
}

// 25 windows, and all processes together.
static void slow_all_in_windows(void** state)
{
    (void)state;
    const work w = {WORK_ALL, .land = {313, 317, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .voids = true}};
    fixture f;
    fixture_open(&f, 2);
    outcome plain = whole(&f, &w);
    check_cut(&f, &w, &plain, 5, 5, 4, false);
    check_cut(&f, &w, &plain, 4, 4, 8, true);
    free(plain.state);
    fixture_close(&f);
}

static void check_goes_on(work w)
{
    fixture f;
    fixture_open(&f, 1);
    const bool same_work = w.kind != WORK_TALUS && w.kind != WORK_ALL;
    const wadi_windows_def first = windows_land_cut(&w.land, 3, 2, 4, false);
    const wadi_windows_def second = windows_land_cut(&w.land, 2, 1, 6, true);
    outcome half = windows(&f, &w, &first);
    outcome plain_half = whole(&f, &w);
    w.from = &plain_half;
    outcome plain = whole(&f, &w);
    w.from = &half;
    outcome on_whole = whole(&f, &w);
    outcome in_windows = windows(&f, &w, &second);
    check_same(&plain, &on_whole, same_work);
    check_same(&plain, &in_windows, same_work);
    outcome* all[] = {&half, &plain_half, &plain, &on_whole, &in_windows};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    {
        free(all[i]->state);
    }
    fixture_close(&f);
}

// A state that windows saved goes on in other windows and in the whole grid.
static void a_state_goes_on_in_any_cut(void** state)
{
    (void)state;
    check_goes_on(
        (work){WORK_ALL, .land = {190, 131, WADI_EDGE_PERIODIC, WADI_EDGE_OPEN, .beds = true}});
}

static wadi_dunes_params dunes_in_windows(void)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = WADI_DUNES_SLAB;
    params.warp_wide = 60.0;
    params.inflow = 0.7;
    return params;
}

// Cuts of an open and of a periodic land, and a state that goes on in another one.
static void check_dunes(const wadi_dunes_params* params, bool plants)
{
    windows_land land = {.width = 250,
                         .height = 187,
                         .across = WADI_EDGE_OPEN,
                         .along = WADI_EDGE_CLOSED,
                         .plants = plants,
                         .dunes = true};
    check_work((work){WORK_SLABS, .land = land, .slabs = params, .years = 0.13});
    land.width = 188;
    land.across = WADI_EDGE_PERIODIC;
    land.along = WADI_EDGE_OPEN;
    check_work((work){WORK_SLABS, .land = land, .slabs = params, .years = 0.13});
    land.along = WADI_EDGE_PERIODIC;
    check_goes_on((work){WORK_SLABS, .land = land, .slabs = params, .years = 0.13});
}

// Coarse grains slide to cells of other windows.
static void slow_coarse_grains_in_windows(void** state)
{
    (void)state;
    wadi_dunes_params params = dunes_in_windows();
    params.coarse_depth = 0.1;
    params.coarse_share = 0.9;
    params.repose = 20.0;
    check_dunes(&params, false);
}

// Plants spread to cells of other windows, in more parts of a step than a halo has cells.
static void slow_plants_that_spread_in_windows(void** state)
{
    (void)state;
    wadi_dunes_params params = dunes_in_windows();
    params.plant_growth = 20.0;
    params.plant_spread = 200.0;
    params.plant_rain = 0.8;
    check_dunes(&params, true);
}

// Waves run up the beaches of a sea that winds through windows. Plants go there.
static void slow_beaches_in_windows(void** state)
{
    (void)state;
    wadi_dunes_params params = dunes_in_windows();
    params.water_level = 4.7;
    params.shore_supply = 5.0;
    params.shore_runup = 1.0;
    params.plant_growth = 1.0;
    check_dunes(&params, true);
}

// The same in a few turns, so that every build sees them.
static void check_dunes_once(const wadi_dunes_params* params, bool plants)
{
    work w = {WORK_SLABS, .land = {190, 130, WADI_EDGE_PERIODIC, WADI_EDGE_OPEN, .dunes = true},
              .slabs = params, .years = 0.13};
    w.land.plants = plants;
    fixture f;
    fixture_open(&f, 1);
    outcome plain = whole(&f, &w);
    assert_true(plain.ledger[1].eroded > 0.0);
    check_cut(&f, &w, &plain, 3, 2, 4, plants);
    free(plain.state);
    fixture_close(&f);
}

static void tops_plants_and_beaches_in_windows(void** state)
{
    (void)state;
    wadi_dunes_params params = dunes_in_windows();
    params.coarse_depth = 0.1;
    params.coarse_share = 0.9;
    params.repose = 20.0;
    check_dunes_once(&params, false);
    params.plant_growth = 20.0;
    params.plant_spread = 200.0;
    params.water_level = 4.7;
    params.shore_supply = 5.0;
    params.shore_runup = 1.0;
    check_dunes_once(&params, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(talus_in_windows),
        cmocka_unit_test(masks_in_windows),
        cmocka_unit_test(long_slopes_in_windows),
        cmocka_unit_test(uplift_in_windows),
        cmocka_unit_test(soil_in_windows),
        cmocka_unit_test(slow_slabs_in_windows),
        cmocka_unit_test(slow_slabs_in_small_windows),
        cmocka_unit_test(slabs_in_windows),
        cmocka_unit_test(slabs_are_gathered),
        cmocka_unit_test(slabs_change_in_windows),
        cmocka_unit_test(slow_all_in_windows),
        cmocka_unit_test(a_state_goes_on_in_any_cut),
        cmocka_unit_test(slow_coarse_grains_in_windows),
        cmocka_unit_test(slow_plants_that_spread_in_windows),
        cmocka_unit_test(slow_beaches_in_windows),
        cmocka_unit_test(tops_plants_and_beaches_in_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
