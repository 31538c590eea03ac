// SPDX-License-Identifier: MIT
#include "cli/report_goals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void cli_report_add_goal(cli_report* report, const char* process, const wadi_goal* goal,
                         const wadi_goal_course* course, double clock)
{
    if (report->goal_count < CLI_REPORT_GOALS)
    {
        report->goals[report->goal_count++] = (cli_report_goal){.process = process,
                                                                .name = wadi_goal_name(goal),
                                                                .unit = wadi_goal_unit(goal),
                                                                .wanted = wadi_goal_value(goal),
                                                                .reached = course->reached,
                                                                .met = course->met,
                                                                .years = course->years,
                                                                .clock = clock};
    }
}

json_t* cli_report_goals(const cli_report* report)
{
    json_t* out = json_array();
    for (int32_t i = 0; i < report->goal_count; ++i)
    {
        const cli_report_goal* goal = &report->goals[i];
        (void)json_array_append_new(
            out, json_pack("{s:s, s:s, s:s, s:f, s:f, s:b, s:f, s:f}", "process", goal->process,
                           "goal", goal->name, "unit", goal->unit, "wanted", goal->wanted,
                           "reached", goal->reached, "met", goal->met ? 1 : 0, "years", goal->years,
                           "clock_yr", goal->clock));
    }
    return out;
}

void cli_report_restore_goals(json_t* from, cli_report* report)
{
    for (size_t i = 0; i < json_array_size(from) && report->goal_count < CLI_REPORT_GOALS; ++i)
    {
        cli_report_goal* goal = &report->goals[report->goal_count];
        int met = 0;
        const bool reads =
            json_unpack(json_array_get(from, i), "{s:s, s:s, s:s, s:F, s:F, s:b, s:F, s:F}",
                        "process", &goal->process, "goal", &goal->name, "unit", &goal->unit,
                        "wanted", &goal->wanted, "reached", &goal->reached, "met", &met, "years",
                        &goal->years, "clock_yr", &goal->clock) == 0;
        goal->met = met != 0;
        report->goal_count += reads ? 1 : 0;
    }
}

// " m", or nothing for a pure number.
static const char* goal_unit(const cli_report_goal* goal)
{
    return strcmp(goal->unit, "m") == 0 ? " m" : "";
}

void cli_report_print_goals(const cli_report* report, const char* process)
{
    for (int32_t i = 0; i < report->goal_count; ++i)
    {
        const cli_report_goal* goal = &report->goals[i];
        if (strcmp(goal->process, process) == 0)
        {
            (void)printf("  %-14s %.6g%s: %s after %.6g yr, at year %.6g, with %.6g%s\n",
                         goal->name, goal->wanted, goal_unit(goal), goal->met ? "met" : "NOT met",
                         goal->years, goal->clock, goal->reached, goal_unit(goal));
        }
    }
}

cli_status cli_report_check_goals(const cli_report* report)
{
    for (int32_t i = 0; i < report->goal_count; ++i)
    {
        const cli_report_goal* goal = &report->goals[i];
        if (!goal->met)
        {
            return cli_fail(CLI_FAILED,
                            "%s did not reach '%s: %.6g%s' in %.6g yr, only %.6g%s; what was done "
                            "is written. Give more time ('for') or a smaller goal",
                            goal->process, goal->name, goal->wanted, goal_unit(goal), goal->years,
                            goal->reached, goal_unit(goal));
        }
    }
    return CLI_DONE;
}
