// SPDX-License-Identifier: MIT
// Field table rows of airflow_law, for a process whose parameters have members of the same names,
// in this order. `full` is the set of models that read all of them, 0: all models; the others read
// the rows about turning alone.
#pragma once

#include "core/field_rows.h"

// clang-format off
#define AIRFLOW_ROWS(params, full)                                                                        \
    FIELD_NUMBER_OF(params, full, speedup, 5e-3, 0.0, 1.0, "1/m", "speed-up of the wind per metre above the mean ground", "Paris et al. 2019"), \
    FIELD_NUMBER_OF(params, full, speedup_limit, 2.0, 1.0, 10.0, "1", "the wind over high ground is at most so many times that aloft, over low ground at least one part in so many", "crests 1.4-1.8: Lancaster 1985"), \
    FIELD_NUMBER(params, warp, 1.0, 0.0, 10.0, "1", "how far relief turns the wind; 0: not at all", ""), \
    FIELD_NUMBER(params, warp_wide, 200.0, 0.0, 1e5, "m", "radius of the wide smoothing of the ground, two standard deviations", "Paris et al. 2019"), \
    FIELD_NUMBER(params, warp_narrow, 50.0, 0.0, 1e5, "m", "radius of the narrow one", "Paris et al. 2019"), \
    FIELD_NUMBER(params, warp_wide_share, 0.8, 0.0, 1.0, "1", "weight of the wide scale; the narrow one has the rest", "Paris et al. 2019"), \
    FIELD_NUMBER(params, warp_wide_turn, 30.0, 0.0, 1e3, "m/s", "wind along the contours of the wide ground, per slope and slope", "Paris et al. 2019"), \
    FIELD_NUMBER(params, warp_narrow_turn, 5.0, 0.0, 1e3, "m/s", "the same for the narrow one", "Paris et al. 2019"), \
    FIELD_NUMBER_OF(params, full, lee_begin, 10.0, 1.0, 60.0, "degree", "angle to the skyline upwind above which shelter begins", "Paris et al. 2019"), \
    FIELD_NUMBER_OF(params, full, lee_full, 15.0, 1.0, 60.0, "degree", "angle above which no wind is left; at least a tenth of a degree above lee_begin", "Werner 1995")
// clang-format on
