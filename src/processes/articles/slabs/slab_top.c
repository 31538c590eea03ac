// SPDX-License-Identifier: MIT
// Crusts, coarse grains and dry sand under slabs. They age after each short step.
#include "processes/articles/slabs/slab_state.h"

enum
{
    TOP_ROWS = 16 // of a block
};

wadi_result wadi_slab_top_create(slab_bed* bed, wadi_terrain* terrain, const sand_top_law* law)
{
    WADI_TRY(wadi_sand_top_create(terrain, law, &bed->top));
    if (bed->top != NULL)
    {
        WADI_ALLOC(bed->context, bed->passed, bed->ground->cells, "sand that passes");
    }
    return WADI_OK;
}

static void top_note_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const slab_bed* bed = user;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        wadi_sand_top_note_row(bed->top, y);
    }
}

void wadi_slab_top_note(const slab_bed* bed)
{
    if (bed->top != NULL)
    {
        slab_bed own = *bed;
        wadi_parallel_rows(bed->context, bed->ground->height, TOP_ROWS, top_note_rows, &own);
    }
}

typedef struct top_job
{
    const slab_bed* bed;
    sand_top_span span;
} top_job;

static void top_age_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const top_job* job = user;
    const int32_t width = job->bed->ground->width;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        float* passed = job->bed->passed + (int64_t)y * width;
        sand_top_span span = job->span;
        span.passed = passed;
        wadi_sand_top_age_row(job->bed->top, y, &span);
        for (int32_t x = 0; x < width; ++x)
        {
            passed[x] = 0.0f;
        }
    }
}

wadi_result wadi_slab_top_age(const slab_bed* bed, double years)
{
    if (bed->top != NULL)
    {
        const double scale = bed->ground->cell_size / WADI_UNITS_PER_METRE;
        top_job job = {bed, {.years = (float)years, .scale = (float)scale}};
        wadi_parallel_rows(bed->context, bed->ground->height, TOP_ROWS, top_age_rows, &job);
        return wadi_sand_top_slide(bed->top) ? WADI_OK : wadi_partition_lost(bed->context);
    }
    return WADI_OK;
}
