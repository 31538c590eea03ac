// SPDX-License-Identifier: MIT
/// \file grain_contacts.h
/// What acts between grains: a table of contacts, and the coordination and stress of each grain.
/// docs/theory/grain-fields.md has the definitions.
#pragma once

#include <wadi/grains.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum wadi_grain_contact_kind
{
    WADI_GRAIN_CONTACT_TOUCH,   ///< two grains without a bond that overlap
    WADI_GRAIN_CONTACT_BOND,    ///< a bond that breaks at its strength
    WADI_GRAIN_CONTACT_PLASTIC, ///< a bond above the plastic limit, which yields
    WADI_GRAIN_CONTACT_BRIDGE,  ///< a liquid bridge, also of grains that touch
    WADI_GRAIN_CONTACT_WALL,    ///< a grain on a wall, on the ground or on a mesh
    WADI_GRAIN_CONTACT_COUNT
} wadi_grain_contact_kind;

enum
{
    WADI_GRAIN_FIRST_MESH = WADI_GRAIN_MAX_WALLS + 1 ///< mesh m is WADI_GRAIN_FIRST_MESH + m
};

/// One contact. Forces are those of the next step: of the current positions, and of the velocities
/// half a step before.
typedef struct wadi_grain_contact
{
    int32_t kind;         ///< wadi_grain_contact_kind
    int32_t first;        ///< id of a grain
    int32_t second;       ///< of a later one; wall: its number, ground: WADI_GRAIN_MAX_WALLS,
                          ///< mesh: WADI_GRAIN_FIRST_MESH and its number
    double point[3];      ///< divides the branch as the radii do; wall: nearest point of it [m]
    double normal[3];     ///< of length 1, from second to first
    double branch[3];     ///< from the centre of second, or the wall's point, to that of first [m]
    double overlap;       ///< below 0: a gap [m]
    double normal_force;  ///< above 0: pushes apart [N]
    double tangential[3]; ///< force on first across the normal [N]
    double radii[2];      ///< of first and second; wall: 0 [m]
} wadi_grain_contact;

/// List all contacts in which a grain that is not fixed takes part, by first, second, kind and
/// normal; a grain may touch a mesh at several points. Up to `capacity` of them are written; *count
/// is how many there are. The same bits for any number of threads; the state of the grains does not
/// change.
WADI_API wadi_result wadi_grains_contacts(wadi_grains* grains, wadi_grain_contact* out,
                                          int64_t capacity, int64_t* count);

/// Coordination and stress of one grain.
typedef struct wadi_grain_load
{
    int32_t contacts; ///< touching grains, bonds and walls; bridges do not count
    int32_t bonds;    ///< among them
    /// Love-Weber: sum over contacts of arm x force, over the volume of the grain; pressure is
    /// above 0 [Pa]. stress[a][b]: force along b on a face across a.
    double stress[3][3];
} wadi_grain_load;

/// Loads of `count` grains, by id, from all their contacts.
WADI_API void wadi_grain_loads(const wadi_grain* grains, int32_t count,
                               const wadi_grain_contact* contacts, int64_t contact_count,
                               wadi_grain_load* out);

#ifdef __cplusplus
}
#endif
