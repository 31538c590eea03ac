// SPDX-License-Identifier: MIT
// wadi erode: run one process on one elevation file.
#include "cli/command.h"
#include "cli/fields.h"
#include "cli/layer_options.h"
#include "cli/lookup.h"
#include "cli/mask_option.h"
#include "cli/output.h"
#include "cli/report_goals.h"
#include "cli/session.h"
#include "cli/summary.h"
#include "cli/trace.h"

#include "io/raster/raster.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct erode_options
{
    const char* output;
    const char* preset;
    const char* duration;
    const char* denude;
    const char* until;
    cli_heights heights;
    const char* maps;
    const char* sea;
    cli_list layers;
    cli_list masks;
    const char* strength;
    cli_list settings;
    uint64_t seed;
    int32_t grid; // cli_grid
    cli_run_options run;
} erode_options;

static const cli_option erode_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(erode_options, output),
     .value = "FILE",
     .doc = "The new surface. The extension selects the format: tif, asc, png, r16, r32, exr, nc.",
     .required = true},
    CLI_OPTION("preset", CLI_TEXT, erode_options, preset, "NAME",
               "Start from a preset, such as paper; 'wadi describe PROCESS' lists them."),
    CLI_OPTION("for", CLI_TEXT, erode_options, duration, "TIME",
               "Simulated time, such as 100yr or 20kyr. Default: the duration of the process. With "
               "a goal, the longest time."),
    CLI_OPTION(
        "denude", CLI_TEXT, erode_options, denude, "LENGTH",
        "Goal: stop when the mean lowering of the land is this much, such as 200m. For models "
        "with fixed steps, such as hydraulic by default."),
    CLI_OPTION(
        "until", CLI_TEXT, erode_options, until, "INDEX",
        "Goal: stop when the erosion index of 'wadi judge land' is this much, such as 0.95."),
    CLI_OPTION(
        "layer", CLI_LIST, erode_options, layers, "NAME=VALUE",
        "Fill a layer (sediment, water, hardness, vegetation, moisture) or an input map of "
        "the process (rain) before the run. VALUE is a file, or one value for all cells such "
        "as 2m, or for sediment above:12m, which makes all ground above that elevation "
        "loose. The surface stays as it was read; the rock below the sediment is lowered. A "
        "table, such as a wind rose, is a CSV file. Without sediment the wind has no sand to "
        "move."),
    CLI_OPTION(
        "mask", CLI_LIST, erode_options, masks, "FILE|NAME=FROM..TO~FADE",
        "Change the ground only where a mask lets the process: a file of weights from 0 to 1 "
        "(the greatest number of a PNG is 1), or a range of a layer or derived map such as "
        "slope=20deg..40deg~5deg, height=..1200m or vegetation=0.1.., fading inside its "
        "limits; NAME alone takes the values as weights. Several masks are multiplied."),
    CLI_OPTION("strength", CLI_TEXT, erode_options, strength, "SHARE",
               "Share of the change that stays, 0 to 1, where the mask is full. Default: 1."),
    CLI_SEA_OPTION(erode_options),
    CLI_HEIGHTS_OPTIONS(erode_options),
    CLI_OPTION("grid", CLI_CHOICE, erode_options, grid, "input|working",
               "Write outputs on the grid of the input (default), or on the projected grid of a "
               "file in degrees."),
    CLI_OPTION("set", CLI_LIST, erode_options, settings, "NAME=VALUE",
               "Set a parameter of the process, with its unit: rain=800mm/yr. 'wadi describe "
               "PROCESS' lists the parameters."),
    CLI_OPTION("seed", CLI_SEED, erode_options, seed, "N",
               "Seed of all random numbers. Default: 0."),
    CLI_OPTION("maps", CLI_TEXT, erode_options, maps, "DIR",
               "Write every map of the process (flow, wear ...) and every layer that it changes to "
               "DIR/NAME.tif."),
    CLI_RUN_OPTIONS(erode_options),
};

// State of the verb.
typedef struct erode_job
{
    const erode_options* options;
    const char* input;
    const wadi_process* process;
    double years;
    wadi_goal goal;
    wadi_goal_course course;
    cli_session session;
    void* params;
    cli_land* land;
    wadi_solver* solver;
    cli_report report;
    double wall_s; // of the solver
    bool interrupted;
} erode_job;

static void erode_close(erode_job* job)
{
    wadi_solver_destroy(job->solver);
    cli_land_close(job->land);
    free(job->params);
    cli_session_close(&job->session);
}

static cli_status erode_read_goal(erode_job* job)
{
    const erode_options* options = job->options;
    wadi_context* context = job->session.context;
    job->goal = wadi_goal_default();
    if (options->denude != NULL)
    {
        CLI_TRY(cli_quantity(context, "--denude", options->denude, "m", 1e-6, 32767.0,
                             &job->goal.denude));
    }
    if (options->until != NULL)
    {
        CLI_TRY(cli_quantity(context, "--until", options->until, "1", 1e-6, 1.0, &job->goal.until));
    }
    return options->denude == NULL && options->until == NULL
               ? CLI_DONE
               : cli_check_usage(context,
                                 wadi_goal_check(context, &job->goal, job->process, job->params));
}

static cli_status erode_read_params(erode_job* job)
{
    const wadi_field_table* table = job->process->fields;
    wadi_context* context = job->session.context;
    job->params = malloc(table->params_size);
    if (job->params == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory");
    }
    wadi_fields_init(table, job->params);
    CLI_TRY(cli_check_usage(context, wadi_process_apply_preset(context, job->process,
                                                               job->options->preset, job->params)));
    CLI_TRY(cli_fields_set(context, table, &job->options->settings, job->params));
    CLI_TRY(cli_fields_check(context, job->process, &job->options->settings, job->params));
    CLI_TRY(erode_read_goal(job));
    job->years = wadi_process_years(job->process, job->params);
    return job->options->duration == NULL ? CLI_DONE
                                          : cli_quantity(context, "--for", job->options->duration,
                                                         "yr", 1e-9, 1e9, &job->years);
}

static cli_status erode_read_land(erode_job* job)
{
    return cli_land_open(job->session.context, job->input, &job->options->heights,
                         job->options->seed, &job->land);
}

// File of a setting of --layer, or NULL.
static const char* erode_layer_file(const erode_options* options, int32_t index)
{
    const char* equals = strchr(options->layers.items[index], '=');
    return equals != NULL && equals[1] != '\0' ? equals + 1 : NULL;
}

// Maps and tables of --layer are inputs too.
static cli_status erode_check_layers(const erode_options* options)
{
    for (int32_t i = 0; i < options->layers.count; ++i)
    {
        const char* file = erode_layer_file(options, i);
        if (file != NULL)
        {
            CLI_TRY(cli_output_check_apart(options->output, file, "is an input"));
        }
    }
    for (int32_t i = 0; i < options->masks.count; ++i)
    {
        CLI_TRY(cli_output_check_apart(options->output, options->masks.items[i], "is an input"));
    }
    return CLI_DONE;
}

// The maps must not replace the surface, the report or an input.
static cli_status erode_check_maps(const erode_job* job)
{
    static const char taken[] = "has the name of a map that --maps writes";
    static const char read[] = "is an input with the name of a map that --maps writes";
    const erode_options* options = job->options;
    const cli_layers_maps maps = {.terrain = cli_land_terrain(job->land),
                                  .process = job->process,
                                  .params = job->params,
                                  .folder = options->maps};
    CLI_TRY(cli_output_check_folder(options->maps));
    CLI_TRY(cli_layers_check_maps(&maps, options->output, taken));
    CLI_TRY(cli_layers_check_maps(&maps, job->input, read));
    if (options->run.report != NULL)
    {
        CLI_TRY(cli_layers_check_maps(&maps, options->run.report, taken));
    }
    for (int32_t i = 0; i < options->layers.count; ++i)
    {
        const char* file = erode_layer_file(options, i);
        CLI_TRY(file != NULL ? cli_layers_check_maps(&maps, file, read) : CLI_DONE);
    }
    for (int32_t i = 0; i < options->masks.count; ++i)
    {
        CLI_TRY(cli_layers_check_maps(&maps, options->masks.items[i], read));
    }
    return CLI_DONE;
}

// Check before a long run that all outputs can be written.
static cli_status erode_check_outputs(const erode_job* job)
{
    const erode_options* options = job->options;
    CLI_TRY(cli_check_usage(job->session.context,
                            wadi_io_raster_check_writable(job->session.context, options->output)));
    CLI_TRY(cli_output_check_distinct(options->output, job->input));
    CLI_TRY(erode_check_layers(options));
    CLI_TRY(cli_output_check(options->output));
    if (options->maps != NULL)
    {
        CLI_TRY(erode_check_maps(job));
    }
    if (options->run.report != NULL)
    {
        CLI_TRY(cli_output_check_apart(options->run.report, options->output, "is also the report"));
        CLI_TRY(cli_output_check_distinct(options->run.report, job->input));
        CLI_TRY(cli_output_check(options->run.report));
    }
    return CLI_DONE;
}

static cli_status erode_make_solver(erode_job* job)
{
    wadi_terrain* terrain = cli_land_terrain(job->land);
    CLI_TRY(cli_land_set_sea(job->land, job->options->sea));
    CLI_TRY(cli_layers_fill(job->land, job->process, &job->options->layers));
    const wadi_result result =
        wadi_solver_create(terrain, job->process, job->params, 0, &job->solver);
    CLI_TRY(cli_check_usage(job->session.context, result));
    CLI_TRY(cli_layers_give_maps(job->land, job->solver, &job->options->layers));
    return cli_mask_give(job->land, job->solver, &job->options->masks, job->options->strength);
}

// As a scene of one step: whole steps fit into the years, and what is held at the end is laid down.
static wadi_result erode_run_years(erode_job* job)
{
    wadi_result result = WADI_OK;
    if (wadi_goal_is_set(&job->goal))
    {
        result = wadi_solver_pursue(job->solver, &job->goal, job->years, &job->course);
    }
    else
    {
        result = wadi_solver_fit(job->solver, job->years);
        result = result == WADI_OK ? wadi_solver_advance(job->solver, job->years) : result;
    }
    result = result == WADI_OK ? wadi_solver_finish(job->solver) : result;
    return result == WADI_OK ? wadi_solver_settle(job->solver) : result;
}

static cli_status erode_advance(erode_job* job)
{
    wadi_terrain* terrain = cli_land_terrain(job->land);
    cli_progress* progress = &job->session.progress;
    cli_report_begin(terrain, &job->report);
    cli_session_catch_interrupt();
    const double start = cli_seconds();
    cli_progress_begin(progress, job->years, "yr", start);
    const wadi_result result = erode_run_years(job);
    cli_progress_end(progress);
    job->wall_s = cli_seconds() - start;
    job->interrupted = result == WADI_ERROR_CANCELLED;
    if (result != WADI_OK && !job->interrupted)
    {
        return cli_check(job->session.context, result);
    }
    const bool aims = wadi_goal_is_set(&job->goal);
    const double years = aims               ? job->course.years
                         : job->interrupted ? job->years * progress->share
                                            : job->years;
    if (years > 0.0)
    {
        CLI_TRY(cli_check(job->session.context, wadi_terrain_advance_clock(terrain, years)));
    }
    cli_report_add(&job->report, job->solver, years, job->wall_s);
    if (aims && !job->interrupted)
    {
        cli_report_add_goal(&job->report, job->process->name, &job->goal, &job->course,
                            wadi_terrain_clock(terrain));
    }
    return CLI_DONE;
}

// Of terrain and solver, as wadi_run_hash().
static uint64_t erode_hash(const erode_job* job)
{
    return wadi_terrain_hash(cli_land_terrain(job->land)) + wadi_solver_hash(job->solver);
}

static cli_status erode_write_report(const erode_job* job)
{
    const cli_report_run run = {.threads = wadi_context_workers(job->session.context),
                                .wall_s = cli_seconds() - job->session.started,
                                .interrupted = job->interrupted,
                                .years = wadi_terrain_clock(cli_land_terrain(job->land)),
                                .hash = erode_hash(job),
                                .tags = cli_land_tags(job->land)};
    return cli_report_write(&job->report, cli_land_terrain(job->land), &run,
                            job->options->run.report);
}

// Origin of the outputs: the command, and all files that it reads.
static cli_status erode_trace(const erode_job* job)
{
    wadi_io_tags* tags = cli_land_tags(job->land);
    for (int32_t i = 0; i < job->options->layers.count; ++i)
    {
        const char* file = erode_layer_file(job->options, i);
        if (file != NULL && access(file, R_OK) == 0)
        {
            cli_trace_input(tags, job->session.context, file);
        }
    }
    for (int32_t i = 0; i < job->options->masks.count; ++i)
    {
        if (access(job->options->masks.items[i], R_OK) == 0)
        {
            cli_trace_input(tags, job->session.context, job->options->masks.items[i]);
        }
    }
    return cli_trace_check(tags);
}

static cli_status erode_write(const erode_job* job)
{
    const erode_options* options = job->options;
    const cli_grid grid = (cli_grid)options->grid;
    cli_trace_state(cli_land_tags(job->land), cli_land_terrain(job->land), erode_hash(job));
    CLI_TRY(cli_land_write_surface(job->land, grid, options->output));
    if (options->maps != NULL)
    {
        CLI_TRY(cli_layers_write_maps(job->land, job->solver, grid, options->maps));
    }
    cli_summary summary;
    cli_summary_take(&job->report, cli_land_terrain(job->land), &summary);
    cli_summary_print(&job->report, &summary);
    cli_summary_print_state(erode_hash(job));
    (void)printf("wrote            %s\n", options->output);
    if (options->maps != NULL)
    {
        (void)printf("wrote            %s/*.tif\n", options->maps);
    }
    if (options->run.report != NULL)
    {
        CLI_TRY(erode_write_report(job));
        (void)printf("wrote            %s\n", options->run.report);
    }
    CLI_TRY(cli_summary_check(cli_land_terrain(job->land)));
    return job->interrupted ? cli_fail(CLI_INTERRUPTED,
                                       "interrupted after %.4g of %.4g yr; what "
                                       "was done is written",
                                       job->report.processes[0].sum.years, job->years)
                            : cli_report_check_goals(&job->report);
}

static cli_status erode_work(erode_job* job)
{
    CLI_TRY(erode_read_params(job));
    CLI_TRY(erode_read_land(job));
    CLI_TRY(erode_check_outputs(job));
    CLI_TRY(erode_trace(job));
    CLI_TRY(erode_make_solver(job));
    CLI_TRY(erode_advance(job));
    return erode_write(job);
}

static cli_status erode_run(const cli_command* command, int argc, char** argv)
{
    erode_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    erode_job job = {.options = &options, .input = operands.items[1]};
    CLI_TRY(cli_find_process(operands.items[0], &job.process));
    CLI_TRY(cli_session_open(&options.run, &job.session));
    const cli_status status = erode_work(&job);
    erode_close(&job);
    return status;
}

const cli_command cli_erode_command = {
    .name = "erode",
    .summary = "run one process on an elevation file",
    .usage = "PROCESS IN -o OUT [options]",
    .details =
        "Reads an elevation file (GeoTIFF, ASC, HGT, NetCDF, EXR, PNG16, R16, R32), runs the "
        "process for a number of years, and writes the new surface on the same grid with the "
        "same coordinate system. Cells without data stay as they are.\n\nA file in degrees is "
        "projected to a local grid in metres; the change of height is then resampled to the grid "
        "of the file. The mass balance is exact on the projected grid, which --grid working "
        "writes.\n\nPrints the simulated time, rates, the eroded, deposited and exported "
        "volumes, the residual of the mass balance, and a hash of the final state. The hash is "
        "the same for any number of threads.",
    .examples =
        "wadi erode hydraulic alps.tif -o out/alps.tif --report out/alps.json\n"
        "wadi erode hydraulic alps.tif -o out/alps.tif --for 50kyr --set rain=800mm/yr\n"
        "wadi erode hydraulic alps.tif -o out/alps.tif --denude 200m --for 1Myr\n"
        "wadi erode hydraulic height.png --cell 10m -o eroded.png --maps maps\n"
        "wadi erode hydraulic dem.tif -o out.tif --layer sediment=2m --layer rain=rain.tif\n"
        "wadi erode hydraulic dem.tif -o out.tif --mask slope=15deg..~5deg --strength 0.5\n"
        "wadi erode wind coast.tif -o out.tif --for 2yr --layer sediment=above:3m "
        "--set direction=240\n"
        "wadi erode wind coast.tif -o out.tif --for 2yr --layer sediment=above:3m "
        "--layer rose=rose.csv",
    .options = erode_option_list,
    .option_count = sizeof erode_option_list / sizeof erode_option_list[0],
    .min_operands = 2,
    .max_operands = 2,
    .run = erode_run,
};
