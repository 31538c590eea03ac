// SPDX-License-Identifier: MIT
// The course of the winds: one that blows for a share of the year, a rose of several that take
// turns every year, or a series in time that begins again at its end. It remembers where it
// stopped.
#pragma once

#include "wind/wind_internal.h"

// A wind that blows for a while. Calms have no speed.
typedef struct wind_spell
{
    double direction; // that it comes from [degree]
    double speed;     // [m/s]
    double years;
} wind_spell;

typedef struct wind_course
{
    wind_spell* spells; // NULL: one wind
    int32_t count;
    int32_t next;
    double gone; // years of the next spell that are over
    wind_spell one;
    double blowing; // share of the year of the one wind
} wind_course;

void wadi_wind_course_one(wind_course* course, const wadi_wind_params* params);
// From the rows of the table `index` (WIND_TABLE_*), in the context's memory.
wadi_result wadi_wind_course_table(wind_course* course, wadi_context* context, int32_t index,
                                   const double* rows, int32_t count);
void wadi_wind_course_destroy(wind_course* course, wadi_context* context);

// The next stretch of one wind, at most `years` of the calendar long: what of them it takes is
// returned, and its own years are those of blowing.
double wadi_wind_course_next(wind_course* course, double years, wind_spell* out);
