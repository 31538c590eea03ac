// SPDX-License-Identifier: MIT
#include "io/scene/scene_reader.h"

#include "io/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    READER_MAX_NAMES = 128 // keys of one mapping; the largest has about 50
};

// ---- memory -------------------------------------------------------------------------------------

void* wadi_scene_reader_alloc(scene_reader* reader, size_t size)
{
    scene_scratch* scratch = calloc(1, sizeof *scratch + size);
    if (scratch == NULL)
    {
        return NULL;
    }
    scratch->next = reader->scratch;
    reader->scratch = scratch;
    return scratch->data;
}

void wadi_scene_reader_free_all(scene_reader* reader)
{
    while (reader->scratch != NULL)
    {
        scene_scratch* next = reader->scratch->next;
        free(reader->scratch);
        reader->scratch = next;
    }
}

wadi_result wadi_scene_new_params(scene_reader* reader, wadi_yaml_node* node,
                                  const wadi_field_table* table, void** out)
{
    *out = wadi_scene_reader_alloc(reader, table->params_size);
    if (*out == NULL)
    {
        return wadi_yaml_fail(reader->yaml, node, WADI_ERROR_MEMORY, "out of memory");
    }
    wadi_fields_init(table, *out);
    return WADI_OK;
}

// ---- failures -----------------------------------------------------------------------------------

const char* wadi_scene_place_text(scene_reader* reader, wadi_yaml_node* node)
{
    char place[512];
    wadi_yaml_place(reader->yaml, node, place, sizeof place);
    char* kept = wadi_scene_reader_alloc(reader, strlen(place) + 1);
    return kept != NULL ? memcpy(kept, place, strlen(place) + 1) : NULL;
}

wadi_result wadi_scene_at(scene_reader* reader, wadi_yaml_node* node, wadi_result result)
{
    return result == WADI_OK ? WADI_OK
                             : wadi_yaml_fail(reader->yaml, node, result, "%s",
                                              wadi_error_detail(reader->context));
}

// Nearest of some names. wadi_field_nearest() takes a field table, so one is built.
static const char* reader_nearest(const char* const* names, int32_t count, const char* text)
{
    wadi_field fields[READER_MAX_NAMES];
    memset(fields, 0, sizeof fields);
    for (int32_t i = 0; i < count; ++i)
    {
        fields[i].name = names[i];
    }
    const wadi_field_table table = {"names", fields, count, 0, NULL};
    return wadi_field_nearest(&table, text);
}

static void reader_list(const char* const* names, int32_t count, char* text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < count && used < size; ++i)
    {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
}

wadi_result wadi_scene_unknown_key(scene_reader* reader, wadi_yaml_node* key, const char* of,
                                   const char* const* names, int32_t count)
{
    const char* text = wadi_yaml_text(key);
    const char* nearest = reader_nearest(names, count, text);
    if (text[0] >= '0' && text[0] <= '9')
    {
        return wadi_yaml_fail(reader->yaml, key, WADI_ERROR_UNKNOWN,
                              "'%s' in '%s' is no key; numbers have a decimal point, and lists "
                              "stand in brackets: 2.5 m, [512, 256]",
                              text, of);
    }
    if (nearest != NULL)
    {
        return wadi_yaml_fail(reader->yaml, key, WADI_ERROR_UNKNOWN,
                              "unknown key '%s' in '%s'; did you mean '%s'?", text, of, nearest);
    }
    char list[768];
    reader_list(names, count, list, sizeof list);
    return wadi_yaml_fail(reader->yaml, key, WADI_ERROR_UNKNOWN,
                          "unknown key '%s' in '%s'; expected one of: %s", text, of, list);
}

// ---- scalars ------------------------------------------------------------------------------------

wadi_result wadi_scene_read_text(scene_reader* reader, wadi_yaml_node* value, const char* what,
                                 const char** out)
{
    *out = "";
    if (wadi_yaml_kind_of(value) != WADI_YAML_SCALAR || wadi_yaml_text(value)[0] == '\0')
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT, "%s takes a single value",
                              what);
    }
    *out = wadi_yaml_text(value);
    return WADI_OK;
}

wadi_result wadi_scene_read_number(scene_reader* reader, wadi_yaml_node* value, const char* what,
                                   const char* unit, double* out)
{
    *out = 0.0;
    const char* text;
    SCENE_TRY(wadi_scene_read_text(reader, value, what, &text));
    return wadi_scene_at(reader, value,
                         wadi_io_parse_value(reader->context, what, text, unit, out));
}

wadi_result wadi_scene_read_count(scene_reader* reader, wadi_yaml_node* value, const char* what,
                                  int32_t* out)
{
    *out = 0;
    double number;
    SCENE_TRY(wadi_scene_read_number(reader, value, what, "1", &number));
    const bool whole = number >= 1.0 && number <= 65536.0 && number == (double)(int32_t)number;
    if (!whole)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_RANGE,
                              "%s is %s but must be a whole number in [1, 65536]", what,
                              wadi_yaml_text(value));
    }
    *out = (int32_t)number;
    return WADI_OK;
}

wadi_result wadi_scene_read_choice(scene_reader* reader, wadi_yaml_node* value, const char* what,
                                   const char* const* names, int32_t count, int32_t* out)
{
    *out = 0;
    const char* text;
    SCENE_TRY(wadi_scene_read_text(reader, value, what, &text));
    for (int32_t i = 0; i < count; ++i)
    {
        if (strcmp(names[i], text) == 0)
        {
            *out = i;
            return WADI_OK;
        }
    }
    char list[256];
    reader_list(names, count, list, sizeof list);
    return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_UNKNOWN,
                          "%s is '%s' but takes one of: %s", what, text, list);
}

// ---- mappings -----------------------------------------------------------------------------------

wadi_result wadi_scene_read_field(scene_reader* reader, const wadi_field_table* table,
                                  const wadi_field* field, const char* unit, wadi_yaml_node* value,
                                  void* params)
{
    char what[64];
    (void)snprintf(what, sizeof what, "%s.%s", table->name, field->name);
    const char* text;
    SCENE_TRY(wadi_scene_read_text(reader, value, what, &text));
    wadi_result result;
    if (field->type == WADI_FIELD_DOUBLE || field->type == WADI_FIELD_INT32)
    {
        const char* own = field->unit[0] == '\0' && unit != NULL ? unit : field->unit;
        double number;
        SCENE_TRY(wadi_scene_read_number(reader, value, what, own, &number));
        result = wadi_field_set(reader->context, table, field->name, number, params);
    }
    else
    {
        result = wadi_field_set_text(reader->context, table, field->name, text, params);
    }
    return wadi_scene_at(reader, value, result);
}

static wadi_result reader_unknown(scene_reader* reader, wadi_yaml_node* key, const scene_form* form)
{
    const char* names[READER_MAX_NAMES];
    int32_t count = 0;
    for (int32_t i = 0; i < form->key_count; ++i)
    {
        names[count++] = form->keys[i].name;
    }
    for (int32_t i = 0; form->table != NULL && i < form->table->count && count < READER_MAX_NAMES;
         ++i)
    {
        names[count++] = form->table->fields[i].name;
    }
    for (const char* const* name = form->other_names;
         name != NULL && *name != NULL && count < READER_MAX_NAMES; ++name)
    {
        names[count++] = *name;
    }
    return wadi_scene_unknown_key(reader, key, form->name, names, count);
}

static wadi_result reader_read_entry(scene_reader* reader, const wadi_yaml_entry* entry,
                                     const scene_form* form, void* into)
{
    const char* name = wadi_yaml_text(entry->key);
    for (int32_t i = 0; i < form->key_count; ++i)
    {
        if (strcmp(form->keys[i].name, name) == 0)
        {
            return form->keys[i].read(reader, entry->value, into);
        }
    }
    const wadi_field* field = form->table != NULL ? wadi_field_find(form->table, name) : NULL;
    if (field != NULL)
    {
        return wadi_scene_read_field(reader, form->table, field, form->unit, entry->value,
                                     form->params);
    }
    bool taken = false;
    if (form->other != NULL)
    {
        SCENE_TRY(form->other(reader, entry, into, &taken));
    }
    return taken ? WADI_OK : reader_unknown(reader, entry->key, form);
}

wadi_result wadi_scene_read_map(scene_reader* reader, wadi_yaml_node* node, const scene_form* form,
                                void* into)
{
    if (wadi_yaml_kind_of(node) != WADI_YAML_MAP)
    {
        return wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT,
                              "'%s' takes keys and values, such as {key: value}", form->name);
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_next(node, &place, &entry))
    {
        if (!wadi_scene_is_event_key(reader, node, entry.key))
        {
            SCENE_TRY(reader_read_entry(reader, &entry, form, into));
        }
    }
    return WADI_OK;
}
