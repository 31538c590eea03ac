// SPDX-License-Identifier: MIT
// Field table rows of winds and of the sand that they carry, for processes whose parameters have
// members of the same names, in this order. `models` is the set of models that read them, 0: all;
// direction and speed are read by all.
#pragma once

#include "core/field_rows.h"

// clang-format off
#define WIND_REGIME_ROWS(params, models) \
    FIELD_CHOICE_OF(params, models, regime, WADI_WIND_UNIMODAL, WADI_WIND_REGIME_COUNT, "directions that alternate around `direction`, all at `speed`: one, two 60, 120 or 180 degrees apart, three, five, or seasons", "", wadi_wind_regime_names), \
    FIELD_NUMBER(params, direction, 270.0, 0.0, 360.0, "degree", "where the wind comes from, clockwise from north: 270 blows to the east", "WMO convention"), \
    FIELD_NUMBER(params, speed, 10.0, 0.1, 60.0, "m/s", "wind at 10 m above flat ground while it blows", "storms over sand seas 8-15 m/s"), \
    FIELD_NUMBER_OF(params, models, blowing, 0.125, 1e-6, 1.0, "1", "share of the year in which this wind blows", "1100 h/yr: with flux, 50 m2/yr, an active dune field")
#define WIND_STATION_ROWS(params, models) \
    FIELD_NUMBER_OF(params, models, anemometer, 10.0, 0.1, 200.0, "m", "height at which the speeds of a table were measured; they are converted to 10 m", "logarithmic profile"), \
    FIELD_NUMBER_OF(params, models, roughness, 1e-3, 1e-6, 0.05, "m", "aerodynamic roughness length at the station, for that conversion", "bare sand 1e-4, with ripples or saltation 1e-3")
#define WIND_FLUX_ROWS(params, models) \
    FIELD_NUMBER_OF(params, models, threshold, 7.07, 0.0, 30.0, "m/s", "threshold wind speed at 10 m for transport of dry sand", "6-8 m/s at 10 m: Fryberger & Dean 1979"), \
    FIELD_NUMBER_OF(params, models, flux, 400.0, 0.0, 1e5, "m2/yr", "saturated flux of a wind of 10 m/s that never stops", "Kok et al. 2012, quartz of 0.25 mm"), \
    FIELD_NUMBER_OF(params, models, inflow, 0.0, 0.0, 1.0, "1", "load of the wind at open inflow edges, as a share of the saturated load", "")
// clang-format on
