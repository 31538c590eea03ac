// SPDX-License-Identifier: MIT
// The rays of a window fill a pyramid. Slices of it between two depths are tested against the
// highest ground below them: slices that are free grow, others shrink. Rays that start behind the
// free ones took half of the steps.
#include "maps/render/beam.h"

#include <math.h>

enum
{
    BEAM_SLICES = 16,   // of the block's depth, to begin with
    BEAM_FINEST = 1024, // parts of the block's depth at which the search ends
};

// The four edges of a pyramid, each a direction with a depth of 1.
typedef struct beam_edges
{
    vec3 edge[4];
} beam_edges;

static beam_edges beam_edges_of(const render_camera* c, beam_window w)
{
    const float x[4] = {w.x0, w.x1, w.x0, w.x1};
    const float y[4] = {w.y0, w.y0, w.y1, w.y1};
    beam_edges out;
    for (int32_t k = 0; k < 4; ++k)
    {
        out.edge[k] = wadi_camera_direction(c, x[k], y[k]);
    }
    return out;
}

// Is the pyramid free of ground between two depths?
static bool beam_is_free(const render_caster* caster, const vec3* eye, const beam_edges* edges,
                         float from, float to)
{
    float x0 = INFINITY;
    float x1 = -INFINITY;
    float y0 = INFINITY;
    float y1 = -INFINITY;
    float z0 = INFINITY;
    for (int32_t k = 0; k < 8; ++k)
    {
        const vec3 d = edges->edge[k & 3];
        const float depth = k < 4 ? from : to;
        const float x = eye->x + depth * d.x;
        const float y = eye->y + depth * d.y;
        const float z = eye->z + depth * d.z;
        x0 = x < x0 ? x : x0;
        x1 = x > x1 ? x : x1;
        y0 = y < y0 ? y : y0;
        y1 = y > y1 ? y : y1;
        z0 = z < z0 ? z : z0;
    }

    // a hundredth of a cell more than rounding of positions
    return z0 - 0.01f > wadi_cast_highest(caster, x0 - 0.01f, y0 - 0.01f, x1 + 0.01f, y1 + 0.01f);
}

float wadi_beam_depth(const render_caster* caster, const render_camera* camera, beam_window window)
{
    const beam_edges edges = beam_edges_of(camera, window);
    const float deep = camera->far - camera->near;
    const float finest = deep / (float)BEAM_FINEST;
    float depth = fmaxf(camera->near, 0.0f);
    float slice = deep / (float)BEAM_SLICES;
    while (slice > finest && depth < camera->far)
    {
        const bool is_free = beam_is_free(caster, &camera->eye, &edges, depth, depth + slice);
        depth += is_free ? slice : 0.0f;
        slice *= is_free ? 1.5f : 0.5f;
    }
    return depth;
}
