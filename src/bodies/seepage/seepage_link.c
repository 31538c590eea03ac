// SPDX-License-Identifier: MIT
// Neighbours of nodes, found on a grid of boxes as wide as the longest reach. Sections are chosen
// so that a body of nodes has the conductivity of its soil: along any direction e the flux through
// node i is sum_j g_ij (l_ij . e)^2 / (2 V_i) times the gradient, whose mean over directions is K
// where g_ij = 6 K V_i / sum_j l_ij^2. On a cubic lattice that is the side of a cube. Packings
// conduct within 8 % of their soil: a thin close-packed one 6 % more (its sides), a jittered one 7
// % less (its disorder).
#include "bodies/seepage/seepage.h"

typedef struct link_grid
{
    const wadi_seepage* seepage;
    const double (*position)[3];
    double low[3];
    double size[3]; // of a box [m]
    int32_t boxes[3];
    int32_t* first; // of each box, and one past the last
    int32_t* node;  // by box
    double widest;
    seepage_links* links;
} link_grid;

// The shortest vector from a to b, through periodic edges.
static void link_between(const link_grid* grid, int32_t a, int32_t b, double out[3])
{
    const double period[3] = {grid->seepage->params.period_x, grid->seepage->params.period_y, 0.0};
    for (int k = 0; k < 3; ++k)
    {
        out[k] = grid->position[b][k] - grid->position[a][k];
        if (period[k] > 0.0)
        {
            out[k] -= period[k] * floor(out[k] / period[k] + 0.5);
        }
    }
}

static void link_box_of(const link_grid* grid, int32_t i, int32_t out[3])
{
    const double period[3] = {grid->seepage->params.period_x, grid->seepage->params.period_y, 0.0};
    for (int k = 0; k < 3; ++k)
    {
        double x = grid->position[i][k] - grid->low[k];
        x -= period[k] > 0.0 ? period[k] * floor(x / period[k]) : 0.0;
        const double box = x / grid->size[k];
        out[k] = box < grid->boxes[k] ? (int32_t)box : grid->boxes[k] - 1;
    }
}

static int32_t link_box_number(const link_grid* grid, const int32_t box[3])
{
    return (box[2] * grid->boxes[1] + box[1]) * grid->boxes[0] + box[0];
}

// Boxes over all nodes, or over a period.
static void link_lay_boxes(link_grid* grid)
{
    const wadi_seepage* s = grid->seepage;
    const double period[3] = {s->params.period_x, s->params.period_y, 0.0};
    for (int32_t i = 0; i < s->count; ++i)
    {
        grid->widest = s->wide[i] > grid->widest ? s->wide[i] : grid->widest;
    }
    const double least = grid->widest * s->params.reach;
    for (int k = 0; k < 3; ++k)
    {
        double high = grid->position[0][k];
        grid->low[k] = high;
        for (int32_t i = 1; i < s->count; ++i)
        {
            const double x = grid->position[i][k];
            grid->low[k] = x < grid->low[k] ? x : grid->low[k];
            high = x > high ? x : high;
        }
        grid->low[k] = period[k] > 0.0 ? 0.0 : grid->low[k];
        const double extent = period[k] > 0.0 ? period[k] : high - grid->low[k];
        // no more boxes along a side than nodes could fill
        const double boxes = floor(extent / least);
        grid->boxes[k] = boxes < 1.0 ? 1 : boxes > 1024.0 ? 1024 : (int32_t)boxes;
        grid->size[k] = extent > 0.0 ? extent / grid->boxes[k] : 1.0;
    }
}

static wadi_result link_fill_boxes(wadi_context* context, link_grid* grid)
{
    const int32_t count = grid->seepage->count;
    const int64_t boxes = (int64_t)grid->boxes[0] * grid->boxes[1] * grid->boxes[2];
    WADI_ALLOC(context, grid->first, boxes + 2, "neighbours");
    WADI_ALLOC(context, grid->node, count, "neighbours");
    int32_t box[3];
    for (int32_t i = 0; i < count; ++i)
    {
        link_box_of(grid, i, box);
        ++grid->first[link_box_number(grid, box) + 2];
    }
    for (int64_t b = 0; b < boxes; ++b)
    {
        grid->first[b + 2] += grid->first[b + 1];
    }
    for (int32_t i = 0; i < count; ++i)
    {
        link_box_of(grid, i, box);
        grid->node[grid->first[link_box_number(grid, box) + 1]++] = i;
    }
    return WADI_OK;
}

static bool link_is_near(const link_grid* grid, int32_t a, int32_t b, double* length2)
{
    double way[3];
    link_between(grid, a, b, way);
    *length2 = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
    const double reach =
        0.5 * grid->seepage->params.reach * (grid->seepage->wide[a] + grid->seepage->wide[b]);
    return a != b && *length2<reach * reach&& * length2> 0.0;
}

// Boxes around one along an axis, each once even where the world is one or two boxes wide.
static int32_t link_around(const link_grid* grid, int axis, int32_t at, int32_t out[3])
{
    const bool repeats = (axis == 0   ? grid->seepage->params.period_x
                          : axis == 1 ? grid->seepage->params.period_y
                                      : 0.0) > 0.0;
    const int32_t boxes = grid->boxes[axis];
    int32_t count = 0;
    for (int32_t step = -1; step <= 1; ++step)
    {
        int32_t box = at + step;
        box = repeats ? (box + boxes) % boxes : box;
        bool is_new = box >= 0 && box < boxes;
        for (int32_t k = 0; k < count; ++k)
        {
            is_new = is_new && out[k] != box;
        }
        if (is_new)
        {
            out[count++] = box;
        }
    }
    return count;
}

// List the neighbours of a node in the order of boxes, or only count them where `other` is NULL.
static int64_t link_list(const link_grid* grid, int32_t i, int32_t* other)
{
    int32_t at[3];
    int32_t around[3][3];
    int32_t counts[3];
    link_box_of(grid, i, at);
    for (int k = 0; k < 3; ++k)
    {
        counts[k] = link_around(grid, k, at[k], around[k]);
    }
    int64_t count = 0;
    for (int32_t c = 0; c < counts[0] * counts[1] * counts[2]; ++c)
    {
        const int32_t box[3] = {around[0][c % counts[0]], around[1][c / counts[0] % counts[1]],
                                around[2][c / counts[0] / counts[1]]};
        const int32_t number = link_box_number(grid, box);
        for (int32_t k = grid->first[number]; k < grid->first[number + 1]; ++k)
        {
            double length2 = 0.0;
            if (link_is_near(grid, i, grid->node[k], &length2))
            {
                if (other != NULL)
                {
                    other[count] = grid->node[k];
                }
                ++count;
            }
        }
    }
    return count;
}

static void link_count_rows(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const link_grid* grid = data;
    for (int32_t i = begin; i < end; ++i)
    {
        grid->links->first[i + 1] = link_list(grid, i, NULL);
    }
}

static void link_list_rows(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const link_grid* grid = data;
    for (int32_t i = begin; i < end; ++i)
    {
        (void)link_list(grid, i, grid->links->other + grid->links->first[i]);
    }
}

// Volume over the summed squares of a node's links [m], times 6. A cube in a row has two neighbours
// but conducts through its full width: the sum is at least 6 squares of the width.
static double link_own_section(const link_grid* grid, int32_t i)
{
    double squares = 0.0;
    for (int64_t k = grid->links->first[i]; k < grid->links->first[i + 1]; ++k)
    {
        double length2 = 0.0;
        (void)link_is_near(grid, i, grid->links->other[k], &length2);
        squares += length2;
    }
    const double wide = grid->seepage->wide[i];
    return 6.0 * grid->seepage->room[i] / fmax(squares, 6.0 * wide * wide);
}

static void link_measure_rows(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const link_grid* grid = data;
    seepage_links* links = grid->links;
    for (int32_t i = begin; i < end; ++i)
    {
        const double own = link_own_section(grid, i);
        for (int64_t k = links->first[i]; k < links->first[i + 1]; ++k)
        {
            const int32_t j = links->other[k];
            links->section[k] = 0.5 * (own + link_own_section(grid, j));
            int64_t back = links->first[j];
            while (links->other[back] != i)
            {
                ++back;
            }
            links->back[k] = back;
        }
    }
}

static wadi_result link_links(wadi_context* context, link_grid* grid)
{
    const int32_t count = grid->seepage->count;
    seepage_links* links = grid->links;
    WADI_ALLOC(context, links->first, count + 1, "neighbours");
    wadi_parallel_rows(context, count, SEEPAGE_BLOCK, link_count_rows, grid);
    for (int32_t i = 0; i < count; ++i)
    {
        links->first[i + 1] += links->first[i];
    }
    links->count = links->first[count];
    WADI_ALLOC(context, links->other, links->count + 1, "neighbours");
    WADI_ALLOC(context, links->back, links->count + 1, "neighbours");
    WADI_ALLOC(context, links->section, links->count + 1, "neighbours");
    wadi_parallel_rows(context, count, SEEPAGE_BLOCK, link_list_rows, grid);
    wadi_parallel_rows(context, count, SEEPAGE_BLOCK, link_measure_rows, grid);
    return WADI_OK;
}

void wadi_seepage_unlink(wadi_context* context, seepage_links* links)
{
    wadi_free(context, links->first);
    wadi_free(context, links->other);
    wadi_free(context, links->back);
    wadi_free(context, links->section);
    *links = (seepage_links){.count = 0};
}

wadi_result wadi_seepage_link(wadi_seepage* seepage, const double (*positions)[3],
                              seepage_links* out)
{
    *out = (seepage_links){.count = 0};
    link_grid grid = {.seepage = seepage, .position = positions, .links = out};
    link_lay_boxes(&grid);
    wadi_result result = link_fill_boxes(seepage->context, &grid);
    result = result == WADI_OK ? link_links(seepage->context, &grid) : result;
    wadi_free(seepage->context, grid.first);
    wadi_free(seepage->context, grid.node);
    if (result != WADI_OK)
    {
        wadi_seepage_unlink(seepage->context, out);
    }
    return result;
}
