// SPDX-License-Identifier: MIT
// Particles of water in a step of a scene file.
#include "io/scene/scene_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    WATER_MAX_BLOCKS = 64,
    WATER_MAX_NAMES = 48
};

// Water being read: its own values and those of its particles.
typedef struct water_part
{
    wadi_water water;
    wadi_water_block blocks[WATER_MAX_BLOCKS];
} water_part;

// ---- blocks -------------------------------------------------------------------------------------

static wadi_result water_read_block(scene_reader* reader, wadi_yaml_node* node,
                                    wadi_water_block* out)
{
    double* const numbers[] = {&out->low[0],  &out->low[1],  &out->low[2],
                               &out->high[0], &out->high[1], &out->high[2]};
    const int32_t most = sizeof numbers / sizeof numbers[0];
    if (wadi_yaml_kind_of(node) != WADI_YAML_LIST || wadi_yaml_count(node) != most)
    {
        return wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT,
                              "a block of water lies between two corners, such as [0 m, 0 m, 0 m, "
                              "2 m, 1 m, 50 cm]");
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    for (int32_t i = 0; wadi_yaml_next(node, &place, &entry); ++i)
    {
        SCENE_TRY(wadi_scene_read_number(reader, entry.value, "a block", "m", numbers[i]));
    }
    return WADI_OK;
}

static wadi_result water_read_blocks(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    water_part* part = into;
    const int32_t count = wadi_yaml_count(value);
    if (wadi_yaml_kind_of(value) != WADI_YAML_LIST || count < 1 || count > WATER_MAX_BLOCKS)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "'blocks' takes a list of 1 to %d blocks of water",
                              (int)WATER_MAX_BLOCKS);
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_next(value, &place, &entry))
    {
        SCENE_TRY(water_read_block(reader, entry.value, &part->blocks[part->water.block_count]));
        part->water.block_count += 1;
    }
    return WADI_OK;
}

// ---- values -------------------------------------------------------------------------------------

static const wadi_field_table* const water_tables[] = {&wadi_water_fields, &wadi_sph_fields};

enum
{
    WATER_TABLES = sizeof water_tables / sizeof water_tables[0]
};

static wadi_result water_take_field(scene_reader* reader, const wadi_yaml_entry* entry, void* into,
                                    bool* taken)
{
    water_part* part = into;
    void* const params[WATER_TABLES] = {&part->water.params, &part->water.sph};
    for (int i = 0; i < WATER_TABLES && !*taken; ++i)
    {
        const wadi_field* field = wadi_field_find(water_tables[i], wadi_yaml_text(entry->key));
        if (field != NULL)
        {
            *taken = true;
            SCENE_TRY(wadi_scene_read_field(reader, water_tables[i], field, NULL, entry->value,
                                            params[i]));
        }
    }
    return WADI_OK;
}

static void water_list_names(const char* names[WATER_MAX_NAMES])
{
    int32_t count = 0;
    for (int i = 0; i < WATER_TABLES; ++i)
    {
        for (int32_t k = 0; k < water_tables[i]->count && count < WATER_MAX_NAMES - 1; ++k)
        {
            names[count++] = water_tables[i]->fields[k].name;
        }
    }
    names[count] = NULL;
}

// Ten times the speed of free fall from the highest block, or the rain, to the lowest block.
static double water_sound_speed(const wadi_water* water)
{
    double low = water->block_count > 0 ? water->blocks[0].low[2] : 0.0;
    double high = water->block_count > 0 ? water->blocks[0].high[2] : 0.0;
    for (int32_t i = 0; i < water->block_count; ++i)
    {
        low = fmin(low, water->blocks[i].low[2]);
        high = fmax(high, water->blocks[i].high[2]);
    }
    high = water->params.rain_rate > 0.0 ? fmax(high, water->params.rain_height) : high;
    return high > low ? wadi_sph_sound_speed(high - low) : wadi_sph_sound_speed(1.0);
}

wadi_result wadi_scene_read_water(scene_reader* reader, wadi_yaml_node* value,
                                  const wadi_water** out)
{
    static const scene_key keys[] = {{"blocks", water_read_blocks}};
    const char* names[WATER_MAX_NAMES];
    water_list_names(names);
    const scene_form form = {.name = "water",
                             .keys = keys,
                             .key_count = sizeof keys / sizeof keys[0],
                             .other = water_take_field,
                             .other_names = names};
    water_part* part = wadi_scene_reader_alloc(reader, sizeof *part);
    if (part == NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_MEMORY, "out of memory");
    }
    part->water = (wadi_water){.params = wadi_water_params_default(),
                               .sph = wadi_sph_params_default(),
                               .blocks = part->blocks};
    SCENE_TRY(wadi_scene_read_map(reader, value, &form, part));
    if (wadi_yaml_find(value, "sound_speed") == NULL)
    {
        part->water.sph.sound_speed = water_sound_speed(&part->water);
    }
    *out = &part->water;
    return WADI_OK;
}
