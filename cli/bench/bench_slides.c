// SPDX-License-Identifier: MIT
// wadi bench slides: a depth-averaged flow on all cells of a map, and a storm that looks for
// failing ground.
#include "cli/bench/bench.h"

#include <wadi/landslide.h>
#include <wadi/model.h>
#include <wadi/synthesis.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SLIDES_FLOW = 512, // cells of a side
    SLIDES_STORM = 1024
};

static const double slides_year = 31557600.0; // [s]

// A benchmark case.
typedef struct slides_case
{
    int32_t size;
    double cell;   // [m]
    double relief; // [m]
    double soil;   // [m]
    double hours;  // of the process
    int32_t threads;
} slides_case;

typedef struct slides_result
{
    double cpu; // [s]
    double cell_steps;
    double failed; // slides
} slides_result;

// A range of hills under soil of one depth.
static wadi_result slides_terrain(wadi_context* context, const slides_case* what,
                                  wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = what->size;
    def.cell_size = what->cell;
    wadi_noise_params noise = wadi_noise_params_default();
    noise.relief = what->relief;
    noise.wavelength = 2000.0;
    noise.octaves = 5;
    wadi_result result = wadi_terrain_create(context, &def, out);
    float* heights = malloc(sizeof *heights * (size_t)what->size * (size_t)what->size);
    result = result == WADI_OK && heights == NULL ? WADI_ERROR_MEMORY : result;
    if (result == WADI_OK)
    {
        result = wadi_noise_fill(context, &noise, 5, what->size, what->size, what->cell, heights);
    }
    if (result == WADI_OK)
    {
        result = wadi_terrain_set_layer(*out, WADI_LAYER_SURFACE, heights, what->size);
    }
    free(heights);
    return result == WADI_OK ? wadi_terrain_fill_layer(*out, WADI_LAYER_SEDIMENT, what->soil)
                             : result;
}

static wadi_result slides_time(wadi_terrain* terrain, const wadi_landslide_params* params,
                               double hours, slides_result* out)
{
    wadi_solver* solver = NULL;
    wadi_result result = wadi_solver_create(terrain, &wadi_landslide_process, params, 0, &solver);
    if (result == WADI_OK)
    {
        const double start = bench_cpu_seconds();
        result = wadi_solver_advance(solver, hours * 3600.0 / slides_year);
        out->cpu = bench_cpu_seconds() - start;
        out->cell_steps = bench_work(solver, "cell_steps");
        wadi_figure rows[WADI_MODEL_MAX_ROWS];
        const int32_t count = wadi_solver_figures(solver, rows, WADI_MODEL_MAX_ROWS);
        for (int32_t i = 0; i < count; ++i)
        {
            out->failed = strcmp(rows[i].name, "failing_areas") == 0 ? rows[i].value : out->failed;
        }
    }
    wadi_solver_destroy(solver);
    return result;
}

// The median of repetitions, each on land of its own.
static cli_status slides_repeat(const slides_case* what, const wadi_landslide_params* params,
                                slides_result* out)
{
    double cpu[BENCH_REPETITIONS];
    for (int32_t i = 0; i < BENCH_REPETITIONS; ++i)
    {
        const cli_run_options run = {.threads = what->threads, .progress = CLI_PROGRESS_NONE};
        cli_session session;
        CLI_TRY(cli_session_open(&run, &session));
        wadi_terrain* terrain = NULL;
        wadi_result result = slides_terrain(session.context, what, &terrain);
        if (result == WADI_OK)
        {
            result = slides_time(terrain, params, what->hours, out);
        }
        const cli_status status = cli_check(session.context, result);
        wadi_terrain_destroy(terrain);
        cli_session_close(&session);
        CLI_TRY(status);
        cpu[i] = out->cpu;
    }
    out->cpu = bench_median(cpu, BENCH_REPETITIONS);
    return CLI_DONE;
}

// A metre of soil that slides everywhere, on soil that it takes up.
static cli_status slides_flow(int32_t threads, bench_rows* rows)
{
    const slides_case what = {SLIDES_FLOW, 10.0, 600.0, 2.0, 20.0 / 3600.0, threads};
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_RUNNER;
    params.start = WADI_LANDSLIDE_REGION;
    params.depth = 1.0;
    params.longest = 20.0;
    params.interval = what.hours * 3600.0 / slides_year;
    slides_result result = {0};
    CLI_TRY(slides_repeat(&what, &params, &result));
    bench_add(rows, (bench_row){"flow", what.size, threads, "cpu_per_cell_step", "ns",
                                1e9 * result.cpu / result.cell_steps, (double)NAN, true});
    return CLI_DONE;
}

// A day of rain in which some ground fails; what fails stays where it is.
static cli_status slides_storm(int32_t threads, bench_rows* rows)
{
    const slides_case what = {SLIDES_STORM, 5.0, 600.0, 0.7, 24.0, threads};
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_RUNNER;
    params.start = WADI_LANDSLIDE_STORM;
    params.rain = 5.0;
    params.longest = 0.1;
    params.interval = what.hours * 3600.0 / slides_year;
    slides_result result = {0};
    CLI_TRY(slides_repeat(&what, &params, &result));
    bench_add(rows,
              (bench_row){"storm", what.size, threads, "cpu", "s", result.cpu, (double)NAN, true});
    bench_add(rows, (bench_row){"storm", what.size, threads, "slides", "1", result.failed,
                                (double)NAN, false});
    return CLI_DONE;
}

cli_status bench_slides(bool full, bench_rows* rows)
{
    (void)full;
    for (int32_t threads = 1; threads <= 2; ++threads)
    {
        CLI_TRY(slides_flow(threads, rows));
        CLI_TRY(slides_storm(threads, rows));
    }
    return CLI_DONE;
}
