// SPDX-License-Identifier: MIT
// labels: fast data
// Whole real elevation models against the numbers published with them: always those in test/data,
// and those outside the repository where present (test/data/outside.sha256 lists them).
#include "io/outside.h"
#include "io/sample.h"

typedef struct model
{
    const char* file;
    int32_t width;
    int32_t height;
    sample_numbers numbers;
} model;

static const model committed[] = {
    {"test/data/rub-al-khali-star-dunes-30m.tif", 360, 360, {52, 216, 77.5636, 0}},
    {"scenes/data/bijou-gullies-5m.asc", 105, 77, {1673.068, 1729.865, 1709.8647, 0}},
    {"test/data/washington-2021-pre-dem-10m.asc", 80, 122, {189.028, 582.385, 376.7668, 122}},
};

static const model outside[] = {
    {"dem/fangar-dune-2012-04-15.asc", 249, 204, {0.642, 2.238, 1.1190, 39845}},
    {"dem/fangar-dune-2012-04-18.asc", 249, 204, {0.600, 2.376, 1.1549, 39840}},
    {"dem/fangar-dune-2012-04-15-comma.txt", 249, 204, {0.642, 2.238, 1.1190, 39845}},
    {"dem/fangar-dune-2012-04-18-comma.txt", 249, 204, {0.600, 2.376, 1.1549, 39840}},
    {"dem/npzk-coastal-dunes-2m.asc", 396, 396, {-3.965, 22.070, 4.0305, 0}},
    {"dem/bernese-alps-srtm3-voids.tif", 1201, 1201, {187, 4173, 1654.2310, 103743}},
    {"dem/pyrenees-srtm3/N42E001.hgt", 1201, 1201, {349, 3100, 1372.5186, 7652}},
    {"dem/taal-volcano-luzon-srtm3-2401.tif", 2401, 2401, {-25, 2567, 110.0429, 2674}},
    {"dem/new-zealand-1km-ocean-nan.tif", 1115, 1450, {0, 4140.333, 489.7461, 1348639}},
    {"dem/st-helens-crater-2004-10-04-10m-utm10.tif", 303, 442, {1361.796, 2538.099, 1956.5831, 0}},
    {"dem/st-helens-crater-2007-07-05-10m-utm10.tif", 303, 442, {1361.796, 2538.099, 1963.5684, 0}},
    {"dem/tidal-marsh-channel-2m.asc", 300, 452, {-2.609, 8.461, 1.3391, 35152}},
    {"dem/eno-river-10m-latlon.tif", 715, 844, {177.972, 241.217, 205.3986, 0}},
};

static void check_model(wadi_context* context, const char* folder, const model* known)
{
    char path[2200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, known->file);
    wadi_io_raster raster;
    CHECK_OK(context, wadi_io_raster_read(context, path, 0.0, true, &raster));
    assert_int_equal(raster.width, known->width);
    assert_int_equal(raster.height, known->height);
    sample_check_numbers(&raster, &known->numbers);
    wadi_io_raster_free(&raster);
}

static void committed_models_have_their_known_numbers(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (size_t i = 0; i < sizeof committed / sizeof committed[0]; ++i)
    {
        check_model(f.context, WADI_SOURCE_DIR, &committed[i]);
    }
    fixture_close(&f);
}

// Each model by itself: one that is missing does not keep the others from being read.
static void outside_models_have_their_known_numbers(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    size_t read = 0;
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; ++i)
    {
        outside_folder folder;
        if (outside_has(&folder, outside[i].file))
        {
            check_model(f.context, folder.path, &outside[i]);
            read += 1;
        }
    }
    fixture_close(&f);
    if (read < sizeof outside / sizeof outside[0])
    {
        skip();
    }
}

// The dome that grew in the crater of Mount St Helens from 2004 to 2007 lies in this window whole:
// 93.55 million m3, 207.7 m at most, as in the two whole models.
static void the_dome_has_its_known_volume(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_raster before;
    wadi_io_raster after;
    CHECK_OK(f.context, wadi_io_raster_read(f.context, SAMPLE_DATA "st-helens-dome-2004.tif", 0.0,
                                            true, &before));
    CHECK_OK(f.context, wadi_io_raster_read(f.context, SAMPLE_DATA "st-helens-dome-2007.tif", 0.0,
                                            true, &after));
    double volume = 0.0;
    double highest = 0.0;
    for (int32_t i = 0; i < after.width * after.height; ++i)
    {
        const double rise = (double)after.values[i] - (double)before.values[i];
        volume += rise * 100.0;
        highest = fmax(highest, rise);
    }
    CHECK_NEAR(volume, 93551848.0, 100.0);
    CHECK_NEAR(highest, 207.742, 0.001);
    wadi_io_raster_free(&before);
    wadi_io_raster_free(&after);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(committed_models_have_their_known_numbers),
        cmocka_unit_test(the_dome_has_its_known_volume),
        cmocka_unit_test(outside_models_have_their_known_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
