// SPDX-License-Identifier: MIT
#define WADI_IO_GDAL_LOADER
#include "io/libraries/gdal_functions.h"

#if WADI_IO_LOADS

wadi_io_gdal_functions wadi_io_gdal_at;

#define NAME(function) #function,
static const char* const gdal_names[] = {WADI_IO_GDAL_FUNCTIONS(NAME)};

enum
{
    GDAL_COUNT = sizeof gdal_names / sizeof gdal_names[0]
};
_Static_assert(sizeof(wadi_io_gdal_functions) == GDAL_COUNT * sizeof(void*), "only pointers");

wadi_result wadi_io_gdal_need(wadi_context* context)
{
    static wadi_io_library library = {.name = "GDAL",
                                      .file = WADI_IO_GDAL_FILE,
                                      .path = WADI_IO_GDAL_PATH,
                                      .names = gdal_names,
                                      .functions = &wadi_io_gdal_at,
                                      .count = GDAL_COUNT};
    return wadi_io_library_need(context, &library);
}

#else

wadi_result wadi_io_gdal_need(wadi_context* context)
{
    (void)context;
    return WADI_OK; // it was linked
}

#endif
