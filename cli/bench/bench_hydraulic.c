// SPDX-License-Identifier: MIT
// wadi bench hydraulic: both models of running water compared with the article's kernel, on the
// same ground in the same run.
#include "cli/bench/bench.h"

#include <math.h>

// The article's job: 200 000 droplets on 256 x 256 cells of its noise.
static const bench_job hydraulic_article = {.size = 256,
                                            .wavelength = 256,
                                            .relief = 60,
                                            .gain = 0.6,
                                            .octaves = 15,
                                            .preset = "paper",
                                            .droplets_per_cell = 200000.0 / (256.0 * 256.0)};

// Hills with a wavelength of 256 cells at any size, so that slopes do not depend on the grid.
static bench_job hydraulic_hills(int32_t size)
{
    return (bench_job){.size = size,
                       .wavelength = 256,
                       .relief = 60,
                       .gain = 0.5,
                       .octaves = 8,
                       .preset = "paper",
                       .droplets_per_cell = 0.05};
}

// Mountains for the default model: relief of 1800 m per 512 cells of 10 m at any size.
static bench_job hydraulic_mountains(int32_t size)
{
    return (bench_job){.size = size,
                       .wavelength = (double)size / 2.0,
                       .relief = 180.0 * (double)size / 512.0,
                       .gain = 0.5,
                       .octaves = 12,
                       .preset = "parcels",
                       .droplets_per_cell = 3.0};
}

static double hydraulic_or_none(bool there, double value)
{
    return there ? value : (double)NAN;
}

// Seconds and microseconds per droplet, on one and two threads; eroded volume per processor second.
static cli_status hydraulic_article_rows(bench_rows* rows)
{
    const int64_t droplets = 200000;
    bench_job job = hydraulic_article;
    bench_result article;
    const bool there = bench_article(&job, droplets, &article);
    const double seconds = hydraulic_or_none(there, article.advance_s);
    for (job.threads = 1; job.threads <= 2; ++job.threads)
    {
        bench_result result;
        CLI_TRY(bench_repeat(&job, &result));
        const double micro = 1e6 / (double)droplets;
        bench_add(rows, (bench_row){"article", job.size, job.threads, "time", "s", result.advance_s,
                                    seconds, true});
        bench_add(rows, (bench_row){"article", job.size, job.threads, "per_droplet", "us",
                                    result.advance_s * micro, seconds * micro, true});
        if (job.threads == 1)
        {
            const double base = hydraulic_or_none(there, article.eroded / article.cpu_s);
            bench_add(rows, (bench_row){"article", job.size, 1, "eroded_per_cpu", "m3/s",
                                        result.eroded / result.cpu_s, base, false});
        }
    }
    return CLI_DONE;
}

static cli_status hydraulic_rate_rows(int32_t size, bench_rows* rows)
{
    bench_job job = hydraulic_hills(size);
    bench_result article;
    const bool there = bench_article(&job, 2000, &article);
    const double reference = hydraulic_or_none(there, 1e-6 * article.steps / article.advance_s);
    const double of_cpu = hydraulic_or_none(there, 1e-6 * article.steps / article.cpu_s);
    for (job.threads = 1; job.threads <= 2; ++job.threads)
    {
        bench_result result;
        CLI_TRY(bench_repeat(&job, &result));
        bench_add(rows, (bench_row){"droplets", size, job.threads, "particle_steps", "M/s",
                                    1e-6 * result.steps / result.advance_s, reference, false});
        bench_add(rows, (bench_row){"droplets", size, job.threads, "steps_per_cpu", "M/s",
                                    1e-6 * result.steps / result.cpu_s, of_cpu, false});
    }
    return CLI_DONE;
}

// From noise to a drained landscape. The article's kernel needs 3 droplets per cell, minutes to
// hours; it is timed on 10 000 droplets and scaled.
static cli_status hydraulic_default_rows(int32_t size, bench_rows* rows)
{
    const int64_t sample = 10000;
    bench_job job = hydraulic_mountains(size);
    bench_result article;
    const bool there = bench_article(&job, sample, &article);
    const double droplets = 3.0 * (double)size * (double)size;
    const double reference =
        hydraulic_or_none(there, article.advance_s * droplets / (double)sample);
    for (job.threads = 1; job.threads <= 2; ++job.threads)
    {
        bench_result result;
        CLI_TRY(bench_repeat(&job, &result));
        bench_add(rows, (bench_row){"default", size, job.threads, "from_noise", "s",
                                    result.noise_s + result.advance_s, reference, true});
    }
    return CLI_DONE;
}

cli_status bench_hydraulic(bool full, bench_rows* rows)
{
    CLI_TRY(hydraulic_article_rows(rows));
    CLI_TRY(hydraulic_rate_rows(1024, rows));
    CLI_TRY(hydraulic_default_rows(512, rows));
    CLI_TRY(hydraulic_default_rows(1024, rows));
    if (full)
    {
        CLI_TRY(hydraulic_rate_rows(4096, rows));
        CLI_TRY(hydraulic_default_rows(4096, rows));
    }
    return CLI_DONE;
}
