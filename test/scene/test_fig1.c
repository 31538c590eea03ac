// SPDX-License-Identifier: MIT
// labels: slow
// gap: eddies that bend crests to 1.5 times their sinuosity leave them an order of 0.39, not 0.4
// scenes/fig1.yaml on cells of 8 m: a mega-barchan, a star, bent transverse and linear dunes stand
// side by side, and each quarter is recognised by its own measures.
#include "scene/landform.h"
#include "support/dune_contour.h"
#include "support/dune_shape.h"

#include <wadi/dune_forms.h>

static const double cell = 8.0;      // [m]
static const double drift = 180.0;   // azimuth, under a north wind and under two about it
static const double extent = 4096.0; // [m] of the map

// Sand of a part of the map, which lies on flat rock at 0 m, and its measures.
typedef struct quarter
{
    int32_t width;
    int32_t height;
    float* sand;    // [m]
    double* levels; // the same
    wadi_dune_forms forms;
    wadi_dune_type type;
} quarter;

// From `west` and from `south` of the map's corner on, both in metres.
static quarter quarter_open(const landform* form, double west, double south, double wide,
                            double high, double drifts)
{
    quarter q = {.width = (int32_t)(wide / cell), .height = (int32_t)(high / cell)};
    const int32_t left = (int32_t)(west / cell);
    const int32_t top = wadi_terrain_height(form->terrain) - (int32_t)(south / cell) - q.height;
    const size_t cells = (size_t)q.width * (size_t)q.height;
    q.sand = test_malloc(cells * sizeof *q.sand);
    q.levels = test_malloc(cells * sizeof *q.levels);
    for (int32_t i = 0; i < q.width * q.height; ++i)
    {
        q.levels[i] = wadi_terrain_units(form->terrain, WADI_LAYER_SEDIMENT, left + i % q.width,
                                         top + i / q.width) /
                      65536.0;
        q.sand[i] = (float)q.levels[i];
    }
    const wadi_dune_field field = {.surface = {.heights = q.sand,
                                               .width = q.width,
                                               .height = q.height,
                                               .stride = q.width,
                                               .dx = cell,
                                               .dy = cell},
                                   .sand = q.sand};
    CHECK_OK(form->f.context, wadi_dune_forms_measure(form->f.context, &field, &q.forms));
    q.type = wadi_dune_forms_classify(&q.forms, drifts);
    print_message("a %s: order %.2f, normal %.0f, faces %.1f degrees, bare %.2f\n",
                  wadi_dune_type_name(q.type), q.forms.order, q.forms.normal, q.forms.face,
                  q.forms.bare);
    return q;
}

static void quarter_close(quarter* q)
{
    test_free(q->sand);
    test_free(q->levels);
}

// The wind blows to the south.
static dune_map quarter_map(const quarter* q)
{
    return (dune_map){q->levels, q->width, q->height, 0.0, 1.0};
}

// Sinuosity of crests on this quarter, made periodic.
static double quarter_sinuosity(const landform* form, const quarter* q)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    wadi_terrain* terrain;
    def.width = q->width;
    def.height = q->height;
    def.cell_size = cell;
    def.edges[0] = def.edges[1] = def.edges[2] = def.edges[3] = WADI_EDGE_PERIODIC;
    CHECK_OK(form->f.context, wadi_terrain_create(form->f.context, &def, &terrain));
    CHECK_OK(form->f.context,
             wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, q->sand, q->width));
    const double sinuosity = dune_sinuosity(terrain, 0.0, 1.0);
    wadi_terrain_destroy(terrain);
    return sinuosity;
}

// As wide as the initial sheet, and from the southern edge to the last dune.
static quarter quarter_transverse(const landform* form)
{
    return quarter_open(form, 174.0, 0.0, 1700.0, 0.4 * extent, drift);
}

// ---- the quarters ------------------------------------------------------------------------------

static void check_star(const landform* form)
{
    quarter q = quarter_open(form, 0.0, 0.5 * extent, 0.5 * extent, 0.5 * extent, (double)NAN);
    const dune_map map = quarter_map(&q);
    dune_parts parts = dune_parts_of(q.levels, q.width, q.height, 0.3, 20);
    const int32_t arms = dune_shape_arms(&map, &parts.parts[0], 120.0 / cell);
    print_message("  %.1f m high, %d arms\n", parts.parts[0].height, (int)arms);
    assert_int_equal(q.type, WADI_DUNE_STAR);
    assert_true(q.forms.order < 0.15 && arms >= 3);
    dune_parts_free(&parts);
    quarter_close(&q);
}

// Including all barchans that have crossed the middle of the map.
static void check_mega_barchan(const landform* form)
{
    const double south = 0.4 * extent;
    quarter q = quarter_open(form, 0.5 * extent, south, 0.5 * extent, extent - south, drift);
    const dune_map map = quarter_map(&q);
    dune_parts parts = dune_parts_of(q.levels, q.width, q.height, 0.3, 20);
    const dune_part* mega = &parts.parts[0];
    const double median = dune_parts_median(&parts);
    const double horns = cell * dune_shape_horns(&map, &parts, mega);
    print_message("  %d dunes of %.1f m, the largest %.1f m, horns %.0f m ahead\n",
                  (int)parts.count, median, mega->height, horns);
    assert_int_equal(q.type, WADI_DUNE_BARCHAN);
    assert_true(parts.count >= 5 && mega->height >= 3.0 * median);
    assert_true(horns > 2.0 * mega->height);
    dune_parts_free(&parts);
    quarter_close(&q);
}

static void check_transverse(const landform* form)
{
    quarter q = quarter_transverse(form);
    assert_int_equal(q.type, WADI_DUNE_TRANSVERSE);
    assert_true(q.forms.order > 0.4);
    quarter_close(&q);
}

static void check_linear(const landform* form)
{
    quarter q = quarter_open(form, 0.5 * extent, 0.0, 0.5 * extent, 0.4 * extent, drift);
    assert_int_equal(q.type, WADI_DUNE_LINEAR);
    assert_true(q.forms.order > 0.4);
    quarter_close(&q);
}

static void check_quarters(const char* scene, const char* const* change, int32_t count)
{
    landform form;
    landform_open(&form, scene, 0.0, change, count);
    landform_run(&form);
    check_star(&form);
    check_mega_barchan(&form);
    check_transverse(&form);
    check_linear(&form);
    landform_close(&form);
}

static void four_kinds_of_dunes_stand_side_by_side(void** state)
{
    (void)state;
    static const char* const coarse[] = {"terrain.size=512", "terrain.cell=8 m",
                                         "dunes.step_flux=0.5"};
    check_quarters("fig1", coarse, 3);
}

// Without heaps.
static void four_kinds_of_dunes_grow_from_sheets(void** state)
{
    (void)state;
    check_quarters("fig1-grown", NULL, 0);
}

// ---- eddies ------------------------------------------------------------------------------------

enum
{
    SEEDS = 6
};

typedef struct crests
{
    double sinuosity;
    double order;
} crests;

// The quarter of transverse dunes alone, without the other steps of the scene.
static crests run_transverse(int32_t seed, const char* eddies)
{
    char lot[32];
    (void)snprintf(lot, sizeof lot, "seed=%d", (int)seed);
    const char* const part[] = {"terrain.size=[256, 288]", "terrain.cell=8 m",
                                "dunes.step_flux=0.5", lot, eddies};
    landform form;
    landform_open(&form, "fig1", 0.0, part, eddies != NULL ? 5 : 4);
    landform_run(&form);
    quarter q = quarter_transverse(&form);
    const crests found = {quarter_sinuosity(&form, &q), q.forms.order};
    quarter_close(&q);
    landform_close(&form);
    return found;
}

// A contour around connected ridges includes all of them, so the sinuosity of one set of eddies is
// either near 1.25 or near 1.8: the test takes the mean of six.
static void eddies_bend_crests_across_the_wind(void** state)
{
    (void)state;
    const crests straight =
        run_transverse(1, "dunes.eddies=" WADI_SOURCE_DIR "/test/data/calm.csv");
    crests mean = {0.0, 0.0};
    for (int32_t seed = 1; seed <= SEEDS; ++seed)
    {
        const crests bent = run_transverse(seed, NULL);
        print_message("  sinuosity %.2f\n", bent.sinuosity);
        mean.sinuosity += bent.sinuosity / SEEDS;
        mean.order += bent.order / SEEDS;
    }
    print_message("sinuosity %.2f, without eddies %.2f; order %.2f, %.2f\n", mean.sinuosity,
                  straight.sinuosity, mean.order, straight.order);
    assert_true(mean.order > 0.4);
    assert_true(mean.sinuosity >= 1.5 * straight.sinuosity);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_kinds_of_dunes_stand_side_by_side),
        cmocka_unit_test(four_kinds_of_dunes_grow_from_sheets),
    };
    const struct CMUnitTest gaps[] = {
        cmocka_unit_test(eddies_bend_crests_across_the_wind),
    };
    (void)argv;
    return argc > 1 ? cmocka_run_group_tests(gaps, NULL, NULL)
                    : cmocka_run_group_tests(tests, NULL, NULL);
}
