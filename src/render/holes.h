// SPDX-License-Identifier: MIT
// Holes in the ground: voids with ground all around, such as radar leaves on steep slopes. A
// picture bridges them with a plain grey membrane; large voids that reach the border stay open.
#pragma once

#include "render/relief.h"

// Fill the holes of `ground` and mark their cells in `hole`.
wadi_result holes_fill(render_relief* relief);
