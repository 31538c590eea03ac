// SPDX-License-Identifier: MIT
// The inside of a context; only src/core looks at it.
#pragma once

#include "core/internal.h"

enum
{
    CONTEXT_DETAIL_LENGTH = 512
};

struct wadi_context
{
    wadi_context_def def;
    size_t used; // bytes
    size_t peak;
    char detail[CONTEXT_DETAIL_LENGTH];
};

// The executor that is used when the caller brings none.
wadi_executor wadi_builtin_executor(int32_t threads);
