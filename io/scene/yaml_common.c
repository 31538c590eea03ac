// SPDX-License-Identifier: MIT
// What both trees share: YAML by libfyaml (yaml.c), and JSON in the studio's module
// (studio/wasm/tree.c).
#include "io/scene/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

wadi_result wadi_yaml_fail(const wadi_yaml* yaml, wadi_yaml_node* node, wadi_result code,
                           const char* format, ...)
{
    char place[512];
    wadi_yaml_place(yaml, node, place, sizeof place);
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return wadi_context_fail(wadi_yaml_context(yaml), code, "%s: %s", place, text);
}

wadi_yaml_node* wadi_yaml_find(wadi_yaml_node* map, const char* key)
{
    void* place = NULL;
    wadi_yaml_entry entry;
    bool found = false;
    while (!found && wadi_yaml_next(map, &place, &entry))
    {
        found = entry.key != NULL && strcmp(wadi_yaml_text(entry.key), key) == 0;
    }
    return found ? entry.value : NULL;
}
