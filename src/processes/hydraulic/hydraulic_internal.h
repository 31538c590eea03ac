// SPDX-License-Identifier: MIT
// Declarations shared by the models of the process "hydraulic".
#pragma once

#include <wadi/hydraulic.h>

#include "terrain/ground.h"
#include <wadi/model.h>

// Indices of wadi_hydraulic_maps.
enum
{
    HYDRAULIC_MAP_RAIN, // the only input
    HYDRAULIC_MAP_FLOW,
    HYDRAULIC_MAP_DISCHARGE,
    HYDRAULIC_MAP_VELOCITY,
    HYDRAULIC_MAP_WEAR,
    HYDRAULIC_MAP_DEPOSIT,
    HYDRAULIC_MAP_LAKE_DEPTH,
    HYDRAULIC_MAP_MOMENTUM_EAST,
    HYDRAULIC_MAP_MOMENTUM_NORTH,
    HYDRAULIC_MAP_RAINFALL,
    HYDRAULIC_MAP_FLOOD_DEPTH,
    HYDRAULIC_MAP_COARSE,
    HYDRAULIC_MAP_FLOOD_FLOW,
    HYDRAULIC_MAP_PLAINS,
    HYDRAULIC_MAP_RIVER_WIDTH,
    HYDRAULIC_MAP_COUNT
};

// Indices of the tables, which only streams take.
enum
{
    HYDRAULIC_TABLE_INFLOW,
    HYDRAULIC_TABLE_CLIMATE,
    HYDRAULIC_TABLE_SEASONS,
    HYDRAULIC_TABLE_COUNT
};

enum
{
    HYDRAULIC_INFLOW_COLUMNS = 6,
    HYDRAULIC_CLIMATE_COLUMNS = 2,
    HYDRAULIC_SEASON_COLUMNS = 2
};

// In this time, drainage of noise with mountain relief is complete at the default erodibility.
// `batches` and `droplets_per_cell` refer to it.
#define HYDRAULIC_BATCH_YEARS 400000.0
// Streams leave half of the relief of such noise in this time.
#define HYDRAULIC_STREAM_YEARS 1e6
// A river of 50 m3/s in flood builds a fan of 1e7 m3 from a load of 1e5 m3 a year.
#define HYDRAULIC_FLOOD_YEARS 100.0

// Compute the figures that every model reports after some years; returns their number.
int32_t wadi_hydraulic_figures(const wadi_terrain* terrain, double years, wadi_figure* rows);

// Refuse saved maps of gross wear and deposits that are negative.
wadi_result wadi_hydraulic_check_sums(const wadi_terrain* terrain, const int32_t* wear,
                                      const int32_t* deposit);

// Tell once that a model other than `streams` knows no rivers of the terrain, if there are any. In
// a timeline they may come after the solver.
void wadi_hydraulic_note_rivers(const wadi_terrain* terrain, const char* model, bool* noted);

// The cell of a place [m, from the south-west corner], or -1 outside. The far edges belong to the
// last cells.
int64_t wadi_hydraulic_cell_at(const wadi_ground* ground, double x, double y);

// A place along an axis of `count`, across periodic edges; -1: beyond another edge.
static inline int32_t hydraulic_fold(int32_t at, int32_t count, wadi_edge edge)
{
    const bool inside = at >= 0 && at < count;
    return inside ? at : edge == WADI_EDGE_PERIODIC ? (at % count + count) % count : -1;
}

// Add `amount` >= 0 to a map of gross wear or deposits, which stops at 32 767 m.
static inline void hydraulic_count(int32_t* sum, int32_t amount)
{
    const int32_t room = INT32_MAX - *sum;
    *sum += amount < room ? amount : room;
}

// Velocity of a discharge [m3/s] over the ground of a cell [m/s]; 0 in lakes.
float wadi_hydraulic_velocity(const wadi_ground* ground, int64_t cell, float discharge);

extern const wadi_model_api wadi_parcels_api;
extern const wadi_model_api wadi_droplets_api;
extern const wadi_model_api wadi_streams_api;
extern const wadi_model_api wadi_alluvial_api;
extern const wadi_model_api wadi_stream_power_api;
