// SPDX-License-Identifier: MIT
// Shared by grain_land.c, which reads the ground, and grain_settle.c, which changes it.
#pragma once

#include "processes/articles/wind_grains/grain_state.h"

// Rate of a cell that is not there: with any neighbour's it stays below 0.
#define LAND_NOWHERE (-1.0e9f)

// Bring the rim up to date, and mark its chunks where it shows cells of marked ones.
void wadi_grain_land_fill_rim(grain_land* land, uint8_t* flags);
void wadi_grain_land_freeze_all(grain_land* land);
