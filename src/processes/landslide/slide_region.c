// SPDX-License-Identifier: MIT
// Test whether a position is in the region.
#include "core/dmath.h"
#include "processes/landslide/landslide_internal.h"

static bool region_in_circle(const wadi_landslide_params* p, double dx, double dy)
{
    return dx * dx + dy * dy <= p->radius * p->radius;
}

static bool region_in_rectangle(const wadi_landslide_params* p, double dx, double dy)
{
    const double angle = p->azimuth * 0.017453292519943295;
    const double s = wadi_sin(angle);
    const double c = wadi_cos(angle);
    const double across = dx * c - dy * s;
    const double along = dx * s + dy * c;
    return 2.0 * across <= p->width && -2.0 * across <= p->width && 2.0 * along <= p->height &&
           -2.0 * along <= p->height;
}

// Does a ray to the east cross the outline an odd number of times?
static bool region_in_outline(const slide_region* region, double x, double y)
{
    bool inside = false;
    for (int32_t i = 0; i < region->corner_count; ++i)
    {
        const double* a = region->corners[i];
        const double* b = region->corners[i + 1 < region->corner_count ? i + 1 : 0];
        if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
        {
            inside = !inside;
        }
    }
    return inside;
}

bool wadi_slide_region_holds(const slide_region* region, double x, double y)
{
    const wadi_landslide_params* p = region->params;
    if (region->corners != NULL)
    {
        return region_in_outline(region, x, y);
    }
    return p->shape == WADI_LANDSLIDE_CIRCLE      ? region_in_circle(p, x - p->x, y - p->y)
           : p->shape == WADI_LANDSLIDE_RECTANGLE ? region_in_rectangle(p, x - p->x, y - p->y)
                                                  : true;
}
