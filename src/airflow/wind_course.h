// SPDX-License-Identifier: MIT
// The course of the winds: which wind blows when. One that blows for a share of the year, a rose of
// several that take turns, a series in time that begins again at its end, or roses that follow each
// other by a schedule. It remembers where it stopped.
#pragma once

#include "airflow/wind_tables.h"

#include "core/internal.h"

// A wind that blows for a while. Calms have no speed.
typedef struct wind_spell
{
    double direction; // that it comes from, clockwise from north [degree]
    double speed;     // [m/s]
    double years;
} wind_spell;

// Spells that come round again and again, from a point of time on.
typedef struct wind_era
{
    double from; // [yr] since the start
    int32_t first;
    int32_t count; // of spells
} wind_era;

typedef struct wind_course
{
    wind_spell* spells; // NULL: one wind
    int32_t count;
    int32_t next;
    double gone; // years of the next spell that are over
    wind_era* eras;
    int32_t era_count;
    int32_t era;
    double now;        // [yr] since the start
    const char* table; // that the spells are from; NULL: none
    wind_spell one;
    double blowing; // share of each spell in which its wind blows; a calm has the rest
} wind_course;

// What a course is made of where no table says more.
typedef struct wind_prevailing
{
    int32_t regime;   // wadi_wind_regime
    double direction; // of the regime's axis, that the wind comes from [degree]
    double speed;     // [m/s]
    double blowing;   // share of the time in which it blows
    double cycle;     // [yr] in which each wind of a regime or rose has its turn
} wind_prevailing;

// One wind without memory of its own: nothing to fail, nothing to free.
void wadi_wind_course_one(wind_course* course, double direction, double speed, double blowing);
// One of the built-in regimes.
wadi_result wadi_wind_course_regime(wind_course* course, wadi_context* context,
                                    const wind_prevailing* prevailing);
// From the rows of the table `index` (WIND_TABLE_*). The winds of a rose have their turns within
// `cycle` [yr]; speeds are multiplied by `gain` (wadi_wind_gain()).
wadi_result wadi_wind_course_table(wind_course* course, wadi_context* context, int32_t index,
                                   const double* rows, int32_t count, double cycle, double gain);
// A table stands in place of the prevailing wind. Where parameters say of that wind other than they
// say `by_default`, one of the two is a mistake.
wadi_result wadi_wind_course_check_table(wadi_context* context, int32_t index,
                                         const wind_prevailing* given,
                                         const wind_prevailing* by_default);
void wadi_wind_course_destroy(wind_course* course, wadi_context* context);

// The next stretch of one wind, at most `years` of the calendar long: what of them it takes is
// returned, and its own years are those of blowing.
double wadi_wind_course_next(wind_course* course, double years, wind_spell* out);

// A word that differs between two points of the course, for the state hash.
uint64_t wadi_wind_course_hash(const wind_course* course);
