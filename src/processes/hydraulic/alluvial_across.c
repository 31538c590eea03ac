// SPDX-License-Identifier: MIT
// Load rolls down slopes across the flow: over each face goes a share of the load that passed,
// times the slope. It erodes banks and rounds bars. Loose matter steeper than it can rest slides as
// well.
//
// Fluxes are whole units and follow from the ground at the begin; a cell with less loose matter
// than it would give gives a share of each flux. Load passed only where parcels came, so each pass
// goes from the first visitor of a row, or of the rows beside it, to the last. Load rolls over open
// edges as well, down the plain beyond them.
#include "processes/hydraulic/alluvial.h"

#include <math.h>
#include <string.h>

#define ACROSS_MOST 0.2f // share of a difference in height that one face takes, at most
#define ACROSS_REST 0.6f // slope at which loose matter rests

// The cell east of or south of a cell, across periodic edges; -1: none.
static int64_t across_east(const alluvial* a, int32_t x, int32_t y)
{
    const int32_t to = hydraulic_fold(x + 1, a->width, a->ground->edges[WADI_SIDE_EAST]);
    return to >= 0 ? (int64_t)y * a->width + to : -1;
}

static int64_t across_south(const alluvial* a, int32_t x, int32_t y)
{
    const int32_t to = hydraulic_fold(y + 1, a->height, a->ground->edges[WADI_SIDE_SOUTH]);
    return to >= 0 ? (int64_t)to * a->width + x : -1;
}

enum
{
    ACROSS_FACES = 4 // of a cell: east, south, west, north
};

// Cells of a reach change, others keep their height.
static bool across_moves(const alluvial* a, int32_t x, int32_t y)
{
    const int64_t at = alluvial_padded(a, x, y);
    return (a->kinds[at] & (ALLUVIAL_NEAR - 1)) == ALLUVIAL_WALK;
}

// What goes down a `fall` from one cell to the next [units], where `passed` load went through both.
static int32_t across_flux(const alluvial* a, float fall, float passed)
{
    const float gain = (float)(a->params.cross_slope / (2.0 * a->cell * WADI_UNITS_PER_METRE));
    const float share = gain * passed < ACROSS_MOST ? gain * passed : ACROSS_MOST;
    const float rest = ACROSS_REST * (float)(a->cell * WADI_UNITS_PER_METRE);
    const float steep = fabsf(fall) > rest ? fall - copysignf(rest, fall) : 0.0f;
    const float flux = share * fall + ACROSS_MOST * steep;
    const float most = ACROSS_MOST * fabsf(fall);
    return (int32_t)(fabsf(flux) < most ? flux : copysignf(most, flux));
}

// Share of a cell's ground that rolls: mud that holds does not.
static float across_coarse(const alluvial* a, int64_t c)
{
    return a->params.mud_speed > 0.0 ? (float)a->coarse[c] * (1.0f / ALLUVIAL_SORTED) : 1.0f;
}

// What goes over the face between a cell that moves and its neighbour `to`, at (x, y).
static int32_t across_face(const alluvial* a, int64_t from, int64_t to, int32_t x, int32_t y)
{
    const int64_t passed = to >= 0 ? a->passed[from] + a->passed[to] : 0;
    if (passed == 0 || !across_moves(a, x, y))
    {
        return 0;
    }
    const int64_t fall =
        (int64_t)wadi_ground_surface(a->ground, from) - wadi_ground_surface(a->ground, to);
    const float rolls = (float)passed * across_coarse(a, fall >= 0 ? from : to);
    return across_flux(a, (float)fall, rolls);
}

static void across_add(const alluvial* a, int32_t y, alluvial_span* span)
{
    const int32_t row = hydraulic_fold(y, a->height, a->ground->edges[WADI_SIDE_NORTH]);
    if (row >= a->box.north && row < a->box.south)
    {
        const alluvial_span beside = a->visited[row];
        span->west = beside.west < span->west ? beside.west : span->west;
        span->east = beside.east > span->east ? beside.east : span->east;
    }
}

// Cells of a row that may gain or lose.
static alluvial_span across_span(const alluvial* a, int32_t y)
{
    alluvial_span span = {a->width, 0};
    across_add(a, y - 1, &span);
    across_add(a, y, &span);
    across_add(a, y + 1, &span);
    if (span.west >= span.east)
    {
        return span;
    }
    span.west -= 1;
    span.east += 1;
    const bool wraps = a->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool around = wraps && (span.west < 0 || span.east > a->width);
    const bool west = around || span.west < a->box.west;
    const bool east = around || span.east > a->box.east;
    return (alluvial_span){west ? a->box.west : span.west, east ? a->box.east : span.east};
}

static void across_faces_of(const alluvial* a, int32_t x, int32_t y)
{
    const int64_t c = (int64_t)y * a->width + x;
    const int64_t east = across_east(a, x, y);
    const int64_t south = across_south(a, x, y);
    if (across_moves(a, x, y))
    {
        a->over_east[c] = across_face(a, c, east, x + 1 < a->width ? x + 1 : 0, y);
        a->over_south[c] = across_face(a, c, south, x, y + 1 < a->height ? y + 1 : 0);
    }
}

static void across_faces(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const alluvial* a = user;
    (void)worker;
    for (int32_t y = a->box.north + begin; y < a->box.north + end; ++y)
    {
        const int64_t first = (int64_t)y * a->width + a->box.west;
        const size_t size = (size_t)(a->box.east - a->box.west) * sizeof *a->over_east;
        memset(a->over_east + first, 0, size);
        memset(a->over_south + first, 0, size);
        const alluvial_span span = across_span(a, y);
        for (int32_t x = span.west; x < span.east; ++x)
        {
            across_faces_of(a, x, y);
        }
    }
}

// The faces of a cell where the box or the map may end, as what leaves it.
static void across_leaving_rim(const alluvial* a, int32_t x, int32_t y, int32_t* out)
{
    const bool wraps_x = a->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = a->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    // a box that does not reach the far side leaves old fluxes there
    const bool around_x = wraps_x && x == 0 && a->box.east == a->width;
    const bool around_y = wraps_y && y == 0 && a->box.south == a->height;
    const int32_t west = x > a->box.west ? x - 1 : around_x ? a->width - 1 : -1;
    const int32_t north = y > a->box.north ? y - 1 : around_y ? a->height - 1 : -1;
    out[0] = a->over_east[(int64_t)y * a->width + x];
    out[1] = a->over_south[(int64_t)y * a->width + x];
    out[2] = west >= 0 ? -a->over_east[(int64_t)y * a->width + west] : 0;
    out[3] = north >= 0 ? -a->over_south[(int64_t)north * a->width + x] : 0;
}

// Has a cell neighbours on all sides, in the box and on the map?
static inline bool across_is_inside(const alluvial* a, int32_t x, int32_t y)
{
    return x > a->box.west && y > a->box.north && x + 1 < a->width && y + 1 < a->height;
}

// The faces of any cell.
static inline void across_leaving(const alluvial* a, int32_t x, int32_t y, int32_t* out)
{
    if (!across_is_inside(a, x, y))
    {
        across_leaving_rim(a, x, y, out);
        return;
    }
    const int64_t c = (int64_t)y * a->width + x;
    out[0] = a->over_east[c];
    out[1] = a->over_south[c];
    out[2] = -a->over_east[c - 1];
    out[3] = -a->over_south[c - a->width];
}

// ---- open edges --------------------------------------------------------------------------

static bool across_at_edge(const alluvial* a, int32_t x, int32_t y)
{
    return x == 0 || y == 0 || x == a->width - 1 || y == a->height - 1;
}

// The padded place beyond a side of a cell.
static int64_t across_beyond(const alluvial* a, int32_t x, int32_t y, int32_t side)
{
    const int32_t east = side == WADI_SIDE_EAST ? 1 : side == WADI_SIDE_WEST ? -1 : 0;
    const int32_t south = side == WADI_SIDE_SOUTH ? 1 : side == WADI_SIDE_NORTH ? -1 : 0;
    return alluvial_padded(a, x + east, y + south);
}

// What leaves the map over a side of a cell at its edge [units]. As much load passes beyond.
static int32_t across_out(const alluvial* a, int32_t x, int32_t y, int32_t side)
{
    const bool first = side == WADI_SIDE_NORTH ? y == 0 : x == 0;
    const bool last = side == WADI_SIDE_SOUTH ? y == a->height - 1 : x == a->width - 1;
    const bool rim = side == WADI_SIDE_NORTH || side == WADI_SIDE_WEST ? first : last;
    const int64_t beyond = across_beyond(a, x, y, side);
    const bool open = rim && a->kinds[beyond] == ALLUVIAL_EXIT + side;
    const int64_t c = (int64_t)y * a->width + x;
    const float passed = 2.0f * (float)a->passed[c];
    const float fall = a->surfaces[alluvial_padded(a, x, y)].bed - a->surfaces[beyond].bed;
    const bool moves = open && passed > 0.0f && across_moves(a, x, y);
    const float rolls = passed * across_coarse(a, c);
    return moves ? across_flux(a, fall * WADI_UNITS_PER_METRE, rolls) : 0;
}

// The same over all sides of any cell.
static int64_t across_out_of(const alluvial* a, int32_t x, int32_t y)
{
    int64_t sum = 0;
    for (int32_t side = 0; side < WADI_SIDE_VOID && across_at_edge(a, x, y); ++side)
    {
        sum += across_out(a, x, y, side);
    }
    return sum;
}

// Does nothing go over any face of a cell inside?
static inline bool across_is_still(const alluvial* a, int32_t x, int32_t y)
{
    const int64_t c = (int64_t)y * a->width + x;
    return across_is_inside(a, x, y) && (a->over_east[c] | a->over_south[c] | a->over_east[c - 1] |
                                         a->over_south[c - a->width]) == 0;
}

// ---- passes ------------------------------------------------------------------------------

// A cell that would give more than it has gives a share of each flux. Returns whether it is so.
static bool across_grant_of(alluvial* a, int32_t x, int32_t y)
{
    const int64_t c = (int64_t)y * a->width + x;
    int32_t out[ACROSS_FACES];
    across_leaving(a, x, y, out);
    int64_t all = across_out_of(a, x, y);
    for (int32_t i = 0; i < ACROSS_FACES; ++i)
    {
        all += out[i] > 0 ? out[i] : 0;
    }
    const int64_t loose = wadi_ground_surface(a->ground, c) - a->ground->bedrock[c];
    a->grants[c] = all > loose ? (int32_t)(loose * 65536 / all) : 65536;
    return all > loose;
}

// Cells over whose faces nothing goes are left out: no flux takes a part of what they grant.
static void across_limit(int32_t begin, int32_t end, int32_t worker, void* user)
{
    alluvial* a = user;
    (void)worker;
    for (int32_t y = a->box.north + begin; y < a->box.north + end; ++y)
    {
        const alluvial_span span = across_span(a, y);
        a->scarce[y] = 0;
        for (int32_t x = span.west; x < span.east; ++x)
        {
            if (!across_is_still(a, x, y) && across_grant_of(a, x, y))
            {
                a->scarce[y] = 1;
            }
        }
    }
}

static int32_t across_part(int32_t flux, int32_t grant)
{
    return (int32_t)((int64_t)flux * grant / 65536);
}

static int32_t across_grant(const alluvial* a, int64_t from, int64_t to, int32_t flux)
{
    return across_part(flux, a->grants[flux >= 0 ? from : to]);
}

static void across_scale(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const alluvial* a = user;
    (void)worker;
    for (int32_t y = a->box.north + begin; y < a->box.north + end; ++y)
    {
        const int32_t below = y + 1 < a->height ? y + 1 : 0;
        if (a->scarce[y] == 0 && (below >= a->box.south || a->scarce[below] == 0))
        {
            continue; // all grants are whole
        }
        const alluvial_span span = across_span(a, y);
        for (int32_t x = span.west; x < span.east; ++x)
        {
            const int64_t c = (int64_t)y * a->width + x;
            const int64_t east = across_east(a, x, y);
            const int64_t south = across_south(a, x, y);
            a->over_east[c] = east >= 0 ? across_grant(a, c, east, a->over_east[c]) : 0;
            a->over_south[c] = south >= 0 ? across_grant(a, c, south, a->over_south[c]) : 0;
        }
    }
}

// Book what a cell gives over open edges; returns it.
static int32_t across_export(const alluvial* a, int32_t x, int32_t y, wadi_tally* tally)
{
    const int32_t grant = a->grants[(int64_t)y * a->width + x];
    int32_t sum = 0;
    for (int32_t side = 0; side < WADI_SIDE_VOID && across_at_edge(a, x, y); ++side)
    {
        const int32_t part = across_part(across_out(a, x, y, side), grant);
        tally->out[WADI_MATERIAL_SEDIMENT][side] += part;
        sum += part;
    }
    return sum;
}

static void across_change(const alluvial* a, int32_t x, int32_t y, wadi_tally* tally)
{
    const int64_t c = (int64_t)y * a->width + x;
    int32_t out[ACROSS_FACES];
    across_leaving(a, x, y, out);
    const int32_t lost = out[0] + out[1] + out[2] + out[3] + across_export(a, x, y, tally);
    if (lost < 0)
    {
        wadi_ground_put(a->ground, c, -lost, tally);
    }
    if (lost > 0)
    {
        (void)wadi_ground_take_loose(a->ground, c, lost, tally);
    }
}

static void across_move(int32_t begin, int32_t end, int32_t worker, void* user)
{
    alluvial* a = user;
    for (int32_t y = a->box.north + begin; y < a->box.north + end; ++y)
    {
        const alluvial_span span = across_span(a, y);
        for (int32_t x = span.west; x < span.east; ++x)
        {
            if (!across_is_still(a, x, y))
            {
                across_change(a, x, y, &a->tallies[worker]);
            }
        }
    }
}

void wadi_alluvial_roll(alluvial* a)
{
    wadi_rows_fn* const passes[] = {across_faces, across_limit, across_scale, across_move};
    for (size_t i = 0; i < WADI_COUNT(passes); ++i)
    {
        wadi_parallel_rows(a->context, a->box.south - a->box.north, ALLUVIAL_ROWS, passes[i], a);
    }
}
