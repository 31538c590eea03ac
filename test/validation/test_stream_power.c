// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 4
// The model "stream_power" against the analytic answers of its equations: slopes at steady state
// under uplift, the time in which a fall of the base level travels up a stream, and the error of
// its steps and cells.
#include "support/fixture.h"

#include <wadi/hydraulic.h>

#include <stdlib.h>

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

// Only the south edge is open.
static wadi_terrain* land(fixture* f, int32_t width, int32_t height, double cell)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = width;
    def.height = height;
    def.cell_size = cell;
    def.edges[WADI_SIDE_NORTH] = WADI_EDGE_CLOSED;
    def.edges[WADI_SIDE_EAST] = WADI_EDGE_CLOSED;
    def.edges[WADI_SIDE_WEST] = WADI_EDGE_CLOSED;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    return terrain;
}

static double height_at(const wadi_terrain* terrain, int32_t x, int32_t y)
{
    return fixture_metres(terrain, WADI_LAYER_SURFACE, x, y);
}

// Raise all rows but the last one.
static void raise_land(wadi_terrain* terrain, double by)
{
    enum
    {
        MOST = 2048
    };
    float heights[MOST];
    const int32_t width = wadi_terrain_width(terrain);
    const int32_t height = wadi_terrain_height(terrain);
    assert_true(width * height <= MOST);
    for (int32_t i = 0; i < width * height; ++i)
    {
        const double rise = i / width < height - 1 ? by : 0.0;
        heights[i] = (float)(height_at(terrain, i % width, i / width) + rise);
    }
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, width));
}

// K q (q + q_c)^(m-1), the speed at which waves travel up a stream [m/yr].
static double celerity(const wadi_hydraulic_params* p, double q)
{
    return p->erodibility * q * pow(q + p->channel_head, p->discharge_exponent - 1.0);
}

// ---- steady state --------------------------------------------------------------------------

#define UPLIFT 5e-4 // [m/yr]
#define CELL 50.0

static double slope_at_rest(const wadi_hydraulic_params* p, double q)
{
    return UPLIFT * (1.0 + p->settling) / celerity(p, q);
}

// Raise the land and let it wear, by turns.
static void live(wadi_terrain* terrain, const wadi_hydraulic_params* params, double years)
{
    const double step = params->max_step;
    wadi_solver* solver = solver_on(terrain, params);
    for (int i = 0; i < (int)(years / step + 0.5); ++i)
    {
        raise_land(terrain, UPLIFT * step);
        CHECK_OK(wadi_terrain_context(terrain), wadi_solver_advance(solver, step));
        CHECK_OK(wadi_terrain_context(terrain), wadi_terrain_advance_clock(terrain, step));
    }
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
}

enum
{
    REACH = 40
};

// Largest error of the slopes of a stream in one line of cells. Each step first wears what has been
// raised and then lays down, and the outlet does neither, so the fall to it is higher by G U dt.
static double line_error(double settling, double step, double years)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = land(&f, 1, REACH, CELL);
    wadi_hydraulic_params params = preset(f.context);
    params.settling = settling;
    params.outside_slope = 1000.0;
    params.max_step = step;
    live(terrain, &params, years);
    double most = 0.0;
    for (int32_t y = 0; y < REACH - 1; ++y)
    {
        const double q = params.rain * CELL * CELL * (y + 1);
        const double late = y == REACH - 2 ? settling * UPLIFT * step : 0.0;
        const double fall = CELL * slope_at_rest(&params, q) + late;
        const double drop = height_at(terrain, 0, y) - height_at(terrain, 0, y + 1);
        most = fmax(most, fabs(drop / fall - 1.0));
    }
    assert_true(height_at(terrain, 0, REACH - 1) == 0.0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return most;
}

static void slopes_at_steady_state(void** state)
{
    (void)state;
    static const double settlings[] = {0.0, 1.0, 3.0};
    static const double steps[] = {2000.0, 8000.0};
    for (int i = 0; i < 6; ++i)
    {
        const double error = line_error(settlings[i / 2], steps[i % 2], 16e6);
        print_message("G %g, steps of %g years: slopes differ by %.2g at most\n", settlings[i / 2],
                      steps[i % 2], error);
        assert_true(error < 1e-3);
    }
}

enum
{
    WIDE = 40,
    LONG = 30
};

// The error of the fall to the neighbour that comes nearest to the slope at rest.
static double receiver_error(const wadi_terrain* terrain, const wadi_hydraulic_params* params,
                             double q, int32_t x, int32_t y)
{
    double least = (double)INFINITY;
    for (int32_t k = 0; k < 9; ++k)
    {
        const int32_t to_x = x + k % 3 - 1;
        const int32_t to_y = y + k / 3 - 1;
        if (k == 4 || to_x < 0 || to_y < 0 || to_x >= WIDE)
        {
            continue;
        }
        const double length = CELL * (k % 2 != 0 ? 1.0 : sqrt(2.0));
        const double late = to_y == LONG - 1 ? params->settling * UPLIFT * params->max_step : 0.0;
        const double drop = height_at(terrain, x, y) - height_at(terrain, to_x, to_y) - late;
        least = fmin(least, fabs(drop / length / slope_at_rest(params, q) - 1.0));
    }
    return least;
}

// Streams that join come to the slope that their discharge needs, and all that is raised leaves.
// Some cells on divides change their receivers for ever, and those below them differ.
static void a_land_at_steady_state(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = land(&f, WIDE, LONG, CELL);
        fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 1.0, 5);
        wadi_hydraulic_params params = preset(f.context);
        params.settling = i;
        params.outside_slope = 1000.0;
        params.max_step = 4000.0;
        live(terrain, &params, 12e6);
        const double before =
            fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).out[WADI_SIDE_SOUTH];
        raise_land(terrain, UPLIFT * params.max_step);
        wadi_solver* solver = solver_on(terrain, &params);
        CHECK_OK(f.context, wadi_solver_advance(solver, params.max_step));
        const double out =
            fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).out[WADI_SIDE_SOUTH] - before;
        static float flow[WIDE * LONG];
        CHECK_OK(f.context, wadi_solver_map(solver, "flow", flow));
        double most = 0.0;
        int32_t good = 0;
        for (int32_t c = 0; c < WIDE * (LONG - 1); ++c)
        {
            const double q = params.rain * (double)flow[c];
            const double error = receiver_error(terrain, &params, q, c % WIDE, c / WIDE);
            good += error < 1e-3 ? 1 : 0;
            most = fmax(most, error);
        }
        const double raised = UPLIFT * params.max_step * CELL * CELL * WIDE * (LONG - 1);
        print_message("G %d: slopes of %d cells of %d differ by less than 0.001, of the others by "
                      "%.2g at most; the load by %.2g\n",
                      i, good, WIDE * (LONG - 1), most, out / raised - 1.0);
        assert_true(good > 0.97 * WIDE * (LONG - 1));
        assert_true(most < 0.15);
        assert_true(fabs(out / raised - 1.0) < 1e-3);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// ---- knickpoints ---------------------------------------------------------------------------

enum
{
    RIVER = 60,
    FROM = 10 // rain falls above, and is the same from here on
};

#define STEP_HEIGHT 64.0

// A table of rock, STEP_HEIGHT above its outlet, is cut by a wave that travels upstream at
// K q^m (Whipple & Tucker 1999). The implicit step smears it, but each cell still falls at the
// sum of length / celerity below it, in the mean. Returns the largest error of that time.
static double arrival_error(double step)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = land(&f, 1, RIVER, CELL);
    wadi_hydraulic_params params = preset(f.context);
    params.settling = 0.0;
    params.channel_head = 1.0; // q_c far below q: K q^m
    params.outside_slope = 1000.0;
    params.max_step = step;
    raise_land(terrain, STEP_HEIGHT);
    wadi_solver* solver = solver_on(terrain, &params);
    double mean[RIVER] = {0.0}; // time of the fall [yr]
    for (double year = 0.0; year < 800e3; year += step)
    {
        // the height that is left counts up to the end of the step in which it is lost
        CHECK_OK(f.context, wadi_solver_advance(solver, step));
        for (int32_t y = 0; y < RIVER; ++y)
        {
            mean[y] += step * height_at(terrain, 0, y) / STEP_HEIGHT;
        }
    }
    double most = 0.0;
    double expected = 0.0;
    for (int32_t y = RIVER - 2; y >= FROM; --y)
    {
        const double q = params.rain * CELL * CELL * (y + 1);
        expected += CELL / (params.erodibility * pow(q, params.discharge_exponent));
        most = fmax(most, fabs(mean[y] / expected - 1.0));
    }
    print_message("steps of %g years: the wave comes after %.0f years, expected %.0f, and differs "
                  "by %.2g at most\n",
                  step, mean[FROM], expected, most);
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return most;
}

static void a_knickpoint_travels_at_the_celerity(void** state)
{
    (void)state;
    assert_true(arrival_error(200.0) < 2e-3);
    assert_true(arrival_error(4000.0) < 2e-3);
}

// ---- errors of steps and cells -------------------------------------------------------------

enum
{
    SIDE = 128,
    MOST_CELLS = SIDE * SIDE
};

// Lowering of the land, in the mean of cells that are lowered [m].
static double wear_of(uint64_t seed, int32_t side, double cell, double step, double years)
{
    static float heights[MOST_CELLS];
    static float fine[MOST_CELLS];
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, side, side, cell, WADI_EDGE_OPEN);
    const wadi_noise_params noise = wadi_noise_params_default();
    const int32_t block = SIDE / side;
    CHECK_OK(f.context, wadi_noise_fill(f.context, &noise, seed, SIDE, SIDE, cell / block, fine));
    memset(heights, 0, sizeof heights);
    for (int32_t i = 0; i < MOST_CELLS; ++i)
    {
        heights[i / SIDE / block * side + i % SIDE / block] += fine[i] / (float)(block * block);
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, side));
    wadi_hydraulic_params params = preset(f.context);
    params.max_step = step;
    wadi_solver* solver = solver_on(terrain, &params);
    CHECK_OK(f.context, wadi_solver_advance(solver, years));
    double lowered = 0.0;
    for (int32_t i = 0; i < side * side; ++i)
    {
        lowered += fmax((double)heights[i] - height_at(terrain, i % side, i / side), 0.0);
    }
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return lowered / (side * side);
}

static void half_the_step_changes_little(void** state)
{
    (void)state;
    static const double steps[] = {4000.0, 1000.0};
    for (int i = 0; i < 2; ++i)
    {
        for (uint64_t seed = 1; seed <= 3; ++seed)
        {
            const double years = i == 0 ? 200e3 : 60e3;
            const double whole = wear_of(seed, SIDE, 30.0, steps[i], years);
            const double half = wear_of(seed, SIDE, 30.0, 0.5 * steps[i], years);
            print_message("half of %g years: wear of %.2f m changes by %.2f %%\n", steps[i], whole,
                          100.0 * (half / whole - 1.0));
            assert_true(whole > 1.0);
            assert_true(fabs(half / whole - 1.0) < 0.02);
        }
    }
}

// Streams do not depend on the cells. On slopes, where no ways join yet, a cell twice as wide has
// twice the water, and wear for each area is linear in it below q_c. Measured: 1.52 to 1.59.
static void cells_twice_as_wide_wear_slopes_more(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; ++seed)
    {
        const double fine = wear_of(seed, SIDE, 30.0, 1000.0, 60e3);
        const double wide = wear_of(seed, SIDE / 2, 60.0, 1000.0, 60e3);
        print_message("cells of 60 m: wear of %.2f m, on cells of 30 m %.2f m\n", wide, fine);
        assert_true(wide > fine);
        assert_true(wide < 1.7 * fine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_at_steady_state),
        cmocka_unit_test(a_land_at_steady_state),
        cmocka_unit_test(a_knickpoint_travels_at_the_celerity),
        cmocka_unit_test(half_the_step_changes_little),
        cmocka_unit_test(cells_twice_as_wide_wear_slopes_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
