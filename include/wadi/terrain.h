// SPDX-License-Identifier: MIT
/// \file terrain.h
/// A terrain: a regular grid of square cells, row 0 in the north, column 0 in the west, holding
/// layers of rock, loose matter and water, shares such as hardness, a mask of valid cells, a
/// material table, a clock and a ledger.
///
/// Heights and thicknesses are stored as 32-bit integers in units of 2^-16 m (15.3 µm), so matter
/// is conserved to the last unit and sums do not depend on their order. Callers use metres as
/// float.
#pragma once

#include <wadi/archive.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Units of height in a metre, and the range of heights: ±32 767 m.
#define WADI_UNITS_PER_METRE 65536
#define WADI_HEIGHT_LIMIT 32767.0
#define WADI_MAX_LOOSE 8        ///< loose layers
#define WADI_MAX_MATERIALS 16   ///< rows of the material table
#define WADI_MAX_STRATA 32      ///< beds of rock
#define WADI_MAX_SEA_ROWS 65536 ///< rows of the sea level
#define WADI_MAX_RIVERS 65536   ///< rivers of a terrain
#define WADI_NAME_LENGTH 32     ///< bytes of a layer or material name, with its final zero

typedef struct wadi_terrain wadi_terrain;

/// Layer ids. Loose layers are WADI_LAYER_LOOSE + i, bottom to top; the plain terrain has one,
/// `sediment`, with i = 0.
typedef int32_t wadi_layer;
enum
{
    WADI_LAYER_SURFACE = 0,    ///< read-only: bedrock + all loose layers [m]
    WADI_LAYER_BEDROCK = 1,    ///< elevation of the rock's top [m]
    WADI_LAYER_WATER = 2,      ///< depth of water above the surface [m], >= 0
    WADI_LAYER_HARDNESS = 3,   ///< share 0..1: 0 soft, 1 not erodible
    WADI_LAYER_VEGETATION = 4, ///< share 0..1: cover
    WADI_LAYER_MOISTURE = 5,   ///< share 0..1: pore space filled with water
    WADI_LAYER_LOOSE = 16,     ///< thickness of the lowest loose layer [m], >= 0
    WADI_LAYER_SEDIMENT = 16   ///< the plain terrain's only loose layer
};
/// A set of layers with one member; sets are joined with |.
#define WADI_LAYER_BIT(layer) (UINT32_C(1) << (layer))

typedef enum wadi_edge
{
    WADI_EDGE_OPEN,     ///< matter may leave; it is counted by side
    WADI_EDGE_CLOSED,   ///< no exchange
    WADI_EDGE_PERIODIC, ///< wraps to the opposite edge, which must be periodic too
    WADI_EDGE_COUNT
} wadi_edge;

typedef enum wadi_side
{
    WADI_SIDE_NORTH,
    WADI_SIDE_EAST,
    WADI_SIDE_SOUTH,
    WADI_SIDE_WEST,
    WADI_SIDE_VOID, ///< the border of cells without data, which is open; also the deep sea
    WADI_SIDE_COUNT
} wadi_side;

/// Position of the grid on Earth, stored unchanged. x = a[0] + a[1]*col + a[2]*row and y = a[3] +
/// a[4]*col + a[5]*row of a cell's north-west corner (GDAL's order).
typedef struct wadi_georef
{
    bool valid; ///< false: no georeference
    double affine[6];
    const char* wkt; ///< coordinate system; "" when unknown. Copied on set, borrowed on get.
} wadi_georef;

/// Material of a layer, by bulk values.
typedef struct wadi_material
{
    char name[WADI_NAME_LENGTH];
    double density;        ///< grains [kg/m3], (0, 30000]
    double porosity;       ///< [0, 1)
    double hardness;       ///< resistance to erosion, [0, 1]; combines with the hardness layer
    double friction_angle; ///< repose [degree], (0, 90)
    double cohesion;       ///< [Pa], >= 0
    double conductivity;   ///< hydraulic [m/s], >= 0
    double grain_diameter; ///< [m], > 0
} wadi_material;

/// How to build a terrain. Start from wadi_terrain_def_default().
typedef struct wadi_terrain_def
{
    uint32_t cookie;     ///< Set by wadi_terrain_def_default(). Do not touch.
    int32_t width;       ///< [cells], 1..65536
    int32_t height;      ///< [cells], 1..65536
    double cell_size;    ///< [m], 1e-3..1e6
    wadi_edge edges[4];  ///< by wadi_side: north, east, south, west. Default: open.
    int32_t loose_count; ///< 1..WADI_MAX_LOOSE. Default 1: sediment.
    uint64_t seed;       ///< of all random numbers on this terrain
} wadi_terrain_def;

WADI_API wadi_terrain_def wadi_terrain_def_default(void);

/// Create a flat terrain at elevation 0, all cells valid. On failure *out is NULL.
WADI_API wadi_result wadi_terrain_create(wadi_context* context, const wadi_terrain_def* def,
                                         wadi_terrain** out);
WADI_API void wadi_terrain_destroy(wadi_terrain* terrain); ///< NULL is allowed.

/// A deep copy, including ledger and clock.
WADI_API wadi_result wadi_terrain_clone(const wadi_terrain* terrain, wadi_terrain** out);

WADI_API wadi_context* wadi_terrain_context(const wadi_terrain* terrain);
WADI_API int32_t wadi_terrain_width(const wadi_terrain* terrain);    ///< [cells]
WADI_API int32_t wadi_terrain_height(const wadi_terrain* terrain);   ///< [cells]
WADI_API double wadi_terrain_cell_size(const wadi_terrain* terrain); ///< [m]
WADI_API wadi_edge wadi_terrain_edge(const wadi_terrain* terrain, wadi_side side);
WADI_API int32_t wadi_terrain_loose_count(const wadi_terrain* terrain);
WADI_API uint64_t wadi_terrain_seed(const wadi_terrain* terrain);
WADI_API double wadi_terrain_clock(const wadi_terrain* terrain); ///< [yr] since the start

/// Layer id by name: surface, bedrock, sediment, water, hardness, vegetation, moisture, the name of
/// a loose layer, or an alias (height, debris, sand, wetness) unless a layer has that name. -1 if
/// there is none.
WADI_API wadi_layer wadi_terrain_layer(const wadi_terrain* terrain, const char* name);
/// Layer name of an alias, such as sediment for sand; NULL for any other word.
WADI_API const char* wadi_layer_alias(const char* word);
/// Name of a layer; NULL for an unknown id.
WADI_API const char* wadi_terrain_layer_name(const wadi_terrain* terrain, wadi_layer layer);
/// Set the name of loose layer \p index and its row of the material table.
WADI_API wadi_result wadi_terrain_set_loose(wadi_terrain* terrain, int32_t index, const char* name,
                                            int32_t material);

/// Material table. Rows 0..2 always are rock, sediment and water.
enum
{
    WADI_MATERIAL_ROCK = 0,
    WADI_MATERIAL_SEDIMENT = 1,
    WADI_MATERIAL_WATER = 2
};
WADI_API int32_t wadi_terrain_material_count(const wadi_terrain* terrain);
WADI_API const wadi_material* wadi_terrain_material(const wadi_terrain* terrain, int32_t index);
/// Replace row \p index, or add one when index equals the count.
WADI_API wadi_result wadi_terrain_set_material(wadi_terrain* terrain, int32_t index,
                                               const wadi_material* material);

WADI_API wadi_result wadi_terrain_set_georef(wadi_terrain* terrain, const wadi_georef* georef);
WADI_API wadi_georef wadi_terrain_georef(const wadi_terrain* terrain);

/// Borrowed read-only view of one layer: cell (x, y) is data[y * stride + x], in metres or
/// share. Cells without data hold 0 in thicknesses and shares, and NaN in surface and bedrock.
typedef struct wadi_view
{
    const float* data;
    int32_t width;    ///< [cells]
    int32_t height;   ///< [cells]
    ptrdiff_t stride; ///< [elements per row]
} wadi_view;

/// Borrow a layer until wadi_terrain_release(). While any view is borrowed, calls that would change
/// the terrain fail with WADI_ERROR_BORROWED. A layer may be borrowed several times. A hook that is
/// called while a solver advances may borrow, and must release before it returns; otherwise
/// wadi_solver_advance() fails with WADI_ERROR_BORROWED.
WADI_API wadi_result wadi_terrain_borrow(wadi_terrain* terrain, wadi_layer layer, wadi_view* out);
WADI_API wadi_result wadi_terrain_release(wadi_terrain* terrain, wadi_layer layer);

/// Write a whole layer from `width x height` values in metres or share, rows \p stride elements
/// apart. Values are rounded to the nearest unit; the difference is booked in the ledger as an
/// edit. Setting SURFACE changes the bedrock and leaves the loose layers as they are. NaN in
/// SURFACE or BEDROCK makes the cell void. Fails with WADI_ERROR_RANGE for infinite values, heights
/// beyond ±32 767 m, negative thicknesses, shares outside [0, 1] and NaN elsewhere; the message
/// names the first such cell.
WADI_API wadi_result wadi_terrain_set_layer(wadi_terrain* terrain, wadi_layer layer,
                                            const float* values, ptrdiff_t stride);
/// Set the same value in every valid cell.
WADI_API wadi_result wadi_terrain_fill_layer(wadi_terrain* terrain, wadi_layer layer, double value);

/// A bed of rock.
typedef struct wadi_stratum
{
    double thickness; ///< [m], above 0; ignored for the last bed, which has no bottom
    double hardness;  ///< share 0..1
} wadi_stratum;

/// Divide the rock into up to WADI_MAX_STRATA beds, from the top down, so that hardness depends on
/// depth: a hard bed over soft ones makes steps and mesas. \p top gives the elevation of the top of
/// the first bed, `width x height` cells [m], rows \p stride elements apart; NULL: the current top
/// of the rock. Rock above it belongs to the first bed. From then on the layer of hardness holds
/// the hardness of the exposed bed and cannot be set. A count of 0 removes the beds and keeps that
/// layer.
WADI_API wadi_result wadi_terrain_set_strata(wadi_terrain* terrain, const wadi_stratum* beds,
                                             int32_t count, const float* top, ptrdiff_t stride);

/// Set the level of the sea [m] by a table of years on the terrain's clock, in rising order.
/// Between two rows the level changes linearly; before the first row and after the last it stays. A
/// count of 0 removes the sea, as on a new terrain. With one row \p years may be NULL: a constant
/// level. The sea covers all ground below its level. It is a boundary condition and no layer: it
/// has no volume in the ledger, and the layer of water lies on land. Fails with WADI_ERROR_RANGE
/// for years that do not rise, and levels beyond ±32 767 m.
WADI_API wadi_result wadi_terrain_set_sea_level(wadi_terrain* terrain, const double* years,
                                                const double* levels, int32_t count);
/// The level of the sea in a year of the terrain's clock. False when there is no sea; *level is
/// then unchanged.
WADI_API bool wadi_terrain_sea_level(const wadi_terrain* terrain, double year, double* level);
/// Copy up to \p capacity rows of the table and return the number of rows there are.
WADI_API int32_t wadi_terrain_sea_table(const wadi_terrain* terrain, double* years, double* levels,
                                        int32_t capacity);

/// A river that enters a terrain, over a side or from a spring.
typedef struct wadi_river
{
    double x;         ///< eastwards from the south-west corner [m]
    double y;         ///< northwards [m]
    double discharge; ///< bankfull [m3/s], 0..1e6
    double reach;     ///< A river that enters within this distance is the same river [m], >= 0.
} wadi_river;

/// Rivers are known to all processes of a terrain, and are saved and hashed with it. Process
/// "riverbed", model `graded`, lists those that it makes, under its own name; they stay when its
/// solver is destroyed, as their beds do. A solver that lists its rivers anew replaces its former
/// ones, and those of others that enter within the reach of a new one. Process "hydraulic", model
/// `streams`, brings their water and load.
///
/// Replace the list by other rivers; 0 removes all. A solver of "riverbed" that goes on lists its
/// rivers again. Fails with WADI_ERROR_RANGE for a value out of range.
WADI_API wadi_result wadi_terrain_set_rivers(wadi_terrain* terrain, const wadi_river* rivers,
                                             int32_t count);
/// Copy up to \p capacity rivers and return the number of rivers there are.
WADI_API int32_t wadi_terrain_rivers(const wadi_terrain* terrain, wadi_river* out,
                                     int32_t capacity);

/// Mark cells valid (non-zero) or void (0). The matter of a cell that becomes void is booked as an
/// edit; a cell that becomes valid starts at elevation 0.
WADI_API wadi_result wadi_terrain_set_valid(wadi_terrain* terrain, const uint8_t* valid,
                                            ptrdiff_t stride);
/// Tell void cells beyond a side of the land from holes in it, as around a map that was projected:
/// what falls into them is booked by that side, not as void. \p sides has a wadi_side for each
/// cell, rows \p stride elements apart; WADI_SIDE_VOID for holes; cells with data are skipped. Such
/// cells stay open whatever the edge of that side is, and count as holes once they have had data.
/// NULL makes all voids holes, as on a new terrain. The sides are saved and hashed with the mask.
WADI_API wadi_result wadi_terrain_set_void_sides(wadi_terrain* terrain, const uint8_t* sides,
                                                 ptrdiff_t stride);
/// The side by which matter that falls into a void cell is booked: WADI_SIDE_VOID for a hole. For
/// processes of your own.
WADI_API wadi_side wadi_terrain_void_side(const wadi_terrain* terrain, int32_t x, int32_t y);
WADI_API bool wadi_terrain_is_valid(const wadi_terrain* terrain, int32_t x, int32_t y);
WADI_API int64_t wadi_terrain_valid_count(const wadi_terrain* terrain);

/// Exact height or thickness of one cell in units of 2^-16 m, or share in 1/65535.
WADI_API int32_t wadi_terrain_units(const wadi_terrain* terrain, wadi_layer layer, int32_t x,
                                    int32_t y);

/// Volume of a layer of heights [m3] (bedrock: above elevation 0), the same bits at any thread
/// count.
WADI_API double wadi_terrain_volume(const wadi_terrain* terrain, wadi_layer layer);

/// 64-bit hash over all that wadi_terrain_save() writes: size, cells, edges, materials, layers,
/// mask, sea, rivers, clock, seed and ledger. Equal hashes mean equal bits, up to a negligible
/// chance of collision. Solvers have hashes of their own: wadi_solver_hash().
WADI_API uint64_t wadi_terrain_hash(const wadi_terrain* terrain);

/// Write the whole terrain, ledger and clock included, as an archive (archive.h): 19 bytes a cell
/// with one loose layer.
WADI_API wadi_result wadi_terrain_save(const wadi_terrain* terrain, wadi_write_fn* write,
                                       void* user);
/// Create a terrain from what wadi_terrain_save() wrote. Fails with WADI_ERROR_FORMAT when the
/// bytes are damaged, cut short, or of another version. On failure *out is NULL.
WADI_API wadi_result wadi_terrain_load(wadi_context* context, wadi_read_fn* read, void* user,
                                       wadi_terrain** out);

#ifdef __cplusplus
}
#endif
