// SPDX-License-Identifier: MIT
#pragma once

#include "maps/synthesis/generator.h"

// Smooth `out` by three box means, close to a Gaussian of standard deviation `deviation` [cells].
// Below half a cell nothing changes. Beyond the border values wrap, or the last cell is repeated.
wadi_result wadi_synthesis_blur(const synthesis_grid* grid, double deviation, bool wraps);
