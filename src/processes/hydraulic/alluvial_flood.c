// SPDX-License-Identifier: MIT
// Floods of unequal size, and the parcels that bring their water and load.
//
// The size of a flood is Q = Q0 exp(s g - s^2 / 2), of mean Q0; g is a series of unit variance
// whose memory decays over `flood_memory`. Load goes with water.
#include "processes/hydraulic/alluvial.h"

#include "core/dmath.h"
#include "core/random.h"

#include <math.h>

enum
{
    FLOOD_TRIES = 4,       // places of which a parcel starts at the lowest
    FLOOD_BLOCKS = 8,      // of parcels, at least, if they fill as many teams
    FLOOD_TEAMS = 4,       // in a block, at most
    FLOOD_SWINGS = 1 << 20 // entities of the random numbers of floods come after parcels
};

// The next value of the series of a river: `round` since creation.
static double flood_next(const alluvial* a, int32_t river, int64_t round, double swing)
{
    const uint64_t entity = (uint64_t)(FLOOD_SWINGS + river) << 32 | (uint64_t)(round >> 32);
    const wadi_philox dice = wadi_random(a->seed, a->stream, entity, (uint32_t)round);
    const double u = wadi_unit_double(dice.v[0], dice.v[1]) + 0x1p-54;
    const double v = wadi_unit_double(dice.v[2], dice.v[3]);
    // Box & Muller 1958
    const double fresh = sqrt(-2.0 * wadi_log(u)) * wadi_cos(6.28318530717958648 * v);
    const double days = a->seconds / 86400.0;
    const double kept = wadi_exp(-days / a->params.flood_memory);
    return round == 0 ? fresh : kept * swing + sqrt(1.0 - kept * kept) * fresh;
}

static double flood_swell(const alluvial* a, double swing)
{
    const double s = a->params.flood_spread;
    return wadi_exp(s * swing - 0.5 * s * s);
}

void wadi_alluvial_swell(alluvial* a)
{
    for (int32_t i = 0; i < a->river_count; ++i)
    {
        alluvial_river* river = &a->rivers[i];
        double swing = river->swing;
        river->swells = 0.0;
        river->swelled = 0.0;
        river->brought = 0;
        river->poured = 0;
        for (int64_t k = 0; k < a->steps; ++k)
        {
            swing = flood_next(a, i, a->rounds + k, swing);
            river->swells += flood_swell(a, swing);
        }
    }
}

// ---- parcels -----------------------------------------------------------------------------

int64_t wadi_alluvial_share(int64_t amount, int32_t index, int32_t count)
{
    const int64_t each = amount / count;
    return each + (index < amount - each * count ? 1 : 0);
}

static uint64_t flood_key(const alluvial* a, int32_t parcel)
{
    const uint64_t entity = (uint64_t)(uint32_t)parcel << 32 | (uint64_t)(a->rounds >> 32);
    const wadi_philox dice = wadi_random(a->seed, a->stream, entity, (uint32_t)a->rounds);
    return (uint64_t)dice.v[0] << 32 | dice.v[1];
}

// A place in the mouth: the lowest of a few, so that channels take most water.
static void flood_place(const alluvial* a, const alluvial_river* river, uint64_t key, float* x,
                        float* y)
{
    float low = 1e30f;
    *x = (float)(river->cell % a->width) + 0.5f;
    *y = (float)(river->cell / a->width) + 0.5f;
    for (int32_t i = 0; i < FLOOD_TRIES; ++i)
    {
        key = key * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double turn = (double)(key >> 44) * 0x1p-20 * 6.28318530717958648;
        const double far = sqrt((double)(key >> 20 & 0xFFFFF) * 0x1p-20) * river->spread;
        const float at_x = (float)(river->x + far * wadi_cos(turn));
        const float at_y = (float)(river->y + far * wadi_sin(turn));
        const bool inside =
            at_x >= 0.0f && at_y >= 0.0f && at_x < (float)a->width && at_y < (float)a->height;
        const int64_t at = inside ? alluvial_padded(a, (int32_t)at_x, (int32_t)at_y) : 0;
        const bool open = inside && (a->kinds[at] & (ALLUVIAL_NEAR - 1)) == ALLUVIAL_WALK;
        if (open && a->surfaces[at].water < low)
        {
            low = a->surfaces[at].water;
            *x = at_x;
            *y = at_y;
        }
    }
}

static alluvial_way flood_start(const alluvial* a, int64_t i)
{
    const uint64_t key = flood_key(a, (int32_t)i);
    alluvial_way way = {.key = key, .nodes = a->nodes + i * a->longest};
    flood_place(a, &a->rivers[a->fleet[i].river], key, &way.x, &way.y);
    return way;
}

// Parcels that walk together in a block; large teams fill the lanes better.
static int32_t flood_block(const alluvial* a)
{
    const int32_t teams = a->fleet_count / (FLOOD_BLOCKS * ALLUVIAL_TEAM);
    const int32_t least = teams > 1 ? teams : 1;
    return ALLUVIAL_TEAM * (least < FLOOD_TEAMS ? least : FLOOD_TEAMS);
}

static void flood_walk(int64_t block, int32_t worker, void* job)
{
    alluvial* a = job;
    alluvial_way ways[FLOOD_TEAMS * ALLUVIAL_TEAM];
    const int32_t most = flood_block(a);
    const int64_t first = block * most;
    const int64_t left = a->fleet_count - first;
    const int32_t count = left < most ? (int32_t)left : most;
    for (int32_t i = 0; i < count; ++i)
    {
        ways[i] = flood_start(a, first + i);
    }
    const alluvial_kernels* kernels = alluvial_kernels_of(wadi_isa_best());
    kernels->walk(&a->walk, ways, count, a->longest, a->visits[worker]);
    for (int32_t i = 0; i < count; ++i)
    {
        // between walls on all sides, and lost
        const bool walled = ways[i].end == ALLUVIAL_WALL;
        a->fleet[first + i].count = ways[i].count - (walled ? 1 : 0);
        a->fleet[first + i].end = walled ? ALLUVIAL_WALK : ways[i].end;
    }
}

// Share the load of a round, and what lost parcels held, among the parcels of a river.
static void flood_load(alluvial* a, int32_t index, int64_t load)
{
    int64_t* kept = a->rivers[index].carry;
    const int32_t count = a->params.flood_parcels;
    const int64_t fine = (int64_t)((double)load * a->params.fine_share);
    const int64_t parts[ALLUVIAL_GRAINS] = {load - fine + kept[ALLUVIAL_COARSE],
                                            fine + kept[ALLUVIAL_FINE]};
    for (int32_t g = 0; g < ALLUVIAL_GRAINS; ++g)
    {
        a->tally.transit[WADI_MATERIAL_SEDIMENT] -= kept[g];
        kept[g] = 0;
    }
    for (int32_t i = 0; i < count; ++i)
    {
        alluvial_parcel* parcel = &a->fleet[(ptrdiff_t)index * count + i];
        parcel->river = index;
        for (int32_t g = 0; g < ALLUVIAL_GRAINS; ++g)
        {
            parcel->load[g] = wadi_alluvial_share(parts[g], i, count);
        }
    }
}

// What comes in a round of an amount of the step, of which `done` came in those before.
static int64_t flood_part(int64_t amount, double share, int64_t* done)
{
    const int64_t come = share < 1.0 ? (int64_t)((double)amount * share) : amount;
    const int64_t until = come < amount ? come : amount; // doubles may round up
    const int64_t part = until - *done;
    *done = until;
    return part;
}

static void flood_bring(alluvial* a, int32_t index, int64_t round)
{
    alluvial_river* river = &a->rivers[index];
    river->swing = flood_next(a, index, a->rounds, river->swing);
    river->swell = flood_swell(a, river->swing);
    river->swelled += river->swell;
    const bool last = round == a->steps - 1;
    const double share = last ? 1.0 : river->swelled / river->swells;
    const int64_t load = flood_part(river->load, share, &river->brought);
    // what streams hand over is on its way already
    a->tally.in[WADI_MATERIAL_SEDIMENT] += a->reach.cells == NULL ? load : 0;
    flood_load(a, index, load);
    wadi_alluvial_pour(a, index, flood_part(river->water, share, &river->poured));
    river->parcel = (float)(river->flood * river->swell / a->params.flood_parcels);
}

void wadi_alluvial_flood(alluvial* a, int64_t round)
{
    for (int32_t i = 0; i < a->river_count; ++i)
    {
        flood_bring(a, i, round);
    }
    const int32_t block = flood_block(a);
    wadi_parallel_blocks(a->context, (a->fleet_count + block - 1) / block, flood_walk, a);
    a->parcels += a->fleet_count;
}
