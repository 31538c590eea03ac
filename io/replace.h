// SPDX-License-Identifier: MIT
// Output files appear whole or not at all: they are written in a folder of their own beside the
// target and then moved over it. Files that a format puts beside its own (.prj) move along.
#pragma once

#include <wadi/context.h>

#include <limits.h>

typedef struct wadi_io_replacement
{
    const char* target;
    char folder[PATH_MAX];   // the temporary one
    char path[2 * PATH_MAX]; // write here: the target's own name, inside the folder
} wadi_io_replacement;

// Begin. Fails where the target's folder takes no files.
wadi_result wadi_io_replace_begin(wadi_context* context, const char* target,
                                  wadi_io_replacement* out);

// Move what was written over the target.
wadi_result wadi_io_replace_commit(wadi_context* context, wadi_io_replacement* replacement);

// Remove what was written; the target stays as it was. Fails with `code` and a message that names
// the target and quotes the last one, of the writer, as the cause.
wadi_result wadi_io_replace_abort(wadi_context* context, wadi_io_replacement* replacement,
                                  wadi_result code);
