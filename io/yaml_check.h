// SPDX-License-Identifier: MIT
// What of YAML is let through: UTF-8 text, unique plain keys, no anchors, aliases or tags, not
// nested too deep.
#pragma once

#include "yaml.h"

wadi_result wadi_yaml_check_text(wadi_context* context, const char* name, const char* bytes,
                                 size_t length);

// A tree of nodes; the message starts with the place of the bad one.
wadi_result wadi_yaml_check(const wadi_yaml* yaml, struct fy_node* node);
