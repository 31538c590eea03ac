// SPDX-License-Identifier: MIT
#pragma once

#include <wadi/derive.h>

// Checks extents, cell sizes and edges of a height field, and that `out` is not NULL; the message
// names the value and its range.
wadi_result wadi_field2d_check(wadi_context* context, const wadi_field2d* field, const void* out);
