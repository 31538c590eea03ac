// SPDX-License-Identifier: MIT
// The field of rates of the process "uplift": a constant or a map, domes, tilting, faults, noise.
#pragma once

#include "terrain/ground.h"

#include <wadi/uplift.h>

enum
{
    UPLIFT_DOME_COLUMNS = 6, // x, y, length, width, azimuth, rate
    UPLIFT_FAULT_COLUMNS = 8,
    UPLIFT_MOST_DOMES = 256
};

// A corner of a fault's trace; a row of the table.
typedef struct uplift_corner
{
    double fault;       // number: rows of one number, one after the other, are one trace
    double x, y;        // [m] from the south-west corner
    double left, right; // rates of the sides, seen along the trace [mm/yr]
    double width;       // of the zone in which the rate passes from one side to the other [m]
    double left_reach;  // distance at which the rate of a side has fallen to 0 [m]; 0: it does not
    double right_reach;
} uplift_corner;

typedef struct uplift_field
{
    const wadi_ground* ground;
    const wadi_uplift_params* params;
    const float* map;    // in place of params->rate; NULL: none
    const double* domes; // rows of the table
    int32_t dome_count;
    const uplift_corner* corners;
    int32_t corner_count;
    uint32_t key; // of the noise
} uplift_field;

// Fill `rate` with units of 2^-16 m per year; 0 in void cells.
void wadi_uplift_fill(wadi_context* context, const uplift_field* field, double* rate);

// Rate of faults alone at a point [mm/yr].
double wadi_uplift_of_faults(const uplift_corner* corners, int32_t count, double x, double y);
