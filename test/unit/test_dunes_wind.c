// SPDX-License-Identifier: MIT
// The wind of the flux model where it varies in space: deflected by relief, and with gusts,
// vortices and eddies added. Also the stress over waves of every length.
#include "support/fixture.h"

#include "processes/dunes/flux.h"

enum
{
    SIDE = 160
};

static const double cell = 2.0; // [m]

typedef struct air
{
    fixture f;
    wadi_terrain* terrain;
    flux* own;
} air;

static void air_open(air* a, int32_t width, int32_t height, double size,
                     const wadi_dunes_params* params, const float* rock)
{
    fixture_open(&a->f, 2);
    a->terrain = fixture_plain(&a->f, width, height, size, WADI_EDGE_PERIODIC);
    CHECK_OK(a->f.context, wadi_terrain_set_layer(a->terrain, WADI_LAYER_BEDROCK, rock, width));
    CHECK_OK(a->f.context, wadi_terrain_fill_layer(a->terrain, WADI_LAYER_SEDIMENT, 2.0));
    void* state;
    CHECK_OK(a->f.context, wadi_dunes_flux_api.create(a->terrain, params, 0, &state));
    a->own = state;
}

static void air_blow(air* a, double years)
{
    CHECK_OK(a->f.context, wadi_dunes_flux_api.advance(a->own, &(wadi_span){.years = years}));
    wadi_terrain_changed(a->terrain);
    fixture_check_ledger(a->terrain);
}

static void air_close(air* a)
{
    wadi_dunes_flux_api.destroy(a->own);
    wadi_terrain_destroy(a->terrain);
    fixture_close(&a->f);
}

// ---- stress over waves -------------------------------------------------------------------------

// Linear theory: the component of the stress in phase with a wave of height h and number k is A k h
// at any wavelength. The number of scales grows with the grid.
static void waves_of_all_lengths_feel_pressure(void** state)
{
    (void)state;
    enum
    {
        LONGEST = 2048,
        ROWS = 8
    };
    static float rock[LONGEST * ROWS];
    for (int32_t length = 8; length <= LONGEST; length *= 2)
    {
        const double k = 6.283185307179586 / length;
        const double high = 0.05 / k; // a slope of 0.05, too low for shelter
        for (int32_t i = 0; i < LONGEST * ROWS; ++i)
        {
            rock[i] = (float)(high * cos(k * (i % LONGEST)));
        }
        const wadi_dunes_params params = wadi_dunes_params_default();
        air a;
        air_open(&a, LONGEST, ROWS, 1.0, &params, rock);
        air_blow(&a, 1e-4);
        double in_phase = 0.0;
        for (int32_t x = 0; x < LONGEST; ++x)
        {
            in_phase += 2.0 / LONGEST * cos(k * x) * (double)a.own->stress[flux_at(a.own, 3) + x];
        }
        // damping by the smoothing of the roof, variance 0.195 L^2
        const double smoothed = exp(-0.5 * k * k * 0.195 * 4.0);
        const double expected = params.shear_gain * k * high * smoothed;
        print_message("waves of %4d cells: %.4f of the stress of linear theory\n", (int)length,
                      in_phase / expected);
        CHECK_NEAR(in_phase, expected, (length > 8 ? 0.025 : 0.1) * expected);
        air_close(&a);
    }
}

// ---- relief that turns the wind ----------------------------------------------------------------

// A hill 24 m high that deflects the wind, and waves of 3 m that shelter, in the frame of a wind
// rotated by `turn` degrees.
static void hill_fill(float* rock, double turn)
{
    const double angle = turn * 3.14159265358979323846 / 180.0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const double east = cell * (i % SIDE - SIDE / 2);
        const double north = cell * (SIDE / 2 - i / SIDE);
        const double along = east * cos(angle) + north * sin(angle);
        const double across = north * cos(angle) - east * sin(angle);
        const double far = (along * along + across * across) / (45.0 * 45.0);
        rock[i] = (float)(24.0 * exp(-0.5 * far) + 3.0 * exp(-0.3 * far) * sin(along / 4.0));
    }
}

static wadi_dunes_params hill_params(double turn)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    params.direction = fmod(270.0 - turn + 360.0, 360.0);
    params.warp = 8.0; // as a mountain of 100 m would
    params.warp_wide = 80.0;
    return params;
}

// Bilinear value of a plane on the torus.
static double between(const flux* f, const float* plane, double x, double y)
{
    const int32_t x0 = (int32_t)floor(x);
    const int32_t y0 = (int32_t)floor(y);
    double sum = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        const double share =
            (i % 2 != 0 ? x - x0 : 1.0 - (x - x0)) * (i / 2 != 0 ? y - y0 : 1.0 - (y - y0));
        const ptrdiff_t at = flux_at(f, y0 + i / 2) + flux_wrap(x0 + i % 2, SIDE, true);
        sum += share * (double)plane[at];
    }
    return sum;
}

// The roof by marching upwind in steps of half a cell, along the local wind or the wind aloft.
static double marched_roof(const flux* f, int32_t x, int32_t y, const double* aloft)
{
    const double tangent = 0.2679491924311227;
    double px = x;
    double py = y;
    double roof = (double)f->level[flux_at(f, y) + x];
    for (int32_t step = 1; step <= 160; ++step)
    {
        const double ex = aloft != NULL ? aloft[0] : between(f, f->wind[FLUX_WIND_EAST], px, py);
        const double ey = aloft != NULL ? aloft[1] : between(f, f->wind[FLUX_WIND_SOUTH], px, py);
        const double length = sqrt(ex * ex + ey * ey);
        px -= 0.5 * ex / length;
        py -= 0.5 * ey / length;
        roof = fmax(roof, between(f, f->level, px, py) - 0.5 * cell * step * tangent);
    }
    return roof;
}

static double lull_share(const flux* f, double over)
{
    const double share = (double)f->law.shear.shelter * over;
    return share < 1.0 ? share : 1.0;
}

typedef struct lee_errors
{
    double lee;       // mean height of the roof over the ground where there is shelter [m]
    double roof;      // mean error
    double unturned;  // mean error with shelter along the wind aloft
    double share;     // of shelter, over all ground
    double sheltered; // share of the ground with shelter
    double turned;    // largest sine of a deflection
} lee_errors;

static lee_errors lee_errors_of(const flux* f, const double aloft[2])
{
    lee_errors e = {0};
    double sheltered = 0.0;
    double cells = 0.0;
    for (int32_t i = 0; i < SIDE * SIDE; i += 7, cells += 1.0)
    {
        const ptrdiff_t at = flux_at(f, i / SIDE) + i % SIDE;
        const double level = (double)f->level[at];
        const double own = (double)f->roof[at];
        const double marched = marched_roof(f, i % SIDE, i / SIDE, NULL);
        e.roof += fabs(own - marched);
        e.unturned += fabs(marched_roof(f, i % SIDE, i / SIDE, aloft) - marched);
        e.lee += marched - level;
        e.share += fabs(lull_share(f, own - level) - lull_share(f, marched - level));
        sheltered += marched > level + 0.01 ? 1.0 : 0.0;
        e.turned = fmax(e.turned, fabs((double)f->wind[FLUX_WIND_EAST][at] * aloft[1] -
                                       (double)f->wind[FLUX_WIND_SOUTH][at] * aloft[0]));
    }
    e.roof /= sheltered;
    e.unturned /= sheltered;
    e.lee /= sheltered;
    e.share /= cells;
    e.sheltered = sheltered / cells;
    return e;
}

static void shelter_follows_the_wind(void** state)
{
    (void)state;
    static float rock[SIDE * SIDE];
    for (int k = 0; k < 2; ++k)
    {
        const double angle = 37.0 * k * 3.14159265358979323846 / 180.0;
        const double aloft[2] = {cos(angle), -sin(angle)};
        const wadi_dunes_params params = hill_params(37.0 * k);
        air a;
        hill_fill(rock, 37.0 * k);
        air_open(&a, SIDE, SIDE, cell, &params, rock);
        air_blow(&a, 1e-4);
        assert_true(a.own->wind_stride != 0);
        const lee_errors e = lee_errors_of(a.own, aloft);
        print_message("wind turned by %2.0f, by relief up to %.0f degrees: roof off by %.3f m of "
                      "%.2f (%.3f if it did not turn), shelter by %.4f of a share, on %.0f %% of "
                      "the ground\n",
                      37.0 * k, asin(e.turned) * 57.29577951308232, e.roof, e.lee, e.unturned,
                      e.share, 100.0 * e.sheltered);
        assert_true(e.turned > 0.3);
        assert_true(e.roof < 0.1 * e.lee && e.roof < 0.4 * e.unturned);
        assert_true(e.share < 0.01);
        air_close(&a);
    }
}

// Sand passed at a place `along` and `across` the wind, to the east and south [m2].
static double passed_at(const air* a, int part, double turn, double along, double across)
{
    const double angle = turn * 3.14159265358979323846 / 180.0;
    const double east = along * cos(angle) - across * sin(angle);
    const double north = across * cos(angle) + along * sin(angle);
    const int32_t x = SIDE / 2 + (int32_t)floor(east / cell + 0.5);
    const int32_t y = SIDE / 2 - (int32_t)floor(north / cell + 0.5);
    return (double)a->own->passed[part][y * SIDE + x];
}

// Direction of the sand flux there, anticlockwise from the frame's wind [degree].
static double heading_at(const air* a, double turn, double along, double across)
{
    const double east = passed_at(a, 0, turn, along, across);
    const double north = -passed_at(a, 1, turn, along, across);
    const double off = atan2(north, east) * 57.29577951308232 - turn;
    return off - 360.0 * floor(off / 360.0 + 0.5);
}

static void sand_goes_round_hills(void** state)
{
    (void)state;
    static float rock[SIDE * SIDE];
    for (int k = 0; k < 2; ++k)
    {
        const double turn = 37.0 * k;
        const wadi_dunes_params params = hill_params(turn);
        air a;
        hill_fill(rock, turn);
        air_open(&a, SIDE, SIDE, cell, &params, rock);
        air_blow(&a, 0.05);
        const double left = heading_at(&a, turn, -25.0, 30.0);
        const double right = heading_at(&a, turn, -25.0, -30.0);
        const double far = heading_at(&a, turn, 0.0, 150.0);
        print_message("wind turned by %2.0f: sand turns by %.1f degrees left of a hill, %.1f right "
                      "of it, %.1f far off\n",
                      turn, left, right, far);
        assert_true(left > 5.0 && right < -5.0 && fabs(far) < 1.0);
        CHECK_NEAR(left, -right, 2.0);
        air_close(&a);
    }
}

// ---- local winds and gusts ---------------------------------------------------------------------

static void air_lay(air* a, int32_t table, const double* rows, int32_t count)
{
    CHECK_OK(a->f.context, wadi_dunes_flux_api.set_table(a->own, table, rows, count));
}

static void gusts_blow_where_and_when_they_are(void** state)
{
    (void)state;
    static float rock[SIDE * SIDE];
    memset(rock, 0, sizeof rock);
    static const double gust[] = {160.0, 160.0, 60.0, 0.5, 1.0, 180.0, 10.0};
    wadi_dunes_params params = wadi_dunes_params_default();
    params.warp = 0.0;
    air a;
    air_open(&a, SIDE, SIDE, cell, &params, rock);
    air_lay(&a, AIRFLOW_TABLE_GUSTS, gust, 1);
    air_blow(&a, 0.5);
    assert_true(passed_at(&a, 1, 0.0, 0.0, 0.0) == 0.0);
    const int64_t before = a.own->steps;
    air_blow(&a, 1.0);
    // a south wind of 10 m/s added to a west wind of 10 m/s
    CHECK_NEAR(-passed_at(&a, 1, 0.0, 0.0, 0.0), 0.5 * 50.0 * 3.0 * 0.7071, 15.0);
    assert_true(passed_at(&a, 1, 0.0, 0.0, 140.0) == 0.0);
    CHECK_NEAR(passed_at(&a, 0, 0.0, 0.0, 140.0), 1.5 * 50.0, 5.0);
    // the stronger wind needs three times as many steps for half a year
    const double steps = (double)(a.own->steps - before);
    CHECK_NEAR(steps, 0.5 * 50.0 + 0.5 * 50.0 * 3.0, 8.0);
    air_close(&a);
}

// A place with a south wind and then a calm, in a map with a west wind.
static void places_have_winds_of_their_own(void** state)
{
    (void)state;
    static float rock[SIDE * SIDE];
    memset(rock, 0, sizeof rock);
    static const double place[] = {160, 160, 100, 30, 180, 10, 0.5, 160, 160, 100, 30, 0, 0, 2.5};
    const wadi_dunes_params params = wadi_dunes_params_default();
    air a;
    air_open(&a, SIDE, SIDE, cell, &params, rock);
    air_lay(&a, AIRFLOW_TABLE_LOCAL_WINDS, place, 2);
    air_blow(&a, 0.75);
    const double along = 50.0; // [m2/yr]
    CHECK_NEAR(-passed_at(&a, 1, 0.0, 0.0, 0.0), 0.5 * along, 0.05 * along);
    CHECK_NEAR(passed_at(&a, 0, 0.0, 0.0, 0.0), 0.0, 0.02 * along);
    CHECK_NEAR(passed_at(&a, 0, 0.0, 0.0, 140.0), 0.75 * along, 0.05 * along);
    CHECK_NEAR(passed_at(&a, 1, 0.0, 0.0, 140.0), 0.0, 0.02 * along);
    air_close(&a);
}

// A wind below the threshold and a vortex in the middle.
static void vortices_carry_sand_round(void** state)
{
    (void)state;
    static float rock[SIDE * SIDE];
    memset(rock, 0, sizeof rock);
    static const double vortex[] = {160.0, 160.0, 100.0, 0.0, 10.0, 14.0};
    wadi_dunes_params params = wadi_dunes_params_default();
    params.speed = 1.0;
    air a;
    air_open(&a, SIDE, SIDE, cell, &params, rock);
    air_blow(&a, 0.2);
    assert_int_equal(a.own->steps, 0);
    air_lay(&a, AIRFLOW_TABLE_VORTICES, vortex, 1);
    air_blow(&a, 0.2);
    const double east = -passed_at(&a, 1, 0.0, 50.0, 0.0); // north of it
    const double west = -passed_at(&a, 1, 0.0, -50.0, 0.0);
    const double north = passed_at(&a, 0, 0.0, 0.0, 50.0); // east of it
    print_message("anticlockwise: %.1f m2 to the north in the east, %.1f in the west, %.1f to the "
                  "east in the north\n",
                  east, west, north);
    assert_true(east > 3.0 && west < -3.0 && north < -3.0);
    CHECK_NEAR(east, -west, 0.35 * east);
    assert_true(passed_at(&a, 0, 0.0, 0.0, 150.0) == 0.0);
    air_close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_of_all_lengths_feel_pressure),
        cmocka_unit_test(shelter_follows_the_wind),
        cmocka_unit_test(sand_goes_round_hills),
        cmocka_unit_test(gusts_blow_where_and_when_they_are),
        cmocka_unit_test(places_have_winds_of_their_own),
        cmocka_unit_test(vortices_carry_sand_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
