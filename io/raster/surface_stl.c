// SPDX-License-Identifier: MIT
#include "io/raster/surface_stl.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STL_HEADER = 84, // 80 bytes of anything, and the number of triangles
    STL_RECORD = 50, // normal, three corners and an attribute
    STL_MOST = 100000000
};

typedef struct stl_reader
{
    wadi_context* context;
    const char* path;
    wadi_io_up up;
    double (*positions)[3];
    int64_t count; // of corners
    int64_t capacity;
    int64_t line;
    int64_t loop; // corners when the last loop began
    bool ended;   // the text has its last line
} stl_reader;

// ---- kind --------------------------------------------------------------------------------------

static uint32_t stl_word(const unsigned char* at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

// All that the header says, and the length of the file. The file is left at its start.
static size_t stl_look(FILE* file, unsigned char header[STL_HEADER], int64_t* size)
{
    const size_t got = fread(header, 1, STL_HEADER, file);
    *size = fseek(file, 0, SEEK_END) == 0 ? (int64_t)ftell(file) : -1;
    rewind(file);
    return got;
}

static int64_t stl_size(const unsigned char header[STL_HEADER])
{
    return STL_HEADER + (int64_t)stl_word(header + STL_HEADER - 4) * STL_RECORD;
}

static bool stl_is_text(const unsigned char* header, size_t got)
{
    return got > 6 && memcmp(header, "solid", 5) == 0 && header[5] != '\0' &&
           strchr(" \t\r\n", header[5]) != NULL;
}

wadi_io_stl wadi_io_stl_kind(FILE* file)
{
    unsigned char header[STL_HEADER] = {0};
    int64_t size;
    const size_t got = stl_look(file, header, &size);
    if (got == sizeof header && size == stl_size(header))
    {
        return WADI_IO_STL_BINARY;
    }
    // no text has bytes of zero
    const bool binary = got == sizeof header && memchr(header, 0, sizeof header) != NULL;
    return binary                     ? WADI_IO_STL_DAMAGED
           : stl_is_text(header, got) ? WADI_IO_STL_TEXT
                                      : WADI_IO_STL_NONE;
}

static wadi_result stl_fail_damaged(const stl_reader* r, FILE* file)
{
    unsigned char header[STL_HEADER] = {0};
    int64_t size;
    (void)stl_look(file, header, &size);
    return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                             "%s is no text, and its %lld bytes are not the %lld of a binary STL "
                             "file with %lld triangles; copy or export it again",
                             r->path, (long long)size, (long long)stl_size(header),
                             (long long)stl_word(header + STL_HEADER - 4));
}

// ---- corners -----------------------------------------------------------------------------------

static wadi_result stl_reserve(stl_reader* r, int64_t count)
{
    if (count <= r->capacity)
    {
        return WADI_OK;
    }
    const int64_t larger = count > 2 * r->capacity ? count : 2 * r->capacity;
    void* grown = larger <= 3 * (int64_t)STL_MOST
                      ? realloc(r->positions, (size_t)larger * sizeof *r->positions)
                      : NULL;
    if (grown == NULL)
    {
        return wadi_context_fail(r->context, WADI_ERROR_MEMORY,
                                 "%s: out of memory for %lld corners", r->path, (long long)count);
    }
    r->positions = grown;
    r->capacity = larger;
    return WADI_OK;
}

static void stl_put(stl_reader* r, const double x[3])
{
    double* p = r->positions[r->count++];
    p[0] = x[0];
    p[1] = r->up == WADI_IO_UP_Y ? -x[2] : x[1];
    p[2] = r->up == WADI_IO_UP_Y ? x[1] : x[2];
}

// ---- binary ------------------------------------------------------------------------------------

static double stl_float(const unsigned char* at)
{
    const uint32_t bits = stl_word(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static void stl_put_record(stl_reader* r, const unsigned char record[STL_RECORD])
{
    for (int corner = 0; corner < 3; ++corner)
    {
        const unsigned char* at = record + 12 + 12 * corner;
        const double x[3] = {stl_float(at), stl_float(at + 4), stl_float(at + 8)};
        stl_put(r, x);
    }
}

static wadi_result stl_read_binary(stl_reader* r, FILE* file)
{
    unsigned char record[STL_HEADER];
    bool whole = fread(record, 1, STL_HEADER, file) == STL_HEADER;
    const int64_t triangles = whole ? (int64_t)stl_word(record + 80) : 0;
    wadi_result result = stl_reserve(r, 3 * triangles);
    for (int64_t t = 0; t < triangles && whole && result == WADI_OK; ++t)
    {
        whole = fread(record, 1, STL_RECORD, file) == STL_RECORD;
        if (whole)
        {
            stl_put_record(r, record);
        }
    }
    return result == WADI_OK && !whole
               ? wadi_context_fail(r->context, WADI_ERROR_IO, "cannot read all of %s", r->path)
               : result;
}

// ---- text --------------------------------------------------------------------------------------

static wadi_result stl_read_vertex(stl_reader* r, const char* text)
{
    double x[3];
    const char* end = text;
    for (int i = 0; i < 3; ++i)
    {
        text += strspn(text, " \t");
        x[i] = wadi_number_parse(text, &end);
        if (end == text)
        {
            return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                                     "%s:%lld: a corner is 'vertex' and three numbers; got '%.40s'",
                                     r->path, (long long)r->line, text);
        }
        text = end;
    }
    const wadi_result result = stl_reserve(r, r->count + 1);
    if (result == WADI_OK)
    {
        stl_put(r, x);
    }
    return result;
}

static wadi_result stl_end_loop(const stl_reader* r)
{
    if (r->count == r->loop + 3)
    {
        return WADI_OK;
    }
    return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                             "%s:%lld: the triangle has %lld corners; it needs three", r->path,
                             (long long)r->line, (long long)(r->count - r->loop));
}

static wadi_result stl_begin_loop(stl_reader* r)
{
    if (r->count != 3 * (r->count / 3)) // the loop before has no end
    {
        return stl_end_loop(r);
    }
    r->loop = r->count;
    return WADI_OK;
}

static bool stl_begins(const char* text, const char* word)
{
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && strchr(" \t\r\n", text[length]) != NULL;
}

// Lines without corners only have to be there in their order as far as corners are told apart.
static wadi_result stl_read_line(stl_reader* r, const char* text)
{
    text += strspn(text, " \t");
    r->ended = strncmp(text, "endsolid", 8) == 0 || (r->ended && !stl_begins(text, "solid"));
    return stl_begins(text, "outer")     ? stl_begin_loop(r)
           : stl_begins(text, "vertex")  ? stl_read_vertex(r, text + 6)
           : stl_begins(text, "endloop") ? stl_end_loop(r)
                                         : WADI_OK;
}

// A text that was cut between two triangles would lack a part of the mesh.
static wadi_result stl_end_text(const stl_reader* r)
{
    if (r->count != 3 * (r->count / 3))
    {
        return stl_end_loop(r);
    }
    return r->ended ? WADI_OK
                    : wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                                        "%s:%lld: the file ends without 'endsolid'; copy or export "
                                        "it again",
                                        r->path, (long long)r->line);
}

static wadi_result stl_read_text(stl_reader* r, FILE* file)
{
    char* text = NULL;
    size_t size = 0;
    wadi_result result = WADI_OK;
    while (result == WADI_OK && getline(&text, &size, file) >= 0)
    {
        ++r->line;
        result = stl_read_line(r, text);
    }
    free(text);
    if (result == WADI_OK && ferror(file) != 0)
    {
        return wadi_context_fail(r->context, WADI_ERROR_IO, "cannot read %s", r->path);
    }
    return result == WADI_OK ? stl_end_text(r) : result;
}

// ---- all ---------------------------------------------------------------------------------------

static wadi_result stl_finish(stl_reader* r, wadi_io_surface* out)
{
    const int64_t triangles = r->count / 3;
    if (triangles == 0)
    {
        return wadi_context_fail(r->context, WADI_ERROR_FORMAT, "%s has no triangles", r->path);
    }
    int32_t(*corners)[3] = malloc((size_t)triangles * sizeof *corners);
    if (corners == NULL)
    {
        return wadi_context_fail(r->context, WADI_ERROR_MEMORY, "%s: out of memory", r->path);
    }
    for (int64_t k = 0; k < r->count; ++k)
    {
        corners[k / 3][k % 3] = (int32_t)k;
    }
    out->positions = r->positions;
    out->triangles = corners;
    out->mesh = (wadi_mesh){.positions = (const double(*)[3])out->positions,
                            .vertex_count = (int32_t)r->count,
                            .triangles = (const int32_t(*)[3])out->triangles,
                            .triangle_count = (int32_t)triangles};
    return WADI_OK;
}

wadi_result wadi_io_stl_read(wadi_context* context, const char* path, FILE* file, wadi_io_stl kind,
                             wadi_io_up up, wadi_io_surface* out)
{
    *out = (wadi_io_surface){.positions = NULL};
    stl_reader reader = {.context = context, .path = path, .up = up};
    wadi_result result = kind == WADI_IO_STL_DAMAGED  ? stl_fail_damaged(&reader, file)
                         : kind == WADI_IO_STL_BINARY ? stl_read_binary(&reader, file)
                                                      : stl_read_text(&reader, file);
    result = result == WADI_OK ? stl_finish(&reader, out) : result;
    if (result != WADI_OK)
    {
        free(reader.positions);
    }
    return result;
}
