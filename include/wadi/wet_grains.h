// SPDX-License-Identifier: MIT
/// \file wet_grains.h
/// Soil as grains with the water in them: rain soaks in and seeps from grain to grain (seepage.h),
/// weighs on them, carries part of what presses them together, draws them to each other and weakens
/// their bonds (grains.h); where they move, the water moves with them. docs/theory/wet-grains.md
/// has the equations; wadi_wet_grains_fields and wadi_cohesion_fields have range, unit, meaning and
/// source of every parameter.
///
/// There are two clocks. While all grains sleep, water passes minutes to days in steps of its own.
/// Where that leaves grains out of balance, or bonds too weak, they wake; then both go on together
/// in the short steps of grains until all sleep again. Nothing else starts a slide.
///
/// Water is counted in whole units: the books close with residual 0. The same bits at any number of
/// threads, and after any save and restore.
#pragma once

#include <wadi/grains.h>
#include <wadi/seepage.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_wet_grains wadi_wet_grains;

/// How pore pressure reduces the force between grains.
typedef enum wadi_wet_pressure
{
    WADI_WET_PRESSURE_GRADIENT, ///< its gradient acts on grains: contacts bear the effective stress
    WADI_WET_PRESSURE_CAP, ///< friction rests on force less pressure x section; grains bear it all
    WADI_WET_PRESSURE_COUNT
} wadi_wet_pressure;

typedef struct wadi_wet_grains_params
{
    uint32_t cookie;    ///< Set by wadi_wet_grains_params_default(). Do not touch.
    double rain;        ///< [m/s]
    double evaporation; ///< [m/s]
    int32_t base;       ///< wadi_seepage_base

    int32_t pressure;    ///< wadi_wet_pressure
    double water_step;   ///< longest step of water while all grains sleep [s]
    double exchange;     ///< time between two exchanges of moving grains and water [s]
    double acceleration; ///< seconds of water for a second of moving grains
    double reach;        ///< neighbours in water are nearer than this, times the half widths
    double relink;       ///< neighbours are sought anew after moving so many radii

    double surface_tension; ///< of liquid bridges [N/m]; 0: cohesion alone
} wadi_wet_grains_params;

/// Cohesion of moist grains, independent of their size.
typedef struct wadi_cohesion
{
    uint32_t cookie; ///< Set by wadi_cohesion_default(). Do not touch.
    double
        strength; ///< largest cohesive stress: pull of a contact over a grain's cross-section [Pa]
    double wet_from;  ///< wetness (water over grain mass) at which it is reached
    double wet_until; ///< and from which it falls, to 0 when pores are full
} wadi_cohesion;

typedef struct wadi_wet_material
{
    wadi_grain_material grain;
    wadi_soil soil; ///< around those grains: 1 - porosity of it is grain
    wadi_cohesion cohesion;
} wadi_wet_material;

/// Both clocks, and a summary of the state.
typedef struct wadi_wet_grains_summary
{
    double time;         ///< of the water [s]
    double slept;        ///< part of it while all grains slept [s]
    double motion;       ///< of the grains [s]
    double acceleration; ///< water's seconds for a second of motion
    int64_t wakes;       ///< times that water woke grains when all slept
    double woke;         ///< water's time when it last did [s]; NaN: never
    double farthest;     ///< that a grain has come since the start, or since it settled [m]
    double failed;       ///< water's time when one grain in twenty of those that are not fixed
                         ///< had come as far as it is wide [s]; NaN: never
    wadi_grains_summary grains;
    wadi_seepage_books water;
} wadi_wet_grains_summary;

WADI_API extern const wadi_field_table wadi_wet_grains_fields;
WADI_API extern const wadi_field_table wadi_cohesion_fields;
WADI_API wadi_wet_grains_params wadi_wet_grains_params_default(void);
WADI_API wadi_cohesion wadi_cohesion_default(void);
WADI_API wadi_wet_material wadi_wet_material_default(void);

/// Put grains and the water they hold (`wetness` of each) into an empty world. `solid` has step,
/// gravity (z is up for water, whatever it says), period and sleep: without sleep there is one
/// clock. On failure *out is NULL.
WADI_API wadi_result wadi_wet_grains_create(wadi_context* context,
                                            const wadi_wet_grains_params* params,
                                            const wadi_grains_params* solid,
                                            const wadi_wet_material* materials,
                                            int32_t material_count, const wadi_grain* grains,
                                            int32_t count, wadi_wet_grains** out);
WADI_API void wadi_wet_grains_destroy(wadi_wet_grains* world); ///< NULL is allowed.

/// The grains, for walls, ground, bonds, forces and reading. Do not advance, wet or restore them.
WADI_API wadi_grains* wadi_wet_grains_solid(wadi_wet_grains* world);
/// The water by grain id, for reading.
WADI_API const wadi_seepage* wadi_wet_grains_water(const wadi_wet_grains* world);

/// Change rain and evaporation from now on [m/s].
WADI_API wadi_result wadi_wet_grains_set_weather(wadi_wet_grains* world, double rain,
                                                 double evaporation);

/// Let grains come to rest while water stands still, for so many seconds at most; *rests says
/// whether all sleep. How far grains come is counted from here.
WADI_API wadi_result wadi_wet_grains_settle(wadi_wet_grains* world, double seconds, bool* rests);

/// Let water and grains take one turn, of the length of their own clocks but `most` at most [s];
/// *passed is how long it was.
WADI_API wadi_result wadi_wet_grains_turn(wadi_wet_grains* world, double most, double* passed);

/// Advance by a time on the water's clock [s].
WADI_API wadi_result wadi_wet_grains_advance(wadi_wet_grains* world, double seconds);

/// Hand each grain a volume of water [m3] that comes at a velocity [m/s], such as rain that was
/// drops. taken[id] is what its pores had room for, to the unit of the books; its momentum is kept.
WADI_API wadi_result wadi_wet_grains_give(wadi_wet_grains* world, const double* volumes,
                                          const double (*velocities)[3], double* taken);

WADI_API wadi_wet_grains_summary wadi_wet_grains_summarize(const wadi_wet_grains* world);
/// Hash of the state, 64 bits.
WADI_API uint64_t wadi_wet_grains_hash(const wadi_wet_grains* world);

/// Save the state as bytes in the format of this machine, wadi_wet_grains_save_size() of them.
WADI_API size_t wadi_wet_grains_save_size(const wadi_wet_grains* world);
WADI_API void wadi_wet_grains_save(const wadi_wet_grains* world, void* bytes);
/// Go back to a saved state, in a world made of the same grains, materials, walls and ground. On
/// failure the world is unchanged.
WADI_API wadi_result wadi_wet_grains_restore(wadi_wet_grains* world, const void* bytes,
                                             size_t size);
/// List the state in an archive (archive.h): to save it, to hash it, or to restore it in such a
/// world.
WADI_API wadi_result wadi_wet_grains_archive(wadi_wet_grains* world, wadi_archive* archive);

#ifdef __cplusplus
}
#endif
