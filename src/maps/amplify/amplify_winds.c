// SPDX-License-Identifier: MIT
// Reduces a wind history to one equivalent wind for ripples and crests.
#include "laws/wind/wind_drift.h"
#include "maps/amplify/amplify_internal.h"

#include <math.h>
#include <string.h>

static const double winds_threshold = 6.17; // [m/s] = 12 knots: Fryberger & Dean 1979

int32_t wadi_amplify_table_count(void)
{
    return WIND_TABLE_COUNT;
}

const wadi_table_info* wadi_amplify_table(int32_t index)
{
    return index >= 0 && index < WIND_TABLE_COUNT ? &wadi_wind_tables[index] : NULL;
}

static int32_t winds_find_table(const char* name)
{
    int32_t index = 0;
    while (index < WIND_TABLE_COUNT && strcmp(wadi_wind_tables[index].name, name) != 0)
    {
        ++index;
    }
    return index;
}

// The era of a year.
static const wind_era* winds_era(const wind_course* course, double year)
{
    int32_t era = 0;
    while (era + 1 < course->era_count && course->eras[era + 1].from <= year)
    {
        ++era;
    }
    return &course->eras[era];
}

static double winds_mean_speed(const wind_spell* spells, int32_t count)
{
    double sand = 0.0;
    double moment = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        sand += wadi_wind_sand(&spells[i], winds_threshold);
        moment += wadi_wind_sand(&spells[i], winds_threshold) * spells[i].speed;
    }
    return sand > 0.0 ? moment / sand : 0.0;
}

// Crests take the orientation of maximum gross transport across them. The net share of it
// determines their asymmetry.
static void winds_set(const wind_spell* spells, int32_t count, wadi_amplify_params* params)
{
    const wind_crests crests = wadi_wind_crests(spells, count, winds_threshold);
    params->direction = crests.net >= 0.0 ? crests.normal + 180.0 : crests.normal;
    params->steadiness = fmin(1.0, fabs(crests.net) / crests.gross);
    params->speed = winds_mean_speed(spells, count);
}

// A table replaces the single wind: parameters of that wind must keep their defaults.
static wadi_result winds_check_given(wadi_context* context, const char* table,
                                     const wadi_amplify_params* params)
{
    const wadi_amplify_params initial = wadi_amplify_params_default();
    const bool turned = params->direction != initial.direction;
    const bool faster = params->speed != initial.speed;
    WADI_CHECK(
        context, !turned && !faster && params->steadiness == initial.steadiness, WADI_ERROR_STATE,
        "the table '%s' and the parameter %s both define the wind; leave one of them out", table,
        turned   ? "direction"
        : faster ? "speed"
                 : "steadiness");
    return WADI_OK;
}

wadi_result wadi_amplify_set_winds(wadi_context* context, const char* table, const double* values,
                                   int32_t rows, double year, wadi_amplify_params* params)
{
    const int32_t index = winds_find_table(table);
    WADI_CHECK(context, index < WIND_TABLE_COUNT, WADI_ERROR_UNKNOWN,
               "unknown wind table '%s'; expected rose, series or schedule", table);
    WADI_TRY(winds_check_given(context, table, params));
    WADI_CHECK(context, rows >= 1, WADI_ERROR_ARGUMENT,
               "the table '%s' has no rows; give at least one", table);
    wind_course course = {0};
    WADI_TRY(wadi_wind_course_table(&course, context, index, values, rows, 1.0, 1.0));
    const wind_era* era = winds_era(&course, year);
    const wind_spell* spells = course.spells + era->first;
    const bool moves = winds_mean_speed(spells, era->count) > 0.0;
    if (moves)
    {
        winds_set(spells, era->count, params);
    }
    wadi_wind_course_destroy(&course, context);
    WADI_CHECK(context, moves, WADI_ERROR_RANGE,
               "no wind of the %s moves sand; ripples need a wind above %g m/s", table,
               winds_threshold);
    return WADI_OK;
}
