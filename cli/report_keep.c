// SPDX-License-Identifier: MIT
// A report in a checkpoint, so that the report of a resumed run counts all of its work.
#include "cli/report_goals.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- keep ---------------------------------------------------------------------------------------

static json_t* keep_sum(const cli_report_sum* sum)
{
    json_t* work = json_array();
    for (int32_t i = 0; i < sum->work_count; ++i)
    {
        (void)json_array_append_new(work,
                                    json_pack("[s, f]", sum->work[i].name, sum->work[i].count));
    }
    json_t* figures = json_array();
    for (int32_t i = 0; i < sum->figure_count; ++i)
    {
        const wadi_figure* figure = &sum->figures[i];
        (void)json_array_append_new(figures, json_pack("[s, s, f, i]", figure->name, figure->unit,
                                                       figure->value, (int)figure->kind));
    }
    return json_pack("{s:f, s:o, s:o}", "years", sum->years, "work", work, "figures", figures);
}

char* cli_report_keep(const cli_report* report)
{
    json_t* start = json_array();
    for (int32_t i = 0; i < WADI_MAX_MATERIALS; ++i)
    {
        (void)json_array_append_new(
            start, json_pack("[f, f]", report->start[i].after, report->start[i].edited));
    }
    json_t* processes = json_array();
    for (int32_t i = 0; i < report->process_count; ++i)
    {
        const cli_report_process* process = &report->processes[i];
        (void)json_array_append_new(
            processes, json_pack("{s:s, s:I, s:f, s:f, s:o, s:o}", "name", process->name,
                                 "instance", (json_int_t)process->instance, "wall_s",
                                 process->wall_s, "solver_years", process->solver_years, "before",
                                 keep_sum(&process->before), "sum", keep_sum(&process->sum)));
    }
    json_t* root = json_pack("{s:o, s:o, s:o}", "start", start, "processes", processes, "goals",
                             cli_report_goals(report));
    char* text = root != NULL ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return text;
}

// ---- restore ------------------------------------------------------------------------------------

// Names point into the JSON, which lives as long as the report.
static void restore_sum(json_t* from, cli_report_sum* sum)
{
    json_t* work = json_object_get(from, "work");
    json_t* figures = json_object_get(from, "figures");
    sum->years = json_number_value(json_object_get(from, "years"));
    for (size_t i = 0; i < json_array_size(work) && sum->work_count < CLI_REPORT_WORK; ++i)
    {
        wadi_work* row = &sum->work[sum->work_count];
        sum->work_count +=
            json_unpack(json_array_get(work, i), "[s, F]", &row->name, &row->count) == 0 ? 1 : 0;
    }
    for (size_t i = 0; i < json_array_size(figures) && sum->figure_count < CLI_REPORT_WORK; ++i)
    {
        wadi_figure* row = &sum->figures[sum->figure_count];
        int kind = 0;
        const bool reads = json_unpack(json_array_get(figures, i), "[s, s, F, i]", &row->name,
                                       &row->unit, &row->value, &kind) == 0;
        row->kind = (wadi_figure_kind)kind;
        sum->figure_count += reads ? 1 : 0;
    }
}

static void restore_process(const wadi_context* context, json_t* from, cli_report* report)
{
    const char* name = json_string_value(json_object_get(from, "name"));
    const wadi_process* process = name != NULL ? wadi_process_find(context, name) : NULL;
    if (process == NULL || report->process_count == CLI_REPORT_PROCESSES)
    {
        return;
    }
    cli_report_process* row = &report->processes[report->process_count++];
    *row = (cli_report_process){.name = process->name,
                                .instance = json_integer_value(json_object_get(from, "instance")),
                                .wall_s = json_number_value(json_object_get(from, "wall_s")),
                                .solver_years =
                                    json_number_value(json_object_get(from, "solver_years"))};
    restore_sum(json_object_get(from, "before"), &row->before);
    restore_sum(json_object_get(from, "sum"), &row->sum);
}

bool cli_report_restore(const wadi_context* context, const char* text, cli_report* report)
{
    json_t* root = text[0] != '\0' ? json_loads(text, 0, NULL) : NULL;
    if (root == NULL)
    {
        return text[0] == '\0';
    }
    report->kept = root;
    json_t* start = json_object_get(root, "start");
    for (size_t i = 0; i < WADI_MAX_MATERIALS && i < json_array_size(start); ++i)
    {
        (void)json_unpack(json_array_get(start, i), "[F, F]", &report->start[i].after,
                          &report->start[i].edited);
    }
    json_t* processes = json_object_get(root, "processes");
    for (size_t i = 0; i < json_array_size(processes); ++i)
    {
        restore_process(context, json_array_get(processes, i), report);
    }
    cli_report_restore_goals(json_object_get(root, "goals"), report);
    return true;
}

void cli_report_close(cli_report* report)
{
    json_decref(report->kept);
    report->kept = NULL;
}
