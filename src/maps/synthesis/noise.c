// SPDX-License-Identifier: MIT
// Fractal sums of gradient noise over a grid.
#include <wadi/synthesis.h>

#include "core/dmath.h"
#include "core/internal.h"
#include "core/octave.h"
#include "core/partition.h"
#include "core/random.h"

#include <math.h>
#include <string.h>

enum
{
    NOISE_MAX_OCTAVES = 16,
    NOISE_WARP_OCTAVES = 4, // of the displacement; more octaves only add roughness
    NOISE_GRAIN = 8,        // rows of a block
    NOISE_LATTICE = 1024,   // places a side that tell the range of a grid around a part
    NOISE_BAND = 256,       // rows between two questions whether to go on
    NOISE_STREAM = 0x4E6F6973
};

// Octaves of one fBm, finest last.
typedef struct noise_stack
{
    wadi_octave octaves[NOISE_MAX_OCTAVES];
    int32_t count;
} noise_stack;

typedef struct noise_job
{
    noise_stack stack;
    noise_stack warp[2]; // displacement east and south; count 0: none
    double warp_length;  // [m]
    bool ridged;
    const wadi_partition* window; // NULL: the whole grid
    int32_t first;                // row of a band
    int32_t width;
    double cell_size;
    double base;
    double relief;
    float low; // of the unscaled field
    float high;
    float* range; // low and high of each row
    float* out;
} noise_job;

// Extent of the grid.
typedef struct noise_extent
{
    double x; // [m]
    double y;
    double cell_size;
    uint64_t seed;
} noise_extent;

// Octave without a period: turned by 37 degrees per octave, so that the zeros of the lattices do
// not coincide, and shifted by a random part of 256 cells. 2^27 keeps coordinates positive: the
// largest warp, 8 wavelengths, is 1.15e8 < 2^27 cells of the finest octave (3^15).
static void noise_place_open(wadi_octave* o, double frequency, int32_t index, wadi_philox random)
{
    const double angle = 0.6457718 * (double)index;
    o->ux = frequency * wadi_cos(angle);
    o->uy = -frequency * wadi_sin(angle);
    o->vx = -o->uy;
    o->vy = o->ux;
    o->u0 = 0x1p27 + 256.0 * wadi_unit_double(random.v[1], 0);
    o->v0 = 0x1p27 + 256.0 * wadi_unit_double(random.v[2], 0);
}

// Octave with a whole number of waves over the extent.
static void noise_place_tile(wadi_octave* o, double frequency, const noise_extent* extent,
                             wadi_philox random)
{
    o->period_u = (int32_t)fmax(1.0, floor(extent->x * frequency + 0.5));
    o->period_v = (int32_t)fmax(1.0, floor(extent->y * frequency + 0.5));
    o->ux = (double)o->period_u / extent->x;
    o->vy = (double)o->period_v / extent->y;
    o->u0 = (double)o->period_u * (64.0 + wadi_unit_double(random.v[1], 0));
    o->v0 = (double)o->period_v * (64.0 + wadi_unit_double(random.v[2], 0));
}

// Weight of an octave on a grid: 1 from four cells per wave, 0 below two, where it would alias.
// Grids of any cell size thus show the same hills.
static double noise_resolved(double frequency, double cell_size)
{
    const double cells = 1.0 / (frequency * cell_size);
    return fmin(1.0, fmax(0.0, 0.5 * cells - 1.0));
}

static void noise_stack_build(noise_stack* stack, const wadi_noise_params* params,
                              const noise_extent* extent, int32_t octaves, uint32_t which)
{
    double frequency = 1.0 / params->wavelength;
    double amplitude = 1.0;
    stack->count = 0;
    for (int32_t i = 0; i < octaves; ++i)
    {
        const double weight = i == 0 ? 1.0 : noise_resolved(frequency, extent->cell_size);
        if (weight <= 0.0)
        {
            return;
        }
        const wadi_philox random = wadi_random(extent->seed, NOISE_STREAM, which, (uint32_t)i);
        wadi_octave* o = &stack->octaves[stack->count++];
        *o = (wadi_octave){.key = random.v[0], .amplitude = (float)(amplitude * weight)};
        if (params->tileable)
        {
            noise_place_tile(o, frequency, extent, random);
        }
        else
        {
            noise_place_open(o, frequency, i, random);
        }
        frequency *= params->lacunarity;
        amplitude *= params->gain;
    }
}

static void noise_fbm(const noise_stack* stack, const double* x, const double* y, int32_t count,
                      float* sum)
{
    float octave[OCTAVE_SPAN];
    for (int32_t i = 0; i < count; ++i)
    {
        sum[i] = 0.0f;
    }
    for (int32_t o = 0; o < stack->count; ++o)
    {
        const float amplitude = stack->octaves[o].amplitude;
        wadi_octave_eval(&stack->octaves[o], x, y, count, octave);
        for (int32_t i = 0; i < count; ++i)
        {
            sum[i] += amplitude * octave[i];
        }
    }
}

// Ridged multifractal (Musgrave in Ebert et al. 2003, p. 504; offset 1, gain 2): crests where the
// noise is zero, and detail only where coarser octaves are high, so that valleys are smooth.
static void noise_ridged(const noise_stack* stack, const double* x, const double* y, int32_t count,
                         float* sum)
{
    float octave[OCTAVE_SPAN];
    float weight[OCTAVE_SPAN];
    for (int32_t i = 0; i < count; ++i)
    {
        sum[i] = 0.0f;
        weight[i] = 1.0f;
    }
    for (int32_t o = 0; o < stack->count; ++o)
    {
        const float amplitude = stack->octaves[o].amplitude;
        wadi_octave_eval(&stack->octaves[o], x, y, count, octave);
        for (int32_t i = 0; i < count; ++i)
        {
            const float crest = 1.0f - fabsf(octave[i]);
            const float signal = crest * crest * weight[i];
            sum[i] += amplitude * signal;
            weight[i] = fminf(1.0f, 2.0f * signal);
        }
    }
}

static void noise_displace(const noise_job* job, int32_t count, double* x, double* y)
{
    float east[OCTAVE_SPAN];
    float south[OCTAVE_SPAN];
    noise_fbm(&job->warp[0], x, y, count, east);
    noise_fbm(&job->warp[1], x, y, count, south);
    for (int32_t i = 0; i < count; ++i)
    {
        x[i] += job->warp_length * (double)east[i];
        y[i] += job->warp_length * (double)south[i];
    }
}

// Column and row in the whole grid.
static int32_t noise_column(const noise_job* job, int32_t column)
{
    return job->window != NULL ? wadi_partition_column(job->window, column) : column;
}

static int32_t noise_row(const noise_job* job, int32_t row)
{
    return job->window != NULL ? wadi_partition_row(job->window, row) : row;
}

// Unscaled values of `count` cells of a row.
static void noise_span(const noise_job* job, int32_t row, int32_t column, int32_t count, float* out)
{
    double x[OCTAVE_SPAN];
    double y[OCTAVE_SPAN];
    for (int32_t i = 0; i < count; ++i)
    {
        x[i] = ((double)noise_column(job, column + i) + 0.5) * job->cell_size;
        y[i] = ((double)noise_row(job, row) + 0.5) * job->cell_size;
    }
    if (job->warp[0].count > 0)
    {
        noise_displace(job, count, x, y);
    }
    (job->ridged ? noise_ridged : noise_fbm)(&job->stack, x, y, count, out);
}

static void noise_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    noise_job* job = user;
    for (int32_t row = begin; row < end; ++row)
    {
        float* out = job->out + (ptrdiff_t)row * job->width;
        for (int32_t column = 0; column < job->width; column += OCTAVE_SPAN)
        {
            const int32_t left = job->width - column;
            noise_span(job, row, column, left < OCTAVE_SPAN ? left : OCTAVE_SPAN, out + column);
        }

        float low = out[0];
        float high = out[0];
        for (int32_t column = 1; column < job->width; ++column)
        {
            low = fminf(low, out[column]);
            high = fmaxf(high, out[column]);
        }
        job->range[2 * (ptrdiff_t)row] = low;
        job->range[2 * (ptrdiff_t)row + 1] = high;
    }
}

// The quotient is computed first, so that the highest cell gets exactly base + relief.
static void noise_scale_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const noise_job* job = user;
    const double low = (double)job->low;
    const double span = job->high > job->low ? (double)job->high - low : 1.0;
    for (ptrdiff_t i = (ptrdiff_t)begin * job->width; i < (ptrdiff_t)end * job->width; ++i)
    {
        const double share = ((double)job->out[i] - low) / span;
        job->out[i] = (float)(job->base + job->relief * share);
    }
}

// ---- the range of the whole grid ---------------------------------------------------------------

// Places on a lattice over the whole grid, every `stride` cells, in rows and columns of a job.
typedef struct noise_lattice
{
    noise_job job; // without a window
    int32_t stride;
    int32_t rows;
    int32_t columns;
} noise_lattice;

static void noise_lattice_span(const noise_lattice* lattice, int32_t row, int32_t first,
                               int32_t count, float* out)
{
    const noise_job* job = &lattice->job;
    double x[OCTAVE_SPAN];
    double y[OCTAVE_SPAN];
    for (int32_t i = 0; i < count; ++i)
    {
        x[i] = ((double)(first + i) * lattice->stride + 0.5) * job->cell_size;
        y[i] = ((double)row * lattice->stride + 0.5) * job->cell_size;
    }
    if (job->warp[0].count > 0)
    {
        noise_displace(job, count, x, y);
    }
    (job->ridged ? noise_ridged : noise_fbm)(&job->stack, x, y, count, out);
}

static void noise_lattice_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const noise_lattice* lattice = user;
    for (int32_t row = begin; row < end; ++row)
    {
        float* range = &lattice->job.range[2 * (ptrdiff_t)row];
        for (int32_t first = 0; first < lattice->columns; first += OCTAVE_SPAN)
        {
            float values[OCTAVE_SPAN];
            const int32_t left = lattice->columns - first;
            const int32_t count = left < OCTAVE_SPAN ? left : OCTAVE_SPAN;
            noise_lattice_span(lattice, row, first, count, values);
            for (int32_t i = 0; i < count; ++i)
            {
                range[0] = first + i == 0 ? values[i] : fminf(range[0], values[i]);
                range[1] = first + i == 0 ? values[i] : fmaxf(range[1], values[i]);
            }
        }
    }
}

// A part that is alone takes the range from a lattice over the whole grid, which all parts share:
// every cell of a grid of up to NOISE_LATTICE cells a side.
static wadi_result noise_look_around(wadi_context* context, noise_job* job)
{
    const int32_t width = job->window->width;
    const int32_t height = job->window->height;
    const int32_t longest = width > height ? width : height;
    noise_lattice lattice = {.job = *job, .stride = (longest - 1) / NOISE_LATTICE + 1};
    lattice.columns = (width - 1) / lattice.stride + 1;
    lattice.rows = (height - 1) / lattice.stride + 1;
    WADI_ALLOC(context, lattice.job.range, 2 * (size_t)lattice.rows, "the range of noise rows");
    wadi_parallel_rows(context, lattice.rows, NOISE_GRAIN, noise_lattice_rows, &lattice);
    job->low = lattice.job.range[0];
    job->high = lattice.job.range[1];
    for (ptrdiff_t row = 1; row < lattice.rows; ++row)
    {
        job->low = fminf(job->low, lattice.job.range[2 * row]);
        job->high = fmaxf(job->high, lattice.job.range[2 * row + 1]);
    }
    wadi_free(context, lattice.job.range);
    return WADI_OK;
}

// The range over all windows. The halo's values belong to the grid too.
static bool noise_share_range(wadi_context* context, noise_job* job)
{
    const wadi_partition* window = job->window;
    const float own[2] = {job->low, job->high};
    wadi_part* parts =
        window != NULL ? wadi_alloc(context, (size_t)window->count, sizeof *parts) : NULL;
    bool shared =
        window == NULL || (parts != NULL && window->table(own, sizeof own, parts, window->user));
    for (int32_t i = 0; parts != NULL && shared && i < window->count; ++i)
    {
        float range[2];
        memcpy(range, parts[i].bytes, sizeof range);
        job->low = fminf(job->low, range[0]);
        job->high = fmaxf(job->high, range[1]);
    }
    wadi_free(context, parts);
    return shared;
}

static void noise_band_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const noise_job* job = user;
    noise_rows(job->first + begin, job->first + end, worker, user);
}

// Windows are parts of large grids, so they ask from band to band whether to go on. One that stops
// stops the others at the next exchange.
static wadi_result noise_bands(wadi_context* context, noise_job* job, int32_t height)
{
    const int32_t most = job->window != NULL ? NOISE_BAND : height;
    for (job->first = 0; job->first < height; job->first += most)
    {
        const double share = (double)job->first / height;
        WADI_CHECK(context, job->window == NULL || wadi_progress(context, share, "ground"),
                   WADI_ERROR_CANCELLED, "stopped while the ground was made; nothing is kept");
        const int32_t left = height - job->first;
        wadi_parallel_rows(context, left < most ? left : most, NOISE_GRAIN, noise_band_rows, job);
    }
    return WADI_OK;
}

static wadi_result noise_measure(wadi_context* context, noise_job* job, int32_t height)
{
    WADI_ALLOC(context, job->range, 2 * (size_t)height, "the range of noise rows");
    const wadi_result result = noise_bands(context, job, height);
    job->low = job->range[0];
    job->high = job->range[1];
    for (ptrdiff_t row = 1; row < height && result == WADI_OK; ++row)
    {
        job->low = fminf(job->low, job->range[2 * row]);
        job->high = fmaxf(job->high, job->range[2 * row + 1]);
    }
    wadi_free(context, job->range);
    return result;
}

static wadi_result noise_run(wadi_context* context, noise_job* job, int32_t height)
{
    WADI_TRY(noise_measure(context, job, height));
    if (wadi_partition_is_alone(job->window))
    {
        WADI_TRY(noise_look_around(context, job));
    }
    else if (!noise_share_range(context, job))
    {
        return wadi_partition_lost(context);
    }
    wadi_parallel_rows(context, height, NOISE_GRAIN, noise_scale_rows, job);
    return WADI_OK;
}

static wadi_result noise_check(wadi_context* context, const wadi_noise_params* params,
                               int32_t width, int32_t height, double cell_size, const float* out)
{
    WADI_CHECK(context, params != NULL && out != NULL, WADI_ERROR_ARGUMENT,
               "noise needs parameters and an array to fill, got NULL");
    WADI_TRY(wadi_fields_check(context, &wadi_noise_fields, params));
    WADI_CHECK(context, width >= 1 && width <= 65536 && height >= 1 && height <= 65536,
               WADI_ERROR_ARGUMENT, "noise on %d x %d cells: each side must be 1..65536",
               (int)width, (int)height);
    WADI_CHECK(context, cell_size >= 1e-3 && cell_size <= 1e6, WADI_ERROR_RANGE,
               "cell size is %g m but must lie in [0.001, 1e6]", cell_size);
    WADI_CHECK(context, params->wavelength >= 2.0 * cell_size, WADI_ERROR_RANGE,
               "wavelength %g m is too short for cells of %g m; give at least %g m",
               params->wavelength, cell_size, 2.0 * cell_size);
    WADI_CHECK(context, params->base + params->relief <= 32767.0, WADI_ERROR_RANGE,
               "base %g m + relief %g m is above 32767 m, the highest terrain", params->base,
               params->relief);
    return WADI_OK;
}

wadi_result wadi_noise_fill(wadi_context* context, const wadi_noise_params* params, uint64_t seed,
                            int32_t width, int32_t height, double cell_size, float* out)
{
    WADI_TRY(noise_check(context, params, width, height, cell_size, out));
    const wadi_partition* window = wadi_partition_of(context);
    const noise_extent extent = {(window != NULL ? window->width : width) * cell_size,
                                 (window != NULL ? window->height : height) * cell_size, cell_size,
                                 seed};
    noise_job job = {.window = window,
                     .ridged = params->kind == WADI_NOISE_RIDGED,
                     .width = width,
                     .cell_size = cell_size,
                     .base = params->base,
                     .relief = params->relief,
                     .out = out};
    noise_stack_build(&job.stack, params, &extent, params->octaves, 0);
    if (params->kind == WADI_NOISE_WARPED && params->warp > 0.0)
    {
        const int32_t octaves = (int32_t)fmin(params->octaves, NOISE_WARP_OCTAVES);
        noise_stack_build(&job.warp[0], params, &extent, octaves, 1);
        noise_stack_build(&job.warp[1], params, &extent, octaves, 2);

        // a tile may be shorter than the wavelength; then its size limits the warp
        const double longest = params->tileable ? fmin(extent.x, extent.y) : params->wavelength;
        job.warp_length = params->warp * fmin(params->wavelength, longest);
    }
    return noise_run(context, &job, height);
}
