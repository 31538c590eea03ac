// SPDX-License-Identifier: MIT
// State of a storm, shared by its files.
#pragma once

#include "laws/slopes/slide_cut.h"
#include "laws/slopes/storm.h"

enum
{
    STORM_GRAIN = 16,         // rows of a block
    STORM_WATER = 1 << 20,    // units of water in a metre
    STORM_FIELD_COHESION = 1, // which noise; storms add their number times STORM_FIELD_COUNT
    STORM_FIELD_FRICTION,
    STORM_FIELD_CONDUCTIVITY,
    STORM_FIELD_AGE,
    STORM_FIELD_RAIN,
    STORM_FIELD_ROOTS,
    STORM_FIELD_COUNT
};

static const double storm_gravity_water = 9810.0; // unit weight of water [N/m3]
static const double storm_deepest = 20.0;         // soil that takes part [m]

struct storm_land
{
    wadi_context* context;
    int32_t width;
    int32_t height;
    int64_t cells;
    double cell; // [m]
    wadi_edge edges[4];
    uint64_t seed;
    storm_law law;
    slide_cut* cut;

    float* surface;  // smoothed [m]; NaN: no data
    float* east;     // its gradient
    float* north;    //
    float* cohesion; // of the soil [Pa]
    float* friction; // tangent
    float* conduct;  // conductivity [m/s]
    int32_t* soil;   // [units]

    float* noise;      // scratch
    float* roots;      // cohesion of roots at the surface [Pa]
    float* rain;       // factor of the storm's rate
    int32_t* room;     // most water [units of water]
    int32_t* water;    // [units of water]
    int32_t* next;     // water after a step
    int32_t* dry;      // deficit that is left [units of water]
    float* to_east;    // share of a cell's water that leaves in a step; below 0: that enters
    float* to_south;   //
    int64_t* drive;    // [N]
    storm_books* rows; // by row: water of a step
};

// Noise of unit variance with wavelengths from `least` to `most` metres, each twice the last, and
// amplitudes like wavelength^0.3; into land->noise.
void wadi_storm_noise(storm_land* land, uint32_t which, double least, double most);
// Fields of a storm: rain and roots.
void wadi_storm_fields(storm_land* land, uint32_t number);

// Factors and constants of water flow for steps of `seconds`; returns the number of substeps.
int32_t wadi_storm_conduct(storm_land* land, double seconds);
// Fill deficits and pores with `metres` of rain, then let water flow for one step.
void wadi_storm_wet(storm_land* land, double metres, int32_t substeps, storm_books* books);
void wadi_storm_dry(storm_land* land); // the state before a storm

// Forces of a cell under soil of `soil` and water of `water` units; drive above 0: it would slide
// by itself [N].
double wadi_storm_drive(const storm_land* land, int64_t cell, int32_t soil, double wetness);
slide_cut_rim_fn wadi_storm_rim;

// Thickness of soil that takes part [m].
static inline double storm_depth(int32_t units)
{
    const double metres = (double)units / 65536.0;
    return metres < storm_deepest ? metres : storm_deepest;
}

// Share of the soil of a cell below its water table.
static inline double storm_wetness(const storm_land* land, int64_t cell)
{
    return land->room[cell] > 0 ? (double)land->water[cell] / (double)land->room[cell] : 0.0;
}

static inline bool storm_is_void(const storm_land* land, int64_t cell)
{
    return land->surface[cell] != land->surface[cell];
}
