// SPDX-License-Identifier: MIT
/// \file ledger.h
/// The mass ledger: the changes of each material by each process, in whole units of 2^-16 m times
/// cell area, so that the balance closes exactly or shows its residual.
#pragma once

#include <wadi/terrain.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Volumes [m3] of one material since the terrain was created. For rock `before` and `after` count
/// from elevation 0, so they may be negative.
///
///   after = before + edited + in - sum(out) - lost + converted - transit  (residual = 0)
typedef struct wadi_ledger_row
{
    const char* material;
    double before; ///< at creation: 0
    double edited; ///< set by callers and edit steps
    double in;     ///< inflow over the edges, precipitation, rock that rises (uplift), growth in
                   ///< volume as rock becomes soil (soil)
    double out[WADI_SIDE_COUNT]; ///< outflow, by side
    double lost;                 ///< evaporated or infiltrated; removed (riverbed); sunk (uplift)
    double converted;            ///< converted into this material (+) or out of it (-)
    double transit;              ///< currently moving: in parcels, airborne
    double after;                ///< currently in the layers
    double residual;             ///< imbalance of the sum above: exactly 0
    int64_t residual_units;      ///< the same in whole units x cells (saturated)
    double eroded;               ///< gross: taken from the ground
    double deposited;            ///< gross: put on the ground
} wadi_ledger_row;

/// Totals over all processes, one row per material. Returns the number of materials; writes at most
/// \p capacity rows.
WADI_API int32_t wadi_terrain_ledger(const wadi_terrain* terrain, wadi_ledger_row* rows,
                                     int32_t capacity);

/// The same for one process: before, edited, after and residual are 0 in these rows.
WADI_API int32_t wadi_terrain_ledger_of(const wadi_terrain* terrain, const char* process,
                                        wadi_ledger_row* rows, int32_t capacity);

#ifdef __cplusplus
}
#endif
