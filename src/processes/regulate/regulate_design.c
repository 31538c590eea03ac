// SPDX-License-Identifier: MIT
#include "processes/regulate/regulate_design.h"

#include "laws/channels/manning.h"

static const double design_shields = 0.047;    // number above which grains move
static const double design_submerged = 1650.0; // density of quartz under water [kg/m3]

regulate_design wadi_regulate_design_of(const wadi_regulate_params* params, double width,
                                        double grade)
{
    const channel_trapezoid section = {width, params->side_slope};
    const double depth =
        wadi_channel_normal_depth(section, params->roughness, grade, params->discharge);
    const channel_wet wet = wadi_channel_trapezoid_wet(section, depth);
    return (regulate_design){
        .width = width,
        .grade = grade,
        .depth = depth,
        .shear = channel_water_weight * wadi_channel_hydraulic_radius(wet) * grade,
        .crest = depth + params->freeboard,
    };
}

double wadi_regulate_critical_shear(const wadi_regulate_params* params)
{
    return params->critical_shear > 0.0
               ? params->critical_shear
               : design_shields * design_submerged * channel_gravity * params->grain;
}

// Shear stress grows with grade: depth falls only with its power of 0.3, or less between the sides.
double wadi_regulate_steepest(const wadi_regulate_params* params, double width)
{
    const double critical = wadi_regulate_critical_shear(params);
    double low = params->min_grade;
    double high = params->max_grade;
    if (wadi_regulate_design_of(params, width, low).shear > critical)
    {
        return 0.0;
    }
    if (wadi_regulate_design_of(params, width, high).shear <= critical)
    {
        return high;
    }
    for (int i = 0; i < 40; ++i)
    {
        const double middle = 0.5 * (low + high);
        *(wadi_regulate_design_of(params, width, middle).shear <= critical ? &low : &high) = middle;
    }
    return low;
}
