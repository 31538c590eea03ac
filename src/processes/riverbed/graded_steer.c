// SPDX-License-Identifier: MIT
// Cost to go, as the solution of the eikonal equation |grad way| = cost (Sethian 1999) by fast
// sweeping (Zhao 2005).
#include "processes/riverbed/graded_steer.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

enum
{
    STEER_SWEEPS = 6, // each over all four orders of cells
    STEER_SMOOTH = 6  // passes of a 3 x 3 mean: an axis follows the gradient of the result
};

// Cost in the bed of a larger river, as a share of the cost outside. Tributaries join at 53 degrees
// on even ground, cos 53 = 0.6.
static const double steer_shared = 0.6;
static const double steer_void = 1000.0; // cost of a cell without data

static riverbed_point steer_place(const graded_steer* steer, int32_t x, int32_t y)
{
    return (riverbed_point){(x + 0.5) * steer->size - 0.5, (y + 0.5) * steer->size - 0.5};
}

// A row of coarse cells along a side: first cell, number, and step between cells.
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

// ---- cost -------------------------------------------------------------------------------

// Elevation of the straight line from source to outlet, at the foot of the perpendicular.
static double steer_grade(const graded_way* way, riverbed_point p)
{
    const double dx = way->to.x - way->from.x;
    const double dy = way->to.y - way->from.y;
    const double length = dx * dx + dy * dy;
    const double along = (p.x - way->from.x) * dx + (p.y - way->from.y) * dy;
    const double share = length > 0.0 ? graded_clamp(along / length, 0.0, 1.0) : 0.0;
    return way->high + share * (way->low - way->high);
}

riverbed_point wadi_graded_way_lowest(const graded_steer* steer, const bool exits[4])
{
    double lowest = HUGE_VAL;
    riverbed_point best = {0.0, 0.0};
    for (int side = 0; side < 4; ++side)
    {
        const steer_row row = steer_side(steer, (wadi_side)side);
        for (int32_t i = 0; i < row.count && exits[side]; ++i)
        {
            const riverbed_point p = steer_place_of(steer, row.first + i * row.step);
            const double height = graded_steer_ground(steer, p);
            best = height < lowest ? p : best;
            lowest = fmin(lowest, height);
        }
    }
    return best;
}

// Proximity to the sides that the river must not cross [widths].
static double steer_sides(const graded_steer* steer, const graded_way* way, riverbed_point p)
{
    const wadi_ground* ground = steer->graded->ground;
    double least = ground->width + ground->height;
    for (int side = 0; side < 4; ++side)
    {
        least = way->exits[side] ? least : fmin(least, graded_off_side(ground, (wadi_side)side, p));
    }
    return least * ground->cell_size / steer->river->axis[0].width;
}

static double steer_cost(const graded_steer* steer, const graded_way* way, riverbed_point p)
{
    const wadi_graded* graded = steer->graded;
    const double above = graded_steer_ground(steer, p) - steer_grade(way, p);
    const double soft = wadi_graded_land_at(&graded->land, graded->land.broad_soft, p);
    const double high = fmax(0.0, above) / steer->river->axis[0].depth + 0.3 * (1.0 - soft);
    // no cost near the source, which usually lies on a side
    const double width = steer->river->axis[0].width / graded->ground->cell_size;
    const double off = sqrt((p.x - way->from.x) * (p.x - way->from.x) +
                            (p.y - way->from.y) * (p.y - way->from.y)) /
                       (6.0 * width);
    const double sides = 4.0 * fmin(1.0, off) * wadi_exp(-steer_sides(steer, way, p) / 2.5);
    return 1.0 + graded->params.steering * high + sides +
           (graded_is_land(graded->ground, p) ? 0.0 : steer_void);
}

// ---- sweeping ---------------------------------------------------------------------------

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

// ---- outlets ----------------------------------------------------------------------------

static void steer_fix(graded_steer* steer, int32_t cell, double way)
{
    steer->fixed[cell] = 1;
    steer->way[cell] = fmin(steer->way[cell], way);
}

// Along the side of the outlet lower ground has a lower initial cost.
static void steer_open_side(graded_steer* steer, const graded_way* way, wadi_side side)
{
    const steer_row row = steer_side(steer, side);
    const graded_axis* start = &steer->river->axis[0];
    for (int32_t i = 0; i < row.count; ++i)
    {
        const int32_t cell = row.first + i * row.step;
        const double above = graded_steer_ground(steer, steer_place_of(steer, cell)) - way->low;
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

void wadi_graded_way_solve(graded_steer* steer, const graded_way* way)
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

double wadi_graded_way_at(const graded_steer* steer, riverbed_point p)
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
