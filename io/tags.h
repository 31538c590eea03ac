// SPDX-License-Identifier: MIT
// What an output file says about its origin: version, scene or command, inputs, seed, hash.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum
{
    WADI_IO_TAGS_MOST = 16
};

typedef struct wadi_io_tag
{
    const char* key; // a constant, such as "wadi_seed"
    char* value;
} wadi_io_tag;

// All zero: none.
typedef struct wadi_io_tags
{
    wadi_io_tag rows[WADI_IO_TAGS_MOST];
    int32_t count;
} wadi_io_tags;

// Set a tag to a copy of `value`, in place of an earlier value. NULL removes the value. A tag for
// which there is no memory is left out.
void wadi_io_tags_set(wadi_io_tags* tags, const char* key, const char* value);
// The value of a tag, or NULL.
const char* wadi_io_tags_get(const wadi_io_tags* tags, const char* key);
// Write the tags as comments of a mesh or of points, each line after `prefix`. Long values are cut
// at blanks, because some readers have lines of at most 1023 bytes; control characters become
// blanks.
void wadi_io_tags_print(const wadi_io_tags* tags, const char* prefix, FILE* file);
void wadi_io_tags_free(wadi_io_tags* tags);
