// SPDX-License-Identifier: MIT
/// \file field.h
/// Field tables: the only list of a parameter struct's members, used by validation, command line
/// flags, scene files, sliders, Python attributes and the manual.
#pragma once

#include <wadi/context.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum wadi_field_type
{
    WADI_FIELD_DOUBLE,
    WADI_FIELD_INT32,
    WADI_FIELD_BOOL,
    WADI_FIELD_ENUM, ///< an int32_t index into `names`
    WADI_FIELD_TYPE_COUNT
} wadi_field_type;

typedef struct wadi_field
{
    const char* name; ///< lower_case, unique in its table
    wadi_field_type type;
    size_t offset;            ///< in the parameter struct
    double initial;           ///< default
    double min;               ///< smallest value allowed (0 for bool and enum)
    double max;               ///< largest value allowed
    const char* unit;         ///< in udunits notation: "m", "m/yr", "m3/s", "degree", "1"
    const char* doc;          ///< one sentence
    const char* source;       ///< paper and equation, or origin of the value; may be ""
    const char* const* names; ///< enum only: NULL-terminated
    uint32_t models;          ///< bit m: model m of a process reads it; 0: all do, or no process
} wadi_field;

/// A group of neighbouring fields of a table, for panels and manuals.
typedef struct wadi_field_group
{
    const char*
        first;        ///< name of its first field; it ends before the first field of the next group
    const char* name; ///< "rain", unique in its table
} wadi_field_group;

/// Table of one parameter struct. The struct's first member is `uint32_t cookie`.
typedef struct wadi_field_table
{
    const char* name; ///< name in messages: "hydraulic"
    const wadi_field* fields;
    int32_t count;
    size_t params_size;             ///< bytes of the struct
    const wadi_field_group* groups; ///< in the order of the fields, then {NULL, NULL}; NULL: none
} wadi_field_table;

/// A column of an input table of a process.
typedef struct wadi_column
{
    const char* name;
    const char* unit;
    double min;
    double max;
} wadi_column;

/// An input table of a process, such as a series of winds, with any number of rows.
typedef struct wadi_table_info
{
    const char* name;
    const char* doc;
    const wadi_column* columns;
    int32_t column_count;
    uint32_t models;   ///< bit m: model m takes it; 0: all do
    uint32_t optional; ///< bit c: files and scenes may leave out column c, which is then 0
} wadi_table_info;

/// Set every field to its default, and the cookie.
WADI_API void wadi_fields_init(const wadi_field_table* table, void* params);

/// Field of that name, or NULL.
WADI_API const wadi_field* wadi_field_find(const wadi_field_table* table, const char* name);

/// Name of the group of a field of the table, or NULL if it has none.
WADI_API const char* wadi_field_group_of(const wadi_field_table* table, const wadi_field* field);

/// The name in the table closest to a misspelt one, or NULL if none is close.
WADI_API const char* wadi_field_nearest(const wadi_field_table* table, const char* name);

/// Set one field from a number in the field's unit. Checks range, NaN and, for integer types,
/// fractions.
WADI_API wadi_result wadi_field_set(wadi_context* context, const wadi_field_table* table,
                                    const char* name, double value, void* params);

/// Read the decimal number at the start of a text, with a decimal point in any locale. *end points
/// behind it, or is `text` if there is no number. Leading blanks, hexadecimal, "inf", "nan" and
/// more than 256 characters are not accepted. Too large a number gives HUGE_VAL.
WADI_API double wadi_number_parse(const char* text, const char** end);

/// Set one field from text without a unit: a number, true/false/yes/no/on/off, or an enum name. The
/// whole text must match. Units are converted by file readers (see io/units.h).
WADI_API wadi_result wadi_field_set_text(wadi_context* context, const wadi_field_table* table,
                                         const char* name, const char* text, void* params);

/// Value of a field as a number (enum: its index).
WADI_API double wadi_field_get(const wadi_field* field, const void* params);

/// Check the cookie and every field; the message names the field, its range and its unit.
WADI_API wadi_result wadi_fields_check(wadi_context* context, const wadi_field_table* table,
                                       const void* params);

#ifdef __cplusplus
}
#endif
