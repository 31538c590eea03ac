// SPDX-License-Identifier: MIT
// Windows in one process: the cut, the links between windows, boxes with what they exchange, turns.
#pragma once

#include "core/partition.h"

#include <wadi/window.h>

// Cells that one window owns and another one has in its halo.
typedef struct window_link
{
    int32_t from, to;       // windows
    int32_t from_x, from_y; // first cell in the arrays of each
    int32_t to_x, to_y;
    int32_t width, height;
} window_link;

// Bytes on their way. Windows are at most one exchange apart, so two boxes for each link, used in
// turn, are enough: nobody writes into one that another window may still read.
typedef struct window_box
{
    unsigned char* bytes;
    int64_t size;
    int64_t room;
} window_box;

typedef struct window_turns window_turns;

typedef struct window_group
{
    wadi_context* context; // of the caller
    const wadi_windows_def* def;
    wadi_window_fn* fn;
    void* user;
    int32_t count;
    wadi_partition* parts; // by window
    window_link* links;
    int32_t link_count;
    window_box* boxes;  // by link and parity
    window_box* tables; // by window and parity
    window_turns* turns;
    struct window_seat* seats;
} window_group;

// One window.
typedef struct window_seat
{
    window_group* group;
    int32_t index;
    int64_t exchanges; // so far
    int32_t place;     // in the order in which windows ended
    wadi_result result;
    char detail[512];
} window_seat;

// ---- window_cut.c -------------------------------------------------------------------------------

wadi_result wadi_window_check(wadi_context* context, const wadi_windows_def* def);
wadi_partition wadi_window_part(const wadi_windows_def* def, int32_t index);
// All links of the partitions of a group.
wadi_result wadi_window_find_links(window_group* group);

// ---- window_exchange.c --------------------------------------------------------------------------

// The callbacks of a partition.
bool wadi_window_get(void* const* layers, const int32_t* bytes, int32_t count, void* user);
bool wadi_window_sum(int64_t* values, int32_t count, void* user);
bool wadi_window_table(const void* bytes, int64_t size, wadi_part* parts, void* user);
bool wadi_window_add(void* const* layers, const int32_t* bytes, int32_t count, void* user);
bool wadi_window_send(wadi_part* parts, void* user);
void* wadi_window_room(int64_t size, void* user);
void wadi_window_free_boxes(window_group* group);

// ---- window_turn.c, or window_turn_serial.c without threads -------------------------------------

// Run all windows on threads of their own.
wadi_result wadi_window_turns_run(window_group* group, void (*live)(window_seat* seat));
// Wait until all windows have come to this exchange. False: one has failed.
bool wadi_window_wait(window_seat* seat);
// A window has failed: wake all others.
void wadi_window_give_up(window_group* group);
// Memory of the caller's allocator, from any window; NULL when there is none.
void* wadi_window_allocate(window_group* group, size_t size);
void wadi_window_release(window_group* group, void* memory, size_t size);
