// SPDX-License-Identifier: MIT
// Crusts, coarse grains and dry sand under parcels. They age after each batch, by the sand that has
// passed in it.
#include "processes/wind/saltation_state.h"

#include <string.h>

wadi_result wadi_saltation_top_create(saltation* s)
{
    const sand_top_law law = SAND_TOP_LAW_OF(&s->params);
    WADI_TRY(wadi_sand_top_create(s->terrain, &law, &s->top));
    if (s->top != NULL)
    {
        WADI_ALLOC(s->context, s->noted, s->ground->cells, "sand that passes");
        WADI_ALLOC(s->context, s->grip, saltation_rim_cells(s), "held sand");
    }
    s->law.has_grip = s->grip != NULL;
    return WADI_OK;
}

void wadi_saltation_top_destroy(saltation* s)
{
    wadi_sand_top_destroy(s->top);
    wadi_free(s->context, s->noted);
    wadi_free(s->context, s->grip);
}

static void top_freeze_row(const saltation* s, int32_t y)
{
    const int64_t first = (int64_t)y * s->ground->width;
    for (int32_t x = 0; s->grip != NULL && x < s->ground->width; ++x)
    {
        s->grip[saltation_rim(s, y) + x] = wadi_sand_top_grip(s->top, first + x);
    }
}

static void top_note_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const saltation* s = user;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        wadi_sand_top_note_row(s->top, y);
        top_freeze_row(s, y);
    }
}

void wadi_saltation_top_note(saltation* s)
{
    if (s->top != NULL)
    {
        wadi_parallel_rows(s->context, s->ground->height, SALTATION_GRAIN, top_note_rows, s);
    }
}

typedef struct top_job
{
    saltation* s;
    sand_top_span span;
} top_job;

static void top_age_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const top_job* job = user;
    const saltation* s = job->s;
    float* passed = s->workers[worker].far; // free between two batches
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t first = (int64_t)y * s->ground->width;
        for (int32_t x = 0; x < s->ground->width; ++x)
        {
            passed[x] = (float)(s->passing[first + x] - s->noted[first + x]);
            s->noted[first + x] = s->passing[first + x];
        }
        sand_top_span span = job->span;
        span.passed = passed;
        wadi_sand_top_age_row(s->top, y, &span);
        top_freeze_row(s, y);
    }
}

void wadi_saltation_top_age(saltation* s, double years)
{
    if (s->top != NULL)
    {
        // load x path per cell equals flux x time
        const double scale = SALTATION_LOAD_PART * s->ground->cell_size / WADI_UNITS_PER_METRE;
        top_job job = {s, {.years = (float)years, .scale = (float)scale}};
        wadi_parallel_rows(s->context, s->ground->height, SALTATION_GRAIN, top_age_rows, &job);
        (void)wadi_sand_top_slide(s->top); // on the whole grid
    }
}

void wadi_saltation_top_clear(saltation* s)
{
    if (s->noted != NULL)
    {
        memset(s->noted, 0, (size_t)s->ground->cells * sizeof *s->noted);
    }
}

void wadi_saltation_top_hold(const saltation* s, int32_t y, float* rate)
{
    const int64_t first = (int64_t)y * s->ground->width;
    for (int32_t x = 0; s->grip != NULL && x < s->ground->width; ++x)
    {
        rate[x] *= wadi_sand_top_loose(s->top, first + x);
    }
}
