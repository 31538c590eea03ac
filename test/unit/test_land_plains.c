// SPDX-License-Identifier: MIT
// Plains around a range are left out of its measures.
#include "support/drawn_land.h"

// A rough range in a plain, a basin of plain inside it, and a small hill far off.
static double range_and_plain(double x, double y)
{
    const double r = sqrt(x * x + y * y);
    const uint32_t i = (uint32_t)((y + 0.5 * SIZE) * SIZE + x + 0.5 * SIZE);
    const double high = r < 34.0 && r > 9.0 ? 400.0 + 200.0 * chance(i) : 0.0;
    const double hill = fabs(x + 44.0) < 2.0 && fabs(y + 44.0) < 2.0 ? 300.0 : 0.0;
    return high + hill + 0.1 * x;
}

static void plains_are_masked(void** state)
{
    fixture* f = *state;
    static uint8_t masked[CELLS];
    draw(range_and_plain);
    const wadi_land land = land_of();
    CHECK_OK(f->context, wadi_land_mask_plains(f->context, &land.surface, masked));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double x = i % SIZE - 0.5 * SIZE;
        const double y = (double)(i / SIZE) - 0.5 * SIZE;
        const double r = sqrt(x * x + y * y);
        assert_true(r > 34.0 || masked[i] == 0); // the range, and the basin that it encloses
        assert_true(r < 40.0 || masked[i] == 1); // the plain and its hill
    }
    wadi_land range = land_of();
    range.mask_plains = true;
    wadi_land_forms forms;
    CHECK_OK(f->context, wadi_land_forms_measure(f->context, &range, &forms));
    assert_true(forms.judged > 0.39 && forms.judged < 0.55);
}

static void land_without_plains_is_not_masked(void** state)
{
    fixture* f = *state;
    static uint8_t masked[CELLS];
    draw(rough);
    ground[5 * SIZE + 9] = NAN;
    const wadi_land land = land_of();
    CHECK_OK(f->context, wadi_land_mask_plains(f->context, &land.surface, masked));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        assert_int_equal(masked[i], i == 5 * SIZE + 9 ? 1 : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plains_are_masked),
        cmocka_unit_test(land_without_plains_is_not_masked),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
