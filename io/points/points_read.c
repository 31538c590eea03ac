// SPDX-License-Identifier: MIT
// PLY reader. The vertices must be the first element, as modelling programs and our writer put
// them; a file with lists (faces) before them is refused.
#include "io/points/points_read.h"

#include <wadi/field.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PLY_LINE = 4096,
    PLY_PROPERTIES = 64,
    PLY_MOST = 50000000 // points, the maximum number of grains
};

typedef enum ply_format
{
    PLY_NONE,
    PLY_TEXT,
    PLY_LOW_FIRST,
    PLY_HIGH_FIRST
} ply_format;

typedef enum ply_kind
{
    PLY_SIGNED,
    PLY_UNSIGNED,
    PLY_REAL
} ply_kind;

typedef struct ply_type
{
    const char* name;
    const char* also;
    ply_kind kind;
    int bytes;
} ply_type;

static const ply_type ply_types[] = {
    {"char", "int8", PLY_SIGNED, 1},   {"uchar", "uint8", PLY_UNSIGNED, 1},
    {"short", "int16", PLY_SIGNED, 2}, {"ushort", "uint16", PLY_UNSIGNED, 2},
    {"int", "int32", PLY_SIGNED, 4},   {"uint", "uint32", PLY_UNSIGNED, 4},
    {"float", "float32", PLY_REAL, 4}, {"double", "float64", PLY_REAL, 8},
};

typedef struct ply_reader
{
    wadi_context* context;
    const char* path;
    FILE* file;
    const wadi_io_property* wanted;
    int32_t wanted_count;
    int32_t line;
    char text[PLY_LINE];

    ply_format format;
    int32_t count;      // points
    bool has_header;    // the header has been read
    bool in_points;     // the current element is "vertex"
    bool is_after;      // the current element follows "vertex"
    int32_t properties; // per point
    const ply_type* types[PLY_PROPERTIES];
    int32_t columns[PLY_PROPERTIES]; // column in the result of each property, or -1
} ply_reader;

// --- header ---

static wadi_result ply_fail_line(const ply_reader* r, const char* what)
{
    return wadi_context_fail(r->context, WADI_ERROR_FORMAT, "%s:%d: %s; got '%.60s'", r->path,
                             r->line, what, r->text);
}

static wadi_result ply_next_line(ply_reader* r)
{
    r->line += 1;
    if (fgets(r->text, sizeof r->text, r->file) == NULL)
    {
        return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                                 "%s:%d: the file ends before its %s", r->path, r->line,
                                 r->has_header ? "points do" : "header does");
    }
    r->text[strcspn(r->text, "\r\n")] = '\0';
    return WADI_OK;
}

static wadi_result ply_read_format(ply_reader* r, const char* name)
{
    static const char* const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    for (int i = 0; i < 3; ++i)
    {
        if (strcmp(name, names[i]) == 0)
        {
            r->format = (ply_format)(PLY_TEXT + i);
            return WADI_OK;
        }
    }
    return ply_fail_line(r, "the format is ascii, binary_little_endian or binary_big_endian");
}

static wadi_result ply_read_element(ply_reader* r, const char* name, const char* number)
{
    r->is_after = r->is_after || r->in_points;
    r->in_points = strcmp(name, "vertex") == 0;
    if (!r->in_points)
    {
        return r->is_after ? WADI_OK
                           : ply_fail_line(r, "the first element must be 'element vertex'");
    }
    char* end = NULL;
    const long long count = strtoll(number, &end, 10);
    if (end == number || *end != '\0' || count < 1 || count > PLY_MOST)
    {
        return ply_fail_line(r, "the number of points must be between 1 and 50000000");
    }
    r->count = (int32_t)count;
    return WADI_OK;
}

static const ply_type* ply_find_type(const char* name)
{
    for (size_t i = 0; i < sizeof ply_types / sizeof ply_types[0]; ++i)
    {
        if (strcmp(ply_types[i].name, name) == 0 || strcmp(ply_types[i].also, name) == 0)
        {
            return &ply_types[i];
        }
    }
    return NULL;
}

static wadi_result ply_read_property(ply_reader* r, const char* type, const char* name)
{
    if (!r->in_points)
    {
        return WADI_OK;
    }
    const ply_type* known = ply_find_type(type);
    if (known == NULL)
    {
        return ply_fail_line(r, "a property of a point is a char, short, int, float or double");
    }
    if (r->properties == PLY_PROPERTIES)
    {
        return ply_fail_line(r, "a point has at most 64 properties");
    }
    int32_t column = -1;
    for (int32_t i = 0; i < r->wanted_count; ++i)
    {
        column = strcmp(r->wanted[i].name, name) == 0 ? i : column;
    }
    r->columns[r->properties] = column;
    r->types[r->properties++] = known;
    return WADI_OK;
}

// Split a line at blanks into three words; missing words are "".
static void ply_split(char* text, char* words[3])
{
    for (int i = 0; i < 3; ++i)
    {
        text += strspn(text, " \t");
        words[i] = text;
        text += strcspn(text, " \t");
        if (*text != '\0')
        {
            *text++ = '\0';
        }
    }
}

static wadi_result ply_read_header_line(ply_reader* r, bool* ends)
{
    char line[PLY_LINE];
    char* words[3];
    memcpy(line, r->text, sizeof line);
    ply_split(line, words);
    *ends = strcmp(words[0], "end_header") == 0;
    return strcmp(words[0], "format") == 0     ? ply_read_format(r, words[1])
           : strcmp(words[0], "element") == 0  ? ply_read_element(r, words[1], words[2])
           : strcmp(words[0], "property") == 0 ? ply_read_property(r, words[1], words[2])
           : *ends || strcmp(words[0], "comment") == 0 || strcmp(words[0], "obj_info") == 0
               ? WADI_OK
               : ply_fail_line(r, "expected format, element, property, comment or end_header");
}

// Check that required properties are present and none is repeated.
static wadi_result ply_check_properties(const ply_reader* r)
{
    for (int32_t i = 0; i < r->wanted_count; ++i)
    {
        int32_t found = 0;
        for (int32_t k = 0; k < r->properties; ++k)
        {
            found += r->columns[k] == i;
        }
        if (found > 1 || (found == 0 && r->wanted[i].is_needed))
        {
            return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                                     "%s: the points have %s property '%s'; expected exactly one",
                                     r->path, found > 1 ? "more than one" : "no",
                                     r->wanted[i].name);
        }
    }
    return WADI_OK;
}

static wadi_result ply_read_header(ply_reader* r)
{
    wadi_result result = ply_next_line(r);
    if (result != WADI_OK || strcmp(r->text, "ply") != 0)
    {
        return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                                 "%s is not a PLY file: it does not begin with 'ply'", r->path);
    }
    for (bool ends = false; !ends && result == WADI_OK;)
    {
        result = ply_next_line(r);
        result = result == WADI_OK ? ply_read_header_line(r, &ends) : result;
    }
    if (result == WADI_OK && (r->format == PLY_NONE || r->count == 0))
    {
        return wadi_context_fail(r->context, WADI_ERROR_FORMAT, "%s: no %s in the header", r->path,
                                 r->format == PLY_NONE ? "format" : "points (element vertex)");
    }
    r->has_header = true;
    return result == WADI_OK ? ply_check_properties(r) : result;
}

// --- points ---

static wadi_result ply_fail_point(const ply_reader* r, int32_t point, const char* what)
{
    return wadi_context_fail(r->context, WADI_ERROR_FORMAT, "%s: point %d of %d %s", r->path,
                             point + 1, r->count, what);
}

static double ply_number(const ply_type* type, uint64_t bits)
{
    if (type->kind == PLY_UNSIGNED)
    {
        return (double)bits;
    }
    if (type->kind == PLY_SIGNED)
    {
        const uint64_t sign = 1ull << (8 * type->bytes - 1);
        return (double)(bits & (sign - 1)) - (double)(bits & sign);
    }
    if (type->bytes == 4)
    {
        const uint32_t narrow = (uint32_t)bits;
        float value;
        memcpy(&value, &narrow, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool ply_read_binary(const ply_reader* r, const ply_type* type, double* out)
{
    unsigned char bytes[8];
    if (fread(bytes, 1, (size_t)type->bytes, r->file) != (size_t)type->bytes)
    {
        return false;
    }
    uint64_t bits = 0;
    for (int i = 0; i < type->bytes; ++i)
    {
        const int from = r->format == PLY_HIGH_FIRST ? i : type->bytes - 1 - i;
        bits = bits << 8 | bytes[from];
    }
    *out = ply_number(type, bits);
    return true;
}

// Read the next number of a text line.
static bool ply_read_text(const char** text, double* out)
{
    *text += strspn(*text, " \t");
    const char* end;
    *out = wadi_number_parse(*text, &end);
    const bool found = end != *text && (*end == '\0' || *end == ' ' || *end == '\t');
    *text = end;
    return found;
}

static wadi_result ply_read_point(ply_reader* r, int32_t point, double* row)
{
    const wadi_result result = r->format == PLY_TEXT ? ply_next_line(r) : WADI_OK;
    const char* text = r->text;
    for (int32_t i = 0; i < r->wanted_count; ++i)
    {
        row[i] = r->wanted[i].otherwise;
    }
    for (int32_t k = 0; k < r->properties && result == WADI_OK; ++k)
    {
        double value = 0.0;
        const bool found = r->format == PLY_TEXT ? ply_read_text(&text, &value)
                                                 : ply_read_binary(r, r->types[k], &value);
        if (!found)
        {
            return ply_fail_point(r, point, "is cut short or contains text that is not a number");
        }
        if (r->columns[k] >= 0 && !isfinite(value))
        {
            return ply_fail_point(r, point, "has a value that is not finite");
        }
        row[r->columns[k] >= 0 ? r->columns[k] : r->wanted_count] = value;
    }
    return result;
}

// Read all points. Rows have one extra column for the properties that are skipped.
static wadi_result ply_read_points(ply_reader* r, double** out)
{
    const size_t stride = (size_t)r->wanted_count;
    double* rows = malloc(((size_t)r->count * stride + 1) * sizeof *rows);
    if (rows == NULL)
    {
        return wadi_context_fail(r->context, WADI_ERROR_MEMORY, "%s: out of memory for %d points",
                                 r->path, r->count);
    }
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < r->count && result == WADI_OK; ++i)
    {
        result = ply_read_point(r, i, rows + (size_t)i * stride);
    }
    if (result != WADI_OK)
    {
        free(rows);
        return result;
    }
    *out = rows;
    return WADI_OK;
}

wadi_result wadi_io_points_read(wadi_context* context, const char* path,
                                const wadi_io_property* wanted, int32_t wanted_count, double** out,
                                int32_t* count)
{
    *out = NULL;
    *count = 0;
    ply_reader r = {
        .context = context, .path = path, .wanted = wanted, .wanted_count = wanted_count};
    r.file = fopen(path, "rb");
    if (r.file == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_IO, "cannot open %s: %s", path,
                                 strerror(errno));
    }
    wadi_result result = ply_read_header(&r);
    result = result == WADI_OK ? ply_read_points(&r, out) : result;
    (void)fclose(r.file);
    *count = result == WADI_OK ? r.count : 0;
    return result;
}
