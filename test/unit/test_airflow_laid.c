// SPDX-License-Identifier: MIT
// Winds added by the user: gusts, vortices and eddies are free of divergence and have the given
// speeds, places and times.
#include "support/fixture.h"

#include "laws/wind/airflow.h"

enum
{
    SIZE = 128
};

static const airflow_law law = {.speedup_limit = 2.0,
                                .warp_wide = 200.0,
                                .warp_narrow = 50.0,
                                .lee_begin = 10.0,
                                .lee_full = 15.0};

typedef struct bench
{
    fixture f;
    wadi_terrain* terrain;
    wadi_airflow* flow;
} bench;

static void bench_open(bench* b, wadi_edge edge)
{
    fixture_open(&b->f, 2);
    b->terrain = fixture_plain(&b->f, SIZE, SIZE, 10.0, edge);
    CHECK_OK(b->f.context, wadi_airflow_create(b->terrain, &law, 3, &b->flow));
    wadi_airflow_survey(b->flow);
}

static void bench_close(bench* b)
{
    wadi_airflow_destroy(b->flow);
    wadi_terrain_destroy(b->terrain);
    fixture_close(&b->f);
}

// The added field of that year without other wind.
static airflow_view bench_field(bench* b, int32_t table, const double* rows, int32_t count,
                                double year)
{
    CHECK_OK(b->f.context, wadi_airflow_set_table(b->flow, table, rows, count));
    wadi_airflow_blow(b->flow, &(airflow_wind){270.0, 0.0, year});
    return wadi_airflow_view(b->flow);
}

static double speed_at(const airflow_view* view, int32_t x, int32_t y)
{
    const int64_t cell = (int64_t)y * SIZE + x;
    return hypot((double)view->x[cell], (double)view->y[cell]);
}

// Largest divergence [1/s] of the inner cells, or of all cells of a torus.
static double divergence(const airflow_view* view, bool torus)
{
    double most = 0.0;
    const int32_t rim = torus ? 0 : 1;
    for (int32_t y = rim; y < SIZE - rim; ++y)
    {
        for (int32_t x = rim; x < SIZE - rim; ++x)
        {
            const int64_t row = (int64_t)y * SIZE;
            const double east = (double)view->x[row + (x + 1) % SIZE];
            const double west = (double)view->x[row + (x + SIZE - 1) % SIZE];
            const double south = (double)view->y[(int64_t)((y + 1) % SIZE) * SIZE + x];
            const double north = (double)view->y[(int64_t)((y + SIZE - 1) % SIZE) * SIZE + x];
            most = fmax(most, fabs(east - west + south - north) / 20.0);
        }
    }
    return most;
}

static double fastest(const airflow_view* view)
{
    double most = 0.0;
    for (int32_t y = 0; y < SIZE; ++y)
    {
        for (int32_t x = 0; x < SIZE; ++x)
        {
            most = fmax(most, speed_at(view, x, y));
        }
    }
    return most;
}

// Float rounding of 10 m/s over cells of 10 m is 1e-7 1/s; a field with divergence, such as a wind
// inside a circle, would have 0.1.
static void nothing_makes_air(void** state)
{
    (void)state;
    static const double gusts[] = {600, 700, 400, 0, 10, 300, 10, 900, 300, 200, 0, 10, 45, 8};
    static const double vortices[] = {500, 500, 300, 0, 10, 9, 900, 800, 250, 0, 10, -7};
    static const double eddies[] = {640, 640, 600, 0, 10, 8, 150, 0, 0, 0, 0, 10, 5, 90};
    static const wadi_edge edges[] = {WADI_EDGE_OPEN, WADI_EDGE_PERIODIC};
    for (int i = 0; i < 2; ++i)
    {
        bench b;
        bench_open(&b, edges[i]);
        airflow_view view = bench_field(&b, AIRFLOW_TABLE_GUSTS, gusts, 2, 5.0);
        assert_true(divergence(&view, i == 1) < 1e-6 && fastest(&view) > 5.0);
        view = bench_field(&b, AIRFLOW_TABLE_VORTICES, vortices, 2, 5.0);
        assert_true(divergence(&view, i == 1) < 1e-6 && fastest(&view) > 5.0);
        view = bench_field(&b, AIRFLOW_TABLE_EDDIES, eddies, 2, 5.0);
        assert_true(divergence(&view, i == 1) < 1e-6 && fastest(&view) > 5.0);
        bench_close(&b);
    }
}

static void a_gust_blows_in_its_middle_and_nowhere_else(void** state)
{
    (void)state;
    static const double rows[] = {640, 320, 300, 0, 10, 180, 12};
    bench b;
    bench_open(&b, WADI_EDGE_OPEN);
    const airflow_view view = bench_field(&b, AIRFLOW_TABLE_GUSTS, rows, 1, 0.0);
    // 320 m north of the southern edge is row 96; a south wind blows to the north
    CHECK_NEAR((double)view.y[96 * SIZE + 64], -12.0, 0.2);
    CHECK_NEAR((double)view.x[96 * SIZE + 64], 0.0, 0.2);
    CHECK_NEAR(speed_at(&view, 64, 60), 0.0, 0.0);
    CHECK_NEAR(speed_at(&view, 20, 96), 0.0, 0.0);
    bench_close(&b);
}

static void a_vortex_turns_anticlockwise(void** state)
{
    (void)state;
    static const double rows[] = {645, 635, 400, 0, 10, 10};
    bench b;
    bench_open(&b, WADI_EDGE_OPEN);
    const airflow_view view = bench_field(&b, AIRFLOW_TABLE_VORTICES, rows, 1, 0.0);
    CHECK_NEAR(fastest(&view), 10.0, 0.05);
    CHECK_NEAR(speed_at(&view, 64, 64), 0.0, 1e-6);
    assert_true(view.y[64 * SIZE + 74] < -5.0f); // east of the middle it blows to the north
    assert_true(view.x[54 * SIZE + 64] < -5.0f); // north of it to the west
    bench_close(&b);
}

// The root mean square speed of eddies is the given one, at any size.
static void eddies_have_their_speed(void** state)
{
    (void)state;
    static const double sizes[] = {60.0, 120.0, 200.0};
    for (int i = 0; i < 3; ++i)
    {
        const double rows[] = {0, 0, 0, 0, 10, 6, sizes[i]};
        bench b;
        bench_open(&b, WADI_EDGE_PERIODIC);
        const airflow_view view = bench_field(&b, AIRFLOW_TABLE_EDDIES, rows, 1, 0.0);
        double sum = 0.0;
        for (int64_t cell = 0; cell < (int64_t)SIZE * SIZE; ++cell)
        {
            sum += (double)(view.x[cell] * view.x[cell] + view.y[cell] * view.y[cell]);
        }
        CHECK_NEAR(sqrt(sum / (SIZE * SIZE)), 6.0, 0.6);
        bench_close(&b);
    }
}

static void each_has_its_time(void** state)
{
    (void)state;
    static const double rows[] = {640, 640, 0, 2, 4, 270, 10, 640, 640, 0, 3, 5, 180, 10};
    static const double years[] = {1.0, 2.0, 3.5, 4.0, 5.0};
    static const double east[] = {0.0, 10.0, 10.0, 0.0, 0.0};
    static const double south[] = {0.0, 0.0, -10.0, -10.0, 0.0};
    bench b;
    bench_open(&b, WADI_EDGE_OPEN);
    for (int i = 0; i < 5; ++i)
    {
        const airflow_view view = bench_field(&b, AIRFLOW_TABLE_GUSTS, rows, 2, years[i]);
        CHECK_NEAR((double)view.x[77], east[i], 1e-5);
        CHECK_NEAR((double)view.y[77], south[i], 1e-5);
    }
    bench_close(&b);
}

static void invalid_local_winds_are_refused(void** state)
{
    (void)state;
    static const double backwards[] = {0, 0, 100, 5, 5, 270, 10};
    static const double fine[] = {0, 0, 20, 0, 5, 270, 10};
    static const double wide[] = {0, 0, 700, 0, 5, 270, 10};
    static const double point[] = {0, 0, 0, 0, 5, 10};
    static const double small[] = {0, 0, 0, 0, 5, 10, 20};
    bench b;
    bench_open(&b, WADI_EDGE_PERIODIC);
    wadi_context* context = b.f.context;
    CHECK_FAILS(context, WADI_ERROR_RANGE, "must end after it begins",
                wadi_airflow_set_table(b.flow, AIRFLOW_TABLE_GUSTS, backwards, 1));
    CHECK_FAILS(context, WADI_ERROR_RANGE, "give at least 40 m",
                wadi_airflow_set_table(b.flow, AIRFLOW_TABLE_GUSTS, fine, 1));
    CHECK_FAILS(context, WADI_ERROR_RANGE, "give at most 640 m",
                wadi_airflow_set_table(b.flow, AIRFLOW_TABLE_GUSTS, wide, 1));
    CHECK_FAILS(context, WADI_ERROR_RANGE, "has no radius",
                wadi_airflow_set_table(b.flow, AIRFLOW_TABLE_VORTICES, point, 1));
    CHECK_FAILS(context, WADI_ERROR_RANGE, "size of 20 m",
                wadi_airflow_set_table(b.flow, AIRFLOW_TABLE_EDDIES, small, 1));
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_makes_air),
        cmocka_unit_test(a_gust_blows_in_its_middle_and_nowhere_else),
        cmocka_unit_test(a_vortex_turns_anticlockwise),
        cmocka_unit_test(eddies_have_their_speed),
        cmocka_unit_test(each_has_its_time),
        cmocka_unit_test(invalid_local_winds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
