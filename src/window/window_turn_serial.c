// SPDX-License-Identifier: MIT
// In place of window_turn.c in a build without threads.
#include "window/window_internal.h"

wadi_result wadi_window_turns_run(window_group* group, void (*live)(window_seat* seat))
{
    (void)live;
    return wadi_fail(group->context, WADI_ERROR_STATE,
                     "windows need threads, which this build does not have (WADI_THREADS=OFF)");
}

bool wadi_window_wait(window_seat* seat)
{
    (void)seat;
    return false;
}

void wadi_window_give_up(window_group* group)
{
    (void)group;
}

void* wadi_window_allocate(window_group* group, size_t size)
{
    (void)group;
    (void)size;
    return NULL;
}

void wadi_window_release(window_group* group, void* memory, size_t size)
{
    (void)group;
    (void)memory;
    (void)size;
}
