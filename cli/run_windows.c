// SPDX-License-Identifier: MIT
// Runs a scene in windows. Every window reads the scene and carries out all steps on its part of
// the grid, one window at a time; the library exchanges halos and sums. The state is saved from
// time to time, in one file that does not depend on the windows.
#include "cli/run_windows_job.h"

#include "cli/output.h"
#include "cli/run_cut.h"
#include "cli/run_disk.h"
#include "cli/run_state.h"
#include "cli/summary.h"
#include "cli/tile_name.h"
#include "cli/trace.h"

#include "io/raster/formats.h"
#include "io/raster/tiff_rows.h"

#include <errno.h>
#include <inttypes.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    WINDOWS_INPUTS = 64 // that are checked
};

bool cli_windows_wanted(const cli_windows_wish* wish)
{
    return wish->windows != NULL || wish->tiles != NULL || wish->memory != NULL;
}

cli_status cli_windows_check(const cli_windows_wish* wish)
{
    const int ways = (wish->windows != NULL ? 1 : 0) + (wish->tiles != NULL ? 1 : 0) +
                     (wish->memory != NULL ? 1 : 0);
    if (ways > 1)
    {
        return cli_fail(CLI_USAGE, "--windows, --tiles and --memory each cut the grid; give one");
    }
    if (ways == 0 && wish->save_every > 0)
    {
        return cli_fail(CLI_USAGE, "--save-every goes with --windows, --tiles or --memory; other "
                                   "runs save at the checkpoints of the scene");
    }
    return CLI_DONE;
}

// ---- the saved state ----------------------------------------------------------------------------

static wadi_result windows_save(windows_window* window)
{
    windows_job* job = window->job;
    if (window->index != 0)
    {
        return cli_run_state_write(window->part.context, job->open.source, window->run,
                                   window->report, NULL);
    }
    const wadi_result result = cli_run_state_write(job->session.context, job->open.source,
                                                   window->run, window->report, job->state);
    job->saved = result == WADI_OK ? cli_seconds() : job->saved;
    return cli_scene_part_pass(&window->part, result);
}

// A frame of a process whose bodies are in window 0, also from within a step of it. The series are
// those of the scene that the job has read.
static wadi_result windows_frame(void* user, wadi_run* run, const wadi_scene_process* step,
                                 int32_t index)
{
    const windows_window* window = user;
    windows_job* job = window->job;
    const wadi_step* of = wadi_scene_step(job->open.scene, wadi_run_position(run));
    const wadi_result result = cli_run_series_frame(&job->series, run, &of->process, index);
    if (result == WADI_OK)
    {
        return WADI_OK;
    }
    const wadi_solver* solver = wadi_run_solver(run, step->process);
    (void)wadi_context_fail(wadi_terrain_context(wadi_solver_whole(solver)), result, "%s",
                            wadi_error_detail(job->session.context));
    return cli_scene_part_pass(&window->part, result);
}

static wadi_result windows_output(void* user, wadi_run* run, const wadi_output* output)
{
    windows_window* window = user;
    const uint64_t hash = wadi_run_hash(run);
    if (window->index == 0)
    {
        cli_trace_state(&window->job->open.tags, wadi_run_terrain(run), hash);
    }
    if (output->kind == WADI_OUTPUT_REPORT)
    {
        char path[2 * PATH_MAX];
        cli_windows_path(window->job, output->file, path);
        return cli_windows_report(window, path);
    }
    return output->kind == WADI_OUTPUT_CHECKPOINT ? windows_save(window)
                                                  : cli_windows_write(window, output);
}

// ---- the steps ----------------------------------------------------------------------------------

static void windows_begin_progress(const windows_window* window, double years)
{
    windows_job* job = window->job;
    cli_progress* progress = &job->session.progress;
    if (window->index != 0)
    {
        return;
    }
    if (!job->began)
    {
        job->began = true;
        cli_progress_begin(progress, job->open.years, "yr", cli_seconds());
    }
    cli_progress_stretch(progress, job->passed / job->open.years, years / job->open.years);
}

// The windows decide together whether it is time to save. The first state is saved at once.
static bool windows_save_is_due(const windows_window* window)
{
    const windows_job* job = window->job;
    const wadi_partition* part = wadi_context_partition(window->part.context);
    const bool waits = job->saved > 0.0 && cli_seconds() - job->saved < job->wish->save_every;
    int64_t due = window->index == 0 && !waits;
    return part->sum(&due, 1, part->user) && due != 0;
}

// Between two steps of a process.
static wadi_result windows_between(void* user)
{
    windows_window* window = user;
    return windows_save_is_due(window) ? windows_save(window) : WADI_OK;
}

// A long step is saved on its way, if states have a distance in time.
static wadi_result windows_next(windows_window* window)
{
    wadi_context* context = window->part.context;
    const bool saves = window->job->wish->save_every > 0;
    wadi_context_set_between(context, saves ? windows_between : NULL, window);
    const wadi_result result = wadi_run_next(window->run);
    wadi_context_set_between(context, NULL, NULL);
    return result;
}

static void windows_note_goal(windows_window* window, const wadi_scene_process* step)
{
    if (step->goal != NULL)
    {
        const wadi_goal_course course = wadi_run_course(window->run);
        cli_report_add_goal(window->report, step->process->name, step->goal, &course,
                            wadi_terrain_clock(wadi_run_terrain(window->run)));
    }
}

// Count the share of a step that is done. Figures are sums over all windows, so all of them call
// it.
static void windows_note(windows_window* window, const wadi_scene_process* step, double share,
                         double seconds)
{
    const double years = step->goal != NULL && share > 0.0 ? wadi_run_course(window->run).years
                                                           : step->years * share;
    const wadi_solver* solver = wadi_run_solver(window->run, step->process);
    if (solver != NULL)
    {
        cli_report_add(window->report, solver, years, seconds);
    }
}

// By Ctrl-C. The state is kept before the share of the step that is done is counted.
static wadi_result windows_interrupt(windows_window* window, const wadi_scene_process* step,
                                     double seconds)
{
    windows_job* job = window->job;
    // if another window failed, the state cannot be saved either
    const wadi_result saved = windows_save(window);
    job->stopped = job->stopped || saved == WADI_OK;
    if (saved == WADI_OK)
    {
        const double share = step->goal != NULL ? 0.0 : job->session.progress.share;
        window->partial = step->years * share;
        windows_note(window, step, share, seconds);
    }
    return saved;
}

static wadi_result windows_process(windows_window* window, const wadi_scene_process* step)
{
    windows_job* job = window->job;
    if (window->index == 0)
    {
        wadi_io_scene_files_forget(&job->open.files);
    }
    windows_begin_progress(window, step->years);
    const double start = cli_seconds();
    const wadi_result result = windows_next(window);
    const double seconds = cli_seconds() - start; // of all windows, as they wait for each other
    if (result == WADI_ERROR_CANCELLED)
    {
        return windows_interrupt(window, step, seconds);
    }
    if (result == WADI_OK)
    {
        windows_note_goal(window, step);
        windows_note(window, step, 1.0, seconds);
    }
    job->passed += window->index == 0 ? step->years : 0.0;
    return result == WADI_OK && windows_save_is_due(window) ? windows_save(window) : result;
}

static wadi_result windows_steps(windows_window* window)
{
    wadi_result result = WADI_OK;
    bool stopped = false;
    while (result == WADI_OK && !stopped && !wadi_run_is_done(window->run))
    {
        const wadi_scene* scene = wadi_run_scene(window->run);
        const wadi_step* step = wadi_scene_step(scene, wadi_run_position(window->run));
        result = step->kind == WADI_STEP_PROCESS ? windows_process(window, &step->process)
                                                 : wadi_run_next(window->run);
        stopped = window->job->stopped;
    }
    return result;
}

static bool windows_has_residual(const cli_summary* summary)
{
    int64_t residual = 0;
    for (int32_t i = 0; i < summary->count; ++i)
    {
        residual |= summary->rows[i].residual_units;
    }
    return residual != 0;
}

static void windows_print_summary(const windows_window* window, const cli_summary* summary,
                                  uint64_t ground, uint64_t state)
{
    windows_job* job = window->job;
    cli_progress_end(&job->session.progress);
    (void)printf("windows          %d x %d of %d x %d cells\n", job->def.columns, job->def.rows,
                 job->def.width, job->def.height);
    cli_summary_print(window->report, summary);
    (void)printf("terrain          %016" PRIx64 "\n", ground);
    cli_summary_print_state(state);
}

// All windows sum up; window 0 prints.
static wadi_result windows_summary(windows_window* window)
{
    const wadi_terrain* terrain = wadi_run_terrain(window->run);
    cli_summary summary;
    cli_summary_take(window->report, terrain, &summary);
    const uint64_t ground = wadi_terrain_hash(terrain);
    const uint64_t state = wadi_run_hash(window->run);
    if (windows_has_residual(&summary))
    {
        return wadi_context_fail(window->part.context, WADI_ERROR_STATE,
                                 "the ledger has a residual: this is a bug in wadi");
    }
    if (window->index == 0)
    {
        windows_print_summary(window, &summary, ground, state);
        window->job->report = *window->report;
        window->report->kept = NULL; // the job closes it
    }
    return WADI_OK;
}

// Windows make their ground one after the other.
static void windows_begin_ground(const windows_window* window)
{
    cli_progress* progress = &window->job->session.progress;
    const double windows = (double)window->job->def.columns * window->job->def.rows;
    if (window->index == 0)
    {
        cli_progress_begin(progress, windows, "windows", cli_seconds());
    }
    cli_progress_stretch(progress, window->index / windows, 1.0 / windows);
}

static wadi_result windows_create(windows_window* window, const wadi_scene* scene,
                                  const wadi_host* host)
{
    windows_begin_ground(window);
    // a window whose turn comes after Ctrl-C sets no room aside
    if (!wadi_progress(window->part.context, 0.0, "ground"))
    {
        return WADI_ERROR_CANCELLED;
    }
    const wadi_result result = wadi_run_create(scene, host, &window->run);
    if (result == WADI_OK)
    {
        cli_report_begin(wadi_run_terrain(window->run), window->report);
    }
    return result;
}

static wadi_result windows_work(windows_window* window, const wadi_scene* scene)
{
    wadi_host host = cli_scene_part_host(window);
    host.output = windows_output;
    host.frame_of = windows_frame;
    const windows_job* job = window->job;
    wadi_result result = job->resume != NULL
                             ? cli_run_state_read(window->part.context, job->open.source, scene,
                                                  &host, job->resume, window->report, &window->run)
                             : windows_create(window, scene, &host);
    result = result == WADI_OK ? cli_windows_check_values(window) : result;
    result = result == WADI_OK ? windows_steps(window) : result;
    result = result == WADI_OK ? windows_summary(window) : result;
    result = result == WADI_OK && job->report_file != NULL
                 ? cli_windows_report(window, job->report_file)
                 : result;
    wadi_run_destroy(window->run);
    window->run = NULL;
    return result;
}

static wadi_result windows_read(windows_window* window)
{
    wadi_scene* scene = NULL;
    wadi_result result = cli_scene_read_again(&window->part, &scene);
    result = result == WADI_OK ? windows_work(window, scene) : result;
    wadi_scene_destroy(scene);
    return result;
}

static wadi_result windows_live(wadi_context* context, int32_t index, void* user)
{
    windows_job* job = user;
    windows_window window = {.part = {&job->open, context}, .job = job, .index = index};
    window.report = calloc(1, sizeof *window.report);
    if (window.report == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for the report");
    }
    const wadi_result result = windows_read(&window);
    cli_report_close(window.report);
    free(window.report);
    return result;
}

// ---- before the run -----------------------------------------------------------------------------

static cli_status windows_check_output(const wadi_step* step)
{
    const wadi_output* output = &step->output;
    const char* origin = step->origin != NULL ? step->origin : "the scene";
    if (output->kind == WADI_OUTPUT_CHECKPOINT || output->kind == WADI_OUTPUT_REPORT)
    {
        return CLI_DONE;
    }
    if (output->kind != WADI_OUTPUT_WRITE || output->splat_count > 0 || output->normals ||
        output->appends)
    {
        return cli_fail(CLI_USAGE,
                        "%s: '%s' is made of the whole grid; in windows single layers and maps "
                        "can be written: write them, and use wadi derive or wadi render",
                        origin, output->file);
    }
    if (!cli_windows_is_tiff(output->file))
    {
        return cli_fail(CLI_USAGE,
                        "%s: '%s' is written as a whole; in windows use a GeoTIFF, .tif, and wadi "
                        "convert",
                        origin, output->file);
    }
    return cli_tile_is_pattern(output->file) ? cli_tile_check_pattern(origin, output->file)
                                             : CLI_DONE;
}

static cli_status windows_check(windows_job* job)
{
    CLI_TRY(cli_check_usage(job->session.context, wadi_scene_check_windows(job->open.scene)));
    for (int32_t i = 0; i < wadi_scene_step_count(job->open.scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(job->open.scene, i);
        if (step->kind == WADI_STEP_OUTPUT)
        {
            CLI_TRY(windows_check_output(step));
        }
    }
    return CLI_DONE;
}

// A file that a later step reads is missed before the run, not after hours of it.
static cli_status windows_check_file(const windows_job* job, const char* name)
{
    char path[2 * PATH_MAX];
    char file[4096];
    const char* variable;
    (void)snprintf(path, sizeof path, "%s%s", name[0] == '/' ? "" : job->open.files.folder, name);
    wadi_io_variable_of(path, file, &variable);
    return access(file, R_OK) == 0
               ? CLI_DONE
               : cli_fail(CLI_FAILED, "%s: cannot read %s, which the scene names: %s",
                          job->open.source->path, file, strerror(errno));
}

static cli_status windows_check_files(const windows_job* job)
{
    const char* names[WINDOWS_INPUTS];
    const int32_t count = wadi_scene_files(job->open.scene, names, WINDOWS_INPUTS);
    for (int32_t i = 0; i < count && i < WINDOWS_INPUTS; ++i)
    {
        CLI_TRY(windows_check_file(job, names[i]));
    }
    return CLI_DONE;
}

static cli_status windows_prepare(windows_job* job)
{
    wadi_context* context = job->session.context;
    CLI_TRY(cli_scene_open(job->open.source, context, &job->open));
    CLI_TRY(windows_check(job));
    CLI_TRY(windows_check_files(job));
    CLI_TRY(cli_scene_open_frame(&job->open, &job->def));
    CLI_TRY(cli_run_cut(job->wish, job->open.scene, &job->open.frame, &job->def, &job->bytes,
                        &job->addresses));
    wadi_partition part;
    return cli_check_usage(context, wadi_windows_partition(context, &job->def, 0, &part));
}

// The tiles of an output can be written, in folders that are made, and are not `input`; NULL: none.
static cli_status windows_check_tiles(const windows_job* job, const wadi_step* step,
                                      const char* input)
{
    const bool tiles = step->kind == WADI_STEP_OUTPUT && step->output.kind == WADI_OUTPUT_WRITE &&
                       cli_tile_is_pattern(step->output.file);
    for (int32_t i = 0; tiles && i < job->def.columns * job->def.rows; ++i)
    {
        char path[2 * PATH_MAX];
        cli_windows_tile_path(job, step->output.file, i, path);
        CLI_TRY(input != NULL ? cli_output_check_apart(path, input, "is an input of the scene")
                              : cli_output_check(path));
    }
    return CLI_DONE;
}

static cli_status windows_check_all_tiles(const windows_job* job, const char* input)
{
    for (int32_t i = 0; i < wadi_scene_step_count(job->open.scene); ++i)
    {
        CLI_TRY(windows_check_tiles(job, wadi_scene_step(job->open.scene, i), input));
    }
    return CLI_DONE;
}

// Outputs can be written, and are no inputs of the scene.
static cli_status windows_check_places(windows_job* job)
{
    const cli_run_outputs outputs = {.session = &job->session,
                                     .folder = job->folder,
                                     .scene = job->open.source->path,
                                     .report_file = job->report_file,
                                     .in_tiles = true};
    const char* names[WINDOWS_INPUTS];
    const int32_t count = wadi_scene_files(job->open.scene, names, WINDOWS_INPUTS);
    if (job->report_file != NULL)
    {
        CLI_TRY(cli_output_check_distinct(job->report_file, job->open.source->path));
        CLI_TRY(cli_output_check(job->report_file));
    }
    CLI_TRY(cli_run_outputs_check(&outputs, job->open.scene));
    CLI_TRY(windows_check_all_tiles(job, NULL));
    job->series =
        (cli_run_series){.session = &job->session, .folder = job->folder, .tags = &job->open.tags};
    CLI_TRY(cli_run_series_open(&job->series, job->open.scene, job->open.source->path));
    CLI_TRY(cli_windows_check_names(job));
    for (int32_t i = 0; i < count && i < WINDOWS_INPUTS; ++i)
    {
        char path[2 * PATH_MAX];
        (void)snprintf(path, sizeof path, "%s%s", names[i][0] == '/' ? "" : job->open.files.folder,
                       names[i]);
        CLI_TRY(cli_run_outputs_check_input(&outputs, job->open.scene, path));
        CLI_TRY(windows_check_all_tiles(job, path));
        cli_trace_input(&job->open.tags, job->session.context, path);
    }
    return cli_trace_check(&job->open.tags); // of a report that is repeated
}

// Threads of windows would reserve 64 MB of addresses each for malloc(), and a file
// that the system does not let grow should be an error, not the end.
static void windows_set_up_process(void)
{
#if defined(__GLIBC__)
    (void)mallopt(M_ARENA_MAX, 1);
#endif
#if defined(SIGXFSZ)
    (void)signal(SIGXFSZ, SIG_IGN);
#endif
}

static cli_status windows_use_files(windows_job* job)
{
    char folder[PATH_MAX + 16];
    const int32_t windows = job->def.columns * job->def.rows;
    // while parameters of a process change, it has two states
    const size_t whole = 2 * cli_run_cut_whole(job->open.scene, &job->open.frame);
    const cli_run_disk disk = cli_run_disk_of(job->open.scene, &job->def, job->bytes);
    CLI_TRY(cli_run_disk_check(&disk, windows, job->folder, job->state));
    (void)snprintf(folder, sizeof folder, "%s/" CLI_ARENA_FOLDER, job->folder);
    // the limit of --memory is that of one window
    CLI_TRY(cli_arena_open(folder, windows, job->addresses + whole, job->wish->memory == NULL,
                           &job->arena));
    job->session.arena = job->arena;
    job->def.memory = cli_arena_allocator;
    job->def.enter = cli_arena_enter;
    job->def.leave = cli_arena_leave;
    job->def.user = job->arena;
    return CLI_DONE;
}

// What one program does for all windows.
static bool windows_is_first(const windows_job* job)
{
    return job->wish->ranks == NULL || job->wish->ranks->rank == 0;
}

static void windows_print_outputs(const windows_job* job)
{
    for (int32_t i = 0; i < wadi_scene_step_count(job->open.scene) && !job->stopped; ++i)
    {
        const wadi_step* step = wadi_scene_step(job->open.scene, i);
        if (step->kind == WADI_STEP_OUTPUT && step->output.kind != WADI_OUTPUT_CHECKPOINT)
        {
            (void)printf("wrote            %s/%s", job->folder, step->output.file);
            if (cli_tile_is_pattern(step->output.file))
            {
                (void)printf(", %d tiles", job->def.columns * job->def.rows);
            }
            (void)printf("\n");
        }
    }
    cli_run_series_print(&job->series);
    if (job->report_file != NULL)
    {
        (void)printf("wrote            %s\n", job->report_file);
    }
}

// After a failure that the state survives.
static cli_status windows_fail(const windows_job* job, wadi_result result)
{
    const cli_status status = cli_check(job->session.context, result);
    if (status == CLI_FAILED && windows_is_first(job) && job->saved > 0.0)
    {
        (void)fprintf(
            stderr, "wadi: the last state is in %s; go on with the same command and --resume %s\n",
            job->state, job->state);
    }
    return status;
}

static cli_status windows_finish(windows_job* job, wadi_result result)
{
    const char* failure = cli_arena_failure(job->arena);
    if (result == WADI_ERROR_MEMORY && failure != NULL)
    {
        return cli_fail(CLI_FAILED, "no room for windows in %s: %s%s%s", job->folder, failure,
                        job->saved > 0.0 ? "; go on with --resume " : "",
                        job->saved > 0.0 ? job->state : "");
    }
    if (result == WADI_ERROR_CANCELLED && !job->began)
    {
        return cli_fail(CLI_INTERRUPTED, "interrupted while the ground was made; nothing is kept");
    }
    if (!job->began && (result == WADI_ERROR_ARGUMENT || result == WADI_ERROR_RANGE))
    {
        return cli_check_usage(job->session.context, result); // a value that no step can use
    }
    if (job->has_printed_error || result != WADI_OK)
    {
        return job->has_printed_error ? CLI_FAILED : windows_fail(job, result);
    }
    if (!windows_is_first(job))
    {
        return job->stopped ? CLI_INTERRUPTED : CLI_DONE;
    }
    windows_print_outputs(job);
    return job->stopped ? cli_fail(CLI_INTERRUPTED,
                                   "interrupted; the state is kept. Go on with the same command "
                                   "and --resume %s",
                                   job->state)
                        : cli_report_check_goals(&job->report);
}

static cli_status windows_print_cut(const windows_job* job)
{
    if (!windows_is_first(job))
    {
        return CLI_DONE;
    }
    const cli_run_disk disk = cli_run_disk_of(job->open.scene, &job->def, job->bytes);
    (void)printf("windows          %d x %d, %zu MB each\n", job->def.columns, job->def.rows,
                 job->bytes / 1000000);
    if (disk.whole > 0.0)
    {
        (void)printf("whole grid       %.0f MB more in the first window\n", disk.whole * 1e-6);
    }
    if (job->wish->windows == NULL && job->wish->ranks == NULL)
    {
        (void)printf("disk             %.3g GB at most: %.3g GB in files of windows, and two saved "
                     "states of %.3g GB\n",
                     (disk.windows + disk.whole + 2.0 * disk.state) * 1e-9,
                     (disk.windows + disk.whole) * 1e-9, disk.state * 1e-9);
    }
    return CLI_DONE;
}

static cli_status windows_take_folder(windows_job* job)
{
    CLI_TRY(cli_output_check_folder(job->folder));
    CLI_TRY(cli_output_lock(job->folder, &job->lock));
    wadi_io_replace_clean(job->folder);
    cli_arena_sweep(job->folder);
    CLI_TRY(windows_check_places(job));
    const char* resume = job->resume;
    return resume != NULL && cli_run_state_is_packed(resume)
               ? cli_check(job->session.context,
                           cli_run_state_unpack(job->session.context, job->open.source, resume,
                                                job->state))
               : CLI_DONE;
}

// All before the run.
static cli_status windows_set_up(void* user)
{
    windows_job* job = user;
    CLI_TRY(windows_prepare(job));
    if (job->wish->only_check)
    {
        return CLI_DONE;
    }
    windows_set_up_process();
    (void)snprintf(job->state, sizeof job->state, "%s/windows.state", job->folder);
    job->resume = job->wish->resume;
    CLI_TRY(windows_is_first(job) ? windows_take_folder(job) : CLI_DONE);
    // a checkpoint of a run without windows is unpacked once, over the saved state
    job->resume =
        job->resume != NULL && cli_run_state_is_packed(job->resume) ? job->state : job->resume;
    job->def.context = cli_session_hooks(&job->session);
    const bool files = job->wish->windows == NULL && job->wish->ranks == NULL;
    return files ? windows_use_files(job) : CLI_DONE;
}

// The windows of a run on ranks.
static cli_status windows_run_ranks(windows_job* job)
{
    const cli_windows_ranks* ranks = job->wish->ranks;
    const wadi_result result =
        ranks->run(ranks, job->session.context, &job->def, windows_live, job);
    const cli_status status = windows_finish(job, result);
    if (result != WADI_OK)
    {
        ranks->abort(ranks, status);
    }
    return status;
}

static cli_status windows_run(windows_job* job)
{
    const cli_windows_ranks* ranks = job->wish->ranks;
    CLI_TRY(ranks != NULL ? ranks->in_order(ranks, windows_set_up, job) : windows_set_up(job));
    if (job->wish->only_check)
    {
        return windows_print_cut(job);
    }
    cli_session_catch_interrupt();
    return ranks != NULL ? windows_run_ranks(job)
                         : windows_finish(job, wadi_windows_run(job->session.context, &job->def,
                                                                windows_live, job));
}

cli_status cli_run_windows(const cli_run_options* options, const cli_windows_wish* wish,
                           const char* folder, const cli_run_source* source)
{
    windows_job job = {.wish = wish,
                       .open = {.source = source},
                       .folder = folder,
                       .report_file = options->report,
                       .lock = -1};
    cli_status status = cli_session_open(options, &job.session);
    if (status == CLI_DONE)
    {
        status = windows_run(&job);
    }
    cli_report_close(&job.report);
    cli_run_series_close(&job.series);
    cli_arena_close(job.arena);
    cli_scene_close(&job.open);
    cli_output_unlock(&job.lock);
    cli_session_close(&job.session);
    return status;
}
