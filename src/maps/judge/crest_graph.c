// SPDX-License-Identifier: MIT
// Crests as a graph: the mask is thinned to lines of one cell (Guo & Hall 1989), short spurs are
// cut, and places where three lines meet or one ends are counted.
#include "maps/judge/dune_shapes_internal.h"

#include <stdlib.h>

enum
{
    GRAPH_SPUR = 96, // most cells of a spur
    GRAPH_OWN = 320, // most cells near the end of a line
    GRAPH_PASSES = 3 // of cutting spurs and thinning again
};

static const double graph_ahead = 0.5; // cosine of the largest turn over a gap

// Ring of neighbours as bits, north first and clockwise.
static uint32_t graph_ring(const shape_grid* g, const uint8_t* mask, int32_t cell)
{
    uint32_t ring = 0;
    for (int32_t k = 0; k < 8; ++k)
    {
        const int32_t n = shape_neighbour(g, cell, k);
        ring |= n >= 0 && mask[n] != 0 ? 1u << k : 0u;
    }
    return ring;
}

static int32_t graph_bits(uint32_t ring)
{
    int32_t count = 0;
    for (; ring != 0; ring &= ring - 1)
    {
        ++count;
    }
    return count;
}

// Number of lines that leave a cell: gaps followed by a neighbour, around the ring.
static int32_t graph_lines(uint32_t ring)
{
    const uint32_t next = (ring >> 1 | ring << 7) & 255u;
    return graph_bits(~ring & next & 255u);
}

// May a cell be removed in the given half of a pass?
static bool graph_is_loose(uint32_t ring, int32_t half)
{
    const uint32_t next = (ring >> 1 | ring << 7) & 255u;
    const uint32_t pairs = ring | next; // bit k: neighbour k or k + 1
    const uint32_t straight = 1u | 4u | 16u | 64u;
    // groups of connected neighbours; and pairs, counted in the two ways to pair them
    const uint32_t after = (pairs >> 1 | pairs << 7) & 255u;
    const int32_t groups = graph_bits(~ring & after & straight);
    const int32_t one = graph_bits(pairs & straight);
    const int32_t two = graph_bits(pairs & ~straight & 255u);
    const int32_t count = one < two ? one : two;
    const bool west = (ring & (16u | 32u)) != 0 || (ring & 128u) == 0;
    const bool east = (ring & (1u | 2u)) != 0 || (ring & 8u) == 0;
    const bool keeps = half == 0 ? west && (ring & 64u) != 0 : east && (ring & 4u) != 0;
    return groups == 1 && (count == 2 || count == 3) && !keeps;
}

static bool graph_thin_half(const shape_grid* g, uint8_t* mask, int32_t half)
{
    bool changed = false;
    for (int32_t i = 0; i < g->cells; ++i)
    {
        // 2: to be removed, still a neighbour in this half
        if (mask[i] != 0 && graph_is_loose(graph_ring(g, mask, i), half))
        {
            mask[i] = 2;
            changed = true;
        }
    }
    for (int32_t i = 0; i < g->cells && changed; ++i)
    {
        mask[i] = mask[i] == 2 ? 0 : mask[i];
    }
    return changed;
}

static void graph_thin(const shape_grid* g, uint8_t* mask)
{
    bool changed = true;
    while (changed)
    {
        const bool first = graph_thin_half(g, mask, 0);
        const bool second = graph_thin_half(g, mask, 1);
        changed = first || second;
    }
}

static double graph_step(const shape_grid* g, int32_t k)
{
    return (k & 1) != 0 ? sqrt(g->dx * g->dx + g->dy * g->dy) : k % 4 == 0 ? g->dy : g->dx;
}

// Follow a line from its end over a distance. Returns the number of cells on the way; with
// `is_spur`, only if a junction ends it, else 0.
static int32_t graph_trace(const shape_grid* g, const uint8_t* mask, int32_t end, double distance,
                           int32_t path[GRAPH_SPUR], bool is_spur)
{
    double way = 0.0;
    int32_t count = 0;
    int32_t cell = end;
    int32_t came = -1; // direction from which the line came
    while (count < GRAPH_SPUR && way < distance)
    {
        uint32_t ring = graph_ring(g, mask, cell);
        if (graph_lines(ring) > 2)
        {
            return count;
        }
        if (came >= 0)
        {
            // neither back nor to the two cells beside it
            ring &= ~(1u << came | 1u << (came + 1) % 8 | 1u << (came + 7) % 8);
        }
        int32_t k = 0;
        while (k < 8 && (ring >> k & 1u) == 0)
        {
            ++k;
        }
        if (k == 8)
        {
            break;
        }
        path[count++] = cell;
        way += graph_step(g, k);
        cell = shape_neighbour(g, cell, k);
        came = (k + 4) % 8;
    }
    return is_spur ? 0 : count;
}

// The third next to the junction is beside the main crest and does not tell.
static bool graph_is_spur(const shape_grid* g, const crest_cut* cut, const int32_t* path,
                          int32_t count)
{
    double way = 0.0;
    double steep = 0.0;
    const int32_t outer = (2 * count + 2) / 3;
    for (int32_t k = 0; k < count; ++k)
    {
        const shape_place step = shape_between(g, path[k > 0 ? k - 1 : 0], path[k]);
        way += sqrt(step.x * step.x + step.y * step.y);
        steep += k < outer ? (double)cut->steep[path[k]] : 0.0;
    }
    return way < cut->spur || steep < cut->blunt * outer;
}

static void graph_cut_spurs(const shape_grid* g, uint8_t* mask, const crest_cut* cut)
{
    int32_t path[GRAPH_SPUR];
    for (int32_t i = 0; i < g->cells; ++i)
    {
        if (mask[i] != 0 && graph_lines(graph_ring(g, mask, i)) == 1)
        {
            const int32_t count = graph_trace(g, mask, i, cut->back, path, true);
            const bool is_spur = graph_is_spur(g, cut, path, count);
            for (int32_t k = 0; k < count && is_spur; ++k)
            {
                mask[path[k]] = 0;
            }
        }
    }
}

// ---- gaps --------------------------------------------------------------------------------------

typedef struct graph_end
{
    int32_t cell;
    shape_place ahead;      // unit vector along the line, out of its end
    int32_t own[GRAPH_OWN]; // cells that crests connect with the end over a short way
    int32_t count;
} graph_end;

static bool graph_is_own(const graph_end* end, int32_t cell)
{
    for (int32_t k = 0; k < end->count; ++k)
    {
        if (end->own[k] == cell)
        {
            return true;
        }
    }
    return false;
}

// Cells within so many steps of the end.
static void graph_collect_own(const shape_grid* g, const uint8_t* mask, int32_t steps,
                              graph_end* end)
{
    end->own[0] = end->cell;
    end->count = 1;
    int32_t head = 0;
    for (int32_t step = 0; step < steps; ++step)
    {
        const int32_t ring = end->count;
        for (; head < ring; ++head)
        {
            for (int32_t k = 0; k < 8; ++k)
            {
                const int32_t n = shape_neighbour(g, end->own[head], k);
                if (n >= 0 && mask[n] != 0 && end->count < GRAPH_OWN && !graph_is_own(end, n))
                {
                    end->own[end->count++] = n;
                }
            }
        }
    }
}

static bool graph_look_ahead(const shape_grid* g, const uint8_t* mask, int32_t cell, double gap,
                             graph_end* out)
{
    int32_t path[GRAPH_SPUR];
    const int32_t count = graph_trace(g, mask, cell, 2.5 * gap, path, false);
    if (count < 3)
    {
        return false;
    }
    const shape_place way = shape_between(g, path[count < 6 ? count - 1 : 5], cell);
    const double length = sqrt(way.x * way.x + way.y * way.y);
    out->cell = cell;
    out->ahead = (shape_place){way.x / length, way.y / length};
    graph_collect_own(g, mask, (int32_t)ceil(4.0 * gap / g->cell), out);
    return true;
}

// Is a cell of the mask ahead of the end, and not part of its own line?
static bool graph_is_target(const shape_grid* g, const uint8_t* mask, const graph_end* end,
                            int32_t cell)
{
    const shape_place way = shape_between(g, end->cell, cell);
    const double length = sqrt(way.x * way.x + way.y * way.y);
    return mask[cell] != 0 && length > 0.0 &&
           way.x * end->ahead.x + way.y * end->ahead.y > graph_ahead * length &&
           !graph_is_own(end, cell);
}

// The nearest cell of another line ahead of the end, within the gap; -1: none.
static int32_t graph_find_target(const shape_grid* g, const uint8_t* mask, const graph_end* end,
                                 double gap)
{
    const int32_t reach_x = (int32_t)(gap / g->dx);
    const int32_t reach_y = (int32_t)(gap / g->dy);
    double nearest = gap * gap;
    int32_t best = -1;
    for (int32_t y = -reach_y; y <= reach_y; ++y)
    {
        for (int32_t x = -reach_x; x <= reach_x; ++x)
        {
            const int32_t n = shape_index(g, end->cell % g->width + x, end->cell / g->width + y);
            const double square = x * x * g->dx * g->dx + y * y * g->dy * g->dy;
            if (n >= 0 && square < nearest && graph_is_target(g, mask, end, n))
            {
                nearest = square;
                best = n;
            }
        }
    }
    return best;
}

static void graph_draw_line(const shape_grid* g, int32_t from, int32_t to, uint8_t* mask)
{
    const int32_t x = shape_round(from % g->width, to % g->width, g->width, g->wraps_x);
    const int32_t y = shape_round(from / g->width, to / g->width, g->height, g->wraps_y);
    const int32_t steps = abs(x) > abs(y) ? abs(x) : abs(y);
    for (int32_t k = 1; k < steps; ++k)
    {
        const int32_t n =
            shape_index(g, from % g->width + (int32_t)floor((double)x * k / steps + 0.5),
                        from / g->width + (int32_t)floor((double)y * k / steps + 0.5));
        mask[n] = 1;
    }
}

// Lead ends on to the next line. Near a junction one side of a crest is the other crest, so that
// the crest is not found.
static void graph_bridge(const shape_grid* g, uint8_t* mask, double gap)
{
    for (int32_t i = 0; i < g->cells; ++i)
    {
        graph_end end;
        if (mask[i] != 0 && graph_lines(graph_ring(g, mask, i)) == 1 &&
            graph_look_ahead(g, mask, i, gap, &end))
        {
            const int32_t target = graph_find_target(g, mask, &end, gap);
            if (target >= 0)
            {
                graph_draw_line(g, i, target, mask);
            }
        }
    }
}

static void graph_drop_short(const shape_grid* g, const shape_parts* parts, double least,
                             uint8_t* mask)
{
    for (int32_t p = 0; p < parts->count; ++p)
    {
        const int32_t count = parts->first[p + 1] - parts->first[p];
        for (int32_t k = parts->first[p]; count * g->cell < least && k < parts->first[p + 1]; ++k)
        {
            mask[parts->cells[k]] = 0;
        }
    }
}

wadi_result wadi_crest_graph_thin(const shape_grid* grid, uint8_t* mask, const crest_cut* cut)
{
    graph_thin(grid, mask);
    crest_cut now = *cut;
    now.blunt = 0.0;
    graph_cut_spurs(grid, mask, &now);
    graph_bridge(grid, mask, cut->gap);
    for (int32_t pass = 0; pass < GRAPH_PASSES; ++pass)
    {
        // of the lines of a junction the bluntest is cut first
        now.blunt = cut->blunt * (pass + 1) / GRAPH_PASSES;
        graph_thin(grid, mask);
        graph_cut_spurs(grid, mask, &now);
    }
    graph_thin(grid, mask);
    shape_parts parts;
    WADI_TRY(wadi_shape_parts_find(grid, mask, SHAPE_LINK_EIGHT, &parts));
    graph_drop_short(grid, &parts, cut->least, mask);
    wadi_shape_parts_free(grid, &parts);
    return WADI_OK;
}

// Weights of straight and diagonal steps that give the length of a straight line at any azimuth
// without bias (Dorst & Smeulders 1987).
double wadi_crest_graph_length(const shape_grid* grid, const uint8_t* mask)
{
    double length = 0.0;
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        const uint32_t ring = mask[i] != 0 ? graph_ring(grid, mask, i) : 0u;
        for (int32_t k = 0; k < 8; ++k)
        {
            // a diagonal beside a straight neighbour is a corner, not a step
            const uint32_t beside = 1u << (k + 1) % 8 | 1u << (k + 7) % 8;
            const bool counts = (ring >> k & 1u) != 0 && ((k & 1) == 0 || (ring & beside) == 0);
            length += counts ? 0.5 * 0.948 * graph_step(grid, k) : 0.0;
        }
    }
    return length;
}

// Is a cell at an open edge or beside a void, where crests leave the map?
static bool graph_at_rim(const shape_grid* g, int32_t cell)
{
    bool rim = false;
    for (int32_t y = -3; y <= 3; ++y)
    {
        for (int32_t x = -3; x <= 3; ++x)
        {
            const int32_t n = shape_index(g, cell % g->width + x, cell / g->width + y);
            rim = rim || n < 0 || isnan(g->z[n]);
        }
    }
    return rim;
}

typedef struct graph_places
{
    int32_t* cells;
    int32_t count;
} graph_places;

// Add a place unless it is closer than `apart` to a former one.
static void graph_add_place(const shape_grid* g, graph_places* places, int32_t cell, double apart)
{
    for (int32_t i = 0; i < places->count; ++i)
    {
        const shape_place way = shape_between(g, places->cells[i], cell);
        if (way.x * way.x + way.y * way.y < apart * apart)
        {
            return;
        }
    }
    places->cells[places->count++] = cell;
}

static void graph_mark(const graph_places* places, uint16_t bit, uint16_t* marks)
{
    for (int32_t i = 0; i < places->count && marks != NULL; ++i)
    {
        marks[places->cells[i]] |= bit;
    }
}

// Fill in junctions, or without a frame ends, away from the rim.
static void graph_find_places(const shape_grid* g, const uint8_t* mask, star_frame* frame,
                              double apart, graph_places* out)
{
    for (int32_t i = 0; i < g->cells; ++i)
    {
        const uint32_t ring = mask[i] != 0 ? graph_ring(g, mask, i) : 0u;
        const bool meets =
            frame != NULL && graph_bits(ring) > 2 && wadi_star_frame_arms(frame, i) > 2;
        const bool ends = frame == NULL && graph_lines(ring) == 1;
        if ((meets || ends) && !graph_at_rim(g, i))
        {
            graph_add_place(g, out, i, apart);
        }
    }
}

wadi_result wadi_crest_graph_count(const shape_grid* grid, const uint8_t* mask, double apart,
                                   wadi_dune_shapes* out, uint16_t* marks)
{
    star_frame* frame = NULL;
    WADI_TRY(wadi_star_frame_create(grid, mask, apart, &frame));
    graph_places places = {.cells =
                               wadi_alloc(grid->context, (size_t)grid->cells, sizeof(int32_t))};
    if (places.cells == NULL)
    {
        wadi_free(grid->context, frame);
        return wadi_fail_memory(grid->context, (size_t)grid->cells * sizeof(int32_t), "junctions");
    }
    graph_find_places(grid, mask, frame, apart, &places);
    graph_mark(&places, WADI_DUNE_MARK_JUNCTION, marks);
    out->junctions = places.count;
    places.count = 0;
    graph_find_places(grid, mask, NULL, 0.0, &places);
    graph_mark(&places, WADI_DUNE_MARK_END, marks);
    out->ends = places.count;
    wadi_free(grid->context, places.cells);
    wadi_free(grid->context, frame);
    return WADI_OK;
}
