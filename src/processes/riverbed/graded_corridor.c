// SPDX-License-Identifier: MIT
// The cells beside a course, each with its coordinates along and across it. All passes of a batch
// work on these cells only: on a plain of 512 x 512 cells they are a tenth of the map.
#include "processes/riverbed/graded_free.h"

#include "core/internal.h"

#include <math.h>

enum
{
    CORRIDOR_BLOCK = 512, // cells that one worker measures at a time
    CORRIDOR_FIRST = 4096 // initial capacity [cells]
};

// Bars extend 1.5 widths from the course.
static const double corridor_reach = 1.5;

void wadi_graded_corridor_clear(graded_corridor* corridor)
{
    for (int64_t i = 0; i < corridor->count; ++i)
    {
        corridor->slot[corridor->cells[i].cell] = 0;
    }
    corridor->count = 0;
}

// ---- finding -----------------------------------------------------------------------------

// A cell belongs to the nearest station of any river, with distance in widths. But cells in the bed
// of a larger river stay with it.
static wadi_result corridor_claim(wadi_graded* graded, const graded_cell* claim)
{
    graded_corridor* corridor = &graded->corridor;
    const int32_t slot = corridor->slot[claim->cell];
    if (slot != 0)
    {
        graded_cell* here = &corridor->cells[slot - 1];
        if (claim->near < here->near && (claim->river == here->river || fabsf(here->eta) >= 1.0f))
        {
            *here = *claim;
        }
        return WADI_OK;
    }
    WADI_GROW(graded->context, corridor->cells, corridor->count, corridor->capacity, CORRIDOR_FIRST,
              "cells beside a river");
    corridor->cells[corridor->count++] = *claim;
    corridor->slot[claim->cell] = (int32_t)corridor->count;
    return WADI_OK;
}

static wadi_result corridor_claim_row(wadi_graded* graded, int32_t y, double half, double scale,
                                      riverbed_point at, graded_cell claim)
{
    const wadi_ground* ground = graded->ground;
    const double dy = y - at.y;
    const int32_t x0 = (int32_t)fmax(0.0, ceil(at.x - half));
    const int32_t x1 = (int32_t)fmin(ground->width - 1.0, floor(at.x + half));
    for (int32_t x = x0; x <= x1; ++x)
    {
        claim.cell = (int64_t)y * ground->width + x;
        claim.near = (float)(((x - at.x) * (x - at.x) + dy * dy) * scale);
        if (ground->valid[claim.cell] != 0)
        {
            WADI_TRY(corridor_claim(graded, &claim));
        }
    }
    return WADI_OK;
}

static wadi_result corridor_claim_disc(wadi_graded* graded, int32_t river, int32_t station)
{
    const graded_node* node = &graded->rivers[river].nodes[station * GRADED_STATION];
    const double width = node->width / graded->ground->cell_size;
    const double radius = corridor_reach * width + 1.0;
    const int32_t y0 = (int32_t)fmax(0.0, ceil(node->at.y - radius));
    const int32_t y1 = (int32_t)fmin(graded->ground->height - 1.0, floor(node->at.y + radius));
    const graded_cell claim = {.river = river, .station = station};
    for (int32_t y = y0; y <= y1; ++y)
    {
        const double dy = y - node->at.y;
        const double half = sqrt(fmax(0.0, radius * radius - dy * dy));
        WADI_TRY(corridor_claim_row(graded, y, half, 1.0 / (width * width), node->at, claim));
    }
    return WADI_OK;
}

wadi_result wadi_graded_corridor_add(wadi_graded* graded, int32_t river)
{
    for (int32_t i = 0; i * GRADED_STATION < graded->rivers[river].count; ++i)
    {
        WADI_TRY(corridor_claim_disc(graded, river, i));
    }
    return WADI_OK;
}

// ---- measuring ---------------------------------------------------------------------------

// The river's cross-section at a place between two nodes.
typedef struct corridor_section
{
    double level;
    double width;
    double depth;
    double bed;
    double lean;
} corridor_section;

static double corridor_mix(double a, double b, double share)
{
    return a + share * (b - a);
}

static corridor_section corridor_section_at(const graded_river* river, double along)
{
    const int32_t i = (int32_t)graded_clamp(along, 0.0, river->count - 1.0);
    const graded_node* a = &river->nodes[i];
    const graded_node* b = i + 1 < river->count ? a + 1 : a;
    const double share = graded_clamp(along - i, 0.0, 1.0);
    return (corridor_section){
        corridor_mix(a->level, b->level, share), corridor_mix(a->width, b->width, share),
        corridor_mix(a->depth, b->depth, share), corridor_mix(a->bed, b->bed, share),
        corridor_mix(a->lean, b->lean, share)};
}

// Coordinates along and across the course, from its circle of curvature at the station.
static void corridor_project(const wadi_ground* ground, const graded_river* river,
                             graded_cell* cell)
{
    const graded_node* node = &river->nodes[cell->station * GRADED_STATION];
    const double dx = ((double)(cell->cell % ground->width) - node->at.x) * ground->cell_size;
    const double dy = ((double)(cell->cell / ground->width) - node->at.y) * ground->cell_size;
    const double ahead = dx * node->along.x + dy * node->along.y;
    const double aside = dy * node->along.x - dx * node->along.y;
    const double stretch = fmax(0.25, 1.0 - aside * node->turn);
    cell->along = (float)(cell->station * GRADED_STATION + ahead / (stretch * river->spacing));
    cell->side = (float)(aside - 0.5 * node->turn * ahead * ahead / stretch);
}

// The stage of floods above bankfull varies from batch to batch, which makes scroll bars.
static double corridor_stage(const wadi_graded* graded)
{
    if (graded->params.path == WADI_RIVERBED_FREE)
    {
        // floods differ from one unit of time to the next: ridges of bars are half a width apart
        const double time = graded->batch * wadi_graded_free_units(graded);
        const double before = wadi_riverbed_mirror((uint64_t)time, 2);
        const double after = wadi_riverbed_mirror((uint64_t)time + 1, 2);
        return 0.15 + 0.3 * corridor_mix(before, after, time - floor(time));
    }
    return 0.15 + 0.3 * wadi_riverbed_mirror((uint64_t)graded->batch, 2);
}

// Target height: the floor in the bed; beyond it bars, from bankfull level to the flood stage.
static double corridor_cap(const wadi_graded* graded, const corridor_section* at, double eta)
{
    const double square = eta * eta;
    if (square < 1.0)
    {
        return at->level - at->bed * (1.0 - square * square) * (1.0 + at->lean * eta);
    }
    const double share = fmin(1.0, (fabs(eta) - 1.0) / 0.3);
    return at->level + corridor_stage(graded) * at->depth * share;
}

static void corridor_measure_one(const wadi_graded* graded, graded_cell* cell)
{
    const graded_river* river = &graded->rivers[cell->river];
    corridor_project(graded->ground, river, cell);
    const corridor_section at = corridor_section_at(river, (double)cell->along);
    // no bed upstream of the source and downstream of the mouth
    const bool beside = cell->along >= 0.0f && cell->along <= (float)river->count;
    const double eta = beside ? 2.0 * (double)cell->side / at.width : 1e3;
    const double lowest = -WADI_HEIGHT_LIMIT; // lower limit of heights
    cell->eta = (float)eta;
    cell->level = graded_units(fmax(lowest, at.level));
    cell->cap = graded_units(fmax(lowest, beside ? corridor_cap(graded, &at, eta) : lowest));
    cell->given = 0;
}

static void corridor_measure_block(int64_t block, int32_t worker, void* user)
{
    const wadi_graded* graded = user;
    const graded_corridor* corridor = &graded->corridor;
    const int64_t from = block * CORRIDOR_BLOCK;
    (void)worker;
    for (int64_t i = from; i < from + CORRIDOR_BLOCK && i < corridor->count; ++i)
    {
        corridor_measure_one(graded, &corridor->cells[i]);
    }
}

// A new batch on the same course: only the stage of the flood differs.
static void corridor_flood_block(int64_t block, int32_t worker, void* user)
{
    const wadi_graded* graded = user;
    const graded_corridor* corridor = &graded->corridor;
    const int64_t from = block * CORRIDOR_BLOCK;
    (void)worker;
    for (int64_t i = from; i < from + CORRIDOR_BLOCK && i < corridor->count; ++i)
    {
        graded_cell* cell = &corridor->cells[i];
        const float eta = fabsf(cell->eta);
        cell->given = 0;
        if (eta >= 1.0f && eta < 1e2f)
        {
            const corridor_section at =
                corridor_section_at(&graded->rivers[cell->river], (double)cell->along);
            const double cap = corridor_cap(graded, &at, 2.0 * (double)cell->side / at.width);
            cell->cap = graded_units(fmax(-WADI_HEIGHT_LIMIT, cap));
        }
    }
}

void wadi_graded_corridor_flood(wadi_graded* graded)
{
    const int64_t blocks = (graded->corridor.count + CORRIDOR_BLOCK - 1) / CORRIDOR_BLOCK;
    wadi_parallel_blocks(graded->context, blocks, corridor_flood_block, graded);
}

// ---- mouths ------------------------------------------------------------------------------

// At a confluence the lower floor of the two beds counts, so that the tributary breaches the banks
// of the river it joins. Around the mouth the distance from the end of the course takes the place
// of the coordinate across.
static void corridor_breach_cell(const wadi_graded* graded, graded_cell* cell, int32_t river,
                                 int32_t node)
{
    const wadi_ground* ground = graded->ground;
    const graded_node* mouth = &graded->rivers[river].nodes[node];
    const double dx = (double)(cell->cell % ground->width) - mouth->at.x;
    const double dy = (double)(cell->cell / ground->width) - mouth->at.y;
    const double square = 4.0 * (dx * dx + dy * dy) * ground->cell_size * ground->cell_size /
                          (mouth->width * mouth->width);
    const int32_t floor = graded_units(mouth->level - mouth->bed * (1.0 - square * square));
    if (square < 1.0 && floor < cell->cap)
    {
        cell->river = river;
        cell->station = node / GRADED_STATION;
        cell->along = (float)node;
        cell->side = (float)(0.5 * mouth->width * sqrt(square));
        cell->eta = (float)sqrt(square);
        cell->level = graded_units(mouth->level);
        cell->cap = floor;
    }
}

static void corridor_breach(const wadi_graded* graded, int32_t river, int32_t node)
{
    const wadi_ground* ground = graded->ground;
    const graded_node* mouth = &graded->rivers[river].nodes[node];
    const double half = 0.5 * mouth->width / ground->cell_size;
    for (int32_t y = (int32_t)ceil(mouth->at.y - half); y <= mouth->at.y + half; ++y)
    {
        for (int32_t x = (int32_t)ceil(mouth->at.x - half); x <= mouth->at.x + half; ++x)
        {
            const int64_t cell = graded_cell_at(ground, (riverbed_point){x, y});
            const int32_t slot = cell >= 0 ? graded->corridor.slot[cell] : 0;
            if (slot != 0)
            {
                corridor_breach_cell(graded, &graded->corridor.cells[slot - 1], river, node);
            }
        }
    }
}

// Over the last width and a half of the tributary, half a width of which lies in the other bed.
static void corridor_open_mouths(const wadi_graded* graded)
{
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        const graded_river* river = &graded->rivers[i];
        if (river->end == GRADED_JOINS)
        {
            const double width = graded->rivers[river->meets].axis[0].width;
            const int32_t reach = (int32_t)(1.5 * width / river->spacing);
            for (int32_t n = river->count > reach ? river->count - reach : 0; n < river->count; ++n)
            {
                corridor_breach(graded, i, n);
            }
        }
    }
}

void wadi_graded_corridor_measure(wadi_graded* graded)
{
    const int64_t blocks = (graded->corridor.count + CORRIDOR_BLOCK - 1) / CORRIDOR_BLOCK;
    wadi_parallel_blocks(graded->context, blocks, corridor_measure_block, graded);
    corridor_open_mouths(graded);
}
