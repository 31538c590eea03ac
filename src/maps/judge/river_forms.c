// SPDX-License-Identifier: MIT
// Measures of a river's plan. The largest connected part of the river is the river itself; the
// others are lakes, if they are long enough.
#include "maps/judge/river_forms_internal.h"

static const double forms_lake = 3.0; // least length of an oxbow lake [widths]

typedef struct forms_job
{
    river_grid grid;
    river_part part;
    river_course course;
    uint8_t* seen;
} forms_job;

// ---- parts -------------------------------------------------------------------------------

// The largest part of the mask: one of its cells, or -1.
static wadi_result forms_largest(forms_job* job, int32_t* out)
{
    const river_grid* grid = &job->grid;
    int32_t most = 0;
    *out = -1;
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        if (grid->mask[i] == 0 || job->seen[i] != 0)
        {
            continue;
        }
        WADI_TRY(wadi_river_reach(grid, i, &job->part));
        for (int32_t k = 0; k < job->part.count; ++k)
        {
            job->seen[job->part.order[k]] = 1;
        }
        *out = job->part.count > most ? i : *out;
        most = job->part.count > most ? job->part.count : most;
    }
    return WADI_OK;
}

// Mean height of the first or last tenth of a part.
static double forms_height(const forms_job* job, bool last)
{
    const river_part* part = &job->part;
    const int32_t count = part->count / 10 + 1;
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        sum += river_height(&job->grid, part->order[last ? part->count - 1 - i : i]);
    }
    return sum / count;
}

// Sort the part from its upper end: both ends are the two cells that are furthest apart in it.
static wadi_result forms_orient(forms_job* job, int32_t cell)
{
    river_part* part = &job->part;
    WADI_TRY(wadi_river_reach(&job->grid, cell, part));
    WADI_TRY(wadi_river_reach(&job->grid, part->order[part->count - 1], part));
    const bool reversed = forms_height(job, true) > forms_height(job, false);
    return reversed ? wadi_river_reach(&job->grid, part->order[part->count - 1], part) : WADI_OK;
}

// ---- lakes -------------------------------------------------------------------------------

// Remove a part of the mask. Is it three widths long, and not wider than two?
static wadi_result forms_is_oxbow(forms_job* job, int32_t cell, bool* out)
{
    river_part* part = &job->part;
    WADI_TRY(wadi_river_reach(&job->grid, cell, part));
    WADI_TRY(wadi_river_reach(&job->grid, part->order[part->count - 1], part));
    const double length = (double)part->way[part->order[part->count - 1]] / RIVER_UNIT + 1.0;
    *out = length >= forms_lake * job->course.width &&
           part->count <= 2.0 * job->course.width * length && part->count <= length * length / 3.0;
    for (int32_t i = 0; i < part->count; ++i)
    {
        job->grid.mask[part->order[i]] = 0;
    }
    return WADI_OK;
}

static wadi_result forms_count_oxbows(forms_job* job, wadi_river_forms* out)
{
    for (int32_t i = 0; i < job->part.count; ++i)
    {
        job->grid.mask[job->part.order[i]] = 0; // the river itself
    }
    for (int32_t i = 0; i < job->grid.cells; ++i)
    {
        if (job->grid.mask[i] != 0)
        {
            bool oxbow;
            WADI_TRY(forms_is_oxbow(job, i, &oxbow));
            out->oxbows += oxbow ? 1 : 0;
        }
    }
    return WADI_OK;
}

// ---- all ---------------------------------------------------------------------------------

static wadi_result forms_run(forms_job* job, wadi_river_forms* out)
{
    river_grid* grid = &job->grid;
    WADI_ALLOC(grid->context, grid->mask, grid->cells, "the plan of a river");
    WADI_ALLOC(grid->context, job->seen, grid->cells, "the plan of a river");
    WADI_TRY(wadi_river_mask(grid, &out->from_water));
    WADI_TRY(wadi_river_part_open(grid, &job->part));
    int32_t cell;
    WADI_TRY(forms_largest(job, &cell));
    WADI_CHECK(grid->context, cell >= 0, WADI_ERROR_RANGE,
               "there is no river on this map: no cell has water, or none drains enough land; "
               "give the depth of water, or a smaller least discharge");
    WADI_TRY(forms_orient(job, cell));
    WADI_TRY(wadi_river_channels(grid, &job->part, &job->course));
    WADI_CHECK(grid->context, job->course.count > 3, WADI_ERROR_RANGE,
               "there is no river on this map: no channel is longer than wide");
    WADI_TRY(wadi_river_bends(grid, &job->course, out));
    out->width = job->course.width * grid->cell;
    out->braiding = job->course.braiding;
    out->mouths = job->course.mouths;
    out->sections = wadi_river_sections(grid, &job->course);
    WADI_TRY(wadi_river_lobes(grid, &out->lobes));
    return forms_count_oxbows(job, out);
}

wadi_result wadi_river_forms_measure(wadi_context* context, const wadi_river_map* map,
                                     wadi_river_forms* out)
{
    const wadi_field2d* surface = &map->surface;
    const double dx =
        surface->dx_of_row != NULL ? surface->dx_of_row[surface->height / 2] : surface->dx;
    WADI_CHECK(context, (int64_t)surface->width * surface->height <= INT32_MAX / 64,
               WADI_ERROR_RANGE, "rivers are measured on at most %d cells", INT32_MAX / 64);
    forms_job job = {.grid = {.context = context,
                              .map = map,
                              .width = surface->width,
                              .height = surface->height,
                              .cells = surface->width * surface->height,
                              .cell = sqrt(dx * surface->dy)}};
    *out = (wadi_river_forms){.length = (double)NAN,
                              .width = (double)NAN,
                              .sinuosity = (double)NAN,
                              .wavelength = (double)NAN,
                              .radius = (double)NAN,
                              .skewness = (double)NAN,
                              .braiding = (double)NAN,
                              .sections = (double)NAN,
                              .lobes = (double)NAN};
    const wadi_result result = forms_run(&job, out);
    wadi_free(context, job.grid.mask);
    wadi_free(context, job.seen);
    wadi_river_part_close(&job.grid, &job.part);
    wadi_free(context, job.course.points);
    return result;
}
