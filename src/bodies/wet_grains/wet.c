// SPDX-License-Identifier: MIT
// A world of wet grains: creation and reading.
#include "bodies/wet_grains/wet.h"

#include "core/dmath.h"

#include <wadi/grain_flow.h>

static wadi_result wet_check(wadi_context* context, const wadi_wet_grains_params* params,
                             const wadi_wet_material* materials, int32_t material_count)
{
    WADI_TRY(wadi_fields_check(context, &wadi_wet_grains_fields, params));
    WADI_CHECK(context, material_count >= 1 && material_count <= WADI_GRAIN_MAX_MATERIALS,
               WADI_ERROR_ARGUMENT, "there are %d materials; there must be 1 to %d", material_count,
               (int)WADI_GRAIN_MAX_MATERIALS);
    for (int32_t i = 0; i < material_count; ++i)
    {
        const wadi_cohesion* cohesion = &materials[i].cohesion;
        WADI_TRY(wadi_fields_check(context, &wadi_soil_fields, &materials[i].soil));
        WADI_TRY(wadi_fields_check(context, &wadi_cohesion_fields, cohesion));
        WADI_CHECK(context, cohesion->wet_from <= cohesion->wet_until, WADI_ERROR_RANGE,
                   "the cohesion of material %d is reached at a wetness of %g, after it has begun "
                   "to fall at %g: make wet_from smaller or wet_until larger",
                   i, cohesion->wet_from, cohesion->wet_until);
    }
    return WADI_OK;
}

static wadi_result wet_allocate(wadi_wet_grains* world)
{
    wadi_context* context = world->context;
    WADI_ALLOC(context, world->list, world->count, "wet grains");
    WADI_ALLOC(context, world->water, world->count, "wet grains");
    WADI_ALLOC(context, world->linked, world->count, "wet grains");
    WADI_ALLOC(context, world->last, world->count, "wet grains");
    WADI_ALLOC(context, world->way, world->count, "wet grains");
    WADI_ALLOC(context, world->motion, world->count, "wet grains");
    WADI_ALLOC(context, world->carried, world->count, "wet grains");
    WADI_ALLOC(context, world->push, world->count, "wet grains");
    WADI_ALLOC(context, world->mass, world->count, "wet grains");
    WADI_ALLOC(context, world->saturation, world->count, "wet grains");
    WADI_ALLOC(context, world->pressure, world->count, "wet grains");
    WADI_ALLOC(context, world->net, world->count, "wet grains");
    return WADI_OK;
}

static wadi_result wet_make_grains(wadi_wet_grains* world, const wadi_grain* grains)
{
    wadi_grain_material materials[WADI_GRAIN_MAX_MATERIALS];
    for (int32_t i = 0; i < world->material_count; ++i)
    {
        materials[i] = world->materials[i].grain;
    }
    WADI_TRY(wadi_grains_create(world->context, &world->solid, materials, world->material_count,
                                grains, world->count, &world->grains));
    wadi_grains_tie(world->grains);
    wadi_grains_read(world->grains, world->list);
    for (int32_t id = 0; id < world->count; ++id)
    {
        memcpy(world->last[id], world->list[id].position, sizeof world->last[id]);
        memcpy(world->linked[id], world->list[id].position, sizeof world->linked[id]);
    }
    return WADI_OK;
}

// The node of soil that a grain stands for: its saturation follows from the grain's wetness.
static wadi_result wet_make_node(const wadi_wet_grains* world, int32_t id, wadi_seepage_node* node)
{
    const wadi_grain* grain = &world->list[id];
    const wadi_wet_material* material = &world->materials[grain->material];
    const double pores = wadi_wet_pores(world, id);
    const double volume = pores * (1.0 / material->soil.porosity - 1.0);
    const double full = WET_DENSITY * pores / (material->grain.density * volume);
    WADI_CHECK(world->context, grain->wetness <= full * (1.0 + 1e-9), WADI_ERROR_RANGE,
               "grain %d has a wetness of %g, but its pores are full at %g: make it drier, or its "
               "soil more porous",
               id, grain->wetness, full);
    node->room = pores / material->soil.porosity;
    node->saturation = grain->wetness < full ? grain->wetness / full : 1.0;
    node->soil = grain->material;
    memcpy(node->position, grain->position, sizeof node->position);
    return WADI_OK;
}

static wadi_result wet_fill_nodes(const wadi_wet_grains* world, wadi_seepage_node* nodes)
{
    for (int32_t id = 0; id < world->count; ++id)
    {
        WADI_TRY(wet_make_node(world, id, &nodes[id]));
    }
    return WADI_OK;
}

static wadi_result wet_make_water(wadi_wet_grains* world)
{
    wadi_seepage_params params = wadi_seepage_params_default();
    params.step = world->params.water_step;
    params.reach = world->params.reach;
    params.period_x = world->solid.period_x;
    params.period_y = world->solid.period_y;
    params.rain = world->params.rain;
    params.evaporation = world->params.evaporation;
    params.base = world->params.base;
    wadi_soil soils[WADI_SEEPAGE_MAX_SOILS];
    for (int32_t i = 0; i < world->material_count; ++i)
    {
        soils[i] = world->materials[i].soil;
    }
    wadi_seepage_node* nodes;
    WADI_ALLOC(world->context, nodes, world->count, "water in soil");
    wadi_result result = wet_fill_nodes(world, nodes);
    result = result == WADI_OK
                 ? wadi_seepage_create(world->context, &params, soils, world->material_count, nodes,
                                       world->count, &world->seepage)
                 : result;
    wadi_free(world->context, nodes);
    return result;
}

static wadi_result wet_build(wadi_wet_grains* world, const wadi_grain* grains)
{
    WADI_TRY(wet_allocate(world));
    WADI_TRY(wet_make_grains(world, grains));
    WADI_TRY(wet_make_water(world));
    return wadi_wet_apply_water(world, NULL);
}

wadi_result wadi_wet_grains_create(wadi_context* context, const wadi_wet_grains_params* params,
                                   const wadi_grains_params* solid,
                                   const wadi_wet_material* materials, int32_t material_count,
                                   const wadi_grain* grains, int32_t count, wadi_wet_grains** out)
{
    *out = NULL;
    WADI_TRY(wet_check(context, params, materials, material_count));
    WADI_CHECK(context, count >= 1 && grains != NULL, WADI_ERROR_ARGUMENT,
               "there are no grains; give at least one");
    wadi_wet_grains* world;
    WADI_ALLOC(context, world, 1, "wet grains");
    world->context = context;
    world->params = *params;
    world->solid = *solid;
    world->material_count = material_count;
    world->count = count;
    world->woke = (double)NAN;
    world->failed = (double)NAN;
    world->angle_cosine = wadi_cos(solid->bridge_angle * WET_PI / 180.0);
    world->weight = sqrt(solid->gravity_x * solid->gravity_x + solid->gravity_y * solid->gravity_y +
                         solid->gravity_z * solid->gravity_z);
    memcpy(world->materials, materials, (size_t)material_count * sizeof *materials);
    const wadi_result result = wet_build(world, grains);
    if (result != WADI_OK)
    {
        wadi_wet_grains_destroy(world);
        return result;
    }
    *out = world;
    return WADI_OK;
}

void wadi_wet_grains_destroy(wadi_wet_grains* world)
{
    if (world == NULL)
    {
        return;
    }
    wadi_grains_destroy(world->grains);
    wadi_seepage_destroy(world->seepage);
    void* arrays[] = {world->list,    world->water,    world->linked, world->last,
                      world->way,     world->motion,   world->mass,   world->saturation,
                      world->carried, world->pressure, world->net,    world->push};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
    {
        wadi_free(world->context, arrays[i]);
    }
    wadi_free(world->context, world);
}

// ---- reading and weather -----------------------------------------------------------------

wadi_grains* wadi_wet_grains_solid(wadi_wet_grains* world)
{
    return world->grains;
}

const wadi_seepage* wadi_wet_grains_water(const wadi_wet_grains* world)
{
    return world->seepage;
}

wadi_result wadi_wet_grains_set_weather(wadi_wet_grains* world, double rain, double evaporation)
{
    return wadi_seepage_set_weather(world->seepage, rain, evaporation);
}

wadi_result wadi_wet_grains_give(wadi_wet_grains* world, const double* volumes,
                                 const double (*velocities)[3], double* taken)
{
    for (int32_t id = 0; id < world->count; ++id)
    {
        const double* v = velocities[id];
        WADI_CHECK(world->context, isfinite(v[0] + v[1] + v[2]), WADI_ERROR_RANGE,
                   "the velocity of the water for grain %d is no number", id);
    }
    WADI_TRY(wadi_seepage_give(world->seepage, volumes, taken));
    for (int32_t id = 0; id < world->count; ++id)
    {
        for (int c = 0; c < 3; ++c)
        {
            world->carried[id][c] = WET_DENSITY * taken[id] * velocities[id][c];
        }
    }
    return wadi_wet_apply_water(world, (const double(*)[3])world->carried);
}

wadi_wet_grains_summary wadi_wet_grains_summarize(const wadi_wet_grains* world)
{
    return (wadi_wet_grains_summary){
        .time = world->time,
        .slept = world->slept,
        .motion = world->moved,
        .acceleration = world->params.acceleration,
        .wakes = world->wakes,
        .woke = world->woke,
        .farthest = world->farthest,
        .failed = world->failed,
        .grains = wadi_grains_summarize(world->grains),
        .water = wadi_seepage_account(world->seepage),
    };
}
