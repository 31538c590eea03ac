// SPDX-License-Identifier: MIT
#pragma once

#include <jansson.h>
#include <math.h>

// A number for JSON, which has no infinity and no NaN: those are null.
static inline json_t* cli_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}
