// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 45
// Dunes that grow from noise are the same at any azimuth and at any cell size. Nothing but sand,
// noise and wind is given. Their slopes: test_wind_slipfaces.c.
#include "processes/wind/wind_internal.h"
#include "support/dunes.h"
#include "support/fixture.h"
#include "support/sand_run.h"

#include "core/random.h"

enum
{
    SEEDS = 5,
    FINEST = 512 // cells of the grid that noise is made on
};

typedef struct field
{
    int32_t size;     // cells
    double cell;      // [m]
    double depth;     // of sand [m]
    double noise;     // half width of the noise of a cell of the finest grid [m]
    double feature;   // feature_size
    double direction; // of the wind
    int32_t finest;   // cells of the grid that the noise is made on and averaged from
    uint64_t seed;
} field;

typedef struct grown
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* solver;
    wind_heading heading;
} grown;

static float field_level(const field* c, int32_t x, int32_t y)
{
    const int32_t fold = c->finest / c->size;
    double sum = 0.0;
    for (int32_t j = y * fold; j < (y + 1) * fold; ++j)
    {
        for (int32_t i = x * fold; i < (x + 1) * fold; ++i)
        {
            const uint64_t cell = (uint64_t)j * (uint64_t)c->finest + (uint64_t)i;
            sum += 2.0 * (double)wadi_unit_float(wadi_random(c->seed, 77, cell, 0).v[0]) - 1.0;
        }
    }
    return (float)(c->depth + c->noise * sum / (fold * fold));
}

static void field_open(const field* c, bool closing, grown* g)
{
    fixture_open(&g->f, 2);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = c->size;
    def.height = c->size;
    def.cell_size = c->cell;
    def.seed = c->seed;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = WADI_EDGE_PERIODIC;
    }
    CHECK_OK(g->f.context, wadi_terrain_create(g->f.context, &def, &g->terrain));
    float* sand = test_malloc((size_t)c->size * (size_t)c->size * sizeof *sand);
    for (int32_t i = 0; i < c->size * c->size; ++i)
    {
        sand[i] = field_level(c, i % c->size, i / c->size);
    }
    CHECK_OK(g->f.context, wadi_terrain_set_layer(g->terrain, WADI_LAYER_SEDIMENT, sand, c->size));
    test_free(sand);
    wadi_wind_params params = wadi_wind_params_default();
    params.direction = c->direction;
    params.feature_size = c->feature;
    params.closing = closing;
    g->heading = wadi_wind_heading(c->direction);
    CHECK_OK(g->f.context,
             wadi_solver_create(g->terrain, &wadi_wind_process, &params, 0, &g->solver));
}

static dune_measures field_grow(grown* g, double years)
{
    CHECK_OK(g->f.context, wadi_solver_advance(g->solver, years));
    CHECK_OK(g->f.context, wadi_solver_finish(g->solver));
    fixture_check_ledger(g->terrain);
    return dunes_measure(g->terrain, (double)g->heading.x, (double)g->heading.y);
}

static void field_close(grown* g)
{
    wadi_solver_destroy(g->solver);
    wadi_terrain_destroy(g->terrain);
    fixture_close(&g->f);
}

// Mean flux along the wind over the run [m2/yr].
static double field_flux(const grown* g)
{
    const size_t cells =
        (size_t)wadi_terrain_width(g->terrain) * (size_t)wadi_terrain_height(g->terrain);
    float* east = test_malloc(cells * sizeof *east);
    float* north = test_malloc(cells * sizeof *north);
    CHECK_OK(g->f.context, wadi_solver_map(g->solver, "flux_x", east));
    CHECK_OK(g->f.context, wadi_solver_map(g->solver, "flux_y", north));
    double sum = 0.0;
    for (size_t i = 0; i < cells; ++i)
    {
        sum += (double)(east[i] * g->heading.x - north[i] * g->heading.y);
    }
    test_free(east);
    test_free(north);
    return sum / (double)cells;
}

static void check_near(double value, double expected, double share)
{
    if (fabs(value - expected) > share * expected)
    {
        fail_msg("%g is not within %g %% of %g", value, 100.0 * share, expected);
    }
}

// ---- azimuths -----------------------------------------------------------------------------------

// Five seeds of 640 m each: some 50 spacings.
static void dunes_do_not_depend_on_the_azimuth(void** state)
{
    (void)state;
    static const double directions[5] = {0.0, 30.0, 45.0, 90.0, 200.0};
    sand_mean spacing[5];
    sand_mean height[5];
    for (int d = 0; d < 5; ++d)
    {
        double spacings[SEEDS];
        double heights[SEEDS];
        for (int i = 0; i < SEEDS; ++i)
        {
            const field c = {320, 2.0, 4.0, 0.1, 0.0, directions[d], 320, (uint64_t)i + 1};
            grown g;
            field_open(&c, false, &g);
            const dune_measures m = field_grow(&g, 6.0);
            spacings[i] = m.spacing;
            heights[i] = m.height;
            assert_true(m.crest_error <= 10.0);
            field_close(&g);
        }
        spacing[d] = sand_mean_of(spacings, SEEDS);
        height[d] = sand_mean_of(heights, SEEDS);
        print_message("from %3.0f: spacing %.1f +- %.1f m, height %.2f +- %.2f m\n", directions[d],
                      spacing[d].mean, spacing[d].error, height[d].mean, height[d].error);
    }
    for (int d = 1; d < 5; ++d)
    {
        check_near(spacing[d].mean, spacing[0].mean, 0.10);
        check_near(height[d].mean, height[0].mean, 0.10);
    }
}

// ---- resolution ---------------------------------------------------------------------------------

typedef struct resolved
{
    double spacing[3];
    double height[3];
    double flux[3];
} resolved;

// The same land on cells of 4, 2 and 1 m, with the default feature size.
static resolved resolved_dunes(void)
{
    resolved r;
    for (int i = 0; i < 3; ++i)
    {
        const int32_t size = 128 << i;
        const field c = {size, 512.0 / size, 6.0, 0.2, 0.0, 270.0, FINEST, 1};
        grown g;
        field_open(&c, false, &g);
        const dune_measures m = field_grow(&g, 5.0);
        r.spacing[i] = m.spacing;
        r.height[i] = m.height;
        r.flux[i] = field_flux(&g);
        print_message("%d: spacing %.1f height %.2f flux %.1f\n", size, r.spacing[i], r.height[i],
                      r.flux[i]);
        field_close(&g);
    }
    return r;
}

static void check_near_each_other(const double* values, double share)
{
    for (int i = 0; i < 3; ++i)
    {
        check_near(values[i], values[(i + 1) % 3], share);
    }
}

// Spacing 59.2, 58.0, 58.5 m, height 3.54, 3.73, 3.72 m.
static void dunes_do_not_depend_on_the_cell_size(void** state)
{
    (void)state;
    const resolved r = resolved_dunes();
    check_near_each_other(r.spacing, 0.10);
    check_near_each_other(r.height, 0.10);
    check_near_each_other(r.flux, 0.10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dunes_do_not_depend_on_the_azimuth),
        cmocka_unit_test(dunes_do_not_depend_on_the_cell_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
