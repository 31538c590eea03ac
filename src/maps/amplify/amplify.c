// SPDX-License-Identifier: MIT
// A window of a terrain on finer cells: surface, ripples and sand tongues, each a function of
// position alone (Paris et al. 2019, section 6).
#include "maps/amplify/amplify_internal.h"

#include "core/dmath.h"
#include "core/field_rows.h"

#include <wadi/airflow.h>

#include <math.h>

#define AMPLIFY_NUMBER(...) FIELD_NUMBER(wadi_amplify_params, __VA_ARGS__)

enum
{
    AMPLIFY_GRAIN = 16,     // rows of a block
    AMPLIFY_CELLS = 1 << 28 // most cells of a window
};

// clang-format off
static const wadi_field amplify_field_list[] = {
    AMPLIFY_NUMBER(x, 0.0, -1e7, 1e7, "m", "western edge of the window, from the terrain's", ""),
    AMPLIFY_NUMBER(y, 0.0, -1e7, 1e7, "m", "southern edge of the window, from the terrain's", ""),
    AMPLIFY_NUMBER(width, 20.0, 1e-3, 1e6, "m", "width of the window", ""),
    AMPLIFY_NUMBER(height, 20.0, 1e-3, 1e6, "m", "height of the window", ""),
    AMPLIFY_NUMBER(cell, 0.0125, 1e-4, 1e3, "m", "size of the window's cells", "an eighth of a ripple or less"),
    AMPLIFY_NUMBER(direction, 270.0, 0.0, 360.0, "degree", "where the wind comes from, clockwise from north", "WMO convention"),
    AMPLIFY_NUMBER(speed, 10.0, 0.1, 60.0, "m/s", "wind at 10 m above flat ground", ""),
    AMPLIFY_NUMBER(steadiness, 1.0, 0.0, 1.0, "1", "net over gross sand flux across the crests. 1: one wind, asymmetric ripples; 0: opposite winds, symmetric ripples", "Rubin & Hunter 1987"),
    AMPLIFY_NUMBER(sharpen, 1.0, 0.0, 1.0, "1", "sharpening of crests: 0 none; 1 up to the edge where both slopes meet", ""),
    AMPLIFY_NUMBER(wavelength, 0.1, 0.0, 100.0, "m", "wavelength of ripples in a wind of 10 m/s, proportional to the wind speed; 0: no ripples", "1-20 cm: Paris et al. 2019"),
    AMPLIFY_NUMBER(ripple_index, 15.0, 4.0, 100.0, "1", "wavelength of ripples over their height", "wind ripples 10-20: Sharp 1963"),
    AMPLIFY_NUMBER(obstacle_spacing, 1.0, 1e-2, 1e4, "m", "distance between places where a plant or a stone may stand", ""),
    AMPLIFY_NUMBER(obstacle_height, 0.15, 0.0, 10.0, "m", "height of the sand mound around a large plant or stone", ""),
    AMPLIFY_NUMBER(stones, 0.0, 0.0, 1.0, "1", "share of those places with a stone; plants follow their cover", ""),
};
// clang-format on

const wadi_field_table wadi_amplify_fields =
    FIELD_TABLE("amplify", amplify_field_list, wadi_amplify_params);

wadi_amplify_params wadi_amplify_params_default(void)
{
    wadi_amplify_params params;
    wadi_fields_init(&wadi_amplify_fields, &params);
    return params;
}

static double amplify_wavelength(const wadi_amplify_params* params)
{
    return params->wavelength * params->speed / 10.0;
}

wadi_result wadi_amplify_size(wadi_terrain* terrain, const wadi_amplify_params* params,
                              int32_t* columns, int32_t* rows)
{
    wadi_context* context = wadi_terrain_context(terrain);
    *columns = 0;
    *rows = 0;
    WADI_TRY(wadi_fields_check(context, &wadi_amplify_fields, params));
    const double finest = amplify_wavelength(params) / 8.0;
    WADI_CHECK(
        context, finest == 0.0 || params->cell <= finest * (1.0 + 1e-9), WADI_ERROR_RANGE,
        "cells of %g m are too coarse for ripples of %g m; give at most %g m, or wavelength 0 "
        "for no ripples",
        params->cell, 8.0 * finest, finest);
    const double wide = wadi_terrain_width(terrain) * wadi_terrain_cell_size(terrain);
    const double high = wadi_terrain_height(terrain) * wadi_terrain_cell_size(terrain);
    WADI_CHECK(context,
               params->x >= 0.0 && params->y >= 0.0 && params->x + params->width <= wide &&
                   params->y + params->height <= high,
               WADI_ERROR_RANGE,
               "the window from (%g, %g) m, %g x %g m, reaches beyond the terrain of %g x %g m",
               params->x, params->y, params->width, params->height, wide, high);
    const double across = floor(params->width / params->cell + 0.5);
    const double down = floor(params->height / params->cell + 0.5);
    WADI_CHECK(
        context, across >= 1.0 && down >= 1.0 && across * down <= AMPLIFY_CELLS, WADI_ERROR_RANGE,
        "a window of %g x %g cells; it must have 1 to 2^28: change cell or size", across, down);
    *columns = (int32_t)across;
    *rows = (int32_t)down;
    return WADI_OK;
}

static void amplify_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const amplify_job* job = user;
    const wadi_amplify_params* p = &job->params;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t column = 0; column < job->columns; ++column)
        {
            const amplify_place at = {p->x + (column + 0.5) * p->cell,
                                      p->y + (job->rows - row - 0.5) * p->cell};
            const double height = wadi_amplify_crest(job, at) + wadi_amplify_tongues(job, at) +
                                  wadi_amplify_ripples(job, at);
            job->out[(int64_t)row * job->columns + column] =
                wadi_amplify_is_void(job, at) ? NAN : (float)height;
        }
    }
}

// Shelter of the wind over the current terrain, in the first third of `buffer`.
static wadi_result amplify_find_shelter(const amplify_job* job, float* buffer)
{
    wadi_airflow_params wind = wadi_airflow_params_default();
    wind.direction = job->params.direction;
    wind.speed = job->params.speed;
    wadi_wind_field* field;
    WADI_TRY(wadi_wind_field_create(job->terrain, &wind, &field));
    const int64_t cells = job->ground->cells;
    const wadi_result result = wadi_wind_field_compute(field, wadi_terrain_clock(job->terrain),
                                                       buffer + cells, buffer + 2 * cells, buffer);
    wadi_wind_field_destroy(field);
    return result;
}

wadi_result wadi_amplify(wadi_terrain* terrain, const wadi_amplify_params* params, float* heights)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const double angle = params->direction * (3.14159265358979323846 / 180.0);
    amplify_job job = {.context = context,
                       .terrain = terrain,
                       .ground = wadi_terrain_ground(terrain),
                       .params = *params,
                       .ex = -wadi_sin(angle),
                       .ey = -wadi_cos(angle),
                       .wavelength = amplify_wavelength(params),
                       .out = heights};
    WADI_TRY(wadi_amplify_size(terrain, params, &job.columns, &job.rows));
    float* buffer;
    WADI_ALLOC(context, buffer, 3 * job.ground->cells, "shelter of the window");
    const wadi_result result = amplify_find_shelter(&job, buffer);
    if (result == WADI_OK)
    {
        job.shelter = buffer;
        wadi_amplify_ripples_begin(&job);
        wadi_parallel_rows(context, job.rows, AMPLIFY_GRAIN, amplify_rows, &job);
    }
    wadi_free(context, buffer);
    return result;
}
