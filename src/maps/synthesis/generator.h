// SPDX-License-Identifier: MIT
// Shared by generators: the grid that they fill, and its scaling.
#pragma once

#include <wadi/synthesis.h>

#include "core/internal.h"

typedef struct synthesis_grid
{
    wadi_context* context;
    uint64_t seed;
    int32_t width;
    int32_t height;
    double cell_size; // [m]
    float* out;
} synthesis_grid;

static inline int64_t synthesis_cells(const synthesis_grid* grid)
{
    return (int64_t)grid->width * grid->height;
}

// Scale `out` to exactly [base, base + relief]; level ground becomes base.
void wadi_synthesis_scale(const synthesis_grid* grid, double base, double relief);

extern const wadi_field_table wadi_subdivision_fields;
extern const wadi_field_table wadi_faults_fields;
extern const wadi_field_table wadi_poisson_faults_fields;
extern const wadi_field_table wadi_deposition_fields;

wadi_result wadi_subdivision_fill(const synthesis_grid* grid, const void* params);
wadi_result wadi_faults_fill(const synthesis_grid* grid, const void* params);
wadi_result wadi_poisson_faults_fill(const synthesis_grid* grid, const void* params);
wadi_result wadi_deposition_fill(const synthesis_grid* grid, const void* params);
