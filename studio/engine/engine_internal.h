// SPDX-License-Identifier: MIT
// Members of the studio, for studio/engine only.
#pragma once

#include "studio/engine/engine.h"
#include "studio/engine/engine_json.h"

#include "io/scene/scene_reader.h"

#include <wadi/session.h>
#include <wadi/synthesis.h>

enum
{
    STUDIO_VERSION = 1,
    STUDIO_SLOTS = 4,       // maps shown at once
    STUDIO_CREDITS = 2,     // binary messages under way
    STUDIO_MAX_TILES = 128, // of one message
    STUDIO_MAX_UPLOADS = 8, // announced contents
    STUDIO_MAX_POINTS = 64, // of one stroke
    STUDIO_PIECE_BYTES = 60000,
    STUDIO_TILE = WADI_SESSION_TILE
};

// A grid or a text that the page sends.
typedef struct studio_upload
{
    char name[128];
    bool is_grid;
    int32_t width;
    int32_t height;
    double cell;
    uint32_t size;
    uint32_t received;
    char* bytes;
} studio_upload;

typedef struct studio_slot
{
    char name[128]; // "": nothing is shown
    wadi_quantity quantity;
    bool is_stale;
    double sent; // [ms]
} studio_slot;

// A message that waits.
typedef struct studio_waiting
{
    struct studio_waiting* next;
    size_t size;
    bool is_binary;
    bool travels; // its replay was stopped at the end of a slice
    char bytes[];
} studio_waiting;

struct wadi_studio
{
    wadi_studio_def def;
    wadi_context* context;
    wadi_host host;
    const wadi_host* files; // NULL: none

    wadi_scene* scene;
    wadi_session* session; // NULL: none is open
    char* preamble;        // the scene's terrain, as the first part of a record
    double end;            // of the opened timeline [yr]

    bool plays;
    int32_t steps;     // ticks to run, 0: no end
    double waiting;    // id of the step command, or -1
    double until;      // [yr]
    double rate;       // [yr/s], 0: none
    double rate_year;  // where the present rate began
    double rate_time;  // [ms]
    double deadline;   // at which a tick or a replay is broken off [ms]
    bool has_looked;   // at the clock since the deadline was set
    double slice_end;  // deadline of the present turn [ms]
    bool rests;        // a turn ends with the running tick
    double kept;       // when the latest snapshot was made [ms]
    double keep_time;  // that it took
    double slice;      // length of the latest [ms]
    double speed_year; // start of the present measurement of speed
    double speed_time; // [ms]
    double speed;      // [yr/s]

    int32_t columns; // of tiles
    int32_t rows;
    uint8_t* dirty;   // by tile
    bool is_changed;  // since the last look
    bool is_first;    // the next tiles are the first
    bool is_busy;     // the latest slice was filled with ticks
    int32_t unseen;   // looks to come that compare nothing, because all tiles change
    double looked;    // [ms]
    double look_time; // of the latest look and its tiles [ms]
    wadi_point view;
    uint32_t seq;
    uint32_t under_way; // bits are not needed: the number of messages that are not acknowledged
    unsigned char* buffer;
    size_t buffer_size;
    float* map; // values of a grid
    studio_slot slots[STUDIO_SLOTS];
    bool clock_is_stale;
    bool ledger_is_stale;
    bool years_are_stale; // of snapshots
    double clock_sent;
    double ledger_sent;
    double years_sent;

    studio_waiting* queue; // in the order in which they came
    size_t queue_bytes;
    int32_t queue_count;
    double travel_sent; // when the way of a replay was told [ms]

    studio_upload uploads[STUDIO_MAX_UPLOADS];
    int32_t grains_sent; // in the latest message of grains
    double grains_time;  // when it was sent [ms]
    wadi_grain* grains;
    int32_t grains_room;
    studio_json text; // the message that is being written
};

// A command that was received.
typedef struct studio_message
{
    wadi_yaml* yaml;
    wadi_yaml_node* root;
    double id; // -1: none
    const char* type;
} studio_message;

// ---- engine_read.c: values of a message ---------------------------------------------------------

// The value of a key; NULL when it is missing or null.
wadi_yaml_node* wadi_studio_find(const studio_message* message, const char* key);
wadi_result wadi_studio_text(const studio_message* message, const char* key, const char** out);
// A number in [min, max]; `initial` when it is missing, and NaN makes it required.
wadi_result wadi_studio_number(const studio_message* message, const char* key, double initial,
                               double min, double max, double* out);
wadi_result wadi_studio_flag(const studio_message* message, const char* key, bool initial,
                             bool* out);
// A list of two numbers.
wadi_result wadi_studio_point(const studio_message* message, wadi_yaml_node* node, wadi_point* out);
wadi_result wadi_studio_point_of(const studio_message* message, const char* key, wadi_point* out);
// The list `points`: 1 to STUDIO_MAX_POINTS positions.
wadi_result wadi_studio_points(const studio_message* message, wadi_point out[STUDIO_MAX_POINTS],
                               int32_t* count);
// Only keys of a list of words, `type` and `id` may be there.
wadi_result wadi_studio_check_keys(const studio_message* message, const char* words);

// ---- engine_queue.c -----------------------------------------------------------------------------

// Put a copy behind the others. False: out of memory.
bool wadi_studio_push(wadi_studio* studio, bool is_binary, const void* bytes, size_t size);
void wadi_studio_pop(wadi_studio* studio); // the first
bool wadi_studio_is_full(const wadi_studio* studio);

// ---- engine_open.c ------------------------------------------------------------------------------

wadi_result wadi_studio_open_scene(wadi_studio* studio, const studio_message* message);
void wadi_studio_close_scene(wadi_studio* studio);
// A value in the flow style of YAML, which is JSON with texts as values.
void wadi_studio_write_tree(studio_json* json, const char* key, wadi_yaml_node* node);

// ---- engine_upload.c ----------------------------------------------------------------------------

wadi_result wadi_studio_announce(wadi_studio* studio, const studio_message* message, bool is_grid);
void wadi_studio_take_piece(wadi_studio* studio, const unsigned char* bytes, size_t size);
const studio_upload* wadi_studio_find_upload(const wadi_studio* studio, const char* name,
                                             bool is_grid);
void wadi_studio_free_uploads(wadi_studio* studio);
void wadi_studio_set_host(wadi_studio* studio);

// ---- engine_change.c: commands that change the record -------------------------------------------

wadi_result wadi_studio_start_process(wadi_studio* studio, const studio_message* message);
wadi_result wadi_studio_change_process(wadi_studio* studio, const studio_message* message);
wadi_result wadi_studio_stop_process(wadi_studio* studio, const studio_message* message);
wadi_result wadi_studio_edit(wadi_studio* studio, const studio_message* message);
wadi_result wadi_studio_stroke(wadi_studio* studio, const studio_message* message);
// engine_paint.c: a stroke over an input map of a running process.
wadi_result wadi_studio_paint(wadi_studio* studio, const studio_message* message);
// Another stroke in the place of one, or none.
wadi_result wadi_studio_repaint(wadi_studio* studio, const studio_message* message);
// What a process runs with at the present year; NULL: it does not run.
const wadi_scene_process* wadi_studio_running(wadi_studio* studio, const wadi_process* process);

// ---- engine_state.c: messages about the state ---------------------------------------------------

void wadi_studio_send_scene(wadi_studio* studio);
void wadi_studio_send_clock(wadi_studio* studio);
void wadi_studio_send_ledger(wadi_studio* studio);
void wadi_studio_send_events(wadi_studio* studio);
void wadi_studio_send_years(wadi_studio* studio);
void wadi_studio_send_maps(wadi_studio* studio);
void wadi_studio_send_travel(wadi_studio* studio);
void wadi_studio_send_ready(wadi_studio* studio);
wadi_result wadi_studio_send_describe(wadi_studio* studio, const studio_message* message);
// A text without an id.
void wadi_studio_note(wadi_studio* studio, const char* text);
void wadi_studio_send_text(wadi_studio* studio); // the message in studio->text

// ---- engine_tiles.c -----------------------------------------------------------------------------

wadi_result wadi_studio_prepare_tiles(wadi_studio* studio);
wadi_result wadi_studio_look(wadi_studio* studio);
void wadi_studio_mark(wadi_studio* studio, wadi_rectangle rectangle);
void wadi_studio_mark_all(wadi_studio* studio);
// Send some tiles if a credit is free. False: there are none to send.
bool wadi_studio_send_tiles(wadi_studio* studio);
wadi_result wadi_studio_reserve(wadi_studio* studio, size_t size);

// ---- engine_maps.c ------------------------------------------------------------------------------

// Values of a quantity, in `map`. An input map that was painted shows its strokes before the
// process takes them with its next step.
wadi_result wadi_studio_values(wadi_studio* studio, const wadi_quantity* quantity);
wadi_result wadi_studio_show(wadi_studio* studio, const studio_message* message);
void wadi_studio_stale_maps(wadi_studio* studio);
// False: no map waits.
bool wadi_studio_send_map(wadi_studio* studio, double now);
wadi_result wadi_studio_probe(wadi_studio* studio, const studio_message* message);
wadi_result wadi_studio_section(wadi_studio* studio, const studio_message* message);

// ---- engine_grains.c ----------------------------------------------------------------------------

// The host's hook: send the grains of a slide on their way, some ten times a second while the clock
// runs.
wadi_result wadi_studio_watch_grains(void* user, wadi_solver* solver, double seconds);
// Between ticks: tell that the grains have become ground again, or that another world is shown.
void wadi_studio_end_grains(wadi_studio* studio);

// ---- engine_export.c ----------------------------------------------------------------------------

wadi_result wadi_studio_export(wadi_studio* studio, const studio_message* message);
wadi_result wadi_studio_record(wadi_studio* studio, const studio_message* message);
