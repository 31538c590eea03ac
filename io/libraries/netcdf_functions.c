// SPDX-License-Identifier: MIT
#define WADI_IO_NETCDF_LOADER
#include "io/libraries/netcdf_functions.h"

#if WADI_IO_LOADS

wadi_io_netcdf_functions wadi_io_netcdf_at;

#define NAME(function) #function,
static const char* const netcdf_names[] = {WADI_IO_NETCDF_FUNCTIONS(NAME)};

enum
{
    NETCDF_COUNT = sizeof netcdf_names / sizeof netcdf_names[0]
};
_Static_assert(sizeof(wadi_io_netcdf_functions) == NETCDF_COUNT * sizeof(void*), "only pointers");

wadi_result wadi_io_netcdf_need(wadi_context* context)
{
    static wadi_io_library library = {.name = "the library for NetCDF",
                                      .file = WADI_IO_NETCDF_FILE,
                                      .path = WADI_IO_NETCDF_PATH,
                                      .names = netcdf_names,
                                      .functions = &wadi_io_netcdf_at,
                                      .count = NETCDF_COUNT};
    return wadi_io_library_need(context, &library);
}

#else

wadi_result wadi_io_netcdf_need(wadi_context* context)
{
    (void)context;
    return WADI_OK; // it was linked
}

#endif
