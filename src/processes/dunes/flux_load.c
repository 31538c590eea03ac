// SPDX-License-Identifier: MIT
// Sand in the air: advection along x, then along y, then lifting and deposition (equations 8, 9).
//
// A pass moves sand 0.85 cells with a variance of 0.25 cells squared along both axes. The weights
// of the three target cells are then positive at every azimuth, and the spread is isotropic. The
// outflow of a cell is rounded once, in that cell, so the sum is exact.
#include "processes/dunes/flux.h"

#include "core/internal.h"

#include <string.h>

static const float load_spread = 0.25f; // [cells2]

// Boundary condition of a side.
typedef enum load_beyond
{
    LOAD_WRAPS,
    LOAD_WALL, // no outflow
    LOAD_OPEN
} load_beyond;

static load_beyond load_beyond_side(const flux* f, wadi_side side)
{
    static const load_beyond beyond[] = {[WADI_EDGE_PERIODIC] = LOAD_WRAPS,
                                         [WADI_EDGE_CLOSED] = LOAD_WALL,
                                         [WADI_EDGE_OPEN] = LOAD_OPEN};
    return beyond[f->ground->edges[side]];
}

// Load that enters at cell i of a side.
static int32_t load_inflow(const flux* f, wadi_side side, int32_t i)
{
    return f->entry[side] != NULL ? f->entry[side][i] : 0;
}

// Ghost cell beyond edge cell (x, y). At an open edge it holds the inflow load where the wind blows
// in, and the load of the edge cell where the wind blows out.
static int32_t load_at_side(const flux* f, wadi_side side, int32_t x, int32_t y, int32_t opposite,
                            int32_t edge)
{
    const bool along_x = side == WADI_SIDE_WEST || side == WADI_SIDE_EAST;
    const float e = flux_wind_row(f, along_x ? FLUX_WIND_EAST : FLUX_WIND_SOUTH, y)[x];
    const float out = side == WADI_SIDE_WEST || side == WADI_SIDE_NORTH ? -e : e;
    switch (load_beyond_side(f, side))
    {
    case LOAD_WRAPS:
        return opposite;
    case LOAD_WALL:
        return 0;
    default:
        return out < 0.0f ? load_inflow(f, side, along_x ? y : x) : edge;
    }
}

// ---- along x -----------------------------------------------------------------------------------

// Book the sand that crosses the western and eastern ends of a row.
static void load_cross_ends(const flux* f, const flux_worker* own, int32_t* out, wadi_tally* tally)
{
    const int32_t last = f->ground->width - 1;
    const int32_t west = own->along[1][0];
    const int32_t east = own->along[0][last];
    int64_t* left = tally->out[WADI_MATERIAL_SEDIMENT];
    const load_beyond to_west = load_beyond_side(f, WADI_SIDE_WEST);
    const load_beyond to_east = load_beyond_side(f, WADI_SIDE_EAST);
    out[0] += to_west == LOAD_WALL ? west : 0;
    out[last] += to_east == LOAD_WALL ? east : 0;
    if (to_west == LOAD_OPEN)
    {
        left[WADI_SIDE_WEST] += west;
        tally->in[WADI_MATERIAL_SEDIMENT] += own->along[0][-1];
    }
    if (to_east == LOAD_OPEN)
    {
        left[WADI_SIDE_EAST] += east;
        tally->in[WADI_MATERIAL_SEDIMENT] += own->along[1][last + 1];
    }
}

// Move row y along x into `out`. `tally`: NULL if another block books the sand across the edges.
static void load_move_row(const flux* f, int32_t y, flux_worker* own, int32_t* out,
                          wadi_tally* tally)
{
    const int32_t width = f->ground->width;
    wadi_tally nobody = {0};
    memcpy(own->row, f->load + flux_at(f, y), (size_t)width * sizeof *own->row);
    const int32_t last = width - 1;
    own->row[-1] = load_at_side(f, WADI_SIDE_WEST, 0, y, own->row[last], own->row[0]);
    own->row[width] = load_at_side(f, WADI_SIDE_EAST, last, y, own->row[0], own->row[last]);
    const float* e = flux_wind_row(f, FLUX_WIND_EAST, y);
    const flux_parts_row parts = {width + 2,        own->row - 1, e - 1,
                                  f->law.path,      load_spread,  own->along[0] - 1,
                                  own->along[1] - 1};
    f->kernels->parts(&parts);
    const flux_gather_row gather = {
        width, own->row, own->along[0], own->along[1], own->along[0] - 1, own->along[1] + 1, out};
    f->kernels->gather(&gather);
    load_cross_ends(f, own, out, tally != NULL ? tally : &nobody);
}

// ---- along y -----------------------------------------------------------------------------------

// Ghost row beyond the northern or southern edge, after the pass along x.
static void load_fill_row(const flux* f, wadi_side side, int32_t y, const int32_t* edge,
                          int32_t* out)
{
    for (int32_t x = 0; x < f->ground->width; ++x)
    {
        out[x] = load_at_side(f, side, x, y, 0, edge[x]);
    }
}

// Outflow along y of the row in slot k: row y, or the ghost row beyond it.
static void load_part_row(const flux* f, int32_t y, int32_t k, flux_worker* own)
{
    const float* e = flux_wind_row(f, FLUX_WIND_SOUTH, y);
    const flux_parts_row parts = {f->ground->width,     own->moved[k], e,
                                  f->law.path,          load_spread,   own->parts[2 * k],
                                  own->parts[2 * k + 1]};
    f->kernels->parts(&parts);
}

static bool load_is_inside(const flux* f, int32_t y)
{
    return f->wrap_y || (y >= 0 && y < f->ground->height);
}

// Compute row y after the pass along x, and its outflow along y, in slot k.
static void load_make_row(const flux* f, int32_t y, int32_t k, flux_worker* own, bool ours)
{
    if (load_is_inside(f, y))
    {
        load_move_row(f, (int32_t)flux_wrap(y, f->ground->height, f->wrap_y), own, own->moved[k],
                      ours ? &own->tally : NULL);
        load_part_row(f, y, k, own);
    }
}

static void load_make_rim(const flux* f, wadi_side side, int32_t y, int32_t k, int32_t edge,
                          flux_worker* own)
{
    load_fill_row(f, side, y, own->moved[edge], own->moved[k]);
    load_part_row(f, y, k, own);
}

static int64_t load_sum(const int32_t* row, int32_t count)
{
    int64_t sum = 0;
    for (int32_t x = 0; x < count; ++x)
    {
        sum += row[x];
    }
    return sum;
}

// Book the sand across an edge: `leaves` is the outflow of the edge row, `enters` the inflow.
static void load_cross_edge(const flux* f, wadi_side side, const int32_t* leaves,
                            const int32_t* enters, int32_t* out, wadi_tally* tally)
{
    const int32_t width = f->ground->width;
    if (load_beyond_side(f, side) == LOAD_WALL)
    {
        for (int32_t x = 0; x < width; ++x)
        {
            out[x] += leaves[x];
        }
        return;
    }
    tally->out[WADI_MATERIAL_SEDIMENT][side] += load_sum(leaves, width);
    tally->in[WADI_MATERIAL_SEDIMENT] += load_sum(enters, width);
}

// ---- settling ----------------------------------------------------------------------------------

static void load_settle_row(const flux* f, int32_t y, int32_t* load, flux_worker* own)
{
    wadi_flux_leave_voids(f, y, load, &own->tally);
    int32_t* arrived = f->arrived + flux_at(f, y);
    const flux_settle_row settle = {f->ground->width,
                                    f->capacity + flux_at(f, y),
                                    f->lift != NULL ? f->lift + flux_at(f, y) : NULL,
                                    f->lift != NULL ? f->supply + flux_at(f, y) : NULL,
                                    wadi_flux_sand_row(f, y, own),
                                    f->law.hard,
                                    f->law.hard_cover,
                                    f->law.share,
                                    load,
                                    own->change,
                                    f->skin + flux_at(f, y),
                                    flux_settling_row(f, y),
                                    arrived,
                                    f->pass};
    f->kernels->settle(&settle);
    wadi_ground_change_row(f->ground, (int64_t)y * f->ground->width, f->ground->width, own->change,
                           &own->tally);
    wadi_flux_fill_load_margins(f, load);
    wadi_flux_fill_load_margins(f, arrived);
}

// Complete row y from slot k and its neighbours: gather, cross edges, exchange with the ground.
static void load_finish_row(const flux* f, int32_t y, int32_t k, flux_worker* own)
{
    const int32_t north = (k + 2) % 3;
    const int32_t south = (k + 1) % 3;
    int32_t* out = f->next_load + flux_at(f, y);
    if (!load_is_inside(f, y - 1))
    {
        load_make_rim(f, WADI_SIDE_NORTH, y, north, k, own);
    }
    if (!load_is_inside(f, y + 1))
    {
        load_make_rim(f, WADI_SIDE_SOUTH, y, south, k, own);
    }
    const flux_gather_row gather = {f->ground->width,
                                    own->moved[k],
                                    own->parts[2 * k],
                                    own->parts[2 * k + 1],
                                    own->parts[2 * north],
                                    own->parts[2 * south + 1],
                                    out};
    f->kernels->gather(&gather);
    if (!load_is_inside(f, y - 1))
    {
        load_cross_edge(f, WADI_SIDE_NORTH, own->parts[2 * k + 1], own->parts[2 * north], out,
                        &own->tally);
    }
    if (!load_is_inside(f, y + 1))
    {
        load_cross_edge(f, WADI_SIDE_SOUTH, own->parts[2 * k], own->parts[2 * south + 1], out,
                        &own->tally);
    }
    load_settle_row(f, y, out, own);
}

static void load_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    flux_worker* own = &f->workers[worker];
    load_make_row(f, begin - 1, 0, own, false);
    load_make_row(f, begin, 1, own, true);
    for (int32_t y = begin, k = 1; y < end; ++y, k = (k + 1) % 3)
    {
        load_make_row(f, y + 1, (k + 1) % 3, own, y + 1 < end);
        load_finish_row(f, y, k, own);
    }
}

void wadi_flux_carry(flux* f)
{
    for (f->pass = 0; f->pass < FLUX_PASSES; ++f->pass)
    {
        wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, load_rows, f);
        int32_t* const moved = f->next_load;
        f->next_load = f->load;
        f->load = moved;
    }
}
