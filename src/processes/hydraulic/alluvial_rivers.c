// SPDX-License-Identifier: MIT
// Rivers that enter an alluvial plain: the table `inflow`, with the meaning that it has in streams.
//
// All water of a year comes in its days of flood. Loads are counted in whole units up to both ends
// of a step, so their sum over steps does not depend on the steps.
#include "core/time_series.h"
#include "processes/hydraulic/alluvial.h"
#include "processes/hydraulic/alluvial_law.h"

#include <math.h>
#include <string.h>

enum
{
    RIVER_X,
    RIVER_Y,
    RIVER_YEAR,
    RIVER_DISCHARGE,     // [m3/s]
    RIVER_LOAD,          // [m3/yr]
    RIVER_CONCENTRATION, // [kg/m3]
    RIVER_COLUMNS
};

_Static_assert((int)RIVER_COLUMNS == (int)HYDRAULIC_INFLOW_COLUMNS, "columns of the table");

// Times closer than this share of a step are equal.
#define RIVER_SLACK 1e-6

// Load that a round counts at least, over the volume of its water.
#define RIVER_LEAST_LOAD 1e-3
#define RIVER_LEAST_FED 1e-2 // where it brings what its flow can carry, which rounds do not know

// Most load on the map in a step in which rivers bring load by their capacity [units x cells]: what
// lost parcels hold of it fits a saved state.
static const double river_most_fed = 0x1p49;

// Moves of a step that are not worth a word: half a minute, at 102 ns each. Progress is told and a
// run stops between steps only.
static const double river_few_moves = 3e8;

static const double* river_row(const double* rows, int32_t row)
{
    return rows + (ptrdiff_t)row * RIVER_COLUMNS;
}

// ---- the table ---------------------------------------------------------------------------

static int64_t river_cell(const alluvial* a, const double* row)
{
    return wadi_hydraulic_cell_at(a->ground, row[RIVER_X], row[RIVER_Y]);
}

static bool river_goes_on(const double* row)
{
    return row[RIVER_X] == row[RIVER_X - RIVER_COLUMNS] &&
           row[RIVER_Y] == row[RIVER_Y - RIVER_COLUMNS];
}

static wadi_result river_check(const alluvial* a, const double* rows, int32_t i)
{
    const double* row = river_row(rows, i);
    const int64_t cell = river_cell(a, row);
    WADI_CHECK(a->context, cell >= 0, WADI_ERROR_RANGE,
               "row %d of inflow: the place (%g, %g) m lies outside the map of %g x %g m; "
               "give metres from its south-west corner",
               i + 1, row[RIVER_X], row[RIVER_Y], a->width * a->cell, a->height * a->cell);
    WADI_CHECK(a->context, a->ground->valid[cell] != 0, WADI_ERROR_RANGE,
               "row %d of inflow: the place (%g, %g) m has no data; move the river to land", i + 1,
               row[RIVER_X], row[RIVER_Y]);
    const bool follows = i > 0 && river_goes_on(row);
    WADI_CHECK(a->context, !follows || row[RIVER_YEAR] > row[RIVER_YEAR - RIVER_COLUMNS],
               WADI_ERROR_RANGE,
               "row %d of inflow is for the year %g, which does not come after %g: sort the rows "
               "of a river by year",
               i + 1, row[RIVER_YEAR], row[RIVER_YEAR - RIVER_COLUMNS]);
    return WADI_OK;
}

static void rivers_find(alluvial* a, int32_t rows)
{
    a->river_count = 0;
    for (int32_t i = 0; i < rows; ++i)
    {
        const double* row = river_row(a->inflow, i);
        if (i > 0 && river_goes_on(row))
        {
            a->rivers[a->river_count - 1].count += 1;
            continue;
        }
        a->rivers[a->river_count++] = (alluvial_river){
            .x = row[RIVER_X] / a->cell,
            .y = a->height - row[RIVER_Y] / a->cell,
            .cell = river_cell(a, row),
            .first = i,
            .count = 1,
        };
    }
}

static void rivers_drop(alluvial* a)
{
    wadi_free(a->context, a->inflow);
    wadi_free(a->context, a->rivers);
    a->inflow = NULL;
    a->rivers = NULL;
    a->river_count = 0;
    a->fleet_count = 0;
}

// Ways of parcels are long, and reaches of streams have other rivers in each step: room for them is
// kept while it is enough.
static wadi_result rivers_launch(alluvial* a)
{
    const int32_t count = a->river_count * a->params.flood_parcels;
    if (count > a->fleet_room)
    {
        wadi_free(a->context, a->fleet);
        wadi_free(a->context, a->nodes);
        a->fleet = NULL;
        a->nodes = NULL;
        a->fleet_room = 0;
        WADI_ALLOC(a->context, a->fleet, count, "parcels");
        WADI_ALLOC(a->context, a->nodes, (int64_t)count * a->longest, "ways of parcels");
        a->fleet_room = count;
    }
    a->fleet_count = count;
    return WADI_OK;
}

static wadi_result rivers_keep(alluvial* a, const double* rows, int32_t count)
{
    WADI_ALLOC(a->context, a->inflow, (int64_t)count * RIVER_COLUMNS, "rivers");
    WADI_ALLOC(a->context, a->rivers, count, "rivers");
    memcpy(a->inflow, rows, (size_t)count * RIVER_COLUMNS * sizeof *rows);
    rivers_find(a, count);
    return rivers_launch(a);
}

int32_t wadi_alluvial_nearest(const alluvial* a, double x, double y)
{
    int32_t nearest = -1;
    double least = HUGE_VAL;
    for (int32_t i = 0; i < a->river_count; ++i)
    {
        const double dx = a->rivers[i].x - x;
        const double dy = a->rivers[i].y - y;
        if (dx * dx + dy * dy < least)
        {
            least = dx * dx + dy * dy;
            nearest = i;
        }
    }
    return nearest;
}

// What lost parcels held enters with the nearest river of the new table, or waits for one.
static void rivers_inherit(alluvial* a, double x, double y, int64_t* carry)
{
    const int32_t heir = wadi_alluvial_nearest(a, x, y);
    int64_t* to = heir >= 0 ? a->rivers[heir].carry : a->carry;
    for (int32_t g = 0; g < ALLUVIAL_GRAINS && to != carry; ++g)
    {
        to[g] += carry[g];
        carry[g] = 0;
    }
}

static void rivers_pass_on(alluvial* a, alluvial_river* before, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        rivers_inherit(a, before[i].x, before[i].y, before[i].carry);
    }
    rivers_inherit(a, 0.0, 0.0, a->carry);
    wadi_free(a->context, before);
}

// The size of floods goes on as it was at the nearest mouth.
static double rivers_swing(const alluvial_river* before, int32_t count, const alluvial_river* river)
{
    double least = HUGE_VAL;
    double swing = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        const double dx = before[i].x - river->x;
        const double dy = before[i].y - river->y;
        swing = dx * dx + dy * dy < least ? before[i].swing : swing;
        least = fmin(least, dx * dx + dy * dy);
    }
    return swing;
}

wadi_result wadi_alluvial_set_table(void* user, int32_t index, const double* rows, int32_t count)
{
    alluvial* a = user;
    if (index != HYDRAULIC_TABLE_INFLOW)
    {
        return WADI_OK; // the library refuses other tables with rows
    }
    for (int32_t i = 0; i < count; ++i)
    {
        WADI_TRY(river_check(a, rows, i));
    }
    alluvial_river* before = a->rivers;
    const int32_t before_count = a->river_count;
    a->rivers = NULL;
    rivers_drop(a);
    const wadi_result result = count > 0 ? rivers_keep(a, rows, count) : WADI_OK;
    if (result != WADI_OK)
    {
        rivers_drop(a);
    }
    rivers_pass_on(a, before, before_count);
    return result;
}

wadi_result wadi_alluvial_set_rivers(alluvial* a, alluvial_river* rivers, int32_t count)
{
    alluvial_river* before = a->rivers;
    const int32_t before_count = a->river_count;
    a->rivers = NULL;
    rivers_drop(a);
    a->rivers = rivers;
    a->river_count = count;
    const wadi_result result = rivers_launch(a);
    if (result != WADI_OK)
    {
        rivers_drop(a);
    }
    for (int32_t i = 0; i < a->river_count && before_count > 0; ++i)
    {
        a->rivers[i].swing = rivers_swing(before, before_count, &a->rivers[i]);
    }
    rivers_pass_on(a, before, before_count);
    return result;
}

// ---- a step ------------------------------------------------------------------------------

static wadi_series river_series(const alluvial* a, const alluvial_river* river)
{
    return (wadi_series){.rows = river_row(a->inflow, river->first),
                         .count = river->count,
                         .columns = RIVER_COLUMNS,
                         .year = RIVER_YEAR};
}

// Load from the year of the first row to another, as bulk volume [m3].
static double river_load(const alluvial* a, const wadi_series* series, double year)
{
    const wadi_material* soil = wadi_terrain_material(a->terrain, WADI_MATERIAL_SEDIMENT);
    const double bulk = ALLUVIAL_SECONDS / (soil->density * (1.0 - soil->porosity));
    return wadi_series_sum(series, RIVER_LOAD, -1, year) +
           bulk * wadi_series_sum(series, RIVER_CONCENTRATION, RIVER_DISCHARGE, year);
}

// The same in whole units; more than fits is refused for its rounds.
static int64_t river_units(const alluvial* a, const wadi_series* series, double year)
{
    const double scale = WADI_UNITS_PER_METRE / (a->cell * a->cell);
    const double units = floor(river_load(a, series, year) * scale);
    return (int64_t)fmax(fmin(units, 4e18), -4e18);
}

// Rounds in which a river brings its load: each spreads it as thick as some share of the depth of
// a flood on one cell.
static double river_rounds(const alluvial* a, const alluvial_river* river, double seconds)
{
    const double width = fmax(a->params.channel_width * sqrt(river->flood), 1.0);
    const double q = river->flood / width;
    const double cube = a->params.bed_friction * q * q / (ALLUVIAL_GRAVITY * 1e-3);
    const double depth = wadi_pow(fmax(cube, 1e-9), 1.0 / 3.0);
    const double area = a->cell * a->cell;
    const double load = (double)river->load / WADI_UNITS_PER_METRE * area;
    const double least = a->params.inflow_capacity > 0.0 ? RIVER_LEAST_FED : RIVER_LEAST_LOAD;
    const double counted = fmax(load, least * river->flood * seconds);
    return counted / (a->params.round_volume * depth * area);
}

// Half the width of a flood [cells].
static double river_spread(const alluvial* a, double flood)
{
    return fmax(0.5 * a->params.channel_width * sqrt(flood) / a->cell, 0.25);
}

// A mouth as wide as the map would have walls on all sides, and nothing would leave.
static double river_most_spread(const alluvial* a)
{
    return 0.25 * (a->width < a->height ? a->width : a->height);
}

void wadi_alluvial_set_flood(const alluvial* a, alluvial_river* river, double mean)
{
    river->flood = mean * 365.25 / a->params.flood_days;
    river->spread = fmin(river_spread(a, river->flood), river_most_spread(a));
    river->parcel = (float)(river->flood / a->params.flood_parcels);
}

double wadi_alluvial_rounds(const alluvial* a, double seconds)
{
    double rounds = 0.0;
    for (int32_t i = 0; i < a->river_count; ++i)
    {
        rounds = fmax(rounds, river_rounds(a, &a->rivers[i], seconds));
    }
    return rounds;
}

static void river_read(const alluvial* a, alluvial_river* river, double from, const wadi_span* span)
{
    const wadi_series series = river_series(a, river);
    const double mean = wadi_series_mean(&series, RIVER_DISCHARGE, span->from, span->years);
    wadi_alluvial_set_flood(a, river, mean);
    river->water = wadi_alluvial_water_units(a, mean * span->years * ALLUVIAL_SECONDS);
    river->load = river_units(a, &series, span->from + span->years) - river_units(a, &series, from);
}

int64_t wadi_alluvial_room(const alluvial* a, int64_t cell)
{
    const int64_t most = (int64_t)(WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE);
    const int64_t surface = wadi_ground_surface(a->ground, cell);
    // above rock below 0 the loose matter is thicker than the surface is high
    const int64_t thick = INT32_MAX - (surface - a->ground->bedrock[cell]);
    const int64_t room = most - surface < thick ? most - surface : thick;
    return room > 0 ? room : 0;
}

// Is there room for the load of a step and for what lost parcels held before? What is left of it
// bounds the load that rivers bring by their capacity.
static wadi_result rivers_check_room(alluvial* a, const wadi_span* span)
{
    double load = (double)(a->carry[ALLUVIAL_COARSE] + a->carry[ALLUVIAL_FINE]);
    for (int32_t i = 0; i < a->river_count; ++i)
    {
        const alluvial_river* river = &a->rivers[i];
        load += (double)river->load + (double)river->carry[ALLUVIAL_COARSE] +
                (double)river->carry[ALLUVIAL_FINE];
    }
    const bool fed = a->params.inflow_capacity > 0.0;
    double room = 0.0;
    for (int64_t c = 0; c < a->cells && (load > 0.0 || fed); ++c)
    {
        room += a->ground->valid[c] != 0 ? (double)wadi_alluvial_room(a, c) : 0.0;
    }
    const double volume = a->cell * a->cell / WADI_UNITS_PER_METRE;
    WADI_CHECK(a->context, load <= room, WADI_ERROR_RANGE,
               "rivers bring %g m3 of load until the year %g, but the map has room for %g m3 below "
               "%g m; give it an open edge, more or larger cells, or rivers less load",
               load * volume, span->from + span->years, room * volume, WADI_HEIGHT_LIMIT);
    a->feed = fed ? (int64_t)fmax(fmin(room, river_most_fed) - load, 0.0) : 0;
    return WADI_OK;
}

static void rivers_note_wide(alluvial* a)
{
    for (int32_t i = 0; i < a->river_count && !a->noted_wide; ++i)
    {
        const alluvial_river* river = &a->rivers[i];
        if (river_spread(a, river->flood) > river_most_spread(a))
        {
            a->noted_wide = true;
            wadi_log_line(a->context,
                          "hydraulic: the floods of %g m3/s of the river at x %g m, y %g m are "
                          "wider than half of the map, so they enter in a mouth of %g m; take a "
                          "larger map, or more flood_days",
                          river->flood, river->x * a->cell, (a->height - river->y) * a->cell,
                          2.0 * river->spread * a->cell);
        }
    }
}

// A way is as long as the map, about.
static void rivers_note_long(alluvial* a, const wadi_span* span)
{
    const double longer = a->width > a->height ? a->width : a->height;
    const double way = longer / (double)ALLUVIAL_STRIDE;
    const double moves = (double)a->steps * a->fleet_count * way;
    if (moves > river_few_moves && !a->noted_long)
    {
        a->noted_long = true;
        wadi_log_line(a->context,
                      "hydraulic: floods of %g yr take about %.2g moves of parcels, in %lld rounds "
                      "of %d parcels; give more round_volume, fewer flood_parcels or larger cells "
                      "to need fewer",
                      span->years, moves, (long long)a->steps, (int)a->fleet_count);
    }
}

wadi_result wadi_alluvial_read_rivers(alluvial* a, const wadi_span* span)
{
    // the end of the last step is taken as it was rounded then, so that no unit is lost or doubled
    const bool goes_on = a->started && fabs(span->from - a->until) <= RIVER_SLACK * span->years;
    const double from = goes_on ? a->until : span->from;
    const double seconds = span->years * a->params.flood_days * 86400.0;
    for (int32_t i = 0; i < a->river_count; ++i)
    {
        river_read(a, &a->rivers[i], from, span);
    }
    rivers_note_wide(a);
    const double rounds = wadi_alluvial_rounds(a, seconds);
    WADI_CHECK(a->context, rounds <= ALLUVIAL_MOST_ROUNDS, WADI_ERROR_RANGE,
               "floods of %g years bring load for %.0f rounds, but at most %d fit into a step; "
               "take a shorter flood_step, or larger cells",
               span->years, rounds, ALLUVIAL_MOST_ROUNDS);
    WADI_TRY(rivers_check_room(a, span));
    WADI_TRY(wadi_alluvial_check_water(a, span->from + span->years));
    a->steps = a->river_count > 0 ? (int64_t)ceil(fmax(rounds, 1.0)) : 0;
    a->seconds = a->steps > 0 ? seconds / (double)a->steps : 0.0;
    rivers_note_long(a, span);
    a->started = true;
    a->until = span->from + span->years;
    return WADI_OK;
}
