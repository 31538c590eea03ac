// SPDX-License-Identifier: MIT
/// \file seepage.h
/// Water in soil that is made of grains (Richards 1931 on a graph of neighbours): rain infiltrates,
/// water moves by suction and gravity from grain to grain, ponds above tight soil, and leaves at
/// the foot of a slope or by evaporation. docs/theory/seepage.md has the equations;
/// wadi_seepage_fields and wadi_soil_fields have range, unit, meaning and source of every
/// parameter.
///
/// Water is counted in whole units, so the books close with residual 0. Results are the same, bit
/// by bit, for any number of threads.
#pragma once

#include <wadi/field.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Hydraulic properties of a soil.
typedef struct wadi_soil
{
    uint32_t cookie;     ///< Set by wadi_soil_default(). Do not touch.
    double porosity;     ///< volume of pores over that of the soil
    double conductivity; ///< of saturated soil [m/s]
    double suction;      ///< suction of dry soil [m]
    double shape;        ///< saturation is 1 - (suction / dry suction)^shape
    double exponent;     ///< conductivity is proportional to this power of saturation
} wadi_soil;

typedef enum wadi_seepage_base
{
    WADI_SEEPAGE_BASE_CLOSED, ///< nothing leaves below
    WADI_SEEPAGE_BASE_FREE,   ///< water drains freely from the lowest grains
    WADI_SEEPAGE_BASE_COUNT
} wadi_seepage_base;

typedef struct wadi_seepage_params
{
    uint32_t cookie; ///< Set by wadi_seepage_params_default(). Do not touch.
    double step;     ///< longest step [s]
    double gravity;  ///< factor of gravity: 1; 0 for a horizontal column
    double reach;    ///< nodes are neighbours below this distance, in sums of their half widths
    double period_x; ///< period of the domain, from 0; 0: not periodic [m]
    double period_y;
    double rain;        ///< [m/s]
    double evaporation; ///< from wet ground under the sky [m/s]
    int32_t base;       ///< wadi_seepage_base
} wadi_seepage_params;

/// A piece of soil, such as a grain with the pores around it.
typedef struct wadi_seepage_node
{
    double position[3]; ///< z is up [m]
    double room;        ///< volume that it stands for, pores included [m3]
    double saturation;  ///< water over pores at the start
    int32_t soil;       ///< row of the soils
} wadi_seepage_node;

/// Where the water is [m3]. `before + rain + given + held = now + runoff + evaporated + drained`.
typedef struct wadi_seepage_books
{
    double before; ///< at the start
    double now;    ///< in the soil
    double rain;   ///< that fell under the sky
    double given;  ///< by wadi_seepage_give()
    double held;   ///< net inflow from nodes held at a pressure head
    double runoff; ///< rain on full pores, and water that came out of the ground
    double evaporated;
    double drained;   ///< below
    int64_t residual; ///< units that the books do not explain: 0
    double unit;      ///< [m3]
    double time;      ///< [s]
    int64_t steps;
} wadi_seepage_books;

enum
{
    WADI_SEEPAGE_MAX_SOILS = 16
};

typedef struct wadi_seepage wadi_seepage;

WADI_API extern const wadi_field_table wadi_soil_fields;
WADI_API extern const wadi_field_table wadi_seepage_fields;
WADI_API wadi_soil wadi_soil_default(void);
WADI_API wadi_seepage_params wadi_seepage_params_default(void);

/// Link nodes to their neighbours. On failure *out is NULL.
WADI_API wadi_result wadi_seepage_create(wadi_context* context, const wadi_seepage_params* params,
                                         const wadi_soil* soils, int32_t soil_count,
                                         const wadi_seepage_node* nodes, int32_t count,
                                         wadi_seepage** out);
WADI_API void wadi_seepage_destroy(wadi_seepage* seepage); ///< NULL is allowed.

/// Change rain and evaporation from now on [m/s].
WADI_API wadi_result wadi_seepage_set_weather(wadi_seepage* seepage, double rain,
                                              double evaporation);
/// Hold a node at a pressure head [m]: a pond (0 and above) or a dry wall (below); NaN lets go.
WADI_API wadi_result wadi_seepage_hold(wadi_seepage* seepage, int32_t node, double head);
/// Move nodes with their water; neighbours and exposure to the sky are found again.
WADI_API wadi_result wadi_seepage_move(wadi_seepage* seepage, const double (*positions)[3]);

/// Give each node a volume of water [m3]; *taken is what its pores had room for, in whole units.
WADI_API wadi_result wadi_seepage_give(wadi_seepage* seepage, const double* volumes, double* taken);

/// Advance by a time [s].
WADI_API wadi_result wadi_seepage_advance(wadi_seepage* seepage, double seconds);

/// Water over pores by node; a little over 1 where it stands under pressure.
WADI_API void wadi_seepage_saturation(const wadi_seepage* seepage, double* out);
/// Pressure head by node [m]: below 0 by suction, above 0 under standing water.
WADI_API void wadi_seepage_pressure(const wadi_seepage* seepage, double* out);
/// What water carried from node to node in the last advance, when all that left a node had its
/// `what` (such as velocity) throughout: carried[i] is what came less what left [m3 x its unit],
/// and net[i] the volume alike.
WADI_API void wadi_seepage_carried(const wadi_seepage* seepage, const double (*what)[3],
                                   double (*carried)[3], double* net);
/// What pressure in pores pushes nodes with, over the weight of water in a cubic metre [m3]: under
/// still water the volume of each, upwards.
WADI_API void wadi_seepage_push(const wadi_seepage* seepage, double (*out)[3]);
WADI_API wadi_seepage_books wadi_seepage_account(const wadi_seepage* seepage);
/// Hash of the state, 64 bits.
WADI_API uint64_t wadi_seepage_hash(const wadi_seepage* seepage);

/// Save the state as bytes in the format of this machine, wadi_seepage_save_size() of them.
WADI_API size_t wadi_seepage_save_size(const wadi_seepage* seepage);
WADI_API void wadi_seepage_save(const wadi_seepage* seepage, void* bytes);
/// Go back to a saved state of the same nodes, soils and parameters but weather. On failure all is
/// as it was.
WADI_API wadi_result wadi_seepage_restore(wadi_seepage* seepage, const void* bytes, size_t size);

#ifdef __cplusplus
}
#endif
