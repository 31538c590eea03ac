// SPDX-License-Identifier: MIT
// Cliffs retreat and platforms are worn down. Two passes: each cell computes from the frozen ground
// what it loses and to which neighbour; then each cell takes its own and gathers what comes. So the
// bits do not depend on threads.
#include "processes/coast/coast_cut.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

enum
{
    CUT_GRAIN = 16, // rows of a block
    CUT_NONE = -1
};

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

// Drop of the face to the sea at one of two opposite neighbours [m], the larger of the two.
static float cut_drop(const coast_waves* waves, int32_t x, int32_t y, int32_t d, float own)
{
    float most = 0.0f;
    for (int32_t way = d; way < 8; way += 4)
    {
        const cut_place place = cut_neighbour(waves->ground, x, y, way);
        if (place.cell >= 0 && waves->kind[place.cell] != COAST_LAND)
        {
            const float drop = cut_face(waves, x, y, way, own) - cut_height(waves, place.cell);
            most = drop > most ? drop : most;
        }
    }
    return most;
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

// The face of a cliff moves landwards: the cell's mean height falls by retreat x slope. The slope
// is taken towards the sea alone, so a coast at any angle to the grid retreats at one rate. Height
// that rock of hardness 0 loses [m].
static float cut_cliff(const coast_cut* cut, int32_t x, int32_t y, int64_t cell)
{
    const coast_waves* waves = cut->waves;
    const float own = cut_height(waves, cell);
    const float along = cut_drop(waves, x, y, 0, own);
    const float across = cut_drop(waves, x, y, 2, own);
    const float slope = sqrtf(along * along + across * across) / (float)waves->ground->cell_size;
    return slope > 0.0f
               ? (float)(waves->params->retreat * cut->years) * slope * cut_power(waves, x, y)
               : 0.0f;
}

static int32_t cut_units(float metres)
{
    return (int32_t)(metres * (float)WADI_UNITS_PER_METRE);
}

// What a cliff loses where rock of hardness 0 loses `metres`: loose matter first, which goes
// faster. Waves cut a little below the level and no deeper; that is left to the wear of platforms.
static int32_t cut_yield_land(const coast_cut* cut, int64_t cell, float metres)
{
    const coast_waves* waves = cut->waves;
    const float faster = (float)waves->params->beach;
    const int32_t most = cut_units(cut_height(waves, cell) + 0.1f);
    const int32_t loose = cut_loose(waves->ground, cell);
    const float spent = (float)loose / ((float)WADI_UNITS_PER_METRE * faster);
    if (metres <= spent)
    {
        const int32_t want = cut_units(metres * faster);
        return want < most ? (want < loose ? want : loose) : (most < loose ? most : loose);
    }
    const float rest = metres - spent;
    const int32_t rock =
        wadi_ground_rock_yield(waves->ground, cell, cut_units(rest < 1e4f ? rest : 1e4f));
    const int64_t all = (int64_t)loose + rock;
    return all < most ? (int32_t)all : most;
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

// Rock alone: loose matter below the sea is moved by currents.
static int32_t cut_yield(const coast_cut* cut, int64_t cell, float metres)
{
    const coast_waves* waves = cut->waves;
    return waves->kind[cell] == COAST_SEA
               ? wadi_ground_rock_yield(waves->ground, cell, cut_units(metres))
               : cut_yield_land(cut, cell, metres);
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
            cut->receiver[i] = CUT_NONE;
            if (ground->valid[i] == 0 || waves->kind[i] == COAST_DEPTHS)
            {
                continue;
            }
            const float metres =
                waves->kind[i] == COAST_LAND ? cut_cliff(cut, x, y, i) : cut_platform(cut, i);
            if (metres > 0.0f)
            {
                cut->receiver[i] = cut_receiver(waves, x, y, i);
                cut->taken[i] = cut_yield(cut, i, metres);
            }
        }
    }
}

// The part of what a cell loses that stays on the ground.
static int32_t cut_coarse(const coast_cut* cut, int64_t cell)
{
    const double part = (double)cut->taken[cell] * (1.0 - cut->waves->params->fines);
    return (int32_t)part;
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
    const int32_t coarse = cut_coarse(cut, cell);
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
            sum += cut_coarse(cut, place.cell);
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
            if (cut->waves->kind[i] == COAST_SEA)
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
    wadi_parallel_rows(context, height, CUT_GRAIN, cut_move_rows, &job);
}
