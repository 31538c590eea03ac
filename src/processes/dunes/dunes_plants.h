// SPDX-License-Identifier: MIT
// Plants grow on stable ground and die where sand is eroded or deposited. Both models use this
// feedback. docs/theory/dunes.md, equation 15.
#pragma once

#include "processes/dunes/dunes_internal.h"
#include <wadi/archive.h>

typedef struct dunes_plants dunes_plants;

// *out is NULL if plant_growth is 0; all other functions then do nothing.
wadi_result wadi_dunes_plants_create(wadi_terrain* terrain, const wadi_dunes_params* params,
                                     dunes_plants** out);
void wadi_dunes_plants_destroy(dunes_plants* plants);

// Sand that a model holds in the air, by cell in rows of `stride`; {0}: none. A step carries all of
// its sand at once, so this is as thick as plants are high. It counts as part of the surface: else
// growing plants would be buried by the sand that they cause to settle.
typedef struct dunes_aloft
{
    const int32_t* units;
    ptrdiff_t stride;
} dunes_aloft;

// Call before the ground changes: read the cover, which other code may have changed.
void wadi_dunes_plants_read(dunes_plants* plants, dunes_aloft aloft);

// Advance plants by `years`, in which the ground has changed since the last call, and write the
// cover. In windows, the ground of the halo is that of its owners, and the cover of the halo is
// left to the caller. False: another window has failed.
bool wadi_dunes_plants_grow(dunes_plants* plants, dunes_aloft aloft, double years);

// Save, restore or hash the plants of a grid; NULL: none grow.
wadi_result wadi_dunes_plants_archive(dunes_plants* plants, wadi_archive* archive,
                                      const wadi_ground* ground);
