// SPDX-License-Identifier: MIT
#include "studio/server/server_record.h"

#include "io/replace.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum
{
    RECORD_NAME = 64,     // bytes of a name
    RECORD_NUMBERS = 1000 // files of one name
};

void server_record_create(const char* scene, server_record* record)
{
    *record = (server_record){0};
    const char* slash = scene != NULL ? strrchr(scene, '/') : NULL;
    const size_t length = slash != NULL ? (size_t)(slash - scene) + 1 : 0;
    if (length < sizeof record->folder)
    {
        memcpy(record->folder, scene != NULL ? scene : "", length);
    }
}

// Letters, digits, '-' and '_' of a name, which may come from a page; "studio" when none are left.
static void record_clean(const char* name, char clean[RECORD_NAME])
{
    size_t length = 0;
    for (const char* c = name; *c != '\0' && length + 1 < RECORD_NAME; ++c)
    {
        if (isalnum((unsigned char)*c) || *c == '-' || *c == '_')
        {
            clean[length++] = *c;
        }
    }
    clean[length] = '\0';
    if (length == 0)
    {
        (void)snprintf(clean, RECORD_NAME, "studio");
    }
}

void server_record_choose(server_record* record, const char* name)
{
    char clean[RECORD_NAME];
    record_clean(name, clean);
    (void)snprintf(record->path, sizeof record->path, "%s%s.studio.yaml", record->folder, clean);
    for (int i = 2; access(record->path, F_OK) == 0 && i < RECORD_NUMBERS; ++i)
    {
        (void)snprintf(record->path, sizeof record->path, "%s%s.studio-%d.yaml", record->folder,
                       clean, i);
    }
}

wadi_result server_record_write(wadi_context* context, const server_record* record,
                                const char* text)
{
    wadi_io_replacement replacement;
    const wadi_result begun = wadi_io_replace_begin(context, record->path, &replacement);
    if (begun != WADI_OK)
    {
        return begun;
    }
    errno = 0;
    FILE* file = fopen(replacement.path, "wb");
    if (file != NULL)
    {
        (void)fwrite(text, 1, strlen(text), file);
    }
    const wadi_result written = wadi_io_close_written(context, file);
    return written == WADI_OK ? wadi_io_replace_commit(context, &replacement)
                              : wadi_io_replace_abort(context, &replacement, written);
}
