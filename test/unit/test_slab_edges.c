// SPDX-License-Identifier: MIT
// Slabs with hops as long as the grid: closed ledger, limited piles, voids, and refusal of
// excessive hops.
#include "support/fixture.h"

#include <wadi/dunes.h>

typedef struct storm
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* dunes;
} storm;

// A sheet of 2 m of sand.
static void storm_open(storm* s, int32_t width, int32_t height, double cell, wadi_edge edges)
{
    fixture_open(&s->f, 1);
    s->terrain = fixture_plain(&s->f, width, height, cell, edges);
    CHECK_OK(s->f.context, wadi_terrain_fill_layer(s->terrain, WADI_LAYER_SEDIMENT, 2.0));
    s->dunes = NULL;
}

static void storm_close(storm* s)
{
    wadi_solver_destroy(s->dunes);
    wadi_terrain_destroy(s->terrain);
    fixture_close(&s->f);
}

// Slabs of a metre with such hops in a wind of 60 m/s, which lifts about two.
static wadi_dunes_params storm_params(double hop)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = WADI_DUNES_SLAB;
    params.slab_law = WADI_DUNES_SLAB_ARTICLE; // one slab from each cell in a step
    params.blowing = 1.0;
    params.flux = 1e4;
    params.speed = 60.0;
    params.slab_wind = 60.0;
    params.slab_thickness = 1.0;
    params.slab_hop = hop;
    return params;
}

static float storm_summit(const storm* s)
{
    wadi_view view;
    float summit = 0.0f;
    CHECK_OK(s->f.context, wadi_terrain_borrow(s->terrain, WADI_LAYER_SURFACE, &view));
    for (int32_t y = 0; y < view.height; ++y)
    {
        for (int32_t x = 0; x < view.width; ++x)
        {
            summit = fmaxf(summit, view.data[y * view.stride + x]);
        }
    }
    CHECK_OK(s->f.context, wadi_terrain_release(s->terrain, WADI_LAYER_SURFACE));
    return summit;
}

// In one step every cell sends a metre past the corner: 40 000 m in sum, more than a layer can
// hold.
static void sand_flying_past_a_corner_is_laid_along_its_walls(void** state)
{
    (void)state;
    const double azimuths[] = {225.0, 37.0};
    for (int i = 0; i < 2; ++i)
    {
        storm s;
        storm_open(&s, 200, 200, 1.0, WADI_EDGE_CLOSED);
        wadi_dunes_params params = storm_params(800.0);
        params.direction = azimuths[i];
        CHECK_OK(s.f.context,
                 wadi_solver_create(s.terrain, &wadi_dunes_process, &params, 0, &s.dunes));
        CHECK_OK(s.f.context, wadi_solver_advance(s.dunes, 0.14));
        CHECK_OK(s.f.context, wadi_solver_finish(s.dunes));
        fixture_check_ledger(s.terrain);
        print_message("wind from %g: the highest sand is %.1f m\n", azimuths[i],
                      (double)storm_summit(&s));
        assert_true(storm_summit(&s) > 4.0f && storm_summit(&s) < 400.0f);
        storm_close(&s);
    }
}

// On a map twice as wide as high, walls gather what flies towards them, at the side it flies to,
// and let nothing in.
static void walls_gather_sand_where_it_flies(void** state)
{
    (void)state;
    for (int side = 0; side < 4; ++side)
    {
        const double from[4] = {180.0, 270.0, 0.0, 90.0};
        storm s;
        storm_open(&s, 60, 30, 1.0, WADI_EDGE_CLOSED);
        wadi_dunes_params params = storm_params(10.0);
        params.direction = from[side];
        params.inflow = 1.0;
        CHECK_OK(s.f.context,
                 wadi_solver_create(s.terrain, &wadi_dunes_process, &params, 0, &s.dunes));
        CHECK_OK(s.f.context, wadi_solver_advance(s.dunes, 0.01));
        CHECK_OK(s.f.context, wadi_solver_finish(s.dunes));
        wadi_ledger_row rows[WADI_MAX_MATERIALS];
        (void)wadi_terrain_ledger(s.terrain, rows, WADI_MAX_MATERIALS);
        assert_true(rows[WADI_MATERIAL_SEDIMENT].in == 0.0);
        double near[4] = {0.0}; // sand within five cells of each side
        for (int32_t y = 0; y < 30; ++y)
        {
            for (int32_t x = 0; x < 60; ++x)
            {
                const double sand = wadi_terrain_units(s.terrain, WADI_LAYER_SEDIMENT, x, y);
                near[WADI_SIDE_NORTH] += y < 5 ? sand : 0.0;
                near[WADI_SIDE_EAST] += x >= 55 ? sand : 0.0;
                near[WADI_SIDE_SOUTH] += y >= 25 ? sand : 0.0;
                near[WADI_SIDE_WEST] += x < 5 ? sand : 0.0;
            }
        }
        assert_true(near[side] > 1.2 * near[(side + 2) % 4]);
        storm_close(&s);
    }
}

// On the same map with open edges, sand leaves over the side that it flies to, and none comes back
// over the other side.
static void sand_leaves_over_the_side_it_flies_to(void** state)
{
    (void)state;
    for (int side = 0; side < 4; ++side)
    {
        const double from[4] = {180.0, 270.0, 0.0, 90.0};
        storm s;
        storm_open(&s, 60, 30, 1.0, WADI_EDGE_OPEN);
        wadi_dunes_params params = storm_params(10.0);
        params.direction = from[side];
        CHECK_OK(s.f.context,
                 wadi_solver_create(s.terrain, &wadi_dunes_process, &params, 0, &s.dunes));
        CHECK_OK(s.f.context, wadi_solver_advance(s.dunes, 0.003));
        CHECK_OK(s.f.context, wadi_solver_finish(s.dunes));
        fixture_check_ledger(s.terrain);
        const wadi_ledger_row sand = fixture_ledger_row(s.terrain, WADI_MATERIAL_SEDIMENT);
        double out = 0.0;
        for (int other = 0; other < 4; ++other)
        {
            out += sand.out[other];
        }
        print_message("wind from %g: %.0f of %.0f m3 leave ahead\n", from[side], sand.out[side],
                      out);
        assert_true(sand.out[side] > 100.0 && sand.out[side] > 0.7 * out);
        storm_close(&s);
    }
}

// Tori one and two cells wide, crossed many times in a hop.
static void hops_go_round_a_narrow_torus(void** state)
{
    (void)state;
    for (int32_t width = 1; width <= 2; ++width)
    {
        storm s;
        storm_open(&s, width, 64, 1.0, WADI_EDGE_PERIODIC);
        wadi_dunes_params params = storm_params(1000.0);
        params.direction = 217.0;
        CHECK_OK(s.f.context,
                 wadi_solver_create(s.terrain, &wadi_dunes_process, &params, 0, &s.dunes));
        const double before = wadi_terrain_volume(s.terrain, WADI_LAYER_SEDIMENT);
        CHECK_OK(s.f.context, wadi_solver_advance(s.dunes, 0.3));
        CHECK_OK(s.f.context, wadi_solver_finish(s.dunes));
        fixture_check_ledger(s.terrain);
        assert_true(storm_summit(&s) > 2.5f);
        CHECK_NEAR(wadi_terrain_volume(s.terrain, WADI_LAYER_SEDIMENT), before, 0.1);
        storm_close(&s);
    }
}

// The ground ends at voids, so sand flies out over them as over an open edge; it does not heap up.
static void sand_flies_into_voids(void** state)
{
    (void)state;
    storm s;
    storm_open(&s, 48, 24, 2.0, WADI_EDGE_CLOSED);
    uint8_t valid[48 * 24];
    for (int32_t i = 0; i < 48 * 24; ++i)
    {
        valid[i] = i % 48 < 40 ? 1 : 0;
    }
    CHECK_OK(s.f.context, wadi_terrain_set_valid(s.terrain, valid, 48));
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = WADI_DUNES_SLAB;
    params.blowing = 1.0;
    CHECK_OK(s.f.context, wadi_solver_create(s.terrain, &wadi_dunes_process, &params, 0, &s.dunes));
    CHECK_OK(s.f.context, wadi_solver_advance(s.dunes, 0.3));
    CHECK_OK(s.f.context, wadi_solver_finish(s.dunes));
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger(s.terrain, rows, WADI_MAX_MATERIALS);
    const wadi_ledger_row* sand = &rows[WADI_MATERIAL_SEDIMENT];
    const double sheet = 40.0 * 24.0 * 4.0 * 2.0;
    print_message("%.0f of %.0f m3 flew into voids, the highest sand is %.1f m\n",
                  sand->out[WADI_SIDE_VOID], sheet, (double)storm_summit(&s));
    assert_true(sand->residual_units == 0);
    assert_true(sand->out[WADI_SIDE_VOID] > 0.2 * sheet);
    assert_true(storm_summit(&s) < 6.0f);
    storm_close(&s);
}

static void hops_beyond_measure_are_refused(void** state)
{
    (void)state;
    storm s;
    storm_open(&s, 4, 4, 0.01, WADI_EDGE_PERIODIC);
    const wadi_dunes_params params = storm_params(1000.0);
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "takes slabs over 100000 cells of 0.01 m",
                wadi_solver_create(s.terrain, &wadi_dunes_process, &params, 0, &s.dunes));
    assert_null(s.dunes);
    storm_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sand_flying_past_a_corner_is_laid_along_its_walls),
        cmocka_unit_test(walls_gather_sand_where_it_flies),
        cmocka_unit_test(sand_leaves_over_the_side_it_flies_to),
        cmocka_unit_test(hops_go_round_a_narrow_torus),
        cmocka_unit_test(sand_flies_into_voids),
        cmocka_unit_test(hops_beyond_measure_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
