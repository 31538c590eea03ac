// SPDX-License-Identifier: MIT
// Wadi inside a plain C program: mountains from noise, water at work on them, heights and ledger.
#include <wadi/wadi.h>

#include <stdio.h>
#include <stdlib.h>

#define SIZE 256
#define TRY(call)                                                                                  \
    if ((call) != WADI_OK)                                                                         \
    return false

static bool print_ground(wadi_terrain* terrain)
{
    wadi_view view;
    TRY(wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view));
    printf("height in the middle: %.2f m\n", (double)view.data[SIZE / 2 * view.stride + SIZE / 2]);
    TRY(wadi_terrain_release(terrain, WADI_LAYER_SURFACE));

    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    for (int32_t i = 0; i < count; ++i)
    {
        printf("%-8s %15.0f m3, residual %g m3\n", rows[i].material, rows[i].after,
               rows[i].residual);
    }
    return true;
}

static bool erode(wadi_context* context, wadi_terrain** terrain, wadi_solver** water)
{
    static float heights[SIZE * SIZE];
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = 30.0; // m
    wadi_noise_params noise = wadi_noise_params_default();
    TRY(wadi_noise_fill(context, &noise, 7, SIZE, SIZE, def.cell_size, heights));
    TRY(wadi_terrain_create(context, &def, terrain));
    TRY(wadi_terrain_set_layer(*terrain, WADI_LAYER_SURFACE, heights, SIZE));
    TRY(wadi_solver_create(*terrain, wadi_process_find(NULL, "hydraulic"), NULL, 0, water));
    TRY(wadi_solver_advance(*water, 20000.0)); // years
    return print_ground(*terrain);
}

int main(void)
{
    wadi_context* context = NULL;
    wadi_terrain* terrain = NULL;
    wadi_solver* water = NULL;
    const bool done =
        wadi_context_create(NULL, &context) == WADI_OK && erode(context, &terrain, &water);
    fputs(done ? "" : wadi_error_detail(context), stderr);
    wadi_solver_destroy(water);
    wadi_terrain_destroy(terrain);
    wadi_context_destroy(context);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
