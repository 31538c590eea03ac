// SPDX-License-Identifier: MIT
// The way of a parcel over frozen ground.
#pragma once

#include "core/isa.h"

#include <wadi/hydraulic.h>

#include <math.h>
#include <stdint.h>

enum
{
    ALLUVIAL_PAD = 2,     // cells around the grid, for parcels that look beyond it
    ALLUVIAL_WAYS = 8,    // candidates of a move
    ALLUVIAL_TEAM = 16,   // parcels that walk together
    ALLUVIAL_CELLS = 16,  // cells whose load is found together
    ALLUVIAL_LEVELS = 8,  // nodes whose levels are
    ALLUVIAL_TURNS = 256, // directions to which the ring of candidates is turned
    ALLUVIAL_STENCIL = 2 * ALLUVIAL_WAYS * ALLUVIAL_TURNS,
    ALLUVIAL_TOUCHED = 1 << 30 // bit of `visits`: a parcel ended in a cell without a visit
};

// Kinds of cells.
enum
{
    ALLUVIAL_WALK,
    ALLUVIAL_WALL,
    ALLUVIAL_EXIT,                       // and from here on: + side
    ALLUVIAL_HANDED = ALLUVIAL_EXIT + 5, // the reach ends, and the river goes on in streams
    ALLUVIAL_NEAR = 64                   // bit: a wall is near
};

// Distance of a move [cells].
#define ALLUVIAL_STRIDE 1.15f

// Frozen ground at the centre of a cell: members that are read together, each in its own array.
typedef struct alluvial_surface
{
    float water; // [m] level over the datum
    float bed;
} alluvial_surface;

typedef struct alluvial_flow
{
    float east; // [m2/s] unit discharge
    float south;
} alluvial_flow;

// A place that a parcel has come to.
typedef struct alluvial_node
{
    int32_t cell;
    float water; // [m] interpolated
    float bed;
    float flow; // [m2/s] of the channel
    float east; // [cells] the move to here
    float south;
    float left; // share of the parcel's water after `seepage`, when it moves on
} alluvial_node;

typedef struct alluvial_walk
{
    const alluvial_surface* surfaces; // padded, as all arrays of cells here
    const alluvial_flow* flows;
    const float* speeds; // [m/s]
    const uint8_t* kinds;
    const float* stencil;
    int32_t stride;
    int32_t width;
    int32_t height;
    int32_t wraps_x;
    int32_t wraps_y;
    float depth_power; // theta
    int32_t focus;     // squarings of fall and direction
    float noise;       // [m]
    float share;       // of water in channels narrower than their cell
    float gather;      // discharge of a channel [m2/s] over the root of that of its cell
} alluvial_walk;

// The way of a parcel from a place.
typedef struct alluvial_way
{
    float x; // [cells]
    float y;
    uint64_t key;         // of its random numbers
    alluvial_node* nodes; // places that it came to
    int32_t count;        // of them; 0 before it walks
    uint8_t end;          // kind of the last one
} alluvial_way;

// Walk until each of `count` parcels leaves or has `most` nodes. Each counts in `visits` of the
// cells that it walks through.
typedef void alluvial_walk_fn(const alluvial_walk* walk, alluvial_way* ways, int32_t count,
                              int32_t most, int32_t* visits);

// Unit discharge of the channel in a cell of unit discharge `flow`: it may be narrower than the
// cell, and its width goes with the root of its discharge.
static inline float alluvial_channel(float flow, float gather, float share)
{
    const float more = gather * sqrtf(flow) - flow;
    return flow + share * (more > 0.0f ? more : 0.0f);
}

// Unit discharges of channels [m2/s] and their speeds [m/s] in a row of cells.
typedef void alluvial_flow_fn(float gather, float share, const alluvial_surface* surfaces,
                              const alluvial_flow* flows, int32_t count, float* narrow,
                              float* speed);

// Load at equilibrium over the volume of water, and the share of the fine load that falls in a move
// of `way` [m] times its rate, in ALLUVIAL_CELLS cells.
typedef void alluvial_carry_fn(const wadi_hydraulic_params* params, float way, const float* flow,
                               const float* speed, float* capacity, float* falls);

// Levels at ALLUVIAL_LEVELS nodes from those at the nodes below them.
typedef void alluvial_level_fn(float drag, const float* flow, const float* bed, float* level);

typedef struct alluvial_flow_kernels
{
    alluvial_flow_fn* flow;
    alluvial_carry_fn* carry;
    alluvial_level_fn* level;
} alluvial_flow_kernels;

WADI_ISA_KERNELS(alluvial_flow_kernels)

typedef struct alluvial_kernels
{
    alluvial_walk_fn* walk;
} alluvial_kernels;

WADI_ISA_KERNELS(alluvial_kernels)
