// SPDX-License-Identifier: MIT
// Layers of a terrain as variables of a NetCDF file, by the CF conventions.
#pragma once

#include <wadi/terrain.h>

// Turn a status of libnetcdf into a result, with its message.
wadi_result wadi_io_cf_check(wadi_context* context, int status);

// Return from the function unless the result is WADI_OK.
#define WADI_IO_CF_TRY(expression)                                                                 \
    do                                                                                             \
    {                                                                                              \
        const wadi_result cf_result = (expression);                                                \
        if (cf_result != WADI_OK)                                                                  \
        {                                                                                          \
            return cf_result;                                                                      \
        }                                                                                          \
    } while (0)

// Write coordinates, coordinate system and all layers: surface, bedrock, loose layers, water and
// shares, with NaN in void cells.
wadi_result wadi_io_cf_layers(wadi_context* context, int file, wadi_terrain* terrain);
