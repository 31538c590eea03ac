// SPDX-License-Identifier: MIT
// Sinuosity of dune crests on a periodic terrain, from contours of the surface, smoothed over five
// cells, half a standard deviation above the mean. At that level dunes are separate and their backs
// are still whole.
#pragma once

#include <wadi/wadi.h>

// Length of all contours over their extent normal to the direction (x, y): x east, y south.
// Straight crests have 1, circles pi / 2. A closed contour counts its width twice, one around the
// torus once.
double dune_sinuosity(const wadi_terrain* terrain, double x, double y);
