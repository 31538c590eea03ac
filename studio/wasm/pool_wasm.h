// SPDX-License-Identifier: MIT
// Threads of the WebAssembly module.
#pragma once

#include <wadi/context.h>

// An executor over `threads` workers, the caller included; all zero where there are none.
wadi_executor wadi_wasm_pool(int32_t threads);

#if defined(__wasm_atomics__)
// Runs for ever in pool worker 1, 2, ...
void wadi_studio_worker(int32_t worker);
#endif
