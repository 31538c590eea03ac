// SPDX-License-Identifier: MIT
// labels: medium
// A star of slabs: under three winds of equal strength, 120 degrees apart, a round heap of sand
// stays where it is, grows and stretches three arms, which turn with the winds.
#include "support/dune_crests.h"
#include "support/dune_land.h"

enum
{
    WINDS = 3
};

// Years in which a slab leaves every cell.
static double star_step(const wadi_dunes_params* p)
{
    return p->slab_thickness * p->slab_hop * 10.0 / p->slab_wind / (p->slab_settle_sand * p->flux);
}

// A cone of 20 degrees.
static double star_heap(sand_place place, const void* user)
{
    const double high = *(const double*)user;
    const double off = sqrt(place.along * place.along + place.across * place.across);
    return fmax(0.0, high - 0.364 * off);
}

static dune_land_def star_def(double turn, const double* high, double* rows)
{
    dune_land_def def = dune_land_def_default();
    CHECK_OK(NULL, wadi_process_apply_preset(NULL, &wadi_dunes_process, "paper", &def.params));
    def.params.slab_spread = 0.5;
    def.params.direction = 270.0 + turn;
    def.params.cycle = 6.0 * WINDS * star_step(&def.params);
    def.size = 128;
    def.sand = star_heap;
    def.user = high;
    for (int32_t i = 0; i < WINDS; ++i)
    {
        rows[3 * i] = fmod(def.params.direction + 360.0 / WINDS * i, 360.0);
        rows[3 * i + 1] = 6.0;
        rows[3 * i + 2] = 1.0 / WINDS;
    }
    def.table = "rose";
    def.rows = rows;
    def.row_count = WINDS;
    return def;
}

static void three_winds_make_a_star_that_stays(void** state)
{
    (void)state;
    static const double high = 12.0;
    static const double turns[] = {0.0, 37.0};
    for (size_t k = 0; k < sizeof turns / sizeof turns[0]; ++k)
    {
        double rows[3 * WINDS];
        const dune_land_def def = star_def(turns[k], &high, rows);
        sand_land land;
        dune_land_open(&land, &def);
        sand_place top;
        assert_int_equal(dune_arms(&land, (sand_place){0.0, 0.0}, 2.0 * high, 1.2), 0);
        const sand_place from = dune_centre(&land);
        dune_land_blow(&land, 300.0 * star_step(&def.params));
        const sand_place to = dune_centre(&land);
        const double summit = dune_summit(&land, &top);
        dune_crests crests = {0};
        dune_crests_add(&crests, land.terrain);
        const double order = dune_crests_order(&crests);
        const double drift = hypot(to.along - from.along, to.across - from.across);
        const int32_t arms = dune_arms(&land, top, 2.0 * summit, 1.2);
        print_message("turned by %2.0f: star of %d arms, %.1f m high, order %.2f, drift %.1f m\n",
                      turns[k], (int)arms, summit, order, drift);
        sand_land_close(&land);
        assert_true(arms >= 3 && order < 0.15);
        assert_true(drift < 2.0 * high / 0.364); // the width of the dune
        assert_true(summit > high);              // one wind would wear it down
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_winds_make_a_star_that_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
