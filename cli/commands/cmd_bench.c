// SPDX-License-Identifier: MIT
// wadi bench: speed on this machine, relative to the plain serial version in the same run.
#include "cli/bench/bench.h"
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

typedef struct bench_options
{
    bool json;
    bool full;
    int32_t size; // 0: default of the suite
} bench_options;

static const cli_option bench_option_list[] = {
    CLI_OPTION("json", CLI_FLAG, bench_options, json, NULL,
               "Print JSON: bench, machine, rows. Default: comma-separated rows."),
    CLI_OPTION("full", CLI_FLAG, bench_options, full, NULL,
               "Add grids of 4096 x 4096 cells; takes minutes and 2 GB of memory."),
    {.name = "size",
     .kind = CLI_COUNT,
     .offset = offsetof(bench_options, size),
     .value = "N",
     .min = 64,
     .max = 16384,
     .doc = "Use one grid of N x N cells; for amplify, dunes, render, slab, streams, "
            "session and tiles."},
};

static const bench_suite bench_suites[] = {
    {"hydraulic", bench_hydraulic, NULL},
    {"dunes", bench_dunes, bench_dunes_at},
    {"flood", bench_flood, NULL},
    {"landslide", bench_landslide, NULL},
    {"riverbed", bench_riverbed, NULL},
    {"talus", bench_talus, NULL},
    {"wind", bench_wind, NULL},
    {"airflow", bench_airflow, NULL},
    {"amplify", bench_amplify, bench_amplify_at},
    {"slab", bench_slab, bench_slab_at},
    {"slides", bench_slides, NULL},
    {"sph", bench_sph, NULL},
    {"calls", bench_calls, NULL},
    {"streams", bench_streams, bench_streams_at},
    {"session", bench_session, bench_session_at},
    {"render", bench_render, bench_render_at},
    {"tiles", bench_tiles, bench_tiles_at},
};
enum
{
    BENCH_SUITES = sizeof bench_suites / sizeof bench_suites[0]
};

void bench_add(bench_rows* rows, bench_row row)
{
    if (rows->count < BENCH_MAX_ROWS)
    {
        rows->rows[rows->count++] = row;
    }
}

void bench_add_stages(bench_rows* rows, const cli_stages* stages, double steps, bench_row like)
{
    for (int32_t i = 0; i < stages->count; ++i)
    {
        like.metric = stages->rows[i].name;
        like.value = stages->rows[i].seconds / steps;
        bench_add(rows, like);
    }
}

static int bench_compare(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

double bench_median(double* values, int32_t count)
{
    qsort(values, (size_t)count, sizeof *values, bench_compare);
    return values[count / 2];
}

static cli_status bench_find(const char* name, const bench_suite** out)
{
    const char* words[BENCH_SUITES + 1] = {0};
    for (int i = 0; i < BENCH_SUITES; ++i)
    {
        words[i] = bench_suites[i].name;
        if (strcmp(bench_suites[i].name, name) == 0)
        {
            *out = &bench_suites[i];
            return CLI_DONE;
        }
    }
    const char* nearest = cli_nearest(words, name);
    return cli_fail(CLI_USAGE, "there is no benchmark '%s'; did you mean '%s'?", name,
                    nearest != NULL ? nearest : bench_suites[0].name);
}

static cli_status bench_measure(const bench_suite* suite, const bench_options* options,
                                bench_rows* rows)
{
    if (options->size == 0)
    {
        return suite->run(options->full, rows);
    }
    if (suite->run_at == NULL)
    {
        return cli_fail(CLI_USAGE, "'%s' has fixed grids; --size is for dunes and slab",
                        suite->name);
    }
    return suite->run_at(options->size, rows);
}

static cli_status bench_command_run(const cli_command* command, int argc, char** argv)
{
    bench_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    const bench_suite* suite = &bench_suites[0];
    if (operands.count == 1)
    {
        CLI_TRY(bench_find(operands.items[0], &suite));
    }
    bench_rows rows = {.count = 0};
    CLI_TRY(bench_measure(suite, &options, &rows));
    if (options.json)
    {
        bench_print_json(suite->name, &rows);
    }
    else
    {
        bench_print_table(suite->name, &rows);
    }
    return CLI_DONE;
}

const cli_command cli_bench_command = {
    .name = "bench",
    .summary = "measure speed, compared with plain serial versions",
    .usage = "[NAME] [--json] [--full] [--size N]",
    .details =
        "Prints one row for each measurement: the median of five runs (of dunes and tiles: one "
        "run), the "
        "value of a reference, and their ratio, which is above 1 where wadi is better. The "
        "reference is a plain serial version on the same ground in the same run, such as the "
        "kernel that came with an article; builds without tests leave it out. docs/benchmarks.md "
        "describes the rows.\n\nhydraulic (default), wind, dunes, slab, airflow, amplify, "
        "talus, riverbed, flood, landslide, slides, sph, calls, render, "
        "tiles",
    .examples = "wadi bench wind\nwadi bench hydraulic --json > hydraulic.json",
    .options = bench_option_list,
    .option_count = sizeof bench_option_list / sizeof bench_option_list[0],
    .max_operands = 1,
    .run = bench_command_run,
};
