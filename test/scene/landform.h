// SPDX-License-Identifier: MIT
// A scene of scenes/, run to its end without its outputs, and the maps that tests of forms read.
#pragma once

#include "support/fixture.h"

#include "io/scene/scene_files.h"
#include "io/scene/scene_yaml.h"

#include <wadi/run.h>

#include <stdio.h>

typedef struct landform landform;

struct landform
{
    fixture f;
    wadi_scene* scene;
    wadi_io_scene_files files;
    wadi_run* run;
    wadi_terrain* terrain;
    double x;                                         // where the wind blows: east
    double y;                                         // south
    void (*look)(landform* form, const char* output); // at each output of the scene; NULL: no look
};

static wadi_result landform_values(void* user, const wadi_source* source, const wadi_frame* frame,
                                   float* out)
{
    return wadi_io_scene_values(&((landform*)user)->files, source, frame, out);
}

static wadi_result landform_table(void* user, const char* file, const wadi_table_info* table,
                                  double* out, int32_t capacity, int32_t* rows)
{
    return wadi_io_scene_table(&((landform*)user)->files, file, table, out, capacity, rows);
}

static wadi_result landform_output(void* user, wadi_run* run, const wadi_output* output)
{
    landform* form = user;
    form->terrain = wadi_run_terrain(run);
    if (form->look != NULL)
    {
        form->look(form, output->file);
    }
    return WADI_OK;
}

// Read scenes/NAME.yaml with overrides. The winds of `dunes` are turned clockwise by `turn` degrees
// from where the scene has them, which is from the west.
static inline void landform_open(landform* form, const char* name, double turn,
                                 const char* const* overrides, int32_t count)
{
    *form = (landform){.x = cos(turn / 57.29577951308232), .y = sin(turn / 57.29577951308232)};
    fixture_open(&form->f, 1);
    char path[1024];
    char direction[64];
    const char* all[16];
    (void)snprintf(path, sizeof path, "%s/scenes/%s.yaml", WADI_SOURCE_DIR, name);
    (void)snprintf(direction, sizeof direction, "dunes.direction=%g", 270.0 + turn);
    for (int32_t i = 0; i < count; ++i)
    {
        all[i] = overrides[i];
    }
    all[count] = direction;
    CHECK_OK(form->f.context, wadi_io_scene_read(form->f.context, path, all,
                                                 turn != 0.0 ? count + 1 : count, &form->scene));
    CHECK_OK(form->f.context, wadi_io_scene_files_open(form->f.context, path, &form->files));
}

static inline void landform_run(landform* form)
{
    const wadi_host host = {
        .read = landform_values, .table = landform_table, .output = landform_output, .user = form};
    CHECK_OK(form->f.context, wadi_run_create(form->scene, &host, &form->run));
    while (!wadi_run_is_done(form->run))
    {
        CHECK_OK(form->f.context, wadi_run_next(form->run));
    }
    form->terrain = wadi_run_terrain(form->run);
    fixture_check_ledger(form->terrain);
}

static inline void landform_close(landform* form)
{
    wadi_run_destroy(form->run);
    wadi_io_scene_files_close(&form->files);
    wadi_scene_destroy(form->scene);
    fixture_close(&form->f);
}

// Thickness of the sand [m], to be freed with test_free().
static inline double* landform_sand(const landform* form)
{
    const int32_t width = wadi_terrain_width(form->terrain);
    const int32_t cells = width * wadi_terrain_height(form->terrain);
    double* sand = test_malloc((size_t)cells * sizeof *sand);
    for (int32_t i = 0; i < cells; ++i)
    {
        sand[i] =
            (double)wadi_terrain_units(form->terrain, WADI_LAYER_SEDIMENT, i % width, i / width) /
            WADI_UNITS_PER_METRE;
    }
    return sand;
}
