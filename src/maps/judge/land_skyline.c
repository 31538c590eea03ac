// SPDX-License-Identifier: MIT
// Ridges and valleys as geomorphons (Jasiewicz & Stepinski 2013): the eight lines of sight from a
// cell go up, down, or neither.
#include "maps/judge/land_forms_internal.h"

enum
{
    SKYLINE_GRAIN = 8, // rows of a block
    SKYLINE_FARTHEST = 20,
    SKYLINE_NEAREST = 3
};

static const double skyline_level = 0.017455064928217585; // tangent of 1 degree

typedef enum skyline_form
{
    SKYLINE_OTHER,
    SKYLINE_RIDGE,
    SKYLINE_VALLEY,
    SKYLINE_UNKNOWN // combinations of lines of sight that have no name
} skyline_form;

typedef struct skyline_job
{
    const land_grid* grid;
    int32_t radius;
    double step[8];  // [m]
    int64_t* counts; // of each form, by row
} skyline_job;

// 1: the line of sight goes up, -1: down, 0: level, or beyond the rim.
static int skyline_sight(const skyline_job* job, int32_t x, int32_t y, int direction)
{
    const land_grid* grid = job->grid;
    const double here = (double)grid->z[(int64_t)y * grid->width + x];
    double up = -(double)INFINITY;
    double down = (double)INFINITY;
    for (int32_t r = 1; r <= job->radius; ++r)
    {
        x += land_east[direction];
        y += land_south[direction];
        if (x < 0 || y < 0 || x >= grid->width || y >= grid->height)
        {
            break;
        }
        const double there = (double)grid->z[(int64_t)y * grid->width + x];
        if (isnan(there))
        {
            break;
        }
        const double slope = (there - here) / (r * job->step[direction]);
        up = slope > up ? slope : up;
        down = slope < down ? slope : down;
    }
    if (up < down)
    {
        return 0;
    }
    return fabs(up) >= fabs(down) && up > skyline_level     ? 1
           : fabs(down) > fabs(up) && down < -skyline_level ? -1
                                                            : 0;
}

static skyline_form skyline_form_at(const skyline_job* job, int32_t x, int32_t y)
{
    // by lines of sight that go down and up
    static const uint8_t forms[9][9] = {
        {0, 0, 0, 0, 0, 2, 2, 2, 0}, {0, 0, 0, 0, 0, 2, 2, 2, 3}, {0, 0, 0, 0, 0, 0, 2, 3, 3},
        {0, 0, 0, 0, 0, 0, 3, 3, 3}, {0, 0, 0, 0, 0, 3, 3, 3, 3}, {1, 1, 0, 0, 3, 3, 3, 3, 3},
        {1, 1, 1, 3, 3, 3, 3, 3, 3}, {1, 1, 3, 3, 3, 3, 3, 3, 3}, {0, 3, 3, 3, 3, 3, 3, 3, 3}};
    int up = 0;
    int down = 0;
    for (int k = 0; k < 8; ++k)
    {
        const int sight = skyline_sight(job, x, y, k);
        up += sight > 0 ? 1 : 0;
        down += sight < 0 ? 1 : 0;
    }
    return (skyline_form)forms[down][up];
}

static void skyline_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const skyline_job* job = user;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < job->grid->width; ++x)
        {
            if (!isnan(job->grid->z[(int64_t)y * job->grid->width + x]))
            {
                ++job->counts[4 * (int64_t)y + skyline_form_at(job, x, y)];
            }
        }
    }
}

wadi_result wadi_land_skyline(const land_grid* grid, wadi_land_forms* out)
{
    const int32_t side = grid->width < grid->height ? grid->width : grid->height;
    const int32_t radius = side / 12 < SKYLINE_FARTHEST ? side / 12 : SKYLINE_FARTHEST;
    skyline_job job = {.grid = grid, .radius = radius > SKYLINE_NEAREST ? radius : SKYLINE_NEAREST};
    for (int k = 0; k < 8; ++k)
    {
        job.step[k] = land_step(grid, k);
    }
    WADI_ALLOC(grid->context, job.counts, 4 * (int64_t)grid->height, "lines of sight");
    wadi_parallel_rows(grid->context, grid->height, SKYLINE_GRAIN, skyline_rows, &job);
    double count[4] = {0.0, 0.0, 0.0, 0.0};
    for (int64_t i = 0; i < 4 * (int64_t)grid->height; ++i)
    {
        count[i % 4] += (double)job.counts[i];
    }
    wadi_free(grid->context, job.counts);
    const double named =
        fmax(1.0, count[SKYLINE_OTHER] + count[SKYLINE_RIDGE] + count[SKYLINE_VALLEY]);
    out->ridge_valley =
        (count[SKYLINE_RIDGE] / named + 1e-4) / (count[SKYLINE_VALLEY] / named + 1e-4);
    return WADI_OK;
}
