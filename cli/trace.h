// SPDX-License-Identifier: MIT
// Where an output comes from: version, scene or command, settings, inputs with checksums, seed and
// hash of the state. Files get it as tags, the report as JSON. It says nothing of places, hours,
// threads and names of outputs, so equal runs write equal bytes.
#pragma once

#include "cli/message.h"

#include "io/tags.h"

#include <wadi/terrain.h>

#include <jansson.h>

// Remember the arguments of the program, for the command and the report.
void cli_trace_arguments(int argc, char** argv);

// Tags with the version and the command, without its outputs, threads and progress. `output`: the
// operand that names the output, such as OUT of 'wadi convert IN OUT', or NULL.
void cli_trace_command(wadi_io_tags* tags, const char* output);
// Tags with the version and a scene: its name, checksum and changed values.
void cli_trace_scene(wadi_io_tags* tags, const char* path, const char* text,
                     const char* const* overrides, int32_t count);

// Add an input with its checksum. One that cannot be read is named alone.
void cli_trace_input(wadi_io_tags* tags, wadi_context* context, const char* path);

// Inputs that the tags must have, as in the report that is repeated; NULL: any.
void cli_trace_expect(const char* scene, const char* inputs);
// Fail if the tags have others.
cli_status cli_trace_check(const wadi_io_tags* tags);

// Set seed, clock and hash of the state that is written.
void cli_trace_state(wadi_io_tags* tags, const wadi_terrain* terrain, uint64_t hash);

// Write the tags to PATH.json, for a file that has no room for them, such as a table.
cli_status cli_trace_write(const wadi_io_tags* tags, const char* path);

// An option of a repeated run that replaces what its report has.
typedef struct cli_trace_change
{
    const char* name;  // "output" for --output
    char letter;       // 'o' for -o, or 0
    const char* value; // NULL: as it was
} cli_trace_change;

enum
{
    CLI_TRACE_CHANGES = 4
};

// What a repeated run is asked for.
typedef struct cli_trace_wish
{
    cli_trace_change changes[CLI_TRACE_CHANGES];
    int count;
    bool check;          // only check the scene
    const char* refused; // name of an option that would make it another run, or NULL
} cli_trace_wish;

// Repeat the run of a report that `path` names, in the folder of that run. `*is_report` is false,
// and nothing is done, for another file. A wish that cannot be fulfilled, or an input that has
// changed since, is an error. `run` gets all arguments of the program.
typedef cli_status cli_trace_repeat_fn(int argc, char** argv);
cli_status cli_trace_repeat(const char* path, const cli_trace_wish* wish, cli_trace_repeat_fn* run,
                            bool* is_report);

// The tags, the arguments and their folder, for a report.
json_t* cli_trace_json(const wadi_io_tags* tags);
