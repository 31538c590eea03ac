// SPDX-License-Identifier: MIT
// Crests: lines where the smooth surface is highest across its strongest downward curvature (Steger
// 1998), at any azimuth. A crest stands above the ground at both sides; it is followed, as by Canny
// 1986, from where it is high to where it is low.
#include "maps/judge/dune_shapes_internal.h"

enum
{
    LINES_GRAIN = 8, // rows of a block
    LINES_STEPS = 48 // most samples to one side
};

static const double lines_off = 0.8;   // [cells] farthest from the highest point of the profile
static const double lines_slope = 1.0; // of the slope beside a crest: largest slope along it
static const double lines_blur = 1.6;  // [cells] within which a profile may rise

typedef struct lines_job
{
    const shape_grid* grid;
    const float* z;
    const crest_rule* rule;
    const crest_maps* maps;
} lines_job;

// Direction of the strongest downward curvature of a cell, with its derivatives.
typedef struct lines_bend
{
    double x; // unit vector, x east, y north
    double y;
    double off;   // distance to the highest point along it [m]
    double along; // slope across it, which is along a crest [1]
} lines_bend;

static double lines_at(const lines_job* job, int32_t cell, int32_t x, int32_t y)
{
    const shape_grid* g = job->grid;
    const int32_t at = shape_index(g, cell % g->width + x, cell / g->width - y);
    return at >= 0 ? (double)job->z[at] : (double)NAN;
}

// False where the surface is not bent downwards, and beside voids.
static bool lines_bend_at(const lines_job* job, int32_t cell, lines_bend* out)
{
    const double dx = job->grid->dx;
    const double dy = job->grid->dy;
    const double here = (double)job->z[cell];
    const double e = lines_at(job, cell, 1, 0);
    const double w = lines_at(job, cell, -1, 0);
    const double n = lines_at(job, cell, 0, 1);
    const double s = lines_at(job, cell, 0, -1);
    const double xx = (e - 2.0 * here + w) / (dx * dx);
    const double yy = (n - 2.0 * here + s) / (dy * dy);
    const double xy = (lines_at(job, cell, 1, 1) - lines_at(job, cell, -1, 1) -
                       lines_at(job, cell, 1, -1) + lines_at(job, cell, -1, -1)) /
                      (4.0 * dx * dy);
    const double half = 0.5 * (xx - yy);
    const double bend = 0.5 * (xx + yy) - sqrt(half * half + xy * xy);
    if (!(bend < 0.0))
    {
        return false;
    }
    // the eigenvector by the row that is farther from 0
    const bool first = fabs(xx - bend) > fabs(yy - bend);
    const double x = first ? -xy : yy - bend;
    const double y = first ? xx - bend : -xy;
    const double length = sqrt(x * x + y * y);
    *out = length > 0.0 ? (lines_bend){x / length, y / length, 0.0, 0.0}
                        : (lines_bend){1.0, 0.0, 0.0, 0.0};
    const double east = (e - w) / (2.0 * dx);
    const double north = (n - s) / (2.0 * dy);
    out->off = -(out->x * east + out->y * north) / bend;
    out->along = fabs(out->x * north - out->y * east);
    return true;
}

// The ground to one side of a crest.
typedef struct lines_side
{
    double near;  // fall close to the crest [m]
    double fall;  // fall within reach, before the ground rises above the crest [m]
    double steep; // tangent of the steepest descent on the way
} lines_side;

static lines_side lines_walk(const lines_job* job, int32_t cell, double x, double y)
{
    const shape_grid* g = job->grid;
    const crest_rule* rule = job->rule;
    const double step = fmax(g->cell, rule->reach / LINES_STEPS);
    const double here = (double)job->z[cell];
    lines_side side = {0.0, 0.0, 0.0};
    double last = here;
    for (double way = step; way <= rule->reach; way += step)
    {
        const double z = wadi_shape_sample(g, job->z, cell % g->width + x * way / g->dx,
                                           cell / g->width - y * way / g->dy);
        if (isnan(z) || (z > here && way > lines_blur * g->cell))
        {
            break;
        }
        side.fall = fmax(side.fall, here - z);
        side.near = way <= rule->near ? side.fall : side.near;
        side.steep = fmax(side.steep, (last - z) / step);
        last = z;
    }
    return side;
}

// Height of a crest, 0 where it is blunt, and the steepest descent beside it.
static void lines_measure(const lines_job* job, int32_t cell, const lines_bend* bend)
{
    const crest_rule* rule = job->rule;
    const lines_side one = lines_walk(job, cell, bend->x, bend->y);
    const lines_side two = lines_walk(job, cell, -bend->x, -bend->y);
    const double steep = fmax(one.steep, two.steep);
    const bool sharp = fmax(one.near, two.near) >= rule->sharp && steep >= rule->steep &&
                       (rule->steep <= 0.0 || bend->along <= lines_slope * steep);
    job->maps->drop[cell] = sharp ? (float)fmin(one.fall, two.fall) : 0.0f;
    job->maps->steep[cell] = (float)steep;
}

static void lines_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const lines_job* job = user;
    const shape_grid* g = job->grid;
    for (int32_t i = begin * g->width; i < end * g->width; ++i)
    {
        lines_bend bend;
        job->maps->drop[i] = 0.0f;
        job->maps->steep[i] = 0.0f;
        if (!isnan(job->z[i]) && lines_bend_at(job, i, &bend) &&
            fabs(bend.off * bend.x) <= lines_off * g->dx &&
            fabs(bend.off * bend.y) <= lines_off * g->dy)
        {
            lines_measure(job, i, &bend);
        }
    }
}

// Keep the parts of `mask` that are high somewhere.
static void lines_keep(const shape_parts* parts, const float* drop, double high, uint8_t* mask)
{
    for (int32_t p = 0; p < parts->count; ++p)
    {
        bool keep = false;
        for (int32_t k = parts->first[p]; k < parts->first[p + 1]; ++k)
        {
            keep = keep || (double)drop[parts->cells[k]] >= high;
        }
        for (int32_t k = parts->first[p]; !keep && k < parts->first[p + 1]; ++k)
        {
            mask[parts->cells[k]] = 0;
        }
    }
}

// Fill holes of fewer than `most` cells: the flat top of a dune is one crest, not a ring.
static wadi_result lines_fill(const shape_grid* grid, double most, uint8_t* mask)
{
    shape_parts parts;
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        mask[i] ^= 1;
    }
    WADI_TRY(wadi_shape_parts_find(grid, mask, SHAPE_LINK_FOUR, &parts));
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        const int32_t p = parts.label[i];
        const bool hole = p >= 0 && parts.first[p + 1] - parts.first[p] < most;
        mask[i] = p < 0 || (hole && !isnan(grid->z[i])) ? 1 : 0;
    }
    wadi_shape_parts_free(grid, &parts);
    return WADI_OK;
}

wadi_result wadi_crest_lines_find(const shape_grid* grid, const float* z, const crest_rule* rule,
                                  const crest_maps* maps, uint8_t* mask)
{
    lines_job job = {grid, z, rule, maps};
    wadi_parallel_rows(grid->context, grid->height, LINES_GRAIN, lines_rows, &job);
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        mask[i] = maps->drop[i] > 0.0f && (double)maps->drop[i] >= rule->low ? 1 : 0;
    }
    shape_parts parts;
    WADI_TRY(wadi_shape_parts_find(grid, mask, SHAPE_LINK_EIGHT, &parts));
    lines_keep(&parts, maps->drop, rule->high, mask);
    wadi_shape_parts_free(grid, &parts);
    return lines_fill(grid, rule->hole / (grid->dx * grid->dy), mask);
}

bool wadi_crest_lines_across(const shape_grid* grid, const float* z, int32_t cell, double* x,
                             double* y)
{
    const lines_job job = {.grid = grid, .z = z};
    lines_bend bend = {0};
    const bool bent = lines_bend_at(&job, cell, &bend);
    *x = bend.x;
    *y = bend.y;
    return bent;
}
