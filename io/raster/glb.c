// SPDX-License-Identifier: MIT
// glTF 2.0 in one binary file (.glb): the surface as a mesh in metres, y up, x east, z south, the
// middle of the grid at the origin. Coarser meshes of the same surface follow as levels of detail
// by the extension MSFT_lod. A vertex is the centre of a cell with data; cells without data become
// holes.
#include "io/raster/formats.h"
#include "io/replace.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    GLB_MAGIC = 0x46546C67, // "glTF"
    GLB_JSON = 0x4E4F534A,  // "JSON"
    GLB_BIN = 0x004E4942,   // "BIN"
    GLB_VERTEX = 32,        // [bytes] of a vertex: position, normal, place on the map
    GLB_FLOAT = 5126,
    GLB_UINT = 5125,
    GLB_VERTICES = 34962, // targets of buffer views
    GLB_INDICES = 34963
};

// One level of detail: every `step`-th cell, and the last ones of rows and columns.
typedef struct glb_level
{
    int32_t step;
    int32_t width; // [vertices], holes included
    int32_t height;
    int32_t* number; // of each vertex, from 0; -1: none
    uint32_t vertices;
    uint32_t indices;
    float low[3]; // corners of the box about the positions
    float high[3];
} glb_level;

typedef struct glb_writer
{
    const wadi_io_raster* raster;
    glb_level levels[WADI_IO_LEVELS_MOST];
    int32_t count;
    FILE* file;
} glb_writer;

// ---- levels -------------------------------------------------------------------------------------

// Column or row of the grid on which a vertex stands.
static int32_t glb_at(int32_t index, int32_t step, int32_t cells)
{
    const int64_t at = (int64_t)index * step;
    return at < cells ? (int32_t)at : cells - 1;
}

static int32_t glb_side(int32_t cells, int32_t step)
{
    return (cells - 1 + step - 1) / step + 1;
}

static float glb_value(const wadi_io_raster* raster, int32_t x, int32_t y)
{
    return raster->values[(int64_t)y * raster->width + x];
}

static void glb_place(const wadi_io_raster* raster, int32_t x, int32_t y, float out[3])
{
    out[0] = (float)((x - 0.5 * (raster->width - 1)) * raster->dx);
    out[1] = glb_value(raster, x, y);
    out[2] = (float)((y - 0.5 * (raster->height - 1)) * raster->dy);
}

// Slope between the neighbours along an axis, one-sided at borders and holes.
static double glb_slope(float before, float here, float after, double cell)
{
    const bool has_before = !isnan(before);
    const bool has_after = !isnan(after);
    const double low = (double)(has_before ? before : here);
    const double high = (double)(has_after ? after : here);
    const double span = cell * ((has_before ? 1 : 0) + (has_after ? 1 : 0));
    return span > 0.0 ? (high - low) / span : 0.0;
}

static void glb_normal(const wadi_io_raster* r, int32_t x, int32_t y, float out[3])
{
    const float here = glb_value(r, x, y);
    const double east = glb_slope(x > 0 ? glb_value(r, x - 1, y) : NAN, here,
                                  x + 1 < r->width ? glb_value(r, x + 1, y) : NAN, r->dx);
    const double south = glb_slope(y > 0 ? glb_value(r, x, y - 1) : NAN, here,
                                   y + 1 < r->height ? glb_value(r, x, y + 1) : NAN, r->dy);
    const double length = sqrt(east * east + south * south + 1.0);
    out[0] = (float)(-east / length);
    out[1] = (float)(1.0 / length);
    out[2] = (float)(-south / length);
}

// Two triangles for four neighbouring vertices, counter-clockwise from above; `visit` NULL: count.
static uint32_t glb_faces(const glb_level* level, void (*visit)(FILE* file, const int32_t* vertex),
                          FILE* file)
{
    uint32_t count = 0;
    for (int32_t y = 0; y + 1 < level->height; ++y)
    {
        const int32_t* north = level->number + (int64_t)y * level->width;
        const int32_t* south = north + level->width;
        for (int32_t x = 0; x + 1 < level->width; ++x)
        {
            const int32_t faces[2][3] = {{north[x], south[x], north[x + 1]},
                                         {north[x + 1], south[x], south[x + 1]}};
            for (int i = 0; i < 2; ++i)
            {
                if (faces[i][0] >= 0 && faces[i][1] >= 0 && faces[i][2] >= 0)
                {
                    count += 3;
                    if (visit != NULL)
                    {
                        visit(file, faces[i]);
                    }
                }
            }
        }
    }
    return count;
}

static void glb_take_vertex(const wadi_io_raster* raster, glb_level* level, int32_t x, int32_t y,
                            int32_t* number)
{
    float place[3];
    glb_place(raster, x, y, place);
    *number = -1;
    if (isnan(place[1]))
    {
        return;
    }
    for (int i = 0; i < 3; ++i)
    {
        level->low[i] = level->vertices == 0 ? place[i] : fminf(level->low[i], place[i]);
        level->high[i] = level->vertices == 0 ? place[i] : fmaxf(level->high[i], place[i]);
    }
    *number = (int32_t)level->vertices++;
}

static bool glb_level_begin(const wadi_io_raster* raster, int32_t index, glb_level* level)
{
    level->step = 1 << index;
    level->width = glb_side(raster->width, level->step);
    level->height = glb_side(raster->height, level->step);
    level->number = malloc((size_t)level->width * (size_t)level->height * sizeof *level->number);
    for (int32_t y = 0; level->number != NULL && y < level->height; ++y)
    {
        for (int32_t x = 0; x < level->width; ++x)
        {
            glb_take_vertex(raster, level, glb_at(x, level->step, raster->width),
                            glb_at(y, level->step, raster->height),
                            &level->number[(int64_t)y * level->width + x]);
        }
    }
    level->indices = level->number != NULL ? glb_faces(level, NULL, NULL) : 0;
    return level->number != NULL;
}

// ---- description --------------------------------------------------------------------------------

static json_t* glb_numbers(const float* values, int count)
{
    json_t* out = json_array();
    for (int i = 0; i < count; ++i)
    {
        (void)json_array_append_new(out, json_real((double)values[i]));
    }
    return out;
}

static json_t* glb_accessor(int32_t view, int64_t offset, int type, uint32_t count,
                            const char* shape)
{
    return json_pack("{s:i, s:I, s:i, s:I, s:s}", "bufferView", view, "byteOffset",
                     (json_int_t)offset, "componentType", type, "count", (json_int_t)count, "type",
                     shape);
}

// Views of the buffer, accessors, mesh and node of a level.
static void glb_describe_level(const glb_writer* writer, int32_t index, json_int_t offset,
                               json_t* root)
{
    const glb_level* level = &writer->levels[index];
    const json_int_t vertices = (json_int_t)level->vertices * GLB_VERTEX;
    json_t* views = json_object_get(root, "bufferViews");
    json_t* accessors = json_object_get(root, "accessors");
    const int a = 4 * index;
    (void)json_array_append_new(views, json_pack("{s:i, s:I, s:I, s:i, s:i}", "buffer", 0,
                                                 "byteOffset", offset, "byteLength", vertices,
                                                 "byteStride", GLB_VERTEX, "target", GLB_VERTICES));
    (void)json_array_append_new(
        views, json_pack("{s:i, s:I, s:I, s:i}", "buffer", 0, "byteOffset", offset + vertices,
                         "byteLength", (json_int_t)level->indices * 4, "target", GLB_INDICES));
    json_t* place = glb_accessor(2 * index, 0, GLB_FLOAT, level->vertices, "VEC3");
    (void)json_object_set_new(place, "min", glb_numbers(level->low, 3));
    (void)json_object_set_new(place, "max", glb_numbers(level->high, 3));
    (void)json_array_append_new(accessors, place);
    (void)json_array_append_new(accessors,
                                glb_accessor(2 * index, 12, GLB_FLOAT, level->vertices, "VEC3"));
    (void)json_array_append_new(accessors,
                                glb_accessor(2 * index, 24, GLB_FLOAT, level->vertices, "VEC2"));
    (void)json_array_append_new(accessors,
                                glb_accessor(2 * index + 1, 0, GLB_UINT, level->indices, "SCALAR"));
    (void)json_array_append_new(json_object_get(root, "meshes"),
                                json_pack("{s:[{s:{s:i, s:i, s:i}, s:i, s:i}]}", "primitives",
                                          "attributes", "POSITION", a, "NORMAL", a + 1,
                                          "TEXCOORD_0", a + 2, "indices", a + 3, "material", 0));
    char name[32];
    (void)snprintf(name, sizeof name, "terrain_lod%d", index);
    (void)json_array_append_new(json_object_get(root, "nodes"),
                                json_pack("{s:s, s:i}", "name", name, "mesh", index));
}

// The first node names the others as its coarser levels, with the share of the screen's height
// below which a level gives way to the next.
static void glb_describe_lod(const glb_writer* writer, json_t* root)
{
    json_t* ids = json_array();
    json_t* shares = json_array();
    for (int32_t i = 0; i < writer->count; ++i)
    {
        if (i > 0)
        {
            (void)json_array_append_new(ids, json_integer(i));
        }
        (void)json_array_append_new(shares,
                                    json_real(i + 1 < writer->count ? ldexp(0.5, -i) : 0.0));
    }
    json_t* node = json_array_get(json_object_get(root, "nodes"), 0);
    (void)json_object_set_new(node, "extensions", json_pack("{s:{s:o}}", "MSFT_lod", "ids", ids));
    (void)json_object_set_new(node, "extras", json_pack("{s:o}", "MSFT_screencoverage", shares));
    (void)json_object_set_new(root, "extensionsUsed", json_pack("[s]", "MSFT_lod"));
}

static json_t* glb_tags(const wadi_io_tags* tags)
{
    json_t* out = json_object();
    for (int32_t i = 0; tags != NULL && i < tags->count; ++i)
    {
        if (tags->rows[i].value != NULL)
        {
            (void)json_object_set_new(out, tags->rows[i].key, json_string(tags->rows[i].value));
        }
    }
    return out;
}

static json_int_t glb_level_size(const glb_level* level)
{
    return (json_int_t)level->vertices * GLB_VERTEX + (json_int_t)level->indices * 4;
}

static char* glb_describe(const glb_writer* writer)
{
    json_t* root = json_pack(
        "{s:{s:s, s:s, s:o}, s:i, s:[{s:[i]}], s:[], s:[], s:[{s:{s:f, s:f}}], s:[], s:[], s:[]}",
        "asset", "version", "2.0", "generator", "wadi", "extras", glb_tags(writer->raster->tags),
        "scene", 0, "scenes", "nodes", 0, "nodes", "meshes", "materials", "pbrMetallicRoughness",
        "metallicFactor", 0.0, "roughnessFactor", 1.0, "accessors", "bufferViews", "buffers");
    json_int_t size = 0;
    for (int32_t i = 0; i < writer->count; ++i)
    {
        glb_describe_level(writer, i, size, root);
        size += glb_level_size(&writer->levels[i]);
    }
    (void)json_array_append_new(json_object_get(root, "buffers"),
                                json_pack("{s:I}", "byteLength", size));
    if (writer->count > 1)
    {
        glb_describe_lod(writer, root);
    }
    char* text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(root);
    return text;
}

// ---- bytes --------------------------------------------------------------------------------------

// Low byte first on every machine.
static void glb_put(FILE* file, uint32_t bits)
{
    const uint8_t bytes[4] = {(uint8_t)(bits & 0xFFu), (uint8_t)(bits >> 8 & 0xFFu),
                              (uint8_t)(bits >> 16 & 0xFFu), (uint8_t)(bits >> 24)};
    (void)fwrite(bytes, 1, sizeof bytes, file);
}

static void glb_put_floats(FILE* file, const float* values, int count)
{
    for (int i = 0; i < count; ++i)
    {
        uint32_t bits = 0;
        memcpy(&bits, &values[i], sizeof bits);
        glb_put(file, bits);
    }
}

static void glb_put_face(FILE* file, const int32_t* vertex)
{
    for (int i = 0; i < 3; ++i)
    {
        glb_put(file, (uint32_t)vertex[i]);
    }
}

static void glb_put_vertex(FILE* file, const wadi_io_raster* raster, int32_t x, int32_t y)
{
    float values[8];
    glb_place(raster, x, y, values);
    if (!isnan(values[1]))
    {
        glb_normal(raster, x, y, values + 3);
        values[6] = (float)(((double)x + 0.5) / raster->width);
        values[7] = (float)(((double)y + 0.5) / raster->height);
        glb_put_floats(file, values, 8);
    }
}

static void glb_put_level(const glb_writer* writer, const glb_level* level)
{
    const wadi_io_raster* raster = writer->raster;
    for (int32_t y = 0; y < level->height; ++y)
    {
        for (int32_t x = 0; x < level->width; ++x)
        {
            glb_put_vertex(writer->file, raster, glb_at(x, level->step, raster->width),
                           glb_at(y, level->step, raster->height));
        }
    }
    (void)glb_faces(level, glb_put_face, writer->file);
}

static void glb_put_file(const glb_writer* writer, const char* text, uint32_t size)
{
    FILE* file = writer->file;
    const uint32_t length = (uint32_t)strlen(text);
    const uint32_t padded = (length + 3u) & ~3u;
    glb_put(file, GLB_MAGIC);
    glb_put(file, 2);
    glb_put(file, 12 + 8 + padded + 8 + size);
    glb_put(file, padded);
    glb_put(file, GLB_JSON);
    (void)fprintf(file, "%s%.*s", text, (int)(padded - length), "   ");
    glb_put(file, size);
    glb_put(file, GLB_BIN);
    for (int32_t i = 0; i < writer->count; ++i)
    {
        glb_put_level(writer, &writer->levels[i]);
    }
}

static wadi_result glb_write_file(wadi_context* context, glb_writer* writer, const char* path)
{
    json_int_t size = 0;
    for (int32_t i = 0; i < writer->count; ++i)
    {
        size += glb_level_size(&writer->levels[i]);
    }
    if (writer->levels[writer->count - 1].indices == 0 || size > UINT32_MAX - (1 << 24))
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT, "%s",
                                 size == 0 || size <= UINT32_MAX - (1 << 24)
                                     ? "a glTF mesh needs 2 x 2 cells with data or more on each "
                                       "level"
                                     : "a glTF file has at most 4 GiB; crop the terrain");
    }
    char* text = glb_describe(writer);
    if (text == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory");
    }
    errno = 0;
    writer->file = fopen(path, "wb");
    if (writer->file != NULL)
    {
        glb_put_file(writer, text, (uint32_t)size);
    }
    free(text);
    return wadi_io_close_written(context, writer->file);
}

wadi_result wadi_io_glb_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path)
{
    (void)sidecar;
    if (raster->geographic)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "a mesh is in metres but this grid is in degrees; use "
                                 "--grid working (erode) or --preset (convert)");
    }
    glb_writer writer = {.raster = raster, .count = raster->levels > 0 ? raster->levels : 1};
    bool begun = true;
    for (int32_t i = 0; i < writer.count && begun; ++i)
    {
        begun = glb_level_begin(raster, i, &writer.levels[i]);
    }
    const wadi_result result =
        begun ? glb_write_file(context, &writer, path)
              : wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for a mesh");
    for (int32_t i = 0; i < writer.count; ++i)
    {
        free(writer.levels[i].number);
    }
    return result;
}
