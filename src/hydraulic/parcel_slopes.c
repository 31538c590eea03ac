// SPDX-License-Identifier: MIT
// Hillslopes after a batch: creep, slumps of loose sediment under water, slides of ground steeper
// than repose. Each pass reads a frozen surface and writes the next one.
//
// Slides are not those of src/talus, which relaxes loose matter in place, tile by tile, until it
// rests. Here rock slides with what lies on it, one sweep a batch is all, creep having left few
// cells to it, and the maps and the surface that the next walk reads are written on the way.
#include "core/dmath.h"
#include "hydraulic/parcel_kernels.h"

#include <math.h>
#include <string.h>

typedef struct slopes_job
{
    parcel_level* level;
    const parcel_kernels* kernels;
    parcel_creep_row creep;
    parcel_slide_row slide;
    const int32_t* slide_surface; // padded: the surface, or its masked copy under water
    uint8_t* active;              // by row: something slides there
    wadi_tally* tallies;          // by worker
    int32_t* changes;             // by worker: one row
} slopes_job;

// ---- applying ----------------------------------------------------------------------------

static void slopes_note_maps(int32_t* restrict wear, int32_t* restrict deposit, int32_t count,
                             const int32_t* restrict change)
{
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        wear[x] += change[x] < 0 ? -change[x] : 0;
        deposit[x] += change[x] > 0 ? change[x] : 0;
    }
}

// The next surface. Cells without data are walls: no pair, no change.
static void slopes_raise(const uint8_t* restrict rim, int32_t count, int32_t* restrict change,
                         const int32_t* restrict surface, int32_t* restrict next)
{
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        change[x] = rim[x] != PARCEL_VOID ? change[x] : 0;
        next[x] = surface[x] + change[x];
    }
}

static bool slopes_any(const int32_t* change, int32_t count)
{
    int32_t any = 0;
#pragma omp simd reduction(| : any)
    for (int32_t x = 0; x < count; ++x)
    {
        any |= change[x];
    }
    return any != 0;
}

// Ground and maps are left alone along stretches where nothing moves: nearly all of a slump or a
// slide.
static void slopes_change_row(const slopes_job* job, int32_t y, int32_t* change, int32_t worker)
{
    enum
    {
        STRETCH = 64
    };
    parcel_level* level = job->level;
    const int64_t row = (int64_t)y * level->width;
    const int64_t padded = parcel_padded_index(level, 0, y);
    slopes_raise(level->rim + row, level->width, change, level->surface + padded,
                 level->spare + padded);
    for (int32_t x = 0; x < level->width; x += STRETCH)
    {
        const int32_t count = x + STRETCH < level->width ? STRETCH : level->width - x;
        if (!slopes_any(change + x, count))
        {
            continue;
        }
        wadi_ground_change_row(level->ground, row + x, count, change + x, &job->tallies[worker]);
        if (level->wear != NULL)
        {
            slopes_note_maps(level->wear + row + x, level->deposit + row + x, count, change + x);
        }
    }
}

static void slopes_swap(parcel_level* level)
{
    int32_t* next = level->spare;
    level->spare = level->surface;
    level->surface = next;
    parcel_level_refresh_ghosts(level, level->surface);
}

// ---- creep -------------------------------------------------------------------------------

static void slopes_ease_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const slopes_job* job = user;
    parcel_creep_row row = job->creep;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t padded = parcel_padded_index(job->level, 0, y);
        row.surface = job->level->surface + padded;
        row.ease = job->level->slide + padded;
        job->kernels->creep_ease(&row);
    }
}

static void slopes_creep_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const slopes_job* job = user;
    parcel_level* level = job->level;
    parcel_creep_row row = job->creep;
    row.change = job->changes + (int64_t)worker * level->width;
    for (int32_t y = begin; y < end; ++y)
    {
        row.surface = level->surface + parcel_padded_index(level, 0, y);
        row.grip = level->grip != NULL ? level->grip + parcel_padded_index(level, 0, y) : NULL;
        row.ease = level->slide + parcel_padded_index(level, 0, y); // slides need it only later
        job->kernels->creep(&row);
        slopes_change_row(job, y, row.change, worker);
    }
}

// Most that creep could take from a cell: what it would lose to all lower neighbours.
static float slopes_creep_demand(const slopes_job* job, int64_t padded)
{
    const parcel_level* level = job->level;
    const ptrdiff_t s = level->stride;
    const ptrdiff_t step[8] = {1, s, -1, -s, s + 1, s - 1, -s - 1, -s + 1};
    float demand = 0.0f;
    for (int k = 0; k < 8; ++k)
    {
        const int64_t difference =
            (int64_t)level->surface[padded] - level->surface[padded + step[k]];
        const float weight = k < 4 ? 4.0f / 6.0f : 1.0f / 6.0f;
        demand += difference > 0 ? 0.12f * weight * (float)difference : 0.0f;
    }
    return demand;
}

// Hard rock lets go only what its yield allows; the verbs know how much that is.
static void slopes_grip_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const slopes_job* job = user;
    parcel_level* level = job->level;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < level->width; ++x)
        {
            const int64_t cell = (int64_t)y * level->width + x;
            const int64_t padded = parcel_padded_index(level, x, y);
            const float demand =
                level->rim[cell] != PARCEL_VOID ? slopes_creep_demand(job, padded) : 0.0f;
            const int32_t asked = (int32_t)demand + 1;
            const int32_t yield = wadi_ground_yield(level->ground, cell, asked);

            // a hair less, so that eight roundings cannot add up to more than was promised
            level->grip[padded] =
                yield == asked ? 1.0f : (float)yield / ((float)asked + 8.0f) * (1.0f - 1e-5f);
        }
    }
}

static void slopes_creep(slopes_job* job)
{
    parcel_level* level = job->level;
    const double rate = level->params->creep * level->dt / (level->cell * level->cell);
    if (!(rate > 0.0))
    {
        return;
    }
    const int32_t substeps = (int32_t)ceil(rate / 0.1); // explicit creep is stable to 0.12
    job->creep = (parcel_creep_row){
        .stride = level->stride,
        .count = level->width,
        .rate = (float)(rate / substeps),
        .steepness =
            (float)(1.0 / (level->params->critical_slope * level->cell * WADI_UNITS_PER_METRE)),
    };
    for (int32_t i = 0; i < substeps; ++i)
    {
        if (level->grip != NULL)
        {
            wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, slopes_grip_rows, job);
            parcel_level_wrap(level, level->grip, sizeof *level->grip);
        }
        wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, slopes_ease_rows, job);
        parcel_level_wrap(level, level->slide, sizeof *level->slide);
        wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, slopes_creep_rows, job);
        slopes_swap(level);
    }
}

// ---- slides ------------------------------------------------------------------------------

// On land hardness limits what slides; under water the kernel has seen to it that loose matter
// does.
static void slopes_limit_slide(const slopes_job* job, int32_t x, int32_t y)
{
    parcel_level* level = job->level;
    const parcel_slide_row* slide = &job->slide;
    const ptrdiff_t s = level->stride;
    const ptrdiff_t step[8] = {1, s, -1, -s, s + 1, s - 1, -s - 1, -s + 1};
    const int64_t cell = (int64_t)y * level->width + x;
    const int64_t padded = parcel_padded_index(level, x, y);
    float planned = 8.0f;
    for (int k = 0; k < 8; ++k)
    {
        const int64_t difference =
            (int64_t)job->slide_surface[padded] - job->slide_surface[padded + step[k]];
        const int64_t excess = difference - slide->hold[k >> 2];
        planned +=
            excess > 0 && difference < (1 << 30) ? (float)excess * level->slide[padded] : 0.0f;
    }
    const int32_t asked = (int32_t)planned;
    const int32_t yield = wadi_ground_yield(level->ground, cell, asked);
    if (yield < asked)
    {
        level->slide[padded] *= (float)yield / planned * (1.0f - 1e-5f);
    }
}

static void slopes_rate_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    slopes_job* job = user;
    parcel_level* level = job->level;
    parcel_slide_row row = job->slide;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t padded = parcel_padded_index(level, 0, y);
        row.surface = job->slide_surface + padded;
        row.rate = level->slide + padded;
        row.loose = job->slide_surface == level->masked
                        ? level->ground->loose[0] + (int64_t)y * level->width
                        : NULL;
        job->active[y] = job->kernels->slide_rates(&row) ? 1 : 0;
        const bool limited = level->has_hardness && job->slide_surface == level->surface;
        for (int32_t x = 0; job->active[y] != 0 && limited && x < level->width; ++x)
        {
            if (row.rate[x] > 0.0f)
            {
                slopes_limit_slide(job, x, y);
            }
        }
    }
}

static bool slopes_row_is_active(const slopes_job* job, int32_t y)
{
    const int32_t height = job->level->height;
    for (int32_t k = -1; k <= 1; ++k)
    {
        if (job->active[(y + k + height) % height] != 0)
        {
            return true;
        }
    }
    return false;
}

static void slopes_exchange_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const slopes_job* job = user;
    parcel_level* level = job->level;
    parcel_slide_row row = job->slide;
    row.change = job->changes + (int64_t)worker * level->width;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t padded = parcel_padded_index(level, 0, y);
        if (!slopes_row_is_active(job, y))
        {
            memcpy(level->spare + padded, level->surface + padded,
                   (size_t)level->width * sizeof *level->spare);
            continue;
        }
        row.surface = job->slide_surface + padded;
        row.rate = level->slide + padded;
        job->kernels->slide_exchange(&row);
        slopes_change_row(job, y, row.change, worker);
    }
}

static void slopes_mask_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const slopes_job* job = user;
    parcel_level* level = job->level;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t row = parcel_padded_index(level, 0, y);
        const uint8_t* restrict wet = level->wet + (int64_t)y * level->width;
        const int32_t* restrict surface = level->surface + row;
        int32_t* restrict masked = level->masked + row;
#pragma omp simd
        for (int32_t x = 0; x < level->width; ++x)
        {
            masked[x] = wet[x] != 0 ? surface[x] : PARCEL_WALL;
        }
    }
}

// One sweep: of the largest excess over repose a share moves, split by excess.
static void slopes_slide(slopes_job* job, double degrees, bool wet, float share)
{
    parcel_level* level = job->level;
    const double angle = degrees * (3.14159265358979323846 / 180.0);
    const double hold = wadi_sin(angle) / wadi_cos(angle) * level->cell * WADI_UNITS_PER_METRE;
    const double most = (double)(1 << 29); // steeper than any pair: nothing slides
    job->slide_surface = wet ? level->masked : level->surface;
    if (wet)
    {
        wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, slopes_mask_rows, job);
        parcel_level_refresh_ghosts(level, level->masked);
    }
    job->slide = (parcel_slide_row){
        .stride = level->stride,
        .count = level->width,
        .hold = {(int32_t)fmin(hold, most), (int32_t)fmin(hold * 1.41421356237309505, most)},
        .share = share,
    };
    wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, slopes_rate_rows, job);
    if (memchr(job->active, 1, (size_t)level->height) == NULL)
    {
        return;
    }
    parcel_level_wrap(level, level->slide, sizeof *level->slide);
    wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, slopes_exchange_rows, job);
    slopes_swap(level);
}

void parcel_slopes(parcel_level* level)
{
    slopes_job job = {
        .level = level,
        .kernels = parcel_kernels_pick(),
        .active = level->row_flags,
        .tallies = level->worker_tallies,
        .changes = level->worker_rows,
    };
    slopes_creep(&job);
    if (level->params->lakes)
    {
        slopes_slide(&job, level->params->lake_repose, true, 0.4f);
        slopes_slide(&job, level->params->lake_repose, true, 0.4f);
    }
    slopes_slide(&job, level->params->repose, false, 0.5f);
    for (int32_t worker = 0; worker < wadi_context_workers(level->context); ++worker)
    {
        wadi_tally_add(&level->tally, &level->worker_tallies[worker]);
        level->worker_tallies[worker] = (wadi_tally){0};
    }
}
