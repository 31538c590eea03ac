// SPDX-License-Identifier: MIT
// The last bytes of a saved state: a checksum of all before them.
#pragma once

#include "core/internal.h"

enum
{
    WADI_SEAL = 8 // bytes
};

// Write the checksum of the first `size` - WADI_SEAL bytes behind them.
void wadi_seal(void* bytes, size_t size);

// Fail unless the checksum is that of the bytes; `what` was saved. `size` is at least WADI_SEAL.
wadi_result wadi_seal_check(wadi_context* context, const void* bytes, size_t size,
                            const char* what);
