// SPDX-License-Identifier: MIT
// A scene of process `earth`, from a file of scenes/ or from text, run to its end.
#pragma once

#include "io/scene/scene_files.h"
#include "io/scene/scene_yaml.h"
#include "support/fixture.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
    EARTH_SCENE_FRAMES = 32
};

typedef struct earth_scene
{
    fixture f;
    wadi_scene* scene;
    wadi_io_scene_files files;
    wadi_run* run;
    int32_t frames;                      // frames shown by its series
    double farthest[EARTH_SCENE_FRAMES]; // largest x of a grain at each of the first frames [m]
    wadi_grain* before; // grains when the first frame was shown; NULL without series
    wadi_grain* grains; // at the end
    int32_t count;
} earth_scene;

static inline wadi_grain* earth_scene_read(const earth_scene* e, int32_t* count)
{
    const wadi_solver* solver = wadi_run_solver(e->run, &wadi_earth_process);
    *count = wadi_solver_grains(solver, NULL, 0, NULL);
    wadi_grain* grains = calloc((size_t)*count + 1, sizeof *grains);
    assert_non_null(grains);
    (void)wadi_solver_grains(solver, grains, *count, NULL);
    return grains;
}

// NaN when there is none.
static inline double earth_scene_figure(const earth_scene* e, const char* name)
{
    wadi_figure figures[64];
    const int32_t count =
        wadi_solver_figures(wadi_run_solver(e->run, &wadi_earth_process), figures, 64);
    double value = (double)NAN;
    for (int32_t i = 0; i < count; ++i)
    {
        value = strcmp(figures[i].name, name) == 0 ? figures[i].value : value;
    }
    return value;
}

// ---- hooks --------------------------------------------------------------------------------------

static inline wadi_result earth_scene_mesh(void* user, const char* file, bool z_is_up,
                                           wadi_mesh* out)
{
    return wadi_io_scene_mesh(&((earth_scene*)user)->files, file, z_is_up, out);
}

static inline wadi_result earth_scene_grains(void* user, const char* file, int32_t bodies,
                                             wadi_bodies* out)
{
    return wadi_io_scene_grains(&((earth_scene*)user)->files, file, bodies, out);
}

static inline wadi_result earth_scene_frame(void* user, wadi_run* run,
                                            const wadi_scene_process* step, int32_t index)
{
    earth_scene* e = user;
    (void)step;
    (void)index;
    e->run = run;
    if (e->before == NULL)
    {
        e->before = earth_scene_read(e, &e->count);
    }
    if (e->frames < EARTH_SCENE_FRAMES)
    {
        e->farthest[e->frames] = earth_scene_figure(e, "farthest");
    }
    e->frames += 1;
    return WADI_OK;
}

static inline wadi_result earth_scene_output(void* user, wadi_run* run, const wadi_output* output)
{
    (void)user;
    (void)run;
    (void)output;
    return WADI_OK;
}

// ---- the scene ----------------------------------------------------------------------------------

static inline wadi_result earth_scene_load(earth_scene* e, const char* path, const char* text,
                                           const char* const* overrides)
{
    int32_t count = 0;
    while (overrides != NULL && overrides[count] != NULL)
    {
        ++count;
    }
    return text != NULL ? wadi_io_scene_parse(e->f.context, "t.yaml", text, strlen(text), overrides,
                                              count, &e->scene)
                        : wadi_io_scene_read(e->f.context, path, overrides, count, &e->scene);
}

// Read "scenes/NAME.yaml" of the source tree, or `text` where it is given, with overrides as --set
// has them, and do all of its steps but outputs. Hands back what that said; `e` is open in any
// case.
static inline wadi_result earth_scene_try(earth_scene* e, const char* name, const char* text,
                                          const char* const* overrides, int32_t threads)
{
    *e = (earth_scene){.run = NULL};
    fixture_open(&e->f, threads);
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/scenes/%s.yaml", WADI_SOURCE_DIR,
                   name != NULL ? name : "");
    wadi_result result = earth_scene_load(e, path, text, overrides);
    if (result != WADI_OK)
    {
        return result;
    }
    CHECK_OK(e->f.context,
             wadi_io_scene_files_open(e->f.context, text != NULL ? "t.yaml" : path, &e->files));
    const wadi_host host = {.mesh = earth_scene_mesh,
                            .grains = earth_scene_grains,
                            .frame_of = earth_scene_frame,
                            .output = earth_scene_output,
                            .user = e};
    result = wadi_run_create(e->scene, &host, &e->run);
    while (result == WADI_OK && !wadi_run_is_done(e->run))
    {
        result = wadi_run_next(e->run);
    }
    if (result == WADI_OK)
    {
        e->grains = earth_scene_read(e, &e->count);
    }
    return result;
}

// The same; a failure fails the test.
static inline void earth_scene_open(earth_scene* e, const char* name, const char* text,
                                    const char* const* overrides, int32_t threads)
{
    const wadi_result result = earth_scene_try(e, name, text, overrides, threads);
    CHECK_OK(e->f.context, result);
    assert_true(earth_scene_figure(e, "water_residual") == 0.0);
}

static inline void earth_scene_close(earth_scene* e)
{
    wadi_run_destroy(e->run);
    wadi_io_scene_files_close(&e->files);
    wadi_scene_destroy(e->scene);
    free(e->before);
    free(e->grains);
    fixture_close(&e->f);
}

// A step that is refused, and words of the message.
typedef struct earth_mistake
{
    const char* text;
    const char* words;
} earth_mistake;

// Each step is refused after the text `before`.
static inline void earth_scene_check_mistakes(const char* before, const earth_mistake* cases,
                                              size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        char text[1024];
        (void)snprintf(text, sizeof text, "%s%s", before, cases[i].text);
        earth_scene e;
        const wadi_result result = earth_scene_try(&e, NULL, text, NULL, 1);
        if (result == WADI_OK || strstr(wadi_error_detail(e.f.context), cases[i].words) == NULL)
        {
            fail_msg("%s: expected '%s', got '%s'", cases[i].text, cases[i].words,
                     wadi_error_detail(e.f.context));
        }
        earth_scene_close(&e);
    }
}
