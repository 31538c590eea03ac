// SPDX-License-Identifier: MIT
// Loads of closed land. Without an outlet all of them come to the lowest cell and fill the land
// around it from the bottom up, to one level, as a lake that dries would. Once the level is at the
// lowest rim of that land, the rest fills the hollow beyond it from its own bottom up.
#include "processes/hydraulic/power.h"

#include "core/partition.h"

#include <string.h>

enum
{
    FILL_LEVELS = 16 // tried at once: each try looks at all cells
};

// How far the land is filled. Levels are keys.
typedef struct fill_plan
{
    int64_t level;  // of the land that a lake at this level covers
    int64_t hollow; // <= level: of the land that it would cover a unit higher
} fill_plan;

// The level at which a lake that rises from the lowest cell comes to a cell: without the tilt of
// the flood, by which hollows would fill ring by ring.
static int64_t fill_reach(const power* p, int64_t cell)
{
    return power_key((p->way[cell] & POWER_WET) != 0 ? p->stage[cell] : power_top(p, cell));
}

static bool fill_is_land(const power* p, int64_t cell)
{
    return (p->place[cell] & (POWER_NONE | POWER_GHOST)) == 0;
}

// The level to which a plan fills land that a lake comes to at `reach`; 0: none.
static int64_t fill_top(const fill_plan* plan, int64_t reach)
{
    return reach < plan->level ? plan->level : reach == plan->level ? plan->hollow : 0;
}

// Room of a cell [units].
static int64_t fill_room(const power* p, int64_t cell, const fill_plan* plan, int64_t reach)
{
    const int64_t room = fill_top(plan, reach) - power_key(wadi_ground_surface(p->ground, cell));
    return room > 0 ? room : 0;
}

// Room of all windows by some plans. A sum of 2^32 cells of 2^31 units fits.
static wadi_result fill_rooms(power* p, const fill_plan plans[FILL_LEVELS],
                              int64_t rooms[FILL_LEVELS])
{
    memset(rooms, 0, FILL_LEVELS * sizeof *rooms);
    for (int64_t c = 0; c < p->cells; ++c)
    {
        const int64_t reach = fill_is_land(p, c) ? fill_reach(p, c) : INT64_MAX;
        for (int32_t i = 0; i < FILL_LEVELS && reach <= plans[FILL_LEVELS - 1].level; ++i)
        {
            rooms[i] += fill_room(p, c, &plans[i], reach);
        }
    }
    return wadi_partition_sum(p->relay.part, rooms, FILL_LEVELS) ? WADI_OK
                                                                 : wadi_partition_lost(p->context);
}

// Raise one of the levels of a plan while there is no more room than load.
static wadi_result fill_find(power* p, int64_t pool, fill_plan* plan, int64_t* search, int64_t high)
{
    int64_t low = 0;
    while (high - low > 1)
    {
        int64_t levels[FILL_LEVELS];
        int64_t rooms[FILL_LEVELS];
        fill_plan plans[FILL_LEVELS];
        for (int32_t i = 0; i < FILL_LEVELS; ++i)
        {
            levels[i] = low + (high - low) * (i + 1) / (FILL_LEVELS + 1);
            *search = levels[i];
            plans[i] = *plan;
        }
        WADI_TRY(fill_rooms(p, plans, rooms));
        for (int32_t i = 0; i < FILL_LEVELS; ++i)
        {
            low = rooms[i] <= pool && levels[i] > low ? levels[i] : low;
            high = rooms[i] > pool && levels[i] < high ? levels[i] : high;
        }
    }
    *search = low;
    return WADI_OK;
}

static void fill_lay(power* p, int64_t cell, int64_t amount)
{
    wadi_ground_put(p->ground, cell, (int32_t)amount, &p->tally);
    hydraulic_count(&p->deposit[cell], (int32_t)amount);
}

// Room that a cell has more in the next layer of one unit.
static int64_t fill_more(const power* p, int64_t cell, const fill_plan* plan)
{
    const int64_t reach = fill_is_land(p, cell) ? fill_reach(p, cell) : INT64_MAX;
    const int64_t surface = power_key(wadi_ground_surface(p->ground, cell));
    return surface <= fill_top(plan, reach) ? 1 : 0;
}

static int64_t fill_count_row(const power* p, int32_t y, const fill_plan* plan)
{
    int64_t count = 0;
    for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
    {
        count += fill_more(p, (int64_t)y * p->width + x, plan);
    }
    return count;
}

// How much of what rows have more comes before this window's part of each row, in the order of the
// whole grid. `counts`: of all own rows.
static wadi_result fill_order(power* p, const int64_t* counts, int64_t* first)
{
    const wadi_partition* part = p->relay.part;
    const int32_t rows = p->owned.end_y - p->owned.y;
    wadi_box* boxes = NULL;
    if (part == NULL)
    {
        for (int32_t y = 0; y < rows; ++y)
        {
            first[y] = y > 0 ? first[y - 1] + counts[y - 1] : 0;
        }
        return WADI_OK;
    }
    WADI_TRY(wadi_partition_owners(p->context, &boxes));
    if (!part->table(counts, rows * (int64_t)sizeof *counts, p->relay.parts, part->user))
    {
        wadi_free(p->context, boxes);
        return wadi_partition_lost(p->context);
    }
    memset(first, 0, (size_t)rows * sizeof *first);
    for (int32_t i = 0; i < part->count; ++i)
    {
        for (int32_t k = 0; k < boxes[i].height; ++k)
        {
            int64_t count;
            memcpy(&count, (const char*)p->relay.parts[i].bytes + (size_t)k * sizeof count,
                   sizeof count);
            const int32_t row = boxes[i].y + k - part->y;
            for (int32_t y = row > 0 ? row : 0; y < rows; ++y)
            {
                first[y] += y > row || boxes[i].x < part->x ? count : 0;
            }
        }
    }
    wadi_free(p->context, boxes);
    return WADI_OK;
}

// Lay the load up to the levels, and the rest in a layer of one unit from the north-west on.
static void fill_lay_all(power* p, const fill_plan* plan, int64_t rest, const int64_t* first)
{
    for (int32_t y = p->owned.y; y < p->owned.end_y; ++y)
    {
        int64_t left = rest - first[y - p->owned.y];
        for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
        {
            const int64_t c = (int64_t)y * p->width + x;
            const int64_t more = fill_more(p, c, plan);
            const int64_t room = fill_is_land(p, c) ? fill_room(p, c, plan, fill_reach(p, c)) : 0;
            const int64_t amount = room + (left > 0 ? more : 0);
            left -= more;
            if (amount > 0)
            {
                fill_lay(p, c, amount);
            }
        }
    }
}

static wadi_result fill_with(power* p, int64_t pool, int64_t* counts, int64_t* first)
{
    fill_plan plan = {0};
    WADI_TRY(fill_find(p, pool, &plan, &plan.level, (int64_t)UINT32_MAX));
    WADI_TRY(fill_find(p, pool, &plan, &plan.hollow, plan.level + 1));
    fill_plan plans[FILL_LEVELS];
    int64_t rooms[FILL_LEVELS];
    for (int32_t i = 0; i < FILL_LEVELS; ++i)
    {
        plans[i] = plan;
    }
    WADI_TRY(fill_rooms(p, plans, rooms));
    for (int32_t y = p->owned.y; y < p->owned.end_y; ++y)
    {
        counts[y - p->owned.y] = fill_count_row(p, y, &plan);
    }
    WADI_TRY(fill_order(p, counts, first));
    fill_lay_all(p, &plan, pool - rooms[0], first);
    return WADI_OK;
}

wadi_result wadi_power_fill(power* p)
{
    int64_t pool = p->pool;
    p->pool = 0;
    if (p->has_outlet)
    {
        return WADI_OK;
    }
    if (!wadi_partition_sum(p->relay.part, &pool, 1))
    {
        return wadi_partition_lost(p->context);
    }
    if (pool == 0)
    {
        return WADI_OK;
    }
    return fill_with(p, pool, p->rows, p->rows + p->height);
}
