// SPDX-License-Identifier: MIT
#include "cli/fields.h"

#include "io/units.h"

#include <stdio.h>
#include <string.h>

enum
{
    FIELDS_NAME_LENGTH = 64 // bytes; the longest name in a table has 19
};

cli_status cli_quantity(wadi_context* context, const char* what, const char* text, const char* unit,
                        double min, double max, double* out)
{
    CLI_TRY(cli_check_usage(context, wadi_io_parse_value(context, what, text, unit, out)));

    // false for NaN
    return *out >= min && *out <= max
               ? CLI_DONE
               : cli_fail(CLI_USAGE, "%s '%s' is out of range: give %g to %g %s", what, text, min,
                          max, unit);
}

static cli_status fields_set_one(wadi_context* context, const wadi_field_table* table,
                                 const char* setting, void* params)
{
    const size_t length = strcspn(setting, "=");
    if (setting[length] == '\0' || length == 0 || length >= FIELDS_NAME_LENGTH)
    {
        return cli_fail(CLI_USAGE, "--set '%s' is not NAME=VALUE, such as %s=%g", setting,
                        table->fields[0].name, table->fields[0].initial);
    }
    char name[FIELDS_NAME_LENGTH];
    memcpy(name, setting, length);
    name[length] = '\0';
    const char* text = setting + length + 1;
    const wadi_field* field = wadi_field_find(table, name);
    if (field == NULL || field->type != WADI_FIELD_DOUBLE)
    {
        return cli_check_usage(context, wadi_field_set_text(context, table, name, text, params));
    }
    double value = 0.0;
    CLI_TRY(
        cli_check_usage(context, wadi_io_parse_value(context, name, text, field->unit, &value)));
    return cli_check_usage(context, wadi_field_set(context, table, name, value, params));
}

cli_status cli_fields_set(wadi_context* context, const wadi_field_table* table,
                          const cli_list* settings, void* params)
{
    for (int32_t i = 0; i < settings->count; ++i)
    {
        CLI_TRY(fields_set_one(context, table, settings->items[i], params));
    }
    return CLI_DONE;
}

cli_status cli_fields_check(wadi_context* context, const wadi_process* process,
                            const cli_list* settings, const void* params)
{
    for (int32_t i = 0; i < settings->count; ++i)
    {
        char name[FIELDS_NAME_LENGTH] = "";
        const size_t length = strcspn(settings->items[i], "=");
        (void)strncat(name, settings->items[i], length < sizeof name ? length : sizeof name - 1);
        CLI_TRY(cli_check_usage(context, wadi_process_check_field(context, process, params, name)));
    }
    return CLI_DONE;
}

cli_status cli_sun(wadi_context* context, const char* text, double lowest, double highest,
                   double* azimuth, double* altitude)
{
    char first[32] = "";
    const size_t length = strcspn(text, ",");
    (void)strncat(first, text, length < sizeof first ? length : sizeof first - 1);
    CLI_TRY(cli_quantity(context, "--sun azimuth", first, "degree", 0.0, 360.0, azimuth));
    return text[length] == '\0' ? CLI_DONE
                                : cli_quantity(context, "--sun altitude", text + length + 1,
                                               "degree", lowest, highest, altitude);
}
