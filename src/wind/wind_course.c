// SPDX-License-Identifier: MIT
#include "wind/wind_course.h"

#include "core/internal.h"

#include <math.h>

static const double course_hours = 8766.0; // of a year

void wadi_wind_course_one(wind_course* course, const wadi_wind_params* params)
{
    course->one = (wind_spell){params->direction, params->speed, 0.0};
    course->blowing = params->blowing;
}

void wadi_wind_course_destroy(wind_course* course, wadi_context* context)
{
    wadi_free(context, course->spells);
    course->spells = NULL;
    course->count = 0;
}

// Rows of the rose: direction, speed, share of the year.
static wadi_result course_check_rose(wadi_context* context, const double* rows, int32_t count)
{
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        sum += rows[3 * i + 2];
    }
    WADI_CHECK(context, fabs(sum - 1.0) <= 1e-3, WADI_ERROR_RANGE,
               "the shares of the wind rose sum to %g, expected 1; give calms as a row of speed 0",
               sum);
    return WADI_OK;
}

static wind_spell course_spell(int32_t index, const double* row)
{
    if (index == WIND_TABLE_ROSE)
    {
        return (wind_spell){row[0], row[1], row[2]};
    }
    return (wind_spell){row[1], row[2], row[0] / course_hours};
}

wadi_result wadi_wind_course_table(wind_course* course, wadi_context* context, int32_t index,
                                   const double* rows, int32_t count)
{
    if (index == WIND_TABLE_ROSE)
    {
        WADI_TRY(course_check_rose(context, rows, count));
    }
    double windy = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        const wind_spell spell = course_spell(index, rows + 3 * (size_t)i);
        windy += spell.speed > 0.0 ? spell.years : 0.0;
    }
    WADI_CHECK(context, windy > 0.0, WADI_ERROR_RANGE,
               "the winds are all calm; give at least one row with a speed and a duration");
    wind_spell* spells;
    WADI_ALLOC(context, spells, count, "the course of the winds");
    for (int32_t i = 0; i < count; ++i)
    {
        spells[i] = course_spell(index, rows + 3 * (size_t)i);
    }
    wadi_wind_course_destroy(course, context);
    course->spells = spells;
    course->count = count;
    course->next = 0;
    course->gone = 0.0;
    return WADI_OK;
}

double wadi_wind_course_next(wind_course* course, double years, wind_spell* out)
{
    if (course->spells == NULL)
    {
        *out = course->one;
        out->years = years * course->blowing;
        return years;
    }
    const wind_spell* spell = &course->spells[course->next];
    const double left = spell->years - course->gone;
    const double taken = left < years ? left : years;
    *out = *spell;
    out->years = taken;
    course->gone += taken;
    if (left <= years)
    {
        course->next = (course->next + 1) % course->count;
        course->gone = 0.0;
    }
    return taken;
}
