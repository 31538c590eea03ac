// SPDX-License-Identifier: MIT
// labels: slow
// Floods in time on surveyed ground: gullies, hills, a marsh and mountains with voids, under rain
// and a river, with open and closed edges and on cells of 0.5 to 100 m. Depths stay above 0, books
// close, and the water has no pattern of the cells.
#include "sample.h"
#include "support/surge.h"

#include <math.h>
#include <string.h>

enum
{
    SIDE = 72
};

static const struct
{
    const char* path;
    double cell; // [m]
} lands[] = {
    {SAMPLE_SCENES "bijou-gullies-5m.asc", 5.0},
    {SAMPLE_SCENES "bernese-alps-256.tif", 80.0},
    {SAMPLE_DATA "eno-river-192.tif", 10.0},
    {SAMPLE_DATA "tidal-marsh-150x120.asc", 2.0},
};

// The north-western corner of a survey, with heights scaled like its cells.
typedef struct crop
{
    const wadi_io_raster* raster;
    double cell;
    double scale;
    double base; // height that becomes 0 [m]
} crop;

static double crop_ground(double x, double y, const void* shape)
{
    const crop* c = shape;
    const int32_t column = (int32_t)(x / c->cell);
    const int32_t row = SIDE - 1 - (int32_t)(y / c->cell);
    const float z = c->raster->values[(ptrdiff_t)row * c->raster->width + column];
    return isnan(z) ? 0.0 : ((double)z - c->base) * c->scale;
}

// Voids of the survey, and a hole in it.
static void crop_mask(const surge* s, const crop* c, bool has_hole)
{
    uint8_t valid[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const float z = c->raster->values[(ptrdiff_t)(i / SIDE) * c->raster->width + i % SIDE];
        valid[i] =
            isnan(z) || (has_hole && i % SIDE > 50 && i % SIDE < 54 && i / SIDE > 60) ? 0 : 1;
    }
    CHECK_OK(s->f.context, wadi_terrain_set_valid(s->terrain, valid, SIDE));
}

// Greatest difference of level between cells of both colours of a chessboard where water stood
// and still stands 0.5 m deep [m].
static double chessboard(const surge* s, double lake)
{
    double board = 0.0;
    for (int32_t y = 0; y < SIDE - 1; ++y)
    {
        for (int32_t x = 0; x < SIDE - 1; ++x)
        {
            double sum = 0.0;
            double least = 1e9;
            for (int32_t k = 0; k < 4; ++k)
            {
                const double level = surge_level(s, x + k % 2, y + k / 2);
                least = fmin(least, surge_depth(s, x + k % 2, y + k / 2));
                sum += k == 0 || k == 3 ? level : -level;
                least = fmin(least, lake - fixture_metres(s->terrain, WADI_LAYER_SURFACE, x + k % 2,
                                                          y + k / 2));
            }
            board = least > 0.5 ? fmax(board, fabs(sum)) : board;
        }
    }
    return board;
}

// Let water stand in the lowest third of the relief. Returns its level.
static double fill_low_ground(surge* s)
{
    double low = 1e9;
    double high = -1e9;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const double z = fixture_metres(s->terrain, WADI_LAYER_SURFACE, i % SIDE, i / SIDE);
        low = isnan(z) ? low : fmin(low, z);
        high = isnan(z) ? high : fmax(high, z);
    }
    const double lake = low + (high - low) / 3.0;
    surge_fill(s, lake);
    return lake;
}

static void check_land(fixture* f, int32_t land, double cell, wadi_edge edge)
{
    const char* path = lands[land].path;
    wadi_io_raster raster;
    CHECK_OK(f->context, wadi_io_raster_read(f->context, path, 0.0, true, &raster));
    const crop c = {&raster, cell, cell / lands[land].cell, sample_count(&raster).min};
    surge s;
    surge_open(&s, SIDE, SIDE, cell, edge, crop_ground, &c);
    const bool is_open = edge == WADI_EDGE_OPEN;
    crop_mask(&s, &c, is_open);
    s.params.from_x = s.params.to_x = 20.5 * cell;
    s.params.from_y = 10.0 * cell;
    s.params.to_y = 60.0 * cell;
    s.params.discharge = 0.4 * cell * sqrt(cell);
    s.params.rain = 80.0;
    const double lake = is_open ? 0.0 : fill_low_ground(&s);
    const double hours = 0.004 * cell;
    s.params.rain_duration = hours;
    const double river[][2] = {
        {0.0, s.params.discharge}, {hours, s.params.discharge}, {1.01 * hours, 0.0}};
    surge_create(&s);
    surge_hydrograph(&s, &river[0][0], 3);
    surge_run(&s, hours);
    static float map[SIDE * SIDE];
    CHECK_OK(s.f.context, wadi_solver_map(s.solver, "peak_speed", map));
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        assert_true(isnan((double)map[i]) || (map[i] >= 0.0f && map[i] < 150.0f));
        assert_true(surge_depth(&s, i % SIDE, i / SIDE) >= 0.0);
    }
    surge_run(&s, is_open ? hours : 20.0 * hours); // waves calm down
    const double board = is_open ? 0.0 : chessboard(&s, lake);
    print_message("%s, cells of %g m, %s: %.1f m/s, chessboard %.4f m\n", strrchr(path, '/') + 1,
                  cell, is_open ? "open" : "closed", fixture_figure(s.solver, "fastest"), board);
    assert_true(board < 0.02);
    surge_close(&s);
    wadi_io_raster_free(&raster);
}

static void surveyed_ground_floods(void** state)
{
    fixture* f = *state;
    static const double cells[] = {0.5, 5.0, 100.0};
    for (int32_t i = 0; i < (int32_t)(sizeof lands / sizeof lands[0]); ++i)
    {
        for (size_t k = 0; k < 3; ++k)
        {
            check_land(f, i, cells[k], WADI_EDGE_OPEN);
            check_land(f, i, cells[k], WADI_EDGE_CLOSED);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surveyed_ground_floods),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
