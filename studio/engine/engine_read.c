// SPDX-License-Identifier: MIT
// Values of a message, checked.
#include "studio/engine/engine_internal.h"

#include <math.h>
#include <string.h>

wadi_yaml_node* wadi_studio_find(const studio_message* message, const char* key)
{
    wadi_yaml_node* node = wadi_yaml_find(message->root, key);
    const bool is_null = node != NULL && wadi_yaml_kind_of(node) == WADI_YAML_SCALAR &&
                         strcmp(wadi_yaml_text(node), "null") == 0;
    return is_null ? NULL : node;
}

static wadi_result read_fail(const studio_message* message, const char* key, const char* expected)
{
    const bool missing = wadi_studio_find(message, key) == NULL;
    return wadi_context_fail(wadi_yaml_context(message->yaml), WADI_ERROR_FORMAT,
                             "'%s' of '%s' %s; expected %s", key, message->type,
                             missing ? "is missing" : "is wrong", expected);
}

wadi_result wadi_studio_text(const studio_message* message, const char* key, const char** out)
{
    wadi_yaml_node* node = wadi_studio_find(message, key);
    *out = "";
    if (node == NULL || wadi_yaml_kind_of(node) != WADI_YAML_SCALAR)
    {
        return read_fail(message, key, "a text");
    }
    *out = wadi_yaml_text(node);
    return WADI_OK;
}

static bool read_number(wadi_yaml_node* node, double* out)
{
    if (node == NULL || wadi_yaml_kind_of(node) != WADI_YAML_SCALAR)
    {
        return false;
    }
    const char* text = wadi_yaml_text(node);
    const char* end;
    *out = wadi_number_parse(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

wadi_result wadi_studio_number(const studio_message* message, const char* key, double initial,
                               double min, double max, double* out)
{
    wadi_yaml_node* node = wadi_studio_find(message, key);
    *out = initial;
    if (node == NULL && !isnan(initial))
    {
        return WADI_OK;
    }
    if (!read_number(node, out))
    {
        return read_fail(message, key, "a number");
    }
    if (*out < min || *out > max)
    {
        return wadi_context_fail(wadi_yaml_context(message->yaml), WADI_ERROR_RANGE,
                                 "'%s' of '%s' is %g but must lie in [%g, %g]", key, message->type,
                                 *out, min, max);
    }
    return WADI_OK;
}

wadi_result wadi_studio_flag(const studio_message* message, const char* key, bool initial,
                             bool* out)
{
    wadi_yaml_node* node = wadi_studio_find(message, key);
    *out = initial;
    if (node == NULL)
    {
        return WADI_OK;
    }
    const char* text = wadi_yaml_kind_of(node) == WADI_YAML_SCALAR ? wadi_yaml_text(node) : "";
    *out = strcmp(text, "true") == 0;
    return *out || strcmp(text, "false") == 0 ? WADI_OK : read_fail(message, key, "true or false");
}

wadi_result wadi_studio_point(const studio_message* message, wadi_yaml_node* node, wadi_point* out)
{
    void* place = NULL;
    wadi_yaml_entry x;
    wadi_yaml_entry y;
    *out = (wadi_point){0.0, 0.0};
    const bool right = node != NULL && wadi_yaml_kind_of(node) == WADI_YAML_LIST &&
                       wadi_yaml_count(node) == 2 && wadi_yaml_next(node, &place, &x) &&
                       wadi_yaml_next(node, &place, &y) && read_number(x.value, &out->x) &&
                       read_number(y.value, &out->y) && fabs(out->x) <= 1e9 && fabs(out->y) <= 1e9;
    return right ? WADI_OK
                 : wadi_context_fail(wadi_yaml_context(message->yaml), WADI_ERROR_FORMAT,
                                     "a position of '%s' is wrong; expected [x, y] in metres",
                                     message->type);
}

wadi_result wadi_studio_point_of(const studio_message* message, const char* key, wadi_point* out)
{
    return wadi_studio_point(message, wadi_studio_find(message, key), out);
}

wadi_result wadi_studio_points(const studio_message* message, wadi_point out[STUDIO_MAX_POINTS],
                               int32_t* count)
{
    wadi_yaml_node* list = wadi_studio_find(message, "points");
    const int32_t size =
        list != NULL && wadi_yaml_kind_of(list) == WADI_YAML_LIST ? wadi_yaml_count(list) : 0;
    if (size < 1 || size > STUDIO_MAX_POINTS)
    {
        return wadi_context_fail(wadi_yaml_context(message->yaml), WADI_ERROR_FORMAT,
                                 "'points' of '%s' takes 1 to %d positions", message->type,
                                 STUDIO_MAX_POINTS);
    }
    void* place = NULL;
    wadi_yaml_entry item;
    for (*count = 0; wadi_yaml_next(list, &place, &item); ++*count)
    {
        SCENE_TRY(wadi_studio_point(message, item.value, &out[*count]));
    }
    return WADI_OK;
}

// True if a key is among words that are separated by blanks.
static bool read_is_word(const char* words, const char* key)
{
    const size_t length = strlen(key);
    for (const char* word = words; *word != '\0';)
    {
        const size_t size = strcspn(word, " ");
        if (size == length && memcmp(word, key, size) == 0)
        {
            return true;
        }
        word += size + strspn(word + size, " ");
    }
    return false;
}

wadi_result wadi_studio_check_keys(const studio_message* message, const char* words)
{
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_next(message->root, &place, &entry))
    {
        const char* key = wadi_yaml_text(entry.key);
        if (!read_is_word("type id", key) && !read_is_word(words, key))
        {
            return wadi_context_fail(wadi_yaml_context(message->yaml), WADI_ERROR_UNKNOWN,
                                     "unknown key '%s' in '%s'; expected %s", key, message->type,
                                     words[0] != '\0' ? words : "none");
        }
    }
    return WADI_OK;
}
