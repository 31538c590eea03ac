// SPDX-License-Identifier: MIT
// wadi water: simulate particles of water in a basin or on ground, and write frames.
#include "cli/command.h"
#include "cli/fields.h"
#include "cli/help.h"
#include "cli/land.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/trace.h"

#include "io/series.h"
#include "io/units.h"

#include <wadi/sph.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct water_options
{
    const char* output;
    cli_list fills;
    const char* basin;
    const char* rain;
    const char* drag;
    const char* duration;
    const char* every;
    cli_heights heights;
    cli_list settings;
    uint64_t seed;
    cli_run_options run;
} water_options;

static const cli_option water_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(water_options, output),
     .value = "FILE",
     .doc = "The frames. dam.pvd is an index for ParaView, with the frames dam-0000.vtp and so "
            "on. dam.ply and dam.png are frames without an index.",
     .required = true},
    {.name = "fill",
     .kind = CLI_LIST,
     .offset = offsetof(water_options, fills),
     .value = "X,Y,Z,X,Y,Z",
     .doc = "Fill a box, given by its lowest and highest corner in metres, with water at rest. "
            "May be repeated.",
     .required = true},
    CLI_OPTION("basin", CLI_TEXT, water_options, basin, "X,Y",
               "Walls around 0 to X and 0 to Y metres. Without ground there is also a floor at z = "
               "0."),
    CLI_OPTION(
        "rain", CLI_TEXT, water_options, rain, "X,Y,X,Y,Z,RATE",
        "Rain on the rectangle between two corners, from height Z, at RATE; metres and m/s."),
    CLI_OPTION("drag", CLI_TEXT, water_options, drag, "SHARE",
               "Friction of the floor or ground: 0 free slip, 1 no slip. Default: 0.4, for which "
               "fronts advance as in experiments."),
    CLI_OPTION("for", CLI_TEXT, water_options, duration, "TIME", "Simulated time. Default: 1 s."),
    CLI_OPTION("every", CLI_TEXT, water_options, every, "TIME",
               "Time between frames. Default: 0.05 s."),
    CLI_HEIGHTS_OPTIONS(water_options),
    CLI_OPTION("set", CLI_LIST, water_options, settings, "NAME=VALUE",
               "Set a parameter of the water; see the list below. By default spacing gives about "
               "4000 particles, and sound_speed is 20 sqrt(9.81 x height of the water)."),
    CLI_OPTION("seed", CLI_SEED, water_options, seed, "N",
               "Seed of the places where drops of rain fall. Default: 0."),
    CLI_THREADS_OPTION(water_options),
};

static void water_help(void)
{
    (void)printf("\nPARAMETERS (--set NAME=VALUE)\n");
    cli_help_fields(&wadi_sph_fields);
}

enum
{
    WATER_MOST_NUMBERS = 6,
    WATER_PARTICLES = 4000 // target of the fills unless spacing is set
};

typedef struct water_job
{
    const water_options* options;
    cli_session session;
    cli_land* land;
    wadi_sph_params params;
    wadi_sph* sph;
    double fills[CLI_LIST_CAPACITY][WATER_MOST_NUMBERS];
    double basin[2];
    double drag;
    double duration;
    double every;
    wadi_grain* grains; // frames are written with the grain functions
    int32_t capacity;
} water_job;

static void water_close(water_job* job)
{
    free(job->grains);
    wadi_sph_destroy(job->sph);
    cli_land_close(job->land);
    cli_session_close(&job->session);
}

// ---- reading ------------------------------------------------------------------------------------

// Parse `count` numbers, such as "0,0,0,1,1,2".
static cli_status water_numbers(const char* option, const char* text, int32_t count, double* out)
{
    const char* at = text;
    for (int32_t i = 0; i < count; ++i)
    {
        const char* end;
        out[i] = wadi_number_parse(at, &end);
        const bool last = i == count - 1;
        if (end == at || !isfinite(out[i]) || *end != (last ? '\0' : ','))
        {
            return cli_fail(CLI_USAGE, "%s takes %d numbers with commas between them, not '%s'",
                            option, count, text);
        }
        at = end + 1;
    }
    return CLI_DONE;
}

static cli_status water_read_basin(water_job* job)
{
    if (job->options->basin == NULL)
    {
        return CLI_DONE;
    }
    CLI_TRY(water_numbers("--basin", job->options->basin, 2, job->basin));
    return job->basin[0] > 0.0 && job->basin[1] > 0.0
               ? CLI_DONE
               : cli_fail(CLI_USAGE, "--basin '%s': give its width and depth, both above 0",
                          job->options->basin);
}

// Parse a box within the basin: lower corner, upper corner.
static cli_status water_read_fill(const water_job* job, const char* text, double* out)
{
    CLI_TRY(water_numbers("--fill", text, 6, out));
    for (int a = 0; a < 3; ++a)
    {
        const bool walled = a < 2 && job->options->basin != NULL;
        if (out[a] >= out[a + 3])
        {
            return cli_fail(
                CLI_USAGE, "--fill '%s' is not a box: expected its lowest corner, then its highest",
                text);
        }
        if (walled && (out[a] < 0.0 || out[a + 3] > job->basin[a]))
        {
            return cli_fail(CLI_USAGE,
                            "--fill '%s' extends beyond the basin, 0 to %g and 0 to %g m", text,
                            job->basin[0], job->basin[1]);
        }
    }
    return CLI_DONE;
}

static cli_status water_read_fills(water_job* job)
{
    const cli_list* fills = &job->options->fills;
    double low = (double)INFINITY;
    double high = -(double)INFINITY;
    double volume = 0.0;
    for (int32_t i = 0; i < fills->count; ++i)
    {
        const double* v = job->fills[i];
        CLI_TRY(water_read_fill(job, fills->items[i], job->fills[i]));
        volume += (v[3] - v[0]) * (v[4] - v[1]) * (v[5] - v[2]);
        low = fmin(low, job->fills[i][2]);
        high = fmax(high, job->fills[i][5]);
    }
    job->params = wadi_sph_params_default();
    // the shortest side of the first fill is a whole number of particles
    const double* v = job->fills[0];
    const double side = fmin(fmin(v[3] - v[0], v[4] - v[1]), v[5] - v[2]);
    job->params.spacing = side / fmax(1.0, round(side / cbrt(volume / WATER_PARTICLES)));
    job->params.sound_speed = wadi_sph_sound_speed(high - low);
    return CLI_DONE;
}

static cli_status water_read(water_job* job)
{
    const water_options* options = job->options;
    wadi_context* context = job->session.context;
    CLI_TRY(water_read_basin(job));
    CLI_TRY(water_read_fills(job));
    CLI_TRY(cli_fields_set(context, &wadi_sph_fields, &options->settings, &job->params));
    if (job->params.step == 0.0)
    {
        // a quarter below the library's default step: splashes reach 2/3 of the speed of sound
        const double h = job->params.smoothing * job->params.spacing;
        job->params.step = 0.15 * h / job->params.sound_speed;
    }
    job->drag = 0.4;
    job->duration = 1.0;
    job->every = 0.05;
    if (options->drag != NULL)
    {
        CLI_TRY(cli_quantity(context, "--drag", options->drag, "1", 0.0, 1.0, &job->drag));
    }
    if (options->duration != NULL)
    {
        CLI_TRY(cli_quantity(context, "--for", options->duration, "s", 0.0, 1e6, &job->duration));
    }
    if (options->every != NULL)
    {
        CLI_TRY(cli_quantity(context, "--every", options->every, "s", 1e-6, 1e6, &job->every));
    }
    CLI_TRY(cli_check_usage(context, wadi_io_series_check(context, options->output)));
    return cli_output_check(options->output);
}

// ---- the world ----------------------------------------------------------------------------------

static cli_status water_add_wall(water_job* job, wadi_sph_wall wall)
{
    int32_t number;
    return cli_check(job->session.context, wadi_sph_add_wall(job->sph, &wall, &number));
}

static cli_status water_add_basin(water_job* job)
{
    const double* size = job->basin;
    CLI_TRY(water_add_wall(job, (wadi_sph_wall){.normal = {1.0, 0.0, 0.0}}));
    CLI_TRY(water_add_wall(job, (wadi_sph_wall){.normal = {0.0, 1.0, 0.0}}));
    CLI_TRY(water_add_wall(
        job, (wadi_sph_wall){.point = {size[0], 0.0, 0.0}, .normal = {-1.0, 0.0, 0.0}}));
    return water_add_wall(
        job, (wadi_sph_wall){.point = {0.0, size[1], 0.0}, .normal = {0.0, -1.0, 0.0}});
}

// Use a file as ground; water is removed where it leaves the terrain.
static cli_status water_lay_ground(water_job* job, const char* path)
{
    wadi_context* context = job->session.context;
    CLI_TRY(cli_land_open(context, path, &job->options->heights, 0, &job->land));
    const wadi_terrain* terrain = cli_land_terrain(job->land);
    const wadi_sph_ground ground = {
        .heights = cli_land_surface(job->land),
        .width = wadi_terrain_width(terrain),
        .height = wadi_terrain_height(terrain),
        .cell_size = wadi_terrain_cell_size(terrain),
        .drag = job->drag,
    };
    CLI_TRY(cli_check(context, wadi_sph_set_ground(job->sph, &ground)));
    const double low[3] = {0.0, 0.0, -1e6};
    const double high[3] = {ground.cell_size * ground.width, ground.cell_size * ground.height, 1e6};
    return cli_check(context, wadi_sph_set_bounds(job->sph, low, high));
}

static cli_status water_add_rain(water_job* job)
{
    double v[6] = {0.0};
    CLI_TRY(water_numbers("--rain", job->options->rain, 6, v));
    const wadi_sph_rain rain = {.low = {v[0], v[1]},
                                .high = {v[2], v[3]},
                                .height = v[4],
                                .rate = v[5],
                                .seed = job->options->seed};
    return cli_check(job->session.context, wadi_sph_set_rain(job->sph, &rain));
}

static cli_status water_make(water_job* job, const cli_list* operands)
{
    wadi_context* context = job->session.context;
    CLI_TRY(cli_check(context, wadi_sph_create(context, &job->params, &job->sph)));
    CLI_TRY(operands->count > 0 ? water_lay_ground(job, operands->items[0])
                                : water_add_wall(job, (wadi_sph_wall){.normal = {0.0, 0.0, 1.0},
                                                                      .drag = job->drag}));
    CLI_TRY(job->options->basin != NULL ? water_add_basin(job) : CLI_DONE);
    CLI_TRY(job->options->rain != NULL ? water_add_rain(job) : CLI_DONE);
    for (int32_t i = 0; i < job->options->fills.count; ++i)
    {
        CLI_TRY(
            cli_check(context, wadi_sph_fill(job->sph, job->fills[i], job->fills[i] + 3, NULL)));
    }
    return CLI_DONE;
}

// ---- frames -------------------------------------------------------------------------------------

static cli_status water_reserve(water_job* job, int32_t count)
{
    if (count > job->capacity)
    {
        free(job->grains);
        job->capacity = count + count / 4;
        job->grains = calloc((size_t)job->capacity, sizeof *job->grains);
    }
    return job->grains != NULL ? CLI_DONE
                               : cli_fail(CLI_FAILED, "out of memory for %d particles", count);
}

// Set the box of pictures: horizontally the basin or ground, vertically from its lowest point to
// the top of the highest fill.
static void water_fit_series(const water_job* job, wadi_io_series* series)
{
    const double low = job->options->basin != NULL ? 0.0 : (double)INFINITY;
    for (int a = 0; a < 3; ++a)
    {
        series->low[a] = low;
        series->high[a] = a < 2 && job->options->basin != NULL ? job->basin[a] : -(double)INFINITY;
    }
    for (int32_t i = 0; i < job->options->fills.count; ++i)
    {
        for (int a = 0; a < 3; ++a)
        {
            series->low[a] = fmin(series->low[a], job->fills[i][a]);
            series->high[a] = fmax(series->high[a], job->fills[i][a + 3]);
        }
    }
    const wadi_terrain* terrain = job->land != NULL ? cli_land_terrain(job->land) : NULL;
    const int32_t cells[2] = {terrain != NULL ? wadi_terrain_width(terrain) : 0,
                              terrain != NULL ? wadi_terrain_height(terrain) : 0};
    for (int64_t i = 0; i < (int64_t)cells[0] * cells[1]; ++i)
    {
        series->low[2] = fmin(series->low[2], (double)cli_land_surface(job->land)[i]);
        series->high[2] = fmax(series->high[2], (double)cli_land_surface(job->land)[i]);
    }
    for (int a = 0; a < 2 && terrain != NULL; ++a)
    {
        series->low[a] = 0.0;
        series->high[a] = cells[a] * wadi_terrain_cell_size(terrain);
    }
    series->has_box = job->options->basin != NULL || terrain != NULL;
}

static cli_status water_frame(water_job* job, wadi_io_series* series)
{
    const int32_t count = wadi_sph_count(job->sph);
    CLI_TRY(water_reserve(job, count));
    (void)wadi_sph_read_grains(job->sph, job->grains, count);
    const wadi_grain_picture_params picture = wadi_grain_picture_params_default();
    const double time = wadi_sph_summarize(job->sph).time;
    const wadi_terrain* terrain = job->land != NULL ? cli_land_terrain(job->land) : NULL;
    const wadi_grain_ground ground = {
        .heights = terrain != NULL ? cli_land_surface(job->land) : NULL,
        .width = terrain != NULL ? wadi_terrain_width(terrain) : 0,
        .height = terrain != NULL ? wadi_terrain_height(terrain) : 0,
        .cell_size = terrain != NULL ? wadi_terrain_cell_size(terrain) : 0.0,
    };
    series->ground = terrain != NULL ? &ground : NULL;
    const wadi_result result = wadi_io_series_add(series, time, job->grains, count, &picture);
    series->ground = NULL;
    return cli_check(job->session.context, result);
}

// Run to the end. The last frame is at the final time, also if `every` does not divide it. Frames
// closer together than one time step are merged.
static cli_status water_advance(water_job* job, wadi_io_series* series)
{
    const double step = wadi_sph_summarize(job->sph).step;
    const double frames = ceil(job->duration / job->every * (1.0 - 1e-12));
    int64_t done = 0; // steps
    if (!(job->duration / step < 1e15))
    {
        return cli_fail(CLI_FAILED,
                        "%g s in steps of %g s never end: increase step, or leave it out",
                        job->duration, step);
    }
    CLI_TRY(water_frame(job, series));
    for (double frame = 1.0; frame <= frames; frame += 1.0)
    {
        const int64_t due = (int64_t)round(fmin(frame * job->every, job->duration) / step);
        if (due > done)
        {
            CLI_TRY(cli_check(job->session.context, wadi_sph_advance(job->sph, due - done)));
            CLI_TRY(water_frame(job, series));
            done = due;
        }
    }
    return CLI_DONE;
}

static void water_print(const water_job* job, const wadi_io_series* series)
{
    const wadi_sph_summary sum = wadi_sph_summarize(job->sph);
    const wadi_sph_books books = wadi_sph_account(job->sph);
    (void)printf("%d particles of %.6g m, sound at %.6g m/s, %" PRId64 " steps of %.6g s (at most "
                 "%.6g s): %.6g s, %d frames\n",
                 wadi_sph_count(job->sph), job->params.spacing, job->params.sound_speed, sum.steps,
                 sum.step, wadi_sph_step_limit(job->sph), sum.time, series->count);
    (void)printf("fastest %.6g m/s, compressed by %.3g %% at most\n", sum.speed,
                 100.0 * sum.compression);
    (void)printf("water: %.6g m3 + rain %.6g m3 = now %.6g m3 + out %.6g m3, residual %" PRId64
                 "\n",
                 books.added, books.rain, books.now, books.out, books.residual);
    (void)printf("hash %016" PRIx64 "\n", wadi_sph_hash(job->sph));
}

static cli_status water_work(water_job* job, const cli_list* operands)
{
    CLI_TRY(water_read(job));
    CLI_TRY(water_make(job, operands));
    wadi_io_tags tags = {.count = 0};
    cli_trace_command(&tags, NULL);
    for (int32_t i = 0; i < operands->count; ++i)
    {
        cli_trace_input(&tags, job->session.context, operands->items[i]);
    }
    wadi_io_series series = {
        .context = job->session.context, .path = job->options->output, .tags = &tags};
    water_fit_series(job, &series);
    cli_session_catch_interrupt();
    const cli_status status = water_advance(job, &series);
    if (status == CLI_DONE)
    {
        water_print(job, &series);
    }
    wadi_io_series_close(&series);
    wadi_io_tags_free(&tags);
    return status;
}

static cli_status water_run(const cli_command* command, int argc, char** argv)
{
    water_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    water_job job = {.options = &options};
    CLI_TRY(cli_session_open(&options.run, &job.session));
    const cli_status status = water_work(&job, &operands);
    water_close(&job);
    return status;
}

const cli_command cli_water_command = {
    .name = "water",
    .summary = "simulate water as particles, such as a breaking dam",
    .usage = "[GROUND] -o FRAMES.pvd --fill X,Y,Z,X,Y,Z [--basin X,Y]",
    .details = "Fills boxes with particles of water and releases them, in a basin or on the "
               "ground of an elevation file, whose south-west corner is x = y = 0. Particles "
               "that leave the ground are removed and counted. The method (SPH) is for splashes "
               "and dam breaks of seconds to minutes. For floods use 'wadi derive flood'.",
    .examples = "wadi water -o dam.pvd --basin 1.6,0.4 --fill 0,0,0,0.4,0.4,0.8 --set spacing=2cm\n"
                "wadi water valley.tif -o wave.pvd --fill 50,80,120,90,140,150 --set spacing=2m "
                "--for 30s --every 0.5s",
    .options = water_option_list,
    .option_count = sizeof water_option_list / sizeof water_option_list[0],
    .max_operands = 1,
    .help_more = water_help,
    .run = water_run,
};
