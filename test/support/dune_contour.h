// SPDX-License-Identifier: MIT
// How far crests of a torus bend: contours of the surface, smoothed over five cells, half a
// standard deviation above its mean, where dunes are apart and their backs not yet cut.
#pragma once

#include <wadi/wadi.h>

// Length of all contours over the distance that they span across the direction (x, y): x east, y
// south. Straight crests across it have 1, circles pi / 2. A closed contour spans its width twice,
// one that goes round the torus once.
double dune_sinuosity(const wadi_terrain* terrain, double x, double y);
