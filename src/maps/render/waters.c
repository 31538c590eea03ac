// SPDX-License-Identifier: MIT
// Lakes are the depressions of the ground; streams follow its steepest descent. They are drawn as
// wide as streams of their catchment are: 5 m at 10 km2, with the square root of the area
// (hydraulic geometry: Leopold & Maddock 1953).
#include "maps/render/waters.h"

#include "core/internal.h"
#include "maps/render/stream_lines.h"

#include <math.h>

static const float waters_least_depth = 0.25f; // of a lake that is drawn [m]

typedef struct waters_job
{
    wadi_context* context;
    render_relief* relief;
    const wadi_render_scene* scene;
    const wadi_render_params* params;
    wadi_field2d field;
    float* ground; // not below the sea [m]
    float* filled;
    wadi_flow_target* targets;
    double* area;  // [m2]
    float* levels; // of lakes, and on the dry cells beside them [m]; NaN: no lake
    float* cover;  // shares of streams
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

// Level of the lake of a cell, or of one beside it if its shore may lie between the two; NaN: none.
// No cell beside a lake is lower than its level: water would leave there.
static float waters_level(const waters_job* job, int32_t x, int32_t y)
{
    const ptrdiff_t i = (ptrdiff_t)y * job->field.width + x;
    if (job->filled[i] - job->ground[i] > waters_least_depth)
    {
        return job->filled[i];
    }
    float level = NAN;
    for (int32_t k = 0; k < 9; ++k)
    {
        const int32_t nx = x + k % 3 - 1;
        const int32_t ny = y + k / 3 - 1;
        if (nx < 0 || ny < 0 || nx >= job->field.width || ny >= job->field.height)
        {
            continue;
        }
        const ptrdiff_t n = (ptrdiff_t)ny * job->field.width + nx;
        const bool lake = job->filled[n] - job->ground[n] > waters_least_depth;
        level = lake && !(job->filled[n] <= level) ? job->filled[n] : level;
    }
    return level;
}

static void waters_find_lakes(const waters_job* job)
{
    for (int32_t y = 0; y < job->field.height; ++y)
    {
        for (int32_t x = 0; x < job->field.width; ++x)
        {
            job->levels[(ptrdiff_t)y * job->field.width + x] = waters_level(job, x, y);
        }
    }
}

// Cell of the land under a cell of the relief.
static int32_t waters_under(int32_t at, int32_t cells, int32_t from)
{
    return (int32_t)(((int64_t)2 * at + 1) * from / ((int64_t)2 * cells));
}

// Depth of lakes on the relief. On the shore it is negative, so that the shore is the line of depth
// 0 between cells and not their border.
static wadi_result waters_draw_lakes(const waters_job* job)
{
    render_relief* r = job->relief;
    const float scale = r->exaggeration / r->cell;
    if (r->water == NULL)
    {
        WADI_ALLOC(r->context, r->water, (size_t)r->width * (size_t)r->height,
                   "the lakes of the picture");
    }
    for (int32_t y = 0; y < r->height; ++y)
    {
        const int32_t row = waters_under(y, r->height, job->field.height);
        for (int32_t x = 0; x < r->width; ++x)
        {
            const int32_t column = waters_under(x, r->width, job->field.width);
            const float level = job->levels[(ptrdiff_t)row * job->field.width + column];
            const ptrdiff_t i = (ptrdiff_t)y * r->width + x;
            const float depth = level * scale - r->ground[i];
            const bool shows = depth > r->water[i] || (depth < 0.0f && !(r->water[i] > 0.0f));
            r->water[i] = shows ? depth : r->water[i];
        }
    }
    return WADI_OK;
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

static void waters_find_rivers(const waters_job* job)
{
    const ptrdiff_t cells = (ptrdiff_t)job->field.width * job->field.height;
    for (ptrdiff_t i = 0; i < cells; ++i)
    {
        const bool sea = job->scene->has_sea && job->ground[i] <= (float)job->scene->sea_level;
        job->cover[i] = sea ? 0.0f : waters_cover(job, i);
    }
}

static wadi_result waters_draw_rivers(const waters_job* job)
{
    render_relief* r = job->relief;
    const stream_lines streams = {job->field.width, job->field.height, job->targets, job->area,
                                  job->cover};
    WADI_ALLOC(r->context, r->rivers, (size_t)r->width * (size_t)r->height,
               "the streams of the picture");
    return wadi_stream_lines_draw(&streams, r, (float)r->width / (float)job->field.width,
                                  r->rivers);
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

static wadi_result waters_find(waters_job* job)
{
    const size_t cells = (size_t)job->field.width * (size_t)job->field.height;
    WADI_ALLOC(job->context, job->ground, cells, "the waters of the picture");
    WADI_ALLOC(job->context, job->filled, cells, "the waters of the picture");
    waters_copy_ground(job);
    job->field.heights = job->ground;
    WADI_TRY(wadi_flow_fill(job->context, &job->field, job->filled));
    if (job->params->lakes)
    {
        WADI_ALLOC(job->context, job->levels, cells, "the lakes of the picture");
        waters_find_lakes(job);
        WADI_TRY(waters_draw_lakes(job));
    }
    if (job->params->rivers > 0.0)
    {
        WADI_ALLOC(job->context, job->cover, cells, "the streams of the picture");
        WADI_TRY(waters_route(job));
        waters_find_rivers(job);
        WADI_TRY(waters_draw_rivers(job));
    }
    return WADI_OK;
}

wadi_result wadi_waters_draw(render_relief* r, const wadi_render_scene* scene,
                             const wadi_render_params* params)
{
    if (!params->lakes && params->rivers == 0.0)
    {
        return WADI_OK;
    }
    waters_job job = {.context = r->context,
                      .relief = r,
                      .scene = scene,
                      .params = params,
                      .field = {.width = scene->width,
                                .height = scene->height,
                                .stride = scene->width,
                                .dx = scene->cell_size,
                                .dy = scene->cell_size}};
    const wadi_result result = waters_find(&job);
    wadi_free(r->context, job.ground);
    wadi_free(r->context, job.filled);
    wadi_free(r->context, job.targets);
    wadi_free(r->context, job.area);
    wadi_free(r->context, job.levels);
    wadi_free(r->context, job.cover);
    return result;
}
