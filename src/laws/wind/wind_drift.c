// SPDX-License-Identifier: MIT
#include "laws/wind/wind_drift.h"

#include "core/dmath.h"

#include <math.h>

static const double drift_knots = 1.0 / 0.514444; // knots per m/s
static const double drift_degree = 3.14159265358979323846 / 180.0;
static const double drift_karman = 0.4;
static const double drift_height = 10.0; // [m] reference height of wind speeds

typedef struct drift_sum
{
    double potential;
    double east;
    double north;
    double years;
} drift_sum;

static void drift_add(drift_sum* sum, const wind_spell* spell, double threshold)
{
    const double speed = spell->speed * drift_knots;
    const double excess = speed - threshold * drift_knots;
    const double q = excess > 0.0 ? speed * speed * excess * spell->years : 0.0;
    sum->potential += q;
    sum->east -= q * wadi_sin(spell->direction * drift_degree);
    sum->north -= q * wadi_cos(spell->direction * drift_degree);
    sum->years += spell->years;
}

wind_drift wadi_wind_drift(const wind_course* course, double threshold)
{
    drift_sum sum = {0};
    if (course->spells == NULL)
    {
        const wind_spell one = {course->one.direction, course->one.speed, 1.0};
        drift_add(&sum, &one, threshold);
    }
    else
    {
        const wind_era* era = &course->eras[course->era];
        for (int32_t i = 0; i < era->count; ++i)
        {
            drift_add(&sum, &course->spells[era->first + i], threshold);
        }
    }
    const double scale = course->blowing / sum.years;
    const double resultant = sqrt(sum.east * sum.east + sum.north * sum.north);
    const double towards = wadi_atan2(sum.east, sum.north) / drift_degree;
    return (wind_drift){
        .potential = sum.potential * scale,
        .resultant = resultant * scale,
        .ratio = sum.potential > 0.0 ? resultant / sum.potential : 0.0,
        .direction = towards < 0.0 ? towards + 360.0 : towards,
    };
}

double wadi_wind_gain(double height, double roughness)
{
    // exactly 1 at the reference height
    return height == drift_height
               ? 1.0
               : wadi_log(drift_height / roughness) / wadi_log(height / roughness);
}

double wadi_wind_shear_velocity(double speed, double height, double roughness)
{
    return drift_karman * speed / wadi_log(height / roughness);
}
