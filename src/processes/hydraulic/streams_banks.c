// SPDX-License-Identifier: MIT
// Beds and banks of rivers wider than a cell.
//
// A river is w = k Q^0.5 wide, and a bankfull river of five times the discharge is deep by
// h = 0.33 (5 Q)^0.4 (Leopold & Maddock 1953). It wears its banks by the law of its bed: ground
// near the line of the river that stands higher than the cross-section
//
//     z(d) = bed + h min(1, 2 d / w)^2 + S_c max(0, d - w / 2)
//
// falls to it at the river's pace F in a step (streams_solve.c), z' = (z + F z(d)) / (1 + F), up to
// a cell beyond the bed, where the pace goes to 0. The parabola keeps the line of the river in its
// middle; a flat bed would let it wander and widen without end. The slope of the bank, the critical
// slope, lets the bed end within a cell, so that its border is no staircase. What the banks lose
// joins the river's load before the solution.
//
// Each cell belongs to the nearest line, so a river does not wear its own bed upstream. Lines are
// few, and what is done here is little: one thread does it.
#include "core/dmath.h"
#include "processes/hydraulic/streams_beds.h"

#include <math.h>

enum
{
    BANK_MOST = 32 // cells from the line of a river to its bank, at most
};

// Cells beyond the bed of a river in which its bank slopes.
#define BANK_EDGE 1.0

// Bankfull discharge over the mean of the year, as in `river_share`.
#define BANKFULL 5.0

// Cells within reach of the lines of rivers.
struct stream_banks
{
    int64_t count;   // of rivers
    int32_t* rivers; // their cells, in the order of the grid
    int32_t* owner;  // by cell: 1 + the river whose line is nearest; 0 where none is in reach
    float* near;     // square of the distance to that line [cells]
};

// ---- life --------------------------------------------------------------------------------

void wadi_streams_banks_free(streams* s)
{
    if (s->banks != NULL)
    {
        wadi_free(s->context, s->banks->rivers);
        wadi_free(s->context, s->banks->owner);
        wadi_free(s->context, s->banks->near);
    }
    wadi_free(s->context, s->banks);
}

static wadi_result banks_create(streams* s)
{
    if (s->banks == NULL)
    {
        WADI_ALLOC(s->context, s->banks, 1, "banks");
    }
    if (s->banks->owner == NULL)
    {
        WADI_ALLOC(s->context, s->banks->owner, s->cells, "banks");
    }
    if (s->banks->near == NULL)
    {
        WADI_ALLOC(s->context, s->banks->near, s->cells, "banks");
    }
    return WADI_OK;
}

// ---- lines -------------------------------------------------------------------------------

double wadi_streams_width(const streams* s, int64_t cell)
{
    const double q = (double)s->discharge[cell];
    return s->params.river_width * sqrt(q / STREAM_SECONDS) * q / (q + s->params.channel_head);
}

static double bank_depth(double discharge)
{
    return 0.33 * wadi_pow(BANKFULL * discharge / STREAM_SECONDS, 0.4);
}

// Ground that a stream wears, or beside one.
static bool bank_is_dry(const streams* s, int64_t cell)
{
    return s->ground->valid[cell] != 0 && s->to[cell] != STREAM_STAYS && s->wet[cell] == 0 &&
           !stream_is_caught(s, cell);
}

static void banks_count_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    for (int32_t y = begin; y < end; ++y)
    {
        s->rows[y].wide = 0;
        for (int64_t c = (int64_t)y * s->width; c < (int64_t)(y + 1) * s->width; ++c)
        {
            const bool large = (double)s->discharge[c] > s->rates.wide;
            s->rows[y].wide += large && bank_is_dry(s, c) && wadi_streams_width(s, c) > s->cell;
        }
    }
}

static void banks_list(const streams* s)
{
    stream_banks* banks = s->banks;
    int64_t n = 0;
    for (int32_t y = 0; y < s->height; ++y)
    {
        const int64_t first = (int64_t)y * s->width;
        for (int64_t c = first; c < first + s->width && s->rows[y].wide > 0; ++c)
        {
            if ((double)s->discharge[c] > s->rates.wide && bank_is_dry(s, c) &&
                wadi_streams_width(s, c) > s->cell)
            {
                banks->rivers[n++] = (int32_t)c;
            }
        }
    }
}

// ---- reach -------------------------------------------------------------------------------

typedef struct bank_line
{
    int64_t cell;
    int32_t x;
    int32_t y;
    int32_t dx; // to the receiver
    int32_t dy;
    int32_t reach; // [cells]
    double half;   // of the width [cells]
} bank_line;

typedef void bank_visit_fn(streams* s, const bank_line* line, int64_t cell, double near);

static bank_line bank_line_of(const streams* s, int64_t cell)
{
    const int32_t to = s->to[cell];
    const double half = fmin(0.5 * wadi_streams_width(s, cell) / s->cell, BANK_MOST);
    return (bank_line){
        .cell = cell,
        .x = (int32_t)(cell % s->width),
        .y = (int32_t)(cell / s->width),
        .dx = stream_dx[to],
        .dy = stream_dy[to],
        .reach = (int32_t)(half + BANK_EDGE) + 1,
        .half = half,
    };
}

// Square of the distance of a place to a line, both from the line's begin [cells].
static double bank_distance2(const bank_line* line, int32_t x, int32_t y)
{
    const double length2 = line->dx * line->dx + line->dy * line->dy;
    const double along = (x * line->dx + y * line->dy) / length2;
    const double t = fmax(fmin(along, 1.0), 0.0);
    const double ex = x - t * line->dx;
    const double ey = y - t * line->dy;
    return ex * ex + ey * ey;
}

// The column or row of a cell, across a periodic edge; -1 outside.
static int32_t bank_within(int32_t at, int32_t count, bool wraps)
{
    const int32_t around = at < 0 ? at + count : at >= count ? at - count : at;
    return around == at || (wraps && around >= 0 && around < count) ? around : -1;
}

// Visit the cells of a row that the bed of a line reaches in part.
static void bank_visit_row(streams* s, const bank_line* line, int32_t dy, bank_visit_fn* visit)
{
    const bool wraps_x = s->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = s->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    const int32_t y = bank_within(line->y + dy, s->height, wraps_y);
    const double most = line->half + BANK_EDGE;
    for (int32_t dx = -line->reach; dx <= line->reach && y >= 0; ++dx)
    {
        const int32_t x = bank_within(line->x + dx, s->width, wraps_x);
        const double near = bank_distance2(line, dx, dy);
        if (x >= 0 && near < most * most)
        {
            visit(s, line, (int64_t)y * s->width + x, near);
        }
    }
}

static void banks_visit(streams* s, bank_visit_fn* visit)
{
    for (int64_t i = 0; i < s->banks->count; ++i)
    {
        const bank_line line = bank_line_of(s, s->banks->rivers[i]);
        for (int32_t dy = -line.reach; dy <= line.reach; ++dy)
        {
            bank_visit_row(s, &line, dy, visit);
        }
    }
}

// A cell belongs to the nearest line; of equal ones to the lower.
static void bank_claim(streams* s, const bank_line* line, int64_t cell, double near)
{
    int32_t* owner = &s->banks->owner[cell];
    const float distance = (float)near;
    const bool nearer =
        *owner == 0 || distance < s->banks->near[cell] ||
        (distance == s->banks->near[cell] &&
         s->surface[stream_padded_of(s, line->cell)] < s->surface[stream_padded_of(s, *owner - 1)]);
    if (nearer)
    {
        *owner = (int32_t)line->cell + 1;
        s->banks->near[cell] = distance;
    }
}

// Make room for so many rivers.
static wadi_result banks_reserve(streams* s, int64_t count)
{
    WADI_TRY(banks_create(s));
    wadi_free(s->context, s->banks->rivers);
    s->banks->rivers = NULL;
    s->banks->count = 0;
    WADI_ALLOC(s->context, s->banks->rivers, count, "banks");
    s->banks->count = count;
    return WADI_OK;
}

wadi_result wadi_streams_find_banks(streams* s)
{
    if (s->rates.river <= 0.0f)
    {
        return WADI_OK;
    }
    const stream_array arrays[] = {{s->discharge, sizeof *s->discharge, STREAM_AT},
                                   {NULL, 0, STREAM_AT}};
    wadi_streams_pass(s, arrays, STREAM_ROWS, banks_count_rows, s);
    int64_t count = 0;
    for (int32_t y = 0; y < s->height; ++y)
    {
        count += s->rows[y].wide;
    }
    if (count == 0)
    {
        if (s->banks != NULL)
        {
            s->banks->count = 0;
        }
        return WADI_OK;
    }
    WADI_TRY(banks_reserve(s, count));
    banks_list(s);
    banks_visit(s, bank_claim);
    return WADI_OK;
}

// ---- wear --------------------------------------------------------------------------------

// Height of the cross-section over the bed of a river [units], `distance` cells from its line.
static double bank_profile(const streams* s, const bank_line* line, double distance)
{
    const double across = fmin(distance / line->half, 1.0);
    const double depth = bank_depth((double)s->discharge[line->cell]);
    const double beyond = fmax(distance - line->half, 0.0) * s->cell;
    return (depth * across * across + s->params.critical_slope * beyond) * WADI_UNITS_PER_METRE;
}

// What a bank loses in a step [units].
static int32_t bank_loss(const streams* s, const bank_line* line, int64_t cell, double near)
{
    const double distance = sqrt(near);
    const double above = (double)s->surface[stream_padded_of(s, cell)] -
                         s->surface[stream_padded_of(s, line->cell)] -
                         bank_profile(s, line, distance);
    const double part = fmin(line->half + BANK_EDGE - distance, 1.0);
    const double ease =
        s->soft == NULL ? 1.0 : (double)s->soft[cell] / fmax((double)s->soft[line->cell], 1e-4);
    const double pace = part * ease * (double)s->pace[line->cell];
    return above > 0.0 ? (int32_t)fmin(above * pace / (1.0 + pace), 1e9) : 0;
}

static void bank_cut(streams* s, const bank_line* line, int64_t cell, double near)
{
    if (s->banks->owner[cell] != line->cell + 1 || s->banks->near[cell] != (float)near)
    {
        return;
    }
    s->banks->owner[cell] = 0;
    if (cell == line->cell || !bank_is_dry(s, cell))
    {
        return;
    }
    const int32_t lost = stream_wear(s, cell, bank_loss(s, line, cell, near), &s->tally);
    const int32_t drop = s->drop[cell] + lost;
    s->drop[cell] = drop < 0 ? drop : 0;
    s->load[line->cell] += lost;
    s->node[line->cell].a += (double)lost;
}

void wadi_streams_cut_banks(streams* s)
{
    if (s->banks != NULL && s->banks->count > 0)
    {
        banks_visit(s, bank_cut);
    }
}
