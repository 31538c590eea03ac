// SPDX-License-Identifier: MIT
// The source "soil" of loose layers.
#pragma once

#include "scene/scene_internal.h"

extern const wadi_field_table wadi_scene_soil_fields;

// Depth of the soil that the land would carry [m].
wadi_result wadi_scene_fill_soil(const scene_fill* fill, float* out);
