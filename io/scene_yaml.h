// SPDX-License-Identifier: MIT
// Scene files: YAML, read strictly. docs/scenes.md describes the format.
#pragma once

#include <wadi/scene.h>

// Make a scene from text. `name` is what messages call the file. Each override is "path=value", as
// `wadi run --set` takes it: "hydraulic.rain=1 m/yr" reaches the key of every step of that name,
// "steps.0.hydraulic.rain=..." that of the first step, "terrain.size=[64, 64]" any other key. On
// failure *out is NULL and the message starts with "name:line:column".
wadi_result wadi_io_scene_parse(wadi_context* context, const char* name, const char* text,
                                size_t length, const char* const* overrides, int32_t override_count,
                                wadi_scene** out);

// The same for a file.
wadi_result wadi_io_scene_read(wadi_context* context, const char* path,
                               const char* const* overrides, int32_t override_count,
                               wadi_scene** out);
