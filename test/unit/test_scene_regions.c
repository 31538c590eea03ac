// SPDX-License-Identifier: MIT
// Regions of scenes against a plain way to tell inside from outside: turned rectangles by their
// four corners, polygons by the angle that their outline spans, rims by the nearest of many points.
#include "support/fixture.h"

#include "core/random.h"
#include "scene/scene_internal.h"

#define PI 3.14159265358979323846

static double random_in(uint32_t index, double low, double high)
{
    return low + (high - low) * (double)wadi_unit_float(wadi_random(7, 0, index, 0).v[0]);
}

// Angle that a closed outline spans as seen from a point: a full turn from inside, none from
// outside.
static bool spans_a_turn(const wadi_point* corners, int32_t count, wadi_point at)
{
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        const wadi_point a = corners[i];
        const wadi_point b = corners[(i + 1) % count];
        const double ax = a.x - at.x;
        const double ay = a.y - at.y;
        const double bx = b.x - at.x;
        const double by = b.y - at.y;
        sum += atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    return fabs(sum) > PI;
}

// Distance to an outline, by points close together on it.
static double distance_to(const wadi_point* corners, int32_t count, wadi_point at)
{
    double nearest = HUGE_VAL;
    for (int32_t i = 0; i < count; ++i)
    {
        const wadi_point a = corners[i];
        const wadi_point b = corners[(i + 1) % count];
        for (int32_t k = 0; k <= 2000; ++k)
        {
            const double t = k / 2000.0;
            const double x = a.x + t * (b.x - a.x) - at.x;
            const double y = a.y + t * (b.y - a.y) - at.y;
            nearest = fmin(nearest, sqrt(x * x + y * y));
        }
    }
    return nearest;
}

static double smooth(double t)
{
    return t <= 0.0 ? 0.0 : t >= 1.0 ? 1.0 : t * t * (3.0 - 2.0 * t);
}

// Inside or not at many points; where it is not on the outline itself.
static void check_region(const wadi_region* region, const wadi_point* corners, int32_t count)
{
    int32_t inside = 0;
    for (uint32_t i = 0; i < 2000; ++i)
    {
        const wadi_point at = {random_in(2 * i, -100.0, 100.0),
                               random_in(2 * i + 1, -100.0, 100.0)};
        const bool expected = spans_a_turn(corners, count, at);
        CHECK_NEAR(wadi_region_weight(region, at), expected ? 1.0 : 0.0, 0.0);
        inside += expected ? 1 : 0;
    }
    assert_true(inside > 20 && inside < 1900);
    wadi_region rim = *region;
    rim.soft = 15.0;
    for (uint32_t i = 0; i < 60; ++i)
    {
        const wadi_point at = {random_in(3 * i, -60.0, 60.0), random_in(3 * i + 1, -60.0, 60.0)};
        const double depth = distance_to(corners, count, at);
        const double expected = spans_a_turn(corners, count, at) ? smooth(depth / 15.0) : 0.0;
        CHECK_NEAR(wadi_region_weight(&rim, at), expected, 0.01);
    }
}

static void rectangles_are_turned_clockwise(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const wadi_shape_kind* kind = wadi_shape_kind_find("rectangle");
    static const char* const names[] = {"x", "y", "width", "height", "azimuth"};
    static const double boxes[][5] = {
        {5.0, -8.0, 120.0, 40.0, 0.0},   {5.0, -8.0, 120.0, 40.0, 30.0},
        {-12.0, 4.0, 30.0, 90.0, 75.0},  {0.0, 0.0, 80.0, 60.0, -20.0},
        {20.0, 10.0, 70.0, 20.0, 200.0}, {0.0, 9.0, 100.0, 15.0, 135.0}};
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; ++i)
    {
        double params[8];
        wadi_fields_init(kind->fields, params);
        for (int k = 0; k < 5; ++k)
        {
            CHECK_OK(f.context,
                     wadi_field_set(f.context, kind->fields, names[k], boxes[i][k], params));
        }
        const double turn = boxes[i][4] * PI / 180.0;
        wadi_point corners[4];
        for (int k = 0; k < 4; ++k)
        {
            const double u = boxes[i][2] * (k == 0 || k == 3 ? -0.5 : 0.5);
            const double v = boxes[i][3] * (k < 2 ? -0.5 : 0.5);
            corners[k] = (wadi_point){boxes[i][0] + u * cos(turn) + v * sin(turn),
                                      boxes[i][1] - u * sin(turn) + v * cos(turn)};
        }
        const wadi_region region = {.shape = kind, .params = params};
        check_region(&region, corners, 4);
    }
    fixture_close(&f);
}

static void polygons_hold_what_their_outline_encloses(void** state)
{
    (void)state;
    // with a notch, and corners at heights that points below have too
    static const wadi_point corners[] = {{-80.0, -60.0}, {70.0, -60.0}, {70.0, 40.0},
                                         {10.0, 0.0},    {-20.0, 60.0}, {-80.0, 20.0}};
    const wadi_region region = {
        .shape = wadi_shape_kind_find("polygon"), .points = corners, .point_count = 6};
    check_region(&region, corners, 6);
    static const double heights[] = {-60.0, 0.0, 20.0, 40.0, 60.0};
    for (int k = 0; k < 5; ++k)
    {
        for (double x = -99.5; x < 100.0; x += 1.0)
        {
            // points that the outline itself goes through count as either
            const wadi_point at = {x, heights[k]};
            const bool expected = spans_a_turn(corners, 6, at);
            if (distance_to(corners, 6, at) > 0.2)
            {
                CHECK_NEAR(wadi_region_weight(&region, at), expected ? 1.0 : 0.0, 0.0);
            }
        }
    }
}

static void circles_hold_what_is_near(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const wadi_shape_kind* kind = wadi_shape_kind_find("circle");
    double params[8];
    wadi_fields_init(kind->fields, params);
    CHECK_OK(f.context, wadi_field_set(f.context, kind->fields, "x", 20.0, params));
    CHECK_OK(f.context, wadi_field_set(f.context, kind->fields, "y", -15.0, params));
    CHECK_OK(f.context, wadi_field_set(f.context, kind->fields, "radius", 40.0, params));
    const wadi_region region = {.shape = kind, .params = params, .soft = 10.0};
    for (uint32_t i = 0; i < 500; ++i)
    {
        const wadi_point at = {random_in(2 * i, -80.0, 80.0), random_in(2 * i + 1, -80.0, 80.0)};
        const double depth = 40.0 - hypot(at.x - 20.0, at.y + 15.0);
        CHECK_NEAR(wadi_region_weight(&region, at), smooth(depth / 10.0), 1e-9);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rectangles_are_turned_clockwise),
        cmocka_unit_test(polygons_hold_what_their_outline_encloses),
        cmocka_unit_test(circles_hold_what_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
