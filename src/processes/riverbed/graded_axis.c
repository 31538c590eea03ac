// SPDX-License-Identifier: MIT
// The axes of rivers: each follows the steepest descent of its cost to go, larger rivers first.
#include "processes/riverbed/graded_steer.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

enum
{
    AXIS_ASTRAY = 4 * GRADED_NODES // an axis ends after this many nodes without a lower cost
};

// ---- source and outlet ------------------------------------------------------------------

// The side that a ray from the emitter meets first.
static wadi_side axis_ahead(const wadi_ground* ground, const riverbed_emitter* e)
{
    const double dx = wadi_cos(e->heading);
    const double dy = wadi_sin(e->heading);
    const double x = dx > 0.0 ? ground->width - 0.5 - e->x : e->x + 0.5;
    const double y = dy > 0.0 ? ground->height - 0.5 - e->y : e->y + 0.5;
    const bool upright = x * fabs(dy) < y * fabs(dx);
    return upright ? (dx > 0.0 ? WADI_SIDE_EAST : WADI_SIDE_WEST)
                   : (dy > 0.0 ? WADI_SIDE_SOUTH : WADI_SIDE_NORTH);
}

// Does a place have ground? An emitter on a side lies on the rim of the outermost cells.
static bool axis_has_ground(const wadi_ground* ground, riverbed_point p)
{
    const double rim = 0.5 + 1e-6; // [cells]
    const double east = ground->width - 1.0;
    const double south = ground->height - 1.0;
    const riverbed_point inner = {graded_clamp(p.x, 0.0, east), graded_clamp(p.y, 0.0, south)};
    return fabs(p.x - inner.x) <= rim && fabs(p.y - inner.y) <= rim &&
           graded_is_land(ground, inner);
}

// Lowest place with ground in the emitter's window; the middle, if no other is lower.
static wadi_result axis_source(const wadi_graded* graded, const riverbed_emitter* e,
                               riverbed_point* out)
{
    const wadi_ground* ground = graded->ground;
    const int32_t most = (int32_t)fmin(0.5 * e->width, (double)ground->width + ground->height);
    const riverbed_point across = {-wadi_sin(e->facing), wadi_cos(e->facing)};
    double lowest = HUGE_VAL;
    for (int32_t i = 0; i <= 2 * most; ++i)
    {
        const int32_t step = i == 0 ? 0 : i <= most ? i - most - 1 : i - most;
        const riverbed_point p = {e->x + step * across.x, e->y + step * across.y};
        const double height = wadi_graded_land_at(&graded->land, graded->land.broad, p);
        if (height < lowest && axis_has_ground(ground, p))
        {
            lowest = height;
            *out = p;
        }
    }
    const double cell = ground->cell_size;
    WADI_CHECK(graded->context, lowest < HUGE_VAL, WADI_ERROR_RANGE,
               "the river's window at x %g m, y %g m lies on cells without data: move it to where "
               "there is ground",
               (e->x + 0.5) * cell, (ground->height - e->y - 0.5) * cell);
    return WADI_OK;
}

// The side of the emitter, or WADI_SIDE_COUNT.
static wadi_side axis_entry(const wadi_ground* ground, const graded_river* river)
{
    const riverbed_point p = {river->emitter.x, river->emitter.y};
    for (int side = 0; side < 4; ++side)
    {
        if (graded_off_side(ground, (wadi_side)side, p) < 1.0)
        {
            return (wadi_side)side;
        }
    }
    return WADI_SIDE_COUNT;
}

// ---- descent of the cost ----------------------------------------------------------------

static riverbed_point axis_unit(double x, double y, riverbed_point otherwise)
{
    const double length = sqrt(x * x + y * y);
    return length > 0.0 ? (riverbed_point){x / length, y / length} : otherwise;
}

// Direction of steepest descent of the cost.
static riverbed_point axis_down(const graded_steer* steer, riverbed_point p,
                                riverbed_point otherwise)
{
    const double d = steer->size;
    const double east = wadi_graded_way_at(steer, (riverbed_point){p.x + d, p.y}) -
                        wadi_graded_way_at(steer, (riverbed_point){p.x - d, p.y});
    const double south = wadi_graded_way_at(steer, (riverbed_point){p.x, p.y + d}) -
                         wadi_graded_way_at(steer, (riverbed_point){p.x, p.y - d});
    return axis_unit(-east, -south, otherwise);
}

// A larger river whose axis is within a node spacing: index of its axis point, or -1.
static int32_t axis_meets(const graded_steer* steer, riverbed_point p, int32_t* into)
{
    const graded_river* rivers = steer->graded->rivers;
    const double reach = steer->size * steer->size;
    for (*into = 0; &rivers[*into] < steer->river; ++*into)
    {
        for (int32_t i = 0; i < rivers[*into].axis_count; ++i)
        {
            const double dx = rivers[*into].axis[i].at.x - p.x;
            const double dy = rivers[*into].axis[i].at.y - p.y;
            if (dx * dx + dy * dy < reach)
            {
                return i;
            }
        }
    }
    *into = -1;
    return -1;
}

// Follow the steepest descent until the axis leaves or meets another. It starts in the direction of
// the emitter. The smooth cost may have a minimum short of the outlet, before the mouth of a deep
// valley. The axis ends there instead of circling, and the course continues straight.
static void axis_trace(graded_steer* steer)
{
    graded_river* river = steer->river;
    const double step = river->spacing / steer->graded->ground->cell_size;
    const graded_axis start = river->axis[0];
    const double blend = 3.0 * start.width;
    const riverbed_point facing = start.along;
    int32_t least = 0;
    for (int32_t i = 0; i < river->capacity; ++i)
    {
        graded_axis* axis = &river->axis[i];
        const riverbed_point at = axis->at;
        if (i > GRADED_STATION && !graded_is_land(steer->graded->ground, at))
        {
            break;
        }
        const double t = fmin(1.0, i * river->spacing / blend);
        const riverbed_point down = axis_down(steer, at, i > 0 ? axis[-1].along : facing);
        *axis = start;
        axis->at = at;
        axis->along =
            axis_unit(facing.x + t * (down.x - facing.x), facing.y + t * (down.y - facing.y), down);
        axis->to_go = wadi_graded_way_at(steer, at);
        river->axis_count = i + 1;
        river->into_axis = axis_meets(steer, at, &river->into);
        if (river->into >= 0)
        {
            break;
        }
        least = t < 1.0 || axis->to_go < river->axis[least].to_go ? i : least;
        if (i - least > AXIS_ASTRAY)
        {
            river->axis_count = least + 1;
            break;
        }
        axis[1].at = (riverbed_point){at.x + step * axis->along.x, at.y + step * axis->along.y};
    }
}

// ---- adaptation to the land -------------------------------------------------------------

// Average directions over a width to both sides: the axis itself must not meander.
static void axis_straighten(graded_river* river)
{
    const int32_t last = river->axis_count - 1;
    const int32_t reach = 1 + (int32_t)(river->axis[0].width / river->spacing);
    for (int32_t i = 0; i <= last; ++i)
    {
        const riverbed_point from = river->axis[i > reach ? i - reach : 0].at;
        const riverbed_point to = river->axis[i + reach < last ? i + reach : last].at;
        river->axis[i].along = axis_unit(to.x - from.x, to.y - from.y, river->axis[i].along);
    }
}

// Factor that damps bends. On slopes over 0.03 rivers are straight step-pool channels (Montgomery &
// Buffington 1997). Near sides other than the outlet, bends would leave the terrain: a belt of
// bends is three widths wide to either side.
static double axis_damping_at(const graded_steer* steer, const bool exits[4], int32_t i)
{
    const graded_river* river = steer->river;
    const wadi_ground* ground = steer->graded->ground;
    const graded_axis* axis = river->axis;
    const int32_t reach = (int32_t)(3.0 * axis[i].width / river->spacing);
    const int32_t from = i > reach ? i - reach : 0;
    const int32_t to = i + reach < river->axis_count ? i + reach : river->axis_count - 1;
    const double fall =
        graded_steer_ground(steer, axis[from].at) - graded_steer_ground(steer, axis[to].at);
    const double slope = to > from ? fall / ((to - from) * river->spacing) : 0.0;
    const double steep = slope * slope / (0.035 * 0.035);
    double room = 1.0;
    for (int side = 0; side < 4; ++side)
    {
        const double off = graded_off_side(ground, (wadi_side)side, axis[i].at);
        const double share = off * ground->cell_size / (3.0 * axis[i].width);
        room = exits[side] ? room : fmin(room, fmax(0.0, share));
    }
    return room / (1.0 + steep * steep);
}

// A tributary increases the discharge of the river it joins, and of all rivers downstream.
static void axis_join(wadi_graded* graded, const graded_river* river)
{
    int32_t from = river->into_axis;
    for (int32_t into = river->into; into >= 0;)
    {
        graded_river* other = &graded->rivers[into];
        for (int32_t i = from; i < other->axis_count; ++i)
        {
            graded_axis* axis = &other->axis[i];
            axis->discharge += river->emitter.discharge;
            axis->width = 4.0 * sqrt(axis->discharge);
            axis->depth = 0.33 * wadi_pow(axis->discharge, 0.4);
        }
        from = other->into_axis;
        into = other->into;
    }
}

// ---- all rivers -------------------------------------------------------------------------

static wadi_result axis_lay(graded_steer* steer)
{
    wadi_graded* graded = steer->graded;
    graded_river* river = steer->river;
    const riverbed_emitter* e = &river->emitter;
    const int32_t outlet = graded->params.outlet;
    const wadi_side entry = axis_entry(graded->ground, river);
    const wadi_side ahead = axis_ahead(graded->ground, e);
    graded_way way = {.from = {0.0, 0.0}};
    for (int side = 0; side < 4; ++side)
    {
        way.exits[side] = outlet == WADI_RIVERBED_ANY     ? side != (int)entry
                          : outlet == WADI_RIVERBED_AHEAD ? side == (int)ahead
                                                          : side == outlet;
    }
    WADI_TRY(axis_source(graded, e, &way.from));
    way.to = wadi_graded_way_lowest(steer, way.exits);
    way.high = graded_steer_ground(steer, way.from);
    way.low = graded_steer_ground(steer, way.to);
    river->axis[0].at = way.from;
    river->axis[0].along = (riverbed_point){wadi_cos(e->heading), wadi_sin(e->heading)};
    river->axis_count = 0;
    wadi_graded_way_solve(steer, &way);
    axis_trace(steer);
    axis_straighten(river);
    for (int32_t i = 0; i < river->axis_count; ++i)
    {
        river->axis[i].damping = axis_damping_at(steer, way.exits, i);
    }
    axis_join(graded, river);
    return WADI_OK;
}

static wadi_result axis_all(graded_steer* steer)
{
    wadi_context* context = steer->graded->context;
    const int64_t cells = (int64_t)steer->width * steer->height;
    WADI_ALLOC(context, steer->cost, cells, "the way of a river");
    WADI_ALLOC(context, steer->way, cells, "the way of a river");
    WADI_ALLOC(context, steer->scratch, cells, "the way of a river");
    WADI_ALLOC(context, steer->fixed, cells, "the way of a river");
    for (int32_t i = 0; i < steer->graded->river_count; ++i)
    {
        steer->river = &steer->graded->rivers[i];
        WADI_TRY(axis_lay(steer));
    }
    return WADI_OK;
}

wadi_result wadi_graded_lay_axes(wadi_graded* graded)
{
    const wadi_ground* ground = graded->ground;
    const double least = graded->rivers[graded->river_count - 1].axis[0].width;
    const double size = fmax(1.0, 0.5 * least / ground->cell_size);
    graded_steer steer = {
        .graded = graded,
        .width = (int32_t)ceil(ground->width / size),
        .height = (int32_t)ceil(ground->height / size),
        .size = size,
        .length = size * ground->cell_size,
    };
    const wadi_result result = axis_all(&steer);
    wadi_free(graded->context, steer.cost);
    wadi_free(graded->context, steer.way);
    wadi_free(graded->context, steer.scratch);
    wadi_free(graded->context, steer.fixed);
    return result;
}
