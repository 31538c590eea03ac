// SPDX-License-Identifier: MIT
// The file that the record of a session is saved to while it is played: NAME.studio.yaml beside the
// scene, or NAME.studio-2.yaml and so on. A file that was there before is never written over.
#pragma once

#include <wadi/context.h>

#include <limits.h>

typedef struct server_record
{
    char folder[PATH_MAX];   // "" or ending in '/'
    char path[2 * PATH_MAX]; // "": none chosen yet
} server_record;

// The folder of a scene file; "" for NULL.
void server_record_create(const char* scene, server_record* record);
// From now on another record with another name is written: of letters, digits, '-' and '_' in
// `name`.
void server_record_choose(server_record* record, const char* name);
// Write the text in place of the one before, whole or not at all.
wadi_result server_record_write(wadi_context* context, const server_record* record,
                                const char* text);
