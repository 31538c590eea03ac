// SPDX-License-Identifier: MIT
#pragma once

#include "processes/articles/slabs/slab_state.h"

// Look for cliffs in the rock, which others may have changed since the last step.
// All windows look together.
wadi_result wadi_slab_cliff_look(slab_bed* bed, wadi_terrain* terrain);
// Set the rows of the table of local winds: each has eddies of its own.
wadi_result wadi_slab_cliff_place(slab_bed* bed, const double* rows, int32_t count);
// Compute where a wind has eddies.
wadi_result wadi_slab_cliff_blow(slab_bed* bed, const airflow_wind* wind);
