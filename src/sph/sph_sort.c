// SPDX-License-Identifier: MIT
// The order of particles: columns half as wide as water reaches, in strips, and by height within
// each column. Columns have no empty cells above a thin sheet, as cubes have; strips as wide as a
// chunk is long make chunks square on a grid of any shape.
#include "sph/sph.h"

// ---- columns -----------------------------------------------------------------------------

int32_t sph_column(const sph_grid* grid, int32_t x, int32_t y)
{
    const int32_t strip = x / grid->strip;
    const int32_t west = strip * grid->strip;
    const int32_t wide =
        grid->columns[0] - west < grid->strip ? grid->columns[0] - west : grid->strip;
    return west * grid->columns[1] + y * wide + (x - west);
}

int32_t sph_cell(const sph_grid* grid, int axis, double x)
{
    const double place = (x - grid->origin[axis]) / grid->size[axis];
    const double last = (double)(grid->columns[axis] - 1);
    return place < 0.0 ? 0 : (int32_t)(place < last ? place : last);
}

int32_t sph_near_columns(const wadi_sph* sph, int axis, int32_t at, int32_t out[5])
{
    const double periods[2] = {sph->params.period_x, sph->params.period_y};
    const int32_t n = sph->grid.columns[axis];
    const bool wraps = periods[axis] > 0.0;
    int32_t count = 0;
    if (wraps && n <= 5)
    {
        for (int32_t k = 0; k < n; ++k)
        {
            out[count++] = k;
        }
        return count;
    }
    for (int32_t k = at - 2; k <= at + 2; ++k)
    {
        if (wraps || (k >= 0 && k < n))
        {
            out[count++] = (k + n) % n;
        }
    }
    return count;
}

static void sort_bounds(const wadi_sph* sph, double low[2], double high[2])
{
    for (int axis = 0; axis < 2; ++axis)
    {
        low[axis] = sph->bodies[0].x[axis];
        high[axis] = low[axis];
        for (int32_t i = 1; i < sph->count; ++i)
        {
            const double x = sph->bodies[i].x[axis];
            low[axis] = x < low[axis] ? x : low[axis];
            high[axis] = x > high[axis] ? x : high[axis];
        }
    }
}

// Columns along one axis, at most `most`.
static void sort_axis(sph_grid* grid, int axis, double low, double length, double period,
                      double wide, double most)
{
    const double span = period > 0.0 ? period : length;
    const double fit = floor(span / wide) + (period > 0.0 ? 0.0 : 1.0);
    const double held = fit < most ? fit : most;
    const double columns = held > 1.0 ? floor(held) : 1.0;
    const double even = span / columns;
    grid->columns[axis] = (int32_t)columns;
    grid->origin[axis] = period > 0.0 ? 0.0 : low;
    grid->size[axis] = period > 0.0 || even > wide ? even : wide;
}

// Numbers of columns whose product stays within `capacity`: a few strays must not make a grid of
// empty ones. Both axes are coarsened alike, down to one column.
static void sort_limit(double capacity, double most[2])
{
    const double excess = most[0] * most[1] / capacity;
    const double shrink = excess > 1.0 ? sqrt(excess) : 1.0;
    const int narrow = most[0] < most[1] ? 0 : 1;
    most[narrow] = most[narrow] / shrink > 1.0 ? most[narrow] / shrink : 1.0;
    const double left = capacity / most[narrow];
    most[1 - narrow] = most[1 - narrow] < left ? most[1 - narrow] : left;
}

static void sort_grid(wadi_sph* sph)
{
    sph_grid* grid = &sph->grid;
    const double period[2] = {sph->params.period_x, sph->params.period_y};
    const double wide = 0.5 * (sph->reach + sph->skin);
    double low[2];
    double high[2];
    sort_bounds(sph, low, high);
    double most[2];
    for (int axis = 0; axis < 2; ++axis)
    {
        most[axis] = (period[axis] > 0.0 ? period[axis] : high[axis] - low[axis]) / wide + 1.0;
    }
    sort_limit((double)grid->capacity, most);
    for (int axis = 0; axis < 2; ++axis)
    {
        sort_axis(grid, axis, low[axis], high[axis] - low[axis], period[axis], wide, most[axis]);
    }
    const double columns = (double)grid->columns[0] * (double)grid->columns[1];
    const double across = sqrt((double)sph->params.chunk / (double)sph->count * columns);
    grid->strip = across < 1.0                        ? 1
                  : across > (double)grid->columns[0] ? grid->columns[0]
                                                      : (int32_t)across;
}

// ---- order -------------------------------------------------------------------------------

// Counting sort: stable, so particles of a column keep the order by height that they had.
static void sort_count(wadi_sph* sph)
{
    sph_grid* grid = &sph->grid;
    const int32_t columns = grid->columns[0] * grid->columns[1];
    memset(grid->first, 0, ((size_t)columns + 1) * sizeof *grid->first);
    for (int32_t i = 0; i < sph->count; ++i)
    {
        const double* x = sph->bodies[i].x;
        sph->column[i] = sph_column(grid, sph_cell(grid, 0, x[0]), sph_cell(grid, 1, x[1]));
        grid->first[sph->column[i]] += 1;
    }
    int32_t sum = 0;
    for (int32_t c = 0; c <= columns; ++c)
    {
        const int32_t here = c < columns ? grid->first[c] : 0;
        grid->first[c] = sum;
        sum += here;
    }
    for (int32_t i = 0; i < sph->count; ++i)
    {
        sph->order[grid->first[sph->column[i]]++] = i;
    }
    for (int32_t c = columns; c > 0; --c)
    {
        grid->first[c] = grid->first[c - 1];
    }
    grid->first[0] = 0;
}

// Insertion sort by height: the order of the last list is nearly right.
static void sort_heights(const wadi_sph* sph, int32_t begin, int32_t end)
{
    for (int32_t k = begin + 1; k < end; ++k)
    {
        const int32_t particle = sph->order[k];
        const double height = sph->bodies[particle].x[2];
        int32_t at = k;
        while (at > begin && sph->bodies[sph->order[at - 1]].x[2] > height)
        {
            sph->order[at] = sph->order[at - 1];
            --at;
        }
        sph->order[at] = particle;
    }
}

static void sort_columns(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    const wadi_sph* sph = job;
    for (int32_t c = begin; c < end; ++c)
    {
        sort_heights(sph, sph->grid.first[c], sph->grid.first[c + 1]);
    }
}

// Records in their new order, and points to search among.
static void sort_gather(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    wadi_sph* sph = job;
    for (int32_t k = begin; k < end; ++k)
    {
        const int32_t from = sph->order[k];
        const sph_body* body = &sph->bodies[from];
        sph->moved[from] = k;
        sph->sorted[k] = *body;
        sph->sorted_states[k] = sph->states[from];
        memcpy(sph->built[k], body->x, sizeof body->x);
        sph->points.x[k] = (float)(body->x[0] - sph->grid.origin[0]);
        sph->points.y[k] = (float)(body->x[1] - sph->grid.origin[1]);
        sph->points.z[k] = (float)body->x[2];
    }
}

void sph_sort(wadi_sph* sph)
{
    enum
    {
        COLUMNS_AT_ONCE = 256,
        PARTICLES_AT_ONCE = 4096
    };
    sort_grid(sph);
    sort_count(sph);
    const int32_t columns = sph->grid.columns[0] * sph->grid.columns[1];
    wadi_parallel_rows(sph->context, columns, COLUMNS_AT_ONCE, sort_columns, sph);
    wadi_parallel_rows(sph->context, sph->count, PARTICLES_AT_ONCE, sort_gather, sph);
    sph_body* const bodies = sph->bodies;
    sph->bodies = sph->sorted;
    sph->sorted = bodies;
    sph_state* const states = sph->states;
    sph->states = sph->sorted_states;
    sph->sorted_states = states;
    for (int32_t k = 0; k < sph->count; ++k)
    {
        sph->line[k] = sph->moved[sph->line[k]];
    }
}
