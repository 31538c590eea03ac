// SPDX-License-Identifier: MIT
// The infinite slope model: a soil layer much longer than deep, so that only its base resists
// (Skempton & DeLory 1957; Montgomery & Dietrich 1994).
#include <wadi/stability.h>

#include "core/dmath.h"
#include "core/field_rows.h"
#include "core/internal.h"
#include "terrain/field2d.h"
#include "terrain/stencil.h"

#include <string.h>

enum
{
    STABILITY_GRAIN = 16, // rows of a block
    STABILITY_VALUES = 5  // parameters that a map may replace
};

static const double stability_water = 9810.0; // specific weight [N/m3]
static const double stability_radian = 0.017453292519943295;

#define STABILITY_NUMBER(...) FIELD_NUMBER(wadi_stability_params, __VA_ARGS__)

// clang-format off
static const wadi_field stability_field_list[STABILITY_VALUES] = {
    STABILITY_NUMBER(cohesion, 5000.0, 0.0, 1e9, "Pa", "cohesion of the soil, with that of roots", "soil 0-2e4, roots of forests 5e3-2.5e4: Schmidt et al. 2001"),
    STABILITY_NUMBER(friction, 33.0, 0.1, 89.0, "degree", "angle of friction", "loam 25-33, sand 30-38, scree 35-40: Selby 1993"),
    STABILITY_NUMBER(weight, 18000.0, 1000.0, 1e5, "N/m3", "unit weight of soil including its water", "moist 16-19 kN/m3, saturated 19-21"),
    STABILITY_NUMBER(depth, 1.0, 0.0, 1e4, "m", "vertical depth of the soil", "hillslopes 0.5-3 m"),
    STABILITY_NUMBER(wetness, 0.0, 0.0, 1.0, "1", "share of the depth below the water table", "0 dry, 1 water at the surface"),
};
// clang-format on

const wadi_field_table wadi_stability_fields =
    FIELD_TABLE("stability", stability_field_list, wadi_stability_params);

wadi_stability_params wadi_stability_params_default(void)
{
    wadi_stability_params params;
    wadi_fields_init(&wadi_stability_fields, &params);
    return params;
}

double wadi_stability_factor(const wadi_stability_params* soil, double tangent)
{
    // both sides divided by cos^2: 1 / cos^2 = 1 + tan^2
    const double shear = soil->weight * soil->depth * tangent;
    const double angle = soil->friction * stability_radian;
    const double tan_friction = wadi_sin(angle) / wadi_cos(angle);
    const double normal = (soil->weight - soil->wetness * stability_water) * soil->depth;
    const double strength =
        soil->cohesion * (1.0 + tangent * tangent) + (normal > 0.0 ? normal * tan_friction : 0.0);
    return shear > 0.0 && strength < WADI_STABILITY_MOST * shear ? strength / shear
                                                                 : WADI_STABILITY_MOST;
}

// ---- maps --------------------------------------------------------------------------------

typedef struct stability_job
{
    const wadi_field2d* field;
    const wadi_stability_params* params;
    const float* maps[STABILITY_VALUES]; // by row of the field table
    float* out;
} stability_job;

static wadi_result stability_check_map(wadi_context* context, const wadi_field2d* field,
                                       const wadi_field* value, const float* map)
{
    for (int32_t row = 0; row < field->height; ++row)
    {
        for (int32_t column = 0; column < field->width; ++column)
        {
            const double x = (double)map[(ptrdiff_t)row * field->width + column];
            const bool has_ground = !isnan(field->heights[row * field->stride + column]);
            WADI_CHECK(
                context, !has_ground || (x >= value->min && x <= value->max), WADI_ERROR_RANGE,
                "the map of %s is %g at column %d, row %d; expected %g to %g%s%s", value->name, x,
                (int)column, (int)row, value->min, value->max, WADI_UNIT_WORDS(value->unit));
        }
    }
    return WADI_OK;
}

static wadi_stability_params stability_at(const stability_job* job, ptrdiff_t cell)
{
    wadi_stability_params soil = *job->params;
    for (int i = 0; i < STABILITY_VALUES; ++i)
    {
        if (job->maps[i] != NULL)
        {
            const double value = (double)job->maps[i][cell];
            memcpy((char*)&soil + stability_field_list[i].offset, &value, sizeof value);
        }
    }
    return soil;
}

static void stability_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const stability_job* job = user;
    const wadi_field2d* field = job->field;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t column = 0; column < field->width; ++column)
        {
            const ptrdiff_t cell = (ptrdiff_t)row * field->width + column;
            if (isnan(field->heights[row * field->stride + column]))
            {
                job->out[cell] = NAN;
                continue;
            }
            const derive_stencil z = stencil_load(field, column, row);
            const derive_gradient g = stencil_gradient(&z);
            const wadi_stability_params soil = stability_at(job, cell);
            job->out[cell] = (float)wadi_stability_factor(&soil, sqrt(g.x * g.x + g.y * g.y));
        }
    }
}

wadi_result wadi_stability_fill(wadi_context* context, const wadi_field2d* field,
                                const wadi_stability_params* params,
                                const wadi_stability_maps* maps, float* out)
{
    static const wadi_stability_maps none = {0};
    const wadi_stability_maps* given = maps != NULL ? maps : &none;
    stability_job job = {
        field,
        params,
        {given->cohesion, given->friction, given->weight, given->depth, given->wetness},
        out};
    WADI_TRY(wadi_field2d_check(context, field, out));
    WADI_TRY(wadi_fields_check(context, &wadi_stability_fields, params));
    for (int i = 0; i < STABILITY_VALUES; ++i)
    {
        if (job.maps[i] != NULL)
        {
            WADI_TRY(stability_check_map(context, field, &stability_field_list[i], job.maps[i]));
        }
    }
    wadi_parallel_rows(context, field->height, STABILITY_GRAIN, stability_rows, &job);
    return WADI_OK;
}
