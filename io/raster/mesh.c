// SPDX-License-Identifier: MIT
// Triangle meshes: OBJ and binary PLY in metres, y up, x east, z south, centre of the grid at the
// origin. A vertex is the centre of a cell with data; cells without data become holes.
#include "io/number_text.h"
#include "io/raster/formats.h"
#include "io/replace.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mesh_writer
{
    const wadi_io_raster* raster;
    int32_t* number; // vertex index of each cell, from 0; -1: none
    int32_t vertices;
    int32_t faces;
    FILE* file;
    void (*write_face)(struct mesh_writer* writer, const int32_t vertex[3]);
} mesh_writer;

static void mesh_number_vertices(mesh_writer* writer)
{
    const int64_t cells = (int64_t)writer->raster->width * writer->raster->height;
    for (int64_t i = 0; i < cells; ++i)
    {
        writer->number[i] = isnan(writer->raster->values[i]) ? -1 : writer->vertices++;
    }
}

// Position of a cell's centre.
static void mesh_place(const wadi_io_raster* raster, int32_t x, int32_t y, float place[3])
{
    place[0] = (float)((x - 0.5 * (raster->width - 1)) * raster->dx);
    place[1] = raster->values[(int64_t)y * raster->width + x];
    place[2] = (float)((y - 0.5 * (raster->height - 1)) * raster->dy);
}

static void mesh_count_face(mesh_writer* writer, const int32_t vertex[3])
{
    (void)vertex;
    ++writer->faces;
}

static void mesh_try_face(mesh_writer* writer, int32_t a, int32_t b, int32_t c)
{
    if (a >= 0 && b >= 0 && c >= 0)
    {
        const int32_t vertex[3] = {a, b, c};
        writer->write_face(writer, vertex);
    }
}

// Two triangles per four adjacent cells, counter-clockwise from above.
static void mesh_visit_faces(mesh_writer* writer)
{
    const int32_t width = writer->raster->width;
    for (int32_t y = 0; y + 1 < writer->raster->height; ++y)
    {
        const int32_t* north = writer->number + (int64_t)y * width;
        const int32_t* south = north + width;
        for (int32_t x = 0; x + 1 < width; ++x)
        {
            mesh_try_face(writer, north[x], south[x], north[x + 1]);
            mesh_try_face(writer, north[x + 1], south[x], south[x + 1]);
        }
    }
}

static void mesh_visit_vertices(mesh_writer* writer,
                                void (*write)(FILE* file, const float place[3]))
{
    const wadi_io_raster* raster = writer->raster;
    for (int32_t y = 0; y < raster->height; ++y)
    {
        for (int32_t x = 0; x < raster->width; ++x)
        {
            float place[3];
            mesh_place(raster, x, y, place);
            if (!isnan(place[1]))
            {
                write(writer->file, place);
            }
        }
    }
}

static void mesh_obj_vertex(FILE* file, const float place[3])
{
    char x[WADI_IO_NUMBER];
    char y[WADI_IO_NUMBER];
    char z[WADI_IO_NUMBER];
    (void)fprintf(file, "v %s %s %s\n", wadi_io_number_text((double)place[0], 9, x),
                  wadi_io_number_text((double)place[1], 9, y),
                  wadi_io_number_text((double)place[2], 9, z));
}

static void mesh_obj_face(mesh_writer* writer, const int32_t vertex[3])
{
    // OBJ counts from 1
    (void)fprintf(writer->file, "f %d %d %d\n", vertex[0] + 1, vertex[1] + 1, vertex[2] + 1);
}

static void mesh_write_obj(mesh_writer* writer)
{
    wadi_io_tags_print(writer->raster->tags, "# ", writer->file);
    (void)fputs("# metres, y up, x east, z south\n", writer->file);
    mesh_visit_vertices(writer, mesh_obj_vertex);
    writer->write_face = mesh_obj_face;
    mesh_visit_faces(writer);
}

// Low byte first on every machine.
static void mesh_put_bits(FILE* file, uint32_t bits)
{
    for (int shift = 0; shift < 32; shift += 8)
    {
        (void)putc((int)(bits >> shift & 0xFFu), file);
    }
}

static void mesh_ply_vertex(FILE* file, const float place[3])
{
    for (int i = 0; i < 3; ++i)
    {
        uint32_t bits = 0;
        memcpy(&bits, &place[i], sizeof bits);
        mesh_put_bits(file, bits);
    }
}

static void mesh_ply_face(mesh_writer* writer, const int32_t vertex[3])
{
    (void)putc(3, writer->file);
    for (int i = 0; i < 3; ++i)
    {
        mesh_put_bits(writer->file, (uint32_t)vertex[i]);
    }
}

static void mesh_write_ply(mesh_writer* writer)
{
    writer->write_face = mesh_count_face;
    mesh_visit_faces(writer);
    (void)fputs("ply\nformat binary_little_endian 1.0\n", writer->file);
    wadi_io_tags_print(writer->raster->tags, "comment ", writer->file);
    (void)fprintf(writer->file,
                  "comment metres, y up, x east, z south\n"
                  "element vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
                  "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
                  writer->vertices, writer->faces);
    mesh_visit_vertices(writer, mesh_ply_vertex);
    writer->write_face = mesh_ply_face;
    mesh_visit_faces(writer);
}

static wadi_result mesh_write_file(wadi_context* context, mesh_writer* writer,
                                   void (*write)(mesh_writer* writer), const char* path)
{
    errno = 0;
    writer->file = fopen(path, "wb");
    if (writer->file != NULL)
    {
        write(writer);
    }
    return wadi_io_close_written(context, writer->file);
}

static wadi_result mesh_write(wadi_context* context, const wadi_io_raster* raster,
                              void (*write)(mesh_writer* writer), const char* path)
{
    const int64_t cells = (int64_t)raster->width * raster->height;
    if (raster->geographic || cells > INT32_MAX / 2)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT, "%s",
                                 raster->geographic
                                     ? "a mesh is in metres but this grid is in degrees; use "
                                       "--grid working (erode) or --preset (convert)"
                                     : "a mesh has at most 2^31 triangles; crop the terrain");
    }
    mesh_writer writer = {.raster = raster};
    writer.number = malloc((size_t)cells * sizeof *writer.number);
    if (writer.number == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory");
    }
    mesh_number_vertices(&writer);
    const wadi_result result = mesh_write_file(context, &writer, write, path);
    free(writer.number);
    return result;
}

wadi_result wadi_io_obj_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path)
{
    (void)sidecar;
    return mesh_write(context, raster, mesh_write_obj, path);
}

wadi_result wadi_io_ply_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path)
{
    (void)sidecar;
    return mesh_write(context, raster, mesh_write_ply, path);
}
