// SPDX-License-Identifier: MIT
/// \file dune_forms.h
/// Morphometry of dunes: orientation and order of crests, height, spacing, bare ground, type, and
/// migration. Simulated and surveyed fields are measured alike. docs/judge.md has the definitions.
///
/// Azimuths are clockwise from north [degree]: of drift, the direction TO which sand moves; of
/// crests, their normal.
#pragma once

#include <wadi/derive.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Ground to measure. Borrowed: the caller keeps it alive.
typedef struct wadi_dune_field
{
    wadi_field2d surface;
    const float* sand; ///< thickness [m], with the layout of the heights; NULL: unknown
} wadi_dune_field;

typedef struct wadi_dune_forms
{
    double height;  ///< sqrt(12) x the standard deviation of the surface [m]
    double spacing; ///< between dunes [m]; NaN: no regular spacing
    double face;    ///< 99th percentile of slope on sloping ground: slip faces [degree]
    double order;   ///< coherence of the crests: 0 all directions, 1 straight ridges
    double normal;  ///< azimuth across the crests, in [0, 180)
    double skew;    ///< of slopes along `lee`: above 1 with slip faces
    double lee;     ///< azimuth that slip faces face, in [0, 360)
    double bare;    ///< share of the ground with less than 5 cm of sand; NaN: unknown
    int32_t bodies; ///< separate bodies of sand thicker than height / 4; -1: unknown
    double dunes;   ///< number: bodies on bare ground, else area / spacing^2; NaN: unknown
    double rest;    ///< slopes of 0.85 to 1.05 of `face` over those of 0.7 to 0.85: sand at rest
    double tail;    ///< slope that 0.1 % exceed, over `face`
    double behind;  ///< fall of the ground behind slopes over 0.85 of `face`, 3 of their lengths
                    ///< from their top, over their height: the median; NaN: unknown
    double tilt;    ///< length of the mean slope over the root mean square: 1 for a plane
} wadi_dune_forms;

WADI_API wadi_result wadi_dune_forms_measure(wadi_context* context, const wadi_dune_field* field,
                                             wadi_dune_forms* out);

/// Kinds of dunes by sand and wind (Wasson & Hyde 1983).
typedef enum wadi_dune_type
{
    WADI_DUNE_BARCHAN,    ///< separate bodies on bare ground, crests across the drift
    WADI_DUNE_TRANSVERSE, ///< crests across the drift
    WADI_DUNE_LINEAR,     ///< crests along the drift
    WADI_DUNE_STAR,       ///< crests in all directions
    WADI_DUNE_SHEET,      ///< no slip faces
    WADI_DUNE_MIXED,      ///< none of these
    WADI_DUNE_NONE,       ///< no dunes, see wadi_dune_forms_are_none()
    WADI_DUNE_TYPE_COUNT
} wadi_dune_type;

WADI_API const char* wadi_dune_type_name(wadi_dune_type type); ///< "barchan", ...; NULL outside
/// Does the ground have no dunes? With sand given: nothing is thick enough to be a body of sand.
/// Without it: one slope (tilt above 0.5), or steeper than sand rests (face above 38 degrees), or
/// no slip faces, or level or rising ground behind the steepest slopes, as behind the banks of a
/// channel (behind not above 0). Slip faces are slopes of 20 degrees or more that are as frequent
/// as gentler ones (rest), while steeper ones are rare (tail), or dunes have a spacing; on hills
/// slopes get rarer the steeper they are. Ridges with order and a regular spacing are dunes without
/// slip faces. A single dome without slip faces is not told from a hill.
WADI_API bool wadi_dune_forms_are_none(const wadi_dune_forms* forms);
/// \p drift: azimuth of the resultant sand drift of all winds, NaN if they cancel.
WADI_API wadi_dune_type wadi_dune_forms_classify(const wadi_dune_forms* forms, double drift);

/// Migration of dunes: the shift that fits the first surface best to the second.
typedef struct wadi_dune_shift
{
    double distance; ///< [m]
    double azimuth;  ///< in [0, 360); NaN without shift
    double likeness; ///< correlation of the surfaces at this shift, at most 1
} wadi_dune_shift;

/// Both surfaces have the same grid; cells without data in either are ignored. Shifts of up to \p
/// reach [m], at most 64 cells, are compared if at least a quarter of the cells overlap.
WADI_API wadi_result wadi_dune_shift_measure(wadi_context* context, const wadi_field2d* before,
                                             const wadi_field2d* after, double reach,
                                             wadi_dune_shift* out);

#ifdef __cplusplus
}
#endif
