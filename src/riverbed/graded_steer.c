// SPDX-License-Identifier: MIT
// Where rivers go: the axis of each runs down the least cost to its outlet, where high ground, hard
// rock and the sides of the terrain are dear, and the bed of a larger river is cheap: so rivers
// meet. The cost is the solution of the eikonal equation |grad way| = cost (Sethian), swept over
// cells of half a river's width (Zhao 2005, fast sweeping).
#include "riverbed/graded_internal.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>
#include <string.h>

enum
{
    STEER_SWEEPS = 6, // over all four orders of cells; 4 differ from 6 by under 0.1 m
    STEER_SMOOTH = 6  // passes: paths along sweeps have kinks otherwise
};

// A river that joins another pays this for the rest of the way, as a share: they meet at 53
// degrees on even ground, cos 53 = 0.6.
static const double steer_shared = 0.6;
static const double steer_void = 1000.0; // cost of a cell without data

typedef struct graded_steer
{
    wadi_graded* graded;
    graded_river* river;
    int32_t width; // [coarse cells]
    int32_t height;
    double size;   // of a coarse cell [cells]
    double length; // of one [m]
    double* cost;
    double* way; // [m]
    double* scratch;
    uint8_t* fixed;
} graded_steer;

static riverbed_point steer_place(const graded_steer* steer, int32_t x, int32_t y)
{
    return (riverbed_point){(x + 0.5) * steer->size - 0.5, (y + 0.5) * steer->size - 0.5};
}

static double steer_ground(const graded_steer* steer, riverbed_point p)
{
    return wadi_graded_land_at(&steer->graded->land, steer->graded->land.broad, p);
}

// ---- from where to where -----------------------------------------------------------------

// The side that a ray from the emitter meets first.
static wadi_side steer_ahead(const wadi_ground* ground, const riverbed_emitter* e)
{
    const double dx = wadi_cos(e->heading);
    const double dy = wadi_sin(e->heading);
    const double x = dx > 0.0 ? ground->width - 0.5 - e->x : e->x + 0.5;
    const double y = dy > 0.0 ? ground->height - 0.5 - e->y : e->y + 0.5;
    const bool upright = x * fabs(dy) < y * fabs(dx);
    return upright ? (dx > 0.0 ? WADI_SIDE_EAST : WADI_SIDE_WEST)
                   : (dy > 0.0 ? WADI_SIDE_SOUTH : WADI_SIDE_NORTH);
}

// Distance of a place from a side, inwards [cells].
static double steer_off_side(const wadi_ground* ground, wadi_side side, riverbed_point p)
{
    return side == WADI_SIDE_NORTH   ? p.y + 0.5
           : side == WADI_SIDE_SOUTH ? ground->height - 0.5 - p.y
           : side == WADI_SIDE_WEST  ? p.x + 0.5
                                     : ground->width - 0.5 - p.x;
}

// Lowest place in the emitter's window.
static riverbed_point steer_source(const wadi_graded* graded, const riverbed_emitter* e)
{
    const int32_t most = (int32_t)(0.5 * e->width);
    const riverbed_point across = {-wadi_sin(e->facing), wadi_cos(e->facing)};
    riverbed_point best = {e->x, e->y};
    double lowest = wadi_graded_land_at(&graded->land, graded->land.broad, best);
    for (int32_t i = -most; i <= most; ++i)
    {
        const riverbed_point p = {e->x + i * across.x, e->y + i * across.y};
        const double height = wadi_graded_land_at(&graded->land, graded->land.broad, p);
        if (height < lowest && graded_is_land(graded->ground, p))
        {
            lowest = height;
            best = p;
        }
    }
    return best;
}

// A row of coarse cells along a side: the first, how many, and the way from one to the next.
typedef struct steer_row
{
    int32_t first;
    int32_t count;
    int32_t step;
} steer_row;

static steer_row steer_side(const graded_steer* steer, wadi_side side)
{
    const int32_t w = steer->width;
    const int32_t h = steer->height;
    return side == WADI_SIDE_NORTH   ? (steer_row){0, w, 1}
           : side == WADI_SIDE_SOUTH ? (steer_row){(h - 1) * w, w, 1}
           : side == WADI_SIDE_WEST  ? (steer_row){0, h, w}
                                     : (steer_row){w - 1, h, w};
}

static riverbed_point steer_place_of(const graded_steer* steer, int32_t cell)
{
    return steer_place(steer, cell % steer->width, cell / steer->width);
}

// ---- cost --------------------------------------------------------------------------------

typedef struct steer_way
{
    riverbed_point from;
    riverbed_point to;
    double high; // ground at both
    double low;
    bool exits[4]; // sides that the river may leave by
} steer_way;

// Elevation of the straight way down at the foot of a place.
static double steer_grade(const steer_way* way, riverbed_point p)
{
    const double dx = way->to.x - way->from.x;
    const double dy = way->to.y - way->from.y;
    const double length = dx * dx + dy * dy;
    const double along = (p.x - way->from.x) * dx + (p.y - way->from.y) * dy;
    const double share = length > 0.0 ? graded_clamp(along / length, 0.0, 1.0) : 0.0;
    return way->high + share * (way->low - way->high);
}

// Lowest place of the sides that the river may leave by.
static riverbed_point steer_lowest(const graded_steer* steer, const bool exits[4])
{
    double lowest = HUGE_VAL;
    riverbed_point best = {0.0, 0.0};
    for (int side = 0; side < 4; ++side)
    {
        const steer_row row = steer_side(steer, (wadi_side)side);
        for (int32_t i = 0; i < row.count && exits[side]; ++i)
        {
            const riverbed_point p = steer_place_of(steer, row.first + i * row.step);
            const double height = steer_ground(steer, p);
            best = height < lowest ? p : best;
            lowest = fmin(lowest, height);
        }
    }
    return best;
}

// How near the sides are that a river does not cross [widths].
static double steer_sides(const graded_steer* steer, const steer_way* way, riverbed_point p)
{
    const wadi_ground* ground = steer->graded->ground;
    double least = ground->width + ground->height;
    for (int side = 0; side < 4; ++side)
    {
        least = way->exits[side] ? least : fmin(least, steer_off_side(ground, (wadi_side)side, p));
    }
    return least * ground->cell_size / steer->river->axis[0].width;
}

static double steer_cost(const graded_steer* steer, const steer_way* way, riverbed_point p)
{
    const wadi_graded* graded = steer->graded;
    const double above = steer_ground(steer, p) - steer_grade(way, p);
    const double soft = wadi_graded_land_at(&graded->land, graded->land.broad_soft, p);
    const double high = fmax(0.0, above) / steer->river->axis[0].depth + 0.3 * (1.0 - soft);
    // the source lies on a side, as a rule
    const double width = steer->river->axis[0].width / graded->ground->cell_size;
    const double off = sqrt((p.x - way->from.x) * (p.x - way->from.x) +
                            (p.y - way->from.y) * (p.y - way->from.y)) /
                       (6.0 * width);
    const double sides = 4.0 * fmin(1.0, off) * wadi_exp(-steer_sides(steer, way, p) / 2.5);
    return 1.0 + graded->params.steering * high + sides +
           (graded_is_land(graded->ground, p) ? 0.0 : steer_void);
}

// The side that the emitter lies on, or WADI_SIDE_COUNT.
static wadi_side steer_entry(const wadi_ground* ground, const graded_river* river)
{
    const riverbed_point p = {river->emitter.x, river->emitter.y};
    for (int side = 0; side < 4; ++side)
    {
        if (steer_off_side(ground, (wadi_side)side, p) < 1.0)
        {
            return (wadi_side)side;
        }
    }
    return WADI_SIDE_COUNT;
}

// ---- sweeping ----------------------------------------------------------------------------

static double steer_lesser(const graded_steer* steer, int32_t x, int32_t y, int32_t dx, int32_t dy)
{
    const int32_t w = steer->width;
    const bool before = dx > 0 ? x > 0 : y > 0;
    const bool after = dx > 0 ? x + 1 < w : y + 1 < steer->height;
    const int32_t i = y * w + x;
    const int32_t step = dx + dy * w;
    return fmin(before ? steer->way[i - step] : HUGE_VAL, after ? steer->way[i + step] : HUGE_VAL);
}

static void steer_update(const graded_steer* steer, int32_t x, int32_t y)
{
    const int32_t i = y * steer->width + x;
    if (steer->fixed[i] != 0)
    {
        return;
    }
    const double a = steer_lesser(steer, x, y, 1, 0);
    const double b = steer_lesser(steer, x, y, 0, 1);
    const double f = steer->cost[i] * steer->length;
    const double apart = fabs(a - b);
    const double way =
        apart < f ? 0.5 * (a + b + sqrt(2.0 * f * f - apart * apart)) : fmin(a, b) + f;
    steer->way[i] = fmin(steer->way[i], way);
}

static void steer_sweep(const graded_steer* steer, bool east, bool south)
{
    for (int32_t j = 0; j < steer->height; ++j)
    {
        for (int32_t i = 0; i < steer->width; ++i)
        {
            steer_update(steer, east ? i : steer->width - 1 - i, south ? j : steer->height - 1 - j);
        }
    }
}

static double steer_mean(const graded_steer* steer, int32_t x, int32_t y)
{
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < steer->height; ++v)
    {
        for (int32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < steer->width; ++u)
        {
            sum += steer->way[v * steer->width + u];
            ++count;
        }
    }
    return sum / count;
}

static void steer_smooth(graded_steer* steer)
{
    for (int pass = 0; pass < STEER_SMOOTH; ++pass)
    {
        for (int32_t y = 0; y < steer->height; ++y)
        {
            for (int32_t x = 0; x < steer->width; ++x)
            {
                steer->scratch[y * steer->width + x] = steer_mean(steer, x, y);
            }
        }
        double* other = steer->way;
        steer->way = steer->scratch;
        steer->scratch = other;
    }
}

// ---- outlets -----------------------------------------------------------------------------

static void steer_fix(graded_steer* steer, int32_t cell, double way)
{
    steer->fixed[cell] = 1;
    steer->way[cell] = fmin(steer->way[cell], way);
}

// Along the outlet's side lower ground is nearer.
static void steer_open_side(graded_steer* steer, const steer_way* way, wadi_side side)
{
    const steer_row row = steer_side(steer, side);
    const graded_axis* start = &steer->river->axis[0];
    for (int32_t i = 0; i < row.count; ++i)
    {
        const int32_t cell = row.first + i * row.step;
        const double above = steer_ground(steer, steer_place_of(steer, cell)) - way->low;
        steer_fix(steer, cell, 2.0 * start->width * fmax(0.0, above) / start->depth);
    }
}

static void steer_open_rivers(graded_steer* steer)
{
    const wadi_graded* graded = steer->graded;
    for (const graded_river* other = graded->rivers; other < steer->river; ++other)
    {
        for (int32_t i = 0; i < other->axis_count; ++i)
        {
            const riverbed_point p = other->axis[i].at;
            if (graded_cell_at(graded->ground, p) >= 0)
            {
                const int32_t x = (int32_t)((p.x + 0.5) / steer->size);
                const int32_t y = (int32_t)((p.y + 0.5) / steer->size);
                const int32_t cell = (y < steer->height ? y : steer->height - 1) * steer->width +
                                     (x < steer->width ? x : steer->width - 1);
                steer_fix(steer, cell, steer_shared * other->axis[i].to_go);
            }
        }
    }
}

// The cost of the rest of the way from everywhere.
static void steer_solve(graded_steer* steer, const steer_way* way)
{
    const int32_t cells = steer->width * steer->height;
    for (int32_t i = 0; i < cells; ++i)
    {
        steer->cost[i] = steer_cost(steer, way, steer_place_of(steer, i));
        steer->way[i] = HUGE_VAL;
        steer->fixed[i] = 0;
    }
    for (int side = 0; side < 4; ++side)
    {
        if (way->exits[side])
        {
            steer_open_side(steer, way, (wadi_side)side);
        }
    }
    steer_open_rivers(steer);
    for (int sweep = 0; sweep < 4 * STEER_SWEEPS; ++sweep)
    {
        steer_sweep(steer, (sweep & 1) == 0, (sweep & 2) == 0);
    }
    steer_smooth(steer);
}

// ---- the axis ----------------------------------------------------------------------------

static double steer_way_at(const graded_steer* steer, riverbed_point p)
{
    const double x = graded_clamp((p.x + 0.5) / steer->size - 0.5, 0.0, steer->width - 1.0);
    const double y = graded_clamp((p.y + 0.5) / steer->size - 0.5, 0.0, steer->height - 1.0);
    const int32_t x0 = (int32_t)x;
    const int32_t y0 = (int32_t)y;
    const int32_t x1 = x0 + 1 < steer->width ? x0 + 1 : x0;
    const int32_t y1 = y0 + 1 < steer->height ? y0 + 1 : y0;
    const double* north = steer->way + y0 * steer->width;
    const double* south = steer->way + y1 * steer->width;
    const double top = north[x0] + (x - x0) * (north[x1] - north[x0]);
    const double low = south[x0] + (x - x0) * (south[x1] - south[x0]);
    return top + (y - y0) * (low - top);
}

static riverbed_point steer_unit(double x, double y, riverbed_point otherwise)
{
    const double length = sqrt(x * x + y * y);
    return length > 0.0 ? (riverbed_point){x / length, y / length} : otherwise;
}

// Straight down the cost from here.
static riverbed_point steer_down(const graded_steer* steer, riverbed_point p,
                                 riverbed_point otherwise)
{
    const double d = steer->size;
    const double east = steer_way_at(steer, (riverbed_point){p.x + d, p.y}) -
                        steer_way_at(steer, (riverbed_point){p.x - d, p.y});
    const double south = steer_way_at(steer, (riverbed_point){p.x, p.y + d}) -
                         steer_way_at(steer, (riverbed_point){p.x, p.y - d});
    return steer_unit(-east, -south, otherwise);
}

// A larger river whose axis passes within a spacing; its point of axis, or -1.
static int32_t steer_meets(const graded_steer* steer, riverbed_point p, int32_t* into)
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

// Step down the cost until the axis leaves or meets another; it starts where the emitter faces.
static void steer_trace(graded_steer* steer)
{
    graded_river* river = steer->river;
    const double step = river->spacing / steer->graded->ground->cell_size;
    const graded_axis start = river->axis[0];
    const double blend = 3.0 * start.width;
    const riverbed_point facing = start.along;
    for (int32_t i = 0; i < river->capacity; ++i)
    {
        graded_axis* axis = &river->axis[i];
        const riverbed_point at = axis->at;
        if (i > GRADED_STATION && !graded_is_land(steer->graded->ground, at))
        {
            break;
        }
        const double t = fmin(1.0, i * river->spacing / blend);
        const riverbed_point down = steer_down(steer, at, i > 0 ? axis[-1].along : facing);
        *axis = start;
        axis->at = at;
        axis->along = steer_unit(facing.x + t * (down.x - facing.x),
                                 facing.y + t * (down.y - facing.y), down);
        axis->to_go = steer_way_at(steer, at);
        river->axis_count = i + 1;
        river->into_axis = steer_meets(steer, at, &river->into);
        if (river->into >= 0)
        {
            break;
        }
        axis[1].at = (riverbed_point){at.x + step * axis->along.x, at.y + step * axis->along.y};
    }
}

// Directions over a width to either hand: the axis shall not swing itself.
static void steer_straighten(graded_river* river)
{
    const int32_t last = river->axis_count - 1;
    const int32_t reach = 1 + (int32_t)(river->axis[0].width / river->spacing);
    for (int32_t i = 0; i <= last; ++i)
    {
        const riverbed_point from = river->axis[i > reach ? i - reach : 0].at;
        const riverbed_point to = river->axis[i + reach < last ? i + reach : last].at;
        river->axis[i].along = steer_unit(to.x - from.x, to.y - from.y, river->axis[i].along);
    }
}

// Bends are damped where the land is steep: rivers on slopes over 0.03 run straight, from pool to
// pool (Montgomery & Buffington 1997). And near the sides that a river does not leave by, or it
// would swing out of them: a belt of bends reaches three widths to either hand.
static double steer_calm_at(const graded_steer* steer, const bool exits[4], int32_t i)
{
    const graded_river* river = steer->river;
    const wadi_ground* ground = steer->graded->ground;
    const graded_axis* axis = river->axis;
    const int32_t reach = (int32_t)(3.0 * axis[i].width / river->spacing);
    const int32_t from = i > reach ? i - reach : 0;
    const int32_t to = i + reach < river->axis_count ? i + reach : river->axis_count - 1;
    const double fall = steer_ground(steer, axis[from].at) - steer_ground(steer, axis[to].at);
    const double slope = to > from ? fall / ((to - from) * river->spacing) : 0.0;
    const double steep = slope * slope / (0.035 * 0.035);
    double room = 1.0;
    for (int side = 0; side < 4; ++side)
    {
        const double off = steer_off_side(ground, (wadi_side)side, axis[i].at);
        const double share = off * ground->cell_size / (3.0 * axis[i].width);
        room = exits[side] ? room : fmin(room, fmax(0.0, share));
    }
    return room / (1.0 + steep * steep);
}

// What joins swells the river that it joins, and those that this one joins.
static void steer_join(wadi_graded* graded, const graded_river* river)
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

static void steer_lay(graded_steer* steer)
{
    wadi_graded* graded = steer->graded;
    graded_river* river = steer->river;
    const riverbed_emitter* e = &river->emitter;
    const int32_t outlet = graded->params.outlet;
    const wadi_side entry = steer_entry(graded->ground, river);
    const wadi_side ahead = steer_ahead(graded->ground, e);
    steer_way way = {.from = {0.0, 0.0}};
    for (int side = 0; side < 4; ++side)
    {
        way.exits[side] = outlet == WADI_RIVERBED_ANY     ? side != (int)entry
                          : outlet == WADI_RIVERBED_AHEAD ? side == (int)ahead
                                                          : side == outlet;
    }
    way.from = steer_source(graded, e);
    way.to = steer_lowest(steer, way.exits);
    way.high = steer_ground(steer, way.from);
    way.low = steer_ground(steer, way.to);
    river->axis[0].at = way.from;
    river->axis[0].along = (riverbed_point){wadi_cos(e->heading), wadi_sin(e->heading)};
    river->axis_count = 0;
    steer_solve(steer, &way);
    steer_trace(steer);
    steer_straighten(river);
    for (int32_t i = 0; i < river->axis_count; ++i)
    {
        river->axis[i].calm = steer_calm_at(steer, way.exits, i);
    }
    steer_join(graded, river);
}

static wadi_result steer_all(graded_steer* steer)
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
        steer_lay(steer);
    }
    return WADI_OK;
}

wadi_result wadi_graded_steer(wadi_graded* graded)
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
    const wadi_result result = steer_all(&steer);
    wadi_free(graded->context, steer.cost);
    wadi_free(graded->context, steer.way);
    wadi_free(graded->context, steer.scratch);
    wadi_free(graded->context, steer.fixed);
    return result;
}
