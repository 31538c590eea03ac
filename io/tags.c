// SPDX-License-Identifier: MIT
#include "io/tags.h"

#include <stdlib.h>
#include <string.h>

static int32_t tags_find(const wadi_io_tags* tags, const char* key)
{
    int32_t i = 0;
    while (i < tags->count && strcmp(tags->rows[i].key, key) != 0)
    {
        ++i;
    }
    return i;
}

void wadi_io_tags_set(wadi_io_tags* tags, const char* key, const char* value)
{
    const int32_t i = tags_find(tags, key);
    if (i == WADI_IO_TAGS_MOST)
    {
        return;
    }
    if (i < tags->count)
    {
        free(tags->rows[i].value);
    }
    tags->count = i < tags->count ? tags->count : i + 1;
    tags->rows[i] = (wadi_io_tag){key, value != NULL ? strdup(value) : NULL};
}

const char* wadi_io_tags_get(const wadi_io_tags* tags, const char* key)
{
    const int32_t i = tags_find(tags, key);
    return i < tags->count ? tags->rows[i].value : NULL;
}

void wadi_io_tags_free(wadi_io_tags* tags)
{
    for (int32_t i = 0; i < tags->count; ++i)
    {
        free(tags->rows[i].value);
    }
    tags->count = 0;
}

void wadi_io_tags_print(const wadi_io_tags* tags, const char* prefix, FILE* file)
{
    for (int32_t i = 0; tags != NULL && i < tags->count; ++i)
    {
        const wadi_io_tag* tag = &tags->rows[i];
        if (tag->value == NULL)
        {
            continue;
        }
        int column = fprintf(file, "%s%s: ", prefix, tag->key);
        for (const char* c = tag->value; *c != '\0'; ++c)
        {
            const bool ends = (column >= 160 && *c == ' ') ||
                              (column >= 500 && ((unsigned char)*c & 0xC0u) != 0x80u);
            column = ends ? fprintf(file, "\n%s ", prefix) : column + 1;
            (void)putc((unsigned char)*c < ' ' ? ' ' : *c, file);
        }
        (void)putc('\n', file);
    }
}
