// SPDX-License-Identifier: MIT
// A glacier in a V-shaped valley, by the process of ice.c: thickness, cross-section and ledger.
#include "ice.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 29
#define HEIGHT 64
#define CELL 250.0 // [m]
#define YEARS 1000.0
#define TRY(call)                                                                                  \
    if ((call) != WADI_OK)                                                                         \
    return false

// A wide basin in the north, and a V-shaped valley from it to the south that falls by 8 %.
static wadi_result make_valley(wadi_context* context, wadi_terrain** terrain)
{
    static float heights[WIDTH * HEIGHT];
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const int32_t row = i / WIDTH;
        const double off = abs(i % WIDTH - WIDTH / 2) * CELL;
        const double side = row < 16 ? fmin(0.12 * off, 300.0) : fmin(0.4 * off, 400.0);
        heights[i] = (float)(2800.0 - 0.08 * CELL * row + side);
    }
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = CELL;
    def.edges[WADI_SIDE_NORTH] = def.edges[WADI_SIDE_EAST] = WADI_EDGE_CLOSED;
    def.edges[WADI_SIDE_WEST] = WADI_EDGE_CLOSED;
    const wadi_result result = wadi_terrain_create(context, &def, terrain);
    return result != WADI_OK ? result
                             : wadi_terrain_set_layer(*terrain, WADI_LAYER_SURFACE, heights, WIDTH);
}

// Heights across the valley and the ice on them, and the exponent b of z = a |x|^b: 1 is a V, 2 a
// U.
static bool print_section(wadi_terrain* terrain, const float* ice, int32_t row)
{
    double sums[5] = {0};
    const double middle = wadi_terrain_units(terrain, WADI_LAYER_BEDROCK, WIDTH / 2, row);
    for (int32_t x = WIDTH / 2 - 6; x <= WIDTH / 2 + 6; ++x)
    {
        const double units = wadi_terrain_units(terrain, WADI_LAYER_BEDROCK, x, row);
        printf(" %.0f+%.0f", units / WADI_UNITS_PER_METRE, (double)ice[row * WIDTH + x]);
        if (x != WIDTH / 2 && units > middle)
        {
            const double u = log(abs(x - WIDTH / 2) * CELL);
            const double z = log((units - middle) / WADI_UNITS_PER_METRE);
            const double terms[5] = {1.0, u, z, u * u, u * z};
            for (int k = 0; k < 5; ++k)
            {
                sums[k] += terms[k];
            }
        }
    }
    printf(" m, exponent %.2f\n",
           (sums[0] * sums[4] - sums[1] * sums[2]) / (sums[0] * sums[3] - sums[1] * sums[1]));
    return true;
}

static bool run(wadi_context* context, wadi_terrain** terrain, wadi_solver** solver)
{
    static float ice[WIDTH * HEIGHT];
    ice_params params;
    wadi_fields_init(ice_process.fields, &params);
    params.line = 2550.0;
    params.snow = 0.5;
    params.washed = 1.0;
    params.shortest_step = 0.05;
    params.abrasion = 1e-2; // 100 times the usual: a year of the run is a century
    TRY(wadi_process_register(context, &ice_process));
    TRY(make_valley(context, terrain));
    print_section(*terrain, ice, HEIGHT / 3);
    TRY(wadi_solver_create(*terrain, wadi_process_find(context, "ice"), &params, 0, solver));
    TRY(wadi_solver_advance(*solver, YEARS));
    TRY(wadi_solver_map(*solver, "thickness", ice));
    TRY(wadi_solver_settle(*solver));
    print_section(*terrain, ice, HEIGHT / 3);
    wadi_figure figures[8];
    const int32_t count = wadi_solver_figures(*solver, figures, 8);
    for (int32_t i = 0; i < count; ++i)
    {
        printf("%s %.4g %s\n", figures[i].name, figures[i].value, figures[i].unit);
    }
    wadi_ledger_row rows[2];
    (void)wadi_terrain_ledger(*terrain, rows, 2);
    for (int32_t i = 0; i < 2; ++i)
    {
        printf("%-8s %15.0f m3, residual %g m3\n", rows[i].material, rows[i].after,
               rows[i].residual);
    }
    return true;
}

int main(void)
{
    wadi_context* context = NULL;
    wadi_terrain* terrain = NULL;
    wadi_solver* solver = NULL;
    const bool done =
        wadi_context_create(NULL, &context) == WADI_OK && run(context, &terrain, &solver);
    fputs(done ? "" : wadi_error_detail(context), stderr);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    wadi_context_destroy(context);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
