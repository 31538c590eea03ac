// SPDX-License-Identifier: MIT
/// \file dune_forms.h
/// What dunes look like, in numbers: which way their crests run and how straight, how high they are
/// and how far apart, how much ground lies bare, what kind they are, and how far they have moved.
/// Fields that were simulated and surveyed are measured alike. docs/derive.md has the definitions.
///
/// An azimuth is clockwise from north [degree]; where sand drifts TO, or crests are crossed.
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
    const float* sand; ///< thickness [m], laid out as the heights; NULL: not known
} wadi_dune_field;

typedef struct wadi_dune_forms
{
    double height;  ///< sqrt(12) x the standard deviation of the surface [m]
    double spacing; ///< between dunes [m]; NaN: they do not repeat
    double face;    ///< slope that 1 % of the sloping ground exceeds: of slip faces [degree]
    double order;   ///< coherence of the crests: 0 they run every way, 1 straight ridges
    double normal;  ///< azimuth across the crests, in [0, 180)
    double skew;    ///< of slopes along the azimuth where it is largest: above 1 slip faces
    double lee;     ///< that azimuth, which slip faces look towards, in [0, 360)
    double bare;    ///< share of the ground with less than 5 cm of sand; NaN: not known
    int32_t bodies; ///< heaps of sand thicker than a quarter of the height; -1: not known
    double dunes;   ///< heaps on bare ground, else squares of the spacing; NaN: it does not repeat
} wadi_dune_forms;

WADI_API wadi_result wadi_dune_forms_measure(wadi_context* context, const wadi_dune_field* field,
                                             wadi_dune_forms* out);

/// Kinds of dunes by sand and wind (Wasson & Hyde 1983).
typedef enum wadi_dune_type
{
    WADI_DUNE_BARCHAN,    ///< heaps on bare ground, crests across the drift
    WADI_DUNE_TRANSVERSE, ///< crests across the drift
    WADI_DUNE_LINEAR,     ///< crests along the drift
    WADI_DUNE_STAR,       ///< crests every way
    WADI_DUNE_SHEET,      ///< no slip faces: these are no dunes yet
    WADI_DUNE_MIXED,      ///< none of these
    WADI_DUNE_TYPE_COUNT
} wadi_dune_type;

WADI_API const char* wadi_dune_type_name(wadi_dune_type type); ///< "barchan", ...; NULL outside
/// \p drift: azimuth that sand drifts to under all winds together, NaN where they cancel.
WADI_API wadi_dune_type wadi_dune_forms_classify(const wadi_dune_forms* forms, double drift);

/// How far dunes have moved: the shift that lays the first surface best upon the second.
typedef struct wadi_dune_shift
{
    double distance; ///< [m]
    double azimuth;  ///< in [0, 360); of no shift: NaN
    double likeness; ///< correlation of both surfaces then, at most 1
} wadi_dune_shift;

/// Both are on one grid; cells without data in either do not count. Shifts of up to \p reach [m]
/// are tried, 64 cells at most, where at least a quarter of the cells overlap.
WADI_API wadi_result wadi_dune_shift_measure(wadi_context* context, const wadi_field2d* before,
                                             const wadi_field2d* after, double reach,
                                             wadi_dune_shift* out);

#ifdef __cplusplus
}
#endif
