// SPDX-License-Identifier: MIT
// Steady flow of one discharge along a row of cross-sections.
#pragma once

#include "laws/channels/channel_transect.h"

typedef struct channel_reach
{
    const channel_transect* transect; // upstream first
    int32_t count;
    double spacing;     // [m]
    double discharge;   // [m3/s]
    double roughness;   // Manning's n [s/m^(1/3)]
    double least_slope; // of uniform flow [1]
} channel_reach;

typedef struct channel_state
{
    double stage; // elevation of the water surface [m]
    channel_filling filling;
    double energy_slope; // friction slope [1]
    double bed_slope;    // [1], over a few sections
    bool rapid;          // supercritical
} channel_state;

wadi_result wadi_channel_profile(wadi_context* context, const channel_reach* reach,
                                 channel_state* states);
