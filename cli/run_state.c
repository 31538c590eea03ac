// SPDX-License-Identifier: MIT
#include "cli/run_state.h"

#include "io/replace.h"

#include <wadi/window.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char state_mark[] = "wadi windows 1\n"; // first line

bool cli_run_state_is(const char* path)
{
    char mark[sizeof state_mark] = {0};
    FILE* file = fopen(path, "rb");
    const bool is_state = file != NULL && fread(mark, sizeof state_mark - 1, 1, file) == 1 &&
                          strcmp(mark, state_mark) == 0;
    if (file != NULL)
    {
        (void)fclose(file);
    }
    return is_state;
}

// A number for the text of a scene and its changed values.
static uint64_t state_scene_hash(const cli_run_source* source)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < source->length; ++i)
    {
        hash = (hash ^ (unsigned char)source->text[i]) * 1099511628211u;
    }
    for (int32_t i = 0; i < source->override_count; ++i)
    {
        for (const char* c = source->overrides[i]; *c != '\0'; ++c)
        {
            hash = (hash ^ (unsigned char)*c) * 1099511628211u;
        }
    }
    return hash;
}

// ---- write --------------------------------------------------------------------------------------

static wadi_result state_put(void* user, const void* bytes, size_t size)
{
    // other windows take part, and write nothing
    return user == NULL || size == 0 || fwrite(bytes, size, 1, user) == 1 ? WADI_OK : WADI_ERROR_IO;
}

// What comes after the head: the state of a run, or that in a checkpoint.
typedef struct state_content
{
    const wadi_run* run;
    wadi_io_checkpoint* checkpoint;
} state_content;

static wadi_result state_put_content(const state_content* content, FILE* file)
{
    return content->run != NULL ? wadi_run_save(content->run, state_put, file)
                                : wadi_io_checkpoint_unpack(content->checkpoint, state_put, file);
}

static wadi_result state_write_file(wadi_context* context, const cli_run_source* source,
                                    const state_content* content, const char* path)
{
    wadi_io_replacement replacement;
    wadi_result result = wadi_io_replace_begin(context, path, &replacement);
    if (result != WADI_OK)
    {
        return result;
    }
    errno = 0;
    FILE* file = fopen(replacement.path, "wb");
    const bool begun = file != NULL && fprintf(file, "%s%016" PRIx64 "\n", state_mark,
                                               state_scene_hash(source)) > 0;
    result = begun ? state_put_content(content, file) : WADI_ERROR_IO;
    const wadi_result closed = wadi_io_close_written(context, file);
    result = result == WADI_OK ? closed : result;
    // after a failure the disk's own message, which writing has left
    return result == WADI_OK ? wadi_io_replace_commit(context, &replacement)
                             : wadi_io_replace_abort(context, &replacement, result);
}

wadi_result cli_run_state_write(wadi_context* context, const cli_run_source* source,
                                const wadi_run* run, const char* path)
{
    const state_content content = {.run = run};
    return path != NULL ? state_write_file(context, source, &content, path)
                        : wadi_run_save(run, state_put, NULL);
}

bool cli_run_state_is_packed(const char* path)
{
    const char* dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ".nc") == 0;
}

wadi_result cli_run_state_unpack(wadi_context* context, const cli_run_source* source,
                                 const char* checkpoint, const char* path)
{
    wadi_io_checkpoint packed;
    wadi_result result = wadi_io_checkpoint_open(context, checkpoint, &packed);
    if (result == WADI_OK)
    {
        const state_content content = {.checkpoint = &packed};
        result = state_write_file(context, source, &content, path);
    }
    wadi_io_checkpoint_close(&packed);
    return result;
}

// ---- read ---------------------------------------------------------------------------------------

static wadi_result state_get(void* user, void* bytes, size_t size)
{
    return size == 0 || fread(bytes, size, 1, user) == 1 ? WADI_OK : WADI_ERROR_IO;
}

// Beyond the end, the next read fails.
static wadi_result state_skip(void* user, uint64_t size)
{
    return size <= INT64_MAX && fseeko(user, (off_t)size, SEEK_CUR) == 0 ? WADI_OK : WADI_ERROR_IO;
}

static wadi_result state_check_head(wadi_context* context, const cli_run_source* source,
                                    const char* path, FILE* file)
{
    char mark[sizeof state_mark] = {0};
    uint64_t hash = 0;
    if (fread(mark, sizeof state_mark - 1, 1, file) != 1 || strcmp(mark, state_mark) != 0 ||
        fscanf(file, "%16" SCNx64, &hash) != 1 || fgetc(file) != '\n')
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT, "%s is no state of a run in windows",
                                 path);
    }
    return hash == state_scene_hash(source)
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s is the state of another scene, or of other values of --set",
                                   path);
}

wadi_result cli_run_state_read(wadi_context* context, const cli_run_source* source,
                               const wadi_scene* scene, const wadi_host* host, const char* path,
                               wadi_run** out)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_IO, "%s: %s", path, strerror(errno));
    }
    wadi_result result = state_check_head(context, source, path, file);
    if (result == WADI_OK)
    {
        wadi_context_set_skip(context, state_get, state_skip);
        result = wadi_run_load(scene, host, state_get, file, out);
        wadi_context_set_skip(context, NULL, NULL);
        result = result == WADI_OK
                     ? result
                     : wadi_context_fail(context, result, "%s: %s", path,
                                         result == WADI_ERROR_IO ? "the saved state ends too early"
                                                                 : wadi_error_detail(context));
    }
    (void)fclose(file);
    return result;
}
