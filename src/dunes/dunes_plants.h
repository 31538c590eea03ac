// SPDX-License-Identifier: MIT
// Plants that grow where the ground lies still, and are buried or laid bare where it moves: a
// feedback that both modes share. docs/theory/dunes.md, equation 15.
#pragma once

#include "dunes/dunes_internal.h"

typedef struct dunes_plants dunes_plants;

// *out is NULL where plants neither grow nor die; all other functions then do nothing.
wadi_result dunes_plants_create(wadi_terrain* terrain, const wadi_dunes_params* params,
                                dunes_plants** out);
void dunes_plants_destroy(dunes_plants* plants);

// Sand that a mode holds above the ground, by cells in rows of `stride`. It is a thickness of the
// order of plants, since a step carries all of its sand at once: what a cell lays down because its
// plants have grown must not bury them. {0}: none.
typedef struct dunes_aloft
{
    const int32_t* units;
    ptrdiff_t stride;
} dunes_aloft;

// Before the ground moves: look at the cover, which a user may have changed.
void dunes_plants_meet(dunes_plants* plants, dunes_aloft aloft);

// Let `years` of the clock pass, in which the ground has come from where the last call saw it to
// where it is. Writes the cover.
void dunes_plants_live(dunes_plants* plants, dunes_aloft aloft, double years);

uint64_t dunes_plants_hash(const dunes_plants* plants);
