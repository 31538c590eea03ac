// SPDX-License-Identifier: MIT
// Projections in files FILE.prj beside grids of ESRI that GDAL does not read.
#pragma once

#include <wadi/context.h>

// The projection beside a raster as WKT, which the caller frees; NULL: there is none. GDAL has
// found none, since editors put a byte order mark before the text. Logs a line where the file is no
// projection, since cells of degrees would pass for metres.
char* wadi_io_projection_beside(wadi_context* context, const char* path);
