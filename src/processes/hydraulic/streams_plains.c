// SPDX-License-Identifier: MIT
// Floods on the alluvial reaches of streams.
//
// On the way of a river through its reach the load of the step is caught: it is that of all streams
// that come there. Floods of model `alluvial` lay it down and take it up again. What leaves the
// reach goes on in the next step, where the way of the river left it; between the steps it is
// booked as transit, as is what lost parcels hold.
#include "processes/hydraulic/streams_plains.h"
#include "processes/hydraulic/streams.h"

#include <wadi/archive.h>

#include <math.h>
#include <string.h>

// Most load in transit at one place of a saved state [units x cells].
static const int64_t plain_most_load = (int64_t)1 << 50;

enum
{
    PLAIN_DETOUR = 8 // a parcel is lost after so many times the length of a reach
};

// ---- life --------------------------------------------------------------------------------

// Floods count wear and deposits in the maps of streams.
static void plains_lend_maps(streams* s)
{
    alluvial* a = s->plains->floods;
    wadi_free(s->context, a->wear);
    wadi_free(s->context, a->deposit);
    a->wear = s->wear;
    a->deposit = s->deposit;
}

void wadi_streams_plains_free(streams* s)
{
    stream_plains* p = s->plains;
    if (p == NULL)
    {
        return;
    }
    if (p->floods != NULL)
    {
        p->floods->wear = NULL;
        p->floods->deposit = NULL;
        wadi_alluvial_destroy(p->floods);
    }
    void* const arrays[] = {p->reach, p->flat, p->caught, p->owner, p->raw, p->still, p->queue, p};
    for (size_t i = 0; i < WADI_COUNT(arrays); ++i)
    {
        wadi_free(s->context, arrays[i]);
    }
    s->plains = NULL;
}

wadi_result wadi_streams_plains_create(streams* s)
{
    stream_plains* p;
    WADI_ALLOC(s->context, p, 1, "alluvial reaches");
    s->plains = p;
    uint8_t** const bytes[] = {&p->reach, &p->flat, &p->caught, &p->owner, &p->raw};
    for (size_t i = 0; i < WADI_COUNT(bytes); ++i)
    {
        WADI_ALLOC(s->context, *bytes[i], s->cells, "alluvial reaches");
    }
    WADI_ALLOC(s->context, p->still, s->cells, "alluvial reaches");
    WADI_ALLOC(s->context, p->queue, s->cells, "alluvial reaches");
    WADI_TRY(wadi_alluvial_create(s->terrain, &s->params, s->stream, &p->floods));
    plains_lend_maps(s);
    alluvial* a = p->floods;
    a->reach = (alluvial_reach){p->reach, p->still};
    const double longest = PLAIN_DETOUR * ceil(s->params.plain_reach / s->cell) + 64.0;
    a->longest = longest < a->longest ? (int32_t)longest : a->longest;
    return WADI_OK;
}

// ---- a step ------------------------------------------------------------------------------

static wadi_result plains_set_rivers(streams* s)
{
    const stream_plains* p = s->plains;
    alluvial* a = p->floods;
    alluvial_river* rivers;
    WADI_ALLOC(s->context, rivers, p->mouth_count > 0 ? p->mouth_count : 1, "rivers");
    for (int32_t i = 0; i < p->mouth_count; ++i)
    {
        const plain_mouth* mouth = &p->mouths[i];
        rivers[i] = (alluvial_river){
            .x = (double)(mouth->cell % s->width) + 0.5,
            .y = (double)(mouth->cell / s->width) + 0.5,
            .cell = mouth->cell,
        };
        wadi_alluvial_set_flood(a, &rivers[i], (double)mouth->discharge / ALLUVIAL_SECONDS);
    }
    return wadi_alluvial_set_rivers(a, rivers, p->mouth_count);
}

// What reaches have handed on enters the streams, but for lakes (wadi_streams_plains_apply).
void wadi_streams_plains_bring(streams* s)
{
    stream_plains* p = s->plains;
    int32_t left = 0;
    for (int32_t i = 0; i < p->handed_count; ++i)
    {
        const plain_handed handed = p->handed[i];
        if (s->wet[handed.cell] != 0)
        {
            p->handed[left++] = handed;
            continue;
        }
        s->load[handed.cell] += handed.load;
        s->tally.transit[WADI_MATERIAL_SEDIMENT] -= handed.load;
    }
    p->handed_count = left;
}

wadi_result wadi_streams_plains_begin(streams* s)
{
    wadi_streams_find_reaches(s);
    return plains_set_rivers(s);
}

void wadi_streams_plains_apply(streams* s)
{
    stream_plains* p = s->plains;
    for (int32_t i = 0; i < p->handed_count; ++i)
    {
        const plain_handed handed = p->handed[i];
        s->tally.transit[WADI_MATERIAL_SEDIMENT] -= handed.load;
        s->load[handed.cell] += s->kind[handed.cell] == STREAM_LAKE
                                    ? wadi_streams_settle(s, handed.cell, handed.load)
                                    : handed.load;
    }
    p->handed_count = 0;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        if (p->caught[c] != 0)
        {
            s->kind[c] = STREAM_OUTLET;
        }
    }
}

// The loads that were caught, by river.
static void plains_catch(streams* s)
{
    const stream_plains* p = s->plains;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        if (p->caught[c] != 0)
        {
            p->floods->rivers[p->owner[c] - 1].load += s->load[c];
            s->load[c] = 0;
        }
    }
}

// Outside of reaches no flood is left.
static void plains_dry(const streams* s)
{
    const stream_plains* p = s->plains;
    alluvial* a = p->floods;
    a->has_sea = false;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        if (p->reach[c] == 0)
        {
            a->level[c] = wadi_ground_surface(s->ground, c);
            a->east[c] = 0.0f;
            a->south[c] = 0.0f;
        }
        a->has_sea |= p->reach[c] != 0 && p->still[c] != INT32_MIN;
    }
}

static void plains_hand_on(streams* s)
{
    stream_plains* p = s->plains;
    for (int32_t i = 0; i < p->mouth_count; ++i)
    {
        const int64_t load = p->floods->rivers[i].handed;
        if (load > 0)
        {
            p->handed[p->handed_count++] = (plain_handed){p->mouths[i].exit, load};
        }
    }
}

// Lakes are shallower by what floods have laid down in them.
static void plains_raise_lakes(const streams* s)
{
    const stream_plains* p = s->plains;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        if (p->reach[c] != 0 && (s->wet[c] != 0 || s->rim[c] == STREAM_PLAYA))
        {
            const int64_t over = (int64_t)wadi_ground_surface(s->ground, c) - p->still[c];
            s->drop[c] = over < 0 ? (int32_t)over : 0;
        }
    }
}

void wadi_streams_plains_flood(streams* s)
{
    stream_plains* p = s->plains;
    alluvial* a = p->floods;
    if (p->mouth_count == 0)
    {
        return;
    }
    plains_catch(s);
    plains_dry(s);
    const double seconds = s->rates.years * s->params.flood_days * 86400.0;
    const double rounds = fmax(wadi_alluvial_rounds(a, seconds), 1.0);
    a->steps = (int64_t)ceil(fmin(rounds, s->params.plain_rounds));
    a->seconds = seconds / (double)a->steps;
    wadi_alluvial_run(a);
    plains_hand_on(s);
    plains_raise_lakes(s);
}

// ---- matter in transit -------------------------------------------------------------------

static int64_t plains_handed(const stream_plains* p)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < p->handed_count; ++i)
    {
        sum += p->handed[i].load;
    }
    return sum;
}

int64_t wadi_streams_plains_held(const streams* s)
{
    const alluvial* a = s->plains->floods;
    int64_t sum = plains_handed(s->plains);
    for (int32_t g = 0; g < ALLUVIAL_GRAINS; ++g)
    {
        sum += a->carry[g];
        for (int32_t i = 0; i < a->river_count; ++i)
        {
            sum += a->rivers[i].carry[g];
        }
    }
    return sum;
}

static void plains_forget(stream_plains* p)
{
    alluvial* a = p->floods;
    p->handed_count = 0;
    memset(a->carry, 0, sizeof a->carry);
    for (int32_t i = 0; i < a->river_count; ++i)
    {
        memset(a->rivers[i].carry, 0, sizeof a->rivers[i].carry);
    }
}

// The cells of all reaches get a little each; without reaches all cells do. What has no room there
// lies down on the other cells, from north to south, or stays.
void wadi_streams_plains_settle(streams* s)
{
    stream_plains* p = s->plains;
    alluvial* a = p->floods;
    const int64_t sum = wadi_streams_plains_held(s);
    int64_t rest = sum;
    int64_t cells = 0;
    int64_t all = 0;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        cells += p->reach[c] != 0 && s->ground->valid[c] != 0 ? 1 : 0;
        all += s->ground->valid[c] != 0 ? 1 : 0;
    }
    const bool anywhere = cells == 0;
    int64_t left = anywhere ? all : cells;
    for (int64_t c = 0; c < s->cells && left > 0 && rest > 0; ++c)
    {
        if (s->ground->valid[c] != 0 && (anywhere || p->reach[c] != 0))
        {
            rest -= wadi_alluvial_settle_cell(a, c, rest / left);
            left -= 1;
        }
    }
    for (int64_t c = 0; c < s->cells && rest > 0; ++c)
    {
        rest -= s->ground->valid[c] != 0 ? wadi_alluvial_settle_cell(a, c, rest) : 0;
    }
    plains_forget(p);
    a->carry[ALLUVIAL_COARSE] = rest;
    a->tally.transit[WADI_MATERIAL_SEDIMENT] -= sum - rest;
    wadi_terrain_book(s->terrain, "hydraulic", &a->tally);
    a->tally = (wadi_tally){0};
}

// ---- maps and state ----------------------------------------------------------------------

float wadi_streams_plains_map(const streams* s, int32_t map, int64_t c)
{
    const stream_plains* p = s->plains;
    if (p == NULL || p->reach[c] == 0)
    {
        return 0.0f;
    }
    const alluvial* a = p->floods;
    const int64_t deep = (int64_t)a->level[c] - wadi_ground_surface(s->ground, c);
    const float depth = (float)deep * (float)(1.0 / WADI_UNITS_PER_METRE);
    switch (map)
    {
    case HYDRAULIC_MAP_FLOOD_DEPTH:
        return depth > 0.0f ? depth : 0.0f;
    case HYDRAULIC_MAP_COARSE:
        return (float)a->coarse[c] * (1.0f / ALLUVIAL_SORTED);
    case HYDRAULIC_MAP_FLOOD_FLOW:
        return sqrtf(a->east[c] * a->east[c] + a->south[c] * a->south[c]) * (float)a->cell;
    default:
        return 1.0f;
    }
}

static wadi_result plains_archive_rivers(streams* s, wadi_archive* archive)
{
    alluvial* a = s->plains->floods;
    int64_t count = a->river_count;
    WADI_TRY(wadi_archive_count(archive, &count, PLAIN_MOUTHS, "rivers on plains"));
    if (wadi_archive_is_reading(archive))
    {
        alluvial_river* rivers;
        WADI_ALLOC(s->context, rivers, count > 0 ? count : 1, "rivers");
        WADI_TRY(wadi_alluvial_set_rivers(a, rivers, (int32_t)count));
    }
    for (int32_t i = 0; i < a->river_count; ++i)
    {
        alluvial_river* river = &a->rivers[i];
        wadi_archive_f64(archive, &river->x, 1);
        wadi_archive_f64(archive, &river->y, 1);
        wadi_archive_f64(archive, &river->swing, 1);
        wadi_archive_i64(archive, river->carry, ALLUVIAL_GRAINS);
        const bool sound =
            river->x >= 0.0 && river->x <= s->width && river->y >= 0.0 && river->y <= s->height;
        WADI_CHECK(s->context, sound, WADI_ERROR_FORMAT,
                   "the saved river %d on a plain is out of range", i + 1);
    }
    return wadi_archive_result(archive);
}

static wadi_result plains_archive_handed(streams* s, wadi_archive* archive)
{
    stream_plains* p = s->plains;
    int64_t count = p->handed_count;
    WADI_TRY(wadi_archive_count(archive, &count, PLAIN_HANDED, "loads that leave plains"));
    p->handed_count = (int32_t)count;
    for (int32_t i = 0; i < p->handed_count; ++i)
    {
        plain_handed* handed = &p->handed[i];
        wadi_archive_i64(archive, &handed->cell, 1);
        wadi_archive_i64(archive, &handed->load, 1);
        const bool sound = handed->cell >= 0 && handed->cell < s->cells &&
                           s->ground->valid[handed->cell] != 0 && handed->load >= 0 &&
                           handed->load <= plain_most_load;
        p->handed_count = sound ? p->handed_count : 0;
        WADI_CHECK(s->context, sound, WADI_ERROR_FORMAT,
                   "the saved load %d that leaves a plain is out of range", i + 1);
    }
    return wadi_archive_result(archive);
}

wadi_result wadi_streams_plains_archive(streams* s, wadi_archive* archive)
{
    alluvial* a = s->plains->floods;
    void* const maps[] = {a->level, a->east, a->south};
    for (size_t i = 0; i < WADI_COUNT(maps); ++i)
    {
        wadi_archive_grid(archive, maps[i], 4, s->width, s->height);
    }
    wadi_archive_grid(archive, a->coarse, 2, s->width, s->height);
    wadi_archive_grid(archive, s->plains->reach, 1, s->width, s->height);
    WADI_TRY(plains_archive_rivers(s, archive));
    WADI_TRY(plains_archive_handed(s, archive));
    wadi_archive_i64(archive, &a->rounds, 1);
    wadi_archive_i64(archive, a->carry, ALLUVIAL_GRAINS);
    wadi_archive_f64(archive, &a->moves, 1);
    wadi_archive_f64(archive, &a->parcels, 1);
    wadi_archive_f64(archive, &a->lost, 1);
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(s->context, !wadi_archive_is_reading(archive) || wadi_alluvial_is_sound(a),
               WADI_ERROR_FORMAT, "the saved floods on plains are out of range");
    return WADI_OK;
}
