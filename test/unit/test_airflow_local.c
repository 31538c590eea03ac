// SPDX-License-Identifier: MIT
// Local winds: where they blow and how they blend, taking turns, deflection by relief, and
// refusals.
#include "support/fixture.h"

#include "laws/wind/airflow.h"

enum
{
    SIZE = 96,
    TABLE = AIRFLOW_TABLE_LOCAL_WINDS
};

static const double cell = 10.0; // [m]

static const airflow_law law = {.speedup_limit = 2.0,
                                .speedup = 5e-3,
                                .warp = 1.0,
                                .warp_wide = 200.0,
                                .warp_narrow = 50.0,
                                .warp_wide_share = 0.8,
                                .warp_wide_turn = 30.0,
                                .warp_narrow_turn = 5.0,
                                .lee_begin = 10.0,
                                .lee_full = 15.0};

typedef struct bench
{
    fixture f;
    wadi_terrain* terrain;
    wadi_airflow* flow;
} bench;

// Flat, or with a hill in the middle.
static void bench_open(bench* b, wadi_edge edge, double hill)
{
    static float rock[SIZE * SIZE];
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = cell;
    def.edges[0] = def.edges[1] = def.edges[2] = def.edges[3] = edge;
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        const double far = hypot(i % SIZE - SIZE / 2, (double)(i / SIZE - SIZE / 2));
        rock[i] = (float)(hill * exp(-far * far / 100.0));
    }
    fixture_open(&b->f, 2);
    CHECK_OK(b->f.context, wadi_terrain_create(b->f.context, &def, &b->terrain));
    CHECK_OK(b->f.context, wadi_terrain_set_layer(b->terrain, WADI_LAYER_BEDROCK, rock, SIZE));
    CHECK_OK(b->f.context, wadi_airflow_create(b->terrain, &law, 3, &b->flow));
    wadi_airflow_survey(b->flow);
}

static void bench_close(bench* b)
{
    wadi_airflow_destroy(b->flow);
    wadi_terrain_destroy(b->terrain);
    fixture_close(&b->f);
}

static void bench_set(bench* b, const double* rows, int32_t count)
{
    CHECK_OK(b->f.context, wadi_airflow_set_table(b->flow, TABLE, rows, count));
}

static airflow_view bench_blow(bench* b, double direction, double speed, double year)
{
    wadi_airflow_blow(b->flow, &(airflow_wind){direction, speed, year});
    return wadi_airflow_view(b->flow);
}

// The cell at a place, in metres from the south-west corner, and its wind to the east and north.
static void check_wind(const airflow_view* view, double x, double y, double east, double north)
{
    const int32_t column = (int32_t)(x / cell);
    const int32_t row = SIZE - 1 - (int32_t)(y / cell);
    CHECK_NEAR((double)view->x[row * SIZE + column], east, 1e-4);
    CHECK_NEAR(-(double)view->y[row * SIZE + column], north, 1e-4);
}

// ---- where -------------------------------------------------------------------------------------

static void a_place_has_its_wind_within_and_the_map_the_rest(void** state)
{
    (void)state;
    static const double rows[] = {305, 605, 200, 100, 180, 6, 1};
    bench b;
    bench_open(&b, WADI_EDGE_OPEN, 0.0);
    bench_set(&b, rows, 1);
    const airflow_view view = bench_blow(&b, 270.0, 10.0, 0.0);
    check_wind(&view, 305, 605, 0.0, 6.0);
    check_wind(&view, 305, 705, 0.0, 6.0);  // inner end of the rim
    check_wind(&view, 305, 755, 5.0, 3.0);  // equal blend in its middle
    check_wind(&view, 155, 605, 5.0, 3.0);  // on the other sides too
    check_wind(&view, 305, 805, 10.0, 0.0); // at the radius
    check_wind(&view, 805, 605, 10.0, 0.0);
    bench_close(&b);
}

static void a_place_extends_across_a_periodic_edge(void** state)
{
    (void)state;
    static const double rows[] = {5, 955, 200, 0, 180, 6, 1};
    bench b;
    bench_open(&b, WADI_EDGE_PERIODIC, 0.0);
    bench_set(&b, rows, 1);
    airflow_view view = bench_blow(&b, 270.0, 10.0, 0.0);
    check_wind(&view, 5, 955, 0.0, 6.0);
    check_wind(&view, 845, 955, 0.0, 6.0);
    check_wind(&view, 5, 105, 0.0, 6.0);
    check_wind(&view, 255, 955, 10.0, 0.0);
    bench_close(&b);
    bench_open(&b, WADI_EDGE_OPEN, 0.0);
    bench_set(&b, rows, 1);
    view = bench_blow(&b, 270.0, 10.0, 0.0);
    check_wind(&view, 845, 955, 10.0, 0.0);
    check_wind(&view, 5, 105, 10.0, 0.0);
    bench_close(&b);
}

static void later_places_cover_earlier_ones(void** state)
{
    (void)state;
    static const double rows[] = {0, 0, 0, 0, 90, 4, 1, 505, 505, 100, 0, 0, 8, 1};
    bench b;
    bench_open(&b, WADI_EDGE_OPEN, 0.0);
    bench_set(&b, rows, 2);
    airflow_view view = bench_blow(&b, 270.0, 10.0, 0.0);
    check_wind(&view, 505, 505, 0.0, -8.0);
    check_wind(&view, 5, 5, -4.0, 0.0);
    // a new table replaces the previous one
    bench_set(&b, rows + 7, 1);
    view = bench_blow(&b, 270.0, 10.0, 0.0);
    check_wind(&view, 5, 5, 10.0, 0.0);
    bench_close(&b);
}

// ---- when --------------------------------------------------------------------------------------

static void winds_of_a_place_take_turns(void** state)
{
    (void)state;
    static const double rows[] = {505, 505, 200, 0, 270, 5, 2,   505, 505, 200, 0, 0, 0, 0.5,
                                  505, 505, 200, 0, 180, 7, 1.5, 105, 105, 100, 0, 0, 3, 7};
    static const double years[] = {0.0, 1.9, 2.0, 2.4, 2.5, 3.9, 4.0, 6.0, 4000.0, 4002.5};
    static const double east[] = {5.0, 5.0, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 5.0, 0.0};
    static const double north[] = {0.0, 0.0, 0.0, 0.0, 7.0, 7.0, 0.0, 0.0, 0.0, 7.0};
    static const double next[] = {2.0, 2.0, 2.5, 2.5, 4.0, 4.0, 6.0, 6.5, 4002.0, 4004.0};
    bench b;
    bench_open(&b, WADI_EDGE_OPEN, 0.0);
    assert_true(isinf(wadi_airflow_next_change(b.flow, 0.0)));
    bench_set(&b, rows, 4);
    for (size_t i = 0; i < sizeof years / sizeof years[0]; ++i)
    {
        const airflow_view view = bench_blow(&b, 270.0, 10.0, years[i]);
        check_wind(&view, 505, 505, east[i], north[i]);
        check_wind(&view, 105, 105, 0.0, -3.0);
        CHECK_NEAR(wadi_airflow_next_change(b.flow, years[i]), next[i], 1e-6);
    }
    bench_close(&b);
}

// A clock that sums the durations reaches every change of ten thousand cycles.
static void no_turn_is_lost_to_rounding(void** state)
{
    (void)state;
    static const double rows[] = {505, 505, 200, 0, 270, 5, 0.1, 505, 505, 200, 0, 90, 7, 0.7};
    bench b;
    bench_open(&b, WADI_EDGE_OPEN, 0.0);
    bench_set(&b, rows, 2);
    double now = 0.0;
    for (int32_t i = 0; i < 20000; ++i)
    {
        const double next = wadi_airflow_next_change(b.flow, now);
        CHECK_NEAR(next - now, i % 2 == 0 ? 0.1 : 0.7, 1e-6);
        now = next;
    }
    bench_close(&b);
}

// ---- relief ------------------------------------------------------------------------------------

// A place's wind given everywhere equals the wind of the map: deflected, sped up and sheltered
// alike.
static void relief_shapes_it_as_the_wind_of_the_map(void** state)
{
    (void)state;
    static const double rows[] = {0, 0, 0, 0, 307, 9, 1};
    static float x[SIZE * SIZE];
    static float y[SIZE * SIZE];
    static float shelter[SIZE * SIZE];
    bench b;
    bench_open(&b, WADI_EDGE_OPEN, 120.0);
    airflow_view view = bench_blow(&b, 307.0, 9.0, 0.0);
    assert_true(view.turned > 0.05f && view.turned < 1.0f);
    memcpy(x, view.x, sizeof x);
    memcpy(y, view.y, sizeof y);
    memcpy(shelter, view.shelter, sizeof shelter);
    bench_set(&b, rows, 1);
    // with any wind over the map, or none
    for (int k = 0; k < 2; ++k)
    {
        view = bench_blow(&b, 90.0, 10.0 * k, 0.0);
        assert_true(view.turned == 1.0f);
        assert_memory_equal(view.x, x, sizeof x);
        assert_memory_equal(view.y, y, sizeof y);
        assert_memory_equal(view.shelter, shelter, sizeof shelter);
    }
    bench_close(&b);
}

// ---- what is refused ---------------------------------------------------------------------------

static void invalid_places_are_refused(void** state)
{
    (void)state;
    static const double fine[] = {0, 0, 100, 0, 0, 5, 1, 0, 0, 20, 0, 270, 10, 1};
    static const double wide[] = {0, 0, 500, 0, 270, 10, 1};
    static const double soft[] = {0, 0, 100, 120, 270, 10, 1};
    static const double apart[] = {9,   9,  100, 0, 270, 10,  1, 0,   0,  100, 0,
                                   270, 10, 1,   9, 9,   100, 0, 180, 10, 1};
    bench b;
    bench_open(&b, WADI_EDGE_PERIODIC, 0.0);
    wadi_context* context = b.f.context;
    CHECK_FAILS(context, WADI_ERROR_RANGE, "row 2 of local_winds has a radius of 20 m",
                wadi_airflow_set_table(b.flow, TABLE, fine, 2));
    CHECK_FAILS(context, WADI_ERROR_RANGE, "give at most 480 m",
                wadi_airflow_set_table(b.flow, TABLE, wide, 1));
    CHECK_FAILS(context, WADI_ERROR_RANGE, "rim of 120 m (soft), wider than its radius of 100 m",
                wadi_airflow_set_table(b.flow, TABLE, soft, 1));
    CHECK_FAILS(context, WADI_ERROR_RANGE, "row 3 of local_winds repeats the place of row 1",
                wadi_airflow_set_table(b.flow, TABLE, apart, 3));
    // a refused table changes nothing
    const airflow_view view = bench_blow(&b, 270.0, 10.0, 0.0);
    check_wind(&view, 5, 5, 10.0, 0.0);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_has_its_wind_within_and_the_map_the_rest),
        cmocka_unit_test(a_place_extends_across_a_periodic_edge),
        cmocka_unit_test(later_places_cover_earlier_ones),
        cmocka_unit_test(winds_of_a_place_take_turns),
        cmocka_unit_test(no_turn_is_lost_to_rounding),
        cmocka_unit_test(relief_shapes_it_as_the_wind_of_the_map),
        cmocka_unit_test(invalid_places_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
