// SPDX-License-Identifier: MIT
// Maps of drainage, on ground whose depressions have been filled.
#include "core/dmath.h"
#include "laws/flow/flow_grid.h"
#include "maps/derive/derive_internal.h"

typedef struct flow_work
{
    wadi_context* context;
    float* heights;      // of `filled`
    wadi_field2d filled; // the field with filled depressions
    wadi_flow_target* targets;
    double* sum;
    uint8_t* fed;
} flow_work;

static wadi_result flow_map_area(flow_work* work, float* out)
{
    WADI_ALLOC(work->context, work->sum, (int64_t)work->filled.width * work->filled.height,
               "drained areas");
    WADI_TRY(wadi_flow_accumulate(work->context, &work->filled, work->targets, NULL, work->sum));
    for (int64_t i = 0; i < (int64_t)work->filled.width * work->filled.height; ++i)
    {
        out[i] = (float)work->sum[i];
    }
    return WADI_OK;
}

double wadi_flow_azimuth(int direction, double dx, double dy)
{
    if (direction < 0 || direction >= 8)
    {
        return (double)NAN;
    }
    const double azimuth =
        57.29577951308232 * wadi_atan2(dx * flow_east[direction], -dy * flow_south[direction]);
    return azimuth < 0.0 ? azimuth + 360.0 : azimuth;
}

static float flow_direction(const wadi_flow_target* target, double dx, double dy)
{
    if (target->first < 0)
    {
        return NAN;
    }
    const double first = wadi_flow_azimuth(target->first, dx, dy);
    if (target->second < 0)
    {
        return (float)first;
    }

    // the turn between two directions, through north if that is shorter
    double turn = wadi_flow_azimuth(target->second, dx, dy) - first;
    turn = turn > 180.0 ? turn - 360.0 : turn < -180.0 ? turn + 360.0 : turn;
    const double azimuth = first + (double)target->share * turn;
    return (float)(azimuth < 0.0 ? fmin(azimuth + 360.0, 359.99997) : azimuth);
}

static wadi_result flow_map_directions(const flow_work* work, float* out)
{
    const flow_grid grid = flow_grid_of(&work->filled);
    for (int64_t i = 0; i < grid.cells; ++i)
    {
        out[i] = flow_direction(&work->targets[i], flow_dx(&grid, (int32_t)(i / grid.width)),
                                grid.field->dy);
    }
    return WADI_OK;
}

static wadi_result flow_map_edge_fed(flow_work* work, float* out)
{
    const int64_t cells = (int64_t)work->filled.width * work->filled.height;
    WADI_ALLOC(work->context, work->fed, cells, "the cells fed by the edge");
    WADI_TRY(wadi_flow_edge_fed(work->context, &work->filled, work->targets, work->fed));
    for (int64_t i = 0; i < cells; ++i)
    {
        out[i] = isnan(work->filled.heights[i]) ? NAN : (float)work->fed[i];
    }
    return WADI_OK;
}

static wadi_result flow_map_targets(flow_work* work, wadi_derived map, float* out)
{
    const bool dinf = map == WADI_DERIVED_DINF_AREA || map == WADI_DERIVED_DINF_DIRECTION;
    WADI_ALLOC(work->context, work->targets, (int64_t)work->filled.width * work->filled.height,
               "flow directions");
    WADI_TRY(wadi_flow_route(work->context, &work->filled, dinf ? WADI_FLOW_DINF : WADI_FLOW_D8,
                             work->targets));
    return map == WADI_DERIVED_EDGE_FED ? flow_map_edge_fed(work, out)
           : map == WADI_DERIVED_D8_AREA || map == WADI_DERIVED_DINF_AREA
               ? flow_map_area(work, out)
               : flow_map_directions(work, out);
}

static void flow_map_depression(const wadi_field2d* field, const float* filled, float* out)
{
    for (int32_t y = 0; y < field->height; ++y)
    {
        for (int32_t x = 0; x < field->width; ++x)
        {
            const ptrdiff_t i = (ptrdiff_t)y * field->width + x;
            out[i] = filled[i] - field->heights[y * field->stride + x];
        }
    }
}

static wadi_result flow_map_all(flow_work* work, const wadi_field2d* field, wadi_derived map,
                                float* out)
{
    if (map == WADI_DERIVED_FILLED)
    {
        return wadi_flow_fill(work->context, field, out);
    }
    WADI_ALLOC(work->context, work->heights, (int64_t)field->width * field->height,
               "filled ground");
    WADI_TRY(wadi_flow_fill(work->context, field, work->heights));
    work->filled.heights = work->heights;
    work->filled.stride = field->width;
    if (map == WADI_DERIVED_DEPRESSION)
    {
        flow_map_depression(field, work->heights, out);
        return WADI_OK;
    }
    return flow_map_targets(work, map, out);
}

wadi_result wadi_derive_flow(wadi_context* context, const wadi_field2d* field, wadi_derived map,
                             float* out)
{
    flow_work work = {.context = context, .filled = *field};
    const wadi_result result = flow_map_all(&work, field, map, out);
    wadi_free(context, work.fed);
    wadi_free(context, work.sum);
    wadi_free(context, work.targets);
    wadi_free(context, work.heights);
    return result;
}
