// SPDX-License-Identifier: MIT
// The command `wadi-mpi`: runs a scene in windows, one on each rank, with the code and the bits of
// `wadi run --windows`. Rank 0 writes outputs and the saved state, and prints.
#include "wadi_mpi.h"

#include "cli/help.h"
#include "cli/run_source.h"
#include "cli/run_windows.h"
#include "cli/trace.h"

#include <stdio.h>
#include <string.h>

typedef struct mpi_options
{
    const char* folder;
    const char* seed;
    cli_list settings;
    cli_windows_wish windows;
    cli_run_options run;
} mpi_options;

static const cli_option mpi_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(mpi_options, folder),
     .value = "DIR",
     .doc =
         "Folder for the outputs of the scene, which rank 0 writes; created if missing. Default: "
         "out."},
    CLI_OPTION("set", CLI_LIST, mpi_options, settings, "PATH=VALUE",
               "Change a value of the scene, as in 'wadi run'."),
    CLI_OPTION("seed", CLI_TEXT, mpi_options, seed, "N",
               "Seed of all random numbers, instead of that of the scene."),
    CLI_OPTION("check", CLI_FLAG, mpi_options, windows.only_check, NULL,
               "Check the scene, print the windows and the memory of each, and run no step."),
    CLI_OPTION("resume", CLI_TEXT, mpi_options, windows.resume, "STATE",
               "Go on from a saved state of this scene, of any number of ranks or windows."),
    CLI_OPTION("windows", CLI_TEXT, mpi_options, windows.windows, "CxR",
               "Columns and rows of windows, as many as ranks. Default: those with the shortest "
               "borders."),
    {.name = "save-every",
     .kind = CLI_COUNT,
     .offset = offsetof(mpi_options, windows.save_every),
     .value = "SECONDS",
     .min = 0,
     .max = 1000000,
     .doc =
         "Save the state after the first step that ends so long after the last saved one; within "
         "a long step too, between steps of its process. Default: 0, after every step of the "
         "scene."},
    {.name = "threads",
     .kind = CLI_COUNT,
     .offset = offsetof(mpi_options, run.threads),
     .value = "N",
     .min = 1,
     .max = 1024,
     .doc = "Threads of each rank. Default: 1. The result is the same bits with any number."},
    CLI_OPTION("report", CLI_OUTPUT, mpi_options, run.report, "FILE",
               "Write the ledger, work, rates and state hash as JSON."),
    {.name = "progress",
     .kind = CLI_CHOICE,
     .offset = offsetof(mpi_options, run.progress),
     .value = "bar|json|none",
     .doc = "How rank 0 shows progress on standard error: a bar, on a terminal only (default); one "
            "JSON object a line; or not at all."},
};

enum
{
    MPI_PROGRESS_NONE = 2 // of the choices above
};

// ---- ranks --------------------------------------------------------------------------------------

static cli_status mpi_worst(cli_status status)
{
    int worst = (int)status;
    (void)MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return (cli_status)worst;
}

static cli_status mpi_in_order(const cli_windows_ranks* ranks, cli_status (*work)(void* user),
                               void* user)
{
    const cli_status first = mpi_worst(ranks->rank == 0 ? work(user) : CLI_DONE);
    if (first != CLI_DONE)
    {
        return first;
    }
    return mpi_worst(ranks->rank != 0 ? work(user) : CLI_DONE);
}

static wadi_result mpi_run_window(wadi_context* messages, const wadi_context_def* def,
                                  wadi_window_fn* fn, int32_t rank, void* user)
{
    wadi_context* window = NULL;
    wadi_result result = wadi_context_create(def, &window);
    if (result != WADI_OK)
    {
        return wadi_context_fail(messages, result, "rank %d: the context cannot be made: %s", rank,
                                 wadi_result_name(result));
    }
    result = fn(window, rank, user);
    if (result != WADI_OK)
    {
        (void)wadi_context_fail(messages, result, "rank %d: %s", rank, wadi_error_detail(window));
    }
    wadi_context_destroy(window);
    return result;
}

static wadi_result mpi_run(const cli_windows_ranks* ranks, wadi_context* messages,
                           const wadi_windows_def* windows, wadi_window_fn* fn, void* user)
{
    wadi_mpi* mpi;
    wadi_result result = wadi_mpi_create(MPI_COMM_WORLD, messages, windows, &mpi);
    if (result != WADI_OK)
    {
        return result;
    }
    wadi_context_def def = windows->context;
    def.threads = ranks->threads;
    def.partition = *wadi_mpi_partition(mpi);
    result = mpi_run_window(messages, &def, fn, ranks->rank, user);
    const char* failure = wadi_mpi_failure(mpi);
    if (result != WADI_OK && failure != NULL)
    {
        result =
            wadi_context_fail(messages, WADI_ERROR_MEMORY, "rank %d: %s", ranks->rank, failure);
    }
    wadi_mpi_destroy(mpi);
    return result;
}

static void mpi_abort(const cli_windows_ranks* ranks, cli_status status)
{
    (void)ranks;
    (void)fflush(NULL);
    (void)MPI_Abort(MPI_COMM_WORLD, (int)status);
}

// ---- the command --------------------------------------------------------------------------------

typedef struct mpi_job
{
    const cli_command* command;
    int argc;
    char** argv;
    mpi_options options;
    cli_run_scene scene;
} mpi_job;

// Read the command line and the scene file.
static cli_status mpi_read(void* user)
{
    mpi_job* job = user;
    cli_list operands = {0};
    CLI_TRY(cli_parse(job->command, job->argc, job->argv, &operands, &job->options));
    wadi_context_def def = wadi_context_def_default();
    def.threads = 1;
    wadi_context* context = NULL;
    if (wadi_context_create(&def, &context) != WADI_OK)
    {
        return cli_fail(CLI_FAILED, "cannot start: out of memory");
    }
    const cli_status status = cli_run_scene_read(context, operands.items[0], &job->options.settings,
                                                 job->options.seed, &job->scene);
    wadi_context_destroy(context);
    return status;
}

static cli_status mpi_work(mpi_job* job, cli_windows_ranks* ranks)
{
    mpi_options* options = &job->options;
    CLI_TRY(ranks->in_order(ranks, mpi_read, job));
    options->windows.ranks = ranks;
    ranks->threads = options->run.threads > 0 ? options->run.threads : 1;
    options->run.threads = 1; // of the context for messages and files
    options->run.progress = ranks->rank == 0 ? options->run.progress : MPI_PROGRESS_NONE;
    return cli_run_windows(&options->run, &options->windows,
                           options->folder != NULL ? options->folder : "out", &job->scene.source);
}

static cli_status mpi_run_verb(const cli_command* command, int argc, char** argv)
{
    mpi_job job = {.command = command, .argc = argc, .argv = argv};
    int rank = 0;
    int count = 0;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &count);
    cli_windows_ranks ranks = {
        .rank = rank, .count = count, .in_order = mpi_in_order, .run = mpi_run, .abort = mpi_abort};
    const cli_status status = mpi_work(&job, &ranks);
    cli_run_scene_free(&job.scene);
    return mpi_worst(status);
}

static const cli_command mpi_command = {
    .program = "wadi-mpi",
    .name = "run",
    .summary = "run a scene on MPI ranks, each with one window of the grid",
    .usage = "SCENE [-o DIR] [options]",
    .details =
        "Started by the launcher of MPI. Reads a scene file as 'wadi run' does and carries out its "
        "steps in as many windows of the grid as there are ranks, with the bits of 'wadi run'. "
        "What "
        "runs in windows is in docs/windows.md. Every rank reads the scene and its input files; "
        "rank 0 alone writes.\n\nThe state is saved in DIR/windows.state. When a rank ends, all "
        "end; the last state stays whole, and --resume goes on from it with any number of ranks.",
    .examples = "mpiexec -n 4 wadi-mpi run land.yaml -o out\n"
                "srun wadi-mpi run land.yaml -o out --threads 8 --save-every 600",
    .options = mpi_option_list,
    .option_count = sizeof mpi_option_list / sizeof mpi_option_list[0],
    .min_operands = 1,
    .max_operands = 1,
    .run = mpi_run_verb,
};

// Help and version are asked without a launcher.
static bool mpi_asks(int argc, char** argv, const char* word)
{
    bool found = false;
    for (int i = 1; i < argc && !found; ++i)
    {
        found = strcmp(argv[i], word) == 0;
    }
    return found;
}

static cli_status mpi_dispatch(int argc, char** argv)
{
    return argc > 1 && strcmp(argv[1], "run") == 0
               ? mpi_run_verb(&mpi_command, argc - 2, argv + 2)
               : cli_fail(CLI_USAGE, "expected: wadi-mpi run SCENE; wadi-mpi --help tells more");
}

int main(int argc, char** argv)
{
    cli_trace_arguments(argc, argv);
    if (argc < 2 || mpi_asks(argc, argv, "--help") || mpi_asks(argc, argv, "-h"))
    {
        cli_help_command(&mpi_command);
        return argc < 2 ? CLI_USAGE : CLI_DONE;
    }
    if (mpi_asks(argc, argv, "--version"))
    {
        (void)printf("wadi-mpi %s\n", wadi_version());
        return CLI_DONE;
    }
    int level = 0;
    (void)MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    cli_status status = mpi_dispatch(argc, argv);
    if (fflush(stdout) != 0 && status == CLI_DONE)
    {
        status = cli_fail(CLI_FAILED, "cannot write to standard output");
    }
    (void)MPI_Finalize();
    return (int)status;
}
