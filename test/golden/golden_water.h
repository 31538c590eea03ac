// SPDX-License-Identifier: MIT
// Water as particles, for the golden hashes.
#pragma once

#include <wadi/context.h>

void golden_water(wadi_context* context);
