// SPDX-License-Identifier: MIT
/// \file grain_mesh.h
/// Triangle meshes as walls of a world of grains: drums, hoppers, pushers. They are rigid, move as
/// prescribed, and the force on them can be read. docs/theory/grains.md describes the contact.
#pragma once

#include <wadi/grains.h>
#include <wadi/solid.h>

#ifdef __cplusplus
extern "C"
{
#endif

enum
{
    WADI_GRAIN_MAX_MESHES = 8
};

/// How a mesh moves from the moment it is given this motion. Every point x of it turns about the
/// axis through `centre`, which is carried along, by
///     spin t + sway sin(2 pi frequency t)   [rad]
/// and is shifted by
///     velocity t + swing sin(2 pi frequency t)   [m]
typedef struct wadi_grain_motion
{
    double velocity[3]; ///< [m/s]
    double swing[3];    ///< amplitude of the oscillation [m]
    double centre[3];   ///< point on the axis [m]; torques are about it
    double axis[3];     ///< direction of the axis, of any length above 0 when the mesh turns
    double spin;        ///< about the axis, counter-clockwise seen from its tip [rad/s]
    double sway;        ///< amplitude of turning [rad]
    double frequency;   ///< of `swing` and `sway` [1/s]
} wadi_grain_motion;

/// What acts on a mesh and where it is.
typedef struct wadi_grain_mesh_reading
{
    double force[3];   ///< of the grains on it, in the last step [N]
    double torque[3];  ///< about `centre`; 0 until a step with its motion [N m]
    double impulse[3]; ///< sum of force x time since it was added [N s]
    double twist[3];   ///< sum of torque x time [N m s]
    double work;       ///< that it has done on grains [J]
    double centre[3];  ///< of its motion, where it is [m]
    double shift[3];   ///< a vertex v that was given is at turn v + shift
    double turn[3][3];
    int64_t touches; ///< grains on it, counted once for each contact
} wadi_grain_mesh_reading;

/// Add a mesh of `material`; *out is its number. Grains touch it from both sides, its faces, edges
/// and corners. Vertices at the same place are one; triangles without area are left out. `motion`
/// may be NULL: the mesh rests. Refused are coordinates that are no numbers, vertices that are not
/// there, more than WADI_GRAIN_MAX_MESHES meshes, and worlds that repeat (period_x, period_y).
WADI_API wadi_result wadi_grains_add_mesh(wadi_grains* grains, const wadi_mesh* mesh,
                                          int32_t material, const wadi_grain_motion* motion,
                                          int32_t* out);
/// Replace the motion of a mesh; it goes on from where it is.
WADI_API wadi_result wadi_grains_move_mesh(wadi_grains* grains, int32_t mesh,
                                           const wadi_grain_motion* motion);
/// Take a mesh away, as a gate that opens.
WADI_API wadi_result wadi_grains_remove_mesh(wadi_grains* grains, int32_t mesh);
WADI_API wadi_result wadi_grains_read_mesh(const wadi_grains* grains, int32_t mesh,
                                           wadi_grain_mesh_reading* out);

#ifdef __cplusplus
}
#endif
