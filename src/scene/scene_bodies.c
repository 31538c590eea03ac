// SPDX-License-Identifier: MIT
// Bodies of soil and water in a scene: checks and copies, their transfer to a process, and frames
// while it runs.
#include "scene/scene_internal.h"

#include <math.h>

static const double BODIES_SECONDS_PER_YEAR = 31557600.0;

enum
{
    BODIES_MAX_SERIES = 16,
    BODIES_MAX_FRAMES = 10000
};

// ---- keeping ------------------------------------------------------------------------------------

static wadi_result bodies_keep_body(wadi_scene* scene, const wadi_scene_process* process,
                                    const wadi_scene_body* body, wadi_scene_body* out)
{
    wadi_context* context = scene->context;
    WADI_CHECK(
        context, (body->mesh == NULL) == (process->grains != NULL), WADI_ERROR_ARGUMENT, "%s",
        body->mesh == NULL ? "a body of soil needs a mesh, or the step a file of grains"
                           : "soil is given by meshes and by a file of grains; leave one out");
    WADI_TRY(wadi_fields_check(context, &wadi_body_fields, &body->body.params));
    WADI_TRY(wadi_fields_check(context, &wadi_grain_material_fields, &body->body.material.grain));
    WADI_TRY(wadi_fields_check(context, &wadi_soil_fields, &body->body.material.soil));
    WADI_TRY(wadi_fields_check(context, &wadi_cohesion_fields, &body->body.material.cohesion));
    *out = *body;
    return body->mesh != NULL ? wadi_scene_keep_text(scene, body->mesh, &out->mesh) : WADI_OK;
}

static wadi_result bodies_keep_all(wadi_scene* scene, const wadi_scene_process* process,
                                   wadi_scene_process* out)
{
    WADI_CHECK(scene->context, wadi_process_has(process->process, WADI_MODEL_BODIES),
               WADI_ERROR_UNKNOWN, "%s takes no bodies of soil", process->process->name);
    WADI_CHECK(scene->context, process->body_count <= WADI_GRAIN_MAX_MATERIALS, WADI_ERROR_RANGE,
               "%d bodies of soil; expected 1 to %d", process->body_count,
               WADI_GRAIN_MAX_MATERIALS);
    void* copy;
    WADI_TRY(wadi_scene_keep_bytes(scene, process->bodies,
                                   (size_t)process->body_count * sizeof *process->bodies, &copy));
    wadi_scene_body* bodies = copy;
    for (int32_t i = 0; i < process->body_count; ++i)
    {
        WADI_TRY(bodies_keep_body(scene, process, &process->bodies[i], &bodies[i]));
    }
    out->bodies = bodies;
    return process->grains != NULL ? wadi_scene_keep_text(scene, process->grains, &out->grains)
                                   : WADI_OK;
}

static wadi_result bodies_keep_water(wadi_scene* scene, const wadi_scene_process* process,
                                     wadi_scene_process* out)
{
    const wadi_water* water = process->water;
    WADI_CHECK(scene->context, wadi_process_has(process->process, WADI_MODEL_BODIES),
               WADI_ERROR_UNKNOWN, "%s takes no water as particles", process->process->name);
    WADI_CHECK(scene->context,
               water->block_count >= 0 && water->block_count <= 4096 &&
                   (water->block_count == 0 || water->blocks != NULL),
               WADI_ERROR_RANGE, "%d blocks of water; expected an array of up to 4096",
               water->block_count);
    WADI_TRY(wadi_fields_check(scene->context, &wadi_water_fields, &water->params));
    WADI_TRY(wadi_fields_check(scene->context, &wadi_sph_fields, &water->sph));
    void* copy;
    void* blocks;
    WADI_TRY(wadi_scene_keep_bytes(scene, water->block_count > 0 ? (const void*)water->blocks : "",
                                   (size_t)water->block_count * sizeof *water->blocks, &blocks));
    WADI_TRY(wadi_scene_keep_bytes(scene, water, sizeof *water, &copy));
    ((wadi_water*)copy)->blocks = blocks;
    out->water = copy;
    return WADI_OK;
}

// Number of frames of one series, including the first and the last.
static double bodies_frames(const wadi_scene_process* step, const wadi_scene_series* series)
{
    return floor(step->years * BODIES_SECONDS_PER_YEAR / series->every * (1.0 + 1e-9)) + 1.0;
}

static wadi_result bodies_keep_one_series(wadi_scene* scene, const wadi_scene_process* process,
                                          const wadi_scene_series* given, wadi_scene_series* out)
{
    wadi_context* context = scene->context;
    WADI_CHECK(context, given->every > 0.0 && isfinite(given->every), WADI_ERROR_RANGE,
               "%s has a frame every %g s; give a time above 0", given->file, given->every);
    const double frames = bodies_frames(process, given);
    WADI_CHECK(context, frames <= BODIES_MAX_FRAMES, WADI_ERROR_RANGE,
               "%s would have %.0f frames, more than %d; give a longer 'every'", given->file,
               frames, BODIES_MAX_FRAMES);
    WADI_TRY(wadi_scene_keep_name(scene, given->file, &out->file));
    const void* picture = NULL;
    if (given->picture != NULL)
    {
        WADI_TRY(
            wadi_scene_keep_params(scene, &wadi_grain_picture_fields, given->picture, &picture));
    }
    out->picture = picture;
    return WADI_OK;
}

static wadi_result bodies_keep_series(wadi_scene* scene, const wadi_scene_process* process,
                                      wadi_scene_process* out)
{
    wadi_context* context = scene->context;
    const bool has_bodies = process->body_count > 0 || process->water != NULL;
    const bool shows = wadi_process_has(process->process, WADI_MODEL_GRAINS) &&
                       (has_bodies || !wadi_process_has(process->process, WADI_MODEL_BODIES));
    WADI_CHECK(context, shows, WADI_ERROR_ARGUMENT,
               "a series shows bodies of soil, but %s has none", process->process->name);
    WADI_CHECK(context, process->series_count <= BODIES_MAX_SERIES, WADI_ERROR_RANGE,
               "%d series; expected at most %d", process->series_count, BODIES_MAX_SERIES);
    void* copy;
    WADI_TRY(wadi_scene_keep_bytes(scene, process->series,
                                   (size_t)process->series_count * sizeof *process->series, &copy));
    wadi_scene_series* series = copy;
    for (int32_t i = 0; i < process->series_count; ++i)
    {
        WADI_TRY(bodies_keep_one_series(scene, process, &process->series[i], &series[i]));
    }
    out->series = series;
    return WADI_OK;
}

wadi_result wadi_scene_keep_bodies(wadi_scene* scene, const wadi_scene_process* process,
                                   wadi_scene_process* out)
{
    WADI_CHECK(scene->context, process->grains == NULL || process->body_count > 0,
               WADI_ERROR_ARGUMENT, "grains from '%s' need 'soil', which gives their materials",
               process->grains);
    if (process->body_count > 0)
    {
        WADI_TRY(bodies_keep_all(scene, process, out));
    }
    if (process->water != NULL)
    {
        WADI_TRY(bodies_keep_water(scene, process, out));
    }
    return process->series_count > 0 ? bodies_keep_series(scene, process, out) : WADI_OK;
}

// ---- transfer------------------------------------------------------------------------------------

// The bodies of a step with their parameters, without what files hold.
static void bodies_name(const wadi_scene_process* step, wadi_body* bodies, wadi_bodies* out)
{
    *out = (wadi_bodies){.bodies = bodies, .count = step->body_count, .water = step->water};
    for (int32_t i = 0; i < step->body_count; ++i)
    {
        bodies[i] = step->bodies[i].body;
    }
}

static wadi_result bodies_load(wadi_run* run, const wadi_scene_process* step, wadi_body* bodies,
                               wadi_bodies* out)
{
    const wadi_host* host = &run->host;
    bodies_name(step, bodies, out);
    for (int32_t i = 0; i < step->body_count; ++i)
    {
        const wadi_scene_body* body = &step->bodies[i];
        if (body->mesh != NULL)
        {
            WADI_CHECK(run->context, host->mesh != NULL, WADI_ERROR_STATE,
                       "'%s' cannot be read: this program does not read meshes", body->mesh);
            WADI_TRY(host->mesh(host->user, body->mesh, body->z_is_up, &bodies[i].mesh));
        }
    }
    if (step->grains == NULL)
    {
        return WADI_OK;
    }
    WADI_CHECK(run->context, host->grains != NULL, WADI_ERROR_STATE,
               "'%s' cannot be read: this program does not read grains", step->grains);
    return host->grains(host->user, step->grains, step->body_count, out);
}

wadi_result wadi_scene_give_bodies(wadi_run* run, const wadi_scene_process* step,
                                   wadi_solver* solver)
{
    wadi_body bodies[WADI_GRAIN_MAX_MATERIALS];
    wadi_bodies given;
    if (step->body_count == 0 && step->water == NULL)
    {
        return WADI_OK;
    }
    // in windows of a grid the first one has the whole, and alone reads files
    const wadi_partition* part = wadi_context_partition(run->context);
    if (part == NULL || part->index == 0)
    {
        WADI_TRY(bodies_load(run, step, bodies, &given));
    }
    else
    {
        bodies_name(step, bodies, &given);
    }
    return wadi_solver_set_bodies(solver, &given);
}

// ---- frames -------------------------------------------------------------------------------------

// A watched step and the number of frames written per series.
typedef struct bodies_frames_due
{
    wadi_run* run;
    const wadi_scene_process* step;
    double begun; // time of the process at the begin of the step [s]
    int32_t done[BODIES_MAX_SERIES];
} bodies_frames_due;

// Write the due frames of one series, `every` seconds apart from 0 on.
static wadi_result bodies_show_series(bodies_frames_due* due, int32_t index, double seconds)
{
    const wadi_scene_series* series = &due->step->series[index];
    const wadi_host* host = &due->run->host;
    const double most = bodies_frames(due->step, series);
    int32_t* done = &due->done[index];
    while (*done < most && *done * series->every <= seconds * (1.0 + 1e-9))
    {
        WADI_TRY(host->frame_of(host->user, due->run, due->step, index));
        *done += 1;
    }
    return WADI_OK;
}

// Called after each turn. A frame shows the end of its turn; time steps are not shortened.
static wadi_result bodies_show(void* user, double seconds)
{
    bodies_frames_due* due = user;
    for (int32_t i = 0; i < due->step->series_count; ++i)
    {
        WADI_TRY(bodies_show_series(due, i, seconds - due->begun));
    }
    return WADI_OK;
}

wadi_result wadi_scene_advance(wadi_run* run, const wadi_scene_process* step, wadi_solver* solver)
{
    if (step->series_count == 0)
    {
        return wadi_solver_advance(solver, step->years);
    }
    WADI_CHECK(run->context, run->host.frame_of != NULL, WADI_ERROR_STATE,
               "'%s' cannot be written: this program writes no files", step->series[0].file);
    bodies_frames_due due = {.run = run, .step = step};
    (void)wadi_solver_grains(solver, NULL, 0, &due.begun);
    // other processes have no bodies at time 0, nor have windows without the whole grid
    if (wadi_process_has(step->process, WADI_MODEL_BODIES) && wadi_solver_whole(solver) != NULL)
    {
        WADI_TRY(bodies_show(&due, due.begun));
    }
    wadi_solver_watch(solver, bodies_show, &due);
    const wadi_result result = wadi_solver_advance(solver, step->years);
    wadi_solver_watch(solver, NULL, NULL);
    return result;
}
