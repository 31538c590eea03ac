// SPDX-License-Identifier: MIT
#include "cli/report.h"

#include "cli/output.h"
#include "cli/report_goals.h"
#include "cli/trace.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const report_sides[WADI_SIDE_COUNT] = {"north", "east", "south", "west", "void"};

void cli_report_begin(const wadi_terrain* terrain, cli_report* report)
{
    *report = (cli_report){0};
    (void)wadi_terrain_ledger(terrain, report->start, WADI_MAX_MATERIALS);
}

static cli_report_process* report_process(cli_report* report, const char* name)
{
    for (int32_t i = 0; i < report->process_count; ++i)
    {
        if (strcmp(report->processes[i].name, name) == 0)
        {
            return &report->processes[i];
        }
    }
    if (report->process_count == CLI_REPORT_PROCESSES)
    {
        return NULL;
    }
    cli_report_process* process = &report->processes[report->process_count++];
    process->name = name;
    process->instance = -1;
    return process;
}

static void report_add_work(cli_report_sum* sum, const wadi_work* work)
{
    for (int32_t i = 0; i < sum->work_count; ++i)
    {
        if (strcmp(sum->work[i].name, work->name) == 0)
        {
            sum->work[i].count += work->count;
            return;
        }
    }
    if (sum->work_count < CLI_REPORT_WORK)
    {
        sum->work[sum->work_count++] = *work;
    }
}

static wadi_figure* report_figure(cli_report_sum* sum, const char* name)
{
    for (int32_t i = 0; i < sum->figure_count; ++i)
    {
        if (strcmp(sum->figures[i].name, name) == 0)
        {
            return &sum->figures[i];
        }
    }
    return NULL;
}

// `share` is the weight of this run: its years over all years of the process.
static void report_add_figure(cli_report_sum* sum, const wadi_figure* figure, double share)
{
    wadi_figure* all = report_figure(sum, figure->name);
    if (all == NULL)
    {
        if (sum->figure_count < CLI_REPORT_WORK)
        {
            sum->figures[sum->figure_count++] = *figure;
        }
        return;
    }
    switch (figure->kind)
    {
    case WADI_FIGURE_SUM:
        all->value += figure->value;
        break;
    case WADI_FIGURE_MEAN:
        all->value += share * (figure->value - all->value);
        break;
    default:
        all->value = figure->value;
    }
}

void cli_report_add(cli_report* report, const wadi_solver* solver, double years, double wall_s)
{
    cli_report_process* process = report_process(report, wadi_solver_process(solver)->name);
    if (process == NULL)
    {
        return;
    }
    if (process->instance != wadi_solver_instance(solver))
    {
        process->instance = wadi_solver_instance(solver);
        process->before = process->sum;
        process->solver_years = 0.0;
    }
    process->wall_s += wall_s;
    process->solver_years += years;
    cli_report_sum* sum = &process->sum;
    *sum = process->before;
    sum->years += process->solver_years;
    wadi_work work[CLI_REPORT_WORK];
    const int32_t count = wadi_solver_work(solver, work, CLI_REPORT_WORK);
    for (int32_t i = 0; i < count && i < CLI_REPORT_WORK; ++i)
    {
        report_add_work(sum, &work[i]);
    }
    wadi_figure figures[CLI_REPORT_WORK];
    const int32_t figure_count = wadi_solver_figures(solver, figures, CLI_REPORT_WORK);
    for (int32_t i = 0; i < figure_count && i < CLI_REPORT_WORK; ++i)
    {
        report_add_figure(sum, &figures[i],
                          sum->years > 0.0 ? process->solver_years / sum->years : 1.0);
    }
}

double cli_ledger_out(const wadi_ledger_row* row)
{
    double sum = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        sum += row->out[side];
    }
    return sum;
}

// null for NaN and infinity.
static json_t* report_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t* report_sides_of(const wadi_ledger_row* row)
{
    json_t* out = json_object();
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        (void)json_object_set_new(out, report_sides[side], report_number(row->out[side]));
    }
    return out;
}

// Residual relative to the largest amount in the row; 0 if all amounts are 0.
static double report_relative(const wadi_ledger_row* row, double before)
{
    const double terms[] = {before, row->after, row->in, cli_ledger_out(row), row->converted};
    double largest = 0.0;
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; ++i)
    {
        largest = fmax(largest, fabs(terms[i]));
    }
    return row->residual == 0.0 ? 0.0 : fabs(row->residual) / largest;
}

// after = before + edited + in - out - lost + converted - transit + residual
static json_t* report_ledger_row(const wadi_ledger_row* row, const wadi_ledger_row* start)
{
    const double before = start->after;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", //
                     "before_m3", report_number(before),                                       //
                     "after_m3", report_number(row->after),                                    //
                     "in_m3", report_number(row->in),                                          //
                     "out_m3", report_number(cli_ledger_out(row)),                             //
                     "residual_m3", report_number(row->residual),                              //
                     "relative_residual", report_number(report_relative(row, before)),         //
                     "residual_units", (json_int_t)row->residual_units,                        //
                     "edited_m3", report_number(row->edited - start->edited),                  //
                     "lost_m3", report_number(row->lost),                                      //
                     "converted_m3", report_number(row->converted),                            //
                     "transit_m3", report_number(row->transit),                                //
                     "eroded_m3", report_number(row->eroded),                                  //
                     "deposited_m3", report_number(row->deposited),                            //
                     "out_by_side_m3", report_sides_of(row));
}

static json_t* report_ledger(const cli_report* report, const wadi_terrain* terrain)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    json_t* out = json_object();
    for (int32_t i = 0; i < count; ++i)
    {
        (void)json_object_set_new(out, rows[i].material,
                                  report_ledger_row(&rows[i], &report->start[i]));
    }
    return out;
}

static json_t* report_work(const cli_report_process* process, double divisor)
{
    json_t* out = json_object();
    for (int32_t i = 0; i < process->sum.work_count; ++i)
    {
        (void)json_object_set_new(out, process->sum.work[i].name,
                                  report_number(process->sum.work[i].count / divisor));
    }
    return out;
}

static json_t* report_figures(const cli_report_process* process)
{
    json_t* out = json_object();
    for (int32_t i = 0; i < process->sum.figure_count; ++i)
    {
        const wadi_figure* figure = &process->sum.figures[i];
        json_t* value =
            json_pack("{s:o, s:s}", "value", report_number(figure->value), "unit", figure->unit);
        (void)json_object_set_new(out, figure->name, value);
    }
    return out;
}

// Solids that a process moved [m3], from its own account.
static json_t* report_moved(const wadi_terrain* terrain, const char* process)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger_of(terrain, process, rows, WADI_MAX_MATERIALS);
    double eroded = 0.0;
    double deposited = 0.0;
    double in = 0.0;
    double out = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        const bool is_solid = i != WADI_MATERIAL_WATER;
        eroded += is_solid ? rows[i].eroded : 0.0;
        deposited += is_solid ? rows[i].deposited : 0.0;
        in += is_solid ? rows[i].in : 0.0;
        out += is_solid ? cli_ledger_out(&rows[i]) : 0.0;
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "eroded_m3", report_number(eroded), "deposited_m3",
                     report_number(deposited), "in_m3", report_number(in), "out_m3",
                     report_number(out));
}

static json_t* report_processes(const cli_report* report, const wadi_terrain* terrain)
{
    json_t* out = json_object();
    for (int32_t i = 0; i < report->process_count; ++i)
    {
        const cli_report_process* process = &report->processes[i];
        json_t* entry =
            json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", //
                      "wall_s", report_number(process->wall_s), "work", report_work(process, 1.0),
                      "rates_per_s", report_work(process, process->wall_s), "years",
                      report_number(process->sum.years), "moved",
                      report_moved(terrain, process->name), "figures", report_figures(process));
        (void)json_object_set_new(out, process->name, entry);
    }
    return out;
}

// Seeds that exceed JSON's 64-bit integers become strings.
static json_t* report_seed(uint64_t seed)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%" PRIu64, seed);
    return seed <= INT64_MAX ? json_integer((json_int_t)seed) : json_string(digits);
}

// Level of the sea at the terrain's clock [m]; null without a sea.
static json_t* report_sea(const wadi_terrain* terrain)
{
    double level;
    return wadi_terrain_sea_level(terrain, wadi_terrain_clock(terrain), &level) ? json_real(level)
                                                                                : json_null();
}

static json_t* report_build(const cli_report* report, const wadi_terrain* terrain,
                            const cli_report_run* run)
{
    char hash[20];
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, run->hash);
    return json_pack("{s:s, s:s?, s:o, s:i, s:f, s:s, s:b, s:f, s:o, s:o, s:o, s:o, s:o}", //
                     "version", wadi_version(), "scene", run->scene, "seed",
                     report_seed(wadi_terrain_seed(terrain)), "threads", run->threads, "wall_s",
                     run->wall_s, "state_hash", hash, "interrupted", run->interrupted, "clock_yr",
                     run->years, "sea_level_m", report_sea(terrain), "ledger",
                     report_ledger(report, terrain), "processes", report_processes(report, terrain),
                     "goals", cli_report_goals(report), "origin", cli_trace_json(run->tags));
}

char* cli_report_text(const cli_report* report, const wadi_terrain* terrain,
                      const cli_report_run* run)
{
    json_t* root = report_build(report, terrain, run);
    char* text = json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    return text;
}

cli_status cli_report_write(const cli_report* report, const wadi_terrain* terrain,
                            const cli_report_run* run, const char* path)
{
    char* text = cli_report_text(report, terrain, run);
    if (text == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for the report %s", path);
    }
    const cli_status status = cli_output_write(path, text);
    free(text);
    return status;
}
