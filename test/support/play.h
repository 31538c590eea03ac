// SPDX-License-Identifier: MIT
// A small world for sessions: rough ground under sand, and commands on it.
#pragma once

#include "support/fixture.h"

#include <wadi/session.h>

typedef struct play
{
    fixture f;
    int64_t asked;   // questions of the progress hook
    int64_t stop_at; // the question that is answered with no; 0: none
    wadi_scene_grid grid;
    wadi_scene* scene;
    wadi_host host;
    wadi_session* session;
} play;

// 70 x 66 cells of 5 m with open edges, seed 7, ticks of a quarter of a year.
void play_open(play* p, int64_t snapshot_bytes);
// The same on another grid.
void play_open_on(play* p, const wadi_scene_grid* grid, int64_t snapshot_bytes);
void play_close(play* p);
// Start a process with one field that differs from its default, or change it; field NULL: none.
wadi_result play_try_start(play* p, const char* process, const char* field, double value);
void play_start(play* p, const char* process, const char* field, double value);
// An edit of a kind with its amount in a circle.
void play_edit(play* p, const char* kind, double amount, double x, double radius, bool joins);
void play_advance(play* p, int32_t ticks);
uint64_t play_hash(play* p);

// Hash of a run of the session's record on the same ground, to its end.
uint64_t play_record_hash(play* p);
