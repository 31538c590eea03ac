// SPDX-License-Identifier: MIT
// JSON text that grows. After a lack of memory it stays as it is, with `failed` set.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct studio_json
{
    char* text;
    size_t size;
    size_t room;
    bool failed;
    bool comma; // the next value needs one
} studio_json;

void wadi_json_reset(studio_json* json);
void wadi_json_free(studio_json* json);

// A key is NULL in a list, and for the outermost value.
void wadi_json_open(studio_json* json, const char* key, char bracket);      // '{' or '['
void wadi_json_close(studio_json* json, char bracket);                      // '}' or ']'
void wadi_json_text(studio_json* json, const char* key, const char* value); // NULL: null
void wadi_json_number(studio_json* json, const char* key, double value);    // not finite: null
void wadi_json_bool(studio_json* json, const char* key, bool value);
void wadi_json_null(studio_json* json, const char* key);
void wadi_json_hash(studio_json* json, const char* key, uint64_t value); // 16 digits
// Bytes as they are.
void wadi_json_raw(studio_json* json, const char* bytes, size_t size);
