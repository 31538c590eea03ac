// SPDX-License-Identifier: MIT
// State as a stream of bytes, and the parts that all such streams share: a magic number in front,
// records of a fixed size, and a hash of 64 bits.
#pragma once

#include "core/internal.h"

#include <math.h>
#include <string.h>

// Bytes to write to; NULL: they are only counted.
typedef struct wadi_stream
{
    unsigned char* bytes;
    size_t used;
} wadi_stream;

static inline void wadi_stream_put(wadi_stream* stream, const void* from, size_t size)
{
    if (stream->bytes != NULL && size > 0)
    {
        memcpy(stream->bytes + stream->used, from, size);
    }
    stream->used += size;
}

// Read the header of a stream of `size` bytes, which begins with a magic number.
static inline wadi_result wadi_stream_header(wadi_context* context, const void* bytes, size_t size,
                                             uint64_t magic, const char* what, void* header,
                                             size_t header_size)
{
    uint64_t found = 0;
    WADI_CHECK(context, size >= header_size, WADI_ERROR_FORMAT, "%zu bytes are too few to be %s",
               size, what);
    memcpy(header, bytes, header_size);
    memcpy(&found, bytes, sizeof found);
    WADI_CHECK(context, found == magic, WADI_ERROR_FORMAT,
               "these bytes are no %s, or were saved by another version", what);
    return WADI_OK;
}

// No value lies beyond `most` or is no number.
static inline bool wadi_stream_is_within(const double* values, int32_t count, double most)
{
    bool within = true;
    for (int32_t i = 0; i < count; ++i)
    {
        within = within && fabs(values[i]) <= most; // false of NaN
    }
    return within;
}

// Mixer of SplitMix64 (Steele et al. 2014).
static inline uint64_t wadi_stream_mix(uint64_t hash, uint64_t word)
{
    uint64_t z = (hash ^ word) + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// The two zeros are one.
static inline uint64_t wadi_stream_mix_number(uint64_t hash, double value)
{
    const double number = value + 0.0;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return wadi_stream_mix(hash, bits);
}

static inline uint64_t wadi_stream_mix_numbers(uint64_t hash, const double* values, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        hash = wadi_stream_mix_number(hash, values[i]);
    }
    return hash;
}
