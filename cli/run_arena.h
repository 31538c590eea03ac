// SPDX-License-Identifier: MIT
// Memory of windows in files; the system keeps in memory what fits. Where there are addresses
// enough, each file is mapped once. Otherwise all windows use the same range of addresses, one
// after the other: the file of the window whose turn it is is mapped there, and the system looks
// up each page of it again in each turn. Either way pointers stay valid from turn to turn.
#pragma once

#include "cli/message.h"

#include <wadi/context.h>

typedef struct cli_arena cli_arena;

#define CLI_ARENA_FOLDER ".windows" // in that of the outputs

// Delete what a run that was killed left in the folder of its outputs, which is locked.
void cli_arena_sweep(const char* output);

// Files of up to `bytes` each for `count` windows in `folder`, which is made. `at_once`: map all
// of them if there are addresses.
cli_status cli_arena_open(const char* folder, int32_t count, size_t bytes, bool at_once,
                          cli_arena** out);
// Delete the files and the folder. NULL is allowed.
void cli_arena_close(cli_arena* arena);

// For wadi_windows_def; `user` is the arena.
wadi_allocator cli_arena_allocator(int32_t window, void* user);
void cli_arena_enter(int32_t window, void* user);
void cli_arena_leave(int32_t window, void* user);

// Whether the window at work reads its memory from place to place from now on, or in rows. NULL is
// allowed.
void cli_arena_expect(cli_arena* arena, bool scattered);

// Why memory could not be had: the disk's message; NULL if it could.
const char* cli_arena_failure(const cli_arena* arena);
// Bytes in use in the fullest file so far.
size_t cli_arena_peak(const cli_arena* arena);
