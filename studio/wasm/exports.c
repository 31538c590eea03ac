// SPDX-License-Identifier: MIT
// What the page calls, and what it lends (studio/PROTOCOL.md).
#include "studio/engine/engine.h"
#include "studio/wasm/pool_wasm.h"

#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name)))

__attribute__((import_module("studio"), import_name("send"))) void
wadi_studio_page_send(int32_t is_binary, const void* bytes, size_t size);
__attribute__((import_module("studio"), import_name("now"))) double wadi_studio_page_now(void);

int32_t wadi_studio_open(int32_t threads);
void* wadi_studio_room(size_t size);
void wadi_studio_take(int32_t is_binary, size_t size);
int32_t wadi_studio_work(double budget);
void* wadi_studio_stack(size_t size);

static wadi_studio* exports_studio;
static void* exports_room;
static size_t exports_room_size;

static void exports_send(void* user, bool is_binary, const void* bytes, size_t size)
{
    (void)user;
    wadi_studio_page_send(is_binary, bytes, size);
}

static double exports_now(void* user)
{
    (void)user;
    return wadi_studio_page_now();
}

EXPORT(wadi_studio_open) int32_t wadi_studio_open(int32_t threads)
{
    wadi_studio_def def = {
        .context = wadi_context_def_default(), .send = exports_send, .now = exports_now};
    def.context.threads = 1;
    def.context.executor = wadi_wasm_pool(threads);
    wadi_studio_destroy(exports_studio);
    return (int32_t)wadi_studio_create(&def, &exports_studio);
}

EXPORT(wadi_studio_room) void* wadi_studio_room(size_t size)
{
    if (size > exports_room_size)
    {
        free(exports_room);
        exports_room = malloc(size);
        exports_room_size = exports_room != NULL ? size : 0;
    }
    return exports_room;
}

EXPORT(wadi_studio_take) void wadi_studio_take(int32_t is_binary, size_t size)
{
    if (exports_studio != NULL && size <= exports_room_size)
    {
        wadi_studio_receive(exports_studio, is_binary != 0, exports_room, size);
    }
}

EXPORT(wadi_studio_work) int32_t wadi_studio_work(double budget)
{
    return exports_studio != NULL && wadi_studio_turn(exports_studio, budget);
}

// The upper end of a stack: stacks grow downwards.
EXPORT(wadi_studio_stack) void* wadi_studio_stack(size_t size)
{
    char* stack = malloc(size);
    return stack != NULL ? stack + size / 16 * 16 : NULL;
}
