// SPDX-License-Identifier: MIT
// Faults over a plane. Each raises one side and lowers the other.
#pragma once

#include "maps/synthesis/generator.h"

enum
{
    FAULTS_UNIT = 65536 // throws are integers of 1 / 65536: sums do not depend on order
};

typedef struct faults_layout
{
    int32_t kind; // wadi_faults_kind
    int32_t count;
    double hurst; // of lines
    double decay;
    double radius_min; // [m]
    double radius_max;
    bool tileable;
} faults_layout;

// Sum of all throws in each cell, unscaled.
wadi_result wadi_faults_sum(const synthesis_grid* grid, const faults_layout* layout);
