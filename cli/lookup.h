// SPDX-License-Identifier: MIT
// Things that the user names.
#pragma once

#include "message.h"

#include <wadi/process.h>

// Process of that name; an unknown one is CLI_USAGE with the nearest name.
cli_status cli_find_process(const char* name, const wadi_process** out);
