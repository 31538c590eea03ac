// SPDX-License-Identifier: MIT
// The model "parcels" of `hydraulic`.
#pragma once

#include "support/fixture.h"

wadi_hydraulic_params parcels_params(void);

// Default duration [yr].
double parcels_years(void);
