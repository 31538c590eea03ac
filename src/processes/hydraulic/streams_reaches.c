// SPDX-License-Identifier: MIT
// Which ground is alluvial, where rivers enter it, and their ways through it.
//
// Ground is alluvial where the surface, with its lakes and the sea, falls by less than
// `plain_slope` within two cells, and loose matter is at least `plain_cover` thick or water stands;
// and so are most of the 25 cells around. A river enters where it comes from other ground, or into
// standing water, with at least `plain_river`. Its reach is the alluvial ground that hangs together
// with this place, as far as `plain_reach`.
#include "processes/hydraulic/streams.h"
#include "processes/hydraulic/streams_plains.h"

#include <math.h>
#include <string.h>

enum
{
    REACH_SPAN = 2, // cells over which slopes are measured
    REACH_GAP = 4   // cells of other ground that a river crosses in one reach
};

// ---- alluvial ground ---------------------------------------------------------------------

// A row or column `step` further, across periodic edges; at others the last.
static int32_t reach_fold(int32_t at, int32_t count, bool wraps)
{
    const int32_t inside = at < 0 ? 0 : at < count ? at : count - 1;
    return wraps ? (at % count + count) % count : inside;
}

static bool reach_wraps_x(const streams* s)
{
    return s->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
}

static bool reach_wraps_y(const streams* s)
{
    return s->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
}

static bool reach_is_water(const streams* s, int64_t c)
{
    return s->wet[c] != 0 || (s->rim[c] >= STREAM_PLAYA && s->rim[c] != STREAM_VOID);
}

// The surface of ground or water at a place, or of cell `c` where there is no data.
static double reach_level(const streams* s, int32_t x, int32_t y, int64_t c)
{
    const int64_t n = (int64_t)reach_fold(y, s->height, reach_wraps_y(s)) * s->width +
                      reach_fold(x, s->width, reach_wraps_x(s));
    const int64_t at = s->ground->valid[n] != 0 ? n : c;
    return (double)s->spill[stream_padded_of(s, at)];
}

// Steepest fall from a cell to those two cells away. What rises beside it does not count: the foot
// of a mountain is plain.
static double reach_slope(const streams* s, int32_t x, int32_t y, int64_t c)
{
    const double here = reach_level(s, x, y, c);
    double most = 0.0;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int32_t dx = REACH_SPAN * stream_dx[d];
        const int32_t dy = REACH_SPAN * stream_dy[d];
        const double fall = here - reach_level(s, x + dx, y + dy, c);
        const double way = (d & 1) != 0 ? 1.41421356237309515 : 1.0;
        most = fmax(most, fall / way);
    }
    return most / (REACH_SPAN * s->cell * WADI_UNITS_PER_METRE);
}

static void reach_raw_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    const double cover = s->params.plain_cover * WADI_UNITS_PER_METRE;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < s->width; ++x)
        {
            const int64_t c = (int64_t)y * s->width + x;
            const bool sound = s->ground->valid[c] != 0;
            const int64_t loose =
                sound ? (int64_t)wadi_ground_surface(s->ground, c) - s->ground->bedrock[c] : 0;
            const bool ground = sound && ((double)loose >= cover || reach_is_water(s, c));
            s->plains->raw[c] = ground && reach_slope(s, x, y, c) <= s->params.plain_slope ? 1 : 0;
        }
    }
}

// What most cells around are; cells beyond the map do not count.
static void reach_flat_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    const bool wraps_x = reach_wraps_x(s);
    const bool wraps_y = reach_wraps_y(s);
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < s->width; ++x)
        {
            int32_t all = 0;
            int32_t flat = 0;
            for (int32_t i = 0; i < 25; ++i)
            {
                const int32_t nx = x + i % 5 - 2;
                const int32_t ny = y + i / 5 - 2;
                const bool there = (wraps_x || (nx >= 0 && nx < s->width)) &&
                                   (wraps_y || (ny >= 0 && ny < s->height));
                const int64_t n = (int64_t)reach_fold(ny, s->height, wraps_y) * s->width +
                                  reach_fold(nx, s->width, wraps_x);
                all += there ? 1 : 0;
                flat += there ? s->plains->raw[n] : 0;
            }
            const int64_t c = (int64_t)y * s->width + x;
            s->plains->flat[c] = s->ground->valid[c] != 0 && 2 * flat > all ? 1 : 0;
        }
    }
}

// ---- mouths ------------------------------------------------------------------------------

// Does a river that is large enough enter alluvial ground, or standing water, at a cell?
static bool reach_is_mouth(const streams* s, int64_t c, bool shore)
{
    const double least = s->params.plain_river * 31557600.0;
    if (s->plains->flat[c] == 0 || (double)s->discharge[c] < least)
    {
        return false;
    }
    const int32_t way = s->donor[c];
    const bool enters = s->supply.gates != NULL && s->supply.gates[c] == STREAM_GATE;
    const int64_t donor = way != STREAM_STAYS ? stream_neighbour(s, c, way) : -1;
    if (shore)
    {
        return reach_is_water(s, c) && donor >= 0 && !reach_is_water(s, donor);
    }
    return enters || (donor >= 0 && s->plains->flat[donor] == 0);
}

// Smaller rivers first; of equals the one in the north-west.
static bool reach_comes_first(const plain_mouth* a, const plain_mouth* b)
{
    return a->discharge < b->discharge || (a->discharge == b->discharge && a->cell < b->cell);
}

// Put a mouth into the sorted list; when it is full the smallest gives way.
static void reach_insert(stream_plains* p, int32_t first, plain_mouth mouth)
{
    plain_mouth* list = p->mouths;
    if (p->mouth_count == PLAIN_MOUTHS)
    {
        if (first == PLAIN_MOUTHS || reach_comes_first(&mouth, &list[first]))
        {
            return;
        }
        memmove(list + first, list + first + 1, (size_t)(PLAIN_MOUTHS - first - 1) * sizeof *list);
        p->mouth_count -= 1;
    }
    int32_t at = p->mouth_count;
    for (; at > first && reach_comes_first(&mouth, &list[at - 1]); --at)
    {
        list[at] = list[at - 1];
    }
    list[at] = mouth;
    p->mouth_count += 1;
}

// ---- reaches and ways --------------------------------------------------------------------

static bool reach_is_near(const streams* s, int64_t mouth, int64_t c)
{
    double dx = fabs((double)(mouth % s->width - c % s->width));
    double dy = fabs((double)(mouth / s->width - c / s->width));
    dx = reach_wraps_x(s) ? fmin(dx, s->width - dx) : dx;
    dy = reach_wraps_y(s) ? fmin(dy, s->height - dy) : dy;
    const double far = s->params.plain_reach / s->cell;
    return dx * dx + dy * dy <= far * far;
}

// Alluvial ground that hangs together with a mouth. `raw` marks what this mouth has seen.
static void reach_spread(const streams* s, int64_t mouth)
{
    stream_plains* p = s->plains;
    memset(p->raw, 0, (size_t)s->cells);
    int64_t count = 1;
    p->queue[0] = (int32_t)mouth;
    p->raw[mouth] = 1;
    for (int64_t done = 0; done < count; ++done)
    {
        p->reach[p->queue[done]] = 1;
        for (int32_t d = 0; d < 8; ++d)
        {
            const int64_t n = stream_neighbour(s, p->queue[done], d);
            if (n >= 0 && p->raw[n] == 0 && p->flat[n] != 0 && reach_is_near(s, mouth, n))
            {
                p->raw[n] = 1;
                p->queue[count++] = (int32_t)n;
            }
        }
    }
}

// Does a way come back into a reach within a few cells?
static bool reach_comes_back(const streams* s, int64_t c)
{
    for (int32_t i = 0; i < REACH_GAP && c >= 0; ++i)
    {
        if (s->plains->reach[c] != 0)
        {
            return true;
        }
        c = s->to[c] != STREAM_STAYS ? stream_neighbour(s, c, s->to[c]) : -1;
    }
    return false;
}

static void reach_bridge(const streams* s, int64_t c)
{
    s->plains->reach[c] = 1;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = stream_neighbour(s, c, d);
        if (n >= 0)
        {
            s->plains->reach[n] = 1;
        }
    }
}

// The way of a river by the tree, from its mouth until it leaves the reach for good.
static void reach_follow(const streams* s, int32_t index)
{
    stream_plains* p = s->plains;
    plain_mouth* mouth = &p->mouths[index];
    int64_t at = mouth->cell;
    for (int64_t next = at; next >= 0;)
    {
        at = next;
        p->owner[at] = (uint8_t)(index + 1);
        next = s->to[at] != STREAM_STAYS ? stream_neighbour(s, at, s->to[at]) : -1;
        mouth->exit = next >= 0 ? next : at;
        if (next >= 0 && p->reach[next] == 0)
        {
            if (!reach_comes_back(s, next))
            {
                return;
            }
            reach_bridge(s, next);
        }
    }
}

static void reach_enter(const streams* s, bool shore)
{
    stream_plains* p = s->plains;
    const int32_t first = p->mouth_count;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        if (p->owner[c] == 0 && reach_is_mouth(s, c, shore))
        {
            reach_insert(p, first, (plain_mouth){c, c, s->discharge[c]});
        }
    }
    const int32_t found = p->mouth_count;
    p->mouth_count = first;
    for (int32_t i = first; i < found; ++i)
    {
        // a smaller river may have flowed through this place
        if (p->owner[p->mouths[i].cell] == 0)
        {
            p->mouths[p->mouth_count] = p->mouths[i];
            reach_spread(s, p->mouths[i].cell);
            reach_follow(s, p->mouth_count);
            p->mouth_count += 1;
        }
    }
}

// A river leaves its mark on the map of ways, and its load is caught there; in lakes, where it
// leaves, and at its end it is not.
static void reach_catch(const streams* s)
{
    stream_plains* p = s->plains;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        const bool caught = p->owner[c] != 0 && !reach_is_water(s, c) && s->to[c] != STREAM_STAYS;
        p->caught[c] = caught ? 1 : 0;
        s->landed[c] = caught ? 0 : s->landed[c];
        const bool water = reach_is_water(s, c);
        p->still[c] = water ? s->spill[stream_padded_of(s, c)] + s->datum : INT32_MIN;
    }
}

void wadi_streams_find_reaches(streams* s)
{
    stream_plains* p = s->plains;
    wadi_parallel_rows(s->context, s->height, STREAM_ROWS, reach_raw_rows, s);
    wadi_parallel_rows(s->context, s->height, STREAM_ROWS, reach_flat_rows, s);
    memset(p->reach, 0, (size_t)s->cells);
    memset(p->owner, 0, (size_t)s->cells);
    p->mouth_count = 0;
    reach_enter(s, false);
    reach_enter(s, true);
    reach_catch(s);
}
