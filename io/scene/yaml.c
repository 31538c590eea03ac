// SPDX-License-Identifier: MIT
// YAML by libfyaml; wadi_yaml_check() then refuses everything outside the subset.
#include "io/scene/yaml.h"

#include "io/scene/yaml_check.h"

#include <libfyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    YAML_MAX_OVERRIDES = 256,
    YAML_LABEL_LENGTH = 96
};

// A node set by an override.
typedef struct yaml_override
{
    struct fy_node* node;
    struct fy_node* key; // key that the override added, or NULL
    bool is_stale;       // replaced by a later override
    char label[YAML_LABEL_LENGTH];
} yaml_override;

struct wadi_yaml
{
    wadi_context* context;
    char* name;
    char* text;
    struct fy_diag* diag;
    struct fy_parser* parser;
    struct fy_document* document;
    yaml_override overrides[YAML_MAX_OVERRIDES];
    int32_t override_count;
};

wadi_context* wadi_yaml_context(const wadi_yaml* yaml)
{
    return yaml->context;
}

// ---- places and failures ------------------------------------------------------------------------

// First scalar inside a node; for a mapping, its first key.
static struct fy_node* yaml_first_scalar(struct fy_node* node)
{
    while (node != NULL && !fy_node_is_scalar(node))
    {
        void* place = NULL;
        if (fy_node_is_mapping(node))
        {
            struct fy_node_pair* pair = fy_node_mapping_iterate(node, &place);
            node = pair != NULL ? fy_node_pair_key(pair) : NULL;
        }
        else
        {
            node = fy_node_sequence_iterate(node, &place);
        }
    }
    return node;
}

// True if a tree contains a node. The tree is searched because libfyaml keys have no parent.
static bool yaml_holds(struct fy_node* tree, const struct fy_node* node)
{
    bool holds = tree == node;
    void* place = NULL;
    wadi_yaml_entry entry;
    const bool is_scalar = tree == NULL || fy_node_is_scalar(tree);
    while (!holds && !is_scalar && wadi_yaml_next(tree, &place, &entry))
    {
        holds = entry.key == node || yaml_holds(entry.value, node);
    }
    return holds;
}

static const yaml_override* yaml_override_of(const wadi_yaml* yaml, const struct fy_node* node)
{
    for (int32_t i = 0; i < yaml->override_count; ++i)
    {
        const yaml_override* override = &yaml->overrides[i];
        if (override->key == node || (!override->is_stale && yaml_holds(override->node, node)))
        {
            return override;
        }
    }
    return NULL;
}

static const struct fy_mark* yaml_own_mark(struct fy_node* node)
{
    struct fy_node* scalar = yaml_first_scalar(node);
    struct fy_token* token = scalar != NULL ? fy_node_get_scalar_token(scalar) : NULL;
    return token != NULL ? fy_token_start_mark(token) : NULL;
}

// Key of a value in a mapping; NULL: none.
static struct fy_node* yaml_key_of(struct fy_node* node)
{
    struct fy_node* parent = fy_node_get_parent(node);
    void* place = NULL;
    struct fy_node_pair* pair = parent != NULL && fy_node_is_mapping(parent)
                                    ? fy_node_mapping_iterate(parent, &place)
                                    : NULL;
    while (pair != NULL && fy_node_pair_value(pair) != node)
    {
        pair = fy_node_mapping_iterate(parent, &place);
    }
    return pair != NULL ? fy_node_pair_key(pair) : NULL;
}

// Position of a node. Empty nodes have no text; they take the position of their key or parent.
static const struct fy_mark* yaml_mark(struct fy_node* node)
{
    const struct fy_mark* mark = NULL;
    for (; node != NULL && mark == NULL; node = fy_node_get_parent(node))
    {
        struct fy_node* key = yaml_key_of(node);
        mark = yaml_own_mark(node);
        mark = mark == NULL && key != NULL ? yaml_own_mark(key) : mark;
    }
    return mark;
}

void wadi_yaml_place(const wadi_yaml* yaml, wadi_yaml_node* node, char* text, size_t size)
{
    const yaml_override* override = yaml_override_of(yaml, node);
    if (override != NULL)
    {
        (void)snprintf(text, size, "%s", override->label);
        return;
    }
    const struct fy_mark* mark = yaml_mark(node);
    (void)snprintf(text, size, "%s:%d:%d", yaml->name, mark != NULL ? mark->line + 1 : 1,
                   mark != NULL ? mark->column + 1 : 1);
}

// Report the first syntax error of libfyaml.
static wadi_result yaml_fail_syntax(const wadi_yaml* yaml)
{
    void* place = NULL;
    const struct fy_diag_error* error = fy_diag_errors_iterate(yaml->diag, &place);
    if (error == NULL)
    {
        return wadi_context_fail(yaml->context, WADI_ERROR_FORMAT, "%s:1:1: this is not YAML",
                                 yaml->name);
    }
    return wadi_context_fail(yaml->context, WADI_ERROR_FORMAT, "%s:%d:%d: %s", yaml->name,
                             error->line, error->column, error->msg);
}

// ---- parsing ------------------------------------------------------------------------------------

static bool yaml_open(wadi_yaml* yaml, const char* name, const char* text, size_t length)
{
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    quiet.colorize = false;
    yaml->diag = fy_diag_create(&quiet);
    yaml->name = malloc(strlen(name) + 1);
    yaml->text = malloc(length + 1);
    if (yaml->diag == NULL || yaml->name == NULL || yaml->text == NULL)
    {
        return false;
    }
    fy_diag_set_collect_errors(yaml->diag, true);
    memcpy(yaml->name, name, strlen(name) + 1);
    memcpy(yaml->text, text, length);
    yaml->text[length] = '\0';

    // libfyaml reports duplicate keys without a position; yaml_check_key() reports them
    const struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG |
                                                 FYPCF_ALLOW_DUPLICATE_KEYS |
                                                 FYPCF_DISABLE_MMAP_OPT | FYPCF_JSON_NONE,
                                        .diag = yaml->diag};
    yaml->parser = fy_parser_create(&config);
    return yaml->parser != NULL && fy_parser_set_string(yaml->parser, yaml->text, length) == 0;
}

// The file must end after the first document.
static wadi_result yaml_check_end(wadi_yaml* yaml)
{
    struct fy_document* second = fy_parse_load_document(yaml->parser);
    fy_parse_document_destroy(yaml->parser, second);
    if (fy_diag_got_error(yaml->diag))
    {
        return yaml_fail_syntax(yaml);
    }
    if (second != NULL)
    {
        return wadi_context_fail(yaml->context, WADI_ERROR_FORMAT,
                                 "%s:1:1: the file holds a second document; one was expected",
                                 yaml->name);
    }
    return WADI_OK;
}

static wadi_result yaml_load(wadi_yaml* yaml, size_t length)
{
    const wadi_result result = wadi_yaml_check_text(yaml->context, yaml->name, yaml->text, length);
    if (result != WADI_OK)
    {
        return result;
    }
    yaml->document = fy_parse_load_document(yaml->parser);
    struct fy_node* root = yaml->document != NULL ? fy_document_root(yaml->document) : NULL;
    if (fy_diag_got_error(yaml->diag))
    {
        return yaml_fail_syntax(yaml);
    }
    if (root == NULL || !fy_node_is_mapping(root))
    {
        return wadi_context_fail(yaml->context, WADI_ERROR_FORMAT,
                                 "%s:1:1: a mapping of keys and values was expected here",
                                 yaml->name);
    }
    const wadi_result ends = yaml_check_end(yaml);
    return ends == WADI_OK ? wadi_yaml_check(yaml, root) : ends;
}

wadi_result wadi_yaml_parse(wadi_context* context, const char* name, const char* text,
                            size_t length, wadi_yaml** out)
{
    *out = NULL;
    if (length > WADI_YAML_MAX_BYTES)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT, "%s: more than %d bytes of YAML", name,
                                 WADI_YAML_MAX_BYTES);
    }
    wadi_yaml* yaml = calloc(1, sizeof *yaml);
    if (yaml == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory while reading %s",
                                 name);
    }
    yaml->context = context;
    const wadi_result result =
        yaml_open(yaml, name, text, length)
            ? yaml_load(yaml, length)
            : wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory while reading %s", name);
    if (result != WADI_OK)
    {
        wadi_yaml_destroy(yaml);
        return result;
    }
    *out = yaml;
    return WADI_OK;
}

void wadi_yaml_destroy(wadi_yaml* yaml)
{
    if (yaml == NULL)
    {
        return;
    }
    if (yaml->parser != NULL)
    {
        fy_parse_document_destroy(yaml->parser, yaml->document);
        fy_parser_destroy(yaml->parser);
    }
    fy_diag_destroy(yaml->diag);
    free(yaml->text);
    free(yaml->name);
    free(yaml);
}

// ---- reading ------------------------------------------------------------------------------------

wadi_yaml_node* wadi_yaml_root(const wadi_yaml* yaml)
{
    return fy_document_root(yaml->document);
}

wadi_yaml_kind wadi_yaml_kind_of(wadi_yaml_node* node)
{
    return fy_node_is_mapping(node)    ? WADI_YAML_MAP
           : fy_node_is_sequence(node) ? WADI_YAML_LIST
                                       : WADI_YAML_SCALAR;
}

const char* wadi_yaml_text(wadi_yaml_node* node)
{
    return fy_node_is_scalar(node) ? fy_node_get_scalar0(node) : "";
}

int32_t wadi_yaml_count(wadi_yaml_node* node)
{
    return fy_node_is_mapping(node)    ? fy_node_mapping_item_count(node)
           : fy_node_is_sequence(node) ? fy_node_sequence_item_count(node)
                                       : 0;
}

bool wadi_yaml_next(wadi_yaml_node* node, void** place, wadi_yaml_entry* entry)
{
    if (fy_node_is_sequence(node))
    {
        *entry = (wadi_yaml_entry){NULL, fy_node_sequence_iterate(node, place)};
        return entry->value != NULL;
    }
    struct fy_node_pair* pair = fy_node_mapping_iterate(node, place);
    if (pair == NULL)
    {
        return false;
    }
    *entry = (wadi_yaml_entry){fy_node_pair_key(pair), fy_node_pair_value(pair)};
    return true;
}

static struct fy_node_pair* yaml_find_pair(wadi_yaml_node* map, const char* key)
{
    void* place = NULL;
    struct fy_node_pair* pair = fy_node_mapping_iterate(map, &place);
    while (pair != NULL && strcmp(fy_node_get_scalar0(fy_node_pair_key(pair)), key) != 0)
    {
        pair = fy_node_mapping_iterate(map, &place);
    }
    return pair;
}

// ---- overrides ----------------------------------------------------------------------------------

// Names of files with {x} and {y} are text, which begins as a mapping does.
static wadi_result yaml_fail_value(const wadi_yaml* yaml, const char* value, const char* label)
{
    const bool braces = strpbrk(value, "{}[]") != NULL && strchr(value, '"') == NULL;
    return braces ? wadi_context_fail(yaml->context, WADI_ERROR_FORMAT,
                                      "%s: '%s' is not a valid YAML value; put text with braces in "
                                      "quotes: '\"%s\"'",
                                      label, value, value)
                  : wadi_context_fail(yaml->context, WADI_ERROR_FORMAT,
                                      "%s: '%s' is not a valid YAML value", label, value);
}

// Parse a value and copy it into the document. fy_node_build_from_string() does both, but leaks 1.8
// kB on invalid text (libfyaml 0.7.12, found by fuzzing).
static wadi_result yaml_parse_value(wadi_yaml* yaml, const char* value, const char* label,
                                    struct fy_node** out)
{
    static const char key[] = "value:\n  ";
    *out = NULL;
    const size_t length = sizeof key - 1 + strlen(value);
    char* text = malloc(length + 1);
    wadi_yaml* piece = NULL;
    wadi_result result = WADI_ERROR_MEMORY;
    if (text != NULL)
    {
        (void)snprintf(text, length + 1, "%s%s", key, value);
        result = wadi_yaml_parse(yaml->context, label, text, length, &piece);
    }
    if (result == WADI_OK && wadi_yaml_count(wadi_yaml_root(piece)) == 1)
    {
        *out = fy_node_copy(yaml->document, wadi_yaml_find(wadi_yaml_root(piece), "value"));
    }
    wadi_yaml_destroy(piece);
    free(text);
    return *out != NULL ? WADI_OK : yaml_fail_value(yaml, value, label);
}

// Mark the overrides inside a tree that will be freed.
static void yaml_mark_stale(wadi_yaml* yaml, struct fy_node* tree)
{
    for (int32_t i = 0; i < yaml->override_count; ++i)
    {
        yaml_override* override = &yaml->overrides[i];
        override->is_stale = override->is_stale || yaml_holds(tree, override->node);
        override->key = yaml_holds(tree, override->key) ? NULL : override->key;
    }
}

// Parse a value and record its label.
static wadi_result yaml_build(wadi_yaml* yaml, const char* value, const char* label,
                              struct fy_node** out)
{
    if (yaml->override_count == YAML_MAX_OVERRIDES)
    {
        return wadi_context_fail(yaml->context, WADI_ERROR_RANGE,
                                 "%s: at most %d values can be set", label, YAML_MAX_OVERRIDES);
    }
    const wadi_result result = yaml_parse_value(yaml, value, label, out);
    if (result == WADI_OK)
    {
        yaml_override* override = &yaml->overrides[yaml->override_count++];
        override->node = *out;
        (void)snprintf(override->label, sizeof override->label, "%s", label);
    }
    return result;
}

wadi_result wadi_yaml_set(wadi_yaml* yaml, wadi_yaml_node* map, const char* key, const char* value,
                          const char* label)
{
    struct fy_node* node;
    const wadi_result result = yaml_build(yaml, value, label, &node);
    if (result != WADI_OK)
    {
        return result;
    }
    struct fy_node_pair* pair = yaml_find_pair(map, key);
    int failed;
    if (pair != NULL)
    {
        yaml_mark_stale(yaml, fy_node_pair_value(pair));
        failed = fy_node_pair_set_value(pair, node);
    }
    else
    {
        struct fy_node* name = fy_node_create_scalar_copy(yaml->document, key, strlen(key));
        yaml->overrides[yaml->override_count - 1].key = name;
        failed = fy_node_mapping_append(map, name, node);
    }
    return failed == 0
               ? WADI_OK
               : wadi_context_fail(yaml->context, WADI_ERROR_MEMORY, "%s: out of memory", label);
}

wadi_result wadi_yaml_set_item(wadi_yaml* yaml, wadi_yaml_node* list, int32_t index,
                               const char* value, const char* label)
{
    struct fy_node* node;
    const wadi_result result = yaml_build(yaml, value, label, &node);
    if (result != WADI_OK)
    {
        return result;
    }
    struct fy_node* old = fy_node_sequence_get_by_index(list, index);
    yaml_mark_stale(yaml, old);
    fy_node_sequence_insert_before(list, old, node);
    fy_node_free(fy_node_sequence_remove(list, old));
    return WADI_OK;
}
