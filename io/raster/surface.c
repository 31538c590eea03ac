// SPDX-License-Identifier: MIT
#include "io/raster/surface.h"

#include "io/raster/surface_stl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct surface_reader
{
    wadi_context* context;
    const char* path;
    wadi_io_up up;
    int64_t line;
    double (*positions)[3];
    int32_t vertex_count;
    int32_t vertex_capacity;
    int32_t (*triangles)[3];
    int32_t triangle_count;
    int32_t triangle_capacity;
} surface_reader;

// Make room for one more element of `size` bytes.
static wadi_result surface_grow(surface_reader* r, void** elements, size_t size, int32_t count,
                                int32_t* capacity)
{
    if (count < *capacity)
    {
        return WADI_OK;
    }
    const int32_t larger = *capacity > 0 ? *capacity * 2 : 1024;
    void* grown = larger < INT32_MAX / 4 ? realloc(*elements, (size_t)larger * size) : NULL;
    if (grown == NULL)
    {
        return wadi_context_fail(r->context, WADI_ERROR_MEMORY, "%s: out of memory at line %lld",
                                 r->path, (long long)r->line);
    }
    *elements = grown;
    *capacity = larger;
    return WADI_OK;
}

static const char* surface_skip(const char* text)
{
    return text + strspn(text, " \t");
}

// v x y z
static wadi_result surface_read_vertex(surface_reader* r, const char* text)
{
    double x[3];
    for (int i = 0; i < 3; ++i)
    {
        text = surface_skip(text);
        const char* end = text;
        x[i] = wadi_number_parse(text, &end);
        if (end == text)
        {
            return wadi_context_fail(
                r->context, WADI_ERROR_FORMAT,
                "%s:%lld: a vertex is 'v' and three numbers, such as 'v 1 0.5 -2'; got '%.40s'",
                r->path, (long long)r->line, text);
        }
        text = end;
    }
    void* grown = r->positions;
    const wadi_result result =
        surface_grow(r, &grown, sizeof *r->positions, r->vertex_count, &r->vertex_capacity);
    r->positions = grown;
    if (result == WADI_OK)
    {
        double* p = r->positions[r->vertex_count++];
        p[0] = x[0];
        p[1] = r->up == WADI_IO_UP_Y ? -x[2] : x[1];
        p[2] = r->up == WADI_IO_UP_Y ? x[1] : x[2];
    }
    return result;
}

// Read a corner of a face, "7", "7/2", "7//3" or "-1", and advance *text. Negative numbers count
// back from the last vertex.
static wadi_result surface_read_corner(surface_reader* r, const char** text, int32_t* out)
{
    char* end = NULL;
    const long long number = strtoll(*text, &end, 10);
    const long long vertex = number < 0 ? r->vertex_count + number : number - 1;
    if (end == *text || strchr("/ \t", *end) == NULL)
    {
        return wadi_context_fail(
            r->context, WADI_ERROR_FORMAT,
            "%s:%lld: a face is 'f' and numbers of vertices, such as 'f 1 2 3'; got '%.40s'",
            r->path, (long long)r->line, *text);
    }
    if (number == 0 || vertex < 0 || vertex >= r->vertex_count)
    {
        return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                                 "%s:%lld: the face uses vertex %lld; vertices defined so far: %d",
                                 r->path, (long long)r->line, number, r->vertex_count);
    }
    *out = (int32_t)vertex;
    *text = surface_skip(end + strcspn(end, " \t"));
    return WADI_OK;
}

static wadi_result surface_add_triangle(surface_reader* r, int32_t a, int32_t b, int32_t c)
{
    void* grown = r->triangles;
    const wadi_result result =
        surface_grow(r, &grown, sizeof *r->triangles, r->triangle_count, &r->triangle_capacity);
    r->triangles = grown;
    if (result == WADI_OK)
    {
        int32_t* t = r->triangles[r->triangle_count++];
        t[0] = a;
        t[1] = b;
        t[2] = c;
    }
    return result;
}

// f a b c ...: triangle fan around the first corner.
static wadi_result surface_read_face(surface_reader* r, const char* text)
{
    int32_t corner[3] = {-1, -1, -1}; // first, previous, current
    int32_t corners = 0;
    wadi_result result = WADI_OK;
    for (text = surface_skip(text); *text != '\0' && result == WADI_OK; ++corners)
    {
        corner[1] = corner[2];
        result = surface_read_corner(r, &text, &corner[2]);
        corner[0] = corners == 0 ? corner[2] : corner[0];
        if (corners >= 2 && result == WADI_OK)
        {
            result = surface_add_triangle(r, corner[0], corner[1], corner[2]);
        }
    }
    if (result == WADI_OK && corners < 3)
    {
        return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                                 "%s:%lld: the face has %d corners; it needs three or more",
                                 r->path, (long long)r->line, corners);
    }
    return result;
}

// Ignore other lines (texture, normals, groups, materials).
static wadi_result surface_read_line(surface_reader* r, char* text)
{
    text[strcspn(text, "\r\n#")] = '\0';
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t", text[length - 1]) != NULL)
    {
        text[--length] = '\0';
    }
    const char* at = surface_skip(text);
    const bool keyword = at[0] != '\0' && (at[1] == ' ' || at[1] == '\t');
    return keyword && at[0] == 'v'   ? surface_read_vertex(r, at + 1)
           : keyword && at[0] == 'f' ? surface_read_face(r, at + 1)
                                     : WADI_OK;
}

static wadi_result surface_read_lines(surface_reader* r, FILE* file)
{
    char* text = NULL;
    size_t size = 0;
    wadi_result result = WADI_OK;
    errno = 0;
    while (result == WADI_OK && getline(&text, &size, file) >= 0)
    {
        ++r->line;
        result = surface_read_line(r, text);
    }
    free(text);
    if (result == WADI_OK && ferror(file) != 0)
    {
        return wadi_context_fail(r->context, WADI_ERROR_IO, "cannot read %s: %s", r->path,
                                 strerror(errno));
    }
    if (result == WADI_OK && r->triangle_count == 0)
    {
        return wadi_context_fail(
            r->context, WADI_ERROR_FORMAT,
            "%s has no faces; give an OBJ file with lines 'v' and 'f', or an STL file", r->path);
    }
    return result;
}

wadi_result wadi_io_surface_read(wadi_context* context, const char* path, wadi_io_up up,
                                 wadi_io_surface* out)
{
    *out = (wadi_io_surface){.positions = NULL};
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_IO, "cannot open %s: %s", path,
                                 strerror(errno));
    }
    const wadi_io_stl stl = wadi_io_stl_kind(file);
    if (stl != WADI_IO_STL_NONE)
    {
        const wadi_result read = wadi_io_stl_read(context, path, file, stl, up, out);
        (void)fclose(file);
        return read;
    }
    surface_reader reader = {.context = context, .path = path, .up = up};
    const wadi_result result = surface_read_lines(&reader, file);
    (void)fclose(file);
    if (result != WADI_OK)
    {
        free(reader.positions);
        free(reader.triangles);
        return result;
    }
    out->positions = reader.positions;
    out->triangles = reader.triangles;
    out->mesh = (wadi_mesh){.positions = (const double(*)[3])out->positions,
                            .vertex_count = reader.vertex_count,
                            .triangles = (const int32_t(*)[3])out->triangles,
                            .triangle_count = reader.triangle_count};
    return WADI_OK;
}

void wadi_io_surface_free(wadi_io_surface* surface)
{
    free(surface->positions);
    free(surface->triangles);
    *surface = (wadi_io_surface){.positions = NULL};
}
