// SPDX-License-Identifier: MIT
// Grains that collide, slide and break their bonds.
#pragma once

#include <wadi/context.h>

void golden_grains(wadi_context* context);

// A small landslide, from layers to layers.
void golden_wet_grains(wadi_context* context);
void golden_landslide(wadi_context* context);
