// SPDX-License-Identifier: MIT
/// \file grain_clump.h
/// Clumps: rigid bodies of several spheres, which may overlap or touch, in worlds of dry grains.
/// They interlock, so a packing of them has a higher friction angle than one of spheres.
/// docs/theory/grains.md#clumps has the equations (Favier et al. 1999; Dullweber et al. 1997).
///
/// Each sphere of a clump is a grain with an id, a name and contacts of its own, which
/// wadi_grains_read() lists; its velocity is that of its centre. Mass, centre and moments of
/// inertia are those of the body that the spheres fill together: where they overlap counts once.
#pragma once

#include <wadi/grains.h>

#ifdef __cplusplus
extern "C"
{
#endif

enum
{
    WADI_GRAIN_MAX_SHAPES = 16,
    WADI_GRAIN_SHAPE_SPHERES = 32 ///< most spheres of a shape
};

/// Spheres fixed to each other, in any axes and any unit of length: only proportions count.
typedef struct wadi_grain_shape
{
    int32_t count;                               ///< of spheres, 1 to 32
    double centres[WADI_GRAIN_SHAPE_SPHERES][3]; ///< within 1e6 of the origin
    double radii[WADI_GRAIN_SHAPE_SPHERES];      ///< 1e-6 to 1e6
} wadi_grain_shape;

/// The body that the spheres of a shape fill, of density 1, in the shape's axes and unit.
typedef struct wadi_grain_shape_mass
{
    double volume;        ///< [unit3]
    double centre[3];     ///< of mass [unit]
    double inertia[3][3]; ///< about the centre of mass [unit5]
} wadi_grain_shape_mass;

/// Shapes that have a name.
typedef enum wadi_grain_form
{
    WADI_GRAIN_FORM_SPHERE,      ///< one sphere
    WADI_GRAIN_FORM_DUMBBELL,    ///< two spheres that touch
    WADI_GRAIN_FORM_ROD,         ///< three in a row, each half a diameter from the next
    WADI_GRAIN_FORM_TRIANGLE,    ///< three, each a radius from the others
    WADI_GRAIN_FORM_TETRAHEDRON, ///< four, each 1.2 radii from the others
    WADI_GRAIN_FORM_STAR,        ///< one, and six around it at 1.2 radii along the axes
    WADI_GRAIN_FORM_COUNT
} wadi_grain_form;

/// A clump, as it is made and read.
typedef struct wadi_grain_clump
{
    double position[3]; ///< of the centre of mass; z is up [m]
    double velocity[3]; ///< [m/s]
    double spin[3];     ///< about the axes of the world [rad/s]
    double turn[4];   ///< quaternion (w, x, y, z) from the shape's axes to the world's; of length 1
    double radius;    ///< of the sphere of the same volume [m]
    int32_t shape;    ///< row of the shapes
    int32_t material; ///< row of the materials
    int32_t first;    ///< when read: id of its first sphere; the others follow
} wadi_grain_clump;

/// Shapes of a world, and the clumps that it begins with.
typedef struct wadi_grain_clumps
{
    const wadi_grain_shape* shapes;
    int32_t shape_count; ///< 1 to 16
    const wadi_grain_clump* list;
    int32_t count;
} wadi_grain_clumps;

/// Names of the forms, ended by NULL.
WADI_API extern const char* const wadi_grain_form_names[];
WADI_API wadi_grain_shape wadi_grain_shape_of(wadi_grain_form form);

/// Quaternion of a turn about an axis by an angle [rad], of at most 1e6.
WADI_API wadi_result wadi_grain_turn(wadi_context* context, const double axis[3], double angle,
                                     double out[4]);

/// Volume, centre of mass and inertia of the body that the spheres fill: sections across z are
/// integrated along their arcs, and along z by Gauss' rule between the heights at which spheres
/// begin, end or meet. Where no point lies in three spheres the relative error is below 1e-9, and
/// elsewhere below 1e-5.
WADI_API wadi_result wadi_grain_shape_measure(wadi_context* context, const wadi_grain_shape* shape,
                                              wadi_grain_shape_mass* out);

/// As wadi_grains_create(), with clumps: their spheres have the ids behind those of `grains`, clump
/// by clump. `count` may be 0 if there are clumps. Clumps are dry and bear no bonds: bonds, wetness
/// and water are refused in such a world.
WADI_API wadi_result wadi_grains_create_clumped(wadi_context* context,
                                                const wadi_grains_params* params,
                                                const wadi_grain_material* materials,
                                                int32_t material_count, const wadi_grain* grains,
                                                int32_t count, const wadi_grain_clumps* clumps,
                                                wadi_grains** out);

WADI_API int32_t wadi_grains_clump_count(const wadi_grains* grains);
/// All clumps in the order of their spheres; their masses are density x 4/3 pi radius^3.
WADI_API void wadi_grains_read_clumps(const wadi_grains* grains, wadi_grain_clump* out);

/// Momentum and energy of motion of one clump.
typedef struct wadi_grain_clump_motion
{
    double mass;        ///< [kg]
    double momentum[3]; ///< [kg m/s]
    double angular[3];  ///< angular momentum about the centre of mass [kg m2/s]
    double energy;      ///< of motion and spin [J]
} wadi_grain_clump_motion;

WADI_API wadi_result wadi_grains_clump_motion(const wadi_grains* grains, int32_t clump,
                                              wadi_grain_clump_motion* out);

#ifdef __cplusplus
}
#endif
