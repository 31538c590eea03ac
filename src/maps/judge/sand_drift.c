// SPDX-License-Identifier: MIT
// Drift potential, resultant and sand rose of a wind history.
#include <wadi/sand_drift.h>

#include "core/internal.h"
#include "laws/wind/wind_drift.h"

#include <math.h>
#include <string.h>

static const double history_cancel = 1e-6; // RDP / DP below which there is no resultant

static int32_t history_table(const char* name)
{
    int32_t index = 0;
    while (index < WIND_TABLE_COUNT && strcmp(wadi_wind_tables[index].name, name) != 0)
    {
        ++index;
    }
    return index;
}

static int32_t history_sector(double direction)
{
    const double width = 360.0 / WADI_SAND_ROSE_SECTORS;
    return (int32_t)floor(direction / width + 0.5) % WADI_SAND_ROSE_SECTORS;
}

// Shares of the sectors in the transport, and of the time with transport.
static void history_fill_rose(const wind_spell* spells, int32_t count, double threshold,
                              wadi_sand_drift* out)
{
    double all = 0.0;
    double years = 0.0;
    double moving = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        const double sand = wadi_wind_sand(&spells[i], threshold);
        out->sectors[history_sector(spells[i].direction)] += sand;
        all += sand;
        years += spells[i].years;
        moving += sand > 0.0 ? spells[i].years : 0.0;
    }
    for (int32_t s = 0; s < WADI_SAND_ROSE_SECTORS; ++s)
    {
        out->sectors[s] *= all > 0.0 ? out->potential / all : 0.0;
    }
    out->moving = moving / years;
}

static void history_measure(const wind_course* course, double threshold, wadi_sand_drift* out)
{
    const wind_era* era = &course->eras[course->era];
    const wind_spell* spells = course->spells + era->first;
    const wind_drift drift = wadi_wind_drift(course, threshold);
    out->potential = drift.potential;
    out->resultant = drift.resultant;
    out->ratio = drift.ratio;
    out->direction = drift.ratio > history_cancel ? drift.direction : (double)NAN;
    out->crests = wadi_wind_crests(spells, era->count, threshold).normal;
    history_fill_rose(spells, era->count, threshold, out);
}

wadi_result wadi_sand_drift_measure(wadi_context* context, const wadi_wind_history* history,
                                    wadi_sand_drift* out)
{
    *out = (wadi_sand_drift){.direction = (double)NAN};
    const int32_t index = history->table != NULL ? history_table(history->table) : WIND_TABLE_COUNT;
    WADI_CHECK(context, index < WIND_TABLE_COUNT, WADI_ERROR_UNKNOWN,
               "unknown wind table '%s'; expected rose, series or schedule",
               history->table != NULL ? history->table : "");
    WADI_CHECK(context, history->rows >= 1, WADI_ERROR_ARGUMENT,
               "the table '%s' has no rows; give at least one", history->table);
    WADI_CHECK(context, history->threshold >= 0.0 && history->threshold <= 60.0, WADI_ERROR_RANGE,
               "the threshold is %g m/s, expected 0 to 60", history->threshold);
    wind_course course = {0};
    WADI_TRY(
        wadi_wind_course_table(&course, context, index, history->values, history->rows, 1.0, 1.0));
    wadi_wind_course_seek(&course, history->year);
    history_measure(&course, history->threshold, out);
    wadi_wind_course_destroy(&course, context);
    WADI_CHECK(context, out->potential > 0.0, WADI_ERROR_RANGE,
               "no wind of the %s is above %g m/s; there is no sand drift", history->table,
               history->threshold);
    return WADI_OK;
}
