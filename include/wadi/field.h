// SPDX-License-Identifier: MIT
/// \file field.h
/// Field tables: the one list of a parameter struct's members. Validation, command line flags,
/// scene files, sliders, Python attributes and the manual all read it.
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
    const char* unit;         ///< as udunits reads it: "m", "m/yr", "m3/s", "degree", "1"
    const char* doc;          ///< one sentence
    const char* source;       ///< paper and equation, or how the value was found; may be ""
    const char* const* names; ///< enum only: NULL-terminated
} wadi_field;

/// Table of one parameter struct. The struct's first member is `uint32_t cookie`.
typedef struct wadi_field_table
{
    const char* name; ///< as messages call it: "hydraulic"
    const wadi_field* fields;
    int32_t count;
    size_t params_size; ///< bytes of the struct
} wadi_field_table;

/// Set every field to its default, and the cookie.
WADI_API void wadi_fields_init(const wadi_field_table* table, void* params);

/// Field of that name, or NULL.
WADI_API const wadi_field* wadi_field_find(const wadi_field_table* table, const char* name);

/// Name in the table that is nearest to a misspelt one, or NULL when none is near.
WADI_API const char* wadi_field_nearest(const wadi_field_table* table, const char* name);

/// Set one field from a number that is already in the field's unit. Checks range, NaN and, for
/// whole-numbered types, fractions.
WADI_API wadi_result wadi_field_set(wadi_context* context, const wadi_field_table* table,
                                    const char* name, double value, void* params);

/// Read the decimal number at the start of a text, which has a point whatever the locale. *end is
/// what follows it, or `text` where there is none: no blanks, no hexadecimal, no "inf" or "nan",
/// and at most 256 characters. Too large a number is HUGE_VAL.
WADI_API double wadi_number_parse(const char* text, const char** end);

/// Set one field from text without a unit: a number, true/false/yes/no/on/off, or an enum name.
/// Whole text must be used up. Units are the business of whoever reads files (see io/units.h).
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
