// SPDX-License-Identifier: MIT
// Water at rest over ground that folds within a kernel's reach: a step, a valley, waves. Its
// pressure is that of its depth, and it does not move.
#include "support/water.h"

#include <math.h>

enum
{
    GROUND_MOST = 3000,
    GROUND_COLUMNS = 28, // of 5 cm
    GROUND_ROWS = 8
};

static const double GROUND_SPACING = 0.04; // [m]
static const double GROUND_DEEP = 0.48;
static const double GROUND_CELL = 0.05;
static const double GROUND_LENGTH = 1.2;
static const double GROUND_WIDTH = 0.24; // it repeats

typedef double ground_shape(double x);

static double ground_level(double x)
{
    (void)x;
    return 0.0;
}

// 0.2 m, over one cell
static double ground_step(double x)
{
    return x < 0.6 ? 0.0 : 0.2;
}

static double ground_valley(double x)
{
    return 0.4 * fabs(x - 0.6);
}

// steepest 0.59
static double ground_waves(double x)
{
    return 0.075 * (1.0 - cos(2.5 * 3.14159265358979323846 * x));
}

static void ground_lay(water* w, ground_shape* shape)
{
    static float heights[GROUND_ROWS * GROUND_COLUMNS];
    const double west = -2.0 * GROUND_CELL;
    for (int i = 0; i < GROUND_ROWS * GROUND_COLUMNS; ++i)
    {
        heights[i] = (float)shape(west + GROUND_CELL * (i % GROUND_COLUMNS + 0.5));
    }
    const wadi_sph_ground ground = {.heights = heights,
                                    .width = GROUND_COLUMNS,
                                    .height = GROUND_ROWS,
                                    .cell_size = GROUND_CELL,
                                    .west = west,
                                    .south = -GROUND_CELL,
                                    .drag = 1.0};
    CHECK_OK(w->f.context, wadi_sph_set_ground(w->sph, &ground));
}

// Columns of water from the ground up to the level.
static void ground_fill(water* w, ground_shape* shape)
{
    const int along = (int)(GROUND_LENGTH / GROUND_SPACING + 0.5);
    const int across = (int)(GROUND_WIDTH / GROUND_SPACING + 0.5);
    for (int i = 0; i < along * across; ++i)
    {
        const double x = GROUND_SPACING * (i % along + 0.5);
        const double y = GROUND_SPACING * (i / along + 0.5);
        const int n = (int)((GROUND_DEEP - shape(x)) / GROUND_SPACING + 0.5);
        for (int k = 0; k < n; ++k)
        {
            const double z = GROUND_DEEP - GROUND_SPACING * (k + 0.5);
            const wadi_sph_particle particle = {.position = {x, y, z},
                                                .pressure = 9810.0 * (GROUND_DEEP - z)};
            CHECK_OK(w->f.context, wadi_sph_add(w->sph, &particle, 1));
        }
    }
}

// Rms of the pressure's error as a share of rho g H, and the fastest particle over sqrt(g H).
static void ground_measure(water* w, double* error, double* speed)
{
    double sum = 0.0;
    *speed = 0.0;
    for (int32_t i = 0; i < w->count; ++i)
    {
        const wadi_sph_particle* p = &w->list[i];
        const double off = p->pressure / 9810.0 - (GROUND_DEEP - p->position[2]);
        sum += off * off;
        const double fast = sqrt(p->velocity[0] * p->velocity[0] + p->velocity[1] * p->velocity[1] +
                                 p->velocity[2] * p->velocity[2]);
        *speed = fast > *speed ? fast : *speed;
    }
    *error = sqrt(sum / w->count) / GROUND_DEEP;
    *speed /= sqrt(9.81 * GROUND_DEEP);
    print_message("%d particles: pressure %.2f %% off, fastest %.4f sqrt(gH)\n", w->count,
                  100.0 * *error, *speed);
}

// Water that starts at rest, after some seconds.
static void ground_hold_water(ground_shape* shape, double seconds, double error_most,
                              double speed_most)
{
    water w;
    water_open(&w, 2, GROUND_MOST);
    w.params.spacing = GROUND_SPACING;
    w.params.sound_speed = 25.0;
    w.params.period_y = GROUND_WIDTH;
    water_make(&w);
    water_wall(&w, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0);
    water_wall(&w, GROUND_LENGTH, 0.0, 0.0, -1.0, 0.0, 0.0);
    ground_lay(&w, shape);
    ground_fill(&w, shape);
    double error;
    double speed;
    water_pass(&w, seconds);
    ground_measure(&w, &error, &speed);
    assert_true(error <= error_most && speed <= speed_most);
    water_close(&w);
}

// With planes alone the step's water is 28 % off and moves with 0.7 sqrt(gH) within a second.
static void water_over_a_step_stays_calm(void** state)
{
    (void)state;
    ground_hold_water(ground_step, 0.25, 0.05, 0.039);
}

static void slow_water_rests_on_a_level(void** state)
{
    (void)state;
    ground_hold_water(ground_level, 2.0, 0.03, 0.02);
}

static void slow_water_rests_over_a_step(void** state)
{
    (void)state;
    ground_hold_water(ground_step, 2.0, 0.03, 0.02);
}

static void slow_water_rests_in_a_valley(void** state)
{
    (void)state;
    ground_hold_water(ground_valley, 2.0, 0.03, 0.02);
}

static void slow_water_rests_over_waves(void** state)
{
    (void)state;
    ground_hold_water(ground_waves, 2.0, 0.03, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_over_a_step_stays_calm),
        cmocka_unit_test(slow_water_rests_on_a_level),
        cmocka_unit_test(slow_water_rests_over_a_step),
        cmocka_unit_test(slow_water_rests_in_a_valley),
        cmocka_unit_test(slow_water_rests_over_waves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
