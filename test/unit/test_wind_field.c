// SPDX-License-Identifier: MIT
// What maps of the wind say: north is north, high ground alone speeds nothing up, and each axis of
// the terrain wraps for itself.
#include "laws/wind/airflow_internal.h"
#include "support/fixture.h"

#include <wadi/airflow.h>

enum
{
    SIZE = 32,
    CELLS = SIZE * SIZE
};

static float east[CELLS];
static float north[CELLS];
static float shelter[CELLS];

static void compute(fixture* f, wadi_terrain* terrain, double direction)
{
    wadi_airflow_params params = wadi_airflow_params_default();
    params.direction = direction;
    params.speed = 8.0;
    params.speedup = 0.05;
    wadi_wind_field* field = NULL;
    CHECK_OK(f->context, wadi_wind_field_create(terrain, &params, &field));
    CHECK_OK(f->context, wadi_wind_field_compute(field, 0.0, east, north, shelter));
    wadi_wind_field_destroy(field);
}

// Plains as high as may be are flat, also around holes.
static void winds_over_plains_blow_where_they_should(void** state)
{
    (void)state;
    static const double to_east[4] = {0.0, -8.0, 0.0, 8.0};
    static const double to_north[4] = {-8.0, 0.0, 8.0, 0.0};
    for (int holes = 0; holes < 2; ++holes)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain* terrain = fixture_flat(&f, SIZE, SIZE);
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_BEDROCK, 1000.0));
        if (holes != 0)
        {
            fixture_holes(terrain);
        }
        for (int turn = 0; turn < 4; ++turn)
        {
            compute(&f, terrain, 90.0 * turn);
            for (int i = 0; i < CELLS; ++i)
            {
                if (wadi_terrain_is_valid(terrain, i % SIZE, i / SIZE))
                {
                    CHECK_NEAR((double)east[i], to_east[turn], 1e-3);
                    CHECK_NEAR((double)north[i], to_north[turn], 1e-3);
                }
            }
        }
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

static void each_axis_wraps_for_itself(void** state)
{
    (void)state;
    for (int axis = 0; axis < 2; ++axis)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain_def def = wadi_terrain_def_default();
        def.width = def.height = SIZE;
        def.edges[axis == 0 ? WADI_SIDE_WEST : WADI_SIDE_NORTH] = WADI_EDGE_PERIODIC;
        def.edges[axis == 0 ? WADI_SIDE_EAST : WADI_SIDE_SOUTH] = WADI_EDGE_PERIODIC;
        wadi_terrain* terrain = NULL;
        CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
        const airflow_law law = {
            .speedup_limit = 1.0, .warp_wide_share = 1.0, .lee_begin = 10.0, .lee_full = 15.0};
        wadi_airflow* flow = NULL;
        CHECK_OK(f.context, wadi_airflow_create(terrain, &law, 0, &flow));
        assert_true(flow->wrap_x == (axis == 0) && flow->wrap_y == (axis == 1));
        wadi_airflow_destroy(flow);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(winds_over_plains_blow_where_they_should),
        cmocka_unit_test(each_axis_wraps_for_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
