// SPDX-License-Identifier: MIT
// The article's wind particles: presets "paper" and "paper-repo" of the process "wind", as wind.c
// sees them.
#pragma once

#include "wind/wind_internal.h"

extern const wadi_solver_api wadi_grains_api;
