// SPDX-License-Identifier: MIT
// Faults: the rate on both sides of a trace.
#include "processes/uplift/uplift_rate.h"

#include <float.h>
#include <math.h>

// Closest point of a trace, whose first and last segment go on for ever.
typedef struct fault_place
{
    double along;    // share of the segment, clamped to [0, 1] for the values of its corners
    double distance; // squared
    double side;     // > 0: left of the segment
    int32_t segment;
} fault_place;

// Where the closest point lies on a segment, and how far from the point.
static fault_place fault_on_segment(const uplift_corner* corners, int32_t count, int32_t i,
                                    double x, double y)
{
    const uplift_corner* a = &corners[i];
    const uplift_corner* b = &corners[i + 1];
    const double dx = b->x - a->x;
    const double dy = b->y - a->y;
    const double length = dx * dx + dy * dy;
    double t = length > 0.0 ? ((x - a->x) * dx + (y - a->y) * dy) / length : 0.0;
    t = t < 0.0 && i > 0 ? 0.0 : t;
    t = t > 1.0 && i + 2 < count ? 1.0 : t;
    const double ox = x - (a->x + t * dx);
    const double oy = y - (a->y + t * dy);
    return (fault_place){.along = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t),
                         .distance = ox * ox + oy * oy,
                         .side = dx * oy - dy * ox,
                         .segment = i};
}

// At a corner both segments are equally near. The side is that of the segment which the point lies
// more across: the other may have the point in line with it, or on its wrong side.
static bool fault_is_closer(const fault_place* a, const fault_place* b)
{
    const double slack = 1e-9 * (a->distance + b->distance);
    return a->distance < b->distance - slack ||
           (a->distance <= b->distance + slack && fabs(a->side) > fabs(b->side));
}

static fault_place fault_locate(const uplift_corner* corners, int32_t count, double x, double y)
{
    fault_place best = {.distance = DBL_MAX};
    for (int32_t i = 0; i + 1 < count; ++i)
    {
        const fault_place place = fault_on_segment(corners, count, i, x, y);
        best = i == 0 || fault_is_closer(&place, &best) ? place : best;
    }
    return best;
}

// 0 at -1 and below, 1 at 1 and above, with a continuous slope.
static double fault_pass(double s)
{
    const double t = s <= -1.0 ? 0.0 : (s >= 1.0 ? 1.0 : 0.5 * (s + 1.0));
    return t * t * (3.0 - 2.0 * t);
}

static double fault_fade(double distance, double reach)
{
    return reach <= 0.0 ? 1.0 : (distance < reach ? 1.0 - distance / reach : 0.0);
}

static double fault_mix(double a, double b, double share)
{
    return a + share * (b - a);
}

static double fault_rate(const uplift_corner* corners, int32_t count, double x, double y)
{
    const fault_place place = fault_locate(corners, count, x, y);
    const uplift_corner* a = &corners[place.segment];
    const uplift_corner* b = a + 1;
    const double t = place.along;
    const double distance = sqrt(place.distance);
    const double half = 0.5 * fault_mix(a->width, b->width, t);
    const double sided = place.side >= 0.0 ? distance : -distance;
    const double left = half > 0.0 ? fault_pass(sided / half) : (place.side >= 0.0 ? 1.0 : 0.0);
    const double up = fault_mix(a->left, b->left, t) *
                      fault_fade(distance, fault_mix(a->left_reach, b->left_reach, t));
    const double down = fault_mix(a->right, b->right, t) *
                        fault_fade(distance, fault_mix(a->right_reach, b->right_reach, t));
    return left * up + (1.0 - left) * down;
}

double wadi_uplift_of_faults(const uplift_corner* corners, int32_t count, double x, double y)
{
    double sum = 0.0;
    for (int32_t first = 0; first < count;)
    {
        int32_t next = first + 1;
        while (next < count && corners[next].fault == corners[first].fault)
        {
            ++next;
        }
        sum += next - first >= 2 ? fault_rate(corners + first, next - first, x, y) : 0.0;
        first = next;
    }
    return sum;
}
