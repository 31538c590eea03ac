// SPDX-License-Identifier: MIT
// Bare ground and separate sand bodies. A body is higher than a quarter of the dune height, so that
// horns and sand in transit do not join two barchans.
#include "maps/judge/dune_forms_internal.h"

enum
{
    BODIES_LEAST = 9 // least cells of a body
};

static const float bodies_bare = 0.05f;  // [m] sand thickness of bare ground
static const double bodies_share = 0.25; // of the height of the dunes

typedef struct bodies_job
{
    const wadi_dune_field* field;
    float thin; // [m] least sand thickness of a body
    uint8_t* seen;
    int32_t* stack; // cells whose neighbours are unvisited
    int32_t height; // entries of the stack
} bodies_job;

static bool bodies_is_void(const wadi_dune_field* field, ptrdiff_t at)
{
    return isnan(field->surface.heights[at]) || isnan(field->sand[at]);
}

// Push a cell that has sand and was not visited.
static void bodies_push(bodies_job* job, int32_t x, int32_t y)
{
    const wadi_field2d* f = &job->field->surface;
    const ptrdiff_t at = dune_index(f, x, y);
    if (at < 0 || bodies_is_void(job->field, at) || job->field->sand[at] < job->thin)
    {
        return;
    }
    const int32_t cell = (int32_t)(at / f->stride * f->width + at % f->stride);
    if (job->seen[cell] == 0)
    {
        job->seen[cell] = 1;
        job->stack[job->height++] = cell;
    }
}

// Number of cells of the body at a cell; 0 without a body or if it has been counted.
static int64_t bodies_flood(bodies_job* job, int32_t x, int32_t y)
{
    const int32_t width = job->field->surface.width;
    int64_t cells = 0;
    bodies_push(job, x, y);
    while (job->height > 0)
    {
        const int32_t cell = job->stack[--job->height];
        for (int32_t k = 0; k < 9; ++k)
        {
            bodies_push(job, cell % width + k % 3 - 1, cell / width + k / 3 - 1);
        }
        ++cells;
    }
    return cells;
}

static void bodies_count(bodies_job* job, wadi_dune_forms* out)
{
    const wadi_field2d* f = &job->field->surface;
    double bare = 0.0;
    double known = 0.0;
    out->bodies = 0;
    for (int32_t y = 0; y < f->height; ++y)
    {
        for (int32_t x = 0; x < f->width; ++x)
        {
            const ptrdiff_t at = y * f->stride + x;
            const bool is_void = bodies_is_void(job->field, at);
            known += is_void ? 0.0 : 1.0;
            bare += !is_void && job->field->sand[at] < bodies_bare ? 1.0 : 0.0;
            out->bodies += bodies_flood(job, x, y) >= BODIES_LEAST ? 1 : 0;
        }
    }
    out->bare = known > 0.0 ? bare / known : (double)NAN;
}

wadi_result wadi_dune_bodies(wadi_context* context, const wadi_dune_field* field,
                             wadi_dune_forms* out)
{
    const int64_t cells = (int64_t)field->surface.width * field->surface.height;
    WADI_CHECK(context, cells <= INT32_MAX, WADI_ERROR_RANGE,
               "a field of %lld cells is too large to count bodies of sand; use a part of it",
               (long long)cells);
    const float thin = (float)(bodies_share * out->height);
    bodies_job job = {.field = field, .thin = thin > bodies_bare ? thin : bodies_bare};
    WADI_ALLOC(context, job.seen, cells, "bodies of sand");
    job.stack = wadi_alloc(context, (size_t)cells, sizeof *job.stack);
    if (job.stack == NULL)
    {
        wadi_free(context, job.seen);
        return wadi_fail_memory(context, (size_t)cells * sizeof *job.stack, "bodies of sand");
    }
    bodies_count(&job, out);
    wadi_free(context, job.stack);
    wadi_free(context, job.seen);
    return WADI_OK;
}
