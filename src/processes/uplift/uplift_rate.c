// SPDX-License-Identifier: MIT
#include "processes/uplift/uplift_rate.h"

#include "core/dmath.h"
#include "core/internal.h"
#include "core/octave.h"

#include <math.h>

// Units of 2^-16 m in a millimetre.
#define RATE_UNITS_PER_MM 65.536
#define RATE_RADIANS 0.017453292519943295

enum
{
    RATE_GRAIN = 16 // rows of a block
};

// A dome that is ready to be evaluated.
typedef struct rate_dome
{
    double x, y;
    double along_x, along_y; // unit vector of the axis over its radius [1/m]
    double across_x, across_y;
    double rate; // [mm/yr]
} rate_dome;

typedef struct rate_job
{
    const uplift_field* field;
    rate_dome domes[UPLIFT_MOST_DOMES + 1];
    int32_t dome_count;
    wadi_octave octave;
    double tilt_x, tilt_y; // gradient [mm/yr/m]
    double tilt_0;
    double* rate;
} rate_job;

// Difference of two coordinates, the shortest way round where the edges are periodic.
static double rate_apart(double from, double to, double size, bool periodic)
{
    const double d = to - from;
    return periodic ? d - size * floor(d / size + 0.5) : d;
}

static rate_dome rate_dome_of(const double row[UPLIFT_DOME_COLUMNS])
{
    const double axis = row[4] * RATE_RADIANS;
    const double s = wadi_sin(axis);
    const double c = wadi_cos(axis);
    return (rate_dome){.x = row[0],
                       .y = row[1],
                       .along_x = s / row[2],
                       .along_y = c / row[2],
                       .across_x = c / row[3],
                       .across_y = -s / row[3],
                       .rate = row[5]};
}

static void rate_domes(const uplift_field* field, rate_job* job)
{
    const wadi_uplift_params* p = field->params;
    if (p->dome_rate != 0.0)
    {
        const double row[UPLIFT_DOME_COLUMNS] = {p->dome_x,     p->dome_y,       p->dome_length,
                                                 p->dome_width, p->dome_azimuth, p->dome_rate};
        job->domes[job->dome_count++] = rate_dome_of(row);
    }
    for (int32_t i = 0; i < field->dome_count; ++i)
    {
        job->domes[job->dome_count++] =
            rate_dome_of(field->domes + (ptrdiff_t)i * UPLIFT_DOME_COLUMNS);
    }
}

// (1 - r^2)^2 within the ellipse r < 1: flat at the top and at the foot.
static double rate_of_domes(const rate_job* job, double x, double y)
{
    const wadi_ground* ground = job->field->ground;
    const double width = wadi_ground_whole_width(ground) * ground->cell_size;
    const double height = wadi_ground_whole_height(ground) * ground->cell_size;
    const bool wraps_x = wadi_ground_whole_edge(ground, WADI_SIDE_WEST) == WADI_EDGE_PERIODIC;
    const bool wraps_y = wadi_ground_whole_edge(ground, WADI_SIDE_NORTH) == WADI_EDGE_PERIODIC;
    double sum = 0.0;
    for (int32_t i = 0; i < job->dome_count; ++i)
    {
        const rate_dome* dome = &job->domes[i];
        const double dx = rate_apart(dome->x, x, width, wraps_x);
        const double dy = rate_apart(dome->y, y, height, wraps_y);
        const double along = dx * dome->along_x + dy * dome->along_y;
        const double across = dx * dome->across_x + dy * dome->across_y;
        const double inside = 1.0 - along * along - across * across;
        sum += inside > 0.0 ? dome->rate * inside * inside : 0.0;
    }
    return sum;
}

// Factor of the rate, 1 on average.
static double rate_noise(const rate_job* job, double x, double y)
{
    const double share = job->field->params->noise;
    float value = 0.0f;
    if (share > 0.0)
    {
        wadi_octave_eval(&job->octave, &x, &y, 1, &value);
    }
    return 1.0 + share * (double)value;
}

static void rate_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const rate_job* job = user;
    const uplift_field* field = job->field;
    const wadi_ground* ground = field->ground;
    for (int32_t row = begin; row < end; ++row)
    {
        const int32_t south = wadi_ground_whole_height(ground) - wadi_ground_row(ground, row);
        const double y = ((double)south - 0.5) * ground->cell_size;
        for (int32_t column = 0; column < ground->width; ++column)
        {
            const int64_t i = (int64_t)row * ground->width + column;
            const double x = ((double)wadi_ground_column(ground, column) + 0.5) * ground->cell_size;
            double rate = field->map != NULL ? (double)field->map[i] : field->params->rate;
            rate += rate_of_domes(job, x, y);
            rate += wadi_uplift_of_faults(field->corners, field->corner_count, x, y);
            rate += job->tilt_0 + job->tilt_x * x + job->tilt_y * y;
            rate *= rate_noise(job, x, y);
            job->rate[i] = ground->valid[i] != 0 ? rate * RATE_UNITS_PER_MM : 0.0;
        }
    }
}

static void rate_tilt(const uplift_field* field, rate_job* job)
{
    const wadi_uplift_params* p = field->params;
    const wadi_ground* ground = field->ground;
    const double gradient = p->tilt * 1e-3;
    job->tilt_x = gradient * wadi_sin(p->tilt_azimuth * RATE_RADIANS);
    job->tilt_y = gradient * wadi_cos(p->tilt_azimuth * RATE_RADIANS);
    const double x = 0.5 * wadi_ground_whole_width(ground) * ground->cell_size;
    const double y = 0.5 * wadi_ground_whole_height(ground) * ground->cell_size;
    job->tilt_0 = -(job->tilt_x * x + job->tilt_y * y + gradient * p->tilt_offset);
}

// A lattice turned against the grid. Where edges are periodic it lies along them, with a whole
// number of waves.
static void rate_lattice(const uplift_field* field, rate_job* job)
{
    const wadi_ground* ground = field->ground;
    const double wave = field->params->noise_wavelength;
    const bool wraps_x = wadi_ground_whole_edge(ground, WADI_SIDE_WEST) == WADI_EDGE_PERIODIC;
    const bool wraps_y = wadi_ground_whole_edge(ground, WADI_SIDE_NORTH) == WADI_EDGE_PERIODIC;
    const double width = wadi_ground_whole_width(ground) * ground->cell_size;
    const double height = wadi_ground_whole_height(ground) * ground->cell_size;
    wadi_octave octave = {.key = field->key};
    if (wraps_x || wraps_y)
    {
        octave.period_u = wraps_x ? (int32_t)fmax(1.0, floor(width / wave + 0.5)) : 0;
        octave.period_v = wraps_y ? (int32_t)fmax(1.0, floor(height / wave + 0.5)) : 0;
        octave.ux = wraps_x ? octave.period_u / width : 1.0 / wave;
        octave.vy = wraps_y ? octave.period_v / height : 1.0 / wave;
    }
    else
    {
        octave.ux = 0.8 / wave;
        octave.uy = 0.6 / wave;
        octave.vx = -0.6 / wave;
        octave.vy = 0.8 / wave;
        octave.v0 = ceil(0.6 * width / wave);
    }
    job->octave = octave;
}

void wadi_uplift_fill(wadi_context* context, const uplift_field* field, double* rate)
{
    rate_job job = {.field = field, .rate = rate};
    rate_domes(field, &job);
    rate_tilt(field, &job);
    rate_lattice(field, &job);
    wadi_parallel_rows(context, field->ground->height, RATE_GRAIN, rate_rows, &job);
}
