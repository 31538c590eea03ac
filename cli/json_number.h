// SPDX-License-Identifier: MIT
#pragma once

#include <jansson.h>
#include <math.h>

// A JSON number, or null for infinity and NaN, which JSON does not have.
static inline json_t* cli_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}
