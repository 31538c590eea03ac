// SPDX-License-Identifier: MIT
// Flow directions: steepest descent by D8 or D-infinity, and directions across flats.
//
// There are no cycles: a descent leads to strictly lower cells, and on flats a cell drains to a
// cell that the breadth-first search reached earlier.
#include "core/dmath.h"
#include "laws/flow/flow_grid.h"

enum
{
    ROUTE_GRAIN = 16 // rows of a block
};

static const wadi_flow_target route_nowhere = {0.0f, WADI_FLOW_NOWHERE, WADI_FLOW_NOWHERE};

// A cell and its neighbours; NaN where there is none.
typedef struct route_cell
{
    double height;
    double around[8];
    double dx;
    double dy;
} route_cell;

typedef struct route_job
{
    flow_grid grid;
    wadi_flow_model model;
    wadi_flow_target* targets;
} route_job;

static route_cell route_load(const flow_grid* grid, int32_t column, int32_t row)
{
    route_cell c = {.dx = flow_dx(grid, row), .dy = grid->field->dy};
    c.height = (double)flow_height(grid, (int64_t)row * grid->width + column);
    for (int k = 0; k < 8; ++k)
    {
        const int64_t n = flow_neighbour(grid, column, row, k);
        c.around[k] = n >= 0 ? (double)flow_height(grid, n) : (double)NAN;
    }
    return c;
}

static double route_distance(const route_cell* c, int direction)
{
    return (direction & 1) != 0 ? sqrt(c->dx * c->dx + c->dy * c->dy)
           : direction % 4 == 0 ? c->dx
                                : c->dy;
}

// Among equal slopes the first direction wins.
static wadi_flow_target route_d8(const route_cell* c)
{
    wadi_flow_target target = route_nowhere;
    double steepest = 0.0;
    for (int k = 0; k < 8; ++k)
    {
        const double slope = (c->height - c->around[k]) / route_distance(c, k);
        if (slope > steepest) // false for NaN
        {
            steepest = slope;
            target.first = (int8_t)k;
        }
    }
    return target;
}

// Steepest descent on one facet, between an axis neighbour and a diagonal one (Tarboton 1997, eq.
// 1-5). Returns its slope; a direction outside the facet is replaced by the steeper of its sides.
static double route_facet(const route_cell* c, int axis, int diagonal, double* turn)
{
    const double along = axis % 4 == 0 ? c->dx : c->dy;
    const double across = axis % 4 == 0 ? c->dy : c->dx;
    const double s1 = (c->height - c->around[axis]) / along;
    const double s2 = (c->around[axis] - c->around[diagonal]) / across;
    const double direct = (c->height - c->around[diagonal]) / route_distance(c, diagonal);
    *turn = 0.0;
    if (s1 > 0.0 && s2 > 0.0 && s2 * along < s1 * across)
    {
        *turn = wadi_atan2(s2, s1) / wadi_atan2(across, along);
        return sqrt(s1 * s1 + s2 * s2);
    }
    const bool diagonal_wins = direct > 0.0 && !(s1 >= direct);
    *turn = diagonal_wins ? 1.0 : 0.0;
    return diagonal_wins ? direct : s1;
}

static wadi_flow_target route_dinf(const route_cell* c)
{
    wadi_flow_target target = route_nowhere;
    double steepest = 0.0;
    for (int k = 0; k < 8; ++k)
    {
        const int next = (k + 1) % 8;
        const int axis = (k & 1) == 0 ? k : next;
        const int diagonal = (k & 1) == 0 ? next : k;
        double turn;
        const double slope = route_facet(c, axis, diagonal, &turn);
        if (!(slope > steepest))
        {
            continue;
        }
        steepest = slope;
        const bool split = turn > 0.0 && turn < 1.0;
        target.first = (int8_t)(turn < 1.0 ? axis : diagonal);
        target.second = (int8_t)(split ? diagonal : WADI_FLOW_NOWHERE);
        target.share = split ? (float)turn : 0.0f;
    }
    return target;
}

wadi_flow_target wadi_flow_dinf_at(const wadi_field2d* field, int32_t column, int32_t row)
{
    const flow_grid grid = flow_grid_of(field);
    const route_cell c = route_load(&grid, column, row);
    return isnan(c.height) ? route_nowhere : route_dinf(&c);
}

static void route_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const route_job* job = user;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t column = 0; column < job->grid.width; ++column)
        {
            const route_cell c = route_load(&job->grid, column, row);
            job->targets[(int64_t)row * job->grid.width + column] = isnan(c.height) ? route_nowhere
                                                                    : job->model == WADI_FLOW_DINF
                                                                        ? route_dinf(&c)
                                                                        : route_d8(&c);
        }
    }
}

// ---- flats -------------------------------------------------------------------------------

// Queue of drained cells in the order of their distance from the outlet of the flat.
typedef struct route_flats
{
    flow_grid grid;
    wadi_flow_target* targets;
    uint32_t* queue;
    int64_t begin;
    int64_t end;
    bool* drained;
} route_flats;

static bool route_is_undrained(const route_flats* flats, int64_t n, float height)
{
    return n >= 0 && !flats->drained[n] && flow_height(&flats->grid, n) == height;
}

static bool route_has_undrained(const route_flats* flats, int64_t cell)
{
    for (int k = 0; k < 8; ++k)
    {
        if (route_is_undrained(flats, flow_neighbour_of(&flats->grid, cell, k),
                               flow_height(&flats->grid, cell)))
        {
            return true;
        }
    }
    return false;
}

static void route_start_flats(route_flats* flats)
{
    for (int64_t i = 0; i < flats->grid.cells; ++i)
    {
        flats->drained[i] = flats->targets[i].first >= 0 || flow_is_rim(&flats->grid, i);
    }
    for (int64_t i = 0; i < flats->grid.cells; ++i)
    {
        if (flats->drained[i] && route_has_undrained(flats, i))
        {
            flats->queue[flats->end++] = (uint32_t)i;
        }
    }
}

// Assign the undrained neighbours of one cell, in every other direction from `first` on.
static void route_spread(route_flats* flats, int64_t cell, int first)
{
    for (int k = first; k < 8; k += 2)
    {
        const int64_t n = flow_neighbour_of(&flats->grid, cell, k);
        if (route_is_undrained(flats, n, flow_height(&flats->grid, cell)))
        {
            flats->targets[n].first = (int8_t)((k + 4) % 8);
            flats->drained[n] = true;
            flats->queue[flats->end++] = (uint32_t)n;
        }
    }
}

// All cells of one distance spread along the axes before any spreads along a diagonal: a cell that
// can be reached both ways drains along an axis.
static void route_spread_flats(route_flats* flats)
{
    while (flats->begin < flats->end)
    {
        const int64_t ring = flats->end;
        for (int first = 0; first < 2; ++first)
        {
            for (int64_t i = flats->begin; i < ring; ++i)
            {
                route_spread(flats, (int64_t)flats->queue[i], first);
            }
        }
        flats->begin = ring;
    }
}

static wadi_result route_cross_flats(wadi_context* context, route_flats* flats)
{
    WADI_ALLOC(context, flats->drained, flats->grid.cells, "level ground");
    WADI_ALLOC(context, flats->queue, flats->grid.cells, "level ground");
    route_start_flats(flats);
    route_spread_flats(flats);
    return WADI_OK;
}

wadi_result wadi_flow_route(wadi_context* context, const wadi_field2d* field, wadi_flow_model model,
                            wadi_flow_target* targets)
{
    WADI_TRY(wadi_field2d_check(context, field, targets));
    WADI_CHECK(context, model == WADI_FLOW_D8 || model == WADI_FLOW_DINF, WADI_ERROR_ARGUMENT,
               "unknown flow model %d; expected D8 (0) or D-infinity (1)", (int)model);
    route_job job = {flow_grid_of(field), model, targets};
    wadi_parallel_rows(context, field->height, ROUTE_GRAIN, route_rows, &job);
    route_flats flats = {.grid = job.grid, .targets = targets};
    const wadi_result result = route_cross_flats(context, &flats);
    wadi_free(context, flats.queue);
    wadi_free(context, flats.drained);
    return result;
}
