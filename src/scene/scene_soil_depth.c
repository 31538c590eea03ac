// SPDX-License-Identifier: MIT
// The source "soil": the depth of soil that the land would carry.
#include "scene/scene_soil_depth.h"

#include "core/dmath.h"
#include "core/field_rows.h"
#include "laws/slopes/storm.h"

#include <string.h>

typedef struct soil_source
{
    uint32_t cookie;
    double production;
    double cover_depth;
    double creep;
    double critical_slope;
    double age;
    double most;
    double friction;
    double soil_cohesion;
    double roots;
    double conductivity;
    double safety;
    int32_t storms;
    double rain;
    double duration;
} soil_source;

#define SOIL_NUMBER(...) FIELD_NUMBER(soil_source, __VA_ARGS__)
#define SOIL_WHOLE(...) FIELD_WHOLE(soil_source, __VA_ARGS__)

// clang-format off
static const wadi_field soil_source_list[] = {
    SOIL_NUMBER(production, 0.2, 0.0, 10.0, "mm/yr", "Soil that bare rock produces.", "0.01-0.3: Heimsath et al. 1997"),
    SOIL_NUMBER(cover_depth, 0.5, 0.01, 10.0, "m", "Depth of soil that reduces production to 1/e.", "0.4-0.5: Heimsath et al. 1997"),
    SOIL_NUMBER(creep, 0.005, 0.0, 1.0, "m2/yr", "Diffusivity of creep on gentle slopes.", "0.001-0.01: Roering et al. 1999"),
    SOIL_NUMBER(critical_slope, 1.25, 0.1, 10.0, "1", "Tangent of the slope at which creep grows without bound.", "1.25: Roering et al. 1999"),
    SOIL_NUMBER(age, 10000.0, 1.0, 1e6, "yr", "Time in which the soil has formed.", "since the last glaciation"),
    SOIL_NUMBER(most, 3.0, 0.1, 20.0, "m", "Greatest depth.", ""),
    SOIL_NUMBER(friction, 35.0, 5.0, 60.0, "degree", "Mean angle of friction.", "loam 25-33, sand 30-38: Selby 1993"),
    SOIL_NUMBER(soil_cohesion, 1000.0, 0.0, 1e6, "Pa", "Mean cohesion of the soil without roots.", ""),
    SOIL_NUMBER(roots, 10000.0, 0.0, 1e6, "Pa", "Mean cohesion of roots at the surface.", "forests 7e3-2.5e4, cut over 2e3-7e3: Schmidt et al. 2001"),
    SOIL_NUMBER(conductivity, 1e-4, 1e-9, 1.0, "m/s", "Mean hydraulic conductivity of saturated soil.", ""),
    SOIL_NUMBER(safety, 1.2, 1.0, 10.0, "1", "Least factor of safety with the water table at 0.3 of the depth.", "fitted"),
    SOIL_WHOLE(storms, 6, 0, 1000, "Storms that the soil has met; what failed in them has grown again since.", "the share that fails settles after four"),
    SOIL_NUMBER(rain, 5.0, 0.0, 1000.0, "mm/h", "Rain of these storms.", ""),
    SOIL_NUMBER(duration, 24.0, 0.1, 1000.0, "h", "Duration of these storms.", ""),
};
// clang-format on
const wadi_field_table wadi_scene_soil_fields = FIELD_TABLE("soil", soil_source_list, soil_source);

static double soil_tangent(double degrees)
{
    const double angle = degrees * 0.017453292519943295;
    return wadi_sin(angle) / wadi_cos(angle);
}

static storm_law soil_strength(const soil_source* params)
{
    storm_law law = wadi_storm_law_default();
    law.friction = soil_tangent(params->friction);
    law.cohesion = params->soil_cohesion;
    law.roots = params->roots;
    law.conductivity = params->conductivity;
    return law;
}

static soil_law soil_growth(const soil_source* params)
{
    soil_law law = wadi_soil_law_default();
    law.production = params->production * 1e-3;
    law.cover = params->cover_depth;
    law.creep = params->creep;
    law.critical = params->critical_slope;
    law.age = params->age;
    law.most = params->most;
    law.safety = params->safety;
    law.storms = params->storms;
    return law;
}

static wadi_result soil_grow(const scene_fill* fill, const wadi_field2d* field, float* out)
{
    const soil_source* params = fill->source->params;
    const storm_law strength = soil_strength(params);
    const soil_law growth = soil_growth(params);
    const double seconds = params->duration * 3600.0;
    const storm_rain rain = {params->rain / 3.6e6, seconds, seconds, 0};
    storm_land* land;
    WADI_TRY(wadi_storm_create(fill->context, field, wadi_terrain_seed(fill->terrain), &strength,
                               &land));
    const wadi_result result = wadi_soil_grow(land, &growth, &rain);
    const int32_t* soil = wadi_storm_soil(land);
    const int64_t cells = (int64_t)field->width * field->height;
    for (int64_t i = 0; i < cells && result == WADI_OK; ++i)
    {
        out[i] = (float)soil[i] / WADI_UNITS_PER_METRE;
    }
    wadi_storm_destroy(land);
    return result;
}

wadi_result wadi_scene_fill_soil(const scene_fill* fill, float* out)
{
    wadi_view surface;
    WADI_TRY(wadi_terrain_borrow(fill->terrain, WADI_LAYER_SURFACE, &surface));
    const double cell = wadi_terrain_cell_size(fill->terrain);
    wadi_field2d field = {.heights = surface.data,
                          .width = surface.width,
                          .height = surface.height,
                          .stride = surface.stride,
                          .dx = cell,
                          .dy = cell};
    for (int side = 0; side < WADI_COUNT(field.edges); ++side)
    {
        field.edges[side] = wadi_terrain_edge(fill->terrain, (wadi_side)side);
    }
    const wadi_result result = soil_grow(fill, &field, out);
    const wadi_result released = wadi_terrain_release(fill->terrain, WADI_LAYER_SURFACE);
    return result != WADI_OK ? result : released;
}
