// SPDX-License-Identifier: MIT
// Rows of `wadi bench landslide` for the five scenes of the article's table 1, with the same number
// of grains: bodies of soil are released, all grains are awake, and rain falls on the scenes that
// the article wets. The article reports 0.2 to 7 steps per second on one core.
#include "cli/bench/bench.h"

#include <wadi/earth.h>

#include <math.h>
#include <stddef.h>

enum
{
    EARTH_BODIES = 6,
    EARTH_CORNERS = 8,
    EARTH_WARM = 1 // untimed advances
};

static const double EARTH_SECONDS_PER_YEAR = 31557600.0;
#define EARTH_PIECE 0.02 // two water exchanges [s]

// Layers of equal thickness in a box or in a wedge that thins to a quarter towards the west.
typedef struct earth_case
{
    const char* name;
    int32_t grains;
    int32_t layers;
    bool is_wedge;
    bool is_bonded;
    double rain; // [mm/h]
} earth_case;

static const earth_case earth_cases[] = {
    {"scene_sand", 130000, 1, false, false, 0.0},  {"scene_wetness", 20000, 3, false, true, 36.0},
    {"scene_input", 50000, 4, true, true, 20.0},   {"scene_hill", 30000, 3, true, true, 50.0},
    {"scene_layers", 60000, 6, false, true, 18.0},
};

typedef struct earth_shape
{
    double corners[EARTH_BODIES][EARTH_CORNERS][3];
    wadi_body bodies[EARTH_BODIES];
} earth_shape;

static const int32_t earth_faces[][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                         {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                         {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

// A layer 4 m x 2 m wide; the total height in the east is 2 m.
static void earth_shape_layer(const earth_case* what, int32_t layer, earth_shape* shape)
{
    for (int i = 0; i < EARTH_CORNERS; ++i)
    {
        const bool east = i % 2 != 0;
        const double height = what->is_wedge && !east ? 0.5 : 2.0;
        const double level = (double)(layer + (i / 4)) / what->layers;
        shape->corners[layer][i][0] = east ? 6.0 : 2.0;
        shape->corners[layer][i][1] = i / 2 % 2 != 0 ? 4.0 : 2.0;
        shape->corners[layer][i][2] = height * level;
    }
    wadi_body* body = &shape->bodies[layer];
    body->mesh = (wadi_mesh){.positions = (const double(*)[3])shape->corners[layer],
                             .vertex_count = EARTH_CORNERS,
                             .triangles = earth_faces,
                             .triangle_count = sizeof earth_faces / sizeof earth_faces[0]};
    body->params = wadi_body_params_default();
    body->material = wadi_wet_material_default();
    body->material.grain.bond_modulus = 1e6;
    body->material.grain.bond_tension = what->is_bonded ? 2e4 : 0.0;
    body->material.grain.bond_cohesion = what->is_bonded ? 2e4 : 0.0;
    body->material.soil.conductivity = layer % 2 == 0 ? 1e-4 : 1e-6;
}

static wadi_result earth_begin(wadi_terrain* terrain, const earth_case* what, wadi_solver** out)
{
    wadi_earth_params params = wadi_earth_params_default();
    params.most = what->grains + what->layers;
    params.rain = what->rain;
    params.sleep_speed = 0.0;
    params.interval = EARTH_PIECE;
    earth_shape shape;
    for (int32_t l = 0; l < what->layers; ++l)
    {
        earth_shape_layer(what, l, &shape);
    }
    const wadi_bodies bodies = {.bodies = shape.bodies, .count = what->layers};
    wadi_result result = wadi_solver_create(terrain, &wadi_earth_process, &params, 0, out);
    return result == WADI_OK ? wadi_solver_set_bodies(*out, &bodies) : result;
}

static double earth_figure(const wadi_solver* solver, ptrdiff_t index)
{
    wadi_work work[2];
    (void)wadi_solver_work(solver, work, 2);
    return work[index].count;
}

enum
{
    EARTH_STEPS,    // per second
    EARTH_PARTICLE, // particle steps per second
    EARTH_TIME,     // simulated seconds per second
    EARTH_CPU,      // steps per processor second
    EARTH_RATES
};

static wadi_result earth_time(wadi_solver* solver, double rates[EARTH_RATES])
{
    double walls[BENCH_REPETITIONS];
    double cpu = 0.0;
    double begun[2] = {0.0, 0.0};
    wadi_result result = WADI_OK;
    for (int32_t i = -EARTH_WARM; i < BENCH_REPETITIONS && result == WADI_OK; ++i)
    {
        if (i == 0)
        {
            begun[0] = earth_figure(solver, 0);
            begun[1] = earth_figure(solver, 1);
            cpu = bench_cpu_seconds();
        }
        const double start = cli_seconds();
        result = wadi_solver_advance(solver, EARTH_PIECE / EARTH_SECONDS_PER_YEAR);
        walls[i < 0 ? 0 : i] = cli_seconds() - start;
    }
    const double wall = bench_median(walls, BENCH_REPETITIONS);
    const double steps = earth_figure(solver, 0) - begun[0];
    rates[EARTH_STEPS] = steps / BENCH_REPETITIONS / wall;
    rates[EARTH_PARTICLE] = (earth_figure(solver, 1) - begun[1]) / BENCH_REPETITIONS / wall;
    rates[EARTH_TIME] = EARTH_PIECE / wall;
    rates[EARTH_CPU] = steps / (bench_cpu_seconds() - cpu);
    return result;
}

static wadi_result earth_make(wadi_context* context, const earth_case* what, wadi_terrain** terrain,
                              wadi_solver** solver)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = 16;
    def.height = 12;
    def.cell_size = 0.5;
    const wadi_result result = wadi_terrain_create(context, &def, terrain);
    return result == WADI_OK ? earth_begin(*terrain, what, solver) : result;
}

wadi_result bench_earth_wedge(wadi_context* context, wadi_terrain** terrain, wadi_solver** solver)
{
    static const earth_case wedge = {"wedge", 4000, 2, true, true, 50.0};
    return earth_make(context, &wedge, terrain, solver);
}

static cli_status earth_once(const earth_case* what, int32_t threads, double rates[EARTH_RATES])
{
    const cli_run_options run = {.threads = threads, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    wadi_solver* solver = NULL;
    wadi_result result = earth_make(session.context, what, &terrain, &solver);
    result = result == WADI_OK ? earth_time(solver, rates) : result;
    const cli_status status = cli_check(session.context, result);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

cli_status bench_earth(bench_rows* rows)
{
    static const struct
    {
        const char* name;
        const char* unit;
    } metrics[EARTH_RATES] = {{"steps", "1/s"},
                              {"particle_steps", "1/s"},
                              {"simulated_time", "s/s"},
                              {"steps_per_cpu", "1/s"}};
    for (size_t i = 0; i < sizeof earth_cases / sizeof earth_cases[0]; ++i)
    {
        for (int32_t threads = 1; threads <= 2; ++threads)
        {
            double rates[EARTH_RATES] = {0.0};
            CLI_TRY(earth_once(&earth_cases[i], threads, rates));
            for (int k = 0; k < EARTH_RATES; ++k)
            {
                bench_add(rows, (bench_row){earth_cases[i].name, earth_cases[i].grains, threads,
                                            metrics[k].name, metrics[k].unit, rates[k], (double)NAN,
                                            false});
            }
        }
    }
    return CLI_DONE;
}
