// SPDX-License-Identifier: MIT
// Lakes that lose water by evaporation. Without `lake_evaporation` all of this does nothing.
#pragma once

#include <wadi/context.h>

#include <stdint.h>

typedef struct streams streams;
typedef struct stream_lakes stream_lakes;

enum
{
    STREAM_LAKE_ROUNDS = 4 // of routes in a step, at most
};

void wadi_streams_lakes_free(streams* s);

// Routes of a step: forget the lakes of the last one; find those of the routes; take their losses
// from the rain; close those that gain less than they lose. The last returns true where routes
// change; in the last round it only counts.
wadi_result wadi_streams_lakes_begin(streams* s);
wadi_result wadi_streams_find_lakes(streams* s);
void wadi_streams_lose_water(streams* s);
bool wadi_streams_close_lakes(streams* s, bool last);
bool wadi_streams_has_closed(const streams* s);
void wadi_streams_cover_closed(streams* s); // their levels, in `top`

// Water lost in the step by closed lakes [units of discharge].
int64_t wadi_streams_evaporated(const streams* s);

// Load that found no room under the water of a closed lake, by one of its cells; then all such
// loads lie down on the lowest ground of their hollows.
void wadi_streams_lake_load(streams* s, int64_t cell, int64_t load);
void wadi_streams_fill_pans(streams* s);
