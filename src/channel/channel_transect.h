// SPDX-License-Identifier: MIT
// A cross-section of the real ground, and the water that stands in it.
#pragma once

#include "channel/channel_axis.h"
#include "channel/manning.h"

enum
{
    TRANSECT_LEFT,
    TRANSECT_RIGHT
};

// Ground at even offsets, from the right hand to the left as one looks downstream.
typedef struct channel_transect
{
    const float* ground; // [m]; NaN: none there, which holds water as a wall does
    int32_t count;
    double step;     // [m] between samples
    double relief;   // [m] of banks
    int32_t bed;     // the deepest sample near the axis
    int32_t bank[2]; // where the crests begin; without one the first sample that is not there
    float crest[2];  // [m]; infinite without one
} channel_transect;

// What a stage fills, connected to the bed.
typedef struct channel_filling
{
    double area;       // [m2]
    double top;        // [m]
    double conveyance; // K [m3/s], of bed and both overbanks each for itself
    double kinetic;    // of a flow Q: its velocity head is Q2 / 2g of this [1/m4]
    int32_t first;     // outermost wet samples
    int32_t last;
    bool walled; // water stands against the end of the ground
} channel_filling;

// How sections are cut.
typedef struct channel_section_def
{
    double step;   // [m]
    int32_t reach; // samples to either hand
    int32_t swing; // samples to either hand within which the bed is looked for
    double relief; // [m] ground that falls by this beyond a crest lies out of the bed
} channel_section_def;

// Sample the ground across a station into `ground`, 2 reach + 1 values.
channel_transect wadi_channel_transect_cut(const wadi_field2d* field,
                                           const channel_station* station,
                                           const channel_section_def* def, float* ground);

channel_filling wadi_channel_transect_fill(const channel_transect* transect, double stage,
                                           double roughness);

// Offset of a sample from the axis [m], to the left positive.
static inline double channel_transect_offset(const channel_transect* transect, int32_t sample)
{
    return (sample - transect->count / 2) * transect->step;
}
