// SPDX-License-Identifier: MIT
/// \file process.h
/// Processes, models and solvers. A process is a constant descriptor in a registry; each of its
/// models is one way to compute it; a solver is one model at work on one terrain.
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
    bool input;      ///< true: set with wadi_solver_set_map(); false: made by the process
    uint32_t models; ///< bit m: model m has this map; 0: all models do
} wadi_map_info;

/// A map that is 0 everywhere while a parameter of its model is off.
typedef struct wadi_map_switch
{
    const char* map;
    const char* field; ///< of the process, true or false; models without it always have the map
} wadi_map_switch;

/// A work counter, from which rates are computed: {"particle_steps", 1.2e9}.
typedef struct wadi_work
{
    const char* name;
    double count;
} wadi_work;

/// How a figure is combined when a process runs several times.
typedef enum wadi_figure_kind
{
    WADI_FIGURE_STATE, ///< The last run's value: a length, an acceleration.
    WADI_FIGURE_SUM,   ///< Values of the runs are added: hours of wind, metres of lowering.
    WADI_FIGURE_MEAN   ///< Mean of the runs, weighted by their years: denudation [mm/kyr].
} wadi_figure_kind;

/// What a figure means.
typedef struct wadi_figure_info
{
    const char* name;
    const char* unit; ///< "1": none
    wadi_figure_kind kind;
    const char* doc; ///< one line
    uint32_t models; ///< bit m: model m may report it; 0: all models do
} wadi_figure_info;

/// A number that a process reports beside the ledger, such as denudation [mm/kyr].
typedef struct wadi_figure
{
    const char* name;
    const char* unit;
    double value;
    wadi_figure_kind kind;
} wadi_figure;

/// Properties of a model that callers and tests need to know.
typedef enum wadi_model_trait
{
    WADI_MODEL_RANDOM = 1, ///< Draws random numbers: another seed gives another result.
    WADI_MODEL_HOLDS = 2,  ///< Carries matter between advances; the ledger calls it transit.
    WADI_MODEL_BODIES =
        4, ///< Takes bodies: wadi_solver_set_bodies(). Without them it does nothing.
    WADI_MODEL_GRAINS = 8,    ///< Has grains to draw: wadi_solver_grains(), wadi_solver_watch().
    WADI_MODEL_WINDOWS = 16,  ///< Runs in windows of a grid, with the same bits; see window.h.
    WADI_MODEL_OWN_STEP = 32, ///< The length of its step matters: see wadi_solver_couple().
    /// In windows it runs on the whole grid, in the first window, to which the ground is gathered.
    /// It changes rock, loose layers, water, vegetation and moisture, and reads no other layers but
    /// those of `reads`. With WADI_MODEL_WINDOWS: only with parameters that do not run in windows.
    WADI_MODEL_GATHERS = 64,
    /// Moves ground under standing water, which keeps its level: after each step the library takes
    /// the water that ground has displaced as `lost`, and fills up what has sunk as `in`. Ground
    /// that rises above the level is dry; ground that sinks below it beside the water stays dry.
    WADI_MODEL_UNDER_WATER = 128
} wadi_model_trait;

struct wadi_model_api; // the functions of a model: wadi/model.h

/// One way to compute a process.
typedef struct wadi_model
{
    const char* name;                 ///< "parcels", a value of the field `model`
    const char* doc;                  ///< one sentence
    uint32_t reads;                   ///< set of layers, see WADI_LAYER_BIT()
    uint32_t writes;                  ///< set of layers
    uint32_t traits;                  ///< wadi_model_trait, joined with |
    const struct wadi_model_api* api; ///< its functions
} wadi_model;

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
    const wadi_model* models; ///< in the order of the names of the field `model`
    int32_t model_count;
    double default_years;            ///< duration of `wadi erode` without --for
    const double* model_years;       ///< the same for each model; NULL: default_years for all
    const char* example;             ///< lines of a scene whose ground suits the process
    const wadi_map_switch* switches; ///< of maps
    int32_t switch_count;
    const wadi_figure_info* figures; ///< that its models report
    int32_t figure_count;
} wadi_process;

/// The registry: the processes of the library, then the processes registered with \p context, which
/// may be NULL.
WADI_API int32_t wadi_process_count(const wadi_context* context);
/// NULL when \p index is out of range.
WADI_API const wadi_process* wadi_process_at(const wadi_context* context, int32_t index);
/// NULL when unknown.
WADI_API const wadi_process* wadi_process_find(const wadi_context* context, const char* name);

/// Do these parameters make an output map? False for maps of other models, for those that
/// wadi_process::switches have off, and for names that are no output map.
WADI_API bool wadi_process_makes(const wadi_process* process, const void* params, const char* map);

/// Add the caller's process to the registry of one context, so that scenes find it by name.
/// It must outlive the context. Fails with WADI_ERROR_ARGUMENT when the descriptor is not complete
/// or its name is taken, and with WADI_ERROR_RANGE beyond WADI_MAX_REGISTERED processes.
WADI_API wadi_result wadi_process_register(wadi_context* context, const wadi_process* process);
#define WADI_MAX_REGISTERED 32

/// Duration of a step that says none: that of the chosen model [yr].
WADI_API double wadi_process_years(const wadi_process* process, const void* params);

/// The chosen model: the value of the field `model`, or the only model.
WADI_API const wadi_model* wadi_process_model(const wadi_process* process, const void* params);

/// Is a model in the set \p models of a field, map or table? 0 is the set of all models.
WADI_API bool wadi_model_is_in(const wadi_process* process, const wadi_model* model,
                               uint32_t models);

/// Does any model of the process have a trait?
WADI_API bool wadi_process_has(const wadi_process* process, wadi_model_trait trait);

/// Check that the chosen model reads a field; the message names the models that do.
WADI_API wadi_result wadi_process_check_field(wadi_context* context, const wadi_process* process,
                                              const void* params, const char* field);

/// Write a preset's values into a parameter struct that holds the defaults. NULL or "default":
/// changes nothing. An unknown name fails with WADI_ERROR_UNKNOWN; the message lists the presets.
WADI_API wadi_result wadi_process_apply_preset(wadi_context* context, const wadi_process* process,
                                               const char* preset, void* params);

typedef struct wadi_solver wadi_solver;

/// Bind a process to a terrain. \p params is the process's own struct, or NULL for its
/// defaults. Random numbers are keyed by the terrain's seed, the process and \p instance, so
/// that two solvers of one process on one terrain differ. Fails with WADI_ERROR_ARGUMENT when a
/// parameter that the chosen model does not read differs from its default. On failure *out is NULL.
WADI_API wadi_result wadi_solver_create(wadi_terrain* terrain, const wadi_process* process,
                                        const void* params, uint32_t instance, wadi_solver** out);
/// NULL is allowed. Matter that the solver still holds leaves the world: the ledger counts it as
/// lost. wadi_solver_settle() lays it down before.
WADI_API void wadi_solver_destroy(wadi_solver* solver);

/// Run the process for \p years in (0, 1e9]: all whole steps that fit into the time given so far.
/// What is left waits for the next call, so that advance(a) and then advance(b) gives the same bits
/// and costs the same as advance(a + b). wadi_solver_finish() runs the rest.
/// The clock does not move: call wadi_terrain_advance_clock() when all processes have run. When it
/// is ahead of the solver, because other processes ran alone, the solver goes on from there. Ends
/// early with WADI_ERROR_CANCELLED when the progress hook returns false; the terrain and the ledger
/// are then valid, and the steps that were not run wait for the next call.
WADI_API wadi_result wadi_solver_advance(wadi_solver* solver, double years);

/// Length of the model's fixed step [yr]; 0: the model has no steps, and each advance is one.
WADI_API double wadi_solver_step(const wadi_solver* solver);
/// Shorten the step, if need be, so that a whole number of steps fits into \p years: the duration
/// of a run, or the coupling interval of several processes. Runs the waiting time first. Later
/// calls start from the model's own step.
WADI_API wadi_result wadi_solver_fit(wadi_solver* solver, double years);
/// Prepare for calls of \p tick years each, between which other processes run. As
/// wadi_solver_fit(), but a model with the trait WADI_MODEL_OWN_STEP keeps its own step where the
/// tick is longer: a tick that ends within a step leaves the rest to the next one, so ticks do not
/// change what the model does. The model is then up to a step behind the world's clock, until
/// wadi_solver_finish().
WADI_API wadi_result wadi_solver_couple(wadi_solver* solver, double tick);
/// Run the whole steps that wait since an advance was stopped, and no other time: then the solver
/// is where it would be if it had not been stopped.
WADI_API wadi_result wadi_solver_catch_up(wadi_solver* solver);

/// Run the time that waits, as a shorter step. Call it at the end of a run, and before an event: an
/// edit of the ground or a change of other forcing.
WADI_API wadi_result wadi_solver_finish(wadi_solver* solver);

/// Give a living solver other parameters: its time, maps, sums and the matter it holds go on. Runs
/// the waiting time first. Fails with WADI_ERROR_ARGUMENT for another model, and with
/// WADI_ERROR_FORMAT when the state does not fit the new parameters (another number of particles,
/// say); the solver is then as it was.
WADI_API wadi_result wadi_solver_change(wadi_solver* solver, const void* params);

/// Write the solver, parameters, input maps and tables included, as an archive (archive.h). Its
/// terrain is saved by wadi_terrain_save().
WADI_API wadi_result wadi_solver_save(const wadi_solver* solver, wadi_write_fn* write, void* user);
/// Create a solver from what wadi_solver_save() wrote, on a terrain restored from the same moment;
/// it goes on as if nothing had happened. Fails with WADI_ERROR_FORMAT when the bytes are damaged,
/// of another version, or of another size of grid, and with WADI_ERROR_UNKNOWN when the process is
/// not registered. On failure *out is NULL.
WADI_API wadi_result wadi_solver_load(wadi_terrain* terrain, wadi_read_fn* read, void* user,
                                      wadi_solver** out);
/// 64-bit hash over all that wadi_solver_save() writes.
WADI_API uint64_t wadi_solver_hash(const wadi_solver* solver);

/// End a run: deposit the matter that the solver still holds, the ledger's transit, near where it
/// is. What moves by itself ends its way: grains of the wind fly on until they leave or come to
/// rest, and slopes of wind-blown sand slide to rest. Solvers that hold nothing do nothing.
WADI_API wadi_result wadi_solver_settle(wadi_solver* solver);
/// Matter of one material that the solver holds, in units of 2^-16 m x cells: the ledger's transit
/// of a process is the sum over its solvers.
WADI_API int64_t wadi_solver_held(const wadi_solver* solver, int32_t material);

/// Move the clock on by \p years.
WADI_API wadi_result wadi_terrain_advance_clock(wadi_terrain* terrain, double years);

/// Copy an output map to \p out, `width x height` floats. Void cells hold NaN. The name of an input
/// map gives the values that were set, unless an output map has the same name; without any it fails
/// with WADI_ERROR_STATE.
WADI_API wadi_result wadi_solver_map(wadi_solver* solver, const char* name, float* out);
/// Set an input map from `width x height` floats, which are copied. Runs the waiting time first.
/// Fails with WADI_ERROR_RANGE.
WADI_API wadi_result wadi_solver_set_map(wadi_solver* solver, const char* name,
                                         const float* values);

/// Limit what the process changes: `width x height` weights from 0, where nothing changes, to 1;
/// copied, in steps of 1/65535. NULL: all cells. Every step of the model runs as without a mask,
/// and of the change of each layer in a cell only the weight's share stays; water that the model
/// lays keeps its level where the ground below it is put back, so that lakes stay level, and is
/// limited itself only where the model changes nothing else. Shares of a unit are
/// rounded up or down by chance, so that many small changes sum to the right one; the chance
/// depends on the seed, the cell and the number of the step only. What the mask undoes is booked in
/// the ledger's account WADI_MASK_ACCOUNT: matter put back as `in`, matter held back as `lost`. So
/// the residual stays 0; a process that carries matter across the border of its mask loses some
/// there or gains it. Maps and figures of the process show what it did before the mask. Runs the
/// waiting time first. Fails with WADI_ERROR_RANGE for a weight outside 0..1 or NaN in a valid
/// cell.
WADI_API wadi_result wadi_solver_set_mask(wadi_solver* solver, const float* weights);
#define WADI_MASK_ACCOUNT "mask"

/// Fail with WADI_ERROR_RANGE where an input map is out of the range of the parameter with its
/// name, as maps in another unit are. Scenes and the command check what they read;
/// wadi_solver_set_map() itself also takes what lies beyond, such as a river as the rain of one
/// cell.
WADI_API wadi_result wadi_process_check_map(const wadi_terrain* terrain,
                                            const wadi_process* process, const wadi_model* model,
                                            const char* name, const float* values);

/// Set a table: \p rows rows, with columns in the order and units of the table; copied. Values out
/// of range fail with WADI_ERROR_RANGE; the message names row and column.
WADI_API wadi_result wadi_solver_set_table(wadi_solver* solver, const char* name,
                                           const double* values, int32_t rows);

/// Set bodies of soil before the first advance, in place of the soil of the layers; copied. Invalid
/// bodies, such as a mesh that is not closed or a grain without a body, fail with
/// WADI_ERROR_STATE, WADI_ERROR_ARGUMENT or WADI_ERROR_RANGE.
WADI_API wadi_result wadi_solver_set_bodies(wadi_solver* solver, const wadi_bodies* bodies);

/// Copy the grains, sorted by id, to \p out, \p capacity at most. x and y count from the south-west
/// corner. Returns the number of grains: 0 for a process without grains. \p seconds may be NULL; it
/// receives the time that the process has run [s].
WADI_API int32_t wadi_solver_grains(const wadi_solver* solver, wadi_grain* out, int32_t capacity,
                                    double* seconds);

/// Callback after each coupling step of a process with grains; \p seconds is the time of
/// wadi_solver_grains(). A result other than WADI_OK ends the advance.
typedef wadi_result (*wadi_watch)(void* user, double seconds);

/// Set the callback; NULL removes it. A callback changes no result. Processes without grains ignore
/// it.
WADI_API void wadi_solver_watch(wadi_solver* solver, wadi_watch watch, void* user);

/// Work counters and figures since creation. Writes at most \p capacity rows and returns the number
/// of rows there are.
WADI_API int32_t wadi_solver_work(const wadi_solver* solver, wadi_work* out, int32_t capacity);
WADI_API int32_t wadi_solver_figures(const wadi_solver* solver, wadi_figure* out, int32_t capacity);

WADI_API const wadi_process* wadi_solver_process(const wadi_solver* solver);
WADI_API const wadi_model* wadi_solver_model(const wadi_solver* solver);
/// The parameters in force: the process's own struct, valid until wadi_solver_change() or the end
/// of the solver.
WADI_API const void* wadi_solver_params(const wadi_solver* solver);
WADI_API wadi_terrain* wadi_solver_terrain(const wadi_solver* solver);
/// The terrain that the model works on, for a wadi_watch. In windows of a grid that of the whole
/// grid, in the first window, if the process is gathered there; NULL in the others. Elsewhere
/// wadi_solver_terrain(). Its messages go to a context of its own.
WADI_API wadi_terrain* wadi_solver_whole(const wadi_solver* solver);
WADI_API uint32_t wadi_solver_instance(const wadi_solver* solver);

#ifdef __cplusplus
}
#endif
