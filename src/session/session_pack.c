// SPDX-License-Identifier: MIT
// A plane through the neighbours to the west, north and north-west predicts each 32-bit word of a
// chunk, and only the difference is kept. 128 differences make a group; each of them gets as many
// bits as the largest needs, so a group of smooth ground takes a fraction of its bytes, and one
// that the plane predicts takes a single byte. The bits of a group lie in four lanes, which vector
// instructions pack at once ("vertical layout" of Lemire & Boytsov 2015, Decoding billions of
// integers per second through vectorization).
#include "session/session_pack.h"

#include "core/archive.h"

#include <string.h>

enum
{
    PACK_LANES = 4,
    PACK_ROWS = 32,
    PACK_GROUP = PACK_LANES * PACK_ROWS, // words
    PACK_WAYS = 4,                       // to predict a word, see pack_row
    PACK_SPOTS = 4,                      // places of a chunk at which ways are compared
    PACK_SPOT = 64                       // words of a place
};

// ---- words --------------------------------------------------------------------------------------

// Distance of the word to the north, in a way to predict words: cells have 4, 2 or 1 bytes. 0:
// words are not predicted.
static int32_t pack_row(int32_t way, int32_t row)
{
    const int32_t rows[PACK_WAYS] = {row, row > 1 ? row / 2 : 1, row > 3 ? row / 4 : 1, 0};
    return rows[way];
}

static uint32_t pack_load(const unsigned char* words, int64_t index)
{
    uint32_t word;
    memcpy(&word, words + 4 * index, sizeof word);
    return word;
}

// Small differences of both signs become small numbers.
static uint32_t pack_fold(uint32_t difference)
{
    return difference << 1 ^ (0u - (difference >> 31));
}

static uint32_t pack_unfold(uint32_t folded)
{
    return folded >> 1 ^ (0u - (folded & 1u));
}

static uint32_t pack_plane(const unsigned char* words, int64_t i, int32_t row)
{
    const uint32_t west = i >= 1 && row > 0 ? pack_load(words, i - 1) : 0;
    return i > row && row > 0 ? west + pack_load(words, i - row) - pack_load(words, i - row - 1)
                              : west;
}

static void pack_predict(const unsigned char* words, int64_t from, int32_t row, int32_t count,
                         uint32_t* out)
{
    if (row == 0 || from <= row)
    {
        for (int32_t k = 0; k < count; ++k)
        {
            out[k] = pack_fold(pack_load(words, from + k) - pack_plane(words, from + k, row));
        }
        return;
    }
    const unsigned char* here = words + 4 * from;
    const unsigned char* north = here - 4 * (int64_t)row;
    for (int32_t k = 0; k < count; ++k)
    {
        out[k] = pack_fold(pack_load(here, k) - pack_load(here, k - 1) - pack_load(north, k) +
                           pack_load(north, k - 1));
    }
}

static int32_t pack_width(uint32_t bits)
{
    int32_t width = 0;
    for (; bits != 0; bits >>= 1)
    {
        ++width;
    }
    return width;
}

static uint32_t pack_any(const uint32_t* values, int32_t count)
{
    uint32_t any = 0;
    for (int32_t k = 0; k < count; ++k)
    {
        any |= values[k];
    }
    return any;
}

// Bits that a chunk takes in one way, judged by a few of its words.
static int32_t pack_judge(const unsigned char* bytes, size_t size, int32_t row)
{
    const int64_t count = (int64_t)size / 4 - PACK_SPOT;
    int32_t bits = 0;
    for (int32_t s = 0; s < PACK_SPOTS && count > 0; ++s)
    {
        uint32_t words[PACK_SPOT];
        pack_predict(bytes, count * (s + 1) / PACK_SPOTS, row, PACK_SPOT, words);
        for (int32_t k = 0; k < PACK_SPOT; k += 8)
        {
            bits += pack_width(pack_any(words + k, 8));
        }
    }
    return bits;
}

static int32_t pack_choose(const unsigned char* bytes, size_t size, int32_t row)
{
    int32_t best = 0;
    int32_t least = INT32_MAX;
    for (int32_t way = 0; way < PACK_WAYS; ++way)
    {
        const int32_t bits = pack_judge(bytes, size, pack_row(way, row));
        best = bits < least ? way : best;
        least = bits < least ? bits : least;
    }
    return best;
}

// ---- groups -------------------------------------------------------------------------------------

static unsigned char* pack_bits(const uint32_t* values, int32_t width, unsigned char* out)
{
    uint32_t lanes[PACK_LANES] = {0};
    int32_t used = 0;
    for (int32_t r = 0; r < PACK_ROWS; ++r)
    {
        const uint32_t* row = values + (ptrdiff_t)PACK_LANES * r;
        for (int32_t k = 0; k < PACK_LANES; ++k)
        {
            lanes[k] |= row[k] << used;
        }
        used += width;
        if (used < 32)
        {
            continue;
        }
        memcpy(out, lanes, sizeof lanes);
        out += sizeof lanes;
        used -= 32;
        for (int32_t k = 0; k < PACK_LANES; ++k)
        {
            lanes[k] = used > 0 ? row[k] >> (width - used) : 0;
        }
    }
    return out;
}

static const unsigned char* pack_unbits(const unsigned char* packed, int32_t width,
                                        uint32_t* values)
{
    const uint32_t mask = width < 32 ? (1u << width) - 1u : 0xFFFFFFFFu;
    uint32_t lanes[PACK_LANES] = {0};
    int32_t left = 0; // bits of a lane that were not taken
    for (int32_t r = 0; r < PACK_ROWS; ++r)
    {
        uint32_t* row = values + (ptrdiff_t)PACK_LANES * r;
        uint32_t next[PACK_LANES] = {0};
        const bool ends = left < width;
        if (ends)
        {
            memcpy(next, packed, sizeof next);
            packed += sizeof next;
        }
        for (int32_t k = 0; k < PACK_LANES; ++k)
        {
            const uint32_t low = left > 0 ? lanes[k] >> (32 - left) : 0;
            row[k] = (low | (ends && left < 32 ? next[k] << left : 0)) & mask;
            lanes[k] = ends ? next[k] : lanes[k];
        }
        left += (ends ? 32 : 0) - width;
    }
    return packed;
}

size_t wadi_session_pack_chunk(const unsigned char* bytes, size_t size, int32_t row,
                               unsigned char* out)
{
    const unsigned char* const begin = out;
    const int32_t way = pack_choose(bytes, size, row);
    const int64_t words = (int64_t)size / 4 / PACK_GROUP * PACK_GROUP;
    *out++ = (unsigned char)way;
    for (int64_t at = 0; at < words; at += PACK_GROUP)
    {
        uint32_t values[PACK_GROUP];
        pack_predict(bytes, at, pack_row(way, row), PACK_GROUP, values);
        const int32_t width = pack_width(pack_any(values, PACK_GROUP));
        *out++ = (unsigned char)width;
        out = width > 0 ? pack_bits(values, width, out) : out;
    }
    const size_t left = size - (size_t)words * 4;
    memcpy(out, bytes + size - left, left);
    return (size_t)(out - begin) + left;
}

static void pack_restore(unsigned char* words, int64_t from, int32_t row, const uint32_t* values)
{
    for (int32_t k = 0; k < PACK_GROUP; ++k)
    {
        const uint32_t word = pack_unfold(values[k]) + pack_plane(words, from + k, row);
        memcpy(words + 4 * (from + k), &word, sizeof word);
    }
}

// Takes a group of packed bytes that end at `end`; NULL when they are damaged.
static const unsigned char* pack_open_group(const unsigned char* packed, const unsigned char* end,
                                            uint32_t* values)
{
    const int32_t width = packed < end ? *packed : 33;
    if (width > 32 || end - packed - 1 < (ptrdiff_t)width * PACK_GROUP / 8)
    {
        return NULL;
    }
    if (width == 0)
    {
        memset(values, 0, PACK_GROUP * sizeof *values);
        return packed + 1;
    }
    return pack_unbits(packed + 1, width, values);
}

bool wadi_session_open_chunk(const unsigned char* packed, size_t packed_size, int32_t row,
                             unsigned char* out, size_t size)
{
    const unsigned char* const end = packed + packed_size;
    if (packed_size == 0 || *packed >= PACK_WAYS)
    {
        return false;
    }
    const int32_t north = pack_row(*packed++, row);
    const int64_t words = (int64_t)size / 4 / PACK_GROUP * PACK_GROUP;
    for (int64_t at = 0; at < words && packed != NULL; at += PACK_GROUP)
    {
        uint32_t values[PACK_GROUP];
        packed = pack_open_group(packed, end, values);
        if (packed != NULL)
        {
            pack_restore(out, at, north, values);
        }
    }
    const size_t left = size - (size_t)words * 4;
    if (packed == NULL || (size_t)(end - packed) != left)
    {
        return false;
    }
    memcpy(out + size - left, packed, left);
    return true;
}

// ---- chunks -------------------------------------------------------------------------------------

// Four chains, because one waits for its products.
static uint64_t pack_sum(const unsigned char* bytes, size_t size)
{
    uint64_t sums[4] = {1, 2, 3, 4};
    size_t at = 0;
    for (; at + 32 <= size; at += 32)
    {
        uint64_t words[4];
        memcpy(words, bytes + at, sizeof words);
        for (int32_t k = 0; k < 4; ++k)
        {
            sums[k] = wadi_archive_mix(sums[k], words[k]);
        }
    }
    uint64_t sum = size;
    for (int32_t k = 0; k < 4; ++k)
    {
        sum = wadi_archive_mix(sum, sums[k]);
    }
    for (; at < size; ++at)
    {
        sum = wadi_archive_mix(sum, bytes[at]);
    }
    return sum;
}

static void pack_slot_block(int64_t block, int32_t worker, void* job)
{
    (void)worker;
    session_packer* packer = job;
    session_slot* slot = &packer->slots[block];
    slot->sum = pack_sum(slot->bytes, slot->size);
    slot->is_same =
        slot->former != NULL && slot->former->sum == slot->sum && slot->former->raw == slot->size;
    if (!slot->is_same)
    {
        slot->packed = wadi_session_pack_chunk(slot->bytes, slot->size, packer->row, slot->out);
    }
}

static wadi_result pack_keep(session_packer* packer, const session_slot* slot)
{
    session_packed* out = packer->out;
    if (slot->is_same)
    {
        session_chunk* shared = packer->former->chunks[out->count];
        shared->users += 1;
        out->chunks[out->count++] = shared;
        return WADI_OK;
    }
    session_chunk* chunk = wadi_alloc(packer->context, 1, sizeof *chunk + slot->packed);
    WADI_CHECK(packer->context, chunk != NULL, WADI_ERROR_MEMORY,
               "there is no memory for a snapshot");
    *chunk = (session_chunk){
        .users = 1, .raw = (uint32_t)slot->size, .size = (uint32_t)slot->packed, .sum = slot->sum};
    memcpy(chunk->bytes, slot->out, slot->packed);
    out->chunks[out->count++] = chunk;
    out->own += (int64_t)(sizeof *chunk + slot->packed);
    return WADI_OK;
}

static wadi_result pack_batch(session_packer* packer)
{
    session_packed* out = packer->out;
    for (int32_t i = 0; i < packer->used; ++i)
    {
        const int32_t k = out->count + i;
        packer->slots[i].former =
            packer->former != NULL && k < packer->former->count ? packer->former->chunks[k] : NULL;
    }
    wadi_parallel_blocks(packer->context, packer->used, pack_slot_block, packer);
    for (int32_t i = 0; i < packer->used; ++i)
    {
        WADI_GROW(packer->context, out->chunks, out->count, out->room, 64, "a snapshot");
        WADI_TRY(pack_keep(packer, &packer->slots[i]));
    }
    packer->used = 0;
    return WADI_OK;
}

void wadi_session_pack(session_packer* packer, const session_packed* former, session_packed* out)
{
    *out = (session_packed){0};
    packer->former = former;
    packer->out = out;
    packer->used = 0;
}

wadi_result wadi_session_pack_write(void* user, const void* bytes, size_t size)
{
    session_packer* packer = user;
    const unsigned char* from = bytes;
    while (size > 0)
    {
        session_slot* slot = packer->used > 0 ? &packer->slots[packer->used - 1] : NULL;
        if (slot == NULL || (slot->size > 0 && SESSION_CHUNK - slot->size < size))
        {
            WADI_TRY(packer->used == SESSION_BATCH ? pack_batch(packer) : WADI_OK);
            slot = &packer->slots[packer->used++];
            slot->size = 0;
        }
        const size_t part = size < SESSION_CHUNK ? size : SESSION_CHUNK;
        memcpy(slot->bytes + slot->size, from, part);
        slot->size += part;
        from += part;
        size -= part;
    }
    return WADI_OK;
}

wadi_result wadi_session_pack_end(session_packer* packer)
{
    return pack_batch(packer);
}

int64_t wadi_session_free_packed(wadi_context* context, session_packed* packed)
{
    int64_t bytes = 0;
    for (int32_t i = 0; i < packed->count; ++i)
    {
        session_chunk* chunk = packed->chunks[i];
        if (--chunk->users == 0)
        {
            bytes += (int64_t)(sizeof *chunk + chunk->size);
            wadi_free(context, chunk);
        }
    }
    wadi_free(context, packed->chunks);
    *packed = (session_packed){0};
    return bytes;
}

static wadi_result pack_open_next(session_opener* opener)
{
    WADI_CHECK(opener->context, opener->chunk < opener->packed->count, WADI_ERROR_FORMAT,
               "a snapshot ends too early");
    const session_chunk* chunk = opener->packed->chunks[opener->chunk++];
    WADI_CHECK(opener->context,
               chunk->raw <= SESSION_CHUNK &&
                   wadi_session_open_chunk(chunk->bytes, chunk->size, opener->row, opener->bytes,
                                           chunk->raw),
               WADI_ERROR_FORMAT, "a snapshot is damaged");
    opener->at = 0;
    opener->size = chunk->raw;
    return WADI_OK;
}

wadi_result wadi_session_open_read(void* user, void* bytes, size_t size)
{
    session_opener* opener = user;
    unsigned char* to = bytes;
    while (size > 0)
    {
        if (opener->at == opener->size)
        {
            WADI_TRY(pack_open_next(opener));
        }
        const size_t left = opener->size - opener->at;
        const size_t part = size < left ? size : left;
        memcpy(to, opener->bytes + opener->at, part);
        opener->at += part;
        to += part;
        size -= part;
    }
    return WADI_OK;
}
