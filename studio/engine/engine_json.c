// SPDX-License-Identifier: MIT
#include "studio/engine/engine_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wadi_json_reset(studio_json* json)
{
    json->size = 0;
    json->failed = false;
    json->comma = false;
}

void wadi_json_free(studio_json* json)
{
    free(json->text);
    *json = (studio_json){0};
}

void wadi_json_raw(studio_json* json, const char* bytes, size_t size)
{
    if (!json->failed && json->room - json->size < size)
    {
        const size_t room = 2 * json->room + size + 1024;
        char* text = realloc(json->text, room);
        json->failed = text == NULL;
        json->text = text != NULL ? text : json->text;
        json->room = text != NULL ? room : json->room;
    }
    if (!json->failed && size > 0) // a text that is still empty has no memory
    {
        memcpy(json->text + json->size, bytes, size);
        json->size += size;
    }
}

static void json_put(studio_json* json, const char* text)
{
    wadi_json_raw(json, text, strlen(text));
}

static void json_quote(studio_json* json, const char* text)
{
    json_put(json, "\"");
    for (const char* c = text; *c != '\0'; ++c)
    {
        const unsigned char byte = (unsigned char)*c;
        char escaped[8];
        if (byte == '"' || byte == '\\')
        {
            (void)snprintf(escaped, sizeof escaped, "\\%c", byte);
            json_put(json, escaped);
        }
        else if (byte < 0x20)
        {
            (void)snprintf(escaped, sizeof escaped, "\\u%04x", byte);
            json_put(json, escaped);
        }
        else
        {
            wadi_json_raw(json, c, 1);
        }
    }
    json_put(json, "\"");
}

static void json_begin(studio_json* json, const char* key)
{
    json_put(json, json->comma ? "," : "");
    json->comma = true;
    if (key != NULL)
    {
        json_quote(json, key);
        json_put(json, ":");
    }
}

void wadi_json_open(studio_json* json, const char* key, char bracket)
{
    json_begin(json, key);
    wadi_json_raw(json, &bracket, 1);
    json->comma = false;
}

void wadi_json_close(studio_json* json, char bracket)
{
    wadi_json_raw(json, &bracket, 1);
    json->comma = true;
}

void wadi_json_null(studio_json* json, const char* key)
{
    json_begin(json, key);
    json_put(json, "null");
}

void wadi_json_text(studio_json* json, const char* key, const char* value)
{
    if (value == NULL)
    {
        wadi_json_null(json, key);
        return;
    }
    json_begin(json, key);
    json_quote(json, value);
}

void wadi_json_number(studio_json* json, const char* key, double value)
{
    if (!isfinite(value))
    {
        wadi_json_null(json, key);
        return;
    }
    char text[40];
    (void)snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value)
    {
        (void)snprintf(text, sizeof text, "%.17g", value);
    }
    for (char* comma = strchr(text, ','); comma != NULL; comma = NULL)
    {
        *comma = '.'; // in other locales
    }
    json_begin(json, key);
    json_put(json, text);
}

void wadi_json_bool(studio_json* json, const char* key, bool value)
{
    json_begin(json, key);
    json_put(json, value ? "true" : "false");
}

void wadi_json_hash(studio_json* json, const char* key, uint64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%016llx", (unsigned long long)value);
    wadi_json_text(json, key, text);
}
