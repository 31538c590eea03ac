// SPDX-License-Identifier: MIT
#include "io/points/grain_tables.h"

#include "io/number_text.h"
#include "io/points/points.h"
#include "io/replace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// --- contacts ---

enum
{
    TABLES_REALS = 14,
    TABLES_WHOLES = 3
};

// Columns of a file of contacts in one allocation.
typedef struct contact_columns
{
    double (*positions)[3];
    double (*normals)[3];
    double (*branches)[3];
    double (*tangential)[3];
    double* overlaps;
    double* forces;
    int32_t* wholes[TABLES_WHOLES];
} contact_columns;

static bool tables_allocate(int64_t count, contact_columns* out)
{
    const size_t n = (size_t)count;
    double* block = malloc((n + 1) * (TABLES_REALS * sizeof(double) + //
                                      TABLES_WHOLES * sizeof(int32_t)));
    if (block == NULL)
    {
        return false;
    }
    *out = (contact_columns){.positions = (double(*)[3])block,
                             .normals = (double(*)[3])(block + 3 * n),
                             .branches = (double(*)[3])(block + 6 * n),
                             .tangential = (double(*)[3])(block + 9 * n),
                             .overlaps = block + 12 * n,
                             .forces = block + 13 * n};
    int32_t* wholes = (int32_t*)(block + (size_t)TABLES_REALS * n);
    for (size_t k = 0; k < TABLES_WHOLES; ++k)
    {
        out->wholes[k] = wholes + k * n;
    }
    return true;
}

static void tables_split(const wadi_grain_contact* contacts, int64_t count, contact_columns* out)
{
    for (int64_t i = 0; i < count; ++i)
    {
        const wadi_grain_contact* contact = &contacts[i];
        memcpy(out->positions[i], contact->point, sizeof contact->point);
        memcpy(out->normals[i], contact->normal, sizeof contact->normal);
        memcpy(out->branches[i], contact->branch, sizeof contact->branch);
        memcpy(out->tangential[i], contact->tangential, sizeof contact->tangential);
        out->overlaps[i] = contact->overlap;
        out->forces[i] = contact->normal_force;
        out->wholes[0][i] = contact->kind;
        out->wholes[1][i] = contact->first;
        out->wholes[2][i] = contact->second;
    }
}

wadi_result wadi_io_contacts_write(wadi_context* context, const wadi_grain_contact* contacts,
                                   int64_t count, const wadi_io_tags* tags, const char* path)
{
    contact_columns at;
    if (count > INT32_MAX || !tables_allocate(count, &at))
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for %lld contacts",
                                 (long long)count);
    }
    tables_split(contacts, count, &at);
    const wadi_io_column columns[] = {
        {.name = "kind", .components = 1, .whole = at.wholes[0]},
        {.name = "first", .components = 1, .whole = at.wholes[1]},
        {.name = "second", .components = 1, .whole = at.wholes[2]},
        {.name = "normal", .components = 3, .real = at.normals[0]},
        {.name = "branch", .components = 3, .real = at.branches[0]},
        {.name = "overlap", .components = 1, .real = at.overlaps},
        {.name = "normal_force", .components = 1, .real = at.forces},
        {.name = "tangential_force", .components = 3, .real = at.tangential[0]},
    };
    const wadi_io_points points = {.count = (int32_t)count,
                                   .positions = (const double(*)[3])at.positions,
                                   .columns = columns,
                                   .column_count = sizeof columns / sizeof columns[0],
                                   .tags = tags};
    const wadi_result result = wadi_io_points_write(context, &points, path);
    free(at.positions);
    return result;
}

// --- fields ---

typedef struct field_column
{
    const char* name;
    int components;
    size_t offset; // of the first double in a cell
} field_column;

static const field_column tables_fields[] = {
    {"density", 1, offsetof(wadi_grain_cell, density)},
    {"solid", 1, offsetof(wadi_grain_cell, solid)},
    {"number", 1, offsetof(wadi_grain_cell, number)},
    {"velocity", 3, offsetof(wadi_grain_cell, velocity)},
    {"kinetic_stress", 9, offsetof(wadi_grain_cell, kinetic)},
    {"contact_stress", 9, offsetof(wadi_grain_cell, contact)},
    {"temperature", 1, offsetof(wadi_grain_cell, temperature)},
    {"coordination", 1, offsetof(wadi_grain_cell, coordination)},
    {"wall_force", 3, offsetof(wadi_grain_cell, wall)},
};

static void tables_put(FILE* file, double value, char end)
{
    char text[WADI_IO_NUMBER];
    (void)fprintf(file, "%s%c", wadi_io_number_text(value, 17, text), end);
}

static void tables_write_field(FILE* file, const field_column* column, const wadi_grain_cell* cells,
                               int64_t count)
{
    (void)fprintf(file,
                  "        <DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"%d\" "
                  "format=\"ascii\">\n",
                  column->name, column->components);
    for (int64_t i = 0; i < count; ++i)
    {
        const char* cell = (const char*)&cells[i] + column->offset;
        for (int k = 0; k < column->components; ++k)
        {
            double value = 0.0;
            memcpy(&value, cell + (size_t)k * sizeof value, sizeof value);
            tables_put(file, value, k + 1 < column->components ? ' ' : '\n');
        }
    }
    (void)fputs("        </DataArray>\n", file);
}

static void tables_write_fields(FILE* file, const wadi_grain_grid* grid,
                                const wadi_grain_cell* cells)
{
    char extent[80];
    (void)snprintf(extent, sizeof extent, "0 %d 0 %d 0 %d", grid->cells[0], grid->cells[1],
                   grid->cells[2]);
    (void)fprintf(file,
                  "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" "
                  "byte_order=\"LittleEndian\">\n  <ImageData WholeExtent=\"%s\" Origin=\"",
                  extent);
    for (int c = 0; c < 3; ++c)
    {
        tables_put(file, grid->low[c], c < 2 ? ' ' : '"');
    }
    (void)fputs(" Spacing=\"", file);
    for (int c = 0; c < 3; ++c)
    {
        tables_put(file, grid->cell_size, c < 2 ? ' ' : '"');
    }
    (void)fprintf(file, ">\n    <Piece Extent=\"%s\">\n      <CellData>\n", extent);
    const int64_t count = (int64_t)grid->cells[0] * grid->cells[1] * grid->cells[2];
    for (size_t k = 0; k < sizeof tables_fields / sizeof tables_fields[0]; ++k)
    {
        tables_write_field(file, &tables_fields[k], cells, count);
    }
    (void)fputs("      </CellData>\n    </Piece>\n  </ImageData>\n</VTKFile>\n", file);
}

wadi_result wadi_io_fields_check_writable(wadi_context* context, const char* path)
{
    const size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".vti") == 0
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s: fields are written as .vti (ParaView)", path);
}

wadi_result wadi_io_fields_write(wadi_context* context, const wadi_grain_grid* grid,
                                 const wadi_grain_cell* cells, const char* path)
{
    wadi_io_replacement replacement;
    wadi_result result = wadi_io_fields_check_writable(context, path);
    result = result == WADI_OK ? wadi_io_replace_begin(context, path, &replacement) : result;
    if (result != WADI_OK)
    {
        return result;
    }
    errno = 0;
    FILE* file = fopen(replacement.path, "wb");
    if (file != NULL)
    {
        tables_write_fields(file, grid, cells);
    }
    result = wadi_io_close_written(context, file);
    return result == WADI_OK ? wadi_io_replace_commit(context, &replacement)
                             : wadi_io_replace_abort(context, &replacement, result);
}
