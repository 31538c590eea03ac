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
