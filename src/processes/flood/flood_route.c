// SPDX-License-Identifier: MIT
// A flood: route, axis, cross-sections, stages, maps.
#include "core/internal.h"
#include "laws/channels/channel_profile.h"
#include "processes/flood/flood_internal.h"
#include "processes/flood/flood_paint.h"
#include "terrain/field2d.h"

#include <wadi/flood_route.h>

#include <math.h>
#include <string.h>

struct wadi_flood
{
    wadi_context* context;
    wadi_field2d field;
    wadi_flood_params params;
    int32_t outlet; // numbered as in channel_route.h
    channel_route route;
    channel_axis axis;
    channel_section_def sections;
    float* ground; // samples of all transects (stations x samples)
    channel_transect* transects;
    channel_state* states;
    wadi_flood_station* stations;
    flood_canvas canvas;
};

enum
{
    FLOOD_LEAST_REACH = 16, // cells
    FLOOD_SWING = 2,        // the bed may lie this many cells to either side of the axis
    FLOOD_DEEPEST = 65535   // [m], above the range of heights
};

static const double flood_least_discharge = 1e-6; // [m3/s]

// ---- making ------------------------------------------------------------------------------

void wadi_flood_destroy(wadi_flood* flood)
{
    if (flood == NULL)
    {
        return;
    }
    wadi_context* context = flood->context;
    wadi_channel_route_free(context, &flood->route);
    wadi_channel_axis_free(context, &flood->axis);
    wadi_free(context, flood->ground);
    wadi_free(context, flood->transects);
    wadi_free(context, flood->states);
    wadi_free(context, flood->stations);
    wadi_free(context, flood->canvas.level);
    wadi_free(context, flood->canvas.nearest);
    wadi_free(context, flood);
}

static channel_source flood_source(const wadi_flood* flood)
{
    const wadi_field2d* f = &flood->field;
    const wadi_flood_params* p = &flood->params;
    return (channel_source){
        .column = p->from_x / f->dx - 0.5,
        .row = f->height - p->from_y / f->dy - 0.5,
        .to_column = p->to_x / f->dx - 0.5,
        .to_row = f->height - p->to_y / f->dy - 0.5,
    };
}

// Half a cell between samples resolves the bilinear ground.
static channel_section_def flood_section_def(const wadi_flood* flood)
{
    const double cell = fmin(flood->field.dx, flood->field.dy);
    const double asked = flood->params.reach > 0.0
                             ? flood->params.reach
                             : fmax(12.0 * sqrt(flood->params.discharge), FLOOD_LEAST_REACH * cell);
    const double widest =
        flood->field.width * flood->field.dx + flood->field.height * flood->field.dy;
    return (channel_section_def){
        .step = 0.5 * cell,
        .reach = (int32_t)ceil(fmax(fmin(asked, widest) / (0.5 * cell), 2.0 * FLOOD_SWING)),
        .swing = 2 * FLOOD_SWING,
        .relief = flood->params.bank_relief,
    };
}

static void flood_cut_section(int64_t i, int32_t worker, void* user)
{
    wadi_flood* flood = user;
    (void)worker;
    flood->transects[i] =
        wadi_channel_transect_cut(&flood->field, &flood->axis.station[i], &flood->sections,
                                  flood->ground + i * (2 * (int64_t)flood->sections.reach + 1));
}

static wadi_result flood_cut(wadi_flood* flood)
{
    const int64_t samples = 2 * (int64_t)flood->sections.reach + 1;
    const int32_t count = flood->axis.count;
    WADI_ALLOC(flood->context, flood->ground, count * samples, "cross-sections");
    WADI_ALLOC(flood->context, flood->transects, count, "cross-sections");
    wadi_parallel_blocks(flood->context, count, flood_cut_section, flood);
    for (int32_t i = 0; i < count; ++i)
    {
        WADI_CHECK(flood->context, !isnan(flood->transects[i].ground[flood->transects[i].bed]),
                   WADI_ERROR_RANGE, "the route crosses cells without data at x %g m, y %g m",
                   flood->axis.station[i].x, flood->axis.station[i].y);
    }
    return WADI_OK;
}

static wadi_result flood_raise(wadi_flood* flood)
{
    const channel_reach reach = {
        .transect = flood->transects,
        .count = flood->axis.count,
        .spacing = flood->axis.spacing,
        .discharge = flood->params.discharge,
        .roughness = flood->params.roughness,
        .least_slope = flood->params.least_slope,
    };
    WADI_ALLOC(flood->context, flood->states, reach.count, "stages");
    WADI_TRY(wadi_channel_profile(flood->context, &reach, flood->states));
    for (int32_t i = 0; i < reach.count; ++i)
    {
        const double depth =
            flood->states[i].stage - (double)reach.transect[i].ground[reach.transect[i].bed];
        WADI_CHECK(flood->context, depth < FLOOD_DEEPEST, WADI_ERROR_RANGE,
                   "the flood has no room between cells without data at x %g m, y %g m",
                   flood->axis.station[i].x, flood->axis.station[i].y);
    }
    return WADI_OK;
}

// ---- stations ----------------------------------------------------------------------------

static double flood_crest(const channel_transect* t, int side)
{
    return t->crest[side] < INFINITY ? (double)t->crest[side] : (double)NAN;
}

static wadi_flood_station flood_station(const wadi_flood* flood, int32_t i)
{
    const channel_transect* t = &flood->transects[i];
    const channel_state* s = &flood->states[i];
    const double velocity = flood->params.discharge / s->filling.area;
    const double wave = sqrt(channel_gravity * s->filling.area / s->filling.top);
    const double left = flood_crest(t, TRANSECT_LEFT);
    const double right = flood_crest(t, TRANSECT_RIGHT);
    return (wadi_flood_station){
        .distance = i * flood->axis.spacing,
        .x = flood->axis.station[i].x,
        .y = flood->axis.station[i].y,
        .bed = (double)t->ground[t->bed],
        .stage = s->stage,
        .width = s->filling.top,
        .area = s->filling.area,
        .velocity = velocity,
        .slope = s->energy_slope,
        .froude = velocity / wave,
        .left_bank = left,
        .right_bank = right,
        .overtopped = s->stage > left || s->stage > right, // false for NaN
    };
}

static wadi_result flood_fill_stations(wadi_flood* flood)
{
    WADI_ALLOC(flood->context, flood->stations, flood->axis.count, "stations of a flood");
    for (int32_t i = 0; i < flood->axis.count; ++i)
    {
        flood->stations[i] = flood_station(flood, i);
    }
    return WADI_OK;
}

static wadi_result flood_paint(wadi_flood* flood)
{
    const int64_t cells = (int64_t)flood->field.width * flood->field.height;
    flood->canvas = (flood_canvas){
        .field = &flood->field,
        .axis = &flood->axis,
        .states = flood->states,
        .transects = flood->transects,
        .reach = flood->sections.reach * flood->sections.step,
    };
    WADI_ALLOC(flood->context, flood->canvas.level, cells, "levels of a flood");
    WADI_ALLOC(flood->context, flood->canvas.nearest, cells, "cells of a flood");
    return wadi_flood_paint(flood->context, &flood->canvas);
}

static wadi_result flood_make(wadi_flood* flood)
{
    const channel_source source = flood_source(flood);
    const double cell = fmin(flood->field.dx, flood->field.dy);
    WADI_TRY(wadi_channel_route_create(flood->context, &flood->field, &source, flood->outlet,
                                       &flood->route));
    WADI_TRY(wadi_channel_axis_of_route(flood->context, &flood->field, &flood->route, cell,
                                        FLOOD_SWING * cell, &flood->axis));
    flood->sections = flood_section_def(flood);
    WADI_TRY(flood_cut(flood));
    WADI_TRY(flood_raise(flood));
    WADI_TRY(flood_fill_stations(flood));
    return flood_paint(flood);
}

wadi_result wadi_flood_check_steady(wadi_context* context, const wadi_flood_params* params)
{
    WADI_CHECK(context, params->discharge >= flood_least_discharge, WADI_ERROR_RANGE,
               "discharge of a steady flood is %g m3/s, expected %g or more; in scenes and 'wadi "
               "erode flood' 'model: inertial' takes rain without inflow",
               params->discharge, flood_least_discharge);
    return WADI_OK;
}

wadi_result wadi_flood_create_to(wadi_context* context, const wadi_field2d* field,
                                 const wadi_flood_params* params, int32_t outlet, wadi_flood** out)
{
    *out = NULL;
    WADI_TRY(wadi_field2d_check(context, field, out));
    WADI_TRY(wadi_fields_check(context, &wadi_flood_fields, params));
    WADI_TRY(wadi_flood_check_steady(context, params));
    wadi_flood* flood;
    WADI_ALLOC(context, flood, 1, "a flood");
    flood->context = context;
    flood->field = *field;
    flood->params = *params;
    flood->outlet = outlet;
    if (field->dx_of_row != NULL)
    {
        flood->field.dx = field->dx_of_row[field->height / 2];
        flood->field.dx_of_row = NULL;
    }
    const wadi_result result = flood_make(flood);
    if (result != WADI_OK)
    {
        wadi_flood_destroy(flood);
        return result;
    }
    *out = flood;
    return WADI_OK;
}

wadi_result wadi_flood_create(wadi_context* context, const wadi_field2d* field,
                              const wadi_flood_params* params, wadi_flood** out)
{
    return wadi_flood_create_to(context, field, params, params->outlet - 1, out);
}

const wadi_flood_station* wadi_flood_stations(const wadi_flood* flood, int32_t* count)
{
    *count = flood->axis.count;
    return flood->stations;
}

// ---- maps --------------------------------------------------------------------------------

static float flood_value(const flood_canvas* canvas, wadi_flood_layer layer, int64_t cell,
                         float ground)
{
    const float level = canvas->level[cell];
    const float depth = isnan(level) ? 0.0f : level - ground;
    return layer == WADI_FLOOD_DEPTH        ? depth
           : layer == WADI_FLOOD_LEVEL      ? level
           : layer == WADI_FLOOD_OVERTOPPED ? (wadi_flood_overtops(canvas, cell) ? depth : 0.0f)
                                            : NAN;
}

// Distance along the cells of the route, scaled to the length of the axis.
static void flood_map_route(const wadi_flood* flood, float* out)
{
    const double step = flood->axis.spacing * (flood->axis.count - 1) / (flood->route.count - 1);
    for (int32_t i = 0; i < flood->route.count; ++i)
    {
        out[flood->route.cell[i]] = (float)(i * step);
    }
}

wadi_result wadi_flood_map(const wadi_flood* flood, wadi_flood_layer layer, float* out)
{
    WADI_CHECK(flood->context, (int)layer >= 0 && layer < WADI_FLOOD_LAYER_COUNT,
               WADI_ERROR_UNKNOWN, "a flood has no map %d: it has %d", (int)layer,
               (int)WADI_FLOOD_LAYER_COUNT);
    const wadi_field2d* field = &flood->field;
    for (int32_t y = 0; y < field->height; ++y)
    {
        for (int32_t x = 0; x < field->width; ++x)
        {
            const int64_t cell = (int64_t)y * field->width + x;
            const float ground = field->heights[y * field->stride + x];
            out[cell] = isnan(ground) ? NAN : flood_value(&flood->canvas, layer, cell, ground);
        }
    }
    if (layer == WADI_FLOOD_ROUTE)
    {
        flood_map_route(flood, out);
    }
    return WADI_OK;
}
