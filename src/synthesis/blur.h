// SPDX-License-Identifier: MIT
#pragma once

#include "synthesis/generator.h"

// Low-pass what is in `out`: three box means, close to a normal curve of that standard deviation
// [cells]. Below half a cell nothing changes. Beyond a border its last cell goes on, or the other
// side where it wraps.
wadi_result wadi_synthesis_blur(const synthesis_grid* grid, double deviation, bool wraps);
