// SPDX-License-Identifier: MIT
// Files that a command line names: what one option writes, no other may read.
#pragma once

#include "cli/options.h"

// Fail if an option names a file to write that an operand or another option names as well, as it is
// or behind NAME=. `options` is the struct that cli_parse() has filled.
cli_status cli_option_files_check(const cli_command* command, const cli_list* operands,
                                  const void* options);
