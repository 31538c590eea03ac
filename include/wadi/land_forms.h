// SPDX-License-Identifier: MIT
/// \file land_forms.h
/// Measures of land that running water shaped, and their gates: how well it drains, how its rivers
/// are graded, slopes, ridges and valleys, and traces of the grid in channels and ridges. Simulated
/// and surveyed land are measured alike. docs/judge.md has the definitions.
///
///     wadi_land land = {.surface = ground};
///     wadi_land_forms forms;
///     wadi_land_forms_measure(context, &land, &forms);
///     if (wadi_land_forms_failed(&forms, WADI_LAND_GATES_NOISE) > 0) ...
#pragma once

#include <wadi/derive.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Ground to measure. Borrowed: the caller keeps it alive. All edges count as open, whatever the
/// field says, and cells without data as outlets. Cells have the width of the middle row.
typedef struct wadi_land
{
    wadi_field2d surface;
    const float* before; ///< earlier heights with the layout of the surface; NULL: unknown
    double years;        ///< time since `before` [yr]; 0: unknown
    bool mask_plains;    ///< leave out plains around mountains: see wadi_land_mask_plains()
} wadi_land;

/// Shares are of 1. A measure that the land does not have, such as the grading of its channels if
/// there are none, is NaN.
typedef struct wadi_land_forms
{
    double judged; ///< share of the cells that is measured: with data, and not masked
    double relief; ///< highest less lowest ground [m]

    // drainage
    double erosion_index;     ///< 0 noise, 1 as drained and as different upside down as mountains
    double closed;            ///< share of cells in closed depressions
    double channels_closed;   ///< the same of channel cells
    double pit_cap_volume;    ///< log10 of the volume that fills pits over that of the caps
    double prominent;         ///< log10 of prominent peaks over prominent pits
    double theta_chi;         ///< concavity that collapses the chi profiles best
    double chi_r2;            ///< straightness of the chi profiles at a concavity of 0.45
    double channel_threshold; ///< drainage area at which channels begin [m2]

    // slopes and forms
    double slope;           ///< mean [degree]
    double steep;           ///< share above 45 degrees
    double flat;            ///< share below a tenth of the median slope
    double curvature_skew;  ///< skewness of the Laplacian of the ground, smoothed over one cell
    double ridge_valley;    ///< cells of ridges over cells of valleys
    double aspect_harmonic; ///< 0: slopes face all ways alike, 1: one of eight ways of the grid
    double dimples;         ///< depressions under 10 cells deeper than 0.5 m, in 10 000 cells
    double spikes;          ///< cells more than 45 degrees above all neighbours, in 10 000 cells

    // traces of the grid, in channels that drain more than 0.3 km2 and 100 cells
    double corner;          ///< share of diagonal steps with both corner cells above the channel
    double straight8;       ///< share of cells whose next eight steps go one way
    double octal;           ///< share of reaches of ten steps within 4 degrees of the eight ways
    double trunk_run;       ///< most steps along an axis in channels that drain 10 times as much
    double ridge_straight8; ///< straight8 of the ridges: channels of the ground upside down
    double ridge_octal;     ///< octal of the ridges

    // change, with `before`
    double relief_kept; ///< relief over that before, over the cells that both have
    double wear;        ///< mean lowering of the ground; raised ground counts 0 [m]
    double deposit;     ///< mean raising of the ground; lowered ground counts 0 [m]
    double facets;      ///< aspect harmonic of ground raised by more than 0.5 m
    double denudation;  ///< mean lowering less raising [mm/yr]; needs `years`
} wadi_land_forms;

/// Measure the land. Fails with WADI_ERROR_RANGE if fewer than 3 x 3 cells can be measured, or if
/// the ground is level.
WADI_API wadi_result wadi_land_forms_measure(wadi_context* context, const wadi_land* land,
                                             wadi_land_forms* out);

/// The erosion index alone, of all cells with data: it takes about a third of the time.
WADI_API wadi_result wadi_land_erosion_index(wadi_context* context, const wadi_field2d* surface,
                                             double* out);

/// Sets of gates.
typedef enum wadi_land_gates
{
    WADI_LAND_GATES_NOISE, ///< land worn from noise
    WADI_LAND_GATES_RANGE, ///< a range under uplift, plains masked
    WADI_LAND_GATES_COUNT
} wadi_land_gates;

WADI_API const char* wadi_land_gates_name(wadi_land_gates gates); ///< "noise", ...; NULL outside

/// Bounds of a measure, both met by values equal to them; infinite where there is none.
typedef struct wadi_land_gate
{
    double low;
    double high;
} wadi_land_gate;

/// One row for each member of wadi_land_forms, in its order.
typedef struct wadi_land_measure
{
    const char* name; ///< of the member
    size_t offset;    ///< of the member, a double
    const char* unit; ///< "1", "m", "degree", ...
    const char* doc;
    const char* source;                          ///< of the gates; ""
    wadi_land_gate gates[WADI_LAND_GATES_COUNT]; ///< by wadi_land_gates
} wadi_land_measure;

WADI_API const wadi_land_measure* wadi_land_measures(int32_t* count);
WADI_API double wadi_land_measure_value(const wadi_land_measure* measure,
                                        const wadi_land_forms* forms);
/// Whether a measure has bounds in a set of gates.
WADI_API bool wadi_land_measure_is_gated(const wadi_land_measure* measure, wadi_land_gates gates);
/// Whether a value meets the gate of its measure. NaN does so without a gate, and for measures of a
/// change, which is then unknown.
WADI_API bool wadi_land_measure_passes(const wadi_land_measure* measure, wadi_land_gates gates,
                                       double value);
/// Number of gates that a land does not meet.
WADI_API int32_t wadi_land_forms_failed(const wadi_land_forms* forms, wadi_land_gates gates);

/// Set `masked` to 1 for cells of plains around mountains and for cells without data, otherwise
/// to 0, `width x height` cells. A cell is part of a range if the relief in the square about it,
/// with a side of 1/16 of the shorter side of the map and at least 7 cells, is more than a quarter
/// of the 95th percentile of that relief. Ranges smaller than a twentieth of the largest are
/// masked, and plains that a range encloses are part of it.
WADI_API wadi_result wadi_land_mask_plains(wadi_context* context, const wadi_field2d* field,
                                           uint8_t* masked);

#ifdef __cplusplus
}
#endif
