// SPDX-License-Identifier: MIT
/// \file solid.h
/// Solids: closed triangle meshes, one for each layer of soil, and the grains that fill them. A
/// later layer takes the place of earlier ones where both are. docs/grains.md shows it at work.
#pragma once

#include <wadi/field.h>
#include <wadi/grains.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// A surface of triangles, seen counter-clockwise from outside. Borrowed.
typedef struct wadi_mesh
{
    const double (*positions)[3]; ///< of vertices, z up [m]
    int32_t vertex_count;
    const int32_t (*triangles)[3]; ///< vertices of each, from 0
    int32_t triangle_count;
} wadi_mesh;

/// Report on a mesh. Vertices at the same position count as one.
typedef struct wadi_mesh_report
{
    int32_t open_edges;     ///< an odd number of triangles meets there: the mesh has a hole
    int32_t crowded_edges;  ///< four triangles or more meet there; inside is still known
    int32_t turned_edges;   ///< two triangles meet there that face opposite ways
    int32_t flat_triangles; ///< without area
    double edge[2][3];      ///< the first open edge, or else the first turned one [m]
    double volume;          ///< enclosed; below 0 when the mesh is inside out [m3]
    double low[3];          ///< corners of the box around it [m]
    double high[3];
} wadi_mesh_report;

/// Inspect a mesh. Fails for vertices that are not finite or do not exist, and without triangles;
/// other defects are only reported.
WADI_API wadi_result wadi_mesh_inspect(wadi_context* context, const wadi_mesh* mesh,
                                       wadi_mesh_report* out);

/// How grains are laid out.
typedef enum wadi_packing
{
    WADI_PACKING_JITTERED, ///< one in each cube of a grid, displaced at random
    WADI_PACKING_DENSE,    ///< hexagonal close packing: as many as there is room for
    WADI_PACKING_COUNT
} wadi_packing;

typedef struct wadi_filling_params
{
    uint32_t cookie; ///< Set by wadi_filling_params_default(). Do not touch.
    double diameter; ///< of the largest grain; 0: so that there are `most` of them [m]
    int32_t most;    ///< grains; more are refused
    int32_t packing; ///< wadi_packing
    double jitter;   ///< of the jittered packing, share of the diameter
    double spread;   ///< radii lie between 1 - spread and 1 of the largest
} wadi_filling_params;

WADI_API extern const wadi_field_table wadi_filling_fields;
WADI_API wadi_filling_params wadi_filling_params_default(void);

/// One layer, filled.
typedef struct wadi_filling_layer
{
    wadi_mesh_report mesh;
    double volume;      ///< of the mesh less what later layers take [m3]
    int32_t grains;     ///< volume / the room of one, to the nearest
    double room;        ///< of each of its grains: grains x room = volume [m3]
    double grain_share; ///< volume of the spheres over `volume`
} wadi_filling_layer;

typedef struct wadi_filling wadi_filling;

/// Fill layers with grains: which cells of the packing are theirs is decided by rays along the
/// three axes, two votes of three. The same seed gives the same bits. Refused are meshes with open
/// or turned edges, layers that later ones cover wholly or that are smaller than a grain, and more
/// than `most` grains. On failure *out is NULL.
WADI_API wadi_result wadi_filling_create(wadi_context* context, const wadi_filling_params* params,
                                         uint64_t seed, const wadi_mesh* layers, int32_t count,
                                         wadi_filling** out);
WADI_API void wadi_filling_destroy(wadi_filling* filling); ///< NULL is allowed.

/// Diameter of the largest grain [m].
WADI_API double wadi_filling_diameter(const wadi_filling* filling);
WADI_API wadi_filling_layer wadi_filling_layer_at(const wadi_filling* filling, int32_t layer);
/// The grains, at rest, layer by layer; `material` is the layer. Borrowed.
WADI_API const wadi_grain* wadi_filling_grains(const wadi_filling* filling, int32_t* count);

#ifdef __cplusplus
}
#endif
