// SPDX-License-Identifier: MIT
// Members of a context, for src/core only.
#pragma once

#include "core/pool.h"

#include <wadi/window.h>

enum
{
    CONTEXT_DETAIL_LENGTH = 512,
    CONTEXT_MAX_REGISTERED = 32
};

struct wadi_context
{
    wadi_context_def def;
    wadi_pool* pool; // NULL when the caller supplies the executor
    size_t used;     // bytes
    size_t peak;
    double progress_from; // see wadi_progress_window()
    double progress_span;
    double frame_from; // see wadi_progress_frame()
    double frame_span;
    bool progress_held;     // see wadi_progress_hold()
    bool paged;             // memory may be in a file; see wadi_expect()
    bool archives_are_bare; // see wadi_archive_bare()
    wadi_read_fn* skip_of;  // see wadi_context_set_skip()
    wadi_skip_fn* skip;
    wadi_between_fn* between; // see wadi_context_set_between()
    void* between_user;
    bool progress_whole;   // see wadi_progress_whole()
    bool progress_stopped; // asked for meanwhile
    char detail[CONTEXT_DETAIL_LENGTH];
    const void* registered[CONTEXT_MAX_REGISTERED]; // the caller's processes
    int32_t registered_count;
};
