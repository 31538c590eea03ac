// SPDX-License-Identifier: MIT
// Coasts: waves, the rate of cliffs at any angle to the grid, hardness, seas without depths, edges,
// books.
#include "support/coast.h"

#include "processes/coast/coast_waves.h"
#include "terrain/ground.h"

enum
{
    SIZE = 96 // cells of 10 m
};

static const float* world_map(coast_world* w, const char* name)
{
    static float out[SIZE * SIZE];
    CHECK_OK(w->f.context, wadi_solver_map(w->solver, name, out));
    return out;
}

// Volume of land [cells x m].
static double land_of(const coast_world* w)
{
    double sum = 0.0;
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        const double height =
            (double)wadi_terrain_units(w->terrain, WADI_LAYER_SURFACE, i % SIZE, i / SIZE) /
            WADI_UNITS_PER_METRE;
        sum += height > 0.0 ? height : 0.0;
    }
    return sum;
}

static int32_t land_cells(const coast_world* w)
{
    int32_t count = 0;
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        count += wadi_terrain_units(w->terrain, WADI_LAYER_SURFACE, i % SIZE, i / SIZE) > 0;
    }
    return count;
}

static float west_sea(int32_t x, int32_t y)
{
    (void)y;
    return x < 40 ? -200.0f : 40.0f;
}

// The same coast at 45 degrees.
static float slanting_sea(int32_t x, int32_t y)
{
    return x + y < SIZE ? -200.0f : 40.0f;
}

static float all_sea(int32_t x, int32_t y)
{
    (void)x;
    (void)y;
    return -500.0f;
}

static float island(int32_t x, int32_t y)
{
    const float dx = (float)x - 47.5f;
    const float dy = (float)y - 47.5f;
    return 60.0f - 2.2f * sqrtf(dx * dx + dy * dy);
}

static float flat_sea(int32_t x, int32_t y)
{
    (void)y;
    return x < 40 ? 0.0f : 40.0f;
}

// A shore with depths, one column of which is exactly at the level.
static float even_shore(int32_t x, int32_t y)
{
    (void)y;
    return 0.3f * (float)(x - 48);
}

// That column is worn as the shore beside it. As a sea of unknown depth it stayed, as a wall.
static void a_shore_with_depths_is_worn(void** state)
{
    (void)state;
    coast_world w;
    coast_open(&w, SIZE, WADI_EDGE_OPEN, even_shore);
    coast_run(&w, 500.0);
    const int32_t east = wadi_terrain_units(w.terrain, WADI_LAYER_SURFACE, 49, 48);
    const int32_t at = wadi_terrain_units(w.terrain, WADI_LAYER_SURFACE, 48, 48);
    assert_true(at < 0 && at < east);
    fixture_check_ledger(w.terrain);
    coast_close(&w);
}

static void without_a_sea_nothing_happens(void** state)
{
    (void)state;
    coast_world w;
    coast_open(&w, SIZE, WADI_EDGE_OPEN, island);
    CHECK_OK(w.f.context, wadi_terrain_set_sea_level(w.terrain, NULL, NULL, 0));
    const double before = land_of(&w);
    coast_run(&w, 1e4);
    assert_true(land_of(&w) == before);
    assert_true(world_map(&w, "waves")[5] == 0.0f);
    coast_close(&w);
}

// Full waves come over open edges; in a closed basin they grow with the open water.
static void waves_grow_with_open_water(void** state)
{
    (void)state;
    coast_world w;
    coast_open(&w, SIZE, WADI_EDGE_OPEN, all_sea);
    coast_run(&w, 100.0);
    CHECK_NEAR((double)world_map(&w, "waves")[50 * SIZE + 50], 1.0, 1e-6);
    coast_close(&w);

    coast_open(&w, SIZE, WADI_EDGE_CLOSED, all_sea);
    w.params.fetch = 10000.0;
    w.params.focus = 1.0;
    w.params.direction = 270.0;
    coast_run(&w, 100.0);
    const float* waves = world_map(&w, "waves");
    // 960 m of water to the west, a little more along slanting rays
    CHECK_NEAR((double)waves[48 * SIZE + 95], 0.096, 0.012);
    CHECK_NEAR((double)waves[48 * SIZE + 48], 0.048, 0.008);
    assert_true(waves[48 * SIZE] < 0.005f);
    coast_close(&w);
}

// An island shelters the water behind it, and shallow water takes the waves' power.
static void land_and_shallows_stop_waves(void** state)
{
    (void)state;
    coast_world w;
    coast_open(&w, SIZE, WADI_EDGE_OPEN, island);
    w.params.focus = 1.0;
    w.params.surf = 100.0;
    coast_run(&w, 1.0);
    const float* waves = world_map(&w, "waves");
    assert_true(waves[48 * SIZE + 4] > 0.9f);
    assert_true(waves[48 * SIZE + 80] < 0.35f * waves[48 * SIZE + 4]);
    assert_true(waves[48 * SIZE + 20] < waves[48 * SIZE + 4]); // 1 m deep against 36
    assert_true(waves[48 * SIZE + 48] == 0.0f);
    coast_close(&w);
}

// Loss of land over the length of the coast and its height: the retreat [m].
static double retreat_of(coast_shape* shape, double hardness, double length)
{
    coast_world w;
    coast_open(&w, SIZE, WADI_EDGE_OPEN, shape);
    CHECK_OK(w.f.context, wadi_terrain_fill_layer(w.terrain, WADI_LAYER_HARDNESS, hardness));
    w.params.retreat = 0.1;
    w.params.surf = 1e5; // no loss over the young platform
    w.params.cliff = 90.0;
    w.params.fines = 1.0; // no beach
    const double before = land_of(&w);
    coast_run(&w, 2000.0);
    const double lost = (before - land_of(&w)) * 100.0 / (40.0 * length);
    coast_close(&w);
    return lost;
}

static void cliffs_retreat_at_one_rate_at_any_angle(void** state)
{
    (void)state;
    // 0.1 m/yr for 2000 years
    const double straight = retreat_of(west_sea, 0.0, 10.0 * SIZE);
    const double length = 10.0 * SIZE * sqrt(2.0);
    const double lost = length * retreat_of(slanting_sea, 0.0, length);
    // the land is a triangle, and its coast shrinks as it retreats
    const double slanting = 0.5 * length - sqrt(0.25 * length * length - lost);
    CHECK_NEAR(straight, 200.0, 20.0);
    CHECK_NEAR(slanting, straight, 0.03 * straight);
    CHECK_NEAR(retreat_of(west_sea, 0.5, 10.0 * SIZE), 0.5 * straight, 0.1 * straight);
    assert_true(retreat_of(west_sea, 1.0, 10.0 * SIZE) == 0.0);
}

// A platform lies below the sea in front of the cliff, and the sea stays sea.
static void platforms_form_and_the_sea_stays(void** state)
{
    (void)state;
    coast_world w;
    coast_open(&w, SIZE, WADI_EDGE_OPEN, island);
    const int32_t before = land_cells(&w);
    coast_run(&w, 4000.0);
    const int32_t after = land_cells(&w);
    assert_true(after < before - 100);
    int32_t new_land = 0;
    int32_t platform = 0;
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        const int32_t now = wadi_terrain_units(w.terrain, WADI_LAYER_SURFACE, i % SIZE, i / SIZE);
        new_land += island(i % SIZE, i / SIZE) < -5.0f && now > 0;
        platform += island(i % SIZE, i / SIZE) > 1.0f && now <= 0;
    }
    assert_int_equal(new_land, 0);
    assert_true(platform > 100);
    coast_close(&w);
}

// Ground at exactly the level of the sea has no known depth: it stays, and takes up what falls in.
static void a_sea_without_depths_takes_matter_away(void** state)
{
    (void)state;
    coast_world w;
    coast_open(&w, SIZE, WADI_EDGE_OPEN, flat_sea);
    coast_run(&w, 5000.0);
    for (int32_t i = 0; i < 40; ++i)
    {
        assert_int_equal(wadi_terrain_units(w.terrain, WADI_LAYER_SURFACE, i, 50), 0);
    }
    assert_true(wadi_terrain_units(w.terrain, WADI_LAYER_SURFACE, 40, 50) <= 0);
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger(w.terrain, rows, WADI_MAX_MATERIALS);
    assert_true(rows[WADI_MATERIAL_SEDIMENT].out[WADI_SIDE_VOID] > 0.0);
    assert_true(rows[WADI_MATERIAL_SEDIMENT].lost >
                rows[WADI_MATERIAL_SEDIMENT].out[WADI_SIDE_VOID]);
    coast_close(&w);
}

// Voids that reach the border are sea, and holes in the land are not.
static void voids_at_the_border_are_sea(void** state)
{
    (void)state;
    coast_world w;
    coast_open(&w, SIZE, WADI_EDGE_OPEN, west_sea);
    static uint8_t valid[SIZE * SIZE];
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        valid[i] = i % SIZE >= 40;
    }
    valid[50 * SIZE + 70] = 0;
    CHECK_OK(w.f.context, wadi_terrain_set_valid(w.terrain, valid, SIZE));
    coast_run(&w, 1000.0);
    assert_true(wadi_terrain_units(w.terrain, WADI_LAYER_SURFACE, 40, 20) <
                40 * WADI_UNITS_PER_METRE);
    assert_int_equal(wadi_terrain_units(w.terrain, WADI_LAYER_SURFACE, 71, 50),
                     40 * WADI_UNITS_PER_METRE);
    coast_close(&w);
}

static float mountains(int32_t x, int32_t y)
{
    (void)x;
    (void)y;
    return 200.0f;
}

// Low land beside a headland of 120 m.
static float headland(int32_t x, int32_t y)
{
    (void)x;
    return y < 48 ? 120.0f : 20.0f;
}

// A region without data is sea if a quarter of its shore is low, and then its cliffs retreat too.
static void a_hole_in_a_survey_of_mountains_is_no_sea(void** state)
{
    (void)state;
    static coast_shape* const shapes[2] = {mountains, headland};
    for (int i = 0; i < 2; ++i)
    {
        coast_world w;
        coast_open(&w, SIZE, WADI_EDGE_OPEN, shapes[i]);
        static uint8_t valid[SIZE * SIZE];
        for (int32_t k = 0; k < SIZE * SIZE; ++k)
        {
            valid[k] = k % SIZE >= 40;
        }
        CHECK_OK(w.f.context, wadi_terrain_set_valid(w.terrain, valid, SIZE));
        coast_run(&w, 1000.0);
        const int32_t before = (int32_t)shapes[i](40, 20) * (int32_t)WADI_UNITS_PER_METRE;
        const int32_t now = wadi_terrain_units(w.terrain, WADI_LAYER_SURFACE, 40, 20);
        assert_true(i == 0 ? now == before : now < before);
        coast_close(&w);
    }
}

static int32_t shift_x;
static int32_t shift_y;

static float shifted_islands(int32_t x, int32_t y)
{
    const double u = 6.283185307179586 * ((x + shift_x) % SIZE) / SIZE;
    const double v = 6.283185307179586 * ((y + shift_y) % SIZE) / SIZE;
    return (float)(30.0 * sin(u + 2.0 * v) + 20.0 * cos(2.0 * u - v) - 10.0);
}

// Over periodic edges the shifted land gives the shifted result.
static void periodic_edges_have_no_seam(void** state)
{
    (void)state;
    static int32_t first[SIZE * SIZE];
    for (int i = 0; i < 2; ++i)
    {
        coast_world w;
        shift_x = i * 37;
        shift_y = i * 59;
        coast_open(&w, SIZE, WADI_EDGE_PERIODIC, shifted_islands);
        w.params.fetch = 300.0; // full waves within one lap
        coast_run(&w, 2000.0);
        double difference = 0.0;
        double change = 0.0;
        for (int32_t c = 0; c < SIZE * SIZE; ++c)
        {
            const int32_t from = (c / SIZE + shift_y) % SIZE * SIZE + (c % SIZE + shift_x) % SIZE;
            const int32_t now =
                wadi_terrain_units(w.terrain, WADI_LAYER_SURFACE, c % SIZE, c / SIZE);
            first[c] = i == 0 ? now : first[c];
            difference += fabs((double)(now - first[from]));
            change += fabs((double)now / WADI_UNITS_PER_METRE -
                           (double)shifted_islands(c % SIZE, c / SIZE));
        }
        assert_true(change > 100.0);
        assert_true(difference / WADI_UNITS_PER_METRE < 0.01 * change);
        coast_close(&w);
    }
}

// The step is shorter where a cliff would fall by more than a fifth of a cell in it.
static void steps_resolve_the_retreat(void** state)
{
    (void)state;
    coast_world w;
    coast_open(&w, SIZE, WADI_EDGE_OPEN, island);
    w.params.retreat = 0.5;
    coast_run(&w, 10.0);
    CHECK_NEAR(wadi_solver_step(w.solver), 4.0, 1e-9);
    w.params.cliff = 20.0;
    wadi_solver* solver;
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "cliff",
                wadi_solver_create(w.terrain, &wadi_coast_process, &w.params, 1, &solver));
    coast_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_sea_nothing_happens),
        cmocka_unit_test(waves_grow_with_open_water),
        cmocka_unit_test(land_and_shallows_stop_waves),
        cmocka_unit_test(cliffs_retreat_at_one_rate_at_any_angle),
        cmocka_unit_test(platforms_form_and_the_sea_stays),
        cmocka_unit_test(a_sea_without_depths_takes_matter_away),
        cmocka_unit_test(a_shore_with_depths_is_worn),
        cmocka_unit_test(voids_at_the_border_are_sea),
        cmocka_unit_test(a_hole_in_a_survey_of_mountains_is_no_sea),
        cmocka_unit_test(periodic_edges_have_no_seam),
        cmocka_unit_test(steps_resolve_the_retreat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
