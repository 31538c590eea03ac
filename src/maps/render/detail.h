// SPDX-License-Identifier: MIT
// Relief and colour of the ground that is smaller than its cells: blocks of rock, boulders, crowns
// of trees and tufts.
#pragma once

#include "maps/render/picture.h"

// Share of its light that the ground at (x, y) [cells] reflects, of which a pixel covers `pixel`
// cells: about 1.
float wadi_picture_detail(const render_relief* relief, const relief_point* at, float x, float y,
                          float pixel, const sunlight* light);
