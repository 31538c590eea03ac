// SPDX-License-Identifier: MIT
// Rays walk through the quadtree side by side, each with a state of its own. A step of all rays is
// a loop without branches: a ray goes down a level, or skips its node, or has arrived at a patch.
// Patches are then intersected one by one.
#include "maps/render/cast_kernels.h"

#include <math.h>

// State of a ray in the quadtree. The node has integer coordinates, since rounding of positions
// could stop the ray at a boundary.
typedef struct cast_walk
{
    float t;       // distance at entry into the node
    int32_t x, y;  // patch
    int32_t level; // of the node around the patch
    int32_t axis;  // of the boundary crossed last
} cast_walk;

// The rays of a call.
typedef struct cast_lanes
{
    float ray_x[CAST_LANES], ray_y[CAST_LANES], ray_z[CAST_LANES];
    float dx[CAST_LANES], dy[CAST_LANES], dz[CAST_LANES];
    float inverse_x[CAST_LANES], inverse_y[CAST_LANES];
    float start[CAST_LANES];
    float t[CAST_LANES]; // as in cast_walk
    int32_t x[CAST_LANES], y[CAST_LANES], level[CAST_LANES], axis[CAST_LANES];
    float t_end[CAST_LANES];      // where the ray leaves the relief
    float leave[CAST_LANES];      // and the node
    int32_t walking[CAST_LANES];  // 1: on its way
    int32_t at_patch[CAST_LANES]; // 1: to be intersected with a patch
} cast_lanes;

static inline float cast_inverse(float d)
{
    return fabsf(d) > 1e-12f ? 1.0f / d : (d < 0.0f ? -1e12f : 1e12f);
}

// Clip a ray to the grid of patches above the bottom of the block, and find the axis of the entry
// side. (Rays below the block took nine tenths of all steps: 272 a ray, now 15.)
static inline void cast_clip(const render_caster* caster, cast_lanes* restrict l, int32_t i,
                             float bottom)
{
    const float right = (float)caster->columns[0];
    const float down = (float)caster->rows[0];
    const float ix = cast_inverse(l->dx[i]);
    const float iy = cast_inverse(l->dy[i]);
    const float x0 = -l->ray_x[i] * ix;
    const float x1 = (right - l->ray_x[i]) * ix;
    const float y0 = -l->ray_y[i] * iy;
    const float y1 = (down - l->ray_y[i]) * iy;
    const float enter_x = cast_least(x0, x1);
    const float enter_y = cast_least(y0, y1);
    const float t = cast_most(l->start[i], cast_most(enter_x, enter_y));
    const float sides = cast_least(cast_most(x0, x1), cast_most(y0, y1));
    const bool falls = l->dz[i] < 0.0f;
    const float ground = (bottom - l->ray_z[i]) / (falls ? l->dz[i] : -1.0f);
    l->t_end[i] = falls ? cast_least(sides, ground) : sides;
    l->walking[i] = t < l->t_end[i] ? 1 : 0;

    // a ray that misses the grid has no place on it
    const float there = l->walking[i] != 0 ? t : 0.0f;
    const float px = l->walking[i] != 0 ? l->ray_x[i] + there * l->dx[i] : 0.0f;
    const float py = l->walking[i] != 0 ? l->ray_y[i] + there * l->dy[i] : 0.0f;
    l->x[i] = cast_within(px, 0, caster->columns[0] - 1);
    l->y[i] = cast_within(py, 0, caster->rows[0] - 1);
    l->t[i] = t;
    l->axis[i] = enter_x > enter_y ? 0 : 1;
    l->level[i] = l->start[i] > 0.0f && caster->levels > 3 ? 2 : caster->levels - 1;
    l->inverse_x[i] = ix;
    l->inverse_y[i] = iy;
}

// A ray that skips a node, or 0.
typedef struct cast_skip
{
    float t, tx, ty; // distances: now, and of the ends of the node on the two axes
    int32_t skips;   // 1: it does
} cast_skip;

// Skip the node and go up a level when the next node has another parent: the old parent was too
// high to skip. In air the ray soon takes large steps.
static inline void cast_advance(cast_lanes* restrict l, int32_t i, int32_t levels, cast_skip to)
{
    const int32_t level = l->level[i];
    const int32_t old_x = l->x[i];
    const int32_t old_y = l->y[i];
    const int32_t side = 1 << level;
    const int32_t west = (old_x >> level) * side;
    const int32_t north = (old_y >> level) * side;
    const float t = cast_most(to.t, cast_least(to.tx, to.ty));
    const float at = to.skips != 0 ? t : 0.0f;
    const float px = l->ray_x[i] + at * l->dx[i];
    const float py = l->ray_y[i] + at * l->dy[i];
    const int32_t over_x = l->dx[i] > 0.0f ? west + side : west - 1;
    const int32_t over_y = l->dy[i] > 0.0f ? north + side : north - 1;
    const int32_t in_x = cast_within(px, west, west + side - 1);
    const int32_t in_y = cast_within(py, north, north + side - 1);
    const int32_t x = to.tx < to.ty ? over_x : in_x;
    const int32_t y = to.tx < to.ty ? in_y : over_y;
    const int32_t axis = to.tx < to.ty ? 0 : 1;
    const int32_t old_axis = l->axis[i];
    const int32_t parents = ((x >> level) ^ (old_x >> level)) | ((y >> level) ^ (old_y >> level));
    const int32_t above = level + 1 < levels ? level + 1 : level;
    const int32_t up = (parents >> 1) != 0 ? above : level;
    l->t[i] = to.skips != 0 ? t : to.t;
    l->x[i] = to.skips != 0 ? x : old_x;
    l->y[i] = to.skips != 0 ? y : old_y;
    l->axis[i] = to.skips != 0 ? axis : old_axis;
    l->level[i] = to.skips != 0 ? up : level;
}

// The quadtree, for loops over rays.
typedef struct cast_tree
{
    const float* highest;
    const int32_t* first;
    const int32_t* row; // nodes of a row of each level
    int32_t columns;
    int32_t rows;
    int32_t levels;
} cast_tree;

// A step of one ray: skip the node, or go down a level, or stop at a patch.
static inline void cast_step(const cast_tree* tree, cast_lanes* restrict l, int32_t i,
                             int32_t missed)
{
    const float t = l->t[i];
    const float dz = l->dz[i];
    const int32_t level = l->level[i];
    const int32_t inside = (int32_t)((uint32_t)l->x[i] < (uint32_t)tree->columns) &
                           (int32_t)((uint32_t)l->y[i] < (uint32_t)tree->rows) &
                           (int32_t)(t < l->t_end[i]);
    const int32_t walks = l->walking[i] & inside;
    const int32_t x = walks != 0 ? l->x[i] >> level : 0;
    const int32_t y = walks != 0 ? l->y[i] >> level : 0;
    const int32_t edge_x = (l->dx[i] > 0.0f ? x + 1 : x) << level;
    const int32_t edge_y = (l->dy[i] > 0.0f ? y + 1 : y) << level;
    const float tx = ((float)edge_x - l->ray_x[i]) * l->inverse_x[i];
    const float ty = ((float)edge_y - l->ray_y[i]) * l->inverse_y[i];
    const float leave = cast_least(tx, ty);
    const float lowest = l->ray_z[i] + dz * (dz < 0.0f ? leave : t);
    const float top = tree->highest[tree->first[level] + y * tree->row[level] + x];
    const int32_t meets = walks & (int32_t)(lowest <= top) & (1 - missed);
    const int32_t goes_down = meets & (int32_t)(level > 0);
    l->walking[i] = walks;
    l->at_patch[i] = meets - goes_down;
    l->leave[i] = leave;
    cast_advance(l, i, tree->levels, (cast_skip){t, tx, ty, walks - meets});
    l->level[i] -= goes_down;
}

// A step of all rays. Returns how many are on their way, and of these how many are at patches.
static inline int32_t cast_step_all(const cast_tree* shared, cast_lanes* restrict l,
                                    int32_t* at_patches)
{
    const cast_tree tree = *shared;
    int32_t left = 0;
    int32_t arrived = 0;
#pragma omp simd reduction(+ : left, arrived)
    for (int32_t i = 0; i < CAST_LANES; ++i)
    {
        cast_step(&tree, l, i, 0);
        left += l->walking[i];
        arrived += l->at_patch[i];
    }
    *at_patches = arrived;
    return left;
}

// First crossing of the ray with the bilinear patch between distances t and t_end, or -1: z(s) -
// H(u(s), v(s)) is a quadratic in s.
static float cast_patch(const render_relief* r, const cast_walk* walk, const render_ray* ray,
                        float t_end, float* gap)
{
    const float* c = r->top + (ptrdiff_t)walk->y * r->width + walk->x;
    const float a = c[1] - c[0];
    const float b = c[r->width] - c[0];
    const float k = c[r->width + 1] - c[1] - b;
    const float u = ray->x + walk->t * ray->dx - (float)walk->x;
    const float v = ray->y + walk->t * ray->dy - (float)walk->y;
    const float c0 = ray->z + walk->t * ray->dz - (c[0] + a * u + b * v + k * u * v);
    const float c1 = ray->dz - a * ray->dx - b * ray->dy - k * (u * ray->dy + v * ray->dx);
    const float c2 = -k * ray->dx * ray->dy;
    *gap = c0;
    if (c0 <= 0.0f)
    {
        return walk->t;
    }

    // the smaller positive root, in the form without cancellation
    const float discriminant = c1 * c1 - 4.0f * c2 * c0;
    if (discriminant < 0.0f)
    {
        return -1.0f;
    }
    const float root = sqrtf(discriminant);
    const float q = -0.5f * (c1 + (c1 < 0.0f ? -root : root));
    const float s0 = q != 0.0f ? c0 / q : -1.0f;
    const float s1 = c2 != 0.0f ? q / c2 : -1.0f;
    const float first = s0 > 0.0f && (s1 <= 0.0f || s0 < s1) ? s0 : s1;
    return first > 0.0f && walk->t + first <= t_end ? walk->t + first : -1.0f;
}

static cast_hit cast_at(const render_ray* ray, const cast_walk* walk, float t, cast_kind kind)
{
    return (cast_hit){kind,
                      t,
                      ray->x + t * ray->dx,
                      ray->y + t * ray->dy,
                      ray->z + t * ray->dz,
                      walk->x,
                      walk->y,
                      walk->axis};
}

// Test one patch; false if the ray misses it.
static bool cast_try_patch(const render_caster* caster, const render_ray* ray,
                           const cast_walk* walk, float t_end, cast_hit* hit)
{
    float gap;
    const float t = cast_patch(caster->relief, walk, ray, t_end, &gap);
    if (t < 0.0f)
    {
        return false;
    }

    // a ray that enters below the surface hits the side of the block, unless it is within rounding
    // of the surface
    const bool side = gap < -0.01f;
    *hit = cast_at(ray, walk, t, side ? CAST_SIDE : CAST_GROUND);
    return true;
}

static inline void cast_load(const cast_rays* rays, cast_lanes* l)
{
    for (int32_t i = 0; i < CAST_LANES; ++i)
    {
        const int32_t from = i < rays->count ? i : 0;
        const render_ray* ray = &rays->rays[from];
        l->ray_x[i] = ray->x;
        l->ray_y[i] = ray->y;
        l->ray_z[i] = ray->z;
        l->dx[i] = ray->dx;
        l->dy[i] = ray->dy;
        l->dz[i] = ray->dz;
        l->start[i] = rays->start[from];
    }
}

// Intersect the rays that have arrived at a patch: a hit ends a ray, a miss takes it on.
static inline void cast_try_patches(const render_caster* caster, const cast_tree* tree,
                                    cast_rays* rays, cast_lanes* l)
{
    for (int32_t i = 0; i < rays->count; ++i)
    {
        if (l->at_patch[i] == 0)
        {
            continue;
        }
        const cast_walk walk = {l->t[i], l->x[i], l->y[i], 0, l->axis[i]};
        const bool hits =
            cast_try_patch(caster, &rays->rays[i], &walk, l->leave[i], &rays->hits[i]);
        l->walking[i] = hits ? 0 : 1;
        if (!hits)
        {
            cast_step(tree, l, i, 1);
        }
    }
}

static void cast_rays_kernel(const render_caster* caster, cast_rays* rays, float bottom)
{
    cast_lanes lanes;
    cast_load(rays, &lanes);
#pragma omp simd
    for (int32_t i = 0; i < CAST_LANES; ++i)
    {
        cast_clip(caster, &lanes, i, bottom);
    }
    for (int32_t i = 0; i < CAST_LANES; ++i)
    {
        lanes.walking[i] = i < rays->count ? lanes.walking[i] : 0;
        rays->hits[i] = (cast_hit){.kind = CAST_MISS};
    }
    const cast_tree tree = {caster->highest,    caster->first,   caster->columns,
                            caster->columns[0], caster->rows[0], caster->levels};
    int32_t at_patches;
    while (cast_step_all(&tree, &lanes, &at_patches) > 0)
    {
        if (at_patches > 0)
        {
            cast_try_patches(caster, &tree, rays, &lanes);
        }
    }
}

#define CAST_KERNELS                                                                               \
    {                                                                                              \
        cast_rays_kernel                                                                           \
    }

const cast_kernels WADI_ISA_BUILD(cast_kernels) = CAST_KERNELS;
