// SPDX-License-Identifier: MIT
// labels: fast data
// Measures of real land against those of an independent program in Python, NumPy and SciPy. Each
// row is the result of
//
//     terrain-metrics.py FILE --json [--cell 160 --zscale 0.1 for PNG] [--sea 0 where the sea is]
//
// for the crop in test/data or scenes/data (crop.sh there makes them), or for a whole data set of
// $WADI_DATA. That program lies beside these data, not in the repository.
#include "io/outside.h"

#include "support/fixture.h"

#include "io/raster/raster.h"

#include <stdlib.h>

// Names of its measures: erosion_index, depression_area_frac, channel_in_depression_frac,
// log10_pit_cap_volume, log10_prominent_peaks_pits, theta_chi, chi_r2, slope_mean,
// slope_gt_45_frac, flat_frac, curvature_skew_s1, geo_ridge_valley.
static const char* const measured[] = {"erosion_index",  "closed",         "channels_closed",
                                       "pit_cap_volume", "prominent",      "theta_chi",
                                       "chi_r2",         "slope",          "steep",
                                       "flat",           "curvature_skew", "ridge_valley"};

typedef struct land_case
{
    const char* file;
    double dx; // cells as that program takes them [m]
    double dy;
    double scale; // of heights
    bool has_sea; // at 0 m and below: no land
    double expected[sizeof measured / sizeof measured[0]];
} land_case;

static const land_case crops[] = {
    {"test/data/pyrenees-256.tif",
     68.77949441,
     92.145,
     1.0,
     false,
     {1, 0.00674777, 0.0910548, -2.18319, 1.39358, 0.45, 0.895666, 19.3226, 0.00433318, 0.0056616,
      -0.268744, 0.843628}},
    {"test/data/taal-256.tif",
     90.30070427,
     92.145,
     1.0,
     false,
     {0.841136, 0.00743322, 0.112819, -1.95988, 0.736759, 0.55, 0.794249, 24.7314, 0.00494473,
      0.00751157, 0.0727316, 1.11157}},
    {"scenes/data/bernese-alps-256.tif",
     64.08256649,
     92.145,
     1.0,
     false,
     {0.816274, 0.00712821, 0.135653, -1.10708, 0.79005, 0.65, 0.348974, 30.3053, 0.0718489,
      0.0259936, -0.338194, 0.651384}},
    {"test/data/puget-sound-257.png",
     160,
     160,
     0.1,
     false,
     {0.60496, 0.0317794, 0.297318, -2.25023, 0.499864, 0.4, 0.787323, 12.1223, 1.51403e-05,
      0.0888129, -0.316814, 0.807153}},
    {"test/data/st-helens-128.tif",
     10,
     10,
     1.0,
     false,
     {0, 0.000549316, 0.00793651, 0.422343, 0, 0.05, 0.823633, 24.1626, 0.0429688, 0.000488281,
      -0.719142, 0.687945}},
    {"test/data/eno-river-192.tif",
     8.316421429,
     10.23833333,
     1.0,
     false,
     {0, 0.023112, 0.239327, -0.858181, 0, 0.45, 0.935601, 2.89291, 0, 0.00840929, 0.875341,
      1.38085}},
    {"test/data/tidal-marsh-150x120.asc",
     2,
     2,
     1.0,
     false,
     {0, 0.160433, 0.696616, -0.647495, -0.597695, 1, 0.317901, 3.05494, 0, 0.0263033, 0.665624,
      0.820966}},
    {"scenes/data/bijou-gullies-5m.asc",
     4.988744589,
     4.988744589,
     1.0,
     false,
     {0.363142, 0, 0, -9, 0.477121, 0.5, 0.96683, 14.4388, 0.00111317, 0.165121, 0.598479,
      1.20386}},
    {"scenes/data/new-zealand-192x160.tif",
     1000,
     1000,
     1.0,
     false,
     {0.294793, 0.060886, 0.406699, -0.98345, 0.297676, 1, 0.824212, 8.2902, 0.000439754, 0.0343008,
      -0.054969, 0.794797}},
};

static const land_case outside[] = {
    {"dem/bernese-alps-srtm3-voids.tif",
     63.85635947,
     92.145,
     1.0,
     false,
     {0.961157, 0.0101505, 0.103873, -1.27147, 1.75672, 0.6, 0.746861, 25.2201, 0.0391084,
      0.0527056, -0.264871, 0.559367}},
    {"dem/pyrenees-srtm3/N42E001.hgt",
     68.39476094,
     92.145,
     1.0,
     false,
     {1, 0.00780346, 0.0867585, -2.08842, 1.8986, 0.5, 0.782056, 19.9877, 0.00568705, 0.0184395,
      -0.18015, 0.878392}},
    {"dem/taal-volcano-luzon-srtm3-2401.tif",
     90.01110021,
     92.145,
     1.0,
     true,
     {0.982087, 0.0304521, 0.178555, -1.81369, 1.40059, 0.25, 0.600262, 8.59057, 0.000316603,
      0.114273, -0.266352, 0.871953}},
    {"dem/puget-sound-heightmap16-160m.png",
     160,
     160,
     0.1,
     false,
     {0.84051, 0.0371265, 0.261003, -2.43388, 1.90828, 0.35, 0.652025, 10.6608, 0.00123926,
      0.136281, -0.453416, 0.778874}},
    {"dem/st-helens-crater-2004-10-04-10m-utm10.tif",
     10,
     10,
     1.0,
     false,
     {0.909883, 0.00232218, 0.0140309, -3.02287, 0.845098, 0.1, 0.81551, 28.5523, 0.091573,
      0.00296432, -0.784175, 1.46043}},
    {"dem/eno-river-10m-latlon.tif",
     8.317661173,
     10.23833333,
     1.0,
     false,
     {0.341827, 0.0332251, 0.239299, -0.986509, 0.248565, 0.4, 0.906849, 2.84527, 0, 0.00924171,
      0.751384, 1.14478}},
    {"dem/new-zealand-1km-ocean-nan.tif",
     1000,
     1000,
     1.0,
     false,
     {0.403622, 0.109443, 0.532719, -1.66192, 0.467992, 0.05, 0.691736, 5.76114, 7.62951e-06,
      0.0705463, -0.303855, 0.651654}},
};

static double measure_named(const wadi_land_forms* forms, const char* name)
{
    int32_t count;
    const wadi_land_measure* measures = wadi_land_measures(&count);
    for (int32_t i = 0; i < count; ++i)
    {
        if (strcmp(measures[i].name, name) == 0)
        {
            return wadi_land_measure_value(&measures[i], forms);
        }
    }
    fail_msg("there is no measure '%s'", name);
    return 0.0;
}

static void check_land(wadi_context* context, const char* folder, const land_case* known)
{
    char path[2200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, known->file);
    wadi_io_raster raster;
    const bool is_ground = known->scale == 1.0; // otherwise numbers that are no heights yet
    CHECK_OK(context,
             wadi_io_raster_read(context, path, is_ground ? 0.0 : known->dx, is_ground, &raster));
    for (int64_t i = 0; i < (int64_t)raster.width * raster.height; ++i)
    {
        const double z = (double)raster.values[i] * known->scale;
        raster.values[i] = known->has_sea && z <= 0.0 ? NAN : (float)z;
    }
    const wadi_land land = {.surface = {.heights = raster.values,
                                        .width = raster.width,
                                        .height = raster.height,
                                        .stride = raster.width,
                                        .dx = known->dx,
                                        .dy = known->dy}};
    wadi_land_forms forms;
    CHECK_OK(context, wadi_land_forms_measure(context, &land, &forms));
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; ++i)
    {
        const double value = measure_named(&forms, measured[i]);
        const double expected = known->expected[i];
        if (!(fabs(value - expected) <= 0.02 * fabs(expected) + 1e-4))
        {
            fail_msg("%s: %s is %.6g, expected %.6g within 2 %%", known->file, measured[i], value,
                     expected);
        }
    }
    wadi_io_raster_free(&raster);
}

static void crops_have_the_measures_of_the_reference(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    for (size_t i = 0; i < sizeof crops / sizeof crops[0]; ++i)
    {
        check_land(f.context, WADI_SOURCE_DIR, &crops[i]);
    }
    fixture_close(&f);
}

// Each data set by itself: one that is missing does not keep the others from being measured.
static void slow_whole_data_sets_have_the_measures_of_the_reference(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    size_t read = 0;
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; ++i)
    {
        outside_folder folder;
        if (outside_has(&folder, outside[i].file))
        {
            check_land(f.context, folder.path, &outside[i]);
            read += 1;
        }
    }
    fixture_close(&f);
    if (read < sizeof outside / sizeof outside[0])
    {
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crops_have_the_measures_of_the_reference),
        cmocka_unit_test(slow_whole_data_sets_have_the_measures_of_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
