// SPDX-License-Identifier: MIT
// Shared parts of the YAML scene reader: mappings with a list of keys and a field table, numbers
// with units, error messages with a position and a suggestion.
#pragma once

#include "io/scene/yaml.h"

#include <wadi/scene.h>

// Memory that lives until the scene has been read.
typedef struct scene_scratch
{
    struct scene_scratch* next;
    max_align_t data[];
} scene_scratch;

typedef struct scene_reader
{
    const wadi_yaml* yaml;
    wadi_context* context;
    wadi_scene* scene;
    scene_scratch* scratch;
    wadi_yaml_node* event; // event being read: it has the key `at` beside the step's key; or NULL
    bool in_steps;         // the list `steps` is being read
} scene_reader;

void* wadi_scene_reader_alloc(scene_reader* reader, size_t size); // zeroed; NULL: out of memory
void wadi_scene_reader_free_all(scene_reader* reader);

// Read the value of one key into an object.
typedef wadi_result scene_key_fn(scene_reader* reader, wadi_yaml_node* value, void* into);

typedef struct scene_key
{
    const char* name;
    scene_key_fn* read;
} scene_key;

// Keys that a mapping accepts: its own, then the fields of a table. `other` is called last and sets
// *taken if it knows the key.
typedef struct scene_form
{
    const char* name; // of the mapping, in messages
    const scene_key* keys;
    int32_t key_count;
    const wadi_field_table* table; // NULL: none
    void* params;                  // struct that the table describes
    const char* unit;              // replaces the unit "" in the table; NULL: no replacement
    wadi_result (*other)(scene_reader* reader, const wadi_yaml_entry* entry, void* into,
                         bool* taken);
    const char* const*
        other_names; // keys that `other` accepts, for messages; ends with NULL; may be NULL
} scene_form;

wadi_result wadi_scene_read_map(scene_reader* reader, wadi_yaml_node* node, const scene_form* form,
                                void* into);

// Read one field of a table.
wadi_result wadi_scene_read_field(scene_reader* reader, const wadi_field_table* table,
                                  const wadi_field* field, const char* unit, wadi_yaml_node* value,
                                  void* params);

// Read a scalar. `what` names the value in messages.
wadi_result wadi_scene_read_text(scene_reader* reader, wadi_yaml_node* value, const char* what,
                                 const char** out);
wadi_result wadi_scene_read_number(scene_reader* reader, wadi_yaml_node* value, const char* what,
                                   const char* unit, double* out);
wadi_result wadi_scene_read_count(scene_reader* reader, wadi_yaml_node* value, const char* what,
                                  int32_t* out);
// Index of a scalar in a list of names.
wadi_result wadi_scene_read_choice(scene_reader* reader, wadi_yaml_node* value, const char* what,
                                   const char* const* names, int32_t count, int32_t* out);

// Allocate parameters of a table in scratch memory, set to their defaults.
wadi_result wadi_scene_new_params(scene_reader* reader, wadi_yaml_node* node,
                                  const wadi_field_table* table, void** out);

// Fail with "unknown key ... in ...; did you mean ...?". `names` are the accepted keys.
wadi_result wadi_scene_unknown_key(scene_reader* reader, wadi_yaml_node* key, const char* of,
                                   const char* const* names, int32_t count);

// Position of a node, "alps.yaml:4:11", in scratch memory; NULL: out of memory.
const char* wadi_scene_place_text(scene_reader* reader, wadi_yaml_node* node);
// Prefix a failure of the library with a node's position.
wadi_result wadi_scene_at(scene_reader* reader, wadi_yaml_node* node, wadi_result result);

// ---- the parts of a scene -----------------------------------------------------------------------

// scene_sources.c
wadi_result wadi_scene_read_source(scene_reader* reader, wadi_yaml_node* value, int32_t fills,
                                   const char* unit, wadi_source* out);
// Like wadi_scene_read_source(), with the kind already known.
wadi_result wadi_scene_read_source_kind(scene_reader* reader, const wadi_source_kind* kind,
                                        wadi_yaml_node* value, const char* unit, wadi_source* out);
wadi_result wadi_scene_read_point(scene_reader* reader, wadi_yaml_node* value, wadi_point* out);
// A list of `least` points or more; `expected` says so.
wadi_result wadi_scene_read_points(scene_reader* reader, wadi_yaml_node* value,
                                   const char* expected, int32_t least, const wadi_point** out,
                                   int32_t* count);
// scene_strokes.c: `painted` in place of a source: the map that was there before, with its first
// strokes, all unless `keep` says how many, and more.
bool wadi_scene_is_painted(wadi_yaml_node* value);
wadi_result wadi_scene_read_painted(scene_reader* reader, wadi_yaml_node* value, const char* unit,
                                    wadi_source* source);
// scene_strokes.c: the key `strokes` of a source. `unit` is that of the values, NULL: metres.
wadi_result wadi_scene_read_strokes(scene_reader* reader, wadi_yaml_node* value, const char* unit,
                                    wadi_source* source);
// Read a key that describes a region: a shape's name, everywhere or soft.
wadi_result wadi_scene_read_region_key(scene_reader* reader, const wadi_yaml_entry* entry,
                                       wadi_region* region, bool* taken);
extern const char* const wadi_scene_region_keys[]; // ends with NULL
wadi_result wadi_scene_read_layer(scene_reader* reader, wadi_yaml_node* key, wadi_yaml_node* value,
                                  wadi_scene_layer* out);

// "rain.tif" is a file name, "0.8 m/yr" is not: a file's ending starts with a letter.
bool wadi_scene_is_file_name(const char* text);
// Store the position of a value for errors at run time, such as a missing file.
wadi_result wadi_scene_keep_place(scene_reader* reader, wadi_yaml_node* value, const char** origin);

// scene_read_mask.c: the key `mask` of an edit or a process. *out is NULL for `none`.
wadi_result wadi_scene_read_mask(scene_reader* reader, wadi_yaml_node* value,
                                 const wadi_mask** out);

// scene_terrain.c
wadi_result wadi_scene_read_terrain(scene_reader* reader, wadi_yaml_node* value, void* into);
wadi_result wadi_scene_read_layers(scene_reader* reader, wadi_yaml_node* value, void* into);
wadi_result wadi_scene_read_materials(scene_reader* reader, wadi_yaml_node* value, void* into);

// scene_read_rows.c: an input table of a process as a list of rows, each a mapping from columns to
// values
wadi_result wadi_scene_read_rows(scene_reader* reader, wadi_yaml_node* value,
                                 const wadi_table_info* info, wadi_scene_table* out);

// scene_read_timed.c: entries under `output` with the key `every`
enum
{
    SCENE_MAX_TIMED = 32
};
typedef struct scene_timed_part
{
    wadi_step steps[SCENE_MAX_TIMED];
    wadi_timed_output outputs[SCENE_MAX_TIMED];
    int32_t count;
} scene_timed_part;
wadi_result wadi_scene_read_timed(scene_reader* reader, scene_timed_part* part);

// scene_read_sea.c: the key `sea_level` of the terrain
wadi_result wadi_scene_read_sea(scene_reader* reader, wadi_yaml_node* value, void* into);

// scene_strata.c
wadi_result wadi_scene_read_strata(scene_reader* reader, wadi_yaml_node* value, void* into);

// scene_soil.c
enum
{
    SCENE_SOIL_KEYS = 4,
    SCENE_SERIES_KEY = 2, // landslides accept this one too
    SCENE_MAX_SERIES = 16
};
extern const char* const wadi_scene_soil_keys[SCENE_SOIL_KEYS];

// Soil bodies of a process and the frames written of them.
typedef struct scene_soil
{
    wadi_scene_body bodies[WADI_GRAIN_MAX_MATERIALS];
    int32_t body_count;
    const char* grains;
    const wadi_water* water; // NULL: none
    wadi_scene_series series[SCENE_MAX_SERIES];
    int32_t series_count;
} scene_soil;

// Read one of the keys.
wadi_result wadi_scene_read_soil(scene_reader* reader, const wadi_yaml_entry* entry,
                                 scene_soil* out);

// scene_water.c
wadi_result wadi_scene_read_water(scene_reader* reader, wadi_yaml_node* value,
                                  const wadi_water** out);

// scene_process.c
// The time keys that a process accepts depend on where it is named.
typedef enum scene_work_kind
{
    SCENE_WORK_STEP,  // `for`
    SCENE_WORK_TRACK, // `from` and `until`
    SCENE_WORK_CHANGE // none: an event changes a running process and keeps the values it does not
                      // name
} scene_work_kind;

typedef struct scene_work
{
    scene_work_kind kind;
    double from;              // [yr] of a track
    double until;             // [yr]
    const wadi_track* tracks; // processes that an event may change
    int32_t track_count;
    double at; // [yr] of the event
} scene_work;

// Index of the latest track of a process that has begun at a year, or else of its first one; -1: it
// has none.
int32_t wadi_scene_track_at(const wadi_track* tracks, int32_t count, const wadi_process* process,
                            double at);

wadi_result wadi_scene_read_process(scene_reader* reader, const wadi_yaml_entry* entry,
                                    const wadi_process* process, scene_work* work,
                                    wadi_scene_process* out);

// scene_steps.c
wadi_result wadi_scene_read_steps(scene_reader* reader, wadi_yaml_node* value, void* into);
// Outputs after the last step.
wadi_result wadi_scene_read_final_outputs(scene_reader* reader, wadi_yaml_node* value);
// Read one step without adding it to the scene. *entry is its key and value.
wadi_result wadi_scene_read_step(scene_reader* reader, wadi_yaml_node* node, scene_work* work,
                                 wadi_yaml_entry* entry, wadi_step* step);

// scene_timeline.c
wadi_result wadi_scene_read_timeline(scene_reader* reader, wadi_yaml_node* value, void* into);
// True for the key `at` of an event, which does not belong to its step.
bool wadi_scene_is_event_key(const scene_reader* reader, wadi_yaml_node* node, wadi_yaml_node* key);

// scene_outputs.c
// Read the name of an output file; it must lie inside the output folder.
wadi_result wadi_scene_read_output_file(scene_reader* reader, wadi_yaml_node* value,
                                        const char** file);
bool wadi_scene_is_output(const char* name);
// `entry` is the key that names the output and its value.
wadi_result wadi_scene_read_output(scene_reader* reader, wadi_yaml_node* step,
                                   const wadi_yaml_entry* entry, wadi_output* out);
