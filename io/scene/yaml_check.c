// SPDX-License-Identifier: MIT
#include "io/scene/yaml_check.h"

#include <libfyaml.h>
#include <string.h>

enum
{
    YAML_MAX_DEPTH = 12,    // scenes have 7 levels
    YAML_MAX_ENTRIES = 512, // per mapping; the search for duplicates is quadratic
};

// The second byte of a UTF-8 sequence also excludes longer forms than needed, surrogates, and what
// lies above U+10FFFF.
static bool yaml_utf8_second(unsigned char first, unsigned char second)
{
    const unsigned char least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return second >= least && second <= most;
}

// Length of the UTF-8 sequence at `s`, or 0 if it is invalid. At most `left` bytes are read.
static size_t yaml_utf8_length(const unsigned char* s, size_t left)
{
    const size_t length = s[0] < 0x80                    ? 1
                          : s[0] >= 0xC2 && s[0] < 0xE0  ? 2
                          : (s[0] & 0xF0) == 0xE0        ? 3
                          : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4
                                                         : 0;
    if (length > left || (length > 1 && !yaml_utf8_second(s[0], s[1])))
    {
        return 0;
    }
    for (size_t i = 2; i < length; ++i)
    {
        if ((s[i] & 0xC0) != 0x80)
        {
            return 0;
        }
    }
    return length;
}

// libfyaml 0.7 stops silently at invalid UTF-8, and never in some directives ("%YAML" and others),
// so the text is checked first.
wadi_result wadi_yaml_check_text(wadi_context* context, const char* name, const char* bytes,
                                 size_t length)
{
    const unsigned char* text = (const unsigned char*)bytes;
    int line = 1;
    for (size_t i = 0; i < length;)
    {
        const size_t step = yaml_utf8_length(text + i, length - i);
        const bool control = text[i] < 0x20 && strchr("\t\n\r", text[i]) == NULL;
        if (step == 0 || control || text[i] == 0)
        {
            return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                     "%s:%d:1: invalid UTF-8 or a control character in this line",
                                     name, line);
        }
        if (text[i] == '%' && (i == 0 || text[i - 1] == '\n' || text[i - 1] == '\r'))
        {
            return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                     "%s:%d:1: a line may not begin with '%%'; comments begin "
                                     "with '#'",
                                     name, line);
        }
        line += text[i] == '\n';
        i += step;
    }
    return WADI_OK;
}

static wadi_result yaml_check_scalar(const wadi_yaml* yaml, struct fy_node* node)
{
    size_t length = 0;
    const char* text = fy_node_get_scalar(node, &length);
    if (text != NULL && memchr(text, '\0', length) != NULL)
    {
        return wadi_yaml_fail(yaml, node, WADI_ERROR_FORMAT, "a value may not hold a zero byte");
    }
    if (fy_node_get_scalar0(node) == NULL)
    {
        return wadi_yaml_fail(yaml, node, WADI_ERROR_FORMAT, "this value cannot be read");
    }
    return WADI_OK;
}

static wadi_result yaml_check_node(const wadi_yaml* yaml, struct fy_node* node, int32_t depth);

static wadi_result yaml_check_key(const wadi_yaml* yaml, struct fy_node* map, struct fy_node* key)
{
    if (key == NULL || !fy_node_is_scalar(key) || fy_node_is_alias(key))
    {
        return wadi_yaml_fail(yaml, map, WADI_ERROR_FORMAT, "a key must be a plain word");
    }
    const wadi_result result = yaml_check_scalar(yaml, key);
    if (result != WADI_OK)
    {
        return result;
    }
    const char* text = fy_node_get_scalar0(key);
    void* place = NULL;
    struct fy_node_pair* pair = fy_node_mapping_iterate(map, &place);
    while (pair != NULL && fy_node_pair_key(pair) != key)
    {
        if (strcmp(fy_node_get_scalar0(fy_node_pair_key(pair)), text) == 0)
        {
            return wadi_yaml_fail(yaml, key, WADI_ERROR_FORMAT,
                                  "'%s' is given twice; keep one of them", text);
        }
        pair = fy_node_mapping_iterate(map, &place);
    }
    return WADI_OK;
}

static wadi_result yaml_check_map(const wadi_yaml* yaml, struct fy_node* map, int32_t depth)
{
    if (fy_node_mapping_item_count(map) > YAML_MAX_ENTRIES)
    {
        return wadi_yaml_fail(yaml, map, WADI_ERROR_FORMAT, "a mapping has at most %d keys",
                              YAML_MAX_ENTRIES);
    }
    void* place = NULL;
    for (struct fy_node_pair* pair = fy_node_mapping_iterate(map, &place); pair != NULL;
         pair = fy_node_mapping_iterate(map, &place))
    {
        wadi_result result = yaml_check_key(yaml, map, fy_node_pair_key(pair));
        if (result == WADI_OK && fy_node_pair_value(pair) == NULL)
        {
            result = wadi_yaml_fail(yaml, fy_node_pair_key(pair), WADI_ERROR_FORMAT,
                                    "this key has no value");
        }
        if (result == WADI_OK)
        {
            result = yaml_check_node(yaml, fy_node_pair_value(pair), depth + 1);
        }
        if (result != WADI_OK)
        {
            return result;
        }
    }
    return WADI_OK;
}

static wadi_result yaml_check_list(const wadi_yaml* yaml, struct fy_node* list, int32_t depth)
{
    void* place = NULL;
    for (struct fy_node* item = fy_node_sequence_iterate(list, &place); item != NULL;
         item = fy_node_sequence_iterate(list, &place))
    {
        const wadi_result result = yaml_check_node(yaml, item, depth + 1);
        if (result != WADI_OK)
        {
            return result;
        }
    }
    return WADI_OK;
}

static wadi_result yaml_check_node(const wadi_yaml* yaml, struct fy_node* node, int32_t depth)
{
    if (depth > YAML_MAX_DEPTH)
    {
        return wadi_yaml_fail(yaml, node, WADI_ERROR_FORMAT, "nested deeper than %d levels",
                              YAML_MAX_DEPTH);
    }
    if (fy_node_is_alias(node) || fy_node_get_anchor(node) != NULL)
    {
        return wadi_yaml_fail(yaml, node, WADI_ERROR_FORMAT,
                              "anchors and aliases are not supported; write the value out");
    }
    if (fy_node_get_tag_token(node) != NULL)
    {
        return wadi_yaml_fail(yaml, node, WADI_ERROR_FORMAT,
                              "tags such as !!str are not supported");
    }
    if (fy_node_is_scalar(node))
    {
        return yaml_check_scalar(yaml, node);
    }
    return fy_node_is_mapping(node) ? yaml_check_map(yaml, node, depth)
                                    : yaml_check_list(yaml, node, depth);
}

wadi_result wadi_yaml_check(const wadi_yaml* yaml, struct fy_node* node)
{
    return yaml_check_node(yaml, node, 0);
}
