// SPDX-License-Identifier: MIT
// A sand rose as a picture: drift potential by the direction of the wind, resultant, and the course
// of crests. Coordinates have the centre at 0 and the outer circle at 1; y points north.
#include <wadi/sand_drift.h>

#include "core/dmath.h"
#include "core/internal.h"
#include "maps/render/colour.h"

#include <math.h>

enum
{
    ROSE_LEAST = 64,
    ROSE_MOST = 4096,
    ROSE_SAMPLES = 3 // per pixel along each axis
};

static const double rose_degree = 3.14159265358979323846 / 180.0;
static const double rose_margin = 1.16;          // half a side of the picture
static const double rose_share = 0.4;            // half the width of an arm, of a sector
static const double rose_line = 0.006;           // half the width of circles and spokes
static const double rose_shaft = 0.018;          // half the width of the arrow
static const double rose_head = 0.13;            // length of its head
static const double rose_crest = 0.010;          // half the width of the line of crests
static const double rose_dash = 0.10;            // length of a dash and its gap
static const double rose_mark[2] = {1.04, 1.13}; // foot and tip of the mark of north

typedef struct rose_job
{
    const wadi_sand_drift* drift;
    double longest; // potential of the largest sector
    int32_t size;
    uint8_t* rgb;
} rose_job;

// A point in a frame whose second axis has an azimuth.
typedef struct rose_point
{
    double across;
    double along;
} rose_point;

static rose_point rose_turn(double x, double y, double azimuth)
{
    const double east = wadi_sin(azimuth * rose_degree);
    const double north = wadi_cos(azimuth * rose_degree);
    return (rose_point){x * north - y * east, x * east + y * north};
}

static bool rose_in_arrow(const wadi_sand_drift* drift, double x, double y)
{
    if (isnan(drift->direction))
    {
        return false;
    }
    const rose_point p = rose_turn(x, y, drift->direction);
    const double off = fabs(p.across);
    const double head = drift->ratio - p.along; // behind the tip
    return (p.along >= 0.0 && head >= rose_head && off < rose_shaft) ||
           (head >= 0.0 && head < rose_head && off < 0.45 * head);
}

static bool rose_in_crest(const wadi_sand_drift* drift, double x, double y)
{
    const rose_point p = rose_turn(x, y, drift->crests + 90.0);
    const double dash = fabs(p.along) / rose_dash;
    return fabs(p.across) < rose_crest && fabs(p.along) < 1.0 && dash - floor(dash) < 0.6;
}

static bool rose_in_arm(const rose_job* job, double x, double y)
{
    const double width = 360.0 / WADI_SAND_ROSE_SECTORS;
    const double azimuth = wadi_atan2(x, y) / rose_degree / width;
    const double nearest = floor(azimuth + 0.5);
    const int32_t sector = ((int32_t)nearest + WADI_SAND_ROSE_SECTORS) % WADI_SAND_ROSE_SECTORS;
    const double length = job->drift->sectors[sector] / job->longest;
    return fabs(azimuth - nearest) < rose_share && x * x + y * y < length * length;
}

static bool rose_on_grid(double x, double y)
{
    const double r = sqrt(x * x + y * y);
    const bool spoke = (fabs(x) < 0.5 * rose_line || fabs(y) < 0.5 * rose_line) && r < 1.0;
    return spoke || fabs(r - 1.0) < rose_line || fabs(r - 0.5) < 0.5 * rose_line;
}

static bool rose_in_mark(double x, double y)
{
    const double below = rose_mark[1] - y;
    return y > rose_mark[0] && below > 0.0 && fabs(x) < 0.5 * below;
}

static rgb rose_colour(const rose_job* job, double x, double y)
{
    const uint32_t hex = rose_in_arrow(job->drift, x, y)   ? 0x1b3a5c
                         : rose_in_mark(x, y)              ? 0x303030
                         : rose_in_crest(job->drift, x, y) ? 0x6a6a6a
                         : rose_in_arm(job, x, y)          ? 0xd9993a
                         : rose_on_grid(x, y)              ? 0xb8b4ac
                                                           : 0xfaf8f4;
    return wadi_rgb_of_hex(hex);
}

static void rose_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const rose_job* job = user;
    const double pixel = 2.0 * rose_margin / job->size;
    for (int32_t i = begin * job->size; i < end * job->size; ++i)
    {
        rgb sum = {0.0f, 0.0f, 0.0f};
        for (int32_t k = 0; k < ROSE_SAMPLES * ROSE_SAMPLES; ++k)
        {
            const double fx = (k % ROSE_SAMPLES + 0.5) / ROSE_SAMPLES;
            const double fy = (k / ROSE_SAMPLES + 0.5) / ROSE_SAMPLES;
            sum = rgb_add(sum, rose_colour(job, (i % job->size + fx) * pixel - rose_margin,
                                           rose_margin - (i / job->size + fy) * pixel));
        }
        const rgb mean = rgb_scale(sum, 1.0f / (ROSE_SAMPLES * ROSE_SAMPLES));
        wadi_rgb_encode(&mean, 0, 1, job->rgb + 3 * (ptrdiff_t)i);
    }
}

wadi_result wadi_sand_rose_draw(wadi_context* context, const wadi_sand_drift* drift, int32_t size,
                                uint8_t* pixels)
{
    WADI_CHECK(context, size >= ROSE_LEAST && size <= ROSE_MOST, WADI_ERROR_RANGE,
               "the picture has a side of %d pixels, expected %d to %d", (int)size, ROSE_LEAST,
               ROSE_MOST);
    WADI_CHECK(context, drift->potential > 0.0, WADI_ERROR_ARGUMENT,
               "the sand drift is empty; measure it first");
    rose_job job = {.drift = drift, .size = size, .rgb = pixels};
    for (int32_t s = 0; s < WADI_SAND_ROSE_SECTORS; ++s)
    {
        job.longest = drift->sectors[s] > job.longest ? drift->sectors[s] : job.longest;
    }
    WADI_CHECK(context, job.longest > 0.0, WADI_ERROR_ARGUMENT,
               "no sector of the sand rose has a drift potential; measure it first");
    wadi_parallel_rows(context, size, 16, rose_rows, &job);
    return WADI_OK;
}
