// SPDX-License-Identifier: MIT
/// \file grain_fields.h
/// Grains as continuous fields on a grid: density, velocity, stress, temperature and coordination
/// (coarse-graining, Goldhirsch 2010). docs/theory/grain-fields.md has the equations.
#pragma once

#include <wadi/grains.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// A grid of cubic cells, and the width over which grains are smoothed.
typedef struct wadi_grain_grid
{
    double low[3];    ///< corner of the first cell [m]
    double cell_size; ///< [m]
    int32_t cells[3]; ///< along x, y and z
    double width;     ///< standard deviation of the smoothing along each axis, 0.1 to 20 cells [m]
} wadi_grain_grid;

/// Means over one cell. Pressure is above 0; stress[a][b]: force along b on a face across a.
typedef struct wadi_grain_cell
{
    double density;       ///< mass of grains, with their water, over volume [kg/m3]
    double solid;         ///< volume of grains over volume
    double number;        ///< of grains and clumps over volume [1/m3]
    double velocity[3];   ///< momentum over mass; 0 without grains [m/s]
    double kinetic[3][3]; ///< stress of velocities about `velocity` [Pa]
    double contact[3][3]; ///< stress of contacts, bonds, bridges and walls [Pa]
    double temperature;   ///< a third of the mean square of those velocities [m2/s2]
    double coordination;  ///< mean contacts of a grain; 0 without grains
    double wall[3];       ///< force of walls and ground on grains over volume [N/m3]
} wadi_grain_cell;

/// Fields of all grains; `out` has a cell for each of the grid, x fastest, then y, then z. The sum
/// of density x volume of cells is the mass of grains, if their smoothed shapes (2.65 widths) lie
/// in the grid or the world is periodic there. Velocities are those of half a step before. The same
/// bits for any number of threads; the state of the grains does not change. A clump is one body at
/// its centre of mass; the stress of its contacts lies on the lines from there to each of them.
WADI_API wadi_result wadi_grain_fields(wadi_grains* grains, const wadi_grain_grid* grid,
                                       wadi_grain_cell* out);

#ifdef __cplusplus
}
#endif
