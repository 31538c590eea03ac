// SPDX-License-Identifier: MIT
// Maps of flow in closed form: planes drain where they fall, also to either side of north, and a
// bowl is as deep as its rim is high.
#include "support/fixture.h"

#include <wadi/derive.h>

enum
{
    SIZE = 17,
    CELLS = SIZE * SIZE,
    MIDDLE = SIZE / 2
};

static const double DEGREE = 3.14159265358979323846 / 180.0;

static float heights[CELLS];
static float map[CELLS];

// The map's value in the middle of a plane that falls towards an azimuth, clockwise from north.
static double at_middle(wadi_context* context, double azimuth, wadi_derived which)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double east = i % SIZE;
        const double north = SIZE - 1 - i / SIZE;
        heights[i] = (float)(100.0 - sin(azimuth * DEGREE) * east - cos(azimuth * DEGREE) * north);
    }
    const wadi_field2d field = {
        .heights = heights, .width = SIZE, .height = SIZE, .stride = SIZE, .dx = 1.0, .dy = 1.0};
    CHECK_OK(context, wadi_derive(context, &field, which, NULL, map));
    return (double)map[MIDDLE * SIZE + MIDDLE];
}

static void planes_drain_where_they_fall(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (int32_t azimuth = 0; azimuth < 360; azimuth += 5)
    {
        const double eighth = fmod(floor(azimuth / 45.0 + 0.5) * 45.0, 360.0);
        if (azimuth % 45 < 20 || azimuth % 45 > 25) // not between two neighbours
        {
            CHECK_NEAR(at_middle(f.context, azimuth, WADI_DERIVED_D8_DIRECTION), eighth, 1e-3);
        }
        const double flow = at_middle(f.context, azimuth, WADI_DERIVED_DINF_DIRECTION);
        const double off = fmod(flow - azimuth + 540.0, 360.0) - 180.0;
        CHECK_NEAR(off, 0.0, 0.05);
    }
    fixture_close(&f);
}

static void a_bowl_is_as_deep_as_its_rim_is_high(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % SIZE - MIDDLE;
        const int32_t y = i / SIZE - MIDDLE;
        const double away = sqrt((double)(x * x + y * y));
        heights[i] = away < 6.0 ? (float)away : 6.0f;
    }
    const wadi_field2d field = {
        .heights = heights, .width = SIZE, .height = SIZE, .stride = SIZE, .dx = 1.0, .dy = 1.0};
    CHECK_OK(f.context, wadi_derive(f.context, &field, WADI_DERIVED_DEPRESSION, NULL, map));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        CHECK_NEAR((double)map[i], 6.0 - (double)heights[i], 0.01);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_drain_where_they_fall),
        cmocka_unit_test(a_bowl_is_as_deep_as_its_rim_is_high),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
