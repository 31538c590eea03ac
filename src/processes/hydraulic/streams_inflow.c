// SPDX-License-Identifier: MIT
// Rivers that enter the map: their places, hydrographs and loads.
//
// The discharge of a step is the mean of the hydrograph over the step. Loads are counted in whole
// units up to both ends of a step, so their sum over steps does not depend on the steps.
#include "core/time_series.h"
#include "processes/hydraulic/streams.h"
#include "terrain/terrain.h"

#include <math.h>
#include <string.h>

enum
{
    INFLOW_X,
    INFLOW_Y,
    INFLOW_YEAR,
    INFLOW_DISCHARGE,     // [m3/s]
    INFLOW_LOAD,          // [m3/yr]
    INFLOW_CONCENTRATION, // [kg/m3]
    INFLOW_COLUMNS
};

_Static_assert((int)INFLOW_COLUMNS == (int)HYDRAULIC_INFLOW_COLUMNS, "columns of the table");

#define INFLOW_SECONDS 31557600.0 // of a year

// Times closer than this share of a step are equal.
#define INFLOW_SLACK 1e-6

static const double* inflow_row(const double* rows, int32_t row)
{
    return rows + (ptrdiff_t)row * INFLOW_COLUMNS;
}

static wadi_series inflow_series(const streams* s, const stream_river* river)
{
    return (wadi_series){.rows = inflow_row(s->supply.inflow, river->first),
                         .count = river->count,
                         .columns = INFLOW_COLUMNS,
                         .year = INFLOW_YEAR};
}

// ---- places ------------------------------------------------------------------------------

static int64_t inflow_cell(const streams* s, const double* row)
{
    return wadi_hydraulic_cell_at(s->ground, row[INFLOW_X], row[INFLOW_Y]);
}

bool wadi_streams_has_inflow(const streams* s, const wadi_river* river)
{
    for (int32_t i = 0; i < s->supply.river_count; ++i)
    {
        const double* row = inflow_row(s->supply.inflow, s->supply.rivers[i].first);
        const double dx = row[INFLOW_X] - river->x;
        const double dy = row[INFLOW_Y] - river->y;
        if (dx * dx + dy * dy <= river->reach * river->reach)
        {
            return true;
        }
    }
    return false;
}

static bool inflow_goes_on(const double* row)
{
    return row[INFLOW_X] == row[INFLOW_X - INFLOW_COLUMNS] &&
           row[INFLOW_Y] == row[INFLOW_Y - INFLOW_COLUMNS];
}

static wadi_result inflow_check_row(const streams* s, const double* rows, int32_t i)
{
    const double* row = inflow_row(rows, i);
    const int64_t cell = inflow_cell(s, row);
    WADI_CHECK(s->context, cell >= 0, WADI_ERROR_RANGE,
               "row %d of inflow: the place (%g, %g) m lies outside the map of %g x %g m", i + 1,
               row[INFLOW_X], row[INFLOW_Y], s->width * s->cell, s->height * s->cell);
    WADI_CHECK(s->context, s->ground->valid[cell] != 0, WADI_ERROR_RANGE,
               "row %d of inflow: the place (%g, %g) m has no data; move the river to land", i + 1,
               row[INFLOW_X], row[INFLOW_Y]);
    const bool follows = i > 0 && inflow_goes_on(row);
    WADI_CHECK(s->context, !follows || row[INFLOW_YEAR] > row[INFLOW_YEAR - INFLOW_COLUMNS],
               WADI_ERROR_RANGE,
               "row %d of inflow is for the year %g, which does not come after %g: sort the rows "
               "of a river by year",
               i + 1, row[INFLOW_YEAR], row[INFLOW_YEAR - INFLOW_COLUMNS]);
    return WADI_OK;
}

// Rows of one place that follow one another are one river.
static void inflow_find_rivers(streams* s, int32_t rows)
{
    stream_supply* supply = &s->supply;
    supply->river_count = 0;
    for (int32_t i = 0; i < rows; ++i)
    {
        const double* row = inflow_row(supply->inflow, i);
        if (i > 0 && inflow_goes_on(row))
        {
            supply->rivers[supply->river_count - 1].count += 1;
            continue;
        }
        supply->rivers[supply->river_count++] = (stream_river){inflow_cell(s, row), i, 1, 0};
    }
}

void wadi_streams_drop_inflow(streams* s)
{
    stream_supply* supply = &s->supply;
    wadi_free(s->context, supply->inflow);
    wadi_free(s->context, supply->rivers);
    supply->inflow = NULL;
    supply->rivers = NULL;
    supply->river_count = 0;
}

static wadi_result inflow_keep(streams* s, const double* rows, int32_t count)
{
    stream_supply* supply = &s->supply;
    WADI_ALLOC(s->context, supply->inflow, (int64_t)count * INFLOW_COLUMNS, "rivers");
    WADI_ALLOC(s->context, supply->rivers, count, "rivers");
    memcpy(supply->inflow, rows, (size_t)count * INFLOW_COLUMNS * sizeof *rows);
    inflow_find_rivers(s, count);
    return WADI_OK;
}

wadi_result wadi_streams_set_inflow(streams* s, const double* rows, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        WADI_TRY(inflow_check_row(s, rows, i));
    }
    wadi_streams_drop_inflow(s);
    wadi_result result = count > 0 ? inflow_keep(s, rows, count) : WADI_OK;
    result = result == WADI_OK ? wadi_streams_set_gates(s) : result;
    if (result != WADI_OK)
    {
        wadi_streams_drop_inflow(s);
        (void)wadi_streams_set_gates(s); // needs no memory now
        return result;
    }
    s->supply.checked = false;
    return WADI_OK;
}

// ---- a step ------------------------------------------------------------------------------

// Is the place of a river under the sea? Only before the first step: the sea may rise later.
static wadi_result inflow_check_sea(const streams* s, double year)
{
    for (int32_t i = 0; i < s->supply.river_count; ++i)
    {
        const stream_river* river = &s->supply.rivers[i];
        const double* row = inflow_row(s->supply.inflow, river->first);
        WADI_CHECK(s->context, s->rim[river->cell] != STREAM_SEA, WADI_ERROR_RANGE,
                   "row %d of inflow: the place (%g, %g) m lies under the sea in the year %g; "
                   "move the river to land",
                   river->first + 1, row[INFLOW_X], row[INFLOW_Y], year);
    }
    return WADI_OK;
}

int64_t wadi_streams_water(double discharge)
{
    return (int64_t)(discharge * INFLOW_SECONDS * STREAM_WATER + 0.5);
}

// Mass of loose matter by its bulk volume [kg/m3].
static double inflow_bulk_density(const streams* s)
{
    const wadi_material* soil = wadi_terrain_material(s->terrain, WADI_MATERIAL_SEDIMENT);
    return soil->density * (1.0 - soil->porosity);
}

// Load of a river from the year of its first row to another, as bulk volume [units x cells].
static double inflow_load(const streams* s, const stream_river* river, double year)
{
    const wadi_series series = inflow_series(s, river);
    const double bulk = INFLOW_SECONDS / inflow_bulk_density(s);
    const double volume =
        wadi_series_sum(&series, INFLOW_LOAD, -1, year) +
        bulk * wadi_series_sum(&series, INFLOW_CONCENTRATION, INFLOW_DISCHARGE, year);
    return volume * WADI_UNITS_PER_METRE / (s->cell * s->cell);
}

// Load of a river of the terrain in a step, as bulk volume [units x cells].
static int64_t inflow_guest_load(const streams* s, const stream_guest* guest, double years)
{
    const double water = (double)guest->water / STREAM_WATER * years;
    const double volume = water * s->params.river_load / inflow_bulk_density(s);
    return (int64_t)(volume * WADI_UNITS_PER_METRE / (s->cell * s->cell));
}

// Load of a river of the table in a step [units x cells].
static int64_t inflow_river_load(const streams* s, const stream_river* river, const wadi_span* span)
{
    const stream_supply* supply = &s->supply;
    // the end of the last step is taken as it was rounded then, so that no unit is lost or doubled
    const bool goes_on =
        supply->started && fabs(span->from - supply->until) <= INFLOW_SLACK * span->years;
    const double from = goes_on ? supply->until : span->from;
    return (int64_t)floor(inflow_load(s, river, span->from + span->years)) -
           (int64_t)floor(inflow_load(s, river, from));
}

static void inflow_add_load(streams* s, int64_t cell, int64_t units)
{
    s->load[cell] += units;
    s->tally.in[WADI_MATERIAL_SEDIMENT] += units;
}

// Room for load between the ground and the highest height [units x cells].
static double inflow_room(const streams* s)
{
    double room = 0.0;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        const double below =
            WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE - (double)wadi_ground_surface(s->ground, c);
        room += s->ground->valid[c] != 0 ? below : 0.0;
    }
    return room;
}

// A land without outlet keeps all load. Is there room for that of a step?
static wadi_result inflow_check_room(const streams* s, const wadi_span* span)
{
    double load = 0.0;
    for (int32_t i = 0; i < s->supply.river_count && !s->has_outlet; ++i)
    {
        load += (double)inflow_river_load(s, &s->supply.rivers[i], span);
    }
    for (int32_t i = 0; i < s->supply.guest_count && !s->has_outlet; ++i)
    {
        load += (double)inflow_guest_load(s, &s->supply.guests[i], span->years);
    }
    const double room = load > 0.0 ? inflow_room(s) : 0.0;
    const double volume = s->cell * s->cell / WADI_UNITS_PER_METRE;
    WADI_CHECK(
        s->context, load <= room, WADI_ERROR_RANGE,
        "rivers bring %g m3 of load from the year %g to %g, and land without an outlet keeps "
        "it, but has room for %g m3 below %g m; give it an open edge, or rivers less load",
        load * volume, span->from, span->from + span->years, room * volume, WADI_HEIGHT_LIMIT);
    return WADI_OK;
}

// Water of all rivers in the present step [units of discharge].
static int64_t inflow_all(const streams* s)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < s->supply.river_count; ++i)
    {
        sum += s->supply.rivers[i].water;
    }
    for (int32_t i = 0; i < s->supply.guest_count; ++i)
    {
        sum += s->supply.guests[i].water;
    }
    return sum;
}

// Rain of a year, before relief changes it [m3/yr].
static double inflow_rain(const streams* s)
{
    double sum = s->rain == NULL ? s->params.rain * (double)s->cells : 0.0;
    for (int64_t c = 0; c < s->cells && s->rain != NULL; ++c)
    {
        sum += s->ground->valid[c] != 0 ? (double)s->rain[c] : 0.0;
    }
    return sum * s->supply.factor * s->cell * s->cell;
}

// Books count water in 64 bits of the finest depth on a cell. The last bit stays free, since rain
// by relief, which is not known yet, may be more.
static wadi_result inflow_check_books(const streams* s, const wadi_span* span)
{
    const double volume = s->cell * s->cell / WADI_UNITS_PER_METRE;
    const wadi_tally* books = wadi_terrain_account(s->terrain, "hydraulic");
    const double came = books != NULL ? (double)books->in[WADI_MATERIAL_WATER] * volume : 0.0;
    const double comes = (inflow_rain(s) + (double)inflow_all(s) / STREAM_WATER) * span->years;
    WADI_CHECK(s->context, came + comes <= 0x1p62 * volume, WADI_ERROR_RANGE,
               "rain and rivers bring %g m3 of water up to the year %g, but the books of cells of "
               "%g m hold %g m3 of it; take larger cells, less water or a shorter time",
               came + comes, span->from + span->years, s->cell, 0x1p62 * volume);
    return WADI_OK;
}

wadi_result wadi_streams_read_inflow(streams* s, const wadi_span* span)
{
    stream_supply* supply = &s->supply;
    if (!supply->checked)
    {
        WADI_TRY(inflow_check_sea(s, span->from));
        supply->checked = true;
    }
    for (int32_t i = 0; i < supply->river_count; ++i)
    {
        stream_river* river = &supply->rivers[i];
        const wadi_series series = inflow_series(s, river);
        const double mean = wadi_series_mean(&series, INFLOW_DISCHARGE, span->from, span->years);
        river->water = wadi_streams_water(mean);
    }
    WADI_TRY(inflow_check_books(s, span));
    return inflow_check_room(s, span);
}

void wadi_streams_bring_load(streams* s, const wadi_span* span)
{
    stream_supply* supply = &s->supply;
    for (int32_t i = 0; i < supply->river_count; ++i)
    {
        const stream_river* river = &supply->rivers[i];
        inflow_add_load(s, river->cell, inflow_river_load(s, river, span));
    }
    for (int32_t i = 0; i < supply->guest_count; ++i)
    {
        const stream_guest* guest = &supply->guests[i];
        inflow_add_load(s, guest->cell, inflow_guest_load(s, guest, span->years));
    }
    supply->started = true;
    supply->until = span->from + span->years;
}

void wadi_streams_bring_water(streams* s)
{
    for (int32_t i = 0; i < s->supply.river_count; ++i)
    {
        const stream_river* river = &s->supply.rivers[i];
        s->water[river->cell] += river->water;
    }
    for (int32_t i = 0; i < s->supply.guest_count; ++i)
    {
        const stream_guest* guest = &s->supply.guests[i];
        s->water[guest->cell] += guest->water;
    }
}

double wadi_streams_gain(const streams* s)
{
    return s->supply.rain_now * STREAM_WATER + (double)inflow_all(s);
}

void wadi_streams_sum_water(streams* s)
{
    stream_supply* supply = &s->supply;
    supply->rain_sum += supply->rain_now * s->rates.years;
    supply->inflow_sum += (double)inflow_all(s) / STREAM_WATER * s->rates.years;
}
