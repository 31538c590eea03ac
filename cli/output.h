// SPDX-License-Identifier: MIT
// Output files: checked before the work starts, written atomically.
#pragma once

#include "cli/message.h"

#include <stddef.h>

// Check that `path` can be written, and make its folders. Fails for a folder, a read-only file or a
// folder that is not writable. Existing files are not touched.
cli_status cli_output_check(const char* path);

// The same for an output folder.
cli_status cli_output_check_folder(const char* path);

// Fail if two names are of one file, which may not exist yet, or if one is the sidecar of the
// other. `what` says what the second is: "is also the report".
cli_status cli_output_check_apart(const char* output, const char* other, const char* what);

// Fail if the output file is the input file.
cli_status cli_output_check_distinct(const char* output, const char* input);

// Check outputs, of which those that are NULL are not asked for: each can be written, none is
// another or the input. `input` may be NULL.
cli_status cli_output_check_all(const char* const* outputs, size_t count, const char* input);

// Write `text` atomically: an error leaves `path` unchanged.
cli_status cli_output_write(const char* path, const char* text);
cli_status cli_output_write_bytes(const char* path, const void* bytes, size_t size);

// Lock a folder for one run. The lock ends with the program, however that ends. `*lock` is -1 where
// there is none.
cli_status cli_output_lock(const char* folder, int* lock);
void cli_output_unlock(int* lock);
