// SPDX-License-Identifier: MIT
// The parameter table of noise.
#include "core/field_rows.h"

#include <wadi/synthesis.h>

#define NOISE_NUMBER(...) FIELD_NUMBER(wadi_noise_params, __VA_ARGS__)

static const char* const noise_kinds[] = {"fbm", "ridged", "warped", NULL};

// clang-format off
static const wadi_field noise_field_list[] = {
    FIELD_CHOICE(wadi_noise_params, kind, WADI_NOISE_FBM, WADI_NOISE_COUNT,
                "fbm: sum of octaves; ridged: sharp crests; warped: fbm with a displaced domain",
                "Musgrave, Kolb & Mace 1989; Ebert et al. 2003, ch. 16", noise_kinds),
    NOISE_NUMBER(wavelength, 4500.0, 1e-3, 1e6, "m", "wavelength of the first octave: the distance between ranges", "three to four waves on a map of 15 km"),
    NOISE_NUMBER(relief, 2200.0, 0.0, 65534.0, "m", "highest minus lowest elevation of the result", "a mountain area: 1-3 km within 15 km"),
    NOISE_NUMBER(base, 0.0, -32767.0, 32767.0, "m", "elevation of the lowest cell", ""),
    FIELD_WHOLE(wadi_noise_params, octaves, 9, 1, 16, "largest number of octaves; octaves with waves shorter than two cells are left out", "9 reach from 4.5 km down to 18 m"),
    NOISE_NUMBER(gain, 0.5, 0.05, 1.0, "1", "ratio of amplitudes of successive octaves, 2^-H for Hurst exponent H", "real ground has H 0.7-1"),
    NOISE_NUMBER(lacunarity, 2.0, 1.5, 3.0, "1", "ratio of frequencies of successive octaves", ""),
    NOISE_NUMBER(warp, 0.45, 0.0, 2.0, "1", "displacement of the warped kind, in wavelengths", "0.3-0.6 bend ranges without folding them"),
    FIELD_SWITCH(wadi_noise_params, tileable, 0, "the field repeats over the extent of the grid; wavelengths are rounded to fit", ""),
};
// clang-format on

const wadi_field_table wadi_noise_fields =
    FIELD_TABLE("noise", noise_field_list, wadi_noise_params);

wadi_noise_params wadi_noise_params_default(void)
{
    wadi_noise_params params;
    wadi_fields_init(&wadi_noise_fields, &params);
    return params;
}
