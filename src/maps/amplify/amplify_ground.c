// SPDX-License-Identifier: MIT
// Interpolates the terrain: cubic for the surface, whose slopes show, linear for shares.
#include "maps/amplify/amplify_internal.h"

#include <math.h>

// Index along an axis, wrapped at periodic edges and clamped at others.
static int32_t ground_index(int32_t at, int32_t count, bool wraps)
{
    if (wraps)
    {
        return (at % count + count) % count;
    }
    return at < 0 ? 0 : at < count ? at : count - 1;
}

static int64_t ground_cell(const wadi_ground* g, int32_t x, int32_t y)
{
    const bool wrap_x = g->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wrap_y = g->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    return (int64_t)ground_index(y, g->height, wrap_y) * g->width +
           ground_index(x, g->width, wrap_x);
}

// Position in cells from the centre of the north-western cell.
static amplify_place ground_locate(const wadi_ground* g, amplify_place at)
{
    return (amplify_place){at.x / g->cell_size - 0.5, g->height - at.y / g->cell_size - 0.5};
}

static double ground_metres(const wadi_ground* g, int64_t cell)
{
    return (double)wadi_ground_surface(g, cell) / WADI_UNITS_PER_METRE;
}

// Catmull & Rom's spline through four points, between the second and the third.
static double ground_spline(const double p[4], double t)
{
    const double a = p[3] - 3.0 * p[2] + 3.0 * p[1] - p[0];
    const double b = 2.0 * p[0] - 5.0 * p[1] + 4.0 * p[2] - p[3];
    return p[1] + 0.5 * t * (p[2] - p[0] + t * (b + t * a));
}

double wadi_amplify_ground(const amplify_job* job, amplify_place at)
{
    const wadi_ground* g = job->ground;
    const amplify_place p = ground_locate(g, at);
    const int32_t x = (int32_t)floor(p.x);
    const int32_t y = (int32_t)floor(p.y);
    double rows[4];
    for (int32_t j = 0; j < 4; ++j)
    {
        double row[4];
        for (int32_t i = 0; i < 4; ++i)
        {
            row[i] = ground_metres(g, ground_cell(g, x + i - 1, y + j - 1));
        }
        rows[j] = ground_spline(row, p.x - x);
    }
    return ground_spline(rows, p.y - y);
}

// The four cells around a position, with their weights.
typedef struct ground_corners
{
    int64_t cells[4];
    double weights[4];
} ground_corners;

static ground_corners ground_around(const amplify_job* job, amplify_place at)
{
    const amplify_place p = ground_locate(job->ground, at);
    const int32_t x = (int32_t)floor(p.x);
    const int32_t y = (int32_t)floor(p.y);
    ground_corners corners;
    for (int32_t k = 0; k < 4; ++k)
    {
        const double across = k % 2 == 0 ? 1.0 - (p.x - x) : p.x - x;
        const double down = k / 2 == 0 ? 1.0 - (p.y - y) : p.y - y;
        corners.cells[k] = ground_cell(job->ground, x + k % 2, y + k / 2);
        corners.weights[k] = across * down;
    }
    return corners;
}

double wadi_amplify_sand(const amplify_job* job, amplify_place at)
{
    const ground_corners c = ground_around(job, at);
    double sum = 0.0;
    for (int32_t k = 0; k < 4; ++k)
    {
        const int64_t cell = c.cells[k];
        const int32_t rock = job->ground->bedrock[cell];
        sum += c.weights[k] * (wadi_ground_surface(job->ground, cell) - rock);
    }
    return sum / WADI_UNITS_PER_METRE;
}

double wadi_amplify_cover(const amplify_job* job, amplify_place at)
{
    const ground_corners c = ground_around(job, at);
    double sum = 0.0;
    for (int32_t k = 0; k < 4; ++k)
    {
        sum += c.weights[k] * job->ground->vegetation[c.cells[k]];
    }
    return sum / 65535.0;
}

double wadi_amplify_shelter(const amplify_job* job, amplify_place at)
{
    const ground_corners c = ground_around(job, at);
    double sum = 0.0;
    for (int32_t k = 0; k < 4; ++k)
    {
        sum += c.weights[k] * (double)job->shelter[c.cells[k]];
    }
    return sum;
}

bool wadi_amplify_is_void(const amplify_job* job, amplify_place at)
{
    const ground_corners c = ground_around(job, at);
    bool all = true;
    for (int32_t k = 0; k < 4; ++k)
    {
        all = all && job->ground->valid[c.cells[k]] != 0;
    }
    return !all;
}

// Height at a distance along the wind. Linear, since a spline overshoots at an edge: by 3 cm at a
// ridge of slopes 0.3 on cells of 1 m.
static double ground_along(const amplify_job* job, amplify_place at, double distance)
{
    const amplify_place there = {at.x + distance * job->ex, at.y + distance * job->ey};
    const ground_corners c = ground_around(job, there);
    double sum = 0.0;
    for (int32_t k = 0; k < 4; ++k)
    {
        sum += c.weights[k] * ground_metres(job->ground, c.cells[k]);
    }
    return sum;
}

double wadi_amplify_crest(const amplify_job* job, amplify_place at)
{
    // the grid rounds a crest off. Both slopes are extrapolated from one cell away; where the lower
    // of the two lies above the ground, it is the sharp crest
    const double cell = job->ground->cell_size;
    const double here = wadi_amplify_ground(job, at);
    const double stoss = 2.0 * ground_along(job, at, -cell) - ground_along(job, at, -2.0 * cell);
    const double lee = 2.0 * ground_along(job, at, cell) - ground_along(job, at, 2.0 * cell);
    const double edge = fmin(stoss, lee);
    return edge > here ? here + job->params.sharpen * (edge - here) : here;
}
