// SPDX-License-Identifier: MIT
// Uniform flow: Manning's law, Q = 1/n A R^(2/3) S^(1/2), and the trapezoid.
#pragma once

static const double channel_gravity = 9.81;        // [m/s2]
static const double channel_water_weight = 9810.0; // specific weight [N/m3]

// Water in a cross-section.
typedef struct channel_wet
{
    double area;      // A [m2]
    double perimeter; // P [m], wetted
    double top;       // T: width of the surface [m]
} channel_wet;

// Trapezoidal section: a bed of `width` between banks that rise 1 in `side`.
typedef struct channel_trapezoid
{
    double width; // [m]
    double side;  // run over rise [1]; 0: vertical walls
} channel_trapezoid;

channel_wet wadi_channel_trapezoid_wet(channel_trapezoid section, double depth);

// R = A/P [m]; 0 for a dry section.
double wadi_channel_hydraulic_radius(channel_wet wet);

// K = 1/n A R^(2/3), so that Q = K S^(1/2) [m3/s].
double wadi_channel_conveyance(channel_wet wet, double roughness);

// Normal depth: a discharge [m3/s] flows uniformly down a slope above 0.
double wadi_channel_normal_depth(channel_trapezoid section, double roughness, double slope,
                                 double discharge);

// Critical depth: the flow is as fast as shallow-water waves, g A3 = Q2 T.
double wadi_channel_critical_depth(channel_trapezoid section, double discharge);
