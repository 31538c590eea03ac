// SPDX-License-Identifier: MIT
// gap: the same with the default slope of silted depressions
// A river loaded with sediment runs into a lake and builds a delta: gentle on land, steep under
// water, and the break between the two lies at the lake's edge. Without lakes there is none.
#include "support/fixture.h"
#include "support/flooding.h"
#include "support/parcels.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SIDE = 96,
    CELLS = SIDE * SIDE,
    REACH = 9 // largest distance from the lake's edge measured [cells]
};

static const double CELL = 20.0;       // [m]
static const double MOUTH = -14.0;     // of the river, along the valley from the centre [cells]
static const double SHORE = 100.0;     // height of the river's mouth [m]
static const double DEPTH = 15.0;      // of the lake [m]
static const double DURATION = 1500.0; // [yr]
static const double FAR_END = 26.0;    // of the lake [cells]
static const double GENTLE = 0.001;    // slope of the silted surface

// A valley that runs down to a lake, seen along the valley (u) and across it (v) [cells].
static double valley_height(double u, double v)
{
    const double aside = fabs(v) > 18.0 ? 0.3 * CELL * (fabs(v) - 18.0) : 0.0;
    if (u < MOUTH)
    {
        return SHORE + 0.06 * CELL * (MOUTH - u) + 0.08 * CELL * fabs(v);
    }
    if (u > FAR_END)
    {
        return SHORE - 1.0 - 0.02 * CELL * (u - FAR_END) + 0.02 * CELL * fabs(v);
    }
    const double shelf = fmin(0.25 * CELL * (u - MOUTH), DEPTH);
    const double rise = fmax(0.0, DEPTH - 0.1 * CELL * (FAR_END - u));
    return SHORE - fmax(shelf - rise, 1.0) + aside;
}

typedef struct delta
{
    fixture f;
    wadi_terrain* terrain;
    double cosine;
    double sine;
    float before[CELLS]; // ground
    float after[CELLS];
    float level[CELLS]; // of standing water, after
} delta;

static void delta_make(delta* d)
{
    float* hardness = malloc(CELLS * sizeof *hardness);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double x = i % SIDE - SIDE / 2;
        const double y = i / SIDE - SIDE / 2;
        const double u = x * d->cosine + y * d->sine;
        const double v = y * d->cosine - x * d->sine;
        d->before[i] = (float)valley_height(u, v);
        hardness[i] = u > FAR_END - 4.0 ? 1.0f : 0.0f; // the sill stays where it is
    }
    CHECK_OK(d->f.context, wadi_terrain_set_layer(d->terrain, WADI_LAYER_SURFACE, d->before, SIDE));
    CHECK_OK(d->f.context, wadi_terrain_set_layer(d->terrain, WADI_LAYER_HARDNESS, hardness, SIDE));
    free(hardness);
}

static void delta_close(delta* d)
{
    wadi_terrain_destroy(d->terrain);
    fixture_close(&d->f);
    free(d);
}

// Depressions silt up to a surface of `alluvial_slope` from the sill on.
static delta* delta_grow(double azimuth, bool lakes, double alluvial_slope)
{
    delta* d = calloc(1, sizeof *d);
    fixture_open(&d->f, 2);
    d->cosine = cos(azimuth * 3.14159265358979 / 180.0);
    d->sine = sin(azimuth * 3.14159265358979 / 180.0);
    d->terrain = fixture_plain(&d->f, SIDE, SIDE, CELL, WADI_EDGE_OPEN);
    delta_make(d);
    wadi_hydraulic_params params = parcels_params();
    params.lakes = lakes;
    params.erodibility = 1e-4;
    params.sediment_erodibility = 5.0; // a gentle river, so that the break of slope is distinct
    params.alluvial_slope = alluvial_slope;
    params.max_step = 20.0;
    wadi_solver* solver = NULL;
    CHECK_OK(d->f.context,
             wadi_solver_create(d->terrain, &wadi_hydraulic_process, &params, 0, &solver));
    CHECK_OK(d->f.context, wadi_solver_advance(solver, DURATION));
    wadi_solver_destroy(solver);
    fixture_check_ledger(d->terrain);
    wadi_view view;
    assert_int_equal(wadi_terrain_borrow(d->terrain, WADI_LAYER_SURFACE, &view), WADI_OK);
    memcpy(d->after, view.data, sizeof d->after);
    assert_int_equal(wadi_terrain_release(d->terrain, WADI_LAYER_SURFACE), WADI_OK);
    flooding_levels(d->after, SIDE, SIDE, d->level);
    return d;
}

// ---- measuring ---------------------------------------------------------------------------

static bool delta_is_wet(const delta* d, int32_t x, int32_t y)
{
    return (double)d->level[y * SIDE + x] - (double)d->after[y * SIDE + x] > 0.3;
}

// Distance to the lake's edge [cells], negative on land; REACH where it is far.
static double delta_distance(const delta* d, int32_t x, int32_t y)
{
    const bool wet = delta_is_wet(d, x, y);
    double nearest = REACH;
    for (int32_t dy = -REACH; dy <= REACH; ++dy)
    {
        for (int32_t dx = -REACH; dx <= REACH; ++dx)
        {
            const bool other = delta_is_wet(d, x + dx, y + dy) != wet;
            nearest = other ? fmin(nearest, sqrt(dx * dx + dy * dy) - 0.5) : nearest;
        }
    }
    return wet ? nearest : -nearest;
}

static double delta_slope(const delta* d, int32_t x, int32_t y)
{
    const float* h = d->after + y * SIDE + x;
    return hypot((double)h[1] - (double)h[-1], (double)h[SIDE] - (double)h[-SIDE]) / (2.0 * CELL);
}

// Mean slope of new ground by distance from the lake's edge: on land, under water, and where it
// passes the middle of the two.
typedef struct front
{
    double land;
    double lake;
    double edge; // [cells], positive under water
    int64_t cells;
} front;

typedef struct bins
{
    double slope[2 * REACH];
    double count[2 * REACH];
} bins;

static bins delta_bins(const delta* d)
{
    bins b = {0};
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % SIDE;
        const int32_t y = i / SIDE;
        const bool inside = x > REACH && y > REACH && x < SIDE - REACH - 1 && y < SIDE - REACH - 1;
        if (inside && (double)d->after[i] - (double)d->before[i] > 1.0)
        {
            const double distance = delta_distance(d, x, y);
            if (fabs(distance) < REACH)
            {
                b.slope[(int32_t)floor(distance) + REACH] += delta_slope(d, x, y);
                b.count[(int32_t)floor(distance) + REACH] += 1.0;
            }
        }
    }
    return b;
}

static double bins_mean(const bins* b, int32_t begin, int32_t end)
{
    double slope = 0.0;
    double count = 0.0;
    for (int32_t k = begin; k < end; ++k)
    {
        slope += b->slope[k + REACH];
        count += b->count[k + REACH];
    }
    return slope / fmax(count, 1.0);
}

static front front_of(const delta* d, double azimuth)
{
    const bins b = delta_bins(d);
    front f = {.land = bins_mean(&b, 2 - REACH, -3), .lake = bins_mean(&b, 3, REACH - 2)};
    int32_t k = -4;
    while (k < 4 && bins_mean(&b, k, k + 1) < 0.5 * (f.land + f.lake))
    {
        k += 1;
    }
    f.edge = k; // between the last gentle ring and the first steep one
    for (int32_t i = 0; i < 2 * REACH; ++i)
    {
        f.cells += (int64_t)b.count[i];
    }
    print_message("azimuth %g: slope %.4f on land, %.4f under water, breaks %g cells from the"
                  " lake's edge (%d cells)\n",
                  azimuth, f.land, f.lake, f.edge, (int)f.cells);
    return f;
}

// Gentle on land, steep under water, and the break at the lake's edge to a cell.
static bool is_delta(const front* f)
{
    return f->cells > 500 && f->lake > 3.0 * f->land && fabs(f->edge) <= 1.0;
}

// ---- tests -------------------------------------------------------------------------------

static front grow_and_measure(double azimuth, bool lakes, double alluvial_slope)
{
    delta* d = delta_grow(azimuth, lakes, alluvial_slope);
    const front f = front_of(d, azimuth);
    delta_close(d);
    return f;
}

static void break_lies_at_the_lakes_edge(void** state)
{
    (void)state;
    const double azimuths[] = {0.0, 37.0};
    for (int i = 0; i < 2; ++i)
    {
        const front f = grow_and_measure(azimuths[i], true, GENTLE);
        assert_true(is_delta(&f));
    }
}

// The head of this lake's delta then stands 3 m above the lake, and breaks 1-3 cells inland.
static void break_lies_at_the_edge_by_default(void** state)
{
    (void)state;
    const double azimuths[] = {0.0, 37.0};
    for (int i = 0; i < 2; ++i)
    {
        const front f = grow_and_measure(azimuths[i], true, parcels_params().alluvial_slope);
        assert_true(is_delta(&f));
    }
}

// Without lakes the load is deposited where its parcel ends: heaps, no front.
static void no_delta_without_lakes(void** state)
{
    (void)state;
    const front f = grow_and_measure(0.0, false, GENTLE);
    assert_false(is_delta(&f));
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(break_lies_at_the_lakes_edge),
        cmocka_unit_test(no_delta_without_lakes),
    };
    const struct CMUnitTest gaps[] = {cmocka_unit_test(break_lies_at_the_edge_by_default)};
    (void)argv;
    return argc > 1 ? cmocka_run_group_tests(gaps, NULL, NULL)
                    : cmocka_run_group_tests(tests, NULL, NULL);
}
