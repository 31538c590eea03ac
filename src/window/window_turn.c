// SPDX-License-Identifier: MIT
// Windows on threads: all at once, or one at a time. A window that waits for others gives its turn
// to the next one that can go on; the last one to come to an exchange goes on at once.
#define _POSIX_C_SOURCE 200809L
#include "window/window_internal.h"

#include "core/context.h"

#include <pthread.h>

enum
{
    TURN_STACK = 2 << 20, // bytes; without it each thread reserves 8 MiB of address space
    TURN_ALIGNMENT = 64
};

struct window_turns
{
    pthread_mutex_t mutex;
    pthread_cond_t* wake; // by window: only those are woken that can go on
    void (*live)(window_seat* seat);
    int32_t came;      // windows that have come to the current exchange
    int64_t completed; // exchanges that all have come to
    int32_t turn;      // the window that may run, if one runs at a time; -1: none is left
    int32_t ended;     // windows that have returned
    bool failed;
};

// Can a window go on that has come to `exchanges` of them?
static bool turn_is_ready(const window_turns* turns, const window_seat* seat)
{
    return turns->failed || seat->exchanges <= turns->completed;
}

static void turn_wake_all(const window_group* group)
{
    for (int32_t i = 0; i < group->count; ++i)
    {
        pthread_cond_signal(&group->turns->wake[i]);
    }
}

// Give the turn to a window.
static void turn_give(const window_group* group, int32_t to)
{
    group->turns->turn = to;
    pthread_cond_signal(&group->turns->wake[to]);
}

// Give the turn to the next window that can go on. A window that has returned has no exchanges to
// wait for, but no turn either: its count is INT64_MAX.
static void turn_pass(window_group* group, int32_t from)
{
    window_turns* turns = group->turns;
    for (int32_t i = 1; i <= group->count; ++i)
    {
        const int32_t next = (from + i) % group->count;
        if (group->seats[next].exchanges != INT64_MAX && turn_is_ready(turns, &group->seats[next]))
        {
            turn_give(group, next);
            return;
        }
    }
    // nobody can go on: some windows have ended, and others wait for them
    turns->failed = turns->failed || turns->ended < group->count;
    turns->turn = -1;
    for (int32_t i = 0; i < group->count && turns->turn < 0; ++i)
    {
        if (group->seats[i].exchanges != INT64_MAX)
        {
            turn_give(group, i);
        }
    }
}

static void turn_enter(const window_seat* seat)
{
    const wadi_windows_def* def = seat->group->def;
    if (def->enter != NULL)
    {
        def->enter(seat->index, def->user);
    }
}

static void turn_leave(const window_seat* seat)
{
    const wadi_windows_def* def = seat->group->def;
    if (def->leave != NULL)
    {
        def->leave(seat->index, def->user);
    }
}

// The mutex is held before and after.
static void turn_await(window_seat* seat)
{
    window_turns* turns = seat->group->turns;
    while (!turn_is_ready(turns, seat) || (seat->group->def->in_turn && turns->turn != seat->index))
    {
        pthread_cond_wait(&turns->wake[seat->index], &turns->mutex);
    }
}

bool wadi_window_wait(window_seat* seat)
{
    window_group* group = seat->group;
    window_turns* turns = group->turns;
    pthread_mutex_lock(&turns->mutex);
    seat->exchanges += 1;
    turns->failed = turns->failed || turns->ended > 0; // a window that has ended does not come
    // windows that go on after a failure, as those do that hash, come without the others
    turns->came += turns->failed ? 0 : 1;
    if (turns->came == group->count)
    {
        turns->came = 0;
        turns->completed += 1;
        // in turn each window is woken when the one before it waits
        if (!group->def->in_turn)
        {
            turn_wake_all(group);
        }
    }
    const bool waits = !turn_is_ready(turns, seat);
    if (waits && group->def->in_turn)
    {
        turn_leave(seat);
        turn_pass(group, seat->index);
    }
    turn_await(seat);
    // an exchange that all have come to is whole, even if a window has failed since
    const bool goes_on = seat->exchanges <= turns->completed;
    pthread_mutex_unlock(&turns->mutex);
    if (waits && group->def->in_turn)
    {
        turn_enter(seat);
    }
    return goes_on;
}

void wadi_window_give_up(window_group* group)
{
    window_turns* turns = group->turns;
    pthread_mutex_lock(&turns->mutex);
    turns->failed = true;
    turn_wake_all(group);
    pthread_mutex_unlock(&turns->mutex);
}

// The hooks of the caller's allocator need not stand several threads.
void* wadi_window_allocate(window_group* group, size_t size)
{
    const wadi_allocator* allocator = &group->context->def.allocator;
    pthread_mutex_lock(&group->turns->mutex);
    void* memory = allocator->allocate(size, TURN_ALIGNMENT, allocator->user);
    pthread_mutex_unlock(&group->turns->mutex);
    return memory;
}

void wadi_window_release(window_group* group, void* memory, size_t size)
{
    const wadi_allocator* allocator = &group->context->def.allocator;
    if (group->turns != NULL)
    {
        pthread_mutex_lock(&group->turns->mutex);
    }
    allocator->release(memory, size, allocator->user);
    if (group->turns != NULL)
    {
        pthread_mutex_unlock(&group->turns->mutex);
    }
}

static void* turn_thread(void* user)
{
    window_seat* seat = user;
    window_group* group = seat->group;
    window_turns* turns = group->turns;
    pthread_mutex_lock(&turns->mutex);
    turn_await(seat);
    pthread_mutex_unlock(&turns->mutex);
    turn_enter(seat);
    turns->live(seat);
    turn_leave(seat);
    pthread_mutex_lock(&turns->mutex);
    // others may wait for a window that has ended: then they made other calls, or it failed
    turns->failed = turns->failed || seat->result != WADI_OK || turns->came > 0;
    turns->ended += 1;
    seat->place = turns->ended;
    seat->exchanges = INT64_MAX;
    if (group->def->in_turn)
    {
        turn_pass(group, seat->index);
    }
    else
    {
        turn_wake_all(group);
    }
    pthread_mutex_unlock(&turns->mutex);
    return NULL;
}

// Start the threads. Returns their number, less than that of windows if the system refuses one.
static int32_t turn_start(window_group* group, pthread_t* threads)
{
    pthread_attr_t attributes;
    int32_t started = 0;
    if (pthread_attr_init(&attributes) != 0)
    {
        return 0;
    }
    (void)pthread_attr_setstacksize(&attributes, TURN_STACK);
    while (started < group->count &&
           pthread_create(&threads[started], &attributes, turn_thread, &group->seats[started]) == 0)
    {
        started += 1;
    }
    (void)pthread_attr_destroy(&attributes);
    return started;
}

static wadi_result turn_open(const window_group* group, window_turns* turns, pthread_t* threads)
{
    turns->wake = wadi_alloc(group->context, (size_t)group->count, sizeof *turns->wake);
    if (turns->wake == NULL)
    {
        wadi_free(group->context, threads);
        return wadi_fail_memory(group->context, (size_t)group->count * sizeof *turns->wake,
                                "threads of windows");
    }
    pthread_mutex_init(&turns->mutex, NULL);
    for (int32_t i = 0; i < group->count; ++i)
    {
        pthread_cond_init(&turns->wake[i], NULL);
    }
    return WADI_OK;
}

static void turn_close(const window_group* group)
{
    window_turns* turns = group->turns;
    for (int32_t i = 0; i < group->count; ++i)
    {
        pthread_cond_destroy(&turns->wake[i]);
    }
    pthread_mutex_destroy(&turns->mutex);
    wadi_free(group->context, turns->wake);
}

wadi_result wadi_window_turns_run(window_group* group, void (*live)(window_seat* seat))
{
    window_turns turns = {.live = live};
    pthread_t* threads;
    WADI_ALLOC(group->context, threads, group->count, "threads of windows");
    WADI_TRY(turn_open(group, &turns, threads));
    group->turns = &turns;

    // no window begins before all have threads
    pthread_mutex_lock(&turns.mutex);
    const int32_t started = turn_start(group, threads);
    if (started < group->count)
    {
        turns.failed = true;
        for (int32_t i = started; i < group->count; ++i)
        {
            group->seats[i].exchanges = INT64_MAX;
            turns.ended += 1;
        }
    }
    pthread_mutex_unlock(&turns.mutex);
    bool all_well = true;
    for (int32_t i = 0; i < started; ++i)
    {
        pthread_join(threads[i], NULL);
        all_well = all_well && group->seats[i].result == WADI_OK;
    }
    turn_close(group);
    group->turns = NULL;
    wadi_free(group->context, threads);
    WADI_CHECK(group->context, started == group->count, WADI_ERROR_STATE,
               "the system has no thread for window %d of %d; use fewer windows", started + 1,
               group->count);
    return turns.failed && all_well
               ? wadi_fail(group->context, WADI_ERROR_STATE,
                           "a window made other calls than the rest: the results are not whole")
               : WADI_OK;
}
