// SPDX-License-Identifier: MIT
// Inertial shallow water written down plainly (Bates, Horritt & Fewtrell 2010): serial, in double
// precision, on all cells, between walls. What the speed of model "inertial" of `flood` is measured
// against (`wadi bench flood`).
#pragma once

#include <stdint.h>

typedef struct plain_inertial
{
    int32_t size;     // cells along each side
    double cell;      // [m]
    double roughness; // Manning's n [s/m^(1/3)]
    double courant;
    double* bed;   // [m]
    double* depth; // [m]
    double* qx;    // over the eastern edge of each cell [m2/s]
    double* qy;    // over the southern edge
} plain_inertial;

// One step; returns its length [s].
double plain_inertial_step(plain_inertial* p);
