// SPDX-License-Identifier: MIT
#include "cli/csv.h"

#include "io/table.h"

#include <stdlib.h>

cli_status cli_csv_read(wadi_context* context, const char* path, const wadi_table_info* table,
                        double** values, int32_t* rows)
{
    CLI_TRY(cli_check(context, wadi_io_table_read(context, path, table, NULL, 0, rows)));
    const size_t count = (size_t)*rows * (size_t)table->column_count;
    *values = calloc(count > 0 ? count : 1, sizeof **values);
    if (*values == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for a table of %d rows", *rows);
    }
    const wadi_result result = wadi_io_table_read(context, path, table, *values, *rows, rows);
    if (result != WADI_OK)
    {
        free(*values);
        *values = NULL;
        return cli_check(context, result);
    }
    return CLI_DONE;
}
