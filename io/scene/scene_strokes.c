// SPDX-License-Identifier: MIT
// Strokes that are painted over the values of a source in a scene file.
#include "io/scene/scene_reader.h"

// A stroke being read.
typedef struct strokes_target
{
    wadi_paint stroke;
    const char* unit; // of its value
} strokes_target;

static wadi_result strokes_read_value(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    strokes_target* target = into;
    return wadi_scene_read_number(reader, value, "value", target->unit, &target->stroke.value);
}

static wadi_result strokes_read_radius(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_number(reader, value, "radius", "m",
                                  &((strokes_target*)into)->stroke.radius);
}

static wadi_result strokes_read_soft(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_number(reader, value, "soft", "m",
                                  &((strokes_target*)into)->stroke.soft);
}

static wadi_result strokes_read_points(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    wadi_paint* stroke = &((strokes_target*)into)->stroke;
    return wadi_scene_read_points(reader, value, "'points' takes a list of points [x, y]", 1,
                                  &stroke->points, &stroke->point_count);
}

static wadi_result strokes_read_one(scene_reader* reader, wadi_yaml_node* value, const char* unit,
                                    wadi_paint* out)
{
    static const scene_key keys[] = {{"value", strokes_read_value},
                                     {"radius", strokes_read_radius},
                                     {"soft", strokes_read_soft},
                                     {"points", strokes_read_points}};
    strokes_target target = {.unit = unit != NULL ? unit : "m"};
    const scene_form form = {.name = "a stroke", .keys = keys, .key_count = 4};
    SCENE_TRY(wadi_scene_read_map(reader, value, &form, &target));
    for (int32_t i = 0; i < 4; ++i)
    {
        if (i != 2 && wadi_yaml_find(value, keys[i].name) == NULL)
        {
            return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                                  "a stroke needs '%s', such as {value: 2, radius: 300 m, points: "
                                  "[[1 km, 500 m], [2 km, 600 m]]}",
                                  keys[i].name);
        }
    }
    *out = target.stroke;
    return WADI_OK;
}

wadi_result wadi_scene_read_strokes(scene_reader* reader, wadi_yaml_node* value, const char* unit,
                                    wadi_source* source)
{
    const int32_t count = wadi_yaml_count(value);
    if (wadi_yaml_kind_of(value) != WADI_YAML_LIST || count < 1)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "'strokes' takes a list of strokes, such as [{value: 2, radius: "
                              "300 m, points: [[1 km, 500 m]]}]");
    }
    wadi_paint* strokes = wadi_scene_reader_alloc(reader, (size_t)count * sizeof *strokes);
    if (strokes == NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_MEMORY, "out of memory");
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    for (int32_t i = 0; wadi_yaml_next(value, &place, &entry); ++i)
    {
        SCENE_TRY(strokes_read_one(reader, entry.value, unit, &strokes[i]));
    }
    source->strokes = strokes;
    source->stroke_count = count;
    return WADI_OK;
}
