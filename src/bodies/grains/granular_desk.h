// SPDX-License-Identifier: MIT
// Contacts one by one: copies of the grains of some contacts, each with two rows of its own, so
// that the kernels compute the force of each contact instead of the sum on each grain.
#pragma once

#include "bodies/grains/granular.h"

#include <wadi/grain_contacts.h>

typedef struct granular_desk
{
    wadi_grains* grains;
    granular_work work;
    int32_t count;
    int32_t kind; // of contact that is gathered

    granular_body bodies[2 * GRANULAR_LANES]; // of contact k: 2 k and 2 k + 1
    granular_row rows[2 * GRANULAR_LANES];
    granular_wet wet[2 * GRANULAR_LANES];
    granular_pair pairs[GRANULAR_LANES];
    granular_slip slips[GRANULAR_LANES];
    granular_roll rolls[GRANULAR_LANES];
    granular_touch touches[GRANULAR_LANES];
    granular_bond bonds[GRANULAR_LANES];
    int32_t found[2 * GRANULAR_LANES];
    int32_t names[GRANULAR_LANES][2];

    wadi_grain_contact* out;
    int64_t capacity;
    int64_t written;
} granular_desk;

void wadi_granular_desk_open(granular_desk* desk, wadi_grains* grains, wadi_grain_contact* out,
                             int64_t capacity);
// Put two grains, or one on a wall (second NULL), into the next place; returns it.
int32_t wadi_granular_desk_put(granular_desk* desk, int32_t first, int32_t second);
// After a put: compute and write all contacts if there is no room for another.
void wadi_granular_desk_step(granular_desk* desk);
// Compute and write what is there.
void wadi_granular_desk_flush(granular_desk* desk);
