// SPDX-License-Identifier: MIT
// What a process implements. Everything public in process.h is written once, over this.
#pragma once

#include <wadi/process.h>

// `state` begins with nothing in particular; it is the process's own.
typedef struct wadi_solver_api
{
    // params have been checked against the field table
    wadi_result (*create)(wadi_terrain* terrain, const void* params, uint32_t stream, void** state);
    wadi_result (*advance)(void* state, double years);
    // what is in the air comes down where it is, before the state is destroyed; may be NULL
    void (*settle)(void* state);
    void (*destroy)(void* state);
    wadi_result (*map)(void* state, int32_t index, float* out); // index in process.maps
    wadi_result (*set_map)(void* state, int32_t index, const float* values); // may be NULL
    // index in process.tables; values have been checked against its columns; may be NULL
    wadi_result (*set_table)(void* state, int32_t index, const double* values, int32_t rows);
    // only where process.takes_bodies
    wadi_result (*set_bodies)(void* state, const wadi_bodies* bodies);
    // only where process.has_grains
    int32_t (*grains)(const void* state, wadi_grain* out, int32_t capacity, double* seconds);
    void (*watch)(void* state, wadi_watch watch, void* user);
    int32_t (*work)(const void* state, wadi_work* out, int32_t capacity);
    int32_t (*figures)(const void* state, wadi_figure* out, int32_t capacity);
    uint64_t (*hash)(const void* state); // random state and memory, for the state hash; may be NULL
} wadi_solver_api;

// Rows of a table against the ranges of its columns; fails naming row and column.
wadi_result wadi_table_check(wadi_context* context, const wadi_table_info* table,
                             const double* values, int32_t rows);
