// SPDX-License-Identifier: MIT
// What the two halves of the land share: grain_land.c reads it, grain_settle.c changes it.
#pragma once

#include "wind/grain_state.h"

// Rate of a cell that is not there: with any neighbour's it stays below 0.
#define LAND_NOWHERE (-1.0e9f)

// Bring the rim up to date, and mark its chunks where it shows cells of marked ones.
void grain_land_fill_rim(grain_land* land, uint8_t* flags);
void grain_land_freeze_all(grain_land* land);
