// SPDX-License-Identifier: MIT
// Rows of field tables. For a long table, define shorter names of these macros:
#pragma once

#include <wadi/field.h>

#include <stddef.h>

// A set of a process's models with one member; sets are joined with |.
#define FIELD_MODEL(model) (UINT32_C(1) << (model))

// clang-format off
#define FIELD_ROW(params, models, member, type, initial, min, max, unit, doc, source, names)       \
    {#member, type, offsetof(params, member), initial, min, max, unit, doc, source, names, models}

// A double, an int32_t, a bool, and an int32_t that counts names, read by `models` alone.
#define FIELD_NUMBER_OF(params, models, member, initial, min, max, unit, doc, source)              \
    FIELD_ROW(params, models, member, WADI_FIELD_DOUBLE, initial, min, max, unit, doc, source, NULL)
#define FIELD_WHOLE_OF(params, models, member, initial, min, max, doc, source)                     \
    FIELD_ROW(params, models, member, WADI_FIELD_INT32, initial, min, max, "1", doc, source, NULL)
#define FIELD_SWITCH_OF(params, models, member, initial, doc, source)                              \
    FIELD_ROW(params, models, member, WADI_FIELD_BOOL, initial, 0, 1, "1", doc, source, NULL)
#define FIELD_CHOICE_OF(params, models, member, initial, count, doc, source, names)                \
    FIELD_ROW(params, models, member, WADI_FIELD_ENUM, initial, 0, (count)-1, "1", doc, source, names)

// The same, read by every model.
#define FIELD_NUMBER(params, ...) FIELD_NUMBER_OF(params, 0, __VA_ARGS__)
#define FIELD_WHOLE(params, ...) FIELD_WHOLE_OF(params, 0, __VA_ARGS__)
#define FIELD_SWITCH(params, ...) FIELD_SWITCH_OF(params, 0, __VA_ARGS__)
#define FIELD_CHOICE(params, ...) FIELD_CHOICE_OF(params, 0, __VA_ARGS__)
// clang-format on

// The table of a list of rows.
#define FIELD_TABLE(name, list, params) FIELD_TABLE_IN(name, list, params, NULL)
// The same with groups of fields.
#define FIELD_TABLE_IN(name, list, params, groups)                                                 \
    {                                                                                              \
        name, list, (int32_t)(sizeof(list) / sizeof(list)[0]), sizeof(params), groups              \
    }
