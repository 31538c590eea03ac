// SPDX-License-Identifier: MIT
// One land on cells of several sizes, at the defaults of `hydraulic`.
#pragma once

#include "support/fixture.h"

// A square land of cell means.
typedef struct cells_land
{
    float* heights; // side x side, from malloc()
    int32_t side;   // [cells]
    double cell;    // [m]
} cells_land;

// What happens to it.
typedef struct cells_run
{
    double years;
    double step;   // of streams [yr]; 0: the preset's
    double uplift; // of a dome at its centre [mm/yr]; 0: none
} cells_run;

typedef struct cells_comparison
{
    double correlation; // of the change, or of heights under uplift
    double wear;        // ratio of the mean lowering, or of mean heights under uplift
    double export;      // ratio of the net loss
} cells_comparison;

cells_land cells_noise(fixture* f, uint64_t seed, int32_t side, double cell);
cells_land cells_flat(int32_t side, double cell);              // at 0 m
cells_land cells_mean(const cells_land* fine, int32_t factor); // over factor x factor cells
void cells_free(cells_land* land);

// The land after a run.
cells_land cells_after(fixture* f, const cells_land* land, const cells_run* run);

// The same land on cells `factor` times as wide, against that on its own, on the coarse grid.
cells_comparison cells_compare(fixture* f, const cells_land* fine, int32_t factor,
                               const cells_run* run);
// The same land with half the step, against the step.
cells_comparison cells_halve(fixture* f, const cells_land* land, const cells_run* run);

void cells_print(const char* what, cells_comparison c);
