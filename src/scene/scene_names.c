// SPDX-License-Identifier: MIT
// Names of the files that steps write: none may replace another's.
#include "scene/scene_internal.h"

#include <stdlib.h>

// Files of an output or a series. "a.png" is one file; with `views` it is a-1.png, a-2.png ..., and
// with `frames` a-0000.png, a-0001.png ... Each may have a sidecar, a.png.json.
typedef struct names_files
{
    const char* file;
    int32_t views; // 0: one file
    bool frames;
} names_files;

void wadi_scene_clean_name(char* name)
{
    const char* from = name + (name[0] == '/' ? 1 : 0);
    char* const start = name + (name[0] == '/' ? 1 : 0);
    char* to = start;
    while (*from != '\0')
    {
        const size_t length = strcspn(from, "/");
        const bool ends = from[length] == '\0';
        const bool is_up = length == 2 && from[0] == '.' && from[1] == '.';
        // the part before, of which the last '/' was copied too
        char* before = to > start ? to - 1 : to;
        while (before > start && before[-1] != '/')
        {
            --before;
        }
        if (is_up && to > start && strncmp(before, "../", 3) != 0)
        {
            to = before;
        }
        else if (length > 0 && !(length == 1 && from[0] == '.'))
        {
            memmove(to, from, length + (ends ? 0 : 1));
            to += length + (ends ? 0 : 1);
        }
        from += length + (ends ? 0 : 1);
    }
    *to = '\0';
}

static bool names_is_sidecar(const char* rest)
{
    return rest != NULL && strcmp(rest, ".json") == 0;
}

// Is `name` one of numbered files, or the sidecar of one?
static bool names_has(const names_files* of, const char* name)
{
    const char* dot = strrchr(of->file, '.');
    const size_t stem = dot != NULL ? (size_t)(dot - of->file) : strlen(of->file);
    if (strncmp(name, of->file, stem) != 0 || name[stem] != '-')
    {
        return false;
    }
    const char* number = name + stem + 1;
    const size_t digits = strspn(number, "0123456789");
    const long value = digits < 9 ? strtol(number, NULL, 10) : 0;
    const bool counts =
        of->frames ? digits >= 4 : digits > 0 && number[0] != '0' && value <= of->views;
    const char* rest = number + digits;
    const size_t ending = strlen(of->file + stem);
    return counts && strncmp(rest, of->file + stem, ending) == 0 &&
           (rest[ending] == '\0' || names_is_sidecar(rest + ending));
}

// The file that both write, or NULL.
static const char* names_common(const names_files* a, const names_files* b)
{
    const bool a_has_many = a->views > 0 || a->frames;
    const bool b_has_many = b->views > 0 || b->frames;
    if (a_has_many != b_has_many)
    {
        const char* one = a_has_many ? b->file : a->file;
        return names_has(a_has_many ? a : b, one) ? one : NULL;
    }
    size_t same = 0;
    while (a->file[same] != '\0' && a->file[same] == b->file[same])
    {
        ++same;
    }
    const char* rest_a = a->file + same;
    const char* rest_b = b->file + same;
    if (rest_a[0] == '\0' && rest_b[0] == '\0')
    {
        return a->frames == b->frames ? a->file : NULL;
    }
    return a_has_many                                      ? NULL
           : rest_a[0] == '\0' && names_is_sidecar(rest_b) ? b->file
           : rest_b[0] == '\0' && names_is_sidecar(rest_a) ? a->file
                                                           : NULL;
}

// The files of a step by number; false: it has no more.
static bool names_get(const wadi_step* step, int32_t index, names_files* out)
{
    const wadi_output* output = &step->output;
    if (step->kind == WADI_STEP_PROCESS && index < step->process.series_count)
    {
        *out = (names_files){.file = step->process.series[index].file, .frames = true};
        return true;
    }
    *out = (names_files){
        .file = output->file,
        .views = output->kind == WADI_OUTPUT_RENDER && output->views > 1 ? output->views : 0};
    return step->kind == WADI_STEP_OUTPUT && index == 0;
}

// Steps that write the same file on purpose: checkpoints, and the years of one table.
static bool names_are_one(const wadi_step* a, const wadi_step* b)
{
    const wadi_output* x = &a->output;
    const wadi_output* y = &b->output;
    return a->kind == WADI_STEP_OUTPUT && b->kind == WADI_STEP_OUTPUT && x->kind == y->kind &&
           (x->kind == WADI_OUTPUT_CHECKPOINT || (x->frame > 1 && x->appends && y->appends));
}

static wadi_result names_compare(const wadi_scene* scene, const wadi_step* other,
                                 const wadi_step* step)
{
    names_files a;
    names_files b;
    for (int32_t i = 0; names_get(step, i, &a); ++i)
    {
        for (int32_t k = 0; names_get(other, k, &b); ++k)
        {
            const char* file = names_common(&a, &b);
            const bool is_sidecar =
                file != NULL && strcmp(a.file, b.file) != 0 && names_is_sidecar(strrchr(file, '.'));
            WADI_CHECK(scene->context, file == NULL, WADI_ERROR_ARGUMENT,
                       "two steps write '%s'%s: %s%s%s and %s%s%s; choose another name", file,
                       is_sidecar ? ", the name of a sidecar" : "", wadi_step_name(other),
                       other->origin != NULL ? " at " : "",
                       other->origin != NULL ? other->origin : "", wadi_step_name(step),
                       step->origin != NULL ? " at " : "",
                       step->origin != NULL ? step->origin : "");
        }
    }
    return WADI_OK;
}

wadi_result wadi_scene_check_names(const wadi_scene* scene, const wadi_step* step)
{
    names_files files;
    const bool writes = names_get(step, 0, &files);
    for (int32_t i = 0; writes && i < scene->step_count; ++i)
    {
        if (!names_are_one(step, &scene->steps[i]))
        {
            WADI_TRY(names_compare(scene, &scene->steps[i], step));
        }
    }
    return WADI_OK;
}
