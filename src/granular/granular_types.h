// SPDX-License-Identifier: MIT
// What a world of grains is made of in memory: records that kernels read and write.
#pragma once

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

// What pushes a grain, in units that add up exactly, so that no order matters. `turn` is torque
// over radius, which is the same for both grains of a contact.
typedef struct granular_row
{
    int64_t force[4];
    int64_t turn[4];
} granular_row;

// What a grain's step needs besides: it fits into the record that the next order of grains will
// take, which is free until then.
typedef struct granular_trace
{
    granular_row own; // what its own chunk pushes it with
    double built[4];  // position when the list was built, and 0
} granular_trace;

_Static_assert(sizeof(granular_trace) == sizeof(granular_body), "they share memory");

// Two grains of one chunk that may touch, by local number; the first is the chunk's own.
typedef struct granular_pair
{
    uint16_t i;
    uint16_t j;
} granular_pair;

// What a contact remembers while it lasts. A pair whose order turns over at a rebuild turns the
// sign of its slip; its roll keeps it.
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

// What water does to the contacts of a grain.
typedef struct granular_wet
{
    double push[3]; // [N]
    double lift;    // [N] taken off what friction rests on
    double pull;    // [N] of a liquid bridge
    double bridge;  // [m3] of liquid in each
} granular_wet;

// How two kinds of grain meet. The first four are read as one row.
typedef struct granular_contact
{
    double stiffness; // linear: [N/m]; Hertz: effective modulus [Pa]
    double ratio;     // tangential stiffness over normal
    double friction;
    double rolling;
    double damping; // twice the share of critical, Hertz: times sqrt(5/6)
} granular_contact;

// Coefficient that a contact keeps; what kernels and walls agree on.
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
    double shear[3]; // [N] elastic, on i; from here on three rows of four
    double twist;    // [N m] along the line of centres
    double bend[3];  // [N m] elastic, on i
    double length;   // [m] at which it neither pulls nor pushes
    double radius;   // [m] of the cement
    double delay;    // [s] damping over stiffness
    double strength; // share of dry strength that wetness leaves
    double birth;    // [m] length when it was made
} granular_bond;

typedef enum granular_bond_state
{
    BOND_BRITTLE,
    BOND_PLASTIC, // past the plastic limit: yields in place of breaking
    BOND_BROKEN,  // in this step
    BOND_GONE     // its grains are an ordinary pair
} granular_bond_state;

// What bonds of two kinds of grain are made of.
typedef struct granular_cement
{
    double tension;  // [Pa]; from here on a row of four
    double cohesion; // [Pa]
    double modulus;  // [Pa]
    double shear;    // shear modulus over `modulus`
    double friction;
    double damping; // twice the share of critical
    double radius;  // share of the smaller grain's
} granular_cement;

static inline uint64_t granular_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Nearest whole number, halves to even, of |value| < 2^51: an odd function, so that two grains
// get the same with opposite signs; and an addition and a subtraction, so that every build makes
// vectors of it.
#define GRANULAR_MAGIC 0x1.8p52

static inline int64_t granular_round(double value)
{
    return (int64_t)(granular_bits(value + GRANULAR_MAGIC) - granular_bits(GRANULAR_MAGIC));
}

// The nearest image of a difference in a world that repeats; an odd function too. A period of 0
// has the inverse 0.
static inline double granular_nearest(double difference, double period, double inverse)
{
    const double turns = (difference * inverse + GRANULAR_MAGIC) - GRANULAR_MAGIC;
    return difference - period * turns;
}
