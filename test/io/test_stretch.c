// SPDX-License-Identifier: MIT
// Maps resampled to another number of cells: symmetric, and linear where the input is linear.
#include "io/raster/stretch.h"
#include "support/check.h"

enum
{
    MOST = 12
};

static void rows_look_the_same_from_either_end(void** state)
{
    (void)state;
    for (int32_t from = 2; from <= MOST; ++from)
    {
        for (int32_t to = 1; to <= MOST; ++to)
        {
            float row[MOST];
            float mirrored[MOST];
            float out[2][MOST];
            for (int32_t i = 0; i < from; ++i)
            {
                row[i] = (float)(i * i % 7);
                mirrored[from - 1 - i] = row[i];
            }
            wadi_io_stretch(row, from, 1, out[0], to, 1);
            wadi_io_stretch(mirrored, 1, from, out[1], 1, to);
            for (int32_t i = 0; i < to; ++i)
            {
                CHECK_NEAR((double)out[0][i], (double)out[1][to - 1 - i], 1e-5);
            }
        }
    }
}

// A row that rises by 1 a cell, brought to twice as many: middles lie at quarters.
static void slopes_stay_straight(void** state)
{
    (void)state;
    const float row[5] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f};
    float out[10];
    wadi_io_stretch(row, 5, 1, out, 10, 1);
    for (int32_t i = 1; i < 9; ++i)
    {
        CHECK_NEAR((double)out[i], 0.5 * (i + 0.5) - 0.5, 1e-6);
    }
    assert_true(out[0] == 0.0f && out[9] == 4.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_look_the_same_from_either_end),
        cmocka_unit_test(slopes_stay_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
