// SPDX-License-Identifier: MIT
// Cells of a mesh: each lists the triangles that a grain with its centre in it may touch.
#include "bodies/grains/granular.h"

static const double CELLS_FEWEST = 64.0;
static const double CELLS_PER_TRIANGLE = 4.0;
static const double CELLS_MOST = 4e6;

// Box around all triangles and what they reach.
static void cells_box(const granular_mesh* mesh, double low[3], double high[3])
{
    for (int c = 0; c < 3; ++c)
    {
        low[c] = (double)INFINITY;
        high[c] = (double)-INFINITY;
        for (int32_t k = 0; k < 3 * mesh->triangle_count; ++k)
        {
            const double x = mesh->vertices[mesh->triangles[k / 3][k % 3]][c];
            low[c] = x < low[c] ? x : low[c];
            high[c] = x > high[c] ? x : high[c];
        }
        low[c] -= mesh->cells.reach;
        high[c] += mesh->cells.reach;
    }
}

static double cells_number(const double low[3], const double high[3], double size)
{
    return ceil((high[0] - low[0]) / size) * ceil((high[1] - low[1]) / size) *
           ceil((high[2] - low[2]) / size);
}

// As small as grains, unless that makes too many.
static void cells_choose(granular_mesh* mesh)
{
    granular_cells* cells = &mesh->cells;
    double high[3];
    cells_box(mesh, cells->low, high);
    const double wanted = CELLS_FEWEST + CELLS_PER_TRIANGLE * (double)mesh->triangle_count;
    const double most = wanted < CELLS_MOST ? wanted : CELLS_MOST;
    cells->size = 2.0 * cells->reach;
    while (cells_number(cells->low, high, cells->size) > most)
    {
        cells->size *= 1.25;
    }
    for (int c = 0; c < 3; ++c)
    {
        const double across = ceil((high[c] - cells->low[c]) / cells->size);
        cells->count[c] = across > 1.0 ? (int32_t)across : 1;
    }
}

// Cells from *first to *last that a triangle's box with its reach meets, along one axis.
static void cells_range(const granular_mesh* mesh, const int32_t t[3], int axis, int32_t* first,
                        int32_t* last)
{
    const granular_cells* cells = &mesh->cells;
    double low = mesh->vertices[t[0]][axis];
    double high = low;
    for (int k = 1; k < 3; ++k)
    {
        const double x = mesh->vertices[t[k]][axis];
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    const double from = floor((low - cells->reach - cells->low[axis]) / cells->size - 1e-6);
    const double to = floor((high + cells->reach - cells->low[axis]) / cells->size + 1e-6);
    *first = from > 0.0 ? (int32_t)from : 0;
    *last = to < cells->count[axis] - 1 ? (int32_t)to : cells->count[axis] - 1;
}

// A cell can hold the centre of a grain that touches triangle t: the ball around the cell, with the
// reach, meets the triangle. This leaves out the cells that a large slanting triangle only has in
// its box.
static bool cells_meets(const granular_mesh* mesh, int32_t t, const int32_t at[3])
{
    const granular_cells* cells = &mesh->cells;
    double middle[3];
    for (int c = 0; c < 3; ++c)
    {
        middle[c] = cells->low[c] + (at[c] + 0.5) * cells->size;
    }
    granular_candidate nearest;
    wadi_granular_mesh_nearest(mesh, t, middle, &nearest);
    const double far = cells->reach + 0.8661 * cells->size; // half the diagonal
    return nearest.square < far * far;
}

// Count a triangle's cells in `first`, or write it into them.
static void cells_put(granular_mesh* mesh, int32_t t, bool counts)
{
    granular_cells* cells = &mesh->cells;
    int32_t low[3];
    int32_t high[3];
    int32_t at[3];
    for (int c = 0; c < 3; ++c)
    {
        cells_range(mesh, mesh->triangles[t], c, &low[c], &high[c]);
    }
    for (at[2] = low[2]; at[2] <= high[2]; ++at[2])
    {
        for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
        {
            int32_t* row =
                cells->first + ((int64_t)at[2] * cells->count[1] + at[1]) * cells->count[0];
            for (at[0] = low[0]; at[0] <= high[0]; ++at[0])
            {
                if (!cells_meets(mesh, t, at))
                {
                    continue;
                }
                if (!counts)
                {
                    cells->items[row[at[0]]] = t;
                }
                row[at[0]] += 1;
            }
        }
    }
}

static void cells_put_all(granular_mesh* mesh, bool counts)
{
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
    {
        cells_put(mesh, t, counts);
    }
}

// Counts become places; returns their sum.
static int64_t cells_start(int32_t* first, int64_t count)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < count; ++k)
    {
        const int32_t here = first[k];
        first[k] = (int32_t)sum;
        sum += here;
    }
    return sum;
}

// Writing has moved each start to the next one's place.
static void cells_shift(int32_t* first, int64_t count)
{
    for (int64_t k = count; k > 0; --k)
    {
        first[k] = first[k - 1];
    }
    first[0] = 0;
}

wadi_result wadi_granular_cells_make(wadi_context* context, granular_mesh* mesh, double reach)
{
    granular_cells* cells = &mesh->cells;
    if (cells->items != NULL && cells->reach >= reach)
    {
        return WADI_OK;
    }
    wadi_free(context, cells->first);
    wadi_free(context, cells->items);
    *cells = (granular_cells){.reach = reach};
    cells_choose(mesh);
    const int64_t count = (int64_t)cells->count[0] * cells->count[1] * cells->count[2];
    WADI_ALLOC(context, cells->first, count + 1, "cells of a mesh");
    cells_put_all(mesh, true);
    const int64_t items = cells_start(cells->first, count);
    WADI_CHECK(
        context, items < INT32_MAX, WADI_ERROR_MEMORY,
        "a mesh of %d triangles is too fine for its grains, %g m wide with the search beside "
        "them: make the mesh coarser",
        mesh->triangle_count, 2.0 * reach);
    WADI_ALLOC(context, cells->items, items + 1, "cells of a mesh");
    cells_put_all(mesh, false);
    cells_shift(cells->first, count);
    return WADI_OK;
}

const int32_t* wadi_granular_cells_at(const granular_mesh* mesh, const double x[3], int32_t* count)
{
    const granular_cells* cells = &mesh->cells;
    int32_t at[3];
    *count = 0;
    for (int c = 0; c < 3; ++c)
    {
        const double place = floor((x[c] - cells->low[c]) / cells->size);
        if (!(place >= 0.0 && place < cells->count[c]))
        {
            return cells->items;
        }
        at[c] = (int32_t)place;
    }
    const int64_t k = ((int64_t)at[2] * cells->count[1] + at[1]) * cells->count[0] + at[0];
    *count = cells->first[k + 1] - cells->first[k];
    return cells->items + cells->first[k];
}
