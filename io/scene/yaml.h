// SPDX-License-Identifier: MIT
// YAML documents with source positions, restricted to a strict subset: mappings with unique plain
// keys, lists and scalars; no anchors, aliases or tags, one document per file. The subset is
// checked when parsing, so that the read functions cannot fail.
#pragma once

#include <wadi/context.h>

#define SCENE_TRY(expression)                                                                      \
    do                                                                                             \
    {                                                                                              \
        const wadi_result try_result = (expression);                                               \
        if (try_result != WADI_OK)                                                                 \
        {                                                                                          \
            return try_result;                                                                     \
        }                                                                                          \
    } while (0)

typedef struct wadi_yaml wadi_yaml;
typedef struct fy_node wadi_yaml_node;

typedef enum wadi_yaml_kind
{
    WADI_YAML_SCALAR,
    WADI_YAML_LIST,
    WADI_YAML_MAP
} wadi_yaml_kind;

// An entry of a mapping, or an item of a list (`key` is NULL).
typedef struct wadi_yaml_entry
{
    wadi_yaml_node* key;
    wadi_yaml_node* value;
} wadi_yaml_entry;

// Longest text that is read. A record of many strokes is long; libfyaml takes 60 bytes a byte.
#define WADI_YAML_MAX_BYTES 4194304

// Parse `length` bytes; `name` is the file's name in messages. On failure *out is NULL.
wadi_result wadi_yaml_parse(wadi_context* context, const char* name, const char* text,
                            size_t length, wadi_yaml** out);
void wadi_yaml_destroy(wadi_yaml* yaml); // NULL is allowed

wadi_yaml_node* wadi_yaml_root(const wadi_yaml* yaml); // a mapping
wadi_yaml_kind wadi_yaml_kind_of(wadi_yaml_node* node);
const char* wadi_yaml_text(wadi_yaml_node* node); // "" for an empty value, a list and a mapping
int32_t wadi_yaml_count(wadi_yaml_node* node);    // entries or items; 0 for a scalar

// Iterate over a mapping or a list: start with *place NULL; returns false at the end.
bool wadi_yaml_next(wadi_yaml_node* node, void** place, wadi_yaml_entry* entry);
wadi_yaml_node* wadi_yaml_find(wadi_yaml_node* map, const char* key); // NULL: not found

// Replace or add a value in a mapping. `value` is YAML text; `label`, such as "--set a.b", replaces
// the position in messages.
wadi_result wadi_yaml_set(wadi_yaml* yaml, wadi_yaml_node* map, const char* key, const char* value,
                          const char* label);
// Replace an item of a list.
wadi_result wadi_yaml_set_item(wadi_yaml* yaml, wadi_yaml_node* list, int32_t index,
                               const char* value, const char* label);

// Position of a node: "file:line:column", or the label of the override that set it.
void wadi_yaml_place(const wadi_yaml* yaml, wadi_yaml_node* node, char* text, size_t size);

// Fail with a message that starts with the node's position.
wadi_result wadi_yaml_fail(const wadi_yaml* yaml, wadi_yaml_node* node, wadi_result code,
                           const char* format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

wadi_context* wadi_yaml_context(const wadi_yaml* yaml);
