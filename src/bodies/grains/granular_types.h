// SPDX-License-Identifier: MIT
// Records of grains, contacts and bonds, which kernels read and write.
#pragma once

#include "bodies/engine/exact.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A grain: 96 bytes, so that a contact reads two stretches of memory and nothing else.
typedef struct granular_body
{
    double x[3];
    double radius;
    double v[3];         // half a step behind x (leapfrog)
    double inverse_mass; // 0: fixed
    double w[3];
    int32_t kind; // row of the contact table
    int32_t calm; // steps since it last moved or was pulled
} granular_body;

// Force and torque on a grain, in units that add up exactly in any order. `turn` is torque over
// radius, which is the same for both grains of a contact.
typedef struct granular_row
{
    int64_t force[4];
    int64_t turn[4];
} granular_row;

// Position of a grain when the list was built, and 0. These and the rows of grains are stored in
// `sorted`, which is free between two sorts; apart, since a step may need the positions alone.
typedef struct granular_origin
{
    double x[4];
} granular_origin;

_Static_assert(sizeof(granular_row) + sizeof(granular_origin) == sizeof(granular_body),
               "they share memory");

// Two grains of one chunk that may touch, by local number; the first is the chunk's own.
typedef struct granular_pair
{
    uint16_t i;
    uint16_t j;
} granular_pair;

// State of a contact. When a rebuild exchanges the two grains of a pair, slip changes its sign;
// roll does not.
typedef struct granular_slip
{
    double slip[3]; // [m] stretch of the tangential spring
    double damping; // linear law: [kg/s]; Hertz: [kg^1/2]
} granular_slip;

typedef struct granular_roll
{
    double roll[3]; // [m] stretch of the rolling spring
    double spare;
} granular_roll;

// Effect of water on the contacts of a grain.
typedef struct granular_wet
{
    double push[3]; // [N]
    double lift;    // [N] subtracted from the normal force in the limit of friction
    double pull;    // [N] of a liquid bridge
    double bridge;  // [m3] liquid volume in each bridge
} granular_wet;

// Contact law of two kinds of grain. Kernels load the first four members as one vector.
typedef struct granular_contact
{
    double stiffness; // linear: [N/m]; Hertz: effective modulus [Pa]
    double ratio;     // tangential stiffness over normal
    double friction;
    double rolling;
    double damping; // twice the share of critical, Hertz: times sqrt(5/6)
} granular_contact;

// Damping coefficient of a contact, set when it begins; kernels and walls share it.
static inline double granular_damping(const granular_contact* law, bool hertz, double inverse_mass)
{
    const double mass = inverse_mass > 0.0 ? 1.0 / inverse_mass : 0.0;
    return law->damping * sqrt(hertz ? mass : law->stiffness * mass);
}

// A bond: its first grain comes first in the order of grains.
typedef struct granular_bond
{
    int32_t i; // places in the order of grains
    int32_t j;
    int32_t row;     // of the bond table
    uint16_t local;  // number of j in the chunk of i
    uint16_t state;  // granular_bond_state
    double shear[3]; // [N] elastic, on i; first of three vectors of four
    double twist;    // [N m] along the line of centres
    double bend[3];  // [N m] elastic, on i
    double length;   // [m] without normal force
    double radius;   // [m] of the cement
    double delay;    // [s] damping over stiffness
    double strength; // share of dry strength left by wetness
    double birth;    // [m] length when it was made
} granular_bond;

typedef enum granular_bond_state
{
    BOND_BRITTLE,
    BOND_PLASTIC, // above the plastic limit: yields instead of breaking
    BOND_BROKEN,  // in this step
    BOND_GONE     // its grains are an ordinary pair
} granular_bond_state;

// Properties of bonds between two kinds of grain.
typedef struct granular_cement
{
    double tension;  // [Pa]; first of four that kernels load as a vector
    double cohesion; // [Pa]
    double modulus;  // [Pa]
    double shear;    // shear modulus over `modulus`
    double friction;
    double damping; // twice the share of critical
    double radius;  // share of the smaller grain's
} granular_cement;
