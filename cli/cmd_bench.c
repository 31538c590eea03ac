// SPDX-License-Identifier: MIT
// wadi bench: how fast it is here, beside the plain serial version in the same run.
#include "bench.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>

typedef struct bench_options
{
    bool json;
    bool full;
    int32_t size; // 0: the suite's own
} bench_options;

static const cli_option bench_option_list[] = {
    {.name = "json",
     .kind = CLI_FLAG,
     .offset = offsetof(bench_options, json),
     .doc = "Print JSON: bench, machine, rows. Default: comma-separated rows."},
    {.name = "full",
     .kind = CLI_FLAG,
     .offset = offsetof(bench_options, full),
     .doc = "Also the grids of 4096 x 4096 cells; minutes, and 2 GB of memory."},
    {.name = "size",
     .kind = CLI_COUNT,
     .offset = offsetof(bench_options, size),
     .value = "N",
     .min = 64,
     .max = 16384,
     .doc = "Only the grid of N x N cells: dunes and slab."},
};

static const bench_suite bench_suites[] = {
    {"hydraulic", bench_hydraulic, NULL}, {"dunes", bench_dunes, bench_dunes_at},
    {"flood", bench_flood, NULL},         {"landslide", bench_landslide, NULL},
    {"riverbed", bench_riverbed, NULL},   {"talus", bench_talus, NULL},
    {"wind", bench_wind, NULL},           {"airflow", bench_airflow, NULL},
    {"slab", bench_slab, bench_slab_at},  {"sph", bench_sph, NULL},
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
        return cli_fail(CLI_USAGE, "'%s' has grids of its own; --size is for dunes and slab",
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
    .summary = "measure speed beside the plain serial version",
    .usage = "[NAME] [--json] [--full] [--size N]",
    .details =
        "hydraulic: the article's own job, particle steps per second, and the default model from "
        "noise to drained land. wind: the article's table of 250 particles on grids of 128 to 1024 "
        "cells, and particle steps per second. dunes: seconds a step on young and mature dunes. "
        "talus: fresh heaps of sand slide until all rest. "
        "landslide: particle steps per second of grains at rest, bonded and in collapse. "
        "sph: particle steps per second of water as a dam breaks. "
        "flood: a flood and a regulated channel over rough ground. airflow: one wind over dunes. "
        "riverbed: the paper's particles, a redrawn bed, a graded river, and time over particles. "
        "slab: a step of dunes made of slabs of sand, and the scenes of the article's table 1. "
        "Each is the median of five runs, of dunes one. The reference is the article's kernel, one "
        "particle "
        "after the other, or the plain serial version, on the same ground in the same run; it is "
        "there in builds that have the tests. A ratio above 1 is that much better.",
    .examples = "wadi bench wind\nwadi bench hydraulic --json > hydraulic.json",
    .options = bench_option_list,
    .option_count = sizeof bench_option_list / sizeof bench_option_list[0],
    .max_operands = 1,
    .run = bench_command_run,
};
