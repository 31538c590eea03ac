// SPDX-License-Identifier: MIT
// Reads what the steps of a run will need, before the first of them runs.
#include "process/solver.h"
#include "scene/scene_internal.h"
#include "terrain/ground.h"

#include <wadi/amplify.h>

#include <math.h>
#include <string.h>

// The end of a terrain's clock: wadi_terrain_advance_clock().
#define CHECK_MOST_YEARS 2.85e8

// Are values of a source checked before they are used? Those of files and constants are, as they
// may be in another unit. Bands may hold more than a parameter, such as a river as rain, but shares
// have no more than 1.
static bool check_is_bounded(const wadi_scene_process* step, const wadi_scene_input* input)
{
    const wadi_field* field = wadi_field_find(step->process->fields, input->map);
    return input->source.kind->needs_file || strcmp(input->source.kind->name, "constant") == 0 ||
           (field != NULL && strcmp(field->unit, "1") == 0);
}

// The values that the step will read.
static wadi_result check_input(wadi_run* run, const wadi_scene_process* step, int32_t index,
                               float* values)
{
    const wadi_scene_input* input = &step->inputs[index];
    const uint32_t place = wadi_scene_place(run) + (uint32_t)index;
    if (!check_is_bounded(step, input))
    {
        return WADI_OK;
    }
    WADI_TRY(wadi_scene_values(run, &input->source, place, values));
    return wadi_process_check_map(run->terrain, step->process,
                                  wadi_process_model(step->process, step->params), input->map,
                                  values);
}

static wadi_result check_table(wadi_run* run, const wadi_scene_table* table,
                               const wadi_table_info* info)
{
    int32_t rows = 0;
    double* values;
    // the first window reads tables for all
    if (table->file == NULL || !wadi_ground_is_first(wadi_terrain_ground_const(run->terrain)))
    {
        return WADI_OK;
    }
    WADI_TRY(wadi_scene_read_table(run, table, info, &values, &rows));
    const wadi_result result = wadi_table_check(run->context, info, values, rows);
    wadi_free(run->context, values);
    return result;
}

// Weights of a file; bands depend on the state of the terrain.
static wadi_result check_mask(wadi_run* run, const wadi_mask* mask, float* values)
{
    if (mask == NULL || mask->source.kind == NULL || !mask->source.kind->needs_file)
    {
        return WADI_OK;
    }
    wadi_mask file = wadi_mask_default();
    file.source = mask->source;
    return wadi_scene_mask_weights(run, &file, wadi_scene_place(run), values);
}

static wadi_result check_process(wadi_run* run, const wadi_scene_process* step, float* values)
{
    for (int32_t i = 0; i < step->input_count; ++i)
    {
        WADI_TRY(check_input(run, step, i, values));
    }
    for (int32_t i = 0; i < step->table_count; ++i)
    {
        WADI_TRY(check_table(run, &step->tables[i],
                             wadi_scene_table_info(step->process, step->tables[i].table)));
    }
    return check_mask(run, step->mask, values);
}

static bool check_is_share(wadi_layer layer)
{
    return layer == WADI_LAYER_HARDNESS || layer == WADI_LAYER_VEGETATION ||
           layer == WADI_LAYER_MOISTURE;
}

// Values of a layer inside the region of an edit.
static wadi_result check_edit(wadi_run* run, const wadi_edit* edit, float* values)
{
    WADI_TRY(check_mask(run, edit->mask, values));
    if (edit->kind->verb != WADI_EDIT_SET || !edit->assigned.source.kind->needs_file)
    {
        return WADI_OK;
    }
    WADI_TRY(wadi_scene_values(run, &edit->assigned.source, wadi_scene_place(run), values));
    const wadi_layer layer = edit->assigned.layer;
    const bool is_height = layer == WADI_LAYER_SURFACE || layer == WADI_LAYER_BEDROCK;
    const double low = is_height ? -WADI_HEIGHT_LIMIT : 0.0;
    const double high = check_is_share(layer) ? 1.0 : WADI_HEIGHT_LIMIT;
    const wadi_ground* ground = wadi_terrain_ground_const(run->terrain);
    const int32_t width = ground->width;
    const wadi_frame frame = {.width = width,
                              .height = wadi_terrain_height(run->terrain),
                              .cell_size = wadi_terrain_cell_size(run->terrain),
                              .window = ground->part};
    for (int64_t c = 0; c < (int64_t)width * frame.height; ++c)
    {
        const double value = (double)values[c];
        const bool sound = isnan(value) || (value >= low && value <= high);
        const int32_t x = (int32_t)(c % width);
        const int32_t y = (int32_t)(c / width);
        const bool acts = wadi_region_weight(&edit->region, scene_cell_centre(&frame, x, y)) > 0.0;
        // where a mask is 0 a file may have no value
        WADI_CHECK(run->context,
                   !isnan(value) || !acts || edit->mask != NULL ||
                       !wadi_terrain_is_valid(run->terrain, x, y),
                   WADI_ERROR_RANGE,
                   "'%s' has no value for the cell at column %d, row %d, where the edit acts",
                   edit->assigned.source.file, wadi_ground_column(ground, x),
                   wadi_ground_row(ground, y));
        WADI_CHECK(run->context, sound || !acts, WADI_ERROR_RANGE,
                   "'%s' is %g at column %d, row %d but must lie in [%g, %g]",
                   edit->assigned.source.file, value, wadi_ground_column(ground, x),
                   wadi_ground_row(ground, y), low, high);
    }
    return WADI_OK;
}

static wadi_result check_output(wadi_run* run, const wadi_output* output, float* values)
{
    const int32_t width = wadi_terrain_width(run->terrain);
    const int32_t height = wadi_terrain_height(run->terrain);
    WADI_CHECK(run->context, output->kind != WADI_OUTPUT_RENDER || (width > 1 && height > 1),
               WADI_ERROR_RANGE,
               "a terrain of %d x %d cells has no surface; at least 2 x 2 cells are needed", width,
               height);
    if (output->kind == WADI_OUTPUT_AMPLIFY && output->winds.file == NULL)
    {
        int32_t columns;
        int32_t rows;
        WADI_TRY(wadi_amplify_size(run->terrain, output->window, &columns, &rows));
    }
    for (int32_t i = 0; i < output->splat_count; ++i)
    {
        WADI_TRY(check_mask(run, output->splat[i], values));
    }
    if (output->gradient != NULL)
    {
        int32_t count = 0;
        double* rows = NULL;
        WADI_TRY(wadi_run_gradient(run, output, &rows, &count));
        wadi_free(run->context, rows);
    }
    return output->kind == WADI_OUTPUT_AMPLIFY && output->winds.file != NULL
               ? check_table(run, &output->winds, wadi_scene_winds_info(output->winds.table))
               : WADI_OK;
}

static wadi_result check_step(wadi_run* run, const wadi_step* step, float* values, double* years)
{
    switch (step->kind)
    {
    case WADI_STEP_PROCESS:
        *years += step->process.overlaps ? 0.0 : step->process.years;
        WADI_CHECK(run->context, *years < CHECK_MOST_YEARS || step->process.goal != NULL,
                   WADI_ERROR_RANGE,
                   "the run would end after %g years, but the clock cannot pass 285 million years; "
                   "shorten its steps",
                   *years);
        return step->process.goes_on ? WADI_OK : check_process(run, &step->process, values);
    case WADI_STEP_EDIT:
        return check_edit(run, &step->edit, values);
    default:
        return check_output(run, &step->output, values);
    }
}

static wadi_result check_steps(wadi_run* run, float* values)
{
    double years = wadi_terrain_clock(run->terrain);
    for (; run->position < run->scene->step_count; ++run->position)
    {
        const wadi_step* step = &run->scene->steps[run->position];
        const wadi_result result = check_step(run, step, values, &years);
        if (result != WADI_OK)
        {
            return step->origin == NULL
                       ? result
                       : wadi_fail(run->context, result, "%s: %s: %s", step->origin,
                                   wadi_step_name(step), wadi_error_detail(run->context));
        }
    }
    return WADI_OK;
}

wadi_result wadi_run_check(wadi_run* run)
{
    float* values;
    WADI_ALLOC(run->context, values,
               (int64_t)wadi_terrain_width(run->terrain) * wadi_terrain_height(run->terrain),
               "an input map");
    const int32_t position = run->position; // seeds of sources depend on it
    const wadi_result result = check_steps(run, values);
    run->position = position;
    wadi_free(run->context, values);
    return result;
}
