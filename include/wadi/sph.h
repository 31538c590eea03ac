// SPDX-License-Identifier: MIT
/// \file sph.h
/// Water as particles (weakly compressible smoothed particle hydrodynamics), for flow that a depth
/// on a height field cannot represent: a breaking dam, a splash, rain that strikes grains.
/// docs/theory/sph.md has the equations; wadi_sph_fields has range, unit, meaning and source of
/// every parameter.
///
/// Results are the same, bit by bit, for any number of threads, any `skin` and `chunk`, and after a
/// save and restore. Water is counted in whole units, so its books close with residual 0.
#pragma once

#include <wadi/grains.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_sph wadi_sph;

typedef struct wadi_sph_params
{
    uint32_t cookie;  ///< Set by wadi_sph_params_default(). Do not touch.
    double spacing;   ///< distance of particles at rest [m]
    double smoothing; ///< smoothing length over spacing; the kernel's radius is twice the smoothing
                      ///< length
    double density;   ///< at rest [kg/m3]
    double sound_speed; ///< ten times the fastest flow, so that density changes by 1 % [m/s]
    double step;        ///< of time [s]; 0: 0.2 x smoothing length / sound speed
    double viscosity;   ///< alpha of artificial viscosity (Monaghan 1992)
    double diffusion;   ///< delta of density diffusion (Fourtakas et al. 2019)

    double gravity_x; ///< [m/s2]
    double gravity_y;
    double gravity_z;
    double period_x; ///< period of the domain, from 0; 0: not periodic [m]
    double period_y;

    double skin;   ///< largest search distance beyond the kernel, as a share of the spacing
    int32_t chunk; ///< particles per parallel task
} wadi_sph_params;

/// A particle, as it is added and read.
typedef struct wadi_sph_particle
{
    double position[3]; ///< z is up [m]
    double velocity[3]; ///< [m/s]
    double pressure;    ///< above that of the air [Pa]
    double volume;      ///< of water [m3]; ignored by wadi_sph_add(), which takes spacing^3 to 1e-7
    uint32_t id;        ///< order of creation; ignored by wadi_sph_add()
    bool drop;          ///< falls alone: it has not yet had two neighbours
} wadi_sph_particle;

/// A plane that holds water on the side its normal points to.
typedef struct wadi_sph_wall
{
    double point[3];    ///< [m]
    double normal[3];   ///< of any length above 0
    double velocity[3]; ///< of its surface: a belt, not a piston [m/s]
    double drag;        ///< 0: slippery, 1: water sticks to it
} wadi_sph_wall;

/// Ground that water runs on: heights of cell centres, row 0 in the north (largest y).
typedef struct wadi_sph_ground
{
    const float* heights; ///< width x height [m]; copied
    int32_t width;
    int32_t height;
    double cell_size; ///< [m]
    double west;      ///< x of the west edge [m]
    double south;     ///< y of the south edge [m]
    double drag;      ///< 0: slippery, 1: water sticks to it
} wadi_sph_ground;

/// Drops that fall evenly on a rectangle, at random places that the seed decides.
typedef struct wadi_sph_rain
{
    double low[2]; ///< south-west corner [m]
    double high[2];
    double height;      ///< z at which drops begin [m]
    double rate;        ///< depth a time [m/s]
    double velocity[3]; ///< of drops when they begin [m/s]
    uint64_t seed;
} wadi_sph_rain;

/// A solid sphere in the water, such as a grain, which may absorb water. Water flows between
/// spheres, with drag and lift, and they take their room in it, so that its level rises where they
/// sink; water does not enter between tight ones. A radius of 0.3 to 1.5 spacings is best.
typedef struct wadi_sph_sphere
{
    double position[3];
    double velocity[3];
    double radius; ///< [m]
    double room;   ///< water that it can still take up [m3]
    bool tight;    ///< no flow between it and its neighbours: its soil is finer than the spheres
} wadi_sph_sphere;

/// Effect of water on a sphere since wadi_sph_set_spheres().
typedef struct wadi_sph_touch
{
    double impulse[3]; ///< of all forces of water [N s]
    double brought[3]; ///< part of it that came with absorbed water [N s]
    double drunk;      ///< water absorbed [m3]
} wadi_sph_touch;

/// Where the water is [m3]. `added + rain = now + out + drunk`.
typedef struct wadi_sph_books
{
    double added;
    double rain;
    double now;
    double out;       ///< beyond the bounds
    double drunk;     ///< absorbed by spheres
    int64_t residual; ///< units that the books do not explain: 0
    double unit;      ///< a power of two [m3]
} wadi_sph_books;

/// Summary of the state.
typedef struct wadi_sph_summary
{
    double time;        ///< [s]
    int64_t steps;      ///< taken
    double step;        ///< [s]
    double kinetic;     ///< energy of motion [J]
    double momentum[3]; ///< [N s]
    double speed;       ///< largest [m/s]
    double compression; ///< largest change of density, share
    double neighbours;  ///< within reach of a particle, mean
    int32_t drops;
    int64_t rebuilds;
} wadi_sph_summary;

enum
{
    WADI_SPH_MAX_WALLS = 16
};

WADI_API extern const wadi_field_table wadi_sph_fields;
WADI_API wadi_sph_params wadi_sph_params_default(void);

/// Speed of sound for water that falls or stands so deep: ten times that of a breaking dam [m/s].
WADI_API double wadi_sph_sound_speed(double depth);

/// A world without water. On failure *out is NULL.
WADI_API wadi_result wadi_sph_create(wadi_context* context, const wadi_sph_params* params,
                                     wadi_sph** out);
WADI_API void wadi_sph_destroy(wadi_sph* sph); ///< NULL is allowed.

/// Add particles. They are full ones, also between spheres, whose room they leave in the next
/// steps.
WADI_API wadi_result wadi_sph_add(wadi_sph* sph, const wadi_sph_particle* particles, int32_t count);
/// Fill a box with water at rest, a particle in each cube of `spacing`, that bears its own weight.
/// Spheres that are there keep their room, and it holds so much less water. *out, which may be
/// NULL, is how many.
WADI_API wadi_result wadi_sph_fill(wadi_sph* sph, const double low[3], const double high[3],
                                   int32_t* out);

/// Add a wall; *out is its number for wadi_sph_remove_wall(), which opens a gate.
WADI_API wadi_result wadi_sph_add_wall(wadi_sph* sph, const wadi_sph_wall* wall, int32_t* out);
WADI_API wadi_result wadi_sph_remove_wall(wadi_sph* sph, int32_t wall);
/// Lay ground under the water, in place of what was there.
WADI_API wadi_result wadi_sph_set_ground(wadi_sph* sph, const wadi_sph_ground* ground);
/// Water that leaves this box is gone, and counted as out.
WADI_API wadi_result wadi_sph_set_bounds(wadi_sph* sph, const double low[3], const double high[3]);
/// Let it rain from now on; NULL: no more.
WADI_API wadi_result wadi_sph_set_rain(wadi_sph* sph, const wadi_sph_rain* rain);

/// Set the spheres in the water, in place of those before. They keep their positions, whatever
/// their velocity, until the next call. Forces on the spheres before are dropped. Spheres
/// that come into water push it aside within a few hundred steps: many that start in deep water are
/// set before wadi_sph_fill(), or it is thrown up.
WADI_API wadi_result wadi_sph_set_spheres(wadi_sph* sph, const wadi_sph_sphere* spheres,
                                          int32_t count);
/// Effect of water on each sphere. Momentum and water are exchanged in whole units, so both are
/// conserved exactly.
WADI_API void wadi_sph_read_touches(const wadi_sph* sph, wadi_sph_touch* out);

/// Longest step that is stable as the water moves now, 0.25 x smoothing length / (sound speed +
/// fastest water) [s]. A longer one is refused.
WADI_API double wadi_sph_step_limit(const wadi_sph* sph);
/// Advance by `steps` time steps.
WADI_API wadi_result wadi_sph_advance(wadi_sph* sph, int64_t steps);

WADI_API int32_t wadi_sph_count(const wadi_sph* sph);
/// All particles, in order of id.
WADI_API void wadi_sph_read(const wadi_sph* sph, wadi_sph_particle* out);
/// The first `capacity` of them as grains of WADI_GRAIN_WATER, spheres of as much water, for
/// frames. Returns how many there are.
WADI_API int32_t wadi_sph_read_grains(const wadi_sph* sph, wadi_grain* out, int32_t capacity);
WADI_API wadi_sph_summary wadi_sph_summarize(const wadi_sph* sph);
WADI_API wadi_sph_books wadi_sph_account(const wadi_sph* sph);
/// Hash of the state, 64 bits.
WADI_API uint64_t wadi_sph_hash(const wadi_sph* sph);

/// Save the state as bytes in the format of this machine, wadi_sph_save_size() of them.
WADI_API size_t wadi_sph_save_size(const wadi_sph* sph);
WADI_API void wadi_sph_save(const wadi_sph* sph, void* bytes);
/// Go back to a saved state, in a world made of the same parameters, walls, ground, bounds and
/// rain. On failure the world is unchanged.
WADI_API wadi_result wadi_sph_restore(wadi_sph* sph, const void* bytes, size_t size);
/// List the state in an archive (archive.h): to save it, to hash it, or to restore it in such a
/// world.
WADI_API wadi_result wadi_sph_archive(wadi_sph* sph, wadi_archive* archive);

#ifdef __cplusplus
}
#endif
