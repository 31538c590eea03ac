// SPDX-License-Identifier: MIT
// What floods leave beside a river of path free: oxbow lakes silt up, and levees grow along the
// banks. Both take from the load that would leave the terrain, because fine matter is carried past
// all reaches. A deposit is a share of the room below its final height, so it slows down by itself.
#include "processes/riverbed/graded_free.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

static const double lakes_spared = 0.5; // share of the outgoing load that floods do not deposit
static const double lakes_ends = 0.75;  // the ends of a loop are part of the river [widths]
static const double lakes_over = 0.15;  // a silted lake ends up this far over its level [depths]
static const double lakes_levee = 8.0;  // time in which levees grow [units]
static const double lakes_decay = 0.5;  // levees fall off over this distance [widths]

// ---- beginning ---------------------------------------------------------------------------

typedef wadi_result lakes_visit(wadi_graded* graded, const graded_cell* cell, int32_t* level);

// Find the lowest level of the old bed.
static wadi_result lakes_measure(wadi_graded* graded, const graded_cell* cell, int32_t* level)
{
    (void)graded;
    *level = cell->level < *level ? cell->level : *level;
    return WADI_OK;
}

static wadi_result lakes_mark(wadi_graded* graded, const graded_cell* cell, int32_t* level)
{
    const bool known = graded->lake[cell->cell] != GRADED_DRY;
    graded->lake[cell->cell] = *level;
    if (known)
    {
        return WADI_OK;
    }
    WADI_GROW(graded->context, graded->lakes, graded->lake_count, graded->lake_capacity, 1024,
              "cells of oxbow lakes");
    graded->lakes[graded->lake_count++] = (int32_t)cell->cell;
    return WADI_OK;
}

// Visit the cells of the bed within half a width of a point.
static wadi_result lakes_visit_disc(wadi_graded* graded, riverbed_point at, double radius,
                                    lakes_visit* visit, int32_t* level)
{
    for (int32_t y = (int32_t)ceil(at.y - radius); y <= at.y + radius; ++y)
    {
        for (int32_t x = (int32_t)ceil(at.x - radius); x <= at.x + radius; ++x)
        {
            const double square = (x - at.x) * (x - at.x) + (y - at.y) * (y - at.y);
            const int64_t cell = graded_cell_at(graded->ground, (riverbed_point){x, y});
            const int32_t slot = cell >= 0 ? graded->corridor.slot[cell] : 0;
            if (slot != 0 && square <= radius * radius &&
                fabsf(graded->corridor.cells[slot - 1].eta) < 1.0f)
            {
                WADI_TRY(visit(graded, &graded->corridor.cells[slot - 1], level));
            }
        }
    }
    return WADI_OK;
}

static wadi_result lakes_visit_loop(wadi_graded* graded, const graded_river* river, int32_t i,
                                    int32_t j, lakes_visit* visit, int32_t* level)
{
    const graded_point* chain = river->chain;
    const double width = river->axis[chain[i].axis].width / graded->ground->cell_size;
    const double ends = lakes_ends * width * lakes_ends * width;
    for (int32_t k = i + 1; k < j; ++k)
    {
        for (int part = 0; part < 4; ++part)
        {
            riverbed_point along;
            const riverbed_point at =
                wadi_graded_curve(chain, river->chain_count, k, 0.25 * part, &along);
            const double ax = at.x - chain[i].at.x;
            const double ay = at.y - chain[i].at.y;
            const double bx = at.x - chain[j].at.x;
            const double by = at.y - chain[j].at.y;
            if (ax * ax + ay * ay > ends && bx * bx + by * by > ends)
            {
                WADI_TRY(lakes_visit_disc(graded, at, 0.6 * width, visit, level));
            }
        }
    }
    return WADI_OK;
}

wadi_result wadi_graded_lake_begin(wadi_graded* graded, const graded_river* river, int32_t i,
                                   int32_t j)
{
    int32_t level = INT32_MAX;
    WADI_TRY(lakes_visit_loop(graded, river, i, j, lakes_measure, &level));
    return level < INT32_MAX ? lakes_visit_loop(graded, river, i, j, lakes_mark, &level) : WADI_OK;
}

// ---- silting -----------------------------------------------------------------------------

// A flood of one batch: shares of the room that it fills.
typedef struct lakes_flood
{
    wadi_graded* graded;
    wadi_tally* tally;
    double lake;
    double bank;
    double sum;   // of the requests [units x cells]
    double share; // of a request that the load allows
    int64_t laid;
} lakes_flood;

static double lakes_request(const lakes_flood* flood, int64_t cell, int32_t target, double rate)
{
    const double surface = wadi_ground_surface(flood->graded->ground, cell);
    return fmax(0.0, floor(rate * ((double)target - surface)));
}

// Height that a levee tends to, and the rate; cells of the bed and beyond the ends have none.
static double lakes_bank(const lakes_flood* flood, const graded_cell* cell)
{
    const wadi_graded* graded = flood->graded;
    const double eta = fabs((double)cell->eta);
    if (eta < 1.0 || eta > 1e2 || graded->lake[cell->cell] != GRADED_DRY)
    {
        return 0.0;
    }
    const graded_river* river = &graded->rivers[cell->river];
    const graded_node* node = &river->nodes[cell->station * GRADED_STATION];
    const double height =
        graded->params.levee * node->depth * wadi_exp(-0.5 * (eta - 1.0) / lakes_decay);
    return lakes_request(flood, cell->cell, cell->level + graded_units(height), flood->bank);
}

static double lakes_lake(const lakes_flood* flood, int64_t cell)
{
    const wadi_graded* graded = flood->graded;
    const double over = lakes_over * graded->rivers[0].axis[0].depth;
    const int32_t level = graded->lake[cell];
    return level == GRADED_DRY
               ? 0.0
               : lakes_request(flood, cell, level + graded_units(over), flood->lake);
}

static void lakes_put(lakes_flood* flood, int64_t cell, double request)
{
    wadi_graded* graded = flood->graded;
    const int32_t put = (int32_t)(request * flood->share);
    if (put > 0)
    {
        wadi_ground_put(graded->ground, cell, put, flood->tally);
        graded->raised[cell] += put;
        flood->laid += put;
    }
}

static void lakes_pass(lakes_flood* flood, bool puts)
{
    const wadi_graded* graded = flood->graded;
    const graded_corridor* corridor = &graded->corridor;
    for (int64_t i = 0; i < corridor->count + graded->lake_count; ++i)
    {
        const bool bank = i < corridor->count;
        const int64_t cell = bank ? corridor->cells[i].cell : graded->lakes[i - corridor->count];
        const double request =
            bank ? lakes_bank(flood, &corridor->cells[i]) : lakes_lake(flood, cell);
        flood->sum += puts ? 0.0 : request;
        if (puts)
        {
            lakes_put(flood, cell, request);
        }
    }
}

// Lakes that the river has taken again are forgotten.
static void lakes_tidy(wadi_graded* graded)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < graded->lake_count; ++i)
    {
        if (graded->lake[graded->lakes[i]] != GRADED_DRY)
        {
            graded->lakes[kept++] = graded->lakes[i];
        }
    }
    graded->lake_count = kept;
}

// Fine matter comes in at the source and would leave over the outlet. A flume gets none.
static void lakes_wash(const wadi_graded* graded, graded_river* river, double units,
                       wadi_tally* tally)
{
    if (river->count == 0 || !graded_lets_out(graded, river))
    {
        return;
    }
    const graded_axis* source = &river->axis[0];
    const double area = graded->ground->cell_size * graded->ground->cell_size;
    const double volume =
        graded->params.wash * units * source->width * source->width * source->depth;
    const int64_t load = (int64_t)(volume / area * WADI_UNITS_PER_METRE);
    river->leaving += load;
    tally->in[WADI_MATERIAL_SEDIMENT] += load;
}

void wadi_graded_silt(wadi_graded* graded, wadi_tally* tally)
{
    const double units = wadi_graded_free_units(graded);
    lakes_flood flood = {
        .graded = graded,
        .tally = tally,
        .lake = 1.0 - wadi_exp(-units / fmax(1e-3, graded->params.silting)),
        .bank = 1.0 - wadi_exp(-units / lakes_levee),
    };
    int64_t load = 0;
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        lakes_wash(graded, &graded->rivers[i], units, tally);
        load += graded->rivers[i].leaving;
    }
    lakes_tidy(graded);
    lakes_pass(&flood, false);
    if (flood.sum < 1.0 || load <= 0)
    {
        return;
    }
    flood.share = fmin(1.0, (1.0 - lakes_spared) * (double)load / flood.sum);
    lakes_pass(&flood, true);
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        graded_river* river = &graded->rivers[i];
        const int64_t part = flood.laid < river->leaving ? flood.laid : river->leaving;
        river->leaving -= part;
        flood.laid -= part;
    }
}
