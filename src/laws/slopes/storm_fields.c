// SPDX-License-Identifier: MIT
// Noise in metres: strength, conductivity, rain and roots from place to place.
#include "core/dmath.h"
#include "core/octave.h"
#include "core/random.h"
#include "laws/slopes/storm_internal.h"

#include <math.h>

enum
{
    FIELD_OCTAVES = 12
};

// Standard deviation of one octave, measured.
static const double field_octave_deviation = 0.305;

typedef struct field_job
{
    storm_land* land;
    wadi_octave octaves[FIELD_OCTAVES];
    int32_t count;
} field_job;

// Octaves are turned against each other, so that the zeros of their lattices do not coincide.
static void field_place(wadi_octave* o, double wavelength, int32_t index, wadi_philox random)
{
    const double angle = 0.35 + 0.6457718 * (double)index;
    o->ux = wadi_cos(angle) / wavelength;
    o->uy = -wadi_sin(angle) / wavelength;
    o->vx = -o->uy;
    o->vy = o->ux;
    o->u0 = 0x1p27 + 256.0 * wadi_unit_double(random.v[1], 0);
    o->v0 = 0x1p27 + 256.0 * wadi_unit_double(random.v[2], 0);
}

// The same with whole waves over a periodic map.
static void field_tile(const storm_land* land, wadi_octave* o, double wavelength,
                       wadi_philox random)
{
    const double x = (double)land->width * land->cell;
    const double y = (double)land->height * land->cell;
    o->period_u = (int32_t)fmax(1.0, floor(x / wavelength + 0.5));
    o->period_v = (int32_t)fmax(1.0, floor(y / wavelength + 0.5));
    o->ux = (double)o->period_u / x;
    o->uy = 0.0;
    o->vx = 0.0;
    o->vy = (double)o->period_v / y;
    o->u0 = (double)o->period_u * (64.0 + wadi_unit_double(random.v[1], 0));
    o->v0 = (double)o->period_v * (64.0 + wadi_unit_double(random.v[2], 0));
}

static void field_build(field_job* job, uint32_t which, double least, double most)
{
    const storm_land* land = job->land;
    const bool tiles = land->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC ||
                       land->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    double power = 0.0;
    for (double l = most; l > 0.99 * least && job->count < FIELD_OCTAVES; l *= 0.5)
    {
        const int32_t i = job->count++;
        wadi_octave* o = &job->octaves[i];
        const wadi_philox random = wadi_random(land->seed, 0x534F494Cu, which, (uint32_t)i);
        *o = (wadi_octave){.key = random.v[0], .amplitude = (float)wadi_pow(l / most, 0.3)};
        field_place(o, l, i, random);
        if (tiles)
        {
            field_tile(land, o, l, random);
        }
        power += (double)o->amplitude * (double)o->amplitude;
    }
    const double scale = 1.0 / (field_octave_deviation * sqrt(power));
    for (int32_t i = 0; i < job->count; ++i)
    {
        job->octaves[i].amplitude *= (float)scale;
    }
}

static void field_add(const field_job* job, const double* x, const double* y, int32_t count,
                      float* sum)
{
    float octave[OCTAVE_SPAN];
    for (int32_t i = 0; i < count; ++i)
    {
        sum[i] = 0.0f;
    }
    for (int32_t o = 0; o < job->count; ++o)
    {
        wadi_octave_eval(&job->octaves[o], x, y, count, octave);
        for (int32_t i = 0; i < count; ++i)
        {
            sum[i] += job->octaves[o].amplitude * octave[i];
        }
    }
}

static void field_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const field_job* job = user;
    storm_land* land = job->land;
    const int64_t last = (int64_t)end * land->width;
    for (int64_t first = (int64_t)begin * land->width; first < last; first += OCTAVE_SPAN)
    {
        double x[OCTAVE_SPAN];
        double y[OCTAVE_SPAN];
        const int32_t count = (int32_t)(last - first < OCTAVE_SPAN ? last - first : OCTAVE_SPAN);
        for (int32_t i = 0; i < count; ++i)
        {
            const int64_t cell = first + i;
            x[i] = ((double)(cell % land->width) + 0.5) * land->cell;
            y[i] = ((double)(land->height - 1 - cell / land->width) + 0.5) * land->cell;
        }
        field_add(job, x, y, count, land->noise + first);
    }
}

void wadi_storm_noise(storm_land* land, uint32_t which, double least, double most)
{
    field_job job = {.land = land};
    field_build(&job, which, least, most);
    wadi_parallel_rows(land->context, land->height, STORM_GRAIN, field_rows, &job);
}

// ---- fields of a storm -------------------------------------------------------------------

static const double field_rain_least = 1000.0; // wavelengths of rain [m]
static const double field_rain_most = 8000.0;
static const double field_root_least = 40.0;
static const double field_root_most = 640.0;
static const float field_rain_scatter = 0.3f;
static const float field_root_scatter = 0.2f;

// Factors of roots and rain stay within two standard deviations.
static float field_factor(float noise, float scatter)
{
    const float n = noise < -2.0f ? -2.0f : noise > 2.0f ? 2.0f : noise;
    return wadi_expf(scatter * n - 0.5f * scatter * scatter);
}

// The field's mean over the map is `mean`, so a storm brings what it says.
static void field_fill(storm_land* land, float* out, double mean, float scatter)
{
    double sum = 0.0;
    int64_t count = 0;
    for (int64_t c = 0; c < land->cells; ++c)
    {
        out[c] = field_factor(land->noise[c], scatter);
        sum += storm_is_void(land, c) ? 0.0 : (double)out[c];
        count += storm_is_void(land, c) ? 0 : 1;
    }
    const float scale = count > 0 ? (float)(mean * (double)count / sum) : 0.0f;
    for (int64_t c = 0; c < land->cells; ++c)
    {
        out[c] *= scale;
    }
}

void wadi_storm_fields(storm_land* land, uint32_t number)
{
    const float scatter = (float)land->law.scatter;
    const uint32_t base = number * STORM_FIELD_COUNT;
    wadi_storm_noise(land, base + STORM_FIELD_RAIN, field_rain_least, field_rain_most);
    field_fill(land, land->rain, 1.0, scatter * field_rain_scatter);
    wadi_storm_noise(land, base + STORM_FIELD_ROOTS, field_root_least, field_root_most);
    field_fill(land, land->roots, land->law.roots, scatter * field_root_scatter);
}
