// SPDX-License-Identifier: MIT
// GDAL kept quiet: its messages are caught, so that failures become one line of ours.
#pragma once

#include <wadi/context.h>

#include <gdal.h>

typedef struct wadi_io_gdal
{
    char message[256]; // the first failure since wadi_io_gdal_enter(); "" when there was none
} wadi_io_gdal;

// Register the drivers that Wadi reads and writes, and catch messages until wadi_io_gdal_leave().
void wadi_io_gdal_enter(wadi_io_gdal* gdal);
void wadi_io_gdal_leave(void);

// A float band in memory over `values`, which must outlive it. NULL when there is no memory.
GDALDatasetH wadi_io_gdal_wrap(const void* values, int32_t width, int32_t height, int32_t bands,
                               GDALDataType type);
