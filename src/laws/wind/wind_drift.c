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

double wadi_wind_sand(const wind_spell* spell, double threshold)
{
    const double excess = spell->speed - threshold;
    return excess > 0.0 ? spell->speed * spell->speed * excess * spell->years : 0.0;
}

// Sand transport across a line with a given normal.
static wind_crests drift_cross(const wind_spell* spells, int32_t count, double threshold,
                               double normal)
{
    wind_crests sum = {0.0, 0.0, normal};
    for (int32_t i = 0; i < count; ++i)
    {
        const double sand = wadi_wind_sand(&spells[i], threshold);
        if (sand > 0.0)
        {
            const double off = (spells[i].direction + 180.0 - normal) * drift_degree;
            const double crossing = sand * wadi_cos(off);
            sum.gross += fabs(crossing);
            sum.net += crossing;
        }
    }
    return sum;
}

wind_crests wadi_wind_crests(const wind_spell* spells, int32_t count, double threshold)
{
    wind_crests best = {0.0, 0.0, 0.0};
    for (int32_t normal = 0; normal < 180; ++normal)
    {
        const wind_crests crests = drift_cross(spells, count, threshold, normal);
        best = crests.gross > best.gross ? crests : best;
    }
    return best;
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
