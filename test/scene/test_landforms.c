// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 16
// The forms that scenes of dunes are named after, measured, for winds along the grid and 37 degrees
// off it. Only the wind is turned; the sand keeps its place and amount.
#include "scene/landform.h"
#include "support/dune_contour.h"
#include "support/dune_crests.h"
#include "support/dune_parts.h"
#include "support/dune_shape.h"
#include "support/dunes.h"
#include "support/spectrum.h"

#include <stdlib.h>

static const double turns[2] = {0.0, 37.0};

static void open_and_run(landform* form, const char* name, int k)
{
    landform_open(form, name, turns[k], NULL, 0);
    landform_run(form);
}

// ---- single mounds
// -------------------------------------------------------------------------------

static void five_winds_round_a_block_to_a_dome(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        landform form;
        open_and_run(&form, "dunes-dome", k);
        double* sand = landform_sand(&form);
        const dune_map map = {sand, 96, 96, form.x, form.y};
        dune_parts parts = dune_parts_of(sand, 96, 96, 0.2, 20);
        const double round = dune_shape_roundness(&map, &parts.parts[0]);
        const double steep = dune_shape_steep(&map, 2.0, 0.5774);
        print_message("turned by %2.0f: %d mound, %.1f m high, radii of %.2f, spread %.2f, slip "
                      "faces on %.3f\n",
                      turns[k], (int)parts.count, parts.parts[0].height, round,
                      parts.parts[0].spread, steep);
        assert_int_equal(parts.count, 1);
        assert_true(parts.parts[0].height > 2.0);
        assert_true(round < 1.25 && parts.parts[0].spread < 1.15);
        assert_true(steep < 0.05);
        dune_parts_free(&parts);
        test_free(sand);
        landform_close(&form);
    }
}

static void a_mega_barchan_stands_among_small_ones(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        landform form;
        open_and_run(&form, "dunes-mega-barchan", k);
        double* sand = landform_sand(&form);
        const dune_map map = {sand, 192, 192, form.x, form.y};
        dune_parts parts = dune_parts_of(sand, 192, 192, 0.3, 20);
        const double median = dune_parts_median(&parts);
        const double horns = 3.0 * dune_shape_horns(&map, &parts, &parts.parts[0]);
        print_message(
            "turned by %2.0f: %d dunes of %.1f m, the largest %.1f m, horns %.0f m ahead\n",
            turns[k], (int)parts.count, median, parts.parts[0].height, horns);
        assert_true(parts.count >= 5);
        assert_true(parts.parts[0].height >= 3.0 * median);
        assert_true(horns > 0.5 * parts.parts[0].height);
        dune_parts_free(&parts);
        test_free(sand);
        landform_close(&form);
    }
}

// ---- ridges
// --------------------------------------------------------------------------------------

typedef struct ridges
{
    double heights[8192]; // from each crest to the trough behind it [m]
    int32_t count;
} ridges;

static double level_at(const landform* form, const double* level, double x, double y)
{
    const int32_t width = wadi_terrain_width(form->terrain);
    const int32_t height = wadi_terrain_height(form->terrain);
    const int32_t column = ((int32_t)floor(x + 0.5) % width + width) % width;
    const int32_t row = ((int32_t)floor(y + 0.5) % height + height) % height;
    return level[row * width + column];
}

// Ridges along a line with the wind from (x, y); rises and falls under 0.6 m do not count.
static void ridges_along(const landform* form, const double* level, double x, double y,
                         int32_t length, ridges* out)
{
    double high = level_at(form, level, x, y);
    double low = high;
    bool rising = false;
    bool met = false; // the first ridge may have begun before the line
    for (int32_t i = 1; i < length; ++i)
    {
        const double now = level_at(form, level, x + i * form->x, y + i * form->y);
        if (rising)
        {
            high = fmax(high, now);
            rising = now > high - 0.6;
            low = now;
        }
        else if (now > low + 0.6)
        {
            if (met && out->count < 8192)
            {
                out->heights[out->count++] = high - low;
            }
            met = true;
            rising = true;
            high = now;
        }
        else
        {
            low = fmin(low, now);
        }
    }
}

static int by_size(const void* a, const void* b)
{
    const double p = *(const double*)a;
    const double q = *(const double*)b;
    return (p > q) - (p < q);
}

// The block of sand lies across the wind for any direction, so the map is a periodic square.
static void slow_a_mega_transverse_dune_stands_among_small_ones(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        const char* const square[] = {
            "dunes.for=5 yr", "terrain.size=[288, 288]", "terrain.edges=open",
            k == 0 ? "steps.0.add_sand.rectangle={x: 138 m, y: 288 m, width: 160 m, height: 2 km}"
                   : "steps.0.add_sand.rectangle={x: 168 m, y: 378 m, width: 160 m, height: 2 km, "
                     "azimuth: 37 deg}"};
        landform form;
        landform_open(&form, "dunes-mega-transverse", turns[k], square, 4);
        landform_run(&form);
        double* level = dunes_levels(form.terrain);
        static ridges all;
        all.count = 0;
        for (int32_t i = -40; i <= 40; i += 4)
        {
            // lines near the middle, from 130 cells before the centre to 130 behind
            const double x = 144.0 - 130.0 * form.x - i * form.y;
            const double y = 144.0 - 130.0 * form.y + i * form.x;
            ridges_along(&form, level, x, y, 260, &all);
        }
        qsort(all.heights, (size_t)all.count, sizeof all.heights[0], by_size);
        const double median = all.heights[all.count / 2];
        const double mega = all.heights[all.count * 9 / 10];
        print_message("turned by %2.0f: %d ridges of %.1f m, the highest of %.1f m\n", turns[k],
                      (int)all.count, median, mega);
        assert_true(mega >= 3.0 * median);
        test_free(level);
        landform_close(&form);
    }
}

static void slow_eddies_bend_crests(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        landform bent;
        open_and_run(&bent, "dunes-sinuous", k);
        static const char* const off[] = {"dunes.eddies=" WADI_SOURCE_DIR "/test/data/calm.csv"};
        landform straight;
        landform_open(&straight, "dunes-sinuous", turns[k], off, 1);
        landform_run(&straight);
        const double s[2] = {dune_sinuosity(straight.terrain, straight.x, straight.y),
                             dune_sinuosity(bent.terrain, bent.x, bent.y)};
        print_message("turned by %2.0f: sinuosity %.2f, with eddies %.2f\n", turns[k], s[0], s[1]);
        assert_true(s[1] >= 1.5 * s[0]);
        landform_close(&straight);
        landform_close(&bent);
    }
}

static void five_winds_make_a_network(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        landform form;
        open_and_run(&form, "dunes-network", k);
        double* level = dunes_levels(form.terrain);
        const dune_measures m = dunes_measure(form.terrain, form.x, form.y);
        dune_parts high = dune_parts_of(level, 160, 160, 0.0, 20);
        int32_t cells = 0;
        for (int32_t i = 0; i < high.count; ++i)
        {
            cells += high.parts[i].cells;
        }
        for (int32_t i = 0; i < 160 * 160; ++i)
        {
            level[i] = -level[i];
        }
        dune_parts hollows = dune_parts_of(level, 160, 160, 0.25 * m.height, 20);
        print_message("turned by %2.0f: height %.1f m, order %.2f, %d hollows, the largest network "
                      "holds %.2f of the crests\n",
                      turns[k], m.height, m.order, (int)hollows.count,
                      (double)high.parts[0].cells / cells);
        assert_true(m.height > 2.0 && m.order < 0.2);
        assert_true((double)high.parts[0].cells > 0.6 * cells);
        assert_true(hollows.count >= 8 && hollows.parts[0].cells < 160 * 160 / 16);
        dune_parts_free(&high);
        dune_parts_free(&hollows);
        test_free(level);
        landform_close(&form);
    }
}

// ---- two sizes at once
// ---------------------------------------------------------------------------

static void slow_rising_winds_leave_dunes_of_two_sizes(void** state)
{
    (void)state;
    enum
    {
        BANDS = 12
    };
    for (int k = 0; k < 2; ++k)
    {
        landform form;
        open_and_run(&form, "slab-scales", k);
        float* level = test_malloc(256 * 256 * sizeof *level);
        for (int32_t i = 0; i < 256 * 256; ++i)
        {
            level[i] =
                (float)wadi_terrain_units(form.terrain, WADI_LAYER_SURFACE, i % 256, i / 256) /
                65536.0f;
        }
        double bands[BANDS];
        spectrum_bands(level, 256, form.x, form.y, bands, BANDS);
        // the pair of bands, at least a factor of three apart, with the most prominent peaks
        int32_t best[2] = {0, 4};
        double out = 0.0;
        for (int32_t a = 2; a < BANDS; ++a) // longer waves have only one or two modes in a band
        {
            double valley = bands[a];
            for (int32_t b = a + 1; b < BANDS; ++b)
            {
                const double lower = fmin(bands[a], bands[b]);
                if (b >= a + 4 && lower > out * valley)
                {
                    out = lower / valley;
                    best[0] = a;
                    best[1] = b;
                }
                valley = fmin(valley, bands[b]);
            }
        }
        print_message("turned by %2.0f: peaks at %.0f and %.0f m, %.2f times the valley between\n",
                      turns[k], 256.0 * pow(2.0, -0.5 * best[0] - 0.25),
                      256.0 * pow(2.0, -0.5 * best[1] - 0.25), out);
        assert_true(out > 1.5);
        test_free(level);
        landform_close(&form);
    }
}

// ---- rock
// ----------------------------------------------------------------------------------------

static void slow_flying_sand_wears_the_windward_sides(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        landform form;
        open_and_run(&form, "dunes-ventifacts", k);
        float* wear = test_malloc(160 * 112 * sizeof *wear);
        CHECK_OK(form.f.context,
                 wadi_solver_map(wadi_run_solver(form.run, wadi_process_find(NULL, "dunes")),
                                 "wear", wear));
        // about the largest boulder: 20 m east and 28 m north of the corner
        double sides[2] = {0.0}; // a quarter of the boulder each
        double along = 0.0;
        double across = 0.0;
        for (int32_t i = 0; i < 160 * 112; ++i)
        {
            const double dx = 0.5 * (i % 160 + 0.5) - 20.0;
            const double dy = 0.5 * (i / 160 + 0.5) - 28.0;
            if (dx * dx + dy * dy < 64.0)
            {
                const double place = dx * form.x + dy * form.y;
                const double aside = dy * form.x - dx * form.y;
                sides[place > 0.0] += fabs(aside) < fabs(place) ? (double)wear[i] : 0.0;
                along += (double)wear[i] * place;
                across += (double)wear[i] * aside;
            }
        }
        const double off = atan2(fabs(across), -along) * 57.29577951308232;
        print_message("turned by %2.0f: worn %.0f times as much to windward, %.1f degrees off\n",
                      turns[k], sides[0] / sides[1], off);
        assert_true(sides[0] > 3.0 * sides[1] && off < 10.0);
        test_free(wear);
        landform_close(&form);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_winds_round_a_block_to_a_dome),
        cmocka_unit_test(a_mega_barchan_stands_among_small_ones),
        cmocka_unit_test(slow_a_mega_transverse_dune_stands_among_small_ones),
        cmocka_unit_test(slow_eddies_bend_crests),
        cmocka_unit_test(five_winds_make_a_network),
        cmocka_unit_test(slow_rising_winds_leave_dunes_of_two_sizes),
        cmocka_unit_test(slow_flying_sand_wears_the_windward_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
