// SPDX-License-Identifier: MIT
// Packing of saved states for snapshots in memory: lossless, and fast rather than small. A state is
// cut into chunks; a chunk that is equal to the one of the snapshot before is shared with it.
#pragma once

#include "core/internal.h"

enum
{
    SESSION_CHUNK = 65536,                                          // bytes at most
    SESSION_CHUNK_PACKED = SESSION_CHUNK + 1 + SESSION_CHUNK / 512, // and when they are packed
    SESSION_BATCH = 16 // chunks that are packed at once
};

// A packed chunk. Snapshots count as its users.
typedef struct session_chunk
{
    int32_t users;
    uint32_t raw;  // bytes before it was packed
    uint32_t size; // and after
    uint64_t sum;  // of the bytes before
    unsigned char bytes[];
} session_chunk;

// A packed state.
typedef struct session_packed
{
    session_chunk** chunks;
    int64_t room;
    int32_t count;
    int64_t own; // bytes of chunks that it brought
} session_packed;

// A chunk that waits for its batch.
typedef struct session_slot
{
    const session_chunk* former;
    bool is_same; // as the former one
    uint64_t sum;
    size_t size;
    size_t packed;
    unsigned char bytes[SESSION_CHUNK];
    unsigned char out[SESSION_CHUNK_PACKED];
} session_slot;

// Packs what is written to it.
typedef struct session_packer
{
    wadi_context* context;
    const session_packed* former; // the snapshot before, or NULL
    session_packed* out;
    int32_t row;  // length of a row of the grid [cells]; it makes heights small
    int32_t used; // slots that hold bytes
    session_slot slots[SESSION_BATCH];
} session_packer;

// Begin a packed state; `packer` is zero at first and may serve many of them.
void wadi_session_pack(session_packer* packer, const session_packed* former, session_packed* out);
// A wadi_write_fn of a packer. A write that does not fit into a chunk begins another one, so that
// grids begin with a chunk.
wadi_result wadi_session_pack_write(void* user, const void* bytes, size_t size);
// Pack the rest.
wadi_result wadi_session_pack_end(session_packer* packer);
// Give chunks back. Returns the bytes of those that had no other user.
int64_t wadi_session_free_packed(wadi_context* context, session_packed* packed);

// Opens a packed state.
typedef struct session_opener
{
    wadi_context* context;
    const session_packed* packed;
    int32_t row;
    int32_t chunk; // the next one
    size_t at;     // in the bytes of the chunk that is open
    size_t size;
    unsigned char bytes[SESSION_CHUNK];
} session_opener;

// A wadi_read_fn of an opener.
wadi_result wadi_session_open_read(void* user, void* bytes, size_t size);

// One chunk. Returns the packed size; `out` has room for SESSION_CHUNK_PACKED bytes.
size_t wadi_session_pack_chunk(const unsigned char* bytes, size_t size, int32_t row,
                               unsigned char* out);
// False when the packed bytes do not come to `size` bytes.
bool wadi_session_open_chunk(const unsigned char* packed, size_t packed_size, int32_t row,
                             unsigned char* out, size_t size);
