// SPDX-License-Identifier: MIT
// The part `strata:` of a scene file.
#include "io/scene/scene_reader.h"

// The last bed has no lower boundary, so its thickness may be left out.
static wadi_result strata_read_thickness(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_number(reader, value, "thickness", "m",
                                  &((wadi_stratum*)into)->thickness);
}

static wadi_result strata_read_hardness(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_number(reader, value, "hardness", "1", &((wadi_stratum*)into)->hardness);
}

static wadi_result strata_read_bed(scene_reader* reader, wadi_yaml_node* value, bool last,
                                   wadi_stratum* bed)
{
    static const scene_key keys[] = {{"thickness", strata_read_thickness},
                                     {"hardness", strata_read_hardness}};
    const scene_form form = {.name = "bed", .keys = keys, .key_count = 2};
    *bed = (wadi_stratum){.thickness = last ? 1.0 : 0.0, .hardness = -1.0};
    SCENE_TRY(wadi_scene_read_map(reader, value, &form, bed));
    if (bed->hardness < 0.0 || bed->thickness <= 0.0)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "a bed is {thickness: 20 m, hardness: 0.9}; only the last may leave "
                              "out its thickness");
    }
    return WADI_OK;
}

static wadi_result strata_read_beds(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    wadi_scene_strata* strata = into;
    const int32_t count = wadi_yaml_count(value);
    if (wadi_yaml_kind_of(value) != WADI_YAML_LIST || count < 1 || count > WADI_MAX_STRATA)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "'beds' takes a list of 1 to %d beds, from the top down",
                              WADI_MAX_STRATA);
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    for (strata->count = 0; wadi_yaml_next(value, &place, &entry); ++strata->count)
    {
        SCENE_TRY(strata_read_bed(reader, entry.value, strata->count == count - 1,
                                  &strata->beds[strata->count]));
    }
    return WADI_OK;
}

static wadi_result strata_read_top(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_source(reader, value, WADI_FILLS_GROUND | WADI_FILLS_LAYER, "m",
                                  &((wadi_scene_strata*)into)->top);
}

wadi_result wadi_scene_read_strata(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    static const scene_key keys[] = {{"top", strata_read_top}, {"beds", strata_read_beds}};
    const scene_form form = {.name = "strata", .keys = keys, .key_count = 2};
    (void)into;
    wadi_scene_strata strata = {0};
    SCENE_TRY(wadi_scene_read_map(reader, value, &form, &strata));
    return wadi_scene_at(reader, value, wadi_scene_set_strata(reader->scene, &strata));
}
