// SPDX-License-Identifier: MIT
#include "cli/height_options.h"

#include "cli/fields.h"

#include <stddef.h>

static cli_status heights_read_one(wadi_context* context, const char* name, const char* text,
                                   double min, double max, double* out)
{
    return text != NULL ? cli_quantity(context, name, text, "m", min, max, out) : CLI_DONE;
}

// A range has two ends, and one way to say it.
static cli_status heights_check(const cli_heights* heights, const wadi_io_reading* reading)
{
    const int ways = (heights->relief != NULL) + (heights->high != NULL) + (heights->scale != NULL);
    if (ways > 1)
    {
        return cli_fail(CLI_USAGE, "--relief, --max and --scale say the same; give one of them");
    }
    if (heights->low != NULL && ways == 0)
    {
        return cli_fail(CLI_USAGE, "--min goes with --relief, --max or --scale; give one of them");
    }
    return heights->high == NULL || reading->high > reading->low
               ? CLI_DONE
               : cli_fail(CLI_USAGE, "--max %s is not above --min %s", heights->high,
                          heights->low != NULL ? heights->low : "0m");
}

cli_status cli_heights_read(wadi_context* context, const cli_heights* heights, wadi_io_reading* out)
{
    const double limit = WADI_HEIGHT_LIMIT;
    *out = (wadi_io_reading){0};
    CLI_TRY(heights_read_one(context, "--cell", heights->cell, 1e-3, 1e6, &out->cell));
    CLI_TRY(
        heights_read_one(context, "--relief", heights->relief, 1e-3, 2.0 * limit, &out->relief));
    CLI_TRY(heights_read_one(context, "--min", heights->low, -limit, limit, &out->low));
    CLI_TRY(heights_read_one(context, "--max", heights->high, -limit, limit, &out->high));
    CLI_TRY(heights_read_one(context, "--scale", heights->scale, 1e-9, limit, &out->scale));
    return heights_check(heights, out);
}
