// SPDX-License-Identifier: MIT
// Runs a function in all windows of a grid, each with a context of its own.
#include "window/window_internal.h"

#include "core/context.h"

#include <stdio.h>

wadi_windows_def wadi_windows_def_default(void)
{
    wadi_windows_def def = {0};
    def.cookie = wadi_cookie(sizeof def);
    def.columns = 1;
    def.rows = 1;
    def.halo = WADI_WINDOW_LEAST_HALO;
    def.context = wadi_context_def_default();
    def.context.threads = 1;
    return def;
}

wadi_result wadi_windows_partition(wadi_context* context, const wadi_windows_def* def,
                                   int32_t index, wadi_partition* out)
{
    *out = (wadi_partition){0};
    WADI_TRY(wadi_window_check(context, def));
    WADI_CHECK(context, index >= 0 && index < def->columns * def->rows, WADI_ERROR_RANGE,
               "window %d of %d", index, def->columns * def->rows);
    *out = wadi_window_part(def, index);
    return WADI_OK;
}

static void run_keep_failure(window_seat* seat, wadi_result result, const char* detail)
{
    seat->result = result;
    (void)snprintf(seat->detail, sizeof seat->detail, "%s", detail);
}

// The definition of a window's context. One that runs alone uses the caller's threads.
static wadi_context_def run_context_def(const window_seat* seat)
{
    const window_group* group = seat->group;
    wadi_context_def def = group->def->context;
    if (group->def->in_turn && def.executor.run == NULL)
    {
        def.executor = group->context->def.executor;
    }
    if (group->def->memory != NULL)
    {
        def.allocator = group->def->memory(seat->index, group->def->user);
    }
    def.partition = group->parts[seat->index];
    return def;
}

static void run_live(window_seat* seat)
{
    const window_group* group = seat->group;
    const wadi_context_def def = run_context_def(seat);
    wadi_context* context = NULL;
    wadi_result result = wadi_context_create(&def, &context);
    if (result != WADI_OK)
    {
        run_keep_failure(seat, result, "the context of a window cannot be made");
        return;
    }
    context->paged = group->def->enter != NULL;
    // processes that the caller has registered
    for (int32_t i = 0; i < wadi_context_registered_count(group->context) && result == WADI_OK; ++i)
    {
        result = wadi_context_register(context, wadi_context_registered(group->context, i));
    }
    result = result == WADI_OK ? group->fn(context, seat->index, group->user) : result;
    if (result != WADI_OK)
    {
        run_keep_failure(seat, result, wadi_error_detail(context));
    }
    wadi_context_destroy(context);
}

// Did a window fail before another one, and not because of it?
static bool run_is_cause(const window_seat* seat, const window_seat* other)
{
    const bool follows = seat->result == WADI_ERROR_CANCELLED;
    const bool other_follows = other->result == WADI_ERROR_CANCELLED;
    return follows != other_follows ? other_follows : seat->place < other->place;
}

static wadi_result run_result(const window_group* group)
{
    const window_seat* first = NULL;
    for (int32_t i = 0; i < group->count; ++i)
    {
        const window_seat* seat = &group->seats[i];
        const bool failed = seat->result != WADI_OK;
        first = failed && (first == NULL || run_is_cause(seat, first)) ? seat : first;
    }
    return first == NULL ? WADI_OK : wadi_fail(group->context, first->result, "%s", first->detail);
}

static wadi_result run_group(window_group* group)
{
    wadi_context* context = group->context;
    WADI_ALLOC(context, group->parts, group->count, "windows");
    WADI_ALLOC(context, group->seats, group->count, "windows");
    for (int32_t i = 0; i < group->count; ++i)
    {
        window_seat* seat = &group->seats[i];
        *seat = (window_seat){.group = group, .index = i};
        group->parts[i] = wadi_window_part(group->def, i);
        group->parts[i].get = wadi_window_get;
        group->parts[i].sum = wadi_window_sum;
        group->parts[i].table = wadi_window_table;
        group->parts[i].add = wadi_window_add;
        group->parts[i].send = wadi_window_send;
        group->parts[i].room = wadi_window_room;
        group->parts[i].user = seat;
    }
    WADI_TRY(wadi_window_find_links(group));
    WADI_TRY(wadi_window_turns_run(group, run_live));
    return run_result(group);
}

wadi_result wadi_windows_run(wadi_context* context, const wadi_windows_def* def, wadi_window_fn* fn,
                             void* user)
{
    WADI_TRY(wadi_window_check(context, def));
    window_group group = {.context = context, .def = def, .fn = fn, .user = user};
    group.count = def->columns * def->rows;
    const wadi_result result = run_group(&group);
    wadi_window_free_boxes(&group);
    wadi_free(context, group.boxes);
    wadi_free(context, group.tables);
    wadi_free(context, group.links);
    wadi_free(context, group.seats);
    wadi_free(context, group.parts);
    return result;
}
