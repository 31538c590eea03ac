// SPDX-License-Identifier: MIT
#include "maps/render/relief.h"

#include "core/internal.h"
#include "maps/render/holes.h"
#include "maps/render/open_water.h"
#include "maps/render/shores.h"
#include "maps/render/waters.h"

#include <math.h>

enum
{
    RELIEF_AIM = 1024,       // cells that small grids are refined towards
    RELIEF_PER_PIXEL = 8,    // cells per pixel of the picture's width; finer ones are not seen
    RELIEF_MOST_REFINED = 8, // parts of a cell per axis; finer ones change no pixel visibly
    RELIEF_MOST = 2048,      // cells that large grids are averaged down to
    RELIEF_GRAIN = 16        // rows of a block
};

// Resampling of one layer from the scene's grid to the relief's.
typedef struct relief_resample
{
    const float* from;
    ptrdiff_t stride;
    int32_t from_width;
    int32_t from_height;
    int32_t refine; // cells per source cell along an axis, or
    int32_t merge;  // source cells per cell
    float scale;
    bool curved; // cubic rather than linear
    int32_t width;
    float* rows; // a source row for each worker
    float* to;
} relief_resample;

static int32_t relief_clamp(int32_t i, int32_t count)
{
    return i < 0 ? 0 : (i < count ? i : count - 1);
}

static float relief_source(const relief_resample* job, int32_t x, int32_t y)
{
    return job
        ->from[relief_clamp(y, job->from_height) * job->stride + relief_clamp(x, job->from_width)];
}

static float relief_mean(const relief_resample* job, int32_t x, int32_t y)
{
    float sum = 0.0f;
    float count = 0.0f;
    for (int32_t j = 0; j < job->merge; ++j)
    {
        for (int32_t i = 0; i < job->merge; ++i)
        {
            const float value = relief_source(job, x * job->merge + i, y * job->merge + j);
            if (!isnan(value))
            {
                sum += value;
                count += 1.0f;
            }
        }
    }
    return count > 0.0f ? sum / count : NAN;
}

// Catmull-Rom weights for t in [0, 1): small grids look smooth and keep the given heights.
static void relief_cubic(float t, float w[4])
{
    const float t2 = t * t;
    const float t3 = t2 * t;
    w[0] = 0.5f * (-t3 + 2.0f * t2 - t);
    w[1] = 0.5f * (3.0f * t3 - 5.0f * t2 + 2.0f);
    w[2] = 0.5f * (-3.0f * t3 + 4.0f * t2 + t);
    w[3] = 0.5f * (t3 - t2);
}

static void relief_linear(float t, float w[4])
{
    w[0] = 0.0f;
    w[1] = 1.0f - t;
    w[2] = t;
    w[3] = 0.0f;
}

// Weighted sum of 4 x 4 source cells. A cell is void when its own source cell is.
static float relief_between(const relief_resample* job, float x, float y)
{
    const int32_t x0 = (int32_t)floorf(x);
    const int32_t y0 = (int32_t)floorf(y);
    float wx[4];
    float wy[4];
    (job->curved ? relief_cubic : relief_linear)(x - (float)x0, wx);
    (job->curved ? relief_cubic : relief_linear)(y - (float)y0, wy);
    const float own = relief_source(job, (int32_t)floorf(x + 0.5f), (int32_t)floorf(y + 0.5f));
    if (isnan(own))
    {
        return own;
    }
    float sum = 0.0f;
    for (int32_t j = 0; j < 4; ++j)
    {
        for (int32_t i = 0; i < 4; ++i)
        {
            const float value = relief_source(job, x0 + i - 1, y0 + j - 1);
            sum += wx[i] * wy[j] * (isnan(value) ? own : value);
        }
    }
    return sum;
}

static float relief_refined(const relief_resample* job, int32_t x, int32_t y)
{
    const float refine = (float)job->refine;
    return relief_between(job, ((float)x + 0.5f) / refine - 0.5f,
                          ((float)y + 0.5f) / refine - 0.5f);
}

// The four source rows around row `y`, weighted to one: false if a value is missing.
static bool relief_blend_rows(const relief_resample* job, int32_t y, float* row)
{
    const float at = ((float)y + 0.5f) / (float)job->refine - 0.5f;
    const int32_t y0 = (int32_t)floorf(at);
    const float* from[4];
    float w[4];
    (job->curved ? relief_cubic : relief_linear)(at - (float)y0, w);
    for (int32_t j = 0; j < 4; ++j)
    {
        from[j] = job->from + relief_clamp(y0 + j - 1, job->from_height) * job->stride;
    }
    bool complete = true;
    for (int32_t x = 0; x < job->from_width; ++x)
    {
        row[x] = w[0] * from[0][x] + w[1] * from[1][x] + w[2] * from[2][x] + w[3] * from[3][x];
        complete = complete && !isnan(row[x]);
    }
    return complete;
}

// Refine a row without voids, along it only; `row` is blended from source rows.
static void relief_refine_row(const relief_resample* job, const float* row, float* to)
{
    const float refine = (float)job->refine;
    for (int32_t phase = 0; phase < job->refine; ++phase)
    {
        const float at = ((float)phase + 0.5f) / refine - 0.5f;
        const int32_t x0 = (int32_t)floorf(at);
        float w[4];
        (job->curved ? relief_cubic : relief_linear)(at - (float)x0, w);
        for (int32_t cell = 0; cell < job->from_width; ++cell)
        {
            float sum = 0.0f;
            for (int32_t i = 0; i < 4; ++i)
            {
                sum += w[i] * row[relief_clamp(cell + x0 + i - 1, job->from_width)];
            }
            to[cell * job->refine + phase] = sum * job->scale;
        }
    }
}

static void relief_resample_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const relief_resample* job = user;
    float* row = job->rows + (ptrdiff_t)worker * job->from_width;
    for (int32_t y = begin; y < end; ++y)
    {
        float* to = job->to + (ptrdiff_t)y * job->width;
        if (job->refine > 1 && relief_blend_rows(job, y, row))
        {
            relief_refine_row(job, row, to);
            continue;
        }
        for (int32_t x = 0; x < job->width; ++x)
        {
            const float value = job->merge > 1    ? relief_mean(job, x, y)
                                : job->refine > 1 ? relief_refined(job, x, y)
                                                  : relief_source(job, x, y);
            to[x] = value * job->scale;
        }
    }
}

static void relief_layout(const wadi_render_scene* scene, const wadi_render_params* params,
                          relief_resample* job, render_relief* r)
{
    const int32_t longest = scene->width > scene->height ? scene->width : scene->height;
    const double seen = (double)RELIEF_PER_PIXEL * (double)params->width * fmax(params->zoom, 1.0);
    const int32_t aim = seen < (double)RELIEF_AIM ? (int32_t)seen : RELIEF_AIM;
    job->refine = longest < aim ? aim / longest : 1;
    job->refine = job->refine > RELIEF_MOST_REFINED ? RELIEF_MOST_REFINED : job->refine;
    job->merge = longest > RELIEF_MOST ? (longest + RELIEF_MOST - 1) / RELIEF_MOST : 1;
    r->width = scene->width * job->refine / job->merge;
    r->height = scene->height * job->refine / job->merge;

    // a strip thinner than a merged cell still gets the two rows that a surface needs
    r->width = r->width < 2 ? 2 : r->width;
    r->height = r->height < 2 ? 2 : r->height;
    r->refined = job->refine;
    r->cell = (float)(scene->cell_size * job->merge / job->refine);
    job->from_width = scene->width;
    job->from_height = scene->height;
    job->stride = scene->stride;
    job->width = r->width;
}

static wadi_result relief_layer(render_relief* r, relief_resample job, const float* from,
                                float scale, bool curved, float** to)
{
    if (from == NULL)
    {
        return WADI_OK;
    }
    WADI_ALLOC(r->context, *to, (size_t)r->width * (size_t)r->height, "a layer of the picture");
    job.from = from;
    job.scale = scale;
    job.curved = curved;
    job.to = *to;
    WADI_ALLOC(r->context, job.rows,
               (size_t)wadi_context_workers(r->context) * (size_t)job.from_width,
               "a layer of the picture");
    wadi_parallel_rows(r->context, r->height, RELIEF_GRAIN, relief_resample_rows, &job);
    wadi_free(r->context, job.rows);
    return WADI_OK;
}

// Cells beside the sea that it does not cover get a negative depth, so that the shore is the line
// of depth 0 between cells and not their border.
static void relief_shore(const render_relief* r, float level, const sea_map* sea)
{
    for (int32_t y = 1; y + 1 < r->height; ++y)
    {
        for (int32_t x = 1; x + 1 < r->width; ++x)
        {
            const ptrdiff_t i = (ptrdiff_t)y * r->width + x;
            const float* g = r->ground + i;
            const ptrdiff_t w = r->width;
            const float beside = fminf(fminf(g[-1], g[1]), fminf(g[-w], g[w]));
            const float across = fminf(fminf(g[-w - 1], g[1 - w]), fminf(g[w - 1], g[w + 1]));
            if (fminf(beside, across) < level && !(r->water[i] > 0.0f) &&
                (*g >= level || !sea_may_be(sea, x, y)))
            {
                r->water[i] = -fabsf(level - *g);
            }
        }
    }
}

// Water over the ground below the sea: its depth at the cells of the relief, so that the shore is
// as smooth as the ground.
static void relief_flood_cells(const render_relief* r, float level, const sea_map* sea)
{
    for (int32_t y = 0; y < r->height; ++y)
    {
        for (int32_t x = 0; x < r->width; ++x)
        {
            const ptrdiff_t i = (ptrdiff_t)y * r->width + x;
            if (r->ground[i] < level && sea_may_be(sea, x, y))
            {
                r->water[i] = fmaxf(r->water[i], level - r->ground[i]);
            }
        }
    }
}

static wadi_result relief_flood(render_relief* r, const wadi_render_scene* scene)
{
    if (!scene->has_sea)
    {
        return WADI_OK;
    }
    const ptrdiff_t cells = (ptrdiff_t)r->width * r->height;
    const float level = (float)scene->sea_level * r->exaggeration / r->cell;
    if (r->water == NULL)
    {
        WADI_ALLOC(r->context, r->water, cells, "the sea of the picture");
    }
    sea_map sea;
    WADI_TRY(wadi_sea_find(r, level, &sea));
    relief_flood_cells(r, level, &sea);
    relief_shore(r, level, &sea);
    r->surf = sea.surf;
    sea.surf = NULL;
    wadi_sea_destroy(r->context, &sea);
    r->base = level;
    r->has_sea = true;
    return WADI_OK;
}

// Columns with ground of a row, from `first` until before `end`; the same if there is none.
static void relief_row_extent(const render_relief* r, int32_t y, int32_t* first, int32_t* end)
{
    const float* row = r->ground + (ptrdiff_t)y * r->width;
    *first = 0;
    *end = r->width;
    while (*first < *end && isnan(row[*first]))
    {
        *first += 1;
    }
    while (*end > *first && isnan(row[*end - 1]))
    {
        *end -= 1;
    }
}

// The part of the map that has ground, which is what a camera frames.
static void relief_extent(render_relief* r)
{
    r->west = (float)r->width;
    r->north = (float)r->height;
    for (int32_t y = 0; y < r->height; ++y)
    {
        int32_t first;
        int32_t end;
        relief_row_extent(r, y, &first, &end);
        if (first < end)
        {
            r->west = fminf(r->west, (float)first);
            r->east = fmaxf(r->east, (float)(end - 1));
            r->north = fminf(r->north, (float)y);
            r->south = (float)y;
        }
    }
}

// Top of ground and water, and the range of heights.
static wadi_result relief_stack(render_relief* r)
{
    const ptrdiff_t cells = (ptrdiff_t)r->width * r->height;
    WADI_ALLOC(r->context, r->top, cells, "the surface of the picture");
    r->low = INFINITY;
    r->high = -INFINITY;
    for (ptrdiff_t i = 0; i < cells; ++i)
    {
        const float water = r->water != NULL && r->water[i] > 0.0f ? r->water[i] : 0.0f;
        r->top[i] = r->ground[i] + water;
        r->low = r->ground[i] < r->low ? r->ground[i] : r->low; // false for voids
        r->high = r->top[i] > r->high ? r->top[i] : r->high;
    }
    WADI_CHECK(
        r->context, r->high >= r->low && r->high - r->low < 1e6f * (float)r->width,
        WADI_ERROR_RANGE,
        "the surface is all void, or its relief is a million times its width; check the heights "
        "and the cell size of %g m",
        (double)r->cell);
    r->base = fminf(fmaxf(r->base, r->low), r->high);
    return WADI_OK;
}

// Depths of the layer of water. Cells of merged ones hold a mean, in which narrow water stays.
static wadi_result relief_water(render_relief* r, relief_resample job,
                                const wadi_render_scene* scene)
{
    const float cells = r->exaggeration / r->cell;
    if (scene->water == NULL || job.merge > 1)
    {
        return relief_layer(r, job, scene->water, cells, false, &r->water);
    }
    float* depths;
    WADI_ALLOC(r->context, depths, (size_t)scene->width * (size_t)scene->height,
               "the water of the picture");
    wadi_shores_sign(scene, depths);
    job.stride = scene->width;
    const wadi_result result = relief_layer(r, job, depths, cells, false, &r->water);
    wadi_free(r->context, depths);
    return result;
}

static wadi_result relief_fill(render_relief* r, const wadi_render_scene* scene,
                               const wadi_render_params* params)
{
    relief_resample job = {0};
    relief_layout(scene, params, &job, r);
    r->exaggeration = (float)params->exaggeration;
    r->sea_channel = (float)params->sea_channel;
    r->base = -INFINITY;
    const float cells = r->exaggeration / r->cell;
    const size_t count = (size_t)r->width * (size_t)r->height;
    WADI_TRY(relief_layer(r, job, scene->surface, cells, true, &r->ground));
    WADI_TRY(wadi_holes_fill(r));
    WADI_TRY(relief_water(r, job, scene));
    WADI_TRY(relief_layer(r, job, scene->sediment, cells, false, &r->sediment));
    WADI_TRY(relief_layer(r, job, scene->vegetation, 1.0f, false, &r->vegetation));
    WADI_TRY(relief_layer(r, job, scene->hardness, 1.0f, false, &r->hardness));
    WADI_TRY(relief_layer(r, job, scene->moisture, 1.0f, false, &r->moisture));
    WADI_TRY(relief_layer(r, job, scene->overlay, 1.0f, false, &r->overlay));
    WADI_TRY(relief_layer(r, job, scene->wind_east, 1.0f, false, &r->wind_east));
    WADI_TRY(relief_layer(r, job, scene->wind_north, 1.0f, false, &r->wind_north));
    WADI_ALLOC(r->context, r->sun, count, "the shadows of the picture");
    WADI_ALLOC(r->context, r->lit, count, "the colours of the picture");
    WADI_ALLOC(r->context, r->rough, count, "the roughness of the picture");
    WADI_TRY(wadi_waters_draw(r, scene, params));
    WADI_TRY(relief_flood(r, scene));
    relief_extent(r);
    return relief_stack(r);
}

wadi_result wadi_relief_create(wadi_context* context, const wadi_render_scene* scene,
                               const wadi_render_params* params, render_relief* out)
{
    *out = (render_relief){.context = context};
    const wadi_result result = relief_fill(out, scene, params);
    if (result != WADI_OK)
    {
        wadi_relief_destroy(out);
    }
    return result;
}

void wadi_relief_destroy(render_relief* r)
{
    wadi_free(r->context, r->ground);
    wadi_free(r->context, r->hole);
    wadi_free(r->context, r->top);
    wadi_free(r->context, r->water);
    wadi_free(r->context, r->sediment);
    wadi_free(r->context, r->vegetation);
    wadi_free(r->context, r->hardness);
    wadi_free(r->context, r->moisture);
    wadi_free(r->context, r->surf);
    wadi_free(r->context, r->rivers);
    wadi_free(r->context, r->overlay);
    wadi_free(r->context, r->wind_east);
    wadi_free(r->context, r->wind_north);
    wadi_free(r->context, r->sun);
    wadi_free(r->context, r->lit);
    wadi_free(r->context, r->rough);
    *r = (render_relief){0};
}
