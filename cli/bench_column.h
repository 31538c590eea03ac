// SPDX-License-Identifier: MIT
// A bed of sand that has settled between sides that repeat, and the same while it collapses since
// they do not: what programs for grains are measured on. Shared by `wadi bench landslide` and
// bench/landslide_lammps.c.
#pragma once

#include <wadi/grains.h>

// Grains of 2 cm; the caller frees `grains`.
typedef struct bench_column
{
    wadi_grain* grains;
    int32_t count;
    double period; // [m]; 0: since the collapse
} bench_column;

// Sand of density 2650 kg/m3, 5e4 N/m, restitution 0.44, friction 0.5, without rolling friction.
wadi_grain_material bench_column_sand(void);
// Parameters with the step that others need, too: 5e-5 s.
wadi_grains_params bench_column_params(const bench_column* column);
// A world with a floor.
wadi_result bench_column_world(wadi_context* context, const bench_column* column,
                               const wadi_grain_material* material,
                               const wadi_grains_params* params, wadi_grains** out);
// Rain side x side x layers grains down and let them settle.
wadi_result bench_column_settle(wadi_context* context, int32_t side, int32_t layers,
                                bench_column* out);
// Lay times x times of it side by side: a bed that repeats can be made larger at no cost.
wadi_result bench_column_tile(wadi_context* context, int32_t times, bench_column* column);
// Take the sides away and let it collapse for so many seconds.
wadi_result bench_column_collapse(wadi_context* context, bench_column* column, double seconds);
