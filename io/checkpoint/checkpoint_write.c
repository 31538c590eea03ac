// SPDX-License-Identifier: MIT
#include "io/checkpoint/checkpoint.h"

#include "io/checkpoint/cf.h"
#include "io/libraries/netcdf_functions.h"
#include "io/replace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    WRITE_BUFFER = 1 << 20 // bytes of the state
};

// A file at work.
typedef struct write_job
{
    wadi_run* run;
    wadi_context* context;
    const wadi_io_checkpoint_notes* notes;
    int file;
    int state; // variable
    unsigned char* buffer;
    size_t used; // of the buffer
    size_t done; // bytes of the state in the file
} write_job;

// ---- notes --------------------------------------------------------------------------------------

static wadi_result write_attribute(write_job* job, int variable, const char* name, const char* text)
{
    return wadi_io_cf_check(job->context,
                            nc_put_att_text(job->file, variable, name, strlen(text), text));
}

static wadi_result write_number(write_job* job, const char* name, double value)
{
    return wadi_io_cf_check(job->context,
                            nc_put_att_double(job->file, NC_GLOBAL, name, NC_DOUBLE, 1, &value));
}

static wadi_result write_texts(write_job* job)
{
    const wadi_terrain* terrain = wadi_run_terrain(job->run);
    char hash[20];
    char seed[24];
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, wadi_run_hash(job->run));
    (void)snprintf(seed, sizeof seed, "%" PRIu64, wadi_terrain_seed(terrain));
    const char* scene = wadi_scene_name(wadi_run_scene(job->run));
    const char* const rows[][2] = {
        {"Conventions", "CF-1.8"},
        {"title", scene[0] != '\0' ? scene : "State of a terrain"},
        {"source", "wadi, a terrain-erosion engine"},
        {"comment", "Layers are rounded to floats; the exact state is in the variable "
                    "wadi_state. 'wadi resume' goes on from this file."},
        {"wadi_version", wadi_version()},
        {"wadi_seed", seed},
        {"wadi_state_hash", hash},
        {"wadi_scene_path", job->notes->path},
        {"wadi_folder", job->notes->folder},
        {"wadi_folder_relative", job->notes->relative},
        {"wadi_grid_file", job->notes->grid_file},
        {"wadi_file", job->notes->file},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
    {
        WADI_IO_CF_TRY(write_attribute(job, NC_GLOBAL, rows[i][0], rows[i][1]));
    }
    return WADI_OK;
}

static wadi_result write_attributes(write_job* job)
{
    const wadi_terrain* terrain = wadi_run_terrain(job->run);
    const double clock = wadi_terrain_clock(terrain);
    WADI_IO_CF_TRY(write_texts(job));
    WADI_IO_CF_TRY(write_number(job, "wadi_clock_years", clock));
    double sea;
    if (wadi_terrain_sea_level(terrain, clock, &sea))
    {
        WADI_IO_CF_TRY(write_number(job, "wadi_sea_level", sea));
    }
    const int32_t rivers = wadi_terrain_rivers(terrain, NULL, 0);
    if (rivers > 0)
    {
        WADI_IO_CF_TRY(write_number(job, "wadi_rivers", rivers));
    }
    return job->notes->override_count == 0
               ? WADI_OK
               : wadi_io_cf_check(
                     job->context,
                     nc_put_att_string(job->file, NC_GLOBAL, "wadi_set",
                                       (size_t)job->notes->override_count,
                                       (const char**)(uintptr_t)job->notes->overrides));
}

// A text as a variable of bytes: attributes of HDF5 end at 64 KiB.
static wadi_result write_text(write_job* job, const char* name, const char* doc, const char* text)
{
    char dimension_name[64];
    int dimension;
    int variable;
    (void)snprintf(dimension_name, sizeof dimension_name, "%s_byte", name);
    // a dimension of length 0 would be unlimited
    const size_t size = strlen(text) + 1;
    const int file = job->file;
    WADI_IO_CF_TRY(
        wadi_io_cf_check(job->context, nc_def_dim(file, dimension_name, size, &dimension)));
    WADI_IO_CF_TRY(
        wadi_io_cf_check(job->context, nc_def_var(file, name, NC_UBYTE, 1, &dimension, &variable)));
    WADI_IO_CF_TRY(wadi_io_cf_check(job->context, nc_def_var_deflate(file, variable, 0, 1, 4)));
    WADI_IO_CF_TRY(write_attribute(job, variable, "long_name", doc));
    return wadi_io_cf_check(job->context,
                            nc_put_var_uchar(file, variable, (const unsigned char*)text));
}

// ---- state --------------------------------------------------------------------------------------

static wadi_result write_flush(write_job* job)
{
    const size_t count = job->used;
    job->used = 0;
    if (count == 0)
    {
        return WADI_OK;
    }
    const int status = nc_put_vara_uchar(job->file, job->state, &job->done, &count, job->buffer);
    job->done += count;
    return wadi_io_cf_check(job->context, status);
}

static wadi_result write_state_bytes(void* user, const void* bytes, size_t size)
{
    write_job* job = user;
    const unsigned char* from = bytes;
    while (size > 0)
    {
        const size_t room = WRITE_BUFFER - job->used;
        const size_t part = size < room ? size : room;
        memcpy(job->buffer + job->used, from, part);
        job->used += part;
        from += part;
        size -= part;
        if (job->used == WRITE_BUFFER)
        {
            WADI_IO_CF_TRY(write_flush(job));
        }
    }
    return WADI_OK;
}

static wadi_result write_state(write_job* job)
{
    int dimension;
    const size_t chunk = WRITE_BUFFER;
    const int file = job->file;
    WADI_IO_CF_TRY(wadi_io_cf_check(job->context,
                                    nc_def_dim(file, "wadi_state_byte", NC_UNLIMITED, &dimension)));
    WADI_IO_CF_TRY(wadi_io_cf_check(
        job->context, nc_def_var(file, "wadi_state", NC_UBYTE, 1, &dimension, &job->state)));
    WADI_IO_CF_TRY(
        wadi_io_cf_check(job->context, nc_def_var_chunking(file, job->state, NC_CHUNKED, &chunk)));
    WADI_IO_CF_TRY(wadi_io_cf_check(job->context, nc_def_var_deflate(file, job->state, 0, 1, 1)));
    WADI_IO_CF_TRY(write_attribute(job, job->state, "long_name",
                                   "exact state of the run, with checksums, for wadi resume"));
    WADI_IO_CF_TRY(wadi_run_save(job->run, write_state_bytes, job));
    return write_flush(job);
}

// ---- the file -----------------------------------------------------------------------------------

static wadi_result write_parts(write_job* job)
{
    WADI_IO_CF_TRY(write_attributes(job));
    WADI_IO_CF_TRY(wadi_io_cf_layers(job->context, job->file, wadi_run_terrain(job->run)));
    WADI_IO_CF_TRY(write_text(job, "wadi_scene", "text of the scene file", job->notes->scene));
    WADI_IO_CF_TRY(
        write_text(job, "wadi_report", "JSON for the report of a resumed run", job->notes->report));
    return write_state(job);
}

// Build the file in memory: HDF5 1.10 crashes when the disk is full.
static wadi_result write_image(write_job* job, NC_memio* image)
{
    WADI_IO_CF_TRY(wadi_io_netcdf_need(job->context));
    WADI_IO_CF_TRY(wadi_io_cf_check(
        job->context, nc_create_mem("checkpoint", NC_NETCDF4, WRITE_BUFFER, &job->file)));
    const wadi_result result = write_parts(job);
    const wadi_result closed = wadi_io_cf_check(job->context, nc_close_memio(job->file, image));
    return result == WADI_OK ? closed : result;
}

static wadi_result write_bytes(write_job* job, const char* path, const NC_memio* image)
{
    FILE* file = fopen(path, "wb");
    if (file == NULL)
    {
        return wadi_context_fail(job->context, WADI_ERROR_IO, "%s", strerror(errno));
    }
    const bool whole = fwrite(image->memory, 1, image->size, file) == image->size;
    const int trouble = errno;
    const bool closed = fclose(file) == 0;
    return whole && closed ? WADI_OK
                           : wadi_context_fail(job->context, WADI_ERROR_IO, "%s",
                                               strerror(whole ? errno : trouble));
}

static wadi_result write_file(write_job* job, const char* path)
{
    NC_memio image = {0};
    wadi_result result = write_image(job, &image);
    if (result == WADI_OK)
    {
        result = write_bytes(job, path, &image);
    }
    free(image.memory);
    return result;
}

wadi_result wadi_io_checkpoint_load_writer(wadi_context* context)
{
    return wadi_io_netcdf_need(context);
}

wadi_result wadi_io_checkpoint_write(wadi_run* run, const wadi_io_checkpoint_notes* notes,
                                     const char* path)
{
    write_job job = {
        .run = run, .context = wadi_scene_context(wadi_run_scene(run)), .notes = notes};
    job.buffer = malloc(WRITE_BUFFER);
    if (job.buffer == NULL)
    {
        return wadi_context_fail(job.context, WADI_ERROR_MEMORY, "out of memory for a checkpoint");
    }
    wadi_io_replacement replacement;
    wadi_result result = wadi_io_replace_begin(job.context, path, &replacement);
    if (result == WADI_OK)
    {
        result = write_file(&job, replacement.path);
        result = result == WADI_OK ? wadi_io_replace_commit(job.context, &replacement)
                                   : wadi_io_replace_abort(job.context, &replacement, result);
    }
    free(job.buffer);
    return result;
}
