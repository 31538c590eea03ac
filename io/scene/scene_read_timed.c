// SPDX-License-Identifier: MIT
// Entries under `output:` with the key `every`. They are written while a scene runs, so they are
// read before its steps or its timeline.
#include "io/scene/scene_reader.h"

#include <string.h>

static bool timed_has_checkpoint(const scene_timed_part* part)
{
    bool has = false;
    for (int32_t i = 0; i < part->count; ++i)
    {
        has = has || part->steps[i].output.kind == WADI_OUTPUT_CHECKPOINT;
    }
    return has;
}

static wadi_result timed_check(scene_reader* reader, wadi_yaml_node* node,
                               const scene_timed_part* part)
{
    if (wadi_yaml_find(node, "checkpoint") != NULL && timed_has_checkpoint(part))
    {
        return wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT,
                              "a scene has one checkpoint with 'every'; leave one out");
    }
    return part->count < SCENE_MAX_TIMED
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, node, WADI_ERROR_RANGE,
                                "a scene has at most %d outputs with 'every'", SCENE_MAX_TIMED);
}

static wadi_result timed_read(scene_reader* reader, wadi_yaml_node* node, scene_timed_part* part)
{
    SCENE_TRY(timed_check(reader, node, part));
    wadi_step* step = &part->steps[part->count];
    wadi_timed_output* output = &part->outputs[part->count++];
    scene_work work = {.kind = SCENE_WORK_STEP};
    wadi_yaml_entry entry;
    step->origin = wadi_scene_place_text(reader, node);
    output->step = step;
    SCENE_TRY(wadi_scene_read_step(reader, node, &work, &entry, step));
    const char* dot = step->kind == WADI_STEP_OUTPUT ? strrchr(step->output.file, '.') : NULL;
    step->output.appends =
        step->output.kind == WADI_OUTPUT_WRITE && dot != NULL && strcmp(dot, ".nc") == 0;
    return wadi_scene_read_number(reader, wadi_yaml_find(node, "every"), "every", "yr",
                                  &output->every);
}

wadi_result wadi_scene_read_timed(scene_reader* reader, scene_timed_part* part)
{
    wadi_yaml_node* list = wadi_yaml_find(wadi_yaml_root(reader->yaml), "output");
    void* place = NULL;
    wadi_yaml_entry item;
    while (list != NULL && wadi_yaml_kind_of(list) == WADI_YAML_LIST &&
           wadi_yaml_next(list, &place, &item))
    {
        if (wadi_yaml_kind_of(item.value) == WADI_YAML_MAP &&
            wadi_yaml_find(item.value, "every") != NULL)
        {
            SCENE_TRY(timed_read(reader, item.value, part));
        }
    }
    return WADI_OK;
}
