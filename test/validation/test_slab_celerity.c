// SPDX-License-Identifier: MIT
// labels: slow gap
// At the article's constants (slabs of 0.1 m, 36.5 a year, hops of 8 m) a dune 2 to 4 m high is
// said to move 15 to 35 m a year. docs/GAPS.md gives the speed of slabs.
#include "support/dune_land.h"

// A cone of 20 degrees that is 3 m high by the time it is watched.
static double celerity_pile(sand_place place, const void* user)
{
    const double level =
        5.0 - 0.364 * sqrt(place.along * place.along + place.across * place.across);
    (void)user;
    return level > 0.0 ? level : 0.0;
}

static void dunes_of_two_to_four_metres_move_fifteen_metres_a_year(void** state)
{
    (void)state;
    dune_land_def def = dune_land_def_default();
    CHECK_OK(NULL, wadi_process_apply_preset(NULL, &wadi_dunes_process, "paper", &def.params));
    def.params.speed = 15.0;
    def.size = 192;
    def.sand = celerity_pile;
    sand_land land;
    dune_land_open(&land, &def);
    dune_land_blow(&land, 30.0 / 36.5);
    sand_place where;
    const double before = dune_summit(&land, &where);
    double* levels = dunes_levels(land.terrain);
    dune_land_blow(&land, 30.0 / 36.5);
    const double height = 0.5 * (before + dune_summit(&land, &where));
    const double speed = dunes_shift(levels, land.terrain, land.x, land.y, 40.0) / (30.0 / 36.5);
    test_free(levels);
    sand_land_close(&land);
    print_message("a dune %.1f m high moves %.1f m/yr\n", height, speed);
    assert_true(height >= 2.0 && height <= 4.0);
    assert_true(speed >= 15.0 && speed <= 35.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dunes_of_two_to_four_metres_move_fifteen_metres_a_year),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
