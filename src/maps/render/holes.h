// SPDX-License-Identifier: MIT
// Holes: voids surrounded by ground, such as radar shadow on steep slopes. Pictures fill them with
// a smooth grey surface; large voids at the border stay open.
#pragma once

#include "maps/render/relief.h"

// Fill the holes of `ground` and mark their cells in `hole`.
wadi_result wadi_holes_fill(render_relief* relief);
