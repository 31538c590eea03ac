// SPDX-License-Identifier: MIT
// What the files of src/derive share.
#pragma once

#include "core/internal.h"

#include <wadi/flow.h>

wadi_result wadi_derive_check_field(wadi_context* context, const wadi_field2d* field,
                                    const void* out);

// Maps that need to know where water goes: WADI_DERIVED_FILLED and on. The field has been checked.
wadi_result wadi_derive_flow(wadi_context* context, const wadi_field2d* field, wadi_derived map,
                             float* out);

// Steepest of eight facets at one cell, as wadi_flow_route() gives it off level ground. On level
// ground, in pits and where there is no data: WADI_FLOW_NOWHERE.
wadi_flow_target wadi_flow_dinf_at(const wadi_field2d* field, int32_t column, int32_t row);
