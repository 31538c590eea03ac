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

static wadi_result strokes_read_polygon(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    wadi_paint* stroke = &((strokes_target*)into)->stroke;
    stroke->is_area = true;
    return wadi_scene_read_points(reader, value,
                                  "a polygon takes a list of 3 corners [x, y] or more", 3,
                                  &stroke->points, &stroke->point_count);
}

// A line has a radius and points, an area a polygon.
static wadi_result strokes_check_keys(scene_reader* reader, wadi_yaml_node* value)
{
    const bool is_area = wadi_yaml_find(value, "polygon") != NULL;
    const bool has_line = wadi_yaml_find(value, "points") != NULL;
    const bool has_radius = wadi_yaml_find(value, "radius") != NULL;
    if (is_area && (has_line || has_radius))
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "a stroke with a 'polygon' has no '%s'",
                              has_line ? "points" : "radius");
    }
    const char* missing = wadi_yaml_find(value, "value") == NULL ? "value"
                          : !is_area && !has_radius              ? "radius"
                          : !is_area && !has_line                ? "points"
                                                                 : NULL;
    return missing == NULL
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                                "a stroke needs '%s', such as {value: 2, radius: 300 m, points: "
                                "[[1 km, 500 m], [2 km, 600 m]]}",
                                missing);
}

static wadi_result strokes_read_one(scene_reader* reader, wadi_yaml_node* value, const char* unit,
                                    wadi_paint* out)
{
    static const scene_key keys[] = {{"value", strokes_read_value},
                                     {"radius", strokes_read_radius},
                                     {"soft", strokes_read_soft},
                                     {"points", strokes_read_points},
                                     {"polygon", strokes_read_polygon}};
    strokes_target target = {.unit = unit != NULL ? unit : "m"};
    const scene_form form = {.name = "a stroke", .keys = keys, .key_count = 5};
    SCENE_TRY(wadi_scene_read_map(reader, value, &form, &target));
    SCENE_TRY(strokes_check_keys(reader, value));
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

// ---- strokes over the map that was there before -------------------------------------------------

typedef struct strokes_more
{
    const char* unit;
    double keep;
    wadi_source added;
} strokes_more;

static wadi_result strokes_read_keep(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_number(reader, value, "keep", "1", &((strokes_more*)into)->keep);
}

static wadi_result strokes_read_added(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    strokes_more* more = into;
    return wadi_scene_read_strokes(reader, value, more->unit, &more->added);
}

bool wadi_scene_is_painted(wadi_yaml_node* value)
{
    return wadi_yaml_kind_of(value) == WADI_YAML_MAP && wadi_yaml_count(value) == 1 &&
           wadi_yaml_find(value, "painted") != NULL;
}

// The first strokes of a map and those that were added.
static wadi_result strokes_append(scene_reader* reader, int32_t kept, const wadi_source* added,
                                  wadi_source* source)
{
    const int32_t count = kept + added->stroke_count;
    wadi_paint* strokes = wadi_scene_reader_alloc(reader, ((size_t)count + 1) * sizeof *strokes);
    if (strokes == NULL)
    {
        return wadi_context_fail(reader->context, WADI_ERROR_MEMORY, "out of memory");
    }
    for (int32_t i = 0; i < count; ++i)
    {
        strokes[i] = i < kept ? source->strokes[i] : added->strokes[i - kept];
    }
    source->strokes = strokes;
    source->stroke_count = count;
    return WADI_OK;
}

wadi_result wadi_scene_read_painted(scene_reader* reader, wadi_yaml_node* value, const char* unit,
                                    wadi_source* source)
{
    static const scene_key keys[] = {{"keep", strokes_read_keep}, {"strokes", strokes_read_added}};
    const scene_form form = {.name = "painted", .keys = keys, .key_count = 2};
    if (source->kind == NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "'painted' adds strokes to the map that the process has before an "
                              "event, and it has none");
    }
    strokes_more more = {.unit = unit, .keep = source->stroke_count};
    SCENE_TRY(wadi_scene_read_map(reader, wadi_yaml_find(value, "painted"), &form, &more));
    if (!(more.keep >= 0.0 && more.keep <= source->stroke_count) ||
        more.keep != (double)(int32_t)more.keep)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_RANGE,
                              "'keep' is %g but must be a whole number from 0 to %d, the strokes "
                              "that the map has before",
                              more.keep, source->stroke_count);
    }
    return strokes_append(reader, (int32_t)more.keep, &more.added, source);
}
