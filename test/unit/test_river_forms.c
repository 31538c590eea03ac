// SPDX-License-Identifier: MIT
// Measures of rivers drawn with known answers, along the grid and turned by 37 degrees.
#include "support/fixture.h"

#include <wadi/river_forms.h>

enum
{
    SIDE = 320,
    CELLS = SIDE * SIDE
};

static const double wide = 8.0;    // of the channel [cells]
static const double fall = 0.01;   // of the ground along the axis [m/cell]
static const double lambda = 80.0; // a double bend along the axis [cells]
static const double amplitude = 20.0;

typedef struct drawing
{
    fixture f;
    float* water;
    float* heights;
    double turned; // [radian]
} drawing;

// Coordinates along and across the axis of the river, from the middle of the map [cells].
static void drawing_axes(const drawing* d, int32_t cell, double* along, double* across)
{
    const double x = cell % SIDE - 0.5 * (SIDE - 1);
    const double y = cell / SIDE - 0.5 * (SIDE - 1);
    *along = x * cos(d->turned) + y * sin(d->turned);
    *across = y * cos(d->turned) - x * sin(d->turned);
}

static void drawing_open(drawing* d, double degrees)
{
    *d = (drawing){.turned = degrees * M_PI / 180.0};
    fixture_open(&d->f, 1);
    d->water = test_calloc(CELLS, sizeof *d->water);
    d->heights = test_calloc(CELLS, sizeof *d->heights);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        double along;
        double across;
        drawing_axes(d, i, &along, &across);
        d->heights[i] = (float)(100.0 - fall * along);
    }
}

static void drawing_close(drawing* d)
{
    test_free(d->water);
    test_free(d->heights);
    fixture_close(&d->f);
}

// A disc of water at a place on the axes.
static void drawing_disc(drawing* d, double along, double across, double radius)
{
    const double x = 0.5 * (SIDE - 1) + along * cos(d->turned) - across * sin(d->turned);
    const double y = 0.5 * (SIDE - 1) + along * sin(d->turned) + across * cos(d->turned);
    for (int32_t v = (int32_t)ceil(y - radius); v <= y + radius; ++v)
    {
        for (int32_t u = (int32_t)ceil(x - radius); u <= x + radius; ++u)
        {
            if (u >= 0 && v >= 0 && u < SIDE && v < SIDE && hypot(u - x, v - y) <= radius)
            {
                d->water[v * SIDE + u] = 1.0f;
            }
        }
    }
}

// A channel whose middle is a function of the place along the axis, to both sides of the middle.
typedef double drawing_line(double along);

static void drawing_channel(drawing* d, drawing_line* line, double reach)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        double u;
        double v;
        drawing_axes(d, i, &u, &v);
        double nearest = 1e9;
        const double last = fmin(reach, u + wide);
        for (double along = fmax(-reach, u - wide); along <= last; along += 0.25)
        {
            nearest = fmin(nearest, hypot(u - along, v - line(along)));
        }
        d->water[i] = nearest <= 0.5 * wide ? 1.0f : d->water[i];
    }
}

static wadi_river_map map_of(const drawing* d)
{
    return (wadi_river_map){.surface = {.heights = d->heights,
                                        .width = SIDE,
                                        .height = SIDE,
                                        .stride = SIDE,
                                        .dx = 10.0,
                                        .dy = 10.0},
                            .water = d->water,
                            .sea = -HUGE_VAL};
}

static wadi_river_forms measure(drawing* d)
{
    wadi_river_forms forms;
    const wadi_river_map map = map_of(d);
    CHECK_OK(d->f.context, wadi_river_forms_measure(d->f.context, &map, &forms));
    print_message(
        "at %2.0f: length %.0f, width %.1f, sinuosity %.3f, lambda %.2f w, radius %.2f w, "
        "skewness %+.3f, %d bends, braiding %.2f, %d oxbows, %d mouths\n",
        d->turned * 180.0 / M_PI, forms.length, forms.width, forms.sinuosity, forms.wavelength,
        forms.radius, forms.skewness, forms.bends, forms.braiding, forms.oxbows, forms.mouths);
    return forms;
}

static const double azimuths[2] = {0.0, 37.0};

// ---- forms --------------------------------------------------------------------------------------

static double straight(double along)
{
    (void)along;
    return 0.0;
}

static double wave(double along)
{
    return amplitude * sin(2.0 * M_PI * along / lambda);
}

// Length of the sine over that of its axis.
static double wave_sinuosity(void)
{
    double length = 0.0;
    for (int32_t i = 0; i < 1000; ++i)
    {
        length +=
            hypot(lambda / 1000.0, wave((i + 1) * lambda / 1000.0) - wave(i * lambda / 1000.0));
    }
    return length / lambda;
}

static void straight_channels_have_no_bends(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        drawing d;
        drawing_open(&d, azimuths[i]);
        drawing_channel(&d, straight, 120.0);
        const wadi_river_forms forms = measure(&d);
        assert_true(fabs(forms.sinuosity - 1.0) < 0.01);
        assert_true(fabs(forms.width / 80.0 - 1.0) < 0.08);
        assert_true(fabs(forms.length / 2400.0 - 1.0) < 0.06);
        assert_true(fabs(forms.braiding - 1.0) < 0.02);
        assert_int_equal(forms.bends, 0);
        assert_int_equal(forms.oxbows, 0);
        drawing_close(&d);
    }
}

static void waves_have_their_length_and_radius(void** state)
{
    (void)state;
    const double radius = lambda * lambda / (4.0 * M_PI * M_PI * amplitude) / wide;
    for (int i = 0; i < 2; ++i)
    {
        drawing d;
        drawing_open(&d, azimuths[i]);
        drawing_channel(&d, wave, 120.0);
        const wadi_river_forms forms = measure(&d);
        assert_true(fabs(forms.sinuosity / wave_sinuosity() - 1.0) < 0.06);
        assert_true(fabs(forms.wavelength / (lambda / wide) - 1.0) < 0.1);
        assert_true(forms.radius > 0.7 * radius && forms.radius < 1.8 * radius);
        assert_true(fabs(forms.skewness) < 0.1);
        assert_true(forms.bends >= 3 && forms.bends <= 6);
        drawing_close(&d);
    }
}

// A Kinoshita curve: its bends turn upstream or downstream of their middle.
static double kinoshita_skewness(double degrees, double skew)
{
    drawing d;
    drawing_open(&d, degrees);
    const double swing = 1.5;
    double along = -120.0;
    double across = 0.0;
    for (double s = 0.0; along < 120.0; s += 1.0)
    {
        const double phase = 2.0 * M_PI * s / 150.0;
        const double angle = swing * sin(phase) + skew * swing * swing * swing * cos(3.0 * phase);
        along += cos(angle);
        across += sin(angle);
        drawing_disc(&d, along, across, 0.5 * wide);
    }
    const double skewness = measure(&d).skewness;
    drawing_close(&d);
    return skewness;
}

static void skewed_bends_are_told_from_even_ones(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        const double up = kinoshita_skewness(azimuths[i], 0.06);
        const double down = kinoshita_skewness(azimuths[i], -0.06);
        const double even = kinoshita_skewness(azimuths[i], 0.0);
        assert_true(fabs(even) < 0.06);
        assert_true(up * down < 0.0 && fabs(up) > 0.1 && fabs(down) > 0.1);
        assert_true(fabs(up + down) < 0.08);
    }
}

static double above(double along)
{
    return fabs(along) < 60.0 ? 16.0 * (1.0 + cos(M_PI * along / 60.0)) * 0.5 : 0.0;
}

static double below(double along)
{
    return -above(along);
}

// Two channels over half of the length: an index of about 1.5.
static void islands_make_braids(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        drawing d;
        drawing_open(&d, azimuths[i]);
        drawing_channel(&d, above, 120.0);
        drawing_channel(&d, below, 120.0);
        const wadi_river_forms forms = measure(&d);
        assert_true(forms.braiding > 1.25 && forms.braiding < 1.6);
        assert_true(forms.sections > 1.25 && forms.sections < 1.55);
        drawing_close(&d);
    }
}

static double beside(double along)
{
    (void)along;
    return 30.0;
}

static double detour(double along)
{
    return 2.5 * above(along);
}

// The way through the longer channel meets, from both ends, in its midst, and leads on from nowhere
// there: it is active all the same.
static void islands_between_unequal_channels_make_braids(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        drawing d;
        drawing_open(&d, azimuths[i]);
        drawing_channel(&d, straight, 120.0);
        drawing_channel(&d, detour, 120.0);
        const wadi_river_forms forms = measure(&d);
        assert_true(forms.braiding > 1.3 && forms.braiding < 1.8);
        assert_true(fabs(forms.length / 2400.0 - 1.0) < 0.06);
        drawing_close(&d);
    }
}

// Braiding follows one connected river; sections meet all channels.
static void sections_count_channels_that_do_not_touch(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        drawing d;
        drawing_open(&d, azimuths[i]);
        drawing_channel(&d, straight, 120.0);
        assert_true(fabs(measure(&d).sections - 1.0) < 0.01);
        drawing_channel(&d, beside, 118.0);
        const wadi_river_forms forms = measure(&d);
        assert_true(fabs(forms.braiding - 1.0) < 0.02);
        assert_true(fabs(forms.sections - 2.0) < 0.02);
        drawing_close(&d);
    }
}

// ---- lobes --------------------------------------------------------------------------------------

// A half disc before a coast, whose radius varies `waves` times by a share of the mean.
static double lobes_of(double degrees, int waves, double swing, double radius)
{
    drawing d;
    drawing_open(&d, degrees);
    drawing_channel(&d, straight, 120.0);
    float* before = test_calloc(CELLS, sizeof *before);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        double along;
        double across;
        drawing_axes(&d, i, &along, &across);
        before[i] = d.heights[i];
        const double angle = atan2(across, along);
        const double reach = radius * (1.0 - swing * cos(2.0 * waves * angle + M_PI * (waves % 2)));
        const double far = hypot(along, across);
        // a bar beyond a strait is not part of the body
        const bool bar = fabs(along - 1.6 * radius) < 0.05 * radius && fabs(across) < 4.0;
        const double rise = far < reach && along > -1.0 ? 2.0 + 3.0 * (1.0 - far / reach) : 0.0;
        d.heights[i] += (float)(bar ? 2.0 : rise);
    }
    wadi_river_map map = map_of(&d);
    map.before = before;
    wadi_river_forms forms;
    CHECK_OK(d.f.context, wadi_river_forms_measure(d.f.context, &map, &forms));
    print_message("at %2.0f: %d waves of %.2f: %.0f lobes\n", degrees, waves, swing, forms.lobes);
    test_free(before);
    drawing_close(&d);
    return forms.lobes;
}

static void lobes_are_counted(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        for (int waves = 2; waves <= 5; ++waves)
        {
            assert_true(lobes_of(azimuths[i], waves, 0.25, 80.0) == waves);
        }
        assert_true(lobes_of(azimuths[i], 3, 0.0, 80.0) == 1.0);
        assert_true(lobes_of(azimuths[i], 4, 0.03, 80.0) == 1.0); // a rough shore
        assert_true(isnan(lobes_of(azimuths[i], 3, 0.25, 8.0)));
    }
}

static void channels_that_end_are_not_active(void** state)
{
    (void)state;
    drawing d;
    drawing_open(&d, 0.0);
    drawing_channel(&d, straight, 120.0);
    for (double off = 0.0; off < 40.0; off += 1.0)
    {
        drawing_disc(&d, 10.0, off, 3.0);
    }
    const wadi_river_forms forms = measure(&d);
    assert_true(fabs(forms.braiding - 1.0) < 0.06);
    drawing_close(&d);
}

static void crescents_beside_the_river_are_oxbows(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        drawing d;
        drawing_open(&d, azimuths[i]);
        drawing_channel(&d, straight, 120.0);
        for (int lake = 0; lake < 2; ++lake)
        {
            for (double angle = 0.0; angle < 3.6; angle += 0.1)
            {
                drawing_disc(&d, 70.0 * lake - 30.0 + 14.0 * cos(angle), 30.0 + 14.0 * sin(angle),
                             3.5);
            }
        }
        drawing_disc(&d, 0.0, -40.0, 12.0); // a round lake
        drawing_disc(&d, 40.0, -40.0, 2.0); // a pond
        for (double along = 70.0; along < 80.0; along += 0.5)
        {
            drawing_disc(&d, along, -40.0, 1.2); // a pool: slender, but two widths long at most
        }
        assert_int_equal(measure(&d).oxbows, 2);
        drawing_close(&d);
    }
}

static double left(double along)
{
    return along > 40.0 ? 0.8 * (along - 40.0) : 0.0;
}

static double right(double along)
{
    return -left(along);
}

static void mouths_are_counted_at_the_sea(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        drawing d;
        drawing_open(&d, azimuths[i]);
        drawing_channel(&d, straight, 120.0);
        drawing_channel(&d, left, 120.0);
        drawing_channel(&d, right, 120.0);
        wadi_river_map map = map_of(&d);
        map.sea = 100.0 - fall * 100.0; // shore 100 cells down from the middle
        wadi_river_forms forms;
        CHECK_OK(d.f.context, wadi_river_forms_measure(d.f.context, &map, &forms));
        assert_int_equal(forms.mouths, 3);
        drawing_close(&d);
    }
}

static double aside(double along)
{
    return along > 0.0 ? -3.0 * along : 0.0;
}

// A river enters over the edge; a branch reaches the sea, and another leaves over a side before it.
static void mouths_are_counted_at_the_edge_too(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        drawing d;
        drawing_open(&d, azimuths[i]);
        drawing_channel(&d, straight, 240.0);
        drawing_channel(&d, aside, 240.0);
        wadi_river_map map = map_of(&d);
        map.sea = 100.0 - fall * 100.0;
        wadi_river_forms forms;
        CHECK_OK(d.f.context, wadi_river_forms_measure(d.f.context, &map, &forms));
        assert_int_equal(forms.mouths, 2);
        map.sea = -HUGE_VAL; // both leave over the edge
        CHECK_OK(d.f.context, wadi_river_forms_measure(d.f.context, &map, &forms));
        assert_int_equal(forms.mouths, 2);
        drawing_close(&d);
    }
}

// The same wave as a bed of 2 m in the heights.
static void rivers_are_found_in_heights(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        drawing d;
        drawing_open(&d, azimuths[i]);
        drawing_channel(&d, wave, 240.0);
        for (int32_t k = 0; k < CELLS; ++k)
        {
            double along;
            double across;
            drawing_axes(&d, k, &along, &across);
            // a plain that falls gently, so that all of the river drains to the lower end
            d.heights[k] =
                (float)(100.0 - 0.002 * along - 2.0 * (double)d.water[k] + 0.004 * fabs(across));
        }
        wadi_river_map map = map_of(&d);
        map.water = NULL;
        wadi_river_forms forms;
        CHECK_OK(d.f.context, wadi_river_forms_measure(d.f.context, &map, &forms));
        print_message("from heights: sinuosity %.3f, width %.1f, %d bends, lambda %.2f\n",
                      forms.sinuosity, forms.width, forms.bends, forms.wavelength);
        assert_int_equal(forms.from_water, 3);
        assert_true(fabs(forms.width / 80.0 - 1.0) < 0.25);
        assert_true(fabs(forms.sinuosity / wave_sinuosity() - 1.0) < 0.15);
        drawing_close(&d);
    }
}

static void land_without_a_river_is_refused(void** state)
{
    (void)state;
    drawing d;
    drawing_open(&d, 0.0);
    wadi_river_forms forms;
    const wadi_river_map map = map_of(&d);
    assert_int_equal(wadi_river_forms_measure(d.f.context, &map, &forms), WADI_ERROR_RANGE);
    drawing_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_channels_have_no_bends),
        cmocka_unit_test(waves_have_their_length_and_radius),
        cmocka_unit_test(skewed_bends_are_told_from_even_ones),
        cmocka_unit_test(islands_make_braids),
        cmocka_unit_test(islands_between_unequal_channels_make_braids),
        cmocka_unit_test(sections_count_channels_that_do_not_touch),
        cmocka_unit_test(lobes_are_counted),
        cmocka_unit_test(channels_that_end_are_not_active),
        cmocka_unit_test(crescents_beside_the_river_are_oxbows),
        cmocka_unit_test(mouths_are_counted_at_the_sea),
        cmocka_unit_test(mouths_are_counted_at_the_edge_too),
        cmocka_unit_test(rivers_are_found_in_heights),
        cmocka_unit_test(land_without_a_river_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
