// SPDX-License-Identifier: MIT
// Courses of path free: chains of points that move by the law of Howard & Knutson (1984), and the
// oxbow lakes that their cut-offs leave.
#pragma once

#include "processes/riverbed/graded_internal.h"

enum
{
    FREE_PATCHES = 8
};

// A river of the model, and the strength of its banks.
typedef struct graded_free
{
    wadi_graded* graded;
    graded_river* river;
    riverbed_point patches[FREE_PATCHES]; // wave numbers of the strength of banks [1/width]
    double shifts[FREE_PATCHES];          // and their phases [turns]
} graded_free;

// Units of migration time in a batch (graded_free.c).
double wadi_graded_free_units(const wadi_graded* graded);

// Does the chain move in this batch?
bool wadi_graded_free_moves(const wadi_graded* graded, int32_t batch);

// Move the chain of a river to this batch. graded_free.c
wadi_result wadi_graded_migrate(wadi_graded* graded, graded_river* river);

// Place and tangent on the curve through a chain, at a share of the way from point i to the next.
riverbed_point wadi_graded_curve(const graded_point* chain, int32_t count, int32_t i, double share,
                                 riverbed_point* along);

// Points i to j of a chain are cut off: their bed becomes a lake. graded_lakes.c
wadi_result wadi_graded_lake_begin(wadi_graded* graded, const graded_river* river, int32_t i,
                                   int32_t j);

// Floods silt up lakes and raise levees with load that would leave. graded_lakes.c
void wadi_graded_silt(wadi_graded* graded, wadi_tally* tally);
