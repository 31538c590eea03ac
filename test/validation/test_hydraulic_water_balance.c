// SPDX-License-Identifier: MIT
// Water balance: rain on a catchment is stored in its lake, spills or evaporates; cells without
// rain and rock of hardness 1 do not change.
#include "support/fixture.h"
#include "support/flooding.h"
#include "support/parcels.h"

#include <stdlib.h>

enum
{
    SIDE = 64,
    CELLS = SIDE * SIDE,
    CENTRE_X = 32,
    CENTRE_Y = 24,
    SILL_Y = 44,               // the lowest cell of this row is the sill
    CATCHMENT = SILL_Y * SIDE, // walls drain inwards; rows from the sill on drain south
    UNITS = 65536
};

static const double CELL_SIZE = 100.0;
static const double CELL_AREA = 1e4;

// A paraboloid that opens to the south: walls on three sides, an apron below the sill. All heights
// are whole 64ths of a metre, so that they are exact in a float and in units.
static float bowl_height(int32_t x, int32_t y)
{
    if (y > SILL_Y)
    {
        return 15.25f - 0.5f * (float)(y - SILL_Y - 1);
    }
    if (x == 0 || x == SIDE - 1 || y == 0)
    {
        return 60.0f;
    }
    const int32_t dx = x - CENTRE_X;
    const int32_t dy = y - CENTRE_Y;
    return 10.0f + (float)(dx * dx + dy * dy) / 64.0f;
}

typedef struct basin
{
    fixture f;
    wadi_terrain* terrain;
    float ground[CELLS];
    float levels[CELLS]; // of lakes filled to the sill
    wadi_ledger_row water;
} basin;

static basin* basin_open(void)
{
    basin* b = malloc(sizeof *b);
    assert_non_null(b);
    fixture_open(&b->f, 2);
    b->terrain = fixture_plain(&b->f, SIDE, SIDE, CELL_SIZE, WADI_EDGE_OPEN);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        b->ground[i] = bowl_height(i % SIDE, i / SIDE);
    }
    CHECK_OK(b->f.context, wadi_terrain_set_layer(b->terrain, WADI_LAYER_BEDROCK, b->ground, SIDE));
    flooding_levels(b->ground, SIDE, SIDE, b->levels);
    return b;
}

static void basin_close(basin* b)
{
    wadi_terrain_destroy(b->terrain);
    fixture_close(&b->f);
    free(b);
}

// Rain that erodes nothing, in batches of a fiftieth of a year: rivers below the lake start full, a
// batch of rain that did not pass the lake (2 % of 50). Without an alluvial slope: routes over
// depressions rise by it, and on ground that is flatter, as beside this sill, they lead past the
// lake (a third of the water at the default 0.005).
static wadi_hydraulic_params still_rain(double rain)
{
    wadi_hydraulic_params params = parcels_params();
    params.erodibility = 0.0;
    params.creep = 0.0;
    params.alluvial_slope = 0.0;
    params.rain = rain;
    params.max_step = 0.02;
    return params;
}

static void basin_rain(basin* b, const wadi_hydraulic_params* params, double years)
{
    wadi_solver* solver = NULL;
    CHECK_OK(b->f.context,
             wadi_solver_create(b->terrain, &wadi_hydraulic_process, params, 0, &solver));
    CHECK_OK(b->f.context, wadi_solver_advance(solver, years));
    wadi_solver_destroy(solver);
    fixture_check_ledger(b->terrain);
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger(b->terrain, rows, WADI_MAX_MATERIALS);
    for (int32_t i = 0; i < count; ++i)
    {
        b->water = strcmp(rows[i].material, "water") == 0 ? rows[i] : b->water;
    }
}

static double basin_capacity(const basin* b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sum += (double)(b->levels[i] - b->ground[i]);
    }
    return sum * CELL_AREA;
}

static double lake_area(const basin* b)
{
    int32_t wet = 0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        wet += wadi_terrain_units(b->terrain, WADI_LAYER_WATER, i % SIDE, i / SIDE) > 0 ? 1 : 0;
    }
    return wet * CELL_AREA;
}

// Lowest and highest water level of wet cells [units].
static void lake_levels(const basin* b, int32_t* low, int32_t* high)
{
    *low = INT32_MAX;
    *high = INT32_MIN;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % SIDE;
        const int32_t y = i / SIDE;
        const int32_t depth = wadi_terrain_units(b->terrain, WADI_LAYER_WATER, x, y);
        if (depth > 0)
        {
            const int32_t top = wadi_terrain_units(b->terrain, WADI_LAYER_SURFACE, x, y) + depth;
            *low = top < *low ? top : *low;
            *high = top > *high ? top : *high;
        }
    }
}

static double water_out(const basin* b)
{
    double sum = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        sum += b->water.out[side];
    }
    return sum;
}

// Outflow over the sill: all outflow less the rain outside the catchment.
static double spilled(const basin* b)
{
    return water_out(b) - b->water.in * (CELLS - CATCHMENT) / CELLS;
}

static void little_rain_stays(void** state)
{
    (void)state;
    basin* b = basin_open();
    const wadi_hydraulic_params params = still_rain(0.5);
    basin_rain(b, &params, 1.0);
    const double fell = 0.5 * CELLS * CELL_AREA;
    CHECK_NEAR(b->water.in, fell, 0.02 * fell);
    const double caught = b->water.in * CATCHMENT / CELLS;
    assert_true(caught < 0.5 * basin_capacity(b));
    CHECK_NEAR(b->water.after, caught, 0.04 * caught);
    int32_t low;
    int32_t high;
    lake_levels(b, &low, &high);
    assert_in_range(high - low, 0, 1);
    assert_true(high < (int32_t)(16.25 * UNITS));
    basin_close(b);
}

static void much_rain_spills(void** state)
{
    (void)state;
    basin* b = basin_open();
    const wadi_hydraulic_params params = still_rain(2.0);
    basin_rain(b, &params, 5.0);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t depth = wadi_terrain_units(b->terrain, WADI_LAYER_WATER, i % SIDE, i / SIDE);
        assert_int_equal(depth, (int32_t)((b->levels[i] - b->ground[i]) * (float)UNITS));
    }
    CHECK_NEAR(b->water.after, basin_capacity(b), 1.0);
    const double caught = b->water.in * CATCHMENT / CELLS;
    CHECK_NEAR(spilled(b), caught - b->water.after, 0.03 * caught);
    assert_true(b->water.lost < 1e-3 * caught); // less than a parcel
    basin_close(b);
}

static void a_full_lake_dries_by_its_area(void** state)
{
    (void)state;
    basin* b = basin_open();
    wadi_hydraulic_params params = still_rain(2.0);
    basin_rain(b, &params, 5.0);
    const double area = lake_area(b);
    const double lost = b->water.lost;
    const double in = b->water.in;
    const double out = spilled(b);
    params.lake_evaporation = 1.0;
    basin_rain(b, &params, 5.0);
    const double dried = b->water.lost - lost;
    const double caught = (b->water.in - in) * CATCHMENT / CELLS;
    CHECK_NEAR(dried, area * 5.0, 0.03 * area * 5.0);
    CHECK_NEAR(spilled(b) - out, caught - dried, 0.03 * caught);
    basin_close(b);
}

// A lake without outflow grows until evaporation equals inflow: area = inflow / evaporation.
static void a_closed_lake_reaches_its_equilibrium_area(void** state)
{
    (void)state;
    basin* b = basin_open();
    wadi_hydraulic_params params = still_rain(0.5);
    params.lake_evaporation = 2.0;
    basin_rain(b, &params, 20.0);
    const double area = lake_area(b);
    const double inflow = b->water.in / 20.0 * CATCHMENT / CELLS;
    const double expected = inflow / params.lake_evaporation;
    print_message("area %.0f, expected %.0f, spilled %.0f in %.0f\n", area, expected, spilled(b),
                  b->water.in);
    int32_t low;
    int32_t high;
    lake_levels(b, &low, &high);
    assert_true(high < (int32_t)(16.25 * UNITS));
    CHECK_NEAR(spilled(b), 0.0, 0.01 * b->water.in);
    CHECK_NEAR(area, expected, 0.05 * expected); // all cells drying: 0
    basin_close(b);
}

static void no_rain_does_nothing(void** state)
{
    (void)state;
    basin* b = basin_open();
    wadi_hydraulic_params params = still_rain(0.0);
    params.erodibility = parcels_params().erodibility;
    basin_rain(b, &params, 1.0);
    assert_true(b->water.in == 0.0 && water_out(b) == 0.0 && b->water.after == 0.0);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t h = wadi_terrain_units(b->terrain, WADI_LAYER_SURFACE, i % SIDE, i / SIDE);
        assert_int_equal(h, (int32_t)(b->ground[i] * (float)UNITS));
    }
    basin_close(b);
}

// Without rain and inflow there is no discharge and no erosion.
static void rain_falls_where_the_map_says(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_flat(&f, SIDE, SIDE);
    float* map = malloc(CELLS * sizeof *map);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        map[i] = 2.0f * (float)(i / SIDE); // falls north
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, map, SIDE));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        map[i] = i % SIDE < SIDE / 2 ? 1.0f : 0.0f;
    }
    wadi_hydraulic_params params = parcels_params();
    params.creep = 0.0;
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_set_map(solver, "rain", map));
    CHECK_OK(f.context, wadi_solver_advance(solver, 100.0));
    for (int32_t pass = 0; pass < 2; ++pass)
    {
        CHECK_OK(f.context, wadi_solver_map(solver, pass == 0 ? "discharge" : "wear", map));
        double wet = 0.0;
        double dry = 0.0;
        for (int32_t i = 0; i < CELLS; ++i)
        {
            wet += i % SIDE < SIDE / 2 ? (double)map[i] : 0.0;
            dry += i % SIDE >= SIDE / 2 ? (double)map[i] : 0.0;
        }
        assert_true(wet > 0.0);
        assert_true(dry <= 1e-6 * wet); // discharge has a floor of a thousandth of a weight
    }
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    free(map);
}

static void hardest_rock_is_never_lowered(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_rough(&f, SIDE, SIDE, 3);
    float* hardness = malloc(CELLS * sizeof *hardness);
    int32_t* rock = malloc(CELLS * sizeof *rock);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        hardness[i] = (i % SIDE / 8 + i / SIDE / 8) % 2 == 0 ? 1.0f : 0.0f;
        rock[i] = wadi_terrain_units(terrain, WADI_LAYER_BEDROCK, i % SIDE, i / SIDE);
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_HARDNESS, hardness, SIDE));
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, NULL, 0, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, 20000.0));
    wadi_solver_destroy(solver);
    int32_t lowered = 0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t now = wadi_terrain_units(terrain, WADI_LAYER_BEDROCK, i % SIDE, i / SIDE);
        assert_true(hardness[i] == 0.0f || now == rock[i]);
        lowered += now < rock[i] ? 1 : 0;
    }
    assert_true(lowered > CELLS / 4); // but the soft half is lowered
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    free(hardness);
    free(rock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(little_rain_stays),
        cmocka_unit_test(much_rain_spills),
        cmocka_unit_test(a_full_lake_dries_by_its_area),
        cmocka_unit_test(a_closed_lake_reaches_its_equilibrium_area),
        cmocka_unit_test(no_rain_does_nothing),
        cmocka_unit_test(rain_falls_where_the_map_says),
        cmocka_unit_test(hardest_rock_is_never_lowered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
