// SPDX-License-Identifier: MIT
#include "laws/channels/manning.h"

#include "core/dmath.h"

#include <math.h>
#include <stdbool.h>

channel_wet wadi_channel_trapezoid_wet(channel_trapezoid section, double depth)
{
    return (channel_wet){
        .area = (section.width + section.side * depth) * depth,
        .perimeter = section.width + 2.0 * depth * sqrt(1.0 + section.side * section.side),
        .top = section.width + 2.0 * section.side * depth,
    };
}

double wadi_channel_hydraulic_radius(channel_wet wet)
{
    return wet.perimeter > 0.0 ? wet.area / wet.perimeter : 0.0;
}

double wadi_channel_conveyance(channel_wet wet, double roughness)
{
    const double radius = wadi_channel_hydraulic_radius(wet);
    return radius > 0.0 ? wet.area * wadi_pow(radius, 2.0 / 3.0) / roughness : 0.0;
}

typedef struct manning_case
{
    channel_trapezoid section;
    double roughness;
    double root_slope;
    double discharge;
} manning_case;

typedef bool manning_criterion_fn(const manning_case* c, double depth);

static bool manning_is_uniform(const manning_case* c, double depth)
{
    const channel_wet wet = wadi_channel_trapezoid_wet(c->section, depth);
    return wadi_channel_conveyance(wet, c->roughness) * c->root_slope >= c->discharge;
}

static bool manning_is_critical(const manning_case* c, double depth)
{
    const channel_wet wet = wadi_channel_trapezoid_wet(c->section, depth);
    return channel_gravity * wet.area * wet.area * wet.area >=
           c->discharge * c->discharge * wet.top;
}

// Least depth that meets the criterion, to the last bit. Both criteria grow with depth, so
// bisection works for any section and needs no initial guess; 60 steps exhaust a double.
static double manning_least_depth(const manning_case* c, manning_criterion_fn* holds)
{
    double high = 1.0;
    while (!holds(c, high) && high < 1e6)
    {
        high *= 2.0;
    }
    double low = 0.0;
    for (int i = 0; i < 60; ++i)
    {
        const double middle = 0.5 * (low + high);
        *(holds(c, middle) ? &high : &low) = middle;
    }
    return high;
}

double wadi_channel_normal_depth(channel_trapezoid section, double roughness, double slope,
                                 double discharge)
{
    const manning_case c = {section, roughness, sqrt(slope), discharge};
    return manning_least_depth(&c, manning_is_uniform);
}

double wadi_channel_critical_depth(channel_trapezoid section, double discharge)
{
    const manning_case c = {.section = section, .discharge = discharge};
    return manning_least_depth(&c, manning_is_critical);
}
