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

int64_t wadi_amplify_cell(const wadi_ground* ground, int32_t column, int32_t row)
{
    const bool wrap_x = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wrap_y = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    return (int64_t)ground_index(row, ground->height, wrap_y) * ground->width +
           ground_index(column, ground->width, wrap_x);
}

// Position in cells from the centre of the north-western cell.
static amplify_place ground_locate(const wadi_ground* g, amplify_place at)
{
    return (amplify_place){at.x / g->cell_size - 0.5, g->height - at.y / g->cell_size - 0.5};
}

wadi_result wadi_amplify_level_create(amplify_job* job)
{
    const wadi_ground* g = job->ground;
    int32_t* nearest;
    WADI_ALLOC(job->context, job->level, g->cells, "levels of the window");
    WADI_ALLOC(job->context, nearest, 2 * g->cells, "levels of the window");
    wadi_ground_nearest_valid(g, nearest, nearest + g->cells);
    for (int64_t cell = 0; cell < g->cells; ++cell)
    {
        const int64_t from = nearest[cell] >= 0 ? nearest[cell] : cell;
        job->level[cell] = (double)wadi_ground_surface(g, from) / WADI_UNITS_PER_METRE;
    }
    wadi_free(job->context, nearest);
    return WADI_OK;
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
            row[i] = job->level[wadi_amplify_cell(g, x + i - 1, y + j - 1)];
        }
        rows[j] = ground_spline(row, p.x - x);
    }
    return ground_spline(rows, p.y - y);
}

amplify_corners wadi_amplify_corners(const amplify_job* job, amplify_place at)
{
    const amplify_place p = ground_locate(job->ground, at);
    const int32_t x = (int32_t)floor(p.x);
    const int32_t y = (int32_t)floor(p.y);
    amplify_corners corners;
    for (int32_t k = 0; k < 4; ++k)
    {
        const double across = k % 2 == 0 ? 1.0 - (p.x - x) : p.x - x;
        const double down = k / 2 == 0 ? 1.0 - (p.y - y) : p.y - y;
        corners.cells[k] = wadi_amplify_cell(job->ground, x + k % 2, y + k / 2);
        corners.weights[k] = across * down;
    }
    return corners;
}

double wadi_amplify_sand(const amplify_job* job, amplify_place at)
{
    const amplify_corners c = wadi_amplify_corners(job, at);
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
    const amplify_corners c = wadi_amplify_corners(job, at);
    double sum = 0.0;
    for (int32_t k = 0; k < 4; ++k)
    {
        sum += c.weights[k] * job->ground->vegetation[c.cells[k]];
    }
    return sum / 65535.0;
}

double wadi_amplify_linear(const amplify_job* job, amplify_place at)
{
    const amplify_corners c = wadi_amplify_corners(job, at);
    double sum = 0.0;
    for (int32_t k = 0; k < 4; ++k)
    {
        sum += c.weights[k] * job->level[c.cells[k]];
    }
    return sum;
}

bool wadi_amplify_is_void(const amplify_job* job, amplify_place at)
{
    const amplify_corners c = wadi_amplify_corners(job, at);
    bool all = true;
    for (int32_t k = 0; k < 4; ++k)
    {
        all = all && job->ground->valid[c.cells[k]] != 0;
    }
    return !all;
}
