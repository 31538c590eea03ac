// SPDX-License-Identifier: MIT
// The inside of a context; only src/core looks at it.
#pragma once

#include "core/pool.h"

enum
{
    CONTEXT_DETAIL_LENGTH = 512
};

struct wadi_context
{
    wadi_context_def def;
    wadi_pool* pool; // NULL when the caller brings an executor
    size_t used;     // bytes
    size_t peak;
    double progress_from; // of the work that shares are shares of
    double progress_span;
    char detail[CONTEXT_DETAIL_LENGTH];
};
