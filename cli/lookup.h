// SPDX-License-Identifier: MIT
// Lookup of processes and settings by name.
#pragma once

#include "cli/message.h"

#include <wadi/process.h>

// Find a process. An unknown name fails with CLI_USAGE and the nearest name.
cli_status cli_find_process(const char* name, const wadi_process** out);

// Field table of settings that belong to no process: those of a verb, a kind of source, region or
// edit, or a body of soil. NULL: none of that name.
const wadi_field_table* cli_find_settings(const char* name);
