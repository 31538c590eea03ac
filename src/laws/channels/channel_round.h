// SPDX-License-Identifier: MIT
// A centre line without bends sharper than a radius.
#pragma once

#include "laws/channels/channel_axis.h"

// Radius of the sharpest bend [m], over arcs about as long as `radius` / 2; at most 1e6.
double wadi_channel_least_radius(const channel_axis* axis, double radius);

// Round all bends sharper than `radius` [m] off; the rest of the line and its ends stay. Where the
// line is too short for the radius it becomes straight.
wadi_result wadi_channel_round(wadi_context* context, channel_axis* axis, double radius);
