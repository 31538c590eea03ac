// SPDX-License-Identifier: MIT
// io/scene/yaml.h for JSON: scenes and messages as the page sends them. Scalars keep their text,
// so a number and a text of the same letters are the same.
#include "io/scene/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TREE_MAX_DEPTH = 12,
    TREE_MAX_ENTRIES = 512 // of a mapping: the search for duplicates is quadratic
};

struct fy_node
{
    wadi_yaml_kind kind;
    int32_t at; // bytes from the begin
    int32_t count;
    const char* text;
    struct fy_node* first;
    struct fy_node* last;
    struct fy_node* next; // in its mapping or list
    struct fy_node* key;
    struct fy_node* made; // the node that was made before
};

struct wadi_yaml
{
    wadi_context* context;
    char name[64];
    char* text;   // as given
    char* values; // decoded texts, each with a zero
    size_t used;
    size_t length;
    size_t at;
    struct fy_node* root;
    struct fy_node* made;
};

wadi_context* wadi_yaml_context(const wadi_yaml* yaml)
{
    return yaml->context;
}

// ---- failures -----------------------------------------------------------------------------------

static void tree_place(const wadi_yaml* yaml, size_t at, char* text, size_t size)
{
    int32_t line = 1;
    int32_t column = 1;
    for (size_t i = 0; i < at && i < yaml->length; ++i)
    {
        column = yaml->text[i] == '\n' ? 1 : column + 1;
        line += yaml->text[i] == '\n';
    }
    (void)snprintf(text, size, "%s:%d:%d", yaml->name, line, column);
}

void wadi_yaml_place(const wadi_yaml* yaml, wadi_yaml_node* node, char* text, size_t size)
{
    tree_place(yaml, node != NULL ? (size_t)node->at : 0, text, size);
}

static wadi_result tree_fail(const wadi_yaml* yaml, const char* text)
{
    char place[128];
    tree_place(yaml, yaml->at, place, sizeof place);
    return wadi_context_fail(yaml->context, WADI_ERROR_FORMAT, "%s: %s", place, text);
}

// ---- parsing ------------------------------------------------------------------------------------

static struct fy_node* tree_new(wadi_yaml* yaml, wadi_yaml_kind kind)
{
    struct fy_node* node = calloc(1, sizeof *node);
    if (node != NULL)
    {
        node->kind = kind;
        node->at = (int32_t)yaml->at;
        node->text = "";
        node->made = yaml->made;
        yaml->made = node;
    }
    return node;
}

static void tree_blanks(wadi_yaml* yaml)
{
    yaml->at += strspn(yaml->text + yaml->at, " \t\r\n");
}

static bool tree_take(wadi_yaml* yaml, char c)
{
    const bool is = yaml->text[yaml->at] == c;
    yaml->at += is;
    return is;
}

static int32_t tree_hex(const char* digits)
{
    int32_t value = 0;
    for (int32_t i = 0; i < 4; ++i)
    {
        const char c = digits[i];
        const int32_t digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : -1;
        if (digit < 0)
        {
            return -1;
        }
        value = 16 * value + digit;
    }
    return value;
}

static void tree_put(wadi_yaml* yaml, int32_t byte)
{
    yaml->values[yaml->used++] = (char)byte;
}

// A character as UTF-8: never longer than its escape.
static void tree_put_code(wadi_yaml* yaml, int32_t code)
{
    if (code < 0x80)
    {
        tree_put(yaml, code);
        return;
    }
    if (code < 0x800)
    {
        tree_put(yaml, 0xC0 | code >> 6);
    }
    else
    {
        if (code < 0x10000)
        {
            tree_put(yaml, 0xE0 | code >> 12);
        }
        else
        {
            tree_put(yaml, 0xF0 | code >> 18);
            tree_put(yaml, 0x80 | (code >> 12 & 0x3F));
        }
        tree_put(yaml, 0x80 | (code >> 6 & 0x3F));
    }
    tree_put(yaml, 0x80 | (code & 0x3F));
}

// Behind "\u". A pair of surrogates is one character.
static wadi_result tree_read_code(wadi_yaml* yaml)
{
    int32_t code = tree_hex(yaml->text + yaml->at);
    const bool high = code >= 0xD800 && code < 0xDC00;
    if (code > 0)
    {
        yaml->at += 4;
    }
    if (high && yaml->text[yaml->at] == '\\' && yaml->text[yaml->at + 1] == 'u')
    {
        const int32_t low = tree_hex(yaml->text + yaml->at + 2);
        yaml->at += 6;
        code =
            low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : -1;
    }
    if (code <= 0 || (code >= 0xD800 && code < 0xE000))
    {
        return tree_fail(yaml, "an escape that is no character");
    }
    tree_put_code(yaml, code);
    return WADI_OK;
}

static wadi_result tree_read_escape(wadi_yaml* yaml)
{
    static const char names[] = "\"\\/bfnrt";
    static const char values[] = "\"\\/\b\f\n\r\t";
    const char c = yaml->text[yaml->at];
    const char* found = c != '\0' ? strchr(names, c) : NULL;
    if (c == '\0' || (found == NULL && c != 'u'))
    {
        return tree_fail(yaml, "an unknown escape");
    }
    yaml->at += 1;
    if (c == 'u')
    {
        return tree_read_code(yaml);
    }
    tree_put(yaml, values[found - names]);
    return WADI_OK;
}

static wadi_result tree_read_string(wadi_yaml* yaml, const char** out)
{
    *out = yaml->values + yaml->used;
    while (!tree_take(yaml, '"'))
    {
        if ((unsigned char)yaml->text[yaml->at] < 0x20)
        {
            return tree_fail(yaml, "a text that does not end, or a control character in it");
        }
        if (tree_take(yaml, '\\'))
        {
            SCENE_TRY(tree_read_escape(yaml));
        }
        else
        {
            tree_put(yaml, yaml->text[yaml->at++]);
        }
    }
    tree_put(yaml, '\0');
    return WADI_OK;
}

// A number, true, false or null, as text.
static wadi_result tree_read_word(wadi_yaml* yaml, const char** out)
{
    const char* text = yaml->text + yaml->at;
    const size_t length = strcspn(text, " \t\r\n,:]}[{\"");
    if (length == 0)
    {
        return tree_fail(yaml, "a value was expected here");
    }
    *out = yaml->values + yaml->used;
    memcpy(yaml->values + yaml->used, text, length);
    yaml->used += length;
    tree_put(yaml, '\0');
    yaml->at += length;
    return WADI_OK;
}

static wadi_result tree_check_key(const wadi_yaml* yaml, const struct fy_node* map,
                                  const struct fy_node* key)
{
    for (const struct fy_node* item = map->first; item != NULL; item = item->next)
    {
        if (strcmp(item->key->text, key->text) == 0)
        {
            return tree_fail(yaml, "a key that is given twice");
        }
    }
    return map->count < TREE_MAX_ENTRIES ? WADI_OK : tree_fail(yaml, "too many keys");
}

static wadi_result tree_read_value(wadi_yaml* yaml, int32_t depth, struct fy_node** out);

static wadi_result tree_read_key(wadi_yaml* yaml, const struct fy_node* map, struct fy_node** out)
{
    *out = tree_new(yaml, WADI_YAML_SCALAR);
    if (*out == NULL || !tree_take(yaml, '"'))
    {
        return tree_fail(yaml, "a key in quotes was expected here");
    }
    SCENE_TRY(tree_read_string(yaml, &(*out)->text));
    tree_blanks(yaml);
    if (!tree_take(yaml, ':'))
    {
        return tree_fail(yaml, "':' was expected here");
    }
    tree_blanks(yaml);
    return tree_check_key(yaml, map, *out);
}

static wadi_result tree_read_item(wadi_yaml* yaml, struct fy_node* into, int32_t depth)
{
    struct fy_node* key = NULL;
    struct fy_node* item;
    tree_blanks(yaml);
    if (into->kind == WADI_YAML_MAP)
    {
        SCENE_TRY(tree_read_key(yaml, into, &key));
    }
    SCENE_TRY(tree_read_value(yaml, depth + 1, &item));
    item->key = key;
    if (into->last != NULL)
    {
        into->last->next = item;
    }
    else
    {
        into->first = item;
    }
    into->last = item;
    into->count += 1;
    tree_blanks(yaml);
    return WADI_OK;
}

static wadi_result tree_read_items(wadi_yaml* yaml, struct fy_node* into, char end, int32_t depth)
{
    if (depth > TREE_MAX_DEPTH)
    {
        return tree_fail(yaml, "nested too deeply");
    }
    tree_blanks(yaml);
    if (tree_take(yaml, end))
    {
        return WADI_OK;
    }
    do
    {
        SCENE_TRY(tree_read_item(yaml, into, depth));
    } while (tree_take(yaml, ','));
    return tree_take(yaml, end) ? WADI_OK : tree_fail(yaml, "',' or an end was expected here");
}

static wadi_result tree_read_value(wadi_yaml* yaml, int32_t depth, struct fy_node** out)
{
    const char c = yaml->text[yaml->at];
    const wadi_yaml_kind kind = c == '{'   ? WADI_YAML_MAP
                                : c == '[' ? WADI_YAML_LIST
                                           : WADI_YAML_SCALAR;
    *out = tree_new(yaml, kind);
    if (*out == NULL)
    {
        return wadi_context_fail(yaml->context, WADI_ERROR_MEMORY, "out of memory for a message");
    }
    if (kind != WADI_YAML_SCALAR)
    {
        yaml->at += 1;
        return tree_read_items(yaml, *out, kind == WADI_YAML_MAP ? '}' : ']', depth);
    }
    return tree_take(yaml, '"') ? tree_read_string(yaml, &(*out)->text)
                                : tree_read_word(yaml, &(*out)->text);
}

static wadi_result tree_read(wadi_yaml* yaml)
{
    if (strlen(yaml->text) != yaml->length)
    {
        return tree_fail(yaml, "a zero byte");
    }
    tree_blanks(yaml);
    if (yaml->text[yaml->at] != '{')
    {
        return tree_fail(yaml, "a mapping of keys and values was expected here, as JSON");
    }
    SCENE_TRY(tree_read_value(yaml, 0, &yaml->root));
    tree_blanks(yaml);
    return yaml->at == yaml->length ? WADI_OK : tree_fail(yaml, "the end was expected here");
}

wadi_result wadi_yaml_parse(wadi_context* context, const char* name, const char* text,
                            size_t length, wadi_yaml** out)
{
    *out = NULL;
    if (length > WADI_YAML_MAX_BYTES)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT, "%s: more than %d bytes", name,
                                 WADI_YAML_MAX_BYTES);
    }
    wadi_yaml* yaml = calloc(1, sizeof *yaml);
    char* copy = malloc(length + 8); // an escape may be read behind the end
    char* values = malloc(2 * length + 8);
    if (yaml == NULL || copy == NULL || values == NULL)
    {
        free(yaml);
        free(copy);
        free(values);
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory while reading %s",
                                 name);
    }
    memset(copy, 0, length + 8);
    memcpy(copy, text, length);
    *yaml = (wadi_yaml){.context = context, .text = copy, .values = values, .length = length};
    (void)snprintf(yaml->name, sizeof yaml->name, "%s", name);
    const wadi_result result = tree_read(yaml);
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
    while (yaml->made != NULL)
    {
        struct fy_node* before = yaml->made->made;
        free(yaml->made);
        yaml->made = before;
    }
    free(yaml->text);
    free(yaml->values);
    free(yaml);
}

// ---- reading ------------------------------------------------------------------------------------

wadi_yaml_node* wadi_yaml_root(const wadi_yaml* yaml)
{
    return yaml->root;
}

wadi_yaml_kind wadi_yaml_kind_of(wadi_yaml_node* node)
{
    return node->kind;
}

const char* wadi_yaml_text(wadi_yaml_node* node)
{
    return node->text;
}

int32_t wadi_yaml_count(wadi_yaml_node* node)
{
    return node->count;
}

bool wadi_yaml_next(wadi_yaml_node* node, void** place, wadi_yaml_entry* entry)
{
    struct fy_node* item = *place == NULL ? node->first : ((struct fy_node*)*place)->next;
    if (item == NULL)
    {
        return false;
    }
    *place = item;
    *entry = (wadi_yaml_entry){item->key, item};
    return true;
}

// ---- overrides: for the command only ------------------------------------------------------------

wadi_result wadi_yaml_set(wadi_yaml* yaml, wadi_yaml_node* map, const char* key, const char* value,
                          const char* label)
{
    (void)map;
    (void)value;
    (void)label;
    return wadi_context_fail(yaml->context, WADI_ERROR_ARGUMENT, "'%s' cannot be set here", key);
}

wadi_result wadi_yaml_set_item(wadi_yaml* yaml, wadi_yaml_node* list, int32_t index,
                               const char* value, const char* label)
{
    (void)list;
    (void)value;
    (void)label;
    return wadi_context_fail(yaml->context, WADI_ERROR_ARGUMENT, "item %d cannot be set here",
                             index);
}
