// SPDX-License-Identifier: MIT
// Waves of a few centimetres on a sheet of sand grow as linear theory predicts, for any cell size
// and azimuth, so that dunes appear with the same size at the same time.
#include "support/dune_land.h"

static const double wave_length = 40.0; // [m] near the fastest-growing wavelength
static const double wave_height = 0.02; // [m] amplitude

static double wave(sand_place p, const void* user)
{
    (void)user;
    return 4.0 + wave_height * cos(6.283185307179586 / wave_length * p.along);
}

static double amplitude(const sand_land* land)
{
    double cosine = 0.0;
    double sine = 0.0;
    for (int32_t i = 0; i < land->size * land->size; ++i)
    {
        const int32_t x = i % land->size;
        const int32_t y = i / land->size;
        const sand_place p = sand_place_of(land, x, y);
        const double sand = wadi_terrain_units(land->terrain, WADI_LAYER_SEDIMENT, x, y);
        cosine += sand * cos(6.283185307179586 / wave_length * p.along);
        sine += sand * sin(6.283185307179586 / wave_length * p.along);
    }
    return hypot(cosine, sine);
}

// Growth rate [1/yr]: the load lags by a length L behind the stress A (|k| + i B k) over a roof of
// variance 0.195 L^2; creep is 0.6 of the load on flat ground.
static double linear_growth(const wadi_dunes_params* params, double length)
{
    const double k = 6.283185307179586 / wave_length;
    const double threshold = params->threshold * params->threshold / 100.0;
    const double gain =
        params->shear_gain / (1.0 - threshold) * exp(-0.0975 * k * k * length * length);
    const double lag = k * length;
    const double stress = gain * (params->shear_lead - lag) / (1.0 + lag * lag);
    return 0.125 * params->flux * k * k * (stress - 0.6 * params->creep);
}

// `turned`: the wind blows along (4, 3) / 5, so that five waves of a diagonal fit the torus.
static double measured_growth(double cell, bool turned, double step_flux)
{
    sand_land land;
    dune_land_def def = dune_land_def_default();
    def.cell = cell;
    def.size = (int32_t)((turned ? 5.0 : 1.0) * wave_length / cell);
    def.sand = wave;
    def.params.step_flux = step_flux;
    def.params.direction = turned ? 270.0 + atan2(3.0, 4.0) * 57.29577951308232 : 270.0;
    dune_land_open(&land, &def);
    dune_land_blow(&land, 0.25); // until the load is steady
    const double before = amplitude(&land);
    dune_land_blow(&land, 0.75);
    const double rate = log(amplitude(&land) / before) / 0.75;
    sand_land_close(&land);
    return rate;
}

static void waves_grow_as_linear_theory_has_them(void** state)
{
    (void)state;
    static const struct
    {
        double cell;
        bool turned;
    } cases[] = {{0.5, false}, {1.0, false}, {2.0, false}, {2.0, true}};
    const wadi_dunes_params params = wadi_dunes_params_default();
    const double due = linear_growth(&params, 2.0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        const double rate = measured_growth(cases[i].cell, cases[i].turned, params.step_flux);
        print_message("cells of %.1f m%s: %.3f a year, theory %.3f\n", cases[i].cell,
                      cases[i].turned ? ", turned by 37" : "", rate, due);
        CHECK_NEAR(rate, due, 0.05 * due);
    }
}

// The error of the time step: half of it changes the growth of waves by less than 3 %.
static void half_the_step_changes_growth_little(void** state)
{
    (void)state;
    const double step_flux = wadi_dunes_params_default().step_flux;
    const double rate = measured_growth(2.0, false, step_flux);
    const double half = measured_growth(2.0, false, 0.5 * step_flux);
    print_message("growth %.4f a year, with half the step %.4f\n", rate, half);
    CHECK_NEAR(half, rate, 0.03 * rate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_grow_as_linear_theory_has_them),
        cmocka_unit_test(half_the_step_changes_growth_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
