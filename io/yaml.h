// SPDX-License-Identifier: MIT
// YAML documents with positions: the strict subset that a configuration file needs. Mappings with
// unique plain keys, lists and scalars; no anchors, aliases or tags, one document per file. What
// parses is known to be of that shape, so reading it back cannot fail.
#pragma once

#include <wadi/context.h>

typedef struct wadi_yaml wadi_yaml;
typedef struct fy_node wadi_yaml_node;

typedef enum wadi_yaml_kind
{
    WADI_YAML_SCALAR,
    WADI_YAML_LIST,
    WADI_YAML_MAP
} wadi_yaml_kind;

// One entry of a mapping, or one item of a list with `key` NULL.
typedef struct wadi_yaml_entry
{
    wadi_yaml_node* key;
    wadi_yaml_node* value;
} wadi_yaml_entry;

// Parse `length` bytes; `name` is what messages call the file. On failure *out is NULL.
wadi_result wadi_yaml_parse(wadi_context* context, const char* name, const char* text,
                            size_t length, wadi_yaml** out);
void wadi_yaml_destroy(wadi_yaml* yaml); // NULL is allowed

wadi_yaml_node* wadi_yaml_root(const wadi_yaml* yaml); // a mapping
wadi_yaml_kind wadi_yaml_kind_of(wadi_yaml_node* node);
const char* wadi_yaml_text(wadi_yaml_node* scalar); // "" for an empty value
int32_t wadi_yaml_count(wadi_yaml_node* node);      // entries or items; 0 for a scalar

// Walk a mapping or a list: start with *place NULL; false when there is no more.
bool wadi_yaml_next(wadi_yaml_node* node, void** place, wadi_yaml_entry* entry);
wadi_yaml_node* wadi_yaml_find(wadi_yaml_node* map, const char* key); // NULL when it is not there

// Replace or add a value in a mapping. `value` is YAML text; `label`, such as "--set a.b", stands
// in messages for the position.
wadi_result wadi_yaml_set(wadi_yaml* yaml, wadi_yaml_node* map, const char* key, const char* value,
                          const char* label);
// Replace an item of a list.
wadi_result wadi_yaml_set_item(wadi_yaml* yaml, wadi_yaml_node* list, int32_t index,
                               const char* value, const char* label);

// Where a node was written: "file:line:column", or the label of what set it.
void wadi_yaml_place(const wadi_yaml* yaml, wadi_yaml_node* node, char* text, size_t size);

// Fail with a message that starts with the node's place.
wadi_result wadi_yaml_fail(const wadi_yaml* yaml, wadi_yaml_node* node, wadi_result code,
                           const char* format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

wadi_context* wadi_yaml_context(const wadi_yaml* yaml);
