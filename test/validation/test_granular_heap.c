// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 15
// Heaps left after a bed has run off over both ends of a shelf, between two side walls (Zhou et al.
// 2002: beads of 10 mm, angle 29.6 d^-0.206 (1 + exp(-0.18 w / d)) with the diameter d in
// millimetres and the walls w apart).
#include "support/soil.h"

#include <math.h>
#include <stdlib.h>

static const double RADIUS = 0.005;

enum
{
    LENGTH = 36, // of the shelf, in grains
    WIDTH = 4,   // between walls, in grains
    LAYERS = 17, // that are poured
    CELL = 4,    // ground cells to a grain
    MOST = 20000
};

// A shelf in the middle of ground that lies twenty grains below it.
static void shelf(soil* s)
{
    const double d = 2.0 * RADIUS;
    const int32_t width = 3 * LENGTH * CELL;
    const int32_t height = 64 * CELL;
    float* heights = calloc((size_t)width * (size_t)height, sizeof *heights);
    assert_non_null(heights);
    for (int32_t i = 0; i < width * height; ++i)
    {
        const int32_t x = i % width - LENGTH * CELL;
        heights[i] = x >= 0 && x < LENGTH * CELL ? 0.0f : (float)(-20.0 * d);
    }
    const wadi_grain_ground ground = {.heights = heights,
                                      .width = width,
                                      .height = height,
                                      .cell_size = d / CELL,
                                      .west = -1.5 * LENGTH * d,
                                      .south = -32.0 * d,
                                      .material = 1};
    CHECK_OK(s->f.context, wadi_grains_set_ground(s->grains, &ground));
    free(heights);
}

static void pour(soil* s, double width)
{
    const double spacing = 2.4 * RADIUS;
    const int32_t across = (int32_t)(width / spacing);
    const int32_t along = (int32_t)(LENGTH * 2.0 * RADIUS / spacing);
    uint32_t state = 1;
    for (int32_t i = 0; i < along * across * LAYERS; ++i)
    {
        const int32_t at[3] = {i % along, i / along % across, i / along / across};
        const double middle[3] = {-0.5 * (along - 1) * spacing,
                                  0.5 * (width - (across - 1) * spacing), 0.6 * spacing};
        double x[3];
        for (int c = 0; c < 3; ++c)
        {
            state = state * 1664525u + 1013904223u;
            x[c] = middle[c] + spacing * (at[c] + 0.15 * ((double)(state >> 8) / 16777216.0 - 0.5));
        }
        soil_add(s, x[0], x[1], x[2], RADIUS);
    }
}

// Slope of a line through the tops of strips two grains wide, without the top and the edge
// [degrees].
static double slope(const soil* s)
{
    const double strip = 4.0 * RADIUS;
    return soil_slope(s, strip, (LENGTH / 4 - 0.5) * strip, strip);
}

// Between walls, or with periodic sides [degrees].
static double heap(bool walls)
{
    const double width = WIDTH * 2.0 * RADIUS;
    soil s;
    soil_open(&s, 2, MOST);
    s.params.gravity_z = -9.81;
    s.materials[0].stiffness = 5e3;
    s.materials[0].friction = 0.4;
    s.materials[0].rolling_friction = 0.05;
    s.material_count = 2;
    s.materials[1] = s.materials[0];
    s.materials[1].friction = 0.9; // against grains: 0.6
    s.params.period_y = walls ? 0.0 : width;
    pour(&s, width);
    soil_make(&s);
    shelf(&s);
    const double end = LENGTH * RADIUS;
    const int32_t gates[2] = {soil_wall(&s, -end, 0.0, 0.0, 1.0, 0.0, 0.0),
                              soil_wall(&s, end, 0.0, 0.0, -1.0, 0.0, 0.0)};
    if (walls)
    {
        const wadi_grain_wall sides[2] = {
            {.normal = {0.0, 1.0, 0.0}, .material = 1},
            {.point = {0.0, width, 0.0}, .normal = {0.0, -1.0, 0.0}, .material = 1}};
        int32_t number;
        CHECK_OK(s.f.context, wadi_grains_add_wall(s.grains, &sides[0], &number));
        CHECK_OK(s.f.context, wadi_grains_add_wall(s.grains, &sides[1], &number));
    }
    soil_pass(&s, 0.5);
    CHECK_OK(s.f.context, wadi_grains_remove_wall(s.grains, gates[0]));
    CHECK_OK(s.f.context, wadi_grains_remove_wall(s.grains, gates[1]));
    soil_pass(&s, 1.5);
    const double angle = slope(&s);
    print_message("%s walls: %d grains, heap of %.1f degrees\n", walls ? "between" : "without",
                  s.count, angle);
    soil_close(&s);
    return angle;
}

// Tolerance: 2 degrees, the repeatability of the measurements, from the measured angle or from a
// published simulation of these beads (29.2, and 19.4 without walls).
static void heaps_are_as_steep_as_measured(void** state)
{
    (void)state;
    const double between = heap(true);
    const double wide = heap(false);
    const double measured = 29.6 * pow(10.0, -0.206);
    const double near_walls = measured * (1.0 + exp(-0.18 * WIDTH));
    assert_true(between > near_walls - 2.0 && between < 29.2 + 2.0);
    assert_true(wide > measured - 2.0 && wide < 19.4 + 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(heaps_are_as_steep_as_measured)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
