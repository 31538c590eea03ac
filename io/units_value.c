// SPDX-License-Identifier: MIT
// What both readers of units share: io/units.c by udunits, and studio/wasm/units_plain.c without a
// library.
#include "io/units.h"

#include "io/units_table.h"

#include <wadi/field.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    VALUE_COUNT = sizeof units_table / sizeof units_table[0]
};

// Units that convert to `to`, for error messages: "s, min, h, d, yr, a". Empty for compound units
// such as mm/yr.
static void value_list(const char* to, char* list, size_t size)
{
    const char* names[VALUE_COUNT];
    double factors[VALUE_COUNT];
    for (int32_t i = 0; i < VALUE_COUNT; ++i)
    {
        names[i] = units_table[i].name;
    }
    wadi_units_factors(names, VALUE_COUNT, to, factors);
    size_t used = 0;
    for (int32_t i = 0; i < VALUE_COUNT && used < size; ++i)
    {
        if (factors[i] > 0.0)
        {
            used +=
                (size_t)snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", names[i]);
        }
    }
}

static wadi_result value_fail(wadi_context* context, const char* what, const char* text,
                              const char* unit, const char* end)
{
    const bool bare = strcmp(unit, "1") == 0;
    char list[96] = "";
    if ((end[0] == ',' || end[0] == '_' || end[0] == '\'') && end[1] >= '0' && end[1] <= '9')
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s is '%s': write numbers with a decimal point and nothing "
                                 "between thousands, such as 1200.5",
                                 what, text);
    }
    if (!bare)
    {
        value_list(unit, list, sizeof list);
    }
    return wadi_context_fail(context, WADI_ERROR_FORMAT,
                             "%s is '%s' but takes %s%s: cannot convert '%s'%s%s", what, text,
                             bare ? "a bare number" : "a value in ", bare ? "" : unit, end,
                             list[0] != '\0' ? "; use one of: " : "", list);
}

wadi_result wadi_io_parse_value(wadi_context* context, const char* what, const char* text,
                                const char* unit, double* value)
{
    const char* end;
    const double number = wadi_number_parse(text, &end);
    if (end == text || !isfinite(number))
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT, "%s is '%s' but takes a number%s%s",
                                 what, text, strcmp(unit, "1") == 0 ? "" : " in ",
                                 strcmp(unit, "1") == 0 ? "" : unit);
    }
    end += strspn(end, " ");
    if (end[0] == '\0' || strcmp(end, unit) == 0)
    {
        *value = number;
        return WADI_OK;
    }
    double factor;
    wadi_units_factors(&end, 1, unit, &factor);
    if (factor == 0.0)
    {
        return value_fail(context, what, text, unit, end);
    }
    *value = number * factor;
    return WADI_OK;
}
