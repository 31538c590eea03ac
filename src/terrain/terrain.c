// SPDX-License-Identifier: MIT
#include "terrain/terrain.h"

#include <wadi/process.h>

#include <float.h>
#include <stdio.h>
#include <string.h>

wadi_terrain_def wadi_terrain_def_default(void)
{
    wadi_terrain_def def = {0};
    def.cookie = wadi_cookie(sizeof def);
    def.width = 512;
    def.height = 512;
    def.cell_size = 30.0;
    def.loose_count = 1;
    return def;
}

wadi_result wadi_terrain_check_edges(wadi_context* context, const wadi_edge edges[4])
{
    for (int side = 0; side < 4; ++side)
    {
        const int edge = (int)edges[side];
        WADI_CHECK(context, edge >= 0 && edge < WADI_EDGE_COUNT, WADI_ERROR_RANGE,
                   "edge %d is %d but must be open, closed or periodic", side, edge);
    }
    const bool unmatched = (edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC) !=
                               (edges[WADI_SIDE_SOUTH] == WADI_EDGE_PERIODIC) ||
                           (edges[WADI_SIDE_EAST] == WADI_EDGE_PERIODIC) !=
                               (edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC);
    WADI_CHECK(context, !unmatched, WADI_ERROR_ARGUMENT,
               "a periodic edge needs its opposite edge to be periodic too");
    return WADI_OK;
}

static wadi_result terrain_check_def(wadi_context* context, const wadi_terrain_def* def)
{
    WADI_CHECK(context, def->cookie == wadi_cookie(sizeof *def), WADI_ERROR_PARAMS,
               "the terrain definition was not initialised by wadi_terrain_def_default()");
    WADI_CHECK(context,
               def->width >= 1 && def->width <= 65536 && def->height >= 1 && def->height <= 65536,
               WADI_ERROR_RANGE, "grid of %d x %d cells: each side must lie in [1, 65536]",
               def->width, def->height);
    WADI_CHECK(context, def->cell_size >= 1e-3 && def->cell_size <= 1e6, WADI_ERROR_RANGE,
               "cell size is %g m but must lie in [0.001, 1e6] m", def->cell_size);
    WADI_CHECK(context, def->loose_count >= 1 && def->loose_count <= WADI_MAX_LOOSE,
               WADI_ERROR_RANGE, "%d loose layers; expected 1 to %d", def->loose_count,
               WADI_MAX_LOOSE);
    const wadi_partition* part = wadi_partition_of(context);
    WADI_CHECK(context, part == NULL || (def->width == part->width && def->height == part->height),
               WADI_ERROR_ARGUMENT,
               "a terrain of %d x %d cells in a window of a grid of %d x %d: give the size of the "
               "whole grid",
               def->width, def->height, part->width, part->height);
    return wadi_terrain_check_edges(context, def->edges);
}

// Handbook values (Selby 1993, "Hillslope Materials and Processes"; Freeze & Cherry 1979).
static void terrain_init_materials(wadi_terrain* terrain)
{
    static const wadi_material rows[] = {
        {"rock", 2650.0, 0.05, 0.0, 40.0, 1e6, 1e-8, 1.0},
        {"sediment", 2650.0, 0.40, 0.0, 33.0, 0.0, 1e-4, 5e-4},
        {"water", 1000.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1e-9},
    };
    memcpy(terrain->materials, rows, sizeof rows);
    terrain->material_count = (int32_t)(sizeof rows / sizeof rows[0]);
}

static void terrain_init_loose(wadi_terrain* terrain)
{
    for (int32_t i = 0; i < terrain->ground.loose_count; ++i)
    {
        terrain->ground.material[i] = WADI_MATERIAL_SEDIMENT;
        if (i == 0)
        {
            (void)snprintf(terrain->loose_names[i], WADI_NAME_LENGTH, "sediment");
        }
        else
        {
            (void)snprintf(terrain->loose_names[i], WADI_NAME_LENGTH, "loose%d", (int)i);
        }
    }
}

static wadi_result terrain_allocate(wadi_terrain* terrain)
{
    wadi_context* context = terrain->context;
    wadi_ground* ground = &terrain->ground;
    const int64_t n = ground->cells;
    WADI_ALLOC(context, ground->bedrock, n, "bedrock");
    WADI_ALLOC(context, ground->water, n, "water");
    WADI_ALLOC(context, ground->hardness, n, "hardness");
    WADI_ALLOC(context, ground->vegetation, n, "vegetation");
    WADI_ALLOC(context, ground->moisture, n, "moisture");
    WADI_ALLOC(context, ground->valid, n, "the mask");
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        WADI_ALLOC(context, ground->loose[i], n, "loose layers");
    }
    return WADI_OK;
}

// The sides at which a part that is alone ends within the grid are open. Edges that are periodic do
// not wrap around a part.
static void terrain_open_sides(wadi_ground* ground, const wadi_partition* part)
{
    const bool cut_x = part->owned_width < part->width;
    const bool cut_y = part->owned_height < part->height;
    const bool inside[4] = {[WADI_SIDE_NORTH] = part->y > 0,
                            [WADI_SIDE_EAST] = part->x + part->owned_width < part->width,
                            [WADI_SIDE_SOUTH] =
                                part->y +
                                part->owned_height<part->height, [WADI_SIDE_WEST] = part->x> 0};
    for (int side = 0; side < 4; ++side)
    {
        const bool along_x = side == WADI_SIDE_EAST || side == WADI_SIDE_WEST;
        const bool wraps = ground->edges[side] == WADI_EDGE_PERIODIC;
        const bool ends = (along_x ? cut_x : cut_y) && (wraps || inside[side]);
        ground->edges[side] = ends ? WADI_EDGE_OPEN : ground->edges[side];
    }
}

// The ground of a window has its halo; beyond it lies a wall.
static void terrain_init_window(wadi_ground* ground, const wadi_partition* part)
{
    ground->part = part;
    memcpy(ground->whole_edges, ground->edges, sizeof ground->whole_edges);
    ground->width = wadi_partition_local_width(part);
    ground->height = wadi_partition_local_height(part);
    for (int side = 0; side < 4; ++side)
    {
        ground->edges[side] = part->halo[side] > 0 ? WADI_EDGE_CLOSED : ground->edges[side];
    }
    if (wadi_partition_is_alone(part))
    {
        terrain_open_sides(ground, part);
    }
}

static void terrain_init_ground(wadi_terrain* terrain, const wadi_terrain_def* def)
{
    wadi_ground* ground = &terrain->ground;
    const wadi_partition* part = wadi_partition_of(terrain->context);
    ground->width = def->width;
    ground->height = def->height;
    ground->cell_size = def->cell_size;
    memcpy(ground->edges, def->edges, sizeof ground->edges);
    if (part != NULL)
    {
        terrain_init_window(ground, part);
    }
    ground->cells = (int64_t)ground->width * ground->height;
    ground->loose_count = def->loose_count;
    ground->rock_softness = 1.0;
    ground->all_valid = true;
}

wadi_result wadi_terrain_create(wadi_context* context, const wadi_terrain_def* def,
                                wadi_terrain** out)
{
    *out = NULL;
    WADI_TRY(terrain_check_def(context, def));
    wadi_terrain* terrain;
    WADI_ALLOC(context, terrain, 1, "a terrain");
    terrain->context = context;
    terrain->seed = def->seed;
    terrain_init_ground(terrain, def);
    terrain_init_materials(terrain);
    terrain_init_loose(terrain);
    const wadi_result result = terrain_allocate(terrain);
    if (result != WADI_OK)
    {
        wadi_terrain_destroy(terrain);
        return result;
    }
    memset(terrain->ground.valid, 1, (size_t)terrain->ground.cells);
    *out = terrain;
    return WADI_OK;
}

void wadi_terrain_destroy(wadi_terrain* terrain)
{
    if (terrain == NULL)
    {
        return;
    }
    wadi_context* context = terrain->context;
    wadi_ground* ground = &terrain->ground;
    for (int i = 0; i < TERRAIN_LAYER_SLOTS; ++i)
    {
        wadi_free(context, terrain->views[i]);
    }
    for (int i = 0; i < WADI_MAX_LOOSE; ++i)
    {
        wadi_free(context, ground->loose[i]);
    }
    wadi_free(context, ground->bedrock);
    wadi_free(context, ground->water);
    wadi_free(context, ground->hardness);
    wadi_free(context, ground->vegetation);
    wadi_free(context, ground->moisture);
    wadi_free(context, ground->valid);
    wadi_void_sides_free(terrain);
    wadi_strata_destroy(terrain);
    wadi_sea_free(context, &terrain->sea);
    wadi_rivers_free(context, &terrain->rivers);
    wadi_free(context, terrain->wkt);
    wadi_free(context, terrain);
}

static void terrain_copy_layers(const wadi_ground* from, wadi_ground* to)
{
    const size_t n = (size_t)from->cells;
    memcpy(to->bedrock, from->bedrock, n * sizeof *to->bedrock);
    memcpy(to->water, from->water, n * sizeof *to->water);
    memcpy(to->hardness, from->hardness, n * sizeof *to->hardness);
    memcpy(to->vegetation, from->vegetation, n * sizeof *to->vegetation);
    memcpy(to->moisture, from->moisture, n * sizeof *to->moisture);
    memcpy(to->valid, from->valid, n * sizeof *to->valid);
    for (int32_t i = 0; i < from->loose_count; ++i)
    {
        memcpy(to->loose[i], from->loose[i], n * sizeof *to->loose[i]);
        to->material[i] = from->material[i];
    }
    to->rock_softness = from->rock_softness;
    to->all_valid = from->all_valid;
}

static void terrain_copy_books(const wadi_terrain* from, wadi_terrain* to)
{
    memcpy(to->loose_names, from->loose_names, sizeof to->loose_names);
    memcpy(to->materials, from->materials, sizeof to->materials);
    memcpy(to->edited, from->edited, sizeof to->edited);
    memcpy(to->accounts, from->accounts, sizeof to->accounts);
    to->material_count = from->material_count;
    to->account_count = from->account_count;
    to->clock = from->clock;
}

wadi_terrain_def wadi_terrain_definition(const wadi_terrain* terrain)
{
    const wadi_ground* ground = &terrain->ground;
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = wadi_ground_whole_width(ground);
    def.height = wadi_ground_whole_height(ground);
    def.cell_size = ground->cell_size;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = wadi_ground_whole_edge(ground, (wadi_side)side);
    }
    def.loose_count = ground->loose_count;
    def.seed = terrain->seed;
    return def;
}

wadi_result wadi_terrain_clone(const wadi_terrain* terrain, wadi_terrain** out)
{
    *out = NULL;
    const wadi_ground* ground = &terrain->ground;
    const wadi_terrain_def def = wadi_terrain_definition(terrain);
    wadi_terrain* copy = NULL;
    WADI_TRY(wadi_terrain_create(terrain->context, &def, &copy));
    terrain_copy_layers(ground, &copy->ground);
    terrain_copy_books(terrain, copy);
    const wadi_georef georef = wadi_terrain_georef(terrain);
    wadi_result result = wadi_terrain_set_georef(copy, &georef);
    result = result == WADI_OK ? wadi_void_sides_copy(ground, copy) : result;
    result = result == WADI_OK ? wadi_strata_copy(ground, copy) : result;
    result = result == WADI_OK ? wadi_sea_copy(terrain, copy) : result;
    result = result == WADI_OK ? wadi_rivers_copy(terrain, copy) : result;
    if (result != WADI_OK)
    {
        wadi_terrain_destroy(copy);
        return result;
    }
    *out = copy;
    return WADI_OK;
}

wadi_context* wadi_terrain_context(const wadi_terrain* terrain)
{
    return terrain->context;
}

int32_t wadi_terrain_width(const wadi_terrain* terrain)
{
    return terrain->ground.width;
}

int32_t wadi_terrain_height(const wadi_terrain* terrain)
{
    return terrain->ground.height;
}

double wadi_terrain_cell_size(const wadi_terrain* terrain)
{
    return terrain->ground.cell_size;
}

wadi_edge wadi_terrain_edge(const wadi_terrain* terrain, wadi_side side)
{
    return (int)side < 4 ? wadi_ground_whole_edge(&terrain->ground, side) : WADI_EDGE_OPEN;
}

int32_t wadi_terrain_loose_count(const wadi_terrain* terrain)
{
    return terrain->ground.loose_count;
}

uint64_t wadi_terrain_seed(const wadi_terrain* terrain)
{
    return terrain->seed;
}

double wadi_terrain_clock(const wadi_terrain* terrain)
{
    return wadi_clock_years(&terrain->clock);
}

wadi_clock wadi_terrain_time(const wadi_terrain* terrain)
{
    return terrain->clock;
}

wadi_result wadi_terrain_advance_clock(wadi_terrain* terrain, double years)
{
    WADI_CHECK(terrain->context, years >= 0.0 && years <= 1e9, WADI_ERROR_RANGE,
               "cannot advance the clock by %g yr; expected 0 to 1e9 yr", years);
    WADI_CHECK(terrain->context, wadi_terrain_clock(terrain) + years < 2.85e8, WADI_ERROR_RANGE,
               "the clock cannot pass 285 million years");
    wadi_clock_add(&terrain->clock, years);
    return WADI_OK;
}

int32_t wadi_terrain_material_count(const wadi_terrain* terrain)
{
    return terrain->material_count;
}

const wadi_material* wadi_terrain_material(const wadi_terrain* terrain, int32_t index)
{
    return index >= 0 && index < terrain->material_count ? &terrain->materials[index] : NULL;
}

bool wadi_material_is_sound(const wadi_material* m)
{
    return memchr(m->name, '\0', sizeof m->name) != NULL && m->name[0] != '\0' &&
           m->density > 0.0 && m->density <= 30000.0 && m->porosity >= 0.0 && m->porosity < 1.0 &&
           m->hardness >= 0.0 && m->hardness <= 1.0 && m->friction_angle > 0.0 &&
           m->friction_angle < 90.0 && m->cohesion >= 0.0 && m->cohesion <= DBL_MAX &&
           m->conductivity >= 0.0 && m->conductivity <= DBL_MAX && m->grain_diameter > 0.0 &&
           m->grain_diameter <= DBL_MAX;
}

wadi_result wadi_terrain_set_material(wadi_terrain* terrain, int32_t index,
                                      const wadi_material* material)
{
    wadi_context* context = terrain->context;
    WADI_TRY(wadi_terrain_check_writable(terrain));
    WADI_CHECK(context,
               index >= 0 && index <= terrain->material_count && index < WADI_MAX_MATERIALS,
               WADI_ERROR_RANGE, "cannot set material %d: rows 0 to %d exist, of at most %d", index,
               terrain->material_count - 1, WADI_MAX_MATERIALS);
    WADI_CHECK(context, wadi_material_is_sound(material), WADI_ERROR_RANGE,
               "material %d has a value out of range; terrain.h lists the ranges", index);
    terrain->materials[index] = *material;
    terrain->material_count += index == terrain->material_count ? 1 : 0;
    terrain->ground.rock_softness = 1.0 - terrain->materials[WADI_MATERIAL_ROCK].hardness;
    return WADI_OK;
}

wadi_result wadi_terrain_set_georef(wadi_terrain* terrain, const wadi_georef* georef)
{
    wadi_context* context = terrain->context;
    char* wkt = NULL;
    if (georef->valid && georef->wkt != NULL)
    {
        WADI_ALLOC(context, wkt, strlen(georef->wkt) + 1, "the coordinate system");
        memcpy(wkt, georef->wkt, strlen(georef->wkt) + 1);
    }
    wadi_free(context, terrain->wkt);
    terrain->wkt = wkt;
    terrain->georef = *georef;
    terrain->georef.wkt = NULL;
    return WADI_OK;
}

wadi_georef wadi_terrain_georef(const wadi_terrain* terrain)
{
    wadi_georef georef = terrain->georef;
    georef.wkt = terrain->wkt != NULL ? terrain->wkt : "";
    return georef;
}

wadi_ground* wadi_terrain_ground(wadi_terrain* terrain)
{
    return &terrain->ground;
}

const wadi_ground* wadi_terrain_ground_const(const wadi_terrain* terrain)
{
    return &terrain->ground;
}

void wadi_terrain_changed(wadi_terrain* terrain)
{
    if (terrain->ground.strata != NULL)
    {
        wadi_strata_update_hardness(&terrain->ground, 0, terrain->ground.cells);
    }
    memset(terrain->view_is_fresh, 0, sizeof terrain->view_is_fresh);
    terrain->changes += 1;
}

int64_t wadi_terrain_changes(const wadi_terrain* terrain)
{
    return terrain->changes;
}

wadi_result wadi_terrain_check_released(wadi_terrain* terrain)
{
    for (int i = 0; i < TERRAIN_LAYER_SLOTS; ++i)
    {
        WADI_CHECK(terrain->context, terrain->borrows[i] == 0, WADI_ERROR_BORROWED,
                   "layer '%s' is borrowed %d times; release it before the terrain changes",
                   wadi_terrain_layer_name(terrain, i), terrain->borrows[i]);
    }
    return WADI_OK;
}

wadi_result wadi_terrain_check_writable(wadi_terrain* terrain)
{
    WADI_CHECK(terrain->context, terrain->reserved == NULL, WADI_ERROR_STATE,
               "the terrain cannot change while %s advances on it; hooks may read it, and edits "
               "belong between two calls",
               terrain->reserved);
    return wadi_terrain_check_released(terrain);
}

const char* wadi_terrain_reserve(wadi_terrain* terrain, const char* process)
{
    const char* before = terrain->reserved;
    terrain->reserved = process;
    return before;
}

bool wadi_terrain_is_valid(const wadi_terrain* terrain, int32_t x, int32_t y)
{
    const wadi_ground* ground = &terrain->ground;
    return x >= 0 && y >= 0 && x < ground->width && y < ground->height &&
           ground->valid[(int64_t)y * ground->width + x] != 0;
}

int64_t wadi_terrain_valid_count(const wadi_terrain* terrain)
{
    int64_t count = wadi_ground_owned_valid(&terrain->ground);
    (void)wadi_partition_sum(terrain->ground.part, &count, 1);
    return count;
}
