// SPDX-License-Identifier: MIT
// Rain by years, and the seasons and storms of a year. The tables of streams are set here.
//
// Within a year the discharge of all streams varies together. Wear is not linear in discharge, so
// the rates of a step take the mean of its law over the year (wadi_streams_vary_row()); water,
// lakes and deposition take the mean discharge.
#include "core/dmath.h"
#include "core/time_series.h"
#include "processes/hydraulic/streams.h"

#include <math.h>
#include <string.h>

enum
{
    CLIMATE_YEAR,
    CLIMATE_FACTOR,
    CLIMATE_COLUMNS
};

enum
{
    SEASON_SHARE,
    SEASON_FACTOR,
    SEASON_COLUMNS
};

_Static_assert((int)CLIMATE_COLUMNS == (int)HYDRAULIC_CLIMATE_COLUMNS, "columns of the table");
_Static_assert((int)SEASON_COLUMNS == (int)HYDRAULIC_SEASON_COLUMNS, "columns of the table");

wadi_result wadi_streams_set_climate(streams* s, const double* rows, int32_t count)
{
    for (int32_t i = 1; i < count; ++i)
    {
        const double* row = rows + (ptrdiff_t)i * CLIMATE_COLUMNS;
        WADI_CHECK(s->context, row[CLIMATE_YEAR] > row[CLIMATE_YEAR - CLIMATE_COLUMNS],
                   WADI_ERROR_RANGE,
                   "row %d of climate is for the year %g, which does not come after %g: sort the "
                   "rows by year",
                   i + 1, row[CLIMATE_YEAR], row[CLIMATE_YEAR - CLIMATE_COLUMNS]);
    }
    double* copy = NULL;
    if (count > 0)
    {
        WADI_ALLOC(s->context, copy, (int64_t)count * CLIMATE_COLUMNS, "the climate");
        memcpy(copy, rows, (size_t)count * CLIMATE_COLUMNS * sizeof *copy);
    }
    wadi_free(s->context, s->supply.climate);
    s->supply.climate = copy;
    s->supply.climate_count = count;
    return WADI_OK;
}

wadi_result wadi_streams_set_seasons(streams* s, const double* rows, int32_t count)
{
    double shares = 0.0;
    double mean = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        const double* row = rows + (ptrdiff_t)i * SEASON_COLUMNS;
        shares += row[SEASON_SHARE];
        mean += row[SEASON_SHARE] * row[SEASON_FACTOR];
    }
    WADI_CHECK(s->context, count <= STREAM_MOST_SEASONS, WADI_ERROR_RANGE,
               "the table seasons has %d rows; expected at most %d", count, STREAM_MOST_SEASONS);
    WADI_CHECK(s->context, count == 0 || fabs(shares - 1.0) <= 1e-6, WADI_ERROR_RANGE,
               "the shares of seasons add up to %g; expected 1", shares);
    WADI_CHECK(s->context, count == 0 || mean > 0.0, WADI_ERROR_RANGE,
               "all factors of seasons are 0; expected some water in a year");
    for (int32_t i = 0; i < count; ++i)
    {
        const double* row = rows + (ptrdiff_t)i * SEASON_COLUMNS;
        s->supply.seasons[i] =
            (stream_season){(float)row[SEASON_SHARE], (float)(row[SEASON_FACTOR] / mean)};
    }
    s->supply.season_count = count;
    return WADI_OK;
}

void wadi_streams_read_climate(streams* s, const wadi_span* span)
{
    const wadi_series series = {.rows = s->supply.climate,
                                .count = s->supply.climate_count,
                                .columns = CLIMATE_COLUMNS,
                                .year = CLIMATE_YEAR};
    s->supply.factor =
        series.count > 0 ? wadi_series_mean(&series, CLIMATE_FACTOR, span->from, span->years) : 1.0;
}

// Mean over the year of f ((f g + head) / (g + head))^exponent, with f the factors of the seasons
// and g what has gathered of the mean discharge: wear over that under the mean discharge.
static float climate_of_seasons(const streams* s, float q)
{
    const float gathered = q > s->rates.own ? q - s->rates.own : 0.0f;
    const float mean = gathered + s->rates.head;
    float sum = 0.0f;
    for (int32_t i = 0; i < s->supply.season_count; ++i)
    {
        const stream_season season = s->supply.seasons[i];
        const float ratio = (season.factor * gathered + s->rates.head) / mean;
        sum += season.share * season.factor * wadi_powf(ratio, s->rates.exponent);
    }
    return sum;
}

void wadi_streams_vary_row(const streams* s, int64_t first)
{
    for (int64_t c = first; s->supply.season_count > 0 && c < first + s->width; ++c)
    {
        s->pace[c] *= s->pace[c] > 0.0f ? climate_of_seasons(s, s->discharge[c]) : 1.0f;
    }
}

// ---- the supply of a solver --------------------------------------------------------------

wadi_result wadi_streams_set_table(void* user, int32_t index, const double* rows, int32_t count)
{
    streams* s = user;
    switch (index)
    {
    case HYDRAULIC_TABLE_INFLOW:
        return wadi_streams_set_inflow(s, rows, count);
    case HYDRAULIC_TABLE_CLIMATE:
        return wadi_streams_set_climate(s, rows, count);
    default:
        return wadi_streams_set_seasons(s, rows, count);
    }
}

void wadi_streams_supply_free(streams* s)
{
    wadi_streams_drop_inflow(s);
    wadi_streams_drop_guests(s);
    wadi_free(s->context, s->supply.gates);
    wadi_free(s->context, s->supply.climate);
    wadi_free(s->context, s->supply.showers);
    wadi_free(s->context, s->supply.lift);
    wadi_free(s->context, s->supply.gaps);
}

wadi_result wadi_streams_supply_archive(streams* s, wadi_archive* archive)
{
    stream_supply* supply = &s->supply;
    bool showers = supply->showers != NULL;
    wadi_archive_bool(archive, &showers);
    if (showers && supply->showers == NULL)
    {
        WADI_ALLOC(s->context, supply->showers, s->cells, "orographic rain");
    }
    if (showers)
    {
        wadi_archive_grid(archive, supply->showers, 4, s->width, s->height);
    }
    wadi_archive_bool(archive, &supply->checked);
    wadi_archive_bool(archive, &supply->started);
    wadi_archive_f64(archive, &supply->until, 1);
    wadi_archive_f64(archive, &supply->factor, 1);
    wadi_archive_f64(archive, &supply->rain_sum, 1);
    wadi_archive_f64(archive, &supply->inflow_sum, 1);
    wadi_archive_f64(archive, &supply->outflow_sum, 1);
    wadi_archive_f64(archive, &supply->evaporated_sum, 1);
    return wadi_archive_result(archive);
}
