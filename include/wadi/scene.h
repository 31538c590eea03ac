// SPDX-License-Identifier: MIT
/// \file scene.h
/// A scene: the construction of a terrain and the steps applied to it. It is plain data: it opens
/// no files and knows no file format. The program that runs a scene (see run.h) supplies hooks for
/// its files, so a scene works the same in a command, a window or a browser.
///
/// Positions are metres from the south-west corner of the grid: x to the east, y to the north.
#pragma once

#include <wadi/amplify.h>
#include <wadi/derive.h>
#include <wadi/edit.h>
#include <wadi/goal.h>
#include <wadi/grain_picture.h>
#include <wadi/process.h>
#include <wadi/render.h>
#include <wadi/terrain.h>

#ifdef __cplusplus
extern "C"
{
#endif

// ---- sources: values of a grid ------------------------------------------------------------------

/// Targets of a source.
enum
{
    WADI_FILLS_GROUND = 1, ///< the height of the ground
    WADI_FILLS_LAYER = 2,  ///< a layer of a terrain, or an input map of a process
    WADI_FILLS_LOOSE = 4   ///< loose layers only
};

/// A kind of source, such as "noise". A field with unit "" in its table has the unit of the target.
typedef struct wadi_source_kind
{
    const char* name;
    const char* doc;
    const wadi_field_table* fields;
    int32_t fills;   ///< WADI_FILLS_* combined
    bool needs_file; ///< true: wadi_source.file names it
} wadi_source_kind;

WADI_API int32_t wadi_source_kind_count(void);
WADI_API const wadi_source_kind* wadi_source_kind_at(int32_t index);      ///< NULL outside
WADI_API const wadi_source_kind* wadi_source_kind_find(const char* name); ///< NULL when unknown

/// Value of a class number in a file: the hardness of a class of rock, for example.
typedef struct wadi_class_value
{
    double number;
    double value; ///< in the unit of the target
} wadi_class_value;

/// A stroke of a brush over the values of a source, as if painted by hand: new = old + weight x
/// (value - old). The weight is 1 along the line through the points, and falls smoothly to 0 on
/// the rim. An area has its points as corners; its weight rises from 0 on the outline to 1 inside.
/// Over a periodic edge a stroke reaches the other side, but in the ground of a terrain.
typedef struct wadi_paint
{
    double value;             ///< in the unit of the target
    double radius;            ///< [m], above 0; areas do not use it
    double soft;              ///< width of the rim inside the outline [m], lines: 0..radius
    const wadi_point* points; ///< of the line, [m] from the south-west corner
    int32_t point_count;      ///< 1..WADI_MAX_PAINT_POINTS; 1: a round spot; areas: 3 or more
    bool is_area;             ///< the points are corners of a polygon, by the even-odd rule
} wadi_paint;
#define WADI_MAX_PAINTS 4096       ///< strokes of one source
#define WADI_MAX_PAINT_POINTS 4096 ///< points of one stroke

typedef struct wadi_source
{
    const wadi_source_kind* kind;
    const void* params; ///< the kind's struct, from wadi_fields_init()
    const char* file;   ///< name in the scene; NULL for kinds without a file
    const char* origin; ///< position in its file, "alps.yaml:4:11", for messages; or NULL
    const wadi_class_value* classes; ///< "classes" only
    int32_t class_count;
    /// The file holds weights: where a PNG or R16 does not say what its numbers are, the greatest
    /// one means 1.
    bool weighs;
    const wadi_paint* strokes; ///< painted over its values, in this order; NULL: none
    int32_t stroke_count;      ///< 0..WADI_MAX_PAINTS
} wadi_source;

// ---- regions ------------------------------------------------------------------------------------

/// A kind of outline, such as "circle". The corners of a polygon are not in its table.
typedef struct wadi_shape_kind
{
    const char* name;
    const char* doc;
    const wadi_field_table* fields; ///< NULL for a polygon
} wadi_shape_kind;

WADI_API int32_t wadi_shape_kind_count(void);
WADI_API const wadi_shape_kind* wadi_shape_kind_at(int32_t index);      ///< NULL outside
WADI_API const wadi_shape_kind* wadi_shape_kind_find(const char* name); ///< NULL when unknown

/// An outline with a soft rim: the weight is 0 on the outline and outside, and rises smoothly
/// to 1 at `soft` metres inside. All zero: everywhere.
typedef struct wadi_region
{
    const wadi_shape_kind* shape; ///< NULL: everywhere
    const void* params;           ///< the shape's struct
    const wadi_point* points;     ///< polygon only
    int32_t point_count;          ///< polygon: 3 or more
    double soft;                  ///< [m], >= 0
} wadi_region;

// ---- masks --------------------------------------------------------------------------------------

/// A quantity with one value per cell: a layer, a map of a process, or a derived map.
typedef struct wadi_quantity
{
    const wadi_process* process; ///< NULL: a layer or a derived map
    const char* map;             ///< of the process; NULL: a layer or a derived map
    bool is_derived;
    wadi_derived derived;
    wadi_layer layer;
} wadi_quantity;

/// Parse "sediment", "slope" or "hydraulic.flow".
WADI_API wadi_result wadi_quantity_parse(wadi_context* context, const char* text,
                                         wadi_quantity* out);

/// Copy a layer or a derived map, `width x height` floats; NaN where there is no data. For maps of
/// processes see wadi_run_quantity(); here they fail with WADI_ERROR_STATE. In windows of a grid
/// all of them call it for a derived map; maps of drainage are made in the first one, which needs
/// memory for the whole grid.
WADI_API wadi_result wadi_terrain_quantity(wadi_terrain* terrain, const wadi_quantity* quantity,
                                           float* out);

/// Unit of a quantity: "m", "degree", "1/m", "1", ... Never NULL.
WADI_API const char* wadi_quantity_unit(const wadi_quantity* quantity);

/// A range of a quantity: weight 0 outside of it, and inside a rim `fade` wide over which the
/// weight rises smoothly to 1, as in a wadi_region. Without both limits the values themselves are
/// the weights, and those outside 0..1 count as 0 or 1.
typedef struct wadi_mask_band
{
    wadi_quantity quantity;
    double from; ///< -INFINITY: no lower limit
    double to;   ///< INFINITY: no upper limit
    double fade; ///< in the unit of the quantity; 0: the limits belong to the range
} wadi_mask_band;

/// Where an edit or a process acts, and how much: weights from 0 to 1. They are the product of all
/// parts, and 0 where one has no data. Start from wadi_mask_default().
typedef struct wadi_mask
{
    wadi_source source; ///< weights of a file, of noise or of stripes; kind NULL: none
    const wadi_mask_band* bands;
    int32_t band_count; ///< at most WADI_MAX_MASK_BANDS
    wadi_region region;
    bool inverted;   ///< 1 - product instead of the product
    double strength; ///< 0..1, multiplies the result
} wadi_mask;
#define WADI_MAX_MASK_BANDS 8
#define WADI_MAX_SPLAT 4 ///< channels of a picture of weights

/// Weight 1 everywhere.
WADI_API wadi_mask wadi_mask_default(void);

/// Fails with WADI_ERROR_RANGE for limits that are NaN or in the wrong order, a fade below 0,
/// without limits or wider than what lies between them, and a strength outside 0..1.
WADI_API wadi_result wadi_mask_check(wadi_context* context, const wadi_mask* mask);

/// Multiply weights by those of a band of given values, such as wadi_terrain_quantity() gives.
WADI_API void wadi_mask_weigh(const wadi_mask_band* band, const float* values, int64_t cells,
                              float* weights);

// ---- the terrain --------------------------------------------------------------------------------

/// Combination of a ground source with the ground: new = old + weight x mask x (combined - old).
typedef enum wadi_combine
{
    WADI_COMBINE_MIX,      ///< combined = source
    WADI_COMBINE_ADD,      ///< combined = old + source
    WADI_COMBINE_MAX,      ///< combined = the higher one
    WADI_COMBINE_MIN,      ///< combined = the lower one
    WADI_COMBINE_MULTIPLY, ///< combined = old x source
    WADI_COMBINE_COUNT
} wadi_combine;

WADI_API const char* wadi_combine_name(wadi_combine combine); ///< "mix", ...; NULL outside

/// One source of the ground's height. The first one of a scene sets the ground, with void cells
/// where it has no data. Cells where a later one has no data are unchanged.
typedef struct wadi_scene_ground
{
    wadi_source source;
    wadi_combine combine;
    double weight;      ///< 0..1
    wadi_region region; ///< where it applies
    const char* mask;   ///< file of weights 0..1, or NULL
} wadi_scene_ground;

/// Values of a layer. A loose layer replaces rock: the surface is unchanged.
typedef struct wadi_scene_layer
{
    wadi_layer layer;
    wadi_source source;
} wadi_scene_layer;

/// Rock in beds, from the top down: see wadi_terrain_set_strata(). A scene with beds cannot set the
/// layer of hardness.
typedef struct wadi_scene_strata
{
    int32_t count; ///< 0: none
    wadi_stratum beds[WADI_MAX_STRATA];
    wadi_source top; ///< elevation of the top of the first bed; kind NULL: the initial ground
} wadi_scene_strata;

/// The level of the sea: see wadi_terrain_set_sea_level(). Rows, or a file with the columns `year`
/// and `level`.
typedef struct wadi_scene_sea
{
    const double* years;  ///< [yr] on the clock, rising; NULL: one row, a constant level
    const double* levels; ///< [m]
    int32_t count;        ///< rows; 0: no sea, or a file
    const char* file;     ///< instead of rows; NULL: none
    const char* origin;   ///< position in its file, for messages; or NULL
} wadi_scene_sea;

/// One value of one row of the material table.
typedef struct wadi_scene_material
{
    const char* material; ///< name of the row; a new name adds a copy of sediment's row
    const char* field;    ///< in wadi_scene_material_fields
    double value;
} wadi_scene_material;

/// Field table of wadi_material for scenes.
WADI_API extern const wadi_field_table wadi_scene_material_fields;

/// Size of the grid. Members that are 0 come from the first ground source if that is a file;
/// otherwise they are 512 x 512 cells of 30 m.
typedef struct wadi_scene_grid
{
    int32_t width;      ///< [cells]
    int32_t height;     ///< [cells]
    double cell_size;   ///< [m]
    double extent;      ///< [m] west to east; instead of cell_size
    wadi_edge edges[4]; ///< by wadi_side
} wadi_scene_grid;

// ---- steps --------------------------------------------------------------------------------------

/// A kind of edit, such as "add_sand". Its amount is the only field of its table.
typedef struct wadi_edit_kind
{
    const char* name;
    const char* doc;
    const wadi_field_table* fields; ///< NULL for WADI_EDIT_SET
    wadi_layer layer;               ///< changed layer; WADI_EDIT_SET: see wadi_edit
    wadi_edit_verb verb;
} wadi_edit_kind;

WADI_API int32_t wadi_edit_kind_count(void);
WADI_API const wadi_edit_kind* wadi_edit_kind_at(int32_t index);      ///< NULL outside
WADI_API const wadi_edit_kind* wadi_edit_kind_find(const char* name); ///< NULL when unknown

typedef struct wadi_edit
{
    const wadi_edit_kind* kind;
    const void* params;        ///< the kind's struct; NULL for WADI_EDIT_SET
    wadi_scene_layer assigned; ///< WADI_EDIT_SET only
    wadi_region region;
    const wadi_mask* mask; ///< its weights multiply those of the region; NULL: none
} wadi_edit;

/// An input map of a process and its source.
typedef struct wadi_scene_input
{
    const char* map; ///< name among the process's input maps
    wadi_source source;
} wadi_scene_input;

/// An input table of a process: a file, or rows.
typedef struct wadi_scene_table
{
    const char* table;    ///< name among the process's tables
    const char* file;     ///< NULL: the rows below
    const double* values; ///< rows one after the other, in the units of the columns
    int32_t rows;
} wadi_scene_table;

/// A body of soil and the closed mesh that bounds it.
typedef struct wadi_scene_body
{
    const char* mesh; ///< file; NULL: a material for grains from a file
    bool z_is_up;     ///< in the file; false: y is up, as is usual in OBJ files
    wadi_body body;   ///< with an empty mesh
} wadi_scene_body;

/// A series of frames of grains, at regular times while a process runs.
typedef struct wadi_scene_series
{
    const char* file;                         ///< relative; the ending gives the format
    double every;                             ///< [s], above 0
    const wadi_grain_picture_params* picture; ///< NULL: files of grains instead of pictures
} wadi_scene_series;

/// A step that runs a process.
typedef struct wadi_scene_process
{
    const wadi_process* process;
    const void* params; ///< the process's struct
    double years;       ///< (0, 1e9]
    const wadi_scene_input* inputs;
    int32_t input_count;
    const wadi_scene_table* tables;
    int32_t table_count;
    bool goes_on;    ///< continue the solver of this process's latest step; only `years` is used
    bool overlaps;   ///< do not advance the clock: the next process runs over the same years
    bool ends;       ///< the end of a track: the process deposits what it carries
    double interval; ///< coupling [yr]: wadi_solver_couple(); 0: steps fit into `years`
    const wadi_scene_body* bodies;
    int32_t body_count;
    const char* grains;      ///< file of the grains in the bodies; NULL: fill the meshes
    const wadi_water* water; ///< as particles; NULL: none
    const wadi_scene_series* series;
    int32_t series_count;
    const wadi_goal* goal; ///< ends the step before its years are over; NULL: none
    /// Where the process may change the ground: computed when the step begins, see
    /// wadi_solver_set_mask(). NULL: everywhere.
    const wadi_mask* mask;
    /// Hydraulic, model streams, in steps only: run first for so long on cells four times as wide,
    /// and a quarter of it on cells twice as wide, without moving the clock [yr]; 0: not.
    double mature;
    /// Years of all parts of a step that timed outputs divide; 0: one part. Parts after the first
    /// go on. Set by wadi_scene_add_step().
    double whole;
} wadi_scene_process;

/// Colours of values, by which a map becomes a picture: the columns value, r, g and b (0 to 255).
/// Colours between two rows are mixed, those beyond the ends are the first and the last.
WADI_API extern const wadi_table_info wadi_gradient_table;
/// Fail unless there are two rows or more, within the ranges of the table and sorted by value.
WADI_API wadi_result wadi_gradient_check(wadi_context* context, const double* rows, int32_t count);

typedef enum wadi_output_kind
{
    WADI_OUTPUT_WRITE,      ///< one quantity to a file
    WADI_OUTPUT_RENDER,     ///< a picture
    WADI_OUTPUT_REPORT,     ///< the mass ledger and the steps so far
    WADI_OUTPUT_AMPLIFY,    ///< a window of finer cells to a file
    WADI_OUTPUT_CHECKPOINT, ///< the state of the run, from which it can go on
    WADI_OUTPUT_COUNT
} wadi_output_kind;

/// An output file.
typedef struct wadi_output
{
    wadi_output_kind kind;
    /// Relative; the ending gives the format. Kept without "./", "x/../" and repeated "/". No two
    /// steps may write the same file, a sidecar FILE.json included.
    const char* file;
    wadi_quantity quantity;           ///< WADI_OUTPUT_WRITE
    const wadi_render_params* render; ///< WADI_OUTPUT_RENDER
    /// WADI_OUTPUT_RENDER: pictures from this many sides, 1..16; several are a-1.png, a-2.png ...
    int32_t views;
    bool fits_map;         ///< WADI_OUTPUT_RENDER: a map gets the aspect ratio of the terrain
    bool has_overlay;      ///< WADI_OUTPUT_RENDER: `overlay` is shown
    wadi_quantity overlay; ///< `render` has its placement
    const wadi_amplify_params* window; ///< WADI_OUTPUT_AMPLIFY
    wadi_scene_table winds; ///< WADI_OUTPUT_AMPLIFY: replaces the window's wind; file NULL: none
    int32_t bits;           ///< WADI_OUTPUT_WRITE: of a PNG, 8, or 0 for 16
    const char* gradient;   ///< WADI_OUTPUT_WRITE: file of colours, for a PNG; NULL: numbers
    /// WADI_OUTPUT_WRITE: weights in place of the quantity, as the channels of a PNG.
    const wadi_mask* splat[WADI_MAX_SPLAT];
    int32_t splat_count; ///< 0: the quantity; else 2 or more
    /// WADI_OUTPUT_WRITE: normals of the surface in place of the quantity, as the colours of a PNG.
    bool normals;
    bool appends;  ///< WADI_OUTPUT_WRITE: all frames of a series go to one file, with their years
    int32_t frame; ///< number in a series, from 1; 0: none. Set by the scene.
} wadi_output;

typedef enum wadi_step_kind
{
    WADI_STEP_PROCESS,
    WADI_STEP_EDIT,
    WADI_STEP_OUTPUT
} wadi_step_kind;

/// One step. Only the member for its `kind` is used.
typedef struct wadi_step
{
    wadi_step_kind kind;
    const char* origin; ///< position in its file, "alps.yaml:12:5", for messages; or NULL
    wadi_scene_process process;
    wadi_edit edit;
    wadi_output output;
} wadi_step;

/// Name of a step in messages: "hydraulic", "add_sand", "write", ... Never NULL.
WADI_API const char* wadi_step_name(const wadi_step* step);

// ---- timelines ----------------------------------------------------------------------------------

/// A process that runs from one year until another.
typedef struct wadi_track
{
    wadi_scene_process process; ///< its `years` are ignored
    double from;                ///< [yr] since the timeline began
    double until;               ///< [yr], > from
    const char* origin;         ///< position in its file, for messages; or NULL
} wadi_track;

/// An event between two ticks. A process step changes the parameters of that process's track, the
/// latest that has begun, from then on, with a new solver whose winds begin anew.
typedef struct wadi_event
{
    double at; ///< [yr] since the timeline began, [0, end]
    wadi_step step;
} wadi_event;

/// An output at regular times, before the events of that moment. It has no part in the result.
///
/// A checkpoint is written at the end of the first tick at or after each multiple of `every`, but
/// not at the end of the timeline. Any other output is a series of frames: one at the start, one at
/// each of these ticks, one at the end. The files of frames have numbers, such as a-0001.png,
/// unless the output appends. A map of a process that has not run yet has no frame.
///
/// Steps have no ticks: see wadi_scene_begin_timed().
typedef struct wadi_timed_output
{
    const wadi_step* step;
    double every; ///< [yr], above 0; in a timeline at least a tick
} wadi_timed_output;

/// Processes in parallel, with events. Time is divided at every tick, event, and begin or end of a
/// track. In each interval the active tracks run one after the other, in their order, each over the
/// whole interval. Events apply before the interval that begins with them.
typedef struct wadi_timeline
{
    double tick;              ///< [yr], (0, end]
    double end;               ///< [yr], (0, 1e9]
    const wadi_track* tracks; ///< those of one process follow each other
    int32_t track_count;
    const wadi_event* events; ///< in order of time
    int32_t event_count;
    const char* origin; ///< position in its file, for messages; or NULL
    const wadi_timed_output* outputs;
    int32_t output_count;
} wadi_timeline;

// ---- the scene ----------------------------------------------------------------------------------

typedef struct wadi_scene wadi_scene;

/// Create an empty scene: no ground, no steps, seed 0. On failure *out is NULL.
WADI_API wadi_result wadi_scene_create(wadi_context* context, wadi_scene** out);
WADI_API void wadi_scene_destroy(wadi_scene* scene); ///< NULL is allowed.

/// All arguments are checked and copied, with all data that they point to.
WADI_API wadi_result wadi_scene_set_name(wadi_scene* scene, const char* name, const char* doc);
WADI_API void wadi_scene_set_seed(wadi_scene* scene, uint64_t seed);
WADI_API wadi_result wadi_scene_set_grid(wadi_scene* scene, const wadi_scene_grid* grid);
WADI_API wadi_result wadi_scene_add_ground(wadi_scene* scene, const wadi_scene_ground* ground);
WADI_API wadi_result wadi_scene_add_layer(wadi_scene* scene, const wadi_scene_layer* layer);
WADI_API wadi_result wadi_scene_set_strata(wadi_scene* scene, const wadi_scene_strata* strata);
WADI_API wadi_result wadi_scene_set_sea(wadi_scene* scene, const wadi_scene_sea* sea);
WADI_API wadi_result wadi_scene_add_material(wadi_scene* scene,
                                             const wadi_scene_material* material);
/// Also fails if an output shows a map of a process that no earlier step runs, or has the file name
/// of another output; a checkpoint may be written again and again.
WADI_API wadi_result wadi_scene_add_step(wadi_scene* scene, const wadi_step* step);
/// Give the steps to come outputs at regular times from here: frames now, at each multiple of
/// `every`, and at wadi_scene_end_timed(). They show the ground before the edits of that moment. A
/// step whose model has fixed steps is divided there without a change of its result; one of
/// another model, or with bodies, is not, and its frame follows it. Steps with a goal fail, since
/// their years are unknown.
WADI_API wadi_result wadi_scene_begin_timed(wadi_scene* scene, const wadi_timed_output* outputs,
                                            int32_t count);
/// Add the last frames; steps that follow have none.
WADI_API wadi_result wadi_scene_end_timed(wadi_scene* scene);
/// Append a timeline as steps. Fails if no track is active in an interval; the message has the
/// position of the cause. After a failure the scene may hold some of the steps: destroy it.
WADI_API wadi_result wadi_scene_add_timeline(wadi_scene* scene, const wadi_timeline* timeline);

WADI_API wadi_context* wadi_scene_context(const wadi_scene* scene);
WADI_API const char* wadi_scene_name(const wadi_scene* scene); ///< "" when it has none
WADI_API const char* wadi_scene_doc(const wadi_scene* scene);  ///< "" when it has none
WADI_API uint64_t wadi_scene_seed(const wadi_scene* scene);
WADI_API const wadi_scene_grid* wadi_scene_grid_of(const wadi_scene* scene);
/// Names of the files that the scene reads, each once, in its order: at most \p capacity go to
/// \p out. Returns their number.
WADI_API int32_t wadi_scene_files(const wadi_scene* scene, const char** out, int32_t capacity);
WADI_API int32_t wadi_scene_step_count(const wadi_scene* scene);
WADI_API const wadi_step* wadi_scene_step(const wadi_scene* scene,
                                          int32_t index); ///< NULL outside

#ifdef __cplusplus
}
#endif
