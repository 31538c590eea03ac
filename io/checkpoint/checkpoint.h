// SPDX-License-Identifier: MIT
// Checkpoints: the state of a run in a NetCDF-4 file with CF metadata. Layers are variables that
// GIS programs and xarray open; the exact state is an array of bytes, and the scene is stored with
// it. docs/checkpoints.md describes the format.
#pragma once

#include <wadi/run.h>

enum
{
    WADI_IO_CHECKPOINT_OVERRIDES = 64
};

// What a checkpoint stores beside the state of the run.
typedef struct wadi_io_checkpoint_notes
{
    const char* scene;            // text of the scene file
    const char* path;             // its path, for messages
    const char* folder;           // of the scene's input files: absolute, ends in '/'
    const char* relative;         // the same seen from the output folder; "": there is none
    const char* grid_file;        // input file that defines the grid; "": none
    const char* file;             // name of the checkpoint in the output folder
    const char* report;           // JSON of the program; "": none
    const char* const* overrides; // "path=value"
    int32_t override_count;
} wadi_io_checkpoint_notes;

// Load what writing checkpoints takes, before work that they save. WADI_ERROR_IO: it cannot be
// loaded.
wadi_result wadi_io_checkpoint_load_writer(wadi_context* context);

// Write a checkpoint over `path`, as a new file that replaces the old one when it is whole and on
// the disk. After a failure the old file is still there.
wadi_result wadi_io_checkpoint_write(wadi_run* run, const wadi_io_checkpoint_notes* notes,
                                     const char* path);

// A checkpoint that has been read, but for its state.
typedef struct wadi_io_checkpoint
{
    wadi_context* context;
    const char* path;
    int file; // of libnetcdf
    int state;
    size_t at;                      // bytes of the state that have been read
    size_t size;                    // bytes of the state
    wadi_io_checkpoint_notes notes; // its texts live until the checkpoint is closed
    char* texts[7];
    char* overrides[WADI_IO_CHECKPOINT_OVERRIDES];
} wadi_io_checkpoint;

// Open a checkpoint and read its notes. Fails with WADI_ERROR_FORMAT when it is no checkpoint.
wadi_result wadi_io_checkpoint_open(wadi_context* context, const char* path,
                                    wadi_io_checkpoint* out);
// A number in the notes of a checkpoint: "wadi_sea_level" [m] or "wadi_rivers", how many there are.
// `path` may name a variable, FILE.nc:NAME. False for other files, and where the checkpoint has
// none.
bool wadi_io_checkpoint_number(const char* path, const char* name, double* out);
// Make the run. The scene is the one of the notes, or one with the same steps up to the state.
wadi_result wadi_io_checkpoint_run(wadi_io_checkpoint* checkpoint, const wadi_scene* scene,
                                   const wadi_host* host, wadi_run** out);
// Write the bytes of the state, as wadi_run_load() reads them.
wadi_result wadi_io_checkpoint_unpack(wadi_io_checkpoint* checkpoint, wadi_write_fn* write,
                                      void* user);
void wadi_io_checkpoint_close(wadi_io_checkpoint* checkpoint);
