// SPDX-License-Identifier: MIT
/// \file model.h
/// The functions that a model implements, and its access to the ground. Include it to write your
/// own process (examples/ice.c) and register it with wadi_process_register(). Not stable before
/// version 1.0.
#pragma once

#include <wadi/ledger.h>
#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

enum
{
    WADI_MODEL_MAX_ROWS = 32 ///< of work counters or figures
};

/// One step of a model. Steps have a fixed length, but one that an event cuts is shorter.
typedef struct wadi_span
{
    int64_t index; ///< number of the step, from 0: key its random numbers by it
    double from;   ///< world's clock at the begin of the step [yr]
    double years;  ///< length of the step [yr]
} wadi_span;

/// Functions of a model. `state` belongs to the model. A function may be NULL only where so noted.
typedef struct wadi_model_api
{
    /// Create the state. Parameters have been checked; `stream` is the key of random numbers.
    wadi_result (*create)(wadi_terrain* terrain, const void* params, uint32_t stream, void** state);
    /// Length of a step [yr], chosen by create() from the grid and the parameters; it never
    /// changes. NULL: there are no steps, and each call of wadi_solver_advance() is one span,
    /// whatever its length.
    double (*step)(const void* state);
    /// Run one step. Book moved matter with wadi_terrain_book(). Other processes may have changed
    /// the ground since the last step, and nothing may be kept between steps but what `archive`
    /// lists and what can be computed anew.
    wadi_result (*advance)(void* state, const wadi_span* span);
    /// Was the last step stopped on its way? Then the library does not count it: the same step, or
    /// a longer one, comes again, and the model goes on where it stopped. NULL: a step runs to its
    /// end, and wadi_progress() answers true within it. Without steps a span stops where that
    /// answers false, and is over.
    bool (*unfinished)(const void* state);
    /// Lay down all matter in transit. NULL: there is none between advances.
    void (*settle)(void* state);
    /// Matter held between advances, by material [units x cells]. `held` is all zeros on
    /// entry. NULL: none.
    void (*held)(const void* state, int64_t held[WADI_MAX_MATERIALS]);
    void (*destroy)(void* state);
    /// `index` counts in the process's maps. NULL: the model has no such map.
    wadi_result (*map)(void* state, int32_t index, float* out);
    wadi_result (*set_map)(void* state, int32_t index, const float* values);
    /// `index` counts in the process's tables. Values have been checked against the columns.
    wadi_result (*set_table)(void* state, int32_t index, const double* values, int32_t rows);
    /// Called only with the trait WADI_MODEL_BODIES.
    wadi_result (*set_bodies)(void* state, const wadi_bodies* bodies);
    /// Called only with the trait WADI_MODEL_GRAINS.
    int32_t (*grains)(const void* state, wadi_grain* out, int32_t capacity, double* seconds);
    void (*watch)(void* state, wadi_watch watch, void* user);
    /// Write up to WADI_MODEL_MAX_ROWS rows and return their number. NULL: none. Units and kinds of
    /// figures come from wadi_process::figures; only a figure that is not there needs its own.
    int32_t (*work)(const void* state, wadi_work* rows);
    int32_t (*figures)(const void* state, wadi_figure* rows);
    /// List all state that the future, the maps, the work and the figures depend on: it is saved,
    /// restored and hashed by this one function (archive.h). Parameters, input maps and tables are
    /// saved by the library; before a restore create(), set_map() and set_table() are called. A
    /// restore may follow under other parameters: wadi_solver_change() works so. It then fails with
    /// WADI_ERROR_FORMAT when the state does not fit, and is destroyed. NULL: there is no state
    /// but the layers.
    wadi_result (*archive)(void* state, wadi_archive* archive);
    /// Why a model with the trait WADI_MODEL_WINDOWS does not run in windows under these
    /// parameters; NULL: it does. create() fails then too. NULL: it runs with all parameters.
    const char* (*windows)(const void* params);
} wadi_model_api;

/// Changes of matter by one advance, by material [units x cells]. The ledger compares the sum of
/// the entries with the layers. Compute `transit` from the loads that the model carries, never from
/// the other entries; otherwise a lost load shows no residual.
typedef struct wadi_tally
{
    int64_t eroded[WADI_MAX_MATERIALS];    ///< taken from the ground as this material
    int64_t deposited[WADI_MAX_MATERIALS]; ///< put on the ground
    int64_t converted[WADI_MAX_MATERIALS]; ///< + into this material, - out of it
    int64_t in[WADI_MAX_MATERIALS];
    int64_t out[WADI_MAX_MATERIALS][WADI_SIDE_COUNT];
    int64_t lost[WADI_MAX_MATERIALS];
    int64_t transit[WADI_MAX_MATERIALS]; ///< change of the matter that the model carries
} wadi_tally;

/// Units of a void cell in wadi_terrain_read_units().
#define WADI_NO_UNITS INT32_MIN

/// Copy a layer to \p out, `width x height` cells, row by row from the north-west: heights and
/// thicknesses in units of 2^-16 m, shares in 1/65535. Void cells hold WADI_NO_UNITS, so one
/// call reads the heights and the mask. An unknown layer is void everywhere.
WADI_API void wadi_terrain_read_units(const wadi_terrain* terrain, wadi_layer layer, int32_t* out);

/// Add a tally to the ledger entries of a process.
WADI_API void wadi_terrain_book(wadi_terrain* terrain, const char* process,
                                const wadi_tally* tally);

/// Take up to \p amount >= 0 units of 2^-16 m from the valid cell (x, y): loose layers from the top
/// down, then rock, which yields (1 - hardness) of the remaining amount. All of it becomes
/// sediment. Returns the units taken and counts them in \p tally. The caller keeps the ground above
/// -WADI_HEIGHT_LIMIT. One thread at a time, and only within `advance` and `settle`.
WADI_API int32_t wadi_terrain_take(wadi_terrain* terrain, int32_t x, int32_t y, int32_t amount,
                                   wadi_tally* tally);
/// Lay down \p amount >= 0 units as sediment on the valid cell (x, y) and count them in \p tally.
/// The caller keeps the ground below WADI_HEIGHT_LIMIT. Threads as wadi_terrain_take().
WADI_API void wadi_terrain_put(wadi_terrain* terrain, int32_t x, int32_t y, int32_t amount,
                               wadi_tally* tally);

#ifdef __cplusplus
}
#endif
