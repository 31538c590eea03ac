// SPDX-License-Identifier: MIT
// The article's wind over relief the plain way (Paris et al. 2019, section 4): smoothed ground by
// sums over all cells of a Gaussian, shelter by marching. The reference of the field of
// src/laws/wind for results and speed.
#pragma once

#include <stdint.h>

typedef struct plain_airflow
{
    int32_t width; // cells of a torus
    int32_t height;
    double cell;         // [m]
    const double* level; // [m] of the ground
    double speedup;      // per metre above the mean ground [1/m]
    double warp;         // multiplies both turns; 0: the wind keeps its direction
    double radius[2];    // of smoothing, wide and narrow: two standard deviations [m]
    double turn[2];      // [m/s] along the contours per slope and slope
    double share[2];     // weights of both
} plain_airflow;

// Wind of a speed [m/s] along the unit vector (ex, ey): x east, y south, before shelter.
void plain_airflow_wind(const plain_airflow* air, double speed, double ex, double ey, double* x,
                        double* y);

// Shelter of a cell from a wind along (ex, ey): 0 where the skyline upwind is below 10 degrees, 1
// above 15.
double plain_airflow_shelter(const plain_airflow* air, int64_t cell, double ex, double ey);
