// SPDX-License-Identifier: MIT
// Clumps in saved states. What follows from them is not read: places, radii and masses of their
// spheres are made anew.
#include "bodies/engine/stream.h"
#include "bodies/grains/granular.h"

int32_t wadi_granular_clumps_save(const wadi_grains* grains, const granular_change* change,
                                  const int32_t* ids, int32_t stay, wadi_stream* writer)
{
    int32_t count = 0;
    for (int32_t n = 0; n < wadi_grains_clump_count(grains); ++n)
    {
        granular_clump clump = grains->clumps->list[n];
        clump.first = ids[clump.first];
        if (clump.first >= 0)
        {
            wadi_stream_put(writer, &clump, sizeof clump);
            ++count;
        }
    }
    for (int32_t n = 0; n < change->clump_count; ++n)
    {
        granular_clump clump = change->clumps[n];
        clump.first += stay;
        wadi_stream_put(writer, &clump, sizeof clump);
    }
    return count + change->clump_count;
}

static bool clump_is_inside(const wadi_grains* grains, const granular_clump* clump)
{
    const double periods[2] = {grains->params.period_x, grains->params.period_y};
    bool inside = true;
    for (int c = 0; c < 2; ++c)
    {
        inside = inside && (periods[c] == 0.0 || (clump->x[c] >= 0.0 && clump->x[c] < periods[c]));
    }
    return inside;
}

// About as slow as clumps may begin, whichever material it is of.
static bool clump_is_slow(const wadi_grains* grains, const granular_clump* clump)
{
    const double* moments = granular_shape_of(grains, clump)->moments;
    const double r = clump->radius;
    double density = grains->materials[0].density;
    for (int32_t m = 1; m < grains->material_count; ++m)
    {
        density = fmax(density, grains->materials[m].density);
    }
    const double largest = fmax(moments[0], fmax(moments[1], moments[2]));
    const double inertia = 4.2 * density * r * r * r * r * r * largest;
    const double most = 1e6 / (granular_shape_of(grains, clump)->reach * r);
    return wadi_stream_is_within(clump->v, 3, 1e6) &&
           wadi_stream_is_within(clump->whirl, 3, most * inertia);
}

static bool clump_fits(const wadi_grains* grains, const granular_clump* clump)
{
    const double most = grains->list.largest * 1.000001;
    const double* q = clump->turn;
    const bool numbers =
        wadi_stream_is_within(clump->x, 3, 1e9) && wadi_stream_is_within(q, 4, 2.0);
    if (!numbers || clump->shape < 0 || clump->shape >= grains->clumps->shape_count ||
        (clump->fixed != 0 && clump->fixed != 1) || !(clump->radius > 1e-6))
    {
        return false;
    }
    const granular_shape* shape = granular_shape_of(grains, clump);
    const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    bool fits =
        fabs(length - 1.0) < 1e-6 && clump_is_inside(grains, clump) && clump_is_slow(grains, clump);
    for (int32_t k = 0; k < shape->count; ++k)
    {
        fits = fits && clump->radius * shape->spheres[k][3] <= most;
    }
    return fits;
}

bool wadi_granular_clumps_fit(const wadi_grains* grains, const unsigned char* bytes, int32_t count,
                              int32_t grain_count)
{
    bool fit = count == 0 || grains->clumps != NULL;
    int32_t end = 0; // of the spheres of the clump before
    for (int32_t n = 0; n < count && fit; ++n)
    {
        granular_clump clump;
        memcpy(&clump, bytes + (size_t)n * sizeof clump, sizeof clump);
        fit = clump_fits(grains, &clump) && clump.first >= end && clump.first < grain_count &&
              granular_shape_of(grains, &clump)->count <= grain_count - clump.first;
        end = fit ? clump.first + granular_shape_of(grains, &clump)->count : end;
    }
    return fit;
}

void wadi_granular_clumps_restore(wadi_grains* grains, const unsigned char* bytes, int32_t count)
{
    granular_clumps* clumps = grains->clumps;
    if (clumps == NULL)
    {
        return;
    }
    if (count > 0)
    {
        memcpy(clumps->list, bytes, (size_t)count * sizeof *clumps->list);
    }
    clumps->count = count;
    wadi_granular_clumps_bind(grains);
    for (int32_t n = 0; n < count; ++n)
    {
        if (clumps->list[n].fixed == 0)
        {
            wadi_granular_clump_pose(grains, &clumps->list[n]);
        }
    }
}

uint64_t wadi_granular_clumps_hash(const wadi_grains* grains, uint64_t hash)
{
    for (int32_t n = 0; n < wadi_grains_clump_count(grains); ++n)
    {
        const granular_clump* clump = &grains->clumps->list[n];
        hash = wadi_stream_mix(hash, (uint64_t)(uint32_t)clump->first << 32 |
                                         (uint32_t)(2 * clump->shape + clump->fixed));
        hash = wadi_stream_mix_numbers(hash, clump->x, 3);
        hash = wadi_stream_mix_numbers(hash, clump->v, 3);
        hash = wadi_stream_mix_numbers(hash, clump->whirl, 3);
        hash = wadi_stream_mix_numbers(hash, clump->turn, 4);
        hash = wadi_stream_mix_number(hash, clump->radius);
    }
    return hash;
}
