// SPDX-License-Identifier: MIT
#include "table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TABLE_LINE = 4096,
    TABLE_COLUMNS = 64 // of a file
};

typedef struct table_reader
{
    wadi_context* context;
    const wadi_table_info* table;
    const char* path;
    FILE* file;
    int32_t line;
    char text[TABLE_LINE];
    char* cells[TABLE_COLUMNS]; // of the line
    int32_t count;
    int32_t columns[TABLE_COLUMNS]; // of the table: where the file has it
} table_reader;

// Cut a line into cells without the blanks around them.
static void table_split(table_reader* r)
{
    r->count = 0;
    char* next = r->text;
    while (next != NULL && r->count < TABLE_COLUMNS)
    {
        char* comma = strchr(next, ',');
        char* end = comma != NULL ? comma : next + strlen(next);
        char* begin = next + strspn(next, " \t\"");
        while (end > begin && strchr(" \t\r\n\"", end[-1]) != NULL)
        {
            --end;
        }
        next = comma != NULL ? comma + 1 : NULL;
        *end = '\0';
        r->cells[r->count++] = begin;
    }
}

// Spreadsheets put these three bytes before the text of a file.
static void table_skip_mark(table_reader* r)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t length = sizeof mark - 1;
    if (r->line == 1 && strncmp(r->text, mark, length) == 0)
    {
        memmove(r->text, r->text + length, strlen(r->text + length) + 1);
    }
}

// The next line that says something; `found` is false at the end.
static wadi_result table_next(table_reader* r, bool* found)
{
    *found = false;
    while (!*found && fgets(r->text, sizeof r->text, r->file) != NULL)
    {
        ++r->line;
        if (strlen(r->text) == sizeof r->text - 1 && r->text[sizeof r->text - 2] != '\n')
        {
            return wadi_context_fail(
                r->context, WADI_ERROR_FORMAT,
                "%s:%d: the line is too long for a table; the most is %d bytes", r->path, r->line,
                TABLE_LINE - 2);
        }
        table_skip_mark(r);
        const size_t blank = strspn(r->text, " \t\r\n");
        *found = r->text[blank] != '\0' && r->text[blank] != '#';
    }
    if (ferror(r->file) != 0)
    {
        return wadi_context_fail(r->context, WADI_ERROR_IO, "cannot read %s: %s", r->path,
                                 strerror(errno));
    }
    if (*found)
    {
        table_split(r);
    }
    return WADI_OK;
}

static wadi_result table_read_names(table_reader* r)
{
    bool found;
    const wadi_result result = table_next(r, &found);
    if (result != WADI_OK)
    {
        return result;
    }
    if (!found)
    {
        return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                                 "%s: the table is empty; its first line names the columns",
                                 r->path);
    }
    for (int32_t i = 0; i < r->table->column_count; ++i)
    {
        const char* name = r->table->columns[i].name;
        r->columns[i] = -1;
        for (int32_t k = 0; k < r->count; ++k)
        {
            r->columns[i] = strcmp(r->cells[k], name) == 0 ? k : r->columns[i];
        }
        if (r->columns[i] < 0)
        {
            return wadi_context_fail(
                r->context, WADI_ERROR_FORMAT,
                "%s:%d: there is no column '%s' [%s], which the table %s needs", r->path, r->line,
                name, r->table->columns[i].unit, r->table->name);
        }
    }
    return WADI_OK;
}

static wadi_result table_read_row(const table_reader* r, double* out)
{
    for (int32_t i = 0; i < r->table->column_count; ++i)
    {
        const int32_t column = r->columns[i];
        const char* text = column < r->count ? r->cells[column] : "";
        const char* end;
        const double value = wadi_number_parse(text, &end);
        if (end == text || *end != '\0')
        {
            return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                                     "%s:%d: %s is '%s', expected a number in %s", r->path, r->line,
                                     r->table->columns[i].name, text, r->table->columns[i].unit);
        }
        if (out != NULL)
        {
            out[i] = value;
        }
    }
    return WADI_OK;
}

static wadi_result table_read_rows(table_reader* r, double* out, int32_t capacity, int32_t* rows)
{
    bool found;
    wadi_result result = table_next(r, &found);
    while (result == WADI_OK && found)
    {
        double* row =
            *rows < capacity ? out + (size_t)*rows * (size_t)r->table->column_count : NULL;
        result = table_read_row(r, row);
        *rows += result == WADI_OK ? 1 : 0;
        result = result == WADI_OK ? table_next(r, &found) : result;
    }
    return result;
}

wadi_result wadi_io_table_read(wadi_context* context, const char* path,
                               const wadi_table_info* table, double* out, int32_t capacity,
                               int32_t* rows)
{
    table_reader r = {.context = context, .table = table, .path = path};
    *rows = 0;
    r.file = fopen(path, "r");
    if (r.file == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_IO, "cannot read %s: %s", path,
                                 strerror(errno));
    }
    wadi_result result = table_read_names(&r);
    result = result == WADI_OK ? table_read_rows(&r, out, capacity, rows) : result;
    (void)fclose(r.file);
    return result;
}
