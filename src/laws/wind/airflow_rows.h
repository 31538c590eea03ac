// SPDX-License-Identifier: MIT
// Field table rows of airflow_law, for a process whose parameters have members of the same names,
// in this order. `full` is the set of models that read all of them, 0: all models; the others read
// the rows about turning alone.
#pragma once

#include "core/field_rows.h"

// clang-format off
#define AIRFLOW_ROWS(params, full)                                                                        \
    FIELD_NUMBER_OF(params, full, speedup, 5e-3, 0.0, 1.0, "1/m", "speed-up of the wind per metre above the mean ground", "Paris et al. 2019"), \
    FIELD_NUMBER_OF(params, full, speedup_limit, 2.0, 1.0, 10.0, "1", "largest factor by which high ground speeds up the wind and low ground slows it", "crests 1.4-1.8: Lancaster 1985"), \
    FIELD_NUMBER(params, warp, 1.0, 0.0, 10.0, "1", "factor of the turning of the wind by relief; 0: none", ""), \
    FIELD_NUMBER(params, warp_wide, 200.0, 0.0, 1e5, "m", "radius of the wide smoothing of the ground, two standard deviations", "Paris et al. 2019"), \
    FIELD_NUMBER(params, warp_narrow, 50.0, 0.0, 1e5, "m", "radius of the narrow smoothing of the ground, two standard deviations", "Paris et al. 2019"), \
    FIELD_NUMBER(params, warp_wide_share, 0.8, 0.0, 1.0, "1", "weight of the wide smoothing; the rest is the weight of the narrow one", "Paris et al. 2019"), \
    FIELD_NUMBER(params, warp_wide_turn, 30.0, 0.0, 1e3, "m/s", "wind added along the contours of the widely smoothed ground, per square of the slope", "Paris et al. 2019"), \
    FIELD_NUMBER(params, warp_narrow_turn, 5.0, 0.0, 1e3, "m/s", "wind added along the contours of the narrowly smoothed ground, per square of the slope", "Paris et al. 2019"), \
    FIELD_NUMBER_OF(params, full, lee_begin, 10.0, 1.0, 60.0, "degree", "angle of the skyline upwind above which shelter begins", "Paris et al. 2019"), \
    FIELD_NUMBER_OF(params, full, lee_full, 15.0, 1.0, 60.0, "degree", "angle of the skyline upwind above which shelter is complete; at least 0.1 degrees above lee_begin", "Werner 1995")
// clang-format on

// The law of parameters with these members and `plant_height`.
#define AIRFLOW_LAW_OF(p)                                                                          \
    {                                                                                              \
        .speedup = (p)->speedup, .speedup_limit = (p)->speedup_limit, .warp = (p)->warp,           \
        .warp_wide = (p)->warp_wide, .warp_narrow = (p)->warp_narrow,                              \
        .warp_wide_share = (p)->warp_wide_share, .warp_wide_turn = (p)->warp_wide_turn,            \
        .warp_narrow_turn = (p)->warp_narrow_turn, .lee_begin = (p)->lee_begin,                    \
        .lee_full = (p)->lee_full, .plant_height = (p)->plant_height                               \
    }
