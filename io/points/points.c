// SPDX-License-Identifier: MIT
// VTK PolyData in XML with raw appended arrays, and PLY. Low byte first on every machine.
#include "io/points/points.h"

#include "io/number_text.h"
#include "io/replace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct points_writer
{
    const wadi_io_points* points;
    const wadi_io_frame* frames;
    int32_t frame_count;
    FILE* file;
} points_writer;

typedef void points_write(points_writer* writer);

static void points_put(FILE* file, uint64_t bits, int bytes)
{
    for (int i = 0; i < bytes; ++i)
    {
        (void)putc((int)(bits >> (8 * i) & 0xFFu), file);
    }
}

static void points_put_double(FILE* file, double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    points_put(file, bits, 8);
}

static void points_put_float(FILE* file, double value)
{
    const float narrow = (float)value;
    uint32_t bits = 0;
    memcpy(&bits, &narrow, sizeof bits);
    points_put(file, bits, 4);
}

// --- VTK ---

static int64_t points_column_bytes(const wadi_io_points* points, const wadi_io_column* column)
{
    return (int64_t)points->count * column->components * (column->real != NULL ? 8 : 4);
}

// Declare an array at *offset of the appended data; each array starts with its size in bytes.
static void points_declare(const points_writer* writer, const char* type, const char* name,
                           int32_t components, int64_t bytes, int64_t* offset)
{
    (void)fprintf(writer->file,
                  "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                  "format=\"appended\" offset=\"%" PRId64 "\"/>\n",
                  type, name, components, *offset);
    *offset += 8 + bytes;
}

// Tags as field data: arrays of strings, each as the numbers of its bytes and a 0.
static void points_vtp_tags(const points_writer* writer)
{
    const wadi_io_tags* tags = writer->points->tags;
    if (tags == NULL || tags->count == 0)
    {
        return;
    }
    (void)fputs("    <FieldData>\n", writer->file);
    for (int32_t i = 0; i < tags->count; ++i)
    {
        if (tags->rows[i].value == NULL)
        {
            continue;
        }
        (void)fprintf(writer->file,
                      "      <Array type=\"String\" Name=\"%s\" NumberOfTuples=\"1\" "
                      "format=\"ascii\">\n        ",
                      tags->rows[i].key);
        for (const char* c = tags->rows[i].value; *c != '\0'; ++c)
        {
            (void)fprintf(writer->file, "%d ", (int)(unsigned char)*c);
        }
        (void)fputs("0\n      </Array>\n", writer->file);
    }
    (void)fputs("    </FieldData>\n", writer->file);
}

static void points_vtp_header(points_writer* writer)
{
    const wadi_io_points* points = writer->points;
    int64_t offset = 0;
    (void)fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
                "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <PolyData>\n",
                writer->file);
    points_vtp_tags(writer);
    (void)fprintf(writer->file,
                  "    <Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" "
                  "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n      <Points>\n",
                  points->count, points->count);
    points_declare(writer, "Float64", "position", 3, (int64_t)points->count * 24, &offset);
    (void)fputs("      </Points>\n      <Verts>\n", writer->file);
    points_declare(writer, "Int64", "connectivity", 1, (int64_t)points->count * 8, &offset);
    points_declare(writer, "Int64", "offsets", 1, (int64_t)points->count * 8, &offset);
    (void)fputs("      </Verts>\n      <PointData>\n", writer->file);
    for (int32_t i = 0; i < points->column_count; ++i)
    {
        const wadi_io_column* column = &points->columns[i];
        points_declare(writer, column->real != NULL ? "Float64" : "Int32", column->name,
                       column->components, points_column_bytes(points, column), &offset);
    }
    (void)fputs("      </PointData>\n    </Piece>\n  </PolyData>\n"
                "  <AppendedData encoding=\"raw\">\n_",
                writer->file);
}

static void points_vtp_column(points_writer* writer, const wadi_io_column* column)
{
    points_put(writer->file, (uint64_t)points_column_bytes(writer->points, column), 8);
    const int64_t values = (int64_t)writer->points->count * column->components;
    for (int64_t i = 0; i < values; ++i)
    {
        if (column->real != NULL)
        {
            points_put_double(writer->file, column->real[i]);
        }
        else
        {
            points_put(writer->file, (uint32_t)column->whole[i], 4);
        }
    }
}

// Write first, first + 1 ... for all points.
static void points_vtp_count(points_writer* writer, int64_t first)
{
    points_put(writer->file, (uint64_t)writer->points->count * 8, 8);
    for (int64_t i = 0; i < writer->points->count; ++i)
    {
        points_put(writer->file, (uint64_t)(first + i), 8);
    }
}

static void points_write_vtp(points_writer* writer)
{
    const wadi_io_points* points = writer->points;
    points_vtp_header(writer);
    const wadi_io_column positions = {
        .name = "position", .components = 3, .real = (const double*)points->positions};
    points_vtp_column(writer, &positions);
    points_vtp_count(writer, 0);
    points_vtp_count(writer, 1);
    for (int32_t i = 0; i < points->column_count; ++i)
    {
        points_vtp_column(writer, &points->columns[i]);
    }
    (void)fputs("\n  </AppendedData>\n</VTKFile>\n", writer->file);
}

// File name without its folder.
static const char* points_base(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// Escape a value for an XML attribute.
static void points_put_attribute(FILE* file, const char* text)
{
    for (; *text != '\0'; ++text)
    {
        switch (*text)
        {
        case '&':
            (void)fputs("&amp;", file);
            break;
        case '<':
            (void)fputs("&lt;", file);
            break;
        case '"':
            (void)fputs("&quot;", file);
            break;
        default:
            (void)putc(*text, file);
        }
    }
}

static void points_write_pvd(points_writer* writer)
{
    (void)fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                "byte_order=\"LittleEndian\">\n  <Collection>\n",
                writer->file);
    for (int32_t i = 0; i < writer->frame_count; ++i)
    {
        char time[WADI_IO_NUMBER];
        (void)fprintf(writer->file, "    <DataSet timestep=\"%s\" part=\"0\" file=\"",
                      wadi_io_number_text(writer->frames[i].time, 9, time));
        points_put_attribute(writer->file, points_base(writer->frames[i].path));
        (void)fputs("\"/>\n", writer->file);
    }
    (void)fputs("  </Collection>\n</VTKFile>\n", writer->file);
}

// --- PLY ---

static void points_ply_header(points_writer* writer)
{
    static const char* const axes[] = {"_x\n", "_y\n", "_z\n"};
    (void)fputs("ply\nformat binary_little_endian 1.0\n", writer->file);
    wadi_io_tags_print(writer->points->tags, "comment ", writer->file);
    (void)fprintf(writer->file,
                  "comment metres, z up, x east, y north\n"
                  "element vertex %d\nproperty float x\nproperty float y\nproperty float z\n",
                  writer->points->count);
    for (int32_t i = 0; i < writer->points->column_count; ++i)
    {
        const wadi_io_column* column = &writer->points->columns[i];
        for (int32_t k = 0; k < column->components; ++k)
        {
            (void)fprintf(writer->file, "property %s %s", column->real != NULL ? "float" : "int",
                          column->name);
            (void)fputs(column->components > 1 ? axes[k] : "\n", writer->file);
        }
    }
    (void)fputs("end_header\n", writer->file);
}

static void points_ply_point(points_writer* writer, int64_t i)
{
    const wadi_io_points* points = writer->points;
    for (int k = 0; k < 3; ++k)
    {
        points_put_float(writer->file, points->positions[i][k]);
    }
    for (int32_t c = 0; c < points->column_count; ++c)
    {
        const wadi_io_column* column = &points->columns[c];
        for (int64_t k = i * column->components; k < (i + 1) * column->components; ++k)
        {
            if (column->real != NULL)
            {
                points_put_float(writer->file, column->real[k]);
            }
            else
            {
                points_put(writer->file, (uint32_t)column->whole[k], 4);
            }
        }
    }
}

static void points_write_ply(points_writer* writer)
{
    points_ply_header(writer);
    for (int64_t i = 0; i < writer->points->count; ++i)
    {
        points_ply_point(writer, i);
    }
}

// --- files ---

static bool points_ends_with(const char* path, const char* extension)
{
    const size_t length = strlen(path);
    const size_t tail = strlen(extension);
    return length > tail && strcasecmp(path + length - tail, extension) == 0;
}

wadi_result wadi_io_points_check_writable(wadi_context* context, const char* path)
{
    return points_ends_with(path, ".vtp") || points_ends_with(path, ".ply")
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s: points are written as .vtp (ParaView) or .ply (Blender)",
                                   path);
}

static wadi_result points_write_file(wadi_context* context, points_writer* writer,
                                     points_write* write, const char* path)
{
    errno = 0;
    writer->file = fopen(path, "wb");
    if (writer->file != NULL)
    {
        write(writer);
    }
    return wadi_io_close_written(context, writer->file);
}

static wadi_result points_replace(wadi_context* context, points_writer* writer, points_write* write,
                                  const char* path)
{
    wadi_io_replacement replacement;
    wadi_result result = wadi_io_replace_begin(context, path, &replacement);
    if (result != WADI_OK)
    {
        return result;
    }
    result = points_write_file(context, writer, write, replacement.path);
    return result == WADI_OK ? wadi_io_replace_commit(context, &replacement)
                             : wadi_io_replace_abort(context, &replacement, result);
}

wadi_result wadi_io_points_write(wadi_context* context, const wadi_io_points* points,
                                 const char* path)
{
    const wadi_result result = wadi_io_points_check_writable(context, path);
    points_writer writer = {.points = points};
    return result != WADI_OK
               ? result
               : points_replace(
                     context, &writer,
                     points_ends_with(path, ".vtp") ? points_write_vtp : points_write_ply, path);
}

wadi_result wadi_io_series_write(wadi_context* context, const wadi_io_frame* frames, int32_t count,
                                 const char* path)
{
    points_writer writer = {.frames = frames, .frame_count = count};
    return points_replace(context, &writer, points_write_pvd, path);
}
