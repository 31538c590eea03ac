// SPDX-License-Identifier: MIT
// A settled bed of sand with periodic sides, and its collapse after they are removed: the usual
// benchmark of granular codes. Shared by `wadi bench landslide` and bench/landslide_lammps.c.
#pragma once

#include <wadi/grains.h>

// Grains of 2 cm; the caller frees `grains`.
typedef struct bench_column
{
    wadi_grain* grains;
    int32_t count;
    double period; // [m]; 0 during the collapse
} bench_column;

// Sand of density 2650 kg/m3, 5e4 N/m, restitution 0.44, friction 0.5, without rolling friction.
wadi_grain_material bench_column_sand(void);
// Parameters with a time step that other codes can use too: 5e-5 s.
wadi_grains_params bench_column_params(const bench_column* column);
// Create a world with a floor.
wadi_result bench_column_world(wadi_context* context, const bench_column* column,
                               const wadi_grain_material* material,
                               const wadi_grains_params* params, wadi_grains** out);
// Drop side x side x layers grains and let them settle.
wadi_result bench_column_settle(wadi_context* context, int32_t side, int32_t layers,
                                bench_column* out);
// Copy the periodic bed times x times side by side to make it larger.
wadi_result bench_column_tile(wadi_context* context, int32_t times, bench_column* column);
// Remove the sides and simulate the collapse for `seconds`.
wadi_result bench_column_collapse(wadi_context* context, bench_column* column, double seconds);
