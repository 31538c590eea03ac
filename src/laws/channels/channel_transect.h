// SPDX-License-Identifier: MIT
// A cross-section sampled from the ground, and the water in it.
#pragma once

#include "laws/channels/channel_axis.h"
#include "laws/channels/manning.h"

enum
{
    TRANSECT_LEFT,
    TRANSECT_RIGHT
};

// Ground at equally spaced offsets, from the right bank to the left, looking downstream.
typedef struct channel_transect
{
    const float* ground; // [m]; NaN: no data, which acts as a wall
    int32_t count;
    double step;     // [m] between samples
    double relief;   // [m] of banks
    int32_t bed;     // the deepest sample near the axis
    int32_t bank[2]; // shoulder of the crests; without one the first missing sample
    float crest[2];  // [m]; infinite without a crest
} channel_transect;

// Water in a section at a given stage, connected to the bed.
typedef struct channel_filling
{
    double area;       // [m2]
    double top;        // [m]
    double conveyance; // K [m3/s], sum over the bed and both overbanks
    double kinetic;    // alpha / A2: the velocity head is Q2 / 2g of this [1/m4]
    int32_t first;     // outermost wet samples
    int32_t last;
    bool walled; // water reaches the end of the section
} channel_filling;

// Parameters of a section.
typedef struct channel_section_def
{
    double step;   // [m]
    int32_t reach; // samples on either side
    int32_t swing; // samples on either side searched for the bed
    double relief; // [m] fall beyond a crest that marks the end of the bed
} channel_section_def;

// Sample the ground across a station into `ground`, 2 reach + 1 values.
channel_transect wadi_channel_transect_cut(const wadi_field2d* field,
                                           const channel_station* station,
                                           const channel_section_def* def, float* ground);

channel_filling wadi_channel_transect_fill(const channel_transect* transect, double stage,
                                           double roughness);

// Offset of a sample from the axis [m], positive to the left.
static inline double channel_transect_offset(const channel_transect* transect, int32_t sample)
{
    return (sample - transect->count / 2) * transect->step;
}
