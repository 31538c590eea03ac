// SPDX-License-Identifier: MIT
// Where the sun stands at an hour of a day.
#include "maps/render/sun.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

static const double sun_degree = 57.29577951308232; // of one radian
static const double sun_tilt = 23.44;               // of the axis of the Earth [degree]
static const double sun_least = 1.0; // altitude at which pictures still have light [degree]

// Declination from the day: Cooper, P. I. (1969), The absorption of radiation in solar stills,
// Solar Energy 12, 333-346; within half a degree of an almanac.
static double sun_declination(double day)
{
    return sun_tilt / sun_degree * wadi_sin(6.283185307179586 * (284.0 + day) / 365.0);
}

wadi_result wadi_sun_of_hour(wadi_context* context, wadi_render_params* params)
{
    if (params->hour == 0.0)
    {
        return WADI_OK;
    }
    const double turn = 15.0 * (params->hour - 12.0) / sun_degree;
    const double latitude = params->latitude / sun_degree;
    const double declination = sun_declination(params->day);
    const double east = -wadi_cos(declination) * wadi_sin(turn);
    const double north = wadi_cos(latitude) * wadi_sin(declination) -
                         wadi_sin(latitude) * wadi_cos(declination) * wadi_cos(turn);
    const double up = wadi_sin(latitude) * wadi_sin(declination) +
                      wadi_cos(latitude) * wadi_cos(declination) * wadi_cos(turn);
    const double flat = sqrt(east * east + north * north);
    const double altitude = wadi_atan2(up, flat) * sun_degree;
    WADI_CHECK(
        context, altitude >= sun_least, WADI_ERROR_RANGE,
        "hour is %g, but on day %g at latitude %g the sun stands at %.1f degree then; choose "
        "an hour at which it is at least %g degree above the horizon",
        params->hour, params->day, params->latitude, altitude, sun_least);
    params->sun_azimuth = flat > 0.0 ? wadi_atan2(east, north) * sun_degree : 180.0;
    params->sun_altitude = altitude < 89.0 ? altitude : 89.0;
    return WADI_OK;
}
