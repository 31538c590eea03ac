// SPDX-License-Identifier: MIT
// Packing of saved states for snapshots in memory: lossless, and fast rather than small.
#pragma once

#include "core/internal.h"

// Bytes that grow.
typedef struct session_bytes
{
    unsigned char* data;
    size_t size;
    size_t room;
} session_bytes;

// Make room for `more` bytes. False when memory is out.
bool wadi_session_reserve(wadi_context* context, session_bytes* bytes, size_t more);

// Give back the room that is not used.
wadi_result wadi_session_trim(wadi_context* context, session_bytes* bytes);

// Append the packed form of `size` bytes. `row` is the length of a row of the grid [32-bit words];
// it makes heights small, and any value above 0 is correct.
wadi_result wadi_session_pack(wadi_context* context, const unsigned char* bytes, size_t size,
                              int32_t row, session_bytes* out);

// Append the bytes that were packed. Fails with WADI_ERROR_FORMAT when they are damaged.
wadi_result wadi_session_unpack(wadi_context* context, const unsigned char* packed, size_t size,
                                int32_t row, session_bytes* out);
