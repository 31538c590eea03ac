// SPDX-License-Identifier: MIT
// Rupture surfaces of deep failures, and their factors of safety.
//
// A trial surface is the lower half of a spheroid whose axis of revolution is level and lies across
// the direction of motion, so that ground can turn on it as a rigid body. Its factor of safety is
// that of Bishop's simplified method in three dimensions (Hungr 1987; Reid et al. 2015): vertical
// forces on each column and moments about the axis are in balance, forces between columns are not
// counted. For the column of a cell with weight W, base at distance r from the axis, dip e of the
// base, dip a of the base in the direction of motion:
//     F = sum r (c + (W - u) tan phi) / (cos e + sin a tan phi / F)  /  sum W (r sin a + k z)
// with cohesion c, pore pressure u, horizontal acceleration k g, and the height z of the column's
// middle below the axis.
#pragma once

#include "core/internal.h"

// The ground of a cell.
typedef struct rupture_column
{
    float top;           // surface [m]; NaN: void
    float soil;          // thickness of the loose layers [m]
    float soil_weight;   // [N/m3]
    float soil_cohesion; // [Pa]
    float soil_tangent;  // of the angle of friction
    float rock_cohesion; // [Pa]; INFINITY: no surface cuts it
    float water;         // pore pressure at the base per metre of depth [Pa/m]
    float deepest;       // greatest depth of a surface [m]; 0: none may cut this cell
} rupture_column;

typedef struct rupture_land
{
    const rupture_column* columns;
    int32_t width;
    int32_t height;
    double cell;   // [m]
    bool wraps[2]; // from west to east, and from north to south
    double rock_weight;
    double rock_tangent;
    double shaking; // horizontal acceleration, over that of gravity
    double narrow;  // length over breadth of the surfaces; 0: cylinders across the whole map
} rupture_land;

// Lengths in metres; x to the east, y to the south, from the middle of the first cell.
typedef struct rupture_surface
{
    double x; // centre
    double y;
    double z;
    double ahead[2]; // unit vector of the motion, in plan
    double radius;   // in the plane of the motion
    double toe;      // end of the chord ahead of the centre
    double head;     // its other end, below 0 behind the centre
    double chord;    // its length
} rupture_surface;

typedef struct rupture_moments
{
    double factor; // of safety; INFINITY: the surface does not exist, or nothing drives it
    double drive;  // moment of the weight about the axis [N m]
    double shake;  // moment of the shaking [N m]
    double below;  // moment of the weight with the height below the axis as lever [N m]
    double area;   // in plan [m2]
    double volume; // [m3]
} rupture_moments;

// Place a surface through two points of the ground: the toe at a cell, the head at `length` in the
// direction `back` (a unit vector); `bulge` is its depth below the chord over the chord's length.
// Returns false where there is none: the ground is level, void, or the head would overhang.
bool wadi_rupture_place(const rupture_land* land, const int32_t toe[2], double length,
                        const double back[2], double bulge, rupture_surface* out);

// Compute the factor of safety from one column in each `stride` x `stride` cells, to `within`; 0:
// compute only what it is if it is 1.
void wadi_rupture_weigh(const rupture_land* land, const rupture_surface* surface, int32_t stride,
                        double within, rupture_moments* out);

// Box of cells that a surface may cut, which may lie beyond the map. Returns false if it is wider
// than a map whose edges wrap.
bool wadi_rupture_box(const rupture_land* land, const rupture_surface* surface, int32_t box[4]);
// Depth of the surface below the ground of a cell, mean of 4 x 4 places [m]; 0 outside.
double wadi_rupture_depth(const rupture_land* land, const rupture_surface* surface, int32_t column,
                          int32_t row);
// Does the surface cut a cell in its middle?
bool wadi_rupture_cuts(const rupture_land* land, const rupture_surface* surface, int32_t column,
                       int32_t row);
// Height of the ground between the middles of cells, in cells [m].
double wadi_rupture_height(const rupture_land* land, double column, double row);
// Place in the frame of a surface [m]: ahead of the centre, and to its side.
void wadi_rupture_frame(const rupture_surface* surface, double x, double y, double at[2]);
// Cell at a place that may lie beyond the map; -1 beyond edges that do not wrap.
int64_t wadi_rupture_cell(const rupture_land* land, int32_t column, int32_t row);

// ---- search ------------------------------------------------------------------------------

typedef struct rupture_search rupture_search;

// Search for the surfaces with the least factor of safety, of at least `area` square metres, with
// chords of `shortest` to `longest` metres. The land may change between calls.
wadi_result wadi_rupture_search_create(wadi_context* context, const rupture_land* land, double area,
                                       double shortest, double longest, rupture_search** out);
void wadi_rupture_search_destroy(rupture_search* search); // NULL is allowed
// Weigh all trial surfaces anew that see a cell that has changed, all of them within a box (west,
// north, east, south; NULL: all trials): those whose byte is not 0 in `changed`, a map that is 0
// beyond the box; NULL: all of the box. What was left out around the box may be found again.
void wadi_rupture_search_update(rupture_search* search, const int32_t box[4],
                                const uint8_t* changed);
// Find the surface with the least factor of safety below 1. Returns false if there is none.
bool wadi_rupture_search_next(rupture_search* search, rupture_surface* surface,
                              rupture_moments* moments);
// Leave the surface found last out until its surroundings change.
void wadi_rupture_search_skip(rupture_search* search);
// Least factor of safety of the surfaces that cut a cell, at most `most`, for all cells.
void wadi_rupture_search_map(rupture_search* search, float most, float* factor);
