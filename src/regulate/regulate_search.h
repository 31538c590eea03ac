// SPDX-License-Identifier: MIT
// The design that moves least ground.
#pragma once

#include "regulate/regulate_works.h"

typedef struct regulate_found
{
    regulate_design design;
    int64_t designs; // that were looked at
} regulate_found;

// Among widths and grades that are allowed and that the bed withstands; one that the parameters
// give is taken as given. `bed` gets the level of the bed at each station [m]. Fails with
// WADI_ERROR_RANGE where no design does.
wadi_result wadi_regulate_search(wadi_context* context, const regulate_works* works, double* bed,
                                 regulate_found* out);
