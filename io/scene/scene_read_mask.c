// SPDX-License-Identifier: MIT
// Masks of a scene file: a file, a layer, or a mapping whose parts are multiplied.
#include "io/scene/scene_reader.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// A mask being read.
typedef struct mask_part
{
    wadi_mask mask;
    wadi_mask_band bands[WADI_MAX_MASK_BANDS];
} mask_part;

// ---- bands --------------------------------------------------------------------------------------

typedef struct mask_band_part
{
    wadi_mask_band* band;
    const char* unit;
} mask_band_part;

static wadi_result mask_read_limit(scene_reader* reader, wadi_yaml_node* value, const char* name,
                                   const mask_band_part* part, double* out)
{
    return wadi_scene_read_number(reader, value, name, part->unit, out);
}

static wadi_result mask_read_from(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    const mask_band_part* part = into;
    return mask_read_limit(reader, value, "from", part, &part->band->from);
}

static wadi_result mask_read_to(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    const mask_band_part* part = into;
    return mask_read_limit(reader, value, "to", part, &part->band->to);
}

static wadi_result mask_read_fade(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    const mask_band_part* part = into;
    return mask_read_limit(reader, value, "fade", part, &part->band->fade);
}

static wadi_result mask_new_band(scene_reader* reader, wadi_yaml_node* node,
                                 const wadi_quantity* quantity, mask_part* part,
                                 wadi_mask_band** out)
{
    if (part->mask.band_count == WADI_MAX_MASK_BANDS)
    {
        return wadi_yaml_fail(reader->yaml, node, WADI_ERROR_RANGE,
                              "a mask takes at most %d layers and maps", WADI_MAX_MASK_BANDS);
    }
    *out = &part->bands[part->mask.band_count++];
    **out =
        (wadi_mask_band){.quantity = *quantity, .from = -(double)INFINITY, .to = (double)INFINITY};
    return WADI_OK;
}

// `slope: {from: 20 deg, fade: 5 deg}`
static wadi_result mask_read_band(scene_reader* reader, const wadi_yaml_entry* entry,
                                  const wadi_quantity* quantity, mask_part* part)
{
    static const scene_key keys[] = {
        {"from", mask_read_from}, {"to", mask_read_to}, {"fade", mask_read_fade}};
    wadi_mask_band* band = NULL;
    SCENE_TRY(mask_new_band(reader, entry->key, quantity, part, &band));
    mask_band_part of = {band, wadi_quantity_unit(quantity)};
    const scene_form form = {.name = wadi_yaml_text(entry->key), .keys = keys, .key_count = 3};
    SCENE_TRY(wadi_scene_read_map(reader, entry->value, &form, &of));
    return wadi_scene_at(reader, entry->value, wadi_mask_check(reader->context, &part->mask));
}

// ---- sources ------------------------------------------------------------------------------------

static wadi_result mask_check_single(scene_reader* reader, wadi_yaml_node* node,
                                     const mask_part* part)
{
    return part->mask.source.kind == NULL
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT,
                                "the mask already has a source, '%s'; give one only",
                                part->mask.source.kind->name);
}

static wadi_result mask_read_source(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    mask_part* part = into;
    SCENE_TRY(mask_check_single(reader, value, part));
    return wadi_scene_read_source(reader, value, WADI_FILLS_LAYER, "1", &part->mask.source);
}

static wadi_result mask_read_kind(scene_reader* reader, const wadi_yaml_entry* entry,
                                  const wadi_source_kind* kind, mask_part* part)
{
    SCENE_TRY(mask_check_single(reader, entry->key, part));
    return wadi_scene_read_source_kind(reader, kind, entry->value, "1", &part->mask.source);
}

// ---- the mapping --------------------------------------------------------------------------------

static wadi_result mask_read_strength(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    mask_part* part = into;
    SCENE_TRY(wadi_scene_read_number(reader, value, "strength", "1", &part->mask.strength));
    return wadi_scene_at(reader, value, wadi_mask_check(reader->context, &part->mask));
}

static wadi_result mask_read_invert(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    static const char* const answers[] = {"false", "no", "off", "true", "yes", "on"};
    int32_t answer;
    SCENE_TRY(wadi_scene_read_choice(reader, value, "invert", answers, 6, &answer));
    ((mask_part*)into)->mask.inverted = answer >= 3;
    return WADI_OK;
}

static wadi_result mask_take(scene_reader* reader, const wadi_yaml_entry* entry, void* into,
                             bool* taken)
{
    mask_part* part = into;
    const char* name = wadi_yaml_text(entry->key);
    SCENE_TRY(wadi_scene_read_region_key(reader, entry, &part->mask.region, taken));
    if (*taken)
    {
        return WADI_OK;
    }
    const wadi_source_kind* kind = wadi_source_kind_find(name);
    wadi_quantity quantity;
    *taken = true;
    if (kind != NULL && (kind->fills & WADI_FILLS_LAYER) != 0)
    {
        return mask_read_kind(reader, entry, kind, part);
    }
    if (wadi_quantity_parse(reader->context, name, &quantity) == WADI_OK)
    {
        return mask_read_band(reader, entry, &quantity, part);
    }
    *taken = false;
    return WADI_OK;
}

static wadi_result mask_read_all(scene_reader* reader, wadi_yaml_node* value, mask_part* part)
{
    static const scene_key keys[] = {{"strength", mask_read_strength},
                                     {"invert", mask_read_invert},
                                     {"source", mask_read_source}};
    static const char* const names[] = {
        "import",   "noise",  "bands",     "slope",   "height",     "curvature",
        "sediment", "water",  "bedrock",   "surface", "vegetation", "hardness",
        "moisture", "circle", "rectangle", "polygon", "soft",       NULL};
    const scene_form form = {
        .name = "mask", .keys = keys, .key_count = 3, .other = mask_take, .other_names = names};
    return wadi_scene_read_map(reader, value, &form, part);
}

// A file, a strength, or a layer whose values are the weights.
static wadi_result mask_read_scalar(scene_reader* reader, wadi_yaml_node* value, mask_part* part)
{
    const char* text = wadi_yaml_text(value);
    if (isdigit((unsigned char)text[0]) != 0 && !wadi_scene_is_file_name(text))
    {
        return mask_read_strength(reader, value, part);
    }
    wadi_quantity quantity;
    wadi_mask_band* band = NULL;
    if (wadi_quantity_parse(reader->context, text, &quantity) == WADI_OK)
    {
        return mask_new_band(reader, value, &quantity, part, &band);
    }
    return wadi_scene_is_file_name(text)
               ? mask_read_source(reader, value, part)
               : wadi_yaml_fail(reader->yaml, value, WADI_ERROR_UNKNOWN,
                                "mask is '%s' but takes a file, a layer such as vegetation, or "
                                "keys such as {slope: {from: 20 deg}}",
                                text);
}

wadi_result wadi_scene_read_mask(scene_reader* reader, wadi_yaml_node* value, const wadi_mask** out)
{
    *out = NULL;
    const bool scalar = wadi_yaml_kind_of(value) == WADI_YAML_SCALAR;
    if (scalar && strcmp(wadi_yaml_text(value), "none") == 0)
    {
        return WADI_OK;
    }
    mask_part* part = wadi_scene_reader_alloc(reader, sizeof *part);
    if (part == NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_MEMORY, "out of memory");
    }
    part->mask = wadi_mask_default();
    part->mask.bands = part->bands;
    SCENE_TRY(scalar ? mask_read_scalar(reader, value, part) : mask_read_all(reader, value, part));
    *out = &part->mask;
    return WADI_OK;
}
