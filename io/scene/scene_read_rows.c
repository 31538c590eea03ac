// SPDX-License-Identifier: MIT
// An input table of a process that stands in the scene itself: a list of rows, each of which gives
// values by the names of the columns, such as {x: 0, y: 4 km, discharge: 20}.
#include "io/scene/scene_reader.h"

#include <string.h>

enum
{
    ROWS_MOST_COLUMNS = 16
};

static int32_t rows_find(const wadi_table_info* info, const char* name)
{
    int32_t i = 0;
    while (i < info->column_count && strcmp(info->columns[i].name, name) != 0)
    {
        ++i;
    }
    return i < info->column_count ? i : -1;
}

static wadi_result rows_unknown(scene_reader* reader, wadi_yaml_node* key,
                                const wadi_table_info* info)
{
    const char* names[ROWS_MOST_COLUMNS + 1] = {NULL};
    for (int32_t i = 0; i < info->column_count && i < ROWS_MOST_COLUMNS; ++i)
    {
        names[i] = info->columns[i].name;
    }
    return wadi_scene_unknown_key(reader, key, info->name, names, info->column_count);
}

// `given`: a bit for each column that the row has.
static wadi_result rows_check_complete(scene_reader* reader, wadi_yaml_node* row,
                                       const wadi_table_info* info, uint32_t given)
{
    for (int32_t i = 0; i < info->column_count; ++i)
    {
        if ((given >> i & 1) == 0)
        {
            return wadi_yaml_fail(
                reader->yaml, row, WADI_ERROR_FORMAT, "a row of %s needs %s [%s], such as {%s: 1}",
                info->name, info->columns[i].name, info->columns[i].unit, info->columns[i].name);
        }
    }
    return WADI_OK;
}

static wadi_result rows_read_row(scene_reader* reader, wadi_yaml_node* row,
                                 const wadi_table_info* info, double* out)
{
    uint32_t given = info->optional;
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_kind_of(row) == WADI_YAML_MAP && wadi_yaml_next(row, &place, &entry))
    {
        const int32_t i = rows_find(info, wadi_yaml_text(entry.key));
        if (i < 0)
        {
            return rows_unknown(reader, entry.key, info);
        }
        const wadi_column* column = &info->columns[i];
        SCENE_TRY(wadi_scene_read_number(reader, entry.value, column->name, column->unit, &out[i]));
        if (out[i] < column->min || out[i] > column->max)
        {
            const bool pure = strcmp(column->unit, "1") == 0;
            return wadi_yaml_fail(reader->yaml, entry.value, WADI_ERROR_RANGE,
                                  "%s of %s is %g but must lie in [%g, %g]%s%s", column->name,
                                  info->name, out[i], column->min, column->max, pure ? "" : " ",
                                  pure ? "" : column->unit);
        }
        given |= UINT32_C(1) << i;
    }
    return rows_check_complete(reader, row, info, given);
}

wadi_result wadi_scene_read_rows(scene_reader* reader, wadi_yaml_node* value,
                                 const wadi_table_info* info, wadi_scene_table* out)
{
    const int32_t count = wadi_yaml_count(value);
    if (wadi_yaml_kind_of(value) != WADI_YAML_LIST || count == 0)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "%s takes a file, or a list of rows such as [{%s: 1, ...}]",
                              info->name, info->columns[0].name);
    }
    const size_t columns = (size_t)info->column_count;
    double* values = wadi_scene_reader_alloc(reader, (size_t)count * columns * sizeof *values);
    if (values == NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_MEMORY, "out of memory");
    }
    memset(values, 0, (size_t)count * columns * sizeof *values);
    void* place = NULL;
    wadi_yaml_entry entry;
    for (int32_t i = 0; wadi_yaml_next(value, &place, &entry); ++i)
    {
        SCENE_TRY(rows_read_row(reader, entry.value, info, values + (size_t)i * columns));
    }
    out->file = NULL;
    out->values = values;
    out->rows = count;
    return WADI_OK;
}
