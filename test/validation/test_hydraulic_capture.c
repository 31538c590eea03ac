// SPDX-License-Identifier: MIT
// labels: slow gap
// Twice the batches should change mean wear by less than 10 % on any land. On this one a basin at
// the edge finds its way out in 50 batches and not in 100: 16 % less wear. See docs/GAPS.md.
#include "support/hill_wear.h"
#include "support/parcels.h"

static void wear_of_a_basin_does_not_depend_on_batches(void** state)
{
    (void)state;
    hill_check_batches(1, parcels_years());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wear_of_a_basin_does_not_depend_on_batches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
