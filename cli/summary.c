// SPDX-License-Identifier: MIT
#include "cli/summary.h"

#include "cli/help.h"
#include "cli/report_goals.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Solids of all materials together, or water.
typedef struct summary_matter
{
    double in;
    double out;
    double eroded;
    double deposited;
    double lost;
    double transit;
    double residual;
} summary_matter;

static summary_matter summary_add(const wadi_ledger_row* rows, int32_t count, bool water)
{
    summary_matter sum = {0};
    for (int32_t i = 0; i < count; ++i)
    {
        if ((i == WADI_MATERIAL_WATER) == water)
        {
            sum.in += rows[i].in;
            sum.out += cli_ledger_out(&rows[i]);
            sum.eroded += rows[i].eroded;
            sum.deposited += rows[i].deposited;
            sum.lost += rows[i].lost;
            sum.transit += rows[i].transit;
            sum.residual += rows[i].residual;
        }
    }
    return sum;
}

// The part of a process in the ledger.
static cli_summary_account summary_account(const wadi_terrain* terrain, const char* process)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger_of(terrain, process, rows, WADI_MAX_MATERIALS);
    const summary_matter solids = summary_add(rows, count, false);
    return (cli_summary_account){.about = wadi_process_find(wadi_terrain_context(terrain), process),
                                 .rain = summary_add(rows, count, true).in,
                                 .in = solids.in,
                                 .out = solids.out,
                                 .eroded = solids.eroded};
}

void cli_summary_take(const cli_report* report, const wadi_terrain* terrain, cli_summary* out)
{
    *out = (cli_summary){0};
    out->count = wadi_terrain_ledger(terrain, out->rows, WADI_MAX_MATERIALS);
    (void)wadi_terrain_ledger_of(terrain, WADI_MASK_ACCOUNT, out->masked, WADI_MAX_MATERIALS);
    const double cell = wadi_terrain_cell_size(terrain);
    out->area = (double)wadi_terrain_valid_count(terrain) * cell * cell;
    for (int32_t i = 0; i < report->process_count; ++i)
    {
        out->accounts[i] = summary_account(terrain, report->processes[i].name);
    }
}

static bool summary_has_figure(const cli_report_process* process, const char* name)
{
    for (int32_t i = 0; i < process->sum.figure_count; ++i)
    {
        if (strcmp(process->sum.figures[i].name, name) == 0)
        {
            return true;
        }
    }
    return false;
}

static void summary_line(const char* name, double value, const char* unit)
{
    const bool bare = strcmp(unit, "1") == 0;
    (void)printf("  %-14s %.6g%s%s\n", name, value, bare ? "" : " ", bare ? "" : unit);
}

// Print a line unless the value is zero.
static void summary_line_if(const char* name, double value, const char* unit)
{
    if (value != 0.0)
    {
        summary_line(name, value, unit);
    }
}

// Lines from the ledger, unless the process has a figure of that name.
enum
{
    SUMMARY_RAIN,
    SUMMARY_DENUDATION,
    SUMMARY_LOWERING,
    SUMMARY_LINES
};
static const wadi_figure_info summary_lines[SUMMARY_LINES] = {
    [SUMMARY_RAIN] = {"rain", "m/yr", WADI_FIGURE_MEAN, "mean rain a year", 0},
    [SUMMARY_DENUDATION] = {"denudation", "mm/kyr", WADI_FIGURE_MEAN,
                            "mean lowering of the map a year by solids that left it", 0},
    [SUMMARY_LOWERING] = {"mean_lowering", "m", WADI_FIGURE_SUM,
                          "the same over all years, in place of `denudation` where they are less "
                          "than one",
                          0},
};

static void summary_ledger_line(int32_t line, double value)
{
    summary_line(summary_lines[line].name, value, summary_lines[line].unit);
}

// All water that comes in is rain in processes that take a map of it. Others pour it: a flood, a
// river.
static bool summary_takes_rain(const wadi_process* process)
{
    for (int32_t i = 0; process != NULL && i < process->map_count; ++i)
    {
        if (process->maps[i].input && strcmp(process->maps[i].name, "rain") == 0)
        {
            return true;
        }
    }
    return false;
}

static bool summary_moves_solids(const wadi_process* process)
{
    uint32_t layers = process == NULL ? UINT32_MAX : 0;
    for (int32_t m = 0; process != NULL && m < process->model_count; ++m)
    {
        layers |= process->models[m].writes;
    }
    return (layers & ~WADI_LAYER_BIT(WADI_LAYER_WATER)) != 0;
}

// Do all models of a process report a figure of this name?
static bool summary_all_report(const wadi_process* process, const char* name)
{
    for (int32_t i = 0; i < process->figure_count; ++i)
    {
        if (strcmp(process->figures[i].name, name) == 0)
        {
            return process->figures[i].models == 0;
        }
    }
    return false;
}

static bool summary_may_print(const wadi_process* process, int32_t line)
{
    const bool fits =
        line == SUMMARY_RAIN ? summary_takes_rain(process) : summary_moves_solids(process);
    const int32_t of = line == SUMMARY_RAIN ? SUMMARY_RAIN : SUMMARY_DENUDATION;
    return fits && !summary_all_report(process, summary_lines[of].name);
}

const wadi_figure_info* cli_summary_line(const wadi_process* process, int32_t index)
{
    for (int32_t i = 0; i < SUMMARY_LINES; ++i)
    {
        if (summary_may_print(process, i) && index-- == 0)
        {
            return &summary_lines[i];
        }
    }
    return NULL;
}

// A run of hours prints its duration in hours too.
static void summary_years(double years)
{
    const cli_span span = cli_span_of(years);
    if (years > 0.0 && strcmp(span.unit, "yr") != 0)
    {
        (void)printf("  %-14s %.6g yr, %.6g %s\n", "years", years, span.value, span.unit);
        return;
    }
    summary_line("years", years, "yr");
}

// Print the mean lowering by the solids that a process carried off an area [m2]: as a rate, or as a
// depth where it ran for less than a year, as slides and floods do.
static void summary_denudation(double area, double carried_off, double years)
{
    if (years < 1.0)
    {
        summary_ledger_line(SUMMARY_LOWERING, carried_off / area);
        return;
    }
    summary_ledger_line(SUMMARY_DENUDATION, 1e6 * (carried_off / (area * years)));
}

// Print the figures of a process and those from its account in the ledger: rain and denudation.
static void summary_process(const cli_report_process* process, const cli_summary_account* account,
                            double area)
{
    (void)printf("%s\n", process->name);
    summary_years(process->sum.years);
    if (account->rain > 0.0 && summary_takes_rain(account->about) &&
        !summary_has_figure(process, "rain"))
    {
        summary_ledger_line(SUMMARY_RAIN, account->rain / (area * process->sum.years));
    }
    // uplift brings rock in, or lets it sink, and wears none
    const bool lifts = account->eroded == 0.0 && (account->in > 0.0 || account->out > 0.0);
    if (!lifts && summary_moves_solids(account->about) &&
        !summary_has_figure(process, "denudation"))
    {
        summary_denudation(area, account->out, process->sum.years);
    }
    for (int32_t i = 0; i < process->sum.figure_count; ++i)
    {
        const wadi_figure* figure = &process->sum.figures[i];
        if (strcmp(figure->name, "years") != 0)
        {
            summary_line(figure->name, figure->value, figure->unit);
        }
    }
}

static void summary_print_solids(const wadi_ledger_row* rows, int32_t count)
{
    const summary_matter solids = summary_add(rows, count, false);
    (void)printf("matter\n");
    summary_line("eroded", solids.eroded, "m3");
    summary_line("deposited", solids.deposited, "m3");
    summary_line("exported", solids.out, "m3");
    summary_line_if("brought in", solids.in, "m3");
    summary_line_if("in transit", solids.transit, "m3");
    summary_line_if("lost", solids.lost, "m3");
}

static void summary_print_masked(const wadi_ledger_row* rows, int32_t count)
{
    const summary_matter masked = summary_add(rows, count, false);
    summary_line_if("mask put back", masked.in, "m3");
    summary_line_if("mask held back", masked.lost, "m3");
}

static void summary_print_water(const wadi_ledger_row* rows, int32_t count)
{
    const summary_matter water = summary_add(rows, count, true);
    summary_line("water in", water.in, "m3");
    summary_line("water out", water.out + water.lost, "m3");
    summary_line("residual", summary_add(rows, count, false).residual + water.residual, "m3");
}

void cli_summary_print(const cli_report* report, const cli_summary* summary)
{
    for (int32_t i = 0; i < report->process_count; ++i)
    {
        summary_process(&report->processes[i], &summary->accounts[i], summary->area);
        cli_report_print_goals(report, report->processes[i].name);
    }
    summary_print_solids(summary->rows, summary->count);
    summary_print_masked(summary->masked, summary->count);
    summary_print_water(summary->rows, summary->count);
}

void cli_summary_print_state(uint64_t hash)
{
    (void)printf("state            %016" PRIx64 "\n", hash);
}

cli_status cli_summary_check(const wadi_terrain* terrain)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    for (int32_t i = 0; i < count; ++i)
    {
        if (rows[i].residual_units != 0)
        {
            return cli_fail(CLI_FAILED,
                            "the ledger has a residual of %g m3 of %s: this is a bug in wadi; "
                            "please report it with the command and the input",
                            rows[i].residual, rows[i].material);
        }
    }
    return CLI_DONE;
}
