// SPDX-License-Identifier: MIT
// Saturated flux of sand over flat ground, and the threshold: one law for all models of wind but
// those of articles. docs/theory/sand.md has the equations and their sources.
#pragma once

// Stress of the wind at the threshold of dry, bare sand, over the stress of a wind of `speed`
// [m/s]. Both speeds are at 10 m, so their ratio is that of the shear velocities.
double wadi_sand_threshold(double threshold, double speed);

// Share of a stress that is above the threshold; at least 0.1, which keeps loads finite near it.
double wadi_sand_excess(double threshold, double speed);

// Saturated flux of a wind [m2/yr], sand with its pores. `flux` is that of a wind of 10 m/s over
// sand with a threshold of 7.07 m/s.
double wadi_sand_saturated(double flux, double threshold, double speed);

// The same flux over ground with plants or moisture, over that of a wind of 10 m/s over dry, bare
// sand with a threshold of 7.07 m/s; 0 below the threshold. Arguments are squares of speeds
// [m2/s2]: of the wind, times the share of its stress that reaches the ground, and of the
// threshold of moist sand.
float wadi_sand_relative(float reaches, float needed);
