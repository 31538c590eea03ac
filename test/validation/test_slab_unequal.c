// SPDX-License-Identifier: MIT
// labels: slow
// gap: linear dunes of little sand under two winds 120 degrees apart
// Under two winds of which one moves N times as much sand, crests lie across the most sand (gross
// bedform-normal transport, Rubin & Hunter 1987); under two equal ones at right angles, across and
// along them alike, so that no order is left. A cycle of both winds takes twenty steps, ten for
// each as `cycle` says: with three steps for each, crests at right angles keep an order of 0.25.
#include "support/dune_crests.h"
#include "support/dune_land.h"

#include <wadi/dune_forms.h>

// The sheet, shifted downwind by a distance.
static double unequal_sheet(sand_place place, const void* user)
{
    return dune_sheet((sand_place){place.along + *(const double*)user, place.across}, NULL);
}

// Two winds at an angle about `centre`; the first blows for a share of the time.
typedef struct unequal_winds
{
    double centre;
    double between;
    double share;
} unequal_winds;

// A land after a number of steps under both winds; to be closed.
static void unequal_blow(const unequal_winds* winds, sand_shape* sheet, const void* user,
                         double steps, sand_land* land)
{
    dune_land_def def = dune_land_def_default();
    CHECK_OK(NULL, wadi_process_apply_preset(NULL, &wadi_dunes_process, "paper", &def.params));
    const wadi_dunes_params* p = &def.params;
    const double step =
        p->slab_thickness * p->slab_hop * 10.0 / p->slab_wind / (p->slab_settle_sand * p->flux);
    const double half = winds->between / 2.0;
    const double rose[] = {winds->centre - half, 2.0, winds->share,
                           winds->centre + half, 2.0, 1.0 - winds->share};
    def.params.slab_spread = 0.5;
    def.params.cycle = 20.0 * step;
    def.size = 192;
    def.sand = sheet;
    def.user = user;
    def.table = "rose";
    def.rows = rose;
    def.row_count = 2;
    dune_land_open(land, &def);
    dune_land_blow(land, steps * step);
}

// Add the crests of a sheet under both winds.
static void unequal_crests(const unequal_winds* winds, double shift, dune_crests* crests)
{
    sand_land land;
    unequal_blow(winds, unequal_sheet, &shift, 300.0, &land);
    dune_crests_add(crests, land.terrain);
    sand_land_close(&land);
}

static void unequal_winds_turn_crests_as_much_sand_as_they_move(void** state)
{
    (void)state;
    static const double cases[][2] = {{60.0, 2.0}, {120.0, 2.0}, {150.0, 5.0}};
    double worst = 0.0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        const unequal_winds winds = {270.0, cases[i][0], cases[i][1] / (cases[i][1] + 1.0)};
        dune_crests crests = {0};
        unequal_crests(&winds, 0.0, &crests);
        const double turn = dune_crests_turn(&crests, 1.0, 0.0);
        const double expected = dune_crests_rule(cases[i][0], cases[i][1]);
        const double error = turn - expected - 180.0 * floor((turn - expected) / 180.0 + 0.5);
        print_message("winds %3.0f degrees apart, %.0f : 1: normal of crests %.1f, expected %.1f\n",
                      cases[i][0], cases[i][1], turn, expected);
        worst = fabs(error) > worst ? fabs(error) : worst;
    }
    assert_true(worst <= 10.0);
}

// Three sheets together: one sheet has so few dunes that its order is 0.1 by chance.
static void winds_at_right_angles_leave_no_order(void** state)
{
    (void)state;
    static const double centres[] = {270.0, 307.0};
    for (size_t i = 0; i < sizeof centres / sizeof centres[0]; ++i)
    {
        const unequal_winds winds = {centres[i], 90.0, 0.5};
        dune_crests crests = {0};
        for (int32_t sheet = 0; sheet < 3; ++sheet)
        {
            unequal_crests(&winds, 700.0 * sheet, &crests);
        }
        const double order = dune_crests_order(&crests);
        print_message("winds 90 degrees apart about %.0f: order %.2f\n", centres[i], order);
        assert_true(order < 0.2);
    }
}

// ---- little sand --------------------------------------------------------------------------------

// 0.3 m of sand in the mean.
static double unequal_thin_sheet(sand_place place, const void* user)
{
    return dune_sheet(place, user) - 3.7;
}

// Type of the dunes of a land on flat rock.
static wadi_dune_type unequal_kind(const sand_land* land, double drift)
{
    const int32_t size = land->size;
    float* sand = test_malloc((size_t)size * (size_t)size * sizeof *sand);
    for (int32_t i = 0; i < size * size; ++i)
    {
        sand[i] =
            (float)wadi_terrain_units(land->terrain, WADI_LAYER_SEDIMENT, i % size, i / size) /
            (float)WADI_UNITS_PER_METRE;
    }
    const wadi_edge wraps = WADI_EDGE_PERIODIC;
    const wadi_dune_field field = {
        .surface = {sand, size, size, size, 1.0, 1.0, NULL, {wraps, wraps, wraps, wraps}},
        .sand = sand};
    wadi_dune_forms forms;
    CHECK_OK(land->f.context, wadi_dune_forms_measure(land->f.context, &field, &forms));
    const wadi_dune_type kind = wadi_dune_forms_classify(&forms, drift);
    print_message("sand drifts to %3.0f: crests across %3.0f, order %.2f, bare %.2f: %s\n", drift,
                  forms.normal, forms.order, forms.bare, wadi_dune_type_name(kind));
    test_free(sand);
    return kind;
}

static void little_sand_makes_linear_dunes(void** state)
{
    (void)state;
    static const double centres[] = {270.0, 233.0};
    for (size_t i = 0; i < sizeof centres / sizeof centres[0]; ++i)
    {
        const unequal_winds winds = {centres[i], 120.0, 0.5};
        sand_land land;
        unequal_blow(&winds, unequal_thin_sheet, NULL, 730.0, &land);
        const wadi_dune_type kind = unequal_kind(&land, centres[i] - 180.0);
        sand_land_close(&land);
        assert_int_equal(kind, WADI_DUNE_LINEAR);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unequal_winds_turn_crests_as_much_sand_as_they_move),
        cmocka_unit_test(winds_at_right_angles_leave_no_order),
    };
    const struct CMUnitTest gaps[] = {
        cmocka_unit_test(little_sand_makes_linear_dunes),
    };
    (void)argv;
    return argc > 1 ? cmocka_run_group_tests(gaps, NULL, NULL)
                    : cmocka_run_group_tests(tests, NULL, NULL);
}
