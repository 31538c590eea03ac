// SPDX-License-Identifier: MIT
// Steepest descent on oblong cells, ties, and numbers that only their last bits or signs tell
// apart.
#include "support/fixture.h"

#include "core/random.h"

enum
{
    SIDE = 5,
    CELLS = SIDE * SIDE,
    MIDDLE = CELLS / 2
};

static wadi_flow_target middle_of(fixture* f, const float* heights, double dx, double dy,
                                  wadi_flow_model model)
{
    const wadi_field2d field = {
        .heights = heights, .width = SIDE, .height = SIDE, .stride = SIDE, .dx = dx, .dy = dy};
    wadi_flow_target targets[CELLS];
    CHECK_OK(f->context, wadi_flow_route(f->context, &field, model, targets));
    return targets[MIDDLE];
}

// The same drop is steeper over the shorter side of a cell.
static void oblong_cells_drain_over_their_short_side(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float heights[CELLS];
    for (int i = 0; i < CELLS; ++i)
    {
        heights[i] = 10.0f;
    }
    heights[MIDDLE + 1] = 8.0f;    // east
    heights[MIDDLE + SIDE] = 8.0f; // south
    assert_int_equal(middle_of(&f, heights, 3.0, 1.0, WADI_FLOW_D8).first, WADI_FLOW_SOUTH);
    assert_int_equal(middle_of(&f, heights, 1.0, 3.0, WADI_FLOW_D8).first, WADI_FLOW_EAST);
    heights[MIDDLE + SIDE + 1] = 4.0f; // a diagonal of 5: 6 over 5 against 2 over 3
    assert_int_equal(middle_of(&f, heights, 3.0, 4.0, WADI_FLOW_D8).first, WADI_FLOW_SOUTH_EAST);
    heights[MIDDLE + SIDE + 1] = 7.0f; // 3 over 5 against 2 over 3
    assert_int_equal(middle_of(&f, heights, 3.0, 4.0, WADI_FLOW_D8).first, WADI_FLOW_EAST);
    fixture_close(&f);
}

// Of equally steep ways the first counts, from the east on by north.
static void the_first_of_equal_ways_counts(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float heights[CELLS] = {0};
    heights[MIDDLE] = 1.0f;
    assert_int_equal(middle_of(&f, heights, 1.0, 1.0, WADI_FLOW_D8).first, WADI_FLOW_EAST);
    heights[MIDDLE + 1] = 1.0f;
    assert_int_equal(middle_of(&f, heights, 1.0, 1.0, WADI_FLOW_D8).first, WADI_FLOW_NORTH);
    fixture_close(&f);
}

static void doubles_use_all_bits_of_two_words(void** state)
{
    (void)state;
    CHECK_NEAR(wadi_unit_double(UINT32_MAX, UINT32_MAX), 1.0 - 0x1p-53, 0.0);
    CHECK_NEAR(wadi_unit_double(0, 1u << 11), 0x1p-53, 0.0);
    CHECK_NEAR(wadi_unit_double(1u << 31, 0), 0.5, 0.0);
}

static void exponents_may_have_signs(void** state)
{
    (void)state;
    static const struct
    {
        const char* text;
        double value;
        int length;
    } cases[] = {{"1e+5", 1e5, 4},        {"1e-5", 1e-5, 4}, {"1E5", 1e5, 3},
                 {"-2.5e+2x", -250.0, 7}, {"3e", 3.0, 1},    {"+.5", 0.5, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        const char* end;
        CHECK_NEAR(wadi_number_parse(cases[i].text, &end), cases[i].value, 0.0);
        assert_int_equal(end - cases[i].text, cases[i].length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oblong_cells_drain_over_their_short_side),
        cmocka_unit_test(the_first_of_equal_ways_counts),
        cmocka_unit_test(doubles_use_all_bits_of_two_words),
        cmocka_unit_test(exponents_may_have_signs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
