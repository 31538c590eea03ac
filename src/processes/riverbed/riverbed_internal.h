// SPDX-License-Identifier: MIT
// Declarations shared by the models of the process "riverbed".
#pragma once

#include "processes/riverbed/riverbed_emitter.h"

#include <wadi/model.h>

// Indices of the process's maps.
enum
{
    RIVERBED_MAP_WEAR,
    RIVERBED_MAP_DEPOSIT,
    RIVERBED_MAP_BED,
    RIVERBED_MAP_LEVEL,
    RIVERBED_MAP_DEPTH,
    RIVERBED_MAP_LOAD,
    RIVERBED_MAP_AGE,
    RIVERBED_MAP_COUNT
};

extern const wadi_model_api wadi_graded_api;
extern const wadi_model_api wadi_riverbed_paper_api;
