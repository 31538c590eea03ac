// SPDX-License-Identifier: MIT
// Levees: where the pore pressure of a debris flow drains, its thin margins stop first and hold the
// flow between them, which runs out of its channel below when its supply ends (Iverson 1997;
// Johnson et al. 2012). Without drainage it leaves none.
#include "support/fixture.h"

#include <wadi/landslide.h>

#include <math.h>

enum
{
    SIDE = 200
};

static const double second = 1.0 / 31557600.0; // [yr]
static const double cell = 2.0;                // [m]
static const double tangent = 0.3;             // of the plane
static const double above = 150.0; // of the place where the debris enters, over the middle [m]

static float deposit[SIDE * SIDE];

static double along(double azimuth, int32_t x, int32_t y)
{
    const double angle = azimuth * 0.017453292519943295;
    return ((x - SIDE / 2) * sin(angle) - (y - SIDE / 2) * cos(angle)) * cell;
}

// A surge of 2250 m3 on a plane that falls towards an azimuth.
static void flow_down(double azimuth, double drainage)
{
    static const double surge[3][2] = {{0.0, 30.0}, {60.0, 30.0}, {90.0, 0.0}};
    static float rock[SIDE * SIDE];
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, SIDE, SIDE, cell, WADI_EDGE_OPEN);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        rock[i] = (float)(500.0 - tangent * along(azimuth, i % SIDE, i / SIDE));
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIDE));
    wadi_landslide_params params = wadi_landslide_params_default();
    params.start = WADI_LANDSLIDE_INFLOW;
    params.shape = WADI_LANDSLIDE_CIRCLE;
    params.x = 0.5 * SIDE * cell - above * sin(azimuth * 0.017453292519943295);
    params.y = 0.5 * SIDE * cell - above * cos(azimuth * 0.017453292519943295);
    params.radius = 6.0;
    params.friction = 0.15;
    params.turbulence = 200.0;
    params.drainage = drainage;
    params.longest = 900.0;
    params.interval = 1000.0 * second;
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", surge[0], 3));
    CHECK_OK(f.context, wadi_solver_advance(solver, params.interval));
    CHECK_OK(f.context, wadi_solver_settle(solver));
    CHECK_OK(f.context, wadi_solver_map(solver, "deposit", deposit));
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Deposit on a line across the flow, `down` below its begin and `aside` from its middle.
static double deposit_at(double azimuth, double down, double aside)
{
    const double angle = azimuth * 0.017453292519943295;
    const double ahead = down - above;
    const double x = (ahead * sin(angle) + aside * cos(angle)) / cell + SIDE / 2;
    const double y = (aside * sin(angle) - ahead * cos(angle)) / cell + SIDE / 2;
    return (double)deposit[(int32_t)floor(y + 0.5) * SIDE + (int32_t)floor(x + 0.5)];
}

// Mean over 40 m of the flow of the greatest deposit of a margin, or of the middle 4 m.
static double margin(double azimuth, double down, int32_t hand)
{
    double sum = 0.0;
    for (int32_t k = 0; k < 20; ++k)
    {
        double most = 0.0;
        for (double aside = 3.0; aside < 40.0; aside += 1.0)
        {
            most = fmax(most, deposit_at(azimuth, down + 2.0 * k, hand * aside));
        }
        sum += most / 20.0;
    }
    return sum;
}

static double middle(double azimuth, double down)
{
    double sum = 0.0;
    for (int32_t k = 0; k < 20; ++k)
    {
        for (int32_t i = -1; i <= 1; ++i)
        {
            sum += deposit_at(azimuth, down + 2.0 * k, 2.0 * i) / 60.0;
        }
    }
    return sum;
}

static void draining_flows_build_levees(void** state)
{
    (void)state;
    static const double azimuths[] = {0.0, 17.0, 37.0, 203.0};
    for (size_t i = 0; i < sizeof azimuths / sizeof azimuths[0]; ++i)
    {
        flow_down(azimuths[i], 1e-3);
        const double left = margin(azimuths[i], 60.0, -1);
        const double right = margin(azimuths[i], 60.0, 1);
        const double low = middle(azimuths[i], 60.0);
        print_message("azimuth %g: levees %.2f and %.2f m, between them %.2f m, toe %.2f m\n",
                      azimuths[i], left, right, low, margin(azimuths[i], 180.0, 1));
        assert_true(low > 0.0 && left > 1.5 * low && right > 1.5 * low);
        assert_true(fabs(left - right) < 0.2 * (left + right));
    }
}

static void undrained_flows_leave_none(void** state)
{
    (void)state;
    flow_down(37.0, 0.0);
    assert_true(margin(37.0, 60.0, 1) < 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draining_flows_build_levees),
        cmocka_unit_test(undrained_flows_leave_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
