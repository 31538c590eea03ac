// SPDX-License-Identifier: MIT
// Search for the design with the least volume of earthworks.
#pragma once

#include "processes/regulate/regulate_works.h"

typedef struct regulate_found
{
    regulate_design design;
    int64_t designs; // designs evaluated
} regulate_found;

// The best of the allowed and stable widths and grades. Values given by the parameters are not
// varied. `bed` receives the level of the bed at each station [m]. Fails with WADI_ERROR_RANGE if
// no design is stable.
wadi_result wadi_regulate_search(wadi_context* context, const regulate_works* works, double* bed,
                                 regulate_found* out);
