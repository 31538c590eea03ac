// SPDX-License-Identifier: MIT
// The key `sea_level` of the terrain: a level, levels by year, or a file of them.
#include "io/scene/scene_reader.h"

static wadi_result sea_out_of_memory(scene_reader* reader, wadi_yaml_node* value)
{
    return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_MEMORY, "out of memory");
}

// {0 yr: -120 m, 15 kyr: 0 m}
static wadi_result sea_read_rows(scene_reader* reader, wadi_yaml_node* value, wadi_scene_sea* sea)
{
    const int32_t count = wadi_yaml_count(value);
    double* years = wadi_scene_reader_alloc(reader, 2 * (size_t)count * sizeof *years);
    if (years == NULL)
    {
        return sea_out_of_memory(reader, value);
    }
    double* levels = years + count;
    void* place = NULL;
    wadi_yaml_entry entry;
    for (int32_t i = 0; wadi_yaml_next(value, &place, &entry); ++i)
    {
        SCENE_TRY(wadi_scene_read_number(reader, entry.key, "a year", "yr", &years[i]));
        SCENE_TRY(wadi_scene_read_number(reader, entry.value, "a sea level", "m", &levels[i]));
        if (i > 0 && years[i] <= years[i - 1])
        {
            return wadi_yaml_fail(reader->yaml, entry.key, WADI_ERROR_RANGE,
                                  "the year %g does not come after %g; list the years in rising "
                                  "order",
                                  years[i], years[i - 1]);
        }
    }
    sea->years = years;
    sea->levels = levels;
    sea->count = count;
    return WADI_OK;
}

static wadi_result sea_read_constant(scene_reader* reader, wadi_yaml_node* value,
                                     wadi_scene_sea* sea)
{
    double* level = wadi_scene_reader_alloc(reader, sizeof *level);
    if (level == NULL)
    {
        return sea_out_of_memory(reader, value);
    }
    SCENE_TRY(wadi_scene_read_number(reader, value, "sea_level", "m", level));
    sea->levels = level;
    sea->count = 1;
    return WADI_OK;
}

wadi_result wadi_scene_read_sea(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)into;
    wadi_scene_sea sea = {0};
    SCENE_TRY(wadi_scene_keep_place(reader, value, &sea.origin));
    if (wadi_yaml_kind_of(value) == WADI_YAML_MAP && wadi_yaml_count(value) > 0)
    {
        SCENE_TRY(sea_read_rows(reader, value, &sea));
    }
    else if (wadi_yaml_kind_of(value) != WADI_YAML_SCALAR || wadi_yaml_text(value)[0] == '\0')
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "sea_level takes a level such as 0 m, levels by year such as {0 yr: "
                              "-120 m, 15 kyr: 0 m}, or a file with the columns year and level");
    }
    else if (wadi_scene_is_file_name(wadi_yaml_text(value)))
    {
        SCENE_TRY(wadi_scene_read_text(reader, value, "sea_level", &sea.file));
    }
    else
    {
        SCENE_TRY(sea_read_constant(reader, value, &sea));
    }
    return wadi_scene_at(reader, value, wadi_scene_set_sea(reader->scene, &sea));
}
