// SPDX-License-Identifier: MIT
#include "core/seal.h"

#include <string.h>

// Each word goes through a one-to-one map, so a change within one word always changes the sum.
static uint64_t seal_sum(const unsigned char* bytes, size_t size)
{
    uint64_t sum = size;
    for (size_t at = 0; at < size; at += sizeof sum)
    {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
        sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        sum ^= sum >> 32;
    }
    return sum;
}

void wadi_seal(void* bytes, size_t size)
{
    const uint64_t sum = seal_sum(bytes, size - WADI_SEAL);
    memcpy((unsigned char*)bytes + size - WADI_SEAL, &sum, sizeof sum);
}

wadi_result wadi_seal_check(wadi_context* context, const void* bytes, size_t size, const char* what)
{
    uint64_t sum;
    memcpy(&sum, (const unsigned char*)bytes + size - WADI_SEAL, sizeof sum);
    WADI_CHECK(context, sum == seal_sum(bytes, size - WADI_SEAL), WADI_ERROR_FORMAT,
               "the saved %s are damaged: their checksum is another; save them anew", what);
    return WADI_OK;
}
