// SPDX-License-Identifier: MIT
// Parameter table of water. There is no second list of these anywhere.
#include <wadi/sph.h>

#include "core/field_rows.h"

#define SPH_NUMBER(...) FIELD_NUMBER(wadi_sph_params, __VA_ARGS__)
#define SPH_WHOLE(...) FIELD_WHOLE(wadi_sph_params, __VA_ARGS__)

// clang-format off
static const wadi_field sph_field_list[] = {
    SPH_NUMBER(spacing, 0.1, 1e-5, 1e3, "m", "of particles at rest", ""),
    SPH_NUMBER(smoothing, 1.3, 1.1, 2.0, "1", "smoothing length over spacing; water reaches twice that", "1.2-1.7; 1.3 makes 74 neighbours, 1.73 makes 174"),
    SPH_NUMBER(density, 1000.0, 1.0, 1e5, "kg/m3", "of water at rest", ""),
    SPH_NUMBER(sound_speed, 50.0, 1e-3, 1e5, "m/s", "ten times the fastest flow, 20 sqrt(g depth) of a breaking dam", "Monaghan 1994"),
    SPH_NUMBER(step, 0.0, 0.0, 10.0, "s", "of time; 0: 0.2 x smoothing length over sound_speed", "0.25 h / (c + v) is stable"),
    SPH_NUMBER(viscosity, 0.1, 0.0, 1.0, "1", "alpha of artificial viscosity", "Monaghan 1992: 0.01-0.1"),
    SPH_NUMBER(diffusion, 0.1, 0.0, 0.5, "1", "delta of density diffusion", "Fourtakas et al. 2019: 0.1"),
    SPH_NUMBER(gravity_x, 0.0, -1e3, 1e3, "m/s2", "eastward pull", ""),
    SPH_NUMBER(gravity_y, 0.0, -1e3, 1e3, "m/s2", "northward pull", ""),
    SPH_NUMBER(gravity_z, -9.81, -1e3, 1e3, "m/s2", "upward pull", ""),
    SPH_NUMBER(period_x, 0.0, 0.0, 1e6, "m", "the world repeats in x; 0: it does not", ""),
    SPH_NUMBER(period_y, 0.0, 0.0, 1e6, "m", "the world repeats in y; 0: it does not", ""),
    SPH_NUMBER(skin, 0.2, 0.01, 2.0, "1", "search beyond reach at most, share of the spacing; where water is slow it is less; changes speed alone", ""),
    SPH_WHOLE(chunk, 8192, 16, 16384, "particles that one worker takes at a time; changes speed alone", ""),
};
// clang-format on

const wadi_field_table wadi_sph_fields = FIELD_TABLE("sph", sph_field_list, wadi_sph_params);

wadi_sph_params wadi_sph_params_default(void)
{
    wadi_sph_params params;
    wadi_fields_init(&wadi_sph_fields, &params);
    return params;
}
