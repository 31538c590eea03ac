// SPDX-License-Identifier: MIT
// Two steps for each block of 64 KiB. A plane through the neighbours to the west, north and
// north-west predicts each 32-bit word, and only the difference is kept, in planes of bytes:
// heights of smooth ground then consist of zeros mostly. What remains is coded in the block format
// of LZ4 (lz4.org, "LZ4 Block Format Description"), with a greedy search over a table of hashes.
#include "session/session_pack.h"

#include <string.h>

enum
{
    PACK_BLOCK = 65536, // bytes
    PACK_WORDS = PACK_BLOCK / 4,
    PACK_HEAD = 9, // bytes before a block: raw size, packed size, kind
    PACK_HASHES = 8192,
    PACK_LEAST = 4,  // bytes of a match
    PACK_TAIL = 12,  // the last bytes of a block hold no start of a match
    PACK_CLOSE = 5,  // and its last five are literals
    PACK_PLAIN = 0,  // as they are
    PACK_PLANES = 1, // differences from the plane
    PACK_LONGEST = PACK_BLOCK + PACK_BLOCK / 255 + 16
};

bool wadi_session_reserve(wadi_context* context, session_bytes* bytes, size_t more)
{
    if (bytes->size + more <= bytes->room)
    {
        return true;
    }
    const size_t room = 2 * bytes->room > bytes->size + more ? 2 * bytes->room : bytes->size + more;
    unsigned char* larger = wadi_alloc(context, room, 1);
    if (larger == NULL)
    {
        return false;
    }
    if (bytes->size > 0)
    {
        memcpy(larger, bytes->data, bytes->size);
    }
    wadi_free(context, bytes->data);
    bytes->data = larger;
    bytes->room = room;
    return true;
}

wadi_result wadi_session_trim(wadi_context* context, session_bytes* bytes)
{
    unsigned char* exact;
    WADI_ALLOC(context, exact, bytes->size > 0 ? bytes->size : 1, "a snapshot");
    memcpy(exact, bytes->data, bytes->size);
    wadi_free(context, bytes->data);
    bytes->data = exact;
    bytes->room = bytes->size;
    return WADI_OK;
}

static uint32_t pack_load(const unsigned char* p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void pack_store(unsigned char* p, uint32_t value)
{
    for (int32_t i = 0; i < 4; ++i)
    {
        p[i] = (unsigned char)(value >> (8 * i));
    }
}

// ---- prediction ---------------------------------------------------------------------------------

// Small differences of both signs become small numbers.
static uint32_t pack_fold(uint32_t difference)
{
    return difference << 1 ^ (0u - (difference >> 31));
}

static uint32_t pack_unfold(uint32_t folded)
{
    return folded >> 1 ^ (0u - (folded & 1u));
}

static uint32_t pack_plane(const uint32_t* words, int32_t i, int32_t row)
{
    const uint32_t west = i >= 1 ? words[i - 1] : 0;
    return i > row ? west + words[i - row] - words[i - row - 1] : west;
}

static void pack_predict(const unsigned char* bytes, int32_t count, int32_t row, uint32_t* words,
                         unsigned char* out)
{
    for (int32_t i = 0; i < count; ++i)
    {
        words[i] = pack_load(bytes + 4 * (size_t)i);
        const uint32_t folded = pack_fold(words[i] - pack_plane(words, i, row));
        for (int32_t k = 0; k < 4; ++k)
        {
            out[k * count + i] = (unsigned char)(folded >> (8 * k));
        }
    }
}

static void pack_restore(const unsigned char* planes, int32_t count, int32_t row, uint32_t* words,
                         unsigned char* out)
{
    for (int32_t i = 0; i < count; ++i)
    {
        uint32_t folded = 0;
        for (int32_t k = 0; k < 4; ++k)
        {
            folded |= (uint32_t)planes[k * count + i] << (8 * k);
        }
        words[i] = pack_unfold(folded) + pack_plane(words, i, row);
        pack_store(out + 4 * (size_t)i, words[i]);
    }
}

static int32_t pack_zeros(const unsigned char* bytes, int32_t size)
{
    int32_t zeros = 0;
    for (int32_t i = 0; i < size; ++i)
    {
        zeros += bytes[i] == 0;
    }
    return zeros;
}

// ---- LZ4 blocks ---------------------------------------------------------------------------------

static unsigned char* pack_length(unsigned char* out, int32_t length)
{
    for (; length >= 255; length -= 255)
    {
        *out++ = 255;
    }
    *out++ = (unsigned char)length;
    return out;
}

// Literals, and then a match of `length` bytes, `distance` bytes back; none if the length is 0.
static unsigned char* pack_sequence(unsigned char* out, const unsigned char* literals,
                                    int32_t count, int32_t distance, int32_t length)
{
    unsigned char* token = out++;
    const int32_t match = length > 0 ? length - PACK_LEAST : 0;
    *token = (unsigned char)((count < 15 ? count : 15) << 4 | (match < 15 ? match : 15));
    if (count >= 15)
    {
        out = pack_length(out, count - 15);
    }
    memcpy(out, literals, (size_t)count);
    out += count;
    if (length > 0)
    {
        *out++ = (unsigned char)distance;
        *out++ = (unsigned char)(distance >> 8);
        if (match >= 15)
        {
            out = pack_length(out, match - 15);
        }
    }
    return out;
}

static int32_t pack_match(const unsigned char* bytes, int32_t from, int32_t at, int32_t end)
{
    int32_t length = 0;
    while (at + length < end && bytes[from + length] == bytes[at + length])
    {
        ++length;
    }
    return length;
}

// Returns the packed size; `out` has room for PACK_LONGEST bytes.
static int32_t pack_lz4(const unsigned char* bytes, int32_t size, unsigned char* out)
{
    int32_t seen[PACK_HASHES];
    memset(seen, 0xFF, sizeof seen); // -1
    unsigned char* const begin = out;
    int32_t done = 0;
    int32_t at = 0;
    while (at + PACK_TAIL < size)
    {
        const uint32_t word = pack_load(bytes + at);
        int32_t* slot = &seen[word * 2654435761u >> 19]; // Knuth's multiplicative hash, 13 bits
        const int32_t from = *slot;
        *slot = at;
        if (from < 0 || at - from > 65535 || pack_load(bytes + from) != word)
        {
            at += 1 + (at - done) / 64; // hurry over what does not repeat
            continue;
        }
        const int32_t length = pack_match(bytes, from, at, size - PACK_CLOSE);
        out = pack_sequence(out, bytes + done, at - done, at - from, length);
        at += length;
        done = at;
    }
    return (int32_t)(pack_sequence(out, bytes + done, size - done, 0, 0) - begin);
}

// A position in packed bytes; `at` is NULL once they are found damaged.
typedef struct pack_reader
{
    const unsigned char* at;
    const unsigned char* end;
} pack_reader;

static int32_t pack_read_length(pack_reader* reader, int32_t length)
{
    if (length < 15)
    {
        return length;
    }
    int32_t more = 255;
    while (more == 255 && reader->at < reader->end && length <= PACK_BLOCK)
    {
        more = *reader->at++;
        length += more;
    }
    return length;
}

// Copy a match byte by byte: it may overlap what it writes.
static bool pack_copy(pack_reader* reader, int32_t token, unsigned char* out, int32_t size,
                      int32_t* filled)
{
    if (reader->end - reader->at < 2)
    {
        return false;
    }
    const int32_t distance = reader->at[0] | reader->at[1] << 8;
    reader->at += 2;
    const int32_t length = pack_read_length(reader, token & 15) + PACK_LEAST;
    if (distance == 0 || distance > *filled || length > size - *filled)
    {
        return false;
    }
    for (int32_t i = 0; i < length; ++i)
    {
        out[*filled] = out[*filled - distance];
        *filled += 1;
    }
    return true;
}

// False when the bytes are damaged.
static bool pack_unlz4(const unsigned char* packed, int32_t packed_size, unsigned char* out,
                       int32_t size)
{
    pack_reader reader = {packed, packed + packed_size};
    int32_t filled = 0;
    while (reader.at < reader.end)
    {
        const int32_t token = *reader.at++;
        const int32_t literals = pack_read_length(&reader, token >> 4);
        if (literals > size - filled || literals > reader.end - reader.at)
        {
            return false;
        }
        memcpy(out + filled, reader.at, (size_t)literals);
        filled += literals;
        reader.at += literals;
        if (reader.at < reader.end && !pack_copy(&reader, token, out, size, &filled))
        {
            return false;
        }
    }
    return filled == size;
}

// ---- blocks -------------------------------------------------------------------------------------

typedef struct pack_work
{
    uint32_t words[PACK_WORDS];
    unsigned char planes[PACK_BLOCK];
} pack_work;

static void pack_block(pack_work* work, const unsigned char* bytes, int32_t size, int32_t row,
                       session_bytes* out)
{
    int32_t kind = PACK_PLAIN;
    if (size % 4 == 0)
    {
        pack_predict(bytes, size / 4, row, work->words, work->planes);
        kind = pack_zeros(work->planes, size) > pack_zeros(bytes, size) ? PACK_PLANES : PACK_PLAIN;
    }
    unsigned char* head = out->data + out->size;
    const int32_t packed =
        pack_lz4(kind == PACK_PLANES ? work->planes : bytes, size, head + PACK_HEAD);
    pack_store(head, (uint32_t)size);
    pack_store(head + 4, (uint32_t)packed);
    head[8] = (unsigned char)kind;
    out->size += (size_t)(PACK_HEAD + packed);
}

wadi_result wadi_session_pack(wadi_context* context, const unsigned char* bytes, size_t size,
                              int32_t row, session_bytes* out)
{
    pack_work* work;
    WADI_ALLOC(context, work, 1, "a snapshot");
    wadi_result result = WADI_OK;
    for (size_t at = 0; at < size && result == WADI_OK; at += PACK_BLOCK)
    {
        const size_t part = size - at < PACK_BLOCK ? size - at : PACK_BLOCK;
        if (wadi_session_reserve(context, out, PACK_HEAD + PACK_LONGEST))
        {
            pack_block(work, bytes + at, (int32_t)part, row, out);
        }
        else
        {
            result = wadi_fail_memory(context, out->size + PACK_LONGEST, "a snapshot");
        }
    }
    wadi_free(context, work);
    return result;
}

static bool pack_open_block(pack_work* work, const unsigned char* packed, int32_t packed_size,
                            int32_t size, int32_t kind, int32_t row, unsigned char* out)
{
    if (kind == PACK_PLAIN)
    {
        return pack_unlz4(packed, packed_size, out, size);
    }
    if (kind != PACK_PLANES || size % 4 != 0 ||
        !pack_unlz4(packed, packed_size, work->planes, size))
    {
        return false;
    }
    pack_restore(work->planes, size / 4, row, work->words, out);
    return true;
}

// One block at `at`; returns the bytes it takes, 0 when it is damaged or memory is out.
static size_t pack_next(wadi_context* context, pack_work* work, const unsigned char* packed,
                        size_t left, int32_t row, session_bytes* out)
{
    if (left < PACK_HEAD)
    {
        return 0;
    }
    const uint32_t size = pack_load(packed);
    const uint32_t bytes = pack_load(packed + 4);
    if (size > PACK_BLOCK || bytes > left - PACK_HEAD ||
        !wadi_session_reserve(context, out, size) ||
        !pack_open_block(work, packed + PACK_HEAD, (int32_t)bytes, (int32_t)size, packed[8], row,
                         out->data + out->size))
    {
        return 0;
    }
    out->size += size;
    return PACK_HEAD + bytes;
}

wadi_result wadi_session_unpack(wadi_context* context, const unsigned char* packed, size_t size,
                                int32_t row, session_bytes* out)
{
    pack_work* work;
    WADI_ALLOC(context, work, 1, "a snapshot");
    size_t at = 0;
    size_t taken = 1;
    while (at < size && taken > 0)
    {
        taken = pack_next(context, work, packed + at, size - at, row, out);
        at += taken;
    }
    wadi_free(context, work);
    WADI_CHECK(context, at == size && taken > 0, WADI_ERROR_FORMAT,
               "a snapshot is damaged, or there is no memory to open it");
    return WADI_OK;
}
