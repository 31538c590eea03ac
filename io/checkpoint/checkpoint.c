// SPDX-License-Identifier: MIT
#include "io/checkpoint/checkpoint.h"

#include "io/checkpoint/cf.h"
#include "io/libraries/netcdf_functions.h"
#include "io/raster/formats.h"

#include <stdlib.h>
#include <string.h>

enum
{
    READ_LONGEST = 1 << 24, // bytes of a text
    READ_PART = 1 << 20     // bytes of a state that are unpacked at a time
};

static wadi_result read_refuse(const wadi_io_checkpoint* checkpoint, const char* what)
{
    return wadi_context_fail(checkpoint->context, WADI_ERROR_FORMAT,
                             "%s is no checkpoint of wadi: %s", checkpoint->path, what);
}

// Memory for a text, with its final zero.
static wadi_result read_room(const wadi_io_checkpoint* checkpoint, size_t size, char** out)
{
    if (size > READ_LONGEST)
    {
        return read_refuse(checkpoint, "a text is too long");
    }
    *out = calloc(size + 1, 1);
    return *out != NULL ? WADI_OK
                        : wadi_context_fail(checkpoint->context, WADI_ERROR_MEMORY,
                                            "out of memory for %s", checkpoint->path);
}

// ---- notes --------------------------------------------------------------------------------------

static wadi_result read_attribute(wadi_io_checkpoint* checkpoint, const char* name, char** out)
{
    size_t size;
    nc_type type;
    if (nc_inq_att(checkpoint->file, NC_GLOBAL, name, &type, &size) != NC_NOERR || type != NC_CHAR)
    {
        return read_refuse(checkpoint, "it lacks attributes that every checkpoint has");
    }
    WADI_IO_CF_TRY(read_room(checkpoint, size, out));
    return wadi_io_cf_check(checkpoint->context,
                            nc_get_att_text(checkpoint->file, NC_GLOBAL, name, *out));
}

// A variable of bytes and its length.
static wadi_result read_variable(wadi_io_checkpoint* checkpoint, const char* name, int* variable,
                                 size_t* size)
{
    int dimensions;
    int dimension;
    nc_type type;
    const int file = checkpoint->file;
    const bool is_bytes = nc_inq_varid(file, name, variable) == NC_NOERR &&
                          nc_inq_vartype(file, *variable, &type) == NC_NOERR && type == NC_UBYTE &&
                          nc_inq_varndims(file, *variable, &dimensions) == NC_NOERR &&
                          dimensions == 1 &&
                          nc_inq_vardimid(file, *variable, &dimension) == NC_NOERR &&
                          nc_inq_dimlen(file, dimension, size) == NC_NOERR;
    return is_bytes ? WADI_OK : read_refuse(checkpoint, "it lacks the state of a run");
}

static wadi_result read_text(wadi_io_checkpoint* checkpoint, const char* name, char** out)
{
    int variable;
    size_t size;
    WADI_IO_CF_TRY(read_variable(checkpoint, name, &variable, &size));
    WADI_IO_CF_TRY(read_room(checkpoint, size, out));
    return wadi_io_cf_check(checkpoint->context,
                            nc_get_var_uchar(checkpoint->file, variable, (unsigned char*)*out));
}

static wadi_result read_overrides(wadi_io_checkpoint* checkpoint)
{
    size_t count;
    nc_type type;
    if (nc_inq_att(checkpoint->file, NC_GLOBAL, "wadi_set", &type, &count) != NC_NOERR)
    {
        return WADI_OK;
    }
    if (type != NC_STRING || count > WADI_IO_CHECKPOINT_OVERRIDES)
    {
        return read_refuse(checkpoint, "its changes to the scene have another form");
    }
    WADI_IO_CF_TRY(wadi_io_cf_check(
        checkpoint->context,
        nc_get_att_string(checkpoint->file, NC_GLOBAL, "wadi_set", checkpoint->overrides)));
    checkpoint->notes.overrides = (const char* const*)checkpoint->overrides;
    checkpoint->notes.override_count = (int32_t)count;
    return WADI_OK;
}

static wadi_result read_notes(wadi_io_checkpoint* checkpoint)
{
    static const char* const names[] = {"wadi_scene_path", "wadi_folder", "wadi_folder_relative",
                                        "wadi_grid_file", "wadi_file"};
    char** texts = checkpoint->texts;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        WADI_IO_CF_TRY(read_attribute(checkpoint, names[i], &texts[i]));
    }
    WADI_IO_CF_TRY(read_text(checkpoint, "wadi_scene", &texts[5]));
    WADI_IO_CF_TRY(read_text(checkpoint, "wadi_report", &texts[6]));
    checkpoint->notes = (wadi_io_checkpoint_notes){.path = texts[0],
                                                   .folder = texts[1],
                                                   .relative = texts[2],
                                                   .grid_file = texts[3],
                                                   .file = texts[4],
                                                   .scene = texts[5],
                                                   .report = texts[6]};
    return read_overrides(checkpoint);
}

wadi_result wadi_io_checkpoint_open(wadi_context* context, const char* path,
                                    wadi_io_checkpoint* out)
{
    *out = (wadi_io_checkpoint){.context = context, .path = path, .file = -1};
    WADI_IO_CF_TRY(wadi_io_netcdf_need(context));
    const int status = nc_open(path, NC_NOWRITE, &out->file);
    if (status != NC_NOERR)
    {
        out->file = -1;
        return wadi_context_fail(context, status > 0 ? WADI_ERROR_IO : WADI_ERROR_FORMAT,
                                 "cannot read the checkpoint %s: %s", path, nc_strerror(status));
    }
    WADI_IO_CF_TRY(read_notes(out));
    return read_variable(out, "wadi_state", &out->state, &out->size);
}

void wadi_io_checkpoint_close(wadi_io_checkpoint* checkpoint)
{
    for (size_t i = 0; i < sizeof checkpoint->texts / sizeof checkpoint->texts[0]; ++i)
    {
        free(checkpoint->texts[i]);
        checkpoint->texts[i] = NULL;
    }
    if (checkpoint->notes.override_count > 0)
    {
        (void)nc_free_string((size_t)checkpoint->notes.override_count, checkpoint->overrides);
        checkpoint->notes.override_count = 0;
    }
    if (checkpoint->file >= 0)
    {
        (void)nc_close(checkpoint->file);
        checkpoint->file = -1;
    }
}

// ---- state --------------------------------------------------------------------------------------

static wadi_result read_state(void* user, void* bytes, size_t size)
{
    wadi_io_checkpoint* checkpoint = user;
    if (size > checkpoint->size - checkpoint->at)
    {
        return wadi_context_fail(checkpoint->context, WADI_ERROR_FORMAT,
                                 "%s ends too early; use an earlier checkpoint", checkpoint->path);
    }
    const int status =
        nc_get_vara_uchar(checkpoint->file, checkpoint->state, &checkpoint->at, &size, bytes);
    checkpoint->at += size;
    return status == NC_NOERR ? WADI_OK
                              : wadi_context_fail(checkpoint->context, WADI_ERROR_FORMAT,
                                                  "%s is damaged: %s; use an earlier checkpoint",
                                                  checkpoint->path, nc_strerror(status));
}

wadi_result wadi_io_checkpoint_run(wadi_io_checkpoint* checkpoint, const wadi_scene* scene,
                                   const wadi_host* host, wadi_run** out)
{
    checkpoint->at = 0;
    const wadi_result result = wadi_run_load(scene, host, read_state, checkpoint, out);
    if (result != WADI_OK)
    {
        // the state is within a file that the reader of the state does not know
        return wadi_context_fail(checkpoint->context, result, "%s: %s", checkpoint->path,
                                 wadi_error_detail(checkpoint->context));
    }
    return WADI_OK;
}

wadi_result wadi_io_checkpoint_unpack(wadi_io_checkpoint* checkpoint, wadi_write_fn* write,
                                      void* user)
{
    unsigned char* part = malloc(READ_PART);
    wadi_result result = part != NULL ? WADI_OK
                                      : wadi_context_fail(checkpoint->context, WADI_ERROR_MEMORY,
                                                          "out of memory for %s", checkpoint->path);
    checkpoint->at = 0;
    while (result == WADI_OK && checkpoint->at < checkpoint->size)
    {
        const size_t left = checkpoint->size - checkpoint->at;
        const size_t size = left < READ_PART ? left : READ_PART;
        result = read_state(checkpoint, part, size);
        result = result == WADI_OK ? write(user, part, size) : result;
    }
    free(part);
    return result;
}

bool wadi_io_checkpoint_number(const char* path, const char* name, double* out)
{
    char name_of_file[4096];
    const char* variable;
    wadi_io_variable_of(path, name_of_file, &variable);
    int file;
    if (wadi_io_netcdf_need(NULL) != WADI_OK ||
        nc_open(name_of_file, NC_NOWRITE, &file) != NC_NOERR)
    {
        return false;
    }
    const bool found = nc_get_att_double(file, NC_GLOBAL, name, out) == NC_NOERR;
    (void)nc_close(file);
    return found;
}
