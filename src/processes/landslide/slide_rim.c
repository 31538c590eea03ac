// SPDX-License-Identifier: MIT
// Rims of failures below the cell: the rupture surface rises to the ground over about two cells, so
// that walls of pits do not follow the sides of cells. Soil beyond the failed cells pays for what
// stays within.
#include "processes/landslide/landslide_internal.h"

#include <math.h>
#include <string.h>

static const float rim_width = 2.4f;     // of the rise, in cells over the gradient of the cover
static const float rim_gentle = 0.08f;   // least gradient
static const double rim_keeps = 0.95;    // least share of the volume; else a failure stays as it is
static const int32_t rim_thinnest = 655; // beyond the failed cells, 1 cm [units]

enum
{
    RIM_MARGIN = 3, // cells of the window around a failure
    RIM_PASSES = 3, // of a binomial blur: standard deviation of 1.2 cells
    RIM_LEAST = 5,  // cells of a failure
    RIM_SCALINGS = 12,
    RIM_DEEPEST = 1 << 24 // [units], whole in a float
};

// Cells around a failure.
typedef struct rim_window
{
    int32_t x; // of the north-western cell
    int32_t y;
    int32_t width;
    int32_t height;
    float* cover; // 1 in failed cells, blurred
    float* depth; // [units] blurred, then that of the rupture surface
    float* scratch;
} rim_window;

typedef struct rim_job
{
    wadi_context* context;
    const wadi_ground* ground;
    const slide_list* from;
    slide_list to;
    int32_t* left;  // soil that no failure has [units]
    uint8_t* taken; // the cell is one of a failure
} rim_job;

static void rim_bounds(const rim_job* job, const slide_failure* f, rim_window* w)
{
    const int32_t width = job->ground->width;
    int32_t box[4] = {width, job->ground->height, -1, -1};
    for (int64_t k = f->first; k < f->first + f->count; ++k)
    {
        const int32_t x = (int32_t)(job->from->cells[k].cell % width);
        const int32_t y = (int32_t)(job->from->cells[k].cell / width);
        box[0] = x < box[0] ? x : box[0];
        box[1] = y < box[1] ? y : box[1];
        box[2] = x > box[2] ? x : box[2];
        box[3] = y > box[3] ? y : box[3];
    }
    w->x = box[0] > RIM_MARGIN ? box[0] - RIM_MARGIN : 0;
    w->y = box[1] > RIM_MARGIN ? box[1] - RIM_MARGIN : 0;
    const int32_t east = box[2] + RIM_MARGIN + 1;
    const int32_t south = box[3] + RIM_MARGIN + 1;
    w->width = (east < width ? east : width) - w->x;
    w->height = (south < job->ground->height ? south : job->ground->height) - w->y;
}

static int64_t rim_cell(const rim_job* job, const rim_window* w, int32_t i)
{
    return (int64_t)(w->y + i / w->width) * job->ground->width + w->x + i % w->width;
}

static int32_t rim_index(const rim_job* job, const rim_window* w, int64_t cell)
{
    const int32_t x = (int32_t)(cell % job->ground->width) - w->x;
    const int32_t y = (int32_t)(cell / job->ground->width) - w->y;
    return y * w->width + x;
}

// Weights 1/4, 1/2, 1/4 along and across; 0 beyond the window.
static void rim_blur(const rim_window* w, float* plane)
{
    for (int32_t turn = 0; turn < 2; ++turn)
    {
        const int32_t step = turn == 0 ? 1 : w->width;
        memcpy(w->scratch, plane, (size_t)w->width * (size_t)w->height * sizeof *plane);
        for (int32_t i = 0; i < w->width * w->height; ++i)
        {
            const int32_t at = turn == 0 ? i % w->width : i / w->width;
            const int32_t end = turn == 0 ? w->width : w->height;
            const float back = at > 0 ? w->scratch[i - step] : 0.0f;
            const float on = at + 1 < end ? w->scratch[i + step] : 0.0f;
            plane[i] = 0.25f * (back + on) + 0.5f * w->scratch[i];
        }
    }
}

static float rim_cover(const rim_window* w, int32_t x, int32_t y)
{
    const bool inside = x >= 0 && y >= 0 && x < w->width && y < w->height;
    return inside ? w->cover[y * w->width + x] : 0.0f;
}

// Share of the depth in a cell, from the distance to the line where the blurred cover is a half.
static float rim_share(const rim_window* w, int32_t i)
{
    const int32_t x = i % w->width;
    const int32_t y = i / w->width;
    const float gx = 0.5f * (rim_cover(w, x + 1, y) - rim_cover(w, x - 1, y));
    const float gy = 0.5f * (rim_cover(w, x, y + 1) - rim_cover(w, x, y - 1));
    const float steep = fmaxf(sqrtf(gx * gx + gy * gy), rim_gentle);
    return fminf(fmaxf(0.5f + (w->cover[i] - 0.5f) / (rim_width * steep), 0.0f), 1.0f);
}

// Most that a failure may take from a cell of its window.
static float rim_most(const rim_job* job, int64_t cell)
{
    const int32_t left = job->left[cell] < RIM_DEEPEST ? job->left[cell] : RIM_DEEPEST;
    return job->taken[cell] == 0 ? (float)left : 0.0f;
}

static void rim_mark(rim_job* job, const slide_failure* f, uint8_t value)
{
    for (int64_t k = f->first; k < f->first + f->count; ++k)
    {
        job->taken[job->from->cells[k].cell] = value;
    }
}

// Fill the window and blur it.
static void rim_fill(const rim_job* job, const slide_failure* f, const rim_window* w)
{
    for (int64_t k = f->first; k < f->first + f->count; ++k)
    {
        const int32_t i = rim_index(job, w, job->from->cells[k].cell);
        w->cover[i] = 1.0f;
        w->depth[i] = (float)job->from->cells[k].depth;
    }
    for (int32_t pass = 0; pass < RIM_PASSES; ++pass)
    {
        rim_blur(w, w->cover);
        rim_blur(w, w->depth);
    }
}

// The rupture surface, scaled to the volume where the soil allows it. Returns its volume.
static double rim_shape(const rim_job* job, const slide_failure* f, const rim_window* w)
{
    const int32_t cells = w->width * w->height;
    for (int32_t i = 0; i < cells; ++i)
    {
        w->scratch[i] = w->cover[i] > 1e-6f ? w->depth[i] / w->cover[i] * rim_share(w, i) : 0.0f;
    }
    memcpy(w->depth, w->scratch, (size_t)cells * sizeof *w->depth);
    double sum = 0.0;
    double scale = 1.0;
    for (int32_t turn = 0; turn < RIM_SCALINGS; ++turn)
    {
        sum = 0.0;
        for (int32_t i = 0; i < cells; ++i)
        {
            const float most = rim_most(job, rim_cell(job, w, i));
            w->depth[i] = floorf(fminf((float)scale * w->depth[i], most));
            sum += (double)w->depth[i];
        }
        scale = sum > 0.0 ? fmin((double)f->units / sum, 2.0) : 0.0;
    }
    return sum;
}

static wadi_result rim_add(rim_job* job, slide_cell cell)
{
    job->left[cell.cell] -= cell.depth;
    return wadi_slide_list_add(job->context, &job->to, cell);
}

// Copy a failure with the depths of the window; without a window, with its own.
static wadi_result rim_emit(rim_job* job, const slide_failure* f, const rim_window* w)
{
    WADI_TRY(wadi_slide_list_begin(job->context, &job->to, f->time));
    for (int64_t k = f->first; k < f->first + f->count; ++k)
    {
        slide_cell s = job->from->cells[k];
        s.depth = w != NULL ? (int32_t)w->depth[rim_index(job, w, s.cell)] : s.depth;
        s.water = s.water < s.depth ? s.water : s.depth;
        WADI_TRY(rim_add(job, s));
    }
    rim_mark(job, f, 1);
    int64_t rim = 0;
    for (int32_t i = 0; w != NULL && i < w->width * w->height; ++i)
    {
        const slide_cell s = {rim_cell(job, w, i), (int32_t)w->depth[i], 0};
        if (job->taken[s.cell] == 0 && s.depth >= rim_thinnest)
        {
            WADI_TRY(rim_add(job, s));
            ++rim;
        }
    }
    slide_failure* last = &job->to.failures[job->to.count - 1];
    const int64_t units = last->units;
    const int64_t first = last->first;
    *last = *f;
    last->first = first;
    last->rim = rim;
    last->units = units;
    return WADI_OK;
}

static wadi_result rim_failure(rim_job* job, const slide_failure* f)
{
    rim_window w;
    rim_bounds(job, f, &w);
    const int64_t cells = (int64_t)w.width * w.height;
    // failures across periodic edges fill their window by little
    if (f->count < RIM_LEAST || cells > 64 * f->count + 1024)
    {
        return rim_emit(job, f, NULL);
    }
    float* memory;
    WADI_ALLOC(job->context, memory, 3 * cells, "the rim of a slide");
    w.cover = memory;
    w.depth = memory + cells;
    w.scratch = memory + 2 * cells;
    rim_fill(job, f, &w);
    rim_mark(job, f, 0);
    const double volume = rim_shape(job, f, &w);
    const bool keeps = volume >= rim_keeps * (double)f->units;
    const wadi_result result = rim_emit(job, f, keeps ? &w : NULL);
    wadi_free(job->context, memory);
    return result;
}

wadi_result wadi_slide_rim(wadi_context* context, const wadi_ground* ground, const int32_t* soil,
                           slide_list* list)
{
    rim_job job = {.context = context, .ground = ground, .from = list};
    const size_t cells = (size_t)ground->cells;
    WADI_ALLOC(context, job.left, cells + (cells + 3) / 4, "rims of slides");
    job.taken = (uint8_t*)(job.left + cells);
    memcpy(job.left, soil, cells * sizeof *soil);
    for (int32_t i = 0; i < list->count; ++i)
    {
        rim_mark(&job, &list->failures[i], 1);
    }
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < list->count && result == WADI_OK; ++i)
    {
        result = rim_failure(&job, &list->failures[i]);
    }
    wadi_free(context, job.left);
    if (result == WADI_OK)
    {
        wadi_slide_list_destroy(context, list);
        *list = job.to;
    }
    else
    {
        wadi_slide_list_destroy(context, &job.to);
    }
    return result;
}
