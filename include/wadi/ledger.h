// SPDX-License-Identifier: MIT
/// \file ledger.h
/// The mass ledger: what each process did to each material, in whole units of 2^-16 m times cell
/// area, so that it closes exactly or shows by how much it does not.
#pragma once

#include <wadi/terrain.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Volumes [m3] of one material since the terrain was made. For rock `before` and `after` count
/// from elevation 0, so they may be negative.
///
///   after = before + edited + in - sum(out) - lost + converted - transit  (residual = 0)
typedef struct wadi_ledger_row
{
    const char* material;
    double before;               ///< at creation: 0
    double edited;               ///< set by callers and edit steps
    double in;                   ///< came over the edges or fell from the sky
    double out[WADI_SIDE_COUNT]; ///< left, by side
    double lost;                 ///< evaporated or infiltrated; removed (riverbed)
    double converted;            ///< became this material (+) or another one (-)
    double transit;              ///< under way now: in parcels, airborne
    double after;                ///< in the layers now
    double residual;             ///< what the sum above misses: exactly 0
    int64_t residual_units;      ///< the same in whole units x cells (saturated)
    double eroded;               ///< gross: taken from the ground
    double deposited;            ///< gross: put on the ground
} wadi_ledger_row;

/// Totals over all processes: one row per material. Returns the number of rows there are;
/// writes at most \p capacity of them.
WADI_API int32_t wadi_terrain_ledger(const wadi_terrain* terrain, wadi_ledger_row* rows,
                                     int32_t capacity);

/// Same for what one process did: before, edited, after and residual are 0 in these rows.
WADI_API int32_t wadi_terrain_ledger_of(const wadi_terrain* terrain, const char* process,
                                        wadi_ledger_row* rows, int32_t capacity);

#ifdef __cplusplus
}
#endif
