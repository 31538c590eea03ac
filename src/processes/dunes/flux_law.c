// SPDX-License-Identifier: MIT
// Constants of one wind. docs/theory/dunes.md gives the source of each.
#include "processes/dunes/flux.h"

#include "core/dmath.h"
#include "core/internal.h"
#include "laws/sand/sand_flux.h"
#include "laws/wind/wind_heading.h"

#include <math.h>

static const double law_least_saturation = 2.0; // [m]
static const double law_least_cells = 1.0;      // saturation length: at 0.8, waves of 6 cells grow
static const double law_face = 0.5;       // [cells] from a cell to the face that its load crosses
static const double law_path = 0.85;      // [cells] displacement in a pass, see flux_load.c
static const double law_stress_cap = 4.0; // largest stress over that on flat ground
static const double law_shelter_share = 0.125; // full depth of shelter, in saturation lengths
static const double law_most_exposure = 0.5;   // stress per height of a cell over its size
static const double law_most_filling = 0.35;   // of that height in a step: the explicit limit
static const double law_creep_cap = 0.6;       // of the load on flat ground
static const double law_blur_share = 0.195;    // variance of smoothing, in lengths squared
static const double law_cliff = 55.0;          // [degree] slope from which eddies form
static const double law_bare_share = 0.0625;   // sand that covers rock, in saturation lengths
static const double law_hard_share = 0.125;    // sand that makes a bed soft, in saturation lengths
static const double law_longest = 64.0;        // largest saturation length [cells]
// A short step may be so much longer than step_flux asks for, and a step of the solver is half of
// that longer: 10 years then are 25 steps of 20 short steps, although the flux of a wind of 10 m/s
// is not quite `flux`.
static const double law_slack = 1.01;
static const double law_stretch = 0.995;
static const double law_usual_step = 2.5; // [yr] a quarter of the default duration; on coarse cells
static const double law_longest_step = 100.0; // [yr] of the solver
static const double law_calm_step = 1.0;      // [yr] where only plants change

wadi_result wadi_flux_law_create(flux* f)
{
    const double cell = f->ground->cell_size;
    const double coarse = law_least_cells * cell;
    const double automatic = coarse > law_least_saturation ? coarse : law_least_saturation;
    const double length =
        f->params.saturation_length > 0.0 ? f->params.saturation_length : automatic;
    WADI_CHECK(f->context, length >= law_least_cells * cell && length <= law_longest * cell,
               WADI_ERROR_RANGE,
               "saturation_length %g m does not suit cells of %g m: give %g to %g m, or 0", length,
               cell, law_least_cells * cell, law_longest * cell);
    f->law.saturation = length / cell;
    f->law.blur = (float)(law_blur_share * f->law.saturation * f->law.saturation);
    f->law.hard = (float)(f->params.hard_bed - 1.0);
    f->law.hard_cover = (float)(1.0 / (law_hard_share * length * WADI_UNITS_PER_METRE));
    // The load lags behind the capacity by (1 - share) / share passes, its flux over the face ahead
    // by another half cell. Together they must be one saturation length. Without that half cell
    // dunes grew half as fast on cells of 2 m as on cells of 1 m.
    f->law.share = (float)(law_path / (law_path + f->law.saturation - law_face));
    return WADI_OK;
}

static double law_threshold(const flux* f, double speed)
{
    return wadi_sand_threshold(f->params.threshold, speed);
}

static double law_excess(const flux* f, double speed)
{
    return wadi_sand_excess(f->params.threshold, speed);
}

double wadi_flux_law_saturated(const flux* f, double speed)
{
    const double calm = law_threshold(f, speed) >= law_stress_cap ? 0.0 : 1.0;
    return calm * wadi_sand_saturated(f->params.flux, f->params.threshold, speed);
}

double wadi_flux_law_longest(const flux* f, double speed)
{
    const double cell = f->ground->cell_size;
    const double saturated = wadi_flux_law_saturated(f, speed);
    return saturated > 0.0 ? law_slack * f->params.step_flux * cell * cell / saturated : HUGE_VAL;
}

// ---- steps of the solver -----------------------------------------------------------------------

// Short steps in a stretch of one wind that lasts so many years of the clock.
static double law_steps_of(const flux* f, const wind_spell* spell)
{
    const double longest = spell->speed > 0.0 ? wadi_flux_law_longest(f, spell->speed) : HUGE_VAL;
    return ceil(spell->years * f->course.blowing / longest);
}

// FLUX_SAMPLING short steps on the mean over an era, and a whole number of steps in each of its
// spells, if all last equally long, or in its cycle. HUGE_VAL: no wind moves sand.
static double law_step_of_era(const flux* f, const wind_era* era)
{
    const wind_spell* spells = f->course.spells + era->first;
    bool equal = true;
    double years = 0.0;
    double steps = 0.0;
    for (int32_t i = 0; i < era->count; ++i)
    {
        equal = equal && spells[i].years == spells[0].years;
        years += spells[i].years;
        steps += law_steps_of(f, &spells[i]);
    }
    const double step = steps > 0.0 ? FLUX_SAMPLING * law_stretch * years / steps : HUGE_VAL;
    const double whole = equal ? spells[0].years : years;
    return step < whole ? whole / ceil(whole / step - 1e-6) : step;
}

double wadi_flux_law_step(const flux* f)
{
    const wind_course* course = &f->course;
    if (f->params.step > 0.0)
    {
        return f->params.step;
    }
    double step = law_longest_step;
    if (course->spells == NULL)
    {
        step = fmin(step, FLUX_SAMPLING * law_stretch *
                              wadi_flux_law_longest(f, course->one.speed) / course->blowing);
    }
    for (int32_t era = 0; era < course->era_count; ++era)
    {
        step = fmin(step, law_step_of_era(f, &course->eras[era]));
    }
    const double coarse = fmax(law_usual_step, step / FLUX_SAMPLING);
    return step < HUGE_VAL ? fmin(step, fmin(coarse, law_longest_step)) : law_calm_step;
}

// ---- constants of a wind -----------------------------------------------------------------------

static void law_heading(flux_law* law, double direction)
{
    const wind_heading heading = wadi_wind_heading(direction);
    const float x = fabsf(heading.x);
    const float y = fabsf(heading.y);
    const float major = x >= y ? x : y;
    law->slope_x = heading.x / major;
    law->slope_y = heading.y / major;
}

static double law_tangent(double degrees)
{
    const double angle = degrees * (3.14159265358979323846 / 180.0);
    return wadi_sin(angle) / wadi_cos(angle);
}

static void law_shelter(flux* f)
{
    flux_law* law = &f->law;
    const double length = sqrt((double)law->slope_x * (double)law->slope_x +
                               (double)law->slope_y * (double)law->slope_y);
    const double fall = f->ground->cell_size * law_tangent(f->params.shelter_angle);
    const double cliff_fall = f->ground->cell_size * law_tangent(law_cliff);
    law->drop = (float)(length * fall);
    law->cliff_drop = (float)(length * cliff_fall);
    law->fall = (float)fall;
    law->cliff_fall = (float)cliff_fall;
    law->shear.shelter =
        (float)(1.0 / (law_shelter_share * law->saturation * f->ground->cell_size));
}

// Gain of the stress on a cell that stands out. The sand that it moves in a step must stay a share
// of the height of the cell.
static double law_exposure(const flux* f, double flat)
{
    const double moved = 2.0 * (double)f->law.share * flat /
                         (f->ground->cell_size * WADI_UNITS_PER_METRE * law_excess(f, f->fastest));
    return moved * law_most_exposure > law_most_filling ? law_most_filling / moved
                                                        : law_most_exposure;
}

static void law_shear(flux* f, double flat)
{
    flux_shear_law* law = &f->law.shear;
    const double gain = f->params.shear_gain / f->ground->cell_size;
    law->gain = (float)gain;
    law->lead = (float)(gain * f->params.shear_lead);
    law->across = (float)f->params.shear_across;
    law->cap = (float)law_stress_cap;
    law->threshold = (float)law_threshold(f, f->fastest);
    law->saturated = (float)(flat / law_excess(f, f->fastest));
    law->deflection = (float)(gain * f->params.deflection);
    law->exposure = (float)(law_exposure(f, flat) / f->ground->cell_size);
}

static void law_creep(flux* f, double flat)
{
    flux_creep_law* law = &f->law.creep;
    law->slope = (float)(f->params.creep / f->ground->cell_size);
    law->most = (float)(law_creep_cap * flat);
    law->amount = (float)(FLUX_PASSES * law_path);
}

static void law_wear(flux* f, double path)
{
    flux_wear_law* law = &f->law.wear;
    const double cell = f->ground->cell_size;
    law->rate = (float)(f->params.abrasion * path);
    law->per_cell = (float)(1.0 / cell);
    law->edge = (float)f->params.edge_wear;
    law->above = f->params.abrasion_height > 0.0 ? (float)(1.0 / f->params.abrasion_height) : 0.0f;
    law->cover = (float)(1.0 / (law_bare_share * f->law.saturation * cell * WADI_UNITS_PER_METRE));
}

void wadi_flux_law_set(flux* f, const wind_spell* wind, double years)
{
    const double path = FLUX_PASSES * law_path * f->ground->cell_size; // [m] of a step
    const double load = years / path * WADI_UNITS_PER_METRE; // [units] of a flux of 1 m2/yr
    const double flat = wadi_flux_law_saturated(f, f->fastest) * load;
    law_heading(&f->law, wind->direction);
    law_shelter(f);
    law_shear(f, flat);
    law_creep(f, flat);
    law_wear(f, path);
    f->law.echo = (float)(f->params.echo * FLUX_PASSES * law_path * flat);
    f->law.path = (float)law_path;
    f->law.per_load = path / years / WADI_UNITS_PER_METRE;
    f->law.fastest = f->fastest / wind->speed;
}
