// SPDX-License-Identifier: MIT
// Things that the user names.
#pragma once

#include "message.h"

#include <wadi/process.h>

// Process of that name; an unknown one is CLI_USAGE with the nearest name.
cli_status cli_find_process(const char* name, const wadi_process** out);

// What can be set in something that is no process: what a verb has, a kind of source, of region or
// of edit, a body of soil. By the name that messages call it. NULL: there is none.
const wadi_field_table* cli_find_settings(const char* name);
