// SPDX-License-Identifier: MIT
// Maps of slope, curvature and shading, from a cell and its eight neighbours.
#include "core/dmath.h"
#include "maps/derive/derive_internal.h"
#include "terrain/stencil.h"

enum
{
    DERIVE_GRAIN = 16 // rows of a block
};

static const double derive_degree = 57.29577951308232; // of one radian

// Unit vector towards the sun, and the vertical exaggeration.
typedef struct derive_light
{
    double x;
    double y;
    double z;
    double exaggeration;
} derive_light;

typedef double derive_cell_fn(const derive_stencil* z, const derive_light* light);

typedef struct derive_job
{
    wadi_field2d field;
    derive_cell_fn* cell;
    derive_light light;
    float* out;
} derive_job;

static double derive_slope(const derive_stencil* z, const derive_light* light)
{
    (void)light;
    const derive_gradient g = stencil_gradient(z);
    return derive_degree * wadi_atan2(sqrt(g.x * g.x + g.y * g.y), 1.0);
}

static double derive_aspect(const derive_stencil* z, const derive_light* light)
{
    (void)light;
    const derive_gradient g = stencil_gradient(z);
    if (g.x == 0.0 && g.y == 0.0)
    {
        return (double)NAN;
    }
    const double degree = derive_degree * wadi_atan2(-g.x, -g.y);

    // rounding to float must not turn 359.99999 into 360
    return degree < 0.0 ? fmin(degree + 360.0, 359.99997) : degree;
}

// Second derivatives of the quadric through the nine cells, and the gradient at its centre.
typedef struct derive_quadric
{
    double xx, xy, yy;
    double x, y;
} derive_quadric;

static derive_quadric derive_fit(const derive_stencil* z)
{
    return (derive_quadric){
        .xx = (z->w + z->e - 2.0 * z->c) / (z->dx * z->dx),
        .xy = (z->ne + z->sw - z->nw - z->se) / (4.0 * z->dx * z->dy),
        .yy = (z->n + z->s - 2.0 * z->c) / (z->dy * z->dy),
        .x = (z->e - z->w) / (2.0 * z->dx),
        .y = (z->n - z->s) / (2.0 * z->dy),
    };
}

static double derive_curvature(const derive_stencil* z, const derive_light* light)
{
    (void)light;
    const derive_quadric q = derive_fit(z);
    return q.xx + q.yy;
}

// Profile and plan curvature are the second derivatives along and across the slope; their sum is
// the Laplacian, and both are positive on concave ground. (Zevenbergen & Thorne 1987 use the other
// sign for the profile.) On level ground, without a slope direction, they are 0.
static double derive_profile(const derive_stencil* z, const derive_light* light)
{
    (void)light;
    const derive_quadric q = derive_fit(z);
    const double g2 = q.x * q.x + q.y * q.y;
    const double along = q.xx * q.x * q.x + 2.0 * q.xy * q.x * q.y + q.yy * q.y * q.y;
    return g2 > 0.0 ? along / g2 : 0.0;
}

static double derive_plan(const derive_stencil* z, const derive_light* light)
{
    (void)light;
    const derive_quadric q = derive_fit(z);
    const double g2 = q.x * q.x + q.y * q.y;
    const double across = q.xx * q.y * q.y - 2.0 * q.xy * q.x * q.y + q.yy * q.x * q.x;
    return g2 > 0.0 ? across / g2 : 0.0;
}

static double derive_hillshade(const derive_stencil* z, const derive_light* light)
{
    const derive_gradient g = stencil_gradient(z);
    const double x = -g.x * light->exaggeration;
    const double y = -g.y * light->exaggeration;
    const double lambert = x * light->x + y * light->y + light->z;
    return fmax(0.0, lambert / sqrt(1.0 + x * x + y * y));
}

static const struct
{
    const char* name;
    const char* unit;
    const char* doc;
    derive_cell_fn* cell; // NULL: needs flow directions
} derive_maps[WADI_DERIVED_COUNT] = {
    {"slope", "degree", "steepest slope (Horn 1981)", derive_slope},
    {"aspect", "degree", "direction of the descent, clockwise from north", derive_aspect},
    {"curvature", "1/m", "Laplacian of the height, positive on concave ground", derive_curvature},
    {"profile_curvature", "1/m", "second derivative along the slope, positive on concave ground",
     derive_profile},
    {"plan_curvature", "1/m", "second derivative across the slope, positive on concave ground",
     derive_plan},
    {"hillshade", "1", "share of sunlight on matt ground, without cast shadows", derive_hillshade},
    {"filled", "m", "ground with its depressions filled to the level at which water flows out",
     NULL},
    {"depression", "m", "depth of the depressions: filled level minus ground", NULL},
    {"d8_direction", "degree", "steepest of eight neighbours, clockwise from north", NULL},
    {"d8_area", "m2", "land that drains through the cell, all by the steepest neighbour", NULL},
    {"dinf_direction", "degree", "steepest of eight facets, clockwise from north", NULL},
    {"dinf_area", "m2", "land that drains through the cell, split between two neighbours", NULL},
    {"edge_fed", "1", "1 where d8_area may lack land beyond the grid", NULL},
};

static bool derive_is_map(wadi_derived map)
{
    return (int32_t)map >= 0 && map < WADI_DERIVED_COUNT;
}

const char* wadi_derived_name(wadi_derived map)
{
    return derive_is_map(map) ? derive_maps[map].name : NULL;
}

const char* wadi_derived_unit(wadi_derived map)
{
    return derive_is_map(map) ? derive_maps[map].unit : NULL;
}

const char* wadi_derived_doc(wadi_derived map)
{
    return derive_is_map(map) ? derive_maps[map].doc : NULL;
}

bool wadi_derived_is_local(wadi_derived map)
{
    return derive_is_map(map) && derive_maps[map].cell != NULL;
}

wadi_sun wadi_sun_default(void)
{
    return (wadi_sun){.azimuth = 315.0, .altitude = 45.0, .exaggeration = 1.0};
}

static derive_light derive_light_of(const wadi_sun* sun)
{
    const double azimuth = sun->azimuth / derive_degree;
    const double altitude = sun->altitude / derive_degree;
    return (derive_light){wadi_sin(azimuth) * wadi_cos(altitude),
                          wadi_cos(azimuth) * wadi_cos(altitude), wadi_sin(altitude),
                          sun->exaggeration};
}

static wadi_result derive_check_sun(wadi_context* context, const wadi_sun* sun)
{
    WADI_CHECK(context, fabs(sun->azimuth) <= 360.0, WADI_ERROR_RANGE,
               "sun azimuth is %g degree but must lie in [-360, 360]", sun->azimuth);
    WADI_CHECK(context, sun->altitude >= 0.0 && sun->altitude <= 90.0, WADI_ERROR_RANGE,
               "sun altitude is %g degree but must lie in [0, 90]", sun->altitude);
    WADI_CHECK(context, sun->exaggeration > 0.0 && sun->exaggeration <= 1e6, WADI_ERROR_RANGE,
               "exaggeration is %g but must lie in (0, 1e6]", sun->exaggeration);
    return WADI_OK;
}

static void derive_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const derive_job* job = user;
    for (int32_t row = begin; row < end; ++row)
    {
        const float* heights = job->field.heights + row * job->field.stride;
        float* out = job->out + (ptrdiff_t)row * job->field.width;
        for (int32_t column = 0; column < job->field.width; ++column)
        {
            if (isnan(heights[column]))
            {
                out[column] = NAN;
                continue;
            }
            const derive_stencil z = stencil_load(&job->field, column, row);
            out[column] = (float)job->cell(&z, &job->light);
        }
    }
}

wadi_result wadi_derive(wadi_context* context, const wadi_field2d* field, wadi_derived map,
                        const wadi_sun* sun, float* out)
{
    const wadi_sun daylight = sun != NULL ? *sun : wadi_sun_default();
    WADI_CHECK(context, derive_is_map(map), WADI_ERROR_UNKNOWN,
               "unknown derived map %d; expected 0 to %d", (int)map, (int)WADI_DERIVED_COUNT - 1);
    WADI_TRY(wadi_field2d_check(context, field, out));
    WADI_TRY(derive_check_sun(context, &daylight));
    if (derive_maps[map].cell == NULL)
    {
        return wadi_derive_flow(context, field, map, out);
    }
    derive_job job = {*field, derive_maps[map].cell, derive_light_of(&daylight), out};
    wadi_parallel_rows(context, field->height, DERIVE_GRAIN, derive_rows, &job);
    return WADI_OK;
}

static void derive_normal_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const derive_job* job = user;
    const wadi_field2d* field = &job->field;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t column = 0; column < field->width; ++column)
        {
            float* n = job->out + 3 * ((ptrdiff_t)row * field->width + column);
            if (isnan(field->heights[row * field->stride + column]))
            {
                n[0] = n[1] = n[2] = NAN;
                continue;
            }
            const derive_stencil z = stencil_load(field, column, row);
            const derive_gradient g = stencil_gradient(&z);
            const double length = sqrt(1.0 + g.x * g.x + g.y * g.y);
            n[0] = (float)(-g.x / length);
            n[1] = (float)(-g.y / length);
            n[2] = (float)(1.0 / length);
        }
    }
}

wadi_result wadi_derive_normals(wadi_context* context, const wadi_field2d* field, float* out)
{
    WADI_TRY(wadi_field2d_check(context, field, out));
    derive_job job = {.field = *field, .out = out};
    wadi_parallel_rows(context, field->height, DERIVE_GRAIN, derive_normal_rows, &job);
    return WADI_OK;
}
