// SPDX-License-Identifier: MIT
// Shared by the files of src/maps/derive.
#pragma once

#include "core/internal.h"
#include "terrain/field2d.h"

#include <wadi/flow.h>

// Maps of drainage: WADI_DERIVED_FILLED and following. The field has been checked.
wadi_result wadi_derive_flow(wadi_context* context, const wadi_field2d* field, wadi_derived map,
                             float* out);
