// SPDX-License-Identifier: MIT
// Reptation: grains that a landing slab strikes roll to lower neighbours.
#pragma once

#include "dunes/slab_state.h"

wadi_result slab_creep_create(slab_bed* bed);
void slab_creep_destroy(slab_bed* bed);
// One round, from what struck the ground in the last flights.
void slab_creep_roll(slab_bed* bed);
