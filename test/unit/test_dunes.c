// SPDX-License-Identifier: MIT
// The flux model of dunes: the same bits on any torus, thread count and instruction set; the flux
// law compared with a wind tunnel; saturation length; shelter; edges; vegetation; refusals.
#include "support/fixture.h"

#include "processes/dunes/flux.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
    WIDTH = 200, // neither square nor powers of two
    HEIGHT = 136
};

static wadi_terrain* dunes_terrain(fixture* f, int32_t width, int32_t height, wadi_edge edge)
{
    return fixture_plain(f, width, height, 1.0, edge);
}

static flux* dunes_make(fixture* f, wadi_terrain* terrain, const wadi_dunes_params* params)
{
    void* state;
    CHECK_OK(f->context, wadi_dunes_flux_api.create(terrain, params, 0, &state));
    return state;
}

static void dunes_advance(fixture* f, wadi_terrain* terrain, flux* own, double years)
{
    CHECK_OK(f->context, wadi_dunes_flux_api.advance(own, &(wadi_span){.years = years}));
    wadi_terrain_changed(terrain);
    fixture_check_ledger(terrain);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        assert_true(ground->loose[0][i] >= 0);
        assert_true(own->load[flux_at(own, (int32_t)(i / ground->width)) + i % ground->width] >= 0);
    }
}

// ---- exactness -----------------------------------------------------------------------------

static const double rough_warp = 10.0;

// Kinds of rough land.
enum
{
    ROUGH_PLAIN,
    ROUGH_BENT,  // relief turns the wind
    ROUGH_HOLED, // the same, with voids
    ROUGH_KINDS
};

// Heaps of sand between knolls of rock, shifted by (dx, dy): walls, slip faces, bare ground,
// plants.
static double rough_layer(wadi_layer layer, int32_t x, int32_t y)
{
    const double u = 6.283185307179586 * x / WIDTH;
    const double v = 6.283185307179586 * y / HEIGHT;
    switch (layer)
    {
    case WADI_LAYER_BEDROCK:
        return fmax(0.0, 15.0 * sin(4.0 * u) * sin(3.0 * v) - 6.0);
    case WADI_LAYER_SEDIMENT:
        return fmax(0.0, 4.0 * cos(6.0 * u + 1.0) * cos(5.0 * v) + 1.0);
    case WADI_LAYER_VEGETATION:
        return (x / 16 + y / 16) % 7 == 0 ? 0.6 : 0.0;
    default:
        return x % 32 / 32.0;
    }
}

static void rough_ground(wadi_terrain* terrain, int32_t dx, int32_t dy)
{
    static const wadi_layer layers[] = {WADI_LAYER_BEDROCK, WADI_LAYER_SEDIMENT,
                                        WADI_LAYER_VEGETATION, WADI_LAYER_HARDNESS};
    static float values[WIDTH * HEIGHT];
    for (size_t k = 0; k < sizeof layers / sizeof layers[0]; ++k)
    {
        for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
        {
            const int32_t x = (i % WIDTH + dx) % WIDTH;
            const int32_t y = (i / WIDTH + dy) % HEIGHT;
            values[y * WIDTH + x] = (float)rough_layer(layers[k], i % WIDTH, i / WIDTH);
        }
        CHECK_OK(wadi_terrain_context(terrain),
                 wadi_terrain_set_layer(terrain, layers[k], values, WIDTH));
    }
}

// Voids of several sizes: squares, which have many cells as near to one side as to another, and one
// with an oblique side; two of them lie across the border of the map.
static void rough_holes(wadi_terrain* terrain, int32_t dx, int32_t dy)
{
    static uint8_t valid[WIDTH * HEIGHT];
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const int32_t x = i % WIDTH;
        const int32_t y = i / WIDTH;
        const bool square = (x < 12 || x >= WIDTH - 9) && y > 30 && y < 52;
        const bool north = x > 70 && x < 101 && (y < 7 || y >= HEIGHT - 8);
        const bool oblique = x > 120 && y > 60 && x + 2 * y < 310;
        const int32_t at = (y + dy) % HEIGHT * WIDTH + (x + dx) % WIDTH;
        valid[at] = square || north || oblique ? 0 : 1;
    }
    CHECK_OK(wadi_terrain_context(terrain), wadi_terrain_set_valid(terrain, valid, WIDTH));
}

// All features at once, under two winds; hash of the state, shifted back.
static uint64_t rough_run(int32_t threads, wadi_isa isa, int32_t dx, int32_t dy, int kind)
{
    const double warp = kind != ROUGH_PLAIN ? rough_warp : 0.0;
    static const double rose[] = {233.0, 10.0, 0.5, 113.0, 12.0, 0.5};
    fixture f;
    fixture_open(&f, threads);
    wadi_terrain* terrain = dunes_terrain(&f, WIDTH, HEIGHT, WADI_EDGE_PERIODIC);
    rough_ground(terrain, dx, dy);
    if (kind == ROUGH_HOLED)
    {
        rough_holes(terrain, dx, dy);
    }
    wadi_dunes_params params = wadi_dunes_params_default();
    params.abrasion = 0.05;
    params.abrasion_height = warp > 0.0 ? 1.0 : 0.0;
    params.dust = 0.3;
    params.warp = warp;
    params.warp_wide = 16.0; // m, on knolls of 25
    flux* own = dunes_make(&f, terrain, &params);
    own->kernels = flux_kernels_of(isa);
    CHECK_OK(f.context, wadi_dunes_flux_api.set_table(own, WIND_TABLE_ROSE, rose, 2));
    dunes_advance(&f, terrain, own, 0.04);
    assert_non_null(own->shield); // cliffs were found
    assert_true((own->wind_stride != 0) == (warp > 0.0));
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    uint64_t hash = 0;
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const int32_t x = (i % WIDTH + dx) % WIDTH;
        const int32_t y = (i / WIDTH + dy) % HEIGHT;
        const int64_t cell = (int64_t)y * WIDTH + x;
        const uint32_t words[3] = {(uint32_t)ground->bedrock[cell],
                                   (uint32_t)ground->loose[0][cell],
                                   (uint32_t)own->load[flux_at(own, y) + x]};
        for (int k = 0; k < 3; ++k)
        {
            hash = (hash ^ words[k]) * UINT64_C(1099511628211);
        }
    }
    assert_true(own->steps > 60);
    wadi_dunes_flux_api.destroy(own);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return hash;
}

// Reference: one thread, the narrowest vectors, not shifted. Computed once.
static uint64_t rough_plain(int kind)
{
    static uint64_t known[ROUGH_KINDS];
    known[kind] = known[kind] != 0 ? known[kind] : rough_run(1, WADI_ISA_BASE, 0, 0, kind);
    return known[kind];
}

static void threads_and_vectors_change_nothing(void** state)
{
    (void)state;
    for (int kind = 0; kind <= ROUGH_BENT; ++kind)
    {
        for (wadi_isa isa = WADI_ISA_BASE; isa < WADI_ISA_COUNT; ++isa)
        {
            if (wadi_isa_runs(isa))
            {
                assert_true(rough_run(3, isa, 0, 0, kind) == rough_plain(kind));
            }
        }
    }
}

static void slow_a_rolled_torus_gives_the_rolled_result(void** state)
{
    (void)state;
    for (int kind = 0; kind < ROUGH_KINDS; ++kind)
    {
        assert_true(rough_run(2, wadi_isa_best(), 37, 101, kind) == rough_plain(kind));
    }
}

// A cliff between the last and the first cells of a torus, the only one, has an eddy too.
static void a_cliff_across_the_border_is_seen(void** state)
{
    (void)state;
    for (int32_t shift = 0; shift < 2; ++shift)
    {
        for (int32_t along = 0; along < 2; ++along)
        {
            fixture f;
            fixture_open(&f, 2);
            wadi_terrain* terrain = dunes_terrain(&f, WIDTH, HEIGHT, WADI_EDGE_PERIODIC);
            static float ramp[WIDTH * HEIGHT];
            for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
            {
                const int32_t x = (i % WIDTH + 9 * shift) % WIDTH;
                const int32_t y = (i / WIDTH + 9 * shift) % HEIGHT;
                ramp[y * WIDTH + x] = 0.25f * (float)(along == 0 ? i % WIDTH : i / WIDTH);
            }
            CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, ramp, WIDTH));
            CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 0.5));
            const wadi_dunes_params params = wadi_dunes_params_default();
            flux* own = dunes_make(&f, terrain, &params);
            dunes_advance(&f, terrain, own, 0.02);
            assert_non_null(own->shield);
            wadi_dunes_flux_api.destroy(own);
            wadi_terrain_destroy(terrain);
            fixture_close(&f);
        }
    }
}

// ---- the law of the flux ---------------------------------------------------------------------

// Mean flux to the east over flat sand under a constant wind [m2/yr].
static double flat_flux(const wadi_dunes_params* of, double speed)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = dunes_terrain(&f, 32, 8, WADI_EDGE_PERIODIC);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 5.0));
    wadi_dunes_params params = *of;
    params.speed = speed;
    params.blowing = 1.0;
    flux* own = dunes_make(&f, terrain, &params);
    dunes_advance(&f, terrain, own, 0.1);
    const double before = (double)own->passed[0][0];
    dunes_advance(&f, terrain, own, 0.1);
    const double passed = (double)own->passed[0][0] - before;
    wadi_dunes_flux_api.destroy(own);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return passed / 0.1;
}

typedef struct tunnel_point
{
    double shear[3]; // velocity, low and high bound [m/s]
    double flux[3];  // of solid sand [m2/s]
} tunnel_point;

// Columns of the file that are read.
static int32_t tunnel_read(tunnel_point* points, int32_t capacity)
{
    FILE* file = fopen(WADI_SOURCE_DIR "/test/data/saturated-sand-flux-wind-tunnel.csv", "r");
    char line[1024];
    int32_t count = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL && count < capacity)
    {
        double v[15];
        char* at = strchr(line, ',');
        int32_t columns = 0;
        for (; at != NULL && columns < 15; at = strchr(at + 1, ','))
        {
            v[columns++] = strtod(at + 1, NULL);
        }
        if (columns == 15 && v[0] > 0.0)
        {
            const double solid = 1.0 / v[1]; // from kg/(m s)
            points[count++] =
                (tunnel_point){{v[5], v[6], v[7]}, {v[8] * solid, v[9] * solid, v[10] * solid}};
        }
    }
    (void)fclose(file);
    return count;
}

// q = a (u*^2 - u*t^2) with two constants of 0.24 mm quartz lies between all bounds of two tunnels
// for 0.24 to 0.90 m/s. Wind at 10 m is shear velocity times ln(10 m / z0) / 0.4 with z0 = 1 mm;
// bulk sand has a solid fraction of 0.6.
static void the_flux_is_that_of_wind_tunnels(void** state)
{
    (void)state;
    static const double second = 1.0 / 31557600.0; // [yr]
    tunnel_point points[32];
    const int32_t count = tunnel_read(points, 32);
    assert_int_equal(count, 11);
    wadi_dunes_params params = wadi_dunes_params_default();
    const double aloft = log(10.0 / params.roughness) / 0.4;
    const double slope = 7.0e-5;         // [s]
    const double shear_threshold = 0.17; // [m/s]
    params.threshold = shear_threshold * aloft;
    const double reference = 100.0 / (aloft * aloft) - shear_threshold * shear_threshold;
    const double share = 1.0 - params.threshold * params.threshold / 100.0;
    params.flux = slope * reference * (0.5 / share) / second / 0.6;
    for (int32_t i = 0; i < count; ++i)
    {
        const double low = flat_flux(&params, points[i].shear[1] * aloft) * second * 0.6;
        const double high = flat_flux(&params, points[i].shear[2] * aloft) * second * 0.6;
        print_message("u* %.3f: %.2e to %.2e m2/s, measured %.2e to %.2e\n", points[i].shear[0],
                      low, high, points[i].flux[1], points[i].flux[2]);
        assert_true(high >= points[i].flux[1] && low <= points[i].flux[2]);
    }
}

// Downwind of the edge of a rock plain the load reaches 63 % of saturation after one saturation
// length.
static void the_flux_saturates_in_its_length(void** state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain* terrain = dunes_terrain(&f, 96, 96, WADI_EDGE_OPEN);
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 20.0));
        wadi_dunes_params params = wadi_dunes_params_default();
        params.saturation_length = 12.0;
        params.direction = turned != 0 ? 180.0 : 270.0;
        params.shear_gain = 0.0; // ignore the relief that erosion of the edge makes
        flux* own = dunes_make(&f, terrain, &params);
        dunes_advance(&f, terrain, own, 0.6);
        const double most =
            (double)own->load[flux_at(own, turned != 0 ? 8 : 48) + (turned != 0 ? 48 : 88)];
        double length = 0.0;
        for (int32_t i = 1; i < 90 && length == 0.0; ++i)
        {
            const ptrdiff_t here = turned != 0 ? flux_at(own, 95 - i) + 48 : flux_at(own, 48) + i;
            const ptrdiff_t back = turned != 0 ? flux_at(own, 96 - i) + 48 : here - 1;
            const double a = (double)own->load[back] / most;
            const double b = (double)own->load[here] / most;
            // cell i holds the load at its centre, after i + 0.5 cells
            length = b >= 0.632 ? i - 0.5 + (0.632 - a) / (b - a) : 0.0;
        }
        print_message("63 %% of saturation after %.2f m of 12\n", length);
        CHECK_NEAR(length, 12.0, 1.2);
        wadi_dunes_flux_api.destroy(own);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// ---- shelter -----------------------------------------------------------------------------------

// Behind a block of 10 m the lee is aligned with the wind within 2 degrees, and is 3.73 heights
// long.
static void check_shelter(double turn)
{
    enum
    {
        SIDE = 128
    };
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = dunes_terrain(&f, SIDE, SIDE, WADI_EDGE_PERIODIC);
    static float rock[SIDE * SIDE];
    for (int32_t y = 62; y < 67; ++y)
    {
        for (int32_t x = 62; x < 67; ++x)
        {
            rock[y * SIDE + x] = 10.0f;
        }
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIDE));
    wadi_dunes_params params = wadi_dunes_params_default();
    params.direction = fmod(270.0 - turn, 360.0);
    flux* own = dunes_make(&f, terrain, &params);
    dunes_advance(&f, terrain, own, 1e-4);
    const double angle = turn * 3.14159265358979323846 / 180.0;
    double sum[2] = {0.0, 0.0};
    double far = 0.0;
    for (int32_t y = 0; y < SIDE; ++y)
    {
        for (int32_t x = 0; x < SIDE; ++x)
        {
            const ptrdiff_t at = flux_at(own, y) + x;
            const double lee = (double)(own->roof[at] - own->level[at]);
            const double along = (x - 64) * cos(angle) - (y - 64) * sin(angle);
            if (lee > 0.01)
            {
                sum[0] += x - 64;
                sum[1] += 64 - y;
                far = fmax(far, along);
            }
        }
    }
    const double error = atan2(sum[1] * cos(angle) - sum[0] * sin(angle),
                               sum[0] * cos(angle) + sum[1] * sin(angle)) *
                         57.29577951308232;
    print_message("wind turned by %2.0f: lee off by %.2f degrees, %.1f m long\n", turn, error, far);
    assert_true(fabs(error) <= 2.0);
    // measured from the middle of the block: subtract half of its width or diagonal
    assert_true(far >= 37.3 + 2.0 - 1.0 && far <= 37.3 + 3.6 + 1.0);
    wadi_dunes_flux_api.destroy(own);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void the_lee_lies_along_the_wind(void** state)
{
    (void)state;
    static const double turns[] = {0.0, 1.0, 10.0, 20.0, 37.0, 45.0, 80.0, 200.0};
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; ++i)
    {
        check_shelter(turns[i]);
    }
}

// ---- edges, plants, water, calms
// -----------------------------------------------------------------

// Bare rock between open edges: the inflow leaves downwind unchanged.
static void inflow_equals_outflow(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = dunes_terrain(&f, 40, 24, WADI_EDGE_OPEN);
    wadi_dunes_params params = wadi_dunes_params_default();
    params.inflow = 0.3;
    params.direction = 233.0;
    flux* own = dunes_make(&f, terrain, &params);
    dunes_advance(&f, terrain, own, 1.0); // until the load is steady
    const wadi_ledger_row first = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    dunes_advance(&f, terrain, own, 1.0);
    wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    double out = 0.0;
    row.in -= first.in;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        row.out[side] -= first.out[side];
        out += row.out[side];
    }
    // 0.3 of 50 m2/yr through 24 m across and 40 m along the wind from 233 degrees
    const double through = 0.3 * 50.0 * (24.0 * 0.7986 + 40.0 * 0.6018);
    print_message("in %.0f m3, out %.0f, expected %.0f\n", row.in, out, through);
    CHECK_NEAR(row.in - row.out[WADI_SIDE_WEST] - row.out[WADI_SIDE_SOUTH], through, 0.1 * through);
    CHECK_NEAR(out, row.in, 0.01 * row.in);
    wadi_dunes_flux_api.destroy(own);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Sand that leaves a sheet in a quarter of a year, with a uniform value of a layer [m3].
static double blown_off(wadi_layer layer, double share)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = dunes_terrain(&f, 48, 48, WADI_EDGE_OPEN);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 1.0));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, layer, share));
    wadi_dunes_params params = wadi_dunes_params_default();
    flux* own = dunes_make(&f, terrain, &params);
    dunes_advance(&f, terrain, own, 0.25);
    const double out = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).out[WADI_SIDE_EAST];
    wadi_dunes_flux_api.destroy(own);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return out;
}

static void plants_moisture_and_water_hold_sand(void** state)
{
    (void)state;
    const double bare = blown_off(WADI_LAYER_VEGETATION, 0.0);
    assert_true(bare > 0.8 * 0.25 * 50.0 * 48.0);
    assert_true(blown_off(WADI_LAYER_VEGETATION, 0.02) < 0.8 * bare);
    assert_true(blown_off(WADI_LAYER_VEGETATION, 0.5) == 0.0);
    assert_true(blown_off(WADI_LAYER_MOISTURE, 0.01) < 0.9 * bare);
    assert_true(blown_off(WADI_LAYER_MOISTURE, 0.5) == 0.0);
    assert_true(blown_off(WADI_LAYER_WATER, 0.1) == 0.0);
}

static void weak_winds_and_no_flux_move_nothing(void** state)
{
    (void)state;
    for (int none = 0; none < 2; ++none)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain* terrain = dunes_terrain(&f, 24, 24, WADI_EDGE_PERIODIC);
        fixture_noise(terrain, WADI_LAYER_SEDIMENT, 1.0, 1.2, 5);
        wadi_dunes_params params = wadi_dunes_params_default();
        params.speed = none != 0 ? 10.0 : 3.5; // 4 x its shear stress is below the threshold
        params.flux = none != 0 ? 0.0 : 400.0;
        flux* own = dunes_make(&f, terrain, &params);
        dunes_advance(&f, terrain, own, 10.0);
        assert_int_equal(own->steps, 0);
        assert_true(fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).eroded == 0.0);
        wadi_dunes_flux_api.destroy(own);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

static void steps_and_lengths_that_break_the_law_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = dunes_terrain(&f, 8, 8, WADI_EDGE_PERIODIC);
    wadi_dunes_params params = wadi_dunes_params_default();
    wadi_solver* solver;
    params.step_flux = 0.51;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "step_flux",
                wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    params = wadi_dunes_params_default();
    params.saturation_length = 0.99;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "saturation_length",
                wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    params.saturation_length = 65.0;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "saturation_length",
                wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_vectors_change_nothing),
        cmocka_unit_test(slow_a_rolled_torus_gives_the_rolled_result),
        cmocka_unit_test(a_cliff_across_the_border_is_seen),
        cmocka_unit_test(the_flux_is_that_of_wind_tunnels),
        cmocka_unit_test(the_flux_saturates_in_its_length),
        cmocka_unit_test(the_lee_lies_along_the_wind),
        cmocka_unit_test(inflow_equals_outflow),
        cmocka_unit_test(plants_moisture_and_water_hold_sand),
        cmocka_unit_test(weak_winds_and_no_flux_move_nothing),
        cmocka_unit_test(steps_and_lengths_that_break_the_law_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
