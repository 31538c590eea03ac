// SPDX-License-Identifier: MIT
// On slopes the route follows the gradient with the least transversal deviation (D8-LTD; Orlandini
// et al. 2003): plain D8 descends a plane of azimuth 37 degrees at 45. In depressions it follows
// the parents of the flood. Both lead to cells that the flood reached earlier, so a route ends.
#include "laws/channels/channel_route.h"

#include "core/dmath.h"
#include "laws/channels/channel_order.h"

typedef struct route_run
{
    wadi_context* context;
    flow_grid grid;
    wadi_field2d levels; // the field, filled to the flood's levels
    channel_order order;
    uint8_t* outlets;
    channel_route* route;
} route_run;

// ---- outlets -----------------------------------------------------------------------------

// Bit set of the open sides that a cell lies at, with ROUTE_VOID beside a cell without data.
enum
{
    ROUTE_VOID = 1 << 4
};

static unsigned route_borders(const flow_grid* grid, int64_t cell)
{
    const wadi_edge* edges = grid->field->edges;
    const int32_t x = (int32_t)(cell % grid->width);
    const int32_t y = (int32_t)(cell / grid->width);
    const bool at[4] = {[WADI_SIDE_NORTH] = y == 0,
                        [WADI_SIDE_EAST] = x == grid->width - 1,
                        [WADI_SIDE_SOUTH] = y == grid->height - 1,
                        [WADI_SIDE_WEST] = x == 0};
    unsigned borders = 0;
    for (int side = 0; side < 4; ++side)
    {
        borders |= at[side] && edges[side] == WADI_EDGE_OPEN ? 1u << side : 0u;
    }
    for (int k = 0; k < 8; ++k)
    {
        const int64_t n = flow_neighbour(grid, x, y, k);
        borders |= n >= 0 && isnan(flow_height(grid, n)) ? (unsigned)ROUTE_VOID : 0u;
    }
    return borders;
}

static int64_t route_lowest(const flow_grid* grid)
{
    int64_t lowest = 0;
    for (int64_t i = 1; i < grid->cells; ++i)
    {
        // any height replaces NaN
        const float height = flow_height(grid, i);
        lowest =
            height < flow_height(grid, lowest) || isnan(flow_height(grid, lowest)) ? i : lowest;
    }
    return lowest;
}

static wadi_result route_mark_outlets(route_run* run, unsigned borders, bool or_lowest)
{
    const flow_grid* grid = &run->grid;
    int64_t count = 0;
    WADI_ALLOC(run->context, run->outlets, grid->cells, "outlets");
    for (int64_t i = 0; i < grid->cells; ++i)
    {
        run->outlets[i] = !isnan(flow_height(grid, i)) && (route_borders(grid, i) & borders) != 0;
        count += run->outlets[i];
    }
    if (count == 0 && or_lowest)
    {
        run->outlets[route_lowest(grid)] = 1;
        return WADI_OK;
    }
    WADI_CHECK(
        run->context, count > 0, WADI_ERROR_RANGE,
        "the flood has no outlet: there is no open border or void except at the emitter; open a "
        "side, name another outlet, or move the emitter off the border");
    return WADI_OK;
}

// ---- source ------------------------------------------------------------------------------

// Number of steps along the emitter's line, at most half a cell each.
static int32_t route_source_steps(const channel_source* s)
{
    const double way = fmax(fabs(s->to_column - s->column), fabs(s->to_row - s->row));
    return (int32_t)(2.0 * way) + 1;
}

static int64_t route_source_cell(const flow_grid* grid, const channel_source* s, int32_t step)
{
    const double share = (double)step / route_source_steps(s);
    const int32_t column = (int32_t)floor(s->column + share * (s->to_column - s->column) + 0.5);
    const int32_t row = (int32_t)floor(s->row + share * (s->to_row - s->row) + 0.5);

    // a point on the border belongs to the outermost cell
    const int64_t x = column < 0 ? 0 : column < grid->width ? column : grid->width - 1;
    const int64_t y = row < 0 ? 0 : row < grid->height ? row : grid->height - 1;
    return y * grid->width + x;
}

// Narrow the interval [*begin, *end] of t to low <= from + t (to - from) <= high.
static void route_clip(double from, double to, double low, double high, double* begin, double* end)
{
    const double way = to - from;
    if (way == 0.0)
    {
        *end = from >= low && from <= high ? *end : -1.0;
        return;
    }
    const double enters = ((way > 0.0 ? low : high) - from) / way;
    const double leaves = ((way > 0.0 ? high : low) - from) / way;
    *begin = fmax(*begin, enters);
    *end = fmin(*end, leaves);
}

// Clip the emitter's line to the grid.
static wadi_result route_clip_source(const route_run* run, const channel_source* s,
                                     channel_source* out)
{
    const flow_grid* grid = &run->grid;
    double begin = 0.0;
    double end = 1.0;
    route_clip(s->column, s->to_column, -0.5, grid->width - 0.5, &begin, &end);
    route_clip(s->row, s->to_row, -0.5, grid->height - 0.5, &begin, &end);
    WADI_CHECK(run->context, begin <= end, WADI_ERROR_RANGE,
               "the emitter lies outside the grid of %d x %d cells, %.1f cells east and %.1f south "
               "of its north-west corner",
               (int)grid->width, (int)grid->height, s->column + 0.5, s->row + 0.5);
    *out = (channel_source){
        .column = s->column + begin * (s->to_column - s->column),
        .row = s->row + begin * (s->to_row - s->row),
        .to_column = s->column + end * (s->to_column - s->column),
        .to_row = s->row + end * (s->to_row - s->row),
    };
    return WADI_OK;
}

// Set `borders` to those that the emitter touches; they are not outlets.
static wadi_result route_check_source(const route_run* run, const channel_source* s,
                                      unsigned* borders)
{
    bool any = false;
    *borders = 0;
    for (int32_t i = 0; i <= route_source_steps(s); ++i)
    {
        const int64_t cell = route_source_cell(&run->grid, s, i);
        *borders |= route_borders(&run->grid, cell);
        any = any || !isnan(flow_height(&run->grid, cell));
    }
    WADI_CHECK(run->context, any, WADI_ERROR_RANGE,
               "the emitter lies on cells without data; move it to cells with data");
    return WADI_OK;
}

// The cell of the emitter with the lowest flood level, and among equals the lowest ground.
static int64_t route_start(const route_run* run, const channel_source* s)
{
    int64_t best = -1;
    for (int32_t i = 0; i <= route_source_steps(s); ++i)
    {
        const int64_t cell = route_source_cell(&run->grid, s, i);
        const float level = run->order.level[cell];
        if (isnan(level))
        {
            continue;
        }
        if (best < 0 || level < run->order.level[best] ||
            (level == run->order.level[best] &&
             flow_height(&run->grid, cell) < flow_height(&run->grid, best)))
        {
            best = cell;
        }
    }
    return best;
}

// ---- trace -------------------------------------------------------------------------------

static double route_length(const route_run* run, int direction)
{
    const double east = run->levels.dx * flow_east[direction];
    const double south = run->levels.dy * flow_south[direction];
    return sqrt(east * east + south * south);
}

// Step to the neighbour that keeps the route nearer to the gradient's line. `deviation` is the
// offset of the route to the left of that line [m].
static int route_descend(const route_run* run, wadi_flow_target to, double* deviation)
{
    if (to.second < 0)
    {
        return to.first;
    }

    // `first` is an axis neighbour, `second` a diagonal one; it is on the left if its number is
    // next
    const bool along_x = to.first % 4 == 0;
    const double facet = along_x ? wadi_atan2(run->levels.dy, run->levels.dx)
                                 : wadi_atan2(run->levels.dx, run->levels.dy);
    const double left = (to.first + 1) % 8 == to.second ? 1.0 : -1.0;
    const double turn = (double)to.share * facet;
    const double first = *deviation - left * route_length(run, to.first) * wadi_sin(turn);
    const double second = *deviation + left * route_length(run, to.second) * wadi_sin(facet - turn);
    const bool keeps = fabs(first) <= fabs(second);
    *deviation = keeps ? first : second;
    return keeps ? to.first : to.second;
}

static wadi_result route_append(route_run* run, int64_t cell, int32_t* capacity)
{
    channel_route* route = run->route;
    if (route->count == *capacity)
    {
        uint32_t* more;
        WADI_ALLOC(run->context, more, 2 * (int64_t)*capacity, "a route");
        for (int32_t i = 0; i < route->count; ++i)
        {
            more[i] = route->cell[i];
        }
        wadi_free(run->context, route->cell);
        route->cell = more;
        *capacity *= 2;
    }
    route->cell[route->count++] = (uint32_t)cell;
    return WADI_OK;
}

static wadi_result route_trace(route_run* run, int64_t cell)
{
    int32_t capacity = 4 * (run->grid.width + run->grid.height);
    double deviation = 0.0;
    WADI_ALLOC(run->context, run->route->cell, capacity, "a route");
    for (;;)
    {
        WADI_TRY(route_append(run, cell, &capacity));
        if (run->outlets[cell] != 0)
        {
            return WADI_OK;
        }
        const wadi_flow_target to = wadi_flow_dinf_at(
            &run->levels, (int32_t)(cell % run->grid.width), (int32_t)(cell / run->grid.width));
        deviation = to.first >= 0 ? deviation : 0.0;
        const int way =
            to.first >= 0 ? route_descend(run, to, &deviation) : run->order.parent[cell];
        cell = flow_neighbour_of(&run->grid, cell, way);
    }
}

static wadi_result route_run_all(route_run* run, const channel_source* whole, int32_t outlet)
{
    unsigned borders;
    channel_source source = *whole;
    WADI_TRY(route_clip_source(run, whole, &source));
    WADI_TRY(route_check_source(run, &source, &borders));
    WADI_TRY(route_mark_outlets(run, outlet < 0 ? ~borders : 1u << outlet,
                                outlet == CHANNEL_OUTLET_ANY_OR_LOWEST));
    WADI_TRY(wadi_channel_order_create(run->context, &run->grid, run->outlets, &run->order));
    run->levels.heights = run->order.level;
    run->levels.stride = run->levels.width;
    const int64_t start = route_start(run, &source);
    WADI_CHECK(run->context, start >= 0, WADI_ERROR_RANGE,
               "no route from the emitter to an outlet: cells without data surround it; move it");
    return route_trace(run, start);
}

wadi_result wadi_channel_route_create(wadi_context* context, const wadi_field2d* field,
                                      const channel_source* source, int32_t outlet,
                                      channel_route* out)
{
    *out = (channel_route){0};
    route_run run = {
        .context = context, .grid = flow_grid_of(field), .levels = *field, .route = out};
    WADI_CHECK(context, !run.grid.wraps_x && !run.grid.wraps_y, WADI_ERROR_ARGUMENT,
               "a route needs open or closed borders, but these are periodic");
    const wadi_result result = route_run_all(&run, source, outlet);
    wadi_channel_order_free(context, &run.order);
    wadi_free(context, run.outlets);
    if (result != WADI_OK)
    {
        wadi_channel_route_free(context, out);
    }
    return result;
}

void wadi_channel_route_free(wadi_context* context, channel_route* route)
{
    wadi_free(context, route->cell);
    *route = (channel_route){0};
}
