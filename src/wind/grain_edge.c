// SPDX-License-Identifier: MIT
// What the vector kernel cannot do: steps over an edge or onto a cell without data, and ends.
#include "wind/grain_state.h"

void grain_edge_expire(grain_worker* worker, grain* g)
{
    worker->sums.moved[g->cell] += particle_entry(-g->load, 1);
    worker->sums.flags[g->cell >> GRAIN_CHUNK_BITS] = 1;
    g->load = 0;
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
    const int left = particle_fold(&axis, place, across ? &g->u : &g->v);
    if (downwind && ground->edges[side] == WADI_EDGE_CLOSED)
    {
        grain_edge_expire(worker, g);
    }
    else if (downwind && ground->edges[side] == WADI_EDGE_PERIODIC)
    {
        g->state = GRAIN_PARKED;
    }
    return left;
}

void grain_edge_cross(const wadi_grains* grains, grain_worker* worker, grain* g)
{
    int side = edge_fold(grains, worker, g, true);
    if (side == PARTICLE_INSIDE && g->state != GRAIN_ENDED)
    {
        side = edge_fold(grains, worker, g, false);
    }
    if (side == PARTICLE_INSIDE && g->state != GRAIN_ENDED)
    {
        const int32_t to = grain_padded(&grains->land, (int32_t)g->x, (int32_t)g->y);
        side = grains->land.frozen[to].sand == GRAIN_VOID ? (int)WADI_SIDE_VOID : PARTICLE_INSIDE;
        g->cell = side == PARTICLE_INSIDE ? to : g->cell;
    }
    if (side != PARTICLE_INSIDE)
    {
        edge_leave(worker, g, side);
    }
}
