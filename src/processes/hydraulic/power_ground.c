// SPDX-License-Identifier: MIT
// What a step of model "stream_power" reads: heights, places of cells, outlets, the sea and rain.
#include "processes/hydraulic/power.h"

#include "core/partition.h"
#include "terrain/sea.h"

#include <math.h>
#include <string.h>

enum
{
    GROUND_ROWS = 16 // of a block of a thread
};

int64_t wadi_power_across(const power* p, int64_t cell, int32_t direction)
{
    int32_t x = (int32_t)(cell % p->width) + power_dx[direction];
    int32_t y = (int32_t)(cell / p->width) + power_dy[direction];
    if (p->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC)
    {
        x = x < 0 ? p->width - 1 : x == p->width ? 0 : x;
    }
    if (p->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC)
    {
        y = y < 0 ? p->height - 1 : y == p->height ? 0 : y;
    }
    const bool inside = x >= 0 && y >= 0 && x < p->width && y < p->height;
    return inside ? (int64_t)y * p->width + x : -1;
}

// ---- outlets ---------------------------------------------------------------------------------

// The first void cell around a cell; -1 if there is none.
static int64_t ground_hole(const power* p, int64_t cell)
{
    for (int32_t k = 0; k < 8 && !p->ground->all_valid; ++k)
    {
        const int64_t n = power_beside(p, cell, k);
        if (n >= 0 && p->ground->valid[n] == 0)
        {
            return n;
        }
    }
    return -1;
}

// The open edge at which a cell lies, or -1. Where the grid is cut windows have a halo, and no
// edge.
static int32_t ground_edge(const power* p, int64_t cell)
{
    const int32_t x = (int32_t)(cell % p->width);
    const int32_t y = (int32_t)(cell / p->width);
    const bool at[4] = {y == 0, x == p->width - 1, y == p->height - 1, x == 0};
    for (int32_t side = 0; side < 4; ++side)
    {
        if (at[side] && p->ground->edges[side] == WADI_EDGE_OPEN)
        {
            return side;
        }
    }
    return -1;
}

wadi_side wadi_power_side(const power* p, int64_t cell)
{
    const int32_t edge = ground_edge(p, cell);
    const int64_t hole = edge < 0 ? ground_hole(p, cell) : -1;
    return edge >= 0   ? (wadi_side)edge
           : hole >= 0 ? wadi_ground_void_side(p->ground, hole)
                       : WADI_SIDE_VOID;
}

static bool ground_is_own(const power* p, int32_t x, int32_t y)
{
    return x >= p->owned.x && x < p->owned.end_x && y >= p->owned.y && y < p->owned.end_y;
}

static uint8_t ground_place(const power* p, int32_t x, int32_t y)
{
    const int64_t c = (int64_t)y * p->width + x;
    const bool rim = x == 0 || y == 0 || x == p->width - 1 || y == p->height - 1;
    const int32_t flags = (ground_is_own(p, x, y) ? 0 : POWER_GHOST) | (rim ? POWER_RIM : 0);
    return (uint8_t)(p->ground->valid[c] != 0 ? flags : flags | POWER_NONE);
}

static void ground_find_outlets(power* p, int32_t y)
{
    for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
    {
        const int64_t c = (int64_t)y * p->width + x;
        if ((p->place[c] & POWER_NONE) != 0)
        {
            continue;
        }
        const bool deep = p->has_sea && p->surface[c] == p->sea;
        const bool open = ground_edge(p, c) >= 0 || ground_hole(p, c) >= 0;
        p->place[c] = (uint8_t)(p->place[c] | (deep ? POWER_OUTLET | POWER_DEEP : 0) |
                                (open ? POWER_OUTLET : 0));
    }
}

static void ground_read_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    power* p = user;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < p->width; ++x)
        {
            const int64_t c = (int64_t)y * p->width + x;
            p->surface[c] = wadi_ground_surface(p->ground, c);
            p->place[c] = ground_place(p, x, y);
        }
    }
}

static void ground_outlet_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    power* p = user;
    for (int32_t y = begin > p->owned.y ? begin : p->owned.y; y < end && y < p->owned.end_y; ++y)
    {
        ground_find_outlets(p, y);
    }
}

// ---- what all windows must agree on ------------------------------------------------------------

// The lowest cell of a kind.
typedef struct ground_lowest
{
    int64_t height; // [units]; INT32_MAX: there is none
    int64_t number; // in the whole grid; the first of equal ones
} ground_lowest;

static bool ground_is_lower(ground_lowest a, ground_lowest b)
{
    return a.height < b.height || (a.height == b.height && a.number < b.number);
}

typedef struct ground_news
{
    ground_lowest outlet; // its top
    ground_lowest bed;
    int64_t highest; // surface
    int64_t rain;    // [units of water/yr]
    int64_t cells;   // with data
} ground_news;

static void ground_hear(ground_news* all, const ground_news* one)
{
    all->outlet = ground_is_lower(one->outlet, all->outlet) ? one->outlet : all->outlet;
    all->bed = ground_is_lower(one->bed, all->bed) ? one->bed : all->bed;
    all->highest = one->highest > all->highest ? one->highest : all->highest;
    all->rain += one->rain;
    all->cells += one->cells;
}

static const ground_news ground_nothing = {
    {INT32_MAX, INT64_MAX}, {INT32_MAX, INT64_MAX}, INT32_MIN, 0, 0};

static int64_t ground_shower(const power* p, int64_t cell)
{
    const double area = p->ground->cell_size * p->ground->cell_size;
    return p->rain != NULL ? (int64_t)((double)p->rain[cell] * area * p->units + 0.5) : p->shower;
}

// Look at the own cells, and let rain fall on them.
static ground_news ground_look(power* p)
{
    ground_news here = ground_nothing;
    for (int32_t y = p->owned.y; y < p->owned.end_y; ++y)
    {
        for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
        {
            const int64_t c = (int64_t)y * p->width + x;
            p->water[c] = 0;
            if ((p->place[c] & POWER_NONE) != 0)
            {
                continue;
            }
            p->water[c] = ground_shower(p, c);
            const int32_t h = p->surface[c];
            // the numbers rise along the rows
            if (h < here.bed.height)
            {
                here.bed = (ground_lowest){h, power_number(p, c)};
            }
            if ((p->place[c] & POWER_OUTLET) != 0 && power_top(p, c) < here.outlet.height)
            {
                here.outlet = (ground_lowest){power_top(p, c), power_number(p, c)};
            }
            here.highest = h > here.highest ? h : here.highest;
            here.rain += p->water[c];
            here.cells += 1;
        }
    }
    return here;
}

static wadi_result ground_agree(power* p, const ground_news* here, ground_news* all)
{
    const wadi_partition* part = p->relay.part;
    *all = *here;
    if (part == NULL)
    {
        return WADI_OK;
    }
    if (!part->table(here, sizeof *here, p->relay.parts, part->user))
    {
        return wadi_partition_lost(p->context);
    }
    *all = ground_nothing;
    for (int32_t i = 0; i < part->count; ++i)
    {
        ground_news one;
        memcpy(&one, p->relay.parts[i].bytes, sizeof one);
        ground_hear(all, &one);
    }
    return WADI_OK;
}

static bool ground_owns(const power* p, int64_t number)
{
    const wadi_partition* part = p->relay.part;
    const int32_t x = part != NULL ? (int32_t)(number % part->width) : 0;
    const int32_t y = part != NULL ? (int32_t)(number / part->width) : 0;
    return part == NULL || (x >= part->x && x < part->x + part->owned_width && y >= part->y &&
                            y < part->y + part->owned_height);
}

static void ground_set_sink(power* p, const ground_news* all)
{
    p->has_outlet = all->outlet.height < INT32_MAX;
    p->lowest = p->has_outlet ? (int32_t)all->outlet.height : INT32_MIN;
    p->sink = -1;
    if (!p->has_outlet && all->cells > 0 && ground_owns(p, all->bed.number))
    {
        p->sink = p->relay.part != NULL ? wadi_power_place_of(p, all->bed.number) : all->bed.number;
    }
}

// ---- rain --------------------------------------------------------------------------------------

// Units of water are no finer than for so much rain [m/yr], so that their number for each m3 is
// finite.
#define GROUND_LEAST_RAIN 1e-12

// Water is counted in whole numbers, so that its sums have no order. They are as fine as the
// rain on the whole grid allows.
static void ground_choose_units(power* p)
{
    const wadi_ground* ground = p->ground;
    const double given = p->rain != NULL ? POWER_MOST_RAIN : p->params.rain;
    const double most = given > GROUND_LEAST_RAIN ? given : GROUND_LEAST_RAIN;
    const double area = ground->cell_size * ground->cell_size;
    const double all = (double)wadi_ground_whole_width(ground) *
                       (double)wadi_ground_whole_height(ground) * area * most;
    int exponent;
    (void)frexp(all, &exponent);
    p->units = ldexp(1.0, 61 - exponent);
    p->shower = (int64_t)(p->params.rain * area * p->units + 0.5);
}

// ---- reading -----------------------------------------------------------------------------------

// Room above the highest ground for the tilt of the flood.
#define GROUND_MOST (32000 * (int64_t)WADI_UNITS_PER_METRE)

wadi_result wadi_power_read(power* p, const wadi_span* span)
{
    p->years = span->years;
    p->step = (uint32_t)span->index;
    p->sea = INT32_MIN;
    p->has_sea = wadi_terrain_sea_units(p->terrain, span->from + 0.5 * span->years, &p->sea);
    p->sea = p->has_sea ? p->sea : INT32_MIN;
    ground_choose_units(p);
    wadi_power_enter(p, "read",
                     POWER_USES_GROUND | POWER_USES_SURFACE | POWER_USES_PLACE | POWER_USES_WATER);
    wadi_parallel_rows(p->context, p->height, GROUND_ROWS, ground_read_rows, p);
    wadi_parallel_rows(p->context, p->height, GROUND_ROWS, ground_outlet_rows, p);
    const ground_news here = ground_look(p);
    ground_news all;
    WADI_TRY(ground_agree(p, &here, &all));
    WADI_CHECK(p->context, all.highest < GROUND_MOST, WADI_ERROR_RANGE,
               "the ground rises to %.0f m, but model stream_power takes at most %.0f m",
               (double)all.highest / WADI_UNITS_PER_METRE,
               (double)GROUND_MOST / WADI_UNITS_PER_METRE);
    ground_set_sink(p, &all);
    const double cell = p->ground->cell_size;
    const double area = (double)all.cells * cell * cell;
    p->mean_rain = area > 0.0 ? (double)all.rain / p->units / area : 0.0;
    p->visits += all.cells;
    p->rain_sum += (double)all.rain / p->units * span->years;
    return WADI_OK;
}
