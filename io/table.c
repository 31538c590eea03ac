// SPDX-License-Identifier: MIT
#include "io/table.h"
#include "io/table_time.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TABLE_LINE = 4096,
    TABLE_COLUMNS = 64 // in a file
};

typedef struct table_reader
{
    wadi_context* context;
    const wadi_table_info* table;
    const char* path;
    FILE* file;
    int32_t line;
    char text[TABLE_LINE];
    char* cells[TABLE_COLUMNS]; // of the current line
    int32_t count;
    int32_t names; // columns in the file
    char separator;
    int32_t columns[TABLE_COLUMNS]; // index in the file of each column of the table
    int32_t time_column; // column of the table that is filled from times in the file, or -1
} table_reader;

// Names that weather stations and reanalyses use for columns of the tables.
static const struct
{
    const char* name;
    const char* also[4];
} table_aliases[] = {
    {"direction", {"from_deg", "wind_direction", "DIR", NULL}},
    {"speed", {"speed_m_s", "wind_speed", "VVT", NULL}},
};

// Columns of times in a file. A row lasts until the next one; this replaces the column `hours`.
static const char* const table_time_columns[] = {"time", "time_utc", "date", "Data"};

// Separator used in the first line.
static char table_separator(const char* names)
{
    return strchr(names, '\t') != NULL ? '\t' : strchr(names, ';') != NULL ? ';' : ',';
}

// Split a line into cells and trim them.
static void table_split(table_reader* r)
{
    r->count = 0;
    char* next = r->text;
    r->separator = r->separator != '\0' ? r->separator : table_separator(r->text);
    while (next != NULL && r->count < TABLE_COLUMNS)
    {
        char* comma = strchr(next, r->separator);
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

// Skip the byte order mark that spreadsheets write.
static void table_skip_byte_order_mark(table_reader* r)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t length = sizeof mark - 1;
    if (r->line == 1 && strncmp(r->text, mark, length) == 0)
    {
        memmove(r->text, r->text + length, strlen(r->text + length) + 1);
    }
}

// Read a line with its end. A byte 0 in it would hide the rest of the line.
static wadi_result table_read_line(table_reader* r, bool* read)
{
    int32_t length = 0;
    int c = 0;
    while (c != '\n' && length < TABLE_LINE - 1 && (c = fgetc(r->file)) != EOF)
    {
        if (c == '\0')
        {
            return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                                     "%s:%d: a byte 0; expected text in UTF-8, as spreadsheets "
                                     "write with 'CSV UTF-8'",
                                     r->path, r->line + 1);
        }
        r->text[length++] = (char)c;
    }
    r->text[length] = '\0';
    r->line += length > 0 ? 1 : 0;
    *read = length > 0;
    return WADI_OK;
}

// Read the next line that is neither empty nor a comment; `found` is false at the end.
static wadi_result table_next(table_reader* r, bool* found)
{
    *found = false;
    bool read = true;
    while (!*found && read)
    {
        const wadi_result line = table_read_line(r, &read);
        if (line != WADI_OK)
        {
            return line;
        }
        if (strlen(r->text) == sizeof r->text - 1 && r->text[sizeof r->text - 2] != '\n')
        {
            return wadi_context_fail(
                r->context, WADI_ERROR_FORMAT,
                "%s:%d: the line is too long for a table; the most is %d bytes", r->path, r->line,
                TABLE_LINE - 2);
        }
        table_skip_byte_order_mark(r);
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

// Index of a column in the file, or -1.
static int32_t table_find(const table_reader* r, const char* name)
{
    int32_t found = -1;
    for (int32_t k = 0; k < r->count; ++k)
    {
        found = strcmp(r->cells[k], name) == 0 ? k : found;
    }
    return found;
}

static int32_t table_find_alias(const table_reader* r, const char* name)
{
    int32_t found = -1;
    for (size_t i = 0; i < sizeof table_aliases / sizeof table_aliases[0]; ++i)
    {
        for (int32_t k = 0; found < 0 && table_aliases[i].also[k] != NULL; ++k)
        {
            found = strcmp(table_aliases[i].name, name) == 0
                        ? table_find(r, table_aliases[i].also[k])
                        : -1;
        }
    }
    return found;
}

// Index in the file of column `index` of the table, by its name or an alias; -1: none.
static int32_t table_find_column(table_reader* r, int32_t index)
{
    const char* name = r->table->columns[index].name;
    int32_t found = table_find(r, name);
    found = found >= 0 ? found : table_find_alias(r, name);
    if (found >= 0 || strcmp(name, "hours") != 0)
    {
        return found;
    }
    for (size_t i = 0; found < 0 && i < sizeof table_time_columns / sizeof table_time_columns[0];
         ++i)
    {
        found = table_find(r, table_time_columns[i]);
    }
    r->time_column = found >= 0 ? index : -1;
    return found;
}

// Fail if a column of the table stands twice in the file: nothing tells which one counts.
static wadi_result table_check_twice(const table_reader* r, int32_t column)
{
    for (int32_t k = 0; column >= 0 && k < r->count; ++k)
    {
        if (k != column && strcmp(r->cells[k], r->cells[column]) == 0)
        {
            return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                                     "%s:%d: the column '%s' is given twice; keep one of them",
                                     r->path, r->line, r->cells[column]);
        }
    }
    return WADI_OK;
}

static wadi_result table_read_names(table_reader* r)
{
    bool found;
    wadi_result result = table_next(r, &found);
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
    r->names = r->count;
    for (int32_t i = 0; i < r->table->column_count; ++i)
    {
        const char* name = r->table->columns[i].name;
        r->columns[i] = table_find_column(r, i);
        if (r->columns[i] < 0 && (r->table->optional >> i & 1) == 0)
        {
            return wadi_context_fail(
                r->context, WADI_ERROR_FORMAT,
                "%s:%d: there is no column '%s' [%s], which the table %s needs", r->path, r->line,
                name, r->table->columns[i].unit, r->table->name);
        }
        result = table_check_twice(r, r->columns[i]);
        if (result != WADI_OK)
        {
            return result;
        }
    }
    return WADI_OK;
}

static wadi_result table_fail_cell(const table_reader* r, int32_t index, const char* text)
{
    if (index == r->time_column)
    {
        return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                                 "%s:%d: '%s' is neither a time, such as 2020-01-31T13:00, nor a "
                                 "number of days",
                                 r->path, r->line, text);
    }
    const wadi_column* column = &r->table->columns[index];
    const bool has_unit = strcmp(column->unit, "1") != 0;
    const char* hint = strchr(text, ',') != NULL ? "; write decimals with a point"
                       : r->time_column >= 0     ? "; leave out rows without data"
                                                 : "";
    return wadi_context_fail(
        r->context, WADI_ERROR_FORMAT, "%s:%d: %s is '%s', expected a number%s%s%s", r->path,
        r->line, column->name, text, has_unit ? " in " : "", has_unit ? column->unit : "", hint);
}

// Fail if a value is outside the range of its column. Marks of missing data, such as -9999, are.
static wadi_result table_check_cell(const table_reader* r, int32_t index, double value)
{
    const wadi_column* column = &r->table->columns[index];
    if (index == r->time_column || (value >= column->min && value <= column->max))
    {
        return WADI_OK;
    }
    const bool has_unit = strcmp(column->unit, "1") != 0;
    const bool is_mark = value <= -99.0 || value >= 999.0;
    return wadi_context_fail(
        r->context, WADI_ERROR_RANGE, "%s:%d: %s is %g, expected %g to %g%s%s%s", r->path, r->line,
        column->name, value, column->min, column->max, has_unit ? " " : "",
        has_unit ? column->unit : "", is_mark ? "; leave out rows without data" : "");
}

// Fail if a row has values behind the last column, as rows with decimal commas have. Empty cells at
// the end are allowed.
static wadi_result table_check_length(const table_reader* r)
{
    for (int32_t k = r->names; k < r->count; ++k)
    {
        if (r->cells[k][0] != '\0')
        {
            return wadi_context_fail(
                r->context, WADI_ERROR_FORMAT, "%s:%d: the row has %d values for %d columns%s",
                r->path, r->line, k + 1, r->names,
                r->separator == ',' ? "; write decimals with a point" : "; name each column");
        }
    }
    return WADI_OK;
}

static wadi_result table_read_row(const table_reader* r, double* out)
{
    const wadi_result length = table_check_length(r);
    if (length != WADI_OK)
    {
        return length;
    }
    for (int32_t i = 0; i < r->table->column_count; ++i)
    {
        const int32_t column = r->columns[i];
        const char* given = column >= 0 && column < r->count ? r->cells[column] : "";
        const char* text = column >= 0 ? given : "0"; // an optional column
        const char* end;
        double value = wadi_number_parse(text, &end);
        const bool is_read =
            i == r->time_column ? wadi_io_time_parse(text, &value) : end != text && *end == '\0';
        if (!is_read)
        {
            return table_fail_cell(r, i, text);
        }
        const wadi_result result = table_check_cell(r, i, value);
        if (result != WADI_OK)
        {
            return result;
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

// Note rows that last over three times as long as the others do on average: most are gaps of a
// record.
static void table_note_gaps(const table_reader* r, const double* hours, int32_t rows)
{
    const int32_t stride = r->table->column_count;
    double sum = 0.0;
    double longest = 0.0;
    for (int32_t i = 0; i + 1 < rows; ++i)
    {
        const double lasts = hours[(ptrdiff_t)i * stride];
        sum += lasts;
        longest = lasts > longest ? lasts : longest;
    }
    const double usual = rows > 2 ? (sum - longest) / (rows - 2) : longest;
    int32_t gaps = 0;
    int32_t first = 0;
    for (int32_t i = rows - 2; i >= 0; --i)
    {
        const bool is_gap = hours[(ptrdiff_t)i * stride] > 3.0 * usual;
        gaps += is_gap ? 1 : 0;
        first = is_gap ? i : first;
    }
    if (gaps > 0)
    {
        wadi_log_line(r->context,
                      "%s: row %d lasts %g h, until the next one; others last %.3g h on average. "
                      "Its wind goes on through the gap; add rows of speed 0 for calms (gaps: %d)",
                      r->path, first + 1, hours[(ptrdiff_t)first * stride], usual, gaps);
    }
}

// Replace times by durations until the next row. The last row lasts as long as the one before it.
static wadi_result table_times_to_hours(const table_reader* r, double* out, int32_t rows)
{
    const int32_t stride = r->table->column_count;
    double* hours = out + r->time_column;
    if (rows < 2)
    {
        return wadi_context_fail(r->context, WADI_ERROR_FORMAT,
                                 "%s: cannot tell how long a single row with a time lasts; give "
                                 "more rows or a column 'hours'",
                                 r->path);
    }
    for (int32_t i = 0; i + 1 < rows; ++i)
    {
        const double lasts = hours[(ptrdiff_t)(i + 1) * stride] - hours[(ptrdiff_t)i * stride];
        if (!(lasts >= 0.0)) // a repeated row lasts no time
        {
            return wadi_context_fail(
                r->context, WADI_ERROR_FORMAT,
                "%s: row %d is earlier than the row before it; sort the rows by time", r->path,
                i + 2);
        }
        hours[(ptrdiff_t)i * stride] = lasts;
    }
    hours[(ptrdiff_t)(rows - 1) * stride] = hours[(ptrdiff_t)(rows - 2) * stride];
    table_note_gaps(r, hours, rows);
    return WADI_OK;
}

wadi_result wadi_io_table_read(wadi_context* context, const char* path,
                               const wadi_table_info* table, double* out, int32_t capacity,
                               int32_t* rows)
{
    table_reader r = {.context = context, .table = table, .path = path, .time_column = -1};
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
    const bool is_timed = result == WADI_OK && r.time_column >= 0 && *rows > 0 && capacity >= *rows;
    return is_timed ? table_times_to_hours(&r, out, *rows) : result;
}
