// SPDX-License-Identifier: MIT
// Outputs at regular times of a list of steps. Models have fixed steps, so a process that is cut in
// parts has the same result as in one.
#include "scene/scene_internal.h"

#include <wadi/model.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    TIMED_MAX_NAME = 4096,
    TIMED_MAX_PARTS = 65536 // of a step
};

// Times closer than this share of `every` are equal.
#define TIMED_SLACK 1e-9

typedef struct timed_row
{
    wadi_step step;
    double every;   // [yr]
    double behind;  // multiples of `every` that have a frame
    double written; // [yr] time of the last frame
    int32_t frames;
} timed_row;

struct scene_timed
{
    double now; // [yr] since the begin
    int32_t count;
    timed_row rows[];
};

// Prefix a failure with the position of its cause in the scene file.
wadi_result wadi_scene_fail_at(const wadi_scene* scene, const char* origin, wadi_result result)
{
    return result == WADI_OK || origin == NULL ? result
                                               : wadi_fail(scene->context, result, "%s: %s", origin,
                                                           wadi_error_detail(scene->context));
}

// ---- frames
// --------------------------------------------------------------------------------------

// "frames/a.png" becomes "frames/a-0001.png".
static void timed_number(const char* file, int32_t frame, char out[TIMED_MAX_NAME])
{
    const char* dot = strrchr(file, '.');
    const int stem = dot != NULL ? (int)(dot - file) : (int)strlen(file);
    (void)snprintf(out, TIMED_MAX_NAME, "%.*s-%04d%s", stem, file, frame, file + stem);
}

static bool timed_has_map(const wadi_scene* scene, const wadi_quantity* quantity)
{
    return quantity->process == NULL || wadi_scene_runs(scene, quantity->process);
}

static bool timed_has_maps(const wadi_scene* scene, const wadi_output* output)
{
    bool has = timed_has_map(scene, &output->quantity) &&
               (!output->has_overlay || timed_has_map(scene, &output->overlay));
    for (int32_t i = 0; i < output->splat_count; ++i)
    {
        for (int32_t k = 0; k < output->splat[i]->band_count; ++k)
        {
            has = has && timed_has_map(scene, &output->splat[i]->bands[k].quantity);
        }
    }
    return has;
}

wadi_result wadi_scene_add_frame(wadi_scene* scene, const wadi_step* step, int32_t* frames)
{
    char name[TIMED_MAX_NAME];
    wadi_step frame = *step;
    if (!timed_has_maps(scene, &step->output))
    {
        return WADI_OK;
    }
    frame.output.frame = ++*frames;
    if (!step->output.appends)
    {
        timed_number(step->output.file, frame.output.frame, name);
        frame.output.file = name;
    }
    return wadi_scene_append(scene, &frame);
}

static wadi_result timed_write(wadi_scene* scene, timed_row* row)
{
    row->written = scene->timed->now;
    WADI_CHECK(scene->context, row->frames < SCENE_MAX_FRAMES, WADI_ERROR_RANGE,
               "more than %d frames of '%s'; give a longer time for 'every'", SCENE_MAX_FRAMES,
               row->step.output.file);
    return row->step.output.kind == WADI_OUTPUT_CHECKPOINT
               ? wadi_scene_append(scene, &row->step)
               : wadi_scene_add_frame(scene, &row->step, &row->frames);
}

// Frames of the multiples that have been reached.
static wadi_result timed_write_due(wadi_scene* scene)
{
    scene_timed* timed = scene->timed;
    for (int32_t i = 0; i < timed->count; ++i)
    {
        timed_row* row = &timed->rows[i];
        const double due = floor(timed->now / row->every + TIMED_SLACK);
        const bool is_due = due > row->behind;
        row->behind = due;
        WADI_TRY(is_due ? timed_write(scene, row) : WADI_OK);
    }
    return WADI_OK;
}

// ---- parts
// ---------------------------------------------------------------------------------------

// The next moment of a frame before `end`.
static double timed_next(const scene_timed* timed, double end)
{
    double next = end;
    for (int32_t i = 0; i < timed->count; ++i)
    {
        const double every = timed->rows[i].every;
        const double moment = (timed->rows[i].behind + 1.0) * every;
        next = moment < next && moment < end - TIMED_SLACK * every ? moment : next;
    }
    return next;
}

static bool timed_is_divisible(const wadi_scene_process* process)
{
    return !process->goes_on && process->body_count == 0 && process->water == NULL &&
           process->params != NULL &&
           wadi_process_model(process->process, process->params)->api->step != NULL;
}

wadi_result wadi_scene_add_parts(wadi_scene* scene, const wadi_step* step)
{
    scene_timed* timed = scene->timed;
    const double end = timed->now + step->process.years;
    WADI_CHECK(scene->context, !wadi_goal_is_set(step->process.goal), WADI_ERROR_ARGUMENT,
               "%s has a goal, so that its years are not known; outputs with 'every' need steps "
               "without one",
               step->process.process->name);
    if (!timed_is_divisible(&step->process) || !(step->process.years <= 1e9))
    {
        WADI_TRY(wadi_scene_append(scene, step));
        timed->now = end;
        return timed_write_due(scene);
    }
    wadi_step part = *step;
    part.process.whole = step->process.years;
    for (int32_t i = 0; timed->now < end; ++i)
    {
        WADI_CHECK(scene->context, i < TIMED_MAX_PARTS, WADI_ERROR_RANGE,
                   "more than %d frames of one step; give a longer time for 'every'",
                   TIMED_MAX_PARTS);
        const double next = timed_next(timed, end);
        part.process.years = next - timed->now;
        WADI_TRY(wadi_scene_append(scene, &part));
        part.process.goes_on = true;
        timed->now = next;
        WADI_TRY(timed_write_due(scene));
    }
    return WADI_OK;
}

// ---- begin and end
// -------------------------------------------------------------------------------

static wadi_result timed_check(wadi_context* context, const wadi_timed_output* output)
{
    WADI_CHECK(context, output->step->kind == WADI_STEP_OUTPUT, WADI_ERROR_ARGUMENT,
               "'%s' is no output, and cannot be repeated every so often",
               wadi_step_name(output->step));
    WADI_CHECK(context, output->every >= 1e-9 && output->every <= 1e9, WADI_ERROR_RANGE,
               "a %s every %g yr; expected 1e-9 to 1e9 yr", wadi_step_name(output->step),
               output->every);
    return WADI_OK;
}

static wadi_result timed_keep(wadi_scene* scene, const wadi_timed_output* output, timed_row* row)
{
    WADI_TRY(timed_check(scene->context, output));
    row->every = output->every;
    row->step = *output->step;
    if (output->step->origin != NULL)
    {
        WADI_TRY(wadi_scene_keep_text(scene, output->step->origin, &row->step.origin));
    }
    return wadi_scene_keep_output(scene, &output->step->output, &row->step.output);
}

wadi_result wadi_scene_begin_timed(wadi_scene* scene, const wadi_timed_output* outputs,
                                   int32_t count)
{
    void* room;
    WADI_TRY(wadi_scene_keep_room(scene, sizeof(scene_timed) + (size_t)count * sizeof(timed_row),
                                  &room));
    scene_timed* timed = room;
    timed->count = count;
    for (int32_t i = 0; i < count; ++i)
    {
        WADI_TRY(wadi_scene_fail_at(scene, outputs[i].step->origin,
                                    timed_keep(scene, &outputs[i], &timed->rows[i])));
    }
    scene->timed = timed;
    for (int32_t i = 0; i < count; ++i)
    {
        const bool begins = timed->rows[i].step.output.kind != WADI_OUTPUT_CHECKPOINT;
        WADI_TRY(wadi_scene_fail_at(scene, outputs[i].step->origin,
                                    begins ? timed_write(scene, &timed->rows[i]) : WADI_OK));
    }
    return WADI_OK;
}

wadi_result wadi_scene_end_timed(wadi_scene* scene)
{
    scene_timed* timed = scene->timed;
    for (int32_t i = 0; timed != NULL && i < timed->count; ++i)
    {
        timed_row* row = &timed->rows[i];
        const bool ends =
            row->written < timed->now && row->step.output.kind != WADI_OUTPUT_CHECKPOINT;
        WADI_TRY(ends ? timed_write(scene, row) : WADI_OK);
    }
    scene->timed = NULL;
    return WADI_OK;
}
