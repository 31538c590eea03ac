// SPDX-License-Identifier: MIT
// Kernels of grains, compiled once for each instruction set: the work of one chunk in one step.
#pragma once

#include "bodies/grains/granular_types.h"
#include "core/isa.h"

enum
{
    GRANULAR_LANES = 32, // contacts per pass; 24 kB of temporaries fit the level-1 cache
    GRANULAR_GROUP = 16  // pairs tested at once
};

// A chunk: its own grains where they are, and copies of those of other chunks that they may touch.
typedef struct granular_work
{
    const granular_body* bodies; // own
    const granular_body* halo;   // the others, from local number `own` on
    int32_t own;
    bool mixed;             // not all of one kind
    bool sleeper;           // some may sleep
    const float (*near)[4]; // position from the chunk's middle, radius
    granular_row* rows;
    const granular_wet* wet; // NULL: dry

    // pairs, in groups that are padded to the full
    const granular_pair* pairs;
    int32_t pair_count;
    const uint16_t* touching;   // by group, bit k: pair k was in touch in the last step
    int32_t slip_count;         // contacts then
    const granular_slip* slips; // state of those contacts, in their order; then of new contacts
    const granular_roll* rolls; // NULL: no rolling resistance
    granular_slip* kept; // out: state of the current contacts; may overlap `slips`, beginning as
                         // many places before it as there are new contacts
    granular_roll* kept_rolls;

    // results of the search; room for all pairs and two batches
    int32_t* found;  // pairs that touch
    int32_t* memory; // index of each contact's stored state
    int32_t* born;   // pairs that did not touch
    uint16_t* now;   // as `touching`
    int32_t found_count;
    int32_t born_count;

    // the world
    const granular_contact* contacts; // kinds x kinds
    int32_t kinds;
    bool hertz;
    float band;           // [m2] within which `near` cannot tell whether grains touch
    float near_period[2]; // 0 where no pair of the chunk needs periodic images
    float near_inverse[2];
    double period[2];
    double inverse_period[2];
    double step;      // [s]
    double scale;     // units of force in a newton
    int32_t sleep_at; // calm steps after which a grain sleeps

    // results
    double peak; // [N] largest force of a contact or bond
    int64_t touches;
    struct granular_push* pushes; // out: of each touch; NULL: not wanted
} granular_work;

// Force on a grain of one contact, and its torque over radius, in units.
typedef struct granular_push
{
    int64_t force[3];
    int64_t turn[3];
} granular_push;

// A grain against a wall or the ground.
typedef struct granular_touch
{
    int32_t grain;   // local
    int32_t contact; // row of the contact table
    double d[3];     // from the nearest point of the wall to the centre
    double v[3];     // of the wall's surface
    double w[3];     // its turning [rad/s]
    int32_t mesh;    // of a contact with a mesh
    bool moves;      // the wall or its surface: a sleeping grain feels it
    granular_slip* slip;
    granular_roll* roll;
} granular_touch;

// Bonds of a chunk's own grains.
typedef struct granular_bonds_work
{
    granular_bond* bonds;
    int32_t count;
    int32_t begin;                  // place of the chunk's first grain
    const granular_cement* cements; // by row of a bond
    int32_t broken;                 // out: in this step
} granular_bonds_work;

// A grain of a chunk by its local number.
static inline const granular_body* granular_work_body(const granular_work* work, int32_t local)
{
    return local < work->own ? work->bodies + local : work->halo + (local - work->own);
}

// What the search and the law need of a chunk's grains, in consecutive memory.
typedef struct granular_copy_work
{
    const granular_body* from;
    const int32_t* places; // in `from`; NULL: one after the other
    int32_t count;
    granular_body* bodies; // out; NULL: grains stay where they are
    float (*near)[4];      // out: see granular_work
    int32_t kind;          // of all grains so far
    bool mixed;            // out, if there is another
    int32_t calmest;       // out, if there is a calmer one
    double middle[3];      // that short floats are counted from
    double period[2];
    double inverse_period[2];
} granular_copy_work;

// Grains of a chunk, and all that pushes them. Rows of four have 0 in the last place.
typedef struct granular_move_work
{
    granular_body* bodies; // by place, as all that follows
    int32_t begin;
    int32_t end;
    const granular_origin* built;
    const granular_row* own;   // force and torque from its own chunk, of each from `begin` on
    const int32_t* halo_start; // of the rows of other chunks that push each, and one past the last
    const int32_t* halo_slots;
    const granular_row* halo_rows;
    const double (*forces)[3]; // from outside, by id [N]; NULL: none
    const granular_wet* wet;   // by id; NULL: dry
    const int32_t* ids;
    const int32_t* clump_of; // by id, -1: none; NULL: there are no clumps

    // the world
    double step;
    double unit; // [N]
    double gravity[4];
    double period[4];
    double inverse_period[4];
    double reference[4]; // displacement that all have in common
    double calm_speed2;
    double calm_pull2;
    double wake_pull2; // squared pull that wakes a sleeping grain
    int32_t sleep_at;

    // results: bounding box of displacements since the list was built, and the largest squared
    // distance from the reference
    double low[4];
    double high[4];
    double strayed2;
} granular_move_work;

typedef struct granular_kernels
{
    void (*copy)(granular_copy_work* work);
    void (*find)(granular_work* work);
    void (*contacts)(granular_work* work);
    void (*touches)(granular_work* work, const granular_touch* touches, int32_t count);
    void (*bonds)(granular_work* work, granular_bonds_work* bonds);
    void (*move)(granular_move_work* work);
} granular_kernels;

WADI_ISA_KERNELS(granular_kernels)
