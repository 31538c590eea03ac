// SPDX-License-Identifier: MIT
// Water retention curve and relative conductivity. A shape of 1 makes a straight line; 2 and more
// make a nearly saturated capillary fringe above the water table, as in real soils.
#include "bodies/seepage/seepage.h"
#include "core/dmath.h"

// x^y without the general power for the shapes and exponents in use.
static double curve_power(double x, double y)
{
    return y == 1.0   ? x
           : y == 2.0 ? x * x
           : y == 3.0 ? x * x * x
           : y == 0.5 ? sqrt(x)
           : y == 0.0 ? 1.0
           : x > 0.0  ? wadi_pow(x, y)
                      : 0.0;
}

double wadi_seepage_saturation_at(const wadi_seepage* s, int32_t i, double pressure)
{
    const seepage_soil* soil = &s->soils[s->soil[i]];
    if (pressure >= 0.0)
    {
        return 1.0 + pressure / SEEPAGE_STIFF;
    }
    const double x = -pressure / soil->suction;
    return x < 1.0 ? 1.0 - curve_power(x, soil->shape) : 0.0;
}

double wadi_seepage_pressure_at(const wadi_seepage* s, int32_t i, double saturation)
{
    const seepage_soil* soil = &s->soils[s->soil[i]];
    return saturation >= 1.0 ? (saturation - 1.0) * SEEPAGE_STIFF
                             : -soil->suction * curve_power(1.0 - saturation, 1.0 / soil->shape);
}

double wadi_seepage_storage_at(const wadi_seepage* s, int32_t i, double pressure)
{
    const seepage_soil* soil = &s->soils[s->soil[i]];
    const double stiff = 1.0 / SEEPAGE_STIFF;
    if (pressure >= 0.0)
    {
        return stiff;
    }
    const double x = fmin(1.0, -pressure / soil->suction);
    return fmax(stiff, soil->shape / soil->suction * curve_power(x, soil->shape - 1.0));
}

double wadi_seepage_wet_share(const wadi_seepage* s, int32_t i, double pressure)
{
    return curve_power(fmin(1.0, wadi_seepage_saturation_at(s, i, pressure)),
                       s->soils[s->soil[i]].exponent);
}
