// SPDX-License-Identifier: MIT
// Lakes are the depressions of the ground; streams follow its steepest descent. They are drawn as
// wide as streams of their catchment are: 5 m at 10 km2, with the square root of the area
// (hydraulic geometry: Leopold & Maddock 1953).
#include "maps/render/waters.h"

#include "core/internal.h"
#include "maps/render/colour.h"

#include <wadi/flow.h>

#include <math.h>

static const float waters_least_depth = 0.25f; // of a lake that is drawn [m]

typedef struct waters_job
{
    wadi_context* context;
    const wadi_render_scene* scene;
    const wadi_render_params* params;
    wadi_field2d field;
    float* ground; // not below the sea [m]
    float* filled;
    wadi_flow_target* targets;
    double* area; // [m2]
} waters_job;

static void waters_copy_ground(const waters_job* job)
{
    const wadi_render_scene* scene = job->scene;
    for (int32_t y = 0; y < scene->height; ++y)
    {
        for (int32_t x = 0; x < scene->width; ++x)
        {
            const float z = scene->surface[y * scene->stride + x];
            const bool wet = scene->has_sea && z < (float)scene->sea_level;
            job->ground[(ptrdiff_t)y * scene->width + x] = wet ? (float)scene->sea_level : z;
        }
    }
}

static void waters_find_lakes(const waters_job* job, float* lakes)
{
    const ptrdiff_t cells = (ptrdiff_t)job->field.width * job->field.height;
    for (ptrdiff_t i = 0; i < cells; ++i)
    {
        const float depth = job->filled[i] - job->ground[i];
        lakes[i] = depth > waters_least_depth ? depth : 0.0f;
    }
}

// Share of a cell that a stream covers; small streams fade in.
static float waters_cover(const waters_job* job, ptrdiff_t i)
{
    const float least = (float)job->params->rivers * 1e6f;
    const float area = (float)job->area[i];
    if (!(area > 0.5f * least))
    {
        return 0.0f;
    }
    const float width = 5.0f * sqrtf(area / 1e7f);
    const float cover = 0.45f + 1.6f * width / (float)job->scene->cell_size;
    return (cover < 0.95f ? cover : 0.95f) * smooth(0.5f * least, 2.0f * least, area);
}

static void waters_find_rivers(const waters_job* job, float* rivers)
{
    const ptrdiff_t cells = (ptrdiff_t)job->field.width * job->field.height;
    for (ptrdiff_t i = 0; i < cells; ++i)
    {
        const bool sea = job->scene->has_sea && job->ground[i] <= (float)job->scene->sea_level;
        rivers[i] = sea ? 0.0f : waters_cover(job, i);
    }
}

static wadi_result waters_route(waters_job* job)
{
    const size_t cells = (size_t)job->field.width * (size_t)job->field.height;
    WADI_ALLOC(job->context, job->targets, cells, "the streams of the picture");
    WADI_ALLOC(job->context, job->area, cells, "the streams of the picture");
    wadi_field2d filled = job->field;
    filled.heights = job->filled;
    WADI_TRY(wadi_flow_route(job->context, &filled, WADI_FLOW_D8, job->targets));
    return wadi_flow_accumulate(job->context, &filled, job->targets, NULL, job->area);
}

static wadi_result waters_fill(waters_job* job, render_waters* out)
{
    const size_t cells = (size_t)job->field.width * (size_t)job->field.height;
    WADI_ALLOC(job->context, job->ground, cells, "the waters of the picture");
    WADI_ALLOC(job->context, job->filled, cells, "the waters of the picture");
    waters_copy_ground(job);
    job->field.heights = job->ground;
    WADI_TRY(wadi_flow_fill(job->context, &job->field, job->filled));
    if (job->params->lakes)
    {
        WADI_ALLOC(job->context, out->lakes, cells, "the lakes of the picture");
        waters_find_lakes(job, out->lakes);
    }
    if (job->params->rivers > 0.0)
    {
        WADI_ALLOC(job->context, out->rivers, cells, "the streams of the picture");
        WADI_TRY(waters_route(job));
        waters_find_rivers(job, out->rivers);
    }
    return WADI_OK;
}

wadi_result wadi_waters_create(wadi_context* context, const wadi_render_scene* scene,
                               const wadi_render_params* params, render_waters* out)
{
    *out = (render_waters){0};
    if (!params->lakes && params->rivers == 0.0)
    {
        return WADI_OK;
    }
    waters_job job = {.context = context,
                      .scene = scene,
                      .params = params,
                      .field = {.width = scene->width,
                                .height = scene->height,
                                .stride = scene->width,
                                .dx = scene->cell_size,
                                .dy = scene->cell_size}};
    const wadi_result result = waters_fill(&job, out);
    wadi_free(context, job.ground);
    wadi_free(context, job.filled);
    wadi_free(context, job.targets);
    wadi_free(context, job.area);
    if (result != WADI_OK)
    {
        wadi_waters_destroy(context, out);
    }
    return result;
}

void wadi_waters_destroy(wadi_context* context, render_waters* waters)
{
    wadi_free(context, waters->lakes);
    wadi_free(context, waters->rivers);
    *waters = (render_waters){0};
}
