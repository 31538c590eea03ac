// SPDX-License-Identifier: MIT
// Field table rows of the laws of sand, for processes whose parameters have members of the same
// names. `models` is the set of models that read them, 0: all.
#pragma once

#include "core/field_rows.h"

// clang-format off
#define SAND_PLANT_DRAG_ROW(params, models) \
    FIELD_NUMBER_OF(params, models, plant_drag, 16.0, 0.0, 100.0, "1", "plants reduce the shear stress on the ground to 1 / (1 + plant_drag x cover)", "Raupach 1992; Duran & Moore 2013: 16")
#define SAND_WET_GAIN_ROW(params, models) \
    FIELD_NUMBER_OF(params, models, wet_gain, 2.4, 0.0, 10.0, "1", "relative rise of the threshold speed from dry to saturated sand; it grows with moisture as Fecan's law does", "Fecan et al. 1999: 2.4 for sand that holds a quarter of its mass of water")
// clang-format on
