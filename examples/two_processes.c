// SPDX-License-Identifier: MIT
// Two processes on one terrain: weathering feeds scree to running water, tick by tick.
#include <wadi/wadi.h>

#include <stdio.h>
#include <stdlib.h>

#define SIZE 128
#define TICK 2000.0 // [yr] after which each process sees what the other has done
#define TICKS 5
#define TRY(call)                                                                                  \
    if ((call) != WADI_OK)                                                                         \
    return false

enum
{
    WATER,
    TALUS,
    COUNT
};
static const char* const names[COUNT] = {"hydraulic", "talus"};

static bool make_mountains(wadi_context* context, wadi_terrain** terrain)
{
    static float heights[SIZE * SIZE];
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = 30.0; // [m]
    wadi_noise_params noise = wadi_noise_params_default();
    TRY(wadi_noise_fill(context, &noise, 7, SIZE, SIZE, def.cell_size, heights));
    TRY(wadi_terrain_create(context, &def, terrain));
    TRY(wadi_terrain_set_layer(*terrain, WADI_LAYER_SURFACE, heights, SIZE));
    return true;
}

static bool run(wadi_terrain* terrain, wadi_solver** solvers)
{
    for (int i = 0; i < COUNT; ++i)
    {
        // the defaults of the process; whole steps shall fit into a tick
        TRY(wadi_solver_create(terrain, wadi_process_find(NULL, names[i]), NULL, 0, &solvers[i]));
        TRY(wadi_solver_fit(solvers[i], TICK));
    }
    for (int tick = 0; tick < TICKS; ++tick)
    {
        for (int i = 0; i < COUNT; ++i)
        {
            TRY(wadi_solver_advance(solvers[i], TICK));
        }
        TRY(wadi_terrain_advance_clock(terrain, TICK));
    }
    for (int i = 0; i < COUNT; ++i)
    {
        TRY(wadi_solver_settle(solvers[i])); // lay down what is still carried
    }
    return true;
}

// What each process has moved, and the residual of all.
static bool print_ledger(const wadi_terrain* terrain)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    for (int i = 0; i < COUNT; ++i)
    {
        (void)wadi_terrain_ledger_of(terrain, names[i], rows, WADI_MAX_MATERIALS);
        printf("%-9s wears %11.0f m3 of rock\n", names[i], rows[WADI_MATERIAL_ROCK].eroded);
    }
    const int32_t count = wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    int64_t residual = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        residual |= rows[i].residual_units;
    }
    printf("after %g years the residual is %lld units\n", wadi_terrain_clock(terrain),
           (long long)residual);
    return residual == 0;
}

int main(void)
{
    wadi_context* context = NULL;
    wadi_terrain* terrain = NULL;
    wadi_solver* solvers[COUNT] = {NULL};
    const bool done = wadi_context_create(NULL, &context) == WADI_OK &&
                      make_mountains(context, &terrain) && run(terrain, solvers) &&
                      print_ledger(terrain);
    fputs(done ? "" : wadi_error_detail(context), stderr);
    for (int i = 0; i < COUNT; ++i)
    {
        wadi_solver_destroy(solvers[i]);
    }
    wadi_terrain_destroy(terrain);
    wadi_context_destroy(context);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
