// SPDX-License-Identifier: MIT
// Water spreads from the axis over cells below its level. Low ground behind a bank stays dry until
// the bank is overtopped somewhere. Level of a cell: the level of the axis beside it, interpolated
// between stations, but at most the level of the cell from which the water came. So water in a side
// valley is level, even if the flood on the other side of a ridge is higher.
#include "processes/flood/flood_paint.h"

#include <math.h>

typedef struct paint_run
{
    const flood_canvas* canvas;
    flow_grid grid;
    uint32_t* queue;
    int64_t begin;
    int64_t end;
    bool* seen;
} paint_run;

typedef struct paint_place
{
    double along; // distance downstream of the station [m]
    double left;  // distance to the left of it [m]
} paint_place;

static double paint_x(const wadi_field2d* field, int64_t cell)
{
    return ((double)(cell % field->width) + 0.5) * field->dx;
}

static double paint_y(const wadi_field2d* field, int64_t cell)
{
    return (field->height - (double)(cell / field->width) - 0.5) * field->dy;
}

static paint_place paint_place_of(const wadi_field2d* field, const channel_station* s, int64_t cell)
{
    const double east = paint_x(field, cell) - s->x;
    const double north = paint_y(field, cell) - s->y;
    return (paint_place){east * s->tangent_x + north * s->tangent_y,
                         north * s->tangent_x - east * s->tangent_y};
}

// Level beside a station, up to half way to the next stations.
static double paint_level(const flood_canvas* canvas, int32_t station, double along)
{
    const double share = fmin(fabs(along) / canvas->axis->spacing, 0.5);
    const int32_t other = along > 0.0 ? station + 1 : station - 1;
    const double here = canvas->states[station].stage;
    const bool ends = other < 0 || other >= canvas->axis->count;
    return ends ? here : here + share * (canvas->states[other].stage - here);
}

// Wet a cell from a neighbour whose station is `station` and whose water level is `most`.
static void paint_reach(paint_run* run, int64_t cell, int32_t station, float most)
{
    const flood_canvas* canvas = run->canvas;
    const wadi_field2d* field = canvas->field;
    run->seen[cell] = true;
    station = wadi_channel_axis_nearest(canvas->axis, station, paint_x(field, cell),
                                        paint_y(field, cell));
    const paint_place place = paint_place_of(field, &canvas->axis->station[station], cell);
    const float level = fminf((float)paint_level(canvas, station, place.along), most);
    if (level > flow_height(&run->grid, cell) && fabs(place.left) <= canvas->reach &&
        fabs(place.along) <= canvas->reach)
    {
        canvas->level[cell] = level;
        canvas->nearest[cell] = station;
        run->queue[run->end++] = (uint32_t)cell;
    }
}

// Wet the cells under the wetted part of a section.
static void paint_section(paint_run* run, int32_t station)
{
    const flood_canvas* canvas = run->canvas;
    const wadi_field2d* field = canvas->field;
    const channel_station* s = &canvas->axis->station[station];
    const channel_filling* wet = &canvas->states[station].filling;
    for (int32_t i = wet->first; i <= wet->last; ++i)
    {
        const double offset = channel_transect_offset(&canvas->transects[station], i);
        const double column = (s->x - offset * s->tangent_y) / field->dx;
        const double row = field->height - (s->y + offset * s->tangent_x) / field->dy;
        if (column >= 0.0 && row >= 0.0 && column < field->width && row < field->height)
        {
            const int64_t cell = (int64_t)row * field->width + (int64_t)column;
            if (!run->seen[cell])
            {
                paint_reach(run, cell, station, INFINITY);
            }
        }
    }
}

static void paint_spread(paint_run* run)
{
    while (run->begin < run->end)
    {
        const int64_t cell = (int64_t)run->queue[run->begin++];
        for (int k = 0; k < 8; ++k)
        {
            const int64_t n = flow_neighbour_of(&run->grid, cell, k);
            if (n >= 0 && !run->seen[n])
            {
                paint_reach(run, n, run->canvas->nearest[cell], run->canvas->level[cell]);
            }
        }
    }
}

static wadi_result paint_all(wadi_context* context, paint_run* run)
{
    const flood_canvas* canvas = run->canvas;
    WADI_ALLOC(context, run->queue, run->grid.cells, "cells of a flood");
    WADI_ALLOC(context, run->seen, run->grid.cells, "cells of a flood");
    for (int64_t i = 0; i < run->grid.cells; ++i)
    {
        canvas->level[i] = NAN;
        run->seen[i] = isnan(flow_height(&run->grid, i));
    }
    for (int32_t i = 0; i < canvas->axis->count; ++i)
    {
        paint_section(run, i);
    }
    paint_spread(run);
    return WADI_OK;
}

wadi_result wadi_flood_paint(wadi_context* context, const flood_canvas* canvas)
{
    paint_run run = {.canvas = canvas, .grid = flow_grid_of(canvas->field)};
    const wadi_result result = paint_all(context, &run);
    wadi_free(context, run.queue);
    wadi_free(context, run.seen);
    return result;
}

bool wadi_flood_overtops(const flood_canvas* canvas, int64_t cell)
{
    if (isnan(canvas->level[cell]))
    {
        return false;
    }
    const int32_t station = canvas->nearest[cell];
    const channel_transect* t = &canvas->transects[station];
    const double left = paint_place_of(canvas->field, &canvas->axis->station[station], cell).left;
    const int side = left > channel_transect_offset(t, t->bed) ? TRANSECT_LEFT : TRANSECT_RIGHT;
    const double bank = channel_transect_offset(t, t->bank[side]);
    return canvas->level[cell] > t->crest[side] &&
           (side == TRANSECT_LEFT ? left >= bank : left <= bank);
}
