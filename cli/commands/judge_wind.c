// SPDX-License-Identifier: MIT
// The winds of `wadi judge dunes`: their sand drift, and its rose as a picture.
#include "cli/commands/judge_kinds.h"
#include "cli/fields.h"

#include "io/raster/raster.h"

#include <stdlib.h>

enum
{
    WIND_ROSE_SIZE = 640 // pixels
};

static const double wind_threshold = 6.17; // [m/s] 12 knots: Fryberger & Dean 1979

static int32_t wind_count(const cli_judge_options* options)
{
    int32_t count = 0;
    for (int32_t i = 0; i < CLI_WIND_TABLES; ++i)
    {
        count += options->winds[i] != NULL ? 1 : 0;
    }
    return count;
}

bool cli_judge_has_wind(const cli_judge_options* options)
{
    return wind_count(options) > 0;
}

cli_status cli_judge_wind_check(const cli_judge_job* job)
{
    const cli_judge_options* options = job->options;
    const int32_t count = wind_count(options);
    const bool belongs =
        options->year != NULL || options->threshold != NULL || options->draw_rose != NULL;
    if (count > 1 || (count == 1 && options->drift != NULL))
    {
        return cli_fail(CLI_USAGE, "give one of --drift, --rose, --series and --schedule");
    }
    if (count == 0 && belongs)
    {
        return cli_fail(CLI_USAGE, "--year, --threshold and --draw-rose are for winds; give "
                                   "--rose, --series or --schedule too");
    }
    return cli_judge_check_picture(options->draw_rose);
}

static cli_status wind_draw(const cli_judge_job* job, const wadi_sand_drift* drift)
{
    uint8_t* rgb = malloc((size_t)WIND_ROSE_SIZE * WIND_ROSE_SIZE * 3);
    if (rgb == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for the picture");
    }
    wadi_result result = wadi_sand_rose_draw(job->context, drift, WIND_ROSE_SIZE, rgb);
    result = result == WADI_OK
                 ? wadi_io_picture_write_tagged(job->context, rgb, WIND_ROSE_SIZE, WIND_ROSE_SIZE,
                                                &job->tags, job->options->draw_rose)
                 : result;
    free(rgb);
    return cli_check(job->context, result);
}

static cli_status wind_measure(const cli_judge_job* job, const cli_wind_file* file,
                               wadi_sand_drift* out)
{
    wadi_wind_history history = {.table = file->table->name,
                                 .values = file->values,
                                 .rows = file->rows,
                                 .threshold = wind_threshold};
    CLI_TRY(cli_wind_year(job->context, job->options->year, &history.year));
    if (job->options->threshold != NULL)
    {
        CLI_TRY(cli_quantity(job->context, "--threshold", job->options->threshold, "m/s", 0.0, 60.0,
                             &history.threshold));
    }
    CLI_TRY(cli_check_usage(job->context, wadi_sand_drift_measure(job->context, &history, out)));
    return job->options->draw_rose != NULL ? wind_draw(job, out) : CLI_DONE;
}

cli_status cli_judge_wind_measure(const cli_judge_job* job, wadi_sand_drift* out)
{
    int32_t index = 0;
    while (index + 1 < CLI_WIND_TABLES && job->options->winds[index] == NULL)
    {
        ++index;
    }
    cli_wind_file file = {0};
    cli_status status = cli_wind_file_read(job->context, job->options->winds[index], index, &file);
    status = status == CLI_DONE ? wind_measure(job, &file, out) : status;
    cli_wind_file_free(&file);
    return status;
}
