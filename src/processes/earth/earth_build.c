// SPDX-License-Identifier: MIT
// Build the world of grains from bodies: grains, materials, ground, walls, settling, bonds.
#include "processes/earth/earth_water.h"

#include <math.h>

static const double EARTH_WATER = 1000.0; // density [kg/m3]

// Working data while a world is built.
typedef struct earth_site
{
    wadi_earth_state* state;
    wadi_context* context;
    const wadi_bodies* bodies;
    wadi_filling* filling; // NULL if grains were given
    const wadi_grain* from;
    wadi_grain* grains;
    double low[3]; // box around all grains [m]
    double high[3];
} earth_site;

// ---- grains ------------------------------------------------------------------------------

static wadi_result earth_fill(earth_site* site)
{
    const wadi_earth_params* params = &site->state->params;
    const wadi_bodies* bodies = site->bodies;
    wadi_filling_params filling = wadi_filling_params_default();
    filling.diameter = params->diameter;
    filling.most = params->most;
    filling.packing = params->packing;
    filling.spread = params->spread;
    wadi_mesh meshes[WADI_GRAIN_MAX_MATERIALS];
    for (int32_t i = 0; i < bodies->count; ++i)
    {
        meshes[i] = bodies->bodies[i].mesh;
    }
    const uint64_t seed = wadi_terrain_seed(site->state->terrain) ^ site->state->stream;
    WADI_TRY(
        wadi_filling_create(site->context, &filling, seed, meshes, bodies->count, &site->filling));
    site->from = wadi_filling_grains(site->filling, &site->state->count);
    return WADI_OK;
}

static wadi_result earth_take_grains(earth_site* site)
{
    const wadi_bodies* bodies = site->bodies;
    WADI_CHECK(site->context, bodies->grain_count >= 1, WADI_ERROR_ARGUMENT,
               "there are no grains; give at least one");
    for (int32_t i = 0; i < bodies->grain_count; ++i)
    {
        const int32_t body = bodies->grains[i].material;
        WADI_CHECK(site->context, body >= 0 && body < bodies->count, WADI_ERROR_RANGE,
                   "grain %d lies in layer %d; there are %d", i + 1, body + 1, bodies->count);
    }
    site->from = bodies->grains;
    site->state->count = bodies->grain_count;
    return WADI_OK;
}

// Mass of water over mass of grains at full saturation.
static double earth_full(const wadi_wet_material* material)
{
    const double pores = material->soil.porosity / (1.0 - material->soil.porosity);
    return EARTH_WATER * pores / material->grain.density;
}

double wadi_earth_period(const wadi_terrain* terrain, int axis)
{
    const wadi_side side = axis == 0 ? WADI_SIDE_EAST : WADI_SIDE_NORTH;
    const int32_t cells = axis == 0 ? wadi_terrain_width(terrain) : wadi_terrain_height(terrain);
    return wadi_terrain_edge(terrain, side) == WADI_EDGE_PERIODIC
               ? cells * wadi_terrain_cell_size(terrain)
               : 0.0;
}

void wadi_earth_wrap(const wadi_terrain* terrain, double position[3])
{
    for (int axis = 0; axis < 2; ++axis)
    {
        const double period = wadi_earth_period(terrain, axis);
        double* x = &position[axis];
        if (period > 0.0)
        {
            *x -= period * floor(*x / period);
            *x = *x < period ? *x : 0.0; // a tiny negative number rounds to the period
        }
    }
}

// Copy the grains. Grains of meshes get the saturation of their body; given grains have their own.
static wadi_result earth_copy_grains(earth_site* site)
{
    const int32_t count = site->state->count;
    WADI_ALLOC(site->context, site->grains, count, "grains");
    for (int32_t i = 0; i < count; ++i)
    {
        wadi_grain* grain = &site->grains[i];
        *grain = site->from[i];
        const wadi_body* body = &site->bodies->bodies[grain->material];
        grain->fixed = body->params.fixed;
        wadi_earth_wrap(site->state->terrain, grain->position); // a mesh may reach beyond
        if (site->filling != NULL)
        {
            grain->wetness = body->params.saturation * earth_full(&body->material);
        }
        for (int a = 0; a < 3; ++a)
        {
            const double x = grain->position[a];
            site->low[a] =
                i == 0 || x - grain->radius < site->low[a] ? x - grain->radius : site->low[a];
            site->high[a] =
                i == 0 || x + grain->radius > site->high[a] ? x + grain->radius : site->high[a];
        }
    }
    return WADI_OK;
}

// ---- the world ---------------------------------------------------------------------------

static void earth_list_materials(earth_site* site)
{
    wadi_earth_state* state = site->state;
    const wadi_bodies* bodies = site->bodies;
    state->body_count = bodies->count;
    for (int32_t i = 0; i < bodies->count; ++i)
    {
        state->materials[i] = bodies->bodies[i].material;
    }
    state->materials[bodies->count] = state->materials[0];
}

static void earth_copy_surface(const wadi_view* view, float* out)
{
    float lowest = 0.0f;
    bool found = false;
    for (int32_t y = 0; y < view->height; ++y)
    {
        for (int32_t x = 0; x < view->width; ++x)
        {
            const float z = view->data[y * view->stride + x];
            lowest = z == z && (!found || z < lowest) ? z : lowest;
            found = found || z == z;
            out[(ptrdiff_t)y * view->width + x] = z;
        }
    }
    for (int64_t i = 0; i < (int64_t)view->width * view->height; ++i)
    {
        out[i] = out[i] == out[i] ? out[i] : lowest;
    }
}

wadi_result wadi_earth_keep_ground(wadi_earth_state* state)
{
    wadi_terrain* terrain = state->terrain;
    const int64_t cells = (int64_t)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
    if (state->ground == NULL)
    {
        WADI_ALLOC(wadi_terrain_context(terrain), state->ground, cells, "ground");
    }
    wadi_view view;
    WADI_TRY(wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view));
    earth_copy_surface(&view, state->ground);
    return wadi_terrain_release(terrain, WADI_LAYER_SURFACE);
}

static wadi_result earth_lay_ground(const wadi_earth_state* state)
{
    const wadi_grain_ground ground = {.heights = state->ground,
                                      .width = wadi_terrain_width(state->terrain),
                                      .height = wadi_terrain_height(state->terrain),
                                      .cell_size = wadi_terrain_cell_size(state->terrain),
                                      .material = state->body_count};
    return wadi_grains_set_ground(wadi_wet_grains_solid(state->world), &ground);
}

// ---- walls -------------------------------------------------------------------------------

// A wall across an axis at `at`; `side` -1: soil is above it, 1: below.
static wadi_result earth_add_wall(const wadi_earth_state* state, int axis, double at, double side,
                                  int32_t* out)
{
    wadi_grain_wall wall = {.material = state->body_count};
    wall.point[axis] = at;
    wall.normal[axis] = -side;
    return wadi_grains_add_wall(wadi_wet_grains_solid(state->world), &wall, out);
}

// Add walls at closed edges of the terrain.
static wadi_result earth_close_edges(const wadi_earth_state* state)
{
    const wadi_terrain* terrain = state->terrain;
    const double cell = wadi_terrain_cell_size(terrain);
    const double width = cell * wadi_terrain_width(terrain);
    const double height = cell * wadi_terrain_height(terrain);
    const struct
    {
        wadi_side edge;
        int axis;
        double at;
        double side;
    } edges[] = {{WADI_SIDE_WEST, 0, 0.0, -1.0},
                 {WADI_SIDE_EAST, 0, width, 1.0},
                 {WADI_SIDE_SOUTH, 1, 0.0, -1.0},
                 {WADI_SIDE_NORTH, 1, height, 1.0}};
    for (int i = 0; i < 4; ++i)
    {
        int32_t wall;
        if (wadi_terrain_edge(terrain, edges[i].edge) == WADI_EDGE_CLOSED)
        {
            WADI_TRY(earth_add_wall(state, edges[i].axis, edges[i].at, edges[i].side, &wall));
        }
    }
    return WADI_OK;
}

wadi_result wadi_earth_create_world(wadi_earth_state* state, const wadi_grain* grains)
{
    const wadi_earth_params* params = &state->params;
    wadi_wet_grains_params wet = wadi_wet_grains_params_default();
    wet.base = params->base;
    wet.water_step = params->water_step;
    wet.exchange = params->exchange;
    wet.acceleration = params->acceleration;
    wadi_grains_params solid = wadi_grains_params_default();
    solid.step = params->step;
    solid.sleep_speed = params->sleep_speed;
    solid.period_x = wadi_earth_period(state->terrain, 0);
    solid.period_y = wadi_earth_period(state->terrain, 1);
    state->materials[state->body_count].grain.friction = params->friction;
    WADI_TRY(wadi_wet_grains_create(wadi_terrain_context(state->terrain), &wet, &solid,
                                    state->materials, state->body_count + 1, grains, state->count,
                                    &state->world));
    WADI_TRY(earth_lay_ground(state));
    return earth_close_edges(state);
}

// Add walls around all soil, except across periodic sides. *count: number of walls.
static wadi_result earth_enclose(const earth_site* site, int32_t walls[4], int32_t* count)
{
    *count = 0;
    for (int axis = 0; axis < 2; ++axis)
    {
        if (wadi_earth_period(site->state->terrain, axis) == 0.0)
        {
            WADI_TRY(earth_add_wall(site->state, axis, site->low[axis], -1.0, &walls[*count]));
            WADI_TRY(earth_add_wall(site->state, axis, site->high[axis], 1.0, &walls[*count + 1]));
            *count += 2;
        }
    }
    return WADI_OK;
}

static wadi_result earth_bond(const earth_site* site, int64_t* bonds)
{
    wadi_grains* solid = wadi_wet_grains_solid(site->state->world);
    if (site->bodies->grains != NULL && site->bodies->strengths != NULL)
    {
        WADI_TRY(wadi_grains_set_strength(solid, site->bodies->strengths));
    }
    return wadi_grains_bond(solid, site->state->params.bond_reach, bonds);
}

// Settle between walls, bond, and settle again. New bonds carry no load; the load that shifts to
// them moves the soil.
static wadi_result earth_settle(const earth_site* site)
{
    wadi_wet_grains* world = site->state->world;
    const double longest = site->state->params.settle;
    int32_t walls[4];
    int32_t count;
    int64_t bonds;
    bool rests;
    WADI_TRY(earth_enclose(site, walls, &count));
    WADI_TRY(wadi_wet_grains_settle(world, longest, &rests));
    WADI_TRY(earth_bond(site, &bonds));
    if (bonds > 0)
    {
        WADI_TRY(wadi_wet_grains_settle(world, longest, &rests));
    }
    for (int32_t i = 0; i < count; ++i)
    {
        WADI_TRY(wadi_grains_remove_wall(wadi_wet_grains_solid(world), walls[i]));
    }
    return WADI_OK;
}

// ---- all of it ---------------------------------------------------------------------------

static wadi_result earth_build_world(earth_site* site)
{
    wadi_earth_state* state = site->state;
    WADI_TRY(site->bodies->grains != NULL ? earth_take_grains(site) : earth_fill(site));
    WADI_TRY(earth_copy_grains(site));
    earth_list_materials(site);
    WADI_TRY(wadi_earth_create_world(state, site->grains));
    return state->params.settle > 0.0 ? earth_settle(site) : earth_bond(site, NULL);
}

wadi_result wadi_earth_build(wadi_earth_state* state, const wadi_bodies* bodies)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    WADI_CHECK(context, state->world == NULL && state->water == NULL, WADI_ERROR_STATE,
               "bodies are there already; create another solver for others");
    WADI_CHECK(context, bodies->count < WADI_GRAIN_MAX_MATERIALS, WADI_ERROR_RANGE,
               "%d bodies of soil: with the ground there may be %d", bodies->count,
               WADI_GRAIN_MAX_MATERIALS);
    earth_site site = {.state = state, .context = context, .bodies = bodies};
    wadi_result result = wadi_earth_keep_ground(state);
    result = result == WADI_OK && bodies->count > 0 ? earth_build_world(&site) : result;
    result = result == WADI_OK && bodies->water != NULL
                 ? wadi_earth_water_create(state, bodies->water)
                 : result;
    wadi_free(context, site.grains);
    wadi_filling_destroy(site.filling);
    if (result != WADI_OK)
    {
        wadi_wet_grains_destroy(state->world);
        state->world = NULL;
        state->count = 0;
    }
    return result;
}
