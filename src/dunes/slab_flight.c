// SPDX-License-Identifier: MIT
// Saltation: a slab leaves its cell and hops with the wind of each cell it lands in, until it comes
// to rest or leaves the terrain.
//
// It starts anywhere in its cell and flies in whole lengths, so hops have no grain of the grid: in
// the released code, where places are rounded down, a hop of 3 m moves 2 cells downwind and none
// across.
#include "dunes/slab_flight.h"

enum
{
    FLIGHT_INSIDE = -1
};

// Bring one coordinate back onto the grid: FLIGHT_INSIDE, or the open side it left by. A closed
// edge is a wall that slabs fall down at.
static inline int32_t flight_fold(const wadi_edge edges[4], wadi_side low, wadi_side high,
                                  float size, float* place)
{
    const wadi_side side = *place < 0.0f ? low : high;
    if (*place >= 0.0f && *place < size)
    {
        return FLIGHT_INSIDE;
    }
    switch (edges[side])
    {
    case WADI_EDGE_PERIODIC:
        while (*place < 0.0f)
        {
            *place += size;
        }
        while (*place >= size)
        {
            *place -= size;
        }
        return FLIGHT_INSIDE;
    case WADI_EDGE_CLOSED:
        *place = side == low ? 0.5f : size - 0.5f;
        return FLIGHT_INSIDE;
    default:
        return (int32_t)side;
    }
}

static void flight_add(const slab_bed* bed, int64_t cell, int32_t amount, int32_t shift)
{
    atomic_fetch_add_explicit(&bed->landings[cell], (uint64_t)amount << shift,
                              memory_order_relaxed);
}

// One hop with the wind of the cell. False: the slab has left the terrain, or lies at the foot of a
// void.
static bool flight_hop(const slab_bed* bed, slab_flight* flight, wadi_tally* tally)
{
    const wadi_ground* ground = bed->ground;
    const slab_site* from = &bed->sites[flight->cell];
    const float along = 1.0f + bed->law.spread * flight->along;
    const float across = bed->law.spread * flight->across;
    flight->x += along * from->hop_x - across * from->hop_y;
    flight->y += along * from->hop_y + across * from->hop_x;
    int32_t side = flight_fold(ground->edges, WADI_SIDE_WEST, WADI_SIDE_EAST, (float)ground->width,
                               &flight->x);
    if (side == FLIGHT_INSIDE)
    {
        side = flight_fold(ground->edges, WADI_SIDE_NORTH, WADI_SIDE_SOUTH, (float)ground->height,
                           &flight->y);
    }
    if (side != FLIGHT_INSIDE)
    {
        tally->out[WADI_MATERIAL_SEDIMENT][side] += flight->amount;
        return false;
    }
    const int64_t cell = (int64_t)flight->y * ground->width + (int64_t)flight->x;
    if (ground->valid[cell] == 0)
    {
        flight_add(bed, flight->cell, flight->amount, 0);
        return false;
    }
    flight->cell = cell;
    return true;
}

// The low half of a word says how the next hop strays.
static void flight_stray(slab_flight* flight, uint32_t word)
{
    flight->along = (float)(word >> 8 & 0xFFu) * (1.0f / 127.5f) - 1.0f;
    flight->across = (float)(word & 0xFFu) * (1.0f / 127.5f) - 1.0f;
}

// Does the slab bounce where it has landed?
static bool flight_bounces(const slab_bed* bed, slab_flight* flight)
{
    if (flight->drawn == 4)
    {
        flight->round += 1;
        flight->words = slab_random(bed, flight->purpose, flight->start, flight->round);
        flight->drawn = 0;
    }
    const uint32_t word = flight->words.v[flight->drawn++];
    const float chance = (float)(word >> 16) * 0x1p-16f;
    flight_stray(flight, word);
    const bool bounces = chance >= bed->sites[flight->cell].settle;
    flight_add(bed, flight->cell, flight->amount, bounces ? 32 : 0);
    return bounces;
}

slab_flight slab_flight_from(const slab_bed* bed, enum slab_purpose purpose, int64_t cell,
                             int32_t amount)
{
    slab_flight flight = {.words = slab_random(bed, purpose, cell, 0),
                          .drawn = 2,
                          .purpose = purpose,
                          .start = cell,
                          .cell = cell,
                          .amount = amount};
    // the first word says where in the cell
    const int32_t row = (int32_t)(cell / bed->ground->width);
    const int32_t column = (int32_t)(cell - (int64_t)row * bed->ground->width);
    flight.x = (float)column + (float)(flight.words.v[0] >> 16) * 0x1p-16f;
    flight.y = (float)row + (float)(flight.words.v[0] & 0xFFFFu) * 0x1p-16f;
    flight_stray(&flight, flight.words.v[1]);
    return flight;
}

void slab_flight_land(const slab_bed* bed, slab_flight* flight, wadi_tally* tally)
{
    while (flight_bounces(bed, flight) && flight_hop(bed, flight, tally))
    {
    }
}

static void flight_rows(int32_t begin, int32_t end, int32_t worker, void* job)
{
    const slab_bed* bed = job;
    const int64_t last = (int64_t)end * bed->ground->width;
    for (int64_t cell = (int64_t)begin * bed->ground->width; cell < last; ++cell)
    {
        const int32_t amount = bed->sites[cell].lift;
        if (amount > 0)
        {
            slab_flight flight = slab_flight_from(bed, SLAB_FLIGHT, cell, amount);
            if (flight_hop(bed, &flight, &bed->tallies[worker]))
            {
                slab_flight_land(bed, &flight, &bed->tallies[worker]);
            }
        }
    }
}

void slab_fly(slab_bed* bed)
{
    wadi_parallel_rows(bed->context, bed->ground->height, 8, flight_rows, bed);
}
