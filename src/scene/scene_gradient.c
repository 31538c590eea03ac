// SPDX-License-Identifier: MIT
// The table of colours by which a map becomes a picture.
#include "scene/scene_internal.h"

enum
{
    GRADIENT_COLUMNS = 4
};

static const wadi_column gradient_columns[GRADIENT_COLUMNS] = {
    {"value", "1", -1e30, 1e30},
    {"r", "1", 0.0, 255.0},
    {"g", "1", 0.0, 255.0},
    {"b", "1", 0.0, 255.0},
};

const wadi_table_info wadi_gradient_table = {.name = "gradient",
                                             .doc = "colours of values",
                                             .columns = gradient_columns,
                                             .column_count = GRADIENT_COLUMNS};

wadi_result wadi_gradient_check(wadi_context* context, const double* rows, int32_t count)
{
    WADI_CHECK(context, count >= 2, WADI_ERROR_RANGE,
               "a gradient needs two rows or more, but this one has %d", count);
    WADI_TRY(wadi_table_check(context, &wadi_gradient_table, rows, count));
    for (int32_t i = 1; i < count; ++i)
    {
        const double before = rows[(i - 1) * GRADIENT_COLUMNS];
        const double value = rows[i * GRADIENT_COLUMNS];
        WADI_CHECK(context, value > before, WADI_ERROR_RANGE,
                   "the value %g of a gradient follows %g; sort the rows by value", value, before);
    }
    return WADI_OK;
}

wadi_result wadi_run_gradient(wadi_run* run, const wadi_output* output, double** rows,
                              int32_t* count)
{
    const wadi_scene_table table = {.table = "gradient", .file = output->gradient};
    WADI_TRY(wadi_scene_read_table(run, &table, &wadi_gradient_table, rows, count));
    const wadi_result result = wadi_gradient_check(run->context, *rows, *count);
    if (result != WADI_OK)
    {
        wadi_free(run->context, *rows);
        *rows = NULL;
    }
    return result;
}
