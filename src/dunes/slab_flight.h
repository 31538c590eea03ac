// SPDX-License-Identifier: MIT
// A slab in the air.
#pragma once

#include "dunes/slab_state.h"

typedef struct slab_flight
{
    wadi_philox words;
    int32_t drawn;  // words used
    uint32_t round; // of words
    enum slab_purpose purpose;
    int64_t start; // cell that keys the words
    int64_t cell;  // where it last touched ground
    float x;       // [cells]
    float y;
    float along; // how the next hop strays from its mean, -1 to 1 of the spread
    float across;
    int32_t amount; // [units]
} slab_flight;

// A slab somewhere over a cell.
slab_flight slab_flight_from(const slab_bed* bed, enum slab_purpose purpose, int64_t cell,
                             int32_t amount);

// It strikes the ground of its cell: it comes to rest, or bounces and flies on until it does or
// leaves the terrain, which is booked.
void slab_flight_land(const slab_bed* bed, slab_flight* flight, wadi_tally* tally);
