// SPDX-License-Identifier: MIT
/// \file process.h
/// Processes and solvers. A process is a constant descriptor in a registry; a solver is one
/// process at work on one terrain.
#pragma once

#include <wadi/body.h>
#include <wadi/field.h>
#include <wadi/terrain.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// A named set of parameter values: each pair is written over the defaults, in order.
typedef struct wadi_preset_value
{
    const char* field;
    double value;
} wadi_preset_value;

typedef struct wadi_preset
{
    const char* name; ///< "default", "paper", ...
    const char* doc;
    const wadi_preset_value* values;
    int32_t count;
} wadi_preset;

/// A map that a process makes (output) or takes (input), one float per cell.
typedef struct wadi_map_info
{
    const char* name;
    const char* unit;
    const char* doc;
    bool input; ///< true: set with wadi_solver_set_map(); false: read with wadi_solver_map()
} wadi_map_info;

/// A column of a table that a process takes.
typedef struct wadi_column
{
    const char* name;
    const char* unit;
    double min;
    double max;
} wadi_column;

/// A table that a process takes, such as a series of winds: any number of rows.
typedef struct wadi_table_info
{
    const char* name;
    const char* doc;
    const wadi_column* columns;
    int32_t column_count;
} wadi_table_info;

/// Work done, for rates: name and count, such as {"particle_steps", 1.2e9}.
typedef struct wadi_work
{
    const char* name;
    double count;
} wadi_work;

/// What becomes of a figure when a process runs several times.
typedef enum wadi_figure_kind
{
    WADI_FIGURE_STATE, ///< The last run's counts: a length, an acceleration.
    WADI_FIGURE_SUM,   ///< Runs add up: hours of wind, metres of lowering.
    WADI_FIGURE_MEAN   ///< Mean of the runs, each by its years: denudation [mm/kyr].
} wadi_figure_kind;

/// A number that a process reports beside the ledger, such as denudation [mm/kyr].
typedef struct wadi_figure
{
    const char* name;
    const char* unit;
    double value;
    wadi_figure_kind kind;
} wadi_figure;

struct wadi_solver_api; // the functions behind a process; internal

typedef struct wadi_process
{
    const char* name; ///< "hydraulic"
    const char* doc;  ///< one paragraph
    const wadi_field_table* fields;
    const wadi_preset* presets; ///< the first is the default
    int32_t preset_count;
    const wadi_map_info* maps;
    int32_t map_count;
    const wadi_table_info* tables;
    int32_t table_count;
    const wadi_layer* reads; ///< layers
    int32_t read_count;
    const wadi_layer* writes;
    int32_t write_count;
    double default_years; ///< what `wadi erode` runs without --for
    bool takes_bodies;    ///< of soil: wadi_solver_set_bodies()
    bool has_grains;      ///< to be shown: wadi_solver_grains(), wadi_solver_watch()
    const struct wadi_solver_api* api;
} wadi_process;

/// The registry.
WADI_API int32_t wadi_process_count(void);
WADI_API const wadi_process* wadi_process_at(int32_t index);      ///< NULL outside
WADI_API const wadi_process* wadi_process_find(const char* name); ///< NULL when unknown

/// Write a preset's values into a parameter struct that holds the defaults. NULL or "default":
/// changes nothing. Unknown names fail with WADI_ERROR_UNKNOWN and list the presets there are.
WADI_API wadi_result wadi_process_apply_preset(wadi_context* context, const wadi_process* process,
                                               const char* preset, void* params);

typedef struct wadi_solver wadi_solver;

/// Bind a process to a terrain. \p params is the process's own struct, or NULL for its
/// defaults. Random numbers are keyed by the terrain's seed, the process and \p instance, so
/// that two solvers of one process on one terrain differ. On failure *out is NULL.
WADI_API wadi_result wadi_solver_create(wadi_terrain* terrain, const wadi_process* process,
                                        const void* params, uint32_t instance, wadi_solver** out);
WADI_API void wadi_solver_destroy(wadi_solver* solver); ///< NULL is allowed.

/// Let \p years pass, in (0, 1e9], for this process alone; the caller moves the terrain's clock
/// with wadi_terrain_advance_clock(). Ends early with WADI_ERROR_CANCELLED when the progress
/// hook says so; the terrain and the ledger are then valid and hold what was done.
WADI_API wadi_result wadi_solver_advance(wadi_solver* solver, double years);

/// Lay down what the solver still holds in the air, for which the ledger has the word transit:
/// destroying the solver would take it out of the world. Processes that hold nothing do nothing.
WADI_API wadi_result wadi_solver_settle(wadi_solver* solver);

/// Move the clock on by \p years.
WADI_API wadi_result wadi_terrain_advance_clock(wadi_terrain* terrain, double years);

/// Copy an output map to \p out, `width x height` floats. Void cells hold NaN.
WADI_API wadi_result wadi_solver_map(wadi_solver* solver, const char* name, float* out);
/// Give an input map, `width x height` floats; copied. Bad values fail with WADI_ERROR_RANGE.
WADI_API wadi_result wadi_solver_set_map(wadi_solver* solver, const char* name,
                                         const float* values);

/// Give a table: \p rows rows of as many numbers as the table has columns, in their order and
/// units; copied. Values out of range fail with WADI_ERROR_RANGE, naming row and column.
WADI_API wadi_result wadi_solver_set_table(wadi_solver* solver, const char* name,
                                           const double* values, int32_t rows);

/// Give bodies of soil in place of what the process would find in the layers, before the first
/// advance; nothing is borrowed. Meshes that are not closed, grains of no body and the like fail
/// with WADI_ERROR_STATE, WADI_ERROR_ARGUMENT or WADI_ERROR_RANGE.
WADI_API wadi_result wadi_solver_set_bodies(wadi_solver* solver, const wadi_bodies* bodies);

/// The grains of bodies as they are now, by id, x and y from the south-west corner; at most \p
/// capacity of them go to \p out. Returns how many there are: 0 for other processes. \p seconds,
/// which may be NULL, is how long they have moved.
WADI_API int32_t wadi_solver_grains(const wadi_solver* solver, wadi_grain* out, int32_t capacity,
                                    double* seconds);

/// Called by a process that takes bodies after each of its own turns, when \p seconds of an advance
/// have passed; what is not WADI_OK ends the advance.
typedef wadi_result (*wadi_watch)(void* user, double seconds);

/// Have \p watch called from now on; NULL: nothing. Watching changes no bit, which cutting an
/// advance into shorter ones does. Other processes call nobody.
WADI_API void wadi_solver_watch(wadi_solver* solver, wadi_watch watch, void* user);

/// Work counters and figures since creation. Return how many there are; write at most \p
/// capacity.
WADI_API int32_t wadi_solver_work(const wadi_solver* solver, wadi_work* out, int32_t capacity);
WADI_API int32_t wadi_solver_figures(const wadi_solver* solver, wadi_figure* out, int32_t capacity);

WADI_API const wadi_process* wadi_solver_process(const wadi_solver* solver);
WADI_API wadi_terrain* wadi_solver_terrain(const wadi_solver* solver);

#ifdef __cplusplus
}
#endif
