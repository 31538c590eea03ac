// SPDX-License-Identifier: MIT
// Rain: drops of one full particle each, at random places of a rectangle. A drop falls by itself
// until it has met two other particles.
#include "bodies/water/sph.h"
#include "core/random.h"

wadi_result wadi_sph_set_rain(wadi_sph* sph, const wadi_sph_rain* rain)
{
    wadi_context* context = sph->context;
    if (rain == NULL)
    {
        sph->rains = false;
        return WADI_OK;
    }
    for (int c = 0; c < 2; ++c)
    {
        const double low = rain->low[c];
        const double high = rain->high[c];
        const double period = sph->law.period[c];
        WADI_CHECK(context, low < high && isfinite(high - low), WADI_ERROR_ARGUMENT,
                   "rain falls from %g to %g m along %c; the first must be the smaller, and both "
                   "finite",
                   low, high, "xy"[c]);
        WADI_CHECK(context, period == 0.0 || (low >= 0.0 && high <= period), WADI_ERROR_ARGUMENT,
                   "rain falls from %g to %g m along %c, but the world's period is 0 to %g m", low,
                   high, "xy"[c], period);
    }
    WADI_CHECK(context, rain->rate >= 0.0 && rain->rate <= 10.0, WADI_ERROR_RANGE,
               "it rains %g m/s but rain must be 0 to 10 m/s", rain->rate);
    WADI_CHECK(context,
               isfinite(rain->height) && isfinite(rain->velocity[0]) &&
                   isfinite(rain->velocity[1]) && isfinite(rain->velocity[2]),
               WADI_ERROR_RANGE, "the height and velocity of rain must be finite numbers");
    sph->rains = true;
    sph->rain = *rain;
    return WADI_OK;
}

// Place of a drop: a function of its number.
static void rain_place(const wadi_sph_rain* rain, uint32_t number, double x[3])
{
    enum
    {
        RAIN_STREAM = 0x5370
    };
    const wadi_philox random = wadi_random(rain->seed, RAIN_STREAM, number, 0);
    for (int c = 0; c < 2; ++c)
    {
        const double share = wadi_unit_double(random.v[2 * c], random.v[2 * c + 1]);
        x[c] = rain->low[c] + share * (rain->high[c] - rain->low[c]);
    }
    x[2] = rain->height;
}

// Drops due in a step, with the share left over from the step before.
static double rain_due(const wadi_sph* sph)
{
    const wadi_sph_rain* rain = &sph->rain;
    const double area = (rain->high[0] - rain->low[0]) * (rain->high[1] - rain->low[1]);
    const double depth = sph->rains ? rain->rate * sph->step : 0.0;
    return sph->owed + depth * area * sph->params.density / sph->mass;
}

wadi_result wadi_sph_rain_reserve(wadi_sph* sph)
{
    const double owed = rain_due(sph);
    WADI_CHECK(sph->context, owed < 1e8, WADI_ERROR_RANGE,
               "it rains %g drops in a step, more than there can be: make spacing larger", owed);
    return wadi_sph_reserve(sph, (int64_t)sph->count + (int64_t)owed);
}

void wadi_sph_rain_add_drops(wadi_sph* sph)
{
    for (sph->owed = rain_due(sph); sph->owed >= 1.0; sph->owed -= 1.0)
    {
        sph_body drop = {.rho = sph->params.density};
        rain_place(&sph->rain, sph->next_id, drop.x);
        memcpy(drop.v, sph->rain.velocity, sizeof drop.v);
        wadi_sph_append(sph, &drop, sph->rain.velocity, true);
        sph->rained += sph->full;
    }
}
