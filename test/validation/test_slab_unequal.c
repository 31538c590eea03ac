// SPDX-License-Identifier: MIT
// labels: slow gap
// Under two winds of which one moves N times as much sand, crests lie across the most sand (gross
// bedform-normal transport, Rubin & Hunter 1987). docs/GAPS.md has what slabs do.
#include "support/dune_crests.h"
#include "support/dune_land.h"

// The azimuth of crests, from the first wind, that the most sand crosses.
static double unequal_oracle(double between, double ratio)
{
    const double degree = 0.017453292519943295;
    double best = 0.0;
    double most = -1.0;
    for (double normal = -90.0; normal < 90.0; normal += 0.25)
    {
        const double crossed = ratio * fabs(cos((normal + between / 2.0) * degree)) +
                               fabs(cos((normal - between / 2.0) * degree));
        best = crossed > most ? normal : best;
        most = crossed > most ? crossed : most;
    }
    return best;
}

typedef struct unequal_form
{
    double normal; // [degree]
    double order;
} unequal_form;

// Crests under winds that far apart, of which the first blows that share of the time.
static unequal_form unequal_crests(double centre, double between, double share)
{
    dune_land_def def = dune_land_def_default();
    CHECK_OK(NULL, wadi_process_apply_preset(NULL, &wadi_dunes_process, "paper", &def.params));
    const wadi_dunes_params* p = &def.params;
    const double step =
        p->slab_thickness * p->slab_hop * 10.0 / p->slab_wind / (p->slab_settle_sand * p->flux);
    const double rose[] = {centre - between / 2.0, 2.0, share,
                           centre + between / 2.0, 2.0, 1.0 - share};
    def.params.slab_spread = 0.5;
    def.params.cycle = 6.0 * step;
    def.size = 192;
    def.sand = dune_sheet;
    def.table = "rose";
    def.rows = rose;
    def.row_count = 2;
    sand_land land;
    dune_land_open(&land, &def);
    dune_land_blow(&land, 300.0 * step);
    dune_crests crests = {0};
    dune_crests_add(&crests, land.terrain);
    sand_land_close(&land);
    return (unequal_form){dune_crests_turn(&crests, 1.0, 0.0), dune_crests_order(&crests)};
}

static void unequal_winds_turn_crests_as_much_sand_as_they_move(void** state)
{
    (void)state;
    static const double cases[][2] = {{60.0, 2.0}, {120.0, 2.0}, {150.0, 5.0}};
    double worst = 0.0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        const double turn =
            unequal_crests(270.0, cases[i][0], cases[i][1] / (cases[i][1] + 1.0)).normal;
        const double expected = unequal_oracle(cases[i][0], cases[i][1]);
        const double error = turn - expected - 180.0 * floor((turn - expected) / 180.0 + 0.5);
        print_message("winds %3.0f degrees apart, %.0f : 1: normal of crests %.1f, expected %.1f\n",
                      cases[i][0], cases[i][1], turn, expected);
        worst = fabs(error) > worst ? fabs(error) : worst;
    }
    assert_true(worst <= 10.0);
}

static void winds_at_right_angles_leave_no_order(void** state)
{
    (void)state;
    static const double centres[] = {270.0, 307.0};
    double most = 0.0;
    for (size_t i = 0; i < sizeof centres / sizeof centres[0]; ++i)
    {
        const double order = unequal_crests(centres[i], 90.0, 0.5).order;
        print_message("winds 90 degrees apart about %.0f: order %.2f\n", centres[i], order);
        most = fmax(most, order);
    }
    assert_true(most < 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unequal_winds_turn_crests_as_much_sand_as_they_move),
        cmocka_unit_test(winds_at_right_angles_leave_no_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
