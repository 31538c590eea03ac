// SPDX-License-Identifier: MIT
// Particles near a sphere, found by the columns of the neighbour list.
#include "bodies/water/sph_spheres.h"

// From the particle to the centre of the sphere.
static double search_distance2(const sph_search* search, int32_t place, double d[3])
{
    const wadi_sph* sph = search->sph;
    const double* x = sph->bodies[place].x;
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        const double across = search->is->position[c] - x[c];
        d[c] = c < 2 ? wadi_exact_nearest(across, sph->law.period[c], sph->law.inverse_period[c])
                     : across;
        square += d[c] * d[c];
    }
    return square;
}

static void search_add_near(sph_search* search, int32_t place)
{
    const wadi_sph* sph = search->sph;
    const double wide = search->reach + sph->skin;
    double d[3];
    if (search_distance2(search, place, d) >= wide * wide)
    {
        return;
    }
    if (search->out != NULL)
    {
        search->out[search->count] = (sph_contact){.place = place, .id = sph->states[place].id};
    }
    search->count += 1;
}

void wadi_sph_search_measure(const sph_search* search)
{
    for (int32_t k = 0; k < search->count; ++k)
    {
        sph_contact* m = &search->out[k];
        const sph_contact fresh = {.place = m->place, .id = m->id};
        *m = fresh;
        m->r = sqrt(search_distance2(search, m->place, m->d));
    }
}

// Columns that a sphere reaches along an axis, from *first on; a particle may have left its column
// by half a skin.
static int32_t search_columns(const sph_search* search, int axis, int32_t* first)
{
    const wadi_sph* sph = search->sph;
    const wadi_columns* grid = &sph->list.columns;
    const double wide = search->reach + sph->skin;
    const double low = search->is->position[axis] - wide - grid->origin[axis];
    const double high = search->is->position[axis] + wide - grid->origin[axis];
    const double begin = floor(low / grid->size[axis]);
    const double end = floor(high / grid->size[axis]) + 1.0;
    const double last = (double)grid->count[axis];
    if (sph->law.period[axis] > 0.0)
    {
        const double count = end - begin < last ? end - begin : last;
        const double wrapped = begin - last * floor(begin / last);
        *first = (int32_t)wrapped % grid->count[axis];
        return (int32_t)count;
    }
    // particles beyond the grid are in its outermost columns
    const double from = begin < 0.0 ? 0.0 : begin < last ? begin : last - 1.0;
    const double to = end < 1.0 ? 1.0 : end < last ? end : last;
    *first = (int32_t)from;
    return (int32_t)(to - from);
}

void wadi_sph_search_run(sph_search* search)
{
    const wadi_columns* grid = &search->sph->list.columns;
    int32_t first[2];
    const int32_t nx = search_columns(search, 0, &first[0]);
    const int32_t ny = search_columns(search, 1, &first[1]);
    for (int32_t k = 0; k < nx * ny; ++k)
    {
        const int32_t column = wadi_columns_number(grid, (first[0] + k % nx) % grid->count[0],
                                                   (first[1] + k / nx) % grid->count[1]);
        for (int32_t i = grid->first[column]; i < grid->first[column + 1]; ++i)
        {
            search_add_near(search, i);
        }
    }
}

double wadi_sph_touching(const wadi_sph* sph, const wadi_sph_sphere* is)
{
    return is->radius + 0.5 * sph->params.spacing;
}

sph_search wadi_sph_search_of(const wadi_sph* sph, int32_t sphere)
{
    const wadi_sph_sphere* is = &sph->spheres[sphere].is;
    const double reach = is->tight ? wadi_sph_touching(sph, is) : sph->reach + is->radius;
    return (sph_search){.sph = sph, .is = is, .reach = reach};
}
