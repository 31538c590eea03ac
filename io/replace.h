// SPDX-License-Identifier: MIT
// Atomic replacement of output files. A file is written in a temporary folder beside the target and
// then moved over it. Files that a format adds to its own (.prj) are moved too.
#pragma once

#include <wadi/context.h>

#include <limits.h>
#include <stdio.h>

typedef struct wadi_io_replacement
{
    const char* target;
    char folder[PATH_MAX];   // temporary
    char path[2 * PATH_MAX]; // file to write: the target's name inside `folder`
    int lock;                // on the folder, while the program lives
} wadi_io_replacement;

// Create the temporary folder. Fails where the target's folder is not writable.
wadi_result wadi_io_replace_begin(wadi_context* context, const char* target,
                                  wadi_io_replacement* out);

// Close a file that was written, or NULL if it could not be opened. Fails if any of its writes did;
// set errno to 0 before it is opened.
wadi_result wadi_io_close_written(wadi_context* context, FILE* file);

// Move the written files to the target's folder.
wadi_result wadi_io_replace_commit(wadi_context* context, wadi_io_replacement* replacement);

// Delete what programs that have ended left in a folder: temporary files and folders that nobody
// locks.
void wadi_io_replace_clean(const char* folder);

// Delete the temporary files; the target keeps its old content. Fails with `code`; the message
// names the target and quotes the writer's last error.
wadi_result wadi_io_replace_abort(wadi_context* context, wadi_io_replacement* replacement,
                                  wadi_result code);
