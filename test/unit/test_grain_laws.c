// SPDX-License-Identifier: MIT
// labels: fast
// One step of the article's wind grains against its equations in double precision: flight under
// weight and drag, sliding along the surface, lifting, deposition, abrasion, and the grid's rim.
#include "processes/articles/wind_grains/grain_kernels.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

enum
{
    SIDE = 8,
    STRIDE = SIDE + 2,
    CELLS = STRIDE * STRIDE
};

static const grain_law law = {.step = 0.25f,
                              .drive = 0.025f,
                              .gravity = 0.5f,
                              .rise = 100.0f,
                              .wind_x = 3.0f,
                              .wind_y = -2.0f,
                              .lift = 0.5f,
                              .rub = 0.002f,
                              .mass = 0.3f,
                              .light = 0.01f,
                              .fall = 0.1f,
                              .width = SIDE,
                              .height = SIDE,
                              .stride = STRIDE};

typedef struct world
{
    grain_cell ground[CELLS];
    grain_sum sums[CELLS + GRAIN_CHUNK];
    int32_t rubs[CELLS + GRAIN_CHUNK];
    uint8_t flags[CELLS / GRAIN_CHUNK + 2];
    grain_lanes lanes;
} world;

// Level ground of `sand`, and one grain in the first lane.
static void make(world* w, int32_t sand, float x, float y, float height)
{
    memset(w, 0, sizeof *w);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        w->ground[i] = (grain_cell){1000.0f, 0.0f, 0.0f, sand};
    }
    for (int32_t l = 0; l < GRAIN_LANES; ++l)
    {
        w->lanes.cell[l] = STRIDE + 1;
        w->lanes.level[l] = 1000.0f;
    }
    grain_lanes* g = &w->lanes;
    g->x[0] = x;
    g->y[0] = y;
    g->z[0] = 1000.0f + height;
    g->u[0] = 1.0f;
    g->v[0] = 0.4f;
    g->w[0] = -0.2f;
    g->sand[0] = sand;
    g->load[0] = 1000;
    g->cell[0] = ((int32_t)y + 1) * STRIDE + (int32_t)x + 1;
    g->active[0] = 1;
}

// A step of the first run of a batch, or of the second.
static void step_of(world* w, bool granted)
{
    const grain_sums sums = {w->sums, w->rubs, w->flags};
    grain_kernels_of(WADI_ISA_BASE)->steps(&law, w->ground, &sums, granted, &w->lanes, 1);
}

static void step(world* w)
{
    step_of(w, false);
}

static void near(float value, double expected)
{
    CHECK_NEAR((double)value, expected, 1e-5 * (1.0 + fabs(expected)));
}

static void grains_fly_under_weight_and_drag(void** state)
{
    (void)state;
    world w;
    make(&w, 100000, 3.5f, 3.5f, 1e5f);
    step(&w);
    const double up = (-0.2 - 0.5) * (1.0 - 0.025);
    near(w.lanes.u[0], 1.0 + 0.025 * (3.0 - 1.0));
    near(w.lanes.v[0], 0.4 + 0.025 * (-2.0 - 0.4));
    near(w.lanes.w[0], up);
    near(w.lanes.x[0], 3.5 + 0.25 * 1.05);
    near(w.lanes.z[0], 101000.0 + 100.0 * up);
    // a tenth of the load falls, half of it on the next cell
    assert_int_equal(w.lanes.load[0], 900);
    assert_int_equal(particle_matter(w.sums[4 * STRIDE + 4].moved) + w.lanes.laid[0], 100);
}

// Equation 1 of the article on a slope, then lifting by speed x depth.
static void grains_slide_and_lift(void** state)
{
    (void)state;
    world w;
    make(&w, 100000, 3.5f, 3.5f, 0.0f);
    w.lanes.lean_x[0] = 0.1f;
    w.lanes.lean_y[0] = -0.2f;
    step(&w);
    const double along = (-0.2 - 0.1 * 1.0 + 0.2 * 0.4) / (1.0 + 0.01 + 0.04);
    const double u1 = 1.0 + 0.25 * (-0.1 * along - 1.0);
    const double v1 = 0.4 + 0.25 * (0.2 * along - 0.4);
    const double w1 = -0.2 + 0.25 * (along + 0.2);
    const double u = u1 + 0.025 * (3.0 - u1);
    const double v = v1 + 0.025 * (-2.0 - v1);
    const double up = w1 * (1.0 - 0.025);
    near(w.lanes.u[0], u);
    near(w.lanes.v[0], v);
    near(w.lanes.w[0], up);
    const double speed = sqrt(u * u + v * v + up * up);
    const double lift = 0.5 * speed * (-100.0 * up);
    CHECK_NEAR((double)w.lanes.load[0] + (double)w.lanes.rest[0], 1000.0 + lift, 1e-3);
    assert_true(lift > 1.0);
    assert_int_equal(w.lanes.lifted[0], w.lanes.load[0] - 1000);
    assert_int_equal(w.lanes.contacts[0], 1);
}

// The first run takes and sums up the whole demand. In the second a grain takes its granted share;
// the rest of a unit is that of the demand.
static void grains_take_what_is_granted(void** state)
{
    (void)state;
    world all;
    world half;
    make(&all, 100000, 3.5f, 3.5f, 0.0f);
    make(&half, 100000, 3.5f, 3.5f, 0.0f);
    half.sums[4 * STRIDE + 4].demand = GRANT_ALL / 2;
    step(&all);
    step_of(&half, true);
    const int32_t demand = all.lanes.load[0] - 1000;
    assert_true(demand > 1);
    assert_int_equal(half.lanes.load[0] - 1000, demand / 2);
    assert_true(half.lanes.rest[0] == all.lanes.rest[0]);
    assert_int_equal(all.sums[4 * STRIDE + 4].demand, demand);
    assert_int_equal(half.sums[4 * STRIDE + 4].demand, GRANT_ALL / 2); // the grant stays
}

// Bare rock: units of rock by speed x depth x mass of the grain with its load, none of it lifted.
static void grains_rub_bare_rock(void** state)
{
    (void)state;
    world w;
    make(&w, GRAIN_BARE, 3.5f, 3.5f, 0.0f);
    w.lanes.load[0] = 20000;
    step(&w);
    const double u = 0.75 + 0.025 * (3.0 - 0.75);
    const double v = 0.3 + 0.025 * (-2.0 - 0.3);
    const double up = -0.2 * (1.0 - 0.025); // level ground keeps the normal speed
    const double speed = sqrt(u * u + v * v + up * up);
    const double rubbed = 0.002 * speed * (-100.0 * up) * (0.3 + 0.01 * 20000.0);
    assert_true(rubbed > 2.0);
    CHECK_NEAR((double)w.rubs[4 * STRIDE + 4] + (double)w.lanes.dust[0], rubbed, 1e-3);
    assert_int_equal(w.lanes.load[0], 20000);
}

// The last row and column belong to the grid; beyond them the step waits for the edge's rule.
static void the_last_row_is_inside(void** state)
{
    (void)state;
    world w;
    make(&w, 100000, 7.2f, 7.2f, 1e5f);
    step(&w);
    assert_int_equal(w.lanes.crossing[0], 0);
    assert_int_equal(w.lanes.active[0], 1);
    assert_int_equal(w.lanes.cell[0], SIDE * STRIDE + SIDE);
    make(&w, 100000, 7.9f, 7.2f, 1e5f);
    step(&w);
    assert_int_equal(w.lanes.crossing[0], 1);
    assert_int_equal(w.lanes.active[0], 0);
    assert_int_equal(w.lanes.load[0], 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_fly_under_weight_and_drag), cmocka_unit_test(grains_slide_and_lift),
        cmocka_unit_test(grains_take_what_is_granted),      cmocka_unit_test(grains_rub_bare_rock),
        cmocka_unit_test(the_last_row_is_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
