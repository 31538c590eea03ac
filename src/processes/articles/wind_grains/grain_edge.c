// SPDX-License-Identifier: MIT
// Scalar path of grains: steps over an edge or onto a cell without data, and ends of grains.
#include "core/dmath.h"
#include "processes/articles/wind_grains/grain_state.h"

#include <math.h>

static void edge_lay(grain_worker* worker, grain* g, int32_t amount)
{
    worker->sums.cells[g->cell].moved += particle_entry(-amount, 1);
    worker->sums.flags[g->cell >> GRAIN_CHUNK_BITS] = 1;
    g->load -= amount;
}

// Move a place one cell upwind and two to a side. -1, and the place as it was, where there is no
// land.
static int32_t edge_stray(const wadi_grains* grains, float side, float* x, float* y)
{
    const grain_law* law = &grains->law;
    const float pace = sqrtf(law->wind_x * law->wind_x + law->wind_y * law->wind_y);
    const float nx = *x - (law->wind_x + side * law->wind_y) / pace;
    const float ny = *y - (law->wind_y - side * law->wind_x) / pace;
    if (!(nx >= 0.0f && ny >= 0.0f && nx < (float)law->width && ny < (float)law->height))
    {
        return -1;
    }
    const int32_t cell = grain_padded(&grains->land, (int32_t)nx, (int32_t)ny);
    if (grains->land.frozen[cell].sand == GRAIN_VOID)
    {
        return -1;
    }
    *x = nx;
    *y = ny;
    return cell;
}

// A heap in one cell would stand as a spike (200 m high before a wall, where the ground gathers
// grains), and one row of heaps as a fin. So the load is strewn upwind, a sixteenth of a stable
// difference to a cell, along a path that strays to both sides.
void wadi_grain_edge_expire(const wadi_grains* grains, grain_worker* worker, grain* g)
{
    const int32_t most = (int32_t)(grains->land.slope.stable / 16.0f) + 1;
    uint32_t coin = wadi_bits_of_float(g->x) * 0x9E3779B9u ^ wadi_bits_of_float(g->y) * 0x85EBCA77u;
    float x = g->x;
    float y = g->y;
    int32_t next = g->cell;
    while (g->load > most && next >= 0)
    {
        coin = coin * 1664525u + 1013904223u;
        const float side = (coin >> 31) != 0u ? 2.0f : -2.0f;
        next = edge_stray(grains, side, &x, &y);
        next = next >= 0 ? next : edge_stray(grains, -side, &x, &y);
        edge_lay(worker, g, next >= 0 ? most : g->load);
        g->cell = next >= 0 ? next : g->cell;
    }
    edge_lay(worker, g, g->load);
    g->state = GRAIN_ENDED;
}

static void edge_leave(grain_worker* worker, grain* g, int side)
{
    worker->out[side] += g->load;
    g->load = 0;
    g->state = GRAIN_ENDED;
}

// Fold one coordinate; PARTICLE_INSIDE or the side that the grain left by. A grain that the wind
// blows against a wall ends there; one that comes round downwind has ended its lap.
static int edge_fold(const wadi_grains* grains, grain_worker* worker, grain* g, bool across)
{
    const wadi_ground* ground = grains->land.ground;
    const particle_axis axis = {across ? WADI_SIDE_WEST : WADI_SIDE_NORTH,
                                across ? WADI_SIDE_EAST : WADI_SIDE_SOUTH, ground->edges,
                                across ? ground->width : ground->height};
    float* place = across ? &g->x : &g->y;
    const float wind = across ? grains->law.wind_x : grains->law.wind_y;
    const wadi_side side = *place < 0.0f ? axis.low : axis.high;
    const bool outside = *place < 0.0f || *place >= (float)axis.size;
    const bool downwind = outside && (side == axis.high ? wind > 0.0f : wind < 0.0f);
    const int left = wadi_particle_apply_edge(&axis, place, across ? &g->u : &g->v);
    if (downwind && ground->edges[side] == WADI_EDGE_CLOSED)
    {
        wadi_grain_edge_expire(grains, worker, g);
    }
    else if (downwind && ground->edges[side] == WADI_EDGE_PERIODIC)
    {
        g->state = GRAIN_PARKED;
    }
    return left;
}

void wadi_grain_edge_cross(const wadi_grains* grains, grain_worker* worker, grain* g)
{
    int side = edge_fold(grains, worker, g, true);
    if (side == PARTICLE_INSIDE && g->state != GRAIN_ENDED)
    {
        side = edge_fold(grains, worker, g, false);
    }
    if (side == PARTICLE_INSIDE && g->state != GRAIN_ENDED)
    {
        const int32_t to = grain_padded(&grains->land, (int32_t)g->x, (int32_t)g->y);
        const wadi_ground* ground = grains->land.ground;
        const int64_t cell = (int64_t)g->y * ground->width + (int64_t)g->x;
        side = grains->land.frozen[to].sand == GRAIN_VOID ? (int)wadi_ground_void_side(ground, cell)
                                                          : PARTICLE_INSIDE;
        g->cell = side == PARTICLE_INSIDE ? to : g->cell;
    }
    if (side != PARTICLE_INSIDE)
    {
        edge_leave(worker, g, side);
    }
}
