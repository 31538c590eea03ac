// SPDX-License-Identifier: MIT
// Creep at walls, in shorter parts than elsewhere. Blocks of WALL_BLOCK² cells with a face steeper
// than walls are, and those around them where the wall comes down, are moved after all others, in
// several parts of the step. What passes the faces between the two kinds is what the long part
// found, in equal portions: so both sides agree to the unit.
//
// In a part, lines end where their blocks end. Lines across a periodic edge are taken whole.
#include "core/paging.h"
#include "processes/hydraulic/streams_creep.h"

#include <math.h>

// A run of blocks side by side along an axis.
typedef struct wall_run
{
    int32_t line; // row or column of blocks
    int32_t from;
    int32_t count;
} wall_run;

struct stream_walls
{
    int32_t width; // in blocks
    int32_t height;
    double steep;      // [units] least height of a wall
    double rest;       // [units] rise over a cell of rock at rest
    int32_t* steps;    // [units] highest step in each block
    uint8_t* in;       // 1: a block at a wall
    wall_run* runs[2]; // along x and y
    int64_t count[2];
};

enum
{
    WALL_BLOCK = 16
};

// ---- life --------------------------------------------------------------------------------

void wadi_streams_walls_free(streams* s)
{
    if (s->walls != NULL)
    {
        wadi_free(s->context, s->walls->steps);
        wadi_free(s->context, s->walls->in);
        wadi_free(s->context, s->walls->runs[0]);
        wadi_free(s->context, s->walls->runs[1]);
        wadi_free(s->context, s->walls);
    }
}

wadi_result wadi_streams_walls_create(streams* s)
{
    WADI_ALLOC(s->context, s->walls, 1, "walls");
    stream_walls* w = s->walls;
    w->width = (s->width - 1) / WALL_BLOCK + 1;
    w->height = (s->height - 1) / WALL_BLOCK + 1;
    const int64_t blocks = (int64_t)w->width * w->height;
    WADI_ALLOC(s->context, w->steps, blocks, "walls");
    WADI_ALLOC(s->context, w->in, blocks, "walls");
    WADI_ALLOC(s->context, w->runs[0], blocks, "walls");
    WADI_ALLOC(s->context, w->runs[1], blocks, "walls");
    return WADI_OK;
}

// ---- walls -------------------------------------------------------------------------------

static int32_t walls_cells(int32_t block, int32_t size)
{
    const int32_t left = size - block * WALL_BLOCK;
    return left < WALL_BLOCK ? left : WALL_BLOCK;
}

// Difference of heights between two cells that are there, not both under the sea.
static int32_t walls_step_of(int32_t p, int32_t q, int32_t sea)
{
    const bool shut = p == INT32_MAX || q == INT32_MAX || (p < sea && q < sea);
    return shut ? 0 : p > q ? p - q : q - p;
}

// Highest step of a run of cells, to neighbours east and south.
static int32_t walls_step_of_run(const streams* s, const int32_t* row, int32_t count)
{
    const int32_t sea = s->has_sea ? s->sea_level : INT32_MIN;
    int32_t most = 0;
    for (int32_t x = 0; x < count; ++x)
    {
        const int32_t east = walls_step_of(row[x], row[x + 1], sea);
        const int32_t south = walls_step_of(row[x], row[x + s->stride], sea);
        most = most > east ? most : east;
        most = most > south ? most : south;
    }
    return most;
}

static void walls_measure_row(int64_t by, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    int32_t* steps = s->walls->steps + by * s->walls->width;
    memset(steps, 0, (size_t)s->walls->width * sizeof *steps);
    const int32_t first = (int32_t)by * WALL_BLOCK;
    const size_t cells = (size_t)walls_cells((int32_t)by, s->height) * (size_t)s->stride;
    wadi_expect(s->context, s->surface + stream_padded(s, 0, first), cells * sizeof *s->surface);
    for (int32_t y = first; y < first + walls_cells((int32_t)by, s->height); ++y)
    {
        for (int32_t bx = 0; bx < s->walls->width; ++bx)
        {
            const int32_t* row = s->surface + stream_padded(s, bx * WALL_BLOCK, y);
            const int32_t step = walls_step_of_run(s, row, walls_cells(bx, s->width));
            steps[bx] = steps[bx] > step ? steps[bx] : step;
        }
    }
}

static wadi_edge walls_edge(const streams* s, int axis)
{
    return s->ground->edges[axis == 0 ? WADI_SIDE_WEST : WADI_SIDE_NORTH];
}

// The wall comes down to a slope at rest, half of which lies before it. A block more is quiet.
static void walls_surround(const streams* s, int32_t bx, int32_t by, int32_t step)
{
    const stream_walls* w = s->walls;
    const double foot = 0.5 * step / w->rest / (double)WALL_BLOCK;
    const int32_t longest = w->width > w->height ? w->width : w->height;
    const int32_t reach = foot < longest ? 1 + (int32_t)foot : longest;
    for (int32_t dy = -reach; dy <= reach; ++dy)
    {
        const int32_t y = hydraulic_fold(by + dy, w->height, walls_edge(s, 1));
        for (int32_t dx = -reach; dx <= reach && y >= 0; ++dx)
        {
            const int32_t x = hydraulic_fold(bx + dx, w->width, walls_edge(s, 0));
            if (x >= 0)
            {
                w->in[(int64_t)y * w->width + x] = 1;
            }
        }
    }
}

static bool walls_find(const streams* s)
{
    const stream_walls* w = s->walls;
    bool any = false;
    for (int64_t b = 0; b < (int64_t)w->width * w->height; ++b)
    {
        if (w->steps[b] > w->steep)
        {
            walls_surround(s, (int32_t)(b % w->width), (int32_t)(b / w->width), w->steps[b]);
            any = true;
        }
    }
    return any;
}

// ---- runs --------------------------------------------------------------------------------

static int32_t walls_lines(const stream_walls* w, int axis)
{
    return axis == 0 ? w->height : w->width;
}

static int32_t walls_length(const stream_walls* w, int axis)
{
    return axis == 0 ? w->width : w->height;
}

static uint8_t* walls_in(const stream_walls* w, int axis, int32_t line, int32_t at)
{
    return w->in + (axis == 0 ? (int64_t)line * w->width + at : (int64_t)at * w->width + line);
}

// Take lines whole whose first and last blocks are beside each other. Returns whether any was not.
static bool walls_close_lines(const streams* s, int axis)
{
    const stream_walls* w = s->walls;
    const int32_t last = walls_length(w, axis) - 1;
    bool any = false;
    for (int32_t line = 0; line < walls_lines(w, axis) && walls_edge(s, axis) == WADI_EDGE_PERIODIC;
         ++line)
    {
        const bool joined = *walls_in(w, axis, line, 0) & *walls_in(w, axis, line, last);
        for (int32_t at = 0; at <= last && joined; ++at)
        {
            any |= *walls_in(w, axis, line, at) == 0;
            *walls_in(w, axis, line, at) = 1;
        }
    }
    return any;
}

static void walls_list_line(stream_walls* w, int axis, int32_t line)
{
    bool before = false;
    for (int32_t at = 0; at < walls_length(w, axis); ++at)
    {
        const bool in = *walls_in(w, axis, line, at) != 0;
        if (in && !before)
        {
            w->runs[axis][w->count[axis]++] = (wall_run){line, at, 0};
        }
        if (in)
        {
            w->runs[axis][w->count[axis] - 1].count += 1;
        }
        before = in;
    }
}

static void walls_list_runs(stream_walls* w)
{
    for (int axis = 0; axis < 2; ++axis)
    {
        for (int32_t line = 0; line < walls_lines(w, axis); ++line)
        {
            walls_list_line(w, axis, line);
        }
    }
}

void wadi_creep_find_walls(streams* s, double steep)
{
    stream_walls* w = s->walls;
    w->count[0] = 0;
    w->count[1] = 0;
    if (!isfinite(steep))
    {
        return;
    }
    w->steep = steep * s->cell * WADI_UNITS_PER_METRE;
    w->rest = s->params.critical_slope * s->cell * WADI_UNITS_PER_METRE;
    wadi_parallel_blocks(s->context, w->height, walls_measure_row, s);
    memset(w->in, 0, (size_t)w->width * (size_t)w->height);
    if (walls_find(s))
    {
        while (walls_close_lines(s, 0) || walls_close_lines(s, 1))
        {
        }
        walls_list_runs(w);
    }
}

void wadi_creep_spare_walls(const streams* s, int32_t y)
{
    const stream_walls* w = s->walls;
    const uint8_t* in = w->in + (int64_t)(y / WALL_BLOCK) * w->width;
    int32_t* change = s->change + (int64_t)y * s->width;
    for (int32_t bx = 0; bx < w->width && w->count[0] > 0; ++bx)
    {
        if (in[bx] != 0)
        {
            const size_t count = (size_t)walls_cells(bx, s->width);
            memset(change + bx * WALL_BLOCK, 0, count * sizeof *change);
        }
    }
}

// ---- parts -------------------------------------------------------------------------------

enum
{
    WALL_WEST,
    WALL_EAST,
    WALL_NORTH,
    WALL_SOUTH,
    WALL_SIDES
};

// Cells of a block at a wall.
typedef struct wall_block
{
    int32_t x;
    int32_t y;
    int32_t width;
    int32_t height;
    bool joins[WALL_SIDES]; // the block beside it is at a wall too: what passes is solved
} wall_block;

static bool walls_join(const streams* s, int32_t bx, int32_t by)
{
    const stream_walls* w = s->walls;
    const int32_t x = hydraulic_fold(bx, w->width, walls_edge(s, 0));
    const int32_t y = hydraulic_fold(by, w->height, walls_edge(s, 1));
    return x >= 0 && y >= 0 && w->in[(int64_t)y * w->width + x] != 0;
}

static wall_block walls_block(const streams* s, int32_t bx, int32_t by)
{
    return (wall_block){
        .x = bx * WALL_BLOCK,
        .y = by * WALL_BLOCK,
        .width = walls_cells(bx, s->width),
        .height = walls_cells(by, s->height),
        .joins = {walls_join(s, bx - 1, by), walls_join(s, bx + 1, by), walls_join(s, bx, by - 1),
                  walls_join(s, bx, by + 1)},
    };
}

// The cell before another along an axis, across the edge.
static int64_t walls_before(const streams* s, int axis, int32_t x, int32_t y)
{
    const int64_t cell = (int64_t)y * s->width + x;
    if (axis == 0)
    {
        return x > 0 ? cell - 1 : cell + s->width - 1;
    }
    return y > 0 ? cell - s->width : cell + (int64_t)(s->height - 1) * s->width;
}

// Keep what a face has still to take from a cell.
static void walls_keep_face(const creep_sweep* w, int64_t cell, int64_t face)
{
    const int64_t flux = w->flux[face];
    const int64_t left = flux - flux * w->part / w->parts;
    const int64_t leaves = face == cell ? left : -left;
    int32_t* spare = w->s->spare + cell;
    if (leaves > 0 && *spare < INT32_MAX)
    {
        const int64_t rest = *spare - (leaves + 3) / 4;
        *spare = rest > 0 ? (int32_t)rest : 0;
    }
}

// Keep it along the sides of a block, where the flux is given.
static void walls_keep(const creep_sweep* sweeps, const wall_block* b)
{
    const streams* s = sweeps[0].s;
    for (int32_t side = 0; side < WALL_SIDES; ++side)
    {
        const int axis = side / 2;
        const bool after = side % 2 != 0;
        for (int32_t i = 0; i < (axis == 0 ? b->height : b->width) && !b->joins[side]; ++i)
        {
            const int32_t x = axis == 1 ? b->x + i : after ? b->x + b->width - 1 : b->x;
            const int32_t y = axis == 0 ? b->y + i : after ? b->y + b->height - 1 : b->y;
            const int64_t cell = (int64_t)y * s->width + x;
            walls_keep_face(&sweeps[axis], cell, after ? cell : walls_before(s, axis, x, y));
        }
    }
}

// Cells of a run of blocks side by side along x.
static wall_block walls_cells_of_run(const streams* s, int64_t i)
{
    const wall_run run = s->walls->runs[0][i];
    const int32_t x = run.from * WALL_BLOCK;
    const int32_t end = (run.from + run.count) * WALL_BLOCK;
    return (wall_block){
        .x = x,
        .y = run.line * WALL_BLOCK,
        .width = (end < s->width ? end : s->width) - x,
        .height = walls_cells(run.line, s->height),
    };
}

static void walls_read_run(int64_t i, int32_t worker, void* user)
{
    (void)worker;
    const creep_sweep* sweeps = user;
    const streams* s = sweeps[0].s;
    const wall_block cells = walls_cells_of_run(s, i);
    for (int32_t y = cells.y; y < cells.y + cells.height; ++y)
    {
        wadi_creep_read_run(s, cells.x, y, cells.width);
    }
    for (int32_t x = cells.x; x < cells.x + cells.width; x += WALL_BLOCK)
    {
        const wall_block b = walls_block(s, x / WALL_BLOCK, cells.y / WALL_BLOCK);
        walls_keep(sweeps, &b);
    }
}

static void walls_solve_run(int64_t i, int32_t worker, void* user)
{
    creep_sweep w = *(const creep_sweep*)user;
    const int axis = w.along_x ? 0 : 1;
    const wall_run run = w.s->walls->runs[axis][i];
    const int32_t size = axis == 0 ? w.s->width : w.s->height;
    const int32_t end = (run.from + run.count) * WALL_BLOCK;
    w.from = run.from * WALL_BLOCK;
    w.count = (end < size ? end : size) - w.from;
    w.wraps = w.wraps && w.count == size;
    const int32_t lines = walls_cells(run.line, axis == 0 ? w.s->height : w.s->width);
    wadi_creep_solve(&w, run.line * WALL_BLOCK, lines, worker);
}

static int32_t walls_pass(const creep_sweep* w, int64_t face, bool joins)
{
    return joins ? w->flux[face] : wadi_creep_portion(w->flux[face], w->part, w->parts);
}

// Gain of cells of a block.
static void walls_gains(const creep_sweep* sweeps, const wall_block* b)
{
    const streams* s = sweeps[0].s;
    for (int32_t y = b->y; y < b->y + b->height; ++y)
    {
        const int64_t first = (int64_t)y * s->width + b->x;
        const int64_t north = walls_before(s, 1, b->x, y);
        const bool north_joins = y > b->y || b->joins[WALL_NORTH];
        const bool south_joins = y < b->y + b->height - 1 || b->joins[WALL_SOUTH];
        int32_t enters = walls_pass(&sweeps[0], walls_before(s, 0, b->x, y), b->joins[WALL_WEST]);
        for (int32_t i = 0; i < b->width; ++i)
        {
            const bool joins = i < b->width - 1 || b->joins[WALL_EAST];
            const int32_t leaves = walls_pass(&sweeps[0], first + i, joins);
            s->change[first + i] = walls_pass(&sweeps[1], north + i, north_joins) -
                                   walls_pass(&sweeps[1], first + i, south_joins) + enters - leaves;
            enters = leaves;
        }
    }
}

static void walls_change_run(int64_t i, int32_t worker, void* user)
{
    const creep_sweep* sweeps = user;
    streams* s = sweeps[0].s;
    const wall_block cells = walls_cells_of_run(s, i);
    for (int32_t x = cells.x; x < cells.x + cells.width; x += WALL_BLOCK)
    {
        const wall_block b = walls_block(s, x / WALL_BLOCK, cells.y / WALL_BLOCK);
        walls_gains(sweeps, &b);
    }
    for (int32_t y = cells.y; y < cells.y + cells.height; ++y)
    {
        wadi_creep_change_run(s, false, cells.x, y, cells.width, &s->tallies[worker]);
    }
}

void wadi_creep_walls(streams* s, int32_t parts, int32_t at_walls)
{
    const int64_t* count = s->walls->count;
    creep_sweep sweeps[2] = {wadi_creep_sweep(s, true, parts * at_walls),
                             wadi_creep_sweep(s, false, parts * at_walls)};
    for (int32_t part = 0; part < at_walls && count[0] > 0; ++part)
    {
        for (int axis = 0; axis < 2; ++axis)
        {
            sweeps[axis].part = part;
            sweeps[axis].parts = at_walls;
        }
        wadi_parallel_blocks(s->context, count[0], walls_read_run, sweeps);
        wadi_parallel_blocks(s->context, count[0], walls_solve_run, &sweeps[0]);
        wadi_parallel_blocks(s->context, count[1], walls_solve_run, &sweeps[1]);
        wadi_parallel_blocks(s->context, count[0], walls_change_run, sweeps);
        wadi_streams_ghosts(s, s->surface);
    }
}
