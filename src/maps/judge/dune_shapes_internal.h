// SPDX-License-Identifier: MIT
// Internals of the shapes of dunes, for src/maps/judge only.
#pragma once

#include <wadi/dune_shapes.h>

#include "maps/judge/dune_forms_internal.h"

// The ground that is measured, rows without gaps.
typedef struct shape_grid
{
    wadi_context* context;
    int32_t width;
    int32_t height;
    int32_t cells;
    double dx;
    double dy;
    double cell; // square root of the area of a cell [m]
    bool wraps_x;
    bool wraps_y;
    float* z; // NaN: no data
} shape_grid;

// A place relative to another one, across periodic edges [m]; x east, y north.
typedef struct shape_place
{
    double x;
    double y;
} shape_place;

// Index of a cell, across periodic edges; -1 beyond the grid.
static inline int32_t shape_index(const shape_grid* g, int32_t x, int32_t y)
{
    x = g->wraps_x ? (x % g->width + g->width) % g->width : x;
    y = g->wraps_y ? (y % g->height + g->height) % g->height : y;
    return x >= 0 && y >= 0 && x < g->width && y < g->height ? y * g->width + x : -1;
}

// Cells eastwards from `from` to `to`, the short way round.
static inline int32_t shape_round(int32_t from, int32_t to, int32_t side, bool wraps)
{
    const int32_t way = to - from;
    return wraps && 2 * way > side ? way - side : wraps && 2 * way < -side ? way + side : way;
}

static inline shape_place shape_between(const shape_grid* g, int32_t from, int32_t to)
{
    return (shape_place){g->dx * shape_round(from % g->width, to % g->width, g->width, g->wraps_x),
                         -g->dy *
                             shape_round(from / g->width, to / g->width, g->height, g->wraps_y)};
}

// The eight neighbours clockwise from north; odd ones are diagonal.
static const int8_t shape_east[8] = {0, 1, 1, 1, 0, -1, -1, -1};
static const int8_t shape_south[8] = {-1, -1, 0, 1, 1, 1, 0, -1};

static inline int32_t shape_neighbour(const shape_grid* g, int32_t cell, int32_t k)
{
    return shape_index(g, cell % g->width + shape_east[k], cell / g->width + shape_south[k]);
}

// ---- shape_smooth.c ----------------------------------------------------------------------------

// Gaussian mean of the cells with data, `sigma` in metres; voids stay voids.
wadi_result wadi_shape_smooth(const shape_grid* grid, const float* in, double sigma, float* out);

// Bilinear value at fractions of cells; NaN beyond the grid and beside voids.
double wadi_shape_sample(const shape_grid* grid, const float* map, double x, double y);

// Gradient by central differences, x east, y north; false without four neighbours.
bool wadi_shape_gradient(const shape_grid* grid, const float* map, int32_t cell, shape_place* out);

// ---- shape_parts.c -----------------------------------------------------------------------------

typedef enum shape_link
{
    SHAPE_LINK_EIGHT, // diagonal neighbours are connected
    SHAPE_LINK_FOUR
} shape_link;

// Connected parts of a mask. Part i has the cells from first[i] to first[i+1].
typedef struct shape_parts
{
    int32_t count;
    int32_t* cells;
    int32_t* first;
    int32_t* label; // of each cell of the grid: its part, or -1
} shape_parts;

wadi_result wadi_shape_parts_find(const shape_grid* grid, const uint8_t* mask, shape_link link,
                                  shape_parts* out);
void wadi_shape_parts_free(const shape_grid* grid, shape_parts* parts);

// ---- crest_lines.c -----------------------------------------------------------------------------

// A crest stands by `high` above the ground at both sides, within `reach`, and goes on while it
// stands by `low`. Within `near` it falls by `sharp` to one side at least.
typedef struct crest_rule
{
    double reach; // [m]
    double low;   // [m]
    double high;  // [m]
    double near;  // [m]
    double sharp; // [m]
    double steep; // tangent of the steepest descent to one side, at least
    double hole;  // area of the largest hole that is filled [m2]
} crest_rule;

typedef struct crest_maps
{
    float* drop;  // height above the higher of the grounds at both sides [m]; 0: no crest
    float* steep; // tangent of the steepest descent to one side
} crest_maps;

// Mask of crests, about two cells wide, and maps of them. Map `z` is smooth.
wadi_result wadi_crest_lines_find(const shape_grid* grid, const float* z, const crest_rule* rule,
                                  const crest_maps* maps, uint8_t* mask);

// Unit vector across a crest at a cell of the map; false where the map is not bent downwards.
bool wadi_crest_lines_across(const shape_grid* grid, const float* z, int32_t cell, double* x,
                             double* y);

// ---- crest_graph.c -----------------------------------------------------------------------------

// Thin a mask of crests to lines of one cell. Gaps of up to `gap` are closed; spurs shorter than
// `spur` and lines shorter than `least` are removed [m].
typedef struct crest_cut
{
    double gap;
    double spur;
    double least;
    double back;        // dead ends up to this length are cut if they are the back of a dune:
    double blunt;       // the mean of `steep` along them is less than this
    const float* steep; // map of crest_maps
} crest_cut;
wadi_result wadi_crest_graph_thin(const shape_grid* grid, uint8_t* mask, const crest_cut* cut);

// Length of the lines of a thinned mask [m].
double wadi_crest_graph_length(const shape_grid* grid, const uint8_t* mask);

// Count junctions and ends of a thinned mask. Three lines that are `apart` long meet in a junction,
// and junctions closer than that are one [m]. Marks them.
wadi_result wadi_crest_graph_count(const shape_grid* grid, const uint8_t* mask, double apart,
                                   wadi_dune_shapes* out, uint16_t* marks);

// ---- slip_faces.c ------------------------------------------------------------------------------

// Slip faces of a field whose steepest faces have `face` degrees: their mask, number and brinks.
wadi_result wadi_slip_faces_find(const shape_grid* grid, double face, uint8_t* mask,
                                 wadi_dune_shapes* out, uint16_t* marks);

// ---- sand_bodies.c -----------------------------------------------------------------------------

typedef struct body_job
{
    const shape_grid* grid;
    const float* thick; // [m], NaN: no data
    const uint8_t* slip;
    double drift; // azimuth or NaN
    double lee;   // azimuth that slip faces face in the mean
    double thin;  // [m] least thickness of a body
    double least; // [m] least height of a dune
} body_job;

// Mask of the bodies of sand; cells between two that touch are left out.
wadi_result wadi_sand_split(const body_job* job, uint8_t* mask);

// Height of the ground above the ground between dunes `reach` apart [m].
wadi_result wadi_sand_bodies_rise(const shape_grid* grid, double reach, float* out);

wadi_result wadi_sand_bodies_list(const body_job* job, wadi_dune_body* bodies, int32_t capacity,
                                  int32_t* count, wadi_dune_shapes* out, uint16_t* marks);

// ---- small_dunes.c -----------------------------------------------------------------------------

// The large dunes: masks of their crests and slip faces.
typedef struct small_maps
{
    const uint8_t* crests;
    const uint8_t* slip;
} small_maps;
wadi_result wadi_small_dunes_find(const shape_grid* grid, const small_maps* maps,
                                  wadi_dune_shapes* out, uint16_t* marks);

// ---- dune_shapes.c -----------------------------------------------------------------------------

// The sand of a field, and what is a dune of it.
typedef struct dune_sand
{
    shape_grid grid;
    float* thick; // [m]
    double scale; // [m]
    double thin;  // [m] least thickness of a body
    double least; // [m] least height of a dune
    bool none;    // no dunes: the maps are NULL
} dune_sand;

// With another state of the field, its limits and its scale hold. Close it also after a failure.
wadi_result wadi_dune_sand_open(wadi_context* context, const wadi_dune_field* field,
                                const dune_sand* like, dune_sand* out);
void wadi_dune_sand_close(dune_sand* sand);

// ---- star_arms.c -------------------------------------------------------------------------------

// Crests that go out from a place over a distance.
typedef struct star_frame star_frame;
wadi_result wadi_star_frame_create(const shape_grid* grid, const uint8_t* crests, double length,
                                   star_frame** out);
int32_t wadi_star_frame_arms(star_frame* frame, int32_t cell);

// Stars: peaks of the smooth map `z` whose arms are crests of the thinned mask, `reach` long [m],
// and whose slip faces look to several sides.
typedef struct star_maps
{
    const float* z;
    const uint8_t* crests;
    const uint8_t* slip;
    double reach;
} star_maps;
wadi_result wadi_star_arms_count(const shape_grid* grid, const star_maps* maps,
                                 wadi_dune_shapes* out, uint16_t* marks);
