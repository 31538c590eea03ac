// SPDX-License-Identifier: MIT
// Which voxels lie inside a mesh, by counting what rays along an axis cross (parity). A crossing
// flips the bit of the first voxel behind it; then every bit becomes the sum of those before it.
//
// Seen along a ray, a triangle is the set of points from which a line towards +u crosses an odd
// number of its edges. Each edge is computed the same way for both of its triangles, from its lower
// vertex to its higher one, so that every ray belongs to exactly one of two neighbours: no ray
// slips through between them, and none counts an edge or a corner twice.
#include "bodies/solid/solid.h"

#include <math.h>

typedef struct cast_job
{
    const solid_voxels* voxels;
    const wadi_mesh* mesh;
    uint8_t* inside;
    int axis; // of the rays; u and v are the next two
    int64_t stride[3];
} cast_job;

static double cast_middle(const solid_voxels* voxels, int axis, int64_t index)
{
    return voxels->low[axis] + ((double)index + 0.5) * voxels->size;
}

// First voxel along an axis whose middle lies at x or beyond, in [0, count].
static int64_t cast_first(const solid_voxels* voxels, int axis, double x)
{
    const double at = ceil((x - voxels->low[axis]) / voxels->size - 0.5);
    const double last = voxels->count[axis];
    return at <= 0.0 ? 0 : at >= last ? voxels->count[axis] : (int64_t)at;
}

// Whether the line from (u, v) towards +u crosses an edge, seen along the rays.
static bool cast_crosses(const cast_job* job, int32_t a, int32_t b, double u, double v)
{
    const double* low = job->mesh->positions[a < b ? a : b];
    const double* high = job->mesh->positions[a < b ? b : a];
    const int iu = (job->axis + 1) % 3;
    const int iv = (job->axis + 2) % 3;
    return (low[iv] <= v) != (high[iv] <= v) &&
           u < low[iu] + (v - low[iv]) * (high[iu] - low[iu]) / (high[iv] - low[iv]);
}

static bool cast_covers(const cast_job* job, const int32_t t[3], double u, double v)
{
    return (cast_crosses(job, t[0], t[1], u, v) != cast_crosses(job, t[1], t[2], u, v)) !=
           cast_crosses(job, t[2], t[0], u, v);
}

// Where a triangle's plane meets the ray (u, v); the mean height where it runs along the ray.
static double cast_depth(const cast_job* job, const int32_t t[3], double u, double v)
{
    const int iw = job->axis;
    const int iu = (iw + 1) % 3;
    const int iv = (iw + 2) % 3;
    const double* p = job->mesh->positions[t[0]];
    const double* q = job->mesh->positions[t[1]];
    const double* r = job->mesh->positions[t[2]];
    const double area = (q[iu] - p[iu]) * (r[iv] - p[iv]) - (r[iu] - p[iu]) * (q[iv] - p[iv]);
    if (area == 0.0)
    {
        return (p[iw] + q[iw] + r[iw]) / 3.0;
    }
    const double along_q = ((u - p[iu]) * (r[iv] - p[iv]) - (r[iu] - p[iu]) * (v - p[iv])) / area;
    const double along_r = ((q[iu] - p[iu]) * (v - p[iv]) - (u - p[iu]) * (q[iv] - p[iv])) / area;
    return p[iw] + along_q * (q[iw] - p[iw]) + along_r * (r[iw] - p[iw]);
}

static void cast_flip(const cast_job* job, const int32_t t[3], int64_t iu, int64_t iv)
{
    const int axis = job->axis;
    const double u = cast_middle(job->voxels, (axis + 1) % 3, iu);
    const double v = cast_middle(job->voxels, (axis + 2) % 3, iv);
    if (!cast_covers(job, t, u, v))
    {
        return;
    }
    const int64_t first = cast_first(job->voxels, axis, cast_depth(job, t, u, v));
    if (first < job->voxels->count[axis])
    {
        job->inside[first * job->stride[axis] + iu * job->stride[(axis + 1) % 3] +
                    iv * job->stride[(axis + 2) % 3]] ^= (uint8_t)(1u << axis);
    }
}

// Voxels of one axis whose middles lie between the lowest and the highest corner.
static void cast_range(const cast_job* job, const int32_t t[3], int axis, int64_t range[2])
{
    double low = (double)INFINITY;
    double high = -(double)INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        const double x = job->mesh->positions[t[i]][axis];
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    // one more on either side, for rounding in the division above
    const int64_t first = cast_first(job->voxels, axis, low) - 1;
    const int64_t end = cast_first(job->voxels, axis, high) + 1;
    range[0] = first > 0 ? first : 0;
    range[1] = end < job->voxels->count[axis] ? end : job->voxels->count[axis];
}

// Cross the rays of rows [begin, end) of v with every triangle.
static void cast_rows(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const cast_job* job = data;
    for (int32_t i = 0; i < job->mesh->triangle_count; ++i)
    {
        const int32_t* t = job->mesh->triangles[i];
        int64_t v[2];
        int64_t u[2];
        cast_range(job, t, (job->axis + 2) % 3, v);
        cast_range(job, t, (job->axis + 1) % 3, u);
        for (int64_t y = v[0] > begin ? v[0] : begin; y < v[1] && y < end; ++y)
        {
            for (int64_t x = u[0]; x < u[1]; ++x)
            {
                cast_flip(job, t, x, y);
            }
        }
    }
}

// Sum flips to parity along the rays of rows [begin, end) of v.
static void cast_sum(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const cast_job* job = data;
    const int axis = job->axis;
    const uint8_t bit = (uint8_t)(1u << axis);
    const int64_t along = job->stride[axis];
    for (int32_t v = begin; v < end; ++v)
    {
        for (int32_t u = 0; u < job->voxels->count[(axis + 1) % 3]; ++u)
        {
            uint8_t* ray =
                job->inside + u * job->stride[(axis + 1) % 3] + v * job->stride[(axis + 2) % 3];
            for (int32_t w = 1; w < job->voxels->count[axis]; ++w)
            {
                ray[w * along] ^= (uint8_t)(ray[(w - 1) * along] & bit);
            }
        }
    }
}

void wadi_solid_cast(wadi_context* context, const solid_voxels* voxels, const wadi_mesh* mesh,
                     uint8_t* inside)
{
    cast_job job = {.voxels = voxels, .mesh = mesh, .inside = inside};
    job.stride[0] = 1;
    job.stride[1] = voxels->count[0];
    job.stride[2] = (int64_t)voxels->count[0] * voxels->count[1];
    for (job.axis = 0; job.axis < 3; ++job.axis)
    {
        const int32_t rows = voxels->count[(job.axis + 2) % 3];
        wadi_parallel_rows(context, rows, 16, cast_rows, &job);
        wadi_parallel_rows(context, rows, 16, cast_sum, &job);
    }
}
