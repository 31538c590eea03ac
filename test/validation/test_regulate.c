// SPDX-License-Identifier: MIT
// Regulated channels whose volumes, depth and best design are known from formulas.
#include "support/fixture.h"

enum
{
    SIDE = 201
};

static const double degree = 57.29577951308232;
static const double azimuths[] = {0.0, 37.0};

// A plane that falls along an azimuth, from the middle of the grid 100 m up.
static wadi_terrain* plane_of(fixture* f, double slope, double azimuth)
{
    static float heights[SIDE * SIDE];
    wadi_terrain* terrain = fixture_plain(f, SIDE, SIDE, 1.0, WADI_EDGE_OPEN);
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        const double east = i % SIDE - SIDE / 2;
        const double north = SIDE / 2 - i / SIDE;
        const double along = east * cos(azimuth / degree) + north * sin(azimuth / degree);
        heights[i] = (float)(100.0 - slope * along);
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, SIDE));
    return terrain;
}

// A channel of 120 m straight down the plane.
static wadi_solver* channel_of(wadi_terrain* terrain, const wadi_regulate_params* params,
                               double azimuth)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const double x = 60.0 * cos(azimuth / degree);
    const double y = 60.0 * sin(azimuth / degree);
    const double middle = SIDE / 2.0;
    const double line[] = {middle - x, middle - y, middle + x, middle + y};
    wadi_solver* solver = NULL;
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_regulate_process, params, 0, &solver));
    CHECK_OK(context, wadi_solver_set_table(solver, "route", line, 2));
    return solver;
}

static void advance(wadi_terrain* terrain, wadi_solver* solver)
{
    CHECK_OK(wadi_terrain_context(terrain), wadi_solver_advance(solver, 1.0));
    fixture_check_ledger(terrain);
}

// A section of given width and grade.
static wadi_regulate_params given(double width, double grade)
{
    wadi_regulate_params params = wadi_regulate_params_default();
    params.width = width;
    params.grade = grade;
    params.critical_shear = 1e5;
    params.discharge = 20.0;
    return params;
}

static double manning(const wadi_regulate_params* p, double width, double grade, double depth)
{
    const double area = (width + p->side_slope * depth) * depth;
    const double perimeter = width + 2.0 * depth * sqrt(1.0 + p->side_slope * p->side_slope);
    return area * pow(area / perimeter, 2.0 / 3.0) * sqrt(grade) / p->roughness;
}

static double depth_of(const wadi_regulate_params* p, double width, double grade)
{
    double low = 0.0;
    double high = 100.0;
    for (int i = 0; i < 100; ++i)
    {
        const double depth = 0.5 * (low + high);
        *(manning(p, width, grade, depth) < p->discharge ? &low : &high) = depth;
    }
    return high;
}

// ---- volumes -----------------------------------------------------------------------------------

// Parallel to the plane and 3 m below it, with nothing to fill: b h + z h2 on every metre.
static void a_cut_has_the_volume_of_its_prism(void** state)
{
    (void)state;
    for (int a = 0; a < 2; ++a)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = plane_of(&f, 0.002, azimuths[a]);
        wadi_regulate_params params = given(12.0, 0.002);
        params.end_depth = 3.0;
        wadi_solver* solver = channel_of(terrain, &params, azimuths[a]);
        advance(terrain, solver);
        const double expected = (12.0 * 3.0 + params.side_slope * 9.0) * 120.0;
        CHECK_NEAR(fixture_figure(solver, "length"), 120.0, 1e-9);
        CHECK_NEAR(fixture_figure(solver, "cut"), expected, 0.01 * expected);
        CHECK_NEAR(fixture_figure(solver, "fill") + fixture_figure(solver, "levees"), 0.0, 0.0);
        CHECK_NEAR(fixture_figure(solver, "cut_short") + fixture_figure(solver, "uncut_rock"), 0.0,
                   0.0);

        // the volume cut is the volume lost by the ground
        wadi_ledger_row rows[3];
        (void)wadi_terrain_ledger(terrain, rows, 3);
        CHECK_NEAR(rows[WADI_MATERIAL_SEDIMENT].lost, fixture_figure(solver, "cut"), 1e-9);
        CHECK_NEAR(rows[WADI_MATERIAL_ROCK].eroded, fixture_figure(solver, "cut"), 1e-9);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// On the plane itself: nothing to cut, and two levees H = depth + freeboard high.
static void levees_have_the_volume_of_their_prisms(void** state)
{
    (void)state;
    for (int a = 0; a < 2; ++a)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = plane_of(&f, 0.002, azimuths[a]);
        wadi_regulate_params params = given(12.0, 0.002);
        params.freeboard = 1.5;
        params.levee_slope = 3.0;
        wadi_solver* solver = channel_of(terrain, &params, azimuths[a]);
        advance(terrain, solver);
        const double high = depth_of(&params, 12.0, 0.002) + 1.5;
        const double inner = params.side_slope * high * high * 120.0;
        const double outer = (2.0 * params.levee_width + 3.0 * high) * high * 120.0;
        CHECK_NEAR(fixture_figure(solver, "levee"), high, 1e-9);
        const double whole = fixture_figure(solver, "fill") + fixture_figure(solver, "levees");
        CHECK_NEAR(whole, inner + outer, 0.01 * (inner + outer));
        if (a == 1) // at azimuth 0 all cells of a row lie on one side of the crest's inner edge
        {
            CHECK_NEAR(fixture_figure(solver, "fill"), inner, 0.02 * inner);
        }
        CHECK_NEAR(fixture_figure(solver, "cut"), 0.0, 0.001 * outer); // heights are whole units
        wadi_ledger_row rows[3];
        (void)wadi_terrain_ledger(terrain, rows, 3);
        CHECK_NEAR(rows[WADI_MATERIAL_SEDIMENT].in,
                   fixture_figure(solver, "fill") + fixture_figure(solver, "levees") -
                       fixture_figure(solver, "cut"),
                   1e-9);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// ---- the best design ---------------------------------------------------------------------------

// Ground moved by one metre of a channel whose bed lies `deep` below level ground, below 0 above
// it.
static double section_volume(const wadi_regulate_params* p, double width, double high, double deep)
{
    const double up = high - deep; // of the crests above the ground
    if (deep < 0.0)
    {
        const double under = -deep * (width + 2.0 * p->side_slope * high);
        return under + p->side_slope * high * high + 2.0 * p->levee_width * up +
               p->levee_slope * up * up;
    }
    const double cut = (width + p->side_slope * deep) * deep;
    const double levee = 2.0 * p->levee_width * up + (p->side_slope + p->levee_slope) * up * up;
    return cut + (up > 0.0 ? levee : 0.0);
}

// The same for the whole channel, by the middles of a thousand pieces.
static double channel_volume(const wadi_regulate_params* p, double plane, double width,
                             double grade)
{
    const double high = depth_of(p, width, grade) + p->freeboard;
    double sum = 0.0;
    for (int i = 0; i < 1000; ++i)
    {
        const double up = 120.0 * (i + 0.5) / 1000.0; // from the end
        sum += section_volume(p, width, high, p->end_depth + (plane - grade) * up);
    }
    return sum * 120.0 / 1000.0;
}

// Ground steeper than the bed withstands: the best grade is the steepest, where rho g R S is
// critical.
static void the_best_grade_is_the_steepest_where_the_ground_is_steeper(void** state)
{
    (void)state;
    for (int a = 0; a < 2; ++a)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = plane_of(&f, 0.03, azimuths[a]);
        wadi_regulate_params params = given(8.0, 0.0);
        params.critical_shear = 0.0; // by grains of 5 cm: 0.047 x 1650 x 9.81 x 0.05 = 38.04 Pa
        wadi_solver* solver = channel_of(terrain, &params, azimuths[a]);
        advance(terrain, solver);
        double low = 1e-4;
        double high = 0.03;
        for (int i = 0; i < 60; ++i)
        {
            const double grade = 0.5 * (low + high);
            const double y = depth_of(&params, 8.0, grade);
            const double radius = (8.0 + 2.0 * y) * y / (8.0 + 2.0 * y * sqrt(5.0));
            *(9810.0 * radius * grade < 38.0383 ? &low : &high) = grade;
        }
        CHECK_NEAR(fixture_figure(solver, "grade"), low, 1e-4 * low);
        CHECK_NEAR(fixture_figure(solver, "shear"), 38.0383, 0.004);
        CHECK_NEAR(fixture_figure(solver, "width"), 8.0, 0.0);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// Inside the bounds: width and grade are those of least volume by the formula, on a fine grid of
// both; the volume is within 1 % of the formula's.
static void the_best_design_is_the_formulas(void** state)
{
    (void)state;
    for (int a = 0; a < 2; ++a)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = plane_of(&f, 0.004, azimuths[a]);
        wadi_regulate_params params = given(0.0, 0.0);
        params.end_depth = 1.0;
        wadi_solver* solver = channel_of(terrain, &params, azimuths[a]);
        advance(terrain, solver);
        double least = 1e30;
        for (double width = 2.0; width < 100.0; width *= 1.02)
        {
            for (double grade = 1e-3; grade < 0.05; grade *= 1.02)
            {
                least = fmin(least, channel_volume(&params, 0.004, width, grade));
            }
        }
        const double width = fixture_figure(solver, "width");
        const double grade = fixture_figure(solver, "grade");
        const double built = fixture_figure(solver, "cut") + fixture_figure(solver, "fill") +
                             fixture_figure(solver, "levees");
        print_message(
            "azimuth %g: width %g m, grade %g, moves %.1f m3 (formula %.1f, least %.1f)\n",
            azimuths[a], width, grade, built, channel_volume(&params, 0.004, width, grade), least);
        assert_true(channel_volume(&params, 0.004, width, grade) <= 1.01 * least);
        CHECK_NEAR(built, least, 0.02 * least);
        CHECK_NEAR(manning(&params, width, grade, fixture_figure(solver, "depth")), 20.0, 1e-6);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cut_has_the_volume_of_its_prism),
        cmocka_unit_test(levees_have_the_volume_of_their_prisms),
        cmocka_unit_test(the_best_grade_is_the_steepest_where_the_ground_is_steeper),
        cmocka_unit_test(the_best_design_is_the_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
