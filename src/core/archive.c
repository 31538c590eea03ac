// SPDX-License-Identifier: MIT
#include "core/archive.h"

#include "core/context.h"
#include "core/partition.h"

#include <wadi/window.h>

bool wadi_archive_bare(wadi_context* context, bool bare)
{
    const bool before = context->archives_are_bare;
    context->archives_are_bare = bare;
    return before;
}

bool wadi_archive_is_bare(const wadi_context* context)
{
    return context->archives_are_bare;
}

void wadi_context_set_skip(wadi_context* context, wadi_read_fn* read, wadi_skip_fn* skip)
{
    context->skip_of = read;
    context->skip = skip;
}

// ---- blocks ------------------------------------------------------------------------------------

static void store_u64(unsigned char* to, uint64_t value)
{
    for (int i = 0; i < 8; ++i)
    {
        to[i] = (unsigned char)(value >> (8 * i));
    }
}

static uint64_t load_u64(const unsigned char* from)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
    {
        value |= (uint64_t)from[i] << (8 * i);
    }
    return value;
}

// Each word goes through a one-to-one map, so a change within one word always changes the sum. The
// number of the block is in it, so blocks cannot change places.
static uint64_t block_sum(const wadi_archive* archive, size_t size)
{
    uint64_t sum = wadi_archive_mix(archive->blocks + 1, size);
    for (size_t at = 0; at < size; at += 8)
    {
        unsigned char word[8] = {0};
        memcpy(word, archive->block + at, size - at < 8 ? size - at : 8);
        sum = wadi_archive_mix(sum, load_u64(word));
    }
    return sum;
}

static void archive_fail(wadi_archive* archive, wadi_result result)
{
    archive->result = archive->result == WADI_OK ? result : archive->result;
}

static void block_flush(wadi_archive* archive)
{
    store_u64(archive->frame, archive->used);
    store_u64(archive->frame + 8, block_sum(archive, archive->used));
    wadi_result result = archive->write(archive->user, archive->frame, ARCHIVE_FRAME);
    if (result == WADI_OK && archive->used > 0)
    {
        result = archive->write(archive->user, archive->block, archive->used);
    }
    archive_fail(archive, result);
    archive->blocks += 1;
    archive->used = 0;
}

static wadi_result block_fetch_frame(wadi_archive* archive, uint64_t* size)
{
    WADI_TRY(archive->read(archive->user, archive->frame, ARCHIVE_FRAME));
    *size = load_u64(archive->frame);
    WADI_CHECK(archive->context, *size <= ARCHIVE_BLOCK, WADI_ERROR_FORMAT,
               "the saved state is damaged in block %llu, or is no saved state",
               (unsigned long long)archive->blocks);
    return WADI_OK;
}

static wadi_result block_fetch(wadi_archive* archive)
{
    uint64_t size;
    WADI_TRY(block_fetch_frame(archive, &size));
    if (size > 0)
    {
        WADI_TRY(archive->read(archive->user, archive->block, size));
    }
    WADI_CHECK(archive->context, load_u64(archive->frame + 8) == block_sum(archive, size),
               WADI_ERROR_FORMAT,
               "the saved state is damaged in block %llu: its checksum is another; use an earlier "
               "checkpoint",
               (unsigned long long)archive->blocks);
    archive->blocks += 1;
    archive->size = size;
    archive->used = 0;
    return WADI_OK;
}

static void archive_write(wadi_archive* archive, const unsigned char* from, size_t size)
{
    if (archive->silent && !archive->local)
    {
        return;
    }
    if (archive->block == NULL)
    {
        archive_fail(archive, archive->result == WADI_OK ? archive->write(archive->user, from, size)
                                                         : WADI_OK);
        return;
    }
    while (size > 0 && archive->result == WADI_OK)
    {
        const size_t room = ARCHIVE_BLOCK - archive->used;
        const size_t part = size < room ? size : room;
        memcpy(archive->block + archive->used, from, part);
        archive->used += part;
        from += part;
        size -= part;
        if (archive->used == ARCHIVE_BLOCK)
        {
            block_flush(archive);
        }
    }
}

static void archive_read(wadi_archive* archive, unsigned char* to, size_t size)
{
    if (archive->block == NULL)
    {
        archive_fail(archive,
                     archive->result == WADI_OK ? archive->read(archive->user, to, size) : WADI_OK);
        if (archive->result != WADI_OK && size > 0)
        {
            memset(to, 0, size);
        }
        return;
    }
    while (size > 0)
    {
        if (archive->used == archive->size && archive->result == WADI_OK)
        {
            archive_fail(archive, block_fetch(archive));
            if (archive->result == WADI_OK && archive->size == 0)
            {
                archive_fail(archive, wadi_fail(archive->context, WADI_ERROR_FORMAT,
                                                "the saved state ends too early"));
            }
        }
        if (archive->result != WADI_OK)
        {
            memset(to, 0, size);
            return;
        }
        const size_t left = archive->size - archive->used;
        const size_t part = size < left ? size : left;
        memcpy(to, archive->block + archive->used, part);
        archive->used += part;
        to += part;
        size -= part;
    }
}

// Pass over blocks from the next one on, all of which are full.
static void archive_pass_blocks(wadi_archive* archive, uint64_t count)
{
    if (count > 0 && archive->result == WADI_OK)
    {
        const uint64_t bytes = count * (ARCHIVE_BLOCK + ARCHIVE_FRAME);
        archive_fail(archive, archive->skip(archive->user, bytes));
        archive->blocks += count;
    }
}

void wadi_archive_pass(wadi_archive* archive, uint64_t size)
{
    const uint64_t left = archive->size - archive->used;
    if (archive->skip != NULL && size > left)
    {
        archive->used = archive->size;
        archive_pass_blocks(archive, (size - left) / ARCHIVE_BLOCK);
        size = (size - left) % ARCHIVE_BLOCK;
    }
    unsigned char bytes[512];
    while (size > 0 && archive->result == WADI_OK)
    {
        const size_t part = size < sizeof bytes ? (size_t)size : sizeof bytes;
        archive_read(archive, bytes, part);
        size -= part;
    }
}

// ---- open and close ----------------------------------------------------------------------------

static wadi_archive* archive_open(wadi_context* context, archive_mode mode, void* user)
{
    const size_t room = context->archives_are_bare ? 0 : ARCHIVE_BLOCK;
    wadi_archive* archive = wadi_alloc(context, 1, sizeof *archive + room);
    if (archive == NULL)
    {
        (void)wadi_fail_memory(context, sizeof *archive + room, "a saved state");
        return NULL;
    }
    archive->block = room > 0 ? (unsigned char*)(archive + 1) : NULL;
    archive->context = context;
    archive->mode = mode;
    archive->user = user;
    return archive;
}

wadi_archive* wadi_archive_to(wadi_context* context, wadi_write_fn* write, void* user)
{
    wadi_archive* archive = archive_open(context, ARCHIVE_WRITES, user);
    if (archive != NULL)
    {
        const wadi_partition* window = wadi_partition_of(context);
        archive->write = write;
        archive->silent = window != NULL && window->index != 0;
    }
    return archive;
}

wadi_archive* wadi_archive_from(wadi_context* context, wadi_read_fn* read, void* user)
{
    wadi_archive* archive = archive_open(context, ARCHIVE_READS, user);
    if (archive != NULL)
    {
        const bool skips = wadi_partition_of(context) != NULL && archive->block != NULL &&
                           context->skip_of == read;
        archive->read = read;
        archive->skip = skips ? context->skip : NULL;
    }
    return archive;
}

void wadi_archive_open_hash(wadi_archive* archive, wadi_context* context)
{
    *archive =
        (wadi_archive){.context = context, .mode = ARCHIVE_HASHES, .hash = 0x9E3779B97F4A7C15u};
}

void wadi_archive_skip(wadi_archive* archive)
{
    archive->skips = true;
}

// What is left is for another window, which checks it.
static wadi_result archive_skip_block(wadi_archive* archive)
{
    if (archive->skip == NULL)
    {
        return block_fetch(archive);
    }
    uint64_t size;
    WADI_TRY(block_fetch_frame(archive, &size));
    archive->blocks += 1;
    archive->size = size;
    archive->used = 0;
    return size > 0 ? archive->skip(archive->user, size) : WADI_OK;
}

// The next block is the empty one at the end, but where blocks are skipped.
static void archive_find_end(wadi_archive* archive)
{
    const bool whole = archive->skips || archive->used == archive->size;
    do
    {
        archive_fail(archive, archive->skips ? archive_skip_block(archive) : block_fetch(archive));
    } while (archive->skips && archive->result == WADI_OK && archive->size != 0);
    if (archive->result == WADI_OK && (!whole || archive->size != 0))
    {
        archive_fail(archive, wadi_fail(archive->context, WADI_ERROR_FORMAT,
                                        "the saved state goes on where its end is expected"));
    }
}

wadi_result wadi_archive_close(wadi_archive* archive)
{
    const bool framed = archive->block != NULL && archive->result == WADI_OK;
    if (archive->mode == ARCHIVE_WRITES && framed && (archive->local || !archive->silent))
    {
        if (archive->used > 0)
        {
            block_flush(archive);
        }
        block_flush(archive); // an empty block is the end
    }
    else if (archive->mode == ARCHIVE_READS && framed)
    {
        archive_find_end(archive);
    }
    const wadi_result result = archive->result;
    wadi_free(archive->context, archive);
    return result;
}

wadi_result wadi_archive_end(wadi_archive* archive, wadi_result result)
{
    archive_fail(archive, result);
    return wadi_archive_close(archive);
}

// ---- values ------------------------------------------------------------------------------------

bool wadi_archive_is_reading(const wadi_archive* archive)
{
    return archive->mode == ARCHIVE_READS;
}

bool wadi_archive_is_hashing(const wadi_archive* archive)
{
    return archive->mode == ARCHIVE_HASHES;
}

wadi_context* wadi_archive_context(const wadi_archive* archive)
{
    return archive->context;
}

wadi_result wadi_archive_result(const wadi_archive* archive)
{
    return archive->result;
}

// Are numbers in memory as they are in archives, the lowest byte first?
static bool archive_is_native(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

// Values of one type; `bits_type` is the unsigned integer of the same size.
#define ARCHIVE_VALUES(name, type, bits_type)                                                      \
    static uint64_t name##_hash(uint64_t hash, const type* values, int64_t count)                  \
    {                                                                                              \
        for (int64_t i = 0; i < count; ++i)                                                        \
        {                                                                                          \
            bits_type bits;                                                                        \
            memcpy(&bits, &values[i], sizeof bits);                                                \
            hash = wadi_archive_mix(hash, bits);                                                   \
        }                                                                                          \
        return hash;                                                                               \
    }                                                                                              \
                                                                                                   \
    static void name##_write(wadi_archive* archive, const type* values, int64_t count)             \
    {                                                                                              \
        unsigned char part[512 * sizeof(type)];                                                    \
        if (archive_is_native())                                                                   \
        {                                                                                          \
            archive_write(archive, (const unsigned char*)values, (size_t)count * sizeof(type));    \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; i < count;)                                                            \
        {                                                                                          \
            size_t used = 0;                                                                       \
            for (; i < count && used < sizeof part; ++i)                                           \
            {                                                                                      \
                bits_type bits;                                                                    \
                memcpy(&bits, &values[i], sizeof bits);                                            \
                for (size_t b = 0; b < sizeof bits; ++b)                                           \
                {                                                                                  \
                    part[used++] = (unsigned char)((uint64_t)bits >> (8 * b));                     \
                }                                                                                  \
            }                                                                                      \
            archive_write(archive, part, used);                                                    \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void name##_read(wadi_archive* archive, type* values, int64_t count)                    \
    {                                                                                              \
        if (archive_is_native())                                                                   \
        {                                                                                          \
            archive_read(archive, (unsigned char*)values, (size_t)count * sizeof(type));           \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; i < count; ++i)                                                        \
        {                                                                                          \
            unsigned char part[sizeof(type)];                                                      \
            uint64_t bits = 0;                                                                     \
            archive_read(archive, part, sizeof part);                                              \
            for (size_t b = 0; b < sizeof part; ++b)                                               \
            {                                                                                      \
                bits |= (uint64_t)part[b] << (8 * b);                                              \
            }                                                                                      \
            const bits_type narrow = (bits_type)bits;                                              \
            memcpy(&values[i], &narrow, sizeof narrow);                                            \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    void wadi_archive_##name(wadi_archive* archive, type* values, int64_t count)                   \
    {                                                                                              \
        switch (archive->mode)                                                                     \
        {                                                                                          \
        case ARCHIVE_WRITES:                                                                       \
            name##_write(archive, values, count);                                                  \
            break;                                                                                 \
        case ARCHIVE_READS:                                                                        \
            name##_read(archive, values, count);                                                   \
            break;                                                                                 \
        case ARCHIVE_HASHES:                                                                       \
            archive->hash = name##_hash(archive->hash, values, count);                             \
            break;                                                                                 \
        }                                                                                          \
    }

ARCHIVE_VALUES(u8, uint8_t, uint8_t)
ARCHIVE_VALUES(u16, uint16_t, uint16_t)
ARCHIVE_VALUES(i32, int32_t, uint32_t)
ARCHIVE_VALUES(u32, uint32_t, uint32_t)
ARCHIVE_VALUES(i64, int64_t, uint64_t)
ARCHIVE_VALUES(u64, uint64_t, uint64_t)
ARCHIVE_VALUES(f32, float, uint32_t)
ARCHIVE_VALUES(f64, double, uint64_t)

void wadi_archive_bytes(wadi_archive* archive, void* values, int64_t count)
{
    wadi_archive_u8(archive, values, count);
}

void wadi_archive_bool(wadi_archive* archive, bool* value)
{
    uint8_t byte = *value ? 1 : 0;
    wadi_archive_u8(archive, &byte, 1);
    *value = byte != 0;
}

// FNV-1a
static uint32_t archive_tag(const char* name)
{
    uint32_t hash = 2166136261u;
    for (const char* c = name; *c != '\0'; ++c)
    {
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    }
    return hash;
}

wadi_result wadi_archive_part(wadi_archive* archive, const char* name, uint32_t version)
{
    const uint32_t tag = archive_tag(name);
    uint32_t found[2] = {tag, version};
    wadi_archive_u32(archive, found, 2);
    if (archive->result == WADI_OK && (found[0] != tag || found[1] != version))
    {
        archive_fail(archive,
                     wadi_fail(archive->context, WADI_ERROR_FORMAT,
                               found[0] != tag
                                   ? "the saved state has another part where '%s' is expected"
                                   : "the part '%s' of the saved state is of another version; "
                                     "use the version of wadi that saved it",
                               name));
    }
    return archive->result;
}

wadi_result wadi_archive_count(wadi_archive* archive, int64_t* count, int64_t limit,
                               const char* what)
{
    wadi_archive_i64(archive, count, 1);
    if (archive->result == WADI_OK && (*count < 0 || *count > limit))
    {
        archive_fail(archive, wadi_fail(archive->context, WADI_ERROR_FORMAT,
                                        "the saved state has %lld %s; expected 0 to %lld",
                                        (long long)*count, what, (long long)limit));
        *count = 0;
    }
    return archive->result;
}

wadi_result wadi_archive_same(wadi_archive* archive, int64_t value, const char* what)
{
    int64_t found = value;
    wadi_archive_i64(archive, &found, 1);
    if (archive->result == WADI_OK && found != value)
    {
        archive_fail(archive, wadi_fail(archive->context, WADI_ERROR_FORMAT,
                                        "%s is %lld in the saved state but %lld here", what,
                                        (long long)found, (long long)value));
    }
    return archive->result;
}

wadi_result wadi_archive_fields(wadi_archive* archive, const wadi_field_table* table, void* params)
{
    WADI_TRY(wadi_archive_same(archive, table->count, "the number of parameters"));
    for (int32_t i = 0; i < table->count; ++i)
    {
        const wadi_field* field = &table->fields[i];
        double value = wadi_field_get(field, params);
        wadi_archive_f64(archive, &value, 1);
        WADI_TRY(wadi_archive_result(archive));
        if (wadi_archive_is_reading(archive))
        {
            WADI_TRY(wadi_field_set(archive->context, table, field->name, value, params));
        }
    }
    return WADI_OK;
}

// ---- memory ------------------------------------------------------------------------------------

wadi_result wadi_bytes_write(void* user, const void* bytes, size_t size)
{
    wadi_bytes* to = user;
    if (to->capacity - to->size < size)
    {
        const size_t capacity = 2 * to->capacity + size;
        unsigned char* grown = wadi_alloc(to->context, 1, capacity);
        if (grown == NULL)
        {
            return wadi_fail_memory(to->context, capacity, "a saved state");
        }
        if (to->size > 0)
        {
            memcpy(grown, to->bytes, to->size);
        }
        wadi_free(to->context, to->bytes);
        to->bytes = grown;
        to->capacity = capacity;
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return WADI_OK;
}

wadi_result wadi_bytes_read(void* user, void* bytes, size_t size)
{
    wadi_bytes* from = user;
    WADI_CHECK(from->context, from->size - from->at >= size, WADI_ERROR_FORMAT,
               "the saved state ends too early");
    memcpy(bytes, from->bytes + from->at, size);
    from->at += size;
    return WADI_OK;
}

void wadi_bytes_free(wadi_bytes* bytes)
{
    wadi_free(bytes->context, bytes->bytes);
    bytes->bytes = NULL;
    bytes->size = bytes->capacity = bytes->at = 0;
}
