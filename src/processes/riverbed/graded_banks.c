// SPDX-License-Identifier: MIT
// Banks steeper than repose that the river undercuts break according to their hardness and slide;
// with `wall` hard rock stands steeper, over a talus of what has broken.
// Slides undercut the cells above them in turn. Slopes that are not undercut stay, so a river does
// not wear down all cliffs of its valley.
#include "processes/riverbed/graded_internal.h"

#include "core/internal.h"

#include <math.h>

enum
{
    BANKS_SWEEPS = 4, // sweeps of slides per call
    BANKS_TIMES = 2,  // slides run every second batch until the last course
    BANKS_BLOCK = 512
};

// Has the river or a slide lowered one of the eight cells around this one?
static bool banks_is_undercut(const wadi_graded* graded, int64_t cell)
{
    const wadi_ground* ground = graded->ground;
    const int32_t x = (int32_t)(cell % ground->width);
    const int32_t y = (int32_t)(cell / ground->width);
    for (int32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < ground->height; ++v)
    {
        for (int32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < ground->width; ++u)
        {
            if (graded->worn[(int64_t)v * ground->width + u] > 0)
            {
                return true;
            }
        }
    }
    return false;
}

// Height of a cell above the angle of repose from its lowest neighbour [units].
static double banks_excess(const wadi_graded* graded, int64_t cell, double tangent)
{
    const wadi_ground* ground = graded->ground;
    const int32_t x = (int32_t)(cell % ground->width);
    const int32_t y = (int32_t)(cell / ground->width);
    const double here = wadi_ground_surface(ground, cell);
    const double rest = tangent * ground->cell_size * WADI_UNITS_PER_METRE;
    double most = 0.0;
    for (int32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < ground->height; ++v)
    {
        for (int32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < ground->width; ++u)
        {
            const int64_t n = (int64_t)v * ground->width + u;
            const double apart = u != x && v != y ? 1.41421356237309504880 : 1.0;
            const double excess = here - wadi_ground_surface(ground, n) - rest * apart;
            most = ground->valid[n] != 0 && excess > most ? excess : most;
        }
    }
    return most;
}

// Tangent of the slope at which the rock of a bank breaks: by its hardness between that of loose
// matter and that of walls.
static double banks_rock(const wadi_graded* graded, int64_t cell, double loose)
{
    const wadi_riverbed_params* p = &graded->params;
    if (p->wall <= p->repose)
    {
        return loose;
    }
    const double hardness = (double)graded->ground->hardness[cell] / 65535.0;
    return wadi_talus_tangent(p->repose + (p->wall - p->repose) * hardness);
}

// Half of the excess height must be loose, so that it can slide; break rock for any deficit.
// Reading and breaking are two passes, because cells read their neighbours.
static void banks_measure(int64_t block, int32_t worker, void* user)
{
    wadi_graded* graded = user;
    const wadi_ground* ground = graded->ground;
    const double tangent = wadi_talus_tangent(graded->params.repose);
    const int64_t from = block * BANKS_BLOCK;
    (void)worker;
    for (int64_t i = from; i < from + BANKS_BLOCK && i < graded->corridor.count; ++i)
    {
        graded_cell* cell = &graded->corridor.cells[i];
        cell->given = 0;
        const bool bank = graded->tangents[cell->cell] < graded_cliff;
        if (bank || banks_is_undercut(graded, cell->cell))
        {
            const double loose =
                wadi_ground_surface(ground, cell->cell) - ground->bedrock[cell->cell];
            const double rock = banks_rock(graded, cell->cell, tangent);
            const double wanted = 0.5 * banks_excess(graded, cell->cell, rock) - loose;
            cell->given = wanted > 0.0 ? (int32_t)wanted : 0;
            graded->tangents[cell->cell] = (float)tangent;
        }
    }
}

static void banks_break(wadi_graded* graded, wadi_tally* tally)
{
    const wadi_ground* ground = graded->ground;
    for (int64_t i = 0; i < graded->corridor.count; ++i)
    {
        const graded_cell* cell = &graded->corridor.cells[i];
        if (cell->given > 0)
        {
            const int32_t part = wadi_ground_take_rock(ground, cell->cell, cell->given, tally);
            wadi_ground_put(ground, cell->cell, part, tally);
        }
        if (graded->tangents[cell->cell] < graded_cliff)
        {
            wadi_talus_touch(graded->talus, (int32_t)(cell->cell % ground->width),
                             (int32_t)(cell->cell / ground->width));
        }
    }
}

void wadi_graded_banks(wadi_graded* graded, wadi_tally* tally)
{
    if (graded->batch < graded->params.batches && graded->batch % BANKS_TIMES != 0)
    {
        return;
    }
    const int64_t blocks = (graded->corridor.count + BANKS_BLOCK - 1) / BANKS_BLOCK;
    wadi_parallel_blocks(graded->context, blocks, banks_measure, graded);
    banks_break(graded, tally);
    wadi_talus_law law = wadi_talus_law_default();
    law.repose = graded->params.repose;
    law.share = 0.5; // banks are low and come to rest quickly
    law.tangents = graded->tangents;
    law.worn = graded->worn;
    law.laid = graded->raised;
    (void)wadi_talus_relax(graded->talus, graded->ground, &law, BANKS_SWEEPS, tally);
}
