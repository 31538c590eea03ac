// SPDX-License-Identifier: MIT
// The order of particles: columns, in strips, and by height within each column. Columns have no
// empty cells above a pile or a thin sheet, as cubes have. Strips as wide as a chunk is long make
// chunks as square as the Morton order does, on a grid of any shape.
#include "bodies/engine/list.h"

#include <math.h>
#include <string.h>

// ---- columns -----------------------------------------------------------------------------

int32_t wadi_columns_number(const wadi_columns* columns, int32_t x, int32_t y)
{
    const int32_t west = x / columns->strip * columns->strip;
    const int32_t left = columns->count[0] - west;
    const int32_t wide = left < columns->strip ? left : columns->strip;
    return west * columns->count[1] + y * wide + (x - west);
}

static const double* columns_position(const wadi_list* list, int32_t i)
{
    const void* body = (const unsigned char*)list->bodies + (size_t)i * list->body_size;
    return body;
}

static void columns_bounds(const wadi_list* list, double low[2], double high[2])
{
    memcpy(low, columns_position(list, 0), 2 * sizeof *low);
    memcpy(high, low, 2 * sizeof *high);
    for (int32_t i = 1; i < list->count; ++i)
    {
        const double* x = columns_position(list, i);
        for (int axis = 0; axis < 2; ++axis)
        {
            low[axis] = x[axis] < low[axis] ? x[axis] : low[axis];
            high[axis] = x[axis] > high[axis] ? x[axis] : high[axis];
        }
    }
}

// Numbers of columns whose product stays within `capacity`: a few strays must not make a grid of
// empty ones. Both axes are coarsened alike, down to one column.
static void columns_limit(double capacity, double most[2])
{
    const double excess = most[0] * most[1] / capacity;
    const double shrink = excess > 1.0 ? sqrt(excess) : 1.0;
    const int narrow = most[0] < most[1] ? 0 : 1;
    most[narrow] = most[narrow] / shrink > 1.0 ? most[narrow] / shrink : 1.0;
    const double left = capacity / most[narrow];
    most[1 - narrow] = most[1 - narrow] < left ? most[1 - narrow] : left;
}

// Columns along one axis, at most `most` and no narrower than `least`.
static void columns_divide(wadi_list* list, int axis, double low, double span, double least,
                           double most)
{
    wadi_columns* columns = &list->columns;
    const bool repeats = list->period[axis] > 0.0;
    const double fit = floor(span / least) + (repeats ? 0.0 : 1.0);
    const double held = fit < most ? fit : most;
    const double count = held > 1.0 ? floor(held) : 1.0;
    const double even = span / count;
    columns->count[axis] = (int32_t)count;
    columns->origin[axis] = repeats ? 0.0 : low;
    columns->size[axis] = repeats || even > least ? even : least;
}

static void columns_lay(wadi_list* list)
{
    wadi_columns* columns = &list->columns;
    const double least = list->reach / (double)list->kind->across;
    double low[2];
    double high[2];
    double span[2];
    double most[2];
    columns_bounds(list, low, high);
    for (int axis = 0; axis < 2; ++axis)
    {
        span[axis] = list->period[axis] > 0.0 ? list->period[axis] : high[axis] - low[axis];
        most[axis] = span[axis] / least + 1.0;
    }
    columns_limit((double)columns->capacity, most);
    for (int axis = 0; axis < 2; ++axis)
    {
        columns_divide(list, axis, low[axis], span[axis], least, most[axis]);
    }
    const double count = (double)columns->count[0] * (double)columns->count[1];
    const double across = sqrt((double)list->chunk_length / (double)list->count * count);
    columns->strip = across < 1.0                         ? 1
                     : across > (double)columns->count[0] ? columns->count[0]
                                                          : (int32_t)across;
}

static int32_t columns_along(const wadi_columns* columns, int axis, double x)
{
    const double place = (x - columns->origin[axis]) / columns->size[axis];
    const double last = (double)(columns->count[axis] - 1);
    return place < 0.0 ? 0 : (int32_t)(place < last ? place : last);
}

// ---- order -------------------------------------------------------------------------------

// Counting sort: stable, so particles of a column keep the order by height that they had.
static void columns_count(wadi_list* list)
{
    wadi_columns* columns = &list->columns;
    const int32_t count = columns->count[0] * columns->count[1];
    memset(columns->first, 0, ((size_t)count + 1) * sizeof *columns->first);
    for (int32_t i = 0; i < list->count; ++i)
    {
        const double* x = columns_position(list, i);
        list->column[i] = wadi_columns_number(columns, columns_along(columns, 0, x[0]),
                                              columns_along(columns, 1, x[1]));
        columns->first[list->column[i]] += 1;
    }
    int32_t sum = 0;
    for (int32_t c = 0; c <= count; ++c)
    {
        const int32_t here = c < count ? columns->first[c] : 0;
        columns->first[c] = sum;
        sum += here;
    }
    for (int32_t i = 0; i < list->count; ++i)
    {
        list->order[columns->first[list->column[i]]++] = i;
    }
    memmove(columns->first + 1, columns->first, (size_t)count * sizeof *columns->first);
    columns->first[0] = 0;
}

// Insertion sort by height: the order of the last list is nearly right.
static void columns_sort_heights(const wadi_list* list, int32_t begin, int32_t end)
{
    for (int32_t k = begin + 1; k < end; ++k)
    {
        const int32_t particle = list->order[k];
        const double height = columns_position(list, particle)[2];
        int32_t at = k;
        while (at > begin && columns_position(list, list->order[at - 1])[2] > height)
        {
            list->order[at] = list->order[at - 1];
            --at;
        }
        list->order[at] = particle;
    }
}

static void columns_sort_range(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    const wadi_list* list = job;
    for (int32_t c = begin; c < end; ++c)
    {
        columns_sort_heights(list, list->columns.first[c], list->columns.first[c + 1]);
    }
}

void wadi_list_sort(wadi_list* list, const void* bodies, size_t body_size, int32_t count,
                    wadi_rows_fn* gather)
{
    enum
    {
        COLUMNS_AT_ONCE = 256,
        PARTICLES_AT_ONCE = 4096
    };
    list->bodies = bodies;
    list->body_size = body_size;
    list->count = count;
    list->reach = 2.0 * list->largest + list->margin;
    columns_lay(list);
    columns_count(list);
    const int32_t columns = list->columns.count[0] * list->columns.count[1];
    wadi_parallel_rows(list->context, columns, COLUMNS_AT_ONCE, columns_sort_range, list);
    wadi_parallel_rows(list->context, count, PARTICLES_AT_ONCE, gather, list->owner);
}
