// SPDX-License-Identifier: MIT
// The sea of a scene: kept with it, and given to the terrain of a run.
#include "scene/scene_internal.h"

wadi_result wadi_scene_set_sea(wadi_scene* scene, const wadi_scene_sea* sea)
{
    WADI_CHECK(scene->context, (sea->count == 0) == (sea->file != NULL), WADI_ERROR_ARGUMENT,
               "the sea level needs rows or a file, and not both");
    WADI_CHECK(scene->context, sea->count >= 0 && sea->count <= WADI_MAX_SEA_ROWS, WADI_ERROR_RANGE,
               "the sea level has %d rows; expected at most %d", (int)sea->count,
               WADI_MAX_SEA_ROWS);
    wadi_scene_sea kept = {.count = sea->count};
    const size_t size = (size_t)sea->count * sizeof(double);
    void* copy;
    if (sea->count > 0)
    {
        WADI_TRY(wadi_scene_keep_bytes(scene, sea->levels, size, &copy));
        kept.levels = copy;
    }
    if (sea->count > 0 && sea->years != NULL)
    {
        WADI_TRY(wadi_scene_keep_bytes(scene, sea->years, size, &copy));
        kept.years = copy;
    }
    if (sea->file != NULL)
    {
        WADI_TRY(wadi_scene_keep_text(scene, sea->file, &kept.file));
    }
    if (sea->origin != NULL)
    {
        WADI_TRY(wadi_scene_keep_text(scene, sea->origin, &kept.origin));
    }
    scene->sea = kept;
    return WADI_OK;
}

static const wadi_column sea_columns[] = {
    {"year", "yr", -1e9, 1e9},
    {"level", "m", -WADI_HEIGHT_LIMIT, WADI_HEIGHT_LIMIT},
};
static const wadi_table_info sea_table = {
    "sea_level", "Level of the sea by year.", sea_columns, 2, 0, 0};

// `pairs` holds the rows of the file, `rows` the years and then the levels.
static wadi_result sea_set_rows(wadi_run* run, const double* pairs, double* rows, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        rows[i] = pairs[2 * i];
        rows[count + i] = pairs[2 * i + 1];
    }
    WADI_CHECK(run->context, count > 0, WADI_ERROR_FORMAT, "'%s' has no row", run->scene->sea.file);
    return wadi_terrain_set_sea_level(run->terrain, rows, rows + count, count);
}

static wadi_result sea_set_file(wadi_run* run)
{
    const wadi_scene_table table = {.table = sea_table.name, .file = run->scene->sea.file};
    double* pairs;
    int32_t count = 0;
    WADI_TRY(wadi_scene_read_table(run, &table, &sea_table, &pairs, &count));
    double* rows = wadi_alloc(run->context, 2 * (size_t)(count > 0 ? count : 1), sizeof *rows);
    const wadi_result result =
        rows != NULL
            ? sea_set_rows(run, pairs, rows, count)
            : wadi_fail_memory(run->context, 2 * (size_t)count * sizeof *rows, "the sea level");
    wadi_free(run->context, rows);
    wadi_free(run->context, pairs);
    return result;
}

wadi_result wadi_scene_build_sea(wadi_run* run)
{
    const wadi_scene_sea* sea = &run->scene->sea;
    const wadi_result result =
        sea->file != NULL
            ? sea_set_file(run)
            : wadi_terrain_set_sea_level(run->terrain, sea->years, sea->levels, sea->count);
    return result == WADI_OK || sea->origin == NULL
               ? result
               : wadi_fail(run->context, result, "%s: %s", sea->origin,
                           wadi_error_detail(run->context));
}
