// SPDX-License-Identifier: MIT
// The stages of the model "streams" one by one against closed forms: creep, routes, deposition,
// hardness, lakes, valley floors and corners.
#include "support/fixture.h"

#include <stdlib.h>

typedef struct world
{
    fixture f;
    wadi_terrain* terrain;
    wadi_hydraulic_params params;
    wadi_solver* solver;
    int32_t width;
    int32_t height;
} world;

typedef double shape(int32_t x, int32_t y);

static const wadi_edge all_periodic[4] = {WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC,
                                          WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC};
static const wadi_edge south_open[4] = {WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_OPEN,
                                        WADI_EDGE_CLOSED};

// Nothing happens but what a test sets in `params`.
static void world_open(world* w, int32_t width, int32_t height, double cell, const wadi_edge* edges,
                       shape* of)
{
    fixture_open(&w->f, 2);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = w->width = width;
    def.height = w->height = height;
    def.cell_size = cell;
    memcpy(def.edges, edges, sizeof def.edges);
    CHECK_OK(w->f.context, wadi_terrain_create(w->f.context, &def, &w->terrain));
    float* heights = malloc((size_t)width * (size_t)height * sizeof *heights);
    for (int32_t i = 0; i < width * height; ++i)
    {
        heights[i] = (float)of(i % width, i / width);
    }
    CHECK_OK(w->f.context, wadi_terrain_set_layer(w->terrain, WADI_LAYER_SURFACE, heights, width));
    free(heights);
    w->params = wadi_hydraulic_params_default();
    w->params.model = WADI_HYDRAULIC_STREAMS;
    w->params.discharge_exponent = 0.45;
    w->params.erodibility = w->params.settling = w->params.creep = 0.0;
    w->params.floor_width = 0.0;
    w->params.flushing = 0.0;
    w->solver = NULL;
}

static void world_start(world* w)
{
    CHECK_OK(w->f.context,
             wadi_solver_create(w->terrain, &wadi_hydraulic_process, &w->params, 0, &w->solver));
}

static void world_run(world* w, double years)
{
    if (w->solver == NULL)
    {
        world_start(w);
    }
    fixture_advance(w->solver, years);
    fixture_check_ledger(w->terrain);
}

static void world_close(world* w)
{
    wadi_solver_destroy(w->solver);
    wadi_terrain_destroy(w->terrain);
    fixture_close(&w->f);
}

static double at(const world* w, int32_t x, int32_t y)
{
    return (double)wadi_terrain_units(w->terrain, WADI_LAYER_SURFACE, x, y) / WADI_UNITS_PER_METRE;
}

static float* map_of(const world* w, const char* name)
{
    float* out = malloc((size_t)w->width * (size_t)w->height * sizeof *out);
    CHECK_OK(w->f.context, wadi_solver_map(w->solver, name, out));
    return out;
}

// Rain of 1 m/yr on one cell alone, times `cells`.
static void rain_on(world* w, int32_t x, int32_t y, float cells)
{
    float* rain = calloc((size_t)w->width * (size_t)w->height, sizeof *rain);
    rain[y * w->width + x] = cells;
    CHECK_OK(w->f.context, wadi_solver_set_map(w->solver, "rain", rain));
    free(rain);
}

#define TURN 6.283185307179586

// ---- creep -------------------------------------------------------------------------------

// Both are steepest at a seam of the map.
static double two_waves(int32_t x, int32_t y)
{
    return sin(TURN * (x - 0.5) / 48.0) + 0.7 * sin(TURN * (y - 0.5) / 36.0);
}

// On gentle slopes creep is diffusion: a wave of wave number k decays by exp(-D k^2 t).
static void gentle_waves_decay_by_diffusion(void** state)
{
    (void)state;
    world w;
    world_open(&w, 48, 36, 20.0, all_periodic, two_waves);
    w.params.creep = 0.1;
    w.params.max_step = 1000.0;
    world_run(&w, 100e3);
    const double kx = TURN / (48 * 20.0);
    const double ky = TURN / (36 * 20.0);
    for (int32_t i = 0; i < 48 * 36; ++i)
    {
        const double x = exp(-0.1 * kx * kx * 100e3) * sin(TURN * (i % 48 - 0.5) / 48.0);
        const double y = exp(-0.1 * ky * ky * 100e3) * sin(TURN * (i / 48 - 0.5) / 36.0);
        CHECK_NEAR(at(&w, i % 48, i / 48), x + 0.7 * y, 0.01);
    }
    world_close(&w);
}

static double level(int32_t x, int32_t y)
{
    (void)x;
    (void)y;
    return 0.0;
}

// A slope that rises at U carries U x over each face: D S / (1 - (S / S_c)^2) = U x.
static void a_rising_slope_has_the_profile_of_the_law(void** state)
{
    (void)state;
    world w;
    world_open(&w, 1, 40, 10.0, south_open, level);
    w.params.creep = 0.03;
    w.params.max_step = 2000.0;
    world_start(&w);
    wadi_uplift_params uplift = wadi_uplift_params_default();
    uplift.rate = 0.1;
    wadi_solver* rise = NULL;
    CHECK_OK(w.f.context, wadi_solver_create(w.terrain, &wadi_uplift_process, &uplift, 0, &rise));
    for (int i = 0; i < 4000; ++i)
    {
        CHECK_OK(w.f.context, wadi_solver_advance(rise, 2000.0));
        CHECK_OK(w.f.context, wadi_solver_advance(w.solver, 2000.0));
        CHECK_OK(w.f.context, wadi_terrain_advance_clock(w.terrain, 2000.0));
    }
    fixture_check_ledger(w.terrain);
    for (int32_t y = 3; y < 37; ++y)
    {
        const double flux = 0.1e-3 * 10.0 * (y + 1) / 0.03 / 0.85; // over D S_c
        const double slope = 0.85 * (sqrt(1.0 + 4.0 * flux * flux) - 1.0) / (2.0 * flux);
        CHECK_NEAR((at(&w, 0, y) - at(&w, 0, y + 1)) / 10.0, slope, 0.02 * slope);
    }
    wadi_solver_destroy(rise);
    world_close(&w);
}

// ---- streams -----------------------------------------------------------------------------

enum
{
    REACH = 40
};

// Drop from cell to cell of a stream that rises at 0.5 mm/yr, when it is graded.
static void graded(double hardness, double settling, double* drop)
{
    world w;
    world_open(&w, 1, REACH, 50.0, south_open, level);
    CHECK_OK(w.f.context, wadi_terrain_fill_layer(w.terrain, WADI_LAYER_HARDNESS, hardness));
    w.params.erodibility = 6e-5;
    w.params.settling = settling;
    w.params.max_step = 2000.0;
    world_start(&w);
    wadi_uplift_params uplift = wadi_uplift_params_default();
    wadi_solver* rise = NULL;
    uplift.rate = 0.5;
    CHECK_OK(w.f.context, wadi_solver_create(w.terrain, &wadi_uplift_process, &uplift, 0, &rise));
    for (int i = 0; i < 8000; ++i)
    {
        CHECK_OK(w.f.context, wadi_solver_advance(rise, 2000.0));
        CHECK_OK(w.f.context, wadi_solver_advance(w.solver, 2000.0));
        CHECK_OK(w.f.context, wadi_terrain_advance_clock(w.terrain, 2000.0));
    }
    fixture_check_ledger(w.terrain);
    for (int32_t y = 0; y + 1 < REACH; ++y)
    {
        drop[y] = at(&w, 0, y) - at(&w, 0, y + 1);
    }
    wadi_solver_destroy(rise);
    world_close(&w);
}

// Half the softness asks for twice the slope. A stream that deposits the share phi of its load
// wears that much more: its drop is 1 + phi y times as large, with y cells above it.
static void hard_and_laden_streams_are_steeper(void** state)
{
    (void)state;
    static double plain[REACH];
    static double hard[REACH];
    static double laden[REACH];
    graded(0.0, 0.0, plain);
    graded(0.5, 0.0, hard);
    graded(0.0, 2.0, laden);
    for (int32_t y = 8; y + 2 < REACH; ++y)
    {
        const double q = 2500.0 * (y + 1); // rain of 1 m/yr
        const double width = (50.0 * 3e4 + 30.0 * q) / (q + 3e4);
        const double phi = 1.0 - exp(-2.0 * 50.0 * width / q);
        CHECK_NEAR(hard[y] / plain[y], 2.0, 0.02);
        CHECK_NEAR(laden[y] / plain[y], 1.0 + phi * y, 0.02 * (1.0 + phi * y));
    }
}

// ---- routes ------------------------------------------------------------------------------

static double lean; // fall to the east over that to the south

static double leaning_plane(int32_t x, int32_t y)
{
    return -4.0 * (y + lean * x);
}

// Rain of one cell spreads over a plane about the direction of its gradient, and none is lost.
static void water_follows_the_gradient_of_a_plane(void** state)
{
    (void)state;
    static const double leans[] = {0.0, 0.3, -0.3, 0.8};
    for (int i = 0; i < 4; ++i)
    {
        world w;
        lean = leans[i];
        world_open(&w, 61, 30, 30.0, south_open, leaning_plane);
        world_start(&w);
        rain_on(&w, 30, 2, 1000.0f);
        world_run(&w, 10.0);
        float* discharge = map_of(&w, "discharge");
        double sum = 0.0;
        double mean = 0.0;
        for (int32_t x = 0; x < 61; ++x)
        {
            sum += (double)discharge[22 * 61 + x];
            mean += (double)discharge[22 * 61 + x] * (x - 30);
        }
        CHECK_NEAR(sum * 31557600.0, 900e3, 200.0);
        CHECK_NEAR(mean / sum, 20.0 * lean, 0.01);
        free(discharge);
        world_close(&w);
    }
}

// ---- lakes -------------------------------------------------------------------------------

// A line that falls to the south, with a lake of six cells.
static double lake_line(int32_t x, int32_t y)
{
    (void)x;
    return y >= 10 && y < 16 ? -300.0 : -2.0 * y;
}

// Evaporation takes its part of the water, and the load settles by the same share in each cell.
static void lakes_evaporate_and_settle(void** state)
{
    (void)state;
    world w;
    world_open(&w, 1, 24, 50.0, south_open, lake_line);
    w.params.lake_evaporation = 0.5;
    w.params.erodibility = 1e-4;
    const double entering = 2500.0 * (10 + 1);        // losses leave at the sill
    w.params.lake_settling = 0.7 * entering / 2500.0; // share 1 - exp(-0.7)
    world_start(&w);
    CHECK_OK(w.f.context, wadi_solver_advance(w.solver, 100.0));
    CHECK_OK(w.f.context, wadi_solver_finish(w.solver));
    float* discharge = map_of(&w, "discharge");
    CHECK_NEAR((double)discharge[23] * 31557600.0, 2500.0 * (24 - 6 * 0.5), 2.0);
    float* deposit = map_of(&w, "deposit");
    assert_true(deposit[10] > 0.01f);
    for (int32_t y = 10; y < 14; ++y)
    {
        CHECK_NEAR((double)(deposit[y + 1] / deposit[y]), exp(-0.7), 0.01);
    }
    free(discharge);
    free(deposit);
    world_close(&w);
}

// ---- floors and corners ------------------------------------------------------------------

// Fall of each cell of a row across a stream whose discharge is `heads` times q_c, in units of the
// fall of its bed.
static void section(double floor_width, double heads, double* fall)
{
    world w;
    lean = 0.0;
    world_open(&w, 21, 40, 30.0, south_open, leaning_plane);
    w.params.erodibility = 1e-4;
    w.params.floor_width = floor_width;
    w.params.max_step = 10.0;
    world_start(&w);
    rain_on(&w, 10, 0, (float)(heads * w.params.channel_head / 900.0));
    world_run(&w, 200.0);
    const double bed = -4.0 * 20 - at(&w, 10, 20);
    assert_true(bed > 0.05);
    for (int32_t x = 0; x < 21; ++x)
    {
        fall[x] = (-4.0 * 20 - at(&w, x, 20)) / bed;
    }
    world_close(&w);
}

// The cells on both sides take part by q / (q + q_c) and by the width of the floor beyond the bed.
static void floors_follow_their_streams(void** state)
{
    (void)state;
    static double fall[21];
    section(90.0, 1.0, fall);
    CHECK_NEAR(fall[9], 0.5, 0.03);
    CHECK_NEAR(fall[11], 0.5, 0.03);
    assert_true(fall[8] == 0.0 && fall[12] == 0.0);
    section(60.0, 1.0, fall);
    CHECK_NEAR(fall[9], 0.25, 0.03);
    section(0.0, 1.0, fall);
    assert_true(fall[9] == 0.0 && fall[11] == 0.0);
}

// A plane that falls to the south-east, with a stream along its diagonal whose southern corners are
// a little higher than the eastern ones.
static double diagonal_plane(int32_t x, int32_t y)
{
    return -4.0 * (x + y) + (x - y == -1 ? 1.0 : 0.0);
}

// A stream along a diagonal wears the lower one of the two cells at its corners, and only that.
static void streams_cut_one_corner(void** state)
{
    (void)state;
    world w;
    world_open(&w, 31, 31, 30.0, south_open, diagonal_plane);
    w.params.erodibility = 1e-4;
    w.params.max_step = 20.0;
    world_start(&w);
    rain_on(&w, 2, 2, 1e4f);
    world_run(&w, 400.0);
    for (int32_t i = 8; i < 20; ++i)
    {
        const double bed = at(&w, i, i);
        const double east = at(&w, i + 1, i);
        const double south = at(&w, i, i + 1);
        const double plane = -4.0 * (2 * i + 1);
        assert_true(plane - bed > 4.0); // the bed lies far below its corners as they were
        assert_true(east - bed < 0.3 * (plane - bed));
        CHECK_NEAR(south, plane + 1.0, 1e-6);
    }
    world_close(&w);
}

// With `corner_fall` it wears that cell down to a share of its own fall, and no further: between
// the beds before and after it there is no stair.
static void corners_may_lie_between_beds(void** state)
{
    (void)state;
    static const double shares[] = {0.0, 0.25, 0.375};
    for (int k = 0; k < 3; ++k)
    {
        world w;
        world_open(&w, 31, 31, 30.0, south_open, diagonal_plane);
        w.params.erodibility = 1e-3;
        w.params.max_step = 20.0;
        w.params.corner_fall = shares[k];
        world_start(&w);
        rain_on(&w, 2, 2, 1e4f);
        world_run(&w, 400.0);
        double sum = 0.0;
        for (int32_t i = 8; i < 20; ++i)
        {
            const double bed = at(&w, i, i);
            const double next = at(&w, i + 1, i + 1);
            sum += (bed - at(&w, i + 1, i)) / (bed - next) / 12.0;
        }
        print_message("share %g: %g\n", shares[k], sum);
        assert_true(fabs(sum - shares[k]) < 0.05);
        world_close(&w);
    }
}

// A valley along the diagonal, whose sides are steep.
static double diagonal_valley(int32_t x, int32_t y)
{
    return -4.0 * (x + y) + 15.0 * abs(x - y) + (x - y == -1 ? 1.0 : 0.0);
}

// What creeps into the stream lies down on its bed and on the one below, so the corner between them
// is worn less far than both are worn: no corner is lower than the bed that follows.
static void corners_reckon_with_what_creeps_in(void** state)
{
    (void)state;
    world w;
    world_open(&w, 31, 31, 30.0, south_open, diagonal_valley);
    w.params.erodibility = 1e-4;
    w.params.creep = 0.1;
    w.params.flushing = 0.4;
    w.params.max_step = 400.0;
    w.params.corner_fall = 0.375;
    world_start(&w);
    rain_on(&w, 2, 2, 1e4f);
    world_run(&w, 4000.0);
    double sum = 0.0;
    for (int32_t i = 8; i < 20; ++i)
    {
        const double bed = at(&w, i, i);
        const double next = at(&w, i + 1, i + 1);
        const double corner = fmin(at(&w, i + 1, i), at(&w, i, i + 1));
        sum += (bed - corner) / (bed - next) / 12.0;
    }
    assert_true(sum < 0.4);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gentle_waves_decay_by_diffusion),
        cmocka_unit_test(a_rising_slope_has_the_profile_of_the_law),
        cmocka_unit_test(hard_and_laden_streams_are_steeper),
        cmocka_unit_test(water_follows_the_gradient_of_a_plane),
        cmocka_unit_test(lakes_evaporate_and_settle),
        cmocka_unit_test(floors_follow_their_streams),
        cmocka_unit_test(streams_cut_one_corner),
        cmocka_unit_test(corners_may_lie_between_beds),
        cmocka_unit_test(corners_reckon_with_what_creeps_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
