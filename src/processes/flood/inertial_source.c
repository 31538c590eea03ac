// SPDX-License-Identifier: MIT
// Water that enters: hydrographs at places, and rain.
//
// Volumes are counted in whole units up to both ends of a step, so their sum over steps does not
// depend on the steps.
#include "processes/flood/inertial.h"

#include <math.h>

#define SOURCE_HOUR 3600.0 // [s]

enum
{
    SOURCE_SAMPLES = 4 // of a cell along a line
};

// ---- places ------------------------------------------------------------------------------

// The part of a line, from share[0] to share[1], where `from + share x way` lies in [0, most].
static void source_clip(double from, double way, double most, double share[2])
{
    if (way == 0.0)
    {
        share[1] = from >= 0.0 && from <= most ? share[1] : -1.0;
        return;
    }
    const double a = -from / way;
    const double b = (most - from) / way;
    share[0] = fmax(share[0], fmin(a, b));
    share[1] = fmin(share[1], fmax(a, b));
}

static int32_t source_index(double place, double cell, int32_t cells)
{
    const double index = floor(place / cell);
    return index < 0.0 ? 0 : index > cells - 1 ? cells - 1 : (int32_t)index;
}

// The lines of a grid are crossed cell by cell; a cell is entered once, as the line is straight.
static int32_t source_sample(const wadi_ground* ground, const double ends[4], const double share[2],
                             int64_t samples, int32_t* cells)
{
    int32_t count = 0;
    for (int64_t k = 0; k <= samples; ++k)
    {
        const double at =
            share[0] + (share[1] - share[0]) * (samples > 0 ? (double)k / (double)samples : 0.0);
        const double x = ends[0] + at * (ends[2] - ends[0]);
        const double y = ends[1] + at * (ends[3] - ends[1]);
        const int32_t column = source_index(x, ground->cell_size, ground->width);
        const int32_t up = source_index(y, ground->cell_size, ground->height);
        const int32_t cell = (ground->height - 1 - up) * ground->width + column;
        if (ground->valid[cell] != 0 && (count == 0 || cells[count - 1] != cell))
        {
            cells[count++] = cell;
        }
    }
    return count;
}

wadi_result wadi_inertial_line(wadi_context* context, const wadi_ground* ground,
                               const double ends[4], inertial_source* source)
{
    double share[2] = {0.0, 1.0};
    source_clip(ends[0], ends[2] - ends[0], ground->width * ground->cell_size, share);
    source_clip(ends[1], ends[3] - ends[1], ground->height * ground->cell_size, share);
    WADI_CHECK(context, share[0] <= share[1], WADI_ERROR_RANGE,
               "the inflow from (%g, %g) to (%g, %g) m lies outside the map of %g x %g "
               "m; give metres from its south-west corner",
               ends[0], ends[1], ends[2], ends[3], ground->width * ground->cell_size,
               ground->height * ground->cell_size);
    const double dx = ends[2] - ends[0];
    const double dy = ends[3] - ends[1];
    const double length = (share[1] - share[0]) * sqrt(dx * dx + dy * dy);
    const int64_t samples = (int64_t)(SOURCE_SAMPLES * length / ground->cell_size);
    WADI_ALLOC(context, source->cells, samples + 1, "cells of an inflow");
    source->count = source_sample(ground, ends, share, samples, source->cells);
    WADI_CHECK(context, source->count > 0, WADI_ERROR_RANGE,
               "the inflow from (%g, %g) to (%g, %g) m meets cells without data only; move it to "
               "land",
               ends[0], ends[1], ends[2], ends[3]);
    return WADI_OK;
}

// ---- inflow ------------------------------------------------------------------------------

// Units that have come up to a time [s].
static int64_t source_units(const inertial* w, const inertial_source* source, double time)
{
    const wadi_series* series = &source->series;
    const double before = wadi_series_sum(series, source->column, -1, 0.0);
    const double hours = wadi_series_sum(series, source->column, -1, time / SOURCE_HOUR) - before;
    const double units = floor(hours * SOURCE_HOUR * WADI_UNITS_PER_METRE / (w->cell * w->cell));
    return (int64_t)fmax(fmin(units, 1e18), -1e18);
}

static int64_t source_level(const inertial* w, int32_t cell)
{
    const ptrdiff_t i = wadi_inertial_at(w, cell);
    return (int64_t)w->planes.bed[i] + w->planes.mass[i];
}

// Units that raise all cells of a source to a level.
static int64_t source_room(const inertial* w, const inertial_source* source, int64_t level)
{
    int64_t sum = 0;
    for (int32_t k = 0; k < source->count; ++k)
    {
        const int64_t room = level - source_level(w, source->cells[k]);
        sum += room > 0 ? room : 0;
    }
    return sum;
}

// Fill the cells of a source from the lowest up, so that its water is level. What does not raise
// all of them by a unit, or raises them beyond the greatest height, waits.
static void source_pour(inertial* w, inertial_source* source)
{
    int64_t low = source_level(w, source->cells[0]);
    for (int32_t k = 1; k < source->count; ++k)
    {
        const int64_t level = source_level(w, source->cells[k]);
        low = level < low ? level : low;
    }
    const int64_t most = (int64_t)(WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE);
    int64_t high = low + source->owed < most ? low + source->owed + 1 : most;
    while (high - low > 1)
    {
        const int64_t middle = low + (high - low) / 2;
        const bool fits = source_room(w, source, middle) <= source->owed;
        low = fits ? middle : low;
        high = fits ? high : middle;
    }
    for (int32_t k = 0; k < source->count; ++k)
    {
        const int64_t room = low - source_level(w, source->cells[k]);
        if (room > 0)
        {
            source->owed -= room;
            wadi_inertial_pour(w, source->cells[k], (int32_t)room);
        }
    }
}

void wadi_inertial_bring(inertial* w, double step)
{
    for (int32_t k = 0; k < w->source_count; ++k)
    {
        inertial_source* source = &w->sources[k];
        source->owed += source_units(w, source, w->time + step) - source_units(w, source, w->time);
        if (source->owed > 0)
        {
            source_pour(w, source);
        }
    }
}

// ---- rain --------------------------------------------------------------------------------

static double source_rain(const inertial* w, double time)
{
    const double hours = fmin(time / SOURCE_HOUR, w->rain_hours);
    return floor(w->rain * 1e-3 * hours * WADI_UNITS_PER_METRE);
}

int32_t wadi_inertial_rain(const inertial* w, double step)
{
    return (int32_t)(source_rain(w, w->time + step) - source_rain(w, w->time));
}

// Does a source still give water after a time?
static bool source_lasts(const inertial_source* source, double hours)
{
    const wadi_series* series = &source->series;
    const double* rows = series->rows;
    const int32_t last = series->count - 1;
    bool lasts = rows[(ptrdiff_t)last * series->columns + source->column] > 0.0;
    for (int32_t i = last; i > 0 && !lasts; --i)
    {
        const double* row = rows + (ptrdiff_t)i * series->columns;
        const double* before = row - series->columns;
        lasts = row[series->year] > hours &&
                (row[source->column] > 0.0 || before[source->column] > 0.0);
    }
    return lasts;
}

bool wadi_inertial_awaits(const inertial* w)
{
    const double hours = w->time / SOURCE_HOUR;
    bool awaits = w->rain > 0.0 && hours < w->rain_hours;
    for (int32_t k = 0; k < w->source_count; ++k)
    {
        awaits = awaits || source_lasts(&w->sources[k], hours);
    }
    return awaits;
}
