// SPDX-License-Identifier: MIT
#include "processes/articles/stamps/riverbed_cut.h"

#include "core/internal.h"

#include <math.h>
#include <string.h>

static const double cut_floor = -WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE;

// Depth of the cut by all stamps in a cell of hardness 0 [units]. A double holds integers up to
// 2^53, far beyond the range of heights, so the product is the same everywhere.
static double cut_depth(const riverbed_cut* cut, int64_t cell)
{
    // thickness is in cells of the terrain; kappa is in metres per cell of the paper
    const double unit = cut->params->kappa * WADI_UNITS_PER_METRE / (RIVERBED_PARTS * cut->scale);
    return floor((double)cut->tiles->sums[cell] * unit + 0.5);
}

static bool cut_is_literal(const riverbed_cut* cut)
{
    return cut->params->reading == WADI_RIVERBED_SUSCEPTIBILITY;
}

// Is this cell erodible?
static bool cut_is_erodible(const riverbed_cut* cut, int64_t cell)
{
    const wadi_ground* ground = cut->ground;
    return ground->valid[cell] != 0 &&
           (cut_is_literal(cut) ? ground->hardness[cell] > 0
                                : wadi_ground_yield(ground, cell, INT32_MAX) > 0);
}

// Part of a cut that the material allows [units].
static int32_t cut_yield(const riverbed_cut* cut, int64_t cell, int32_t asked)
{
    return cut_is_literal(cut) ? (int32_t)((int64_t)asked * cut->ground->hardness[cell] / 65535)
                               : wadi_ground_yield(cut->ground, cell, asked);
}

// Surface of a cell after the cut [units]; below the limit if a cut is too large to represent.
static double cut_bottom(const riverbed_cut* cut, int64_t cell)
{
    const double asked = cut_depth(cut, cell);
    const double surface = (double)wadi_ground_surface(cut->ground, cell);
    return surface -
           (asked > (double)INT32_MAX ? asked : (double)cut_yield(cut, cell, (int32_t)asked));
}

// ---- check -------------------------------------------------------------------------------

static void cut_find_lowest(int64_t tile, int32_t worker, void* user)
{
    const riverbed_cut* cut = user;
    (void)worker;
    cut->lowest[tile] = 0.0;
    if (cut->tiles->touched[tile] == 0)
    {
        return;
    }
    const riverbed_box box = wadi_riverbed_tiles_box(cut->tiles, tile);
    for (int32_t y = box.y0; y < box.y1; ++y)
    {
        for (int32_t x = box.x0; x < box.x1; ++x)
        {
            const int64_t cell = (int64_t)y * cut->ground->width + x;
            if (cut->tiles->sums[cell] > 0 && cut_is_erodible(cut, cell))
            {
                cut->lowest[tile] = fmin(cut->lowest[tile], cut_bottom(cut, cell));
            }
        }
    }
}

static int64_t cut_tiles(const riverbed_cut* cut)
{
    return (int64_t)cut->tiles->columns * cut->tiles->rows;
}

wadi_result wadi_riverbed_cut_check(wadi_context* context, const riverbed_cut* cut)
{
    riverbed_cut job = *cut;
    double lowest = 0.0;
    wadi_parallel_blocks(context, cut_tiles(cut), cut_find_lowest, &job);
    for (int64_t tile = 0; tile < cut_tiles(cut); ++tile)
    {
        lowest = fmin(lowest, cut->lowest[tile]);
    }
    WADI_CHECK(context, lowest >= cut_floor, WADI_ERROR_RANGE,
               "riverbed would cut down to %.0f m, and ground ends at %.0f m: lower kappa (now %g "
               "m) or quantity (now %d), or raise step",
               lowest / WADI_UNITS_PER_METRE, -WADI_HEIGHT_LIMIT, cut->params->kappa,
               cut->params->quantity);
    return WADI_OK;
}

// ---- cutting -----------------------------------------------------------------------------

// Fill with water up to a level parallel to the original ground.
static void cut_fill(const riverbed_cut* cut, int64_t cell, wadi_tally* tally)
{
    const double freeboard = floor(cut->params->freeboard * WADI_UNITS_PER_METRE + 0.5);
    const double water = (double)cut->ground->water[cell];
    const double room = (double)INT32_MAX - water;
    const double missing = fmin((double)cut->wear[cell] - freeboard - water, room);
    if (missing > 0.0)
    {
        cut->ground->water[cell] += (int32_t)missing;
        tally->in[WADI_MATERIAL_WATER] += (int32_t)missing;
    }
}

static void cut_cell(const riverbed_cut* cut, int64_t cell, wadi_tally* tally)
{
    if (cut->tiles->sums[cell] > 0 && cut_is_erodible(cut, cell))
    {
        const int32_t share = cut_yield(cut, cell, (int32_t)cut_depth(cut, cell));
        wadi_ground_remove(cut->ground, cell, share, tally);
        cut->wear[cell] += share;
        if (cut->params->water)
        {
            cut_fill(cut, cell, tally);
        }
    }
    cut->tiles->sums[cell] = 0;
}

static void cut_tile(int64_t tile, int32_t worker, void* user)
{
    const riverbed_cut* cut = user;
    if (cut->tiles->touched[tile] == 0)
    {
        return;
    }
    const riverbed_box box = wadi_riverbed_tiles_box(cut->tiles, tile);
    for (int32_t y = box.y0; y < box.y1; ++y)
    {
        for (int32_t x = box.x0; x < box.x1; ++x)
        {
            cut_cell(cut, (int64_t)y * cut->ground->width + x, &cut->tallies[worker]);
        }
    }
    cut->tiles->touched[tile] = 0;
}

void wadi_riverbed_cut_apply(wadi_context* context, const riverbed_cut* cut)
{
    riverbed_cut job = *cut;
    wadi_parallel_blocks(context, cut_tiles(cut), cut_tile, &job);
}

void wadi_riverbed_cut_clear(const riverbed_cut* cut)
{
    memset(cut->tiles->sums, 0, (size_t)cut->ground->cells * sizeof *cut->tiles->sums);
    memset(cut->tiles->touched, 0, (size_t)cut_tiles(cut));
}
