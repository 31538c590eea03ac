// SPDX-License-Identifier: MIT
// Scene files: whatever the text, it is either a scene that keeps its promises or one line that
// starts with a place. A first line "--set path=value" is taken as an override.
#include "io/scene/scene_yaml.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void fuzz_require(bool condition)
{
    if (!condition)
    {
        abort();
    }
}

static void fuzz_check_scene(const wadi_scene* scene)
{
    fuzz_require(wadi_scene_step_count(scene) > 0);
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        fuzz_require(wadi_step_name(step) != NULL && step->origin != NULL);
        fuzz_require(step->kind != WADI_STEP_OUTPUT || step->output.file[0] != '/');
        fuzz_require(step->kind != WADI_STEP_PROCESS || step->process.years > 0.0);
        fuzz_require(step->kind != WADI_STEP_EDIT || step->edit.region.soft >= 0.0);
    }
}

static void fuzz_parse(wadi_context* context, const char* text, size_t size, const char* override)
{
    wadi_scene* scene = NULL;
    const wadi_result result = wadi_io_scene_parse(context, "fuzz.yaml", text, size, &override,
                                                   override != NULL ? 1 : 0, &scene);
    fuzz_require((result == WADI_OK) == (scene != NULL));
    if (scene != NULL)
    {
        fuzz_check_scene(scene);
    }
    else
    {
        fuzz_require(strchr(wadi_error_detail(context), ':') != NULL);
    }
    wadi_scene_destroy(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const char prefix[] = "--set ";
    wadi_context* context = NULL;
    char* text = calloc(size + 1, 1);
    if (text == NULL || wadi_context_create(NULL, &context) != WADI_OK)
    {
        free(text);
        return 0;
    }
    memcpy(text, data, size);
    char* end = memchr(text, '\n', size);
    if (end != NULL && strncmp(text, prefix, sizeof prefix - 1) == 0)
    {
        *end = '\0';
        fuzz_parse(context, end + 1, size - (size_t)(end + 1 - text), text + sizeof prefix - 1);
    }
    else
    {
        fuzz_parse(context, text, size, NULL);
    }
    wadi_context_destroy(context);
    free(text);
    return 0;
}
