// SPDX-License-Identifier: MIT
// Failure of soil: a factor of safety below 1 over a connected area of min_area or more.
//
// The water table comes from the layer moisture, or from steady rain that drains through the soil
// (Montgomery & Dietrich 1994): m = R a / (b K z sin s cos s), at most 1, with the drainage area a,
// the width b of a cell, the conductivity K, the depth z and the slope angle s.
#include "core/dmath.h"
#include "processes/landslide/landslide_internal.h"
#include "terrain/stencil.h"

#include <wadi/derive.h>
#include <wadi/stability.h>

#include <string.h>

static const double trigger_gravity = 9.81;
static const double trigger_water = 1000.0; // [kg/m3]

typedef struct trigger_job
{
    const wadi_terrain* terrain;
    const wadi_ground* ground;
    const wadi_landslide_params* params;
    slide_source* source;
    wadi_field2d field;
    float* area; // [m2] drainage area of a cell; NULL without rain
    float* wet;  // share below the water table
    int32_t* queue;
    uint8_t* state; // by cell, of trigger_state
} trigger_job;

enum
{
    TRIGGER_STANDS,
    TRIGGER_FAILS,
    TRIGGER_SLIDES
};

// ---- factor of safety --------------------------------------------------------------------

// Soil cut out of a cell: the means over its layers, but the strength of the lowest layer, at whose
// base it slides.
static wadi_material trigger_soil(const trigger_job* job, int64_t cell)
{
    wadi_material mean = {0};
    const double sum = (double)job->source->soil[cell];
    int32_t left = job->source->soil[cell];
    for (int32_t l = job->ground->loose_count - 1; l >= 0 && left > 0; --l)
    {
        const wadi_material* m = wadi_terrain_material(job->terrain, job->ground->material[l]);
        const int32_t have = job->ground->loose[l][cell];
        const int32_t gives = have < left ? have : left;
        const double share = (double)gives / sum;
        left -= gives;
        mean.density += share * m->density;
        mean.porosity += share * m->porosity;
        mean.conductivity += share * m->conductivity;
        mean.cohesion = gives > 0 ? m->cohesion : mean.cohesion;
        mean.friction_angle = gives > 0 ? m->friction_angle : mean.friction_angle;
    }
    return mean;
}

static double trigger_wetness(const trigger_job* job, const wadi_material* soil, int64_t cell,
                              double depth, double tangent)
{
    const double moist = (double)job->ground->moisture[cell] / 65535.0;
    double wet = moist > job->params->wetness ? moist : job->params->wetness;
    if (job->area != NULL)
    {
        const double through = job->params->rain / 3.6e6 * (double)job->area[cell];
        const double room = job->ground->cell_size * soil->conductivity * depth * tangent /
                            (1.0 + tangent * tangent);
        const double rain = through < room ? through / room : 1.0;
        wet = rain > wet ? rain : wet;
    }
    return wet;
}

static void trigger_cell(trigger_job* job, int32_t column, int32_t row)
{
    const int64_t cell = (int64_t)row * job->ground->width + column;
    const int32_t units = job->source->soil[cell];
    job->source->stability[cell] = (float)WADI_STABILITY_MOST;
    if (units <= 0)
    {
        return;
    }
    const derive_stencil z = stencil_load(&job->field, column, row);
    const derive_gradient g = stencil_gradient(&z);
    const double tangent = sqrt(g.x * g.x + g.y * g.y);
    const wadi_material soil = trigger_soil(job, cell);
    const double depth = (double)units / WADI_UNITS_PER_METRE;
    const double wet = trigger_wetness(job, &soil, cell, depth, tangent);
    const wadi_stability_params slope = {
        .cohesion = soil.cohesion + job->params->cohesion,
        .friction = soil.friction_angle,
        .weight = trigger_gravity *
                  ((1.0 - soil.porosity) * soil.density + soil.porosity * wet * trigger_water),
        .depth = depth,
        .wetness = wet,
    };
    job->wet[cell] = (float)wet;
    job->source->stability[cell] = (float)wadi_stability_factor(&slope, tangent);
}

static void trigger_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    trigger_job* job = user;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t column = 0; column < job->ground->width; ++column)
        {
            trigger_cell(job, column, row);
        }
    }
}

// ---- areas -------------------------------------------------------------------------------

// Collect the connected failing area of a cell in the queue; returns its number of cells.
static int64_t trigger_gather(trigger_job* job, int64_t seed)
{
    int64_t count = 1;
    job->queue[0] = (int32_t)seed;
    job->state[seed] = TRIGGER_SLIDES;
    for (int64_t next = 0; next < count; ++next)
    {
        for (int k = 0; k < 9; ++k)
        {
            const int64_t to = wadi_slide_land_neighbour(job->ground, job->queue[next], k);
            if (to >= 0 && job->state[to] == TRIGGER_FAILS)
            {
                job->state[to] = TRIGGER_SLIDES;
                job->queue[count] = (int32_t)to;
                ++count;
            }
        }
    }
    return count;
}

// Mark areas below min_area as stable, since roots hold them along their rim.
static void trigger_areas(trigger_job* job)
{
    const double cell = job->ground->cell_size * job->ground->cell_size;
    slide_source* source = job->source;
    for (int64_t c = 0; c < job->ground->cells; ++c)
    {
        if (job->state[c] != TRIGGER_FAILS)
        {
            continue;
        }
        const int64_t count = trigger_gather(job, c);
        if ((double)count * cell >= job->params->min_area)
        {
            source->areas += 1;
            source->largest = count > source->largest ? count : source->largest;
            continue;
        }
        for (int64_t i = 0; i < count; ++i)
        {
            job->state[job->queue[i]] = TRIGGER_STANDS;
        }
    }
}

// ---- trigger -----------------------------------------------------------------------------

static void trigger_mark(trigger_job* job)
{
    for (int64_t c = 0; c < job->ground->cells; ++c)
    {
        job->state[c] = job->source->stability[c] < 1.0f ? TRIGGER_FAILS : TRIGGER_STANDS;
    }
}

static void trigger_keep(const trigger_job* job)
{
    double wet = 0.0;
    double sum = 0.0;
    for (int64_t c = 0; c < job->ground->cells; ++c)
    {
        const bool slides =
            job->state[c] == TRIGGER_SLIDES || job->params->start != WADI_LANDSLIDE_FAILING;
        job->source->soil[c] = slides ? job->source->soil[c] : 0;
        job->source->rock[c] = slides ? job->source->rock[c] : 0;
        wet += (double)job->wet[c] * (double)job->source->soil[c];
        sum += (double)job->source->soil[c];
    }
    job->source->wetness = sum > 0.0 ? wet / sum : 0.0;
}

static wadi_result trigger_drain(trigger_job* job)
{
    wadi_context* context = wadi_terrain_context(job->terrain);
    if (job->params->rain <= 0.0 || job->params->start == WADI_LANDSLIDE_SOAKING ||
        job->params->start == WADI_LANDSLIDE_STORM)
    {
        return WADI_OK;
    }
    WADI_ALLOC(context, job->area, job->ground->cells, "drained areas");
    return wadi_derive(context, &job->field, WADI_DERIVED_DINF_AREA, NULL, job->area);
}

static wadi_result trigger_allocate(trigger_job* job)
{
    wadi_context* context = wadi_terrain_context(job->terrain);
    WADI_ALLOC(context, job->source->stability, job->ground->cells, "stability");
    WADI_ALLOC(context, job->wet, job->ground->cells, "water tables");
    WADI_ALLOC(context, job->queue, job->ground->cells, "failing areas");
    WADI_ALLOC(context, job->state, job->ground->cells, "failing areas");
    return trigger_drain(job);
}

static wadi_result trigger_run(trigger_job* job)
{
    WADI_TRY(trigger_allocate(job));
    wadi_parallel_rows(wadi_terrain_context(job->terrain), job->ground->height, 16, trigger_rows,
                       job);
    trigger_mark(job);
    trigger_areas(job);
    trigger_keep(job);
    return WADI_OK;
}

wadi_result wadi_slide_trigger(wadi_terrain* terrain, const wadi_landslide_params* params,
                               slide_source* source)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    wadi_view surface;
    WADI_TRY(wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &surface));
    trigger_job job = {
        .terrain = terrain,
        .ground = ground,
        .params = params,
        .source = source,
        .field = {.heights = surface.data,
                  .width = surface.width,
                  .height = surface.height,
                  .stride = surface.stride,
                  .dx = ground->cell_size,
                  .dy = ground->cell_size},
    };
    memcpy(job.field.edges, ground->edges, sizeof job.field.edges);
    const wadi_result result = trigger_run(&job);
    wadi_free(context, job.area);
    wadi_free(context, job.wet);
    wadi_free(context, job.queue);
    wadi_free(context, job.state);
    const wadi_result released = wadi_terrain_release(terrain, WADI_LAYER_SURFACE);
    return result != WADI_OK ? result : released;
}
