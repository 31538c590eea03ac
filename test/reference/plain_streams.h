// SPDX-License-Identifier: MIT
// The laws of the model "streams" of `hydraulic`, written down plainly: serial, in double
// precision, with a binary heap. What the speed of the model is measured against (`wadi bench
// streams`).
//
// Left out: sea, voids, hardness, beds, whole units, books. Loads settle in lakes along the way of
// the flood, not around mouths. All four edges are open.
#pragma once

#include <stdint.h>

typedef struct plain_streams
{
    int32_t size;       // cells along each side
    double cell;        // [m]
    double* height;     // [m]
    double years;       // of a step
    double rain;        // [m/yr]
    double erodibility; // K
    double exponent;    // m
    double head;        // q_c [m3/yr]
    double settling;    // G
    double lake_settling;
    double creep;       // D [m2/yr]
    double critical;    // S_c
    double floor_width; // [m]
    uint32_t state;     // of random numbers
} plain_streams;

// One step; returns 0 if memory runs out, else 1.
int plain_streams_step(plain_streams* streams);
