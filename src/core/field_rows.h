// SPDX-License-Identifier: MIT
// Rows of field tables. A table of many rows gives the macros it uses a short name of its own:
//     #define WIND_NUMBER(...) FIELD_NUMBER(wadi_wind_params, __VA_ARGS__)
#pragma once

#include <wadi/field.h>

#include <stddef.h>

// clang-format off
#define FIELD_ROW(params, member, type, initial, min, max, unit, doc, source, names)               \
    {#member, type, offsetof(params, member), initial, min, max, unit, doc, source, names}
// clang-format on

// A double, an int32_t, a bool, and an int32_t that counts names.
#define FIELD_NUMBER(params, member, initial, min, max, unit, doc, source)                         \
    FIELD_ROW(params, member, WADI_FIELD_DOUBLE, initial, min, max, unit, doc, source, NULL)
#define FIELD_WHOLE(params, member, initial, min, max, doc, source)                                \
    FIELD_ROW(params, member, WADI_FIELD_INT32, initial, min, max, "1", doc, source, NULL)
#define FIELD_SWITCH(params, member, initial, doc, source)                                         \
    FIELD_ROW(params, member, WADI_FIELD_BOOL, initial, 0, 1, "1", doc, source, NULL)
#define FIELD_CHOICE(params, member, initial, count, doc, source, names)                           \
    FIELD_ROW(params, member, WADI_FIELD_ENUM, initial, 0, (count)-1, "1", doc, source, names)

// The table of a list of rows.
#define FIELD_TABLE(name, list, params)                                                            \
    {                                                                                              \
        name, list, (int32_t)(sizeof(list) / sizeof(list)[0]), sizeof(params)                      \
    }
