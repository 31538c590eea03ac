// SPDX-License-Identifier: MIT
// Outputs in a scene file: write, render, report, amplify.
#include "io/scene/scene_reader.h"

#include <stdio.h>
#include <string.h>

// Output files must lie inside the output folder, so that a scene from a stranger cannot overwrite
// other files.
wadi_result wadi_scene_read_output_file(scene_reader* reader, wadi_yaml_node* value,
                                        const char** file)
{
    SCENE_TRY(wadi_scene_read_text(reader, value, "an output", file));
    const char* name = *file;
    bool leaves = name[0] == '/';
    for (const char* part = name; part != NULL; part = strchr(part, '/'))
    {
        part += part[0] == '/';
        leaves = leaves || strncmp(part, "../", 3) == 0 || strcmp(part, "..") == 0;
    }
    if (leaves || strchr(name, '\\') != NULL)
    {
        return wadi_yaml_fail(
            reader->yaml, value, WADI_ERROR_ARGUMENT,
            "'%s' is outside the output folder; name a file inside it, and the folder with -o",
            name);
    }
    return WADI_OK;
}

static wadi_result outputs_read_file(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_output_file(reader, value, &((wadi_output*)into)->file);
}

static wadi_result outputs_read_quantity(scene_reader* reader, wadi_yaml_node* value,
                                         const char* what, wadi_quantity* out)
{
    const char* text;
    SCENE_TRY(wadi_scene_read_text(reader, value, what, &text));
    return wadi_scene_at(reader, value, wadi_quantity_parse(reader->context, text, out));
}

// ---- every --------------------------------------------------------------------------------------

// wadi_scene_read_timed() reads the time.
static wadi_result outputs_read_every(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)into;
    double ignored;
    if (reader->event != NULL || reader->in_steps)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "'every' belongs to an entry under 'output'; here a file is written "
                              "once, at its place");
    }
    return wadi_scene_read_number(reader, value, "every", "yr", &ignored);
}

// ---- write --------------------------------------------------------------------------------------

static wadi_result outputs_read_map(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    if (wadi_yaml_kind_of(value) == WADI_YAML_SCALAR &&
        strcmp(wadi_yaml_text(value), "normals") == 0)
    {
        ((wadi_output*)into)->normals = true;
        return WADI_OK;
    }
    return outputs_read_quantity(reader, value, "map", &((wadi_output*)into)->quantity);
}

static wadi_result outputs_read_layer(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    wadi_quantity* quantity = &((wadi_output*)into)->quantity;
    SCENE_TRY(outputs_read_quantity(reader, value, "layer", quantity));
    const bool is_layer = quantity->process == NULL && !quantity->is_derived;
    return is_layer ? WADI_OK
                    : wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                                     "'%s' is a map: write 'map' instead of 'layer'",
                                     wadi_yaml_text(value));
}

static wadi_result outputs_read_bits(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    int32_t bits = 0;
    SCENE_TRY(wadi_scene_read_count(reader, value, "bits", &bits));
    ((wadi_output*)into)->bits = bits == 8 ? 8 : 0;
    return bits == 8 || bits == 16 ? WADI_OK
                                   : wadi_yaml_fail(reader->yaml, value, WADI_ERROR_RANGE,
                                                    "a PNG has 8 or 16 bits, not %d", bits);
}

static wadi_result outputs_read_gradient(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_text(reader, value, "a table of colours",
                                &((wadi_output*)into)->gradient);
}

static wadi_result outputs_read_splat(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    wadi_output* output = into;
    const int32_t count = wadi_yaml_kind_of(value) == WADI_YAML_LIST ? wadi_yaml_count(value) : 0;
    void* place = NULL;
    wadi_yaml_entry item;
    if (count < 2 || count > WADI_MAX_SPLAT)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "'splat' takes a list of 2 to %d masks, for red, green, blue and "
                              "alpha, such as [{slope: {to: 20 deg}}, vegetation]",
                              WADI_MAX_SPLAT);
    }
    while (wadi_yaml_next(value, &place, &item))
    {
        const wadi_mask* mask = NULL;
        SCENE_TRY(wadi_scene_read_mask(reader, item.value, &mask));
        if (mask == NULL)
        {
            return wadi_yaml_fail(reader->yaml, item.value, WADI_ERROR_FORMAT,
                                  "a channel needs a mask; leave it out, or give 0");
        }
        output->splat[output->splat_count++] = mask;
    }
    return WADI_OK;
}

static bool outputs_ends_with(const char* file, const char* ending)
{
    const size_t length = strlen(file);
    const size_t tail = strlen(ending);
    return length > tail && strcmp(file + length - tail, ending) == 0;
}

// Bits, colours and weights are for PNG files, and one of them is enough.
static wadi_result outputs_check_png(scene_reader* reader, wadi_yaml_node* step,
                                     const wadi_output* output)
{
    const bool has_bits = wadi_yaml_find(step, "bits") != NULL;
    const bool has_gradient = output->gradient != NULL;
    const bool has_splat = output->splat_count > 0;
    const bool has_map =
        wadi_yaml_find(step, "map") != NULL || wadi_yaml_find(step, "layer") != NULL;
    if ((has_bits || has_gradient || has_splat) && !outputs_ends_with(output->file, ".png"))
    {
        return wadi_yaml_fail(reader->yaml, step, WADI_ERROR_FORMAT,
                              "'bits', 'gradient' and 'splat' are for PNG; name the file .png");
    }
    if (output->normals && (has_bits || has_gradient || !outputs_ends_with(output->file, ".png")))
    {
        return wadi_yaml_fail(reader->yaml, step, WADI_ERROR_FORMAT,
                              "normals are the colours of a PNG: name the file .png, and leave out "
                              "'bits' and 'gradient'");
    }
    if (has_splat && (has_map || has_bits || has_gradient))
    {
        return wadi_yaml_fail(reader->yaml, step, WADI_ERROR_FORMAT,
                              "'splat' makes the whole picture: leave out 'layer', 'map', 'bits' "
                              "and 'gradient'");
    }
    return has_bits && has_gradient
               ? wadi_yaml_fail(reader->yaml, step, WADI_ERROR_FORMAT,
                                "colours have 8 bits each: leave out 'bits' or 'gradient'")
               : WADI_OK;
}

static wadi_result outputs_read_write(scene_reader* reader, wadi_yaml_node* step, wadi_output* out)
{
    static const scene_key keys[] = {
        {"write", outputs_read_file},        {"map", outputs_read_map},
        {"layer", outputs_read_layer},       {"bits", outputs_read_bits},
        {"gradient", outputs_read_gradient}, {"splat", outputs_read_splat},
        {"every", outputs_read_every},
    };
    const scene_form form = {
        .name = "write", .keys = keys, .key_count = sizeof keys / sizeof keys[0]};
    if (wadi_yaml_find(step, "map") != NULL && wadi_yaml_find(step, "layer") != NULL)
    {
        return wadi_yaml_fail(reader->yaml, step, WADI_ERROR_FORMAT,
                              "a file holds either a map or a layer; write two files");
    }
    SCENE_TRY(wadi_scene_read_map(reader, step, &form, out));
    return outputs_check_png(reader, step, out);
}

// ---- render -------------------------------------------------------------------------------------

static wadi_result outputs_read_views(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_count(reader, value, "views", &((wadi_output*)into)->views);
}

static wadi_result outputs_read_overlay(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    wadi_output* output = into;
    if (output->has_overlay)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "a picture shows one map: either draped or as an inset");
    }
    output->has_overlay = true;
    return outputs_read_quantity(reader, value, "a map in a picture", &output->overlay);
}

static wadi_result outputs_read_render(scene_reader* reader, wadi_yaml_node* step, wadi_output* out)
{
    static const scene_key keys[] = {
        {"render", outputs_read_file},   {"views", outputs_read_views},
        {"drape", outputs_read_overlay}, {"inset", outputs_read_overlay},
        {"every", outputs_read_every},
    };
    void* params;
    SCENE_TRY(wadi_scene_new_params(reader, step, &wadi_render_fields, &params));
    const scene_form form = {.name = "render",
                             .keys = keys,
                             .key_count = sizeof keys / sizeof keys[0],
                             .table = &wadi_render_fields,
                             .params = params};
    wadi_render_params* render = params;
    out->views = 1;
    out->render = render;
    if (wadi_yaml_find(step, "inset") != NULL)
    {
        render->overlay_place = WADI_RENDER_INSET;
    }
    SCENE_TRY(wadi_scene_read_map(reader, step, &form, out));
    out->fits_map = render->view == WADI_RENDER_MAP && wadi_yaml_find(step, "height") == NULL;
    return WADI_OK;
}

// ---- report -------------------------------------------------------------------------------------

static wadi_result outputs_read_report(scene_reader* reader, wadi_yaml_node* step, wadi_output* out)
{
    static const scene_key keys[] = {{"report", outputs_read_file}, {"every", outputs_read_every}};
    const scene_form form = {.name = "report", .keys = keys, .key_count = 2};
    return wadi_scene_read_map(reader, step, &form, out);
}

// ---- amplify ------------------------------------------------------------------------------------

static wadi_result outputs_read_winds(scene_reader* reader, wadi_yaml_node* value, void* into,
                                      const char* table)
{
    wadi_output* output = into;
    if (output->winds.file != NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "the winds are given twice, as '%s' and as '%s': leave one out",
                              output->winds.table, table);
    }
    output->winds.table = table;
    return wadi_scene_read_text(reader, value, "a table of winds", &output->winds.file);
}

static wadi_result outputs_read_rose(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return outputs_read_winds(reader, value, into, "rose");
}

static wadi_result outputs_read_series(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return outputs_read_winds(reader, value, into, "series");
}

static wadi_result outputs_read_schedule(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return outputs_read_winds(reader, value, into, "schedule");
}

static wadi_result outputs_read_amplify(scene_reader* reader, wadi_yaml_node* step,
                                        wadi_output* out)
{
    static const scene_key keys[] = {
        {"amplify", outputs_read_file},      {"every", outputs_read_every},
        {"rose", outputs_read_rose},         {"series", outputs_read_series},
        {"schedule", outputs_read_schedule},
    };
    void* params;
    SCENE_TRY(wadi_scene_new_params(reader, step, &wadi_amplify_fields, &params));
    const scene_form form = {.name = "amplify",
                             .keys = keys,
                             .key_count = sizeof keys / sizeof keys[0],
                             .table = &wadi_amplify_fields,
                             .params = params};
    out->window = params;
    return wadi_scene_read_map(reader, step, &form, out);
}

// ---- checkpoint ---------------------------------------------------------------------------------

static wadi_result outputs_read_checkpoint(scene_reader* reader, wadi_yaml_node* step,
                                           wadi_output* out)
{
    static const scene_key keys[] = {
        {"checkpoint", outputs_read_file},
        {"every", outputs_read_every},
    };
    const scene_form form = {
        .name = "checkpoint", .keys = keys, .key_count = sizeof keys / sizeof keys[0]};
    return wadi_scene_read_map(reader, step, &form, out);
}

// ---- the table ----------------------------------------------------------------------------------

static const struct
{
    const char* name;
    const char* ending; // required ending; NULL: any writable format
    wadi_result (*read)(scene_reader* reader, wadi_yaml_node* step, wadi_output* out);
} outputs_kinds[WADI_OUTPUT_COUNT] = {
    [WADI_OUTPUT_WRITE] = {"write", NULL, outputs_read_write},
    [WADI_OUTPUT_RENDER] = {"render", ".png", outputs_read_render},
    [WADI_OUTPUT_REPORT] = {"report", ".json", outputs_read_report},
    [WADI_OUTPUT_AMPLIFY] = {"amplify", NULL, outputs_read_amplify},
    [WADI_OUTPUT_CHECKPOINT] = {"checkpoint", ".nc", outputs_read_checkpoint},
};

static int outputs_find(const char* name)
{
    int kind = 0;
    while (kind < WADI_OUTPUT_COUNT && strcmp(outputs_kinds[kind].name, name) != 0)
    {
        ++kind;
    }
    return kind;
}

bool wadi_scene_is_output(const char* name)
{
    return outputs_find(name) < WADI_OUTPUT_COUNT;
}

wadi_result wadi_scene_read_output(scene_reader* reader, wadi_yaml_node* step,
                                   const wadi_yaml_entry* entry, wadi_output* out)
{
    const int kind = outputs_find(wadi_yaml_text(entry->key));
    out->kind = (wadi_output_kind)kind;
    SCENE_TRY(outputs_kinds[kind].read(reader, step, out));
    const char* ending = outputs_kinds[kind].ending;
    return ending == NULL || outputs_ends_with(out->file, ending)
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, entry->value, WADI_ERROR_FORMAT,
                                "'%s' must end in %s", out->file, ending);
}
