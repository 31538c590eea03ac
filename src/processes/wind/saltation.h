// SPDX-License-Identifier: MIT
// Parcels of saltating sand: the default model of the process "wind".
// docs/theory/wind.md lists the equations and the purpose of each.
#pragma once

#include "processes/wind/wind_internal.h"

extern const wadi_model_api wadi_saltation_api;
