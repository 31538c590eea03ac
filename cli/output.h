// SPDX-License-Identifier: MIT
// Output files: checked before the work starts, written whole or not at all.
#pragma once

#include "message.h"

// Make sure that a file can be written at `path`: make its folders, refuse a folder, a read-only
// file, and a folder that takes no files. Nothing that exists is touched.
cli_status cli_output_check(const char* path);

// The same for a folder that files will go to.
cli_status cli_output_check_folder(const char* path);

// Refuse an output that is one of the inputs.
cli_status cli_output_check_distinct(const char* output, const char* input);

// Write `text` to a temporary file beside `path`, then rename: an error leaves `path` as it was.
cli_status cli_output_write(const char* path, const char* text);
