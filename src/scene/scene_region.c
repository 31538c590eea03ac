// SPDX-License-Identifier: MIT
// Regions: signed distances to outlines, positive inside, and the soft rim computed from them.
#include "core/dmath.h"
#include "core/field_rows.h"
#include "scene/scene_internal.h"
#include "terrain/change.h"

#include <math.h>
#include <stddef.h>

#define REGION_DEGREE 0.017453292519943295

typedef struct region_circle
{
    uint32_t cookie;
    double x;
    double y;
    double radius;
} region_circle;

static const wadi_field region_circle_list[] = {
    FIELD_NUMBER(region_circle, x, 0.0, -1e9, 1e9, "m", "Centre, east of the western edge.", ""),
    FIELD_NUMBER(region_circle, y, 0.0, -1e9, 1e9, "m", "Centre, north of the southern edge.", ""),
    FIELD_NUMBER(region_circle, radius, 100.0, 0.0, 1e9, "m", "Radius.", ""),
};
static const wadi_field_table region_circle_fields =
    FIELD_TABLE("circle", region_circle_list, region_circle);

typedef struct region_rectangle
{
    uint32_t cookie;
    double x;
    double y;
    double width;
    double height;
    double azimuth;
} region_rectangle;

static const wadi_field region_rectangle_list[] = {
    FIELD_NUMBER(region_rectangle, x, 0.0, -1e9, 1e9, "m", "Centre, east of the western edge.", ""),
    FIELD_NUMBER(region_rectangle, y, 0.0, -1e9, 1e9, "m", "Centre, north of the southern edge.",
                 ""),
    FIELD_NUMBER(region_rectangle, width, 100.0, 0.0, 1e9, "m",
                 "West to east, before it is turned.", ""),
    FIELD_NUMBER(region_rectangle, height, 100.0, 0.0, 1e9, "m",
                 "South to north, before it is turned.", ""),
    FIELD_NUMBER(region_rectangle, azimuth, 0.0, -360.0, 360.0, "degree",
                 "Turned by this much, clockwise.", ""),
};
static const wadi_field_table region_rectangle_fields =
    FIELD_TABLE("rectangle", region_rectangle_list, region_rectangle);

static double region_circle_depth(const wadi_region* region, wadi_point at)
{
    const region_circle* circle = region->params;
    const double dx = at.x - circle->x;
    const double dy = at.y - circle->y;
    return circle->radius - sqrt(dx * dx + dy * dy);
}

static double region_rectangle_depth(const wadi_region* region, wadi_point at)
{
    const region_rectangle* box = region->params;
    const double s = wadi_sin(box->azimuth * REGION_DEGREE);
    const double c = wadi_cos(box->azimuth * REGION_DEGREE);
    const double dx = at.x - box->x;
    const double dy = at.y - box->y;
    const double across = 0.5 * box->width - fabs(dx * c - dy * s);
    const double along = 0.5 * box->height - fabs(dx * s + dy * c);
    return across < along ? across : along;
}

double wadi_region_distance_squared(wadi_point a, wadi_point b, wadi_point p)
{
    const double ux = b.x - a.x;
    const double uy = b.y - a.y;
    const double length = ux * ux + uy * uy;
    const double along = length > 0.0 ? ((p.x - a.x) * ux + (p.y - a.y) * uy) / length : 0.0;
    const double t = along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along;
    const double dx = p.x - a.x - t * ux;
    const double dy = p.y - a.y - t * uy;
    return dx * dx + dy * dy;
}

// Even-odd rule: a ray to the east crosses the outline an odd number of times from inside.
static bool region_ray_crosses(wadi_point a, wadi_point b, wadi_point p)
{
    return (a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y);
}

double wadi_region_polygon_depth(const wadi_point* points, int32_t count, wadi_point at)
{
    double nearest = HUGE_VAL;
    bool inside = false;
    wadi_point previous = points[count - 1];
    for (int32_t i = 0; i < count; ++i)
    {
        const wadi_point corner = points[i];
        const double distance = wadi_region_distance_squared(previous, corner, at);
        nearest = distance < nearest ? distance : nearest;
        inside = inside != region_ray_crosses(previous, corner, at);
        previous = corner;
    }
    return inside ? sqrt(nearest) : -sqrt(nearest);
}

static double region_polygon_depth(const wadi_region* region, wadi_point at)
{
    return wadi_region_polygon_depth(region->points, region->point_count, at);
}

// ---- the table ---------------------------------------------------------------------------

typedef double region_depth_fn(const wadi_region* region, wadi_point at);

enum
{
    REGION_COUNT = 3
};

static const wadi_shape_kind region_kinds[REGION_COUNT] = {
    {"circle", "all within a radius", &region_circle_fields},
    {"rectangle", "a box, turned by an azimuth", &region_rectangle_fields},
    {"polygon", "a list of corners [x, y]; where it crosses itself the even-odd rule holds", NULL},
};

static region_depth_fn* const region_depths[REGION_COUNT] = {
    region_circle_depth,
    region_rectangle_depth,
    region_polygon_depth,
};

int32_t wadi_shape_kind_count(void)
{
    return REGION_COUNT;
}

const wadi_shape_kind* wadi_shape_kind_at(int32_t index)
{
    return index >= 0 && index < REGION_COUNT ? &region_kinds[index] : NULL;
}

const wadi_shape_kind* wadi_shape_kind_find(const char* name)
{
    return wadi_shape_kind_at(
        scene_find_name(region_kinds, sizeof region_kinds[0], REGION_COUNT, name));
}

double wadi_region_weight(const wadi_region* region, wadi_point at)
{
    if (region->shape == NULL)
    {
        return 1.0;
    }
    const double depth = region_depths[region->shape - region_kinds](region, at);
    return wadi_edit_weight(depth, region->soft);
}
