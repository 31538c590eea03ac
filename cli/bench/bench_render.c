// SPDX-License-Identifier: MIT
// wadi bench render: a picture and a map of mountains, without files.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>

enum
{
    RENDER_SIZE = 1024 // cells along each side
};

static const double render_cell = 20.0; // [m]

// A case: a view and the size of its picture in pixels.
typedef struct render_case
{
    const char* name;
    int32_t view; // wadi_render_view
    int32_t width;
    int32_t height;
} render_case;

static const render_case render_cases[] = {
    {"perspective", WADI_RENDER_PERSPECTIVE, 1280, 720},
    {"map", WADI_RENDER_MAP, 1024, 1024},
};

static wadi_result render_land(wadi_context* context, int32_t size, wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = size;
    def.cell_size = render_cell;
    wadi_noise_params noise = wadi_noise_params_default();
    noise.relief = 1500.0;
    noise.wavelength = 6000.0;
    float* heights = malloc((size_t)size * (size_t)size * sizeof *heights);
    wadi_result result =
        heights == NULL ? WADI_ERROR_MEMORY : wadi_terrain_create(context, &def, out);
    result = result == WADI_OK
                 ? wadi_noise_fill(context, &noise, 3, size, size, render_cell, heights)
                 : result;
    result = result == WADI_OK ? wadi_terrain_set_layer(*out, WADI_LAYER_BEDROCK, heights, size)
                               : result;
    free(heights);
    return result;
}

// Add the rows of one case: medians of its time and of its processor time.
static wadi_result render_measure(wadi_terrain* terrain, const render_case* c, int32_t threads,
                                  bench_rows* rows)
{
    wadi_render_params params = wadi_render_params_default();
    params.view = c->view;
    params.width = c->width;
    params.height = c->height;
    uint8_t* rgb = malloc((size_t)c->width * (size_t)c->height * 3);
    if (rgb == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    double wall[BENCH_REPETITIONS];
    double cpu[BENCH_REPETITIONS];
    wadi_result result = wadi_render_terrain(terrain, NULL, &params, rgb); // a warm-up
    for (int32_t i = 0; i < BENCH_REPETITIONS && result == WADI_OK; ++i)
    {
        const double start = cli_seconds();
        const double before = bench_cpu_seconds();
        result = wadi_render_terrain(terrain, NULL, &params, rgb);
        cpu[i] = bench_cpu_seconds() - before;
        wall[i] = cli_seconds() - start;
    }
    free(rgb);
    if (result == WADI_OK)
    {
        bench_row row = {.name = c->name,
                         .size = wadi_terrain_width(terrain),
                         .threads = threads,
                         .metric = "picture",
                         .unit = "ms",
                         .value = 1e3 * bench_median(wall, BENCH_REPETITIONS),
                         .reference = (double)NAN,
                         .less = true};
        bench_add(rows, row);
        row.metric = "picture_cpu";
        row.value = 1e3 * bench_median(cpu, BENCH_REPETITIONS);
        bench_add(rows, row);
    }
    return result;
}

static cli_status render_threads(int32_t size, int32_t threads, bench_rows* rows)
{
    const cli_run_options run = {.threads = threads, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    wadi_result result = render_land(session.context, size, &terrain);
    for (size_t i = 0; i < sizeof render_cases / sizeof render_cases[0] && result == WADI_OK; ++i)
    {
        result = render_measure(terrain, &render_cases[i], threads, rows);
    }
    const cli_status status = cli_check(session.context, result);
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

cli_status bench_render_at(int32_t size, bench_rows* rows)
{
    CLI_TRY(render_threads(size, 1, rows));
    return render_threads(size, 2, rows);
}

cli_status bench_render(bool full, bench_rows* rows)
{
    return bench_render_at(full ? 4 * RENDER_SIZE : RENDER_SIZE, rows);
}
