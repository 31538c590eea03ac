// SPDX-License-Identifier: MIT
// The surface of a terrain as a height field for routes and sections.
#pragma once

#include "terrain/ground.h"

#include <wadi/derive.h>

// Fill `heights`, one value per cell, NaN where there is no data, and return a field of them.
// Periodic edges count as closed: channels do not cross them.
wadi_field2d wadi_channel_field_of(const wadi_ground* ground, float* heights);
