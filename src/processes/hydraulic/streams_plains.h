// SPDX-License-Identifier: MIT
// Alluvial reaches of streams: where rivers come out on plains or into standing water, floods build
// fans and deltas (alluvial.h). docs/theory/alluvial.md, "Reaches of streams".
//
// - find: which ground is alluvial, where rivers enter it, and the way of each through it
//   (streams_reaches.c)
// - flood: rivers bring the loads of a step, and hand on what is left (streams_plains.c)
#pragma once

#include "processes/hydraulic/alluvial.h"

typedef struct streams streams;

enum
{
    PLAIN_MOUTHS = 32, // rivers that enter alluvial reaches, at most: the largest
    PLAIN_HANDED = 64  // places where load goes on, at most
};

// Where a river enters an alluvial reach.
typedef struct plain_mouth
{
    int64_t cell;
    int64_t exit;    // where what is left goes on
    float discharge; // [m3/yr]
} plain_mouth;

// Load between two steps: an alluvial reach has handed it on.
typedef struct plain_handed
{
    int64_t cell;
    int64_t load; // [units x cells]
} plain_handed;

typedef struct stream_plains
{
    alluvial* floods;
    uint8_t* reach;  // state: 1 where parcels walk
    uint8_t* flat;   // of a step: ground is alluvial
    uint8_t* caught; // of a step: a river's way, whose load is caught for the floods
    uint8_t* owner;  // of a step: 1 + mouth of the river that flows there
    uint8_t* raw;    // work
    int32_t* still;  // [units] level of standing water
    int32_t* queue;  // work
    plain_mouth mouths[PLAIN_MOUTHS];
    int32_t mouth_count;
    plain_handed handed[PLAIN_HANDED]; // state
    int32_t handed_count;
} stream_plains;

wadi_result wadi_streams_plains_create(streams* s);
void wadi_streams_plains_free(streams* s);

// streams_reaches.c
void wadi_streams_find_reaches(streams* s);

// In the order of a step: reaches, and what they handed on in the last step; loads that go on in
// lakes, and ways that streams leave alone; floods.
wadi_result wadi_streams_plains_begin(streams* s);
void wadi_streams_plains_bring(streams* s);
void wadi_streams_plains_apply(streams* s);
void wadi_streams_plains_flood(streams* s);

int64_t wadi_streams_plains_held(const streams* s); // [units x cells]
void wadi_streams_plains_settle(streams* s);
wadi_result wadi_streams_plains_archive(streams* s, wadi_archive* archive);
float wadi_streams_plains_map(const streams* s, int32_t map, int64_t c);
