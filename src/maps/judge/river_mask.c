// SPDX-License-Identifier: MIT
// Where the river is: in the water, in the discharge, or, from the heights alone, along the channel
// that drains most. There its banks are those of the stage at which a section is narrowest for its
// depth (Wolman 1955), and the river is what lies below the median stage over the nearest channel
// cell. Depressions beside it count as lakes.
#include "maps/judge/river_forms_internal.h"

#include <stdlib.h>

enum
{
    MASK_STRIDE = 8,  // channel cells between two sections
    MASK_STAGES = 40, // that are tried in a section
    MASK_REACH = 40   // half the length of a section [cells]
};

static const double mask_share = 0.05; // least discharge, of the largest
static const double mask_trunk = 0.1;  // a channel ends where it drains less than this share
static const double mask_break = 1.3;  // the ratio of width to depth jumps by this over the banks
static const double mask_pit = 0.1;    // least depth of a lake, of that of the river

// ---- given maps --------------------------------------------------------------------------

static void mask_map(const river_grid* grid, const float* values, double least)
{
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        const double value = (double)values[i];
        grid->mask[i] = river_is_land(grid, i) && (least > 0.0 ? value >= least : value > 0.0);
    }
}

static double mask_largest(const river_grid* grid, const float* values)
{
    double largest = 0.0;
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        const double value = (double)values[i];
        largest = value > largest ? value : largest; // false for NaN
    }
    return largest;
}

// ---- the trunk ---------------------------------------------------------------------------

typedef struct mask_land
{
    const river_grid* grid;
    float* area;   // drained [m2]
    float* way;    // direction [degree]
    float* filled; // [m]
    int32_t* path; // cells from the outlet upstream
    int32_t count;
    int32_t* nearest; // by cell: index on the path, or -1
    int32_t* stack;
} mask_land;

// Does the water of a cell flow to its neighbour at dx, dy?
static bool mask_flows(const mask_land* land, int32_t cell, int32_t dx, int32_t dy)
{
    static const int32_t east[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    static const int32_t south[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
    const double way = (double)land->way[cell];
    if (isnan(way))
    {
        return false;
    }
    // degrees of diagonals differ on oblong cells; the eighth is the nearest
    const int32_t eighth = (int32_t)floor(way / 45.0 + 0.5) % 8;
    return east[eighth] == dx && south[eighth] == dy;
}

static int32_t mask_upstream(const mask_land* land, int32_t cell)
{
    int32_t best = -1;
    for (int32_t dy = -1; dy <= 1; ++dy)
    {
        for (int32_t dx = -1; dx <= 1; ++dx)
        {
            const int32_t n = river_beside(land->grid, cell, dx, dy);
            if (n >= 0 && n != cell && mask_flows(land, n, -dx, -dy) &&
                (best < 0 || land->area[n] > land->area[best]))
            {
                best = n;
            }
        }
    }
    return best;
}

static void mask_trace(mask_land* land)
{
    int32_t cell = 0;
    for (int32_t i = 0; i < land->grid->cells; ++i)
    {
        cell = land->area[i] > land->area[cell] || isnan(land->area[cell]) ? i : cell;
    }
    const double least = mask_trunk * (double)land->area[cell];
    while (cell >= 0 && (double)land->area[cell] >= least && land->count < land->grid->cells)
    {
        land->path[land->count++] = cell;
        cell = mask_upstream(land, cell);
    }
}

// ---- sections ----------------------------------------------------------------------------

// Width and area of the water in a section at a stage; false if it does not end within the section.
static bool mask_section(const double* heights, double stage, double* width, double* area)
{
    *width = 0.0;
    *area = 0.0;
    for (int hand = -1; hand <= 1; hand += 2)
    {
        int32_t i = MASK_REACH + (hand > 0 ? 0 : -1);
        for (; i >= 0 && i <= 2 * MASK_REACH && heights[i] < stage; i += hand)
        {
            *width += 1.0;
            *area += stage - heights[i];
        }
        if (i < 0 || i > 2 * MASK_REACH)
        {
            return false;
        }
    }
    return *width > 0.0;
}

// Bankfull stage over the bottom of a section: the least ratio of width to mean depth, before the
// water goes over the banks and the ratio jumps.
static double mask_stage(const double* heights)
{
    double top = -HUGE_VAL;
    for (int32_t i = 0; i <= 2 * MASK_REACH; ++i)
    {
        top = fmax(top, heights[i]);
    }
    const double bottom = heights[MASK_REACH];
    double best = 0.0;
    double least = HUGE_VAL;
    for (int32_t k = 2; k <= MASK_STAGES; ++k)
    {
        const double stage = (top - bottom) * k / MASK_STAGES;
        double width;
        double area;
        if (!mask_section(heights, bottom + stage, &width, &area) ||
            width * width > mask_break * least * area)
        {
            break;
        }
        if (width * width < least * area)
        {
            least = width * width / area;
            best = stage;
        }
    }
    return best;
}

static double mask_sample(const river_grid* grid, double x, double y)
{
    const int32_t u = (int32_t)floor(x + 0.5);
    const int32_t v = (int32_t)floor(y + 0.5);
    const bool inside = u >= 0 && v >= 0 && u < grid->width && v < grid->height;
    const double height = inside ? river_height(grid, v * grid->width + u) : HUGE_VAL;
    return isnan(height) ? HUGE_VAL : height;
}

// Bankfull stage at a point of the trunk; 0: no banks.
static double mask_bankfull(const mask_land* land, int32_t at)
{
    const int32_t width = land->grid->width;
    const int32_t a = land->path[at - MASK_STRIDE];
    const int32_t b = land->path[at + MASK_STRIDE];
    const int32_t cell = land->path[at];
    const double dx = (double)(b % width - a % width);
    const double dy = (double)(b / width - a / width);
    const double length = sqrt(dx * dx + dy * dy);
    double heights[2 * MASK_REACH + 1];
    for (int32_t i = 0; i <= 2 * MASK_REACH && length > 0.0; ++i)
    {
        const double off = i - MASK_REACH;
        const double height = mask_sample(land->grid, cell % width - off * dy / length,
                                          cell / width + off * dx / length);
        heights[i] = isinf(height) ? (i > 0 ? heights[i - 1] : 1e9) : height;
    }
    return length > 0.0 ? mask_stage(heights) : 0.0;
}

static int mask_compare(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

static wadi_result mask_depth(const mask_land* land, double* out)
{
    double* stages;
    int32_t count = 0;
    *out = 0.0;
    WADI_ALLOC(land->grid->context, stages, land->count + 1, "sections of a river");
    for (int32_t i = MASK_STRIDE; i + MASK_STRIDE < land->count; i += MASK_STRIDE)
    {
        const double stage = mask_bankfull(land, i);
        stages[count] = stage;
        count += stage > 0.0 ? 1 : 0;
    }
    if (count > 0)
    {
        qsort(stages, (size_t)count, sizeof *stages, mask_compare);
        *out = stages[count / 2];
    }
    wadi_free(land->grid->context, stages);
    return WADI_OK;
}

// ---- the river ---------------------------------------------------------------------------

// Where a river has no banks its water would spread over all of a plain.
static bool mask_is_near(const river_grid* grid, int32_t a, int32_t b)
{
    const int32_t dx = a % grid->width - b % grid->width;
    const int32_t dy = a / grid->width - b / grid->width;
    return dx * dx + dy * dy <= MASK_REACH * MASK_REACH;
}

// Cells that lie less than `depth` over the trunk and are connected with it. The nearest cell of
// the trunk is that from which the front arrived.
static void mask_flood(mask_land* land, double depth)
{
    const river_grid* grid = land->grid;
    int32_t head = 0;
    int32_t tail = 0;
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        const double pit = (double)land->filled[i] - river_height(grid, i);
        land->nearest[i] = -1;
        grid->mask[i] = pit > mask_pit * depth; // false for NaN
    }
    for (int32_t i = 0; i < land->count; ++i)
    {
        land->nearest[land->path[i]] = i;
        land->stack[tail++] = land->path[i];
    }
    for (; head < tail; ++head)
    {
        const int32_t cell = land->stack[head];
        const int32_t from = land->nearest[cell];
        const double level = (double)land->filled[land->path[from]] + depth;
        grid->mask[cell] = 1;
        for (int32_t k = 0; k < 9; ++k)
        {
            const int32_t n = river_beside(grid, cell, k % 3 - 1, k / 3 - 1);
            if (n >= 0 && land->nearest[n] < 0 && river_is_land(grid, n) &&
                mask_is_near(grid, land->path[from], n) && river_height(grid, n) < level)
            {
                land->nearest[n] = from;
                land->stack[tail++] = n;
            }
        }
    }
}

static wadi_result mask_find(mask_land* land)
{
    const river_grid* grid = land->grid;
    wadi_context* context = grid->context;
    const wadi_field2d* surface = &grid->map->surface;
    WADI_ALLOC(context, land->area, grid->cells, "a river in heights");
    WADI_ALLOC(context, land->way, grid->cells, "a river in heights");
    WADI_ALLOC(context, land->filled, grid->cells, "a river in heights");
    WADI_ALLOC(context, land->path, grid->cells, "a river in heights");
    WADI_ALLOC(context, land->nearest, grid->cells, "a river in heights");
    WADI_ALLOC(context, land->stack, grid->cells, "a river in heights");
    WADI_TRY(wadi_derive(context, surface, WADI_DERIVED_D8_AREA, NULL, land->area));
    WADI_TRY(wadi_derive(context, surface, WADI_DERIVED_D8_DIRECTION, NULL, land->way));
    WADI_TRY(wadi_derive(context, surface, WADI_DERIVED_FILLED, NULL, land->filled));
    mask_trace(land);
    double depth;
    WADI_TRY(mask_depth(land, &depth));
    // a hand's breadth below the banks, so that one low place does not let the river out
    mask_flood(land, 0.8 * depth);
    return WADI_OK;
}

static wadi_result mask_heights(const river_grid* grid)
{
    mask_land land = {.grid = grid};
    const wadi_result result = mask_find(&land);
    wadi_free(grid->context, land.area);
    wadi_free(grid->context, land.way);
    wadi_free(grid->context, land.filled);
    wadi_free(grid->context, land.path);
    wadi_free(grid->context, land.nearest);
    wadi_free(grid->context, land.stack);
    return result;
}

wadi_result wadi_river_mask(river_grid* grid, int32_t* from)
{
    const wadi_river_map* map = grid->map;
    if (map->water != NULL)
    {
        *from = 1;
        mask_map(grid, map->water, map->least_water);
        return WADI_OK;
    }
    if (map->discharge != NULL)
    {
        *from = 2;
        const double share = mask_share * mask_largest(grid, map->discharge);
        mask_map(grid, map->discharge, map->least_discharge > 0.0 ? map->least_discharge : share);
        return WADI_OK;
    }
    *from = 3;
    return mask_heights(grid);
}
