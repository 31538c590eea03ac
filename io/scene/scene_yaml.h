// SPDX-License-Identifier: MIT
// Scene files: YAML, read strictly. docs/scenes.md describes the format.
#pragma once

#include <wadi/scene.h>

// Make a scene from text. `name` is the file's name in messages. Each override is "path=value"
// (`wadi run --set`): "hydraulic.rain=1 m/yr" sets the key in every step of that name,
// "steps.0.hydraulic.rain=..." in the first step, "terrain.size=[64, 64]" any other key. On failure
// *out is NULL and the message starts with "name:line:column".
wadi_result wadi_io_scene_parse(wadi_context* context, const char* name, const char* text,
                                size_t length, const char* const* overrides, int32_t override_count,
                                wadi_scene** out);

// Read the text of a scene file; the caller frees it, also after a failure. It ends with a zero.
wadi_result wadi_io_scene_text(wadi_context* context, const char* path, char** text,
                               size_t* length);

// The same as wadi_io_scene_parse() for a file.
wadi_result wadi_io_scene_read(wadi_context* context, const char* path,
                               const char* const* overrides, int32_t override_count,
                               wadi_scene** out);
