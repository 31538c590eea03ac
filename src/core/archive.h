// SPDX-License-Identifier: MIT
// Opening and closing archives.
#pragma once

#include "core/internal.h"

#include <wadi/archive.h>
#include <wadi/window.h>

#include <string.h>

enum
{
    ARCHIVE_BLOCK = 65536, // bytes of values in a block
    ARCHIVE_FRAME = 16     // bytes before them: their number, and a checksum
};

typedef enum archive_mode
{
    ARCHIVE_WRITES,
    ARCHIVE_READS,
    ARCHIVE_HASHES
} archive_mode;

struct wadi_archive
{
    wadi_context* context;
    archive_mode mode;
    wadi_result result; // the first failure
    bool local;         // of a window by itself, not of the whole grid
    bool silent;        // another window writes
    bool skips;         // what is left is for another window
    wadi_write_fn* write;
    wadi_read_fn* read;
    wadi_skip_fn* skip; // NULL: all is read
    void* user;
    uint64_t hash;
    uint64_t blocks; // so far
    size_t used;     // of the block: written, or handed out
    size_t size;     // of the block, when reading
    unsigned char frame[ARCHIVE_FRAME];
    unsigned char* block; // behind the struct; NULL when hashing, or bare
};

// From now on archives have neither blocks nor checksums, or have them again: for states that stay
// in the memory of this process. Returns what held before.
bool wadi_archive_bare(wadi_context* context, bool bare);
bool wadi_archive_is_bare(const wadi_context* context);

// NULL when memory is out, which is recorded. wadi_archive_close() frees them.
wadi_archive* wadi_archive_to(wadi_context* context, wadi_write_fn* write, void* user);
wadi_archive* wadi_archive_from(wadi_context* context, wadi_read_fn* read, void* user);

// Write what is left and the end mark, or check that the end mark follows. Returns the first
// failure. Frees the archive.
wadi_result wadi_archive_close(wadi_archive* archive);

// Read nothing more: what is left up to the end mark is for another window.
void wadi_archive_skip(wadi_archive* archive);

// Pass over values that take `size` bytes, block by block where the reader can.
void wadi_archive_pass(wadi_archive* archive, uint64_t size);

// `count` values of 1, 2, 4 or 8 bytes.
void wadi_archive_cells(wadi_archive* archive, void* values, int32_t bytes, int64_t count);

// Close after what was listed came to `result`. A failure is returned, and its message is kept.
wadi_result wadi_archive_end(wadi_archive* archive, wadi_result result);

// A hashing archive needs no memory of its own.
void wadi_archive_open_hash(wadi_archive* archive, wadi_context* context);
bool wadi_archive_is_hashing(const wadi_archive* archive);

// Numbers whose sum over all windows is that of the whole grid, such as books: the sum is saved and
// hashed, and read by window 0; the others begin at 0.
void wadi_archive_sums(wadi_archive* archive, int64_t* values, int64_t count);
// Sums of work, such as cells that were looked at. They depend on how the grid is cut, and change
// no result: they are saved, but not hashed.
void wadi_archive_work(wadi_archive* archive, int64_t* values, int64_t count);

// One step of the hash.
static inline uint64_t wadi_archive_mix(uint64_t hash, uint64_t word)
{
    // one multiply-xorshift round per word (constants of splitmix64, Steele et al. 2014)
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9u;
    return hash ^ (hash >> 31);
}

// The object to list for an archive that does not read, which leaves it as it is.
static inline void* wadi_archive_const(const void* object)
{
    void* same;
    memcpy(&same, &object, sizeof same);
    return same;
}

// Bytes in memory that grow as they are written, and are then read.
typedef struct wadi_bytes
{
    wadi_context* context;
    unsigned char* bytes;
    size_t size;
    size_t capacity;
    size_t at; // of reading
} wadi_bytes;

wadi_result wadi_bytes_write(void* user, const void* bytes, size_t size);
wadi_result wadi_bytes_read(void* user, void* bytes, size_t size);
void wadi_bytes_free(wadi_bytes* bytes);
