// SPDX-License-Identifier: MIT
#include "io/scene/scene_override.h"

#include "io/scene/scene_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    OVERRIDE_PATH_LENGTH = 256,
    OVERRIDE_MAX_PARTS = 12
};

typedef struct override_path
{
    wadi_yaml* yaml;
    char text[OVERRIDE_PATH_LENGTH];
    char* parts[OVERRIDE_MAX_PARTS];
    int32_t count;
    char label[OVERRIDE_PATH_LENGTH];
    const char* value;
} override_path;

static wadi_result override_fail(const override_path* path, const char* why)
{
    return wadi_context_fail(wadi_yaml_context(path->yaml), WADI_ERROR_ARGUMENT, "%s: %s",
                             path->label, why);
}

// Cut the path at its dots.
static wadi_result override_split_path(override_path* path)
{
    for (char* part = path->text; part != NULL; ++path->count)
    {
        if (path->count == OVERRIDE_MAX_PARTS)
        {
            return override_fail(path, "this path is too long");
        }
        char* dot = strchr(part, '.');
        path->parts[path->count] = part;
        part = dot != NULL ? dot + 1 : NULL;
        if (dot != NULL)
        {
            *dot = '\0';
        }
    }
    return WADI_OK;
}

// Split "a.b.c=value" into the parts before its first '=' and the value.
static wadi_result override_split(wadi_yaml* yaml, const char* override, override_path* path)
{
    *path = (override_path){.yaml = yaml};
    const char* equals = strchr(override, '=');
    (void)snprintf(path->label, sizeof path->label, "--set %.*s",
                   (int)(equals != NULL ? equals - override : 64), override);
    if (equals == NULL || equals == override)
    {
        return override_fail(path, "write it as key=value, such as hydraulic.rain=1m/yr");
    }
    const size_t length = (size_t)(equals - override);
    if (length >= sizeof path->text)
    {
        return override_fail(path, "this path is too long");
    }
    memcpy(path->text, override, length);
    path->text[length] = '\0';
    path->value = equals + 1;
    return override_split_path(path);
}

// List index in `text`, or -1 if it is not one.
static int32_t override_index(wadi_yaml_node* list, const char* text)
{
    char* end;
    const long index = strtol(text, &end, 10);
    const bool whole = end != text && *end == '\0';
    return whole && index >= 0 && index < wadi_yaml_count(list) ? (int32_t)index : -1;
}

static wadi_yaml_node* override_item(wadi_yaml_node* list, int32_t index)
{
    void* place = NULL;
    wadi_yaml_entry entry = {0};
    for (int32_t i = 0; i <= index; ++i)
    {
        (void)wadi_yaml_next(list, &place, &entry);
    }
    return entry.value;
}

static wadi_result override_set_last(const override_path* path, wadi_yaml_node* node)
{
    const char* key = path->parts[path->count - 1];
    if (wadi_yaml_kind_of(node) == WADI_YAML_MAP && key[0] != '\0')
    {
        return wadi_yaml_set(path->yaml, node, key, path->value, path->label);
    }
    const int32_t index =
        wadi_yaml_kind_of(node) == WADI_YAML_LIST ? override_index(node, key) : -1;
    return index >= 0
               ? wadi_yaml_set_item(path->yaml, node, index, path->value, path->label)
               : override_fail(path, "this key is neither in a mapping nor an index of a list");
}

// Walk down the path from part `first` and set its last part.
static wadi_result override_follow(const override_path* path, wadi_yaml_node* node, int32_t first)
{
    for (int32_t i = first; i < path->count - 1; ++i)
    {
        if (wadi_yaml_kind_of(node) == WADI_YAML_LIST)
        {
            const int32_t index = override_index(node, path->parts[i]);
            node = index >= 0 ? override_item(node, index) : NULL;
        }
        else
        {
            node = wadi_yaml_kind_of(node) == WADI_YAML_MAP ? wadi_yaml_find(node, path->parts[i])
                                                            : NULL;
        }
        if (node == NULL)
        {
            char why[OVERRIDE_PATH_LENGTH + 32];
            (void)snprintf(why, sizeof why, "the scene has no '%s'", path->parts[i]);
            return override_fail(path, why);
        }
    }
    return override_set_last(path, node);
}

static wadi_result override_step(const override_path* path, wadi_yaml_node* step)
{
    wadi_yaml_node* inside = wadi_yaml_find(step, path->parts[0]);
    if (wadi_scene_is_output(path->parts[0]))
    {
        return override_follow(path, step, 1); // the keys of an output are siblings of its name
    }
    if (wadi_yaml_kind_of(inside) == WADI_YAML_MAP)
    {
        return override_follow(path, inside, 1);
    }
    if (wadi_yaml_kind_of(inside) == WADI_YAML_LIST)
    {
        return override_fail(path, "this step has a list of values and no keys");
    }
    if (wadi_yaml_text(inside)[0] != '\0' || path->count != 2)
    {
        return override_fail(path, "this step has a single value and no keys");
    }
    char entry[OVERRIDE_PATH_LENGTH * 2];
    (void)snprintf(entry, sizeof entry, "%s: %s", path->parts[1], path->value);
    return wadi_yaml_set(path->yaml, step, path->parts[0], entry, path->label);
}

// `hydraulic.rain=...`: set the key in every step of that name.
static wadi_result override_steps(const override_path* path, wadi_yaml_node* steps, int32_t* found)
{
    void* place = NULL;
    wadi_yaml_entry step;
    while (wadi_yaml_next(steps, &place, &step))
    {
        if (wadi_yaml_kind_of(step.value) == WADI_YAML_MAP &&
            wadi_yaml_find(step.value, path->parts[0]) != NULL)
        {
            *found += 1;
            const wadi_result result = override_step(path, step.value);
            if (result != WADI_OK)
            {
                return result;
            }
        }
    }
    return WADI_OK;
}

// Call override_steps() for all lists of steps in a scene.
static wadi_result override_all_steps(const override_path* path, wadi_yaml_node* root,
                                      int32_t* found)
{
    wadi_yaml_node* timeline = wadi_yaml_find(root, "timeline");
    const bool has_timeline = timeline != NULL && wadi_yaml_kind_of(timeline) == WADI_YAML_MAP;
    wadi_yaml_node* const lists[] = {
        wadi_yaml_find(root, "steps"), has_timeline ? wadi_yaml_find(timeline, "run") : NULL,
        has_timeline ? wadi_yaml_find(timeline, "events") : NULL, wadi_yaml_find(root, "output")};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i)
    {
        if (lists[i] != NULL && wadi_yaml_kind_of(lists[i]) == WADI_YAML_LIST)
        {
            const wadi_result result = override_steps(path, lists[i], found);
            if (result != WADI_OK)
            {
                return result;
            }
        }
    }
    return WADI_OK;
}

wadi_result wadi_io_scene_override(wadi_yaml* yaml, const char* override)
{
    override_path path;
    wadi_result result = override_split(yaml, override, &path);
    if (result != WADI_OK)
    {
        return result;
    }
    wadi_yaml_node* root = wadi_yaml_root(yaml);
    const bool is_top = path.count == 1 || wadi_yaml_find(root, path.parts[0]) != NULL;
    if (!is_top)
    {
        int32_t found = 0;
        result = override_all_steps(&path, root, &found);
        if (result != WADI_OK || found > 0)
        {
            return result;
        }
    }
    return override_follow(&path, root, 0);
}
