// SPDX-License-Identifier: MIT
// The wind over a window of a grid. Its laws look far: smoothing over a few radii, shelter over as
// many cells as the relief casts it. But neither looks further than a reach that is known before,
// and which does not grow with the grid. So a window fetches the cells around it as far as that
// from their owners, computes the law on this box as on a grid of its own, and keeps its own cells.
// Those at the rim of the box are wrong, and lie beyond the reach.
//
// x, y and shelter of a flow in a window hold the owned cells only.
#pragma once

#include "laws/wind/airflow_internal.h"

wadi_result wadi_airflow_window_create(wadi_airflow* flow);
void wadi_airflow_window_destroy(wadi_airflow* flow);
// As wadi_airflow_smooth() and wadi_airflow_lee(), for the owned cells and, smoothed, those beside.
wadi_result wadi_airflow_window_smooth(wadi_airflow* flow, float* const to[AIRFLOW_SCALES]);
// All windows know the largest deflection after shelter.
wadi_result wadi_airflow_window_lee(wadi_airflow* flow, double direction);
