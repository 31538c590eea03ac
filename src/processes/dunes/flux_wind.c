// SPDX-License-Identifier: MIT
// The wind of every cell. If relief hardly turns the wind and there are no local winds, one row
// holds for all rows; else each cell has its own direction and strength (equation 0).
//
// The speed-up over relief is part of the shear stress in flux_shear.c. The speed-up by height of
// the slab model would count it twice and is not used here.
#include "processes/dunes/flux.h"

#include "core/internal.h"
#include "laws/wind/wind_heading.h"

#include <math.h>

// Largest turn treated as uniform: it displaces a shelter by less than a cell over 57 cells.
static const float wind_straight = 0.0174524f; // sine of a degree

static airflow_law wind_law(const wadi_dunes_params* p)
{
    return (airflow_law){.speedup_limit = 1.0,
                         .warp = p->warp,
                         .warp_wide = p->warp_wide,
                         .warp_narrow = p->warp_narrow,
                         .warp_wide_share = p->warp_wide_share,
                         .warp_wide_turn = p->warp_wide_turn,
                         .warp_narrow_turn = p->warp_narrow_turn,
                         .open = true};
}

static wadi_result wind_create_air(flux* f)
{
    const airflow_law law = wind_law(&f->params);
    return wadi_airflow_create(f->terrain, &law, f->stream, &f->air);
}

wadi_result wadi_flux_wind_create(flux* f)
{
    const bool bends = f->params.warp > 0.0;
    for (int k = 0; k < FLUX_WIND_PARTS; ++k)
    {
        WADI_ALLOC(f->context, f->wind[k], f->stride, "wind over dunes");
    }
    return bends ? wind_create_air(f) : WADI_OK;
}

wadi_result wadi_flux_wind_set_table(flux* f, int32_t index, const double* rows, int32_t count)
{
    if (f->air == NULL)
    {
        WADI_TRY(wind_create_air(f));
    }
    return wadi_airflow_set_table(f->air, index, rows, count);
}

// ---- one direction -----------------------------------------------------------------------------

static void wind_fill(flux* f, const wind_spell* wind)
{
    const wind_heading to = wadi_wind_heading(wind->direction);
    for (ptrdiff_t x = 0; x < f->stride; ++x)
    {
        f->wind[FLUX_WIND_EAST][x] = to.x;
        f->wind[FLUX_WIND_SOUTH][x] = to.y;
        f->wind[FLUX_WIND_STRENGTH][x] = 1.0f;
    }
    f->wind_stride = 0;
    f->fastest = wind->speed;
}

// ---- many directions ---------------------------------------------------------------------------

// Allocate a plane for each component of a wind that varies from cell to cell.
static wadi_result wind_allocate_planes(flux* f)
{
    const int64_t size = (int64_t)f->ground->height * f->stride;
    for (int k = 0; k < FLUX_WIND_PARTS && !f->bends; ++k)
    {
        float* plane;
        WADI_ALLOC(f->context, plane, size, "wind over dunes");
        wadi_free(f->context, f->wind[k]);
        f->wind[k] = plane;
    }
    f->bends = true;
    return WADI_OK;
}

typedef struct wind_job
{
    const flux* f;
    airflow_view view;
    wind_heading aloft;
    float per_square; // 1 / the fastest squared [s2/m2]
} wind_job;

static void wind_fastest_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const wind_job* job = user;
    const int64_t width = job->f->ground->width;
    float most = job->f->workers[worker].range[1];
    for (int64_t cell = begin * width; cell < end * width; ++cell)
    {
        const float x = job->view.x[cell];
        const float y = job->view.y[cell];
        const float square = x * x + y * y;
        most = square > most ? square : most;
    }
    job->f->workers[worker].range[1] = most;
}

// [m2/s2]
static float wind_fastest_square(flux* f, wind_job* job)
{
    float most = 0.0f;
    for (int32_t w = 0; w < f->worker_count; ++w)
    {
        f->workers[w].range[1] = 0.0f;
    }
    wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, wind_fastest_rows, job);
    for (int32_t w = 0; w < f->worker_count; ++w)
    {
        most = fmaxf(most, f->workers[w].range[1]);
    }
    return most;
}

static void wind_bend_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const wind_job* job = user;
    const flux* f = job->f;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        float* const parts[FLUX_WIND_PARTS] = {
            f->wind[0] + flux_at(f, y), f->wind[1] + flux_at(f, y), f->wind[2] + flux_at(f, y)};
        for (int32_t x = 0; x < f->ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * f->ground->width + x;
            const float wx = job->view.x[cell];
            const float wy = job->view.y[cell];
            const float strength = (wx * wx + wy * wy) * job->per_square;
            const float speed = sqrtf(wx * wx + wy * wy);
            // the direction is undefined where the speed is 0, as in the eye of a vortex
            parts[FLUX_WIND_EAST][x] = strength > 1e-9f ? wx / speed : job->aloft.x;
            parts[FLUX_WIND_SOUTH][x] = strength > 1e-9f ? wy / speed : job->aloft.y;
            parts[FLUX_WIND_STRENGTH][x] = strength;
        }
        for (int k = 0; k < FLUX_WIND_PARTS; ++k)
        {
            wadi_flux_fill_margins(f, parts[k], 1);
        }
    }
}

static wadi_result wind_bend(flux* f, const wind_spell* wind, airflow_view view)
{
    WADI_TRY(wind_allocate_planes(f));
    wind_job job = {.f = f, .view = view, .aloft = wadi_wind_heading(wind->direction)};
    const float square = wind_fastest_square(f, &job);
    job.per_square = square > 0.0f ? 1.0f / square : 0.0f;
    f->wind_stride = f->stride;
    f->fastest = sqrt((double)square);
    wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, wind_bend_rows, &job);
    return WADI_OK;
}

wadi_result wadi_flux_wind_blow(flux* f, const wind_spell* wind)
{
    airflow_view view = {0};
    if (f->air != NULL)
    {
        if (f->steps >= f->next_survey)
        {
            (void)wadi_airflow_survey(f->air);
            f->next_survey = f->steps + FLUX_SAMPLING;
        }
        (void)wadi_airflow_blow(f->air, &(airflow_wind){wind->direction, wind->speed, f->middle});
        view = wadi_airflow_view(f->air);
    }
    if (!view.laid && view.turned < wind_straight)
    {
        wind_fill(f, wind);
        return WADI_OK;
    }
    return wind_bend(f, wind, view);
}
