// SPDX-License-Identifier: MIT
#include "processes/dunes/flux_stress.h"

#include "processes/dunes/flux.h"

#include <math.h>

enum
{
    STRESS_STREAM = 0x737472 // key of random numbers; none are drawn
};

static void stress_copy(const flux* f, const dunes_stress* out)
{
    const float own = (float)(f->law.fastest * f->law.fastest);
    for (int32_t y = 0; y < f->ground->height; ++y)
    {
        const float* stress = f->stress + flux_at(f, y);
        const float* drift = f->drift + flux_at(f, y);
        const float* ex = flux_wind_row(f, FLUX_WIND_EAST, y);
        const float* ey = flux_wind_row(f, FLUX_WIND_SOUTH, y);
        for (int32_t x = 0; x < f->ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * f->ground->width + x;
            out->stress[cell] = own * stress[x];
            // drift acts along the wind turned to the left
            out->east[cell] = ex[x] - drift[x] * ey[x];
            out->south[cell] = ey[x] + drift[x] * ex[x];
        }
    }
}

static wadi_result stress_compute(flux* f, const wind_spell* wind, const dunes_stress* out)
{
    WADI_TRY(wadi_flux_freeze(f));
    WADI_TRY(wadi_flux_wind_blow(f, wind));
    const double longest = wadi_flux_law_longest(f, f->fastest);
    wadi_flux_law_set(f, wind, longest < HUGE_VAL ? longest : 1.0);
    wadi_flux_shelter(f);
    wadi_flux_shear(f);
    stress_copy(f, out);
    return WADI_OK;
}

wadi_result wadi_dunes_stress(wadi_terrain* terrain, const wadi_dunes_params* params,
                              const dunes_stress* out)
{
    void* state;
    WADI_TRY(wadi_dunes_flux_api.create(terrain, params, STRESS_STREAM, &state));
    const wind_spell wind = {.direction = params->direction, .speed = params->speed, .years = 1.0};
    const wadi_result result = stress_compute(state, &wind, out);
    wadi_dunes_flux_api.destroy(state);
    return result;
}
