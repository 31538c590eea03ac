// SPDX-License-Identifier: MIT
#include "golden_grains.h"

#include "core/random.h"

#include <wadi/grains.h>
#include <wadi/landslide.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    GRAINS_SIDE = 9,
    GRAINS_COUNT = GRAINS_SIDE * GRAINS_SIDE * GRAINS_SIDE,
    GRAINS_STEPS = 250,
    SLIDE_SIDE = 24,
    WET_SIDE = 5,
    WET_COUNT = WET_SIDE * WET_SIDE * WET_SIDE
};

static void grains_check(const wadi_context* context, wadi_result result)
{
    if (result != WADI_OK)
    {
        (void)fprintf(stderr, "golden: %s\n", wadi_error_detail(context));
        exit(EXIT_FAILURE);
    }
}

// A lattice of unequal grains, shaken, some of them wet.
static void grains_fill(wadi_grain* grains)
{
    for (uint32_t i = 0; i < GRAINS_COUNT; ++i)
    {
        const wadi_philox p = wadi_random(5, 0, i, 0);
        const uint32_t at[3] = {i % GRAINS_SIDE, i / GRAINS_SIDE % GRAINS_SIDE,
                                i / GRAINS_SIDE / GRAINS_SIDE};
        grains[i] = (wadi_grain){.radius = 0.0085 + 0.003 * (double)wadi_unit_float(p.v[3]),
                                 .wetness = i % 5 == 0 ? 0.22 : 0.0,
                                 .material = (int32_t)(i % 2)};
        for (int c = 0; c < 3; ++c)
        {
            grains[i].position[c] = 0.02 * (0.6 + at[c]);
            grains[i].velocity[c] = 2.0 * (double)wadi_unit_float(p.v[c]) - 1.0;
            grains[i].spin[c] = 10.0 * grains[i].velocity[c];
        }
    }
}

static void grains_run(wadi_context* context, const wadi_grain* list, const char* name, int32_t law)
{
    wadi_grains_params params = wadi_grains_params_default();
    params.law = law;
    params.period_x = 0.2;
    params.period_y = 0.19;
    params.step = 2e-5;
    wadi_grain_material materials[2] = {wadi_grain_material_default(),
                                        wadi_grain_material_default()};
    materials[0].bond_modulus = 2e6;
    materials[1].bond_modulus = 1e6;
    materials[1].friction = 0.3;
    materials[1].stiffness = 7e4;
    const wadi_grain_wall floor_wall = {.normal = {0.1, 0.2, 1.0}};
    wadi_grains* grains;
    int32_t number;
    grains_check(context,
                 wadi_grains_create(context, &params, materials, 2, list, GRAINS_COUNT, &grains));
    grains_check(context, wadi_grains_add_wall(grains, &floor_wall, &number));
    grains_check(context, wadi_grains_bond(grains, 0.2, NULL));
    grains_check(context, wadi_grains_advance(grains, GRAINS_STEPS));
    (void)printf("grains/%s %016" PRIx64 "\n", name, wadi_grains_hash(grains));
    wadi_grains_destroy(grains);
}

void golden_grains(wadi_context* context)
{
    wadi_grain* list = calloc(GRAINS_COUNT, sizeof *list);
    grains_check(context, list != NULL ? WADI_OK : WADI_ERROR_MEMORY);
    grains_fill(list);
    grains_run(context, list, "linear", WADI_GRAIN_LAW_LINEAR);
    grains_run(context, list, "hertz", WADI_GRAIN_LAW_HERTZ);
    free(list);
}

static wadi_wet_material wet_material(void)
{
    wadi_wet_material material = wadi_wet_material_default();
    material.grain.stiffness = 5e3;
    material.grain.bond_modulus = 2e5;
    material.grain.bond_damping = 0.8;
    material.grain.plastic_limit = 0.12;
    material.grain.liquid_limit = 0.2;
    material.soil.conductivity = 1e-4;
    material.cohesion.strength = 500.0;
    return material;
}

static void wet_fill(wadi_grain* list)
{
    const int32_t side = WET_SIDE;
    for (int32_t i = 0; i < WET_COUNT; ++i)
    {
        const double at[3] = {i % side, (double)(i / side % side), (double)(i / side / side)};
        list[i] = (wadi_grain){.radius = 0.0095 + 0.0005 * (i % 3 - 1), .wetness = 0.05};
        for (int c = 0; c < 3; ++c)
        {
            list[i].position[c] = 0.01 + 0.0202 * at[c] + 0.0002 * ((i * (c + 3)) % 5);
        }
    }
}

// Bonded soil on a floor in rain, on both clocks: it rests and soaks, its bonds yield and dissolve
// from the top down, and it flows.
void golden_wet_grains(wadi_context* context)
{
    wadi_grain list[WET_COUNT];
    wet_fill(list);
    wadi_wet_grains_params params = wadi_wet_grains_params_default();
    params.rain = 2e-5;
    params.water_step = 60.0;
    params.acceleration = 1000.0;
    params.surface_tension = 0.072;
    wadi_grains_params solid = wadi_grains_params_default();
    solid.sleep_speed = 0.01;
    solid.sleep_acceleration = 1.0;
    solid.sleep_time = 0.02;
    const wadi_wet_material material = wet_material();
    const wadi_grain_wall floor_wall = {.normal = {0.05, 0.03, 1.0}};
    wadi_wet_grains* world;
    int32_t number;
    bool rests;
    grains_check(context, wadi_wet_grains_create(context, &params, &solid, &material, 1, list,
                                                 WET_COUNT, &world));
    wadi_grains* grains = wadi_wet_grains_solid(world);
    grains_check(context, wadi_grains_add_wall(grains, &floor_wall, &number));
    grains_check(context, wadi_grains_bond(grains, 0.4, NULL));
    grains_check(context, wadi_wet_grains_settle(world, 1.0, &rests));
    grains_check(context, wadi_wet_grains_advance(world, 1200.0));
    (void)printf("grains/wet %016" PRIx64 "\n", wadi_wet_grains_hash(world));
    wadi_wet_grains_destroy(world);
}

// A square of wet soil on a plane that falls to the south-east.
static wadi_terrain* slide_terrain(wadi_context* context)
{
    static float rock[SLIDE_SIDE * SLIDE_SIDE];
    static float soil[SLIDE_SIDE * SLIDE_SIDE];
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = SLIDE_SIDE;
    def.cell_size = 4.0;
    wadi_terrain* terrain;
    grains_check(context, wadi_terrain_create(context, &def, &terrain));
    for (int32_t i = 0; i < SLIDE_SIDE * SLIDE_SIDE; ++i)
    {
        const int32_t x = i % SLIDE_SIDE;
        const int32_t y = i / SLIDE_SIDE;
        rock[i] = 100.0f - 2.5f * (float)x - 1.5f * (float)y;
        soil[i] = x >= 5 && x < 14 && y >= 6 && y < 13 ? 3.0f : 0.5f;
    }
    grains_check(context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SLIDE_SIDE));
    grains_check(context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, soil, SLIDE_SIDE));
    grains_check(context, wadi_terrain_fill_layer(terrain, WADI_LAYER_MOISTURE, 1.0));
    return terrain;
}

void golden_landslide(wadi_context* context)
{
    wadi_terrain* terrain = slide_terrain(context);
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_GRAINS;
    params.cohesion = 3000.0;
    params.min_area = 300.0;
    params.entrainment = 0.002;
    params.most = 200;
    params.longest = 1.5;
    wadi_solver* solver;
    grains_check(context,
                 wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver));
    grains_check(context, wadi_solver_advance(solver, 1e-5));
    grains_check(context, wadi_solver_finish(solver));
    (void)printf("landslide/wet %016" PRIx64 "\n", wadi_terrain_hash(terrain));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}
