// SPDX-License-Identifier: MIT
// The wind as a function of time: a single wind that blows for a share of the year, a rose of
// several in turn, a series that repeats from its end, or a schedule of roses. A course stores its
// current position.
#pragma once

#include "laws/wind/wind_tables.h"

#include "core/internal.h"

// Shorter times [yr] are rounding: 0.03 s.
#define WIND_COURSE_SLACK 1e-9

// A wind and its duration. Calms have speed 0.
typedef struct wind_spell
{
    double direction; // from which the wind blows, clockwise from north [degree]
    double speed;     // [m/s]
    double years;
} wind_spell;

// A sequence of spells that repeats from a point of time on.
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
    double gone; // years of the next spell that have passed
    wind_era* eras;
    int32_t era_count;
    int32_t era;
    double now;        // [yr] since the start
    const char* table; // name of the source of the spells; NULL: none
    wind_spell one;
    double blowing; // share of each spell with wind; the rest is calm
} wind_course;

// Parameters of a course without a table.
typedef struct wind_prevailing
{
    int32_t regime;   // wadi_wind_regime
    double direction; // axis of the regime, from which the wind blows [degree]
    double speed;     // [m/s]
    double blowing;   // share of the time in which it blows
    double cycle;     // [yr] duration of one cycle of a regime or rose
} wind_prevailing;

// Set a single wind; allocates nothing.
void wadi_wind_course_one(wind_course* course, double direction, double speed, double blowing);
// Build one of the built-in regimes.
wadi_result wadi_wind_course_regime(wind_course* course, wadi_context* context,
                                    const wind_prevailing* prevailing);
// Build from the rows of the table `index` (WIND_TABLE_*). A rose runs through its winds within
// `cycle` [yr]; speeds are multiplied by `gain` (wadi_wind_gain()).
wadi_result wadi_wind_course_table(wind_course* course, wadi_context* context, int32_t index,
                                   const double* rows, int32_t count, double cycle, double gain);
// A table replaces the prevailing wind: fails if parameters of that wind differ from `by_default`,
// since one of the two must be a mistake.
wadi_result wadi_wind_course_check_table(wadi_context* context, int32_t index,
                                         const wind_prevailing* given,
                                         const wind_prevailing* by_default);
void wadi_wind_course_destroy(wind_course* course, wadi_context* context);

// Advance by a stretch of one wind, of at most `years` of the calendar. Returns its length;
// out->years is the part of it with wind.
double wadi_wind_course_next(wind_course* course, double years, wind_spell* out);

// Position at `now` [yr] since the start: a course is a function of the world's clock. A rest of a
// spell below WIND_COURSE_SLACK is left out.
void wadi_wind_course_seek(wind_course* course, double now);

// Word for the state hash that differs between positions in the course.
uint64_t wadi_wind_course_hash(const wind_course* course);
