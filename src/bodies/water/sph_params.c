// SPDX-License-Identifier: MIT
// Parameter table of water. There is no second list of these anywhere.
#include <wadi/sph.h>

#include "core/field_rows.h"

#define SPH_NUMBER(...) FIELD_NUMBER(wadi_sph_params, __VA_ARGS__)
#define SPH_WHOLE(...) FIELD_WHOLE(wadi_sph_params, __VA_ARGS__)

// clang-format off
static const wadi_field sph_field_list[] = {
    SPH_NUMBER(spacing, 0.1, 1e-5, 1e3, "m", "distance of particles at rest", ""),
    SPH_NUMBER(smoothing, 1.3, 1.1, 2.0, "1", "smoothing length over spacing; the kernel's radius is twice the smoothing length", "1.2-1.7; 74 neighbours at 1.3, 174 at 1.73"),
    SPH_NUMBER(density, 1000.0, 1.0, 1e5, "kg/m3", "density of water at rest", ""),
    SPH_NUMBER(sound_speed, 50.0, 1e-3, 1e5, "m/s", "numerical speed of sound: ten times the fastest flow, or 20 sqrt(g depth) for a dam break", "Monaghan 1994"),
    SPH_NUMBER(step, 0.0, 0.0, 10.0, "s", "time step; 0: 0.2 x smoothing length over sound_speed", "0.25 h / (c + v) is stable"),
    SPH_NUMBER(viscosity, 0.1, 0.0, 1.0, "1", "alpha, coefficient of artificial viscosity", "Monaghan 1992: 0.01-0.1"),
    SPH_NUMBER(diffusion, 0.1, 0.0, 0.5, "1", "delta, coefficient of density diffusion", "Fourtakas et al. 2019: 0.1"),
    SPH_NUMBER(gravity_x, 0.0, -1e3, 1e3, "m/s2", "eastward acceleration", ""),
    SPH_NUMBER(gravity_y, 0.0, -1e3, 1e3, "m/s2", "northward acceleration", ""),
    SPH_NUMBER(gravity_z, -9.81, -1e3, 1e3, "m/s2", "upward acceleration", ""),
    SPH_NUMBER(period_x, 0.0, 0.0, 1e6, "m", "period of the domain in x; 0: not periodic", ""),
    SPH_NUMBER(period_y, 0.0, 0.0, 1e6, "m", "period of the domain in y; 0: not periodic", ""),
    SPH_NUMBER(skin, 0.2, 0.01, 2.0, "1", "largest search distance beyond the kernel, as a share of the spacing; less in slow water; affects speed only", ""),
    SPH_WHOLE(chunk, 8192, 16, 16384, "particles per parallel task; affects speed only", ""),
};
// clang-format on

const wadi_field_table wadi_sph_fields = FIELD_TABLE("sph", sph_field_list, wadi_sph_params);

wadi_sph_params wadi_sph_params_default(void)
{
    wadi_sph_params params;
    wadi_fields_init(&wadi_sph_fields, &params);
    return params;
}
