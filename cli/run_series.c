// SPDX-License-Identifier: MIT
#include "cli/run_series.h"

#include "cli/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- before the run -----------------------------------------------------------------------------

static cli_status series_check(const cli_run_series* series, const cli_series* item,
                               const char* scene)
{
    char name[CLI_SERIES_PATH + 256];
    char other[CLI_SERIES_PATH + 256];
    CLI_TRY(cli_check_usage(series->session->context,
                            wadi_io_series_check(series->session->context, item->path)));
    wadi_io_series_name(item->path, 0, name, sizeof name);
    CLI_TRY(cli_output_check_distinct(item->path, scene));
    CLI_TRY(cli_output_check(name));
    for (const cli_series* before = series->items; before < item; ++before)
    {
        wadi_io_series_name(before->path, 0, other, sizeof other);
        if (strcmp(name, other) == 0)
        {
            return cli_fail(CLI_USAGE, "two series write %s; rename one of them", name);
        }
    }
    return CLI_DONE;
}

static cli_status series_add(cli_run_series* series, const wadi_scene_series* of, const char* scene)
{
    if (series->count == CLI_SERIES_MOST)
    {
        return cli_fail(CLI_USAGE, "the scene has more than %d series", CLI_SERIES_MOST);
    }
    cli_series* item = &series->items[series->count];
    item->of = of;
    (void)snprintf(item->path, sizeof item->path, "%s/%s", series->folder, of->file);
    CLI_TRY(series_check(series, item, scene));
    item->frames = (wadi_io_series){
        .context = series->session->context, .path = item->path, .tags = series->tags};
    series->count += 1;
    return CLI_DONE;
}

cli_status cli_run_series_open(cli_run_series* series, const wadi_scene* scene, const char* path)
{
    series->items = calloc(CLI_SERIES_MOST, sizeof *series->items);
    if (series->items == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for the series of a scene");
    }
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        const int32_t count = step->kind == WADI_STEP_PROCESS ? step->process.series_count : 0;
        for (int32_t k = 0; k < count; ++k)
        {
            CLI_TRY(series_add(series, &step->process.series[k], path));
        }
    }
    return CLI_DONE;
}

void cli_run_series_close(cli_run_series* series)
{
    for (int32_t i = 0; i < series->count; ++i)
    {
        wadi_io_series_close(&series->items[i].frames);
    }
    free(series->items);
    series->items = NULL;
    series->count = 0;
}

// ---- frames -------------------------------------------------------------------------------------

static cli_series* series_find(cli_run_series* series, const wadi_scene_series* of)
{
    cli_series* item = series->items;
    while (item->of != of)
    {
        ++item; // cli_run_series_open() has added all series
    }
    return item;
}

// Set the box of pictures with water to the terrain's extent; its top is the highest ground, soil
// or water at the start, or the height of the rain.
static void series_fit_terrain(wadi_io_series* frames, const wadi_water_params* water,
                               const wadi_grain* grains, int32_t count)
{
    const wadi_grain_ground* ground = frames->ground;
    frames->high[0] = ground->cell_size * ground->width;
    frames->high[1] = ground->cell_size * ground->height;
    for (int32_t i = 0; i < count; ++i)
    {
        const double z = grains[i].position[2];
        const double r = grains[i].radius;
        frames->low[2] = i == 0 || z - r < frames->low[2] ? z - r : frames->low[2];
        frames->high[2] = i == 0 || z + r > frames->high[2] ? z + r : frames->high[2];
    }
    for (int64_t i = 0; i < (int64_t)ground->width * ground->height; ++i)
    {
        const double z = (double)ground->heights[i];
        frames->low[2] = z < frames->low[2] ? z : frames->low[2];
        frames->high[2] = z > frames->high[2] ? z : frames->high[2];
    }
    frames->high[2] = water->rain_rate > 0.0 && water->rain_height > frames->high[2]
                          ? water->rain_height
                          : frames->high[2];
    frames->has_box = true;
}

// Draw a frame on the terrain, which stays as it is under bodies of soil and water.
static wadi_result series_add_on_terrain(cli_series* item, wadi_terrain* terrain,
                                         const wadi_scene_process* step, double seconds,
                                         const wadi_grain* grains, int32_t count)
{
    wadi_view view;
    wadi_result result = wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view);
    if (result != WADI_OK)
    {
        return result;
    }
    const wadi_grain_ground ground = {.heights = view.data,
                                      .width = view.width,
                                      .height = view.height,
                                      .cell_size = wadi_terrain_cell_size(terrain)};
    item->frames.ground = &ground;
    if (step->water != NULL && !item->frames.has_box)
    {
        series_fit_terrain(&item->frames, &step->water->params, grains, count);
    }
    result = wadi_io_series_add(&item->frames, seconds, grains, count, item->of->picture);
    item->frames.ground = NULL;
    (void)wadi_terrain_release(terrain, WADI_LAYER_SURFACE);
    return result;
}

wadi_result cli_run_series_frame(void* user, wadi_run* run, const wadi_scene_process* step,
                                 int32_t index)
{
    cli_run_series* series = user;
    wadi_context* context = series->session->context;
    const wadi_solver* solver = wadi_run_solver(run, step->process);
    const int32_t count = wadi_solver_grains(solver, NULL, 0, NULL);
    wadi_grain* grains = malloc((size_t)(count > 0 ? count : 1) * sizeof *grains);
    if (grains == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for %d grains", count);
    }
    double seconds;
    (void)wadi_solver_grains(solver, grains, count, &seconds);
    int32_t colours[WADI_GRAIN_MAX_MATERIALS];
    for (int32_t i = 0; i < step->body_count; ++i)
    {
        colours[i] = step->bodies[i].body.params.colour;
    }
    cli_series* item = series_find(series, &step->series[index]);
    char seed[24];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, wadi_terrain_seed(wadi_run_terrain(run)));
    wadi_io_tags_set(series->tags, "wadi_seed", seed);
    // a frame shows the inside of a step, which has no clock and hash of its own
    wadi_io_tags_set(series->tags, "wadi_clock_yr", NULL);
    wadi_io_tags_set(series->tags, "wadi_state_hash", NULL);
    item->frames.colours = step->body_count > 0 ? colours : NULL;
    const bool lies = step->body_count > 0 || step->water != NULL;
    const wadi_result result =
        lies ? series_add_on_terrain(item, wadi_solver_whole(solver), step, seconds, grains, count)
             : wadi_io_series_add(&item->frames, seconds, grains, count, item->of->picture);
    free(grains);
    return result;
}

void cli_run_series_print(const cli_run_series* series)
{
    for (int32_t i = 0; i < series->count; ++i)
    {
        const cli_series* item = &series->items[i];
        char name[CLI_SERIES_PATH + 256];
        const int32_t last = item->frames.count - 1;
        wadi_io_series_name(item->path, last > 0 ? last : 0, name, sizeof name);
        if (item->frames.count > 0)
        {
            const char* dot = strrchr(item->path, '.');
            const bool has_index = dot != NULL && strcmp(dot, ".pvd") == 0;
            (void)printf("wrote            %s\n", has_index ? item->path : name);
        }
    }
}
