// SPDX-License-Identifier: MIT
#pragma once

#include <wadi/render.h>

// Set the azimuth and altitude of the sun from hour, latitude and day, unless the hour is 0. Fails
// with WADI_ERROR_RANGE when the sun is below the horizon.
wadi_result wadi_sun_of_hour(wadi_context* context, wadi_render_params* params);
