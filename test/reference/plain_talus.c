// SPDX-License-Identifier: MIT
#include "plain_talus.h"

#include <math.h>
#include <string.h>

enum
{
    NEIGHBOURS = 8
};

// East, south, west, north; then the diagonals behind each, clockwise.
static const int32_t step_x[NEIGHBOURS] = {1, 0, -1, 0, 1, -1, -1, 1};
static const int32_t step_y[NEIGHBOURS] = {0, 1, 0, -1, 1, 1, -1, -1};

// Index of a neighbour, or -1: a wall.
static int64_t neighbour(const plain_talus* job, int32_t x, int32_t y, int k)
{
    int32_t nx = x + step_x[k];
    int32_t ny = y + step_y[k];
    if (job->periodic)
    {
        nx = (nx + job->width) % job->width;
        ny = (ny + job->height) % job->height;
    }
    const bool inside = nx >= 0 && ny >= 0 && nx < job->width && ny < job->height;
    return inside ? (int64_t)ny * job->width + nx : -1;
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

// Weights of the eight neighbours, and the steepest triangle's slope, squared.
static float weigh(const plain_talus* job, const float drop[NEIGHBOURS], float weight[NEIGHBOURS])
{
    float steepest = 0.0f;
    memset(weight, 0, NEIGHBOURS * sizeof *weight);
    for (int axis = 0; axis < 4; ++axis)
    {
        for (int side = 0; side < 2; ++side)
        {
            const int corner = 4 + (axis + 3 * side) % 4;
            const float edge = 0.5f * larger(drop[corner], 0.0f);
            const float along = larger(drop[axis], edge);
            const float rest = larger(drop[corner] - drop[axis], 0.0f);
            const float across = rest < edge ? rest : edge;
            const float square = along * along + across * across;
            const float excess = larger(square - job->hold * job->hold, 0.0f);
            weight[axis] += excess * (along - across);
            weight[corner] += excess * across;
            steepest = larger(steepest, square);
        }
    }
    return steepest;
}

static bool slide(const plain_talus* job, int32_t x, int32_t y)
{
    const int64_t i = (int64_t)y * job->width + x;
    int64_t to[NEIGHBOURS];
    float drop[NEIGHBOURS];
    float w[NEIGHBOURS];
    for (int k = 0; k < NEIGHBOURS; ++k)
    {
        to[k] = neighbour(job, x, y, k);
        const int64_t n = to[k];
        drop[k] =
            n < 0 ? -0x1p30f : (float)(job->rock[i] + job->sand[i] - job->rock[n] - job->sand[n]);
    }
    const float slope = sqrtf(weigh(job, drop, w));
    if (!(slope > job->start))
    {
        return false;
    }
    const float sum = ((w[0] + w[2]) + (w[3] + w[1])) + ((w[7] + w[6]) + (w[4] + w[5]));
    const float wanted = job->share * (slope - job->hold);
    const float most = 0.9999f * (float)job->sand[i];
    const float rate = (wanted < most ? wanted : most) / larger(sum, 1.0f);
    bool any = false;
    for (int k = 0; k < NEIGHBOURS; ++k)
    {
        const int32_t part = (int32_t)(w[k] * rate);
        if (part > 0)
        {
            job->change[i] -= part;
            job->change[to[k]] += part;
            any = true;
        }
    }
    return any;
}

static bool sweep(const plain_talus* job)
{
    const int64_t cells = (int64_t)job->width * job->height;
    bool any = false;
    memset(job->change, 0, (size_t)cells * sizeof *job->change);
    for (int32_t y = 0; y < job->height; ++y)
    {
        for (int32_t x = 0; x < job->width; ++x)
        {
            any = slide(job, x, y) || any;
        }
    }
    for (int64_t i = 0; i < cells; ++i)
    {
        job->sand[i] += job->change[i];
    }
    return any;
}

int32_t plain_talus_relax(const plain_talus* job)
{
    int32_t sweeps = 0;
    while (sweep(job))
    {
        sweeps += 1;
    }
    return sweeps;
}
