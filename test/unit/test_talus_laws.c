// SPDX-License-Identifier: MIT
// One sweep of talus, and weathering, compared with closed forms: flux over a step, threshold,
// effects of plants and hardness, production of debris.
#include "support/fixture.h"

#include "core/internal.h"
#include "laws/slopes/talus.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

enum
{
    WIDTH = 24,
    HEIGHT = 8,
    CELLS = WIDTH * HEIGHT,
    BRINK = 11 // last column before the step
};

static const double CELL = 2.0;

typedef struct step
{
    fixture f;
    wadi_terrain* terrain;
    wadi_ground* ground;
    wadi_tally tally;
    int64_t worn[CELLS];
    int64_t laid[CELLS];
} step;

static double tangent(double degrees)
{
    return tan(degrees * PI / 180.0);
}

// Closed to the west and east, periodic from north to south.
static step* step_open(void)
{
    step* s = calloc(1, sizeof *s);
    assert_non_null(s);
    fixture_open(&s->f, 2);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = CELL;
    def.edges[WADI_SIDE_NORTH] = def.edges[WADI_SIDE_SOUTH] = WADI_EDGE_PERIODIC;
    def.edges[WADI_SIDE_WEST] = def.edges[WADI_SIDE_EAST] = WADI_EDGE_CLOSED;
    CHECK_OK(s->f.context, wadi_terrain_create(s->f.context, &def, &s->terrain));
    s->ground = wadi_terrain_ground(s->terrain);
    return s;
}

static void step_close(step* s)
{
    wadi_terrain_destroy(s->terrain);
    fixture_close(&s->f);
    free(s);
}

static int32_t units(double metres)
{
    return (int32_t)floor(metres * WADI_UNITS_PER_METRE + 0.5);
}

// Rock at two heights under the same cover of sand.
static void step_set(step* s, double high, double sand)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        s->ground->bedrock[i] = units(i % WIDTH <= BRINK ? high : 0.0);
        s->ground->loose[0][i] = units(sand);
    }
}

static void step_sweep(step* s, wadi_talus_law law)
{
    wadi_talus* talus = NULL;
    CHECK_OK(s->f.context,
             wadi_talus_create(s->f.context, WIDTH, HEIGHT, law.rock_repose < 90.0, &talus));
    law.worn = s->worn;
    law.laid = s->laid;
    wadi_talus_touch_all(talus);
    assert_int_equal(wadi_talus_relax(talus, s->ground, &law, 1, &s->tally), 1);
    wadi_talus_destroy(talus);
}

static int32_t cell_of(int32_t x, int32_t y)
{
    return y * WIDTH + x;
}

// Sand moved by one sweep from the brink of a step of that height [m].
static double slid_off(double high, double sand, wadi_talus_law law)
{
    step* s = step_open();
    step_set(s, high, sand);
    step_sweep(s, law);
    const int32_t here = s->ground->loose[0][cell_of(BRINK, 3)];
    const int32_t there = s->ground->loose[0][cell_of(BRINK + 1, 3)];
    const double gone = (double)(units(sand) - here);
    // it has arrived at the foot, up to the rounding of three parts
    CHECK_NEAR((double)(there - units(sand)), gone, 0.0);
    CHECK_NEAR((double)s->worn[cell_of(BRINK, 3)], gone, 0.0);
    CHECK_NEAR((double)s->laid[cell_of(BRINK, 3)], 0.0, 0.0);
    CHECK_NEAR((double)s->laid[cell_of(BRINK + 1, 3)], gone, 0.0);
    CHECK_NEAR((double)s->worn[cell_of(BRINK + 1, 3)], 0.0, 0.0);
    assert_int_equal(s->tally.eroded[WADI_MATERIAL_SEDIMENT], (int64_t)gone * HEIGHT);
    step_close(s);
    return gone / WADI_UNITS_PER_METRE;
}

// ---- slides -------------------------------------------------------------------------------------

static void a_share_of_what_is_too_steep_slides(void** state)
{
    (void)state;
    wadi_talus_law law = wadi_talus_law_default();
    for (int i = 0; i < 4; ++i)
    {
        law.repose = 25.0 + 5.0 * i;
        law.share = 0.1 + 0.1 * i;
        const double high = CELL * 1.3;
        const double expected = law.share * (high - CELL * tangent(law.repose));
        CHECK_NEAR(slid_off(high, 5.0, law), expected, 1e-3 * expected);
        // limited by the sand that is there
        CHECK_NEAR(slid_off(high, 0.01, law), 0.01, 1e-4);
    }
}

// No slide below repose + hysteresis; above it, the whole excess over repose slides.
static void slides_start_at_repose_and_hysteresis(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        wadi_talus_law law = wadi_talus_law_default();
        law.repose = 30.0 + 5.0 * i;
        law.hysteresis = 0.8;
        float tangents[CELLS];
        for (int32_t c = 0; c < CELLS; ++c)
        {
            tangents[c] = (float)tangent(law.repose);
        }
        const double hold = CELL * tangent(law.repose);
        const double start = CELL * tangent(law.repose + 0.8);
        for (int mapped = 0; mapped < 2; ++mapped)
        {
            law.tangents = mapped ? tangents : NULL;
            CHECK_NEAR(slid_off(start - 1e-4, 5.0, law), 0.0, 0.0);
            CHECK_NEAR(slid_off(start + 1e-4, 5.0, law), law.share * (start - hold),
                       0.01 * (start - hold));
        }
    }
}

// The tangent of the repose angle is interpolated between bare ground and full cover.
static void plants_hold_by_their_cover(void** state)
{
    (void)state;
    step* s = step_open();
    float tangents[CELLS];
    assert_null(wadi_talus_plant(s->ground, 32.0, 44.0, tangents));
    for (int32_t c = 0; c < CELLS; ++c)
    {
        s->ground->vegetation[c] = (uint16_t)(c % 6 * 13107); // in fifths
    }
    assert_ptr_equal(wadi_talus_plant(s->ground, 32.0, 44.0, tangents), tangents);
    for (int32_t c = 0; c < CELLS; ++c)
    {
        const double cover = c % 6 / 5.0;
        CHECK_NEAR((double)tangents[c], (1.0 - cover) * tangent(32.0) + cover * tangent(44.0),
                   1e-6);
    }
    step_close(s);
}

// Rock above its repose angle breaks by (1 - hardness), minus the slid loose matter.
static void rock_breaks_by_its_excess_and_hardness(void** state)
{
    (void)state;
    static const double hardness[] = {0.0, 0.4, 1.0};
    for (int i = 0; i < 3; ++i)
    {
        for (int cover = 0; cover < 2; ++cover)
        {
            step* s = step_open();
            const double sand = 0.05 * cover;
            const double high = CELL * tangent(70.0);
            step_set(s, high, sand);
            CHECK_OK(s->f.context,
                     wadi_terrain_fill_layer(s->terrain, WADI_LAYER_HARDNESS, hardness[i]));
            wadi_talus_law law = wadi_talus_law_default();
            law.rock_repose = 55.0;
            step_sweep(s, law);
            const double broken = law.share * (high - CELL * tangent(55.0)) - sand;
            const double expected = (1.0 - hardness[i]) * broken;
            const double lowered = high - (double)s->ground->bedrock[cell_of(BRINK, 3)] / 65536.0;
            CHECK_NEAR(lowered, expected, 1e-3);
            assert_int_equal(s->tally.converted[WADI_MATERIAL_SEDIMENT],
                             -s->tally.converted[WADI_MATERIAL_ROCK]);
            CHECK_NEAR((double)s->tally.eroded[WADI_MATERIAL_ROCK] / 65536.0, lowered * HEIGHT,
                       1e-3);
            step_close(s);
        }
    }
}

static void rock_stands_up_to_repose_and_hysteresis(void** state)
{
    (void)state;
    for (int above = 0; above < 2; ++above)
    {
        step* s = step_open();
        step_set(s, CELL * tangent(55.8) + (above ? 2e-4 : -2e-4), 0.0);
        wadi_talus_law law = wadi_talus_law_default();
        law.rock_repose = 55.0;
        law.hysteresis = 0.8;
        step_sweep(s, law);
        const double expected = above ? law.share * CELL * (tangent(55.8) - tangent(55.0)) : 0.0;
        CHECK_NEAR((double)s->tally.eroded[WADI_MATERIAL_ROCK] / 65536.0 / HEIGHT, expected,
                   0.02 * expected);
        step_close(s);
    }
}

// A plane continues beyond an open edge: outflow equals the flux inside, on the side it slopes to.
static void a_plane_leaves_over_its_lower_side(void** state)
{
    (void)state;
    enum
    {
        SIDE = 20
    };
    for (int side = 0; side < 4; ++side)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain_def def = wadi_terrain_def_default();
        def.width = SIDE;
        def.height = SIDE;
        def.cell_size = CELL;
        for (int e = 0; e < 4; ++e)
        {
            def.edges[e] = e % 2 != side % 2 ? WADI_EDGE_PERIODIC
                           : e == side       ? WADI_EDGE_OPEN
                                             : WADI_EDGE_CLOSED;
        }
        wadi_terrain* terrain = NULL;
        CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
        wadi_ground* ground = wadi_terrain_ground(terrain);
        for (int32_t i = 0; i < SIDE * SIDE; ++i)
        {
            const int32_t x = i % SIDE;
            const int32_t y = i / SIDE;
            const int32_t from[4] = {y, SIDE - 1 - x, SIDE - 1 - y, x};
            ground->loose[0][i] = units(CELL * 0.9 * (from[side] + 1));
        }
        wadi_talus* talus = NULL;
        CHECK_OK(f.context, wadi_talus_create(f.context, SIDE, SIDE, false, &talus));
        const wadi_talus_law law = wadi_talus_law_default();
        wadi_tally tally = {0};
        wadi_talus_touch_all(talus);
        (void)wadi_talus_relax(talus, ground, &law, 1, &tally);
        wadi_talus_destroy(talus);
        const double each = law.share * CELL * (0.9 - tangent(law.repose));
        for (int e = 0; e < 4; ++e)
        {
            const double out = (double)tally.out[WADI_MATERIAL_SEDIMENT][e] / 65536.0;
            CHECK_NEAR(out, e == side ? SIDE * each : 0.0, 1e-3 * SIDE * each);
        }
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// ---- the process --------------------------------------------------------------------------------

// Depth of rock weathered in each cell after so many years [m].
static void weather(step* s, const wadi_talus_params* params, double years, float* weathered)
{
    wadi_solver* solver = NULL;
    wadi_terrain_changed(s->terrain);
    CHECK_OK(s->f.context, wadi_solver_create(s->terrain, &wadi_talus_process, params, 0, &solver));
    fixture_advance(solver, years);
    CHECK_OK(s->f.context, wadi_solver_map(solver, "weathered", weathered));
    wadi_solver_destroy(solver);
}

// made = H0 ln(1 + W t / H0 exp(-H / H0)) with W = W0 sqrt(1 + S^2), for any time step.
static void rock_weathers_under_its_own_debris(void** state)
{
    (void)state;
    static const double covers[] = {0.0, 0.3, 1.0};
    static const double years[] = {5.0, 1500.0};
    for (int i = 0; i < 6; ++i)
    {
        step* s = step_open();
        const double cover = covers[i % 3];
        const double time = years[i / 3];
        for (int32_t c = 0; c < CELLS; ++c)
        {
            // slopes of 0.3 to the east and 0.4 to the south; also across the periodic edge
            s->ground->bedrock[c] = units(50.0 - CELL * (0.3 * (c % WIDTH) + 0.4 * (c / WIDTH)));
            s->ground->loose[0][c] = units(cover);
        }
        wadi_talus_params params = wadi_talus_params_default();
        params.weathering = 0.8;
        params.cover_depth = 0.5;
        params.repose = 70.0;
        params.rock_repose = 90.0;
        float weathered[CELLS];
        weather(s, &params, time, weathered);
        const double rate = 0.8e-3 * sqrt(1.0 + 0.25) * time / 0.5;
        const double expected = 0.5 * log1p(rate * exp(-cover / 0.5));
        CHECK_NEAR((double)weathered[cell_of(10, 4)], expected, 5e-3 * expected + 3e-5);
        step_close(s);
    }
}

// Weathering is reduced by (1 - hardness), and the steepest descent may cross a periodic edge.
static void weathering_uses_hardness_and_periodic_edges(void** state)
{
    (void)state;
    for (int along_x = 0; along_x < 2; ++along_x)
    {
        step* s = step_open();
        wadi_edge* edges = s->ground->edges;
        edges[WADI_SIDE_NORTH] = edges[WADI_SIDE_SOUTH] =
            along_x ? WADI_EDGE_CLOSED : WADI_EDGE_PERIODIC;
        edges[WADI_SIDE_WEST] = edges[WADI_SIDE_EAST] =
            along_x ? WADI_EDGE_PERIODIC : WADI_EDGE_CLOSED;
        const int32_t length = along_x ? WIDTH : HEIGHT;
        for (int32_t c = 0; c < CELLS; ++c)
        {
            // rises along one axis and drops at the periodic edge
            s->ground->bedrock[c] = units(CELL * 0.1 * (along_x ? c % WIDTH : c / WIDTH));
        }
        CHECK_OK(s->f.context, wadi_terrain_fill_layer(s->terrain, WADI_LAYER_HARDNESS, 0.25));
        wadi_talus_params params = wadi_talus_params_default();
        params.weathering = 1.0;
        params.cover_depth = 10.0;
        params.repose = 75.0;
        params.rock_repose = 90.0;
        float weathered[CELLS];
        weather(s, &params, 100.0, weathered);
        const double fall = 0.1 * (length - 1);
        const double even = 0.75 * 10.0 * log1p(0.1 / 10.0 * sqrt(1.0 + 0.01));
        const double seam = 0.75 * 10.0 * log1p(0.1 / 10.0 * sqrt(1.0 + fall * fall));
        const int32_t last = along_x ? cell_of(WIDTH - 1, 4) : cell_of(10, HEIGHT - 1);
        CHECK_NEAR((double)weathered[cell_of(10, 4)], even, 2e-3 * even);
        CHECK_NEAR((double)weathered[last], seam, 2e-3 * seam);
        step_close(s);
    }
}

static void plants_and_hysteresis_hold_in_the_process(void** state)
{
    (void)state;
    static const struct
    {
        uint16_t cover;
        double hysteresis;
        double degrees; // of the step
        bool slides;
    } cases[] = {
        {0, 0.2, 35.15, false}, {0, 0.2, 35.3, true},      {0, 0.8, 35.7, false},
        {0, 0.8, 35.9, true},   {65535, 0.2, 45.1, false}, {65535, 0.2, 45.3, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        step* s = step_open();
        step_set(s, CELL * tangent(cases[i].degrees), 3.0);
        for (int32_t c = 0; c < CELLS; ++c)
        {
            s->ground->vegetation[c] = cases[i].cover;
        }
        wadi_talus_params params = wadi_talus_params_default();
        params.weathering = 0.0;
        params.repose = 35.0;
        params.plant_repose = 45.0;
        params.hysteresis = cases[i].hysteresis;
        params.rock_repose = 90.0;
        float weathered[CELLS];
        weather(s, &params, 1.0, weathered);
        assert_int_equal(s->ground->loose[0][cell_of(BRINK, 3)] != units(3.0), cases[i].slides);
        step_close(s);
    }
}

// A third of a unit a step becomes 30 units in 90 steps in each cell: each step draws anew. The
// deviation of a cell is 4.5 units, so 25 are not reached in 10^4 cells.
static void thirds_of_a_unit_add_up_in_every_cell(void** state)
{
    (void)state;
    step* s = step_open();
    wadi_talus_params params = wadi_talus_params_default();
    params.weathering = 1.0;
    params.max_step = 1e3 / (3.0 * WADI_UNITS_PER_METRE);
    float weathered[CELLS];
    weather(s, &params, 90.0 * params.max_step, weathered);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        assert_true(fabs((double)weathered[i] * WADI_UNITS_PER_METRE - 30.0) < 25.0);
    }
    step_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_share_of_what_is_too_steep_slides),
        cmocka_unit_test(slides_start_at_repose_and_hysteresis),
        cmocka_unit_test(plants_hold_by_their_cover),
        cmocka_unit_test(rock_breaks_by_its_excess_and_hardness),
        cmocka_unit_test(rock_stands_up_to_repose_and_hysteresis),
        cmocka_unit_test(a_plane_leaves_over_its_lower_side),
        cmocka_unit_test(rock_weathers_under_its_own_debris),
        cmocka_unit_test(weathering_uses_hardness_and_periodic_edges),
        cmocka_unit_test(thirds_of_a_unit_add_up_in_every_cell),
        cmocka_unit_test(plants_and_hysteresis_hold_in_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
