// SPDX-License-Identifier: MIT
// The engine of the studio: messages in, messages out (studio/PROTOCOL.md). It owns a session and
// knows no transport; the WebAssembly module and the server use it unchanged. All calls come from
// one thread.
#pragma once

#include <wadi/run.h>

typedef struct wadi_studio wadi_studio;

// Take a message. The bytes are valid during the call only.
typedef void wadi_studio_send_fn(void* user, bool is_binary, const void* bytes, size_t size);

typedef struct wadi_studio_def
{
    wadi_context_def context;  // threads, executor, allocator; its hooks are the studio's
    wadi_studio_send_fn* send; // never called while wadi_studio_create() runs
    double (*now)(void* user); // milliseconds of a clock that never goes back
    void* user;
    int64_t max_cells; // of a terrain; 0: 4 194 304
    bool reads_yaml;   // the text of scenes is YAML; false: JSON with texts as values
} wadi_studio_def;

// On failure *out is NULL.
wadi_result wadi_studio_create(const wadi_studio_def* def, wadi_studio** out);
void wadi_studio_destroy(wadi_studio* studio); // NULL is allowed

// The context with which hooks report what failed.
wadi_context* wadi_studio_context(wadi_studio* studio);
// Hooks for the files that scenes opened from now on name; NULL: none. Grids that the page sends
// come first. They must outlive the studio.
void wadi_studio_set_files(wadi_studio* studio, const wadi_host* files);

// A grid that the page has sent, which scenes read as a file of this name.
typedef struct wadi_studio_grid
{
    const char* name;
    int32_t width;
    int32_t height;
    double cell;         // [m]
    const float* values; // rows from the north, NaN where there is no data
} wadi_studio_grid;
// The grid number `index` of those that are here whole. False: there are no more.
bool wadi_studio_grid_at(const wadi_studio* studio, int32_t index, wadi_studio_grid* out);

// Process a message; answers go to the send function.
void wadi_studio_receive(wadi_studio* studio, bool is_binary, const void* bytes, size_t size);

// Work for about `budget` milliseconds: advance what plays, and send what has changed as far as
// credits are free. False: there is nothing to do before the next message.
// Complete the running tick and all messages that wait, however long it takes.
void wadi_studio_finish(wadi_studio* studio);
// True between two ticks, when no message waits. Otherwise one of the next turns ends there.
bool wadi_studio_rest(wadi_studio* studio);
bool wadi_studio_turn(wadi_studio* studio, double budget);
