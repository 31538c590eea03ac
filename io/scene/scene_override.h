// SPDX-License-Identifier: MIT
// Overrides of values in a scene file: `wadi run --set`.
#pragma once

#include "io/scene/yaml.h"

// Apply one override, "path=value", to a document before it is read; see scene_yaml.h.
wadi_result wadi_io_scene_override(wadi_yaml* yaml, const char* override);
