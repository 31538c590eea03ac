// SPDX-License-Identifier: MIT
#pragma once

#include <wadi/flood_route.h>

// Create a flood that leaves over `outlet` (numbered as in channel_route.h), not over the outlet of
// the parameters.
wadi_result wadi_flood_create_to(wadi_context* context, const wadi_field2d* field,
                                 const wadi_flood_params* params, int32_t outlet, wadi_flood** out);
