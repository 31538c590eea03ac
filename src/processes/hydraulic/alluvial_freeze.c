// SPDX-License-Identifier: MIT
// What all parcels of a round see: levels, flow, and what each cell offers to its visitors.
#include "processes/hydraulic/alluvial.h"
#include "processes/hydraulic/alluvial_law.h"

#include "core/dmath.h"
#include "lockstep/lanes.h"

#include <math.h>

#define FREEZE_CHANGE 0.25f      // of the depth that a bed rises or falls in a round, at most
#define FREEZE_LEAST_CHANGE 0.1f // [m] of rising

// ---- kinds -------------------------------------------------------------------------------

// The column or row of a ghost: opposite across periodic edges, else the nearest.
static int32_t freeze_fold(int32_t at, int32_t count, wadi_edge edge)
{
    const int32_t place = hydraulic_fold(at, count, edge);
    return place >= 0 ? place : at < 0 ? 0 : count - 1;
}

static int64_t freeze_source(const alluvial* a, int32_t x, int32_t y)
{
    const int32_t column = freeze_fold(x, a->width, a->ground->edges[WADI_SIDE_WEST]);
    const int32_t row = freeze_fold(y, a->height, a->ground->edges[WADI_SIDE_NORTH]);
    // an edge beside a periodic one may be of another kind on its two sides, but only if not
    // periodic
    return (int64_t)row * a->width + column;
}

// The side beyond which (x, y) lies; WADI_SIDE_COUNT: none of this kind.
static wadi_side freeze_side(const alluvial* a, int32_t x, int32_t y, wadi_edge kind)
{
    const wadi_edge* edges = a->ground->edges;
    if (y < 0 && edges[WADI_SIDE_NORTH] == kind)
    {
        return WADI_SIDE_NORTH;
    }
    if (y >= a->height && edges[WADI_SIDE_SOUTH] == kind)
    {
        return WADI_SIDE_SOUTH;
    }
    if (x < 0 && edges[WADI_SIDE_WEST] == kind)
    {
        return WADI_SIDE_WEST;
    }
    if (x >= a->width && edges[WADI_SIDE_EAST] == kind)
    {
        return WADI_SIDE_EAST;
    }
    return WADI_SIDE_COUNT;
}

// Parcels leave beyond open edges. Where a river enters there is a wall.
static uint8_t freeze_kind(const alluvial* a, int32_t x, int32_t y)
{
    const int64_t source = freeze_source(a, x, y);
    if (freeze_side(a, x, y, WADI_EDGE_CLOSED) != WADI_SIDE_COUNT)
    {
        return ALLUVIAL_WALL;
    }
    if (a->ground->valid[source] == 0)
    {
        return (uint8_t)(ALLUVIAL_EXIT + wadi_ground_void_side(a->ground, source));
    }
    if (a->reach.cells != NULL && a->reach.cells[source] == 0)
    {
        return a->gates[source] != 0 ? ALLUVIAL_WALL : ALLUVIAL_HANDED;
    }
    const wadi_side beyond = freeze_side(a, x, y, WADI_EDGE_OPEN);
    if (beyond == WADI_SIDE_COUNT)
    {
        return a->cliffs[source] != 0 ? ALLUVIAL_WALL : ALLUVIAL_WALK;
    }
    return a->gates[source] != 0 ? ALLUVIAL_WALL : (uint8_t)(ALLUVIAL_EXIT + (int)beyond);
}

static void freeze_gates_of(alluvial* a, const alluvial_river* river)
{
    // a part of each side stays open
    const double most = 0.5 * ((a->width < a->height ? a->width : a->height) - 1);
    const double reach = fmin(river->spread + 1.0, most);
    const int32_t west = (int32_t)fmax(river->x - reach - 1.0, 0.0);
    const int32_t east = (int32_t)fmin(river->x + reach + 1.0, a->width);
    const int32_t north = (int32_t)fmax(river->y - reach - 1.0, 0.0);
    const int32_t south = (int32_t)fmin(river->y + reach + 1.0, a->height);
    for (int32_t y = north; y < south; ++y)
    {
        for (int32_t x = west; x < east; ++x)
        {
            const double dx = (double)x + 0.5 - river->x;
            const double dy = (double)y + 0.5 - river->y;
            a->gates[(int64_t)y * a->width + x] |= (uint8_t)(dx * dx + dy * dy <= reach * reach);
        }
    }
    a->gates[river->cell] = 1;
}

// Cells in the mouth of a river, behind which no parcel leaves.
static void freeze_gates(alluvial* a)
{
    memset(a->gates, 0, (size_t)a->cells);
    for (int32_t i = 0; i < a->river_count; ++i)
    {
        freeze_gates_of(a, &a->rivers[i]);
    }
}

// Cells of the map from which a move may look at a wall at (x, y).
static void freeze_near_wall(alluvial* a, int32_t x, int32_t y)
{
    const int32_t north = y > ALLUVIAL_PAD ? y - ALLUVIAL_PAD : 0;
    const int32_t west = x > ALLUVIAL_PAD ? x - ALLUVIAL_PAD : 0;
    for (int32_t v = north; v <= y + ALLUVIAL_PAD && v < a->height; ++v)
    {
        for (int32_t u = west; u <= x + ALLUVIAL_PAD && u < a->width; ++u)
        {
            a->kinds[alluvial_padded(a, u, v)] |= ALLUVIAL_NEAR;
        }
    }
}

// Cells of a reach, and two around it, which a move can reach; the whole of periodic axes whose
// seam it touches.
void wadi_alluvial_set_box(alluvial* a)
{
    a->box = (alluvial_box){0, a->width, 0, a->height};
    if (a->reach.cells == NULL)
    {
        return;
    }
    alluvial_box found = {a->width, 0, a->height, 0};
    for (int32_t y = 0; y < a->height; ++y)
    {
        for (int32_t x = 0; x < a->width; ++x)
        {
            if (a->reach.cells[(int64_t)y * a->width + x] != 0)
            {
                found.west = x < found.west ? x : found.west;
                found.east = x >= found.east ? x + 1 : found.east;
                found.north = y < found.north ? y : found.north;
                found.south = y + 1;
            }
        }
    }
    const bool wraps_x = a->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = a->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    if (found.west >= ALLUVIAL_PAD && found.east <= a->width - ALLUVIAL_PAD)
    {
        a->box.west = found.west - ALLUVIAL_PAD;
        a->box.east = found.east + ALLUVIAL_PAD;
    }
    else if (!wraps_x)
    {
        a->box.west = found.west > ALLUVIAL_PAD ? found.west - ALLUVIAL_PAD : 0;
        a->box.east = found.east + ALLUVIAL_PAD < a->width ? found.east + ALLUVIAL_PAD : a->width;
    }
    if (found.north >= ALLUVIAL_PAD && found.south <= a->height - ALLUVIAL_PAD)
    {
        a->box.north = found.north - ALLUVIAL_PAD;
        a->box.south = found.south + ALLUVIAL_PAD;
    }
    else if (!wraps_y)
    {
        a->box.north = found.north > ALLUVIAL_PAD ? found.north - ALLUVIAL_PAD : 0;
        a->box.south =
            found.south + ALLUVIAL_PAD < a->height ? found.south + ALLUVIAL_PAD : a->height;
    }
}

void wadi_alluvial_mark(alluvial* a)
{
    freeze_gates(a);
    wadi_alluvial_find_cliffs(a);
    for (int32_t y = -ALLUVIAL_PAD; y < a->height + ALLUVIAL_PAD; ++y)
    {
        for (int32_t x = -ALLUVIAL_PAD; x < a->width + ALLUVIAL_PAD; ++x)
        {
            a->kinds[alluvial_padded(a, x, y)] = freeze_kind(a, x, y);
        }
    }
    for (int32_t y = -ALLUVIAL_PAD; y < a->height + ALLUVIAL_PAD; ++y)
    {
        for (int32_t x = -ALLUVIAL_PAD; x < a->width + ALLUVIAL_PAD; ++x)
        {
            const uint8_t kind = a->kinds[alluvial_padded(a, x, y)];
            if ((kind & (ALLUVIAL_NEAR - 1)) == ALLUVIAL_WALL)
            {
                freeze_near_wall(a, x, y);
            }
        }
    }
}

// ---- levels ------------------------------------------------------------------------------

static float freeze_metres(const alluvial* a, int32_t units)
{
    return (float)((int64_t)units - a->datum) * (float)(1.0 / WADI_UNITS_PER_METRE);
}

// The lowest ground beside a cell without data, by which parcels leave.
static int32_t freeze_void(const alluvial* a, int32_t x, int32_t y)
{
    int32_t low = INT32_MAX;
    for (int32_t i = 0; i < 9; ++i)
    {
        const int64_t c = freeze_source(a, x + i % 3 - 1, y + i / 3 - 1);
        const int32_t h = wadi_ground_surface(a->ground, c);
        low = a->ground->valid[c] != 0 && h < low ? h : low;
    }
    return low != INT32_MAX ? low : a->datum;
}

static void freeze_cell(const alluvial* a, int32_t x, int32_t y)
{
    const bool inside = x >= 0 && y >= 0 && x < a->width && y < a->height;
    const int64_t c = inside ? (int64_t)y * a->width + x : freeze_source(a, x, y);
    const bool sound = a->ground->valid[c] != 0;
    int32_t bed = sound ? wadi_ground_surface(a->ground, c) : freeze_void(a, x, y);
    int32_t water = sound && a->level[c] > bed ? a->level[c] : bed;
    if (a->cliffs[c] != 0)
    {
        (void)wadi_alluvial_foot(a, c, &bed, &water);
    }
    const int32_t still = sound ? alluvial_still(a, c) : INT32_MIN;
    const float height = freeze_metres(a, bed);
    const float drop = !inside && sound ? wadi_alluvial_beyond(a, x, y, height) : 0.0f;
    const float level = freeze_metres(a, water) - drop;
    const float least = freeze_metres(a, still);
    const int64_t at = alluvial_padded(a, x, y);
    a->surfaces[at] = (alluvial_surface){least > level ? least : level, height - drop};
    a->flows[at] = (alluvial_flow){a->east[c], a->south[c]};
}

static void freeze_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const alluvial* a = user;
    const alluvial_flow_kernels* kernels = alluvial_flow_kernels_of(wadi_isa_best());
    (void)worker;
    for (int32_t i = begin; i < end; ++i)
    {
        const int32_t y = a->box.north + i - ALLUVIAL_PAD;
        const int32_t west = a->box.west - ALLUVIAL_PAD;
        const int32_t east = a->box.east + ALLUVIAL_PAD;
        for (int32_t x = west; x < east; ++x)
        {
            freeze_cell(a, x, y);
        }
        const int64_t first = alluvial_padded(a, west, y);
        kernels->flow(a->walk.gather, a->walk.share, a->surfaces + first, a->flows + first,
                      east - west, a->narrow + first, a->speeds + first);
    }
}

void wadi_alluvial_freeze(alluvial* a)
{
    const int32_t rows = a->box.south - a->box.north + 2 * ALLUVIAL_PAD;
    wadi_parallel_rows(a->context, rows, ALLUVIAL_ROWS, freeze_rows, a);
}

// ---- offers ------------------------------------------------------------------------------

static int32_t offer_part(float metres, int32_t visits)
{
    const float units = metres * (float)WADI_UNITS_PER_METRE / (float)visits;
    return units < 1e8f ? (int32_t)units : 100000000;
}

// Is the ground of a cell held by its mud?
static bool offer_holds(const alluvial* a, float speed, int64_t c)
{
    const float mud = 1.0f - (float)a->coarse[c] * (1.0f / ALLUVIAL_SORTED);
    return speed < mud * (float)a->params.mud_speed;
}

// Cells with visitors in a row, until there are enough to find their loads together.
typedef struct offer_cells
{
    _Alignas(64) float flow[ALLUVIAL_CELLS];
    float speed[ALLUVIAL_CELLS];
    float capacity[ALLUVIAL_CELLS];
    float falls[ALLUVIAL_CELLS];
    int64_t cells[ALLUVIAL_CELLS];
    int32_t count;
} offer_cells;

// What each visitor takes and lays down, at most.
static void offer_add(const alluvial* a, int64_t at, int64_t c, int32_t visits, offer_cells* cells)
{
    const float depth = a->surfaces[at].water - a->surfaces[at].bed;
    const float speed = a->speeds[at];
    const bool laid = depth >= (float)a->params.deposit_depth;
    const float change = FREEZE_CHANGE * depth;
    const float rise = change > FREEZE_LEAST_CHANGE ? change : FREEZE_LEAST_CHANGE;
    const int32_t loose = (wadi_ground_surface(a->ground, c) - a->ground->bedrock[c]) / visits;
    const int32_t give = offer_holds(a, speed, c) ? 0 : offer_part(change, visits);
    a->offers[c].give = give < loose ? give : loose;
    a->offers[c].room = laid ? offer_part(rise, visits) : 0;
    cells->flow[cells->count] = a->narrow[at];
    cells->speed[cells->count] = speed;
    cells->cells[cells->count++] = c;
}

static void offer_carry(const alluvial* a, offer_cells* cells)
{
    const float way = ALLUVIAL_STRIDE * (float)(a->cell * a->params.fine_settling);
    alluvial_flow_kernels_of(wadi_isa_best())
        ->carry(&a->params, way, cells->flow, cells->speed, cells->capacity, cells->falls);
    for (int32_t i = 0; i < cells->count; ++i)
    {
        a->offers[cells->cells[i]].capacity = cells->capacity[i];
        a->offers[cells->cells[i]].falls = cells->falls[i];
    }
    cells->count = 0;
}

// Visits of all workers, which begin anew. `ALLUVIAL_TOUCHED` is kept.
static int32_t offer_visits(const alluvial* a, int64_t c)
{
    int32_t visits = a->visits[0][c];
    for (int32_t w = 1; w < a->workers; ++w)
    {
        const int32_t more = a->visits[w][c];
        visits = (visits + (more & (ALLUVIAL_TOUCHED - 1))) | (more & ALLUVIAL_TOUCHED);
        a->visits[w][c] = 0;
    }
    a->visits[0][c] = visits;
    return visits & (ALLUVIAL_TOUCHED - 1);
}

static void offer_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const alluvial* a = user;
    offer_cells cells = {.count = 0};
    (void)worker;
    for (int32_t y = a->box.north + begin; y < a->box.north + end; ++y)
    {
        const int64_t row = (int64_t)y * a->width;
        const int64_t padded = alluvial_padded(a, 0, y);
        alluvial_span span = {a->width, 0};
        for (int32_t x = a->box.west; x < a->box.east; ++x)
        {
            const int32_t visits = offer_visits(a, row + x);
            if (visits > 0)
            {
                offer_add(a, padded + x, row + x, visits, &cells);
                span.west = x < span.west ? x : span.west;
                span.east = x + 1;
            }
            if (cells.count == ALLUVIAL_CELLS)
            {
                offer_carry(a, &cells);
            }
        }
        a->visited[y] = span;
    }
    offer_carry(a, &cells);
}

void wadi_alluvial_offer(alluvial* a)
{
    wadi_parallel_rows(a->context, a->box.south - a->box.north, ALLUVIAL_ROWS, offer_rows, a);
}
