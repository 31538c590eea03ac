// SPDX-License-Identifier: MIT
// Crusts, coarse grains and dry sand under the flux. They limit what is lifted, but not what
// settles, so sand passes over them. Sand near ground water is lifted in a step no deeper than
// where it is too moist for the wind, or cells would take turns to be cut too deep and to trap
// sand.
#include "processes/dunes/flux.h"

#include "core/internal.h"
#include "laws/sand/sand_skin.h"

wadi_result wadi_flux_top_create(flux* f)
{
    const sand_top_law law = SAND_TOP_LAW_OF(&f->params);
    WADI_TRY(wadi_sand_top_create(f->terrain, &law, &f->top));
    if (f->top != NULL || f->params.water_fringe > 0.0)
    {
        const int64_t size = (int64_t)f->ground->height * f->stride;
        WADI_ALLOC(f->context, f->lift, size, "held sand");
        WADI_ALLOC(f->context, f->supply, size, "held sand");
    }
    if (f->top != NULL)
    {
        WADI_ALLOC(f->context, f->grips, f->ground->cells, "held sand");
    }
    return WADI_OK;
}

static void top_note_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        wadi_sand_top_note_row(f->top, y);
    }
}

void wadi_flux_top_note(flux* f)
{
    if (f->top != NULL)
    {
        wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, top_note_rows, f);
    }
}

static void top_read_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    (void)worker;
    for (int64_t cell = (int64_t)begin * f->ground->width; cell < (int64_t)end * f->ground->width;
         ++cell)
    {
        f->grips[cell] = wadi_sand_top_grip(f->top, cell);
    }
}

void wadi_flux_top_read(flux* f)
{
    if (f->top != NULL)
    {
        wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, top_read_rows, f);
    }
}

// Index of a neighbour along an axis; beyond edges that do not wrap the cell itself.
static int32_t top_beside(int32_t at, int32_t count, bool wraps)
{
    return wraps ? (int32_t)flux_wrap(at, count, true) : at < 0 ? 0 : at < count ? at : count - 1;
}

// Grip of a cell in the mean over its neighbourhood (1 2 1 along x and y), as that of plants. With
// that of each cell alone, a cell which loses its crust or its fine grains is worn down alone, and
// its neighbours, which trap the sand, hold on: they alternate. It loses no more than its own.
// Voids hold as the cell itself.
static sand_grip top_grip(const flux* f, int32_t x, int32_t y)
{
    static const float weight[3] = {0.25f, 0.5f, 0.25f};
    const int32_t width = f->ground->width;
    const int64_t cell = (int64_t)y * width + x;
    sand_grip mean = {0.0f, 0.0f, 0.0f};
    for (int32_t j = 0; j < 3; ++j)
    {
        const int64_t row = (int64_t)top_beside(y + j - 1, f->ground->height, f->wrap_y) * width;
        for (int32_t i = 0; i < 3; ++i)
        {
            const int64_t beside = row + top_beside(x + i - 1, width, f->wrap_x);
            const sand_grip* one = f->grips + (f->ground->valid[beside] != 0 ? beside : cell);
            mean.threshold += weight[i] * weight[j] * one->threshold;
            mean.share += weight[i] * weight[j] * one->share;
            mean.most += weight[i] * weight[j] * one->most;
        }
    }
    const float own = f->grips[cell].most;
    mean.most = mean.most < own ? mean.most : own;
    return mean;
}

void wadi_flux_top_bind(const flux* f, int32_t y)
{
    const ptrdiff_t at = flux_at(f, y);
    const float* bond = flux_bond_row(f, y);
    const int64_t first = (int64_t)y * f->ground->width;
    const sand_skin_law skin = SAND_SKIN_LAW_OF(&f->params);
    const sand_grip free = {.threshold = 1.0f, .share = 1.0f, .most = SAND_GRIP_FREE};
    for (int32_t x = 0; f->lift != NULL && x < f->ground->width; ++x)
    {
        const sand_grip grip = f->top != NULL ? top_grip(f, x, y) : free;
        const float needed = f->law.shear.threshold * bond[x] * grip.threshold;
        const float excess = grip.share * (f->stress[at + x] - needed);
        const int32_t most = (int32_t)(f->law.shear.saturated * (excess > 0.0f ? excess : 0.0f));
        f->lift[at + x] = most < f->capacity[at + x] ? most : f->capacity[at + x];
        const float wanted = (float)f->lift[at + x] * FLUX_PASSES;
        const float over =
            f->law.shear.threshold > 0.0f ? f->stress[at + x] / f->law.shear.threshold : 1e9f;
        const float above = wadi_sand_skin_above_moist(&skin, f->ground, first + x, over, wanted);
        const float supply = above < grip.most ? above : grip.most;
        f->supply[at + x] = (int32_t)(supply * (1.0f / FLUX_PASSES));
    }
}

typedef struct top_job
{
    flux* f;
    sand_top_span span;
    bool blown;
} top_job;

static void top_age_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const top_job* job = user;
    const flux* f = job->f;
    float* passed = f->workers[worker].bank[0];
    for (int32_t y = begin; y < end; ++y)
    {
        const int32_t* load = f->load + flux_at(f, y);
        for (int32_t x = 0; x < f->ground->width; ++x)
        {
            passed[x] = (float)load[x];
        }
        sand_top_span span = job->span;
        span.passed = job->blown ? passed : NULL;
        wadi_sand_top_age_row(f->top, y, &span);
    }
}

void wadi_flux_top_age(flux* f, double years, bool blown)
{
    if (f->top != NULL)
    {
        const double calendar = blown ? years * f->calendar : years;
        const double scale = f->law.per_load * years;
        top_job job = {f, {.years = (float)calendar, .scale = (float)scale}, blown};
        wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, top_age_rows, &job);
        (void)wadi_sand_top_slide(f->top); // on the whole grid
    }
}
