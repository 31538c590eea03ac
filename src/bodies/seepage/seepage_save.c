// SPDX-License-Identifier: MIT
// Water in soil as bytes, and back. Neighbours are not kept: they follow from positions.
#include "bodies/engine/stream.h"
#include "bodies/seepage/seepage.h"
#include "core/seal.h"

#define SAVE_MAGIC UINT64_C(0x57414449534531)

typedef struct save_header
{
    uint64_t magic;
    int64_t count;
    double units;
    double rain;
    double evaporation;
    double time;
    double step;
    int64_t steps;
    int64_t before;
    int64_t rained;
    int64_t given;
    int64_t held;
    int64_t runoff;
    int64_t evaporated;
    int64_t drained;
} save_header;

typedef struct save_node
{
    double position[3];
    double hold;
    int64_t water;
} save_node;

size_t wadi_seepage_save_size(const wadi_seepage* s)
{
    return sizeof(save_header) + (size_t)s->count * sizeof(save_node) + WADI_SEAL;
}

void wadi_seepage_save(const wadi_seepage* s, void* bytes)
{
    const save_header header = {
        .magic = SAVE_MAGIC,
        .count = s->count,
        .units = s->units,
        .rain = s->params.rain,
        .evaporation = s->params.evaporation,
        .time = s->time,
        .step = s->step,
        .steps = s->steps,
        .before = s->before,
        .rained = s->rained,
        .given = s->given,
        .held = s->held,
        .runoff = s->runoff,
        .evaporated = s->evaporated,
        .drained = s->drained,
    };
    wadi_stream to = {bytes, 0};
    wadi_stream_put(&to, &header, sizeof header);
    for (int32_t i = 0; i < s->count; ++i)
    {
        save_node node = {.hold = s->hold[i], .water = s->water[i]};
        memcpy(node.position, s->position[i], sizeof node.position);
        wadi_stream_put(&to, &node, sizeof node);
    }
    wadi_seal(bytes, wadi_seepage_save_size(s));
}

static bool restore_are_clocks(const save_header* header)
{
    const double rates[2] = {header->rain, header->evaporation};
    return wadi_stream_is_within(rates, 2, 1.0) && header->rain >= 0.0 &&
           header->evaporation >= 0.0 && header->time >= 0.0 && header->time <= 1e15 &&
           header->step > 0.0 && header->step <= 1e15 && header->steps >= 0;
}

// Books of which sums do not overflow.
static bool restore_are_books(const save_header* header)
{
    const int64_t most = (int64_t)1 << 59;
    const int64_t books[] = {header->before, header->rained,     header->given,  header->held,
                             header->runoff, header->evaporated, header->drained};
    bool fit = true;
    for (int k = 0; k < 7; ++k)
    {
        fit = fit && books[k] >= -most && books[k] <= most;
    }
    return fit;
}

// Pores hold a little more than they have room for, under pressure; NaN: a head that is free.
static wadi_result restore_check_numbers(const wadi_seepage* s, const save_header* header,
                                         const unsigned char* nodes)
{
    bool fit = restore_are_clocks(header) && restore_are_books(header);
    for (int32_t i = 0; i < s->count && fit; ++i)
    {
        save_node node;
        memcpy(&node, nodes + (size_t)i * sizeof node, sizeof node);
        fit = node.water >= 0 &&
              (double)node.water <= 1e3 * (1.0 + seepage_pores(s, i) * s->units) &&
              !(fabs(node.hold) > 1e9);
    }
    WADI_CHECK(s->context, fit, WADI_ERROR_FORMAT,
               "the saved water is damaged: it holds amounts, heads or times that no water has; "
               "save it anew");
    return WADI_OK;
}

static void restore_header(wadi_seepage* s, const save_header* header)
{
    s->params.rain = header->rain;
    s->params.evaporation = header->evaporation;
    s->time = header->time;
    s->step = header->step;
    s->steps = header->steps;
    s->before = header->before;
    s->rained = header->rained;
    s->given = header->given;
    s->held = header->held;
    s->runoff = header->runoff;
    s->evaporated = header->evaporated;
    s->drained = header->drained;
}

static void restore_nodes(wadi_seepage* s, const unsigned char* at)
{
    for (int32_t i = 0; i < s->count; ++i, at += sizeof(save_node))
    {
        save_node node;
        memcpy(&node, at, sizeof node);
        s->hold[i] = node.hold;
        s->water[i] = node.water;
    }
}

wadi_result wadi_seepage_restore(wadi_seepage* s, const void* bytes, size_t size)
{
    save_header header = {0};
    WADI_TRY(wadi_stream_header(s->context, bytes, size, SAVE_MAGIC, "saved water", &header,
                                sizeof header));
    WADI_CHECK(s->context, header.count == s->count && header.units == s->units,
               WADI_ERROR_ARGUMENT,
               "water was saved of %lld nodes with other pores than these %d: make it of the same",
               (long long)header.count, s->count);
    WADI_CHECK(s->context, size == wadi_seepage_save_size(s), WADI_ERROR_FORMAT,
               "saved water takes %zu bytes, but there are %zu", wadi_seepage_save_size(s), size);
    WADI_TRY(wadi_seal_check(s->context, bytes, size, "pores"));
    const unsigned char* nodes = (const unsigned char*)bytes + sizeof header;
    WADI_TRY(restore_check_numbers(s, &header, nodes));
    double(*positions)[3];
    WADI_ALLOC(s->context, positions, s->count, "places of water");
    for (int32_t i = 0; i < s->count; ++i)
    {
        memcpy(positions[i], nodes + (size_t)i * sizeof(save_node), sizeof positions[i]);
    }
    const wadi_result result = wadi_seepage_move(s, (const double(*)[3])positions);
    wadi_free(s->context, positions);
    WADI_TRY(result);
    restore_header(s, &header);
    restore_nodes(s, nodes);
    return WADI_OK;
}
