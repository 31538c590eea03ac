// SPDX-License-Identifier: MIT
#include "cli/wind_file.h"

#include "cli/csv.h"
#include "cli/fields.h"

#include <wadi/amplify.h>

#include <stdlib.h>

cli_status cli_wind_file_read(wadi_context* context, const char* path, int32_t index,
                              cli_wind_file* out)
{
    *out = (cli_wind_file){.table = wadi_amplify_table(index)};
    return cli_csv_read(context, path, out->table, &out->values, &out->rows);
}

void cli_wind_file_free(cli_wind_file* file)
{
    free(file->values);
    *file = (cli_wind_file){0};
}

cli_status cli_wind_year(wadi_context* context, const char* text, double* out)
{
    *out = 0.0;
    return text != NULL ? cli_quantity(context, "--year", text, "yr", 0.0, 1e9, out) : CLI_DONE;
}
