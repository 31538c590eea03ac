// SPDX-License-Identifier: MIT
#pragma once

#include <wadi/flood_route.h>

// A flood that leaves over `outlet`, as channel_route.h counts outlets, whatever the parameters
// say.
wadi_result wadi_flood_create_to(wadi_context* context, const wadi_field2d* field,
                                 const wadi_flood_params* params, int32_t outlet, wadi_flood** out);
