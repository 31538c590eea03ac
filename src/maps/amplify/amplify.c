// SPDX-License-Identifier: MIT
// A window of a terrain on finer cells: surface, ripples and sand tongues, each a function of
// position alone (Paris et al. 2019, section 6).
#include "maps/amplify/amplify_internal.h"

#include "core/dmath.h"
#include "core/field_rows.h"

#include <math.h>

#define AMPLIFY_NUMBER(...) FIELD_NUMBER(wadi_amplify_params, __VA_ARGS__)

enum
{
    AMPLIFY_CELLS = 1 << 28 // most cells of a window
};

// clang-format off
static const wadi_field amplify_field_list[] = {
    AMPLIFY_NUMBER(x, 0.0, -1e7, 1e7, "m", "western edge of the window, from the terrain's", ""),
    AMPLIFY_NUMBER(y, 0.0, -1e7, 1e7, "m", "southern edge of the window, from the terrain's", ""),
    AMPLIFY_NUMBER(width, 20.0, 0.0, 1e6, "m", "width of the window; 0: up to the terrain's eastern edge", ""),
    AMPLIFY_NUMBER(height, 20.0, 0.0, 1e6, "m", "height of the window; 0: up to the terrain's northern edge", ""),
    AMPLIFY_NUMBER(cell, 0.0125, 1e-4, 1e3, "m", "size of the window's cells", "an eighth of a ripple or less"),
    AMPLIFY_NUMBER(direction, 270.0, 0.0, 360.0, "degree", "where the wind comes from, clockwise from north", "WMO convention"),
    AMPLIFY_NUMBER(speed, 10.0, 0.1, 60.0, "m/s", "wind at 10 m above flat ground", ""),
    AMPLIFY_NUMBER(steadiness, 1.0, 0.0, 1.0, "1", "net over gross sand flux across the crests. 1: one wind, asymmetric ripples; 0: opposite winds, symmetric ripples", "Rubin & Hunter 1987"),
    AMPLIFY_NUMBER(sharpen, 1.0, 0.0, 1.0, "1", "sharpening of crests, brinks and the feet of slip faces: 0 none; 1 up to the edge where both slopes meet", ""),
    AMPLIFY_NUMBER(wavelength, 0.1, 0.0, 100.0, "m", "wavelength of ripples on flat ground in a wind of 10 m/s, proportional to the friction velocity at their place; 0: no ripples", "1-20 cm: Paris et al. 2019; linear: Andreotti et al. 2006"),
    AMPLIFY_NUMBER(ripple_index, 15.0, 4.0, 100.0, "1", "wavelength of ripples over their height", "wind ripples 10-20: Sharp 1963"),
    AMPLIFY_NUMBER(obstacle_spacing, 1.0, 1e-2, 1e4, "m", "distance between places where a plant or a stone may stand", ""),
    AMPLIFY_NUMBER(obstacle_height, 0.15, 0.0, 10.0, "m", "height of the sand mound around a large plant or stone", ""),
    AMPLIFY_NUMBER(stones, 0.0, 0.0, 1.0, "1", "share of those places with a stone; plants follow their cover", ""),
    FIELD_SWITCH(wadi_amplify_params, displacement, 0, "give the height above the terrain's cells, joined by bilinear interpolation, in place of the height", ""),
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

// The window in cells of a lattice that starts in the terrain's south-western corner.
static amplify_area amplify_area_of(const wadi_terrain* terrain, const wadi_amplify_params* p)
{
    const double size = wadi_terrain_cell_size(terrain);
    const double width = p->width > 0.0 ? p->width : wadi_terrain_width(terrain) * size - p->x;
    const double height = p->height > 0.0 ? p->height : wadi_terrain_height(terrain) * size - p->y;
    const double across = floor(width / p->cell + 0.5);
    const double down = floor(height / p->cell + 0.5);
    const bool fits = across >= 1.0 && down >= 1.0 && across * down <= AMPLIFY_CELLS;
    return (amplify_area){.west = (int64_t)floor(p->x / p->cell + 0.5),
                          .south = (int64_t)floor(p->y / p->cell + 0.5),
                          .columns = fits ? (int32_t)across : 0,
                          .rows = fits ? (int32_t)down : 0};
}

static wadi_result amplify_check(wadi_terrain* terrain, const wadi_amplify_params* params,
                                 amplify_area* area)
{
    wadi_context* context = wadi_terrain_context(terrain);
    WADI_TRY(wadi_fields_check(context, &wadi_amplify_fields, params));
    const double finest = amplify_wavelength(params) / 8.0;
    WADI_CHECK(
        context, finest == 0.0 || params->cell <= finest * (1.0 + 1e-9), WADI_ERROR_RANGE,
        "cells of %g m are too coarse for ripples of %g m; give at most %g m, or wavelength 0 "
        "for no ripples",
        params->cell, 8.0 * finest, finest);
    const double wide = wadi_terrain_width(terrain) * wadi_terrain_cell_size(terrain);
    const double high = wadi_terrain_height(terrain) * wadi_terrain_cell_size(terrain);
    const double slack = 0.5000001 * params->cell; // the window is rounded to whole cells
    WADI_CHECK(context,
               params->x >= 0.0 && params->y >= 0.0 && params->x < wide && params->y < high &&
                   params->x + params->width <= wide + slack &&
                   params->y + params->height <= high + slack,
               WADI_ERROR_RANGE,
               "the window from (%g, %g) m, %g x %g m, reaches beyond the terrain of %g x %g m",
               params->x, params->y, params->width, params->height, wide, high);
    *area = amplify_area_of(terrain, params);
    WADI_CHECK(context, area->columns > 0, WADI_ERROR_RANGE,
               "a window of %g x %g m has no cell of %g m, or more than 2^28 of them; change its "
               "cell or size, or write it as tiles",
               params->width > 0.0 ? params->width : wide - params->x,
               params->height > 0.0 ? params->height : high - params->y, params->cell);
    return WADI_OK;
}

wadi_result wadi_amplify_size(wadi_terrain* terrain, const wadi_amplify_params* params,
                              int32_t* columns, int32_t* rows)
{
    amplify_area area = {0};
    *columns = 0;
    *rows = 0;
    WADI_TRY(amplify_check(terrain, params, &area));
    *columns = area.columns;
    *rows = area.rows;
    return WADI_OK;
}

// ---- the job -----------------------------------------------------------------------------------

static wadi_result amplify_begin(amplify_job* job, wadi_terrain* terrain,
                                 const wadi_amplify_params* params)
{
    const double angle = params->direction * (3.14159265358979323846 / 180.0);
    job->context = wadi_terrain_context(terrain);
    job->terrain = terrain;
    job->ground = wadi_terrain_ground(terrain);
    job->kernels = amplify_kernels_of(wadi_isa_best());
    job->params = *params;
    job->ex = -wadi_sin(angle);
    job->ey = -wadi_cos(angle);
    job->wavelength = amplify_wavelength(params);
    WADI_TRY(wadi_amplify_level_create(job));
    return wadi_amplify_wind_create(job);
}

static void amplify_end(amplify_job* job)
{
    wadi_free(job->context, job->workers);
    wadi_free(job->context, job->buffers);
    wadi_free(job->context, job->nodes.at);
    wadi_amplify_wind_destroy(job);
    wadi_free(job->context, job->level);
}

static wadi_result amplify_fill(amplify_job* job)
{
    WADI_TRY(wadi_amplify_nodes_create(job));
    return wadi_amplify_blocks(job);
}

wadi_result wadi_amplify(wadi_terrain* terrain, const wadi_amplify_params* params, float* heights)
{
    amplify_job job = {.out = heights};
    WADI_TRY(amplify_check(terrain, params, &job.area));
    wadi_result result = amplify_begin(&job, terrain, params);
    result = result == WADI_OK ? amplify_fill(&job) : result;
    amplify_end(&job);
    return result;
}

wadi_result wadi_amplify_wind(wadi_terrain* terrain, const wadi_amplify_params* params, float* east,
                              float* north)
{
    amplify_job job = {0};
    WADI_TRY(wadi_fields_check(wadi_terrain_context(terrain), &wadi_amplify_fields, params));
    const wadi_result result = amplify_begin(&job, terrain, params);
    for (int64_t i = 0; result == WADI_OK && i < job.ground->cells; ++i)
    {
        const bool valid = job.ground->valid[i] != 0;
        east[i] = valid ? job.wind.speed[i] * job.wind.east[i] : NAN;
        north[i] = valid ? job.wind.speed[i] * job.wind.north[i] : NAN;
    }
    amplify_end(&job);
    return result;
}
