// SPDX-License-Identifier: MIT
// Laws of the default model of running water compared with closed forms: routes and split loads,
// stream power, settling, creep, the sink, and export.
#include "support/fixture.h"
#include "support/parcels.h"

#include "laws/slopes/talus.h"
#include "processes/hydraulic/parcel_kernels.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

// One level of the pyramid on its own, with its ground.
typedef struct stage
{
    fixture f;
    wadi_terrain* terrain;
    wadi_ground* ground;
    wadi_hydraulic_params params;
    parcel_level* level;
    int32_t* wear;
    int32_t* deposit;
} stage;

typedef double height_fn(int32_t x, int32_t y);

static void stage_open(stage* s, int32_t width, int32_t height, wadi_edge edge)
{
    *s = (stage){0};
    fixture_open(&s->f, 2);
    s->terrain = fixture_plain(&s->f, width, height, 10.0, edge);
    s->ground = wadi_terrain_ground(s->terrain);
    s->params = parcels_params();
    s->params.momentum = false;
    const size_t cells = (size_t)s->ground->cells;
    s->wear = calloc(cells, sizeof *s->wear);
    s->deposit = calloc(cells, sizeof *s->deposit);
}

// Heights and parameters must be set before.
static void stage_begin(stage* s, height_fn* rock)
{
    for (int64_t i = 0; i < s->ground->cells; ++i)
    {
        const double metres =
            rock((int32_t)(i % s->ground->width), (int32_t)(i / s->ground->width));
        s->ground->bedrock[i] = (int32_t)floor(metres * WADI_UNITS_PER_METRE + 0.5);
    }
    const parcel_level_def def = {.terrain = s->terrain,
                                  .land = (double)s->ground->cells,
                                  .params = &s->params,
                                  .wear = s->wear,
                                  .deposit = s->deposit};
    CHECK_OK(s->f.context, wadi_parcel_level_create(&def, &s->level));
    for (int64_t i = 0; i < s->level->padded; ++i)
    {
        s->level->route_surface[i] = s->level->surface[i];
    }
}

static void stage_close(stage* s)
{
    wadi_parcel_level_destroy(s->level);
    wadi_terrain_destroy(s->terrain);
    free(s->wear);
    free(s->deposit);
    fixture_close(&s->f);
}

static int64_t cell_of(const stage* s, int32_t x, int32_t y)
{
    return (int64_t)y * s->ground->width + x;
}

static double flat_at(int32_t x, int32_t y)
{
    (void)x;
    (void)y;
    return 0.0;
}

// ---- where a parcel goes ------------------------------------------------------------------------

// All cells hold their ground, erode nothing and deposit everything.
static void let_all_hold(stage* s)
{
    for (int64_t i = 0; i < s->ground->cells; ++i)
    {
        s->level->route[i] = parcel_route_make(PARCEL_HOLD, PARCEL_HOLD, 0);
        s->level->pick[i] = 0;
        s->level->cap[i] = INT32_MAX / 2;
        s->level->settle[i] = 1.0f;
    }
}

static void a_split_shares_water_and_load_alike(void** state)
{
    (void)state;
    enum
    {
        LOAD = 1024000,
        WATER = 5120,
        SHARE = 64 // of 256, to the second neighbour
    };
    stage s;
    stage_open(&s, 9, 9, WADI_EDGE_CLOSED);
    stage_begin(&s, flat_at);
    let_all_hold(&s);
    const int64_t from = cell_of(&s, 4, 4);
    s.level->route[from] = parcel_route_make(0, 1, SHARE); // east and south-east
    s.level->settle[from] = 0.0f;
    wadi_parcel_walk_wait(s.level, from, WATER, LOAD);
    wadi_parcel_walk(s.level, false);
    assert_int_equal(s.deposit[cell_of(&s, 5, 4)], LOAD / 4 * 3);
    assert_int_equal(s.deposit[cell_of(&s, 5, 5)], LOAD / 4);
    assert_int_equal((int)s.level->flow[cell_of(&s, 5, 4)], WATER / 4 * 3);
    assert_int_equal((int)s.level->flow[cell_of(&s, 5, 5)], WATER / 4);
    assert_int_equal(s.ground->loose[0][cell_of(&s, 5, 4)], LOAD / 4 * 3);
    assert_int_equal(s.deposit[from], 0);
    stage_close(&s);
}

static void a_visit_lays_down_its_share_and_takes_what_the_bed_gives(void** state)
{
    (void)state;
    enum
    {
        LOAD = 1000000,
        PICK = 12345,
        CAP = 300
    };
    stage s;
    stage_open(&s, 9, 9, WADI_EDGE_CLOSED);
    stage_begin(&s, flat_at);
    let_all_hold(&s);
    const int64_t from = cell_of(&s, 2, 4);
    s.level->route[from] = parcel_route_make(0, 0, 0);
    s.level->settle[from] = 0.25f;
    s.level->pick[from] = PICK;
    const int64_t next = cell_of(&s, 3, 4);
    s.level->route[next] = parcel_route_make(0, 0, 0);
    s.level->cap[next] = CAP;
    wadi_parcel_walk_wait(s.level, from, 64, LOAD);
    wadi_parcel_walk(s.level, false);
    assert_int_equal(s.deposit[from], LOAD / 4);
    assert_int_equal(s.wear[from], PICK);
    assert_int_equal(s.deposit[next], CAP);
    assert_int_equal(s.deposit[cell_of(&s, 4, 4)], LOAD - LOAD / 4 + PICK - CAP);

    // taken before, hence from rock; the ledger agrees
    assert_int_equal(s.ground->bedrock[from], -PICK);
    assert_int_equal(s.level->tally.eroded[WADI_MATERIAL_ROCK], PICK);
    assert_int_equal(s.level->tally.deposited[WADI_MATERIAL_SEDIMENT], LOAD + PICK);
    stage_close(&s);
}

// All cells pass their load on in one direction.
static void let_all_pass(stage* s, int32_t direction)
{
    let_all_hold(s);
    for (int64_t i = 0; i < s->ground->cells; ++i)
    {
        s->level->route[i] = parcel_route_make(direction, direction, 0);
        s->level->settle[i] = 0.0f;
    }
}

// A parcel starts next to a border and ends three cells further, beyond it.
static void check_crossing(int32_t direction, int32_t rim_low, int32_t rim_high)
{
    enum
    {
        SIDE = PARCEL_TILE + 20
    };
    stage s;
    stage_open(&s, SIDE, SIDE, WADI_EDGE_PERIODIC);
    stage_begin(&s, flat_at);
    let_all_pass(&s, direction);
    const int32_t dx = parcel_dx[direction];
    const int32_t dy = parcel_dy[direction];
    const int32_t x = dx > 0 ? rim_high : dx < 0 ? rim_low : 7;
    const int32_t y = dy > 0 ? rim_high : dy < 0 ? rim_low : 7;
    const int64_t end = cell_of(&s, (x + 3 * dx + SIDE) % SIDE, (y + 3 * dy + SIDE) % SIDE);
    s.level->route[end] = parcel_route_make(PARCEL_HOLD, PARCEL_HOLD, 0);
    s.level->settle[end] = 1.0f;
    wadi_parcel_walk_wait(s.level, cell_of(&s, x, y), 64, 5000);
    wadi_parcel_walk(s.level, false);
    wadi_parcel_walk(s.level, false);
    assert_int_equal(s.deposit[end], 5000);
    assert_int_equal((int)s.level->flow[end], 64);
    stage_close(&s);
}

// Parcels that cross the border of a tile, or a periodic edge, are queued there and continue.
static void parcels_cross_tiles_and_periodic_edges(void** state)
{
    (void)state;
    for (int32_t direction = 0; direction < 8; ++direction)
    {
        check_crossing(direction, PARCEL_TILE, PARCEL_TILE - 1);
        check_crossing(direction, 0, PARCEL_TILE + 19);
    }
}

// ---- routes and rates ---------------------------------------------------------------------------

static double plane_east; // slope to the east and to the south [m/m]
static double plane_south;

static double plane_at(int32_t x, int32_t y)
{
    return 1000.0 - 10.0 * (plane_east * x + plane_south * y);
}

// The middle of a plane: its route, erosion of the bed, share of the load that settles.
typedef struct middle
{
    parcel_route route;
    double pick;
    double settle;
    double cap;
} middle;

static middle middle_of(stage* s, double flow, double before, float mean_rate)
{
    const int64_t cell = cell_of(s, 8, 8);
    for (int64_t i = 0; i < s->ground->cells; ++i)
    {
        s->level->flow[i] = (float)flow;
        s->level->discharge[i] = (float)before;
    }
    wadi_parcel_routes(s->level, mean_rate, 1);
    return (middle){s->level->route[cell], s->level->pick[cell], (double)s->level->settle[cell],
                    s->level->cap[cell]};
}

static void planes_drain_down_their_gradient(void** state)
{
    (void)state;
    for (int32_t step = 0; step < 32; ++step)
    {
        // angle of the routes: clockwise from east, y to the south
        const double angle = 2.0 * PI * step / 32.0;
        plane_east = 0.2 * cos(angle);
        plane_south = 0.2 * sin(angle);
        stage s;
        stage_open(&s, 17, 17, WADI_EDGE_CLOSED);
        stage_begin(&s, plane_at);
        const middle m = middle_of(&s, 64.0, 64.0, 0.0f);
        const int32_t octant = step / 4;
        const int32_t within = step % 4; // quarters of 45 degrees
        const int32_t a = m.route & 15;
        const int32_t b = m.route >> 4 & 15;
        if (within == 0)
        {
            assert_int_equal(a, octant);
            assert_int_equal(b, octant);
        }
        else
        {
            const int32_t axis = octant % 2 == 0 ? octant : (octant + 1) % 8;
            const int32_t diagonal = octant % 2 == 0 ? octant + 1 : octant;
            const double off =
                octant % 2 == 0 ? within : 4 - within; // from the axis, in the same quarters
            assert_int_equal(a, axis);
            assert_int_equal(b, diagonal);
            CHECK_NEAR(m.route >> 8, 256.0 * tan(off * PI / 16.0), 1.01);
        }
        stage_close(&s);
    }
}

// E = K q^m S^n on planes of all azimuths: the slope is the plane's own.
static void rock_goes_by_stream_power(void** state)
{
    (void)state;
    static const double exponents[][2] = {{0.5, 1.0}, {0.8, 1.0}, {0.6, 1.4}};
    for (int32_t step = 0; step < 16; ++step)
    {
        const double slope = 0.3;
        const double q = 640.0; // [weights]
        plane_east = slope * cos(2.0 * PI * step / 16.0);
        plane_south = slope * sin(2.0 * PI * step / 16.0);
        stage s;
        stage_open(&s, 17, 17, WADI_EDGE_CLOSED);
        s.params.erodibility = 2e-3;
        s.params.discharge_exponent = exponents[step % 3][0];
        s.params.slope_exponent = exponents[step % 3][1];
        s.params.rain = 0.7;
        stage_begin(&s, plane_at);
        s.level->dt = 5.0;
        const middle m = middle_of(&s, q, q, 0.3f);
        const double m3 = q / PARCEL_WEIGHT * 0.7 * 100.0; // rain on cells of 10 m [m3/yr]
        const double metres =
            5.0 * 2e-3 * pow(m3, exponents[step % 3][0]) * pow(slope, exponents[step % 3][1]);
        const double steepest = fmax(fabs(plane_east), fabs(plane_south));
        const double most = 10.0 * fmax(steepest, fabs(plane_east) + fabs(plane_south));
        const double limit = s.params.incision_limit * most;
        const double expected = limit * (1.0 - exp(-metres / limit));
        CHECK_NEAR(m.pick / WADI_UNITS_PER_METRE, expected, 1e-3 * expected);
        CHECK_NEAR(m.settle, 1.0 - exp(-s.params.settling * PARCEL_WEIGHT / q), 1e-5);
        CHECK_NEAR(m.cap / WADI_UNITS_PER_METRE, 0.25 * most, 1e-3);
        stage_close(&s);
    }
}

static void discharge_is_a_running_mean(void** state)
{
    (void)state;
    plane_east = 0.1;
    plane_south = 0.0;
    stage s;
    stage_open(&s, 17, 17, WADI_EDGE_CLOSED);
    stage_begin(&s, plane_at);
    (void)middle_of(&s, 1000.0, 200.0, 0.3f);
    CHECK_NEAR((double)s.level->discharge[cell_of(&s, 8, 8)], 200.0 + 0.3 * 800.0, 1e-2);
    stage_close(&s);
}

// Loose matter erodes at its own rate; rock gets the rest of the time.
static void loose_matter_goes_first_and_faster(void** state)
{
    (void)state;
    plane_east = 0.5;
    plane_south = 0.0;
    for (int32_t sand = 0; sand <= 4; ++sand)
    {
        stage s;
        stage_open(&s, 17, 17, WADI_EDGE_CLOSED);
        s.params.erodibility = 1e-4;
        s.params.sediment_erodibility = 4.0;
        const int32_t have = sand * 60; // [units]
        for (int64_t i = 0; i < s.ground->cells; ++i)
        {
            s.ground->loose[0][i] = have;
        }
        stage_begin(&s, plane_at);
        s.level->dt = 1.0;
        const double q = 64.0;
        const middle m = middle_of(&s, q, q, 0.3f);
        const double rock = 1e-4 * pow(100.0, s.params.discharge_exponent) * 0.5 * 65536.0;
        const double limit = s.params.incision_limit * 5.0 * 65536.0 + 1.0;
        const double from_rock = limit * (1.0 - exp(-rock / limit));
        const double from_loose = limit * (1.0 - exp(-4.0 * rock / limit));
        const double expected =
            have < from_loose ? have + (1.0 - have / from_loose) * from_rock : from_loose;
        CHECK_NEAR(m.pick, expected, 2.0);
        stage_close(&s);
    }
}

// Under standing water nothing erodes, and loads settle at another rate.
static void still_water_settles_and_does_not_erode(void** state)
{
    (void)state;
    plane_east = 0.1;
    plane_south = 0.0;
    stage s;
    stage_open(&s, 17, 17, WADI_EDGE_CLOSED);
    s.params.erodibility = 1e-3;
    s.params.settling = 2.0;
    s.params.lake_settling = 30.0;
    stage_begin(&s, plane_at);
    s.level->dt = 1.0;
    const int64_t padded = parcel_padded_index(s.level, 8, 8);
    s.level->route_surface[padded] += 6553; // a tenth of a metre of water
    const middle m = middle_of(&s, 6400.0, 6400.0, 0.3f);
    assert_int_equal(s.level->wet[cell_of(&s, 8, 8)], 1);
    CHECK_NEAR(m.pick, 0.0, 0.0);
    CHECK_NEAR(m.settle, 1.0 - exp(-30.0 * 64.0 / 6400.0), 1e-5);
    CHECK_NEAR(m.cap, 0.5 * 6553.0, 1.0);
    stage_close(&s);
}

// ---- slopes -------------------------------------------------------------------------------------

enum
{
    WAVE = 32 // cells
};
static int32_t wave_x; // waves across the grid in each direction
static int32_t wave_y;

static double wave_at(int32_t x, int32_t y)
{
    return 10.0 * sin(2.0 * PI * (wave_x * x + wave_y * y) / WAVE);
}

// h_t = D laplace h: a sine keeps its shape and decays as exp(-D k^2 t).
static void creep_is_diffusion(void** state)
{
    (void)state;
    static const int32_t waves[][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (size_t i = 0; i < sizeof waves / sizeof waves[0]; ++i)
    {
        wave_x = waves[i][0];
        wave_y = waves[i][1];
        stage s;
        stage_open(&s, WAVE, WAVE, WADI_EDGE_PERIODIC);
        s.params.creep = 0.5;
        s.params.critical_slope = 10.0;
        s.params.repose = 80.0;
        stage_begin(&s, wave_at);
        s.level->dt = 500.0;
        wadi_parcel_slopes(s.level);
        const double k = 2.0 * PI / (WAVE * 10.0);
        const double square = k * k * (wave_x * wave_x + wave_y * wave_y);
        double along = 0.0;
        for (int64_t c = 0; c < s.ground->cells; ++c)
        {
            const double h = (double)wadi_ground_surface(s.ground, c) / WADI_UNITS_PER_METRE;
            along += h * wave_at((int32_t)(c % WAVE), (int32_t)(c / WAVE)) / 50.0;
        }
        const double shrunk = along / (double)s.ground->cells;
        CHECK_NEAR(log(shrunk), -0.5 * square * 500.0, 0.01 * 0.5 * square * 500.0);
        stage_close(&s);
    }
}

// Near the critical slope creep is faster by 1 / (1 - (S / S_c)^2), on planes of any azimuth.
static void creep_grows_towards_the_critical_slope(void** state)
{
    (void)state;
    enum
    {
        SIDE = 16
    };
    for (int32_t step = 0; step < 8; ++step)
    {
        plane_east = 0.6 * cos(PI * step / 4.0 + 0.3);
        plane_south = 0.6 * sin(PI * step / 4.0 + 0.3);
        stage s;
        stage_open(&s, SIDE, SIDE, WADI_EDGE_CLOSED);
        stage_begin(&s, plane_at);
        const int64_t row = parcel_padded_index(s.level, 0, SIDE / 2);
        const parcel_creep_row creep = {.surface = s.level->surface + row,
                                        .stride = s.level->stride,
                                        .count = SIDE,
                                        .steepness =
                                            (float)(1.0 / (0.85 * 10.0 * WADI_UNITS_PER_METRE)),
                                        .ease = s.level->ease + row};
        parcel_kernels_of(WADI_ISA_BASE)->creep_ease(&creep);
        const double share = 0.6 / 0.85;
        CHECK_NEAR((double)s.level->ease[row + SIDE / 2], 1.0 / (1.0 - share * share), 1e-3);
        stage_close(&s);
    }
}

// Land at 30 degrees is stable while mud under water slides at the same slope; nothing slides over
// the edge, which is the base level.
static void only_what_is_under_water_slides_at_its_repose(void** state)
{
    (void)state;
    enum
    {
        SIDE = 24
    };
    plane_east = 0.0;
    plane_south = 0.57;
    stage s;
    stage_open(&s, SIDE, SIDE, WADI_EDGE_OPEN);
    s.params.creep = 0.0;
    s.params.repose = 35.0;
    s.params.lake_repose = 5.0;
    for (int64_t i = 0; i < s.ground->cells; ++i)
    {
        s.ground->loose[0][i] = WADI_UNITS_PER_METRE;
    }
    stage_begin(&s, plane_at);
    for (int32_t x = 0; x < SIDE; ++x)
    {
        s.level->wet[cell_of(&s, x, SIDE / 2)] = 1;
    }
    wadi_parcel_slopes(s.level);
    assert_true(s.ground->loose[0][cell_of(&s, 8, SIDE / 2)] < WADI_UNITS_PER_METRE - 1000);
    for (int32_t x = 0; x < SIDE; ++x)
    {
        assert_int_equal(s.ground->loose[0][cell_of(&s, x, 4)], WADI_UNITS_PER_METRE);
        assert_int_equal(s.ground->loose[0][cell_of(&s, x, SIDE - 1)], WADI_UNITS_PER_METRE);
        assert_true(s.deposit[cell_of(&s, x, SIDE / 2 + 1)] > 1000);
    }
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        assert_int_equal(s.level->tally.out[WADI_MATERIAL_SEDIMENT][side], 0);
    }
    stage_close(&s);

    // steeper than any angle of repose: still no export
    plane_south = 1.5;
    stage_open(&s, SIDE, SIDE, WADI_EDGE_OPEN);
    s.params.creep = 0.0;
    stage_begin(&s, plane_at);
    for (int i = 0; i < 20; ++i)
    {
        wadi_parcel_slopes(s.level);
    }
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        assert_int_equal(s.level->tally.out[WADI_MATERIAL_SEDIMENT][side], 0);
    }
    stage_close(&s);
}

// ---- the sink -----------------------------------------------------------------------------------

static double bowl_at(int32_t x, int32_t y)
{
    return 0.5 * ((x - 8) * (x - 8) + (y - 8) * (y - 8));
}

// The load that reaches the lowest cell of a closed world fills it to a level surface, to the unit.
static void the_sink_fills_to_a_level(void** state)
{
    (void)state;
    const int64_t load = (int64_t)40 * WADI_UNITS_PER_METRE + 7;
    stage s;
    stage_open(&s, 17, 17, WADI_EDGE_CLOSED);
    stage_begin(&s, bowl_at);
    s.level->sink = cell_of(&s, 8, 8);
    wadi_parcel_walk_wait(s.level, s.level->sink, 0, load);
    wadi_parcel_sink_pour(s.level);
    int64_t laid = 0;
    int32_t low = INT32_MAX;
    int32_t high = INT32_MIN;
    int32_t highest_shore = INT32_MAX;
    for (int64_t i = 0; i < s.ground->cells; ++i)
    {
        const int32_t h = wadi_ground_surface(s.ground, i);
        laid += s.ground->loose[0][i];
        if (s.ground->loose[0][i] > 0)
        {
            low = h < low ? h : low;
            high = h > high ? h : high;
        }
        else
        {
            highest_shore = h < highest_shore ? h : highest_shore;
        }
    }
    assert_int_equal(laid, load);
    assert_int_equal(s.level->tally.deposited[WADI_MATERIAL_SEDIMENT], load);
    assert_true(high - low <= 1);
    assert_true(highest_shore >= low);
    stage_close(&s);
}

// ---- the whole process --------------------------------------------------------------------------

static int32_t fall_side;

static double fall_at(int32_t x, int32_t y)
{
    const int32_t along[4] = {y, 47 - x, 47 - y, x}; // cells from the open side
    return 2.0 * along[fall_side] + 0.01 * ((x * 7 + y * 13) % 5);
}

static double out_of(const wadi_terrain* terrain, const char* material, int side)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    for (int32_t i = 0; i < count; ++i)
    {
        if (strcmp(rows[i].material, material) == 0)
        {
            return rows[i].out[side];
        }
    }
    return 0.0;
}

// Land that slopes to one open side exports its water and sediment there only. Maps of wear and
// deposition sum to the change of the ground.
static void water_and_load_leave_where_the_land_falls(void** state)
{
    (void)state;
    for (fall_side = 0; fall_side < 4; ++fall_side)
    {
        stage s;
        stage_open(&s, 48, 48, WADI_EDGE_CLOSED);
        s.ground->edges[fall_side] = WADI_EDGE_OPEN;
        s.params.erodibility = 1e-3;
        s.params.batches = 20;
        stage_begin(&s, fall_at);
        wadi_parcel_level_destroy(s.level);
        s.level = NULL;
        wadi_terrain_changed(s.terrain);
        int32_t before[48 * 48];
        memcpy(before, s.ground->bedrock, sizeof before);
        wadi_solver* solver = NULL;
        CHECK_OK(s.f.context,
                 wadi_solver_create(s.terrain, &wadi_hydraulic_process, &s.params, 0, &solver));
        CHECK_OK(s.f.context, wadi_solver_advance(solver, 100.0));
        static float wear[48 * 48];
        static float deposit[48 * 48];
        CHECK_OK(s.f.context, wadi_solver_map(solver, "wear", wear));
        CHECK_OK(s.f.context, wadi_solver_map(solver, "deposit", deposit));
        wadi_solver_destroy(solver);
        double worn = 0.0;
        for (int32_t i = 0; i < 48 * 48; ++i)
        {
            const double change = (double)(wadi_ground_surface(s.ground, i) - before[i]);
            CHECK_NEAR((double)deposit[i] - (double)wear[i], change / WADI_UNITS_PER_METRE, 1e-4);
            worn -= change / WADI_UNITS_PER_METRE * 100.0;
        }
        for (int side = 0; side < WADI_SIDE_COUNT; ++side)
        {
            const double load = out_of(s.terrain, "sediment", side);
            const double water = out_of(s.terrain, "water", side);
            CHECK_NEAR(load, side == fall_side ? worn : 0.0, 1e-3 * worn);
            const double rain = 1.0 * 100.0 * 48.0 * 48.0 * 100.0; // 1 m a year, on cells of 100 m2
            CHECK_NEAR(water, side == fall_side ? rain : 0.0, 0.02 * rain);
        }
        assert_true(worn > 1000.0);
        stage_close(&s);
    }
}

// A tank with vertical walls loses evaporation x time, for any area.
static double tank_at(int32_t x, int32_t y)
{
    return x >= 6 && x < 14 && y >= 5 && y < 15 ? 0.0 : 20.0;
}

static void a_tank_dries_at_the_rate_of_evaporation(void** state)
{
    (void)state;
    stage s;
    stage_open(&s, 20, 20, WADI_EDGE_OPEN);
    s.params.rain = 1e-9;
    s.params.erodibility = 0.0;
    s.params.creep = 0.0;
    s.params.repose = 80.0;
    s.params.lake_evaporation = 0.5;
    s.params.batches = 10;
    stage_begin(&s, tank_at);
    wadi_parcel_level_destroy(s.level);
    s.level = NULL;
    wadi_terrain_changed(s.terrain);
    CHECK_OK(s.f.context, wadi_terrain_fill_layer(s.terrain, WADI_LAYER_HARDNESS, 1.0));
    static float water[400];
    for (int32_t i = 0; i < 400; ++i)
    {
        water[i] = tank_at(i % 20, i / 20) < 1.0 ? 8.0f : 0.0f;
    }
    CHECK_OK(s.f.context, wadi_terrain_set_layer(s.terrain, WADI_LAYER_WATER, water, 20));
    wadi_solver* solver = NULL;
    CHECK_OK(s.f.context,
             wadi_solver_create(s.terrain, &wadi_hydraulic_process, &s.params, 0, &solver));
    CHECK_OK(s.f.context, wadi_solver_advance(solver, 6.0));
    wadi_solver_destroy(solver);
    for (int32_t y = 5; y < 15; ++y)
    {
        for (int32_t x = 6; x < 14; ++x)
        {
            const double depth = wadi_terrain_units(s.terrain, WADI_LAYER_WATER, x, y) / 65536.0;
            CHECK_NEAR(depth, 8.0 - 0.5 * 6.0, 0.01);
        }
    }
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger(s.terrain, rows, WADI_MAX_MATERIALS);
    CHECK_NEAR(rows[WADI_MATERIAL_WATER].lost, 0.5 * 6.0 * 80.0 * 100.0, 10.0);
    assert_int_equal(rows[WADI_MATERIAL_WATER].residual_units, 0);
    stage_close(&s);
}

// A map with all rain on one cell: only the cells downstream get water.
static void rain_follows_its_map(void** state)
{
    (void)state;
    fall_side = WADI_SIDE_EAST;
    stage s;
    stage_open(&s, 48, 48, WADI_EDGE_CLOSED);
    s.ground->edges[WADI_SIDE_EAST] = WADI_EDGE_OPEN;
    s.params.erodibility = 0.0;
    s.params.creep = 0.0;
    s.params.batches = 10;
    plane_east = 0.1;
    plane_south = 0.0;
    stage_begin(&s, plane_at);
    wadi_parcel_level_destroy(s.level);
    s.level = NULL;
    wadi_terrain_changed(s.terrain);
    wadi_solver* solver = NULL;
    CHECK_OK(s.f.context,
             wadi_solver_create(s.terrain, &wadi_hydraulic_process, &s.params, 0, &solver));
    static float rain[48 * 48];
    rain[20 * 48 + 10] = 3.0f;
    CHECK_OK(s.f.context, wadi_solver_set_map(solver, "rain", rain));
    CHECK_OK(s.f.context, wadi_solver_advance(solver, 10.0));
    static float flow[48 * 48];
    CHECK_OK(s.f.context, wadi_solver_map(solver, "discharge", flow));
    wadi_solver_destroy(solver);
    for (int32_t i = 0; i < 48 * 48; ++i)
    {
        const bool below = i / 48 == 20 && i % 48 >= 10;
        const double expected = below ? 3.0 * 100.0 : 0.0; // [m3/yr]
        CHECK_NEAR((double)flow[i] * 31557600.0, expected, 3.0);
    }
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_split_shares_water_and_load_alike),
        cmocka_unit_test(a_visit_lays_down_its_share_and_takes_what_the_bed_gives),
        cmocka_unit_test(parcels_cross_tiles_and_periodic_edges),
        cmocka_unit_test(planes_drain_down_their_gradient),
        cmocka_unit_test(rock_goes_by_stream_power),
        cmocka_unit_test(discharge_is_a_running_mean),
        cmocka_unit_test(loose_matter_goes_first_and_faster),
        cmocka_unit_test(still_water_settles_and_does_not_erode),
        cmocka_unit_test(creep_is_diffusion),
        cmocka_unit_test(creep_grows_towards_the_critical_slope),
        cmocka_unit_test(only_what_is_under_water_slides_at_its_repose),
        cmocka_unit_test(the_sink_fills_to_a_level),
        cmocka_unit_test(water_and_load_leave_where_the_land_falls),
        cmocka_unit_test(a_tank_dries_at_the_rate_of_evaporation),
        cmocka_unit_test(rain_follows_its_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
