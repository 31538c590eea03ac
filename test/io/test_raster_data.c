// SPDX-License-Identifier: MIT
// labels: data
// Whole real elevation models against the numbers published with them. Wants ../shared/data.
#include "io/sample.h"

#include <sys/stat.h>

#define SHARED WADI_SOURCE_DIR "/../shared/data/"

static const struct
{
    const char* file;
    int32_t width;
    int32_t height;
    sample_numbers numbers;
} models[] = {
    {"dem/rub-al-khali-star-dunes-30m.tif", 360, 360, {52, 216, 77.5636, 0}},
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
    {"dem/bijou-gullies-5m.asc", 105, 77, {1673.068, 1729.865, 1709.8647, 0}},
    {"dem/tidal-marsh-channel-2m.asc", 300, 452, {-2.609, 8.461, 1.3391, 35152}},
    {"dem/eno-river-10m-latlon.tif", 715, 844, {177.972, 241.217, 205.3986, 0}},
    {"landslide/washington-2021-pre-dem-10m.asc", 80, 122, {189.028, 582.385, 376.7668, 122}},
};

static void real_models_have_their_known_numbers(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (size_t i = 0; i < sizeof models / sizeof models[0]; ++i)
    {
        char path[512];
        (void)snprintf(path, sizeof path, SHARED "%s", models[i].file);
        wadi_io_raster raster;
        CHECK_OK(f.context, wadi_io_raster_read(f.context, path, 0.0, true, &raster));
        assert_int_equal(raster.width, models[i].width);
        assert_int_equal(raster.height, models[i].height);
        sample_check_numbers(&raster, &models[i].numbers);
        wadi_io_raster_free(&raster);
    }
    fixture_close(&f);
}

// 43 798 units of 0.1 m: taken for metres they would be higher than heights go.
static void heights_of_a_png_want_their_unit(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_io_raster raster;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "heights go to",
                wadi_io_raster_read(f.context, SHARED "dem/puget-sound-heightmap16-160m.png", 160.0,
                                    true, &raster));
    fixture_close(&f);
}

int main(void)
{
    struct stat status;
    if (stat(SHARED, &status) != 0)
    {
        (void)puts("skipped: " SHARED " is not there");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_models_have_their_known_numbers),
        cmocka_unit_test(heights_of_a_png_want_their_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
