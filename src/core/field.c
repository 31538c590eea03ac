// SPDX-License-Identifier: MIT
#include <wadi/field.h>

#include "core/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void field_store(const wadi_field* field, double value, void* params)
{
    char* at = (char*)params + field->offset;
    if (field->type == WADI_FIELD_DOUBLE)
    {
        memcpy(at, &value, sizeof value);
    }
    else if (field->type == WADI_FIELD_BOOL)
    {
        const bool flag = value != 0.0;
        memcpy(at, &flag, sizeof flag);
    }
    else
    {
        const int32_t whole = (int32_t)value;
        memcpy(at, &whole, sizeof whole);
    }
}

double wadi_field_get(const wadi_field* field, const void* params)
{
    const char* at = (const char*)params + field->offset;
    if (field->type == WADI_FIELD_DOUBLE)
    {
        double value;
        memcpy(&value, at, sizeof value);
        return value;
    }
    if (field->type == WADI_FIELD_BOOL)
    {
        unsigned char flag; // read as a byte: a bool other than 0 or 1 is undefined behaviour
        memcpy(&flag, at, sizeof flag);
        return flag != 0 ? 1.0 : 0.0;
    }
    int32_t whole;
    memcpy(&whole, at, sizeof whole);
    return (double)whole;
}

void wadi_fields_init(const wadi_field_table* table, void* params)
{
    const uint32_t cookie = wadi_cookie(table->params_size);
    memset(params, 0, table->params_size);
    memcpy(params, &cookie, sizeof cookie);
    for (int32_t i = 0; i < table->count; ++i)
    {
        field_store(&table->fields[i], table->fields[i].initial, params);
    }
}

const wadi_field* wadi_field_find(const wadi_field_table* table, const char* name)
{
    for (int32_t i = 0; i < table->count; ++i)
    {
        if (strcmp(table->fields[i].name, name) == 0)
        {
            return &table->fields[i];
        }
    }
    return NULL;
}

static int field_min3(int a, int b, int c)
{
    const int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

// Levenshtein distance of two names, one row at a time; long names count as infinitely far apart.
static int field_distance(const char* a, const char* b)
{
    enum
    {
        LONGEST = 48
    };
    const size_t n = strlen(b);
    if (strlen(a) > LONGEST || n > LONGEST)
    {
        return INT_MAX;
    }
    int row[LONGEST + 1];
    for (size_t j = 0; j <= n; ++j)
    {
        row[j] = (int)j;
    }
    for (size_t i = 1; a[i - 1] != '\0'; ++i)
    {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= n; ++j)
        {
            const int substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = field_min3(substituted, row[j] + 1, row[j - 1] + 1);
        }
    }
    return row[n];
}

const char* wadi_field_group_of(const wadi_field_table* table, const wadi_field* field)
{
    const char* name = NULL;
    const wadi_field_group* next = table->groups;
    for (int32_t i = 0; next != NULL && i < table->count; ++i)
    {
        const bool begins = next->first != NULL && strcmp(next->first, table->fields[i].name) == 0;
        name = begins ? next->name : name;
        next += begins ? 1 : 0;
        if (&table->fields[i] == field)
        {
            return name;
        }
    }
    return NULL;
}

const char* wadi_field_nearest(const wadi_field_table* table, const char* name)
{
    // up to a third of the letters may be wrong
    const char* best = NULL;
    int least = (int)strlen(name) / 3 + 1;
    for (int32_t i = 0; i < table->count; ++i)
    {
        const int distance = field_distance(name, table->fields[i].name);
        if (distance <= least && (best == NULL || distance < least))
        {
            best = table->fields[i].name;
            least = distance;
        }
    }
    return best;
}

static wadi_result field_unknown(wadi_context* context, const wadi_field_table* table,
                                 const char* name)
{
    const char* nearest = wadi_field_nearest(table, name);
    if (nearest != NULL)
    {
        return wadi_fail(context, WADI_ERROR_UNKNOWN, "%s has no field '%s'; did you mean '%s'?",
                         table->name, name, nearest);
    }
    return wadi_fail(context, WADI_ERROR_UNKNOWN,
                     "%s has no field '%s'; 'wadi describe %s' lists them", table->name, name,
                     table->name);
}

static wadi_result field_check_value(wadi_context* context, const wadi_field_table* table,
                                     const wadi_field* field, double value)
{
    const bool whole = field->type != WADI_FIELD_DOUBLE;
    WADI_CHECK(context, !whole || value == floor(value), WADI_ERROR_RANGE,
               "%s.%s is %.17g but takes whole numbers only", table->name, field->name, value);

    // written so that NaN fails too
    WADI_CHECK(context, value >= field->min && value <= field->max, WADI_ERROR_RANGE,
               "%s.%s is %g but must lie in [%g, %g]%s%s", table->name, field->name, value,
               field->min, field->max, WADI_UNIT_WORDS(field->unit));
    return WADI_OK;
}

wadi_result wadi_field_set(wadi_context* context, const wadi_field_table* table, const char* name,
                           double value, void* params)
{
    const wadi_field* field = wadi_field_find(table, name);
    if (field == NULL)
    {
        return field_unknown(context, table, name);
    }
    WADI_TRY(field_check_value(context, table, field, value));
    field_store(field, value, params);
    return WADI_OK;
}

// Index of a name in a NULL-terminated list, or -1.
static int field_index_of(const char* const* names, const char* text)
{
    for (int i = 0; names[i] != NULL; ++i)
    {
        if (strcmp(names[i], text) == 0)
        {
            return i;
        }
    }
    return -1;
}

static wadi_result field_parse_bool(wadi_context* context, const wadi_field_table* table,
                                    const wadi_field* field, const char* text, double* value)
{
    static const char* const words[] = {"false", "true", "no", "yes", "off", "on", "0", "1", NULL};
    const int index = field_index_of(words, text);
    WADI_CHECK(context, index >= 0, WADI_ERROR_FORMAT, "%s.%s is '%s' but takes true or false",
               table->name, field->name, text);
    *value = (double)(index & 1);
    return WADI_OK;
}

static wadi_result field_parse_enum(wadi_context* context, const wadi_field_table* table,
                                    const wadi_field* field, const char* text, double* value)
{
    const int index = field_index_of(field->names, text);
    if (index >= 0)
    {
        *value = (double)index;
        return WADI_OK;
    }
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; field->names[i] != NULL && used < sizeof list; ++i)
    {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ",
                                 field->names[i]);
    }
    return wadi_fail(context, WADI_ERROR_UNKNOWN, "%s.%s is '%s' but takes one of: %s", table->name,
                     field->name, text, list);
}

static wadi_result field_parse_number(wadi_context* context, const wadi_field_table* table,
                                      const wadi_field* field, const char* text, double* value)
{
    const char* end;
    *value = wadi_number_parse(text, &end);
    WADI_CHECK(context, end != text && *end == '\0', WADI_ERROR_FORMAT,
               "%s.%s is '%s' but takes a number in %s", table->name, field->name, text,
               field->unit);
    return WADI_OK;
}

wadi_result wadi_field_set_text(wadi_context* context, const wadi_field_table* table,
                                const char* name, const char* text, void* params)
{
    const wadi_field* field = wadi_field_find(table, name);
    if (field == NULL)
    {
        return field_unknown(context, table, name);
    }
    double value = 0.0;
    if (field->type == WADI_FIELD_BOOL)
    {
        WADI_TRY(field_parse_bool(context, table, field, text, &value));
    }
    else if (field->type == WADI_FIELD_ENUM)
    {
        WADI_TRY(field_parse_enum(context, table, field, text, &value));
    }
    else
    {
        WADI_TRY(field_parse_number(context, table, field, text, &value));
    }
    return wadi_field_set(context, table, name, value, params);
}

wadi_result wadi_fields_check(wadi_context* context, const wadi_field_table* table,
                              const void* params)
{
    uint32_t cookie;
    memcpy(&cookie, params, sizeof cookie);
    WADI_CHECK(context, cookie == wadi_cookie(table->params_size), WADI_ERROR_PARAMS,
               "these %s parameters were not filled in by the library's default function",
               table->name);
    for (int32_t i = 0; i < table->count; ++i)
    {
        const wadi_field* field = &table->fields[i];
        WADI_TRY(field_check_value(context, table, field, wadi_field_get(field, params)));
    }
    return WADI_OK;
}

wadi_result wadi_table_check(wadi_context* context, const wadi_table_info* table,
                             const double* values, int32_t rows)
{
    WADI_CHECK(context, rows > 0, WADI_ERROR_ARGUMENT, "%s has no rows; give at least one",
               table->name);
    for (int32_t i = 0; i < rows * table->column_count; ++i)
    {
        const wadi_column* column = &table->columns[i % table->column_count];
        WADI_CHECK(context, values[i] >= column->min && values[i] <= column->max, WADI_ERROR_RANGE,
                   "%s, row %d: %s is %g, expected %g to %g%s%s", table->name,
                   i / table->column_count + 1, column->name, values[i], column->min, column->max,
                   WADI_UNIT_WORDS(column->unit));
    }
    return WADI_OK;
}
