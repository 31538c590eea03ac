// SPDX-License-Identifier: MIT
// Folds of the ground. Where the ground within a particle's reach is one plane, the half-space
// behind it has integrals in closed form (sph_walls.c). Elsewhere they are summed here over columns
// of points, which act as boundary particles would (Adami, Hu & Adams 2012) but need no memory and
// no list: each has the pressure of the particle and of the height between them. Columns stand on a
// lattice as wide as the spacing of particles and begin at the ground, so that slopes are smooth.
//
// With planes alone, water of 0.48 m over a step of 0.2 m did not come to rest: after 2 s its
// pressure was 12 % off, and it moved with 0.29 sqrt(g H).
#include "bodies/water/sph.h"

// A place within a period, for the ground under the next image of the world.
static double fold_wrap(double x, double period)
{
    if (period <= 0.0)
    {
        return x;
    }
    const double up = x < 0.0 ? x + period : x;
    return up >= period ? up - period : up;
}

static double fold_height(const wadi_sph* sph, double x, double y)
{
    double slope[2];
    return wadi_facets_height(&sph->ground, fold_wrap(x, sph->law.period[0]),
                              fold_wrap(y, sph->law.period[1]), slope);
}

// ---- is it one plane? --------------------------------------------------------------------

// Whether the ground leaves the plane under a point anywhere within reach by a thousandth of the
// spacing. Triangles between corners on a plane are on it too.
static bool fold_leaves_plane(const wadi_sph* sph, const double x[3])
{
    const wadi_facets* ground = &sph->ground;
    const double cell = ground->cell_size;
    const double most = 1e-3 * sph->params.spacing;
    double slope[2];
    const double height = wadi_facets_height(ground, x[0], x[1], slope);
    const double west = floor((x[0] - sph->reach - ground->west) / cell - 0.5);
    const double south = floor((x[1] - sph->reach - ground->south) / cell - 0.5);
    for (double j = south; (j - 0.5) * cell + ground->south < x[1] + sph->reach; j += 1.0)
    {
        for (double i = west; (i - 0.5) * cell + ground->west < x[0] + sph->reach; i += 1.0)
        {
            const double dx = ground->west + (i + 0.5) * cell - x[0];
            const double dy = ground->south + (j + 0.5) * cell - x[1];
            const double plane = height + slope[0] * dx + slope[1] * dy;
            if (fabs(fold_height(sph, x[0] + dx, x[1] + dy) - plane) > most)
            {
                return true;
            }
        }
    }
    return false;
}

// ---- columns -----------------------------------------------------------------------------

// A point at d from the particle, with the share w = 1 - |d| / 2h of the kernel's radius left.
static void fold_add_point(const wadi_sph* sph, const double d[3], double w, sph_fold* fold)
{
    const wadi_sph_params* p = &sph->params;
    const double gravity[3] = {p->gravity_x, p->gravity_y, p->gravity_z};
    const double w3 = w * w * w;
    double fall = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        fall += gravity[c] * d[c];
    }
    for (int c = 0; c < 3; ++c)
    {
        fold->push[c] -= w3 * d[c];
        fold->bear[c] -= w3 * fall * d[c];
    }
    fold->inside += w3 * w * (5.0 - 4.0 * w);
    fold->shear += w3;
}

static void fold_add_column(const wadi_sph* sph, double dx, double dy, double top, sph_fold* fold)
{
    const double spacing = sph->params.spacing;
    const double first = top - 0.5 * spacing;
    const double skipped = first > sph->reach ? ceil((first - sph->reach) / spacing) : 0.0;
    for (double dz = first - skipped * spacing; dz > -sph->reach; dz -= spacing)
    {
        const double w = 1.0 - sqrt(dx * dx + dy * dy + dz * dz) / sph->reach;
        if (w > 0.0)
        {
            fold_add_point(sph, (const double[3]){dx, dy, dz}, w, fold);
        }
    }
}

static void fold_add_columns(const wadi_sph* sph, const double x[3], sph_fold* fold)
{
    const double spacing = sph->params.spacing;
    const double reach = sph->reach;
    const double west = ceil((x[0] - reach) / spacing - 0.5);
    const double south = ceil((x[1] - reach) / spacing - 0.5);
    for (double j = south; (j + 0.5) * spacing < x[1] + reach; j += 1.0)
    {
        for (double i = west; (i + 0.5) * spacing < x[0] + reach; i += 1.0)
        {
            const double dx = (i + 0.5) * spacing - x[0];
            const double dy = (j + 0.5) * spacing - x[1];
            const double top = fold_height(sph, x[0] + dx, x[1] + dy) - x[2];
            if (top > -reach && dx * dx + dy * dy < reach * reach)
            {
                fold_add_column(sph, dx, dy, top, fold);
            }
        }
    }
}

// Wendland's kernel is alpha w^4 (5 - 4w), and its slope over the distance 5 alpha / h^2 w^3.
bool wadi_sph_fold_sum(const wadi_sph* sph, const double x[3], sph_fold* fold)
{
    if (!fold_leaves_plane(sph, x))
    {
        return false;
    }
    *fold = (sph_fold){.inside = 0.0};
    fold_add_columns(sph, x, fold);
    const double pi = 3.14159265358979323846;
    const double spacing = sph->params.spacing;
    const double h = sph->h;
    const double kernel = 21.0 / (16.0 * pi * h * h * h) * spacing * spacing * spacing;
    const double slope = 5.0 * kernel / (h * h);
    for (int c = 0; c < 3; ++c)
    {
        fold->push[c] *= slope;
        fold->bear[c] *= slope;
    }
    fold->inside *= kernel;
    fold->shear *= slope;
    return true;
}
