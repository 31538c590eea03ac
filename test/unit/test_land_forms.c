// SPDX-License-Identifier: MIT
// Measures of land on ground with known measures.
#include "support/drawn_land.h"

static const double degree = 57.29577951308232;

static float earlier[CELLS];

// ---- channels -----------------------------------------------------------------------------------

// A valley of V section that falls towards (east, south), of length 1.
static double valley(double x, double y, double east, double south)
{
    return 10.0 * fabs(x * south - y * east) - 0.5 * (x * east + y * south);
}

static double staircase(double x, double y)
{
    return valley(x, y, sqrt(0.5), sqrt(0.5));
}

static double canal(double x, double y)
{
    return valley(x, y, 0.0, 1.0);
}

static double oblique(double x, double y)
{
    return valley(x, y, cos(22.5 / degree), sin(22.5 / degree));
}

// The same with a floor of seven cells, on which water keeps to the middle.
static double floored(double x, double y)
{
    const double aside = fabs(x - y) * sqrt(0.5);
    return 10.0 * fmax(0.0, aside - 3.0) + 0.01 * aside - 0.5 * (x + y) * sqrt(0.5);
}

static void channel_along_the_diagonal_is_a_staircase(void** state)
{
    fixture* f = *state;
    draw(staircase);
    const wadi_land_forms forms = measure(f->context);
    CHECK_NEAR(forms.corner, 1.0, 0.0);
    CHECK_NEAR(forms.straight8, 1.0, 0.0);
    CHECK_NEAR(forms.octal, 1.0, 0.0);
    CHECK_NEAR(forms.trunk_run, 0.0, 0.0); // along an axis
}

static void channel_with_a_floor_has_no_corners(void** state)
{
    fixture* f = *state;
    draw(floored);
    const wadi_land_forms forms = measure(f->context);
    CHECK_NEAR(forms.corner, 0.0, 0.02);
    CHECK_NEAR(forms.straight8, 1.0, 0.0);
}

static void channel_along_an_axis_is_straight(void** state)
{
    fixture* f = *state;
    draw(canal);
    const wadi_land_forms forms = measure(f->context);
    assert_true(isnan(forms.corner)); // it has no diagonal steps
    CHECK_NEAR(forms.straight8, 1.0, 0.0);
    CHECK_NEAR(forms.octal, 1.0, 0.0);
    assert_true(forms.trunk_run > 80.0);
}

static void channel_between_the_ways_of_the_grid_is_neither(void** state)
{
    fixture* f = *state;
    draw(oblique);
    const wadi_land_forms forms = measure(f->context);
    CHECK_NEAR(forms.straight8, 0.0, 0.0);
    CHECK_NEAR(forms.octal, 0.0, 0.0);
    assert_true(forms.trunk_run < 4.0);
}

// The same ground upside down has the ridge where the valley was.
static void ridges_are_channels_upside_down(void** state)
{
    fixture* f = *state;
    draw(oblique);
    const wadi_land_forms valleys = measure(f->context);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        ground[i] = -ground[i];
    }
    const wadi_land_forms ridges = measure(f->context);
    CHECK_NEAR(ridges.ridge_straight8, valleys.straight8, 0.0);
    CHECK_NEAR(ridges.ridge_octal, valleys.octal, 0.0);
    CHECK_NEAR(ridges.pit_cap_volume, -valleys.pit_cap_volume, 1e-9);
    CHECK_NEAR(ridges.prominent, -valleys.prominent, 1e-9);
    CHECK_NEAR(ridges.curvature_skew, -valleys.curvature_skew, 1e-9);
}

// Channels smaller than 0.3 km2 do not count: on cells of 10 m none is larger.
static void small_channels_do_not_count(void** state)
{
    fixture* f = *state;
    draw(staircase);
    wadi_land land = land_of();
    land.surface.dx = land.surface.dy = 5.0; // the map has 0.23 km2
    wadi_land_forms forms;
    CHECK_OK(f->context, wadi_land_forms_measure(f->context, &land, &forms));
    assert_true(isnan(forms.corner) && isnan(forms.straight8) && isnan(forms.octal));
}

// ---- slopes -------------------------------------------------------------------------------------

static double tilt;    // tangent of the slope
static double azimuth; // of the ascent, from east to south [degree]

static double plane(double x, double y)
{
    return 60.0 * tilt * (x * cos(azimuth / degree) + y * sin(azimuth / degree));
}

static void plane_has_its_slope(void** state)
{
    fixture* f = *state;
    for (double slope = 10.0; slope < 80.0; slope += 8.0)
    {
        tilt = tan(slope / degree);
        azimuth = 3.0 * slope;
        draw(plane);
        const wadi_land_forms forms = measure(f->context);
        CHECK_NEAR(forms.slope, slope, 1e-3);
        CHECK_NEAR(forms.steep, slope > 45.0 ? 1.0 : 0.0, 0.0);
        CHECK_NEAR(forms.flat, 0.0, 0.0);
        CHECK_NEAR(forms.aspect_harmonic, 1.0, 1e-6);
    }
}

static double cone(double x, double y)
{
    return -30.0 * sqrt((x + 0.31) * (x + 0.31) + (y + 0.17) * (y + 0.17));
}

static double pyramid(double x, double y)
{
    return -30.0 * fmax(fabs(x + 0.31), fabs(y + 0.17));
}

// Faces of a cone look all ways alike but for the corners of the map; those of a pyramid do not.
static void aspects_show_the_grid(void** state)
{
    fixture* f = *state;
    draw(cone);
    assert_true(measure(f->context).aspect_harmonic < 0.15);
    draw(pyramid);
    assert_true(measure(f->context).aspect_harmonic > 0.9);
}

static double terrace(double x, double y)
{
    return x < -0.2 * SIZE ? 1e-3 * y : 20.0 * (x + 0.2 * SIZE) + 1e-3 * y;
}

static void level_ground_is_flat(void** state)
{
    fixture* f = *state;
    draw(terrace);
    CHECK_NEAR(measure(f->context).flat, 0.3, 0.02);
}

// Cells of 60 x 120 m: the plane has the slope of its metres, and the staircase stays one.
static void oblong_cells_count(void** state)
{
    fixture* f = *state;
    tilt = 0.3;
    azimuth = 90.0;
    draw(plane);
    wadi_land land = land_of();
    land.surface.dy = 120.0;
    wadi_land_forms forms;
    CHECK_OK(f->context, wadi_land_forms_measure(f->context, &land, &forms));
    CHECK_NEAR(forms.slope, degree * atan(0.15), 1e-3);
    draw(staircase);
    CHECK_OK(f->context, wadi_land_forms_measure(f->context, &land, &forms));
    CHECK_NEAR(forms.octal, 1.0, 0.0);
    CHECK_NEAR(forms.corner, 1.0, 0.0);
    double widths[SIZE];
    for (int32_t y = 0; y < SIZE; ++y)
    {
        widths[y] = 60.0 + 0.01 * (y - SIZE / 2);
    }
    const double slope = forms.slope;
    land.surface.dx = 0.0;
    land.surface.dx_of_row = widths; // the middle row counts
    CHECK_OK(f->context, wadi_land_forms_measure(f->context, &land, &forms));
    CHECK_NEAR(forms.slope, slope, 0.0);
}

// ---- forms --------------------------------------------------------------------------------------

static double waves(double x, double y)
{
    return 100.0 * sin(x / 5.0 + 0.3) + 1e-3 * y;
}

static void waves_have_as_many_ridges_as_valleys(void** state)
{
    fixture* f = *state;
    draw(waves);
    const wadi_land_forms forms = measure(f->context);
    CHECK_NEAR(forms.ridge_valley, 1.0, 0.1);
    CHECK_NEAR(forms.curvature_skew, 0.0, 0.1);
}

// Slopes under 1 degree have neither ridges nor valleys.
static void gentle_waves_are_flat(void** state)
{
    fixture* f = *state;
    draw(waves);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        ground[i] *= 0.01f;
    }
    CHECK_NEAR(measure(f->context).ridge_valley, 1.0, 0.0);
}

static double waves_in_a_bowl(double x, double y)
{
    return waves(x, y) + 2.0 * (x * x + y * y);
}

// A mean curvature is no skewness.
static void skewness_is_about_the_mean(void** state)
{
    fixture* f = *state;
    draw(waves);
    const double skew = measure(f->context).curvature_skew;
    draw(waves_in_a_bowl);
    CHECK_NEAR(measure(f->context).curvature_skew, skew, 0.01);
}

// Sharp crests over round valleys, and upside down.
static double crests(double x, double y)
{
    return -100.0 * fabs(sin(x / 9.0)) + 1e-3 * y;
}

static double grooves(double x, double y)
{
    return -crests(x, y);
}

static void sharp_crests_skew_the_curvature(void** state)
{
    fixture* f = *state;
    draw(crests);
    assert_true(measure(f->context).curvature_skew < -1.0);
    assert_true(measure(f->context).ridge_valley < 1.0);
    draw(grooves);
    assert_true(measure(f->context).curvature_skew > 1.0);
    assert_true(measure(f->context).ridge_valley > 1.0);
}

// ---- drainage -----------------------------------------------------------------------------------

static double bump(double x, double y, double at_x, double at_y)
{
    const double r2 = (x - at_x) * (x - at_x) + (y - at_y) * (y - at_y);
    return exp(-r2 / 40.0);
}

// Three pits and a peak on a gentle plane.
static double dented(double x, double y)
{
    return 0.01 * x + 40.0 * bump(x, y, -20.0, -20.0) - 30.0 * bump(x, y, 20.0, -20.0) -
           20.0 * bump(x, y, -20.0, 20.0) - 10.0 * bump(x, y, 20.0, 20.0);
}

static void prominent_peaks_and_pits_are_counted(void** state)
{
    fixture* f = *state;
    draw(dented);
    for (int32_t k = 0; k < 5; ++k)
    {
        ground[80 * SIZE + 10 + 5 * k] -= 0.5f; // under 1 % of the relief
    }
    const wadi_land_forms forms = measure(f->context);
    CHECK_NEAR(forms.prominent, log10(2.0 / 4.0), 1e-6);
    CHECK_NEAR(forms.relief, 70.0, 1.0);
    assert_true(forms.pit_cap_volume > 0.0);
}

// A cone-shaped hollow of 20 cells radius in level ground: its cells are closed, and its volume is
// that of a cone; the hill of twice the volume makes the caps.
static double hollow(double x, double y)
{
    const double r = sqrt(x * x + y * y);
    return r < 20.0 ? -5.0 * (20.0 - r) + 0.5 : 0.5;
}

static void closed_ground_is_measured(void** state)
{
    fixture* f = *state;
    draw(hollow);
    const wadi_land_forms forms = measure(f->context);
    CHECK_NEAR(forms.closed, 3.14159265 * 400.0 / CELLS, 0.01 * forms.closed);
    assert_true(forms.pit_cap_volume > 8.0); // there are no caps
    CHECK_NEAR(forms.erosion_index, 0.0, 0.0);
}

// Graded rivers: on a drainage network, ground that rises by (A0/A)^theta a metre. The network of
// that ground is taken again, until it is its own.
static void grade(wadi_context* context, double theta, double tall)
{
    static float level[CELLS];
    static wadi_flow_target targets[CELLS];
    static double area[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        ground[i] = (float)(400.0 * chance((uint32_t)i));
    }
    wadi_field2d field = land_of().surface;
    field.dy = tall;
    for (int32_t round = 0; round < 12; ++round)
    {
        CHECK_OK(context, wadi_flow_fill(context, &field, ground));
        CHECK_OK(context, wadi_flow_route(context, &field, WADI_FLOW_D8, targets));
        CHECK_OK(context, wadi_flow_accumulate(context, &field, targets, NULL, area));
        for (int32_t i = 0; i < CELLS; ++i)
        {
            level[i] = targets[i].first == WADI_FLOW_NOWHERE ? 0.0f : -1.0f;
        }
        for (int32_t left = CELLS; left > 0;)
        {
            left = 0;
            for (int32_t i = 0; i < CELLS; ++i)
            {
                static const int32_t east[8] = {1, 1, 0, -1, -1, -1, 0, 1};
                static const int32_t south[8] = {0, -1, -1, -1, 0, 1, 1, 1};
                const int k = targets[i].first;
                if (level[i] >= 0.0f)
                {
                    continue;
                }
                const int32_t to = i + south[k] * SIZE + east[k];
                const double step = hypot(60.0 * east[k], tall * south[k]);
                ++left;
                if (level[to] >= 0.0f)
                {
                    level[i] =
                        (float)((double)level[to] + 0.5 * step * pow(60.0 * tall / area[i], theta));
                }
            }
        }
        memcpy(ground, level, sizeof ground);
    }
}

static void graded_rivers_have_their_concavity(void** state)
{
    fixture* f = *state;
    static const double thetas[] = {0.4, 0.45, 0.6};
    for (size_t i = 0; i < sizeof thetas / sizeof thetas[0]; ++i)
    {
        grade(f->context, thetas[i], 60.0);
        const wadi_land_forms forms = measure(f->context);
        CHECK_NEAR(forms.theta_chi, thetas[i], 0.051);
        assert_true(forms.chi_r2 > (i == 1 ? 0.999 : 0.9));
        CHECK_NEAR(forms.closed, 0.0, 0.0);
    }
}

// On cells of 60 x 120 m the profiles are as straight.
static void graded_rivers_on_oblong_cells_are_straight(void** state)
{
    fixture* f = *state;
    grade(f->context, 0.45, 120.0);
    wadi_land land = land_of();
    land.surface.dy = 120.0;
    wadi_land_forms forms;
    CHECK_OK(f->context, wadi_land_forms_measure(f->context, &land, &forms));
    CHECK_NEAR(forms.theta_chi, 0.45, 0.051);

    assert_true(forms.chi_r2 > 0.99);
}

// Convex slopes of 50 cells end in channels: slopes are steepest where 36 to 56 cells drain, so
// that channels drain 4 x 2000^(8/17) cells.
static void channels_begin_beyond_the_steepest_slopes(void** state)
{
    fixture* f = *state;
    enum
    {
        SIDE = 320
    };
    static float wide[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int32_t x = i % SIDE % 100;
        const int32_t to_channel = x < 50 ? 50 - x : x - 50;
        wide[i] = 1e4f - (float)((50 - to_channel) * (50 - to_channel)) - 0.05f * (float)(i / SIDE);
    }
    wadi_land land = land_of();
    land.surface.heights = wide;
    land.surface.width = land.surface.height = SIDE;
    land.surface.stride = SIDE;
    wadi_land_forms forms;
    CHECK_OK(f->context, wadi_land_forms_measure(f->context, &land, &forms));
    CHECK_NEAR(forms.channel_threshold / 3600.0, floor(4.0 * pow(2000.0, 8.0 / 17.0)), 0.5);
}

static void noise_is_not_eroded(void** state)
{
    fixture* f = *state;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        ground[i] = (float)(400.0 * chance((uint32_t)i));
    }
    CHECK_NEAR(measure(f->context).erosion_index, 0.0, 0.1);
    grade(f->context, 0.45, 60.0);
    CHECK_NEAR(measure(f->context).erosion_index, 1.0, 0.02);

    // a plain over a third of it
    for (int32_t i = 0; i < CELLS; ++i)
    {
        ground[i] = i / SIZE < SIZE / 3 ? 1e-4f * (float)(i / SIZE) : ground[i];
    }
    CHECK_NEAR(measure(f->context).erosion_index, 0.0, 0.0);

    // drained, but the same upside down
    tilt = 0.5;
    azimuth = 20.0;
    draw(plane);
    CHECK_NEAR(measure(f->context).erosion_index, 0.0, 0.0);
}

// Ten cells a row apart that are 1 m lower than all around, one of them 0.4 m lower and one long
// enough for a lake, and four columns, one of them no higher than its distance.
static void dimples_and_spikes_are_counted(void** state)
{
    fixture* f = *state;
    tilt = 0.001;
    azimuth = 30.0;
    draw(plane);
    for (int32_t k = 0; k < 10; ++k)
    {
        ground[(10 + 2 * k) * SIZE + 20] -= k == 0 ? 0.4f : 1.0f;
    }
    for (int32_t x = 30; x < 42; ++x)
    {
        ground[20 * SIZE + x] -= 3.0f;
    }
    for (int32_t k = 0; k < 4; ++k)
    {
        ground[60 * SIZE + 20 + 3 * k] += k == 0 ? 80.0f : 90.0f; // 60 m, or 85 m across
    }
    const wadi_land_forms forms = measure(f->context);
    CHECK_NEAR(forms.dimples, 9.0 * 1e4 / CELLS, 1e-9);
    CHECK_NEAR(forms.spikes, 3.0 * 1e4 / CELLS, 1e-9);
}

// ---- change -------------------------------------------------------------------------------------

static void change_is_measured(void** state)
{
    fixture* f = *state;
    draw(cone);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        earlier[i] = 2.0f * ground[i] + (i % 4 == 0 ? 8.0f : 0.0f); // all levels are below 0
    }
    wadi_land land = land_of();
    land.before = earlier;
    wadi_land_forms forms;
    CHECK_OK(f->context, wadi_land_forms_measure(f->context, &land, &forms));
    double wear = 0.0;
    double deposit = 0.0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        wear += fmax(0.0, (double)earlier[i] - (double)ground[i]) / CELLS;
        deposit += fmax(0.0, (double)ground[i] - (double)earlier[i]) / CELLS;
    }
    CHECK_NEAR(forms.relief_kept, 0.5, 0.01);
    CHECK_NEAR(forms.wear, wear, 1e-6);
    CHECK_NEAR(forms.deposit, deposit, 1e-6);
    assert_true(isnan(forms.denudation)); // over unknown years
    land.years = 2e5;
    CHECK_OK(f->context, wadi_land_forms_measure(f->context, &land, &forms));
    CHECK_NEAR(forms.denudation, 1000.0 * (wear - deposit) / 2e5, 1e-9);
}

// A heap of eight faces beside ground that did not change and is steeper; a round heap has none.
static void deposits_with_facets_are_found(void** state)
{
    fixture* f = *state;
    wadi_land land = land_of();
    land.before = earlier;
    wadi_land_forms forms[2];
    for (int32_t k = 0; k < 2; ++k)
    {
        tilt = 0.2;
        azimuth = 10.0;
        draw(plane);
        for (int32_t i = 0; i < CELLS; ++i)
        {
            const double x = i % SIZE - 0.5 * SIZE + 0.31;
            const double y = (double)(i / SIZE) - 0.5 * SIZE + 0.17;
            const double axis = fmax(fabs(x), fabs(y));
            const double diagonal = (fabs(x) + fabs(y)) * sqrt(0.5);
            const double r = k == 0 ? sqrt(x * x + y * y) : fmax(axis, diagonal);
            const double heap = 300.0 - 10.0 * r;
            earlier[i] = ground[i];
            ground[i] = r < 30.0 ? (float)(1000.0 + heap) : ground[i];
            earlier[i] = r < 30.0 ? 900.0f : earlier[i];
        }
        CHECK_OK(f->context, wadi_land_forms_measure(f->context, &land, &forms[k]));
    }
    assert_true(forms[0].facets < 0.06 && forms[1].facets > 0.8);
    memcpy(earlier, ground, sizeof ground);
    CHECK_OK(f->context, wadi_land_forms_measure(f->context, &land, &forms[0]));
    assert_true(isnan(forms[0].facets)); // without deposits
}

// ---- voids, turns, threads ----------------------------------------------------------------------

// A frame of voids leaves the measures of the land inside, here with rows of another stride.
static void voids_are_left_out(void** state)
{
    fixture* f = *state;
    draw(rough);
    wadi_land land = land_of();
    land.surface.heights = ground + 10 * SIZE + 7;
    land.surface.width = 70;
    land.surface.height = 60;
    wadi_land_forms inside;
    CHECK_OK(f->context, wadi_land_forms_measure(f->context, &land, &inside));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % SIZE;
        const int32_t y = i / SIZE;
        const bool in = x >= 7 && x < 77 && y >= 10 && y < 70;
        ground[i] = in ? ground[i] : NAN;
    }
    const wadi_land_forms framed = measure(f->context);
    CHECK_NEAR(framed.judged, 70.0 * 60.0 / CELLS, 1e-12);
    CHECK_NEAR(framed.erosion_index, inside.erosion_index, 0.03);
    CHECK_NEAR(framed.closed, inside.closed, 0.0);
    CHECK_NEAR(framed.prominent, inside.prominent, 1e-12);
    CHECK_NEAR(framed.corner, inside.corner, 0.0);
    CHECK_NEAR(framed.octal, inside.octal, 0.0);
    CHECK_NEAR(framed.aspect_harmonic, inside.aspect_harmonic, 1e-12);
}

// Turned by a quarter and mirrored, the land has the same measures, but for equal slopes.
static void turned_land_has_the_same_measures(void** state)
{
    fixture* f = *state;
    grade(f->context, 0.45, 60.0);
    const wadi_land_forms here = measure(f->context);
    static float turned[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        turned[i] = ground[(i % SIZE) * SIZE + i / SIZE];
    }
    memcpy(ground, turned, sizeof ground);
    const wadi_land_forms there = measure(f->context);
    int32_t count;
    const wadi_land_measure* measures = wadi_land_measures(&count);
    for (int32_t i = 0; i < count; ++i)
    {
        const double a = wadi_land_measure_value(&measures[i], &here);
        const double b = wadi_land_measure_value(&measures[i], &there);
        if (isnan(a) != isnan(b) || fabs(a - b) > 0.02 * fabs(a) + 1e-9)
        {
            fail_msg("%s is %.9g, turned %.9g", measures[i].name, a, b);
        }
    }
}

static void threads_change_no_bit(void** state)
{
    (void)state;
    wadi_land_forms forms[2];
    for (int32_t k = 0; k < 2; ++k)
    {
        fixture f;
        fixture_open(&f, k == 0 ? 1 : 4);
        draw(rough);
        forms[k] = measure(f.context);
        fixture_close(&f);
    }
    assert_memory_equal(&forms[0], &forms[1], sizeof forms[0]);
}

// ---- gates and refusals -------------------------------------------------------------------------

static void table_has_every_member(void** state)
{
    (void)state;
    int32_t count;
    const wadi_land_measure* measures = wadi_land_measures(&count);
    assert_int_equal((size_t)count * sizeof(double), sizeof(wadi_land_forms));
    for (int32_t i = 0; i < count; ++i)
    {
        assert_int_equal(measures[i].offset, (size_t)i * sizeof(double));
        assert_true(measures[i].unit[0] != '\0' && measures[i].doc[0] != '\0');
        assert_non_null(measures[i].source);
    }
    assert_string_equal(wadi_land_gates_name(WADI_LAND_GATES_NOISE), "noise");
    assert_string_equal(wadi_land_gates_name(WADI_LAND_GATES_RANGE), "range");
    assert_null(wadi_land_gates_name(WADI_LAND_GATES_COUNT));
}

static void gates_are_counted(void** state)
{
    fixture* f = *state;
    grade(f->context, 0.45, 60.0);
    wadi_land_forms forms = measure(f->context);
    forms.corner = 0.15; // of a limit, and the others well within
    forms.ridge_valley = 1.0;
    forms.steep = forms.flat = forms.aspect_harmonic = 0.0;
    forms.curvature_skew = forms.dimples = forms.spikes = forms.ridge_straight8 = 0.0;
    forms.slope = 15.0;
    assert_int_equal(wadi_land_forms_failed(&forms, WADI_LAND_GATES_NOISE), 0);
    forms.slope = 14.9;
    forms.corner = (double)NAN;
    assert_int_equal(wadi_land_forms_failed(&forms, WADI_LAND_GATES_NOISE), 2);
    forms.relief_kept = 0.4; // NaN before: a change that is unknown does not count
    assert_int_equal(wadi_land_forms_failed(&forms, WADI_LAND_GATES_NOISE), 3);
}

static void bad_land_is_refused(void** state)
{
    fixture* f = *state;
    wadi_land_forms forms = {0};
    draw(rough);
    wadi_land land = land_of();
    land.surface.width = 2;
    CHECK_FAILS(f->context, WADI_ERROR_RANGE, "3 cells",
                wadi_land_forms_measure(f->context, &land, &forms));
    assert_true(isnan(forms.slope)); // set on failure too
    land = land_of();
    land.years = -1.0;
    CHECK_FAILS(f->context, WADI_ERROR_RANGE, "years",
                wadi_land_forms_measure(f->context, &land, &forms));
    memset(ground, 0, sizeof ground);
    land = land_of();
    CHECK_FAILS(f->context, WADI_ERROR_RANGE, "level",
                wadi_land_forms_measure(f->context, &land, &forms));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        ground[i] = i % 2 == 0 ? (float)i : NAN;
    }
    CHECK_FAILS(f->context, WADI_ERROR_RANGE, "four sides",
                wadi_land_forms_measure(f->context, &land, &forms));
    CHECK_FAILS(f->context, WADI_ERROR_ARGUMENT, "NULL",
                wadi_land_forms_measure(f->context, NULL, &forms));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channel_along_the_diagonal_is_a_staircase),
        cmocka_unit_test(channel_with_a_floor_has_no_corners),
        cmocka_unit_test(channel_along_an_axis_is_straight),
        cmocka_unit_test(channel_between_the_ways_of_the_grid_is_neither),
        cmocka_unit_test(ridges_are_channels_upside_down),
        cmocka_unit_test(small_channels_do_not_count),
        cmocka_unit_test(plane_has_its_slope),
        cmocka_unit_test(aspects_show_the_grid),
        cmocka_unit_test(level_ground_is_flat),
        cmocka_unit_test(oblong_cells_count),
        cmocka_unit_test(waves_have_as_many_ridges_as_valleys),
        cmocka_unit_test(gentle_waves_are_flat),
        cmocka_unit_test(skewness_is_about_the_mean),
        cmocka_unit_test(sharp_crests_skew_the_curvature),
        cmocka_unit_test(prominent_peaks_and_pits_are_counted),
        cmocka_unit_test(closed_ground_is_measured),
        cmocka_unit_test(graded_rivers_have_their_concavity),
        cmocka_unit_test(graded_rivers_on_oblong_cells_are_straight),
        cmocka_unit_test(channels_begin_beyond_the_steepest_slopes),
        cmocka_unit_test(noise_is_not_eroded),
        cmocka_unit_test(dimples_and_spikes_are_counted),
        cmocka_unit_test(change_is_measured),
        cmocka_unit_test(deposits_with_facets_are_found),
        cmocka_unit_test(voids_are_left_out),
        cmocka_unit_test(turned_land_has_the_same_measures),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(table_has_every_member),
        cmocka_unit_test(gates_are_counted),
        cmocka_unit_test(bad_land_is_refused),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
