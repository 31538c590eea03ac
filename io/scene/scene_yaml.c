// SPDX-License-Identifier: MIT
#include "io/scene/scene_yaml.h"

#include "io/scene/scene_override.h"
#include "io/scene/scene_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the top of a scene -------------------------------------------------------------------------

typedef struct scene_top
{
    const char* name;
    const char* doc;
} scene_top;

static wadi_result scene_read_version(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)into;
    static const char* const versions[] = {"1"};
    int32_t ignored;
    return wadi_scene_read_choice(reader, value, "wadi, the version of the format,", versions, 1,
                                  &ignored);
}

static wadi_result scene_read_name(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_text(reader, value, "name", &((scene_top*)into)->name);
}

static wadi_result scene_read_doc(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_text(reader, value, "doc", &((scene_top*)into)->doc);
}

// Seeds have 64 bits; a double would round them.
static wadi_result scene_read_seed(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)into;
    const char* text;
    SCENE_TRY(wadi_scene_read_text(reader, value, "seed", &text));
    char* end;
    errno = 0;
    const unsigned long long seed = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_RANGE,
                              "seed is '%s' but must be a whole number in [0, 2^64)", text);
    }
    wadi_scene_set_seed(reader->scene, seed);
    return WADI_OK;
}

static wadi_result scene_skip_output(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)reader;
    (void)value;
    (void)into;
    return WADI_OK; // read after all steps, wherever the key stands
}

static wadi_result scene_require(scene_reader* reader, const char* key, const char* why)
{
    wadi_yaml_node* root = wadi_yaml_root(reader->yaml);
    return wadi_yaml_find(root, key) != NULL ? WADI_OK
                                             : wadi_yaml_fail(reader->yaml, root, WADI_ERROR_FORMAT,
                                                              "'%s' is missing: %s", key, why);
}

// A file that another verb reads.
static wadi_result scene_check_kind(scene_reader* reader)
{
    wadi_yaml_node* root = wadi_yaml_root(reader->yaml);
    const bool pours =
        wadi_yaml_find(root, "terrain") == NULL &&
        (wadi_yaml_find(root, "grains") != NULL || wadi_yaml_find(root, "clumps") != NULL);
    return pours
               ? wadi_yaml_fail(reader->yaml, root, WADI_ERROR_FORMAT,
                                "this is a world of grains among meshes, not a scene: run it with "
                                "wadi pour")
               : WADI_OK;
}

static wadi_result scene_read_top(scene_reader* reader)
{
    static const scene_key keys[] = {
        {"wadi", scene_read_version},
        {"name", scene_read_name},
        {"doc", scene_read_doc},
        {"seed", scene_read_seed},
        {"terrain", wadi_scene_read_terrain},
        {"layers", wadi_scene_read_layers},
        {"materials", wadi_scene_read_materials},
        {"strata", wadi_scene_read_strata},
        {"steps", wadi_scene_read_steps},
        {"timeline", wadi_scene_read_timeline},
        {"output", scene_skip_output},
    };
    const scene_form form = {
        .name = "scene", .keys = keys, .key_count = sizeof keys / sizeof keys[0]};
    SCENE_TRY(scene_require(reader, "wadi", "start a scene with 'wadi: 1'"));
    scene_top top = {"", ""};
    SCENE_TRY(scene_check_kind(reader));
    SCENE_TRY(wadi_scene_read_map(reader, wadi_yaml_root(reader->yaml), &form, &top));
    SCENE_TRY(scene_require(reader, "terrain", "say what the ground is made from"));
    if (wadi_yaml_find(wadi_yaml_root(reader->yaml), "timeline") == NULL)
    {
        SCENE_TRY(scene_require(reader, "steps", "say what happens to the terrain"));
    }
    wadi_yaml_node* output = wadi_yaml_find(wadi_yaml_root(reader->yaml), "output");
    if (output != NULL)
    {
        SCENE_TRY(wadi_scene_read_final_outputs(reader, output));
    }
    return wadi_scene_set_name(reader->scene, top.name, top.doc);
}

// ---- documents ----------------------------------------------------------------------------------

static wadi_result scene_read_document(wadi_context* context, wadi_yaml* yaml,
                                       const char* const* overrides, int32_t override_count,
                                       wadi_scene* scene)
{
    for (int32_t i = 0; i < override_count; ++i)
    {
        SCENE_TRY(wadi_io_scene_override(yaml, overrides[i]));
    }
    scene_reader reader = {.yaml = yaml, .context = context, .scene = scene};
    const wadi_result result = scene_read_top(&reader);
    wadi_scene_reader_free_all(&reader);
    return result;
}

wadi_result wadi_io_scene_parse(wadi_context* context, const char* name, const char* text,
                                size_t length, const char* const* overrides, int32_t override_count,
                                wadi_scene** out)
{
    *out = NULL;
    wadi_yaml* yaml;
    SCENE_TRY(wadi_yaml_parse(context, name, text, length, &yaml));
    wadi_scene* scene;
    wadi_result result = wadi_scene_create(context, &scene);
    if (result == WADI_OK)
    {
        result = scene_read_document(context, yaml, overrides, override_count, scene);
    }
    wadi_yaml_destroy(yaml);
    if (result != WADI_OK)
    {
        wadi_scene_destroy(scene);
        return result;
    }
    *out = scene;
    return WADI_OK;
}

// Read a whole file up to the size limit.
wadi_result wadi_io_scene_text(wadi_context* context, const char* path, char** text, size_t* length)
{
    *text = NULL;
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_IO, "cannot open scene '%s': %s", path,
                                 strerror(errno));
    }
    *text = calloc(WADI_YAML_MAX_BYTES + 2, 1);
    *length = *text != NULL ? fread(*text, 1, WADI_YAML_MAX_BYTES + 1, file) : 0;
    const bool failed = ferror(file) != 0;
    const int why = errno;
    (void)fclose(file);
    if (*text == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory while reading '%s'",
                                 path);
    }
    return failed ? wadi_context_fail(context, WADI_ERROR_IO, "cannot read scene '%s': %s", path,
                                      strerror(why))
                  : WADI_OK;
}

wadi_result wadi_io_scene_read(wadi_context* context, const char* path,
                               const char* const* overrides, int32_t override_count,
                               wadi_scene** out)
{
    *out = NULL;
    char* text;
    size_t length = 0;
    wadi_result result = wadi_io_scene_text(context, path, &text, &length);
    if (result == WADI_OK)
    {
        result = wadi_io_scene_parse(context, path, text, length, overrides, override_count, out);
    }
    free(text);
    return result;
}
