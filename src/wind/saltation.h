// SPDX-License-Identifier: MIT
// Parcels of saltating sand: the default model of the process "wind", as wind.c sees it.
// docs/theory/wind.md has the equations and what each of them is for.
#pragma once

#include "wind/wind_internal.h"

extern const wadi_solver_api wadi_saltation_api;
