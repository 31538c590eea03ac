// SPDX-License-Identifier: MIT
#include "cli/run_state.h"

#include "io/replace.h"

#include <wadi/window.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char state_mark[] = "wadi windows 2\n";     // first line
static const char state_mark_old[] = "wadi windows 1\n"; // of a state without a report

// The lines before the state.
typedef struct state_head
{
    uint64_t scene;  // a number for the scene
    uint64_t check;  // one for the report
    uint64_t length; // of the report
} state_head;

enum
{
    STATE_REPORT_MOST = 1 << 24 // bytes of a report
};

// Is a mark the first line? An old one has no report.
static bool state_read_mark(FILE* file, bool* old)
{
    char mark[sizeof state_mark] = {0};
    const bool reads = fread(mark, sizeof state_mark - 1, 1, file) == 1;
    *old = reads && strcmp(mark, state_mark_old) == 0;
    return reads && (*old || strcmp(mark, state_mark) == 0);
}

bool cli_run_state_is(const char* path)
{
    bool old;
    FILE* file = fopen(path, "rb");
    const bool is_state = file != NULL && state_read_mark(file, &old);
    if (file != NULL)
    {
        (void)fclose(file);
    }
    return is_state;
}

static uint64_t state_mix(uint64_t hash, const char* text, size_t length)
{
    for (size_t i = 0; i < length; ++i)
    {
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    }
    return hash;
}

static const uint64_t state_mix_start = 1469598103934665603u;

// A number for the text of a scene and its changed values.
static uint64_t state_scene_hash(const cli_run_source* source)
{
    uint64_t hash = state_mix(state_mix_start, source->text, source->length);
    for (int32_t i = 0; i < source->override_count; ++i)
    {
        hash = state_mix(hash, source->overrides[i], strlen(source->overrides[i]));
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

static bool state_put_head(const cli_run_source* source, const char* report, FILE* file)
{
    const size_t length = strlen(report);
    return fprintf(file, "%s%016" PRIx64 " %016" PRIx64 " %zu\n", state_mark,
                   state_scene_hash(source), state_mix(state_mix_start, report, length),
                   length) > 0 &&
           (length == 0 || fwrite(report, length, 1, file) == 1);
}

static wadi_result state_write_file(wadi_context* context, const cli_run_source* source,
                                    const state_content* content, const char* report,
                                    const char* path)
{
    wadi_io_replacement replacement;
    wadi_result result = wadi_io_replace_begin(context, path, &replacement);
    if (result != WADI_OK)
    {
        return result;
    }
    errno = 0;
    FILE* file = fopen(replacement.path, "wb");
    const bool begun = file != NULL && state_put_head(source, report, file);
    result = begun ? state_put_content(content, file) : WADI_ERROR_IO;
    const wadi_result closed = wadi_io_close_written(context, file);
    result = result == WADI_OK ? closed : result;
    // after a failure the disk's own message, which writing has left
    return result == WADI_OK ? wadi_io_replace_commit(context, &replacement)
                             : wadi_io_replace_abort(context, &replacement, result);
}

wadi_result cli_run_state_write(wadi_context* context, const cli_run_source* source,
                                const wadi_run* run, const cli_report* report, const char* path)
{
    if (path == NULL)
    {
        return wadi_run_save(run, state_put, NULL);
    }
    const state_content content = {.run = run};
    char* kept = cli_report_keep(report);
    const wadi_result result =
        kept != NULL ? state_write_file(context, source, &content, kept, path)
                     : wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for %s", path);
    free(kept);
    return result;
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
        result = state_write_file(context, source, &content, packed.notes.report, path);
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

static bool state_get_head(FILE* file, state_head* head)
{
    bool old;
    *head = (state_head){0};
    return state_read_mark(file, &old) && fscanf(file, "%16" SCNx64, &head->scene) == 1 &&
           (old || fscanf(file, " %16" SCNx64 " %8" SCNu64, &head->check, &head->length) == 2) &&
           fgetc(file) == '\n' && head->length <= STATE_REPORT_MOST;
}

static wadi_result state_check_head(wadi_context* context, const cli_run_source* source,
                                    const char* path, FILE* file, state_head* head)
{
    if (!state_get_head(file, head))
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT, "%s is no state of a run in windows",
                                 path);
    }
    return head->scene == state_scene_hash(source)
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s is the state of another scene, or of other values of --set",
                                   path);
}

// The text of the report, which the caller frees.
static wadi_result state_get_report(wadi_context* context, const state_head* head, const char* path,
                                    FILE* file, char** out)
{
    const size_t length = (size_t)head->length;
    char* text = calloc(length + 1, 1);
    *out = text;
    if (text == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for %s", path);
    }
    const bool sound = length == 0 || (fread(text, length, 1, file) == 1 &&
                                       state_mix(state_mix_start, text, length) == head->check);
    return sound ? WADI_OK
                 : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                     "%s: the report in the saved state is damaged", path);
}

static wadi_result state_load(wadi_context* context, const wadi_scene* scene, const wadi_host* host,
                              const char* path, FILE* file, wadi_run** out)
{
    wadi_context_set_skip(context, state_get, state_skip);
    const wadi_result result = wadi_run_load(scene, host, state_get, file, out);
    wadi_context_set_skip(context, NULL, NULL);
    return result == WADI_OK
               ? result
               : wadi_context_fail(context, result, "%s: %s", path,
                                   result == WADI_ERROR_IO ? "the saved state ends too early"
                                                           : wadi_error_detail(context));
}

static wadi_result state_read_file(wadi_context* context, const cli_run_source* source,
                                   const wadi_scene* scene, const wadi_host* host, const char* path,
                                   FILE* file, cli_report* report, wadi_run** out)
{
    state_head head;
    char* kept = NULL;
    wadi_result result = state_check_head(context, source, path, file, &head);
    result = result == WADI_OK ? state_get_report(context, &head, path, file, &kept) : result;
    result = result == WADI_OK ? state_load(context, scene, host, path, file, out) : result;
    if (result == WADI_OK)
    {
        cli_report_begin(wadi_run_terrain(*out), report);
        (void)cli_report_restore(context, kept, report); // its number has been compared
    }
    free(kept);
    return result;
}

wadi_result cli_run_state_read(wadi_context* context, const cli_run_source* source,
                               const wadi_scene* scene, const wadi_host* host, const char* path,
                               cli_report* report, wadi_run** out)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_IO, "%s: %s", path, strerror(errno));
    }
    const wadi_result result =
        state_read_file(context, source, scene, host, path, file, report, out);
    (void)fclose(file);
    return result;
}
