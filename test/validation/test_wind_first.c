// SPDX-License-Identifier: MIT
// labels: medium
// The first dunes of a flat sheet of sand on cells of half a metre with a feature size of 20 m: 20
// m apart, as in nature (15-40 m: Elbelrhiti et al. 2005), with slip faces, facing either wind.
#include "support/sand_run.h"

static void first_dunes(double direction)
{
    sand_job job = sand_job_default();
    job.cell = 0.5;
    job.depth = 1.5;
    job.params.feature_size = 20.0;
    job.params.direction = direction;
    sand_run run;
    sand_open(&run, &job);
    sand_blow(&run, 0.4); // 20 m2 of sand past each metre
    const dune_measures d = sand_measure(&run);
    print_message(
        "wind from %3.0f: spacing %.1f m, height %.2f m, stoss %.1f (p95), lee %.1f (p95), "
        "skew %.2f, crests off by %.1f\n",
        direction, d.spacing, d.height, d.stoss_p95, d.lee_p95, d.skew, d.crest_error);
    sand_close(&run);
    assert_true(d.spacing >= 18.0 && d.spacing <= 25.0);
    assert_true(d.lee_p95 >= 28.0 && d.lee_p95 <= 35.0);
    assert_true(d.stoss_p95 >= 5.0 && d.stoss_p95 <= 18.0);
    assert_true(d.skew <= -0.6);
    assert_true(d.crest_error <= 20.0);
}

static void first_dunes_are_20_m_apart(void** state)
{
    (void)state;
    first_dunes(270.0);
}

static void first_dunes_turn_with_the_wind(void** state)
{
    (void)state;
    first_dunes(307.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_dunes_are_20_m_apart),
        cmocka_unit_test(first_dunes_turn_with_the_wind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
