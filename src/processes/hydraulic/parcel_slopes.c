// SPDX-License-Identifier: MIT
// Hillslopes after a batch: creep, then slides of ground steeper than repose, which under water is
// a slope of a few degrees. Creep reads a frozen surface and writes the next one; slides are in
// src/laws/slopes.
#include "laws/slopes/talus.h"
#include "processes/hydraulic/parcel_kernels.h"

#include <math.h>
#include <string.h>

enum
{
    SLOPES_SWEEPS = 2 // of slides in a batch: the first breaks rock, which slides in the second
};

// Share of the excess that slides in a sweep. Measured: at 0.25 steep rock slides so slowly that
// basins drain to random sides (property.symmetry: 2.6, now 1.6); twice the sweeps cost 10 %.
static const double slopes_share = 0.35;

typedef struct slopes_job
{
    parcel_level* level;
    const parcel_kernels* kernels;
    parcel_creep_row creep;
    wadi_tally* tallies; // by worker
    int32_t* changes;    // by worker: one row
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

// The next surface. Cells without data are walls and do not change.
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

static void slopes_change_row(const slopes_job* job, int32_t y, int32_t* change, int32_t worker)
{
    parcel_level* level = job->level;
    const int64_t row = (int64_t)y * level->width;
    const int64_t padded = parcel_padded_index(level, 0, y);
    slopes_raise(level->rim + row, level->width, change, level->surface + padded,
                 level->spare + padded);
    wadi_ground_change_row(level->ground, row, level->width, change, &job->tallies[worker]);
    if (level->wear != NULL)
    {
        slopes_note_maps(level->wear + row, level->deposit + row, level->width, change);
    }
}

static void slopes_swap(parcel_level* level)
{
    int32_t* next = level->spare;
    level->spare = level->surface;
    level->surface = next;
    wadi_parcel_level_refresh_ghosts(level, level->surface);
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
        row.ease = job->level->ease + padded;
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
        row.ease = level->ease + parcel_padded_index(level, 0, y);
        job->kernels->creep(&row);
        slopes_change_row(job, y, row.change, worker);
    }
}

// Upper bound of the creep out of a cell: its flux to all lower neighbours.
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

// Limit creep out of hard rock to the yield of the rock.
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

            // slightly less, so that eight roundings do not add up to more than the yield
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
    const int32_t substeps = (int32_t)ceil(rate / 0.1); // explicit creep is stable up to 0.12
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
            wadi_parcel_level_wrap(level, level->grip, sizeof *level->grip);
        }
        wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, slopes_ease_rows, job);
        wadi_parcel_level_wrap(level, level->ease, sizeof *level->ease);
        wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, slopes_creep_rows, job);
        slopes_swap(level);
    }
}

// ---- slides ------------------------------------------------------------------------------

// Tangents of repose: loose sediment under water has its own.
typedef struct slopes_repose
{
    parcel_level* level;
    float land;
    float lake;
} slopes_repose;

static void slopes_repose_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const slopes_repose* repose = user;
    const int64_t width = repose->level->width;
    const uint8_t* restrict wet = repose->level->wet;
    float* restrict tangents = repose->level->tangents;
#pragma omp simd
    for (int64_t c = begin * width; c < end * width; ++c)
    {
        tangents[c] = wet[c] != 0 ? repose->lake : repose->land;
    }
}

// Tangent of repose by cell; NULL if all cells are dry.
static const float* slopes_tangents(parcel_level* level)
{
    const wadi_hydraulic_params* params = level->params;
    if (!params->lakes || memchr(level->wet, 1, (size_t)level->cells) == NULL)
    {
        return NULL;
    }
    slopes_repose repose = {level, (float)wadi_talus_tangent(params->repose),
                            (float)wadi_talus_tangent(params->lake_repose)};
    wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, slopes_repose_rows, &repose);
    return level->tangents;
}

// Update the surface that the next walk reads by the change from slides. Void cells stay walls.
static void slopes_read_row(const parcel_level* level, int32_t y, int32_t* restrict change)
{
    const wadi_ground* ground = level->ground;
    const int64_t row = (int64_t)y * level->width;
    const uint8_t* restrict rim = level->rim + row;
    const int32_t* restrict rock = ground->bedrock + row;
    int32_t* restrict surface = level->surface + parcel_padded_index(level, 0, y);
    for (int32_t x = 0; x < level->width; ++x)
    {
        change[x] = rim[x] != PARCEL_VOID ? rock[x] - level->datum - surface[x] : 0;
    }
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        const int32_t* restrict loose = ground->loose[i] + row;
        for (int32_t x = 0; x < level->width; ++x)
        {
            change[x] += loose[x];
        }
    }
    for (int32_t x = 0; x < level->width; ++x)
    {
        change[x] = rim[x] != PARCEL_VOID ? change[x] : 0;
        surface[x] += change[x];
    }
}

static void slopes_read_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const slopes_job* job = user;
    parcel_level* level = job->level;
    int32_t* change = job->changes + (int64_t)worker * level->width;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t row = (int64_t)y * level->width;
        slopes_read_row(level, y, change);
        if (level->wear != NULL)
        {
            slopes_note_maps(level->wear + row, level->deposit + row, level->width, change);
        }
    }
}

// Edges are walls to slides: outlets are the base level and are not lowered.
static wadi_ground slopes_walled(const wadi_ground* ground)
{
    wadi_ground walled = *ground;
    for (int side = 0; side < 4; ++side)
    {
        const bool open = walled.edges[side] == WADI_EDGE_OPEN;
        walled.edges[side] = open ? WADI_EDGE_CLOSED : walled.edges[side];
    }
    return walled;
}

static void slopes_slide(slopes_job* job)
{
    parcel_level* level = job->level;
    const wadi_talus_law law = {
        .repose = level->params->repose,
        .rock_repose = level->params->repose, // rock breaks at the repose of its debris
        .share = slopes_share,
        .tangents = slopes_tangents(level),
    };
    const wadi_ground walled = slopes_walled(level->ground);
    wadi_talus_touch_all(level->talus);
    wadi_talus_relax(level->talus, &walled, &law, SLOPES_SWEEPS, &level->tally);
    wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, slopes_read_rows, job);
    wadi_parcel_level_refresh_ghosts(level, level->surface);
}

void wadi_parcel_slopes(parcel_level* level)
{
    slopes_job job = {
        .level = level,
        .kernels = parcel_kernels_of(wadi_isa_best()),
        .tallies = level->worker_tallies,
        .changes = level->worker_rows,
    };
    slopes_creep(&job);
    for (int32_t worker = 0; worker < wadi_context_workers(level->context); ++worker)
    {
        wadi_tally_add(&level->tally, &level->worker_tallies[worker]);
        level->worker_tallies[worker] = (wadi_tally){0};
    }
    slopes_slide(&job);
}
