// SPDX-License-Identifier: MIT
// Small dunes on the flanks of large ones: crests of what is left of the surface without the large
// dunes, away from their crests and slip faces, or at an angle to them.
#include "maps/judge/dune_shapes_internal.h"

#include <stdlib.h>

enum
{
    SMALL_CELLS = 20, // of the scale, at least: on coarser cells small dunes are not resolved
    SMALL_MOST = 64,  // cells to the next crest
    SMALL_LEAST = 12  // cells of crests with a neighbour
};

// Lengths are in the scale of the field, heights in its height.
static const double small_wide = 0.1;   // smoothing that leaves the large dunes
static const double small_away = 0.06;  // from crests and slip faces
static const double small_free = 0.02;  // share of these in the neighbourhood, at most
static const double small_beside = 0.3; // the same for crests that run up to them
static const double small_turn = 0.7;   // cosine of the least angle between these
static const double small_reach = 0.15; // from a small crest to the ground beside it
static const double small_high = 0.045; // least height of a small dune
static const double small_low = 0.02;   // the same where it is lowest
static const double small_line = 0.12;  // shortest crest
static const double small_spur = 0.05;  // shortest spur, and longest gap
static const double small_apart = 0.5;  // largest distance to the next crest
static const double small_rows = 0.3;   // share of the crests that have a neighbour, at least
static const double small_blur = 0.8;   // [cells] smoothing of the surface
static const double small_face = 0.25;  // of the height: highest slip face of a small dune

typedef struct small_job
{
    const shape_grid* grid;
    const small_maps* maps;
    float* rest;  // surface less the large dunes [m]
    float* work;  // scratch, then height of crests
    float* steep; // of crests
    uint8_t* mask;
    wadi_dune_shapes* out;
} small_job;

static wadi_result small_find_rest(small_job* job)
{
    const shape_grid* g = job->grid;
    WADI_TRY(wadi_shape_smooth(g, g->z, small_blur * g->cell, job->rest));
    WADI_TRY(wadi_shape_smooth(g, g->z, small_wide * job->out->scale, job->work));
    for (int32_t i = 0; i < g->cells; ++i)
    {
        job->rest[i] -= job->work[i];
    }
    return WADI_OK;
}

// Lowest neighbour of a cell of a slip face that belongs to it too, or -1.
static int32_t small_below(const shape_grid* g, const shape_parts* parts, int32_t cell)
{
    int32_t lowest = -1;
    for (int32_t k = 0; k < 8; ++k)
    {
        const int32_t n = shape_neighbour(g, cell, k);
        const bool inside = n >= 0 && parts->label[n] == parts->label[cell];
        if (inside && g->z[n] < g->z[lowest < 0 ? cell : lowest])
        {
            lowest = n;
        }
    }
    return lowest;
}

// Height of a slip face from its brink to its foot, straight down: a face that runs up the back of
// a large dune may rise by more between its ends.
static double small_face_height(const shape_grid* g, const shape_parts* parts, int32_t part)
{
    float most = 0.0f;
    for (int32_t k = parts->first[part]; k < parts->first[part + 1]; ++k)
    {
        int32_t foot = parts->cells[k];
        for (int32_t n = foot; n >= 0; n = small_below(g, parts, n))
        {
            foot = n;
        }
        most = fmaxf(most, g->z[parts->cells[k]] - g->z[foot]);
    }
    return (double)most;
}

// Ground of the large dunes: their crests and slip faces. Small dunes have slip faces too.
static wadi_result small_mark_large(const small_job* job, float* large)
{
    const shape_grid* g = job->grid;
    shape_parts faces;
    for (int32_t i = 0; i < g->cells; ++i)
    {
        large[i] = isnan(g->z[i]) ? NAN : job->maps->crests[i] != 0 ? 1.0f : 0.0f;
    }
    WADI_TRY(wadi_shape_parts_find(g, job->maps->slip, SHAPE_LINK_EIGHT, &faces));
    for (int32_t p = 0; p < faces.count; ++p)
    {
        const bool small = small_face_height(g, &faces, p) < small_face * job->out->height;
        for (int32_t k = faces.first[p]; !small && k < faces.first[p + 1]; ++k)
        {
            large[faces.cells[k]] = 1.0f;
        }
    }
    wadi_shape_parts_free(g, &faces);
    return WADI_OK;
}

// Whether a crest runs up to a large dune, rather than along it as the bends beside its crests and
// slip faces do. `near` rises towards the large dune.
static bool small_crosses(const small_job* job, const float* near, int32_t cell)
{
    shape_place rise;
    double x;
    double y;
    return job->mask[cell] != 0 && (double)near[cell] < small_beside &&
           wadi_shape_gradient(job->grid, near, cell, &rise) &&
           wadi_crest_lines_across(job->grid, job->rest, cell, &x, &y) &&
           fabs(x * rise.x + y * rise.y) < small_turn * sqrt(rise.x * rise.x + rise.y * rise.y);
}

// Remove crests along those of the large dunes and along their slip faces. `steep` is scratch.
static wadi_result small_clear(small_job* job)
{
    const shape_grid* g = job->grid;
    float* large = job->steep;
    WADI_TRY(small_mark_large(job, large));
    float* near;
    WADI_ALLOC(g->context, near, g->cells, "the neighbourhood of large crests");
    const wadi_result result = wadi_shape_smooth(g, large, small_away * job->out->scale, near);
    for (int32_t i = 0; i < g->cells && result == WADI_OK; ++i)
    {
        const bool far = (double)near[i] < small_free;
        job->mask[i] = far || small_crosses(job, near, i) ? job->mask[i] : 0;
    }
    wadi_free(g->context, near);
    return result;
}

// Distance across a crest to the next one; 0 if there is none.
static double small_distance(const small_job* job, int32_t cell)
{
    const shape_grid* g = job->grid;
    double x;
    double y;
    if (!wadi_crest_lines_across(g, job->rest, cell, &x, &y))
    {
        return 0.0;
    }
    const double most = fmin(small_apart * job->out->scale, SMALL_MOST * g->cell);
    for (double way = 3.0 * g->cell; way <= most; way += 0.5 * g->cell)
    {
        const int32_t at = shape_index(g, cell % g->width + (int32_t)floor(x * way / g->dx + 0.5),
                                       cell / g->width - (int32_t)floor(y * way / g->dy + 0.5));
        if (at >= 0 && job->mask[at] != 0)
        {
            return way;
        }
    }
    return 0.0;
}

static int small_compare(const void* a, const void* b)
{
    const float one = *(const float*)a;
    const float two = *(const float*)b;
    return (one > two) - (one < two);
}

// Small dunes stand in rows: crests without neighbours are steps and bends of the large ones. The
// spacing is the median of the distances, which become scratch in `steep`.
static void small_measure(small_job* job, uint16_t* marks)
{
    double height = 0.0;
    int32_t cells = 0;
    int32_t neighbours = 0;
    for (int32_t i = 0; i < job->grid->cells; ++i)
    {
        const double distance = job->mask[i] != 0 ? small_distance(job, i) : 0.0;
        height += job->mask[i] != 0 ? (double)job->work[i] : 0.0;
        cells += job->mask[i] != 0 ? 1 : 0;
        job->steep[neighbours] = (float)distance;
        neighbours += distance > 0.0 ? 1 : 0;
    }
    if (neighbours < SMALL_LEAST || neighbours < small_rows * cells)
    {
        job->out->small = 0;
        return;
    }
    qsort(job->steep, (size_t)neighbours, sizeof *job->steep, small_compare);
    job->out->small_height = height / cells;
    job->out->small_spacing = (double)job->steep[neighbours / 2];
    job->out->small_crests = wadi_crest_graph_length(job->grid, job->mask);
    for (int32_t i = 0; i < job->grid->cells && marks != NULL; ++i)
    {
        marks[i] |= job->mask[i] != 0 ? WADI_DUNE_MARK_SMALL : 0;
    }
}

static wadi_result small_find(small_job* job, uint16_t* marks)
{
    const shape_grid* g = job->grid;
    wadi_dune_shapes* out = job->out;
    const double scale = out->scale;
    const crest_rule rule = {.reach = small_reach * scale,
                             .low = small_low * out->height,
                             .high = small_high * out->height,
                             .near = small_reach * scale,
                             .sharp = small_high * out->height,
                             .hole = small_spur * small_spur * scale * scale};
    const crest_maps maps = {job->work, job->steep};
    WADI_TRY(small_find_rest(job));
    WADI_TRY(wadi_crest_lines_find(g, job->rest, &rule, &maps, job->mask));
    WADI_TRY(small_clear(job));
    const crest_cut cut = {.gap = small_spur * scale,
                           .spur = small_spur * scale,
                           .least = small_line * scale,
                           .steep = job->steep};
    WADI_TRY(wadi_crest_graph_thin(g, job->mask, &cut));
    shape_parts parts;
    WADI_TRY(wadi_shape_parts_find(g, job->mask, SHAPE_LINK_EIGHT, &parts));
    out->small = parts.count;
    wadi_shape_parts_free(g, &parts);
    small_measure(job, marks);
    return WADI_OK;
}

wadi_result wadi_small_dunes_find(const shape_grid* grid, const small_maps* maps,
                                  wadi_dune_shapes* out, uint16_t* marks)
{
    if (out->scale < SMALL_CELLS * grid->cell)
    {
        return WADI_OK;
    }
    float* memory;
    WADI_ALLOC(grid->context, memory, 3 * (int64_t)grid->cells, "small dunes");
    small_job job = {.grid = grid,
                     .maps = maps,
                     .rest = memory,
                     .work = memory + grid->cells,
                     .steep = memory + 2 * (ptrdiff_t)grid->cells,
                     .out = out};
    job.mask = wadi_alloc(grid->context, (size_t)grid->cells, 1);
    const wadi_result result =
        job.mask != NULL ? small_find(&job, marks)
                         : wadi_fail_memory(grid->context, (size_t)grid->cells, "small dunes");
    wadi_free(grid->context, job.mask);
    wadi_free(grid->context, memory);
    return result;
}
