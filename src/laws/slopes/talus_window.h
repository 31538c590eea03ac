// SPDX-License-Identifier: MIT
// Talus in windows of a grid. A sweep reaches two cells, so with a halo of 2 k cells k sweeps
// follow each other before the windows exchange their halos. Sweeps also move ghosts, so that the
// owned cells beside them see what their neighbours will do; but ghosts are not booked, and do not
// keep a run going: at the rim of the halo they see a wall where there is none, and can swap a unit
// for ever.
#pragma once

#include "laws/slopes/talus.h"

enum
{
    TALUS_MOST_SWEEPS = 32 // between two exchanges
};

// The ghosts of a window before an exchange.
typedef struct talus_ghosts
{
    int32_t* rock;  // NULL without windows
    int32_t* loose; // all layers
} talus_ghosts;

wadi_result wadi_talus_ghosts_create(wadi_context* context, talus_ghosts* ghosts);
void wadi_talus_ghosts_destroy(wadi_context* context, talus_ghosts* ghosts);

// Sweeps between two exchanges.
int32_t wadi_talus_ghosts_sweeps(const wadi_partition* part);
// Exchange the halo, and touch the ghosts that changed by it. False: another window has failed.
bool wadi_talus_ghosts_exchange(wadi_talus* talus, talus_ghosts* ghosts, const wadi_ground* ground);
