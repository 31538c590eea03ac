// SPDX-License-Identifier: MIT
// The article's wind particles: presets "paper" and "paper-repo" of the process "wind", as wind.c
// sees them.
#pragma once

#include "processes/wind/wind_internal.h"

extern const wadi_model_api wadi_grains_api;
