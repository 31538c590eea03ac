// SPDX-License-Identifier: MIT
// Reptation: grains that a landing slab strikes roll to lower neighbours.
#pragma once

#include "processes/articles/slabs/slab_state.h"

wadi_result wadi_slab_creep_create(slab_bed* bed);
void wadi_slab_creep_destroy(slab_bed* bed);
// One round of reptation, caused by the slabs that landed in the last flights.
void wadi_slab_creep_roll(slab_bed* bed);
