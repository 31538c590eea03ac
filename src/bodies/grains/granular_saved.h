// SPDX-License-Identifier: MIT
// Records of a saved state of grains: a header, then its grains by id, bonds, contacts of grains,
// contacts with walls, meshes, contacts with meshes, clumps and a checksum.
#pragma once

#include "bodies/grains/granular.h"

#define SAVE_MAGIC UINT64_C(0x57414449475236)

typedef struct save_header
{
    uint64_t magic;
    int64_t steps;
    int64_t broken;
    int64_t contacts; // between grains
    int64_t leanings; // on walls
    int32_t count;
    int32_t bonds;
    int64_t wet; // 1: water was set
    double limit;
    double step;
    double scale;
    double cap;
    double asked;    // the parameter `step`
    double stiffest; // contact of the largest grains
    int64_t meshes;
    int64_t holds; // contacts with meshes
    int64_t clumps;
    int64_t next_name;
    granular_books books;
} save_header;

typedef struct save_grain
{
    granular_body body;
    double wetness;
    double force[3];
    granular_wet wet;
    double share; // of its material's bond strength
    uint64_t leaning;
    int64_t name;
} save_grain;

// State of a contact between two grains, or a grain and a wall. Grains are named by id.
typedef struct save_contact
{
    int32_t i;
    int32_t j; // of a wall, its number
    int32_t touches;
    int32_t bridged;
    granular_slip slip;
    granular_roll roll;
} save_contact;

// Sizes and counts of a header fit the bytes and the world.
wadi_result wadi_granular_saved_check(const wadi_grains* grains, const save_header* header,
                                      size_t size);
// All numbers behind the header are such as a world could have saved: ids, kinds and walls that
// are there, and finite values. `bytes` begin behind the header.
wadi_result wadi_granular_saved_check_state(const wadi_grains* grains, const save_header* header,
                                            const unsigned char* bytes);
