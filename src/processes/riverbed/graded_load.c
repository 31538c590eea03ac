// SPDX-License-Identifier: MIT
// Sediment transport from station to station. Eroded matter joins the load, and part of the load is
// deposited in holes of the bed and on point bars inside bends. A tributary passes its load to the
// river that it joins.
#include "processes/riverbed/graded_internal.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

// A disc of deposition, with the largest weight at its centre.
typedef struct load_disc
{
    riverbed_point at;
    double radius; // [cells]
    double share;  // of the load
} load_disc;

// Deposition in a disc: a first pass lists the cells with room and sums weight x room, a second one
// deposits in proportion.
typedef struct load_lay
{
    wadi_graded* graded;
    wadi_tally* tally;
    double weights; // sum of weight x room
    double offered; // [units x cells]
    int64_t laid;
    int32_t count; // of places
} load_lay;

static void load_weigh(load_lay* lay, int32_t entry, double weight)
{
    wadi_graded* graded = lay->graded;
    const graded_cell* cell = &graded->corridor.cells[entry];
    const int32_t surface = wadi_ground_surface(graded->ground, cell->cell);
    const double room = (double)cell->cap - (double)surface;
    if (room > 0.0)
    {
        lay->weights += weight * room;
        graded->places[lay->count++] = (graded_place){weight, room, entry};
    }
}

// Deposit at most 0.9 of the room, so that no single visit fills a cell.
static void load_put(load_lay* lay, const graded_place* place)
{
    wadi_graded* graded = lay->graded;
    const graded_cell* cell = &graded->corridor.cells[place->entry];
    const int64_t i = cell->cell;
    const double part = lay->offered * place->weight * place->room / lay->weights;
    const int32_t put = (int32_t)fmin(part, 0.9 * place->room);
    if (put > 0)
    {
        wadi_ground_put(graded->ground, i, put, lay->tally);
        graded->raised[i] += put;
        graded->laid[i] += fabsf(cell->eta) >= 1.0f ? put : 0;
        lay->laid += put;
    }
}

static void load_visit_disc(load_lay* lay, const load_disc* disc)
{
    const wadi_ground* ground = lay->graded->ground;
    const graded_corridor* corridor = &lay->graded->corridor;
    const double squared = disc->radius * disc->radius;
    const int32_t y0 = (int32_t)fmax(0.0, ceil(disc->at.y - disc->radius));
    const int32_t y1 = (int32_t)fmin(ground->height - 1.0, floor(disc->at.y + disc->radius));
    for (int32_t y = y0; y <= y1; ++y)
    {
        const double dy = y - disc->at.y;
        const double half = sqrt(fmax(0.0, squared - dy * dy));
        const int32_t x0 = (int32_t)fmax(0.0, ceil(disc->at.x - half));
        const int32_t x1 = (int32_t)fmin(ground->width - 1.0, floor(disc->at.x + half));
        for (int32_t x = x0; x <= x1; ++x)
        {
            const int32_t slot = corridor->slot[(int64_t)y * ground->width + x];
            if (slot != 0)
            {
                const double dx = x - disc->at.x;
                load_weigh(lay, slot - 1, 1.0 - (dx * dx + dy * dy) / squared);
            }
        }
    }
}

// Deposit part of a load in a disc; returns the rest.
static int64_t load_deposit(wadi_graded* graded, const load_disc* disc, int64_t load,
                            wadi_tally* tally)
{
    load_lay lay = {.graded = graded, .tally = tally, .offered = (double)load * disc->share};
    if (lay.offered < 1.0)
    {
        return load;
    }
    load_visit_disc(&lay, disc);
    for (int32_t i = 0; i < lay.count && lay.weights > 0.0; ++i)
    {
        load_put(&lay, &graded->places[i]);
    }
    return load - lay.laid;
}

// ---- along the river ---------------------------------------------------------------------

// Deposition over two widths in holes of the bed, over three widths on bars inside bends.
static int64_t load_pass(wadi_graded* graded, const graded_river* river, int32_t station,
                         int64_t load, wadi_tally* tally)
{
    const graded_node* node = &river->nodes[station * GRADED_STATION];
    const double width = river->axis[node->axis].width;
    const double cells = node->width / graded->ground->cell_size;
    const double apart = GRADED_STATION * river->spacing;
    const load_disc bed = {node->at, 0.9 * cells, 1.0 - wadi_exp(-apart / (2.0 * width))};
    load = load_deposit(graded, &bed, load, tally);
    const double inside = node->bend > 0.0 ? 0.75 * cells : -0.75 * cells;
    const double bent = fmin(1.0, 3.0 * width * fabs(node->bend));
    const load_disc bar = {
        {node->at.x - inside * node->along.y, node->at.y + inside * node->along.x},
        0.75 * cells,
        bent * (1.0 - wadi_exp(-apart / (3.0 * width)))};
    return load_deposit(graded, &bar, load, tally);
}

// Where no load can leave, load at the end re-enters at the source, as in a recirculating flume.
static int64_t load_source(const wadi_graded* graded, graded_river* river, wadi_tally* tally)
{
    if (!graded_lets_out(graded, river) && river->end != GRADED_JOINS)
    {
        const int64_t held = river->held;
        tally->transit[WADI_MATERIAL_SEDIMENT] -= held;
        river->held = 0;
        return held;
    }
    const graded_axis* source = &river->axis[0];
    const double area = graded->ground->cell_size * graded->ground->cell_size;
    const double volume = graded->params.load * source->width * source->width * source->depth;
    const int64_t load = (int64_t)(volume / area * WADI_UNITS_PER_METRE);
    tally->in[WADI_MATERIAL_SEDIMENT] += load;
    return load;
}

void wadi_graded_load(wadi_graded* graded, int32_t index, wadi_tally* tally)
{
    graded_river* river = &graded->rivers[index];
    int64_t load = load_source(graded, river, tally);
    for (int32_t i = 0; i * GRADED_STATION < river->count; ++i)
    {
        load += river->intake[i];
        river->intake[i] = 0;
        load = load_pass(graded, river, i, load, tally);
        river->passing[i] = load;
    }
    if (river->end == GRADED_JOINS)
    {
        graded_river* into = &graded->rivers[river->meets];
        into->intake[river->into_node / GRADED_STATION] += load;
        return;
    }
    river->leaving += load;
}
