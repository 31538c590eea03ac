// SPDX-License-Identifier: MIT
#include "processes/articles/slabs/slab_flock.h"

#include "core/internal.h"
#include "processes/articles/slabs/slab_riders.h"

#include <math.h>
#include <string.h>

enum
{
    FLOCK_INSIDE = -1
};

// ---- drawing ------------------------------------------------------------------------------------

void wadi_slab_flock_draw(const slab_bed* bed, slab_flock* flock)
{
    const slab_flock_key key = {(uint32_t)bed->seed, (uint32_t)(bed->seed >> 32), bed->stream,
                                bed->law.index};
    bed->flock->draw(flock, &key);
}

void wadi_slab_flock_depart(const slab_bed* bed, slab_flock* flock, enum slab_purpose purpose)
{
    flock->purpose = (uint32_t)purpose;
    flock->round = 0;
    wadi_slab_flock_draw(bed, flock);
    bed->flock->depart(flock, &bed->field);
}

// ---- keeping ------------------------------------------------------------------------------------

static void flock_pack(int32_t* values, const int32_t* kept, int32_t count)
{
    for (int32_t k = 0; k < count; ++k)
    {
        values[k] = values[kept[k]];
    }
}

static void flock_pack_places(float* values, const int32_t* kept, int32_t count)
{
    for (int32_t k = 0; k < count; ++k)
    {
        values[k] = values[kept[k]];
    }
}

static void flock_pack_words(uint32_t* values, const int32_t* kept, int32_t count)
{
    for (int32_t k = 0; k < count; ++k)
    {
        values[k] = values[kept[k]];
    }
}

void wadi_slab_flock_keep(slab_flock* flock)
{
    int32_t kept[SLAB_FLOCK];
    int32_t count = 0;
    for (int32_t i = 0; i < flock->count; ++i)
    {
        kept[count] = i;
        count += flock->bounces[i];
    }
    flock_pack_words(flock->start, kept, count);
    flock_pack(flock->cell, kept, count);
    flock_pack(flock->to, kept, count);
    flock_pack(flock->amount, kept, count);
    flock_pack_places(flock->x, kept, count);
    flock_pack_places(flock->y, kept, count);
    flock_pack_places(flock->along, kept, count);
    flock_pack_places(flock->across, kept, count);
    for (int32_t w = flock->drawn; w < SLAB_FLOCK_WORDS; ++w)
    {
        flock_pack_words(flock->word[w], kept, count);
    }
    flock->count = count;
}

// ---- hopping ------------------------------------------------------------------------------------

static void flock_add(const slab_bed* bed, int32_t cell, int32_t amount, int32_t shift)
{
    atomic_fetch_add_explicit(&bed->landings[cell], (uint64_t)amount << shift,
                              memory_order_relaxed);
}

// Bring one coordinate back onto the grid: FLOCK_INSIDE, or the open side it left by. A closed
// edge is a wall: slabs that hit it land in front of it.
static int32_t flock_fold(const wadi_ground* ground, wadi_side low, wadi_side high, float size,
                          float* place)
{
    const wadi_side side = *place < 0.0f ? low : high;
    if (*place >= 0.0f && *place < size)
    {
        return FLOCK_INSIDE;
    }
    switch (wadi_ground_whole_edge(ground, side))
    {
    case WADI_EDGE_PERIODIC:
        *place -= size * floorf(*place / size);
        // the quotient is rounded, and so is a place just below 0
        *place += *place < 0.0f ? size : 0.0f;
        *place -= *place < size ? 0.0f : size;
        return FLOCK_INSIDE;
    case WADI_EDGE_CLOSED:
        *place = side == low ? 0.5f : size - 0.5f;
        return FLOCK_INSIDE;
    default:
        return (int32_t)side;
    }
}

// Share of a hop that lies beyond the wall that it passes; 0: no wall.
static float flock_behind(const wadi_ground* ground, wadi_side low, wadi_side high, float size,
                          float place, float hop)
{
    const bool inside = place >= 0.0f && place < size;
    const wadi_side side = place < 0.0f ? low : high;
    const float behind = place < 0.0f ? -place : place - size;
    return inside || wadi_ground_whole_edge(ground, side) != WADI_EDGE_CLOSED ? 0.0f
                                                                              : behind / fabsf(hop);
}

// In a corner of two walls a slab stops at the wall that it strikes first. If each coordinate were
// clamped by itself, all slabs that pass the corner would land in one cell: 80 km of sand, in a
// test with 2 m of sand on 200 x 200 cells and hops as long as the grid.
static void flock_stop(const slab_bed* bed, slab_flock* flock, int32_t i)
{
    const wadi_ground* ground = bed->ground;
    const slab_site* from = &bed->sites[flock->cell[i]];
    const float along = 1.0f + bed->law.spread * flock->along[i];
    const float across = bed->law.spread * flock->across[i];
    const float hop_x = along * from->hop_x - across * from->hop_y;
    const float hop_y = along * from->hop_y + across * from->hop_x;
    const float x = flock_behind(ground, WADI_SIDE_WEST, WADI_SIDE_EAST,
                                 (float)wadi_ground_whole_width(ground), flock->x[i], hop_x);
    const float y = flock_behind(ground, WADI_SIDE_NORTH, WADI_SIDE_SOUTH,
                                 (float)wadi_ground_whole_height(ground), flock->y[i], hop_y);
    if (x > 0.0f && y > 0.0f)
    {
        flock->x[i] -= x < y ? y * hop_x : 0.0f;
        flock->y[i] -= x < y ? 0.0f : x * hop_y;
    }
}

// Bring a slab that has left the grid back across periodic and closed edges. False: it has left
// over an open edge, which is booked.
static bool flock_return(const slab_bed* bed, slab_flock* flock, int32_t i, wadi_tally* tally)
{
    const wadi_ground* ground = bed->ground;
    flock_stop(bed, flock, i);
    int32_t side = flock_fold(ground, WADI_SIDE_WEST, WADI_SIDE_EAST,
                              (float)wadi_ground_whole_width(ground), &flock->x[i]);
    if (side == FLOCK_INSIDE)
    {
        side = flock_fold(ground, WADI_SIDE_NORTH, WADI_SIDE_SOUTH,
                          (float)wadi_ground_whole_height(ground), &flock->y[i]);
    }
    if (side != FLOCK_INSIDE)
    {
        tally->out[WADI_MATERIAL_SEDIMENT][side] += flock->amount[i];
        return false;
    }
    flock->to[i] = wadi_slab_riders_cell(bed, flock->x[i], flock->y[i]);
    return true;
}

bool wadi_slab_flock_falls(const slab_bed* bed, int32_t cell, int32_t amount, wadi_tally* tally)
{
    const bool falls = bed->ground->valid[cell] == 0;
    if (falls)
    {
        tally->out[WADI_MATERIAL_SEDIMENT][wadi_ground_void_side(bed->ground, cell)] += amount;
    }
    return falls;
}

// Process a slab off the arrays or over a void. False: it goes no further here.
static bool flock_arrives(const slab_bed* bed, slab_flock* flock, int32_t i, wadi_tally* tally)
{
    if (flock->to[i] < 0 && !flock_return(bed, flock, i, tally))
    {
        return false;
    }
    if (flock->to[i] < 0)
    {
        wadi_slab_riders_add(bed, flock, i); // over another window
        return false;
    }
    return !wadi_slab_flock_falls(bed, flock->to[i], flock->amount[i], tally);
}

void wadi_slab_flock_hop(const slab_bed* bed, slab_flock* flock, wadi_tally* tally)
{
    const wadi_ground* ground = bed->ground;
    const int32_t leaving = bed->flock->hop(flock, bed->sites, bed->law.spread, &bed->field);
    if (leaving > 0 || !ground->all_valid)
    {
        for (int32_t i = 0; i < flock->count; ++i)
        {
            flock->bounces[i] = flock_arrives(bed, flock, i, tally) ? 1 : 0;
        }
        wadi_slab_flock_keep(flock);
    }
    memcpy(flock->cell, flock->to, (size_t)flock->count * sizeof *flock->to);
}

// ---- landing ------------------------------------------------------------------------------------

static void flock_strike(const slab_bed* bed, slab_flock* flock)
{
    if (flock->drawn == SLAB_FLOCK_WORDS)
    {
        flock->round += 1;
        wadi_slab_flock_draw(bed, flock);
    }
    bed->flock->strike(flock, bed->sites);
    for (int32_t i = 0; i < flock->count; ++i)
    {
        flock_add(bed, flock->cell[i], flock->amount[i], 32 * flock->bounces[i]);
    }
    wadi_slab_flock_keep(flock);
}

void wadi_slab_flock_land(const slab_bed* bed, slab_flock* flock, wadi_tally* tally)
{
    while (flock->count > 0)
    {
        flock_strike(bed, flock);
        wadi_slab_flock_hop(bed, flock, tally);
    }
}
