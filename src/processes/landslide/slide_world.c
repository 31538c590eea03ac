// SPDX-License-Identifier: MIT
// The world of the grains: materials, ground and walls.
#include "core/dmath.h"
#include "processes/landslide/landslide_internal.h"

#include <math.h>
#include <string.h>

static const double world_water = 1000.0;     // [kg/m3]
static const double world_sleep_speed = 0.01; // over sqrt(g d)

const slide_rub wadi_slide_soil = {0};

// Coulomb friction reduced by pore pressure: effective stress (Terzaghi 1925). With start "soaking"
// the wet grains compute the pore pressure themselves.
static double world_friction(const slide* s, const wadi_material* soil)
{
    const double angle = soil->friction_angle * 0.017453292519943295;
    const double wet = s->soaks ? 0.0 : s->source->wetness;
    const double weight =
        (1.0 - soil->porosity) * soil->density + soil->porosity * wet * world_water;
    const double borne = s->params->pressure * wet * world_water / weight;
    return wadi_sin(angle) / wadi_cos(angle) * (borne < 1.0 ? 1.0 - borne : 0.0);
}

void wadi_slide_world_materials(const slide* s, const slide_rub* rub, wadi_grain_material* out)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const double depth = (double)s->source->deepest / WADI_UNITS_PER_METRE;
    for (int32_t l = 0; l < ground->loose_count; ++l)
    {
        const wadi_material* soil = wadi_terrain_material(s->terrain, ground->material[l]);
        const double weight = slide_gravity * (1.0 - soil->porosity) * soil->density;
        const double high = depth > s->diameter ? depth : s->diameter;
        out[l] = wadi_grain_material_default();
        out[l].density = soil->density;
        out[l].stiffness = weight * high * s->diameter / s->params->overlap;
        out[l].restitution = rub->restitution > 0.0 ? rub->restitution : s->params->restitution;
        out[l].friction = rub->friction > 0.0 ? rub->friction : world_friction(s, soil);
        out[l].rolling_friction = rub->rolls ? 0.0 : s->params->rolling * out[l].friction;
    }

    // the ground has the contact parameters of the most frequent soil
    int64_t best = -1;
    for (int32_t l = 0; l < ground->loose_count; ++l)
    {
        int64_t grains = 0;
        for (int32_t i = 0; i < s->count; ++i)
        {
            grains += s->grains[i].material == l ? 1 : 0;
        }
        if (grains > best)
        {
            best = grains;
            out[ground->loose_count] = out[l];
        }
    }
}

wadi_grains_params wadi_slide_world_params(const slide* s)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    wadi_grains_params params = wadi_grains_params_default();
    params.step = s->params->step;
    if (ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC)
    {
        params.period_x = ground->cell_size * ground->width;
    }
    if (ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC)
    {
        params.period_y = ground->cell_size * ground->height;
    }
    params.sleep_speed = world_sleep_speed * sqrt(slide_gravity * s->diameter);
    params.sleep_time = sqrt(s->diameter / slide_gravity);
    return params;
}

static wadi_result world_close_edges(slide* s)
{
    static const double inward[4][3] = {{0, -1, 0}, {-1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const double east = ground->cell_size * ground->width;
    const double north = ground->cell_size * ground->height;
    for (int side = 0; side < 4; ++side)
    {
        wadi_grain_wall wall = {.point = {side == WADI_SIDE_EAST ? east : 0.0,
                                          side == WADI_SIDE_NORTH ? north : 0.0, 0.0},
                                .material = ground->loose_count};
        memcpy(wall.normal, inward[side], sizeof wall.normal);
        int32_t number;
        if (ground->edges[side] == WADI_EDGE_CLOSED)
        {
            WADI_TRY(wadi_grains_add_wall(s->world, &wall, &number));
        }
    }
    return WADI_OK;
}

wadi_result wadi_slide_world_enclose(slide* s)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const wadi_grain_ground floor = {.heights = s->land.floor,
                                     .width = s->land.width,
                                     .height = s->land.height,
                                     .cell_size = s->land.cell,
                                     .west = -s->land.cell,
                                     .south = -s->land.cell,
                                     .material = ground->loose_count};
    WADI_TRY(wadi_grains_set_ground(s->world, &floor));
    return world_close_edges(s);
}

wadi_result wadi_slide_world_create(slide* s, const slide_rub* rub)
{
    wadi_context* context = wadi_terrain_context(s->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    wadi_grains_params params = wadi_slide_world_params(s);
    params.gravity_z = rub->floats ? 0.0 : -slide_gravity;
    wadi_grain_material materials[WADI_MAX_LOOSE + 1];
    wadi_slide_world_materials(s, rub, materials);
    WADI_TRY(wadi_grains_create(context, &params, materials, ground->loose_count + 1, s->grains,
                                s->count, &s->world));
    return wadi_slide_world_enclose(s);
}
