// SPDX-License-Identifier: MIT
// labels: medium
// Mature dunes of a sand sheet directly under the wind, before a final settling: slip faces, gentle
// windward sides, crests across the wind that migrate. The measures are those of research on dunes:
// 95th percentiles of the slopes along the wind.
#include "support/sand_run.h"

static const double mature = 12.0; // [yr]: 600 m2 of sand past each metre
static const double glance = 0.2;  // [yr] in which crests move a tenth of their spacing

// Sum of the displacements over short times, in which no crest moves as far as the next one.
static double crests_wander(sand_run* run, double spacing)
{
    double way = 0.0;
    for (int k = 0; k < 25 && way < spacing; ++k)
    {
        double* before = dunes_levels(run->terrain);
        sand_blow(run, glance);
        way += dunes_shift(before, run->terrain, run->x, run->y, 0.4 * spacing);
        test_free(before);
    }
    return way;
}

static void rest(sand_run* run, double repose)
{
    wadi_talus_params params = wadi_talus_params_default();
    params.repose = repose;
    params.weathering = 0.0;
    params.rock_repose = 90.0;
    wadi_solver* talus = NULL;
    CHECK_OK(run->f.context,
             wadi_solver_create(run->terrain, &wadi_talus_process, &params, 0, &talus));
    fixture_advance(talus, 1.0);
    wadi_solver_destroy(talus);
}

static void dunes_are_asymmetric_and_wander(double direction)
{
    sand_job job = sand_job_default();
    job.params.direction = direction;
    sand_run run;
    sand_open(&run, &job);
    sand_blow(&run, mature);
    const dune_measures d = sand_measure(&run);
    const double way = crests_wander(&run, d.spacing);
    print_message("wind from %3.0f: spacing %.1f m, height %.2f m, stoss %.1f (p95 %.1f), lee %.1f "
                  "(p90 %.1f, p95 %.1f), skew %.2f, crests off by %.1f, order %.2f, way %.0f m\n",
                  direction, d.spacing, d.height, d.stoss, d.stoss_p95, d.lee, d.lee_p90, d.lee_p95,
                  d.skew, d.crest_error, d.order, way);
    assert_true(d.lee_p95 >= 28.0 && d.lee_p95 <= 35.0);
    assert_true(d.stoss_p95 >= 5.0 && d.stoss_p95 <= 18.0);
    assert_true(d.skew <= -0.6);
    assert_true(d.lee_p95 >= 1.8 * d.stoss_p95);
    assert_true(d.crest_error <= 20.0);
    assert_true(way >= d.spacing);
    rest(&run, job.params.repose);
    const double steepest = dunes_steepest(run.terrain);
    print_message("               at rest: steepest descent %.2f degrees\n", steepest);
    assert_true(steepest <= job.params.repose + 1.0);
    sand_close(&run);
}

static void dunes_face_the_west_wind(void** state)
{
    (void)state;
    dunes_are_asymmetric_and_wander(270.0);
}

static void slow_dunes_face_an_oblique_wind(void** state)
{
    (void)state;
    dunes_are_asymmetric_and_wander(307.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dunes_face_the_west_wind),
        cmocka_unit_test(slow_dunes_face_an_oblique_wind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
