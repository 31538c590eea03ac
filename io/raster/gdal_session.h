// SPDX-License-Identifier: MIT
// GDAL without output to the terminal: its messages are caught and become our error messages.
#pragma once

#include <wadi/context.h>

#include "io/libraries/gdal_functions.h"

typedef struct wadi_io_gdal
{
    char message[256]; // first error since wadi_io_gdal_enter(), or ""
} wadi_io_gdal;

// Register drivers and catch messages until wadi_io_gdal_leave(). wadi_io_gdal_need() comes first.
void wadi_io_gdal_enter(wadi_io_gdal* gdal);
void wadi_io_gdal_leave(void);

// Wrap `values` as a GDAL dataset in memory. Borrowed. NULL: out of memory.
GDALDatasetH wadi_io_gdal_wrap(const void* values, int32_t width, int32_t height, int32_t bands,
                               GDALDataType type);
