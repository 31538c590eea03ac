// SPDX-License-Identifier: MIT
#include "plain_inertial.h"

#include <math.h>

static const double gravity = 9.81;
static const double film = 0.001; // [m]

static double edge(const plain_inertial* p, double q, int32_t i, int32_t j, double step)
{
    const double here = p->bed[i] + p->depth[i];
    const double there = p->bed[j] + p->depth[j];
    const double flow = fmax(here, there) - fmax(p->bed[i], p->bed[j]);
    if (flow <= film)
    {
        return 0.0;
    }
    const double drag =
        gravity * step * p->roughness * p->roughness * fabs(q) / pow(flow, 7.0 / 3.0);
    return (q - gravity * flow * step * (there - here) / p->cell) / (1.0 + drag);
}

static double length(const plain_inertial* p)
{
    double most = 0.1;
    for (int32_t i = 0; i < p->size * p->size; ++i)
    {
        most = fmax(most, p->depth[i]);
    }
    return p->courant * p->cell / sqrt(gravity * most);
}

double plain_inertial_step(plain_inertial* p)
{
    const int32_t n = p->size;
    const double step = length(p);
    for (int32_t i = 0; i < n * n; ++i)
    {
        p->qx[i] = i % n < n - 1 ? edge(p, p->qx[i], i, i + 1, step) : 0.0;
        p->qy[i] = i / n < n - 1 ? edge(p, p->qy[i], i, i + n, step) : 0.0;
    }
    for (int32_t i = 0; i < n * n; ++i)
    {
        const double west = i % n > 0 ? p->qx[i - 1] : 0.0;
        const double north = i / n > 0 ? p->qy[i - n] : 0.0;
        p->depth[i] += step / p->cell * (west - p->qx[i] + north - p->qy[i]);
    }
    return step;
}
