// SPDX-License-Identifier: MIT
// Crust of the sand: salt, clay or algae that bind its grains. It raises the threshold at which
// wind lifts sand, but not that at which sand in the air settles, so sand passes over a crust. Its
// strength c is between 0 and 1:
//     dc/dt = growth x water x (1 - c) - abrasion x q x c - |dh/dt| / depth,
// where q is the flux of sand over it (Houser & Nickling 2001).
#include "processes/dunes/flux.h"

#include "core/dmath.h"
#include "core/internal.h"

wadi_result wadi_flux_crust_create(flux* f)
{
    if (f->params.crust_gain <= 0.0)
    {
        return WADI_OK;
    }
    const wadi_ground* ground = f->ground;
    WADI_ALLOC(f->context, f->crust, ground->cells, "crusts");
    WADI_ALLOC(f->context, f->crust_level, ground->cells, "crusts");
    WADI_ALLOC(f->context, f->lift, (int64_t)ground->height * f->stride, "crusts");
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        f->crust[cell] = (float)f->params.crust_start;
    }
    return WADI_OK;
}

wadi_result wadi_flux_crust_set(flux* f, const float* values)
{
    for (int64_t cell = 0; f->crust != NULL && cell < f->ground->cells; ++cell)
    {
        f->crust[cell] = f->ground->valid[cell] != 0 ? values[cell] : 0.0f;
    }
    return WADI_OK;
}

static void crust_note_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < f->ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * f->ground->width + x;
            f->crust_level[cell] = wadi_ground_surface(f->ground, cell);
        }
    }
}

void wadi_flux_crust_note(flux* f)
{
    if (f->crust != NULL)
    {
        wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, crust_note_rows, f);
    }
}

void wadi_flux_crust_bind(const flux* f, int32_t y)
{
    const ptrdiff_t at = flux_at(f, y);
    const float* bond = flux_bond_row(f, y);
    const float* crust = f->crust != NULL ? f->crust + (int64_t)y * f->ground->width : NULL;
    for (int32_t x = 0; crust != NULL && x < f->ground->width; ++x)
    {
        const float speed = 1.0f + (float)f->params.crust_gain * crust[x];
        const float needed = f->law.shear.threshold * bond[x] * (speed * speed);
        const float excess = f->stress[at + x] - needed;
        const int32_t most = (int32_t)(f->law.shear.saturated * (excess > 0.0f ? excess : 0.0f));
        f->lift[at + x] = most < f->capacity[at + x] ? most : f->capacity[at + x];
    }
}

typedef struct crust_job
{
    flux* f;
    float passed; // [m2] of sand by a unit of load
    float grown;  // growth, as a power of e
} crust_job;

static float crust_next(const crust_job* job, int32_t x, int32_t y)
{
    const flux* f = job->f;
    const int64_t cell = (int64_t)y * f->ground->width + x;
    const float rain = (float)f->params.crust_rain;
    const float water = rain + (1.0f - rain) * ((float)f->ground->moisture[cell] / 65535.0f);
    const float gain = job->grown * water;
    const float loss = job->passed * (float)f->load[flux_at(f, y) + x];
    const float balance = gain > 0.0f ? gain / (gain + loss) : 0.0f;
    const float left = balance + (f->crust[cell] - balance) * wadi_expf(-(gain + loss));
    const int64_t risen = (int64_t)wadi_ground_surface(f->ground, cell) - f->crust_level[cell];
    const float moved = (float)risen / WADI_UNITS_PER_METRE;
    const float lost = (moved > 0.0f ? moved : -moved) / (float)f->params.crust_depth;
    const float next = left - lost;
    return next < 0.0f ? 0.0f : next < 1.0f ? next : 1.0f;
}

static void crust_age_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const crust_job* job = user;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < job->f->ground->width; ++x)
        {
            job->f->crust[(int64_t)y * job->f->ground->width + x] = crust_next(job, x, y);
        }
    }
}

void wadi_flux_crust_age(flux* f, double years, bool blown)
{
    if (f->crust != NULL)
    {
        const double passed = blown ? f->params.crust_abrasion * f->law.per_load * years : 0.0;
        const double calendar = blown ? years * f->calendar : years;
        crust_job job = {f, (float)passed, (float)(f->params.crust_growth * calendar)};
        wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, crust_age_rows, &job);
        wadi_flux_crust_note(f);
    }
}
