// SPDX-License-Identifier: MIT
// The order of grains: columns as wide as grains can reach, in strips, and by height within each
// column. Columns have no empty cells above a pile, as cubes have; strips as wide as a chunk is
// long make chunks as square as the Morton order does, on a grid of any shape.
#include "granular/granular.h"

// ---- columns -----------------------------------------------------------------------------

int32_t granular_column(const granular_grid* grid, int32_t x, int32_t y)
{
    const int32_t strip = x / grid->strip;
    const int32_t west = strip * grid->strip;
    const int32_t wide =
        grid->columns[0] - west < grid->strip ? grid->columns[0] - west : grid->strip;
    return west * grid->columns[1] + y * wide + (x - west);
}

static void sort_bounds(const wadi_grains* grains, double low[2], double high[2])
{
    for (int axis = 0; axis < 2; ++axis)
    {
        low[axis] = grains->bodies[0].x[axis];
        high[axis] = low[axis];
        for (int32_t i = 1; i < grains->count; ++i)
        {
            const double x = grains->bodies[i].x[axis];
            low[axis] = x < low[axis] ? x : low[axis];
            high[axis] = x > high[axis] ? x : high[axis];
        }
    }
}

// Numbers of columns whose product stays within `capacity`, so that a few strays do not make a grid
// of empty ones; at least the three that a world that repeats needs.
static void sort_limit(double capacity, double most[2])
{
    const double excess = most[0] * most[1] / capacity;
    const double shrink = excess > 1.0 ? sqrt(excess) : 1.0;
    const int narrow = most[0] < most[1] ? 0 : 1;
    most[narrow] = most[narrow] / shrink > 3.0 ? most[narrow] / shrink : 3.0;
    const double left = capacity / most[narrow];
    most[1 - narrow] = most[1 - narrow] < left ? most[1 - narrow] : left;
    most[1 - narrow] = most[1 - narrow] > 3.0 ? most[1 - narrow] : 3.0;
}

// Two grains may close a gap of the skin before the next list, and a bridge lasts across its own.
static double sort_gap(const wadi_grains* grains)
{
    double most = 0.0;
    for (int32_t id = 0; grains->wet != NULL && id < grains->count; ++id)
    {
        most = grains->wet[id].bridge > most ? grains->wet[id].bridge : most;
    }
    const double span = grains->wet != NULL ? granular_bridge_span(grains, 2.0 * most) : 0.0;
    const double skin = 2.0 * grains->params.skin * grains->largest;
    return span > skin ? span : skin;
}

// Columns along one axis; three at least where the world repeats, or one would be met from both
// sides: the shortest period is three reaches, but for rounding.
static void sort_axis(granular_grid* grid, int axis, double low, double length, double reach,
                      int32_t most, bool periodic)
{
    const double fit = floor(length / reach);
    double columns = !periodic ? fit + 1.0 : fit > 3.0 ? fit : 3.0;
    columns = columns < (double)most ? columns : (double)most;
    columns = columns > 1.0 ? columns : 1.0;
    grid->columns[axis] = (int32_t)columns;
    grid->origin[axis] = low;
    const double even = length / columns;
    grid->size[axis] = periodic || even > reach ? even : reach;
}

static void sort_grid(wadi_grains* grains)
{
    granular_grid* grid = &grains->grid;
    grains->gap = sort_gap(grains);
    const double reach = granular_reach(grains);
    const double period[2] = {grains->params.period_x, grains->params.period_y};
    double low[2];
    double high[2];
    sort_bounds(grains, low, high);

    double most[2] = {(high[0] - low[0]) / reach + 1.0, (high[1] - low[1]) / reach + 1.0};
    sort_limit((double)grid->capacity, most);
    for (int axis = 0; axis < 2; ++axis)
    {
        const bool periodic = period[axis] > 0.0;
        sort_axis(grid, axis, periodic ? 0.0 : low[axis],
                  periodic ? period[axis] : high[axis] - low[axis], reach, (int32_t)most[axis],
                  periodic);
    }
    const double columns = (double)grid->columns[0] * (double)grid->columns[1];
    const double across = sqrt((double)grains->params.chunk / (double)grains->count * columns);
    grid->strip = across < 1.0                        ? 1
                  : across > (double)grid->columns[0] ? grid->columns[0]
                                                      : (int32_t)across;
}

static int32_t sort_cell(const granular_grid* grid, int axis, double x)
{
    const double place = (x - grid->origin[axis]) / grid->size[axis];
    const double last = (double)(grid->columns[axis] - 1);
    return place < 0.0 ? 0 : (int32_t)(place < last ? place : last);
}

// ---- order -------------------------------------------------------------------------------

// Counting sort: stable, so grains of a column keep the order by height that they had.
static void sort_count(wadi_grains* grains)
{
    granular_grid* grid = &grains->grid;
    const int32_t columns = grid->columns[0] * grid->columns[1];
    memset(grid->first, 0, ((size_t)columns + 1) * sizeof *grid->first);
    for (int32_t i = 0; i < grains->count; ++i)
    {
        const double* x = grains->bodies[i].x;
        grains->column[i] =
            granular_column(grid, sort_cell(grid, 0, x[0]), sort_cell(grid, 1, x[1]));
        grid->first[grains->column[i]] += 1;
    }
    int32_t sum = 0;
    for (int32_t c = 0; c <= columns; ++c)
    {
        const int32_t here = c < columns ? grid->first[c] : 0;
        grid->first[c] = sum;
        sum += here;
    }
    for (int32_t i = 0; i < grains->count; ++i)
    {
        grains->order[grid->first[grains->column[i]]++] = i;
    }
    for (int32_t c = columns; c > 0; --c)
    {
        grid->first[c] = grid->first[c - 1];
    }
    grid->first[0] = 0;
}

// Insertion sort by height: the order of the last list is nearly right.
static void sort_heights(const wadi_grains* grains, int32_t begin, int32_t end)
{
    for (int32_t k = begin + 1; k < end; ++k)
    {
        const int32_t grain = grains->order[k];
        const double height = grains->bodies[grain].x[2];
        int32_t at = k;
        while (at > begin && grains->bodies[grains->order[at - 1]].x[2] > height)
        {
            grains->order[at] = grains->order[at - 1];
            --at;
        }
        grains->order[at] = grain;
    }
}

static void sort_columns(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    const wadi_grains* grains = job;
    for (int32_t c = begin; c < end; ++c)
    {
        sort_heights(grains, grains->grid.first[c], grains->grid.first[c + 1]);
    }
}

// Records in their new order, and points to search among.
static void sort_gather(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    wadi_grains* grains = job;
    const double* origin = grains->grid.origin;
    for (int32_t k = begin; k < end; ++k)
    {
        const int32_t from = grains->order[k];
        const granular_body* body = &grains->bodies[from];
        grains->moved[from] = k;
        grains->sorted[k] = *body;
        grains->sorted_ids[k] = grains->ids[from];
        grains->sorted_leaning[k] = grains->leaning[from];
        grains->points.x[k] = (float)(body->x[0] - origin[0]);
        grains->points.y[k] = (float)(body->x[1] - origin[1]);
        grains->points.z[k] = (float)body->x[2];
        grains->points.r[k] = (float)body->radius;
    }
}

void granular_sort(wadi_grains* grains)
{
    enum
    {
        COLUMNS_AT_ONCE = 256,
        GRAINS_AT_ONCE = 4096
    };
    sort_grid(grains);
    sort_count(grains);
    const int32_t columns = grains->grid.columns[0] * grains->grid.columns[1];
    wadi_parallel_rows(grains->context, columns, COLUMNS_AT_ONCE, sort_columns, grains);
    wadi_parallel_rows(grains->context, grains->count, GRAINS_AT_ONCE, sort_gather, grains);
}
