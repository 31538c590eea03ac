// SPDX-License-Identifier: MIT
/// \file grains.h
/// Soil as grains (discrete element method): spheres in three dimensions with friction, rolling
/// resistance and bonds, for shapes that a height field cannot represent. docs/theory/grains.md has
/// the equations; wadi_grains_fields and wadi_grain_material_fields have range, unit, meaning and
/// source of every parameter.
///
/// Results are the same, bit by bit, for any number of threads, any `skin` and `chunk`, and after a
/// save and restore.
#pragma once

#include <wadi/archive.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_grains wadi_grains;

/// Contact law: how two grains repel each other.
typedef enum wadi_grain_law
{
    WADI_GRAIN_LAW_LINEAR, ///< spring and dashpot of constant stiffness
    WADI_GRAIN_LAW_HERTZ,  ///< elastic spheres: Hertz 1882, Mindlin 1949
    WADI_GRAIN_LAW_COUNT
} wadi_grain_law;

/// How the pull of a liquid bridge falls with the gap between two grains.
typedef enum wadi_grain_bridge
{
    WADI_GRAIN_BRIDGE_LINEAR,  ///< along a straight line to `bridge_reach`
    WADI_GRAIN_BRIDGE_WILLETT, ///< as a bridge of its volume does: Willett et al. 2000
    WADI_GRAIN_BRIDGE_COUNT
} wadi_grain_bridge;

typedef struct wadi_grains_params
{
    uint32_t cookie; ///< Set by wadi_grains_params_default(). Do not touch.
    int32_t law;     ///< wadi_grain_law
    double step;     ///< of time [s]; 0: half of wadi_grains_step_limit()

    double gravity_x; ///< [m/s2]
    double gravity_y;
    double gravity_z;
    double period_x; ///< length after which the world repeats, from 0; 0: it does not [m]
    double period_y;

    double sleep_speed;        ///< grains slower than this fall asleep ... [m/s]; 0: none does
    double sleep_acceleration; ///< ... when their acceleration is below this [m/s2]
    double sleep_time;         ///< ... for so long [s]

    int32_t bridge;      ///< wadi_grain_bridge
    double bridge_reach; ///< linear: gap at which a bridge breaks, share of the smaller radius
    double bridge_angle; ///< Willett: at which the liquid meets the grain [degree]

    double skin;   ///< search beyond contact, share of the largest diameter
    int32_t chunk; ///< grains that one worker takes at a time
} wadi_grains_params;

/// Material of grains. A contact of two materials has the springs of both in series, and the
/// geometric mean of the other coefficients.
typedef struct wadi_grain_material
{
    uint32_t cookie;         ///< Set by wadi_grain_material_default(). Do not touch.
    double density;          ///< of a grain [kg/m3]
    double stiffness;        ///< linear law: stiffness of the contact of two such grains [N/m]
    double young;            ///< Hertz: Young's modulus [Pa]
    double poisson;          ///< Hertz: Poisson's ratio
    double restitution;      ///< rebound speed of a head-on collision, without the law's clamp
    double friction;         ///< Coulomb's coefficient
    double rolling_friction; ///< lever of rolling resistance, share of the radius; 0: none

    // bonds
    double bond_modulus;  ///< Young's modulus of the cement [Pa]
    double bond_ratio;    ///< normal stiffness over shear stiffness
    double bond_radius;   ///< share of the smaller grain's
    double bond_damping;  ///< damping of a bond, as a share of critical damping
    double bond_tension;  ///< strength [Pa]
    double bond_cohesion; ///< shear strength without load [Pa]
    double bond_friction; ///< more shear strength for each pascal of load

    // wetness: water mass over grain mass
    double wet_strength;  ///< share of strength that is left when wet through
    double wet_decay;     ///< strength falls by a factor e for each 1 / wet_decay of wetness
    double plastic_limit; ///< bonds above this wetness yield instead of breaking
    double liquid_limit;  ///< bonds above this wetness dissolve, and grains flow as mud
    double mud_friction;  ///< share of friction that mud keeps
} wadi_grain_material;

/// A grain, as it is created and read.
typedef struct wadi_grain
{
    double position[3]; ///< z is up [m]
    double velocity[3]; ///< [m/s], each at most 1e9
    double spin[3];     ///< [rad/s]
    double radius;      ///< [m]
    double wetness;     ///< water mass over grain mass
    int32_t material;   ///< row of the materials
    bool fixed;         ///< keeps its velocity and spin, whatever force acts on it
} wadi_grain;

/// A plane that holds grains on the side its normal points to.
typedef struct wadi_grain_wall
{
    double point[3];    ///< [m]
    double normal[3];   ///< of any length above 0
    double velocity[3]; ///< of its surface, as of a belt; wadi_grains_move_wall() moves it [m/s]
    int32_t material;
} wadi_grain_wall;

/// Ground that grains lie on: heights of cell centres, row 0 in the north (largest y).
typedef struct wadi_grain_ground
{
    const float* heights; ///< width x height [m]; copied
    int32_t width;
    int32_t height;
    double cell_size; ///< [m]
    double west;      ///< x of the west edge [m]
    double south;     ///< y of the south edge [m]
    int32_t material;
} wadi_grain_ground;

/// Summary of the state.
typedef struct wadi_grains_summary
{
    double time;     ///< [s]
    int64_t steps;   ///< taken
    double step;     ///< [s]
    double kinetic;  ///< energy of motion and spin [J]
    double overlap;  ///< largest, share of the smaller radius
    double speed;    ///< largest [m/s]
    int64_t touches; ///< between grains
    int64_t bridges; ///< of liquid, that pull
    int64_t bonds;   ///< that hold
    int64_t broken;  ///< since the start
    int32_t asleep;  ///< grains
    int64_t rebuilds;
} wadi_grains_summary;

enum
{
    WADI_GRAIN_MAX_WALLS = 16,
    WADI_GRAIN_MAX_MATERIALS = 16,
    WADI_GRAIN_WATER =
        WADI_GRAIN_MAX_MATERIALS ///< of particles of water among grains that are read
};

WADI_API extern const wadi_field_table wadi_grains_fields;
WADI_API extern const wadi_field_table wadi_grain_material_fields;
WADI_API wadi_grains_params wadi_grains_params_default(void);
WADI_API wadi_grain_material wadi_grain_material_default(void);

/// Put `count` grains into an empty world. Ids are places in `grains`. On failure *out is NULL.
WADI_API wadi_result wadi_grains_create(wadi_context* context, const wadi_grains_params* params,
                                        const wadi_grain_material* materials,
                                        int32_t material_count, const wadi_grain* grains,
                                        int32_t count, wadi_grains** out);
WADI_API void wadi_grains_destroy(wadi_grains* grains); ///< NULL is allowed.

/// Longest step that is stable, 0.2 sqrt(m / k) over the lightest grain and the stiffest contact or
/// bond [s]. A longer one is refused.
WADI_API double wadi_grains_step_limit(const wadi_grains* grains);
WADI_API double wadi_grains_step(const wadi_grains* grains); ///< That is taken [s].

/// Whether something holds grains from outside: a wall, ground, or grains that are fixed.
WADI_API bool wadi_grains_held(const wadi_grains* grains);

/// Add a wall; *out is its number for wadi_grains_remove_wall(), which opens a gate.
WADI_API wadi_result wadi_grains_add_wall(wadi_grains* grains, const wadi_grain_wall* wall,
                                          int32_t* out);
WADI_API wadi_result wadi_grains_remove_wall(wadi_grains* grains, int32_t wall);
/// Move a wall, which keeps its normal, to a point, and give its surface a velocity [m/s]. Contacts
/// of grains with it are kept. For a piston, move it by velocity x step before each step. Walls are
/// no part of a saved state: move them before a restore.
WADI_API wadi_result wadi_grains_move_wall(wadi_grains* grains, int32_t wall, const double point[3],
                                           const double velocity[3]);
/// Force of all grains on a wall in the last step [N], the same bits for any number of threads; 0
/// before the first step and after a restore.
WADI_API wadi_result wadi_grains_wall_force(const wadi_grains* grains, int32_t wall, double out[3]);
/// Lay ground under the grains, in place of what was there.
WADI_API wadi_result wadi_grains_set_ground(wadi_grains* grains, const wadi_grain_ground* ground);
/// Change the heights of the ground, as wear does; contacts of grains with it are kept.
WADI_API wadi_result wadi_grains_wear_ground(wadi_grains* grains, const float* heights);

/// Strength of bonds by id, as a share of the material's, 0 to 1000; until then it is 1. Of two
/// grains the weaker one counts; a bond with a grain of strength 0 is not made. It is part of a
/// saved state.
WADI_API wadi_result wadi_grains_set_strength(wadi_grains* grains, const double* shares);

/// Bond every two grains nearer than `reach` x the smaller radius, surface to surface, that have no
/// bond, some strength between them, and are not both fixed. *out, which may be NULL, is how many.
WADI_API wadi_result wadi_grains_bond(wadi_grains* grains, double reach, int64_t* out);

/// Set wetness by id. The wetter of two grains decides the strength of their bond; bonds above the
/// liquid limit dissolve.
WADI_API wadi_result wadi_grains_set_wetness(wadi_grains* grains, const double* wetness);

/// Effect of the water in a grain on it.
typedef struct wadi_grain_water
{
    double mass;        ///< that comes on top of the dry grain's [kg]
    double momentum[3]; ///< that water brought since the last call, less what it took [kg m/s]
    double push[3];     ///< by pressure in pores, from now on [N]
    double lift;        ///< pressure in pores x section: friction rests on that much less [N]
    double pull;        ///< of a liquid bridge to a grain that touches and is as wet [N]
    double bridge;      ///< liquid that it gives to each of its bridges [m3]
} wadi_grain_water;

/// Set weight, pore pressure, liquid bridges and wetness by id. Sleeping grains wake where forces
/// are no longer in balance, and bonds break where their load exceeds the new strength.
WADI_API wadi_result wadi_grains_set_water(wadi_grains* grains, const wadi_grain_water* water);

/// Apply this force to a grain from now on [N].
WADI_API wadi_result wadi_grains_set_force(wadi_grains* grains, int32_t id, const double force[3]);

/// Advance by `steps` time steps.
WADI_API wadi_result wadi_grains_advance(wadi_grains* grains, int64_t steps);

WADI_API int32_t wadi_grains_count(const wadi_grains* grains);
WADI_API int32_t wadi_grains_asleep(const wadi_grains* grains); ///< How many sleep.
/// All grains by id.
WADI_API void wadi_grains_read(const wadi_grains* grains, wadi_grain* out);
WADI_API wadi_grains_summary wadi_grains_summarize(const wadi_grains* grains);
/// Hash of the state, 64 bits.
WADI_API uint64_t wadi_grains_hash(const wadi_grains* grains);

/// Save the state as bytes in the format of this machine, wadi_grains_save_size() of them.
WADI_API size_t wadi_grains_save_size(const wadi_grains* grains);
WADI_API void wadi_grains_save(const wadi_grains* grains, void* bytes);
/// Go back to a saved state, in a world made of the same grains, materials, walls and ground. On
/// failure the world is unchanged; if memory ran out, it needs another restore before a step.
WADI_API wadi_result wadi_grains_restore(wadi_grains* grains, const void* bytes, size_t size);
/// List the state in an archive (archive.h): to save it, to hash it, or to restore it in such a
/// world.
WADI_API wadi_result wadi_grains_archive(wadi_grains* grains, wadi_archive* archive);

#ifdef __cplusplus
}
#endif
