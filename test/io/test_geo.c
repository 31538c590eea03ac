// SPDX-License-Identifier: MIT
// The working grid: metric squares stay as they are; degrees, oblong cells and feet are resampled;
// voids keep their extent; unchanged cells have their old height after the way back.
#include "io/sample.h"

#include "io/raster/geo.h"

static wadi_io_raster read_crop(wadi_context* context, const char* name)
{
    wadi_io_raster raster;
    CHECK_OK(context, wadi_io_raster_read(context, name, 0.0, true, &raster));
    return raster;
}

static float* allocate(int64_t cells)
{
    float* out = malloc((size_t)cells * sizeof *out);
    assert_non_null(out);
    return out;
}

static void metric_squares_pass_untouched(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_raster raster = read_crop(f.context, SAMPLE_DATA "st-helens-128.tif");
    wadi_io_grid grid;
    CHECK_OK(f.context, wadi_io_grid_of(f.context, &raster, &grid));
    assert_true(grid.same);
    assert_int_equal(grid.width, 128);
    CHECK_NEAR(grid.cell, 10.0, 0.0);
    assert_memory_equal(grid.georef.affine, raster.georef.affine, sizeof grid.georef.affine);
    float* values = allocate(128 * 128);
    CHECK_OK(f.context, wadi_io_grid_read(f.context, &raster, &grid, values));
    assert_memory_equal(values, raster.values, 128 * 128 * sizeof *values);
    free(values);
    wadi_io_grid_free(&grid);
    wadi_io_raster_free(&raster);
    fixture_close(&f);
}

// Degrees: cells have the raster's mean area, and heights differ only by the smoothing of two
// bilinear passes.
static void degrees_become_metres_and_come_back(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_raster raster = read_crop(f.context, SAMPLE_SCENES "bernese-alps-256.tif");
    wadi_io_grid grid;
    CHECK_OK(f.context, wadi_io_grid_of(f.context, &raster, &grid));
    assert_false(grid.same);
    // 3 seconds at 46.3 N are 64.2 m by 92.6 m
    CHECK_NEAR(grid.cell, sqrt(64.2 * 92.6), 0.3);
    const wadi_io_raster working = {.width = grid.width,
                                    .height = grid.height,
                                    .values = allocate((int64_t)grid.width * grid.height)};
    CHECK_OK(f.context, wadi_io_grid_read(f.context, &raster, &grid, working.values));
    const sample_numbers before = sample_count(&raster);
    const sample_numbers there = sample_count(&working);
    assert_true(there.min >= before.min && there.max <= before.max);
    CHECK_NEAR(there.mean, before.mean, 3.0);
    const double area =
        grid.cell * grid.cell * (double)((int64_t)grid.width * grid.height - there.voids);
    CHECK_NEAR(area / (grid.cell * grid.cell * (double)(256 * 256 - before.voids)), 1.0, 0.005);

    float* back = allocate(256 * 256);
    CHECK_OK(f.context, wadi_io_grid_write(f.context, &grid, working.values, &raster, back));
    double squares = 0.0;
    int64_t lost = 0;
    for (int64_t i = 0; i < 256 * 256; ++i)
    {
        assert_true(!isnan(raster.values[i]) || isnan(back[i]));
        lost += !isnan(raster.values[i]) && isnan(back[i]) ? 1 : 0;
        const double error = (double)(back[i] - raster.values[i]);
        squares += isnan(error) ? 0.0 : error * error;
    }
    assert_true(lost < 256 * 256 / 100);
    assert_true(sqrt(squares / (256 * 256)) < 12.0);
    free(back);
    free(working.values);
    wadi_io_grid_free(&grid);
    wadi_io_raster_free(&raster);
    fixture_close(&f);
}

// A change of 0 on the working grid is exactly 0 on the raster, and a constant change is the same
// constant up to the rims of voids.
// A raster of 5 by 5 degrees in the north, all data but for one cell.
static wadi_io_raster read_wide(wadi_context* context)
{
    wadi_io_raster raster = read_crop(context, SAMPLE_SCENES "bernese-alps-256.tif");
    raster.dx = 0.02;
    raster.dy = 0.02;
    raster.georef.affine[1] = 0.02;
    raster.georef.affine[3] = 65.0;
    raster.georef.affine[5] = -0.02;
    for (int32_t i = 0; i < raster.width * raster.height; ++i)
    {
        raster.values[i] = i == 128 * raster.width + 128 ? NAN : 1.0f;
    }
    return raster;
}

// The projected grid has cells beyond the raster's sides: they have no data and lie where the
// compass says. Meridians meet towards the north, and parallels are bent.
static void cells_beyond_the_raster_have_its_sides(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_raster raster = read_wide(f.context);
    wadi_io_grid grid;
    CHECK_OK(f.context, wadi_io_grid_of(f.context, &raster, &grid));
    const int64_t cells = (int64_t)grid.width * grid.height;
    float* values = allocate(cells);
    uint8_t* sides = malloc((size_t)cells);
    assert_non_null(sides);
    CHECK_OK(f.context, wadi_io_grid_read(f.context, &raster, &grid, values));
    CHECK_OK(f.context,
             wadi_io_grid_sides(f.context, &grid, grid.width, grid.height, &grid.georef, sides));
    int64_t count[WADI_SIDE_COUNT] = {0};
    int64_t holes = 0;
    for (int64_t i = 0; i < cells; ++i)
    {
        const int32_t x = (int32_t)(i % grid.width);
        const int32_t y = (int32_t)(i / grid.width);
        const bool in[] = {y<10, x> grid.width - 30, y > grid.height - 10, x < 30, true};
        assert_true(in[sides[i]]);
        assert_true(sides[i] == WADI_SIDE_VOID || isnan(values[i]));
        holes += sides[i] == WADI_SIDE_VOID && isnan(values[i]) ? 1 : 0;
        count[sides[i]] += 1;
    }
    // the hole is narrower than a cell of the grid and higher
    assert_in_range(holes, 1, 2);
    assert_true(count[WADI_SIDE_WEST] > 1000 && count[WADI_SIDE_EAST] > 1000);
    assert_true(count[WADI_SIDE_NORTH] > 100 && count[WADI_SIDE_SOUTH] > 100);
    free(sides);
    free(values);
    wadi_io_grid_free(&grid);
    wadi_io_raster_free(&raster);
    fixture_close(&f);
}

// A grid that is used as it is has no cells beyond the raster.
static void metric_squares_have_no_cells_beyond(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_raster raster = read_crop(f.context, SAMPLE_DATA "st-helens-128.tif");
    wadi_io_grid grid;
    CHECK_OK(f.context, wadi_io_grid_of(f.context, &raster, &grid));
    uint8_t sides[4] = {0};
    CHECK_OK(f.context, wadi_io_grid_sides(f.context, &grid, 2, 2, &grid.georef, sides));
    for (int i = 0; i < 4; ++i)
    {
        assert_int_equal(sides[i], WADI_SIDE_VOID);
    }
    wadi_io_grid_free(&grid);
    wadi_io_raster_free(&raster);
    fixture_close(&f);
}

static void a_constant_change_comes_back_as_it_was(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_raster raster = read_crop(f.context, SAMPLE_DATA "taal-256.tif");
    wadi_io_grid grid;
    CHECK_OK(f.context, wadi_io_grid_of(f.context, &raster, &grid));
    const int64_t cells = (int64_t)grid.width * grid.height;
    float* change = allocate(cells);
    float* back = allocate(256 * 256);
    CHECK_OK(f.context, wadi_io_grid_read(f.context, &raster, &grid, change));
    static const float constants[] = {0.0f, -0.125f};
    for (int k = 0; k < 2; ++k)
    {
        for (int64_t i = 0; i < cells; ++i)
        {
            change[i] = isnan(change[i]) ? NAN : constants[k];
        }
        CHECK_OK(f.context, wadi_io_grid_write(f.context, &grid, change, &raster, back));
        for (int64_t i = 0; i < 256 * 256; ++i)
        {
            assert_true(isnan(back[i]) || back[i] == constants[k]);
        }
    }
    free(change);
    free(back);
    wadi_io_grid_free(&grid);
    wadi_io_raster_free(&raster);
    fixture_close(&f);
}

// A plane is bilinear: resampling must reproduce it exactly, except for float rounding and the rim.
static void oblong_cells_become_square(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float values[40 * 30];
    wadi_io_raster raster = sample_raster(values, 40, 30);
    raster.dx = 4.0;
    raster.dy = 9.0;
    raster.georef.affine[1] = 4.0;
    raster.georef.affine[5] = -9.0;
    for (int i = 0; i < 40 * 30; ++i)
    {
        values[i] = (float)(100.0 + 4.0 * (i % 40) * 0.5 + 9.0 * (i / 40) * 0.25);
    }
    wadi_io_grid grid;
    CHECK_OK(f.context, wadi_io_grid_of(f.context, &raster, &grid));
    CHECK_NEAR(grid.cell, 6.0, 1e-9);
    assert_int_equal(grid.width, 27);
    assert_int_equal(grid.height, 45);
    float out[27 * 45];
    CHECK_OK(f.context, wadi_io_grid_read(f.context, &raster, &grid, out));
    for (int y = 1; y < 44; ++y)
    {
        for (int x = 1; x < 26; ++x)
        {
            const double east = 6.0 * (x + 0.5) - 2.0;
            const double south = 6.0 * (y + 0.5) - 4.5;
            CHECK_NEAR((double)out[y * 27 + x], 100.0 + 0.5 * east + 0.25 * south, 1e-4);
        }
    }
    wadi_io_grid_free(&grid);
    fixture_close(&f);
}

// A raster in US feet has the same number of working cells as the same raster in metres.
static void feet_are_not_metres(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float values[40 * 30];
    wadi_io_raster raster = sample_raster(values, 40, 30);
    const double foot = 0.3048;
    raster.dx = 4.0;
    raster.dy = 9.0;
    raster.georef.affine[1] = 4.0 / foot;
    raster.georef.affine[5] = -9.0 / foot;
    wadi_io_grid grid;
    CHECK_OK(f.context, wadi_io_grid_of(f.context, &raster, &grid));
    CHECK_NEAR(grid.cell, 6.0, 1e-9);
    assert_int_equal(grid.width, 27);
    assert_int_equal(grid.height, 45);
    CHECK_NEAR(grid.georef.affine[1], 6.0 / foot, 1e-9);
    wadi_io_grid_free(&grid);
    fixture_close(&f);
}

static void grids_without_a_place_must_fit(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float values[12];
    float out[12];
    wadi_io_raster raster = sample_raster(values, 4, 3);
    raster.georef = (wadi_georef){.wkt = ""};
    wadi_io_grid grid;
    CHECK_OK(f.context, wadi_io_grid_of(f.context, &raster, &grid));
    CHECK_OK(f.context, wadi_io_grid_read(f.context, &raster, &grid, out));
    assert_memory_equal(out, values, sizeof out);
    grid.width = 3;
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "4 x 3",
                wadi_io_grid_read(f.context, &raster, &grid, out));
    wadi_io_grid_free(&grid);
    fixture_close(&f);
}

static void lengths_of_degrees_are_those_of_the_ellipsoid(void** state)
{
    (void)state;
    wadi_io_raster raster = {.width = 1,
                             .height = 1,
                             .dx = 1e-3,
                             .dy = 1e-3,
                             .geographic = true,
                             .georef.affine = {0.0, 1e-3, 0.0, 45.0005, 0.0, -1e-3}};
    double dx = 0.0;
    double dy = 0.0;
    wadi_io_raster_metric(&raster, &dx, &dy);
    CHECK_NEAR(dx, 78.8468, 1e-3); // one degree at 45 N: 78.847 km by 111.132 km
    CHECK_NEAR(dy, 111.1320, 1e-3);
}

// Four rows of ten degrees from 60 N: a row is as wide as the parallel through its middle, and the
// meridian's degree is that of the middle of all, 40 N.
static void rows_are_as_wide_as_their_middle(void** state)
{
    (void)state;
    wadi_io_raster raster = {.width = 1,
                             .height = 4,
                             .dx = 1.0,
                             .dy = 10.0,
                             .geographic = true,
                             .georef.affine = {0.0, 1.0, 0.0, 60.0, 0.0, -10.0}};
    double dx[4];
    double dy = 0.0;
    wadi_io_raster_metric(&raster, dx, &dy);
    // lengths of a degree of longitude at 55, 45, 35 and 25 N, and of latitude at 40 N [m]
    static const double widths[4] = {63994.0, 78847.0, 91290.0, 100950.0};
    for (int i = 0; i < 4; ++i)
    {
        CHECK_NEAR(dx[i], widths[i], 10.0);
    }
    CHECK_NEAR(dy, 10.0 * 111035.0, 50.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metric_squares_pass_untouched),
        cmocka_unit_test(degrees_become_metres_and_come_back),
        cmocka_unit_test(cells_beyond_the_raster_have_its_sides),
        cmocka_unit_test(metric_squares_have_no_cells_beyond),
        cmocka_unit_test(a_constant_change_comes_back_as_it_was),
        cmocka_unit_test(oblong_cells_become_square),
        cmocka_unit_test(feet_are_not_metres),
        cmocka_unit_test(grids_without_a_place_must_fit),
        cmocka_unit_test(rows_are_as_wide_as_their_middle),
        cmocka_unit_test(lengths_of_degrees_are_those_of_the_ellipsoid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
