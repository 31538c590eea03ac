// SPDX-License-Identifier: MIT
// Builds wind courses from tables and from the built-in regimes.
#include "laws/wind/wind_course.h"

#include "core/dmath.h"

#include <wadi/airflow.h>

#include <math.h>
#include <string.h>

static const double build_hours = 8766.0;  // hours of a year
static const double build_shortest = 0.01; // shortest series [h]: repeats 900 000 times a year

// Replace `course` by the finished `made`.
static void build_install(wind_course* course, wadi_context* context, wind_course made)
{
    wadi_wind_course_destroy(course, context);
    made.one = course->one;
    made.next = made.eras[0].first;
    *course = made;
}

static wadi_result build_allocate(wadi_context* context, int32_t spells, int32_t eras,
                                  wind_course* out)
{
    *out = (wind_course){.count = spells, .era_count = eras, .blowing = 1.0};
    WADI_ALLOC(context, out->spells, spells, "the course of the winds");
    out->eras = wadi_alloc(context, (size_t)eras, sizeof *out->eras);
    if (out->eras == NULL)
    {
        wadi_free(context, out->spells);
        return wadi_fail_memory(context, (size_t)eras * sizeof *out->eras, "the eras of the winds");
    }
    return WADI_OK;
}

// ---- tables ------------------------------------------------------------------------------------

static wadi_result build_check_shares(wadi_context* context, const double* rows, int32_t columns,
                                      int32_t count, const char* what)
{
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        sum += rows[columns * i + columns - 1];
    }
    WADI_CHECK(context, fabs(sum - 1.0) <= 1e-3, WADI_ERROR_RANGE,
               "the shares of the %s sum to %g, expected 1; give calms as a row of speed 0", what,
               sum);
    return WADI_OK;
}

// Number of leading rows of a schedule with the same year.
static int32_t build_era_rows(const double* rows, int32_t count)
{
    int32_t same = 1;
    while (same < count && rows[4 * (ptrdiff_t)same] == rows[0])
    {
        ++same;
    }
    return same;
}

static wadi_result build_check_schedule(wadi_context* context, const double* rows, int32_t count,
                                        int32_t* eras)
{
    WADI_CHECK(context, rows[0] == 0.0, WADI_ERROR_RANGE,
               "the schedule begins in year %g; give the winds from year 0 on", rows[0]);
    *eras = 0;
    for (int32_t i = 0; i < count; ++*eras)
    {
        const double* era = rows + 4 * (ptrdiff_t)i;
        const int32_t same = build_era_rows(era, count - i);
        WADI_CHECK(context, i == 0 || era[0] > era[-4], WADI_ERROR_RANGE,
                   "year %g of the schedule comes after year %g; put its rows in order of time",
                   era[0], era[-4]);
        WADI_TRY(build_check_shares(context, era, 4, same, "schedule"));
        i += same;
    }
    return WADI_OK;
}

static wadi_result build_check(wadi_context* context, int32_t index, const double* rows,
                               int32_t count, int32_t* eras)
{
    *eras = 1;
    if (index == WIND_TABLE_SCHEDULE)
    {
        return build_check_schedule(context, rows, count, eras);
    }
    return index == WIND_TABLE_ROSE ? build_check_shares(context, rows, 3, count, "wind rose")
                                    : WADI_OK;
}

static wind_spell build_spell(int32_t index, const double* row, double cycle, double gain)
{
    switch (index)
    {
    case WIND_TABLE_ROSE:
        return (wind_spell){row[0], row[1] * gain, row[2] * cycle};
    case WIND_TABLE_SERIES:
        return (wind_spell){row[1], row[2] * gain, row[0] / build_hours};
    default:
        return (wind_spell){row[1], row[2] * gain, row[3] * cycle};
    }
}

static void build_eras(wind_course* made, int32_t index, const double* rows)
{
    made->eras[0] = (wind_era){0.0, 0, made->count};
    for (int32_t i = 0, era = 0; index == WIND_TABLE_SCHEDULE && i < made->count; ++era)
    {
        const int32_t same = build_era_rows(rows + 4 * (ptrdiff_t)i, made->count - i);
        made->eras[era] = (wind_era){rows[4 * (ptrdiff_t)i], i, same};
        i += same;
    }
}

// A course of calms only, or of no duration, would let its process wait forever.
static wadi_result build_check_windy(wadi_context* context, int32_t index, const double* rows,
                                     int32_t count)
{
    double windy = 0.0;
    double years = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        const int32_t columns = wadi_wind_tables[index].column_count;
        const wind_spell spell = build_spell(index, rows + columns * (ptrdiff_t)i, 1.0, 1.0);
        windy += spell.speed > 0.0 ? spell.years : 0.0;
        years += spell.years;
    }
    WADI_CHECK(context, windy > 0.0, WADI_ERROR_RANGE,
               "the winds are all calm; give at least one row with a speed and a duration");
    WADI_CHECK(context, years * build_hours >= build_shortest, WADI_ERROR_RANGE,
               "the %s has a total duration of %g h; give at least %g h",
               wadi_wind_tables[index].name, years * build_hours, build_shortest);
    return WADI_OK;
}

wadi_result wadi_wind_course_table(wind_course* course, wadi_context* context, int32_t index,
                                   const double* rows, int32_t count, double cycle, double gain)
{
    const char* name = wadi_wind_tables[index].name;
    WADI_CHECK(context, course->table == NULL || strcmp(course->table, name) == 0, WADI_ERROR_STATE,
               "the winds are given twice, as '%s' and as '%s': leave one of the tables out",
               course->table, name);
    int32_t eras;
    WADI_TRY(build_check(context, index, rows, count, &eras));
    WADI_TRY(build_check_windy(context, index, rows, count));
    wind_course made;
    WADI_TRY(build_allocate(context, count, eras, &made));
    const int32_t columns = wadi_wind_tables[index].column_count;
    for (int32_t i = 0; i < count; ++i)
    {
        made.spells[i] = build_spell(index, rows + columns * (ptrdiff_t)i, cycle, gain);
    }
    build_eras(&made, index, rows);
    made.table = name;
    build_install(course, context, made);
    return WADI_OK;
}

wadi_result wadi_wind_course_check_table(wadi_context* context, int32_t index,
                                         const wind_prevailing* given,
                                         const wind_prevailing* by_default)
{
    const bool turned = given->direction != by_default->direction;
    const bool faster = given->speed != by_default->speed;
    const bool longer = given->blowing != by_default->blowing;
    const bool others = given->regime != by_default->regime;
    WADI_CHECK(context, !turned && !faster && !longer && !others, WADI_ERROR_STATE,
               "the table '%s' and the parameter %s both define the wind; leave one of them out",
               wadi_wind_tables[index].name,
               turned   ? "direction"
               : faster ? "speed"
               : longer ? "blowing"
                        : "regime");
    return WADI_OK;
}

// ---- regimes -----------------------------------------------------------------------------------

const char* const wadi_wind_regime_names[WADI_WIND_REGIME_COUNT + 1] = {
    [WADI_WIND_UNIMODAL] = "unimodal", [WADI_WIND_ACUTE] = "acute", [WADI_WIND_OBTUSE] = "obtuse",
    [WADI_WIND_OPPOSED] = "opposed",   [WADI_WIND_THREE] = "three", [WADI_WIND_FIVE] = "five",
    [WADI_WIND_SEASONAL] = "seasonal",
};

enum
{
    BUILD_MONTHS = 12
};

static const double build_swing = 60.0; // amplitude of the seasons [degree]

// Number of winds of a regime and the angle between them [degree].
static const struct
{
    int32_t winds;
    double apart;
} build_regimes[WADI_WIND_REGIME_COUNT] = {
    [WADI_WIND_UNIMODAL] = {1, 0.0},
    [WADI_WIND_ACUTE] = {2, 60.0},
    [WADI_WIND_OBTUSE] = {2, 120.0},
    [WADI_WIND_OPPOSED] = {2, 180.0},
    [WADI_WIND_THREE] = {3, 120.0},
    [WADI_WIND_FIVE] = {5, 72.0},
    [WADI_WIND_SEASONAL] = {BUILD_MONTHS, 0.0},
};

// Direction of wind `i`: evenly spaced about the axis, or varying about it with the season.
static double build_direction(const wind_prevailing* p, int32_t i)
{
    const int32_t winds = build_regimes[p->regime].winds;
    const double turn = 2.0 * 3.14159265358979323846 * (double)i / (double)winds;
    const double off = p->regime == WADI_WIND_SEASONAL
                           ? build_swing * wadi_sin(turn)
                           : build_regimes[p->regime].apart * (i - 0.5 * (winds - 1));
    const double direction = p->direction + off;
    return direction - 360.0 * floor(direction / 360.0);
}

wadi_result wadi_wind_course_regime(wind_course* course, wadi_context* context,
                                    const wind_prevailing* p)
{
    if (p->regime == WADI_WIND_UNIMODAL)
    {
        wadi_wind_course_destroy(course, context);
        wadi_wind_course_one(course, p->direction, p->speed, p->blowing);
        return WADI_OK;
    }
    const int32_t winds = build_regimes[p->regime].winds;
    wind_course made;
    WADI_TRY(build_allocate(context, winds, 1, &made));
    made.blowing = p->blowing;
    made.eras[0] = (wind_era){0.0, 0, winds};
    for (int32_t i = 0; i < winds; ++i)
    {
        made.spells[i] = (wind_spell){build_direction(p, i), p->speed, p->cycle / winds};
    }
    build_install(course, context, made);
    return WADI_OK;
}
