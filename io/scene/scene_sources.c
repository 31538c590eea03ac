// SPDX-License-Identifier: MIT
// Sources, regions and layers of a scene file.
#include "io/scene/scene_reader.h"

#include <ctype.h>
#include <string.h>

// ---- sources ------------------------------------------------------------------------------------

wadi_result wadi_scene_keep_place(scene_reader* reader, wadi_yaml_node* value, const char** origin)
{
    enum
    {
        PLACE_LENGTH = 512
    };
    char* place = wadi_scene_reader_alloc(reader, PLACE_LENGTH);
    if (place == NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_MEMORY, "out of memory");
    }
    wadi_yaml_place(reader->yaml, value, place, PLACE_LENGTH);
    *origin = place;
    return WADI_OK;
}

// A source being read.
typedef struct sources_target
{
    wadi_source source;
    const char* unit; // of the layer or map that the source fills
} sources_target;

static wadi_result sources_read_file(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    wadi_source* source = &((sources_target*)into)->source;
    return wadi_scene_read_text(reader, value, "file", &source->file);
}

// {1: 0.2, 2: 0.9}: value of each class number.
static wadi_result sources_read_classes(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    sources_target* target = into;
    const int32_t count = wadi_yaml_count(value);
    if (wadi_yaml_kind_of(value) != WADI_YAML_MAP || count < 1)
    {
        return wadi_yaml_fail(
            reader->yaml, value, WADI_ERROR_FORMAT,
            "'values' maps each class number to a value, such as {1: 0.2, 2: 0.9}");
    }
    wadi_class_value* classes = wadi_scene_reader_alloc(reader, (size_t)count * sizeof *classes);
    if (classes == NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_MEMORY, "out of memory");
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    for (int32_t i = 0; wadi_yaml_next(value, &place, &entry); ++i)
    {
        SCENE_TRY(wadi_scene_read_number(reader, entry.key, "a class", "1", &classes[i].number));
        SCENE_TRY(wadi_scene_read_number(reader, entry.value, "a value", target->unit,
                                         &classes[i].value));
    }
    target->source.classes = classes;
    target->source.class_count = count;
    return WADI_OK;
}

static wadi_result sources_read_strokes(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    sources_target* target = into;
    return wadi_scene_read_strokes(reader, value, target->unit, &target->source);
}

static wadi_result sources_check(scene_reader* reader, wadi_yaml_node* value,
                                 const wadi_source* source, bool has_classes)
{
    if (source->kind->needs_file && source->file == NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT, "'%s' needs a file",
                              source->kind->name);
    }
    return !has_classes || source->class_count > 0
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                                "'classes' needs values, such as {1: 0.2, 2: 0.9}");
}

wadi_result wadi_scene_read_source_kind(scene_reader* reader, const wadi_source_kind* kind,
                                        wadi_yaml_node* value, const char* unit, wadi_source* out)
{
    static const scene_key keys[] = {{"strokes", sources_read_strokes},
                                     {"file", sources_read_file},
                                     {"values", sources_read_classes}};
    const bool has_classes = strcmp(kind->name, "classes") == 0;
    void* params;
    SCENE_TRY(wadi_scene_new_params(reader, value, kind->fields, &params));
    *out = (wadi_source){.kind = kind, .params = params};
    SCENE_TRY(wadi_scene_keep_place(reader, value, &out->origin));
    sources_target target = {*out, unit};

    // a single value is the file, or the first field of the table
    if (wadi_yaml_kind_of(value) == WADI_YAML_SCALAR && wadi_yaml_text(value)[0] != '\0')
    {
        SCENE_TRY(kind->needs_file
                      ? sources_read_file(reader, value, &target)
                      : wadi_scene_read_field(reader, kind->fields, &kind->fields->fields[0], unit,
                                              value, params));
    }
    else
    {
        const scene_form form = {.name = kind->name,
                                 .keys = keys,
                                 .key_count = has_classes        ? 3
                                              : kind->needs_file ? 2
                                                                 : 1,
                                 .table = kind->fields,
                                 .params = params,
                                 .unit = unit};
        SCENE_TRY(wadi_scene_read_map(reader, value, &form, &target));
    }
    *out = target.source;
    return sources_check(reader, value, out, has_classes);
}

bool wadi_scene_is_file_name(const char* text)
{
    const char* dot = strrchr(text, '.');
    return dot != NULL && isalpha((unsigned char)dot[1]) != 0;
}

static wadi_result sources_unknown(scene_reader* reader, wadi_yaml_node* key, int32_t fills)
{
    const char* names[16];
    int32_t count = 0;
    for (int32_t i = 0; i < wadi_source_kind_count(); ++i)
    {
        if ((wadi_source_kind_at(i)->fills & fills) != 0)
        {
            names[count++] = wadi_source_kind_at(i)->name;
        }
    }
    return wadi_scene_unknown_key(reader, key, "source", names, count);
}

wadi_result wadi_scene_read_source(scene_reader* reader, wadi_yaml_node* value, int32_t fills,
                                   const char* unit, wadi_source* out)
{
    if (wadi_yaml_kind_of(value) == WADI_YAML_SCALAR && wadi_yaml_text(value)[0] != '\0')
    {
        const char* kind = wadi_scene_is_file_name(wadi_yaml_text(value)) ? "import" : "constant";
        return wadi_scene_read_source_kind(reader, wadi_source_kind_find(kind), value, unit, out);
    }
    if (wadi_yaml_kind_of(value) != WADI_YAML_MAP || wadi_yaml_count(value) != 1)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "one source is expected: a value, a file, or one of "
                              "{constant: ...}, {noise: {...}}, {bands: {...}}, {import: ...}");
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    (void)wadi_yaml_next(value, &place, &entry);
    const wadi_source_kind* kind = wadi_source_kind_find(wadi_yaml_text(entry.key));
    if (kind == NULL || (kind->fills & fills) == 0)
    {
        return sources_unknown(reader, entry.key, fills);
    }
    return wadi_scene_read_source_kind(reader, kind, entry.value, unit, out);
}

// ---- regions ------------------------------------------------------------------------------------

wadi_result wadi_scene_read_point(scene_reader* reader, wadi_yaml_node* value, wadi_point* out)
{
    if (wadi_yaml_kind_of(value) != WADI_YAML_LIST || wadi_yaml_count(value) != 2)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "a corner or point is [x, y], such as [1.2 km, 800 m]");
    }
    void* place = NULL;
    wadi_yaml_entry x;
    wadi_yaml_entry y;
    (void)wadi_yaml_next(value, &place, &x);
    (void)wadi_yaml_next(value, &place, &y);
    SCENE_TRY(wadi_scene_read_number(reader, x.value, "x", "m", &out->x));
    return wadi_scene_read_number(reader, y.value, "y", "m", &out->y);
}

wadi_result wadi_scene_read_points(scene_reader* reader, wadi_yaml_node* value,
                                   const char* expected, int32_t least, const wadi_point** out,
                                   int32_t* count)
{
    *count = wadi_yaml_count(value);
    if (wadi_yaml_kind_of(value) != WADI_YAML_LIST || *count < least)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT, "%s", expected);
    }
    wadi_point* points = wadi_scene_reader_alloc(reader, (size_t)*count * sizeof *points);
    if (points == NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_MEMORY, "out of memory");
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    for (int32_t i = 0; wadi_yaml_next(value, &place, &entry); ++i)
    {
        SCENE_TRY(wadi_scene_read_point(reader, entry.value, &points[i]));
    }
    *out = points;
    return WADI_OK;
}

static wadi_result sources_read_shape(scene_reader* reader, const wadi_yaml_entry* entry,
                                      const wadi_shape_kind* kind, wadi_region* region)
{
    if (region->shape != NULL)
    {
        return wadi_yaml_fail(reader->yaml, entry->key, WADI_ERROR_FORMAT,
                              "the shape is already a %s; give one shape only",
                              region->shape->name);
    }
    region->shape = kind;
    if (kind->fields == NULL)
    {
        return wadi_scene_read_points(reader, entry->value,
                                      "a polygon takes a list of 3 corners [x, y] or more", 3,
                                      &region->points, &region->point_count);
    }
    void* params;
    SCENE_TRY(wadi_scene_new_params(reader, entry->value, kind->fields, &params));
    region->params = params;
    const scene_form form = {.name = kind->name, .table = kind->fields, .params = params};
    return wadi_scene_read_map(reader, entry->value, &form, NULL);
}

static wadi_result sources_read_everywhere(scene_reader* reader, wadi_yaml_node* value)
{
    static const char* const yes[] = {"true", "yes", "on"};
    int32_t ignored;
    return wadi_scene_read_choice(reader, value, "everywhere", yes, 3, &ignored);
}

const char* const wadi_scene_region_keys[] = {"circle",     "rectangle", "polygon",
                                              "everywhere", "soft",      NULL};

wadi_result wadi_scene_read_region_key(scene_reader* reader, const wadi_yaml_entry* entry,
                                       wadi_region* region, bool* taken)
{
    const char* name = wadi_yaml_text(entry->key);
    const wadi_shape_kind* kind = wadi_shape_kind_find(name);
    *taken = true;
    if (kind != NULL)
    {
        return sources_read_shape(reader, entry, kind, region);
    }
    if (strcmp(name, "soft") == 0)
    {
        return wadi_scene_read_number(reader, entry->value, "soft", "m", &region->soft);
    }
    if (strcmp(name, "everywhere") == 0)
    {
        return sources_read_everywhere(reader, entry->value);
    }
    *taken = false;
    return WADI_OK;
}

// ---- layers -------------------------------------------------------------------------------------

static bool sources_is_share(wadi_layer layer)
{
    return layer == WADI_LAYER_HARDNESS || layer == WADI_LAYER_VEGETATION ||
           layer == WADI_LAYER_MOISTURE;
}

wadi_result wadi_scene_read_layer(scene_reader* reader, wadi_yaml_node* key, wadi_yaml_node* value,
                                  wadi_scene_layer* out)
{
    static const char* const names[] = {"sediment", "hardness", "moisture", "vegetation",
                                        "water",    "bedrock",  "surface"};
    int32_t index;
    wadi_quantity quantity;
    const char* name = wadi_layer_alias(wadi_yaml_text(key));
    if (name == NULL)
    {
        SCENE_TRY(wadi_scene_read_choice(reader, key, "a layer", names, 7, &index));
        name = names[index];
    }
    SCENE_TRY(wadi_scene_at(reader, key, wadi_quantity_parse(reader->context, name, &quantity)));
    out->layer = quantity.layer;
    const bool share = sources_is_share(out->layer);
    const bool loose = out->layer >= WADI_LAYER_LOOSE;
    return wadi_scene_read_source(reader, value, WADI_FILLS_LAYER | (loose ? WADI_FILLS_LOOSE : 0),
                                  share ? "1" : "m", &out->source);
}
