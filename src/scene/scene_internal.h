// SPDX-License-Identifier: MIT
// Members of a scene, for src/scene only.
#pragma once

#include <wadi/archive.h>
#include <wadi/run.h>

#include "core/partition.h"

#include <string.h>

// Memory owned by the scene: copies of the callers' data.
typedef struct scene_block
{
    struct scene_block* next;
    max_align_t data[];
} scene_block;

typedef struct scene_timed scene_timed; // outputs at regular times; scene_timed.c

struct wadi_scene
{
    wadi_context* context;
    scene_block* blocks;
    const char* name;
    const char* doc;
    uint64_t seed;
    wadi_scene_grid grid;

    wadi_scene_ground* grounds;
    int32_t ground_count;
    wadi_scene_layer* layers;
    int32_t layer_count;
    wadi_scene_material* materials;
    int32_t material_count;
    wadi_scene_strata strata;
    wadi_scene_sea sea;
    wadi_step* steps;
    int32_t step_count;
    scene_timed* timed; // of the steps to come; NULL: none

    const wadi_paint* painted; // strokes of the source that was kept last with some
    int32_t painted_count;
};

// A row of the material table with the cookie that field tables need.
typedef struct scene_material_row
{
    uint32_t cookie;
    double density;
    double porosity;
    double hardness;
    double friction_angle;
    double cohesion;
    double conductivity;
    double grain_diameter;
} scene_material_row;

struct wadi_run
{
    const wadi_scene* scene;
    wadi_host host;
    wadi_context* context;
    wadi_terrain* terrain;
    wadi_solver** solvers; // by index in the registry; NULL until a process has run
    uint32_t* instances;   // by index in the registry: number of starts
    int32_t position;
    bool given;      // the solver has the years of the step at `position`, and steps of them wait
    bool cancelled;  // processes and edits are skipped
    int32_t stopped; // cancelled: position from which a resumed run goes on
    wadi_goal_course course; // of the latest step with a goal
    bool shows;              // the hook `output` is at work
    wadi_solver* watched;    // by the hook `watch`
};

// ---- scene.c ------------------------------------------------------------------------------------

// Does a step so far run this process?
bool wadi_scene_runs(const wadi_scene* scene, const wadi_process* process);

// Append a step as it is.
wadi_result wadi_scene_append(wadi_scene* scene, const wadi_step* step);

// ---- scene_timed.c ------------------------------------------------------------------------------

enum
{
    SCENE_MAX_FRAMES = 9999 // numbers of four digits
};

// Prefix a failure with the position of its cause in the scene file; NULL: unknown.
wadi_result wadi_scene_fail_at(const wadi_scene* scene, const char* origin, wadi_result result);
// Append the next frame of a timed output, with its number in the name; none of a map that does not
// exist yet.
wadi_result wadi_scene_add_frame(wadi_scene* scene, const wadi_step* step, int32_t* frames);
// Append a process in parts, with the frames between them.
wadi_result wadi_scene_add_parts(wadi_scene* scene, const wadi_step* step);

// ---- scene_names.c ------------------------------------------------------------------------------

// Take "./", "x/../" and repeated "/" out of the name of a file.
void wadi_scene_clean_name(char* name);
// Fail if a file of a step, one of its numbered files or a sidecar is also one of an earlier step.
wadi_result wadi_scene_check_names(const wadi_scene* scene, const wadi_step* step);

// ---- scene_keep.c: checked deep copies ----------------------------------------------------------

// Zeroed memory that lives as long as the scene.
wadi_result wadi_scene_keep_room(wadi_scene* scene, size_t size, void** out);
wadi_result wadi_scene_keep_bytes(wadi_scene* scene, const void* bytes, size_t size, void** out);
wadi_result wadi_scene_keep_params(wadi_scene* scene, const wadi_field_table* table,
                                   const void* params, const void** out);
wadi_result wadi_scene_keep_text(wadi_scene* scene, const char* text, const char** out);
wadi_result wadi_scene_keep_name(wadi_scene* scene, const char* name, const char** out);
wadi_result wadi_scene_keep_source(wadi_scene* scene, const wadi_source* source, int32_t fills,
                                   wadi_source* out);
wadi_result wadi_scene_keep_region(wadi_scene* scene, const wadi_region* region, wadi_region* out);
wadi_result wadi_scene_keep_layer(wadi_scene* scene, const wadi_scene_layer* layer,
                                  wadi_scene_layer* out);
wadi_result wadi_scene_keep_process(wadi_scene* scene, const wadi_scene_process* process,
                                    wadi_scene_process* out);
wadi_result wadi_scene_keep_edit(wadi_scene* scene, const wadi_edit* edit, wadi_edit* out);
wadi_result wadi_scene_keep_output(wadi_scene* scene, const wadi_output* output, wadi_output* out);

// ---- scene_bodies.c -----------------------------------------------------------------------------

wadi_result wadi_scene_keep_bodies(wadi_scene* scene, const wadi_scene_process* process,
                                   wadi_scene_process* out);

// Pass the bodies of a step to its solver, if it has any.
wadi_result wadi_scene_give_bodies(wadi_run* run, const wadi_scene_process* step,
                                   wadi_solver* solver);

// Advance a solver by the years of its step and write the frames of its series.
wadi_result wadi_scene_advance(wadi_run* run, const wadi_scene_process* step, wadi_solver* solver);

// ---- scene_goal.c -------------------------------------------------------------------------------

// Copy the goal of a step; a timeline has none.
wadi_result wadi_scene_keep_goal(wadi_scene* scene, const wadi_scene_process* process,
                                 wadi_scene_process* out);
void wadi_goal_archive(wadi_archive* archive, wadi_goal_course* course);

// Read a table of a step and give it to a solver.
wadi_result wadi_scene_give_table(wadi_run* run, const wadi_scene_process* step,
                                  const wadi_scene_table* table, wadi_solver* solver);

// ---- scene_mature.c -----------------------------------------------------------------------------

wadi_result wadi_scene_check_mature(wadi_context* context, const wadi_scene_process* process);
// Mature the land before a step. A run that is stopped meanwhile begins with it again.
wadi_result wadi_scene_mature(wadi_run* run, const wadi_scene_process* step);

// ---- scene_mask.c -------------------------------------------------------------------------------

// Copy a mask; NULL stays NULL.
wadi_result wadi_scene_keep_mask(wadi_scene* scene, const wadi_mask* mask, const wadi_mask** out);
// Weights of a mask on the run's terrain, 0..1. `place` selects the noise.
wadi_result wadi_scene_mask_weights(wadi_run* run, const wadi_mask* mask, uint32_t place,
                                    float* out);
// Give the solver of a step its mask, or take the one of an earlier step away.
wadi_result wadi_scene_give_mask(wadi_run* run, const wadi_scene_process* step,
                                 wadi_solver* solver);

// ---- scene_source.c -----------------------------------------------------------------------------

// Input of a source that fills a grid.
typedef struct scene_fill
{
    wadi_context* context;
    const wadi_host* host;
    const wadi_source* source;
    const wadi_frame* frame;
    uint64_t seed;         // of noise; different for each source of a scene
    wadi_terrain* terrain; // with the surface for `above`; NULL for the ground itself
} scene_fill;

// Fill width x height floats; NaN where there is no data.
wadi_result wadi_scene_fill(const scene_fill* fill, float* out);
// scene_paint.c: draw the strokes of the source over its values. Cells without data stay so.
wadi_result wadi_scene_paint(const scene_fill* fill, float* out);
// Copy the strokes of a source, checked.
wadi_result wadi_scene_keep_strokes(wadi_scene* scene, const wadi_source* source, wadi_source* out);
// Squared distance of a point from a segment [m2].
double wadi_region_distance_squared(wadi_point a, wadi_point b, wadi_point p);
// How far a point lies inside a polygon [m], by the even-odd rule; below 0: outside.
double wadi_region_polygon_depth(const wadi_point* points, int32_t count, wadi_point at);

// Seed of the noise of one place in a scene. The first ground source has the scene's seed.
static inline uint64_t scene_seed_of(uint64_t seed, uint32_t place)
{
    return seed + 0x9E3779B97F4A7C15u * place;
}

// Index of the row with a name in structs that begin with their name; `count` if none.
static inline int32_t scene_find_name(const void* rows, size_t size, int32_t count,
                                      const char* name)
{
    int32_t index = 0;
    const char* row = rows;
    while (index < count && strcmp(*(const char* const*)(const void*)row, name) != 0)
    {
        row += size;
        ++index;
    }
    return index;
}

// ---- scene_region.c -----------------------------------------------------------------------------

// Weight of a region at a point, 0..1.
double wadi_region_weight(const wadi_region* region, wadi_point at);

// Position of a cell's centre.
static inline wadi_point scene_cell_centre(const wadi_frame* frame, int32_t column, int32_t row)
{
    const wadi_partition* window = frame->window;
    const int32_t x = window != NULL ? wadi_partition_column(window, column) : column;
    const int32_t south =
        window != NULL ? window->height - wadi_partition_row(window, row) : frame->height - row;
    return (wadi_point){((double)x + 0.5) * frame->cell_size,
                        ((double)south - 0.5) * frame->cell_size};
}

// ---- scene_build.c ------------------------------------------------------------------------------

// Places with different noise; see scene_seed_of().
enum
{
    SCENE_PLACE_GROUND = 0,   // + index of the source
    SCENE_PLACE_LAYER = 1024, // + layer
    SCENE_PLACE_STRATA = 2048,
    SCENE_PLACE_SPLAT = 3072, // + channel
    SCENE_PLACE_STEP = 4096,  // + index of the step, x16 + index of the input map
    SCENE_PLACE_MASK = 15     // + place of the step
};

wadi_result wadi_scene_build(wadi_run* run);

// Values of a source on the run's terrain.
wadi_result wadi_scene_values(wadi_run* run, const wadi_source* source, uint32_t place, float* out);

// A run without a terrain.
wadi_result wadi_run_open(const wadi_scene* scene, const wadi_host* host, wadi_run** out);

// Places of the step at the run's position. Steps that write checkpoints and frames do not count,
// and a divided step counts once, so that they change no noise.
uint32_t wadi_scene_place(const wadi_run* run);

// ---- scene_run.c --------------------------------------------------------------------------------

// Let a run go on with another scene that has the same steps up to the run's position.
void wadi_run_follow(wadi_run* run, const wadi_scene* scene);
// True between two processes of one interval, and while a step is not done.
bool wadi_run_is_within(const wadi_run* run);

// Read the rows of a table of the scene; the caller frees them.
const wadi_table_info* wadi_scene_table_info(const wadi_process* process, const char* name);
const wadi_table_info* wadi_scene_winds_info(const char* name);
wadi_result wadi_scene_read_table(wadi_run* run, const wadi_scene_table* table,
                                  const wadi_table_info* info, double** out, int32_t* rows);

// ---- scene_derive.c -----------------------------------------------------------------------------

// A derived map of the terrain, also in windows of a grid: all of them call it.
wadi_result wadi_scene_derive(wadi_terrain* terrain, wadi_derived map, float* out);

// ---- scene_sea.c --------------------------------------------------------------------------------

// Give the run's terrain the sea of the scene.
wadi_result wadi_scene_build_sea(wadi_run* run);

// ---- scene_edit.c -------------------------------------------------------------------------------

// `place` selects the noise of the edit; see scene_seed_of().
wadi_result wadi_scene_apply_edit(wadi_run* run, const wadi_edit* edit, uint32_t place);
