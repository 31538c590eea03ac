// SPDX-License-Identifier: MIT
// Cliffs retreat and platforms are worn down. Each cell computes from the frozen ground what it
// loses and to which neighbour; then each cell takes its own and gathers what comes. So the bits do
// not depend on threads.
//
// A cell that is cut away before the end of the step lets the waves through to the land behind it
// for the rest of the step. Without that a coast retreats the faster the shorter the steps are, and
// one at 45 degrees at 0.89 of the rate of one along the grid.
#include "processes/coast/coast_cut.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

enum
{
    CUT_GRAIN = 16, // rows of a block
    CUT_NONE = -1
};

// Waves cut land down to this depth [m].
#define CUT_BELOW 0.1f

// Neighbours clockwise from north; the opposite one is 4 further.
static const int32_t cut_x[8] = {0, 1, 1, 1, 0, -1, -1, -1};
static const int32_t cut_y[8] = {-1, -1, 0, 1, 1, 1, 0, -1};

// A neighbour, or the side of the map beyond which it lies.
typedef struct cut_place
{
    int64_t cell; // -1: outside
    wadi_side side;
    bool open; // outside: matter may leave
} cut_place;

static cut_place cut_neighbour(const wadi_ground* ground, int32_t x, int32_t y, int32_t d)
{
    int32_t nx = x + cut_x[d];
    int32_t ny = y + cut_y[d];
    const wadi_side across = nx < 0 ? WADI_SIDE_WEST : WADI_SIDE_EAST;
    const wadi_side along = ny < 0 ? WADI_SIDE_NORTH : WADI_SIDE_SOUTH;
    const bool beyond_x = nx < 0 || nx >= ground->width;
    const bool beyond_y = ny < 0 || ny >= ground->height;
    const bool wraps_x = ground->edges[across] == WADI_EDGE_PERIODIC;
    const bool wraps_y = ground->edges[along] == WADI_EDGE_PERIODIC;
    if (beyond_y && !wraps_y)
    {
        return (cut_place){-1, along, ground->edges[along] == WADI_EDGE_OPEN};
    }
    if (beyond_x && !wraps_x)
    {
        return (cut_place){-1, across, ground->edges[across] == WADI_EDGE_OPEN};
    }
    nx = beyond_x ? (nx + ground->width) % ground->width : nx;
    ny = beyond_y ? (ny + ground->height) % ground->height : ny;
    return (cut_place){.cell = (int64_t)ny * ground->width + nx};
}

static int32_t cut_loose(const wadi_ground* ground, int64_t cell)
{
    return wadi_ground_surface(ground, cell) - ground->bedrock[cell];
}

// Height of a cell above the level, in metres; sea floor counts down to the wave base only, and
// sea of unknown depth is that deep.
static float cut_height(const coast_waves* waves, int64_t cell)
{
    const float base = (float)waves->params->wave_base;
    if (waves->kind[cell] == COAST_DEPTHS)
    {
        return -base;
    }
    const float depth = coast_depth(waves, cell);
    return depth > base ? -base : -depth;
}

// Height of the face that stands at a cell where waves come from direction d [m]: a cell that is
// cut halfway has half the mean height, but the cliff at its back is as high as the land behind.
static float cut_face(const coast_waves* waves, int32_t x, int32_t y, int32_t d, float own)
{
    const cut_place back = cut_neighbour(waves->ground, x, y, (d + 4) % 8);
    const bool land = back.cell >= 0 && waves->ground->valid[back.cell] != 0 &&
                      waves->kind[back.cell] == COAST_LAND;
    const float behind = land ? cut_height(waves, back.cell) : own;
    return behind > own ? behind : own;
}

// Power of the waves at a cell of the shore: the strongest around it. In the corners of a shore at
// 45 degrees to the grid rays that run along it are hindered by cells of land.
static float cut_power(const coast_waves* waves, int32_t x, int32_t y)
{
    float most = 0.0f;
    for (int32_t d = 0; d < 8; ++d)
    {
        const cut_place place = cut_neighbour(waves->ground, x, y, d);
        const float power = place.cell >= 0 ? waves->power[place.cell] : 0.0f;
        most = power > most ? power : most;
    }
    return most;
}

// Where waves reach the face of a cell [m], and for how long.
typedef struct cut_front
{
    float drop;  // of the face to the sea, times the power of the waves and the share of the step
    float time;  // the share of the step
    float power; // 0: none
    int8_t d;    // direction
} cut_front;

// The front of a cell towards one neighbour: sea, or land that is cut away before the end of the
// step, for the rest of it. `spare` is NULL while that is not known yet.
static cut_front cut_front_to(const coast_cut* cut, const coast_spare* spare, int32_t x, int32_t y,
                              int32_t d)
{
    const coast_waves* waves = cut->waves;
    const cut_place place = cut_neighbour(waves->ground, x, y, d);
    cut_front front = {.d = (int8_t)d};
    if (place.cell < 0)
    {
        return front;
    }
    const bool land = waves->kind[place.cell] == COAST_LAND;
    if (land && (spare == NULL || spare[place.cell].time <= 0.0f))
    {
        return front;
    }
    const float own = cut_height(waves, (int64_t)y * waves->ground->width + x);
    const float there = land ? -CUT_BELOW : cut_height(waves, place.cell);
    front.time = land ? spare[place.cell].time : 1.0f;
    front.power = land ? spare[place.cell].power : cut_power(waves, x, y);
    front.drop = (cut_face(waves, x, y, d, own) - there) * front.power * front.time;
    return front;
}

// The larger of the fronts towards two opposite neighbours.
static cut_front cut_front_along(const coast_cut* cut, const coast_spare* spare, int32_t x,
                                 int32_t y, int32_t d)
{
    const cut_front a = cut_front_to(cut, spare, x, y, d);
    const cut_front b = cut_front_to(cut, spare, x, y, d + 4);
    return a.drop >= b.drop ? a : b;
}

// The face of a cliff moves landwards: the cell's mean height falls by retreat x slope. The slope
// is taken towards the sea alone, so a coast at any angle to the grid retreats at one rate. Height
// that rock of hardness 0 loses [m], and the front of the axis that is open longer.
static float cut_cliff(const coast_cut* cut, const coast_spare* spare, int32_t x, int32_t y,
                       cut_front* longest)
{
    const coast_waves* waves = cut->waves;
    const cut_front along = cut_front_along(cut, spare, x, y, 0);
    const cut_front across = cut_front_along(cut, spare, x, y, 2);
    *longest = along.time >= across.time ? along : across;
    const float slope = sqrtf(along.drop * along.drop + across.drop * across.drop) /
                        (float)waves->ground->cell_size;
    return (float)(waves->params->retreat * cut->years) * slope;
}

static int32_t cut_units(float metres)
{
    return (int32_t)(metres * (float)WADI_UNITS_PER_METRE);
}

// What a cliff loses where rock of hardness 0 loses `metres`, were it high enough: loose matter
// first, which goes faster.
static int64_t cut_yield_land(const coast_cut* cut, int64_t cell, float metres)
{
    const coast_waves* waves = cut->waves;
    const float faster = (float)waves->params->beach;
    const int32_t loose = cut_loose(waves->ground, cell);
    const float spent = (float)loose / ((float)WADI_UNITS_PER_METRE * faster);
    if (metres <= spent)
    {
        const int32_t want = cut_units(metres * faster);
        return want < loose ? want : loose;
    }
    const float rest = metres - spent;
    const int32_t rock =
        wadi_ground_rock_yield(waves->ground, cell, cut_units(rest < 1e4f ? rest : 1e4f));
    return (int64_t)loose + rock;
}

// Bare rock below the level; sediment protects it. [m]
static float cut_platform(const coast_cut* cut, int64_t cell)
{
    const coast_waves* waves = cut->waves;
    const wadi_coast_params* p = waves->params;
    const float loose = (float)cut_loose(waves->ground, cell) * (1.0f / WADI_UNITS_PER_METRE);
    const float bare = 1.0f - loose / (float)p->cover;
    const float depth = coast_depth(waves, cell);
    const float worn = (float)(1e-3 * p->downwear * cut->years) * waves->power[cell] *
                       wadi_expf(-depth / (float)p->wave_base);
    return bare > 0.0f ? worn * bare : 0.0f;
}

// The lowest neighbour that is sea, or a side where the sea goes on; CUT_NONE if there is none.
static int8_t cut_receiver(const coast_waves* waves, int32_t x, int32_t y, int64_t cell)
{
    float lowest = cut_height(waves, cell);
    int8_t best = CUT_NONE;
    for (int32_t d = 0; d < 8; ++d)
    {
        const cut_place place = cut_neighbour(waves->ground, x, y, d);
        if (place.cell < 0 || waves->kind[place.cell] == COAST_LAND)
        {
            continue;
        }
        const float height =
            waves->kind[place.cell] == COAST_DEPTHS ? -1e6f : -coast_depth(waves, place.cell);
        if (height < lowest)
        {
            lowest = height;
            best = (int8_t)d;
        }
    }
    return best;
}

// Plan what a cell loses. Fines leave when rock is worn: its debris has none any more.
static void cut_plan(const coast_cut* cut, int64_t cell, int32_t loose, int32_t rock)
{
    cut->taken[cell] = loose + rock;
    cut->coarse[cell] = loose + (int32_t)((double)rock * (1.0 - cut->waves->params->fines));
}

// Rock alone: loose matter below the sea is moved by currents.
static void cut_plan_platform(const coast_cut* cut, int32_t x, int32_t y, int64_t cell)
{
    const float metres = cut_platform(cut, cell);
    if (metres > 0.0f)
    {
        cut->receiver[cell] = cut_receiver(cut->waves, x, y, cell);
        cut_plan(cut, cell, 0, wadi_ground_rock_yield(cut->waves->ground, cell, cut_units(metres)));
    }
}

// Waves cut a little below the level and no deeper; that is left to the wear of platforms. They cut
// the land behind in the rest of the step.
static void cut_plan_cliff(const coast_cut* cut, const coast_spare* before, coast_spare* spare,
                           int32_t x, int32_t y)
{
    const coast_waves* waves = cut->waves;
    const int64_t cell = (int64_t)y * waves->ground->width + x;
    cut_front front;
    const float metres = cut_cliff(cut, before, x, y, &front);
    if (metres <= 0.0f)
    {
        return;
    }
    const int64_t all = cut_yield_land(cut, cell, metres);
    const int32_t most = cut_units(cut_height(waves, cell) + CUT_BELOW);
    const int8_t receiver = cut_receiver(waves, x, y, cell);
    cut->receiver[cell] = receiver == CUT_NONE && front.time < 1.0f ? front.d : receiver;
    const int32_t taken = all < most ? (int32_t)all : most;
    const int32_t loose = cut_loose(waves->ground, cell);
    cut_plan(cut, cell, taken < loose ? taken : loose, taken > loose ? taken - loose : 0);
    if (all > most)
    {
        const float left = front.time * (1.0f - (float)most / (float)all);
        *spare = (coast_spare){left, front.power};
    }
}

static void cut_plan_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const coast_cut* cut = user;
    const coast_waves* waves = cut->waves;
    const wadi_ground* ground = waves->ground;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t i = (int64_t)y * ground->width + x;
            cut->taken[i] = 0;
            cut->coarse[i] = 0;
            cut->receiver[i] = CUT_NONE;
            cut->spare[i] = (coast_spare){0};
            if (ground->valid[i] != 0 && waves->kind[i] == COAST_LAND)
            {
                cut_plan_cliff(cut, NULL, &cut->spare[i], x, y);
            }
            else if (ground->valid[i] != 0 && waves->kind[i] == COAST_SEA)
            {
                cut_plan_platform(cut, x, y, i);
            }
        }
    }
}

static bool cut_is_behind(const coast_cut* cut, const coast_spare* before, int32_t x, int32_t y)
{
    bool behind = false;
    for (int32_t d = 0; d < 8; d += 2)
    {
        const cut_place place = cut_neighbour(cut->waves->ground, x, y, d);
        behind |= place.cell >= 0 && before[place.cell].time > 0.0f;
    }
    return behind;
}

// Cut the land behind cells that the pass before has cut away.
static void cut_follow_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const coast_cut* cut = user;
    const wadi_ground* ground = cut->waves->ground;
    const int64_t other = cut->pass % 2 == 1 ? ground->cells : 0;
    const coast_spare* before = cut->spare + (ground->cells - other);
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t i = (int64_t)y * ground->width + x;
            coast_spare* spare = &cut->spare[other + i];
            *spare = before[i];
            if (ground->valid[i] != 0 && cut->waves->kind[i] == COAST_LAND &&
                before[i].time <= 0.0f && cut_is_behind(cut, before, x, y))
            {
                cut_plan_cliff(cut, before, spare, x, y);
            }
        }
    }
}

static void cut_take(const coast_cut* cut, int32_t x, int32_t y, int64_t cell, wadi_tally* tally)
{
    const coast_waves* waves = cut->waves;
    const wadi_ground* ground = waves->ground;
    const int32_t taken = cut->taken[cell];
    if (taken == 0)
    {
        return;
    }
    if (waves->kind[cell] == COAST_SEA)
    {
        wadi_ground_take_exact_rock(ground, cell, taken, tally);
    }
    else
    {
        wadi_ground_take_exact(ground, cell, taken, tally);
    }
    cut->wear[cell] += taken;
    const int32_t coarse = cut->coarse[cell];
    tally->lost[WADI_MATERIAL_SEDIMENT] += taken - coarse;
    if (cut->receiver[cell] == CUT_NONE)
    {
        wadi_ground_put(ground, cell, coarse, tally);
        cut->deposit[cell] += coarse;
        return;
    }
    const cut_place to = cut_neighbour(ground, x, y, cut->receiver[cell]);
    if (waves->kind[to.cell] == COAST_DEPTHS)
    {
        tally->out[WADI_MATERIAL_SEDIMENT][WADI_SIDE_VOID] += coarse;
    }
}

// Matter that the neighbours send here.
static void cut_gather(const coast_cut* cut, int32_t x, int32_t y, int64_t cell, wadi_tally* tally)
{
    int32_t sum = 0;
    for (int32_t d = 0; d < 8; ++d)
    {
        const cut_place place = cut_neighbour(cut->waves->ground, x, y, d);
        if (place.cell >= 0 && cut->receiver[place.cell] == (d + 4) % 8)
        {
            sum += cut->coarse[place.cell];
        }
    }
    if (sum > 0)
    {
        wadi_ground_put(cut->waves->ground, cell, sum, tally);
        cut->deposit[cell] += sum;
    }
}

static void cut_move_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const coast_cut* cut = user;
    const wadi_ground* ground = cut->waves->ground;
    const coast_spare* spare = coast_spare_after(cut->spare, ground->cells);
    wadi_tally* tally = &cut->tallies[worker];
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t i = (int64_t)y * ground->width + x;
            if (ground->valid[i] == 0)
            {
                continue;
            }
            cut_take(cut, x, y, i, tally);
            if (cut->waves->kind[i] == COAST_SEA || spare[i].time > 0.0f)
            {
                cut_gather(cut, x, y, i, tally);
            }
        }
    }
}

void wadi_coast_cut(wadi_context* context, const coast_cut* cut)
{
    coast_cut job = *cut;
    const int32_t height = cut->waves->ground->height;
    wadi_parallel_rows(context, height, CUT_GRAIN, cut_plan_rows, &job);
    for (job.pass = 1; job.pass <= COAST_PASSES; ++job.pass)
    {
        wadi_parallel_rows(context, height, CUT_GRAIN, cut_follow_rows, &job);
    }
    wadi_parallel_rows(context, height, CUT_GRAIN, cut_move_rows, &job);
}
