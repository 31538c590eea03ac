// SPDX-License-Identifier: MIT
// Floods with known depths: a prismatic channel, a dam, banks that are overtopped.
#include "support/check.h"

#include <wadi/flood_route.h>

enum
{
    SIDE = 241, // odd: at azimuth 0 the corners of sections lie on the centres of cells
    CELLS = SIDE * SIDE
};

static const double gravity = 9.81;
static const double degree = 57.29577951308232;
static const double azimuths[] = {0.0, 37.0};

static float ground[CELLS];
static float map[CELLS];

// A valley along one line through the middle of the grid, which falls to the east, turned by an
// azimuth: position of a cell along the valley from the middle, and to the left of it [m].
typedef struct place
{
    double along;
    double left;
} place;

static place place_of(int cell, double azimuth)
{
    const double east = cell % SIDE + 0.5 - SIDE / 2.0;
    const double north = SIDE / 2.0 - cell / SIDE - 0.5;
    const double c = cos(azimuth / degree);
    const double s = sin(azimuth / degree);
    return (place){east * c + north * s, north * c - east * s};
}

typedef double shape(place p);

static void make(shape* z, double azimuth)
{
    for (int i = 0; i < CELLS; ++i)
    {
        ground[i] = (float)z(place_of(i, azimuth));
    }
}

static wadi_field2d field(void)
{
    return (wadi_field2d){
        .heights = ground, .width = SIDE, .height = SIDE, .stride = SIDE, .dx = 1.0, .dy = 1.0};
}

static wadi_flood_params params_of(double azimuth, double start, double discharge)
{
    wadi_flood_params params = wadi_flood_params_default();
    params.from_x = params.to_x = SIDE / 2.0 + start * cos(azimuth / degree);
    params.from_y = params.to_y = SIDE / 2.0 + start * sin(azimuth / degree);
    params.discharge = discharge;
    params.roughness = 0.03;
    params.reach = 40.0;
    params.outlet = WADI_FLOOD_OUTLET_EAST;
    return params;
}

static wadi_context* context_of(void)
{
    wadi_context* context = NULL;
    CHECK_OK(context, wadi_context_create(NULL, &context));
    return context;
}

static wadi_flood* flood_of(wadi_context* context, const wadi_flood_params* params)
{
    const wadi_field2d f = field();
    wadi_flood* flood = NULL;
    CHECK_OK(context, wadi_flood_create(context, &f, params, &flood));
    return flood;
}

static void close(wadi_context* context, wadi_flood* flood)
{
    wadi_flood_destroy(flood);
    assert_int_equal(wadi_memory_used(context), 0);
    wadi_context_destroy(context);
}

// The station nearest to a place along the valley.
static const wadi_flood_station* station_at(const wadi_flood* flood, double along, double azimuth)
{
    int32_t count;
    const wadi_flood_station* s = wadi_flood_stations(flood, &count);
    const double x = SIDE / 2.0 + along * cos(azimuth / degree);
    const double y = SIDE / 2.0 + along * sin(azimuth / degree);
    int32_t best = 0;
    for (int32_t i = 1; i < count; ++i)
    {
        best = hypot(s[i].x - x, s[i].y - y) < hypot(s[best].x - x, s[best].y - y) ? i : best;
    }
    return &s[best];
}

// ---- a prismatic channel -------------------------------------------------------------------

static const double bed_width = 12.0;
static const double bed_slope = 0.001;
static const double side_run = 2.0;

static double trapezoid(place p)
{
    return 50.0 - bed_slope * p.along + fmax(0.0, fabs(p.left) - bed_width / 2.0) / side_run;
}

// Manning's normal depth, by halving, from the formula alone.
static double normal_depth(double discharge, double roughness)
{
    double low = 0.0;
    double high = 100.0;
    for (int i = 0; i < 100; ++i)
    {
        const double y = 0.5 * (low + high);
        const double area = (bed_width + side_run * y) * y;
        const double perimeter = bed_width + 2.0 * y * sqrt(1.0 + side_run * side_run);
        const double q = area * pow(area / perimeter, 2.0 / 3.0) * sqrt(bed_slope) / roughness;
        *(q < discharge ? &low : &high) = y;
    }
    return high;
}

// Uniform flow from end to end, within 0.5 %: cells of 1 m cut the corners of a turned trapezoid.
static void a_long_channel_flows_uniformly(void** state)
{
    (void)state;
    for (int a = 0; a < 2; ++a)
    {
        make(trapezoid, azimuths[a]);
        wadi_context* context = context_of();
        const wadi_flood_params params = params_of(azimuths[a], -100.0, 40.0);
        wadi_flood* flood = flood_of(context, &params);
        const double expected = normal_depth(40.0, 0.03);
        for (double along = -90.0; along <= 90.0; along += 10.0)
        {
            const wadi_flood_station* s = station_at(flood, along, azimuths[a]);
            CHECK_NEAR(s->stage - s->bed, expected, 0.005 * expected);
            CHECK_NEAR(s->slope, bed_slope, 0.02 * bed_slope);
            CHECK_NEAR(s->velocity * s->area, 40.0, 1e-9);
            assert_false(s->overtopped);
        }
        close(context, flood);
    }
}

// The map shows the same water: its width is that of the section, to the cell.
static void the_map_is_as_wide_as_the_section(void** state)
{
    (void)state;
    const double depth = normal_depth(40.0, 0.03);
    const double half = bed_width / 2.0 + side_run * depth;
    for (int a = 0; a < 2; ++a)
    {
        make(trapezoid, azimuths[a]);
        wadi_context* context = context_of();
        const wadi_flood_params params = params_of(azimuths[a], -100.0, 40.0);
        wadi_flood* flood = flood_of(context, &params);
        CHECK_OK(context, wadi_flood_map(flood, WADI_FLOOD_DEPTH, map));
        for (int i = 0; i < CELLS; ++i)
        {
            const place p = place_of(i, azimuths[a]);
            if (fabs(p.along) < 80.0 && fabs(fabs(p.left) - half) > 0.5)
            {
                assert_int_equal(map[i] > 0.0f, fabs(p.left) < half);
            }
        }
        close(context, flood);
    }
}

// ---- a dam ---------------------------------------------------------------------------------

// A wall-sided valley 20 m wide with a broad crest 4 m above its bed.
static double dam(place p)
{
    const double bed = 50.0 - bed_slope * p.along;
    const double crest = fabs(p.along) <= 2.0 ? 54.0 : bed;
    return fabs(p.left) > 10.0 ? 80.0 : crest;
}

// Water stands behind the dam as high as a broad-crested weir makes it: the energy head over the
// crest is 3/2 of the critical depth, Q = (2/3)^(3/2) g^(1/2) b H^(3/2), b where it is narrowest.
// Within 1.5 %: the wall between cells is a slope of one cell, and 12 m of crest cost some
// friction.
static void a_lake_stands_as_high_as_the_weir_makes_it(void** state)
{
    (void)state;
    static const double discharges[] = {20.0, 80.0};
    for (int i = 0; i < 4; ++i)
    {
        const double azimuth = azimuths[i % 2];
        const double q = discharges[i / 2];
        make(dam, azimuth);
        wadi_context* context = context_of();
        wadi_flood_params params = params_of(azimuth, -80.0, q);
        params.roughness = 0.012;
        wadi_flood* flood = flood_of(context, &params);
        const wadi_flood_station* lake = station_at(flood, -20.0, azimuth);
        double width = lake->width;
        for (double along = -1.0; along <= 0.0; along += 1.0)
        {
            width = fmin(width, station_at(flood, along, azimuth)->width);
        }
        const double head = lake->stage - 54.0 + lake->velocity * lake->velocity / (2.0 * gravity);
        const double weir = 1.5 * cbrt(q / width * (q / width) / gravity);
        CHECK_NEAR(head, weir, 0.015 * weir);
        close(context, flood);
    }
}

// ---- banks ---------------------------------------------------------------------------------

static const double bank = 2.0; // crests above the bed [m]

// The trapezoid between two banks, and 1 m lower ground behind them.
static double banked(place p)
{
    const double bed = 50.0 - bed_slope * p.along;
    const double crest = bed_width / 2.0 + side_run * bank;
    const double inside = fmax(0.0, fabs(p.left) - bed_width / 2.0) / side_run;
    const double outside = fmax(bank - 0.5 * fmax(0.0, fabs(p.left) - crest - 3.0), bank - 1.0);
    return bed + (fabs(p.left) <= crest ? inside : outside) + fmax(0.0, fabs(p.left) - 30.0);
}

static double bankfull(void)
{
    const double area = (bed_width + side_run * bank) * bank;
    const double perimeter = bed_width + 2.0 * bank * sqrt(1.0 + side_run * side_run);
    return area * pow(area / perimeter, 2.0 / 3.0) * sqrt(bed_slope) / 0.03;
}

typedef struct wet_land
{
    int64_t land;   // cells of low ground behind the banks
    int64_t behind; // those of them that are wet
    int64_t over;   // cells that the map of overtopping shows
} wet_land;

static wet_land wet_of(double azimuth, double discharge)
{
    wadi_context* context = context_of();
    const wadi_flood_params params = params_of(azimuth, -100.0, discharge);
    wadi_flood* flood = flood_of(context, &params);
    wet_land wet = {0};
    for (int layer = 0; layer < 2; ++layer)
    {
        CHECK_OK(context,
                 wadi_flood_map(flood, layer == 0 ? WADI_FLOOD_DEPTH : WADI_FLOOD_OVERTOPPED, map));
        for (int i = 0; i < CELLS; ++i)
        {
            const place p = place_of(i, azimuth);
            const bool behind = fabs(p.left) > 16.0 && fabs(p.left) < 28.0;
            const bool looked_at = fabs(p.along) < 80.0;
            wet.land += layer == 0 && looked_at && behind;
            wet.behind += layer == 0 && looked_at && behind && map[i] > 0.0f;
            wet.over += layer == 1 && looked_at && map[i] > 0.0f;
        }
    }
    int32_t count;
    const wadi_flood_station* s = wadi_flood_stations(flood, &count);
    assert_int_equal(s[count / 2].overtopped, wet.over > 0);
    close(context, flood);
    return wet;
}

// Banks are overtopped above the bankfull discharge, not below: the low ground behind them is dry
// at 0.95 of it and flooded over its whole length at 1.03. (Turned by 37 degrees, the bed's cells
// of 1 m carry 3 % less than the trapezoid.)
static void banks_are_overtopped_at_the_discharge_that_fills_the_bed(void** state)
{
    (void)state;
    for (int a = 0; a < 2; ++a)
    {
        make(banked, azimuths[a]);
        const wet_land before = wet_of(azimuths[a], 0.95 * bankfull());
        assert_int_equal(before.behind, 0);
        assert_int_equal(before.over, 0);
        const wet_land after = wet_of(azimuths[a], 1.03 * bankfull());
        assert_int_equal(after.behind, after.land);
        assert_true(after.over > after.behind);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_channel_flows_uniformly),
        cmocka_unit_test(the_map_is_as_wide_as_the_section),
        cmocka_unit_test(a_lake_stands_as_high_as_the_weir_makes_it),
        cmocka_unit_test(banks_are_overtopped_at_the_discharge_that_fills_the_bed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
