// SPDX-License-Identifier: MIT
#include "processes/articles/stamps/riverbed_path.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

static const double path_circle = 6.28318530717958647693;

// Direction of an angle in turns.
static riverbed_point path_direction(double turns)
{
    const double angle = path_circle * (turns - floor(turns));
    return (riverbed_point){wadi_cos(angle), wadi_sin(angle)};
}

wadi_result wadi_riverbed_orbit_create(wadi_context* context, const wadi_terrain* terrain,
                                       const wadi_riverbed_params* params, double scale,
                                       riverbed_orbit* out)
{
    *out = (riverbed_orbit){
        .step = params->step * scale,
        .radius = params->rotation ? params->radius * scale : 0.0,
    };
    out->reach = out->radius + params->size * scale;
    // a centre starts on the terrain or beside it; each step adds at least v to |dx| + |dy|
    const double round = (double)wadi_terrain_width(terrain) +
                         (double)wadi_terrain_height(terrain) + 4.0 * out->reach;
    const double steps = ceil(round / out->step) + 2.0;
    WADI_CHECK(context, steps < 1e8, WADI_ERROR_RANGE,
               "particles of riverbed would take %.3g steps across this terrain; step is %g of the "
               "terrain's cells: make it longer",
               steps, out->step);
    out->steps = (int32_t)steps;
    WADI_ALLOC(context, out->turns, out->steps + 1, "turns of river particles");
    for (int32_t n = 0; n <= out->steps; ++n)
    {
        out->turns[n] = path_direction(params->turn * n / 360.0);
    }
    return WADI_OK;
}

// ---- end of a path -----------------------------------------------------------------------

// Is a point inside the outline of the grid, extended by `margin` cells?
static bool path_within(const wadi_ground* ground, riverbed_point p, double margin)
{
    return p.x >= -0.5 - margin && p.y >= -0.5 - margin &&
           p.x < (double)ground->width - 0.5 + margin &&
           p.y < (double)ground->height - 0.5 + margin;
}

// Cell of a point on the grid.
static int64_t path_cell(const wadi_ground* ground, riverbed_point p)
{
    return (int64_t)(p.y + 0.5) * ground->width + (int64_t)(p.x + 0.5);
}

// Is the rise between two points steeper than the limit `climb`? Void cells have no height.
static bool path_too_steep(const wadi_ground* ground, riverbed_point a, riverbed_point b,
                           double climb)
{
    const int64_t from = path_cell(ground, a);
    const int64_t to = path_cell(ground, b);
    const double way = sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
    const double rise =
        (double)wadi_ground_surface(ground, to) - (double)wadi_ground_surface(ground, from);
    return ground->valid[from] != 0 && ground->valid[to] != 0 &&
           rise > climb * way * ground->cell_size * WADI_UNITS_PER_METRE;
}

// Number of steps from n on in which the centre is too far inside for the particle to leave. This
// closed form replaces stepwise checks.
static int32_t path_safe(const riverbed_path* path, const riverbed_orbit* orbit,
                         const wadi_ground* ground, int32_t n)
{
    const double margin = -(orbit->radius + 1e-3);
    const riverbed_point at = riverbed_path_centre(path, n);
    if (!path_within(ground, at, margin))
    {
        return 0;
    }
    const double x = path->stride.x > 0.0 ? (double)ground->width - 0.5 + margin : -0.5 - margin;
    const double y = path->stride.y > 0.0 ? (double)ground->height - 0.5 + margin : -0.5 - margin;
    const double along = path->stride.x != 0.0 ? (x - at.x) / path->stride.x : orbit->steps;
    const double down = path->stride.y != 0.0 ? (y - at.y) / path->stride.y : orbit->steps;
    return (int32_t)fmin(fmin(along, down), (double)(orbit->steps - n));
}

// Number of steps before a particle ends. It may start outside, and enters once. It has ended when
// it is outside again, or when its centre is out of reach. A particle that collides still cuts.
static int32_t path_life(const riverbed_path* path, const riverbed_orbit* orbit,
                         const wadi_riverbed_params* params, const wadi_ground* ground)
{
    bool entered = false;
    riverbed_point last = {0.0, 0.0};
    for (int32_t n = 1; n <= orbit->steps; ++n)
    {
        const riverbed_point p = riverbed_path_at(path, orbit, n);
        const bool inside = path_within(ground, p, 0.0);
        if (entered ? !inside
                    : !inside && !path_within(ground, riverbed_path_centre(path, n), orbit->reach))
        {
            return n - 1;
        }
        if ((inside && params->collision == WADI_RIVERBED_ALWAYS) ||
            (entered && params->collision == WADI_RIVERBED_CLIMB &&
             path_too_steep(ground, last, p, params->climb)))
        {
            return n;
        }
        entered = inside;
        last = p;
        if (params->collision == WADI_RIVERBED_NEVER && entered)
        {
            n += path_safe(path, orbit, ground, n);
        }
    }
    return orbit->steps;
}

riverbed_path wadi_riverbed_path_of(const riverbed_orbit* orbit, const riverbed_start* start,
                                    const wadi_riverbed_params* params, const wadi_ground* ground)
{
    const riverbed_point along = {wadi_cos(start->heading), wadi_sin(start->heading)};
    const riverbed_point phase = path_direction(start->phase);
    riverbed_path path = {
        .start = {start->x, start->y},
        .stride = {orbit->step * along.x, orbit->step * along.y},
        // the circle turns with the direction: a river at an angle is the same river, rotated
        .arm = {orbit->radius * (phase.x * along.x - phase.y * along.y),
                orbit->radius * (phase.x * along.y + phase.y * along.x)},
    };
    path.steps = path_life(&path, orbit, params, ground);
    return path;
}
