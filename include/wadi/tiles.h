// SPDX-License-Identifier: MIT
/// \file tiles.h
/// Drainage on grids larger than memory. The grid is cut into square tiles that the caller reads
/// and writes through two functions; one tile is in memory at a time, and for all tiles only the
/// values along their borders and the flow paths between them. The results are those of the whole
/// grid, bit for bit, for every size of tile.
///
///     wadi_tiles_create(context, &tiling, &tiles);
///     wadi_tiles_flood(tiles, &(wadi_tiles_flood_job){.heights = h, .levels = r});
///     wadi_tiles_route(tiles, &(wadi_tiles_route_job){.levels = r, .directions = d, ...});
///     wadi_tiles_drain(tiles, &(wadi_tiles_drain_job){.directions = d, .sum = area, ...});
///     wadi_tiles_destroy(tiles);
#pragma once

#include <wadi/flow.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Type of the cells of a layer.
typedef enum wadi_tile_type
{
    WADI_TILE_INT8,    ///< flow directions
    WADI_TILE_INT32,   ///< heights [units]; INT32_MAX: no data
    WADI_TILE_FLOAT32, ///< NaN: no data
    WADI_TILE_FLOAT64, ///< NaN: no data
    WADI_TILE_INT64    ///< labels
} wadi_tile_type;

/// A grid cut into tiles. The last tile of a row or column may be smaller.
typedef struct wadi_tiling
{
    int32_t width;      ///< of the whole grid [cells], 1..1048576
    int32_t height;     ///< [cells], 1..1048576
    int32_t tile;       ///< cells along each side of a tile, 8..16384
    wadi_edge edges[4]; ///< by wadi_side; all zero: open
} wadi_tiling;

/// The cells of one tile.
typedef struct wadi_tile
{
    int32_t x; ///< first column
    int32_t y; ///< first row
    int32_t width;
    int32_t height;
} wadi_tile;

/// Where the cells of one map are kept. Both functions get `width x height` cells, row after row,
/// and return WADI_OK or the result of wadi_context_fail().
typedef struct wadi_tile_layer
{
    wadi_tile_type type;
    wadi_result (*read)(const wadi_tile* tile, void* cells, void* user);
    wadi_result (*write)(const wadi_tile* tile, const void* cells, void* user);
    void* user;
} wadi_tile_layer;

/// A whole map in memory, as a layer: `user` of wadi_tile_layer_of().
typedef struct wadi_tile_array
{
    void* cells;      ///< (height x width)
    ptrdiff_t stride; ///< [elements per row]
    wadi_tile_type type;
} wadi_tile_array;
WADI_API wadi_tile_layer wadi_tile_layer_of(wadi_tile_array* array);
WADI_API int32_t wadi_tile_type_bytes(wadi_tile_type type); ///< 1, 4 or 8

/// A tiling at work: values along the borders of tiles, and scratch memory of one tile.
typedef struct wadi_tiles wadi_tiles;

/// Create the tiling. Fails with WADI_ERROR_RANGE for sizes outside the ranges above, and with
/// WADI_ERROR_ARGUMENT for edges that do not fit together.
WADI_API wadi_result wadi_tiles_create(wadi_context* context, const wadi_tiling* tiling,
                                       wadi_tiles** out);
WADI_API void wadi_tiles_destroy(wadi_tiles* tiles); ///< NULL is allowed.

/// Work so far.
typedef struct wadi_tiles_work
{
    int64_t bytes_read;
    int64_t bytes_written;
    int64_t solves;      ///< of tiles, by the flood
    int64_t visits;      ///< of cells, by the flood
    int64_t trunk_cells; ///< in memory, on flow paths that cross tiles
    int64_t trunk_bytes; ///< memory for them
} wadi_tiles_work;
WADI_API wadi_tiles_work wadi_tiles_work_of(const wadi_tiles* tiles);

/// Priority flood (Barnes, Lehman & Mulla 2014) with a tilt:
///     R(c) = max(h(c), min over neighbours n of R(n) + rise)
/// with R = h at outlets: cells at an open border or beside a cell without data; without any, the
/// lowest cell. With a rise of 0 these are the levels of wadi_flow_fill(). With a rise each cell
/// but an outlet has a lower neighbour.
typedef struct wadi_tiles_flood_job
{
    wadi_tile_layer heights; ///< INT32 or FLOAT32; only read
    wadi_tile_layer levels;  ///< R, of the same type; read and written
    int32_t rise_axis;       ///< [units] INT32: 0..65536; FLOAT32: steps to the next float
    int32_t rise_diagonal;   ///< the same between cells along a diagonal
} wadi_tiles_flood_job;
WADI_API wadi_result wadi_tiles_flood(wadi_tiles* tiles, const wadi_tiles_flood_job* job);

typedef enum wadi_tiles_law
{
    WADI_TILES_STEEPEST, ///< D8 of wadi_flow_route(): steepest descent, then paths over level
                         ///< ground
    WADI_TILES_LOWEST    ///< the lowest neighbour, ties by the smaller direction; outlets: nowhere
} wadi_tiles_law;

enum
{
    WADI_FLOW_VOID = -2 ///< direction of a cell without data
};

/// Receivers of all cells, as INT8: a direction of flow.h, WADI_FLOW_NOWHERE or WADI_FLOW_VOID. On
/// level ground that crosses tiles the law STEEPEST needs one byte for each cell of these tiles.
typedef struct wadi_tiles_route_job
{
    wadi_tile_layer levels;     ///< of wadi_tiles_flood(); INT32 or FLOAT32
    wadi_tile_layer directions; ///< INT8; written, and with STEEPEST read
    wadi_tiles_law law;
    double dx;               ///< width of a cell [m], used if dx_of_row is NULL
    double dy;               ///< height of a cell [m]
    const double* dx_of_row; ///< width of the cells of each row [m], or NULL
} wadi_tiles_route_job;
WADI_API wadi_result wadi_tiles_route(wadi_tiles* tiles, const wadi_tiles_route_job* job);

/// One implicit step of the stream power law dz/dt = -K A^m |dz/dx| (Braun & Willett 2013):
///     z' = (z + F z'_r) / (1 + F),  F = K dt A^m / dx
/// with the receiver r. Outlets, and cells whose receiver lies higher after the step (the bottom of
/// a lake), keep their height.
typedef struct wadi_tiles_power
{
    double erodibility;     ///< K [m^(1-2m)/yr], > 0; 0: no stream power
    double area_exponent;   ///< m, 0..2
    double years;           ///< dt [yr], > 0
    double unit;            ///< [m] of INT32 heights; FLOAT32 heights are in metres
    wadi_tile_layer ground; ///< z, INT32 or FLOAT32; only read
    wadi_tile_layer eroded; ///< z' [m], FLOAT64 or FLOAT32; written
} wadi_tiles_power;

/// Drainage area, and stream power, in two passes over the tiles (two-level accumulation as in
/// Barnes 2017). A cell adds up its own area and its donors in the order of the directions, as
/// wadi_flow_accumulate() does; cells without data get NaN.
typedef struct wadi_tiles_drain_job
{
    wadi_tile_layer directions; ///< of wadi_tiles_route(); only read
    wadi_tile_layer sum;        ///< FLOAT64 or FLOAT32; without a write function it is left out
    double dx;                  ///< as in wadi_tiles_route_job
    double dy;
    const double* dx_of_row;
    bool outlets;           ///< add up outlets, 1 each, in place of areas: above 0 as in
                            ///< wadi_flow_edge_fed(); not with stream power
    wadi_tiles_power power; ///< all zero: drainage only
} wadi_tiles_drain_job;
WADI_API wadi_result wadi_tiles_drain(wadi_tiles* tiles, const wadi_tiles_drain_job* job);

/// Labels of connected cells, such as the lakes of a map: the smallest index y * width + x of a
/// cell that is joined to it by cells above 0, over all eight neighbours and periodic edges; -1 for
/// other cells. Two passes over the tiles.
typedef struct wadi_tiles_label_job
{
    wadi_tile_layer mask;   ///< INT8; only read
    wadi_tile_layer labels; ///< INT64; written
} wadi_tiles_label_job;
WADI_API wadi_result wadi_tiles_label(wadi_tiles* tiles, const wadi_tiles_label_job* job);

#ifdef __cplusplus
}
#endif
