// SPDX-License-Identifier: MIT
#include "laws/wind/wind_course.h"

#include <math.h>

void wadi_wind_course_one(wind_course* course, double direction, double speed, double blowing)
{
    *course = (wind_course){.one = {direction, speed, 0.0}, .blowing = blowing};
}

void wadi_wind_course_destroy(wind_course* course, wadi_context* context)
{
    wadi_free(context, course->spells);
    wadi_free(context, course->eras);
    course->spells = NULL;
    course->eras = NULL;
    course->count = 0;
    course->era_count = 0;
}

// Years until the era ends; infinity for the last one.
static double course_until(const wind_course* course)
{
    return course->era + 1 < course->era_count ? course->eras[course->era + 1].from - course->now
                                               : HUGE_VAL;
}

static void course_pass_spell(wind_course* course)
{
    const wind_era* era = &course->eras[course->era];
    course->next = era->first + (course->next - era->first + 1) % era->count;
    course->gone = 0.0;
}

static void course_pass_era(wind_course* course)
{
    ++course->era;
    course->next = course->eras[course->era].first;
    course->gone = 0.0;
    course->now = course->eras[course->era].from;
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
    const double until = course_until(course);
    const double spare = until < years ? until : years;
    const double taken = left < spare ? left : spare;
    *out = *spell;
    out->years = taken * course->blowing;
    course->gone += taken;
    course->now += taken;
    if (until <= taken)
    {
        course_pass_era(course);
    }
    else if (left <= taken)
    {
        course_pass_spell(course);
    }
    return taken;
}

// Time [yr] within the current cycle of an era.
static double course_within(const wind_course* course, const wind_era* era, double now)
{
    double cycle = 0.0;
    for (int32_t i = era->first; i < era->first + era->count; ++i)
    {
        cycle += course->spells[i].years;
    }
    const double since = now - era->from;
    const double rest = cycle > 0.0 ? since - cycle * floor(since / cycle) : 0.0;
    return rest < cycle - WIND_COURSE_SLACK ? rest : 0.0;
}

void wadi_wind_course_seek(wind_course* course, double now)
{
    if (course->spells == NULL)
    {
        return;
    }
    course->era = 0;
    while (course->era + 1 < course->era_count &&
           course->eras[course->era + 1].from <= now + WIND_COURSE_SLACK)
    {
        ++course->era;
    }
    const wind_era* era = &course->eras[course->era];
    const int32_t last = era->first + era->count - 1;
    const double from = now > era->from ? now : era->from;
    double gone = course_within(course, era, from);
    course->next = era->first;
    while (course->next < last && gone >= course->spells[course->next].years - WIND_COURSE_SLACK)
    {
        const double left = gone - course->spells[course->next].years;
        gone = left > 0.0 ? left : 0.0;
        ++course->next;
    }
    course->gone = gone;
    course->now = from;
}

uint64_t wadi_wind_course_hash(const wind_course* course)
{
    // in units of a minute
    const uint64_t minutes = (uint64_t)(course->gone * 525960.0);
    return ((uint64_t)(uint32_t)course->next << 40) + (minutes << 20);
}
