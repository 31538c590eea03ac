// SPDX-License-Identifier: MIT
// Kernels of water, compiled once for each instruction set: the pairs of one chunk in one step.
#pragma once

#include "bodies/engine/exact.h"
#include "core/isa.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// A particle as its neighbours see it: 64 bytes, all that a pair reads.
typedef struct sph_body
{
    double x[3];
    double push; // pressure over squared density
    double v[3]; // at the time of x
    double rho;
} sph_body;

// Force on a particle and rate of its density, in units that add up exactly in any order.
typedef struct sph_row
{
    int64_t force[3];
    int64_t rate; // of density; multiples of SPH_MET count neighbours, where they are counted
} sph_row;

// Counts one neighbour within a rate; rates stay below half of it.
#define SPH_MET (INT64_C(1) << 54)

// The law of a pair in constants.
typedef struct sph_law
{
    double inverse_reach; // 1 / 2h [1/m]
    double force;         // units of force: kernel constant x mass^2
    double rate;          // units of rate: kernel constant x mass
    double drag;          // alpha c h / rho
    double spread;        // 2 delta h c / rho
    double eta2;          // 0.01 h^2
    double weight[3];     // rho g / c^2: gradient of density in water at rest
    double period[2];
    double inverse_period[2];
} sph_law;

// A chunk: its own particles and those of others within reach, copied to consecutive memory.
typedef struct sph_work
{
    const sph_body* bodies;
    const double* shares; // of a full particle's mass; NULL: all are full
    sph_row* rows;
    const int32_t* first;   // neighbour of each own particle, in groups padded with itself
    const uint16_t* others; // local indices of the neighbours
    int32_t own;
    sph_law law;
} sph_work;

typedef struct sph_kernels
{
    void (*pairs)(const sph_work* work);
} sph_kernels;

enum
{
    SPH_GROUP = 8 // neighbours of a row come in multiples of this
};

WADI_ISA_KERNELS(sph_kernels)
