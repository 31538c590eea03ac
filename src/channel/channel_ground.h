// SPDX-License-Identifier: MIT
// The ground of a terrain as routes and sections read it.
#pragma once

#include "terrain/ground.h"

#include <wadi/derive.h>

// Fill `heights`, a value for each cell, NaN where there is no data, and describe them. Periodic
// edges count as closed: channels do not cross the seam of an endless world.
wadi_field2d wadi_channel_field_of(const wadi_ground* ground, float* heights);
