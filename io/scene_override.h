// SPDX-License-Identifier: MIT
// Overrides of a scene file's values, as `wadi run --set` gives them.
#pragma once

#include "yaml.h"

// Put one override, "path=value", into a document before it is read; see scene_yaml.h.
wadi_result wadi_io_scene_override(wadi_yaml* yaml, const char* override);
