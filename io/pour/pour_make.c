// SPDX-License-Identifier: MIT
#include "io/pour/pour_file.h"

#include "io/scene/scene_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Say which file a message is about.
static wadi_result make_named(wadi_context* context, const char* path, wadi_result result)
{
    char detail[1024];
    if (result == WADI_OK)
    {
        return WADI_OK;
    }
    (void)snprintf(detail, sizeof detail, "%s", wadi_error_detail(context));
    return wadi_context_fail(context, result, "%s: %s", path, detail);
}

// Say which part of the file a message is about; `number` from 0.
static wadi_result make_at(wadi_context* context, const char* path, const char* part,
                           int32_t number, wadi_result result)
{
    char detail[1024];
    if (result == WADI_OK)
    {
        return WADI_OK;
    }
    (void)snprintf(detail, sizeof detail, "%s", wadi_error_detail(context));
    return wadi_context_fail(context, result, "%s: %s.%d: %s", path, part, number, detail);
}

// Grains that feeders bring must be known before the first step.
static wadi_result make_expect(const wadi_io_pour* pour, wadi_grains* grains)
{
    double smallest = (double)INFINITY;
    double largest = 0.0;
    for (int32_t k = 0; k < pour->feeder_count; ++k)
    {
        smallest = fmin(smallest, pour->feeders[k].radius_low);
        largest = fmax(largest, pour->feeders[k].radius_high);
    }
    return pour->feeder_count > 0 ? wadi_grains_expect(grains, smallest, largest) : WADI_OK;
}

static wadi_result make_meshes(wadi_context* context, const wadi_io_pour* pour, const char* path,
                               wadi_grains* grains)
{
    wadi_io_scene_files files;
    wadi_result result = wadi_io_scene_files_open(context, path, &files);
    for (int32_t k = 0; k < pour->mesh_count && result == WADI_OK; ++k)
    {
        const wadi_io_pour_mesh* from = &pour->meshes[k];
        wadi_mesh mesh;
        int32_t number;
        result = wadi_io_scene_mesh(&files, from->file, from->up == WADI_IO_UP_Z, &mesh);
        if (result == WADI_OK)
        {
            result = wadi_grains_add_mesh(grains, &mesh, from->material, &from->motion, &number);
        }
        result = make_at(context, path, "meshes", k, result);
    }
    wadi_io_scene_files_close(&files);
    return result;
}

static wadi_result make_parts(wadi_context* context, const wadi_io_pour* pour, const char* path,
                              wadi_grains* grains)
{
    int32_t number;
    wadi_result result = make_at(context, path, "feeders", 0, make_expect(pour, grains));
    result = result == WADI_OK ? make_meshes(context, pour, path, grains) : result;
    for (int32_t k = 0; k < pour->wall_count && result == WADI_OK; ++k)
    {
        result = make_at(context, path, "walls", k,
                         wadi_grains_add_wall(grains, &pour->walls[k], &number));
    }
    for (int32_t k = 0; k < pour->feeder_count && result == WADI_OK; ++k)
    {
        result = make_at(context, path, "feeders", k,
                         wadi_grains_add_feeder(grains, &pour->feeders[k], &number));
    }
    for (int32_t k = 0; k < pour->sink_count && result == WADI_OK; ++k)
    {
        result = make_at(context, path, "sinks", k,
                         wadi_grains_add_sink(grains, &pour->sinks[k], &number));
    }
    return result;
}

// The first grains and clumps; without shapes there are none.
static wadi_result make_world(wadi_context* context, const wadi_io_pour* pour, const char* path,
                              wadi_grains** out)
{
    if (pour->shape_count == 0)
    {
        return make_named(context, path,
                          wadi_grains_create(context, &pour->params, pour->materials,
                                             pour->material_count, pour->grains, pour->grain_count,
                                             out));
    }
    const wadi_grain_clumps clumps = {pour->shapes, pour->shape_count, pour->clumps,
                                      pour->clump_count};
    for (int32_t k = 0; k < pour->shape_count; ++k)
    {
        wadi_grain_shape_mass ignored;
        const wadi_result result =
            make_at(context, path, "shapes", k,
                    wadi_grain_shape_measure(context, &pour->shapes[k], &ignored));
        if (result != WADI_OK)
        {
            return result;
        }
    }
    return make_named(context, path,
                      wadi_grains_create_clumped(context, &pour->params, pour->materials,
                                                 pour->material_count, pour->grains,
                                                 pour->grain_count, &clumps, out));
}

wadi_result wadi_io_pour_make(wadi_context* context, const wadi_io_pour* pour, const char* path,
                              wadi_grains** out)
{
    *out = NULL;
    wadi_result result = make_world(context, pour, path, out);
    result = result == WADI_OK ? make_parts(context, pour, path, *out) : result;
    if (result != WADI_OK)
    {
        wadi_grains_destroy(*out);
        *out = NULL;
    }
    return result;
}
