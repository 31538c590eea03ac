// SPDX-License-Identifier: MIT
// Small rasters and files for the tests of file formats.
#pragma once

#include "support/fixture.h"

#include "io/raster/raster.h"

#include <stdio.h>
#include <stdlib.h>

#define SAMPLE_DATA WADI_SOURCE_DIR "/test/data/"
#define SAMPLE_SCENES WADI_SOURCE_DIR "/scenes/data/"

// What is known about a raster.
typedef struct sample_numbers
{
    double min;
    double max;
    double mean;
    int64_t voids;
} sample_numbers;

static inline sample_numbers sample_count(const wadi_io_raster* raster)
{
    sample_numbers out = {.min = HUGE_VAL, .max = -HUGE_VAL};
    const int64_t cells = (int64_t)raster->width * raster->height;
    for (int64_t i = 0; i < cells; ++i)
    {
        const double value = (double)raster->values[i];
        out.voids += isnan(value) ? 1 : 0;
        out.min = fmin(out.min, value);
        out.max = fmax(out.max, value);
        out.mean += isnan(value) ? 0.0 : value;
    }
    out.mean /= (double)(cells - out.voids);
    return out;
}

static inline void sample_check_numbers(const wadi_io_raster* raster, const sample_numbers* known)
{
    const sample_numbers found = sample_count(raster);
    CHECK_NEAR(found.min, known->min, 6e-4);
    CHECK_NEAR(found.max, known->max, 6e-4);
    CHECK_NEAR(found.mean, known->mean, 6e-5);
    assert_int_equal(found.voids, known->voids);
}

static inline void sample_write_bytes(const char* path, const void* bytes, size_t size)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void sample_write_text(const char* path, const char* text)
{
    sample_write_bytes(path, text, strlen(text));
}

static inline bool sample_exists(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file != NULL)
    {
        (void)fclose(file);
    }
    return file != NULL;
}

// Copy the first `size` bytes of a file.
static inline void sample_cut(const char* from, const char* to, size_t size)
{
    FILE* file = fopen(from, "rb");
    char* bytes = malloc(size);
    assert_non_null(file);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, size, file), size);
    (void)fclose(file);
    sample_write_bytes(to, bytes, size);
    free(bytes);
}

// Waves with a hole in the middle and one at the rim, in UTM zone 32. Values borrow `values`.
static inline wadi_io_raster sample_raster(float* values, int32_t width, int32_t height)
{
    for (int32_t i = 0; i < width * height; ++i)
    {
        const double x = i % width;
        const double y = i / width;
        values[i] = (float)(431.7 + 0.37 * x * y - 3.3 * y + 0.011 * x * x);
    }
    values[(height / 2) * width + width / 2] = NAN;
    values[(height / 3) * width] = NAN;
    return (wadi_io_raster){
        .width = width,
        .height = height,
        .values = values,
        .dx = 5.0,
        .dy = 5.0,
        .georef = {.valid = true,
                   .affine = {400000.0, 5.0, 0.0, 5200000.0, 0.0, -5.0},
                   .wkt = "PROJCS[\"UTM 32\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS "
                          "84\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\","
                          "0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],PARAMETER["
                          "\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",9],PARAMETER["
                          "\"scale_factor\",0.9996],PARAMETER[\"false_easting\",500000],PARAMETER["
                          "\"false_northing\",0],UNIT[\"metre\",1]]"}};
}
