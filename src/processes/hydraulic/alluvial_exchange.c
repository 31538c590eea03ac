// SPDX-License-Identifier: MIT
// Load along the ways of parcels, and the water surface above them.
//
// A parcel comes nearer to the load that its own water can carry, so parcels of one round do not
// count twice. Each visitor of a cell takes at most its part of what the cell gives: what all take
// is there, and no cell ever owes matter.
//
// Sums of cells are integers, so each worker has its own, and they are added when the ground takes
// them (alluvial_apply.c).
#include "processes/hydraulic/alluvial.h"
#include "processes/hydraulic/alluvial_law.h"

#include "core/dmath.h"
#include "core/prefetch.h"

#include <math.h>

#define EXCHANGE_SLOPE 1e-3f   // least slope where water leaves the map
#define EXCHANGE_FILL 2.0f     // [m] by which water rises where parcels lose their way
#define EXCHANGE_BACK 4        // moves over which that slope is measured
#define EXCHANGE_FLOW 65536.0f // units of flow per m3/s and cell
#define EXCHANGE_DRY 1e-6f     // [m2/s] least flow of water that sinks
#define EXCHANGE_GONE 80.0f    // lengths of its way in which a flood sinks, at most
#define EXCHANGE_MOST 1e7f     // [m3/s] of a parcel in the sums of flow, so that they fit 64 bits

// One parcel on its way.
typedef struct exchange_state
{
    uint64_t dice;
    float whole;   // [units x cells] of water that the parcel begins with
    float water;   // and that it is
    float left;    // share of it after `seepage`
    float sunk;    // share that sank in the last move
    float share;   // of the way to equilibrium in a move
    float scale;   // units of flow
    int32_t count; // nodes where it takes and lays down load
    bool lost;
    int64_t east; // half of the flow of the last move
    int64_t south;
} exchange_state;

enum
{
    EXCHANGE_TEAM = 2 * ALLUVIAL_LEVELS, // every other parcel has levels
    EXCHANGE_TURNS = 8,                  // parcels that take turns, so that none waits for itself
    EXCHANGE_AHEAD = 16                  // nodes that are fetched before their turn
};

static uint64_t exchange_roll(exchange_state* s)
{
    s->dice = s->dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return s->dice;
}

// Round an amount >= 0 up or down by chance, without bias.
static int32_t exchange_whole(float amount, uint32_t dice)
{
    const float capped = amount < 1e9f ? amount : 1e9f;
    return (int32_t)(capped + (float)(dice >> 8) * 0x1p-24f);
}

// ---- load --------------------------------------------------------------------------------

static void exchange_take(const alluvial* a, const alluvial_offer* offer, exchange_state* s,
                          alluvial_parcel* parcel, alluvial_sums* sums, int64_t c, float want)
{
    const uint64_t dice = exchange_roll(s);
    const int32_t whole = exchange_whole(want, (uint32_t)(dice >> 32));
    const int32_t taken = whole < offer->give ? whole : offer->give;
    const float coarse = (float)a->coarse[c] * (1.0f / ALLUVIAL_SORTED);
    int32_t part = exchange_whole((float)taken * coarse, (uint32_t)dice);
    part = part < taken ? part : taken;
    sums->taken += taken;
    parcel->load[ALLUVIAL_COARSE] += part;
    parcel->load[ALLUVIAL_FINE] += taken - part;
}

static void exchange_lay(const alluvial_offer* offer, exchange_state* s, alluvial_parcel* parcel,
                         alluvial_sums* sums, float coarse)
{
    const uint64_t dice = exchange_roll(s);
    const float falls = offer->falls + s->sunk;
    const float fine = (float)parcel->load[ALLUVIAL_FINE] * (falls < 1.0f ? falls : 1.0f);
    const int32_t want[ALLUVIAL_GRAINS] = {exchange_whole(coarse, (uint32_t)(dice >> 32)),
                                           exchange_whole(fine, (uint32_t)dice)};
    int32_t room = offer->room;
    for (int32_t g = 0; g < ALLUVIAL_GRAINS; ++g)
    {
        int64_t laid = want[g] < parcel->load[g] ? want[g] : parcel->load[g];
        laid = laid < room ? laid : room;
        sums->laid[g] += (int32_t)laid;
        parcel->load[g] -= laid;
        room -= (int32_t)laid;
    }
}

static void exchange_node(const alluvial* a, exchange_state* s, alluvial_parcel* parcel, int64_t c,
                          alluvial_sums* sums)
{
    const alluvial_offer* offer = &a->offers[c];
    const float coarse = (float)parcel->load[ALLUVIAL_COARSE];
    const float stays = coarse * s->sunk; // of the water that sank
    const float change = (offer->capacity * s->water - (coarse - stays)) * s->share;
    if (change > 0.0f && offer->give > 0)
    {
        exchange_take(a, offer, s, parcel, sums, c, change);
    }
    exchange_lay(offer, s, parcel, sums, stays + (change < 0.0f ? -change : 0.0f));
    const int64_t passed = parcel->load[ALLUVIAL_COARSE] + parcel->load[ALLUVIAL_FINE];
    sums->passed += passed < INT32_MAX ? passed : INT32_MAX;
}

// Water sinks into the ground that it wets, at the rate `seepage`. What a cell has of it is at
// least the parcel's own. Ground under standing water is full.
static void exchange_seep(const alluvial* a, const alluvial_parcel* parcel, exchange_state* s,
                          alluvial_node* node, float kept)
{
    const bool under = alluvial_still(a, node->cell) > wadi_ground_surface(a->ground, node->cell);
    const float own = a->rivers[parcel->river].parcel * kept / (float)a->cell;
    const float most = node->flow > own ? node->flow : own;
    const float flow = most > EXCHANGE_DRY ? most : EXCHANGE_DRY;
    const float way = ALLUVIAL_STRIDE * (float)(a->cell * a->params.seepage) / flow;
    s->sunk = under ? 0.0f : 1.0f - wadi_expf(way < EXCHANGE_GONE ? -way : -EXCHANGE_GONE);
    s->left *= 1.0f - s->sunk;
    node->left = s->left;
}

// Nodes but the last, where the parcel has left.
static int32_t exchange_count(const alluvial_parcel* parcel)
{
    return parcel->end == ALLUVIAL_WALK ? parcel->count : parcel->count - 1;
}

// ---- water surface -----------------------------------------------------------------------

// Levels over the datum; those beyond the heights of a terrain are of no use.
static int32_t exchange_units(float metres)
{
    const float capped = metres < 32000.0f ? metres : 32000.0f;
    return (int32_t)(capped * (float)WADI_UNITS_PER_METRE);
}

// Depth at the last node: normal on the slope by which the water leaves.
static float exchange_last_level(const alluvial* a, const alluvial_node* nodes, int32_t last)
{
    const int32_t back = last < EXCHANGE_BACK ? last : EXCHANGE_BACK;
    const float way = (float)(back > 0 ? back : 1) * ALLUVIAL_STRIDE * (float)a->cell;
    const float slope = (nodes[last - back].water - nodes[last].water) / way;
    const float steep = slope > EXCHANGE_SLOPE ? slope : EXCHANGE_SLOPE;
    const float q = nodes[last].flow;
    const float cube = (float)(a->params.bed_friction / ALLUVIAL_GRAVITY) * q * q / steep;
    const float depth = cube > 1e-12f ? wadi_powf(cube, 1.0f / 3.0f) : 0.0f;
    const float level = nodes[last].bed + depth;
    return level > nodes[last].water || !a->has_sea ? level : nodes[last].water;
}

// The levels along the ways of parcels of a team, backwards from their ends. A level waits for the
// one below it, so parcels take turns.
typedef struct exchange_water
{
    _Alignas(64) float flow[ALLUVIAL_LEVELS];
    float bed[ALLUVIAL_LEVELS];
    float level[ALLUVIAL_LEVELS];
    const alluvial_node* nodes[ALLUVIAL_LEVELS];
    int32_t next[ALLUVIAL_LEVELS]; // node
    int32_t count;
    int32_t longest;
} exchange_water;

static void exchange_begin(const alluvial* a, const alluvial_parcel* parcel,
                           const alluvial_node* nodes, exchange_water* water)
{
    const int32_t last = parcel->count - 1;
    water->nodes[water->count] = nodes;
    water->next[water->count] = last - 1;
    water->level[water->count++] = exchange_last_level(a, nodes, last);
    water->longest = last > water->longest ? last : water->longest;
}

static void exchange_level(alluvial_sums* sums, float level)
{
    sums->level += exchange_units(level);
    sums->levels += 1;
}

static void exchange_surfaces(const alluvial* a, exchange_water* water, alluvial_sums* sums)
{
    const alluvial_flow_kernels* kernels = alluvial_flow_kernels_of(wadi_isa_best());
    const float drag =
        ALLUVIAL_STRIDE * (float)(a->cell * a->params.bed_friction / ALLUVIAL_GRAVITY);
    for (int32_t k = 0; k < water->longest; ++k)
    {
        for (int32_t i = 0; i < water->count; ++i)
        {
            const int32_t next = water->next[i] > 0 ? water->next[i] : 0;
            water->flow[i] = water->nodes[i][next].flow;
            water->bed[i] = water->nodes[i][next].bed;
        }
        kernels->level(drag, water->flow, water->bed, water->level);
        for (int32_t i = 0; i < water->count; ++i)
        {
            if (water->next[i] >= 0)
            {
                const alluvial_node* node = &water->nodes[i][water->next[i]--];
                exchange_level(&sums[node->cell], water->level[i]);
            }
        }
    }
}

// Where a parcel has lost its way, in a hollow, the water rises.
static void exchange_fill(const alluvial_parcel* parcel, const alluvial_node* nodes,
                          alluvial_sums* sums)
{
    for (int32_t k = 0; k < parcel->count; ++k)
    {
        const float level = nodes[k].water + (k > parcel->count / 2 ? EXCHANGE_FILL : 0.0f);
        exchange_level(&sums[nodes[k].cell], level);
    }
}

// ---- passes ------------------------------------------------------------------------------

static exchange_state exchange_start(const alluvial* a, int64_t index)
{
    const alluvial_parcel* parcel = &a->fleet[index];
    const alluvial_river* river = &a->rivers[parcel->river];
    const double volume = (double)river->parcel * a->seconds / (a->cell * a->cell);
    const float flow = river->parcel < EXCHANGE_MOST ? river->parcel : EXCHANGE_MOST;
    exchange_state s = {
        .dice = (uint64_t)a->rounds * UINT64_C(0x9E3779B97F4A7C15) +
                (uint64_t)index * UINT64_C(0xD1342543DE82EF95) + a->seed,
        .whole = (float)(volume * WADI_UNITS_PER_METRE),
        .left = 1.0f,
        .share = 1.0f - wadi_expf(-ALLUVIAL_STRIDE * (float)(a->cell / a->params.adaptation)),
        .scale = flow * EXCHANGE_FLOW,
        .count = exchange_count(parcel),
        .lost = parcel->end == ALLUVIAL_WALK,
    };
    (void)exchange_roll(&s);
    return s;
}

// Flow of the moves to and from the node `k`: half of each belongs to the cell that is left and
// half to the one entered.
static void exchange_flow(exchange_state* s, const alluvial_parcel* parcel,
                          const alluvial_node* nodes, int32_t k, float kept, alluvial_sums* sums)
{
    alluvial_sums* here = &sums[nodes[k].cell];
    here->east += s->east;
    here->south += s->south;
    if (k + 1 == parcel->count)
    {
        return;
    }
    const alluvial_node* to = &nodes[k + 1];
    const float half = 0.5f * (s->scale * kept);
    s->east = (int64_t)(to->east * half);
    s->south = (int64_t)(to->south * half);
    here->east += s->east;
    here->south += s->south;
    if (k + 1 == s->count && to->cell >= 0)
    {
        sums[to->cell].east += s->east;
        sums[to->cell].south += s->south;
    }
}

// Flow of a lost parcel: its way without its loops. It goes round in a hollow, and would be counted
// as a stream there again at each round, which digs the hollow out.
static void exchange_lost_flow(const alluvial* a, exchange_state* s, const alluvial_parcel* parcel,
                               const alluvial_node* nodes, int32_t* latest, alluvial_sums* sums)
{
    for (int32_t k = 0; k < parcel->count; ++k)
    {
        latest[nodes[k].cell] = k;
    }
    for (int32_t k = 0; k < parcel->count; ++k)
    {
        k = latest[nodes[k].cell];
        exchange_flow(s, parcel, nodes, k, alluvial_kept(a, nodes, k), sums);
    }
}

// Load along the ways of a team. What a parcel carries waits for the node before, so they take
// turns.
static void exchange_loads(alluvial* a, int64_t first, int32_t team, int32_t* latest,
                           alluvial_sums* sums)
{
    const bool seeps = a->params.seepage > 0.0;
    exchange_state states[EXCHANGE_TURNS];
    int32_t most = 0;
    for (int32_t i = 0; i < team; ++i)
    {
        states[i] = exchange_start(a, first + i);
        most = states[i].count > most ? states[i].count : most;
    }
    for (int32_t k = 0; k < most; ++k)
    {
        const float kept = a->kept != NULL ? a->kept[k] : 1.0f;
        for (int32_t i = 0; i < team; ++i)
        {
            exchange_state* s = &states[i];
            if (k < s->count)
            {
                alluvial_parcel* parcel = &a->fleet[first + i];
                alluvial_node* nodes = &a->nodes[(first + i) * a->longest];
                const int64_t c = nodes[k].cell;
                const int32_t ahead = k + EXCHANGE_AHEAD;
                const float left = kept * s->left;
                wadi_prefetch(&nodes[ahead < s->count ? ahead : s->count - 1]);
                s->water = s->whole * left;
                exchange_node(a, s, parcel, c, &sums[c]);
                if (!s->lost)
                {
                    exchange_flow(s, parcel, nodes, k, left, sums);
                }
                if (seeps)
                {
                    exchange_seep(a, parcel, s, &nodes[k], kept * s->left);
                }
            }
        }
    }
    for (int32_t i = 0; i < team; ++i)
    {
        if (states[i].lost)
        {
            exchange_lost_flow(a, &states[i], &a->fleet[first + i],
                               &a->nodes[(first + i) * a->longest], latest, sums);
        }
    }
}

static void exchange_block(int64_t block, int32_t worker, void* job)
{
    alluvial* a = job;
    alluvial_sums* sums = a->sums[worker];
    const int64_t first = block * EXCHANGE_TEAM;
    const int64_t left = a->fleet_count - first;
    const int32_t team = left < EXCHANGE_TEAM ? (int32_t)left : EXCHANGE_TEAM;
    for (int32_t i = 0; i < team; i += EXCHANGE_TURNS)
    {
        const int32_t turns = team - i < EXCHANGE_TURNS ? team - i : EXCHANGE_TURNS;
        exchange_loads(a, first + i, turns, a->latest[worker], sums);
    }
    exchange_water water = {.count = 0};
    for (int64_t i = first; i < first + team; ++i)
    {
        const alluvial_parcel* parcel = &a->fleet[i];
        const alluvial_node* nodes = a->nodes + i * a->longest;
        if (parcel->end == ALLUVIAL_WALK)
        {
            exchange_fill(parcel, nodes, sums);
        }
        else if (i % 2 == 0)
        {
            exchange_begin(a, parcel, nodes, &water);
        }
    }
    exchange_surfaces(a, &water, sums);
}

// ---- ends --------------------------------------------------------------------------------

// The load of a parcel leaves with it, or is kept for its river if the parcel is lost.
static void exchange_end(alluvial* a, const alluvial_parcel* parcel)
{
    int64_t* carry = a->rivers[parcel->river].carry;
    const bool handed = parcel->end == ALLUVIAL_HANDED;
    const bool lost = parcel->end == ALLUVIAL_WALK;
    a->lost += lost ? 1.0 : 0.0;
    for (int32_t g = 0; g < ALLUVIAL_GRAINS; ++g)
    {
        if (lost)
        {
            carry[g] += parcel->load[g];
            a->tally.transit[WADI_MATERIAL_SEDIMENT] += parcel->load[g];
        }
        else if (handed)
        {
            a->rivers[parcel->river].handed += parcel->load[g];
            a->tally.transit[WADI_MATERIAL_SEDIMENT] += parcel->load[g];
        }
        else
        {
            a->tally.out[WADI_MATERIAL_SEDIMENT][parcel->end - ALLUVIAL_EXIT] += parcel->load[g];
        }
    }
}

void wadi_alluvial_exchange(alluvial* a)
{
    wadi_parallel_blocks(a->context, (a->fleet_count + EXCHANGE_TEAM - 1) / EXCHANGE_TEAM,
                         exchange_block, a);
    for (int32_t i = 0; i < a->fleet_count; ++i)
    {
        const alluvial_parcel* parcel = &a->fleet[i];
        const int32_t count = exchange_count(parcel);
        exchange_end(a, parcel);
        wadi_alluvial_book_water(a, parcel, a->nodes + (int64_t)i * a->longest, count);
        a->moves += count;
    }
}
