// SPDX-License-Identifier: MIT
// Checks of the YAML subset: UTF-8 text, unique plain keys, no anchors, aliases or tags, limited
// depth.
#pragma once

#include "io/scene/yaml.h"

wadi_result wadi_yaml_check_text(wadi_context* context, const char* name, const char* bytes,
                                 size_t length);

// Check a tree of nodes; the message starts with the position of the first invalid one.
wadi_result wadi_yaml_check(const wadi_yaml* yaml, struct fy_node* node);
