// SPDX-License-Identifier: MIT
// labels: medium
// Soil and storms on surveyed land: nothing fails without rain, in drizzle, or when a storm comes
// again; the storm that the land is used to brings a small share of mountains down, and no hills.
#include "io/sample.h"
#include "support/fixture.h"

#include "laws/slopes/storm.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MOST = 128 // cells of a side
};

typedef struct land_case
{
    const char* file;
    double cell;   // [m]
    double refine; // cells of the test over a cell of the file
    double least;  // share of the land that the usual storm brings down
    double most;
} land_case;

static const land_case land_cases[] = {
    {"st-helens-128.tif", 10.0, 1.0, 0.003, 0.04},
    {"pyrenees-256.tif", 80.0, 1.0, 0.003, 0.04},
    {"pyrenees-256.tif", 10.0, 8.0, 0.003, 0.04},
    {"taal-256.tif", 90.0, 1.0, 0.003, 0.04},
    {"washington-2021-pre-dem-10m.asc", 10.0, 1.0, 0.0, 0.04},
    {"eno-river-192.tif", 10.0, 1.0, 0.0, 0.0},
};

typedef struct land
{
    fixture f;
    float heights[MOST * MOST];
    wadi_field2d field;
    storm_land* storm;
    slide_list list;
    int64_t valid;
} land;

// The north-western part of the file, bilinear where it is refined.
static void land_read(land* l, const land_case* c)
{
    char path[512];
    wadi_io_raster file;
    (void)snprintf(path, sizeof path, SAMPLE_DATA "%s", c->file);
    CHECK_OK(l->f.context, wadi_io_raster_read(l->f.context, path, 0.0, true, &file));
    const int32_t width = (int32_t)fmin(MOST, (file.width - 1) * c->refine);
    const int32_t height = (int32_t)fmin(MOST, (file.height - 1) * c->refine);
    l->valid = 0;
    for (int32_t i = 0; i < width * height; ++i)
    {
        const double x = i % width / c->refine;
        const double y = i / width / c->refine;
        const int32_t at = (int32_t)y * file.width + (int32_t)x;
        const double u = x - floor(x);
        const double v = y - floor(y);
        const float* z = &file.values[at];
        const double north = (1.0 - u) * (double)z[0] + u * (double)z[1];
        const double south = (1.0 - u) * (double)z[file.width] + u * (double)z[file.width + 1];
        l->heights[i] = (float)((1.0 - v) * north + v * south);
        l->valid += isnan(l->heights[i]) ? 0 : 1;
    }
    l->field = (wadi_field2d){.heights = l->heights,
                              .width = width,
                              .height = height,
                              .stride = width,
                              .dx = c->cell,
                              .dy = c->cell};
    wadi_io_raster_free(&file);
}

static void land_open(land* l, const land_case* c, wadi_edge edge, uint64_t seed)
{
    *l = (land){0};
    fixture_open(&l->f, 2);
    land_read(l, c);
    for (int side = 0; side < 4; ++side)
    {
        l->field.edges[side] = edge;
    }
    // a hole of 5 x 5 cells
    for (int k = 0; k < 25; ++k)
    {
        l->heights[(40 + k / 5) * l->field.width + 50 + k % 5] = NAN;
    }
    const storm_law law = wadi_storm_law_default();
    const soil_law soil = wadi_soil_law_default();
    const storm_rain used = {5.0 / 3.6e6, 86400.0, 86400.0, 0};
    CHECK_OK(l->f.context, wadi_storm_create(l->f.context, &l->field, seed, &law, &l->storm));
    CHECK_OK(l->f.context, wadi_soil_grow(l->storm, &soil, &used));
}

static void land_close(land* l)
{
    wadi_slide_list_destroy(l->f.context, &l->list);
    wadi_storm_destroy(l->storm);
    fixture_close(&l->f);
}

// Cells that fail in a day of rain [mm/h].
static int64_t land_rain(land* l, double rate)
{
    const storm_rain rain = {rate / 3.6e6, 86400.0, 86400.0, 1};
    storm_books books;
    wadi_slide_list_destroy(l->f.context, &l->list);
    CHECK_OK(l->f.context, wadi_storm_run(l->storm, &rain, &l->list, &books));
    return l->list.cell_count;
}

static void check_land(const land_case* c, wadi_edge edge, uint64_t seed, double* share)
{
    static land l;
    land_open(&l, c, edge, seed);
    const size_t bytes = sizeof(int32_t) * (size_t)l.field.width * (size_t)l.field.height;
    int32_t* before = test_malloc(bytes);
    memcpy(before, wadi_storm_soil(l.storm), bytes);
    assert_int_equal(land_rain(&l, 0.0), 0);
    assert_int_equal(land_rain(&l, 1.0), 0);
    assert_memory_equal(before, wadi_storm_soil(l.storm), bytes);
    const int64_t failed = land_rain(&l, 5.0);
    assert_int_equal(land_rain(&l, 5.0), 0);
    *share += (double)failed / (double)l.valid;
    test_free(before);
    land_close(&l);
}

static void surveyed_land_stands_until_its_storm(void** state)
{
    (void)state;
    for (int32_t i = 0; i < WADI_COUNT(land_cases); ++i)
    {
        const land_case* c = &land_cases[i];
        double share = 0.0;
        for (uint64_t seed = 1; seed <= 3; ++seed)
        {
            check_land(c, seed % 2 != 0 ? WADI_EDGE_OPEN : WADI_EDGE_CLOSED, seed, &share);
        }
        share /= 3.0;
        print_message("%s, cells of %g m: %.2f %% of the land\n", c->file, c->cell, 100.0 * share);
        assert_true(share >= c->least && share <= c->most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surveyed_land_stands_until_its_storm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
