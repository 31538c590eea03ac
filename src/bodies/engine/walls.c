// SPDX-License-Identifier: MIT
// Walls and ground are checked before anything is changed.
#include "bodies/engine/walls.h"

#include <string.h>

bool wadi_is_finite(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

wadi_result wadi_wall_create(wadi_context* context, const double point[3], const double normal[3],
                             const double velocity[3], wadi_wall* out)
{
    const double* n = normal;
    const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    WADI_CHECK(context, size > 0.0 && isfinite(size), WADI_ERROR_ARGUMENT,
               "the normal of a wall is (%g, %g, %g) but must have a length above 0", n[0], n[1],
               n[2]);
    WADI_CHECK(context, wadi_is_finite(point) && wadi_is_finite(velocity), WADI_ERROR_ARGUMENT,
               "the point and velocity of a wall must be finite numbers");
    for (int c = 0; c < 3; ++c)
    {
        out->point[c] = point[c];
        out->normal[c] = n[c] / size;
        out->velocity[c] = velocity[c];
    }
    return WADI_OK;
}

wadi_result wadi_wall_slot(wadi_context* context, uint32_t present, int32_t most, int32_t* out)
{
    const uint32_t free = ~present & ((1u << most) - 1u);
    WADI_CHECK(context, free != 0, WADI_ERROR_STATE,
               "there are %d walls already, the most there can be: remove one first", most);
    *out = __builtin_ctz(free);
    return WADI_OK;
}

wadi_result wadi_wall_check(wadi_context* context, uint32_t present, int32_t most, int32_t wall)
{
    WADI_CHECK(context, wall >= 0 && wall < most && (present >> wall & 1) != 0, WADI_ERROR_ARGUMENT,
               "there is no wall %d", wall);
    return WADI_OK;
}

static wadi_result facets_check_heights(wadi_context* context, const wadi_facets* shape,
                                        const float* heights)
{
    const int64_t cells = (int64_t)shape->width * shape->height;
    for (int64_t i = 0; i < cells; ++i)
    {
        WADI_CHECK(context, isfinite(heights[i]), WADI_ERROR_RANGE,
                   "the ground at cell (%d, %d) has no finite height: fill voids first",
                   (int)(i % shape->width), (int)(i / shape->width));
    }
    return WADI_OK;
}

wadi_result wadi_facets_check(wadi_context* context, const wadi_facets* shape, const float* heights)
{
    WADI_CHECK(context, shape->width >= 2 && shape->height >= 2 && shape->cell_size > 0.0,
               WADI_ERROR_ARGUMENT,
               "the ground has %d x %d cells of %g m; it must have at least 2 x 2, larger than 0",
               shape->width, shape->height, shape->cell_size);
    WADI_CHECK(context,
               isfinite(shape->cell_size) && isfinite(shape->west) && isfinite(shape->south),
               WADI_ERROR_ARGUMENT,
               "the ground has its west edge at %g m, its south edge at %g m and cells of %g m; "
               "all must be finite numbers",
               shape->west, shape->south, shape->cell_size);
    return facets_check_heights(context, shape, heights);
}

wadi_result wadi_facets_set(wadi_context* context, wadi_facets* facets, const wadi_facets* shape,
                            const float* heights)
{
    const size_t cells = (size_t)shape->width * (size_t)shape->height;
    float* copy;
    WADI_ALLOC(context, copy, cells, "ground under particles");
    memcpy(copy, heights, cells * sizeof *copy);
    wadi_free(context, facets->heights);
    *facets = *shape;
    facets->heights = copy;
    return WADI_OK;
}
